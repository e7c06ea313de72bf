"""An interval or a test by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from informed._numbers import of_many, rate
from informed.documents.blocks import Section, drawing, label, listing_of
from informed.documents.charts.forest import Row, forest
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.inference.answers import Interval, Intervals, Test
from informed.inference.known_worlds import Plan
from informed.measures.titles import in_words
from informed.results import Note, Result

FIELDS = {  # what people call them
    "pvalue": "p-value",
    "pvalue_low": "p-value, from",
    "pvalue_high": "to",
    "df": "degrees of freedom",
    "hypothesis": "null hypothesis",
    "method": "found by",
}
PLANNED = {
    "power": "power",
    "power_low": "power, from",
    "power_high": "to",
    "width": "expected width",
    "assurance": "samples that reach it",
    "goal": "what is planned for",
}
SAID = ("measure", "counted", "unit", "held")  # in the titles of what they are of


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
    shown = listing_of(held.select(*(x for x in held.names if x != "calibration")), "The test", FIELDS)
    said = (Note(test.calibration, code="calibration"),) if test.calibration else ()
    section = Section("test", "The test", (shown,))
    return replace(made, sections=(section,), notes=(*said, *made.notes))


@page_of(Plan)
def plan_page(plan: Plan) -> Document:
    """How many cases it takes, or what so many show."""
    made, held = plain_page(plan), plan.records()
    measure = in_words(plan.measure)
    titles = {**FIELDS, **PLANNED, "n": plan.counted, "value": measure, "against": f"{measure} told from"}
    titles |= {"units": of_many(plan.unit), "unit_size": f"{plan.held} in each"}
    chosen = [x for x in held.names if x not in SAID]
    section = Section("plan", "The plan", (listing_of(held.select(*chosen), "What it takes", titles),))
    return replace(made, title="Plan", sections=(section,))
