"""What an open question is: asked, tried, answered in words, with rows and a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.measures import find
from informed.simulation.estimates import Estimate

Rng = np.random.Generator
Row: TypeAlias = dict[str, Any]
Answer: TypeAlias = tuple[list[Row], str]  # rows and a picture
Run: TypeAlias = Callable[[Rng, int], Answer]
Condense: TypeAlias = Callable[[list[Row]], list[Row]]

COARSE = 500  # tables below which the widest grids are run in part only


@dataclass(frozen=True)
class Question:
    """What is asked, how it was tried, and what came out, in words."""

    name: str
    number: str  # in the list of what the papers leave open
    asks: str
    ran: str
    says: str
    run: Run
    condense: Condense | None = None  # rows of the page, where all of them are too many


QUESTIONS: dict[str, Question] = {}


def question(
    name: str, number: str, *, asks: str, ran: str, says: str, condense: Condense | None = None
) -> Callable[[Run], Run]:
    """Register a question under its name."""

    def add(run: Run) -> Run:
        QUESTIONS[name] = Question(name, number, asks, ran, says, run, condense)
        return run

    return add


def values(t: Table, measure: str) -> Array:
    return np.asarray(find(measure)(t), dtype=np.float64)


def estimate(cell: Any) -> Estimate:
    """A cell of a row, as it was run or as the file holds it."""
    return cell if isinstance(cell, Estimate) else Estimate(cell["value"], cell["error"])


def chosen(rows: Sequence[Row], **wanted: Any) -> list[Row]:
    """Rows in which every named column has this value."""
    return [r for r in rows if all(r[c] == v for c, v in wanted.items())]


def span(cells: Sequence[Any]) -> str:
    """Least to greatest of some estimates, as a page says it."""
    found = [estimate(c).value for c in cells]
    low, high = f"{min(found):.3f}", f"{max(found):.3f}"
    return low if low == high else f"{low} to {high}"


def least(cells: Sequence[Any]) -> Estimate:
    """The least of some estimates, with its own error."""
    return min(map(estimate, cells), key=lambda e: e.value)
