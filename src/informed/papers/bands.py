"""The papers' bands around a level: X·√sse/√(2E(N − 1)), with each table's own evenness."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.powers_intervals import SSE
from informed.simulation.judging import values


def half_width(t: Table, n: int, x: float = 1.96) -> Array:
    """Half-width where √sse is 1: around B = 0 and B = 1.

    >>> round(float(half_width(Table.from_counts([[8, 2], [2, 8]]), 20)), 3)
    0.318
    """
    e = np.maximum(values(t, "evenness_factor"), 1e-12)
    return np.asarray(x / np.sqrt(2 * e * (n - 1)))


def bands(t: Table, level: Any, n: int, x: float = 1.96) -> tuple[Array, Array]:
    """Half-widths around a level: CI_B1, of the alternate, and CI_B2, of the full hypothesis."""
    scale, at = half_width(t, n, x), np.asarray(level, dtype=np.float64)
    return scale * SSE["weighted"](at), scale * SSE["complement"](at)
