"""Two classes: differences and ratios of two independent proportions, and the odds ratio.

Given the class sizes, informedness is recall − fallout, so that half a century of work on the
difference of two binomials applies; markedness is the same among the predicted. The score
interval of statsmodels has a wrong coefficient in its cubic (their issue 10269), hence ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.given import standard_normal
from informed.inference.possible_tables import possible_hits
from informed.inference.proportions import jeffreys, mid_p, not_rejected, wilson
from informed.inference.roots import root
from informed.inference.sample import Sample
from informed.measures import Measure

_LARGEST = 40.0  # of the logarithm of a ratio: e^40 is beyond any count
EXACT_CASES = 400  # each null value takes all (n1 + 1)(n0 + 1) tables of these class sizes


def is_difference(m: Measure, t: Table) -> bool:
    """Whether the measure is a difference of two shares in such a table."""
    return m.facts.difference and m.as_stated and t.is_square and len(t.real_labels) == 2


def difference_limits(m: Measure, t: Table, method: str, level: Any) -> Limits:
    """Limits of the measure: those of the difference, scaled to its bounds."""
    x1, n1, x0, n0 = m.two_shares(t)
    low, high = OF_DIFFERENCES[method](x1, n1, x0, n0, level)
    known = (n1 > 0) & (n0 > 0)
    low, high = (np.where(known, np.clip(x, -1, 1), np.nan) for x in (low, high))

    least, most = m.facts.bounds
    middle, half = (least + most) / 2, (most - least) / 2
    return middle + half * low, middle + half * high


# ---------------------------------------------------------------------- of a difference


def recovered(values: Limits, of_a: Limits, of_b: Limits, rho: Array | float = 0.0) -> Limits:
    """Limits of a − b from those of a and of b, whose estimates have the correlation rho (MOVER).

    The variances are recovered from the limits (Newcombe 1998, method 10; Zou and Donner 2008).
    """
    a, b = values
    below = a - of_a[0], of_b[1] - b
    above = of_a[1] - a, b - of_b[0]
    reach = [_hypotenuse(x, y, rho) for x, y in (below, above)]
    return a - b - reach[0], a - b + reach[1]


def _hypotenuse(x: Array, y: Array, rho: Array | float) -> Array:
    """The third side of a triangle, infinite where one of these is."""
    with np.errstate(invalid="ignore"):
        third = np.sqrt(np.maximum(x**2 + y**2 - 2 * rho * x * y, 0.0))
    return np.where(np.isinf(x) | np.isinf(y), np.inf, third)


def mover(x1: Array, n1: Array, x0: Array, n0: Array, level: Any, *, single: Callable[..., Limits]) -> Limits:
    values = ratio(x1, n1), ratio(x0, n0)
    return recovered(values, single(x1, n1, level), single(x0, n0, level))


def agresti_caffo(x1: Array, n1: Array, x0: Array, n0: Array, level: Any) -> Limits:
    """Wald after one success and one failure more on each side."""
    p1, p0 = (x1 + 1) / (n1 + 2), (x0 + 1) / (n0 + 2)
    half = standard_normal(level) * np.sqrt(p1 * (1 - p1) / (n1 + 2) + p0 * (1 - p0) / (n0 + 2))
    return p1 - p0 - half, p1 - p0 + half


def score(x1: Array, n1: Array, x0: Array, n0: Array, level: Any, *, corrected: bool = False) -> Limits:
    """Where the score test does not reject (Mee; corrected: Miettinen–Nurminen)."""
    x1, n1, x0, n0 = np.broadcast_arrays(x1, n1, x0, n0)
    n1, n0 = np.where(n1 > 0, n1, 1.0), np.where(n0 > 0, n0, 1.0)
    d, edge = x1 / n1 - x0 / n0, 1 - 1e-12

    def statistic(delta: Array) -> Array:
        return score_statistic(x1, n1, x0, n0, delta, corrected)

    low, high = not_rejected(statistic, -edge, np.clip(d, -edge, edge), edge, level)
    return np.where(d <= -1, -1.0, low), np.where(d >= 1, 1.0, high)


def score_statistic(x1: Any, n1: Any, x0: Any, n0: Any, delta: Any, corrected: bool = True) -> Array:
    """Normal statistic of p1 − p0 = delta, with the variance under that hypothesis.

    Corrected by N/(N − 1) it is that of Miettinen and Nurminen (1985), otherwise that of Mee.
    """
    p0 = constrained(x1, n1, x0, n0, delta)
    p1 = np.clip(p0 + delta, 0, 1)
    n = n1 + n0
    variance = p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0
    if corrected:
        variance = variance * ratio(n, n - 1)
    off = x1 / n1 - x0 / n0 - delta
    return np.where(np.abs(off) < 1e-15, 0.0, ratio(off, np.sqrt(np.maximum(variance, 0))))


def constrained(x1: Any, n1: Any, x0: Any, n0: Any, delta: Any) -> Array:
    """Likeliest p0 given p1 − p0 = delta: a root of Miettinen and Nurminen's cubic."""
    n, x = n1 + n0, x1 + x0
    l3, l2 = n, (n1 + 2 * n0) * delta - n - x
    l1 = (n0 * delta - n - 2 * x0) * delta + x
    l0 = x0 * delta * (1 - delta)
    a = l2 / (3 * l3)
    q = a**3 - l1 * l2 / (6 * l3**2) + l0 / (2 * l3)
    p = np.where(q < 0, -1.0, 1.0) * np.sqrt(np.maximum(a**2 - l1 / (3 * l3), 0))
    cosine = np.clip(ratio(q, p**3), -1, 1)
    angle = (np.pi + np.arccos(np.where(p == 0, 0.0, cosine))) / 3
    free = 2 * p * np.cos(angle) - a
    return np.asarray(np.clip(free, np.maximum(0, -delta), np.minimum(1, 1 - delta)))


