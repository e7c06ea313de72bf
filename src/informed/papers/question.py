"""What an open question is: its text in ``data/questions.toml``, and a run that gives rows.

A run takes a `Trial` and yields rows; `question_pictures` draws them. Rows that are too many for a
page are condensed by a function beside the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

from informed.papers.register import Register, Trial
from informed.papers.texts import chosen, estimate, texts
from informed.simulation.estimates import MonteCarlo

Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]

COARSE = 500  # tables below which the widest grids are run in part only


question: Register[Callable[[Trial], Iterator[Row]]] = Register(
    "question", texts("questions"), full=4000, quick=100, least=40
)
condensed: Register[Callable[[Rows], Rows]] = Register("question", question.texts)  # for the page


def distinct(rows: Sequence[Row], column: str) -> list[Any]:
    """The values of a column, in the order in which they come."""
    return list(dict.fromkeys(r[column] for r in rows))


def pivot(rows: Rows, by: Sequence[str], of: str, cell: Callable[[list[Any]], Any], **across: str) -> Rows:
    """A row for each combination `by`, a column for each value `across`: ``K="size, K = {}"``."""
    ((column, head),) = across.items()
    out: Rows = []
    for values in product(*(distinct(rows, c) for c in by)):
        row: Row = dict(zip(by, values, strict=True))
        if some := chosen(rows, **row):
            for x in distinct(rows, column):
                held = [r[of] for r in chosen(some, **{column: x})]
                row[head.format(x)] = cell(held) if held else ""
            out.append(row)
    return out


def span(cells: Sequence[Any]) -> str:
    """Least to greatest of some estimates, as a page says it."""
    found = [estimate(c).value for c in cells]
    low, high = f"{min(found):.3f}", f"{max(found):.3f}"
    return low if low == high else f"{low} to {high}"


def least(cells: Sequence[Any]) -> MonteCarlo:
    """The least of some estimates, with its own error."""
    return min(map(estimate, cells), key=lambda e: e.value)
