"""Gates for continuous integration: does a table clear a bar, is that shown, has it fallen behind a baseline?

Each gate says whether it holds and by how much. They read the table of a report, so that any
measure can be a gate whether the report shows it or not; with groups, the pooled table counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from informed._numbers import probability, rate, signed
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.inference.heterogeneity import difference
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.tests import test
from informed.measures import Measure, find, why
from informed.measures.headline import Count, headline
from informed.measures.titles import spoken
from informed.results import Gate
from informed.summary.parts import Estimate
from informed.summary.report import Report
from informed.systems.guards import guards
from informed.systems.verified import Verified

SIGNS = {"greater": ">", "less": "<"}
PARTS = ("value", "low", "high", *SIGNS)  # what stands behind the dot of a bar


@dataclass(frozen=True)
class Bar:
    """A measure, what of it counts (its value, a limit, a test that it is greater or less), and what it must reach."""

    measure: str
    on: str
    at_least: float

    @property
    def name(self) -> str:
        return self.measure if self.on == "value" else f"{self.measure}.{self.on}"


def bar(text: str, known: Collection[str] = ()) -> Bar:
    """A bar as the command line writes it; `known` are measures that are of no table.

    >>> bar("informedness.low=0.1")
    Bar(measure='informedness', on='low', at_least=0.1)
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
        return Bar(measure if measure in known else str(find(measure)), side, at_least)
    if dot and side.isalpha() and name not in known:
        raise InformedError(f"{text!r} ends in {side!r}; what can stand there is {', '.join(PARTS)}.")
    return Bar(name if name in known else str(find(name)), "value", at_least)


def check(
    held: Report | Table, bars: Iterable[str | Bar], *, level: float | None = None, count: Count = "tool"
) -> tuple[Gate, ...]:
    """Each bar against a report (of systems, against each), or against a table with a level and with which cases
    count."""
    bars = tuple(bars)
    if isinstance(held, Report) and held.systems:
        each = [(g.name, gate) for g in held.groups for gate in check(g, bars, level=level)]
        return tuple(replace(x, name=f"{who}: {x.name}", sentence=f"{who}: {x.sentence}") for who, x in each)
    t = held.table if isinstance(held, Report) else held
    count = held.count if isinstance(held, Report) else count
    if level is None:
        level = held.level if isinstance(held, Report) else 0.95
    shown = {e.measure: e for e in held.estimates} if isinstance(held, Report) and held.level == level else {}
    return tuple(_gate(t, bar(x) if isinstance(x, str) else x, level, shown, count) for x in bars)


def check_verified(found: Verified, bars: Iterable[str]) -> tuple[Gate, ...]:
    """Each bar against a partly verified table."""
    return tuple(_verified(found, bar(x)) for x in bars)


def _verified(found: Verified, b: Bar) -> Gate:
    if b.on in SIGNS:
        raise InformedError(f"{b.name}: of a partly verified table limits are gated, as in {b.measure}.low=0.1.")
    held = found.interval(b.measure)
    if np.ndim(held.estimate):
        raise InformedError(f"{b.measure} is one number for each class here; a gate takes one number.")
    value = held.estimate if b.on == "value" else getattr(held, b.on)
    return judged(b, b.measure.replace("_", " "), float(value))


def guarded(
    report: Report,
    bars: Iterable[str],
    before: str | None,
    most: Mapping[str, float],
    more: Callable[[], tuple[Gate, ...]] | None = None,
) -> tuple[Gate, ...]:
    """The gates that were asked for, `more` of them last; where a guard fails, the guards that do, and no gate is
    checked."""
    bars = tuple(bars)
    if not bars and before is None and more is None:
        return ()
    failed = guards(dict(report.states), most, unfinished=report.table.unfinished)
    if failed:
        return failed
    fallen = () if before is None else regression(report, before)
    return (*check(report, bars), *fallen, *(() if more is None else more()))


