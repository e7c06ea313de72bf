"""Several curves beside each other: groups of cases, or several scores of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from informed._numbers import (
    bare_pvalue,
    count,
    percent,
    plural,
    pvalue,
    rate,
    signed,
    span,
)
from informed.decisions.curve import Curve
from informed.decisions.multiclass import AreaDifference, compare_curves
from informed.decisions.threshold import Choice
from informed.documents.blocks import Block, Grid, Section, Words, columns, drawing, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.plane import Path, roc_plane
from informed.documents.document import Document, opened
from informed.documents.pages.decisions import threshold_section
from informed.systems.multiplicity import adjusted

MOST = 8  # curves that a picture holds
OWN = 4  # curves that get a section of their own
SHOWN = 60  # differences that are written out


@dataclass(frozen=True)
class Several:
    """Curves by name, what was chosen on each, and how their areas differ."""

    curves: Mapping[Any, Curve]
    choices: Mapping[Any, Choice]  # of the curves that have an area
    differences: Mapping[tuple[Any, Any], AreaDifference]
    paired: bool
    level: float
    cost: Any = None
    prevalence: float | None = None

    @property
    def pvalues(self) -> dict[tuple[Any, Any], float]:
        """Adjusted for their number (Holm)."""
        found = adjusted([d.pvalue for d in self.differences.values()])
        return dict(zip(self.differences, found.tolist(), strict=True))


def unpaired(
    curves: Mapping[Any, Curve],
    choose: Callable[[Curve], Choice],
    level: float,
    **money: Any,
) -> Several:
    """Curves of different cases."""
    good = {name: curve for name, curve in curves.items() if not curve.why}
    found = {(a, b): compare_curves(good[a], good[b], level) for a, b in combinations(good, 2)}
    chosen = {name: choose(curve) for name, curve in good.items()}
    return Several(curves, chosen, found, False, level, **money)


def several_page(made: Several, *, title: str = "Curves") -> Document:
    """The page of several curves."""
    return opened(title, several_sections(made), several_data(made))


def several_sections(made: Several) -> tuple[Section, ...]:
    """The answer, all curves, their differences, and each curve's threshold."""
    ranked = sorted(made.choices, key=lambda x: -made.curves[x].auc)
    blocks: list[Block] = [
        drawing("ROC plane", _overlay(made)),
        _areas(made, ranked),
    ]
    gone = [x for x in made.curves if x not in made.choices]
    if gone:
        said = "; ".join(f"{label(x)}: {made.curves[x].why}" for x in gone[:10])
        blocks.append(Words(f"Without an area: {said}.", "note"))
    parts = [
        Section("answer", "The answer", (Words(_answer(made, ranked), "answer"), *_warned(made))),
        Section("curves", "The curves", tuple(blocks)),
    ]
    if made.differences:
        parts.append(Section("differences", "Their differences", tuple(_differences(made))))
    for i, name in enumerate(ranked[:OWN]):
        money: dict[str, Any] = {"cost": made.cost, "prevalence": made.prevalence}
        own = threshold_section(made.curves[name], made.choices[name], key=f"curve-{i}", **money)
        parts.append(Section(own.key, f"The threshold: {label(name)}", own.blocks))
    return tuple(parts)


def _answer(made: Several, ranked: list[Any]) -> str:
    what = "scores of the same cases" if made.paired else "groups"
    if not ranked:
        return f"None of {plural(len(made.curves), 'curve')} has an area: a class is missing."
    best = made.curves[ranked[0]]
    said = (
        f"Of {len(made.curves)} {what}, {label(ranked[0])} has the largest area, {rate(best.auc)}"
    )
    if len(ranked) < 2:
        return f"{said}."
    last = made.curves[ranked[-1]]
    p = made.pvalues
    sure = sum(x < 1 - made.level for x in p.values())
    return (
        f"{said}, and {label(ranked[-1])} the smallest, {rate(last.auc)}; {sure} of "
        f"{plural(len(p), 'difference')} {'is' if sure == 1 else 'are'} beyond luck at "
        f"{percent(made.level)}, all tests together."
    )


