"""Confidence limits and p-values for a mean of bounded scores: item scores from 0 to 1, and their differences.

Student's interval has width 0 where all items of a sample have the same score, and covers too rarely where most
do. Gaffke's bound (2005) adds one item at the far end of the scale and draws Dirichlet weights: for scores of 0 and
1 it is Clopper and Pearson's limit, and no bounded distribution is known for which it errs more often than it
states (Learned-Miller and Thomas 2020). The mid-P form averages over both ends of the scale, as mid-P does for 0 and
1. The limits used here are the wider of this form and Student's, and p-values are the larger of both.

The distribution of a Dirichlet mean is computed by Lugannani and Rice's saddlepoint approximation, since
P(Σ D c ≤ 0) = P(Σ G c ≤ 0) for independent gamma variables G.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed._arrays import Array, Limits

NAMED = "bounded mean"
TITLE = "the wider of Student's t interval and Gaffke's mid-P bound for bounded means"
MOST_STEPS = 100
CLOSE = 1e-9  # standard errors that a saddlepoint may be off
NEAR_CENTRE = 1e-3  # standard errors from the mean within which the formula is replaced by its limit
EXACT = 1e-12
MOST_VALUES = 2**14  # different scores that are told apart in a search; the mean of those between is kept


@dataclass(frozen=True)
class BoundedMean:
    """Weighted means of several sets of scores on the same items, with their standard errors between clusters.

    An entry of `sums` is what an item or a cluster adds to the weighted sum of a set, `sizes` are the weights.
    """

    sums: Array  # (sets, items or clusters)
    sizes: Array  # (items or clusters,)
    ends: tuple[float, float]  # of the scale
    standard_error: Array  # (sets,)
    df: float

    @property
    def means(self) -> Array:
        """The estimates."""
        return np.asarray(self.sums.sum(axis=1) / self.sizes.sum())

    def tails(self, value: float) -> Limits:
        """One-sided p-values: small where the mean is greater than this value, and where it is less."""
        from scipy.special import stdtr

        greater, less = dirichlet_tails(self.sums, self.sizes, np.ones(len(self.sizes)), self.ends, value)
        if self.df < 1:
            return greater, less
        z = self._distance(value)
        return np.maximum(greater, stdtr(self.df, -z)), np.maximum(less, stdtr(self.df, z))

    def pvalue(self, value: float = 0.0) -> Array:
        """Two-sided p-values of a mean of this value."""
        return np.asarray(np.minimum(2 * np.minimum(*self.tails(value)), 1.0))

    def limits(self, level: float) -> Limits:
        """The values whose two-sided p-value is 1 − level at least: the limits of each set."""
        tail = (1 - level) / 2
        low, high = np.array([_limits(sums, self.sizes, self.ends, tail) for sums in self.sums]).T
        if self.df < 1:
            return low, high
        one, other = self.students(level)
        return np.fmin(low, one), np.fmax(high, other)

    def students(self, level: float) -> Limits:
        """Student's limits, within the ends of the scale; the ends where there is one item or cluster."""
        from scipy.special import stdtrit

        half = np.full(len(self.sums), np.inf)
        if self.df >= 1:
            half = float(stdtrit(self.df, (1 + level) / 2)) * self.standard_error
        return np.clip(self.means - half, *self.ends), np.clip(self.means + half, *self.ends)

    def _distance(self, value: float) -> Array:
        """Standard errors from a value to the means; none where a mean is the value."""
        away = self.means - value
        away = np.where(np.abs(away) <= EXACT * max(map(abs, self.ends)), 0.0, away)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(away == 0, 0.0, away / np.nan_to_num(self.standard_error))


