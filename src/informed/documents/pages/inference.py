"""An interval or a test by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._numbers import percent, pvalue, rate, span
from informed.documents.blocks import Section, drawing, listing_of
from informed.documents.charts.forest import Row, forest
from informed.documents.document import Document, drafted
from informed.documents.paging import page_of
from informed.inference.answers import Interval, Test
from informed.results import Note


@page_of(Interval)
def interval_page(i: Interval) -> Document:
    """The estimate and its limits, as a forest of one row or of a stack."""
    name, held = i.measure or "estimate", i.records()
    each = list(zip(held["estimate"], held["low"], held["high"], strict=True))
    how = f"{percent(i.level)} interval, {i.method}"
    if len(each) == 1:
        answer = f"{name} {rate(each[0][0])} {span(*each[0][1:])} ({how})"
    else:
        answer = f"{name} of {len(each):,} tables ({how})"

    rows = [
        Row(f"{name} {n}" if len(each) > 1 else name, value, low, high, said=rate(value))
        for n, (value, low, high) in enumerate(each)
    ]
    title = f"{name} with its {i.method} interval"
    drawn = drawing(title, lambda: forest(rows, title))
    section = Section("interval", "The interval", (drawn, listing_of(held, title)))
    made = drafted(f"Interval of {name}", answer, (section,), (), i.notes, i.to_dict())
    return replace(made, records=held)


@page_of(Test)
def test_page(test: Test) -> Document:
    """The p-value, and what it is evidence against."""
    held = test.records()
    if np.ndim(test.pvalue):
        answer = f"{test.method} test of {len(held):,} tables: {test.hypothesis}"
    else:
        answer = f"p {pvalue(float(test.pvalue))} ({test.method}): {test.hypothesis}"
    section = Section("test", "The test", (listing_of(held, f"Test: {test.method}"),))
    notes = test.notes
    if test.calibration:
        notes = (Note(test.calibration, code="calibration"), *notes)
    made = drafted("Test", answer, (section,), (), notes, test.to_dict())
    return replace(made, records=held)
