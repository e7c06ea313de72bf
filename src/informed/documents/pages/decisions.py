"""Sections about decisions that a report or a page of their own can hold.

`threshold_section` is what a page says of a score: the chosen threshold and its worth, and a slider
that shows the table and its measures at every other one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from informed._numbers import count, of_many, percent, plural, rate
from informed.decisions.chosen import Chosen, Stops
from informed.decisions.costs import CostCurve, DecisionCurve
from informed.decisions.curve import Curve
from informed.decisions.forecast import as_probabilities
from informed.decisions.rejection import Market, RejectCurve
from informed.decisions.threshold import Choice
from informed.documents.blocks import (
    Block,
    Drawing,
    Grid,
    Section,
    Words,
    cross,
    drawing,
    glimpse,
    grid_of,
    listing_of,
    place_of_positive,
)
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import curve as lines
from informed.documents.charts.curves import reaching, shares
from informed.documents.charts.marks import Bands, Lines, Moving
from informed.documents.charts.plane import PlanePoint, roc_plane
from informed.documents.charts.slider import moving, slider
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.labels import text as said_label
from informed.evidence.shown import shown as label
from informed.measures import find
from informed.results import Field, Records, Result
from informed.summary.measure_names import with_titles

ROWS = 9  # thresholds that are written out
COVERAGES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)  # that are written out
COVERED = {
    "coverage": "coverage",
    "informedness": "of the answers",
    "informedness_of_all": "of all cases",
    "lower": "answered below",
    "upper": "and from",
}
COSTS = {
    "apparent": "this threshold, on these cases",
    "expected_cost": "this threshold, on new cases",
    "low": "lower confidence limit",
    "high": "upper confidence limit",
    "chance": "guessing as often",
    "constant": "always the cheaper label",
    "label": "which is",
}
WORTH = {"apparent": "on these cases", "corrected": "on new cases"}


def threshold_section(made: Chosen, *, key: str = "threshold") -> Section:
    """The threshold: what was chosen, what it is worth, and a slider over all others.

    `key` is the section's id in a page.
    """
    choice, curve, stops = made.choice, made.curve, made.stops
    said = (
        f"{_sentence(choice)} {plural(curve.positives, curve.thing)} of {said_label(curve.positive)}, "
        f"{count(curve.negatives)} of {said_label(curve.negative)}."
    )
    others = _others(made)
    return Section(
        key,
        "The threshold",
        (
            Words(said, "note"),
            *_pictures(made, key),
            Drawing("Slider over the thresholds", lambda _: _slider(curve, stops, others, f"{key}-cut")),
            *chosen_grids(choice),
            grid_of(made.methods, "Other methods, on these cases"),
            glimpse(others, ROWS),
            *_as_probabilities(made),
        ),
    )


def _as_probabilities(made: Chosen) -> tuple[Block, ...]:
    """A line on scores between 0 and 1."""
    said = as_probabilities(made.curve) if made.decision_curve is not None else ""
    return (Words(f"If scores are probabilities: {lowered(said)}", "note"),) if said else ()


def chosen_grids(choice: Choice) -> tuple[Grid, Grid]:
    """What a threshold is worth, and its counts."""
    units = choice.table.units
    caption = f"What it is worth ({choice.n_draws} resamples of the {of_many('case' if units is None else units.name)})"
    names = ("measure", "apparent", "optimism", "corrected")
    worth = grid_of(with_titles(choice.records()), caption, *names, titles=WORTH)
    t, said = choice.table, "Counts at this threshold (rows: predicted, columns: real)"
    place = place_of_positive(t)
    return worth, cross(said, "predicted \\ real", t.labels, t.labels, t.counts, count, positive=place)


def _sentence(choice: Choice) -> str:
    return (
        f"Threshold {choice.threshold + 0.0:.6g} by the method {choice.method}; resampling puts it "
        f"between {choice.low + 0.0:.6g} and {choice.high + 0.0:.6g} ({percent(choice.level)})."
    )


# ---------------------------------------------------------------------- other thresholds


def _others(made: Chosen) -> Grid:
    """Every stop of the slider; the first threshold calls nothing positive."""
    held = made.stops.records
    said = made.money
    said = said if isinstance(said, str) else ":".join(f"{x:g}" for x in np.atleast_1d(said))
    heads = {name: find(name).facts.title for name in held.names[1:-1]}
    heads["expected_cost"] = f"cost a case at {said}"
    cuts = zip(made.stops.positions.tolist(), held["threshold"], strict=True)
    named = ["none" if i == 0 else "all" if x == -math.inf else f"{x + 0.0:.6g}" for i, x in cuts]
    rows = tuple((name, *row[1:]) for name, row in zip(named, held.rows, strict=True))
    shown = Records((Field("threshold", "words"), *held.columns[1:]), rows)
    return grid_of(shown, "Other thresholds, on these cases", titles=heads)


def _slider(curve: Curve, stops: Stops, others: Grid, id_: str) -> str:
    """The slider, the measures, and the table that it makes."""
    name = f"Call {label(curve.positive)} where score ≥"
    there, start = stops.tables, stops.start
    heads = "".join(f'<th scope="col" class="r">{escape(label(x))}</th>' for x in there.labels)
    rows = []
    for i, x in enumerate(there.labels):
        cells = "".join(
            f'<td class="r">{moving(id_, list(map(count, there.counts[:, i, j].tolist())), start)}</td>'
            for j in range(len(there.labels))
        )
        rows.append(f'<tr><th scope="row">{escape(label(x))}</th>{cells}</tr>')
    table = (
        '<table aria-label="Counts at this threshold"><thead><tr><th scope="col">predicted '
        f"\\ real</th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    said, *shown = (list(map(str, column)) for column in zip(*others.rows, strict=True))
    readout = {c.title: x for c, x in zip(others.columns[1:], shown, strict=True)}
    return slider(id_, name, said, start, readout, table)


# ---------------------------------------------------------------------- the plane


def mark(found: Choice, role: str = "dot") -> PlanePoint:
    """A choice as a point of the plane."""
    return PlanePoint(found.method, found["fallout"].apparent, found["recall"].apparent, role=role)


def plane(
    curve: Curve,
    points: Sequence[PlanePoint],
    *,
    slope: float = 1.0,
    level: float = 0.95,
    cases: bool = False,
    follows: Moving | None = None,
) -> Chart | None:
    """A curve with its hull, its band at this level and points on it, the chosen one first."""
    if curve.why:
        return None
    hull, b = curve.hull(), curve.band(level)
    title = "True against false positives in cases (the PN plane)"
    return roc_plane(
        title if cases else "Recall against fallout at every threshold (the ROC plane)",
        points=points,
        curves=(Lines(hull.fallout, hull.recall, "hull", "convex hull"), Lines(curve.fallout, curve.recall)),
        band=Bands(b.fallout, b.low, b.high, name=f"{100 * level:g} % band of the curve"),
        equal_cost=(slope, f"equal cost, c = {slope:.3g}"),
        of=curve.positive,
        sizes=(curve.negatives, curve.positives),
        cases=cases,
        follows=follows,
        words=f"Area {rate(curve.auc)}.",
    )


def _pictures(made: Chosen, key: str) -> list[Block]:
    curve, choice, at = made.curve, made.choice, made.stops.positions
    follows = Moving(f"{key}-cut", curve.fallout[at], made.stops.start, curve.recall[at], "ring moving")
    how: dict[str, Any] = {
        "points": [mark(choice), *(mark(found, "ring") for found in made.others.values())],
        "slope": 1.0 if choice.c is None else choice.c,
        "level": choice.level,
        "follows": follows,
    }
    return [
        drawing("ROC plane", lambda: plane(curve, **how)),
        drawing("PN plane", lambda: plane(curve, cases=True, **how)),
    ]


# ---------------------------------------------------------------------- costs


def cost_section(made: Chosen, *, key: str = "costs") -> Section:
    """What the choice costs, and the cost curve and the decision curve of the score."""
    blocks: list[Block] = []
    if made.costs is not None:
        level = percent(made.costs.level)
        said = f"Expected cost per case at {made.costs.cost} ({level} confidence limits, corrected for the choice)"
        blocks.append(listing_of(made.costs.records().select(*COSTS), said, titles=COSTS))
    costs, benefit = made.cost_curve, made.decision_curve
    blocks.append(drawing("Cost curve", lambda: cost_picture(costs, made.choice)))
    if benefit is not None:
        blocks.append(drawing("Decision curve", lambda: benefit_picture(benefit)))
    blocks.append(Words(costs.sentence(), "note"))
    if benefit is not None:
        blocks.append(Words(f"If scores are probabilities: {lowered(benefit.sentence())}", "note"))
    return Section(key, "Costs", tuple(blocks))


def lowered(said: str) -> str:
    return said[:1].lower() + said[1:]


def cost_picture(costs: CostCurve, choice: Choice | None) -> Chart | None:
    """Cost against the weight of the positives, and of the choice throughout."""
    series = [
        Lines(costs.weight, costs.normalised_cost, "curve s1", "best threshold for each weight"),
        Lines(costs.weight, costs.trivial, "curve s3", "always the cheaper answer"),
    ]
    if choice is not None:
        miss, fall = 1 - choice["recall"].apparent, choice["fallout"].apparent
        fixed = miss * costs.weight + fall * (1 - costs.weight)
        series.append(Lines(costs.weight, fixed, "curve s2", "the chosen threshold throughout"))
    c = None if choice is None else choice.c
    return lines(
        series,
        title="Cost curve",
        words=f"Cost against the weight of the positives; mean {rate(costs.area)}.",
        across=shares("weight of the positives, 1/(1 + c)"),
        up=reaching(series, title="cost", high=0.5),
        here=None if c is None else {"yours": 1 / (1 + c)},
        head="Cost curve",
    )


def benefit_picture(benefit: DecisionCurve) -> Chart | None:
    """Net benefit against the threshold probability."""
    most = float(np.max(benefit.model))
    x, always = benefit.probabilities, np.maximum(benefit.everyone, -0.25 * most)
    series = [
        Lines(x, benefit.model, "curve s1", "acting where score ≥ p"),
        Lines(x, always, "curve s3", "acting always"),
        Lines(x, benefit.nobody, "curve s4", "acting never"),
    ]
    return lines(
        series,
        title="Decision curve",
        words=benefit.sentence(),
        across=shares("threshold probability p"),
        up=reaching(series, title="net benefit", low=min(-0.25 * most, 0.0)),
        head="Decision curve",
    )


# ---------------------------------------------------------------------- no answer


def reject_section(made: Chosen, *, key: str = "abstain") -> Section:
    """What leaving the least sure cases without an answer brings (Chow), by coverage."""
    found, held = made.coverage, made.coverage.records()
    shown = replace(held, rows=tuple(held.rows[i] for i in dict.fromkeys(map(found.at, COVERAGES))))
    caption = "Informedness by coverage, the surest cases first"
    blocks: list[Block] = [] if made.reject is None else [Words(made.reject.sentence())]
    blocks += [
        drawing("Coverage and informedness", lambda: coverage_picture(found)),
        grid_of(shown, caption, *COVERED, "price", titles=COVERED),
        Words(
            "Leaving a case out pays where no answer costs less than the price. These thresholds "
            "were chosen on these cases, so that new cases will give a little less.",
            "note",
        ),
    ]
    return Section(key, "When to give no answer", tuple(blocks))


def coverage_picture(found: RejectCurve) -> Chart | None:
    """Informedness against coverage, of the answers and over all cases."""
    series = [
        Lines(found.coverage, found.informedness, "curve s1", "of the answered cases"),
        Lines(found.coverage, found.of_all, "curve s3", "over all cases"),
    ]
    return lines(
        series,
        title="Informedness against coverage",
        words="; ".join(
            f"coverage {percent(found.coverage[i])}: {rate(float(found.informedness[i]))}"
            for i in dict.fromkeys(map(found.at, (0.5, 0.8, 0.9, 1.0)))
        ),
        across=shares("coverage: share of the cases that get an answer", percent),
        up=reaching(series, title="informedness", high=1.0),
        head="Informedness against coverage",
    )


def label_section(found: Market, *, key: str = "market") -> Section:
    """Which labels are better not used: B(l) < 0."""
    heads = {"low": f"low, {percent(found.level)}, all at once"}
    grid = glimpse(grid_of(found.records(), "Labels, the least informed first", titles=heads))
    notes = (Words(note.text, "note") for note in found.notes)
    return Section(key, "When to stay out of the market", (Words(found.sentence()), *notes, grid))


# ---------------------------------------------------------------------- pages of their own


@page_of(Choice)
def choice_page(choice: Choice) -> Document:
    """A threshold and what it is worth."""
    blocks = (Words(_sentence(choice), "note"), *chosen_grids(choice))
    return Document.of(choice, "Threshold", Section("choice", "The choice", blocks))


@page_of(CostCurve)
def cost_curve_page(found: CostCurve) -> Document:
    """What a case costs at every mix of classes and costs."""
    return _pictured(found, "Cost curve", lambda: cost_picture(found, None))


@page_of(DecisionCurve)
def decision_curve_page(found: DecisionCurve) -> Document:
    """The net benefit at every threshold probability."""
    return _pictured(found, "Decision curve", lambda: benefit_picture(found))


@page_of(RejectCurve)
def reject_curve_page(found: RejectCurve) -> Document:
    """What leaving the doubtful cases without an answer gains."""
    return _pictured(found, "Coverage", lambda: coverage_picture(found))


def _pictured(found: Result, title: str, draw: Callable[[], Chart | None]) -> Document:
    grid = glimpse(grid_of(found.records(), f"{title}, point by point"), ROWS)
    return Document.of(found, title, Section("curve", title, (drawing(title, draw), grid)))
