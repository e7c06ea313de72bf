"""Systems over folds and by slices, as pages."""

from __future__ import annotations

import numpy as np

from informed._numbers import percent, probability, pvalue_text, rate
from informed.documents.blocks import Block, Grid, Section, columns, drawing, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import Row, forest
from informed.documents.charts.ranks import Ranked, critical_difference
from informed.documents.document import Document, drafted
from informed.documents.pages.leaderboard import MOST_PAIRS, MOST_SYSTEMS
from informed.documents.paging import page_of
from informed.systems.folds import Folds
from informed.systems.slices import Slices

MEAN_RANKS = "Mean ranks; bars join systems within the critical difference"


def _mean_ranks(found: Folds) -> Chart | None:
    """Mean ranks, with bars over those that Nemenyi's test cannot part."""
    rank = dict(zip(found.names, found.mean_rank.tolist(), strict=True))
    return critical_difference(
        [Ranked(str(name), place) for name, place in rank.items()],
        [[rank[name] for name in group] for group in found.groups],
        found.critical_difference,
        f"Mean ranks over {found.blocks} folds",
    )


@page_of(Folds)
def folds_page(found: Folds, *, key: str = "") -> Document:
    """Mean ranks over folds, with the critical difference."""
    order = np.argsort(found.mean_rank, kind="stable").tolist()
    first = label(found.names[order[0]], 60)
    tied = next((g for g in found.groups if found.names[order[0]] in g), ())
    f = found.iman_davenport
    if f.pvalue >= 1 - found.level:
        said = "No order of the systems is supported"
    elif len(tied) > 1:
        said = f"{first} has the best mean rank and is not alone: {len(tied)} systems tie"
    else:
        said = f"{first} has the best mean rank, beyond the critical difference"
    answer = (
        f"{said} over {found.blocks} folds: mean rank {found.mean_rank[order[0]]:.2f} of "
        f"{len(order)}, Friedman {probability(float(found.friedman.pvalue))}, F form "
        f"{probability(float(f.pvalue))}, critical difference {found.critical_difference:.2f}"
    )
    rows = tuple(
        (label(found.names[s], 40), f"{found.mean_rank[s]:.2f}", rate(found.means[s]))
        for s in order
    )
    blocks: list[Block] = [
        drawing(MEAN_RANKS, _mean_ranks(found), caption=True),
        Grid(
            "Rank 1 is the best of a fold; bars (groups) join what Nemenyi's test cannot part",
            columns("system", "mean rank", f"mean {found.measure}"),
            rows,
            "folds",
        ),
    ]
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]][:MOST_PAIRS]
    t = found.corrected_t
    blocks.append(
        Grid(
            "p-values of every two systems, for all questions together"
            + ("" if len(order) < 11 else f" (the first {MOST_PAIRS})"),
            columns("pair", "ranks apart", "Nemenyi", *(["corrected t"] if t is not None else [])),
            tuple(
                (
                    f"{label(found.names[a], 30)} − {label(found.names[b], 30)}",
                    f"{abs(found.mean_rank[a] - found.mean_rank[b]):.2f}",
                    pvalue_text(float(found.nemenyi[a, b])),
                    *([pvalue_text(float(t[a, b]))] if t is not None else []),
                )
                for a, b in pairs
            ),
            "fold-pairs",
        )
    )
    data = {
        "measure": found.measure,
        "folds": found.blocks,
        "level": found.level,
        "friedman": {"statistic": found.friedman.statistic, "p": found.friedman.pvalue},
        "iman_davenport": {"statistic": f.statistic, "p": f.pvalue},
        "critical_difference": found.critical_difference,
        "groups": [list(group) for group in found.groups],
        "systems": [
            {"system": found.names[s], "mean_rank": found.mean_rank[s], "mean": found.means[s]}
            for s in order
        ],
        "pairs": [
            {"a": found.names[a], "b": found.names[b], "nemenyi": found.nemenyi[a, b]}
            | ({} if t is None else {"corrected_t": t[a, b]})
            for i, a in enumerate(order[:MOST_SYSTEMS])
            for b in order[i + 1 : MOST_SYSTEMS]
        ],
    }
    section = Section(f"{key}folds", f"Over {found.blocks} folds", tuple(blocks))
    return drafted("Systems over folds", answer, (section,), (), found.notes, data)


