"""How far scores of probabilities may be off: what each case adds, summed over cases or units."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from informed._arrays import Array, ratio
from informed.decisions.curve import Curve
from informed.decisions.probability_rules import Rule, mean_score, probabilities_of
from informed.inference.answers import Interval
from informed.inference.given import students
from informed.inference.proportions import mid_p
from informed.inference.tags_influence import freedom
from informed.inference.unit_spread import Spread
from informed.results import Note

PERFECT = 1e-12  # a score as small as this is 0 but for rounding


def spread_of(curve: Curve, of_positives: Array, of_negatives: Array) -> Spread:
    """The variance of a mean over all cases, from what a case of each step and class adds to it, around 0."""
    total = curve.positives + curve.negatives
    units = curve.units
    if units is not None and not units.single:
        each = np.where(units.own, of_positives[units.step], of_negatives[units.step])
        each = np.where(units.weight > 0, each, 0.0)
        added = np.bincount(units.unit, units.weight * each) / total
        scale = ratio(len(added), len(added) - 1)
        return Spread(float((added**2).sum() * scale), freedom(added, len(added)), float(len(added)))

    each, times = _by_step(curve, of_positives, of_negatives)
    n = float(times.sum())
    return Spread(float(np.dot(times, each**2)) / total**2, freedom(each, n, times), n)


def _by_step(curve: Curve, of_positives: Array, of_negatives: Array) -> tuple[Array, Array]:
    """What the cases of each step and class add, and how many equally weighted ones these are."""
    added, times = [], []
    sides = zip((curve.tp, curve.fp), curve.squares or (None, None), (of_positives, of_negatives), strict=True)
    for held, squares, each in sides:
        weight = np.diff(held)
        there = weight > 0
        weight, own = weight[there], each[there]
        square = weight if squares is None else np.diff(squares)[there]
        added.append(own * square / weight)
        times.append(weight**2 / square)
    return np.concatenate(added), np.concatenate(times)


def of_rule(curve: Curve, rule: Rule) -> tuple[float, float, Array, Array]:
    """Score and uncertainty by a rule, and what a case of each step adds to the logarithm of their ratio."""
    p, share = probabilities_of(curve), curve.prevalence
    score, unc = mean_score(curve, rule), rule.uncertainty(share)
    tilt = rule.slope(share) / unc
    positive = ratio(rule.of_positive(p), score) - 1 - tilt * (1 - share)
    negative = ratio(rule.of_negative(p), score) - 1 + tilt * share
    return score, unc, positive, negative


def skill_interval(curve: Curve, rule: Rule, level: float, measure: str) -> Interval:
    """1 − score / uncertainty, with limits that are even on the scale of the ratio's logarithm."""
    if curve.why:
        return undefined(curve, level, measure)
    score = mean_score(curve, rule)
    if not np.isfinite(score):
        return Interval(-np.inf, -np.inf, -np.inf, level, "ruined", measure)
    if score <= PERFECT:
        return _perfect(curve, rule, level, measure)

    score, unc, positive, negative = of_rule(curve, rule)
    return skill_limits(score / unc, spread_of(curve, positive, negative), level, measure)


def skill_limits(lost: float, found: Spread, level: float, measure: str) -> Interval:
    """1 − what is lost, with limits that are even on the scale of its logarithm, of which the spread is."""
    step = float(students(found.df, level)) * np.sqrt(found.variance)
    with np.errstate(over="ignore"):
        low, high = 1 - lost * np.exp(step), 1 - lost * np.exp(-step)
    return Interval(1 - lost, float(low), float(high), level, "log-ratio", measure, effective_n=found.counting)


def _perfect(curve: Curve, rule: Rule, level: float, measure: str) -> Interval:
    n = sum(curve.sizes) if curve.units is None else float(curve.units.n)
    worst = max(float(rule.of_positive(np.zeros(1))[0]), float(rule.of_negative(np.ones(1))[0]))
    return perfect(n, worst / rule.uncertainty(curve.prevalence), level, measure)


def perfect(n: float, worst: float, level: float, measure: str) -> Interval:
    """No case cost anything, so that they show no spread: as many errors as so many cases may hide.

    `worst` is what a wrong one costs, as a share of what there is to know.
    """
    most = float(mid_p(np.zeros(1), np.full(1, n), level)[1][0])
    said = Note(
        f"No case cost anything; the lower limit allows for a share of {most:.2g} that would be wrong.", code="perfect"
    )
    return Interval(1.0, float(1 - most * worst), 1.0, level, "mid-p", measure, notes=(said,), effective_n=n)


def growth_interval(curve: Curve, rule: Rule, level: float) -> Interval:
    """Uncertainty less score: what capital that is spread by the probabilities grows by, in nats a case."""
    if curve.why:
        return undefined(curve, level, "growth")
    score, unc = mean_score(curve, rule), rule.uncertainty(curve.prevalence)
    if not np.isfinite(score):
        return Interval(-np.inf, -np.inf, -np.inf, level, "ruined", "growth")
    if score <= PERFECT:
        skill = _perfect(curve, rule, level, "growth")
        return Interval(unc, unc * float(skill.low), unc, level, skill.method, "growth", notes=skill.notes)
    p, share, slope = probabilities_of(curve), curve.prevalence, rule.slope(curve.prevalence)
    positive = slope * (1 - share) - (rule.of_positive(p) - score)
    negative = -slope * share - (rule.of_negative(p) - score)
    return t_interval(unc - score, spread_of(curve, positive, negative), level, "growth")


def mean_interval(curve: Curve, of_positives: Array, of_negatives: Array, level: float, measure: str) -> Interval:
    """A mean over all cases of what one of each step and class has."""
    total = curve.positives + curve.negatives
    mean = float(np.dot(np.diff(curve.tp), of_positives) + np.dot(np.diff(curve.fp), of_negatives)) / total
    return t_interval(mean, spread_of(curve, of_positives - mean, of_negatives - mean), level, measure)


def t_interval(value: float, found: Spread, level: float, measure: str) -> Interval:
    """Student's, from a variance and how well it is known."""
    half = float(students(found.df, level)) * np.sqrt(found.variance)
    return Interval(value, value - half, value + half, level, "t", measure)


def undefined(curve: Curve, level: float, measure: str) -> Interval:
    """No number where all cases are of one class."""
    said = tuple(_why(curve))
    return Interval(np.nan, np.nan, np.nan, level, "none", measure, notes=said)


def _why(curve: Curve) -> Iterator[Note]:
    gone = "positive" if not curve.positives else "negative"
    yield Note(f"No case is really {gone}: there are no odds to bet at.", "warning", "one-class")
