"""A partly verified table as a page: the measures of all cases beside those of the verified alone."""

from __future__ import annotations

from informed._numbers import percent
from informed.documents.blocks import Section, cross, drawing, grid_of, label
from informed.documents.charts.forest import Row, forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.systems.verified import Verified


@page_of(Verified)
def verified_page(v: Verified, *, key: str = "") -> Document:
    """Every measure with its interval, and the table of all cases."""
    held = v.records()
    rows: list[Row] = []
    for x in held:
        name = x["measure"].replace("_", " ") + ("" if x["class"] is None else f", {label(x['class'], 12)}")
        rows.append(standing(name, x["estimate"], x["low"], x["high"]))
    title = "Measures of all cases"
    columns = ["measure", "estimate", "low", "high", "n_eff", "verified_alone", "judge_as_gold"]
    columns = (["class"] if len(v.labels) > 2 else []) + (columns if v.judged_table is not None else columns[:-1])
    heads = {"n_eff": "worth whole cases", "verified_alone": "verified alone", "judge_as_gold": "judge taken for gold"}
    grid = grid_of(held, f"With {percent(v.level)} intervals", *columns, titles=heads)
    names = [label(x, 16) for x in v.labels]
    caption = "Estimated counts of all cases (rows: predicted, columns: real)"
    table = cross(caption, "predicted", names, names, v.table.counts, lambda x: f"{x:,.1f}")
    drawn = drawing(title, forest(rows, title), caption=True)
    sections = [Section(f"{key}measures", "Measures", (drawn, grid)), Section(f"{key}table", "The table", (table,))]
    return Document.of(v, "A partly verified table", *sections, answer=v.sentence(), data=v.to_dict())
