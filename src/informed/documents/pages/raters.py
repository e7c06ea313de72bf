"""Raters and judges as a page: agreement by every name, and the rate behind noisy verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from informed._numbers import percent, plural, probability, rate, span
from informed.documents.blocks import Block, Range, Section, Spanned, Words, cross, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import Row, forest, standing
from informed.documents.document import Document
from informed.documents.pages.comparison import gaps
from informed.documents.paging import page_of
from informed.results import Note, Records
from informed.systems.judge_elsewhere import JudgedElsewhere
from informed.systems.raters import AGREED, Agreement

MOST_RATERS = 12  # whose informedness about each other is shown


# ---------------------------------------------------------------------- raters


@page_of(Agreement)
def agreement_page(found: Agreement, *, versus: Agreement | None = None, key: str = "") -> Document:
    """Every coefficient with its interval, and each rater against the others.

    `versus` are other raters on the same items, whose agreement is compared with this."""
    main, sample = found["krippendorff"], _sample(found)
    answer = (
        f"{len(found.raters)} raters agree {rate(main.estimate)} {span(main.low, main.high)} beyond chance "
        f"(Krippendorff's alpha, {found.disagreement}), {probability(main.pvalue)}, on {sample}"
    )
    if main.why:
        answer = f"The agreement of {len(found.raters)} raters on {sample} beyond chance is undefined: {main.why}"
    sections = [_coefficients(found, f"{key}coefficients"), _against_rest(found, f"{key}rest")]
    if len(found.raters) <= MOST_RATERS:
        sections.append(_each_other(found, f"{key}each-other"))
    data = found.to_dict()

    if versus is not None and (held := found.versus_records(versus)):
        sections.insert(0, _versus(held, found, versus, f"{key}versus"))
        data["versus"] = held.by("coefficient")
        main_gap = next((x for x in held if x["coefficient"] == "krippendorff"), held.dicts()[0])
        more = "more" if main_gap["estimate"] >= 0 else "less"
        answer += (
            f"; {rate(abs(main_gap['estimate']))} {more} than {_named(versus)} do, {probability(main_gap['pvalue'])}"
        )
    undefined = [Note(f"{c.sentence()}.", code="undefined") for c in found.coefficients.values() if c.why]
    title = f"Agreement of {len(found.raters)} raters"
    told: dict[str, Any] = {"notes": (*found.notes, *undefined), "data": data, "steps": tuple(_apart(found))}
    return Document.of(found, title, *sections, answer=answer, **told)


def _apart(found: Agreement) -> Iterator[str]:
    """Of three raters or more, who agrees least with the others, beyond luck."""
    held = sorted(found.raters_records(), key=lambda x: x["informedness"])
    if len(held) > 2 and held[0]["high"] < held[1]["low"]:
        yield f"look first at where {label(held[0]['rater'], 40)} differs, who agrees least with the others."


def _sample(found: Agreement) -> str:
    """How many items were rated, and what they belong to."""
    units = found.groups.name
    held = "" if units in (None, "item") else f" of {plural(int(found.groups.unit.max()) + 1, units or '')}"
    return f"{found.items:,} items{held}"


def _named(found: Agreement) -> str:
    return " and ".join(label(x) for x in found.raters)


def _versus(held: Records, found: Agreement, other: Agreement, key: str) -> Section:
    title = f"{_named(found)} against {_named(other)}, on the same items"
    held = _with_titles(held, found)
    blocks = gaps(
        held,
        title,
        title,
        *("coefficient", "these", "the_others", "estimate", "low", "high", "pvalue"),
        said=held["coefficient"],
        verdicts=[int(np.sign(x["estimate"])) if x["pvalue"] < 1 - found.level else 0 for x in held],
        titles={"estimate": "difference", "pvalue": "p"},
    )
    return Section(key, "Two agreements", blocks)


def _with_titles(held: Records, found: Agreement) -> Records:
    """Records whose coefficients are called as people call them."""
    at = held.names.index("coefficient")
    titles = {name: c.title for name, c in found.coefficients.items()}
    rows = tuple((*row[:at], titles.get(row[at], row[at]), *row[at + 1 :]) for row in held.rows)
    return replace(held, rows=rows)


def _coefficients(found: Agreement, key: str) -> Section:
    held = _with_titles(found.records(), found)
    each = list(zip(found.coefficients, held["coefficient"], held["estimate"], held["low"], held["high"], strict=True))
    title = "Coefficients of agreement"
    rows = [standing(c, x, low, high, math.nan if name in AGREED else 0.0) for name, c, x, low, high in each]
    pictures = [
        "" if math.isnan(x) else Range(low, x, high, 0.0, -1.0 if min(low, x) < 0 else 0.0) for *_, x, low, high in each
    ]
    grid = grid_of(
        held,
        f"Agreement beyond chance{_weights(found)}, with {percent(found.level)} confidence intervals",
        *("coefficient", "estimate", "low", "high", "observed", "chance"),
        pictures=pictures,
    )
    return Section(key, "Coefficients", (drawing(title, forest(rows, title, across="agreement"), caption=True), grid))


def _weights(found: Agreement) -> str:
    """How disagreements are weighed, where they are."""
    if found.disagreement == "nominal":
        return ""
    return ", weights as given" if found.disagreement == "given" else f", {found.disagreement} weights"


def _against_rest(found: Agreement, key: str) -> Section:
    held = found.raters_records()
    title = "Informedness of each rater about what the others say"
    rows = [standing(label(x["rater"], 22), x["informedness"], x["low"], x["high"]) for x in held]
    heads = {"rater": "against the others", "markedness_low": "low", "markedness_high": "high"}
    caption = "What each rater says of a random other one"
    grid = grid_of(held, caption, titles=heads)
    drawn = drawing(title, forest(rows, title, across="informedness"), caption=True)
    return Section(key, "Each against the others", (drawn, grid))


def _each_other(found: Agreement, key: str) -> Section:
    names = [label(rater, 16) for rater in found.raters]
    blocks: list[Block] = []
    for what, held in (("Informedness", found.informedness), ("Markedness", found.markedness)):
        rows = np.array([rate(x) for x in np.ravel(held.estimate).tolist()], dtype=object).reshape(len(names), -1)
        np.fill_diagonal(rows, "")
        caption = f"{what} of the rater in the row, as if the one in the column were right"
        blocks.append(cross(caption, "rater", names, names, rows, str))
    return Section(key, "Every two raters", tuple(blocks))


# ---------------------------------------------------------------------- judges


@page_of(JudgedElsewhere)
def judged_page(found: JudgedElsewhere, *, reach: float | None = None, key: str = "") -> Document:
    """The true rate behind a judge's verdicts."""
    held, own = found.records(), found.informedness
    if len(held) == 1:
        [x] = held.dicts()
        answer = (
            f"The true rate of {label(x['label'], 40)} is {rate(x['estimate'])} "
            f"{span(x['low'], x['high'])}, where the judge says {rate(x['apparent'])}"
        )
    else:
        each = [f"{label(x['label'], 40)} {rate(x['estimate'])}" for x in held]
        answer = f"The true rates are {', '.join(each)}"
    answer += f"; its informedness is {rate(own.estimate)} {span(own.low, own.high)}"

    data = found.to_dict()
    sections = [_rates(found, held, f"{key}rates"), _judge(found, f"{key}judge")]
    if reach is not None:
        needed = found.labels_needed(reach)
        said = Words(f"For ±{reach:g}, {needed.sentence()}.")
        sections.append(Section(f"{key}labels", "Labels needed", (said,)))
        data["labels_needed"] = needed.records().dicts()[0]
    title = "The rate behind a judge's verdicts"
    steps = () if reach is not None else ("how many calibration labels would make it ±0.05: `reach=0.05`.",)
    return Document.of(found, title, *sections, answer=answer, data=data, steps=steps)


