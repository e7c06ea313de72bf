"""Raters and judges as a page: agreement by every name, and the rate behind noisy verdicts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from informed._numbers import percent, probability, pvalue_text, rate, signed, span
from informed.documents.blocks import Block, Grid, Range, Section, Words, columns, drawing, label
from informed.documents.charts.forest import Row, differences, differing, estimated, forest
from informed.documents.document import Document, drafted
from informed.documents.pages.comparison import gap_range, spread
from informed.documents.paging import page_of
from informed.summary.parts import Estimate
from informed.systems.judge import Judged
from informed.systems.raters import Agreement, Coefficient

MOST_RATERS = 12  # whose informedness about each other is shown


# ---------------------------------------------------------------------- raters


@page_of(Agreement)
def agreement_page(found: Agreement, *, versus: Agreement | None = None, key: str = "") -> Document:
    """Every coefficient with its interval, and each rater against the others.

    `versus` are other raters on the same items, whose agreement is compared with this."""
    main = found["krippendorff"]
    answer = (
        f"{len(found.raters)} raters agree {rate(main.estimate)} {span(main.low, main.high)} "
        f"beyond chance (Krippendorff's alpha, {found.disagreement}), "
        f"{probability(main.pvalue)}, on {found.items:,} items"
    )
    each = list(found.coefficients.values())
    reasons = tuple(f"{c.name} is undefined: {c.why}." for c in each if c.why)
    gaps = [] if versus is None else _gaps(found, versus)
    sections = [
        *([] if versus is None else [_versus(gaps, found, versus, f"{key}versus")]),
        _coefficients(each, found.level, f"{key}coefficients"),
        _against_rest(found, f"{key}rest"),
    ]
    if len(found.raters) <= MOST_RATERS:
        sections.append(_each_other(found, f"{key}each-other"))
    data = {
        "raters": list(found.raters),
        "labels": list(found.labels),
        "n": found.items,
        "level": found.level,
        "weights": found.disagreement,
        "coefficients": {c.name: _record(c) for c in each},
        "informedness": found.informedness.estimate,
        "markedness": found.markedness.estimate,
        "against_rest": {
            str(rater): {
                "informedness": c.estimate,
                "low": c.low,
                "high": c.high,
                "markedness": found.markedness_against_rest[rater].estimate,
            }
            for rater, c in found.against_rest.items()
        },
    }
    if gaps:
        data["versus"] = {name: _record(gap) for name, gap in gaps}
        main = dict(gaps).get("krippendorff", gaps[0][1])
        answer += (
            f"; {rate(abs(main.estimate))} {'more' if main.estimate >= 0 else 'less'} than "
            f"{_named(versus)} do, {probability(main.pvalue)}"
        )
    return drafted(
        f"Agreement of {len(found.raters)} raters",
        answer,
        tuple(sections),
        (),
        (*found.notes, *reasons),
        data,
    )


def _named(found: Agreement | None) -> str:
    return "" if found is None else " and ".join(label(x) for x in found.raters)


def _gaps(found: Agreement, other: Agreement) -> list[tuple[str, Coefficient]]:
    """How much more these raters agree, by every coefficient that both have."""
    return [
        (name, found.minus(other, name))
        for name, c in found.coefficients.items()
        if name in other.coefficients and not c.why and not other[name].why
    ]


def _versus(
    gaps: list[tuple[str, Coefficient]], found: Agreement, other: Agreement, key: str
) -> Section:
    ticks = spread([(c.low, c.estimate, c.high) for _, c in gaps])
    rows = tuple(
        (
            name,
            rate(found[name].estimate),
            rate(other[name].estimate),
            *(signed(x) for x in (c.estimate, c.low, c.high)),
            pvalue_text(c.pvalue),
            gap_range(c.low, c.estimate, c.high, ticks),
        )
        for name, c in gaps
    )
    head = columns(
        "coefficient", "these", "the others", "difference", "low", "high", "p", "picture"
    )
    title = f"{_named(found)} against {_named(other)}, on the same items"
    drawn = [
        differing(
            name,
            c.estimate,
            c.low,
            c.high,
            int(np.sign(c.estimate)) if c.pvalue < 1 - c.level else 0,
            probability(c.pvalue),
        )
        for name, c in gaps
    ]
    blocks: tuple[Block, ...] = (
        drawing(title, differences(drawn, title), caption=True),
        Grid(title, head, rows, "versus"),
    )
    return Section(key, "Two agreements", blocks)


def _record(c: Coefficient) -> dict[str, Any]:
    return {
        "estimate": c.estimate,
        "low": c.low,
        "high": c.high,
        "p": c.pvalue,
        "observed": c.observed,
        "chance": c.chance,
        "method": c.method,
        "why": c.why,
    }


def _estimate(name: str, c: Coefficient) -> Estimate:
    chance = math.nan if c.name == "percent" else 0.0
    return Estimate(name, name, c.estimate, chance, c.low, c.high, c.level, c.method)


def _range(c: Coefficient) -> Range | str:
    if math.isnan(c.estimate):
        return ""
    return Range(c.low, c.estimate, c.high, 0.0, -1.0 if min(c.low, c.estimate) < 0 else 0.0)


def _coefficients(each: list[Coefficient], level: float, key: str) -> Section:
    rows = tuple(
        (
            c.name,
            *(rate(x) for x in (c.estimate, c.low, c.high, c.observed, c.chance)),
            pvalue_text(c.pvalue),
            _range(c),
        )
        for c in each
    )
    head = columns("coefficient", "estimate", "low", "high", "observed", "chance", "p", "picture")
    drawn = [estimated(c.name, _estimate(c.name, c)) for c in each]
    title = "Coefficients of agreement"
    caption = f"Agreement beyond chance, with {percent(level)} intervals"
    blocks: tuple[Block, ...] = (
        drawing(title, forest(drawn, title), caption=True),
        Grid(caption, head, rows, "coefficients"),
    )
    return Section(key, "Coefficients", blocks)


def _against_rest(found: Agreement, key: str) -> Section:
    other = found.markedness_against_rest
    rows = tuple(
        (
            label(rater, 40),
            *(rate(x) for x in (b.estimate, b.low, b.high)),
            *(rate(x) for x in (other[rater].estimate, other[rater].low, other[rater].high)),
        )
        for rater, b in found.against_rest.items()
    )
    head = columns("against the others", "informedness", "low", "high", "markedness", "low", "high")
    drawn = [
        estimated(label(rater, 22), _estimate(str(rater), c))
        for rater, c in found.against_rest.items()
    ]
    title = "Informedness of each rater about what the others say"
    blocks: tuple[Block, ...] = (
        drawing(title, forest(drawn, title), caption=True),
        Grid("What each rater says of a random other one", head, rows, "rest"),
    )
    return Section(key, "Each against the others", blocks)


def _each_other(found: Agreement, key: str) -> Section:
    names = [label(rater, 16) for rater in found.raters]
    blocks = []
    for what, held in (("Informedness", found.informedness), ("Markedness", found.markedness)):
        values = np.asarray(held.estimate)
        rows = tuple(
            (name, *("" if i == j else rate(float(values[i, j])) for j in range(len(names))))
            for i, name in enumerate(names)
        )
        caption = f"{what} of the rater in the row, as if the one in the column were right"
        blocks.append(Grid(caption, columns("rater", *names), rows, what.lower()))
    return Section(key, "Every two raters", tuple(blocks))


# ---------------------------------------------------------------------- judges


@page_of(Judged)
def judged_page(found: Judged, *, reach: float | None = None, key: str = "") -> Document:
    """The true rate behind a judge's verdicts."""
    own = found.informedness
    each = _rates(found)
    if len(found.labels) == 2:
        name, apparent, value, low, high = each[0]
        answer = (
            f"The true rate of {label(name, 40)} is {rate(value)} {span(low, high)}, where the "
            f"judge says {rate(apparent)}"
        )
    else:
        answer = "The true rates are " + ", ".join(
            f"{label(name, 40)} {rate(value)}" for name, _, value, _, _ in each
        )
    answer += f"; its informedness is {rate(own.estimate)} {span(own.low, own.high)}"
    data: dict[str, Any] = {
        "rates": {
            str(name): {"apparent": a, "estimate": x, "low": low, "high": high}
            for name, a, x, low, high in each
        },
        "n": found.n,
        "level": found.level,
        "method": found.method,
        "informedness": {"value": own.estimate, "low": own.low, "high": own.high},
        "condition": found.condition,
    }
    sections = [_rates_section(found, each, f"{key}rates"), _judge_section(found, f"{key}judge")]
    if reach is not None:
        needed = found.labels_needed(reach)
        words = (
            f"For ±{reach:g}, {needed.same_mix:,} calibration labels in this mix are needed, or "
            f"{needed.best_mix:,} with {percent(needed.best_positive_share)} positive ones."
        )
        sections.append(Section(f"{key}labels", "Labels needed", (Words(words),)))
        data["labels_needed"] = {
            "same_mix": needed.same_mix,
            "best_mix": needed.best_mix,
            "best_positive_share": needed.best_positive_share,
        }
    return drafted(
        "The rate behind a judge's verdicts", answer, tuple(sections), (), found.notes, data
    )


