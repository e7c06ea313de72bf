"""The cases that a report names: ids of some of each cell, errors first."""

from __future__ import annotations

from collections.abc import Iterable

from informed.errors import TableError
from informed.evidence.cells import occupied
from informed.evidence.labels import Label, text
from informed.evidence.table import Table
from informed.summary.parts import CellCases

Cell = tuple[Label, Label]  # the real label and the answer; None: there was none


def held_in(t: Table) -> dict[Cell, float]:
    """How much each cell of one table holds, no answer among them, where it holds something."""
    predicted, real, counts = (x.tolist() for x in occupied(t.cells))
    cells = zip(real, predicted, counts, strict=True)
    found: dict[Cell, float] = {(t.real_labels[r], t.predicted_labels[p]): n for r, p, n in cells}
    silent = zip(t.real_labels, t.abstained.tolist(), strict=True)
    return found | {(label, None): n for label, n in silent if n}


def errors_first(t: Table, given: Iterable[CellCases]) -> tuple[CellCases, ...]:
    """The cells that hold something: errors, then no answers, then what is right, the largest first."""
    held, known = held_in(t), ({*t.real_labels}, {*t.predicted_labels, None})
    cells = list(given)
    for cell in cells:
        strange = next(
            (x for x, labels in zip((cell.real, cell.predicted), known, strict=True) if x not in labels), None
        )
        if strange is not None:
            raise TableError(
                f"`examples` are of another table: {text(strange)} is no label of this one. Find them with "
                "the options that the table was read with."
            )

    def rank(cell: CellCases) -> tuple[int, float]:
        kind = 1 if cell.predicted is None else 2 * (cell.real == cell.predicted)
        return kind, -held[cell.real, cell.predicted]

    return tuple(sorted((x for x in cells if x.ids and (x.real, x.predicted) in held), key=rank))
