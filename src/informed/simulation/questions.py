"""Open questions that a Monte Carlo can settle: each an experiment, a table and a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.table import Table

Rng = np.random.Generator


def mixtures(g: Any, q: Any, b: Any) -> Table:
    """Populations of two classes for arrays of informedness, prevalence and guess rate."""
    g, q, b = np.broadcast_arrays(g, q, b)
    rows = [[q * (g + (1 - g) * b), (1 - q) * (1 - g) * b],
            [q * (1 - g) * (1 - b), (1 - q) * (g + (1 - g) * (1 - b))]]  # fmt: skip
    return Table.from_counts(np.moveaxis(np.array(rows), (0, 1), (-2, -1)))


def random_pairs(
    rng: Rng, size: int, *, gap: float, prevalence: float | Array | None = None
) -> tuple[Table, Table]:
    """Populations of two systems for the same cases, the first better informed by `gap`.

    Prevalence is uniform on [.05, .95] unless given, the guess rate of each system uniform on
    [.02, .98], the informedness of the worse uniform on [0, 1 − gap].
    """
    q = rng.uniform(0.05, 0.95, size) if prevalence is None else np.full(size, prevalence)
    worse = rng.uniform(0, 1 - gap, size)
    b, c = rng.uniform(0.02, 0.98, (2, size))
    return mixtures(worse + gap, q, b), mixtures(worse, q, c)
