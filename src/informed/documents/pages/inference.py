"""An interval or a test by itself."""

from __future__ import annotations

from dataclasses import replace

from informed._numbers import rate
from informed.documents.blocks import Section, drawing, label, listing_of
from informed.documents.charts.forest import Row, forest
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.inference.answers import Interval, Test
from informed.results import Note


@page_of(Interval)
def interval_page(i: Interval) -> Document:
    """The estimate and its limits, as a forest of one row or of a stack."""
    held, name = i.records(), i.measure or "estimate"
    said = [" ".join(label(row[axis]) for axis, _ in i.axes) or name for row in held]
    limits = zip(said, held["estimate"], held["low"], held["high"], strict=True)
    rows = [Row(x, value, low, high, said=rate(value)) for x, value, low, high in limits]
    title = f"{name} with its {i.method} interval"

    made = plain_page(i)
    [section] = made.sections
    drawn = drawing(title, lambda: forest(rows, title))
    section = Section("interval", "The interval", (drawn, *section.blocks))
    return replace(made, title=f"Interval of {name}", sections=(section,))


@page_of(Test)
def test_page(test: Test) -> Document:
    """The p-value, and what it is evidence against."""
    made, held = plain_page(test), test.records()
    shown = listing_of(held.select(*(x for x in held.names if x != "calibration")), "The test")
    said = (Note(test.calibration, code="calibration"),) if test.calibration else ()
    section = Section("test", "The test", (shown,))
    return replace(made, sections=(section,), notes=(*said, *made.notes))
