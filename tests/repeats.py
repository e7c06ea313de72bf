"""Tables of units, from what each unit holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed import Table
from informed.evidence.units import Units


def of_units(counts: Any, **said: Any) -> Table:
    """One table, or a stack, from counts ``(*stack, unit, predicted, real)``."""
    counts = np.asarray(counts, dtype=np.float64)
    stack, units = counts.shape[:-3], counts.shape[-3]
    flat = counts.reshape(-1, units, counts.shape[-1] * counts.shape[-2])
    table, unit, cell = np.nonzero(flat)
    held = Units.gathered(unit, cell, flat[table, unit, cell], table=table, shape=stack, **said)
    return replace(Table.from_counts(counts.sum(axis=-3)), units=held)
