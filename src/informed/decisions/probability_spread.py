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
NONE = 1e-20  # a variance as small as this is none


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
    score, unc, positive, negative = of_rule(curve, rule)
    found = spread_of(curve, positive, negative)
    if score <= PERFECT or found.variance <= NONE:
        scores, uncertainties, share = _otherwise(curve, rule, score, level)
        return unvaried(1 - score / unc, 1 - scores / uncertainties, share, level, measure)
    return skill_limits(score / unc, found, level, measure)


def skill_limits(lost: float, found: Spread, level: float, measure: str) -> Interval:
    """1 − what is lost, with limits that are even on the scale of its logarithm, of which the spread is."""
    step = float(students(found.df, level)) * np.sqrt(found.variance)
    with np.errstate(over="ignore"):
        low, high = 1 - lost * np.exp(step), 1 - lost * np.exp(-step)
    return Interval(1 - lost, float(low), float(high), level, "log-ratio", measure, effective_n=found.counting)


def growth_interval(curve: Curve, rule: Rule, level: float) -> Interval:
    """Uncertainty less score: what capital that is spread by the probabilities grows by, in nats a case."""
    if curve.why:
        return undefined(curve, level, "growth")
    score, unc = mean_score(curve, rule), rule.uncertainty(curve.prevalence)
    if not np.isfinite(score):
        return Interval(-np.inf, -np.inf, -np.inf, level, "ruined", "growth")
    p, share, slope = probabilities_of(curve), curve.prevalence, rule.slope(curve.prevalence)
    positive = slope * (1 - share) - (rule.of_positive(p) - score)
    negative = -slope * share - (rule.of_negative(p) - score)
    found = spread_of(curve, positive, negative)
    if found.variance <= NONE:
        scores, uncertainties, hidden = _otherwise(curve, rule, score, level)
        return unvaried(unc - score, uncertainties - scores, hidden, level, "growth")
    return t_interval(unc - score, found, level, "growth")


def mean_interval(curve: Curve, of_positives: Array, of_negatives: Array, level: float, measure: str) -> Interval:
    """A mean over all cases of what one of each step and class has."""
    total = curve.positives + curve.negatives
    mean = float(np.dot(np.diff(curve.tp), of_positives) + np.dot(np.diff(curve.fp), of_negatives)) / total
    found = spread_of(curve, of_positives - mean, of_negatives - mean)
    if found.variance <= NONE:
        hidden = unseen(_size(curve), level)
        others = mean + hidden * (np.concatenate([of_positives, of_negatives]) - mean)
        return unvaried(mean, others, hidden, level, measure)
    return t_interval(mean, found, level, measure)


def t_interval(value: float, found: Spread, level: float, measure: str) -> Interval:
    """Student's, from a variance and how well it is known."""
    half = float(students(found.df, level)) * np.sqrt(found.variance)
    return Interval(value, value - half, value + half, level, "t", measure)


# ---------------------------------------------------------------------- cases that show no spread


def unseen(n: float, level: float) -> float:
    """The share of cases that would be otherwise, of which so many may show none."""
    return float(mid_p(np.zeros(1), np.full(1, n), level)[1][0])


def unvaried(value: float, others: Array, hidden: float, level: float, measure: str) -> Interval:
    """All cases add the same, and show no spread: as far as it goes where a hidden share were of any one other kind."""
    said = Note(
        f"All cases cost the same; the limits allow for a share of {hidden:.2g} that would be otherwise.",
        code="unvaried",
    )
    low, high = min(value, float(others.min())), max(value, float(others.max()))
    return Interval(value, low, high, level, "mid-p", measure, notes=(said,))


def _size(curve: Curve) -> float:
    return sum(curve.sizes) if curve.units is None else float(curve.units.n)


def _otherwise(curve: Curve, rule: Rule, score: float, level: float) -> tuple[Array, Array, float]:
    """Scores and uncertainties if a hidden share were cases of one probability and class, for each of these."""
    p, share, hidden = probabilities_of(curve), curve.prevalence, unseen(_size(curve), level)
    costs = np.concatenate([rule.of_positive(p), rule.of_negative(p)])
    shares = (1 - hidden) * share + hidden * np.array([1.0, 0.0])
    uncertainties = np.repeat([rule.uncertainty(float(x)) for x in shares], len(p))
    return (1 - hidden) * score + hidden * costs, uncertainties, hidden


def undefined(curve: Curve, level: float, measure: str) -> Interval:
    """No number where all cases are of one class."""
    said = tuple(_why(curve))
    return Interval(np.nan, np.nan, np.nan, level, "none", measure, notes=said)


def _why(curve: Curve) -> Iterator[Note]:
    gone = "positive" if not curve.positives else "negative"
    yield Note(f"No case is really {gone}: there are no odds to bet at.", "warning", "one-class")
