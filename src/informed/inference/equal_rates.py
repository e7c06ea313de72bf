"""Do groups share one rate? A test given how many successes there are in all.

The successes are put anew into the groups, each number of which is then hypergeometric: the p-value is the share of
such draws whose Pearson's χ² is no smaller, and of two groups it is computed. It rejects no more often than it says,
however few successes there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference.given import SEED
from informed.inference.hypothesis import chi2_tail
from informed.inference.proportions import proportion_of
from informed.measures import Measure

DRAWS, MOST_DRAWN, LEAST_DRAWS = 10_000, 20_000_000, 1000  # draws, and draws × groups from which on there are fewer
ENOUGH = 20  # expected successes and failures of every group from which on χ² is as good
AT_ONCE = 2_000_000  # numbers that are drawn together


def rates_of(m: Measure, t: Table) -> tuple[Array, Array] | None:
    """Successes and trials of each group, for a measure that is a share of cases that count once each; else None."""
    if m.facts.of_share is not None or (found := proportion_of(m)) is None or not _once_each(t):
        return None
    given = [np.asarray(x, np.float64) for x in np.broadcast_arrays(*found.counts(t))]
    k, n = whole = tuple(np.rint(x) for x in given)
    return (k, n) if all(np.allclose(x, y, atol=1e-6) for x, y in zip(given, whole, strict=True)) else None


def _once_each(t: Table) -> bool:
    """Whether each case, or item that always got the same answer, counts one, and is in one group only."""
    units = t.units
    if units is None:
        return t.squares is None
    if len(units.cell) != len(units.mult) or not np.allclose(units.weight, 1, atol=1e-9):
        return False
    if units.ids is None:
        return True
    system = units.table // t.shape[-1]
    return len(np.unique(np.stack([units.ids, system]), axis=1).T) == len(units.ids)


def equal_rates(successes: Array, trials: Array, known: Any) -> tuple[Array, Array]:
    """Pearson's χ² of the groups ``(*stack, groups)`` that are known, and its p-value given all successes.

    >>> k, n = np.array([0.0, 0, 0, 0, 6]), np.full(5, 40.0)
    >>> statistic, p = equal_rates(k, n, n > 0)
    >>> round(float(statistic), 2), bool(p < 0.001)
    (24.74, True)
    """
    k, n = np.where(known, successes, 0.0), np.where(known, trials, 0.0)
    total, all_ = k.sum(axis=-1, keepdims=True), n.sum(axis=-1, keepdims=True)
    rate = ratio(total, all_)
    varied = ((total > 0) & (total < all_))[..., 0]
    per_square = np.where(varied, ratio(1.0, rate * (1 - rate))[..., 0], 0.0)
    statistic = np.asarray(per_square * np.nan_to_num(ratio((k - n * rate) ** 2, n)).sum(axis=-1))
    least = np.where(known, n * np.minimum(rate, 1 - rate), np.inf).min(axis=-1)
    pvalue = np.array(chi2_tail(statistic, np.maximum(np.sum(known, axis=-1) - 1.0, 1.0)))
    for at in np.ndindex(statistic.shape):
        if not varied[at]:
            pvalue[at] = 1.0
        elif least[at] < ENOUGH:
            groups = k[at][known[at]], n[at][known[at]]
            pvalue[at] = _of_two(*groups) if len(groups[0]) == 2 else _drawn(*groups)
    return statistic, pvalue


def _of_two(k: Array, n: Array) -> float:
    """The chance of all ways to part the successes between two groups that are as far from one rate."""
    from scipy.stats import hypergeom

    total, first = int(k.sum()), int(n[0])
    ways = np.arange(max(0, total - int(n[1])), min(first, total) + 1)
    chance = hypergeom.pmf(ways, int(n.sum()), total, first)
    off = np.abs(ways - total * n[0] / n.sum())
    return min(float(chance[off >= abs(k[0] - total * n[0] / n.sum()) * (1 - 1e-12)].sum()), 1.0)


def _drawn(k: Array, n: Array) -> float:
    """The share of draws, the groups themselves among them, that are as far from one rate."""
    draws = int(np.clip(MOST_DRAWN // len(n), LEAST_DRAWS, DRAWS))
    total, seen = int(k.sum()), float((k**2 / n).sum())
    rng, trials, beyond, left = np.random.default_rng(SEED), n.astype(np.int64), 0, draws
    while left:
        some = min(left, max(AT_ONCE // len(n), 1))
        each = rng.multivariate_hypergeometric(trials, total, size=some, method="marginals")
        beyond += int(((each.astype(np.float64) ** 2 / n).sum(axis=-1) >= seen * (1 - 1e-12)).sum())
        left -= some
    return (beyond + 1) / (draws + 1)
