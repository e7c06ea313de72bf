"""Gates and verdicts on probabilities: whether what a bettor gains reaches a bar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from informed._numbers import rate, span
from informed.decisions.class_forecast import Judged
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_comparison import ProbabilityComparison
from informed.decisions.skill import MEASURES, OTHERS, WORDS
from informed.errors import InferenceError, InformedError
from informed.evidence.labels import text
from informed.evidence.shown import system_name
from informed.results import Gate
from informed.summary.gates import Bar, bar, judged
from informed.systems.verdicts import Evidence

CALLED = {**WORDS, "informedness": "informedness", "soft_informedness": "soft informedness", "auc": "AUC"}
NAMES = {**{name: name for name in CALLED}, **OTHERS, "youden_j": "informedness", "roc_auc": "auc"}


def check_probabilities(found: Judged, bars: Iterable[str]) -> tuple[Gate, ...]:
    """Each bar against a number of the result, or a limit of it."""
    return tuple(_gate(found, bar(text, {*NAMES, "calibration"})) for text in bars)


def _gate(found: Judged, b: Bar) -> Gate:
    if b.measure == "calibration":
        return judged(replace(b, on="value"), "the p-value of calibration", float(found.calibration.pvalue))
    name = measure_of(found, b.measure)
    if b.on in ("greater", "less"):
        one_sided = replace(found, level=2 * found.level - 1)
        x = one_sided.intervals[name]
        passed = bool(x.low > b.at_least if b.on == "greater" else x.high < b.at_least)
        said = f"It is {'' if passed else 'not '}shown that {CALLED[name]} is {b.on} than {b.at_least:g}"
        return Gate(b.name, passed, f"{said}: {rate(float(x.estimate))}.", float(x.estimate), b.at_least)
    x = found.intervals[name]
    seen = float(x.estimate if b.on == "value" else getattr(x, b.on))
    return judged(b, CALLED[name], seen, _why(found))


def measure_of(found: Judged, measure: str) -> str:
    """What is gated, by any of its names."""
    name = NAMES.get(measure, measure)
    if name not in found.intervals:
        known = ", ".join(found.intervals)
        raise InformedError(f"{text(measure)} is no measure of probabilities with an interval; there are {known}.")
    return name


def _why(found: Judged) -> str:
    return (found.roc.why or "") if isinstance(found, Probabilities) else found.why


def evidence_of(found: Judged, measure: str) -> Evidence:
    """What a verdict is taken by: the interval of what is gained."""
    name = measure_of(found, "log_skill" if measure == "informedness" and "informedness" not in NAMES else measure)
    x = found.intervals[name]
    n, what = _size(found)
    said = f"{CALLED[name][:1].upper()}{CALLED[name][1:]}"
    limits = float(x.estimate), float(x.low), float(x.high)
    return Evidence(name, said, *limits, found.level, n, what, 1, _why(found))


def _size(found: Judged) -> tuple[float, str]:
    if isinstance(found, Probabilities):
        units = found.roc.units
        return (found.cases, "case") if units is None else (float(units.n), units.name)
    given = found.held.units
    return (found.held.total, "case") if given is None else (float(given.unit.max() + 1), given.name)


def evidence_of_difference(c: ProbabilityComparison, measure: str) -> Evidence:
    """The same of the first system that is not the baseline, and the baseline (or the second)."""
    a, b = first_pair(c)
    name = OTHERS.get(measure, measure)
    if name not in MEASURES:
        raise InferenceError(f"{text(measure)} is not compared; there are {', '.join(MEASURES)}.")
    d = c.difference(a, b, name)
    said = f"The difference of {WORDS[name]}, {system_name(a)} − {system_name(b)},"
    return Evidence(name, said, d.estimate, d.low, d.high, c.level, d.n, "case", 1, "")


def first_pair(c: ProbabilityComparison) -> tuple[Any, Any]:
    """The first system that is not the baseline, and the baseline or the second system."""
    names = list(c.systems)
    if c.baseline is None:
        return names[0], names[1]
    return next(x for x in names if x != c.baseline), c.baseline


def first_of(c: ProbabilityComparison) -> Judged:
    """What is known of the first system that is not the baseline."""
    return c.systems[first_pair(c)[0]]


def check_margins(c: ProbabilityComparison, margins: Iterable[tuple[float, bool]]) -> tuple[Gate, ...]:
    """Whether the first system is not shown to be worse by more than a margin, or is shown to be worse by less."""
    a, b = first_pair(c)
    d = c.difference(a, b, c.measure).at(2 * c.level - 1)  # one-sided
    gates = []
    for margin, to_show in margins:
        name = "fail-unless" if to_show else "fail-worse"
        passed = bool(d.low > -margin) if to_show else bool(d.high >= -margin)
        shown = f"{'' if passed == to_show else 'not '}shown that {system_name(a)} is worse than {system_name(b)} by "
        said = f"It is {shown}{'less' if to_show else 'more'} than {margin:g}: {WORDS[c.measure]} {rate(d.estimate)}"
        said = f"{said} {span(d.low, d.high)}, one-sided."
        if np.isnan(d.estimate):
            said = f"{d.sentence()[:-1]}, so that nothing is shown."
        gates.append(Gate(name, passed, said, d.estimate, -margin))
    return tuple(gates)