def _gate(t: Table, b: Bar, level: float, shown: Mapping[str, Estimate], count: Count) -> Gate:
    silent = bool(t.abstained.any())
    m = headline(b.measure, count, silent)
    seen = float(m(t))  # refused where the measure is of one class
    if b.on in SIGNS:
        return _shown(t, m, b, level, seen, spoken(m, silent))
    if b.on != "value" and b.on not in SIGNS and (no_limits := why_none(m, len(t.real_labels))):
        raise InformedError(f"{b.name}: {no_limits}", f"gate its value: {b.measure}={b.at_least:g}")
    if b.on != "value":  # a report has its own limits, which know of units
        seen = float(getattr(shown.get(str(m)) or interval(t, m, level=level), b.on))
    return judged(b, spoken(m, silent), seen, str(why(t, m) or "") if math.isnan(seen) else "")


def judged(b: Bar, named: str, seen: float, why: str = "") -> Gate:
    """The gate of a number, or of a limit of it, called so in its sentence."""
    side = {"low": "The lower limit of ", "high": "The upper limit of "}.get(b.on, "")
    about = f"{side}{named}" if side else f"{named[:1].upper()}{named[1:]}"
    if math.isnan(seen):
        reason = why or "its interval could not be computed"
        return Gate(b.name, False, f"{about} is undefined: {reason}.", seen, b.at_least)
    gap = seen - b.at_least
    passed = gap >= 0
    verb = "clears" if passed else "misses"
    sentence = f"{about} is {rate(seen)} and {verb} {b.at_least:g} by {rate(abs(gap), _digits(gap))}."
    return Gate(b.name, passed, sentence, seen, b.at_least)


def _shown(t: Table, m: Measure, b: Bar, level: float, seen: float, named: str) -> Gate:
    """Whether a one-sided test shows that the measure is beyond the bar."""
    found = test(t, m, against=b.at_least, alternative="greater" if b.on == "greater" else "less")
    p = float(found.pvalue)
    passed = p < 1 - level
    said = f"It is {'' if passed else 'not '}shown that {named} is {b.on} than {b.at_least:g}"
    sentence = f"{said}: {rate(seen)}, one-sided {probability(p)} ({found.method})."
    return Gate(b.name, passed, sentence, seen, b.at_least, p)


def _digits(gap: float) -> int:
    """Enough decimals for a small gap to be seen."""
    return 3 if gap == 0 or abs(gap) >= 0.0005 else min(15, 1 - math.floor(math.log10(abs(gap))))


def regression(
    report: Report, before: Report | str, *, measures: Iterable[str] = ("informedness",)
) -> tuple[Gate, ...]:
    """Whether measures have fallen, by more than the noise, behind an earlier report.

    `before` is a report or its JSON. The two samples are taken as independent, which for the
    same test set is cautious: `informed.compare` sees smaller changes there.
    """
    if report.systems:
        raise InformedError("A baseline is of one system; this report is of several.")
    if isinstance(before, str):
        before = Report.from_json(before)
    silent = any(bool(r.table.abstained.any()) for r in (report, before))
    return tuple(_regression(report, before, headline(m, report.count, silent)) for m in measures)


def _regression(report: Report, before: Report, m: Measure) -> Gate:
    new, old = (interval(r.table, m, level=report.level) for r in (report, before))
    if no_limits := why_none(m, len(report.table.real_labels)):
        raise InformedError(f"{no_limits} So no change of it from the baseline can be told from noise.")
    change = difference(new, old)
    title = f"{m.title} is {rate(new.estimate)}, in the baseline {rate(old.estimate)}"
    if math.isnan(change.estimate):
        return Gate(str(m), False, f"{title}: one of them is undefined.", math.nan, 0.0)
    noise = f"{signed(change.estimate)} [{rate(change.low)}, {rate(change.high)}]"
    if change.high < 0:
        said = f"{title}: it fell by more than the noise ({noise})."
        return Gate(str(m), False, said, change.high, 0.0)
    risen = "it rose by more than" if change.low > 0 else "the change is within"
    return Gate(str(m), True, f"{title}: {risen} the noise ({noise}).", change.high, 0.0)
