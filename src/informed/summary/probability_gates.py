"""Gates and verdicts on probabilities: whether what a bettor gains reaches a bar."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from informed._numbers import rate
from informed.decisions.class_forecast import Judged
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_comparison import ProbabilityComparison, SkillDifference
from informed.decisions.skill import MEASURES, OTHERS, WORDS
from informed.errors import InferenceError, InformedError
from informed.evidence.labels import text
from informed.evidence.shown import system_name
from informed.results import Gate
from informed.systems.gates import MarginTest
from informed.systems.verdicts import Evidence

CALLED = {**WORDS, "informedness": "informedness", "soft_informedness": "soft informedness", "auc": "AUC"}
NAMES = {**{name: name for name in CALLED}, **OTHERS, "youden_j": "informedness", "roc_auc": "auc"}


def measure_of(found: Judged, measure: str) -> str:
    """What is gated, by any of its names."""
    name = NAMES.get(measure, measure)
    if name not in found.intervals:
        known = ", ".join(found.intervals)
        raise InformedError(f"{text(measure)} is no measure of probabilities with an interval; there are {known}.")
    return name


def _why(found: Judged) -> str:
    return (found.roc.why or "") if isinstance(found, Probabilities) else found.why


def of_probabilities(found: Judged, measure: str) -> Evidence:
    """What a verdict is taken by: the interval of what is gained."""
    n, what = _size(found)
    if measure == "calibration":
        p = float(found.calibration.pvalue)
        return Evidence("calibration", "The p-value of calibration", p, math.nan, math.nan, found.level, n, what)
    name = measure_of(found, "log_skill" if measure == "informedness" and "informedness" not in NAMES else measure)
    x = found.intervals[name]
    said = f"{CALLED[name][:1].upper()}{CALLED[name][1:]}"

    def at(level: float) -> tuple[float, float]:
        other = replace(found, level=level).intervals[name]
        return float(other.low), float(other.high)

    limits = float(x.estimate), float(x.low), float(x.high)
    return Evidence(name, said, *limits, found.level, n, what, 1, _why(found), limits=at)


def _size(found: Judged) -> tuple[float, str]:
    if isinstance(found, Probabilities):
        units = found.roc.units
        return (found.cases, "case") if units is None else (float(units.n), units.name)
    given = found.held.units
    return (found.held.total, "case") if given is None else (float(given.unit.max() + 1), given.name)


def of_probability_difference(c: ProbabilityComparison, measure: str) -> Evidence:
    """The same of the first system that is not the baseline, and the baseline (or the second)."""
    a, b = first_pair(c)
    name = OTHERS.get(measure, measure)
    if name not in MEASURES:
        raise InferenceError(f"{text(measure)} is not compared; there are {', '.join(MEASURES)}.")
    d = c.difference(a, b, name)
    said = f"The difference of {WORDS[name]}, {system_name(a)} − {system_name(b)},"
    at: dict[str, Any] = {"limits": lambda level: (d.at(level).low, d.at(level).high)}
    return Evidence(name, said, d.estimate, d.low, d.high, c.level, d.n, "case", 1, "", scale="difference", **at)


def first_pair(c: ProbabilityComparison) -> tuple[Any, Any]:
    """The first system that is not the baseline, and the baseline or the second system."""
    names = list(c.systems)
    if c.baseline is None:
        return names[0], names[1]
    return next(x for x in names if x != c.baseline), c.baseline


def first_of(c: ProbabilityComparison) -> Judged:
    """What is known of the first system that is not the baseline."""
    return c.systems[first_pair(c)[0]]


def not_worse_by_skill(c: ProbabilityComparison, margin: float, *, shown_to_be: bool, groups: int = 1) -> Gate:
    """Whether the first system is not shown to be worse by more than a margin, or is shown to be worse by less."""
    a, b = first_pair(c)
    test = MarginTest(c.level, shown_to_be, groups)
    d = c.difference(a, b, c.measure).at(test.within)  # one-sided
    p = math.nan
    if math.isfinite(d.standard_error):
        greater, less = one_sided(d, -margin)
        p = greater if shown_to_be else less
    elif math.isinf(d.estimate):  # ruin is beyond doubt
        p = float((d.estimate < 0) == shown_to_be)
    return test.gate((a, b), -margin, WORDS[c.measure], rate(d.estimate), (d.estimate, d.low, d.high, p))


def one_sided(d: SkillDifference, against: float) -> tuple[float, float]:
    """One-sided p-values of a difference, against a greater and against a smaller one."""
    from scipy.special import stdtr

    away = d.estimate - against
    z = away / d.standard_error if d.standard_error > 0 else np.copysign(np.inf, away) if away else 0.0
    return float(stdtr(d.df, -z)), float(stdtr(d.df, z))
