"""Whole tables: drawn case by case or cell by cell, or made to have the total and the margins that the
papers ask for."""

from __future__ import annotations

from typing import Any, TypeAlias

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


def to_total(rng: np.random.Generator, cells: Whole, n: int) -> Whole:
    """Random cells changed by one until each table of the stack has n cases.

    Cells ``(size, k, k)``; a cell that is already empty is not chosen for a decrement.
    """
    size, k, _ = cells.shape
    flat = cells.reshape(size, k * k).copy()
    even = np.full(k * k, 1 / k**2)
    short = n - flat.sum(axis=1)
    while np.any(short):
        at = np.flatnonzero(short)
        steps = rng.multinomial(np.abs(short[at]), even)
        flat[at] = np.maximum(flat[at] + np.sign(short[at])[:, None] * steps, 0)
        short = n - flat.sum(axis=1)
    return flat.reshape(size, k, k)


def fill_margins(rng: np.random.Generator, cells: Whole, *, keep_total: bool = True) -> Whole:
    """No empty row or column: a 1 where an empty row and an empty column meet, else anywhere in it.

    With `keep_total` as many cases are then taken away, at random, from cells whose row and column
    can spare them (there is one whenever a table has 2K − 1 cases or more).
    """
    cells = cells.copy()
    bad = np.flatnonzero((cells.sum(axis=1) == 0).any(axis=1) | (cells.sum(axis=2) == 0).any(axis=1))
    if not len(bad):
        return cells
    some = cells[bad]
    before = some.sum(axis=(1, 2))
    some = _filled(rng, some)
    if keep_total:
        some = _spared(rng, some, some.sum(axis=(1, 2)) - before)
    cells[bad] = some
    return cells


def _filled(rng: np.random.Generator, cells: Whole) -> Whole:
    size, k, _ = cells.shape
    rows, columns = cells.sum(axis=2) == 0, cells.sum(axis=1) == 0  # (size, k) each
    row_rank, column_rank = (_rank(rng, empty) for empty in (rows, columns))
    paired = rows[:, :, None] & columns[:, None, :]
    ones = paired & (row_rank[:, :, None] == column_rank[:, None, :])  # the first meets the first
    lone_rows, lone_columns = rows & ~ones.any(axis=2), columns & ~ones.any(axis=1)
    across = rng.integers(k, size=(size, k))[:, :, None] == np.arange(k)
    down = rng.integers(k, size=(size, k))[:, None, :] == np.arange(k)[:, None]
    ones |= (lone_rows[:, :, None] & across) | (lone_columns[:, None, :] & down)
    return np.asarray(cells + ones, dtype=np.int64)


def _rank(rng: np.random.Generator, empty: Any) -> Any:
    """Position among the empty ones of a table, in random order; others are never matched."""
    keys = np.where(empty, rng.random(empty.shape), 2.0)
    return keys.argsort(axis=1).argsort(axis=1)


def _spared(rng: np.random.Generator, cells: Whole, extra: Any) -> Whole:
    size, k, _ = cells.shape
    while np.any(extra > 0):
        at = np.flatnonzero(extra > 0)
        some = cells[at]
        spare = (some > 0) & (some.sum(axis=2) > 1)[:, :, None] & (some.sum(axis=1) > 1)[:, None, :]
        keys = np.where(spare, rng.random(some.shape), -1.0).reshape(len(at), k * k)
        chosen = keys.argmax(axis=1)
        possible = keys[np.arange(len(at)), chosen] >= 0
        cells.reshape(size, k * k)[at[possible], chosen[possible]] -= 1
        extra = extra.copy()
        extra[at] = np.where(possible, extra[at] - 1, 0)
    return cells