def dirichlet_tails(sums: Array, sizes: Array, often: Array, ends: tuple[float, float], value: float) -> Limits:
    """The probabilities that a mean with Dirichlet weights is this value at most, and at least, of each set of items
    that occur so often; the average over one more item at either end of the scale."""
    away = sums - value * sizes
    away = np.where(np.abs(away) <= EXACT * sizes, 0.0, away)
    size = float((sizes * often).sum() / often.sum())
    mass = np.append(often, 1.0)
    one, other = (tails_at_zero(np.column_stack([away, np.full(len(away), size * (x - value))]), mass) for x in ends)
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _limits(sums: Array, sizes: Array, ends: tuple[float, float], tail: float) -> tuple[float, float]:
    """The values at which the Dirichlet tails of one set are so large."""
    from scipy.optimize import brentq

    sums, sizes, often = _distinct(sums, sizes)
    least, most = ends
    estimate = float(np.clip((sums * often).sum() / (sizes * often).sum(), least, most))

    def over(value: float, wanted: float) -> float:
        return float(dirichlet_tails(sums[None], sizes, often, ends, value)[0][0]) - wanted

    spread = float(np.sqrt((((sums - estimate * sizes) ** 2) * often).sum()) / (sizes * often).sum())
    first = 2 * spread + 4 * (most - least) / float(often.sum())

    def reached(wanted: float, end: float) -> float:
        inner, step = estimate, first
        way = np.sign(end - estimate)
        while inner != end and way * over(inner, wanted) < 0:
            outer = estimate + way * min(step, abs(end - estimate)) if step < abs(end - estimate) else end
            if way * over(outer, wanted) >= 0:
                return float(brentq(over, inner, outer, args=(wanted,), xtol=1e-10 * (most - least), rtol=1e-12))
            inner, step = outer, 3 * step
        return inner

    return reached(tail, least), reached(1 - tail, most)


def _distinct(sums: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """Items of one size by their different scores, with how often each occurs; others as they are."""
    if np.ptp(sizes) > EXACT * sizes[0]:
        return sums, sizes, np.ones(len(sums))
    values, at = np.unique(sums, return_inverse=True)
    if len(values) > MOST_VALUES:
        at = np.unique(
            ((sums - values[0]) / (values[-1] - values[0]) * MOST_VALUES).astype(np.int64), return_inverse=True
        )[1]
    often = np.bincount(at).astype(np.float64)
    return np.bincount(at, sums) / often, np.full(len(often), sizes[0]), often


def tails_at_zero(c: Array, mass: Array) -> Limits:
    """P(Σ G c ≤ 0) and P(Σ G c ≥ 0) for each row, of independent gamma variables G with these shapes.

    >>> at_most, at_least = tails_at_zero(np.array([[0.7, -0.3]]), np.array([3, 8]))
    >>> from scipy.stats import beta
    >>> bool(abs(at_most[0] / beta.cdf(0.3, 3, 8) - 1) < 0.01)
    True
    """
    from scipy.special import ndtr

    lowest, highest = c.min(axis=1), c.max(axis=1)
    known = (lowest >= 0) | (highest <= 0)
    low, high = np.where(highest <= 0, 1.0, 0.0), np.where(lowest >= 0, 1.0, 0.0)
    if known.all():
        return low, high
    c = c[~known] / np.maximum(-lowest, highest)[~known, None]
    s = _saddlepoint(c, mass)
    left = 1 - s[:, None] * c
    w = np.sign(s) * np.sqrt(np.maximum(2 * (np.log(left) @ mass), 0.0))
    u = s * np.sqrt((c / left) ** 2 @ mass)
    skew = 2 * (c**3 @ mass) / (c**2 @ mass) ** 1.5
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.exp(-w * w / 2) / np.sqrt(2 * np.pi) * np.where(np.abs(w) < NEAR_CENTRE, skew / 6, 1 / w - 1 / u)
    low[~known], high[~known] = np.clip([ndtr(w) + more, ndtr(-w) - more], 0.0, 1.0)
    return low, high


def _saddlepoint(c: Array, mass: Array) -> Array:
    """Where the derivative of the cumulant function −Σ m log(1 − s c) is 0, by Newton's method within a bracket."""
    low, high = 1 / c.min(axis=1), 1 / c.max(axis=1)
    s, done = np.zeros(len(c)), np.zeros(len(c), np.bool_)
    for _ in range(MOST_STEPS):
        each = c / (1 - s[:, None] * c)
        slope, bend = each @ mass, each**2 @ mass
        low, high = np.where(slope < 0, s, low), np.where(slope < 0, high, s)
        new = s - slope / bend
        new = np.where((new <= low) | (new >= high), (low + high) / 2, new)
        done = np.abs(new - s) * np.sqrt(bend) <= CLOSE
        s = new
        if done.all():
            break
    assert done.all(), "the saddlepoint was not found"
    return s
