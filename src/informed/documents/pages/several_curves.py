"""Several curves beside each other, as a page."""

from __future__ import annotations

from dataclasses import replace

from informed._numbers import rate
from informed.decisions.several import Several
from informed.documents.blocks import Section, drawing, glimpse, grid_of, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Lines
from informed.documents.charts.plane import roc_plane
from informed.documents.document import Document
from informed.documents.pages.decisions import threshold_section
from informed.documents.paging import page_of
from informed.documents.terms import Spoken
from informed.measures.terms import spoken_in

MOST = 8  # curves that a picture holds
OWN = 4  # curves that get a section of their own
SHOWN = 60  # differences that are read at a glance

COSTS = {
    "cost_apparent": "cost here",
    "expected_cost": "cost of new cases",
    "expected_cost_low": "low",
    "expected_cost_high": "high",
}


@page_of(Several)
def several_page(made: Several, *, title: str = "Curves") -> Document:
    """All curves, their differences, and each curve's threshold."""
    counted = next((f"{curve.thing}s" for curve in made.curves.values()), "cases")
    heads = {"name": "curve", "cases": counted, "auc": "AUC", "corrected": "on new cases", **COSTS}
    areas = grid_of(made.records(), "Areas and chosen thresholds", titles=heads)
    parts = [Section("curves", "The curves", (drawing("ROC plane", _overlay(made)), areas))]
    if made.found:
        parts.append(_differences(made))
    for i, name in enumerate(made.ranked[:OWN]):
        own = threshold_section(made.chosen[name], key=f"curve-{i}")
        parts.append(replace(own, title=f"The threshold: {label(name)}"))

    return Document.of(made, title, *parts)


def _differences(made: Several) -> Section:
    how = "paired: the same cases" if made.paired else "unpaired: different cases"
    heads = {"estimate": "a − b", "pvalue": "p", "adjusted": "p, adjusted"}
    names = ("a", "b", "estimate", "low", "high", "pvalue", "adjusted")
    clustered = any(x.method.startswith("obuchowski") for x in made.found.values())
    whose = "Obuchowski's test for clustered cases" if clustered else "DeLong's test"
    caption = f"Areas, {whose}, {how}"
    grid = grid_of(made.differences, caption, *names, titles=heads)
    return Section("differences", "Their differences", (glimpse(grid, SHOWN),))


def several_svg(made: Several, terms: str = "informed") -> str:
    """The plane with all curves as a file of its own."""
    chart = Spoken(spoken_in(terms, map(str, made.curves))).chart(_overlay(made))
    return chart.file() if chart else ""


def _overlay(made: Several) -> Chart | None:
    """The first curves in one plane, the best area first."""
    if not made.ranked:
        return None
    held = {label(name, 16): made.curves[name] for name in made.ranked[:MOST]}
    areas = [f"{name} {rate(c.auc)}" for name, c in held.items()]
    curves = [
        Lines(c.fallout, c.recall, f"curve o{i % 8 + 1}", said)
        for i, (said, c) in enumerate(zip(areas, held.values(), strict=True))
    ]
    return roc_plane(
        "Recall against fallout of each curve",
        curves=curves,
        of=made.curves[made.ranked[0]].positive,
        legend_right=True,
        words=f"Areas: {'; '.join(areas)}.",
    )
