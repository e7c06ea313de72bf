"""Systems over folds and by slices, as pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._numbers import percent, probability, rate, signed, span
from informed.documents.blocks import Block, Grid, GridColumn, Section, drawing, grid_of, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import forest, standing
from informed.documents.charts.ranks import critical_difference
from informed.documents.document import Document
from informed.documents.pages.comparison import gaps
from informed.documents.pages.leaderboard import MOST_PAIRS
from informed.documents.paging import page_of
from informed.evidence.shown import shown_pairs, system_name
from informed.measures import find
from informed.systems.board import sign_of
from informed.systems.fold_designs import DESIGN_WORDS
from informed.systems.folds import Folds
from informed.systems.sliced import Slices

MEAN_RANKS = "Mean ranks; bars join systems within the critical difference"
MOST_PICTURES = 6  # systems whose slices are drawn
MOST_COLUMNS = 8  # systems beside each other
ONE = {"partition": "a fold", "repeated": "a fold", "data-sets": "a data set"} | dict.fromkeys(
    ("decoding-seeds", "training-seeds"), "a seed"
)
SAID = {
    "items": "items, each once",
    "corrected-t": "the corrected resampled t",
    "crossed": "items crossed with seeds",
    "seeds-t": "the t of seeds on these items",
    "friedman": "ranks",
}
TRAINED = {"training-seeds": ", as these trainings answered"}
TITLES = {"nemenyi": "Nemenyi", "corrected_t": "corrected t (cautious)"}


@page_of(Folds)
def folds_page(found: Folds, *, key: str = "") -> Document:
    """The headline of the design, the systems, and differences of every two of them."""
    size, what = len(found.folds), DESIGN_WORDS[found.design]
    pictures: tuple[Block, ...] = ()
    if found.ranks is not None:
        answer, pictures = _ranked(found), (drawing(MEAN_RANKS, _mean_ranks(found), caption=True),)
    else:
        answer = _leading(found)
    pooled = f"; pooled: each {found.each} once{TRAINED.get(found.design, '')}" if found.pooled is not None else ""
    systems = grid_of(
        found.records(), f"Rank 1 is the best of {ONE[found.design]}{pooled}", titles={"mean": f"mean {found.called}"}
    )
    section = Section(f"{key}folds", f"Over {size} {what}", (*pictures, systems, *_pairs(found)))
    return Document.of(found, f"Systems over {what}", section, answer=answer)


def _ranked(found: Folds) -> str:
    """What the order of mean ranks over data sets is worth."""
    tests = found.ranks
    assert tests is not None
    name = found.names[found.order[0]]
    tied = next((g for g in found.groups if name in g), ())
    said = f"{system_name(name)} has the best mean rank"
    if tests.iman_davenport.pvalue >= 1 - found.level:
        said = "No order of the systems is supported"
    elif len(tied) > 1:
        said = f"{said} and is not alone: {len(tied)} systems tie"
    else:
        said = f"{said}, beyond the critical difference"
    friedman, f_form = (probability(float(x.pvalue)) for x in (tests.friedman, tests.iman_davenport))
    return (
        f"{said} over {len(found.folds)} data sets: mean rank {found.mean_rank.min():.2f} of {len(found.names)}, "
        f"Friedman {friedman}, F form {f_form} (both corrected for ties), critical difference "
        f"{tests.critical_difference:.2f}"
    )


def _leading(found: Folds) -> str:
    """The difference of the first two systems by the method that leads."""
    a, b = found.order[:2]
    pairs = found.pairs
    assert pairs is not None
    names = system_name(found.names[a]), system_name(found.names[b])
    value = f"{found.called} {signed(pairs.estimate[a, b])} {span(pairs.low[a, b], pairs.high[a, b])}"
    sure = pairs.adjusted[a, b] <= 1 - found.level
    said = f"{names[0]} is ahead of {names[1]}" if sure else f"{names[0]} is not shown to be ahead of {names[1]}"
    p = probability(float(pairs.adjusted[a, b]))
    return f"{said} over {len(found.folds)} {DESIGN_WORDS[found.design]}: {value}, adjusted {p} ({_said(found)})"


def _said(found: Folds) -> str:
    return SAID[found.method].replace("items", f"{found.each}s")


def _pairs(found: Folds) -> tuple[Block, ...]:
    """Differences of every two systems, of the first where they are many."""
    held = found.pairs_records()
    part = f" (the first {MOST_PAIRS})" if len(held) > MOST_PAIRS else ""
    held = replace(held, rows=held.rows[:MOST_PAIRS])
    if found.pairs is None:
        return (grid_of(held, f"p-values of every two systems, for all questions together{part}", titles=TITLES),)
    sign = sign_of(find(found.measure)) if found.measure != "score" else 1
    verdicts = [int(np.sign(x["estimate"]) * sign) if x["adjusted"] <= 1 - found.level else 0 for x in held]
    together = "intervals hold together" if found.method == "items" else "each interval by itself"
    return gaps(
        held,
        f"Differences of {found.called} by {_said(found)}, with p-values adjusted for all pairs",
        f"Differences of every two systems by {_said(found)}{part}; {together}, p-values adjusted for all pairs",
        *("a", "b", "estimate", "low", "high", "pvalue", "adjusted"),
        *(() if found.cautious is None else ("corrected_t",)),
        said=shown_pairs((x["a"], x["b"]) for x in held),
        verdicts=verdicts,
        titles={"estimate": found.called, "pvalue": "p", "adjusted": "p, adjusted", **TITLES},
    )


def _mean_ranks(found: Folds) -> Chart | None:
    """Mean ranks, with bars over those that Nemenyi's test cannot part."""
    assert found.ranks is not None
    rank = dict(zip(found.names, found.mean_rank.tolist(), strict=True))
    return critical_difference(
        {str(name): place for name, place in rank.items()},
        [[rank[name] for name in group] for group in found.groups],
        found.ranks.critical_difference,
        f"Mean ranks over {len(found.folds)} data sets",
    )


