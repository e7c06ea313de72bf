"""Names for clusters, as a page."""

from __future__ import annotations

from informed._numbers import rate
from informed.decisions.assignment import Assignment
from informed.documents.blocks import Block, Section, drawing, glimpse, grid_of, rows_of
from informed.documents.charts.matrix import matrix
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.measures import find

MOST_CLUSTERS = 40


@page_of(Assignment)
def assignment_page(found: Assignment, *, title: str = "Names for clusters") -> Document:
    """The names, what they win, and the measures of clusterings beside it."""
    held = found.records()
    heads = {"share": "of that class"}
    grid = grid_of(held, "What each cluster stands for", titles=heads)
    names: list[Block] = [drawing("Clusters against classes", matrix(found.ordered)), glimpse(grid, MOST_CLUSTERS)]
    if list(held["class"]) != list(found.clusters.real_labels):  # else it is the same picture
        names.insert(1, drawing("Named clusters against classes", matrix(found.table)))

    rows = ((find(name).facts.title, rate(x)) for name, x in found.beside.items())
    beside = rows_of("Measures of clusterings", ("measure", "estimate"), rows)
    sections = Section("names", "Names", tuple(names)), Section("beside", "Without names", (beside,))
    return Document.of(found, title, *sections)
