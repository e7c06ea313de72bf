"""Tables to prove things on: all small ones as stacks, and Hypothesis for the rest."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from informed import Table
from informed._arrays import Array


def compositions(cells: int, most: int) -> Array:
    """Every way to put 0 to `most` cases into this many cells, one a row."""
    bars = np.array(list(combinations(range(most + cells), cells)))
    edges = np.column_stack([np.full(len(bars), -1), bars])
    return np.asarray(np.diff(edges, axis=1) - 1, dtype=np.float64)


def every_table(rows: int, columns: int, most: int) -> Table:
    """All tables of this shape with at most so many cases, the empty one included, as a stack."""
    return Table.from_counts(compositions(rows * columns, most).reshape(-1, rows, columns))


SMALL2 = every_table(2, 2, 12)  # 1820 tables
SMALL3 = every_table(3, 3, 5)  # 2002 tables
SMALL23 = every_table(2, 3, 5)  # 462 rectangular tables

POWERS_A = Table.from_counts([[56, 20], [12, 12]])  # Table 2 of Powers (2011)
POWERS_B = Table.from_counts([[30, 12], [30, 28]])
THREE = Table.from_counts([[40, 10, 5], [8, 20, 9], [2, 10, 16]])  # spec F.3


def counts(shape: tuple[int, int], elements: st.SearchStrategy[float]) -> st.SearchStrategy[Table]:
    return hnp.arrays(np.float64, shape, elements=elements).map(Table.from_counts)


def large(k: int = 2) -> st.SearchStrategy[Table]:
    """Whole counts, none empty, up to a hundred million."""
    return counts((k, k), st.integers(1, 10**8).map(float))


def lopsided(k: int = 2) -> st.SearchStrategy[Table]:
    """Cells of very unlike size: 1e-6 to 1e18."""
    return counts((k, k), st.floats(-6, 18).map(lambda e: float(10.0**e)))


def fractional(k: int = 2) -> st.SearchStrategy[Table]:
    """Weighted cases: any positive numbers around one."""
    return counts((k, k), st.floats(0.01, 100))


def sparse(k: int) -> st.SearchStrategy[Table]:
    """Many classes and few cases, some of them empty."""
    return counts((k, k), st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, 5.0]))


@st.composite
def many_classes(draw: st.DrawFn, least: int = 3, most: int = 12) -> Table:
    """Positive counts of three to twelve classes."""
    k = draw(st.integers(least, most))
    return draw(counts((k, k), st.integers(1, 1000).map(float)))


@st.composite
def rectangular(draw: st.DrawFn) -> Table:
    """Clusters against classes."""
    shape = (draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    return draw(counts(shape, st.integers(0, 30).map(float)).filter(lambda t: t.n > 0))
