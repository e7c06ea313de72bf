"""Many systems as a page: places, ties and differences."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from informed._numbers import percent, probability, pvalue_text, rate, signed, span
from informed.documents.blocks import Drawing, Grid, Range, Section, Words, columns, drawing, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import (
    MOST_ROWS,
    Row,
    differences,
    differing,
    estimated,
    forest,
)
from informed.documents.charts.ranks import rank_intervals
from informed.documents.document import Document, drafted
from informed.documents.pages.comparison import gap_range, spread
from informed.documents.paging import page_of
from informed.measures import find
from informed.results import Note
from informed.summary.parts import Estimate
from informed.systems.board import sign_of
from informed.systems.leaderboard import Leaderboard

MOST_PAIRS = 45  # differences of every two systems that are shown
RANKS = "Places that a system may have; bars join those that cannot be told apart"
MOST_SYSTEMS = 100  # beyond it, JSON holds differences from the first system only


@page_of(Leaderboard)
def board_page(board: Leaderboard, *, key: str = "") -> Document:
    """Systems in order, with what the order is worth."""
    sections = _board_sections(board, key)
    data = board_data(board)
    notes = [*board.notes, *map(Note, _groups(board))]
    if board.discounted is not None:
        sections += _board_sections(board.discounted, f"{key}discounted-")
        data["discounted"] = board_data(board.discounted)
    return drafted(
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


def _ranks(board: Leaderboard) -> Chart | None:
    """From which place to which each system may stand."""
    order = board.order[:MOST_ROWS].tolist()
    rows = []
    for s in order:
        name, low, high = label(board.names[s], 26), int(board.rank_low[s]), int(board.rank_high[s])
        value = f"{rate(board.values[s])} {span(board.low[s], board.high[s])}"
        good = 1 if low == 1 else 0 if board.beyond_guessing[s] else -1
        tip = f"{name}: place {low} to {high}, {board.measure} {value}"
        said = rate(board.values[s])
        rows.append(Row(name, int(board.rank[s]), low, high, good, said=said, tip=tip))
    place = {board.names[s]: i for i, s in enumerate(order)}
    ties = [[place[name] for name in group if name in place] for group in board.groups]
    return rank_intervals(rows, len(board), ties, "Places that the systems may have")


def _board_sections(board: Leaderboard, key: str) -> list[Section]:
    discounted = "coverage discount" in board.basis
    where = ", with the coverage discount" if discounted else ""
    words = Words(f"On {board.basis}: {board.items:,} of them.", "note")
    values = [
        estimated(label(board.names[s], 22), _estimate(board, s)) for s in board.order[:MOST_ROWS]
    ]
    title = f"{board.measure} with intervals that hold together"
    standing = Section(
        f"{key}places",
        f"Places{where}",
        (
            words,
            drawing(RANKS, _ranks(board), caption=True),
            drawing(title, forest(values, title), caption=True),
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
            _forest(rows, board),
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


def _forest(rows: list[Pair], board: Leaderboard) -> Drawing:
    sign = sign_of(find(board.measure))
    gaps = [
        differing(
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
    title = f"Differences of {board.measure}"
    return drawing(title, differences(gaps, title, ends=ends), caption=True)


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
