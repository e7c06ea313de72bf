"""Multinomial counts for a stack of tables, case by case where that is faster than cell by cell."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array

Whole: TypeAlias = NDArray[np.int64]

BLOCK = 1 << 18  # cases at a time, so that they stay in the cache
SLOTS = 1 << 16


def draw_cells(rng: np.random.Generator, n: int, p: Array, size: int) -> Whole:
    """`size` rows of counts, n cases each, multinomial with probabilities p: exactly.

    `Generator.multinomial` draws a binomial for every cell, which costs as much as some fifteen
    cases by table lookup. Small tables of few cases are therefore drawn case by case.

    >>> draw_cells(np.random.default_rng(1), 128, np.array([0.5, 0.3, 0.2]), 2).sum(axis=1).tolist()
    [128, 128]
    """
    cells = len(p)
    if n > 10 * cells or cells > 255 or size * n < SLOTS:
        return np.asarray(rng.multinomial(n, p, size=size), dtype=np.int64)
    return _looked_up(rng, n, p, size)


def _looked_up(rng: np.random.Generator, n: int, p: Array, size: int) -> Whole:
    """Sixteen random bits choose one of 65 536 slots, of which a cell owns its share, rounded down.

    The few slots that are left over belong to a cell of their own, whose cases are then dealt out
    by the probabilities that rounding took away (Marsaglia 1963), so that nothing is approximate.
    """
    cells = len(p)
    owned = np.floor(p * SLOTS).astype(np.int64)
    lost = np.maximum(p * SLOTS - owned, 0.0)
    owner = np.repeat(np.arange(cells + 1, dtype=np.uint8), [*owned, SLOTS - owned.sum()])
    some = max(BLOCK // n, 1)
    first = (np.arange(some) * (cells + 1))[:, None]
    counts = np.empty((size, cells + 1), dtype=np.int64)
    for start in range(0, size, some):
        rows = min(some, size - start)
        words = rng.integers(1 << 64, size=-(-rows * n // 4), dtype=np.uint64)
        bits = words.astype("<u8", copy=False).view("<u2")[: rows * n]
        cases = owner[bits].reshape(rows, n) + first[:rows]
        counted = np.bincount(cases.ravel(), minlength=rows * (cells + 1))
        counts[start : start + rows] = counted.reshape(rows, cells + 1)
    drawn, over = counts[:, :-1], counts[:, -1]
    short = np.flatnonzero(over)
    if len(short):
        drawn[short] += rng.multinomial(over[short], lost / lost.sum())
    return drawn
