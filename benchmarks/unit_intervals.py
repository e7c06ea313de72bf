"""Intervals of 10,000 tables with 20 patterns of units each, against the same tables without units.

Of proportions equal pairs of successes and trials are looked up once without units, and scaled counts are never equal:
the target is that of the others, against a search for each table.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

import informed
from informed import Table
from informed.evidence.units import Units

TABLES, PATTERNS, TARGET = 10_000, 20, 3.0
MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "weighted_kappa", "scott_pi", "cramers_v")
PROPORTIONS = ("accuracy", "recall", "precision", "f1", "jaccard")


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
    """Process time, the best of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        informed.interval(t, measure)
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    t = stack()
    uneven = replace(t.without_units(), cells=t.cells * np.random.default_rng(1).uniform(0.9, 1.1, TABLES))
    for measure in (*MEASURES, *PROPORTIONS):
        plain = uneven if measure in PROPORTIONS else t.without_units()
        without, with_ = (seconds(one, measure) for one in (plain, t))
        times = f"{with_ / without:.2f} times (at most {TARGET:g})"
        print(f"{measure}: {with_:.2f} s with units, {without:.2f} s without, {times}")


if __name__ == "__main__":
    main()
