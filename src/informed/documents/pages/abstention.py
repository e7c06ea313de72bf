"""Silence as a page: coverage, what it costs, and risk against coverage."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._numbers import percent, rate
from informed.documents.blocks import Block, Grid, Section, Words, columns, drawing, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import Series, curve, unit
from informed.documents.charts.marks import scale
from informed.documents.document import Document, drafted
from informed.documents.paging import page_of
from informed.systems.risk_coverage import Abstention, RiskCoverage


@page_of(RiskCoverage)
def risk_page(found: RiskCoverage, *, name: str = "", key: str = "") -> Document:
    """What answering only the surest cases gains."""
    best = int(np.nanargmax(found.of_all))
    of = f" of {label(name, 40)}" if name else ""
    answer = (
        f"The risk{of} is {rate(found.risk[-1])} where all that can be is answered "
        f"({percent(float(found.coverage[-1]))}) and {rate(found.area)} on average over the "
        "coverages; informedness over all cases is highest "
        f"({rate(found.of_all[best])}) where scores of {found.best:g} and more are answered, "
        f"{percent(found.coverage[best])} of the cases"
    )
    most = float(found.coverage[-1])
    wanted = [int(np.argmax(found.coverage >= share * most - 1e-12)) for share in _COVERAGES]
    rows = tuple(
        (
            f"{found.thresholds[i]:g}",
            *(rate(float(x[i])) for x in _curves(found)),
        )
        for i in dict.fromkeys(wanted)
    )
    blocks: tuple[Block, ...] = (
        drawing("Risk–coverage curve", _risk(found), caption=True),
        Grid(
            "Answering only where the score is at least this",
            columns("score", "coverage", "risk", "informedness", "over all cases"),
            rows,
            "risk",
        ),
    )
    data = {
        "area": found.area,
        "best": found.best,
        "curve": [
            dict(zip(("coverage", "risk", "informedness", "of_all"), map(float, each), strict=True))
            for each in list(zip(*_curves(found), strict=True))[:: 1 + len(found.risk) // 1000]
        ],
    }
    title = f"Risk and coverage{of}"
    return drafted(title, answer, (Section(f"{key}risk", title, blocks),), (), (), data)


def _risk(found: RiskCoverage) -> Chart | None:
    """Risk and informedness against the share of cases that is answered."""
    best = int(np.nanargmax(found.of_all))
    series = [
        Series("informedness, answered", found.informedness, "curve s1"),
        Series("informedness, all cases", found.of_all, "curve s2"),
        Series("risk", found.risk, "curve s3"),
    ]
    return curve(
        found.coverage,
        series,
        title="Risk and informedness against coverage",
        words=f"Answering everything, the risk is {rate(found.risk[-1])} and the informedness "
        f"{rate(found.informedness[-1])}; over all cases informedness is highest, "
        f"{rate(found.of_all[best])}, with a coverage of {rate(found.coverage[best])}.",
        across=scale(
            0, 1, "coverage (share of cases answered)", at=(0, 0.25, 0.5, 0.75, 1), role=""
        ),
        up=unit(*(s.y for s in series)),
        here={"": float(found.coverage[best])},
    )


_COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def _curves(found: RiskCoverage) -> tuple[Any, Any, Any, Any]:
    return found.coverage, found.risk, found.informedness, found.of_all


@page_of(Abstention)
def abstention_page(found: Abstention, *, name: str = "", key: str = "") -> Document:
    """Coverage, informedness with and without its discounts, and the labels that lose."""
    of = f" of {label(name, 40)}" if name else ""
    held = (
        ("coverage", found.coverage),
        ("informedness of the answered", found.answered),
        ("times coverage", found.discounted),
        ("over all cases", found.of_all),
    )
    by = f" by {label(name, 40)}" if name else ""
    answer = (
        f"{percent(float(found.coverage.estimate))} of the cases are answered{by}, with an "
        f"informedness of {rate(found.answered.estimate)} there and "
        f"{rate(found.of_all.estimate)} over all cases"
    )
    losing = ", ".join(label(x) for x in found.stop)
    words = (
        f"Labels that lose as counted (B(l) < 0): {losing}; beyond luck: "
        f"{', '.join(label(x) for x in found.harmful) or 'none'}."
        if losing
        else "No label loses: each has an informedness of 0 or more."
    )
    rows = tuple((title, rate(i.estimate), rate(i.low), rate(i.high)) for title, i in held)
    blocks: tuple[Block, ...] = (
        Grid(
            "Silence, and what is left",
            columns("", "value", "low", "high"),
            rows,
            "abstention",
        ),
        Words(words),
    )
    data = {
        **{title: {"value": i.estimate, "low": i.low, "high": i.high} for title, i in held},
        "stop": list(found.stop),
        "harmful": list(found.harmful),
    }
    title = f"Abstention{of}"
    section = Section(f"{key}abstention", title, blocks)
    return drafted(title, answer, (section,), (), found.notes, data)
