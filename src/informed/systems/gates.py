"""Gates of a comparison: may a system go where the other was?"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import ratio
from informed._numbers import digits_beside, probability, signed, span
from informed.errors import InferenceError, InformedError
from informed.evidence.shown import system_name
from informed.inference.given import students
from informed.measures import MeasureLike
from informed.measures.titles import spoken, spoken_tags, uncapitalised
from informed.results import Gate
from informed.systems.board import place_of, sign_of
from informed.systems.comparison import Comparison
from informed.systems.difference import Difference, level_within
from informed.systems.folds import Folds
from informed.systems.marks_comparison import MarksDifference
from informed.systems.tags_comparison import TagsDifference
from informed.systems.tails import tails


def scalar(c: Comparison, measure: MeasureLike) -> Difference:
    """The difference of a measure that is one number."""
    found = c[measure]
    if np.ndim(found.estimate):
        raise InferenceError(f"{found.measure} is of one class; say which with `positive=`, of two classes.")
    return found


def not_worse(c: Comparison, measure: MeasureLike, margin: float, *, shown_to_be: bool, groups: int = 1) -> Gate:
    """Whether a is worse than b by more than the margin, one-sided.

    It fails where that is shown; with `shown_to_be`, where the opposite is not shown. Of one of several `groups` the
    level at which it is shown to be worse is corrected for their number (Bonferroni).
    """
    d, m = scalar(c, measure), c.meant(measure)
    if m.direction == 0 and m.margins is not None:
        raise InferenceError(
            f"{spoken(m).capitalize()} is better neither when higher nor when lower, so that no system is worse by it.",
            f"decide its difference with `decide='{m}=0'`",
        )
    sign, scale = sign_of(m), c.scale(measure)
    sides = ("less", "greater") if sign > 0 else ("greater", "less")
    bar = float(scale.back(-sign * scale.reach(margin)))
    p = float(c.pvalue(measure, against=bar, alternative=sides[int(shown_to_be)]))
    margins = MarginTest(c.level, shown_to_be, groups)
    x = c.noninferiority(measure, margin=margin, level=margins.level)
    numbers = (float(d.estimate), float(x.low), float(x.high), p)
    return margins.gate(c.names, bar, spoken(d.measure, c.silent), d.shown(), numbers, scale.said(margin), sign)


def not_worse_by_marks(d: MarksDifference, margin: float, *, shown_to_be: bool, groups: int = 1) -> Gate:
    """The same of two scores."""
    margins = MarginTest(d.level, shown_to_be, groups)
    greater, less = d.tails(-margin)
    x = d.within(margin, margins.level, both=False)
    numbers = (float(d.estimate), float(x.low), float(x.high), greater if shown_to_be else less)
    return margins.gate(d.names, -margin, d.measure, signed(d.estimate), numbers)


def not_worse_by_tags(d: TagsDifference, margin: float, *, shown_to_be: bool, groups: int = 1) -> Gate:
    """The same of two systems that tagged the same items."""
    margins, bar = MarginTest(d.level, shown_to_be, groups), -d.sign * margin
    better, worse = d.tails(bar)[:: d.sign]
    x = d.within(margin, margins.level, both=False)
    numbers = (float(d.estimate), float(x.low), float(x.high), better if shown_to_be else worse)
    return margins.gate(d.names, bar, spoken_tags(d.measure), signed(d.estimate), numbers, sign=d.sign)


def not_worse_over_folds(
    found: Folds, names: tuple[Any, Any], margin: float, *, shown_to_be: bool, groups: int = 1
) -> Gate:
    """The same over folds or seeds, by the method that leads."""
    pairs, margins = found.pairs, MarginTest(found.level, shown_to_be, groups)
    if pairs is None:
        raise InferenceError("Over data sets systems are compared by their ranks, of which no margin can be tested.")
    at = tuple(place_of(found.names, name) for name in names)
    estimate, error, low, high = pairs.at(at)[:4]
    middle = (low + high) / 2
    away = found.sign * middle + margin
    p = float(tails((ratio(away, error), -ratio(away, error)), pairs.df)[0 if shown_to_be else 1])
    reach = float(students(pairs.df, margins.within) * error)
    numbers = (float(estimate), float(middle - reach), float(middle + reach), p)
    return margins.gate(names, -found.sign * margin, found.called, signed(estimate), numbers, sign=found.sign)


def of_system(name: Hashable, gates: Iterable[Gate]) -> tuple[Gate, ...]:
    """The same gates, whose sentences say which system they are of."""
    said = system_name(name)
    return tuple(replace(g, sentence=f"{said}: {uncapitalised(g.sentence)}") for g in gates)


def of_group(name: Any, gates: Iterable[Gate]) -> tuple[Gate, ...]:
    """The same gates, whose names and sentences say which group they are of."""
    who = system_name(name)
    return tuple(
        replace(g, name=f"{who}: {g.name}", sentence=f"{who}: {uncapitalised(g.sentence)}", group=who) for g in gates
    )


def margin_gates(
    gate: Callable[..., Gate], whole: Any, parts: Mapping[Hashable, Any], margins: Sequence[tuple[float, bool]]
) -> tuple[Gate, ...]:
    """The gate of each margin on all items and in each slice, whose number corrects what shows that it is worse."""
    found = [gate(whole, margin, shown_to_be=shown) for margin, shown in margins]
    for name, part in parts.items():
        own = [
            uncompared("fail-unless" if shown else "fail-worse", part)
            if isinstance(part, InformedError)
            else gate(part, margin, shown_to_be=shown, groups=len(parts))
            for margin, shown in margins
        ]
        found += of_group(name, own)
    return tuple(found)


def uncompared(name: str, error: Exception) -> Gate:
    """A gate of a group in which the systems cannot be compared, which fails."""
    return Gate(name, False, f"the systems cannot be compared here, so that nothing is shown: {error}")


@dataclass(frozen=True)
class MarginTest:
    """A one-sided test that a system is worse by more than a margin, or by less, at a level."""

    stated: float
    shown_to_be: bool
    groups: int = 1

    @property
    def level(self) -> float:
        """The level of the test: corrected for the groups where it fails only when something is shown."""
        return self.stated if self.shown_to_be else 1 - (1 - self.stated) / self.groups

    @property
    def within(self) -> float:
        """The level of the interval that leaves as much out at either end."""
        return level_within(self.level)

    def gate(
        self,
        names: tuple[Any, Any],
        bar: float,
        measure: str,
        estimate: str,
        numbers: tuple[float, float, float, float],
        by: str = "",
        sign: int = 1,
    ) -> Gate:
        """The gate in words, from the difference, its limits and the p-value of the test."""
        seen, low, high, p = numbers
        a, b = (system_name(name) for name in names)
        name = "fail-unless" if self.shown_to_be else "fail-worse"
        told: dict[str, Any] = {"seen": seen, "wanted": bar, "pvalue": p, "low": low, "high": high}
        told |= {"level": self.within, "at_most": sign < 0}
        if math.isnan(p):
            return Gate(name, False, f"{measure} of {a} and {b} has no test, so that nothing is shown", **told)
        alpha = 1 - self.level
        if self.shown_to_be:
            passed = p < alpha
            said = f"{'it is' if passed else 'it is not'} shown that {a} is worse than {b} by less than"
        else:
            passed = not p < alpha
            said = f"{a} is {'not shown to be ' if passed else ''}worse than {b} by more than"
        limits = f"{100 * self.within:.4g}% CI {span(low, high, digits_beside(low, high, bar))}"
        tested = f"one-sided {probability(p)}"
        if self.groups > 1 and not self.shown_to_be:
            tested += f" against {alpha:.2g}, which is corrected for {self.groups:,} groups"
        said = f"{said} {by or f'{abs(bar):g}'}: {measure} {estimate}, {limits}, {tested}"
        return Gate(name, passed, said, **told)
