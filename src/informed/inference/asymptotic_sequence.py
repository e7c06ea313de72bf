"""Limits that hold at all looks where there are many cases: for measures that nobody can bet on.

The sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), with the variance of the package's influence
values. It is approximate, and shown only once every real class and every predicted label has enough cases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.influence import cells_of, functional, influence
from informed.inference.watch_cases import Kinds
from informed.measures import Measure, find

TUNED = 500  # items at which the limits are narrowest
ENOUGH = 50  # cases of every class and label before anything is shown
OF_ALL = {"informedness": "informedness_of_all"}  # no answer is no bet here, too


def reach(variance: Array, n: Array, alpha: float) -> Array:
    """How far the limits are from the estimate."""
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TUNED
    grown = n * rho2 + 1
    return np.asarray(np.sqrt(variance * 2 * grown / (n**2 * rho2) * np.log(np.sqrt(grown) / alpha)))


def approximate(s: Any, kinds: Kinds, counts: NDArray[np.int64]) -> Array:
    """Estimate and limits at each look; NaN while classes or labels have too few cases. There is no wealth."""
    m = find(OF_ALL.get(s.measure, s.measure))
    n = counts.sum(axis=1).astype(float)
    systems = [kinds.cells(i) for i in range(2 if s.paired else 1)]
    parts = [_slopes(m, cells, counts) for cells in systems]
    estimate = parts[0][0] - (parts[1][0] if s.paired else 0.0)
    slope = parts[0][1] - (parts[1][1] if s.paired else 0.0)  # (kinds, looks)

    with np.errstate(all="ignore"):
        more = sum(part[2] for part in parts)
        variance = ((counts.T * slope**2).sum(axis=0) + more) / parts[0][3]
        half = reach(variance, n, 1 - s.level)
    enough = np.logical_and.reduce([least_cases(cells, counts) >= ENOUGH for cells in systems])
    low, high = np.where(enough, estimate - half, np.nan), np.where(enough, estimate + half, np.nan)
    least, most = s.bounds
    none = np.full(len(n), np.nan)
    return np.column_stack([estimate, np.maximum(low, least), np.minimum(high, most), none, none, none])


def least_cases(cells: Array, counts: NDArray[np.int64]) -> Array:
    """The fewest cases that a real class or a predicted label has, at each look."""
    held = np.tensordot(counts, cells, axes=(1, 0))  # (looks, said, real)
    k = held.shape[2]
    return np.asarray(np.minimum(held.sum(axis=1).min(axis=1), held[:, :k].sum(axis=2).min(axis=1)))


def _slopes(m: Measure, cells: Array, counts: NDArray[np.int64]) -> tuple[Array, Array, Array, Array]:
    """The measure at each look, the centred slope of each kind, what half a case more in each cell adds, and how
    many cases there are with these."""
    held = np.tensordot(counts, cells, axes=(1, 0))
    k = cells.shape[2]
    silent = bool(held[:, k].any())
    t = Table.from_counts(held[:, :k], abstained=held[:, k] if silent else None, labels=range(k))
    with np.errstate(all="ignore"):
        value = np.asarray(m(t))

    smooth = cells_of(t) + 0.5
    total = smooth.sum(axis=0)
    p = smooth / total
    u, _ = influence(p, functional(m, t).gradient(p, total))
    each = cells[:, : k + silent].reshape(len(cells), -1)  # as the cells of a table stand
    return value, each @ u, np.asarray((0.5 * u**2).sum(axis=0)), total
