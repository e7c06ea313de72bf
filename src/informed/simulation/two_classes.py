"""Two classes: populations for arrays of what is known, of prevalence and of guesses; and which of two systems a
measure prefers in samples of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.possible_tables import tables
from informed.simulation.judging import Judged, values


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


def prefers_worse(worse: Table, better: Table, measure: Judged) -> Array:
    """1 where a measure prefers the worse, 0 where the better, a half where it cannot tell: a tie, or undefined.

    >>> better, worse = mixtures(0.6, 0.1, [0.1, 0.9]), mixtures(0.5, 0.1, [0.1, 0.1])
    >>> prefers_worse(worse, better, "accuracy").tolist(), prefers_worse(worse, better, "informedness").tolist()
    ([0.0, 1.0], [0.0, 0.0])
    """
    low, high = values(worse, measure), values(better, measure)
    apart = np.abs(low - high) > 1e-12  # not where one is undefined
    return np.where(apart, np.where(low > high, 1.0, 0.0), 0.5)
