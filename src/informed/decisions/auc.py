"""Areas under curves: their variance (DeLong), their intervals, parts of them, many classes.

Everything is read off the steps of a curve, so it costs one pass once the scores are sorted. scipy
has the Mann–Whitney test, but neither DeLong's variance nor the comparison of two areas.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError

BLOCK = 1 << 20  # steps at a time, so that a long curve needs no long temporaries
METHODS = ("auto", "delong-logit", "delong", "delong-arc", "newcombe")


def area(tp: Array, fp: Array) -> float:
    """Twice-counted trapezoids below (fp, tp), in pairs of cases; ties count half."""
    total = 0.0
    for start in range(0, len(tp) - 1, BLOCK):
        x, y = fp[start : start + BLOCK + 1], tp[start : start + BLOCK + 1]
        total += float(np.dot(x[1:] - x[:-1], y[1:] + y[:-1]))
    return total / 2


def variance(tp: Array, fp: Array, squares: tuple[Array, Array] | None = None) -> float:
    """DeLong's variance of the area: the spread of the placements within each class.

    `squares` are sums of squared weights, cumulated as tp and fp.
    """
    p, n = tp[-1], fp[-1]
    if min(p, n) == 0:
        return np.nan
    auc = area(tp, fp) / (p * n)
    own = (tp, fp) if squares is None else squares
    spread = [0.0, 0.0]
    for start in range(0, len(tp) - 1, BLOCK):
        cut = slice(start, start + BLOCK + 1)
        x, y = fp[cut] / n, tp[cut] / p
        # of a positive case: the share of negatives below it; of a negative: of positives above
        placed = (1 - (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
        for i in range(2):
            spread[i] += float(np.dot(np.diff(own[i][cut]), (placed[i] - auc) ** 2))
    found = 0.0
    for total, square, s in zip((p, n), (own[0][-1], own[1][-1]), spread, strict=True):
        size = total**2 / square  # as many equally weighted cases
        if size <= 1:
            return np.nan
        found += s / total**2 * size / (size - 1)
    return float(found)


def limits(auc: float, var: float, p: float, n: float, level: float, method: str) -> tuple[float, float, str]:
    """Interval of an area, and the method that was used in the end."""
    from scipy.special import ndtri

    if method not in METHODS:
        raise InferenceError(f"`method` is {method!r}; it must be one of {', '.join(METHODS)}.")
    if np.isnan(auc):
        return np.nan, np.nan, method
    z = float(ndtri((1 + level) / 2))
    edge = not 0 < auc < 1 or not var > 0  # nothing to see of the spread
    if method == "newcombe" or edge or (method == "auto" and min(p, n) < 20):
        return (*_newcombe(auc, p, n, z), "newcombe")
    half = z * np.sqrt(var)
    if method == "delong":
        return max(auc - half, 0.0), min(auc + half, 1.0), method
    if method == "delong-arc":
        middle, step = np.arcsin(np.sqrt(auc)), half / (2 * np.sqrt(auc * (1 - auc)))
        low, high = max(middle - step, 0.0), min(middle + step, np.pi / 2)
        return float(np.sin(low) ** 2), float(np.sin(high) ** 2), method
    return (*logit_limits(auc, var, level), "delong-logit")


def logit_limits(share: float, var: float, level: float) -> tuple[float, float]:
    """Limits of a share by its variance, on the logit scale; NaN where there is no spread."""
    from scipy.special import expit, logit, ndtri

    if not (0 < share < 1 and var > 1e-20):
        return np.nan, np.nan
    middle = logit(share)
    step = ndtri((1 + level) / 2) * np.sqrt(var) / (share * (1 - share))
    return float(expit(middle - step)), float(expit(middle + step))


def _newcombe(auc: float, p: float, n: float, z: float) -> tuple[float, float]:
    """Newcombe's (2006) method 5: the areas from which the estimate is z standard errors away,
    with Hanley and McNeil's variance at that area; it is never empty, even at an area of 1."""
    from scipy.optimize import brentq

    half = (p + n) / 2 - 1

    def away(x: float) -> float:
        spread = x * (1 - x) * (1 + half * ((1 - x) / (2 - x) + x / (1 + x))) / (p * n)
        return float((auc - x) ** 2 - z**2 * spread)

    tiny = 1e-12  # the equation also holds at an estimate of 0 or 1 itself, which is no limit
    low = 0.0 if auc == 0 else float(brentq(away, 0.0, min(auc, 1 - tiny), xtol=1e-14))
    high = 1.0 if auc == 1 else float(brentq(away, max(auc, tiny), 1.0, xtol=1e-14))
    return low, high


@cache
def kolmogorov(level: float, n: int) -> float:
    """How far an empirical distribution of n cases strays from the true one, at this level."""
    from scipy.stats import kstwo

    return float(kstwo.ppf(level, n))


def placements(tp: Array, fp: Array, thresholds: Array, score: Array, positive: bool) -> Array:
    """For each case, the share of the other class on the right side of it; ties count half."""
    at = np.searchsorted(-thresholds, -score)  # the step that each case belongs to
    if positive:
        return np.asarray(1 - (fp[at] + fp[at - 1]) / (2 * fp[-1]))
    return np.asarray((tp[at] + tp[at - 1]) / (2 * tp[-1]))


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
    pairs = k * (k - 1) / 2
    for i in range(k):
        for j in range(i + 1, k):
            parts = (placed(own[i][:, i], own[j][:, i]), placed(own[j][:, j], own[i][:, j]))
            of_i, of_j = (parts[0][0] + parts[1][1]) / 2, (parts[0][1] + parts[1][0]) / 2
            area = float(of_i.mean()) if len(of_i) and len(of_j) else np.nan
            found[i, j] = found[j, i] = area
            for c, share in ((i, of_i), (j, of_j)):
                added[codes == c] += (share - area) / (max(len(share), 1) * pairs)
    return found, added
