"""Silence as a page: coverage, what it costs, and risk against coverage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._numbers import percent, rate, span
from informed.documents.blocks import Section, Words, drawing, grid_of, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import curve, shares, unit
from informed.documents.charts.marks import Lines
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.systems.risk_coverage import Abstention, RiskCoverage

COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # shown, as shares of the most that is answered


@page_of(RiskCoverage)
def risk_page(found: RiskCoverage, *, name: str = "", key: str = "") -> Document:
    """What answering only the surest cases gains."""
    best = int(np.nanargmax(found.of_all))
    of = f" of {label(name, 40)}" if name else ""
    most = float(found.coverage[-1])
    answer = (
        f"The risk{of} is {rate(found.risk[-1])} where all that can be is answered "
        f"({percent(most)}) and {rate(found.area.estimate)} {span(found.area.low, found.area.high)} on average over "
        f"the coverages; informedness "
        f"over all cases is highest ({rate(found.of_all[best])}) where scores of {found.best:g} "
        f"and more are answered, {percent(found.coverage[best])} of the cases"
    )

    held, title = found.records(), f"Risk and coverage{of}"
    wanted = dict.fromkeys(int(np.argmax(found.coverage >= share * most - 1e-12)) for share in COVERAGES)
    grid = grid_of(
        replace(held, rows=tuple(held.rows[i] for i in wanted)),
        "Answering only where the score is at least this",
        titles={"threshold": "score", "of_all": "over all cases"},
    )
    section = Section(f"{key}risk", title, (drawing("Risk–coverage curve", _risk(found), caption=True), grid))
    return Document.of(found, title, section, answer=answer)


def _risk(found: RiskCoverage) -> Chart | None:
    """Risk and informedness against the share of cases that is answered."""
    best = int(np.nanargmax(found.of_all))
    lines = [
        Lines(found.coverage, found.informedness, "curve s1", "informedness, answered"),
        Lines(found.coverage, found.of_all, "curve s2", "informedness, all cases"),
        Lines(found.coverage, found.risk, "curve s3", "risk"),
    ]
    return curve(
        lines,
        title="Risk and informedness against coverage",
        words=f"Answering everything, the risk is {rate(found.risk[-1])} and the informedness "
        f"{rate(found.informedness[-1])}; over all cases informedness is highest, "
        f"{rate(found.of_all[best])}, with a coverage of {rate(found.coverage[best])}.",
        across=shares("coverage (share of cases answered)"),
        up=unit(*(line.y for line in lines), title="risk, informedness"),
        here={"": float(found.coverage[best])},
    )


@page_of(Abstention)
def abstention_page(found: Abstention, *, name: str = "", key: str = "") -> Document:
    """Coverage, informedness with and without its discounts, and the labels that lose."""
    of, by = (f" {word} {label(name, 40)}" if name else "" for word in ("of", "by"))
    answer = (
        f"{percent(float(found.coverage.estimate))} of the cases are answered{by}, with an informedness of "
        f"{rate(found.answered.estimate)} there and {rate(found.of_all.estimate)} over all cases"
    )
    losing, sure = (", ".join(label(x) for x in held) for held in (found.stop, found.harmful))
    said = "No label loses: each has an informedness of 0 or more."
    if not found.coverage.estimate:
        said = "No label was used, and none can lose."
    elif losing:
        said = f"Labels that lose as counted (B(l) < 0): {losing}; beyond luck: {sure or 'none'}."

    heads = {"measure": "", "estimate": "value"}
    names = ("measure", "estimate", "low", "high")
    grid = grid_of(found.records(), "Silence, and what is left", *names, titles=heads)
    section = Section(f"{key}abstention", f"Abstention{of}", (grid, Words(said)))
    return Document.of(found, section.title, section, answer=answer)
