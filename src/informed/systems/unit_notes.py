"""What to say of items that repeat or are weighted, where systems are compared on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from informed._arrays import Array
from informed._numbers import count, plural
from informed.evidence.units import Units
from informed.inference.worth import Worth
from informed.results import Note, warning

FEW, VERY_FEW = 10, 5  # units that count, below which their spread is poorly known


def unit_notes(w: Worth, units: Units | None, answers: float, of: str) -> Iterator[Note]:
    """What units or weights leave of the items for a difference, and where that says little."""
    worth = _about(w.effective_n)
    if units is None:
        yield Note(f"Weighted items are worth {worth} equally weighted ones for {of}.", code="weighted")
        return
    several = plural(float(np.max(units.n)), units.name)
    said = f"{several} with {count(answers)} answers of each system; for {of} they are worth {worth} independent ones"
    known = np.isfinite(w.df).all()
    yield Note(f"{said}{f' with {_about(w.df)} degrees of freedom' if known else ''}.", code="units")

    least = float(np.min(w.counting))
    if least < FEW:
        said = f"Only {plural(max(1, round(least)), units.name)} bear on {of}; their spread is poorly known"
        rough = ", and the interval is wide." if least >= VERY_FEW else "; read it as a rough guess."
        yield warning(f"{said}{rough}", "few-units")


def _about(x: Array) -> str:
    """A number, or the range of several."""
    low, high = (f"{float(end):.1f}" for end in (np.min(x), np.max(x)))
    return low if low == high else f"{low} to {high}"
