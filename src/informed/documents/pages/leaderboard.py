"""Many systems as a page: places, ties and differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from informed._numbers import percent, probability, rate, span
from informed.documents.blocks import Block, Range, Section, Words, drawing, grid_of, label
from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import MOST_ROWS, Row, forest, standing
from informed.documents.charts.ranks import rank_intervals
from informed.documents.document import Document
from informed.documents.pages.comparison import gaps
from informed.documents.paging import page_of
from informed.evidence.shown import shown_pairs, whole
from informed.results import Note
from informed.systems.board import Leaderboard, sign_of

BY = {"max-t": "the joint distribution of the differences"}
MOST_PAIRS = 45  # differences of every two systems that are shown
RANKS = "Places that a system may have; bars join those that cannot be told apart"


@page_of(Leaderboard)
def board_page(board: Leaderboard, *, key: str = "") -> Document:
    """Systems in order, with what the order is worth."""
    sections = _sections(board, key)
    title = f"{len(board)} systems on the same {board.items:,} items"
    told: dict[str, Any] = {"notes": (*board.notes, *_groups(board)), "steps": tuple(_steps(board))}
    return Document.of(board, title, *sections, answer=leading(board), **told)


def _steps(board: Leaderboard) -> Iterator[str]:
    """What follows from the order."""
    if len(board.leaders) > 1 and len(board) > 2:
        yield "compare the first two alone: that says how many items would tell them apart."
    known = zip(board.names, np.asarray(board.low) <= 0, np.asarray(board.high) >= 0, strict=True)
    idle = [name for name, below, above in known if below and above] if board.told_from_guessing else []
    if idle and len(idle) < len(board) - 1:
        they = "it is" if len(idle) == 1 else "they are"
        some = ", ".join(label(name, 24) for name in idle[:3]) + (", …" if len(idle) > 3 else "")
        yield f"leave out {some} the next time: {they} not told from guessing, and intervals of fewer are narrower."


def leading(board: Leaderboard) -> str:
    """Who may be the best, in one sentence."""
    leaders = [label(name, 60) for name in board.leaders]
    best = board.order[0]
    value = f"{board.called} {rate(board.estimate[best])} {span(board.low[best], board.high[best])}"
    where = f"{len(board)} systems on the same {board.items:,} items"
    if len(leaders) == 1:
        return f"{leaders[0]} is the best: {value}, {where}"
    shown = ", ".join(leaders[:6]) + (", …" if len(leaders) > 6 else "")
    return f"{len(leaders)} systems may be the best ({shown}): {value} for the first, {where}"


def _groups(board: Leaderboard) -> list[Note]:
    said = [
        f"Cannot be told apart: {', '.join(label(name, 40) for name in group[:20])}"
        + (f" and {len(group) - 20} more." if len(group) > 20 else ".")
        for group in board.groups[:20]
        if len(group) > 1
    ]
    return [Note(x, code="tied") for x in said]


def _sections(board: Leaderboard, key: str) -> list[Section]:
    words = Words(f"On {board.basis}: {board.items:,} of them.", "note")
    title = f"Differences from {label(board.versus.baseline)}" if board.versus else "Differences"
    return [
        Section(f"{key}places", "Places", (words, *_standing(board), *_cochran(board))),
        Section(f"{key}pairs", title, _pairs(board)),
    ]


def _standing(board: Leaderboard) -> tuple[Block, ...]:
    """Places, values and every system in a grid, best first."""
    held = board.records()
    known = board.of.facts.chance
    chance = float(known) if isinstance(known, (int, float)) else math.nan
    start = max(-1.0, min(0.0, float(np.nanmin(np.append(board.low, 0.0)))))
    values = list(zip(held["estimate"], held["low"], held["high"], strict=True))
    rows = [
        standing(label(name, 22), *limits, chance)
        for name, limits in zip(held["system"][:MOST_ROWS], values, strict=False)
    ]

    pictures = [Range(low, x, high, chance, start) if -1 <= x <= 1 else "" for x, low, high in values]
    title = f"{board.called} with intervals that hold together"
    grid = grid_of(
        held,
        f"Ranks that the data support, and {percent(board.level)} intervals that hold together",
        *("system", "rank", "rank_low", "rank_high", "estimate", "low", "high"),
        *(("beyond_guessing",) if board.told_from_guessing else ()),
        *("coverage", *(() if board.answered is None else ("answered",))),
        titles={"answered": "of those answered", "estimate": board.called, "rank_low": "from", "rank_high": "to"},
        pictures=pictures,
    )

    return (
        drawing(RANKS, rank_picture(board), caption=True),
        drawing(title, forest(rows, title, across=board.called), caption=True),
        grid,
    )


def rank_picture(board: Leaderboard) -> Chart | None:
    """From which place to which each system may stand."""
    held, rows = board.records(), []
    for x in held.dicts()[:MOST_ROWS]:
        name, low, high = label(x["system"], 26), x["rank_low"], x["rank_high"]
        said = rate(x["estimate"])
        value = f"{board.called} {said} {span(x['low'], x['high'])}"
        good = 1 if low == 1 else 0 if x.get("beyond_guessing", True) else -1
        tip = f"{whole(name)}: place {low} to {high}, {value}"
        rows.append(Row(name, x["rank"], low, high, good, said=said, tip=tip))
    place = {name: i for i, name in enumerate(held["system"][:MOST_ROWS])}
    ties = [[place[name] for name in group if name in place] for group in board.groups]
    return rank_intervals(rows, len(board), ties, "Places that the systems may have")


def _cochran(board: Leaderboard) -> tuple[Words, ...]:
    if board.cochran_q is None:
        return ()
    q, p = float(board.cochran_q.statistic), probability(float(board.cochran_q.pvalue))
    said = f"Cochran's Q of equal accuracy: {q:.2f} with {board.cochran_q.df} degrees of freedom, {p}."
    return (Words(said, "note"),)


def _pairs(board: Leaderboard) -> tuple[Block, ...]:
    """Differences from the baseline; or of every two systems; or, of many, from the first."""
    sign = sign_of(board.of)
    ends = ("", "")
    if board.versus is None:
        every = len(board) * (len(board) - 1) // 2 <= MOST_PAIRS
        held, how = board.pairs_records(None if every else 1), BY.get(board.adjust, board.adjust)
        said = shown_pairs((x["a"], x["b"]) for x in held)
    else:
        held, how = board.versus_records(), "the joint distribution of these comparisons"
        how += " (Dunnett-like)"
        said = [label(x, 26) for x in held["a"]]
        base = label(board.versus.baseline, 22)
        ends = (base, "the other") if sign > 0 else ("the other", base)

    verdicts = [sign * (int(x["low"] > 0) - int(x["high"] < 0)) for x in held]  # as the ranks
    return gaps(
        held,
        f"Differences of {board.called}, with adjusted p-values",
        f"Intervals hold together at {percent(board.level)}; p-values adjusted by {how}",
        *("a", "b", "estimate", "low", "high", "pvalue", "adjusted"),
        said=said,
        verdicts=verdicts,
        titles={"estimate": board.called, "pvalue": "p", "adjusted": "p, adjusted"},
        ends=ends,
    )
