"""Areas under curves: their variance (DeLong), their intervals, parts of them, many classes.

Everything is read off the steps of a curve, so it costs one pass once the scores are sorted. scipy
has the Mann–Whitney test, but neither DeLong's variance nor the comparison of two areas.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError, one_of
from informed.systems.tails import quantile

Sides = tuple[Array, Array]  # of the positives and of the negatives, cumulated
METHODS = ("auto", "delong-logit", "delong", "delong-arc", "newcombe")
TINY = 1e-12  # nearer to 0 or 1 than this, an area is that: sums of weights round


def area(tp: Array, fp: Array) -> float:
    """Trapezoids below (fp, tp), in pairs of cases; ties count half."""
    return float(np.dot(np.diff(fp), tp[1:] + tp[:-1])) / 2


def variance(tp: Array, fp: Array, squares: Sides | None = None) -> float:
    """DeLong's variance of the area: the spread of the placements within each class.

    `squares` are sums of squared weights, cumulated as tp and fp.
    """
    return variance_of((tp, fp), squares, placements(tp, fp))


def placements(tp: Array, fp: Array) -> Sides:
    """For a positive case of each step the share of negatives below it, for a negative one the
    share of positives above it; ties count half."""
    x, y = ratio(fp, fp[-1]), ratio(tp, tp[-1])
    return 1 - (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2


def variance_of(sides: Sides, squares: Sides | None, added: Sides) -> float:
    """Of a sum of two means, one over each class, of what a case of each step adds."""
    found = 0.0
    for held, square, each in zip(sides, squares or sides, added, strict=True):
        total = held[-1]
        size = float(ratio(total**2, square[-1]))  # as many equally weighted cases
        if not size > 1:
            return np.nan
        mean = np.dot(np.diff(held), each) / total
        spread = np.dot(np.diff(square), (each - mean) ** 2)
        found += float(spread / total**2 * size / (size - 1))
    return found


def limits(
    auc: float, var: float, p: float, n: float, level: float, method: str, df: float = np.inf
) -> tuple[float, float, str]:
    """Interval of an area, and the method that was used in the end; Student's where df are few."""
    one_of("method", method, METHODS, InferenceError)
    if np.isnan(auc):
        return np.nan, np.nan, method
    z = quantile(level, df)
    edge = not TINY < auc < 1 - TINY or not var > 0  # nothing to see of the spread
    if method == "newcombe" or edge or (method == "auto" and min(p, n) < 20 and np.isinf(df)):
        return (*_newcombe(auc, p, n, z), "newcombe")
    half = z * np.sqrt(var)
    if method == "delong":
        return max(auc - half, 0.0), min(auc + half, 1.0), method
    if method == "delong-arc":
        middle, step = np.arcsin(np.sqrt(auc)), half / (2 * np.sqrt(auc * (1 - auc)))
        low, high = max(middle - step, 0.0), min(middle + step, np.pi / 2)
        return float(np.sin(low) ** 2), float(np.sin(high) ** 2), method
    return (*logit_limits(auc, var, level, df), "delong-logit")


def logit_limits(share: float, var: float, level: float, df: float = np.inf) -> tuple[float, float]:
    """Limits of a share by its variance, on the logit scale; NaN where there is no spread."""
    from scipy.special import expit, logit

    if not (0 < share < 1 and var > 1e-20):
        return np.nan, np.nan
    middle, step = logit(share), quantile(level, df) * np.sqrt(var) / (share * (1 - share))
    return float(expit(middle - step)), float(expit(middle + step))


def _newcombe(auc: float, p: float, n: float, z: float) -> tuple[float, float]:
    """Newcombe's (2006) method 5: the areas from which the estimate is z standard errors away,
    with Hanley and McNeil's variance at that area; it is never empty, even at an area of 1."""
    from scipy.optimize import brentq

    half = (p + n) / 2 - 1

    def away(x: float) -> float:
        spread = x * (1 - x) * (1 + half * ((1 - x) / (2 - x) + x / (1 + x))) / (p * n)
        return float((auc - x) ** 2 - z**2 * spread)

    # the equation also holds at an estimate of 0 or 1 itself, which is no limit
    low = 0.0 if auc <= TINY else float(brentq(away, 0.0, min(auc, 1 - TINY), xtol=1e-14))
    high = 1.0 if auc >= 1 - TINY else float(brentq(away, max(auc, TINY), 1.0, xtol=1e-14))
    return low, high


@cache
def kolmogorov(level: float, n: int) -> float:
    """How far an empirical distribution of n cases strays from the true one, at this level."""
    from scipy.stats import kstwo

    return float(kstwo.ppf(level, n))


def covariance(of_positives: Array, of_negatives: Array) -> Array:
    """DeLong's covariance of several areas on the same cases; rows are systems."""
    p, n = of_positives.shape[1], of_negatives.shape[1]
    if min(p, n) < 2:
        return np.full((len(of_positives),) * 2, np.nan)
    return np.asarray(np.cov(of_positives) / p + np.cov(of_negatives) / n)


def placed(above: Array, below: Array) -> tuple[Array, Array]:
    """For each case of the first class the share of the second below it, and for each of the
    second the share of the first above it; ties count half. Both have the area as their mean."""

    def share(of: Array, among: Array) -> Array:
        ordered = np.sort(among)
        lower = np.searchsorted(ordered, of, "left") + np.searchsorted(ordered, of, "right")
        return ratio(lower, 2.0 * len(among))

    return share(above, below), 1 - share(below, above)


def one_vs_rest(score: Array, codes: NDArray[Any], k: int) -> tuple[Array, Array]:
    """The area of each class, and what each case adds to it: (k,) and (k, cases)."""
    found, added = np.full(k, np.nan), np.full((k, len(codes)), np.nan)
    for i in range(k):
        own = codes == i
        above, below = placed(score[own, i], score[~own, i])
        if len(above) and len(below):
            found[i] = above.mean()
            added[i, own] = (above - found[i]) / len(above)
            added[i, ~own] = (below - found[i]) / len(below)
    return found, added


def hand_till(score: Array, codes: NDArray[Any], k: int) -> tuple[Array, Array]:
    """A(i, j) for each pair of classes: each told from the other by its own score, averaged; and
    what each case adds to the mean over pairs."""
    own = [score[codes == i] for i in range(k)]
    found, added = np.full((k, k), np.nan), np.zeros(len(codes))
    pairs = list(combinations(range(k), 2))
    for i, j in pairs:
        (i_own, j_of_i), (j_own, i_of_j) = placed(own[i][:, i], own[j][:, i]), placed(own[j][:, j], own[i][:, j])
        of_i, of_j = (i_own + i_of_j) / 2, (j_of_i + j_own) / 2
        found[i, j] = found[j, i] = area = float(of_i.mean()) if len(of_i) and len(of_j) else np.nan
        for c, share in ((i, of_i), (j, of_j)):
            added[codes == c] += (share - area) / (max(len(share), 1) * len(pairs))
    return found, added