def _rates(found: JudgedElsewhere, held: Records, key: str) -> Section:
    rows, pictures = [], []
    for x in held:
        who, low, value, high = label(x["label"], 14), x["low"], x["estimate"], x["high"]
        rows.append(Row(f"{who}, said", x["apparent"], said=rate(x["apparent"])))
        rows.append(standing(f"{who}, true", value, low, high))
        pictures.append(Range(low, value, high, x["apparent"]))
    title = "What the judge says, and the rates behind it"
    grid = grid_of(
        held,
        f"Rates with {percent(found.level)} intervals that carry both uncertainties",
        *("label", "apparent", "estimate", "low", "high"),
        titles={"estimate": "true rate"},
        pictures=pictures,
    )
    return Section(key, "Rates", (drawing(title, forest(rows, title, across="rate"), caption=True), grid))


def _judge(found: JudgedElsewhere, key: str) -> Section:
    own = found.informedness
    rows = (
        ("informedness", Spanned(rate(own.estimate), span(own.low, own.high))),
        ("errors grow by (1/B)", f"{found.amplification:.2f}"),
        ("condition of the matrix", f"{found.condition:.3g}"),
        ("new cases", "taken as exact" if found.n is None else f"{found.n:,g}"),
    )
    return Section(key, "The judge", (rows_of("The judge on its calibration", ("what", "value"), rows),))