def _rates(found: Judged) -> list[tuple[Any, float, float, float, float]]:
    if len(found.labels) == 2:
        apparent, value, low, high = (
            float(x) for x in (found.apparent, found.estimate, found.low, found.high)
        )
        return [(found.positive, apparent, value, low, high)]
    return [
        (name, float(a), float(x), float(low), float(high))
        for name, a, x, low, high in zip(
            found.labels, found.apparent, found.estimate, found.low, found.high, strict=True
        )
    ]


def _rates_section(
    found: Judged, each: list[tuple[Any, float, float, float, float]], key: str
) -> Section:
    rows = []
    for name, apparent, value, low, high in each:
        who = label(name, 14)
        rows.append(Row(f"{who}, said", apparent, said=rate(apparent)))
        rows.append(Row(f"{who}, true", value, low, high, int(low > 0), said=rate(value)))
    title = "What the judge says, and the rates behind it"
    drawn = drawing(title, forest(rows, title), caption=True)
    grid = Grid(
        f"Rates with {percent(found.level)} intervals that carry both uncertainties",
        columns("label", "apparent", "true rate", "low", "high", "picture"),
        tuple(
            (label(name, 40), rate(a), rate(x), rate(low), rate(high), Range(low, x, high, a))
            for name, a, x, low, high in each
        ),
        "rates",
    )
    return Section(key, "Rates", (drawn, grid))


def _judge_section(found: Judged, key: str) -> Section:
    own = found.informedness
    rows = (
        ("informedness", f"{rate(own.estimate)} {span(own.low, own.high)}"),
        ("errors grow by (1/B)", f"{found.amplification:.2f}"),
        ("condition of the matrix", f"{found.condition:.3g}"),
        ("new cases", "taken as exact" if found.n is None else f"{found.n:,g}"),
    )
    grid = Grid("The judge on its calibration", columns("", "value"), rows, "judge")
    return Section(key, "The judge", (grid,))
