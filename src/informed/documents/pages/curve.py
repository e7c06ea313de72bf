"""A curve as a page: its threshold with a slider, its costs, and when to give no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from informed.decisions.chosen import Chosen, chosen
from informed.decisions.curve import Curve
from informed.decisions.threshold import Choice
from informed.documents.blocks import Words
from informed.documents.document import Document
from informed.documents.pages.decisions import (
    chosen_grids,
    cost_section,
    mark,
    plane,
    reject_section,
    threshold_section,
)
from informed.documents.paging import page_of, plain_page
from informed.documents.terms import Spoken
from informed.measures.terms import spoken_in
from informed.results import Note


@page_of(Curve)
def curve_page(
    curve: Curve,
    *,
    choice: Choice | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    price: float | None = None,
    title: str = "ROC",
) -> Document:
    """The page of a curve with what `informed.threshold` found, by default by cost where a cost or
    a prevalence is given, else by informedness. `price` is that of a case without an answer.

    Where there is nothing to tell apart, it says so.
    """
    if curve.why and choice is None:
        why = f"There is no threshold to choose: {curve.why}."
        return replace(plain_page(curve), title=title, answer=why)
    made = chosen(curve, choice, cost=cost, prevalence=prevalence, price=price)
    return chosen_page(made, title=title)


@page_of(Chosen)
def chosen_page(made: Chosen, *, title: str = "ROC") -> Document:
    """The page of a curve with what was chosen on it."""
    hull = Note(
        f"{made.curve.hull().sentence()} Its corners were chosen on these cases, so that this is "
        "more than new cases will give.",
        code="hull",
    )
    sections = threshold_section(made), cost_section(made), reject_section(made)
    steps = () if made.costs is not None else ("if a miss costs more than a false alarm, say how much: `cost='5:1'`.",)
    glance = () if made.reject is None else (Words(made.reject.sentence()), *chosen_grids(made.choice))
    return Document.of(made, title, *sections, notes=(*made.notes, hull), steps=steps, glance=glance)


def curve_svg(made: Chosen, terms: str = "informed") -> str:
    """The ROC plane as a file of its own: curve, hull, band, line of equal cost, chosen point."""
    choice = made.choice
    point = replace(mark(choice), name=choice.words)
    slope = 1.0 if choice.c is None else choice.c
    drawn = plane(made.curve, [point], slope=slope, level=choice.level)
    said = Spoken(spoken_in(terms)).chart(drawn)
    return said.file() if said else ""
