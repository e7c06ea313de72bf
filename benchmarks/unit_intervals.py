"""Intervals of 10,000 tables with 20 patterns of units each, against the same tables without units.

Proportions are left out: without units equal pairs of successes and trials are searched once, and scaled counts are
never equal, so that a search for each table (60 µs) is what units cost them.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

import informed
from informed import Table
from informed.evidence.units import Units

TABLES, PATTERNS, TARGET = 10_000, 20, 3.0
MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa")


def stack() -> Table:
    """Tables of units of a few cases, each pattern as often as chance has it."""
    rng = np.random.default_rng(14)
    held = rng.multinomial(5, [0.4, 0.1, 0.15, 0.35], (TABLES, PATTERNS)).astype(np.float64)
    mult = rng.integers(1, 4, (TABLES, PATTERNS)).astype(np.float64)
    table, row, cell = np.nonzero(held)
    rows = table * PATTERNS + row
    of_row = np.repeat(np.arange(TABLES), PATTERNS)
    units = Units(rows, cell, held[table, row, cell], of_row, mult.ravel(), (TABLES,))
    counts = np.einsum("tp,tpc->tc", mult, held).reshape(TABLES, 2, 2)
    return replace(Table.from_counts(counts), units=units)


def seconds(t: Table, measure: str) -> float:
    """The best of three."""
    found = []
    for _ in range(3):
        start = time.perf_counter()
        informed.interval(t, measure)
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    t = stack()
    for measure in MEASURES:
        without, with_ = (seconds(one, measure) for one in (t.without_units(), t))
        times = f"{with_ / without:.2f} times (at most {TARGET:g})"
        print(f"{measure}: {with_:.2f} s with units, {without:.2f} s without, {times}")


if __name__ == "__main__":
    main()
