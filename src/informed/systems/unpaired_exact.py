"""Exact one-sided tests of a difference of two shares of different items, ordered by the score statistic.

Of n items of the first system x are right, and y of m of the second. Under the null the two shares differ by d, and
how large they are is not known. The p-value is the largest probability, over that nuisance, of a statistic at least as
large as the one seen (Chan and Zhang 1999), with Farrington and Manning's variance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from informed._arrays import Array, Limits
from informed.inference.roots import root
from informed.inference.two_proportions import score_statistic

MOST_ITEMS = 1_000  # of either system; beyond it the score statistic itself is used
GRID, ROUNDS = 33, 3  # nuisance values that are tried at once, and how often, between the neighbours of the best
SAME = 1e-9  # difference of two statistics that are the same


def exact_tails(x: Array, n: Array, y: Array, m: Array, null: float) -> Limits:
    """p-values against "a − b is greater than the null" and "… is less", for a stack."""
    more = _each(lambda a, k, b, j: _beyond(a, k, b, j, null), x, n, y, m)
    less = _each(lambda a, k, b, j: _beyond(b, j, a, k, -null), x, n, y, m)
    return more, less


def exact_limits(x: Array, n: Array, y: Array, m: Array, alpha: float) -> Limits:
    """Differences at which the two exact one-sided tests have this p-value; what they reject lies outside."""

    def low(a: int, k: int, b: int, j: int) -> float:
        """The difference that is just not rejected from below."""
        seen = a / k - b / j
        return float(root(lambda d: np.asarray(_beyond(a, k, b, j, float(d)) - alpha), -1.0, seen))

    return _each(low, x, n, y, m), _each(lambda a, k, b, j: -low(b, j, a, k), x, n, y, m)


def _each(found: Callable[[int, int, int, int], float], *numbers: Array) -> Array:
    """Of each table of a stack, those that are alike once; NaN where a system has no item."""
    each = np.broadcast_arrays(*numbers)
    counts, back = np.unique(np.stack([a.ravel() for a in each]), axis=1, return_inverse=True)
    values = [found(*map(int, c)) if c[1] > 0 and c[3] > 0 else np.nan for c in counts.T]
    return np.array(values)[np.ravel(back)].reshape(each[0].shape)


def _beyond(x: int, n: int, y: int, m: int, d: float) -> float:
    """The largest probability of a statistic at least as large, where the difference is d."""
    if d >= 1:
        return 1.0
    if d <= -1:
        return float(x == 0 and y == m)
    wanted = float(score_statistic(x, n, y, m, d, corrected=False)) - SAME
    least = _least(n, m, wanted, d)
    low, high = max(0.0, -d), min(1.0, 1 - d)
    for _ in range(ROUNDS):
        q = np.linspace(low, high, GRID)
        p = _of_nuisance(q, least, n, m, d)
        best = int(np.argmax(p))
        low, high = q[max(best - 1, 0)], q[min(best + 1, GRID - 1)]
    return float(min(1.0, p[best]))


def _of_nuisance(q: Array, least: Array, n: int, m: int, d: float) -> Array:
    """The probability of such a statistic where the second system is right with probability q."""
    from scipy.special import bdtrc, gammaln, xlog1py, xlogy

    y = np.arange(m + 1)[:, None]
    chance = np.exp(gammaln(m + 1) - gammaln(y + 1) - gammaln(m - y + 1) + xlogy(y, q) + xlog1py(m - y, -q))
    share = np.clip(q + d, 0.0, 1.0)
    k = least[:, None]
    above = np.where(k <= 0, 1.0, np.where(k > n, 0.0, bdtrc(np.maximum(k - 1.0, 0.0), n, share)))
    return np.asarray((chance * above).sum(axis=0))


def _least(n: int, m: int, wanted: float, d: float) -> Any:
    """The fewest right items of the first system with such a statistic, for each number of the second; n + 1 for none.

    The statistic rises with the first and falls with the second.
    """
    y = np.arange(m + 1)
    low, high = np.full(m + 1, -1), np.full(m + 1, n + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        reached = score_statistic(np.maximum(middle, 0), n, y, m, d, corrected=False) >= wanted
        open_ = high - low > 1
        high, low = np.where(open_ & reached, middle, high), np.where(open_ & ~reached, middle, low)
    return high
