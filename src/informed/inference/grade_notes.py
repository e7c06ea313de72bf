"""What to know of a scale of grades: places that nothing takes, and cuts on which nobody can bet."""

from __future__ import annotations

import numpy as np

from informed.evidence.label_order import between, left_out
from informed.evidence.labels import text
from informed.evidence.table import Table
from informed.inference.cautions import of_tables
from informed.measures import Measure
from informed.measures.grades import cuts_of
from informed.results import Note, warning

FEW = 4  # left-out grades that are named
MOST_GRADES, MOST_NUMBERS = 100, 20  # labels in a stated order, or whose names are numbers, that are taken for grades
INDICES = 8  # numbers from 0 on that name so many classes are indices of classes, as the ten digits are


def are_grades(t: Table) -> bool:
    """Whether the labels are read as grades: more than two in a known order, of numbers only a few, and no indices."""
    labels = t.real_labels
    if not t.is_square or len(labels) < 3 or t.order is None:
        return False
    if t.stated is not None:
        return len(labels) <= MOST_GRADES
    return len(labels) <= MOST_NUMBERS and not (len(labels) >= INDICES and text(labels[0]) in ("0", "'0'", '"0"'))


def grade_notes(t: Table, m: Measure) -> list[Note]:
    """Notes on the grades of a table, for a measure that counts how far they are apart."""
    if not m.facts.spaced or not t.is_square or t.order is None or isinstance(m.own.get("disagreement"), tuple):
        return []
    return [*between_notes(t), *gap_notes(t), *(cut_notes(t, m.side) if m.side and len(t.real_labels) > 2 else ())]


def between_notes(t: Table) -> list[Note]:
    """That predictions lie between two grades, which are counted as grades of their own."""
    real = t.real_totals.reshape(t.k, -1).sum(axis=1) > 0
    found = between([x for x, there in zip(t.labels, real, strict=True) if there], t.labels) if t.stated is None else ()
    if not found:
        return []
    named = ", ".join(map(str, found[:FEW])) + (", …" if len(found) > FEW else "")
    lies, it_is = ("lies", "it is") if len(found) == 1 else ("lie", "each is")
    said = f"{named} {lies} between two real grades, and {it_is} counted as a grade of its own: round predictions first"
    return [warning(said, "between-grades")]


def gap_notes(t: Table) -> list[Note]:
    """That a whole number between the grades never occurs, so that its neighbours are taken as such."""
    out = left_out(t.real_labels, t.stated)
    if not out:
        return []
    named = ", ".join(map(str, out[:FEW])) + (", …" if len(out) > FEW else "")
    occurs = "never occurs" if len(out) == 1 else "never occur"
    its = "its place" if len(out) == 1 else "their places"
    said = f"{named} {occurs}, and the grades beside are counted as neighbours; give `labels=` to keep {its}"
    return [Note(said, code="grade-left-out")]


def cut_notes(t: Table, side: str = "real") -> list[Note]:
    """That all cases lie on one side of a cut, which then has no odds and weighs nothing."""
    cuts = cuts_of(t)
    above, below = cuts[2:4] if side == "real" else cuts[4:6]
    is_ = "is really" if side == "real" else "was predicted"
    empty = [(above[i] == 0, f"above {text(t.labels[i])}") for i in range(len(above))]
    empty += [(below[i] == 0, f"below {text(t.labels[i + 1])}") for i in range(len(below))]
    notes = []
    for none, words in empty:
        share = of_tables(np.asarray(none & (t.total > 0)))
        if share is not None:
            said = f"{share}no case {is_} {words}, so that the cut there has no odds and weighs nothing"
            notes.append(Note(said, code="cut-without-odds"))
    return notes
