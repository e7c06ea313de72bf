"""Pictures of comparisons as inline SVG: differences, places and their ties, mean ranks, risk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from informed._numbers import rate, signed, span
from informed.documents.blocks import Drawing
from informed.documents.charts.pieces import circle, label, line, path, picture, rect, text
from informed.documents.charts.report_figures import MOST_ROWS, forest
from informed.evidence.table_text import width as columns_of
from informed.summary.report import Estimate

if TYPE_CHECKING:
    from informed.systems.folds import Folds
    from informed.systems.leaderboard import Leaderboard
    from informed.systems.risk_coverage import RiskCoverage

MOST_RANKED = 40  # names that fit around one axis
MOST_POINTS = 400  # of a curve
STEP, TOP, WIDE = 26.0, 12.0, 340.0
LETTER = 7.2


@dataclass(frozen=True)
class Gap:
    """A difference to be drawn; `good` is 1 where it speaks for the first, −1 for the second."""

    name: str
    value: float
    low: float
    high: float
    good: int
    said: str = ""  # beside the value, such as the p-value


def forest_of(
    rows: Sequence[tuple[str, Estimate]], title: str, guide: Estimate | None = None
) -> Drawing:
    """A forest of estimates that draws itself."""
    return Drawing(title, lambda key: forest(rows, key, title, guide=guide), caption=True)


def differences_of(
    gaps: Sequence[Gap],
    title: str,
    *,
    ends: tuple[str, str] = ("", ""),
    margin: float | None = None,
) -> Drawing:
    """A forest of differences that draws itself."""

    def draw(key: str) -> str:
        return differences(gaps, key, title, ends=ends, margin=margin)

    return Drawing(title, draw, caption=True)


def differences(
    gaps: Sequence[Gap],
    key: str,
    title: str,
    *,
    ends: tuple[str, str] = ("", ""),
    margin: float | None = None,
) -> str:
    """A forest of differences around 0: interval as a line, difference as a dot."""
    gaps = [g for g in gaps if not math.isnan(g.value)][:MOST_ROWS]
    if not gaps:
        return ""
    names = [label(g.name, 26) for g in gaps]
    left = 16 + LETTER * max(map(columns_of, names))
    reach = [x for g in gaps for x in (g.low, g.high, g.value) if not math.isnan(x)]
    if margin is not None:
        reach += [-margin, margin]
    ticks = ticked(min(0.0, *reach), max(0.0, *reach))
    start, end = ticks[0], ticks[-1]

    def at(x: float) -> float:
        return left + WIDE * (min(max(x, start), end) - start) / (end - start)

    height = TOP + STEP * len(gaps)
    body = []
    if margin is not None:
        body.append(rect(at(-margin), TOP, at(margin) - at(-margin), height - TOP, "band"))
    for x in ticks:
        body.append(line(at(x), TOP, at(x), height, "zero" if x == 0 else "grid"))
        body.append(text(at(x), height + 16, _minus(f"{x:g}"), "tick", text_anchor="middle"))
    for i, g in enumerate(gaps):
        y = TOP + STEP * (i + 0.5)
        tone = {1: "more", 0: "even", -1: "less"}[g.good]
        body.append(text(left - 10, y + 4, names[i], "lab", text_anchor="end"))
        if not math.isnan(g.low):
            body.append(line(at(g.low), y, at(g.high), y, f"whisker {tone}-line"))
        tip = f"{names[i]}: {signed(g.value)} {span(g.low, g.high)} {g.said}".strip()
        body.append(circle(at(g.value), y, 4.5, f"{tone}-dot", data_tip=tip))
        body.append(
            text(left + WIDE + 56, y + 4, _minus(signed(g.value)), "tot", text_anchor="end")
        )
        body.append(text(left + WIDE + 64, y + 4, g.said, "tiny"))
    foot = height + 24
    if any(ends):
        foot += 16
        worse, better = (label(x, 22) for x in ends)
        body.append(text(at(0) - 8, foot - 4, f"← {worse} better", "tiny", text_anchor="end"))
        body.append(text(at(0) + 8, foot - 4, f"{better} better →", "tiny"))
    more = max(len(g.said) for g in gaps)
    said = "; ".join(
        f"{n} {signed(g.value)} {span(g.low, g.high)}"
        for n, g in zip(names[:12], gaps[:12], strict=True)
    )
    return picture(
        key, left + WIDE + 74 + 6 * more, foot, title, f"{said}.", "".join(body), "forest"
    )


def _minus(said: str) -> str:
    return said.replace("-", "−")


def ticked(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest, 0 among them.

    >>> ticked(-0.083, 0.21)
    [-0.1, 0.0, 0.1, 0.2, 0.3]
    """
    wide = max(high - low, 1e-3)
    power = 10.0 ** math.floor(math.log10(wide))
    step = next(power * x for x in (0.1, 0.2, 0.5, 1, 2, 5) if wide / (power * x) <= 5)
    first, last = math.floor(low / step - 1e-9), math.ceil(high / step + 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    return [round(i * step, 12) for i in range(first, last + 1)]


# ---------------------------------------------------------------------- places


def ranks(board: Leaderboard, key: str) -> str:
    """From which place to which a system may stand; bars join those that cannot be told apart."""
    order = board.order[:MOST_ROWS].tolist()
    names = [label(board.names[s], 26) for s in order]
    left = 16 + LETTER * max(map(columns_of, names))
    most = len(board)
    wide = min(WIDE, max(160.0, 40.0 * (most - 1)))

    def at(place: float) -> float:
        return left + 10 + wide * (place - 1) / max(most - 1, 1)

    height = TOP + STEP * len(order)
    body = []
    for place in _places(most):
        body.append(line(at(place), TOP, at(place), height, "grid"))
        body.append(text(at(place), height + 16, str(place), "tick", text_anchor="middle"))
    for i, s in enumerate(order):
        y = TOP + STEP * (i + 0.5)
        tone = "more" if board.rank_low[s] == 1 else "even" if board.beyond_guessing[s] else "less"
        low, high = int(board.rank_low[s]), int(board.rank_high[s])
        body.append(text(left - 10, y + 4, names[i], "lab", text_anchor="end"))
        body.append(line(at(low) - 0.1, y, at(high) + 0.1, y, f"span {tone}-line"))
        value = f"{rate(board.values[s])} {span(board.low[s], board.high[s])}"
        tip = f"{names[i]}: place {low} to {high}, {board.measure} {value}"
        body.append(circle(at(int(board.rank[s])), y, 4.5, f"{tone}-dot", data_tip=tip))
        body.append(text(left + wide + 66, y + 4, rate(board.values[s]), "tot", text_anchor="end"))
    ties = _ties(board, order)
    for column, first, last in ties:
        x = left + wide + 82 + 9.0 * column
        y1, y2 = (TOP + STEP * (i + 0.5) for i in (first, last))
        body.append(line(x, y1 - 6, x, y2 + 6, "tie"))
    body.append(
        text(left + 10 + wide / 2, height + 36, "place, 1 is best", "axis", text_anchor="middle")
    )
    said = "; ".join(
        f"{n} place {board.rank_low[s]} to {board.rank_high[s]}"
        for n, s in zip(names[:12], order[:12], strict=True)
    )
    return picture(
        key,
        left + wide + 96 + 9.0 * max((c for c, _, _ in ties), default=0),
        height + 44,
        "Places that the systems may have",
        f"{said}. Bars at the right join systems that cannot be told apart.",
        "".join(body),
        "forest",
    )


def _places(most: int) -> list[int]:
    step = next(x * 10**p for p in range(9) for x in (1, 2, 5) if most / (x * 10**p) <= 12)
    return sorted({1, *range(step, most + 1, step)})


def _ties(board: Leaderboard, order: list[int]) -> list[tuple[int, int, int]]:
    """Groups of two and more as (column, first row, last row); overlapping ones side by side."""
    row = {board.names[s]: i for i, s in enumerate(order)}
    ends: list[int] = []  # the last row of each column so far
    found = []
    for group in board.groups:
        rows = [row[name] for name in group if name in row]
        if len(rows) < 2:
            continue
        first, last = min(rows), max(rows)
        column = next((i for i, end in enumerate(ends) if end < first), len(ends))
        if column > 11:
            break
        ends[column:] = [last, *ends[column + 1 :]]
        found.append((column, first, last))
    return found


# ---------------------------------------------------------------------- mean ranks


def critical(found: Folds, key: str) -> str:
    """Mean ranks on one axis; bars join those within the critical difference (Nemenyi)."""
    k = len(found.names)
    if k > MOST_RANKED:
        return ""
    order = np.argsort(found.mean_rank, kind="stable").tolist()
    names = {s: label(found.names[s], 22) for s in order}
    half = (k + 1) // 2
    room = 58 + LETTER * max(map(columns_of, names.values()))
    wide, axis = 380.0, 52.0

    def at(r: float) -> float:
        return room + wide * (r - 1) / (k - 1)

    bars = [
        [found.mean_rank[found.names.index(name)] for name in group]
        for group in found.groups
        if len(group) > 1
    ]
    base = axis + 18 + 9.0 * len(bars)
    body = [line(at(1), axis, at(k), axis, "axle")]
    for r in _places(k):
        body.append(line(at(r), axis - 5, at(r), axis, "axle"))
        body.append(text(at(r), axis - 10, str(r), "tick", text_anchor="middle"))
    reach = min(found.critical_difference, k - 1)
    body += [
        line(at(1), 14, at(1 + reach), 14, "axle"),
        line(at(1), 10, at(1), 18, "axle"),
        line(at(1 + reach), 10, at(1 + reach), 18, "axle"),
        text(at(1 + reach) + 8, 18, f"critical difference {found.critical_difference:.2f}", "tiny"),
    ]
    for i, bar in enumerate(bars):
        y = axis + 11 + 9.0 * i
        body.append(line(at(min(bar)) - 4, y, at(max(bar)) + 4, y, "tie"))
    sides = [(order[:half], room - 8, "end"), (order[half:][::-1], room + wide + 8, "start")]
    for side, edge, anchor in sides:
        inner = edge + (6 if anchor == "end" else -6)
        for i, s in enumerate(side):
            x, y = at(found.mean_rank[s]), base + 22.0 * i + 12
            body.append(path([(x, axis), (x, y), (inner, y)], "lead"))
            place = f"{found.mean_rank[s]:.2f}"
            said = f"{names[s]}  {place}" if anchor == "end" else f"{place}  {names[s]}"
            body.append(text(edge, y + 4, said, "lab", text_anchor=anchor))
            body.append(circle(x, axis, 3.5, "dot", data_tip=f"{names[s]}: mean rank {place}"))
    said = "; ".join(f"{names[s]} {found.mean_rank[s]:.2f}" for s in order[:20])
    return picture(
        key,
        2 * room + wide,
        base + 22.0 * half + 10,
        f"Mean ranks over {found.blocks} folds",
        f"{said}. Critical difference {found.critical_difference:.2f}; bars join systems that are "
        "nearer to each other.",
        "".join(body),
        "forest",
    )


# ---------------------------------------------------------------------- risk and coverage


def risk(found: RiskCoverage, key: str) -> str:
    """Risk and informedness against the share of cases that is answered."""
    wide, high, left, top = 460.0, 220.0, 44.0, 14.0
    curves: list[tuple[str, Any, str]] = [
        ("informedness, answered", found.informedness, "s1"),
        ("informedness, all cases", found.of_all, "s2"),
        ("risk", found.risk, "s3"),
    ]
    least = min((float(np.nanmin(v)) for _, v, _ in curves if np.isfinite(v).any()), default=0.0)
    floor = 0.0 if least >= 0 else -1.0
    kept = np.unique(np.linspace(0, len(found.coverage) - 1, MOST_POINTS).astype(int))

    def at(x: float, y: float) -> tuple[float, float]:
        return left + wide * x, top + high * (1 - (y - floor) / (1 - floor))

    body = []
    for y in (0, 0.25, 0.5, 0.75, 1) if floor == 0 else (-1, -0.5, 0, 0.5, 1):
        body.append(line(*at(0, y), *at(1, y), "zero" if y == 0 else "grid"))
        body.append(text(left - 8, at(0, y)[1] + 4, f"{y:g}", "tick", text_anchor="end"))
    body += [
        text(at(x, floor)[0], top + high + 17, f"{x:g}", "tick", text_anchor="middle")
        for x in (0, 0.25, 0.5, 0.75, 1)
    ]
    best = int(np.nanargmax(found.of_all))
    body.append(line(*at(found.coverage[best], floor), *at(found.coverage[best], 1), "here"))
    for i, (name, values, series) in enumerate(curves):
        points = (at(found.coverage[j], float(values[j])) for j in kept)
        body.append(path(points, f"curve {series}"))
        x = left + 160.0 * i
        body.append(line(x, top + high + 50, x + 20, top + high + 50, f"curve {series}"))
        body.append(text(x + 26, top + high + 54, name, "tiny"))
    body.append(
        text(
            left + wide / 2,
            top + high + 34,
            "coverage (share of cases answered)",
            "axis",
            text_anchor="middle",
        )
    )
    return picture(
        key,
        left + wide + 30,
        top + high + 66,
        "Risk and informedness against coverage",
        f"Answering everything, the risk is {rate(found.risk[-1])} and the informedness "
        f"{rate(found.informedness[-1])}; over all cases informedness is highest, "
        f"{rate(found.of_all[best])}, with a coverage of {rate(found.coverage[best])}.",
        "".join(body),
        "curves",
    )
