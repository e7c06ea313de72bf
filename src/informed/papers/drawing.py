"""What the lab's pictures are made of: lines, dots, bars and sheets as marks of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import Axis, Cells, Dots, Lines, Mark, Moving, Rules, Texts, scale

NAMES = ("red", "blue", "green", "orange", "purple", "teal", "brown", "grey")
PALETTE = {"ink": ""} | {name: f"c{i}" for i, name in enumerate(NAMES, 1)}  # of style.css
RED, BLUE, GREEN, ORANGE, PURPLE, TEAL, BROWN, GREY = COLOURS = tuple(PALETTE.values())[1:]
WIDE, TALL = 560.0, 310.0


def chart(
    title: str,
    x: Axis,
    y: Axis,
    marks: Sequence[Mark],
    *,
    wide: float = WIDE,
    tall: float = TALL,
    legend: Literal["below", "right", ""] = "right",
) -> Chart:
    """A chart with its title above; what it shows is said by the names in its legend."""
    named = [m.name for m in marks if not isinstance(m, (Texts, Moving)) and m.name]
    axes = " against ".join(filter(None, (y.title, x.title)))
    words = ". ".join(filter(None, (axes, ", ".join(named)))) or title
    return Chart(title, f"{words}.", x, y, tuple(marks), wide, tall, head=title, legend=legend)


def panels(charts: Sequence[Chart], columns: int, title: str, foot: str = "") -> Panels:
    """Charts side by side under one title."""
    words = foot or f"{len(charts)} panels: {'; '.join(c.title for c in charts)}."
    return Panels(title, words, tuple(charts), columns, head=title, foot=foot)


def kinds(names: Sequence[Any], title: str = "") -> Axis:
    """A horizontal axis of names, each in the middle of a unit."""
    return scale(0, len(names), title, at=middles(names), said=list(map(str, names)), role="")


def middles(names: Sequence[Any]) -> list[float]:
    """Where names stand along an axis on which each has a unit."""
    return [i + 0.5 for i in range(len(names))]


def line(x: Any, y: Any, colour: str, name: str = "", style: str = "") -> Lines:
    """A line in a colour; `style` is one or more of thin, thick, dashed and dotted."""
    return Lines(np.asarray(x, dtype=float), np.asarray(y), f"curve {colour} {style}".strip(), name)


def level(at: float, name: str = "", *, upright: bool = False) -> Rules:
    """A dashed line from edge to edge."""
    return Rules([at], "curve thin dashed", upright, name=name)


def dots(x: Any, y: Any, colour: str, name: str = "", size: float = 2.4) -> Dots:
    """Dots in a colour."""
    xs, ys = np.broadcast_arrays(np.asarray(x, dtype=float), y)
    return Dots(xs, ys, f"mark {colour}", size, name=name)


def bars(series: Mapping[str, Sequence[float]], colours: Sequence[str] = COLOURS) -> list[Mark]:
    """Bars from 0 side by side in each unit of the axis, a colour for each series."""
    step = 0.8 / len(series)
    marks: list[Mark] = []
    for i, (name, values) in enumerate(series.items()):
        left = np.arange(len(values), dtype=np.float64) + 0.1 + step * i
        marks.append(Cells(left, 0 * left, left + 0.9 * step, list(values), f"mark {colours[i]}", name=name))
    return marks


# ------------------------------------------------------------------ sheets of words

Cell: TypeAlias = tuple[str, str]  # words, and what is behind them: GOOD, BAD, HEAD or nothing

GOOD, BAD, HEAD = "mark c3", "mark c1", "mark c8"
BEHIND = {"+": GOOD, "-": BAD, "#": HEAD}
DEPTH = {GOOD: 0.2, BAD: 0.28, HEAD: 0.14}
ROW = 22.0  # pixels


def row(line: str) -> list[Cell]:
    """Cells between bars; one that starts with +, - or # is right, wrong or a head.

    >>> row("+56 | −20 | #N")
    [('56', 'mark c3'), ('−20', ''), ('N', 'mark c8')]
    """
    cells = [words.strip() for words in line.split("|")]
    return [(c[1:], BEHIND[c[0]]) if c[:1] in BEHIND else (c, "") for c in cells]


def sheet(rows: Sequence[Sequence[Cell]], widths: Sequence[float], title: str) -> Chart:
    """A table of words as a picture, each cell with a colour of its own."""
    edges = np.append(0.0, np.cumsum(widths)).tolist()
    held = [
        (words, role, edges[j], ROW * i, edges[j + 1], ROW * (i + 1))
        for i, cells in enumerate(rows)
        for j, (words, role) in enumerate(cells)
        if words or role
    ]
    _, roles, x, y, x2, y2 = zip(*(cell for cell in held if cell[1]), strict=True)
    behind = Cells(x, y, x2, y2, roles, [DEPTH[role] for role in roles])
    words, _, x, y, x2, y2 = zip(*held, strict=True)
    said_in = Texts(np.add(x, x2) / 2, np.add(y, y2) / 2, words, "tiny ink")
    marks = (behind, Cells(x, y, x2, y2, "cell"), said_in)

    said = [", ".join(words for words, _ in cells if words) for cells in rows]
    wide, tall = edges[-1], max(y2)
    axes = (Axis(0, wide), Axis(tall, 0))
    return Chart(title, f"{'; '.join(filter(None, said))}.", *axes, marks, wide, tall, "sheet", title, legend="")
