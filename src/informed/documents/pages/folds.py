"""Systems over folds and by slices, as pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._numbers import percent, probability, rate
from informed.documents.blocks import Block, Grid, GridColumn, Section, drawing, grid_of, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.ranks import critical_difference
from informed.documents.document import Document
from informed.documents.pages.leaderboard import MOST_PAIRS
from informed.documents.paging import page_of
from informed.systems.folds import Folds
from informed.systems.slices import Slices

MEAN_RANKS = "Mean ranks; bars join systems within the critical difference"
MOST_PICTURES = 6  # systems whose slices are drawn
MOST_COLUMNS = 8  # systems beside each other


@page_of(Folds)
def folds_page(found: Folds, *, key: str = "") -> Document:
    """Mean ranks over folds, with the critical difference."""
    held, size = found.records(), len(found.folds)
    friedman, f_form = (probability(float(x.pvalue)) for x in (found.friedman, found.iman_davenport))
    answer = (
        f"{_first(found)} over {size} folds: mean rank {held['mean_rank'][0]:.2f} of {len(held)}, Friedman {friedman}, "
        f"F form {f_form} (both corrected for ties), critical difference {found.critical_difference:.2f}"
    )

    pairs = found.pairs_records()
    part = f" (the first {MOST_PAIRS})" if len(pairs) > MOST_PAIRS else ""
    tests = f"p-values of every two systems, for all questions together{part}"
    ranks = "Rank 1 is the best of a fold; bars (groups) join what Nemenyi's test cannot part"
    blocks = (
        drawing(MEAN_RANKS, _mean_ranks(found), caption=True),
        grid_of(held, ranks, titles={"mean": f"mean {found.measure}"}),
        grid_of(replace(pairs, rows=pairs.rows[:MOST_PAIRS]), tests, titles={"nemenyi": "Nemenyi"}),
    )
    section = Section(f"{key}folds", f"Over {size} folds", blocks)
    return Document.of(found, "Systems over folds", section, answer=answer)


def _first(found: Folds) -> str:
    """What the order of mean ranks is worth."""
    name = found.names[found.order[0]]
    tied = next((g for g in found.groups if name in g), ())
    if found.iman_davenport.pvalue >= 1 - found.level:
        return "No order of the systems is supported"
    first = f"{label(name, 60)} has the best mean rank"
    if len(tied) > 1:
        return f"{first} and is not alone: {len(tied)} systems tie"
    return f"{first}, beyond the critical difference"


def _mean_ranks(found: Folds) -> Chart | None:
    """Mean ranks, with bars over those that Nemenyi's test cannot part."""
    rank = dict(zip(found.names, found.mean_rank.tolist(), strict=True))
    return critical_difference(
        {str(name): place for name, place in rank.items()},
        [[rank[name] for name in group] for group in found.groups],
        found.critical_difference,
        f"Mean ranks over {len(found.folds)} folds",
    )


# ---------------------------------------------------------------------- slices


@page_of(Slices)
def slices_page(found: Slices, *, name: str = "slice", key: str = "") -> Document:
    """Pooled and stratified values, how much slices differ, and where the pool misleads."""
    systems = grid_of(
        found.systems_records(),
        f"Pooled, and stratified by {name} with its {percent(found.level)} interval; p of the "
        "same value in every slice (Cochran's heterogeneity)",
        *("system", "pooled", "stratified", "low", "high", "pvalue"),
        titles={"pvalue": "heterogeneity p"},
    )
    shown = [label(x, 16) for x in found.systems[:MOST_COLUMNS]]
    heads = (GridColumn(name, False), GridColumn("share of cases", False), *map(GridColumn, shown))
    rows = tuple(
        (label(part, 40), percent(float(found.share[0, i])), *map(rate, found.estimate[: len(shown), i]))
        for i, part in enumerate(found.slices)
    )
    each = Grid(f"{found.measure} in each slice", heads, rows)

    section = Section(f"{key}slices", f"By {name}", (systems, *_forests(found, name), each))
    data = {"by": name, **found.to_dict()}
    return Document.of(found, f"Systems by {name}", section, answer=_differ(found, name), data=data)


def _differ(found: Slices, name: str) -> str:
    """Whether the measure is the same in every slice."""
    p = np.atleast_1d(found.heterogeneity.pvalue)
    differ = [x for x, value in zip(found.systems, p, strict=True) if value < 1 - found.level]
    if differ:
        who = ", ".join(label(x) for x in differ[:6]) if len(found.systems) > 1 else ""
        said = f"{found.measure.capitalize()} is not the same in every {name}"
        return f"{said} for {who}" if who else said
    if np.isnan(p).all():
        return f"Whether {found.measure} differs by {name} cannot be tested: it is defined in fewer than two slices"
    return f"No difference of {found.measure} between the {len(found.slices)} slices of {name} is shown"


def _forests(found: Slices, name: str) -> list[Block]:
    """A forest for each of the first systems."""
    held, guides = found.records(), found.systems_records()
    limits = ("estimate", "low", "high")
    pictures: list[Block] = []
    for guide in guides.dicts()[:MOST_PICTURES]:
        own = held.where(system=guide["system"])
        rows = [standing(label(x["slice"], 22), *(x[key] for key in limits)) for x in own]
        band = standing("stratified", guide["stratified"], guide["low"], guide["high"])
        title = f"{found.measure} of {label(guide['system'], 22)} by {name}; the band is the stratified value"
        pictures.append(drawing(title, forest(rows, title, guide=band), caption=True))
    return pictures