def _warned(made: Several) -> list[Words]:
    low = [label(x) for x in made.choices if made.curves[x].interval(made.level).high < 0.5]
    if not low:
        return []
    return [Words(f"Below 1/2: {', '.join(low[:10])}. Reverse the labels or the score.", "warning")]


def _areas(made: Several, ranked: list[Any]) -> Grid:
    rows = []
    for name in ranked:
        curve, choice = made.curves[name], made.choices[name]
        i = curve.interval(made.level)
        b = choice["informedness"]
        rows.append(
            (
                label(name),
                count(curve.positives + curve.negatives),
                rate(curve.prevalence),
                f"{rate(curve.auc)} {span(float(i.low), float(i.high))}",
                f"{choice.threshold:.6g}",
                rate(b.apparent),
                rate(b.corrected),
            )
        )
    heads = ("curve", "cases", "prevalence", "AUC", "threshold", "informedness", "on new cases")
    return Grid("Areas and chosen thresholds", columns(*heads), tuple(rows), "groups")


def _differences(made: Several) -> list[Block]:
    p = made.pvalues
    ranked = sorted(made.differences, key=lambda pair: np.nan_to_num(p[pair], nan=2.0))
    rows = []
    for pair in ranked[:SHOWN]:
        d = made.differences[pair]
        rows.append(
            (
                f"{label(pair[0])} − {label(pair[1])}",
                f"{signed(d.estimate)} {span(d.low, d.high)}".strip(),
                bare_pvalue(d.pvalue),
                bare_pvalue(p[pair]),
            )
        )
    how = "paired: the same cases" if made.paired else "unpaired: different cases"
    heads = columns("areas", "difference", "p", "p, adjusted")
    said: list[Block] = [Grid(f"DeLong's test, {how}", heads, tuple(rows), "differences")]
    if len(ranked) > SHOWN:
        said.append(Words(f"{len(ranked) - SHOWN} more differences are not shown.", "note"))
    notes = dict.fromkeys(x for d in made.differences.values() for x in d.notes)
    said += [Words(x, "note") for x in notes]
    if len(p) == 1:
        said.append(Words(f"p {pvalue(next(iter(p.values())))}.", "note"))
    else:
        said.append(Words(f"p-values are adjusted for {len(p)} tests (Holm).", "note"))
    return said


def several_svg(made: Several) -> str:
    """The plane with all curves as a file of its own."""
    chart = _overlay(made)
    return chart.file() if chart else ""


def _overlay(made: Several) -> Chart | None:
    """The first curves in one plane, the best area first."""
    ranked = sorted(made.choices, key=lambda x: -made.curves[x].auc)[:MOST]
    if not ranked:
        return None
    held = {label(name, 16): made.curves[name] for name in ranked}
    areas = [f"{name} {rate(c.auc)}" for name, c in held.items()]
    curves = [
        Path(said, c.fallout, c.recall, f"curve o{i % 8 + 1}")
        for i, (said, c) in enumerate(zip(areas, held.values(), strict=True))
    ]
    return roc_plane(
        "Recall against fallout of each curve",
        curves=curves,
        of=made.curves[ranked[0]].positive,
        legend_right=True,
        words=f"Areas: {'; '.join(areas)}.",
    )


def several_data(made: Several) -> dict[str, Any]:
    """The same as plain data."""
    p = made.pvalues
    return {
        "paired": made.paired,
        "level": made.level,
        "curves": [_one(made, name) for name in made.curves],
        "differences": [
            {
                "a": a,
                "b": b,
                "estimate": d.estimate,
                "low": d.low,
                "high": d.high,
                "pvalue": d.pvalue,
                "adjusted": p[a, b],
                "method": d.method,
            }
            for (a, b), d in made.differences.items()
        ],
    }


def _one(made: Several, name: Any) -> dict[str, Any]:
    curve, choice = made.curves[name], made.choices.get(name)
    held = {"name": name, "positives": curve.positives, "negatives": curve.negatives}
    if choice is None:
        return {**held, "auc": None, "why": curve.why}
    i, b = curve.interval(made.level), choice["informedness"]
    return {
        **held,
        "auc": {"value": curve.auc, "low": i.low, "high": i.high, "method": i.method},
        "threshold": choice.threshold,
        "informedness": {"apparent": b.apparent, "corrected": b.corrected},
    }
