"""From a cell to its cases: which ids a report names, in its picture and in a grid."""

from __future__ import annotations

from informed._numbers import count
from informed.documents.blocks import Grid, Listed, place_of_positive, table
from informed.evidence.shown import shown_all
from informed.evidence.table import Table
from informed.summary.examples import held_in
from informed.summary.report import Report

MOST_READ = 12  # cells whose ids are read at a glance; a page shows all


def as_drawn(report: Report, t: Table) -> Table:
    """A table of the report as its picture has it: in clinical terms the positive class comes first."""
    if report.terms != "clinical" or not place_of_positive(t):
        return t
    return t.with_order(t.real_labels[::-1])


def ids_by_place(report: Report) -> dict[tuple[int, int], tuple[str, ...]]:
    """Ids of some cases of each cell (row, column) of the matrix."""
    return {place: cell.ids for cell, place in zip(report.examples, _places(report), strict=True) if place[0] >= 0}


def _places(report: Report) -> list[tuple[int, int]]:
    """The row and the column of each cell of which ids are known; no answer has no row."""
    t = as_drawn(report, report.table)
    rows, columns = ({x: i for i, x in enumerate(labels)} for labels in (t.predicted_labels, t.real_labels))
    return [(-1 if x.predicted is None else rows[x.predicted], columns[x.real]) for x in report.examples]


def cases(report: Report) -> tuple[Grid, ...]:
    """Which cases to look at; nothing where no ids are known."""
    cells = report.examples
    if not cells:
        return ()
    held = held_in(report.table)
    labels = list(dict.fromkeys(x for c in cells for x in (c.real, c.predicted) if x is not None))
    named = {**dict(zip(labels, shown_all(labels), strict=True)), None: "(no answer)"}
    some = f", {len(cells):,} of {len(held):,} cells" if len(cells) < len(held) else ""
    grid = table(
        f"Cases to look at, errors first (ids{some})",
        cells,
        {
            "really": lambda c: named[c.real],
            "called|": lambda c: named[c.predicted],
            report.counted.unit: lambda c: count(held[c.real, c.predicted]),
            "such as|": lambda c: Listed(c.ids),
        },
        folded=True,
        anchors=tuple(f"cell-{row}-{column}" for row, column in _places(report)),
        cut=tuple(range(MOST_READ)) if len(cells) > MOST_READ else (),
        cut_words=f"The first {MOST_READ} cells",
    )
    return (grid,)
