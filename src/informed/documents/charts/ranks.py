"""Places: from which to which a system may stand, and mean ranks with what cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from informed.documents.charts.chart import Chart
from informed.documents.charts.forest import WIDE, Row, forest
from informed.documents.charts.marks import Axis, Dots, Mark, Ranges, Texts, Tick, scale
from informed.evidence.shown import shown_all, whole

MOST_RANKED = 40  # names that fit around one axis
MOST_COLUMNS = 12  # of ties side by side
ACROSS = 380.0  # pixels of the axis of mean ranks
BAR, NAME = 9.0, 22.0  # pixels from bar to bar, from name to name


def places(most: int) -> list[int]:
    """Ticks of an axis of places: 1 and round numbers.

    >>> places(5), places(30)
    ([1, 2, 3, 4, 5], [1, 5, 10, 15, 20, 25, 30])
    """
    step = next(x * 10**p for p in range(9) for x in (1, 2, 5) if most / (x * 10**p) <= 12)
    return sorted({1, *range(step, most + 1, step)})


def rank_intervals(rows: Sequence[Row], most: int, ties: Sequence[Sequence[int]], title: str) -> Chart | None:
    """Places of systems, the best first; upright bars join rows that cannot be told apart."""
    wide = min(WIDE, max(160.0, 40.0 * (most - 1)))
    axis = scale(0.5, most + 0.5, "place, 1 is best", at=places(most))
    chart = forest(rows, title, axis=axis, interval="span")
    if chart is None:
        return None
    beside = 8.0 * max(len(r.said) for r in rows) + 26
    pixel = most / wide  # places
    x, first, last = [], [], []
    for column, a, b in _columns(ties):
        x.append(axis.end + (beside + BAR * column) * pixel)
        first.append(a - 0.23)
        last.append(b + 0.23)
    words = f"{chart.words} Bars at the right join systems that cannot be told apart."
    return replace(chart, kind="ranks", width=wide, words=words, marks=(*chart.marks, Ranges(x, first, x, last, "tie")))


def _columns(ties: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Ties as (column, first row, last row); overlapping ones stand side by side."""
    ends: list[int] = []  # the last row of each column so far
    found = []
    for rows in ties:
        if len(rows) < 2:
            continue
        first, last = min(rows), max(rows)
        column = next((i for i, end in enumerate(ends) if end < first), len(ends))
        if column >= MOST_COLUMNS:
            break
        ends[column:] = [last, *ends[column + 1 :]]
        found.append((column, first, last))
    return found


def critical_difference(
    systems: Mapping[str, float], groups: Sequence[Sequence[float]], difference: float, title: str
) -> Chart | None:
    """Mean ranks of systems on one axis; bars join what is nearer to each other than the difference.

    `groups` are the mean ranks of systems that cannot be told apart. None of two systems, whose
    difference needs no diagram, and where the names of so many do not fit around the axis.
    """
    k = len(systems)
    if not 2 < k <= MOST_RANKED:
        return None
    named = zip(shown_all(list(systems), 22), systems.values(), strict=True)
    ranked = sorted(named, key=lambda s: s[1])
    bars = [g for g in groups if len(g) > 1]
    half = (k + 1) // 2
    base = 18 + BAR * len(bars)
    tall = base + NAME * half
    reach = 1 + min(difference, k - 1)

    edge = 8 * (k - 1) / ACROSS  # 8 pixels
    y = [11 + BAR * i for i in range(len(bars))]
    marks: list[Mark] = [
        Ranges([1.0], [0], [k], [0], "axle"),
        Ranges([1.0, 1.0, reach], [-38, -42, -42], [reach, 1.0, reach], [-38, -34, -34], "axle"),
        Ranges(places(k), [-5] * len(places(k)), places(k), [0] * len(places(k)), "axle"),
        Texts([reach], [-38], [f"critical difference {difference:.2f}"], "tiny", "start", 8),
        Ranges([min(g) - edge / 2 for g in bars], y, [max(g) + edge / 2 for g in bars], y, "tie"),
    ]
    for left, side in ((True, ranked[:half]), (False, ranked[half:][::-1])):
        out = 1 - edge if left else k + edge
        for i, (name, rank) in enumerate(side):
            row = base + NAME * i + 12
            marks.append(Ranges([rank, rank], [0, row], [rank, out], [row, row], "lead"))
            said = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
            marks.append(Texts([out], [row], [said], "lab", "end" if left else "start", -4 if left else 4))
    tips = [f"{whole(name)}: mean rank {rank:.2f}" for name, rank in ranked]
    marks.append(Dots([rank for _, rank in ranked], [0] * k, size=3.5, tips=tips))
    ticks = tuple(Tick(r, str(r), role="") for r in places(k))
    return Chart(
        title,
        "; ".join(f"{whole(name)} {rank:.2f}" for name, rank in ranked[:20])
        + f". Critical difference {difference:.2f}; bars join systems that are nearer.",
        Axis(1, k, ticks=ticks, opposite=True),
        Axis(tall, 0),
        tuple(marks),
        width=ACROSS,
        height=tall,
        kind="forest",
    )
