"""A partly verified table as a page: the measures of all cases beside those of the verified alone."""

from __future__ import annotations

from math import isfinite

from informed._numbers import percent, probability, rate, signed, span
from informed.documents.blocks import (
    Section,
    Spanned,
    Words,
    cross,
    drawing,
    grid_of,
    label,
    place_of_positive,
    rows_of,
)
from informed.documents.charts.forest import Row, differences, differing, forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.measures.titles import spoken
from informed.results import Records
from informed.summary.measure_names import with_titles
from informed.systems.verified import Verified
from informed.systems.verified_difference import VerifiedDifference

WORTH = (
    "Worth whole cases: as many fully verified ones would tell the measure as well. It can be more than were verified, "
    "because the answers, verdicts and strata of all cases tell, too."
)


@page_of(Verified)
def verified_page(v: Verified, *, key: str = "") -> Document:
    """Every measure with its interval, and the table of all cases."""
    held = with_titles(v.records())
    rows: list[Row] = []
    for x in held:
        name = x["measure"] + ("" if x["class"] is None else f", {label(x['class'], 12)}")
        rows.append(standing(name, x["estimate"], x["low"], x["high"]))
    title = "Measures of all cases"
    columns = ["measure", "estimate", "low", "high", "n_eff", "verified_alone", "judge_as_gold"]
    columns = (["class"] if len(v.labels) > 2 else []) + (columns if v.judged_table is not None else columns[:-1])
    heads = {"n_eff": "worth whole cases", "verified_alone": "verified alone", "judge_as_gold": "judge taken for gold"}
    grid = grid_of(_for_people(held), f"With {percent(v.level)} intervals", *columns, titles=heads)
    names = [label(x, 16) for x in v.labels]
    caption = "Estimated counts of all cases (rows: predicted, columns: real)"
    table = cross(
        caption, "predicted", names, names, v.table.counts, lambda x: f"{x:,.1f}", positive=place_of_positive(v.table)
    )
    drawn = drawing(title, forest(rows, title), caption=True)
    more = [Words(WORTH)] if any(x["n_eff"] > v.verified for x in held) else []
    sections = [
        Section(f"{key}measures", "Measures", (drawn, grid, *more)),
        Section(f"{key}table", "The table", (table,)),
    ]
    steps = []
    if v.table.positive is None and len(v.labels) == 2:
        steps.append(f"name the class that matters for its recall and precision: `positive={str(v.labels[1])!r}`.")
    title = "A partly verified table"
    return Document.of(v, title, *sections, answer=v.sentence(), data=v.to_dict(), steps=tuple(steps))


def _for_people(held: Records) -> Records:
    """The same with whole cases."""
    rows = [{**x, "n_eff": round(x["n_eff"]) if isfinite(x["n_eff"]) else None} for x in held]
    return Records(held.columns, tuple(tuple(row.values()) for row in rows))


@page_of(VerifiedDifference)
def verified_difference_page(d: VerifiedDifference, *, key: str = "") -> Document:
    """The difference of two systems, and the measure of each."""
    a, b = (label(name, 22) for name in d.names)
    name = spoken(d.measure)
    good = int(d.low > 0) - int(d.high < 0)
    row = differing(f"{name}, {percent(d.level)}", d.estimate, d.low, d.high, good, probability(d.pvalue))
    title = f"{a} minus {b}, on the same partly verified cases"
    facts: tuple[tuple[str, str | Spanned], ...] = (
        *((f"{name} of {x}", rate(value)) for x, value in zip((a, b), d.values, strict=True)),
        ("difference", Spanned(signed(d.estimate), span(d.low, d.high))),
        ("standard error", rate(d.standard_error)),
        ("p-value", probability(d.pvalue).removeprefix("p = ")),
    )
    drawn = drawing(title, differences([row], title, ends=(b, a)), caption=True)
    grid = rows_of("Large-sample interval", ("what", "value"), facts)
    section = Section(f"{key}difference", "Difference", (drawn, grid))
    return Document.of(d, f"{a} and {b}, partly verified", section, answer=d.sentence(), data=d.to_dict())
