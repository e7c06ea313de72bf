"""An interval or a test by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from informed._numbers import rate
from informed.documents.blocks import Section, drawing, label, listing_of
from informed.documents.charts.forest import Row, forest
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.inference.answers import Interval, Intervals, Test
from informed.results import Note, Result


@page_of(Interval)
def interval_page(i: Interval) -> Document:
    """The estimate and its limits, as a forest of one row or of a stack."""
    name = i.measure or "estimate"
    made = _drawn(i, [*_rows(i)], f"{name} with its {i.method} interval", "The interval", name)
    return replace(made, title=f"Interval of {name}")


@page_of(Intervals)
def intervals_page(several: Intervals) -> Document:
    """The estimates and limits of several measures, as one forest."""
    rows = [row for i in several for row in _rows(i, f"{i.measure} ")]
    return _drawn(several, rows, "Measures with their intervals", "The intervals", "measure")


def _rows(i: Interval, before: str = "") -> Iterator[Row]:
    """A row for each element of a stack, or one for the measure."""
    held = i.records()
    said = [before + " ".join(label(row[axis]) for axis, _ in i.axes) for row in held]
    for x, value, low, high in zip(said, held["estimate"], held["low"], held["high"], strict=True):
        yield Row(x.strip() or i.measure or "estimate", value, low, high, said=rate(value))


def _drawn(result: Result, rows: list[Row], title: str, heading: str, across: str) -> Document:
    made = plain_page(result)
    [section] = made.sections
    drawn = drawing(title, lambda: forest(rows, title, across=across))
    return replace(made, sections=(Section("interval", heading, (drawn, *section.blocks)),))


@page_of(Test)
def test_page(test: Test) -> Document:
    """The p-value, and what it is evidence against."""
    made, held = plain_page(test), test.records()
    shown = listing_of(held.select(*(x for x in held.names if x != "calibration")), "The test")
    said = (Note(test.calibration, code="calibration"),) if test.calibration else ()
    section = Section("test", "The test", (shown,))
    return replace(made, sections=(section,), notes=(*said, *made.notes))
