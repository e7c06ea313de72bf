"""Which side of a table a measure takes as given, as groups of its cells."""

from __future__ import annotations

import numpy as np

from informed.evidence.table import Table
from informed.evidence.units import Ints
from informed.inference.influence import pattern_of, table_of
from informed.inference.worth import Cells
from informed.measures import Measure


def cells_given(m: Measure, t: Table, *, by_real: bool = False) -> Cells:
    """The groups of cells within which the cases of tables like this one are alike to a measure.

    Trials of a proportion; real classes of what ignores prevalence, or of all where that is fixed or
    changed (`by_real`); predicted labels of what ignores bias; both sides of all others.
    """
    predicted, real = places(t)
    return Cells([real] if by_real else _sides(m, t, predicted, real), (predicted, real), pattern_of(t))


def places(t: Table) -> tuple[Ints, Ints]:
    """Predicted label and real class of each cell, by number; an abstention is a label of its own."""
    on_rows, on_columns = len(t.predicted_labels), len(t.real_labels)
    said = on_rows + (t.unanswered is not None)
    return np.repeat(np.arange(said), on_columns), np.tile(np.arange(on_columns), said)


def _sides(m: Measure, t: Table, predicted: Ints, real: Ints) -> list[Ints]:
    average = dict(m.bound).get("average")
    whole = np.zeros_like(real)
    if average == "micro":
        return [whole]
    if m.facts.share is not None and average is None:
        return [whole if m.facts.classes == "any" else _trials(m, t, len(real))]
    if m.side is not None and average in (None, "macro"):
        return [real if m.side == "real" else predicted]
    return [real, predicted]


def _trials(m: Measure, t: Table, cells: int) -> Ints:
    """0 where a case is a trial of the proportion that a measure of two classes is made of, else −1."""
    assert m.facts.share is not None
    _, trials = m.facts.share(table_of(np.eye(cells), t))
    return np.where(np.broadcast_to(trials, cells) > 0, 0, -1)
