"""Exact one-sided tests of a difference of two shares on the same items, ordered by Tango's statistic.

Of n items, only a has x right and only b has y; under the null the probabilities of the two differ by d, and how
often the systems differ at all is not known. The p-value is the largest probability, over that nuisance, of a
statistic at least as large as the one seen (Chan and Tang 2001; Sidik 2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.inference.roots import root

MOST_ITEMS = 1_000  # beyond it Tango's statistic itself is used
GRID = 33  # nuisance values that are tried at once, thrice, each time between the neighbours of the best
SAME = 1e-9  # difference of two statistics that are the same
THIN = 1e-12  # tails of the nuisance binomial that are added to the p-value and not looked at


def tango(only_a: Any, only_b: Any, n: Any, difference: Any) -> Array:
    """Tango's score statistic (1998) of a difference of two shares of the same items."""
    d = np.asarray(difference, dtype=np.float64)
    linear = (2 * n - only_a + only_b) * d - only_a - only_b
    constant = -only_b * d * (1 - d)
    q = ratio(np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear, 4 * n)
    spread = n * (2 * q + d * (1 - d))
    away = only_a - only_b - n * d
    return np.where(np.abs(away) < 1e-12, 0.0, ratio(away, np.sqrt(np.maximum(spread, 0.0))))


def exact_tails(only_a: Array, only_b: Array, n: Array, null: float) -> Limits:
    """p-values against "a − b is greater than the null" and "… is less", for a stack."""
    each = np.broadcast_arrays(only_a, only_b, n)
    counts, back = np.unique(np.stack([x.ravel() for x in each]), axis=1, return_inverse=True)
    back = np.ravel(back)
    more = np.array([_beyond(int(x), int(y), int(k), null) for x, y, k in counts.T])
    less = np.array([_beyond(int(y), int(x), int(k), -null) for x, y, k in counts.T])
    return more[back].reshape(each[0].shape), less[back].reshape(each[0].shape)


def exact_limits(only_a: Array, only_b: Array, n: Array, alpha: float) -> Limits:
    """Differences at which the two exact one-sided tests have this p-value; what they reject lies outside."""

    def low(x: Any, y: Any, k: Any) -> float:
        """The difference that is just not rejected from below."""
        if k == 0:
            return np.nan
        seen = (x - y) / k
        return float(root(lambda d: np.asarray(_beyond(int(x), int(y), int(k), float(d)) - alpha), -1.0, seen))

    each = np.broadcast_arrays(only_a, only_b, n)
    lows = [low(x, y, k) for x, y, k in zip(*map(np.ravel, each), strict=True)]
    highs = [-low(y, x, k) for x, y, k in zip(*map(np.ravel, each), strict=True)]
    return np.reshape(lows, each[0].shape), np.reshape(highs, each[0].shape)


def _beyond(x: int, y: int, n: int, d: float) -> float:
    """The largest probability of a statistic at least as large as that of x and y, where the difference is d."""
    if n == 0 or d >= 1:
        return 1.0
    if d <= -1:
        return float(x - y == -n)
    wanted = float(tango(x, y, n, d)) - SAME
    low, high = max(0.0, -d), (1 - d) / 2
    for _ in range(3):
        q = np.linspace(low, high, GRID)
        p = _of_nuisance(q, wanted, n, d)
        best = int(np.argmax(p))
        low, high = q[max(best - 1, 0)], q[min(best + 1, GRID - 1)]
    return float(min(1.0, p[best]))


def _of_nuisance(q: Array, wanted: float, n: int, d: float) -> Array:
    """The probability of such a statistic where only b has an item right with probability q."""
    from scipy.special import bdtrc, gammaln, xlog1py, xlogy

    counts = np.arange(n + 1)
    y = counts[(counts == 0) | (bdtrc(np.maximum(counts - 1.0, 0.0), n, q.max()) > THIN)][:, None]
    least = _least(y[:, 0], wanted, n, d)[:, None]
    chance = np.exp(gammaln(n + 1) - gammaln(y + 1) - gammaln(n - y + 1) + xlogy(y, q) + xlog1py(n - y, -q))
    share = np.clip(ratio(q + d, 1 - q), 0.0, 1.0)
    above = np.where(least <= 0, 1.0, np.where(least > n - y, 0.0, bdtrc(np.maximum(least - 1.0, 0.0), n - y, share)))
    return np.asarray((chance * above).sum(axis=0))


def _least(y: Any, wanted: float, n: int, d: float) -> Any:
    """The fewest items that only a has right with such a statistic, for each number that only b has; n + 1 for none.

    The statistic rises with the first and falls with the second (Sidik 2003, on Barnard's convexity).
    """
    low, high = np.full(len(y), -1), n - y + 1
    while (high - low > 1).any():
        middle = (low + high) // 2
        reached = tango(np.maximum(middle, 0), y, n, d) >= wanted
        open_ = high - low > 1
        high, low = np.where(open_ & reached, middle, high), np.where(open_ & ~reached, middle, low)
    return np.where(high > n - y, n + 1, high)
