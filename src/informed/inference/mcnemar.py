"""McNemar's tests from two counts: cases for one side, and cases for the other.

The one place that has them: a table's own bias (`_symmetry`), two systems on the same items
(`compare`), and every two systems of a leaderboard count different things and ask the same.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio


def sign_statistic(one: Array, other: Array, *, corrected: bool = False) -> Array:
    """(one − other)²/(one + other), 0 where there is neither; `corrected` as Edwards did."""
    gap = np.abs(one - other)
    if corrected:
        gap = np.maximum(gap - 1, 0.0)
    return np.where(one + other > 0, ratio(gap**2, one + other), 0.0)


def sign_tails(one: Array, other: Array, *, mid: bool) -> tuple[Array, Array]:
    """Exact p-values that one is the likelier side, and that the other is, of whole counts.

    With `mid`, the half of the probability of what was seen is left out.
    """
    from scipy.special import bdtr

    n = np.asarray(one + other).astype(np.int64)
    least = np.minimum(one, other)
    fewer = np.where(least > 0, bdtr(np.maximum(least - 1, 0), n, 0.5), 0.0)
    half = (bdtr(least, n, 0.5) - fewer) / 2 if mid else 0.0  # of the thin tail: all its digits
    more, less = (np.asarray(bdtr(x, n, 0.5), dtype=np.float64) for x in (other, one))
    return more - half, less - half


def sign_pvalue(one: Array, other: Array, *, mid: bool) -> Array:
    """Twice the smaller tail; 1 where the sides are level, and where there is neither."""
    smaller = np.minimum(*sign_tails(one, other, mid=mid))
    return np.where(one == other, 1.0, np.minimum(2 * smaller, 1.0))
