"""Intraclass correlations as a page: the six coefficients with their intervals and F tests."""

from __future__ import annotations

import numpy as np

from informed._numbers import percent, probability, rate, span
from informed.documents.blocks import Range, Section, drawing, grid_of, rows_of
from informed.documents.charts.forest import forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.systems.intraclass import IntraclassCoefficient, IntraclassCorrelation

MAIN = "ICC(2,1)"  # agreement of a single rating, whoever gives it


@page_of(IntraclassCorrelation)
def intraclass_page(found: IntraclassCorrelation, *, key: str = "") -> Document:
    """Every coefficient with its interval and its test."""
    main, sample = found[MAIN], f"{len(found.raters)} raters of {found.items:,} items"
    if np.isnan(main.estimate):
        answer = f"The intraclass correlation of {sample} is undefined: {main.why}"
    elif main.why:
        answer = f"The intraclass correlation of {sample} is {rate(main.estimate)} ({MAIN}); {main.why}"
    else:
        limits = f"{rate(main.estimate)} {span(main.low, main.high)}"
        answer = f"The intraclass correlation of {sample} is {limits} ({MAIN}, absolute agreement of single ratings), "
        answer += probability(main.pvalue)
    sections = [_coefficients(found, f"{key}coefficients"), _squares(found, f"{key}squares")]
    title = f"Intraclass correlation of {len(found.raters)} raters"
    return Document.of(found, title, *sections, answer=answer, data=found.to_dict())


@page_of(IntraclassCoefficient)
def intraclass_coefficient_page(found: IntraclassCoefficient, *, key: str = "") -> Document:
    """One coefficient."""
    grid = grid_of(found.records(), found.name)
    return Document.of(found, found.name, Section(f"{key}coefficient", "Coefficient", (grid,)), answer=found.sentence())


def _coefficients(found: IntraclassCorrelation, key: str) -> Section:
    each = list(found.coefficients.values())
    title = "Intraclass correlations"
    drawn = [standing(c.name, c.estimate, c.low, c.high) for c in each if not c.why]
    pictures = ["" if c.why else Range(c.low, c.estimate, c.high, 0.0, min(0.0, max(c.low, -1.0))) for c in each]
    grid = grid_of(
        found.records(),
        f"Intraclass correlations, with {percent(found.level)} confidence intervals",
        *("coefficient", "model", "estimate", "low", "high", "f", "df1", "df2", "pvalue"),
        titles={"f": "F", "pvalue": "p"},
        pictures=pictures,
    )
    blocks = (drawing(title, forest(drawn, title, across="correlation"), caption=True), grid) if drawn else (grid,)
    return Section(key, "Coefficients", blocks)


def _squares(found: IntraclassCorrelation, key: str) -> Section:
    titles = {
        "between": "between items (MSB)",
        "within": "within items (MSW)",
        "raters": "between raters (MSJ)",
        "error": "residual (MSE)",
    }
    rows = [(titles[name], f"{x:.4g}") for name, x in found.mean_squares.items()]
    return Section(key, "Mean squares", (rows_of("Mean squares of items by raters", ("source", "mean square"), rows),))
