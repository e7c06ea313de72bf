"""A histogram of rows of integers, as fast as numpy counts.

Blocks that stay in cache, one `bincount` each, on several threads: the reading of the arrays is
a third of the time (benchmarks/labels.py).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array

Codes: TypeAlias = NDArray[Any]  # one-dimensional, of any integer type
Sums: TypeAlias = tuple[Array, Array, Array]  # rows, Σ weights, Σ squared weights
Partial: TypeAlias = tuple[list[Codes], Sums]

BLOCK = 1 << 18  # rows at a time: few enough to stay in cache, many enough to be few calls
PAIRED = 128  # cells up to which rows are counted two at a time
THREADS = 4  # at most; `bincount` itself takes turns, the rest does not


def distinct_rows(columns: list[Codes], weights: Array | None, most: int) -> Partial | None:
    """Distinct rows of equally long columns, some perhaps more than once, and their sums.

    None when the ranges of the columns span more than `most` combinations.

    >>> codes, (n, _, _) = distinct_rows([np.array([0, 0, 1]), np.array([5, 5, 5])], None, 100)
    >>> [c.tolist() for c in codes], n.tolist()
    ([[0, 1], [5, 5]], [2.0, 1.0])
    """
    found = _scan_in_threads(columns, weights, most)
    return None if found is None else _joined(found)


def sorted_rows(columns: list[Codes], weights: Array | None) -> Partial:
    """The same by sorting block after block: slower, and no array of all combinations."""
    found: list[Partial] = []
    for start in range(0, len(columns[0]), BLOCK):
        block = slice(start, start + BLOCK)
        n = np.ones(len(columns[0][block]))
        sums = (n, n, n) if weights is None else (n, weights[block], weights[block] ** 2)
        found.append(_gathered([c[block] for c in columns], sums))
    return _gathered(*_joined(found))


def _joined(found: list[Partial]) -> Partial:
    codes, sums = zip(*found, strict=True)
    n, w, w2 = (np.concatenate(part) for part in zip(*sums, strict=True))
    return [np.concatenate(part) for part in zip(*codes, strict=True)], (n, w, w2)


def _gathered(columns: list[Codes], sums: Sums) -> Partial:
    """Each row once, and its sums."""
    order = np.lexsort(columns)
    held = [c[order] for c in columns]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.logical_or.reduce([c[1:] != c[:-1] for c in held])
    at = np.flatnonzero(new)
    n, w, w2 = (np.add.reduceat(x[order], at) for x in sums)
    return [c[at] for c in held], (n, w, w2)


def _scan_in_threads(columns: list[Codes], weights: Array | None, most: int) -> list[Partial] | None:
    threads = min(THREADS, cores(), 1 + len(columns[0]) // (8 * BLOCK))
    if threads == 1:
        return _scan(columns, weights, most)
    ends = np.linspace(0, len(columns[0]), threads + 1).astype(int).tolist()

    def part(start: int, end: int) -> list[Partial] | None:
        return _scan([c[start:end] for c in columns], None if weights is None else weights[start:end], most)

    with ThreadPoolExecutor(threads) as pool:
        found = [result for result in pool.map(part, ends[:-1], ends[1:]) if result is not None]
    return [one for result in found for one in result] if len(found) == threads else None


def _scan(columns: list[Codes], weights: Array | None, most: int) -> list[Partial] | None:
    """Histograms of the columns' rows over the range of their values, block by block.

    The range is that of the rows so far: a value outside it closes the histogram and opens a
    wider one. None when the range has more cells than `most`.
    """
    found: list[Partial] = []
    window: _Window | None = None
    rows, at = len(columns[0]), 0
    while at < rows:
        end = at + max(BLOCK, window.cells if window else 0)
        block = [c[at:end] for c in columns]
        lows, highs = [int(b.min()) for b in block], [int(b.max()) for b in block]
        if window is None or not window.holds(lows, highs):
            if window is not None:
                found.append(window.partial(columns))
                lows = [min(p) for p in zip(lows, window.lows, strict=True)]
                highs = [max(p) for p in zip(highs, window.highs, strict=True)]
            window = _Window(lows, highs, weights is not None)
            if window.cells > most:
                return None
            window.allocate()
            continue
        window.add(block, None if weights is None else weights[at:end])
        at = end
    if window is not None:
        found.append(window.partial(columns))
    return found


class _Window:
    """A histogram over all combinations of values between `lows` and `highs`."""

    def __init__(self, lows: list[int], highs: list[int], weighted: bool) -> None:
        self.lows, self.highs, self.weighted = lows, highs, weighted
        self.spans = [b - a + 1 for a, b in zip(lows, highs, strict=True)]
        self.cells = prod(self.spans)

    def allocate(self) -> None:
        self.n = np.zeros(self.cells, np.int64)
        self.w, self.w2 = (np.zeros(self.cells if self.weighted else 0) for _ in range(2))
        self.pairs: NDArray[np.int64] | None = None
        self.scratch: Codes = np.empty((2, 0), np.uint8)

    def holds(self, lows: list[int], highs: list[int]) -> bool:
        return all(a <= b for a, b in zip(self.lows, lows, strict=True)) and all(
            a >= b for a, b in zip(self.highs, highs, strict=True)
        )

    def add(self, block: list[Codes], weights: Array | None) -> None:
        if weights is None and self.cells <= PAIRED and len(block[0]) == BLOCK:
            # One byte per row: two rows together are one number, and half the counting.
            two = self._cell(block, np.uint8).view(np.uint16)
            found = np.bincount(two, minlength=256 * self.cells)
            self.pairs = found if self.pairs is None else np.add(self.pairs, found, self.pairs)
            return
        cell = self._cell(block, np.uint64).view(np.int64)
        self.n += np.bincount(cell, minlength=self.cells)
        if weights is not None:
            self.w += np.bincount(cell, weights, minlength=self.cells)
            self.w2 += np.bincount(cell, weights * weights, minlength=self.cells)

    def _cell(self, block: list[Codes], dtype: type[np.unsignedinteger[Any]]) -> Codes:
        """Position of each row in the histogram, in arithmetic that wraps and wraps back."""
        rows = len(block[0])
        if self.scratch.dtype != dtype or self.scratch.shape[1] < rows:
            self.scratch = np.empty((2, rows), dtype)
        cell: Codes = self.scratch[0, :rows]
        part: Codes = self.scratch[1, :rows]
        modulus = 256**cell.itemsize
        np.copyto(cell, block[0], casting="unsafe")
        start, stride = self.lows[0], self.spans[0]
        for codes, low, span in zip(block[1:], self.lows[1:], self.spans[1:], strict=True):
            np.copyto(part, codes, casting="unsafe")
            part *= dtype(stride % modulus)
            cell += part
            start, stride = start + low * stride, stride * span
        if start:
            cell -= dtype(start % modulus)
        return cell

    def partial(self, columns: list[Codes]) -> Partial:
        """What was counted, as lists of codes."""
        if self.pairs is not None:
            square = self.pairs.reshape(self.cells, 256)
            self.n += square.sum(axis=1) + square.sum(axis=0)[: self.cells]
        filled = np.flatnonzero(self.n)
        rest, codes = filled, []
        for given, low, span in zip(columns, self.lows, self.spans, strict=True):
            rest, place = np.divmod(rest, span)
            value = place.astype(np.uint64) + np.array(low % 2**64, np.uint64)
            codes.append(value if given.dtype == np.uint64 else value.view(np.int64))
        n = self.n[filled].astype(np.float64)
        return codes, (n, self.w[filled], self.w2[filled]) if self.weighted else (n, n, n)


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
