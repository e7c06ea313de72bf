"""Gates of a comparison: may a system go where the other was?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import ratio
from informed._numbers import probability, signed, span
from informed.errors import InferenceError
from informed.evidence.shown import system_name
from informed.measures import MeasureLike
from informed.measures.titles import spoken, spoken_tags, uncapitalised
from informed.results import Gate
from informed.systems.board import place_of, sign_of
from informed.systems.comparison import Comparison
from informed.systems.difference import Difference
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


def not_worse(c: Comparison, measure: MeasureLike, margin: float, *, shown_to_be: bool) -> Gate:
    """Whether a is worse than b by more than the margin, one-sided.

    It fails where that is shown; with `shown_to_be`, where the opposite is not shown.
    """
    d = scalar(c, measure)
    sign = sign_of(c.meant(measure))
    sides = ("less", "greater") if sign > 0 else ("greater", "less")
    scale = c.scale(measure)
    bar = float(scale.back(-sign * scale.reach(margin)))
    p = float(c.pvalue(measure, against=bar, alternative=sides[int(shown_to_be)]))
    found = f"{spoken(d.measure, c.silent)} {d.shown()} {span(d.low, d.high)}, one-sided {probability(p)}"

    told: dict[str, Any] = {"by": scale.said(margin), "shown_to_be": shown_to_be}
    return judged(c.names, bar, p, c.level, found, float(d.estimate), **told)


def not_worse_by_marks(d: MarksDifference, margin: float, *, shown_to_be: bool) -> Gate:
    """The same of two scores."""
    greater, less = d.tails(-margin)
    p = greater if shown_to_be else less
    found = f"{d.measure} {signed(d.estimate)} {span(d.low, d.high)}, one-sided {probability(p)}"
    return judged(d.names, -margin, p, d.level, found, float(d.estimate), shown_to_be=shown_to_be)


def not_worse_by_tags(d: TagsDifference, margin: float, *, shown_to_be: bool) -> Gate:
    """The same of two systems that tagged the same items."""
    bar = -d.sign * margin
    better, worse = d.tails(bar)[:: d.sign]
    p = better if shown_to_be else worse
    found = f"{spoken_tags(d.measure)} {signed(d.estimate)} {span(d.low, d.high)}, one-sided {probability(p)}"
    return judged(d.names, bar, p, d.level, found, float(d.estimate), shown_to_be=shown_to_be)


def not_worse_over_folds(found: Folds, names: tuple[Any, Any], margin: float, *, shown_to_be: bool) -> Gate:
    """The same over folds or seeds, by the method that leads."""
    pairs = found.pairs
    if pairs is None:
        raise InferenceError("Over data sets systems are compared by their ranks, of which no margin can be tested.")
    at = tuple(place_of(found.names, name) for name in names)
    estimate, error, low, high = pairs.at(at)[:4]
    away = found.sign * (low + high) / 2 + margin
    p = float(tails((ratio(away, error), -ratio(away, error)), pairs.df)[0 if shown_to_be else 1])
    said = f"{found.called} {signed(estimate)} {span(low, high)}, one-sided {probability(p)}"
    return judged(names, -found.sign * margin, p, found.level, said, estimate, shown_to_be=shown_to_be)


def of_system(name: Hashable, gates: Iterable[Gate]) -> tuple[Gate, ...]:
    """The same gates, whose sentences say which system they are of."""
    said = system_name(name)
    return tuple(replace(g, sentence=f"{said}: {uncapitalised(g.sentence)}") for g in gates)


def judged(
    names: tuple[Any, Any],
    bar: float,
    p: float,
    level: float,
    found: str,
    estimate: float,
    *,
    shown_to_be: bool,
    by: str = "",
) -> Gate:
    """The gate of a one-sided test that the first system is worse than the second by more than the bar, in words."""
    a, b = (system_name(name) for name in names)
    if shown_to_be:
        passed = p < 1 - level
        said = f"{'it is' if passed else 'it is not'} shown that {a} is worse than {b} by less than"
    else:
        passed = p > 1 - level
        said = f"{a} is {'not shown to be ' if passed else ''}worse than {b} by more than"
    name = "fail-unless" if shown_to_be else "fail-worse"
    return Gate(name, passed, f"{said} {by or f'{abs(bar):g}'}: {found}", estimate, bar, p)