# ---------------------------------------------------------------------- slices


@page_of(Slices)
def slices_page(found: Slices, *, name: str = "slice", key: str = "") -> Document:
    """Pooled and stratified values, how much slices differ, and where the pool misleads."""
    tested = "an exact test of rates" if found.heterogeneity.method == "exact-rates" else "Cochran's heterogeneity"
    systems = grid_of(
        found.systems_records(),
        f"Pooled, and stratified by {name} with its {percent(found.level)} interval, both about these slices; p of the "
        f"same value in every slice ({tested})",
        *("system", "pooled", "stratified", "low", "high", "pvalue"),
        titles={"pvalue": "heterogeneity p"},
    )
    new = grid_of(
        found.systems_records(),
        f"Mean over slices like these with its {percent(found.level)} interval, where they are a sample of such "
        "(random effects), and where one new slice is expected",
        *("system", "new", "new_low", "new_high", "predicted_low", "predicted_high"),
        titles={"new": "mean", "new_low": "low", "new_high": "high", "predicted_low": "new slice from"}
        | {"predicted_high": "to"},
    )
    shown = [label(x, 16) for x in found.systems[:MOST_COLUMNS]]
    heads = (GridColumn(name, False), GridColumn("share of cases", False), *map(GridColumn, shown))
    rows = tuple(
        (label(part, 40), percent(float(found.share[0, i])), *map(rate, found.estimate[: len(shown), i]))
        for i, part in enumerate(found.slices)
    )
    each = Grid(f"{found.called} in each slice", heads, rows)

    section = Section(
        f"{key}slices",
        f"By {name}",
        (
            systems,
            *((new,) if np.isfinite(found.new).any() else ()),
            *_forests(found, name),
            each,
            *_differences(found, name),
        ),
    )
    data = {"by": name, **found.to_dict()}
    return Document.of(found, f"Systems by {name}", section, answer=_differ(found, name), data=data)


def _differ(found: Slices, name: str) -> str:
    """Whether the measure is the same in every slice."""
    p = np.atleast_1d(found.heterogeneity.pvalue)
    differ = [x for x, value in zip(found.systems, p, strict=True) if value < 1 - found.level]
    if differ:
        who = ", ".join(label(x) for x in differ[:6]) if len(found.systems) > 1 else ""
        said = f"{found.called[:1].upper()}{found.called[1:]} is not the same in every {name}"
        return f"{said} for {who}" if who else said
    if np.isnan(p).all():
        if any(note.code == "no-known-coverage" for note in found.notes):
            return f"Whether {found.called} differs by {name} is not tested: no confidence interval is known to cover"
        defined = np.isfinite(found.estimate).sum(axis=1).max() > 1
        why = "fewer than two slices have enough cases" if defined else "it is defined in fewer than two slices"
        return f"Whether {found.called} differs by {name} cannot be tested: {why}"
    of = "" if name == "slice" else f" of {name}"
    return f"No difference of {found.called} between the {len(found.slices)} slices{of} is shown"


def _differences(found: Slices, name: str) -> list[Block]:
    """The difference of two systems in each slice, with its confidence interval."""
    if not len(found.differences):
        return []
    first, second = (label(x, 22) for x in (found.differences["a"][0], found.differences["b"][0]))
    caption = (
        f"Difference of {found.called} in each {name}, {first} − {second}, with its {percent(found.level)} confidence "
        "interval; the adjusted p-values are corrected for the number of slices (Holm)"
    )
    shown = ("slice", "estimate", "low", "high", "pvalue", "adjusted")
    return [grid_of(found.differences, caption, *shown, titles={"slice": name, "estimate": "difference"})]


def _forests(found: Slices, name: str) -> list[Block]:
    """A forest for each of the first systems."""
    held, guides = found.records(), found.systems_records()
    limits = ("estimate", "low", "high")
    pictures: list[Block] = []
    for guide in guides.dicts()[:MOST_PICTURES]:
        own = held.where(system=guide["system"])
        rows = [standing(label(x["slice"], 22), *(x[key] for key in limits)) for x in own]
        band = standing("stratified", guide["stratified"], guide["low"], guide["high"])
        title = f"{found.called} of {label(guide['system'], 22)} by {name}; the band is the stratified value"
        pictures.append(drawing(title, forest(rows, title, guide=band, across=found.called), caption=True))
    return pictures
