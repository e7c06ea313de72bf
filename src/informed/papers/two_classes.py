"""Populations of two classes for arrays of what is known, of prevalence and of guesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.inference.possible_tables import tables


def mixtures(g: Any, q: Any, b: Any) -> Table:
    """Populations for arrays of informedness, prevalence and guess rate.

    >>> mixtures(0.5, 0.3, [0.2, 0.8]).shape
    (2,)
    """
    g, q, b = np.broadcast_arrays(g, q, b)
    return tables(np.array([
        [q * (g + (1 - g) * b), (1 - q) * (1 - g) * b],
        [q * (1 - g) * (1 - b), (1 - q) * (g + (1 - g) * (1 - b))],
    ]))  # fmt: skip


def sampled(rng: np.random.Generator, n: int, truth: Table) -> Table:
    """A table of n cases from each population of a stack."""
    cells = rng.multinomial(n, truth.counts.reshape(-1, 4))
    return Table.from_counts(cells.reshape(-1, 2, 2))


def random_pairs(
    rng: np.random.Generator, size: int, *, gap: float, prevalence: float | None = None
) -> tuple[Table, Table]:
    """Populations of two systems for the same cases, the first better informed by `gap`.

    Prevalence is uniform on [.05, .95] unless given, the guess rate of each system uniform on
    [.02, .98], the informedness of the worse uniform on [0, 1 − gap].
    """
    q = rng.uniform(0.05, 0.95, size) if prevalence is None else np.full(size, prevalence)
    worse = rng.uniform(0, 1 - gap, size)
    b, c = rng.uniform(0.02, 0.98, (2, size))
    return mixtures(worse + gap, q, b), mixtures(worse, q, c)