# ---------------------------------------------------------------------- slices


@page_of(Slices)
def slices_page(found: Slices, *, name: str = "slice", key: str = "") -> Document:
    """Pooled and stratified values, how much slices differ, and where the pool misleads."""
    p = np.atleast_1d(found.heterogeneity.pvalue)
    differ = [s for s in range(len(found.systems)) if p[s] < 1 - found.level]
    who = ", ".join(label(found.systems[s]) for s in differ[:6]) if len(found.systems) > 1 else ""
    if differ:
        answer = f"{found.measure.capitalize()} is not the same in every {name}"
        answer += f" for {who}" if who else ""
    elif np.isnan(p).all():
        answer = (
            f"Whether {found.measure} differs by {name} cannot be tested: it is defined in fewer "
            "than two slices"
        )
    else:
        answer = (
            f"No difference of {found.measure} between the {len(found.slices)} slices of {name} "
            "is shown"
        )
    rows = tuple(
        (
            label(system, 40),
            rate(found.pooled[s]),
            rate(found.stratified[s]),
            rate(found.stratified_low[s]),
            rate(found.stratified_high[s]),
            pvalue_text(float(p[s])),
        )
        for s, system in enumerate(found.systems)
    )
    blocks: list[Block] = [
        Grid(
            f"Pooled, and stratified by {name} with its {percent(found.level)} interval; p of the "
            "same value in every slice (Cochran's heterogeneity)",
            columns("system", "pooled", "stratified", "low", "high", "heterogeneity p"),
            rows,
            "slices",
        ),
        *_slice_blocks(found, name, key),
    ]
    data = {
        "by": name,
        "measure": found.measure,
        "slices": list(found.slices),
        "reversals": [list(pair) for pair in found.reversals],
        "systems": [
            {
                "system": system,
                "pooled": found.pooled[s],
                "stratified": found.stratified[s],
                "low": found.stratified_low[s],
                "high": found.stratified_high[s],
                "heterogeneity": {
                    "statistic": np.atleast_1d(found.heterogeneity.statistic)[s],
                    "p": p[s],
                },
                "each": found.each[s],
            }
            for s, system in enumerate(found.systems)
        ],
    }
    section = Section(f"{key}slices", f"By {name}", tuple(blocks))
    return Document(f"Systems by {name}", answer, (section,), found.notes, data)


def _row(name: str, value: float, low: float, high: float) -> Row:
    beyond = int(low > 0) - int(high < 0)
    return Row(name, float(value), float(low), float(high), beyond, said=rate(value))


def _slice_blocks(found: Slices, name: str, key: str) -> list[Block]:
    """A forest for each of the first systems, and every value in one grid."""
    pictures: list[Block] = []
    for s, system in enumerate(found.systems[:6]):
        rows = [
            _row(label(part, 22), found.each[s, i], found.low[s, i], found.high[s, i])
            for i, part in enumerate(found.slices)
        ]
        guide = _row(
            "stratified", found.stratified[s], found.stratified_low[s], found.stratified_high[s]
        )
        who = label(system, 22)
        title = f"{found.measure} of {who} by {name}; the band is the stratified value"
        pictures.append(drawing(title, forest(rows, title, guide=guide), caption=True))
    grid = Grid(
        f"{found.measure} in each slice",
        columns(name, "share of cases", *(label(x, 16) for x in found.systems[:8])),
        tuple(
            (
                label(part, 40),
                percent(float(found.share[0, i])),
                *(rate(found.each[s, i]) for s in range(min(8, len(found.systems)))),
            )
            for i, part in enumerate(found.slices)
        ),
        "each-slice",
    )
    return [*pictures, grid]
