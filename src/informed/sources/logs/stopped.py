"""Runs that a rule ended: what may be said of them, although nobody fixed their size beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from informed._numbers import percent, rate, span
from informed.errors import InformedError
from informed.inference.watch import watch
from informed.inference.watch_words import name_of
from informed.sources.logs.scheduled import items_in
from informed.sources.logs.selection import Selection

FIXED = "Intervals and tests for a sample of fixed size do not hold for it."


def at_any_time(held: Selection, order: Sequence[str]) -> str:
    """The limits that are valid at every look, of informedness or else of the score, as a sentence or two."""
    marks = not held.closed
    items = items_in(held, order, marks=marks)
    answers = [list(x) if len(x) > 1 else x[0] for x in items.answers]
    try:
        if marks:
            found = watch(measure="score")
            found.update(score=answers)
        else:
            found = watch(labels=sorted(set(items.real), key=str))
            found.update(real=list(items.real), predicted=answers)
        limits = found.interval
    except InformedError:
        return FIXED
    if np.isnan(limits.low):
        return FIXED
    said = f"{name_of(found.settings)} {rate(float(limits.estimate))} {span(float(limits.low), float(limits.high))}"
    return f"{FIXED} Valid at every look ({percent(found.level)} confidence sequence): {said}."
