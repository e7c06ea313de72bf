"""Many systems as a page: places and ties, differences, folds, slices, risk and coverage."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from informed.measures import find
from informed.reporting import comparison_figures as drawings
from informed.reporting import figures
from informed.reporting.blocks import Block, Grid, Picture, Range, Section, Words, columns, label
from informed.reporting.comparison_figures import Gap
from informed.reporting.comparisons import gap_range, probability, spread
from informed.reporting.numbers import percent, rate, signed, span
from informed.reporting.page import Page
from informed.reporting.records import Estimate
from informed.systems._board import sign_of
from informed.systems._folds import Folds
from informed.systems.abstention import Abstention, RiskCoverage
from informed.systems.difference import pvalue_text
from informed.systems.leaderboard import Leaderboard
from informed.systems.slices import Slices

MOST_PAIRS = 45  # differences of every two systems that are shown
RANKS = "Places that a system may have; bars join those that cannot be told apart"
MOST_SYSTEMS = 100  # beyond it, JSON holds differences from the first system only


# ---------------------------------------------------------------------- leaderboards


def board_page(board: Leaderboard, *, key: str = "") -> Page:
    """Systems in order, with what the order is worth."""
    sections = _board_sections(board, key)
    data = board_data(board)
    notes = [*board.notes, *_groups(board)]
    if board.discounted is not None:
        sections += _board_sections(board.discounted, f"{key}discounted-")
        data["discounted"] = board_data(board.discounted)
    return Page(
        title=f"{len(board)} systems on the same {board.items:,} items",
        answer=leading(board),
        sections=tuple(sections),
        notes=tuple(notes),
        data=data,
    )


def leading(board: Leaderboard) -> str:
    """Who may be the best, in one sentence."""
    leaders = [label(name, 60) for name in board.leaders]
    best = board.order[0]
    value = f"{board.measure} {rate(board.values[best])} {span(board.low[best], board.high[best])}"
    where = f"{len(board)} systems on the same {board.items:,} items"
    if len(leaders) == 1:
        return f"{leaders[0]} is the best: {value}, {where}"
    shown = ", ".join(leaders[:6]) + (", …" if len(leaders) > 6 else "")
    return f"{len(leaders)} systems may be the best ({shown}): {value} for the first, {where}"


def _groups(board: Leaderboard) -> list[str]:
    return [
        f"Cannot be told apart: {', '.join(label(name, 40) for name in group[:20])}"
        + (f" and {len(group) - 20} more." if len(group) > 20 else ".")
        for group in board.groups[:20]
        if len(group) > 1
    ]


def _board_sections(board: Leaderboard, key: str) -> list[Section]:
    discounted = "coverage discount" in board.basis
    where = ", with the coverage discount" if discounted else ""
    words = Words(f"On {board.basis}: {board.items:,} of them.", "note")
    values = [
        (label(board.names[s], 22), _estimate(board, s)) for s in board.order[: figures.MOST_ROWS]
    ]
    drawn = figures.forest(values, f"{key}values", f"{board.measure} with simultaneous intervals")
    standing = Section(
        f"{key}places",
        f"Places{where}",
        (
            words,
            Picture("ranks", drawings.ranks(board, f"{key}ranks"), RANKS),
            Picture("values", drawn, f"{board.measure} with intervals that hold together"),
            _standing(board),
            *_cochran(board),
        ),
    )
    rows = _pairs(board)
    versus = board.versus is not None
    title = f"Differences from {label(board.versus.baseline)}" if board.versus else "Differences"
    pairs = Section(
        f"{key}pairs",
        f"{title}{where}",
        (
            Picture(
                "differences", _forest(rows, board, f"{key}gaps"), f"Differences of {board.measure}"
            ),
            _pairs_grid(rows, board, versus),
        ),
    )
    return [standing, pairs]


def _cochran(board: Leaderboard) -> tuple[Words, ...]:
    q = board.cochran_q
    if q is None:
        return ()
    said = probability(float(q.pvalue))
    return (
        Words(
            f"Cochran's Q of equal accuracy: {float(q.statistic):.2f} with {q.df} degrees of "
            f"freedom, {said}.",
            "note",
        ),
    )


def _estimate(board: Leaderboard, s: int) -> Estimate:
    chance = find(board.measure).facts.chance
    return Estimate(
        board.measure,
        board.measure,
        float(board.values[s]),
        float(chance) if isinstance(chance, (int, float)) else math.nan,
        float(board.low[s]),
        float(board.high[s]),
        board.level,
    )


def _standing(board: Leaderboard) -> Grid:
    start = min(0.0, float(np.nanmin(np.append(board.low, 0.0))))
    rows = tuple(
        (
            label(board.names[s], 40),
            str(board.rank[s]),
            f"{board.rank_low[s]}–{board.rank_high[s]}",
            rate(board.values[s]),
            rate(board.low[s]),
            rate(board.high[s]),
            "yes" if board.beyond_guessing[s] else "no",
            rate(board.coverage[s]),
            _bar(board, s, start),
        )
        for s in board.order
    )
    head = columns(
        "system", "rank", "ranks", board.measure, "low", "high", "beyond guessing|", "coverage",
        "picture",
    )  # fmt: skip
    caption = (
        f"Ranks that the data support, and {percent(board.level)} intervals that hold together"
    )
    return Grid(caption, head, rows, "places")


def _bar(board: Leaderboard, s: int, start: float) -> Range | str:
    value, low, high = (float(x[s]) for x in (board.values, board.low, board.high))
    if math.isnan(value) or not -1 <= value <= 1:
        return ""
    return Range(low, value, high, _estimate(board, s).chance, max(start, -1.0))


Pair = tuple[Hashable, Hashable, float, float, float, float, float]  # a, b, gap, low, high, p, adj.


def _pairs(board: Leaderboard) -> list[Pair]:
    """Differences from the baseline; or of every two systems; or, of many, from the first."""
    v, d = board.versus, board.pairs
    order = board.order.tolist()
    if v is not None:
        held = (v.estimate, v.low, v.high, v.pvalue, v.adjusted)
        return [
            _pair(board.names[s], v.baseline, [float(x[s]) for x in held])
            for s in order
            if board.names[s] != v.baseline
        ]
    every = len(order) * (len(order) - 1) // 2 <= MOST_PAIRS
    both = [
        (a, b) for i, a in enumerate(order[: len(order) if every else 1]) for b in order[i + 1 :]
    ]
    held = (d.estimate, d.low, d.high, d.pvalue, d.adjusted)
    return [_pair(board.names[a], board.names[b], [float(x[a, b]) for x in held]) for a, b in both]


def _pair(a: Hashable, b: Hashable, held: list[float]) -> Pair:
    gap, low, high, p, adjusted = held
    return (a, b, gap, low, high, p, adjusted)


def _forest(rows: list[Pair], board: Leaderboard, key: str) -> str:
    sign = sign_of(find(board.measure))
    gaps = [
        Gap(
            f"{label(a, 18)} − {label(b, 18)}" if board.versus is None else label(a, 26),
            gap,
            low,
            high,
            int(np.sign(gap) * sign) if adjusted <= 1 - board.level else 0,
            probability(adjusted),
        )
        for a, b, gap, low, high, _, adjusted in rows
    ]
    ends = ("", "")
    if board.versus is not None:
        base = label(board.versus.baseline, 22)
        ends = (base, "the other") if sign > 0 else ("the other", base)
    return drawings.differences(gaps, key, f"Differences of {board.measure}", ends=ends)


def _pairs_grid(rows: list[Pair], board: Leaderboard, versus: bool) -> Grid:
    ticks = spread([row[2:5] for row in rows])
    body = tuple(
        (
            f"{label(a, 30)} − {label(b, 30)}",
            signed(gap),
            signed(low),
            signed(high),
            pvalue_text(p),
            pvalue_text(adjusted),
            gap_range(low, gap, high, ticks),
        )
        for a, b, gap, low, high, p, adjusted in rows
    )
    how = "the joint distribution of these comparisons (Dunnett-like)" if versus else board.adjust
    head = columns("difference", board.measure, "low", "high", "p", "p, adjusted", "picture")
    caption = f"Intervals hold together at {percent(board.level)}; p-values adjusted by {how}"
    return Grid(caption, head, body, "pairs")


def board_data(board: Leaderboard) -> dict[str, Any]:
    """A leaderboard as plain data."""
    order = board.order.tolist()
    few = len(order) <= MOST_SYSTEMS
    held = {
        "measure": board.measure,
        "basis": board.basis,
        "n": board.items,
        "level": board.level,
        "adjust": board.adjust,
        "leaders": list(board.leaders),
        "groups": [list(group) for group in board.groups],
        "cochran_q": None
        if board.cochran_q is None
        else {"statistic": board.cochran_q.statistic, "p": board.cochran_q.pvalue},
        "systems": [
            {
                "system": board.names[s],
                "rank": board.rank[s],
                "rank_low": board.rank_low[s],
                "rank_high": board.rank_high[s],
                "value": board.values[s],
                "low": board.low[s],
                "high": board.high[s],
                "beyond_guessing": board.beyond_guessing[s],
                "coverage": board.coverage[s],
            }
            for s in order
        ],
        "pairs": [
            board[board.names[a], board.names[b]]._asdict()
            for i, a in enumerate(order[: len(order) if few else 1])
            for b in order[i + 1 :]
        ],
    }
    if board.versus is None:
        return held
    fields = ("a", "b", "estimate", "low", "high", "pvalue", "adjusted")
    return {**held, "versus": [dict(zip(fields, row, strict=True)) for row in _pairs(board)]}


# ---------------------------------------------------------------------- folds


def folds_page(found: Folds, *, key: str = "") -> Page:
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
        Picture(
            "critical",
            drawings.critical(found, f"{key}critical"),
            "Mean ranks; bars join systems within the critical difference",
        ),
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
    return Page("Systems over folds", answer, (section,), (), found.notes, data)


# ---------------------------------------------------------------------- slices


def slices_page(found: Slices, *, name: str = "slice", key: str = "") -> Page:
    """Pooled and stratified values, how much slices differ, and where the pool misleads."""
    p = np.atleast_1d(found.heterogeneity.pvalue)
    differ = [s for s in range(len(found.systems)) if p[s] < 1 - found.level]
    who = ", ".join(label(found.systems[s]) for s in differ[:6]) if len(found.systems) > 1 else ""
    answer = (
        f"{found.measure.capitalize()} is not the same in every {name}"
        + (f" for {who}" if who else "")
        if differ
        else f"No difference of {found.measure} between the {len(found.slices)} slices of {name} "
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
    warnings = tuple(note for note in found.notes if "Simpson" in note)
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
    notes = tuple(note for note in found.notes if note not in warnings)
    section = Section(f"{key}slices", f"By {name}", tuple(blocks))
    return Page(f"Systems by {name}", answer, (section,), warnings, notes, data)


def _slice_blocks(found: Slices, name: str, key: str) -> list[Block]:
    """A forest for each of the first systems, and every value in one grid."""
    pictures: list[Block] = []
    for s, system in enumerate(found.systems[:6]):
        rows = [
            (
                label(part, 22),
                Estimate(
                    found.measure, found.measure, float(found.each[s, i]), 0.0,
                    float(found.low[s, i]), float(found.high[s, i]), found.level,
                ),
            )
            for i, part in enumerate(found.slices)
        ]  # fmt: skip
        guide = Estimate(
            found.measure, found.measure, float(found.stratified[s]), 0.0,
            float(found.stratified_low[s]), float(found.stratified_high[s]), found.level,
        )  # fmt: skip
        who = label(system, 22)
        title = f"{found.measure} of {who} by {name}; the band is the stratified value"
        drawn = figures.forest(rows, f"{key}slice-{s}", title, guide=guide)
        if drawn:
            pictures.append(Picture("slice", drawn, title))
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


# ---------------------------------------------------------------------- silence


def risk_page(found: RiskCoverage, *, name: str = "", key: str = "") -> Page:
    """What answering only the surest cases gains."""
    best = int(np.nanargmax(found.of_all))
    of = f" of {label(name, 40)}" if name else ""
    answer = (
        f"The risk{of} is {rate(found.risk[-1])} where all that can be is answered "
        f"({percent(float(found.coverage[-1]))}) and {rate(found.area)} on average over the "
        "coverages; informedness over all cases is highest "
        f"({rate(found.of_all[best])}) where scores of {found.best:g} and more are answered, "
        f"{percent(found.coverage[best])} of the cases"
    )
    most = float(found.coverage[-1])
    wanted = [int(np.argmax(found.coverage >= share * most - 1e-12)) for share in _COVERAGES]
    rows = tuple(
        (
            f"{found.thresholds[i]:g}",
            *(rate(float(x[i])) for x in _curves(found)),
        )
        for i in dict.fromkeys(wanted)
    )
    blocks: tuple[Block, ...] = (
        Picture("risk", drawings.risk(found, f"{key}risk-curve"), "Risk–coverage curve"),
        Grid(
            "Answering only where the score is at least this",
            columns("score", "coverage", "risk", "informedness", "over all cases"),
            rows,
            "risk",
        ),
    )
    data = {
        "area": found.area,
        "best": found.best,
        "curve": [
            dict(zip(("coverage", "risk", "informedness", "of_all"), map(float, each), strict=True))
            for each in list(zip(*_curves(found), strict=True))[:: 1 + len(found.risk) // 1000]
        ],
    }
    title = f"Risk and coverage{of}"
    return Page(title, answer, (Section(f"{key}risk", title, blocks),), (), (), data)


_COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def _curves(found: RiskCoverage) -> tuple[Any, Any, Any, Any]:
    return found.coverage, found.risk, found.informedness, found.of_all


def abstention_page(found: Abstention, *, name: str = "", key: str = "") -> Page:
    """Coverage, informedness with and without its discounts, and the labels that lose."""
    of = f" of {label(name, 40)}" if name else ""
    held = (
        ("coverage", found.coverage),
        ("informedness of the answered", found.answered),
        ("times coverage", found.discounted),
        ("over all cases", found.of_all),
    )
    by = f" by {label(name, 40)}" if name else ""
    answer = (
        f"{percent(float(found.coverage.estimate))} of the cases are answered{by}, with an "
        f"informedness of {rate(found.answered.estimate)} there and "
        f"{rate(found.of_all.estimate)} over all cases"
    )
    losing = ", ".join(label(x) for x in found.stop)
    words = (
        f"Labels that lose as counted (B(l) < 0): {losing}; beyond luck: "
        f"{', '.join(label(x) for x in found.harmful) or 'none'}."
        if losing
        else "No label loses: each has an informedness of 0 or more."
    )
    rows = tuple((title, rate(i.estimate), rate(i.low), rate(i.high)) for title, i in held)
    blocks: tuple[Block, ...] = (
        Grid(
            "Silence, and what is left",
            columns("", "value", "low", "high"),
            rows,
            "abstention",
        ),
        Words(words),
    )
    data = {
        **{title: {"value": i.estimate, "low": i.low, "high": i.high} for title, i in held},
        "stop": list(found.stop),
        "harmful": list(found.harmful),
    }
    title = f"Abstention{of}"
    section = Section(f"{key}abstention", title, blocks)
    return Page(title, answer, (section,), (), found.notes, data)