def score_exact(x1: Array, n1: Array, x0: Array, n0: Array, level: Any) -> Limits:
    """Differences whose exact p-value is above 1 − level, one table after the other.

    The p-value of a difference is the probability, at the likeliest proportions that have it, of
    all tables with these class sizes whose score statistic is at least as large.
    """
    each = np.broadcast(x1, n1, x0, n0, level)
    ends = [_exact_ends(*map(float, case)) for case in each]
    low, high = np.array(ends).T.reshape(2, *each.shape)
    return low, high


def exact_pvalue(x1: float, n1: float, x0: float, n0: float, deltas: Array) -> Array:
    """Exact two-sided p-value of each of these differences."""
    from scipy.special import gammaln, xlogy

    k1, k0 = np.arange(n1 + 1)[:, None], np.arange(n0 + 1)
    choose1, choose0 = (gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) for k, n in ((k1, n1), (k0, n0)))
    pvalues = np.empty(len(deltas))
    chunk = max(1, int(2e6 // ((n1 + 1) * (n0 + 1))))
    for start in range(0, len(deltas), chunk):
        delta = deltas[start : start + chunk, None, None]
        p0 = constrained(x1, n1, x0, n0, delta)
        p1 = np.clip(p0 + delta, 0, 1)
        chance1 = np.exp(choose1 + xlogy(k1, p1) + xlogy(n1 - k1, 1 - p1))
        chance0 = np.exp(choose0 + xlogy(k0, p0) + xlogy(n0 - k0, 1 - p0))
        own = np.abs(score_statistic(x1, n1, x0, n0, delta))
        every = np.abs(score_statistic(k1, n1, k0, n0, delta))
        extreme = every >= own * (1 - 1e-9) - 1e-12
        pvalues[start : start + chunk] = (extreme * chance1 * chance0).sum(axis=(1, 2))
    return pvalues


def _exact_ends(x1: float, n1: float, x0: float, n0: float, level: Any) -> tuple[float, float]:
    if not all(v == round(v) for v in (x1, n1, x0, n0)):
        raise InferenceError(
            "score-exact counts tables, so it needs whole numbers of independent cases; weighted "
            'or repeated cases have none: take "arc".'
        )
    if n1 + n0 > EXACT_CASES:
        raise InferenceError(
            f"score-exact goes through all tables of the same class sizes; {n1 + n0:.0f} cases "
            f'are too many for that (the limit is {EXACT_CASES}): take "miettinen-nurminen".'
        )
    if n1 == 0 or n0 == 0:
        return np.nan, np.nan
    d = x1 / n1 - x0 / n0

    def outermost(edge: float) -> float:
        """The farthest difference that is not rejected; a p-value is no monotone function."""
        inside, outside = d, edge
        for points in (201, 41, 41, 41):
            grid = np.linspace(inside, outside, points)
            kept = exact_pvalue(x1, n1, x0, n0, grid) > 1 - level
            last = int(np.flatnonzero(kept)[-1]) if kept.any() else 0
            if last == points - 1:
                return float(grid[-1])
            inside, outside = float(grid[last]), float(grid[last + 1])
        return inside

    return outermost(-1.0), outermost(1.0)


OF_DIFFERENCES: dict[str, Callable[..., Limits]] = {
    "newcombe": partial(mover, single=wilson),
    "mover-jeffreys": partial(mover, single=jeffreys),
    "miettinen-nurminen": partial(score, corrected=True),
    "score": score,
    "agresti-caffo": agresti_caffo,
    "score-exact": score_exact,
}


# ---------------------------------------------------------------------- of a ratio


def log(s: Sample) -> Limits:
    """Normal on the scale of the logarithm: Katz for likelihood ratios, Woolf for the odds ratio.

    An empty cell makes the standard error infinite, and the interval everything.
    """
    spread = _spread_of_log(s)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = s.quantile * spread
        low, high = s.estimate * np.exp(-reach), s.estimate * np.exp(reach)
    unknown = ~np.isfinite(spread) & ~np.isnan(s.estimate)
    return np.where(unknown, 0.0, low), np.where(unknown, np.inf, high)


def _spread_of_log(s: Sample) -> Array:
    if s.units is None and s.m.facts.quotient is not None:
        x1, n1, x0, n0 = s.m.facts.quotient(s.effective)
        with np.errstate(invalid="ignore"):
            return np.sqrt(ratio(1, x1) - ratio(1, n1) + ratio(1, x0) - ratio(1, n0))
    if s.units is None and s.m.facts.of_odds is not None:
        return np.asarray(np.sqrt(ratio(1, s.effective.cells).sum(axis=(0, 1))))
    return ratio(s.standard_error(), s.estimate)


def mover_ratio(s: Sample) -> Limits:
    """Limits of a ratio from the mid-P limits of both proportions (MOVER of ratios; Donner and Zou 2012).

    Of class sizes from 1 to 200 and 49 pairs of rates, all outcomes weighed, it covers .929 at least at a level of .95.
    """
    assert s.m.facts.quotient is not None
    x1, n1, x0, n0 = np.broadcast_arrays(*map(np.asarray, s.m.facts.quotient(s.effective)))
    known = (n1 > 0) & (n0 > 0)
    n1, n0 = np.where(known, n1, 1.0), np.where(known, n0, 1.0)
    (l1, u1), (l0, u0) = mid_p(x1, n1, s.level), mid_p(x0, n0, s.level)
    p1, p0 = x1 / n1, x0 / n0

    middle = p1 * p0
    least, below = l1 * (2 * p1 - l1), u0 * (2 * p0 - u0)
    most, above = u1 * (2 * p1 - u1), l0 * (2 * p0 - l0)
    low = ratio(least, middle + np.sqrt(np.maximum(middle**2 - least * below, 0)))
    high = ratio(middle + np.sqrt(np.maximum(middle**2 - most * above, 0)), above)
    low, high = np.where(x1 == 0, 0.0, low), np.where(above <= 0, np.inf, high)
    return np.where(known, low, 0.0), np.where(known, high, np.inf)  # of an empty class nothing is known


def ratio_limits(s: Sample, corrected: bool) -> Limits:
    """Ratios that the score test does not reject (Koopman; corrected: Miettinen–Nurminen)."""
    assert s.m.facts.quotient is not None
    x1, n1, x0, n0 = map(np.asarray, s.m.facts.quotient(s.effective))
    known = (n1 > 0) & (n0 > 0)
    n1, n0 = np.where(known, n1, 1.0), np.where(known, n0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.clip(np.nan_to_num(np.log(ratio(x1 / n1, x0 / n0))), -_LARGEST, _LARGEST)

    def statistic(logarithm: Array) -> Array:
        return ratio_statistic(x1, n1, x0, n0, np.exp(logarithm), corrected)

    ends = not_rejected(statistic, -_LARGEST, middle, _LARGEST, s.level)
    low, high = (np.exp(end) for end in ends)
    low, high = np.where(x1 == 0, 0.0, low), np.where(x0 == 0, np.inf, high)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def ratio_statistic(x1: Array, n1: Array, x0: Array, n0: Array, phi: Any, corrected: bool = True) -> Array:
    """Normal statistic of p1/p0 = phi, with the variance under that hypothesis."""
    n = n1 + n0
    b = phi * (n1 + x0) + x1 + n0
    root_of = np.sqrt(np.maximum(b**2 - 4 * n * phi * (x1 + x0), 0))
    p0 = 2 * (x1 + x0) / (b + root_of)  # the smaller root of the quadratic, without cancelling
    p1 = np.minimum(p0 * phi, 1)
    variance = p1 * (1 - p1) / n1 + phi**2 * p0 * (1 - p0) / n0
    if corrected:
        variance = variance * ratio(n, n - 1)
    off = x1 / n1 - phi * x0 / n0
    return np.where(off == 0, 0.0, ratio(off, np.sqrt(np.maximum(variance, 0))))


def conditional(s: Sample, mid: bool) -> Limits:
    """Odds ratios that Fisher's exact distribution does not contradict, given all margins."""
    cells, image = s.effective.cells, s.m.facts.of_odds
    assert image is not None
    if (cells != np.round(cells)).any():
        raise InferenceError(
            "The conditional distribution of the odds ratio needs whole counts; weighted or "
            'repeated cases have none: take "arc" or "log".'
        )
    low, high = odds_ratio_limits(cells.reshape(4, -1), np.ravel(s.level), mid)
    return image(low).reshape(s.t.shape), image(high).reshape(s.t.shape)


def odds_ratio_limits(cells: Array, level: Any, mid: bool) -> Limits:
    """Limits for ``(4, tables)``; scipy has those of one table, without the mid-P."""
    from scipy.special import softmax

    hits, weight = possible_hits(*cells)
    seen = cells[0][:, None]
    share = np.where(hits == seen, 0.5 if mid else 1.0, 1.0)

    def limit(beyond: Any) -> Array:
        """The ratio at which so much lies beyond what was seen as a tail may hold."""

        def tail(logarithm: Array) -> Array:
            chance = softmax(weight + logarithm[:, None] * hits, axis=1)
            return np.asarray((chance * counted).sum(axis=1) - (1 - level) / 2)

        counted, ends = np.where(beyond, share, 0.0), np.full(len(hits), _LARGEST)
        return np.exp(root(tail, -ends, ends))

    low = np.where(cells[0] == hits[:, 0], 0.0, limit(hits >= seen))
    return low, np.where(cells[0] == hits.max(axis=1), np.inf, limit(hits <= seen))
