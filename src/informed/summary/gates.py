"""Gates for continuous integration: does a number clear a bar, is that shown, has it fallen behind a baseline?

One function judges every kind of evidence, by the limits and the test that the evidence brings (`Evidence`); which
numbers there are, and of which groups, is said in `checks`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._numbers import digits_beside, probability, rate, signed, span
from informed.errors import InferenceError, InformedError
from informed.evidence.labels import some, text
from informed.inference.heterogeneity import difference
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.measures import Measure, find
from informed.measures.headline import headline
from informed.measures.titles import title_of
from informed.results import Gate
from informed.summary.report import Report
from informed.systems.gates import of_group
from informed.systems.verdicts import Evidence

SIGNS = {"greater": ">", "less": "<"}
PARTS = ("value", "low", "high", *SIGNS)  # what stands behind the dot of a bar
ROUNDING = 1e-12  # by which a number may miss its bar: 0.3 − 0.1 reaches 0.2
OPTIONS = {False: "fail_under", True: "fail_over"}


@dataclass(frozen=True)
class Bar:
    """A measure, what of it counts (its value, a limit, a test that it is greater or less), and what it must reach,
    or with `over` must not exceed."""

    measure: str
    on: str
    at_least: float
    over: bool = False

    @property
    def name(self) -> str:
        return self.measure if self.on == "value" else f"{self.measure}.{self.on}"

    @property
    def shows_failure(self) -> bool:
        """Whether it fails only where the number is shown to be beyond the bar, so that groups need a correction."""
        return self.on == ("low" if self.over else "high")


def bar(text: str, known: Collection[str] = (), *, over: bool = False) -> Bar:
    """A bar as the command line writes it; `known` are measures that are of no table.

    >>> bar("informedness.low=0.1")
    Bar(measure='informedness', on='low', at_least=0.1, over=False)
    >>> bar("informedness.greater=0.7").on
    'greater'
    """
    name, sign, wanted = text.rpartition("=")
    try:
        at_least = float(wanted)
    except ValueError:
        at_least = math.nan
    if not sign or not name or math.isnan(at_least):
        raise InformedError(
            f"{text!r} is no gate; write a measure and a number, as in informedness=0.2, informedness.low=0.1 for the "
            "lower limit of its interval, or informedness.greater=0.1 for a test that it is greater."
        )
    measure, dot, side = name.rpartition(".")
    if dot and side in PARTS:
        return Bar(measure if measure in known else str(find(measure)), side, at_least, over)
    if dot and side.isalpha() and name not in known:
        raise InformedError(f"{text!r} ends in {side!r}; what can stand there is {', '.join(PARTS)}.")
    return Bar(name if name in known else str(find(name)), "value", at_least, over)


def bars_of(under: Iterable[str], over: Iterable[str], known: Collection[str] = ()) -> tuple[Bar, ...]:
    """The bars that numbers must reach, and those that they must not exceed."""
    return (*(bar(x, known) for x in under), *(bar(x, known, over=True) for x in over))


def bar_of(m: Measure, at_least: Any, at_most: Any) -> tuple[bool, float]:
    """Whether it is a bar that a measure must not exceed, and the bar; refused on the wrong side of it."""
    return side_of(title_of(m), m.direction, at_least, at_most)


def side_of(named: str, direction: int, at_least: Any, at_most: Any) -> tuple[bool, float]:
    """The same of a number that is better when higher (1), when lower (−1), or neither (0)."""
    if at_least is not None and at_most is not None:
        raise InferenceError("A bar is `at_least` or `at_most`; give one of them.")
    over = direction < 0 if direction else at_most is not None
    asked, given, other = ("at_most", at_most, at_least) if over else ("at_least", at_least, at_most)
    for name, value in (("at_least", at_least), ("at_most", at_most)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | np.number)):
            ways = [f"name a measure as `measure={value!r}`"] if isinstance(value, str) else []
            raise InferenceError(f"`{name}` is {text(value)}, which is not a number.", *ways)
    if other is not None:
        wrong, better = ("at_least", "lower") if over else ("at_most", "higher")
        said = f"{named} is better when it is {better}, so that `{wrong}` would be a bar on its wrong side."
        raise InferenceError(said, f"give `{asked}={float(other):g}`")
    if given is None and over:
        raise InferenceError(f"{named} is better when it is lower: its bar is missing.", "give one, `at_most=0.1`")
    return over, 0.0 if given is None else float(given)


def gate_of(e: Evidence, b: Bar) -> Gate:
    """The gate of a number, of a limit of it, or of a one-sided test."""
    check_side(e, b)
    if b.on in SIGNS:
        return _shown(e, b)
    if b.on != "value" and e.why and math.isnan(e.low) and not math.isnan(e.estimate):
        raise InformedError(f"{b.name}: {e.why}.", f"gate its value: {b.measure}={b.at_least:g}")
    seen = e.estimate if b.on == "value" else getattr(e, b.on)
    told: dict[str, Any] = {} if b.on == "value" else {"low": e.low, "high": e.high, "level": e.level}
    gate = judged(b, e.called, seen, e.why if math.isnan(seen) else "", e.correction)
    return replace(gate, **told)


def check_side(e: Evidence, b: Bar) -> None:
    """Refuse a bar on the side that a number may cross: what is better when lower must not exceed it."""
    over = e.sign < 0 if e.directed else b.over if b.on not in SIGNS else b.on == "less"
    on = b.on if b.on not in SIGNS else "less" if over else "greater"
    if (over, on) == (b.over, b.on):
        return
    meant = replace(b, on=on)
    better = f"is better when it is {'lower' if over else 'higher'}" if e.directed else f"is tested to be {b.on}"
    asked, other = f"{b.name}={b.at_least:g}", f"{meant.name}={b.at_least:g}"
    raise InformedError(
        f"{e.said} {better}, so that `{OPTIONS[b.over]}={asked!r}` would gate its wrong side.",
        f"give `{OPTIONS[over]}={other!r}`",
    )


def judged(b: Bar, named: str, seen: float, why: str = "", correction: str = "") -> Gate:
    """The gate of a number, or of a limit of it, called so in its sentence."""
    side = {"low": "The lower limit of ", "high": "The upper limit of "}.get(b.on, "")
    about = f"{side}{named}" if side else f"{named[:1].upper()}{named[1:]}"
    told: dict[str, Any] = {"seen": seen, "wanted": b.at_least, "at_most": b.over}
    if math.isnan(seen):
        reason = why or "its interval could not be computed"
        return Gate(b.name, False, f"{about} is undefined: {reason}.", **told)
    gap = 0.0 if abs(seen - b.at_least) <= ROUNDING * max(1.0, abs(b.at_least)) else seen - b.at_least
    passed = gap <= 0 if b.over else gap >= 0
    far = rate(abs(gap), _digits(gap))
    if b.over:
        verdict = f"stays within {b.at_least:g} by {far}" if passed else f"exceeds {b.at_least:g} by {far}"
    else:
        verdict = f"{'clears' if passed else 'misses'} {b.at_least:g} by {far}"
    return Gate(b.name, passed, f"{about} is {rate(seen)}{correction} and {verdict}.", **told)


def _shown(e: Evidence, b: Bar) -> Gate:
    """Whether a one-sided test shows that the number is beyond the bar; where there is no test of it, its interval
    that leaves as much out at that side."""
    told: dict[str, Any] = {"seen": e.estimate, "wanted": b.at_least, "at_most": b.over}
    if e.tested is not None:
        p, method = e.tested(b.at_least, b.on)
        passed, by = p < 1 - e.level, f"one-sided {probability(p)} ({method})"
        told["pvalue"] = p
    else:
        if not 0.5 < e.level < 1:
            raise InformedError(f"`level` is {e.level}; a one-sided test takes one between 0.5 and 1, such as 0.95.")
        x = e.at(2 * e.level - 1)
        passed = x.low > b.at_least if b.on == "greater" else x.high < b.at_least
        digits = digits_beside(x.low, x.high, b.at_least)
        by = f"{100 * x.level:.4g}% CI {span(x.low, x.high, digits)}"
        told |= {"low": x.low, "high": x.high, "level": x.level}
    said = f"It is {'' if passed else 'not '}shown that {e.called} is {b.on} than {b.at_least:g}"
    return Gate(b.name, passed, f"{said}: {rate(e.estimate)}, {by}.", **told)


def _digits(gap: float) -> int:
    """Enough decimals for a small gap to be seen."""
    return 3 if gap == 0 or abs(gap) >= 0.0005 else min(15, 1 - math.floor(math.log10(abs(gap))))


# ---------------------------------------------------------------------- a baseline


def regression(
    report: Report, before: Report | str, *, measures: Iterable[str] = ("informedness",), groups: bool = True
) -> tuple[Gate, ...]:
    """Whether measures have become worse, by more than the noise, than in an earlier report.

    `before` is a report or its JSON, of the same labels, positive class and cases that count. The two samples are
    taken as independent, which for the same test set is cautious: `informed.compare` sees smaller changes there.
    With `groups`, each group is compared with the same group of the baseline, at a level that is corrected for their
    number (Bonferroni).
    """
    if report.systems:
        raise InformedError("A baseline is of one system; this report is of several.")
    if isinstance(before, str):
        before = Report.from_json(before)
    if before.systems:
        raise InformedError("The baseline is a report of several systems; a baseline is of one.")
    pairs = _same_groups(report, before) if groups else []
    for new, old in ((report, before), *pairs):
        _check_alike(new, old)
    asked = tuple(measures)
    level = report.level if len(pairs) < 2 else 1 - (1 - report.level) / len(pairs)
    each = [of_group(new.name, _regressions(new, old, asked, level, len(pairs))) for new, old in pairs]
    return (*_regressions(report, before, asked, report.level, 1), *(gate for gates in each for gate in gates))


def _same_groups(report: Report, before: Report) -> list[tuple[Report, Report]]:
    """Each group with that of the same name in the baseline."""
    new, old = ({str(g.name): g for g in r.groups} for r in (report, before))
    if not new:
        return []
    if new.keys() != old.keys():
        there = f"the groups {some(list(old))}" if old else "no groups"
        raise InformedError(
            f"The baseline has {there}, and this report has {some(list(new))}: each group is compared with itself.",
            "make the baseline with the same groups",
            "gate the total alone with `gates='total'`",
        )
    return [(group, old[name]) for name, group in new.items()]


def _check_alike(report: Report, before: Report) -> None:
    """Refuse a baseline that is no report of the same question."""
    new, old = report.table, before.table
    said = (
        ("classes", new.real_labels, old.real_labels),
        ("predicted labels", new.predicted_labels, old.predicted_labels),
    )
    for what, mine, theirs in said:
        if set(map(str, mine)) != set(map(str, theirs)):
            raise InformedError(
                f"The baseline has the {what} {some(list(theirs))}, and this report {some(list(mine))}."
            )
    if new.positive is not None and old.positive is not None and str(new.positive) != str(old.positive):
        raise InformedError(
            f"In the baseline the positive class is {some([old.positive])}, and in this report {some([new.positive])}."
        )
    counts = {report.count, before.count}
    if len(counts) > 1 and "answered" not in counts:  # of tables the answered cases are known in either
        raise InformedError(
            f"The baseline was made with `count={before.count!r}`, and this report with `count={report.count!r}`: "
            "their denominators differ."
        )


def _regressions(
    report: Report, before: Report, measures: Iterable[str], level: float, groups: int
) -> tuple[Gate, ...]:
    silent = any(bool(r.table.abstained.any()) for r in (report, before))
    return tuple(_regression(report, before, headline(m, report.count, silent), level, groups) for m in measures)


def _regression(report: Report, before: Report, m: Measure, level: float, groups: int) -> Gate:
    new, old = (interval(r.table, m, level=level) for r in (report, before))
    if no_limits := why_none(m, len(report.table.real_labels)):
        raise InformedError(f"{no_limits} So no change of it from the baseline can be told from noise.")
    change = difference(new, old)
    title = f"{m.title} is {rate(new.estimate)}, in the baseline {rate(old.estimate)}"
    if math.isnan(change.estimate):
        return Gate(str(m), False, f"{title}: one of them is undefined.", math.nan, 0.0)
    low, high = float(change.low), float(change.high)
    corrected = f", a {100 * level:.4g}% CI corrected for {groups:,} groups" if groups > 1 else ""
    noise = f"{signed(change.estimate)} {span(low, high, digits_beside(low, high, 0.0))}{corrected}"
    lower = m.direction < 0
    worse, better = (low > 0, high < 0) if lower else (high < 0, low > 0)
    told: dict[str, Any] = {"low": low, "high": high, "level": level, "at_most": lower}
    verb = {False: "fell", True: "rose"}
    if worse:
        said = f"it {verb[lower]} by more than the noise"
    else:
        said = f"it {verb[not lower]} by more than the noise" if better else "the change is within the noise"
    return Gate(str(m), not worse, f"{title}: {said} ({noise}).", low if lower else high, 0.0, **told)
