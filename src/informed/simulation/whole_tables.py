"""Whole tables made to have the total and the margins that the papers ask for."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]


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
