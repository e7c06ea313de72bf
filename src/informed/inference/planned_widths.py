"""How wide the interval of a sample to come is: in how many samples it is no wider than was asked for."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.inference.given import is_number
from informed.results import Note

MOST_CELLS = 400  # of a table, of which thousands are drawn; and whose expected width is that of the arc
AHEAD = {True: 24, False: 4}  # numbers behind the first that is enough that are tried: of two classes, and of more
DRAWN, LEAST_DRAWN = 200_000, 1000  # cells that are drawn at once, and tables at least
HINT = Note("`assurance=0.8` plans more cases, so that 80 % of samples have an interval no wider", code="assurance")


class Drawn(Protocol):
    """A truth of which samples can be drawn."""

    def widths(self, n: int) -> Array | None:
        """Widths of the intervals of drawn samples of n cases, the same draws at every call; None where tables are
        too large to be drawn by the thousand."""
        ...


def checked_assurance(assurance: Any, width: float | None, *, in_units: bool) -> None:
    """Refuse an assurance that is none, or that nothing can be planned with."""
    if assurance is None:
        return
    if not is_number(assurance) or not 0 < assurance < 1:
        raise InferenceError(f"`assurance` is {assurance!r}; it must lie between 0 and 1, such as 0.8.")
    if width is None:
        raise InferenceError(
            "`assurance` is the share of samples whose interval is no wider than `width`: give `width`, too, or for a "
            "test `power` alone."
        )
    if in_units:
        raise InferenceError(
            "`assurance` is planned for independent cases; of cases in units `width` plans the expected width alone."
        )


def reached(world: Drawn, n: int, width: float) -> float:
    """The share of samples of n cases whose interval is no wider; NaN where that is not known."""
    drawn = world.widths(n)
    return float("nan") if drawn is None else float(np.mean(drawn <= width))  # a sample without an interval is none


def draws_of(n_draws: int, cells: int) -> int:
    """So many tables are drawn for each number of cases that is tried.

    >>> draws_of(4000, 4), draws_of(4000, 100)
    (4000, 2000)
    """
    return min(n_draws, max(DRAWN // cells, LEAST_DRAWN))


def fewest_assured(world: Drawn, start: int, width: float, assurance: float, *, of_two: bool) -> int:
    """The fewest cases from which on this share of samples has an interval no wider; it goes up and down by the steps
    of whole cases, of tables of two classes above all."""
    if np.isnan(reached(world, start, width)):
        raise InferenceError(f"`assurance` is planned for tables of up to {MOST_CELLS} cells, and this one has more.")

    def enough(n: int) -> bool:
        return reached(world, n, width) >= assurance

    low, high = 1, max(start, 2)
    while not enough(high):
        low, high = high, high + max(high // 8, 1)
    while low == 1 and high > 4 and enough(high * 7 // 8):
        high = high * 7 // 8
    low = max(low, high * 7 // 8 - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    step = max(high // 200, 1)
    while short := [n for n in range(high + step, high + AHEAD[of_two] * step, step) if not enough(n)]:
        high = short[-1] + step
    return high
