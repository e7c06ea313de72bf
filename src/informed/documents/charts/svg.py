"""Charts as SVG: text is escaped here, numbers are short, every picture has its words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from informed._arrays import Array
from informed.documents.charts import style
from informed.documents.charts.marks import (
    Anchor,
    Axis,
    Bands,
    Cells,
    Dots,
    Lines,
    Mark,
    Moving,
    Numbers,
    Ranges,
    Rules,
    Texts,
    each,
)
from informed.evidence.table_text import width as columns_of

if TYPE_CHECKING:
    from informed.documents.charts.chart import Chart

EDGE = 6.0  # free around a picture
SWATCH = 20.0  # of the legend
BESIDE = 0.8  # of the frame: words of an upright line further right stand at its left


def n(x: float) -> str:
    """A coordinate: at most one decimal, ties rounded alike on every machine.

    >>> n(3.0), n(2.25)
    ('3', '2.3')
    """
    return f"{x + 1e-7:.1f}".removesuffix(".0")


# ---------------------------------------------------------------------- what is drawn on


@dataclass
class Canvas:
    """Pieces of SVG, and how far they reach."""

    parts: list[str] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def reach(self, x: float, y: float, x2: float, y2: float) -> None:
        self.left, self.right = min(self.left, x, x2), max(self.right, x, x2)
        self.top, self.bottom = min(self.top, y, y2), max(self.bottom, y, y2)

    def line(self, x: float, y: float, x2: float, y2: float, role: str, more: str = "") -> None:
        self.reach(x, y, x2, y2)
        self.parts.append(f'<line x1="{n(x)}" y1="{n(y)}" x2="{n(x2)}" y2="{n(y2)}" class="{role}"{more}/>')

    def rect(self, x: float, y: float, x2: float, y2: float, role: str, more: str = "") -> None:
        x, x2 = (round(edge, 1) for edge in sorted((x, x2)))  # so that neighbours share an edge
        y, y2 = (round(edge, 1) for edge in sorted((y, y2)))
        self.reach(x, y, x2, y2)
        self.parts.append(
            f'<rect x="{n(x)}" y="{n(y)}" width="{n(x2 - x)}" height="{n(y2 - y)}" class="{role}"{more}/>'
        )

    def circle(self, x: float, y: float, r: float, role: str, more: str = "") -> None:
        self.reach(x - r, y - r, x + r, y + r)
        self.parts.append(f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" class="{role}"{more}/>')

    def path(self, x: Iterable[float], y: Iterable[float], role: str, more: str = "") -> None:
        """A line through points; broken where one is not known."""
        said, pen = [], "M"
        for a, b in zip(x, y, strict=True):
            if math.isnan(a) or math.isnan(b):
                pen = "M"
                continue
            said.append(f"{pen}{n(a)} {n(b)}")
            pen = "L"
        if said:
            self.parts.append(f'<path class="{role}" d="{"".join(said)}"{more}/>')

    def text(self, x: float, y: float, said: str, role: str, anchor: Anchor = "start", turned: float = 0) -> None:
        """Words whose base line begins, has its middle or ends at a point."""
        if not said:
            return
        wide, tall = width(said, role), letter(role)
        first = {"start": 0.0, "middle": -wide / 2, "end": -wide}[anchor]
        if turned:
            c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
            for a in (first, first + wide):
                for b in (-0.8 * tall, 0.3 * tall):
                    self.reach(*(x + a * c + b * s, y - a * s + b * c) * 2)
        else:
            self.reach(x + first, y - 0.8 * tall, x + first + wide, y + 0.3 * tall)
        held = "" if anchor == "start" else f' text-anchor="{anchor}"'
        held += f' transform="rotate({n(-turned)} {n(x)} {n(y)})"' if turned else ""
        self.parts.append(f'<text x="{n(x)}" y="{n(y)}" class="{role}"{held}>{escape(said)}</text>')


@cache
def letter(role: str) -> float:
    """The size of letters, in pixels."""
    return float(style.look(role).get("font-size", "12.5px").removesuffix("px"))


def width(said: str, role: str) -> float:
    """About how wide words are, in pixels."""
    return 0.57 * letter(role) * columns_of(said)


def _tip(said: str) -> str:
    return f' data-tip="{escape(said)}"' if said else ""


# ---------------------------------------------------------------------- one chart


def drawn(chart: Chart, key: str) -> Canvas:
    """The frame of a chart stands at (0, 0); everything else reaches out from there."""
    c = Canvas()
    c.reach(0, 0, chart.width, chart.height)
    if chart.framed:
        c.rect(0, 0, chart.width, chart.height, "frame")

    _grid(c, chart)
    _words_across(c, chart.x, chart)
    _words_up(c, chart.y, chart)

    outside = _leaves(chart)
    for i, mark in enumerate(chart.marks):
        cut = f' clip-path="url(#{key}-c)"' if i in outside else ""
        _mark(c, chart, mark, cut)
    if outside:
        frame = f'<rect width="{n(chart.width)}" height="{n(chart.height)}"/>'
        c.parts.append(f'<clipPath id="{key}-c">{frame}</clipPath>')

    _legend(c, chart)
    if chart.head:
        c.text(0, c.top - 14, chart.head, "lab b")
    _foot(c, chart.foot, chart.width)
    return c


def size(chart: Chart) -> tuple[float, float]:
    """Width and height of the whole."""
    c = drawn(chart, "")
    return c.right - c.left, c.bottom - c.top


def _grid(c: Canvas, chart: Chart) -> None:
    for axis, upright in ((chart.x, True), (chart.y, False)):
        places = _along(chart, axis, [t.at for t in axis.ticks]).tolist()
        for t, at in zip(axis.ticks, places, strict=True):
            if not t.role:
                continue
            c.line(*_across(chart, at, upright), t.role)


def _across(chart: Chart, at: float, upright: bool) -> tuple[float, float, float, float]:
    """From edge to edge of the frame."""
    return (at, 0.0, at, chart.height) if upright else (0.0, at, chart.width, at)


def _along(chart: Chart, axis: Axis, values: Any) -> Array:
    """Values of an axis as pixels."""
    share = axis.share(values)
    return chart.width * share if axis is chart.x else chart.height * (1 - share)


def _words_across(c: Canvas, axis: Axis, chart: Chart) -> None:
    places = _along(chart, axis, [t.at for t in axis.ticks]).tolist()
    near, far = (-10.0, chart.height + 18) if axis.opposite else (chart.height + 17, -10.0)
    for t, x in zip(axis.ticks, places, strict=True):
        if axis.slanted:
            c.text(x + 4, near, t.near, axis.words, turned=45)
        else:
            c.text(x, near, t.near, axis.words, "middle")
        c.text(x, far, t.far, "tot", "middle")
    y = c.top - 11 if axis.opposite else c.bottom + 16
    c.text(chart.width / 2, y, axis.title, "axis", "middle")


def _words_up(c: Canvas, axis: Axis, chart: Chart) -> None:
    places = _along(chart, axis, [t.at for t in axis.ticks]).tolist()
    for t, y in zip(axis.ticks, places, strict=True):
        c.text(-10, y + 4, t.near, axis.words, "end")
        c.text(chart.width + 12, y + 4, t.far, "tot")
    c.text(c.left - 8, chart.height / 2, axis.title, "axis", "middle", turned=90)


def _leaves(chart: Chart) -> set[int]:
    """Lines and bands that would run out of the frame, which cuts them."""
    out = set()
    for i, mark in enumerate(chart.marks):
        if isinstance(mark, Lines):
            kept = chart.x.holds(mark.x) and chart.y.holds(mark.y)
        elif isinstance(mark, Bands):
            kept = all(map(chart.y.holds, (mark.low, mark.high))) and chart.x.holds(mark.x)
        else:
            continue
        if not kept:
            out.add(i)
    return out


def _at(chart: Chart, x: Numbers, y: Numbers) -> list[tuple[float, float]]:
    xs, ys = np.broadcast_arrays(_along(chart, chart.x, x), _along(chart, chart.y, y))
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


# ---------------------------------------------------------------------- marks


def _mark(c: Canvas, chart: Chart, mark: Mark, cut: str) -> None:
    match mark:
        case Lines():
            c.path(*_thinned(chart, mark.x, mark.y), mark.role, cut)
        case Bands():
            over, under = (_thinned(chart, mark.x, edge) for edge in (mark.high, mark.low))
            xs, ys = ([*forth, *back[::-1]] for forth, back in zip(over, under, strict=True))
            c.path(xs, ys, mark.role, cut)
        case Dots():
            _dots(c, chart, mark)
        case Ranges():
            _ranges(c, chart, mark)
        case Cells():
            _cells(c, chart, mark)
        case Rules():
            _rules(c, chart, mark)
        case Texts():
            for (x, y), said in zip(_at(chart, mark.x, mark.y), mark.words, strict=True):
                place = x + mark.right, y + mark.down + 0.33 * letter(mark.role)
                c.text(*place, said, mark.role, mark.anchor, mark.turned)
        case Moving():
            _moving(c, chart, mark)


def _thinned(chart: Chart, x: Numbers, y: Numbers) -> tuple[list[float], list[float]]:
    """Points that differ by half a pixel or more, the last one always."""
    xs, ys = np.broadcast_arrays(_along(chart, chart.x, x), _along(chart, chart.y, y))
    if len(xs) > 2:
        stepped = np.round(2 * np.array([xs, ys]))
        moved = np.append(True, (np.diff(stepped) != 0).any(axis=0))
        moved[-1] = True
        xs, ys = xs[moved], ys[moved]
    return xs.tolist(), ys.tolist()


def _dots(c: Canvas, chart: Chart, mark: Dots) -> None:
    at = _at(chart, mark.x, mark.y)
    tips = mark.tips or [""] * len(at)
    for (x, y), role, tip in zip(at, each(mark.role, len(at)), tips, strict=True):
        if not math.isnan(x + y):
            c.circle(x, y, mark.size, role, _tip(tip))


def _ranges(c: Canvas, chart: Chart, mark: Ranges) -> None:
    first, last = _at(chart, mark.x, mark.y), _at(chart, mark.x2, mark.y2)
    for a, b, role in zip(first, last, each(mark.role, len(first)), strict=True):
        if not math.isnan(sum(a) + sum(b)):
            c.line(*a, *b, role)


def _cells(c: Canvas, chart: Chart, mark: Cells) -> None:
    first, last = _at(chart, mark.x, mark.y), _at(chart, mark.x2, mark.y2)
    count = len(first)
    depths = [f' fill-opacity="{x:.2f}"' for x in mark.depth] or [""] * count
    tips = mark.tips or [""] * count
    corner = f' rx="{n(mark.corner)}"' if mark.corner else ""
    for a, b, role, depth, tip in zip(first, last, each(mark.role, count), depths, tips, strict=True):
        (x, x2), (y, y2) = sorted((a[0], b[0])), sorted((a[1], b[1]))
        inside = (x + mark.gap, y + mark.gap, x2 - mark.gap, y2 - mark.gap)
        c.rect(*inside, role, f"{corner}{depth}{_tip(tip)}")


def _rules(c: Canvas, chart: Chart, mark: Rules) -> None:
    axis = chart.x if mark.upright else chart.y
    places = _along(chart, axis, mark.at).tolist()
    for at in places:
        c.line(*_across(chart, at, mark.upright), mark.role)
    for i, (x, said) in enumerate(zip(places, mark.words, strict=False)):
        if mark.above:
            c.text(x, -6, said, "tiny", "middle")
            continue
        left = x > BESIDE * chart.width
        c.text(x + (-4 if left else 4), 10 + 12 * i, said, "tiny", "end" if left else "start")


def _moving(c: Canvas, chart: Chart, mark: Moving) -> None:
    xs = _along(chart, chart.x, mark.x).tolist()
    held = f' data-follows="{mark.slider}" data-x="{" ".join(map(n, xs))}"'
    if not len(mark.y):
        c.line(xs[mark.start], 0, xs[mark.start], chart.height, mark.role, held)
        return
    ys = _along(chart, chart.y, mark.y).tolist()
    held += f' data-y="{" ".join(map(n, ys))}"'
    c.circle(xs[mark.start], ys[mark.start], 8, mark.role, held)


# ---------------------------------------------------------------------- legend and notes


def _legend(c: Canvas, chart: Chart) -> None:
    """What has a name: in a column at the right, or in rows below as wide as the frame."""
    named = [(m, m.name) for m in chart.marks if not isinstance(m, (Texts, Moving)) and m.name]
    if not chart.legend or not named:
        return
    if chart.legend == "right":
        x, y = c.right + 20, 10.0
        for mark, name in named:
            _entry(c, mark, name, x, y)
            y += 18
        return

    x, y = 0.0, c.bottom + 18
    for mark, name in named:
        wide = SWATCH + 6 + width(name, "tiny") + 18
        if x and x + wide > max(chart.width, wide) + 18:
            x, y = 0.0, y + 17
        _entry(c, mark, name, x, y)
        x += wide


def _entry(c: Canvas, mark: Mark, name: str, x: float, y: float) -> None:
    role = each(mark.role, 1)[0]
    if isinstance(mark, Dots):
        c.circle(x + SWATCH / 2, y - 4, min(mark.size, 4.5), role)
    elif isinstance(mark, (Cells, Bands)):
        depth = ' fill-opacity="0.5"' if isinstance(mark, Cells) and len(mark.depth) else ""
        c.rect(x, y - 9, x + SWATCH, y + 1, role, depth)
    else:
        c.line(x, y - 4, x + SWATCH, y - 4, role)
    c.text(x + SWATCH + 6, y, name, "tiny ink")


def _foot(c: Canvas, said: str, wide: float) -> None:
    y = c.bottom + 18
    for row in wrap(said, max(int(wide / 6), 20)):
        c.text(0, y, row, "tiny")
        y += 15


# ---------------------------------------------------------------------- whole pictures


def inline(
    charts: Sequence[Chart],
    key: str,
    title: str,
    words: str,
    kind: str,
    columns: int = 1,
    head: str = "",
    foot: str = "",
) -> str:
    """One chart or several as one picture, with its words for those who do not see it."""
    if len(charts) == 1 and not head and not foot:
        whole = drawn(charts[0], key)
    else:
        whole = _placed([drawn(x, f"{key}-{i}") for i, x in enumerate(charts)], columns, head, foot)
    x, y = whole.left - EDGE, whole.top - EDGE
    wide, tall = whole.right - x + EDGE, whole.bottom - y + EDGE
    return (
        f'<svg class="chart {kind}" viewBox="{n(x)} {n(y)} {n(wide)} {n(tall)}" width="{n(wide)}" '
        f'height="{n(tall)}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(words)}'
        f"</desc>{''.join(whole.parts)}</svg>"
    )


def _placed(panels: Sequence[Canvas], columns: int, head: str, foot: str) -> Canvas:
    """Panels in rows; frames of a column begin, and those of a row stand, on one line."""
    whole = Canvas()
    rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    lefts = [min(p.left for p in panels[j::columns]) for j in range(len(rows[0]))]
    rights = [max(p.right for p in panels[j::columns]) for j in range(len(rows[0]))]
    y = 0.0
    for row in rows:
        top, bottom = min(p.top for p in row), max(p.bottom for p in row)
        x = 0.0
        for p, left, right in zip(row, lefts, rights, strict=False):
            inside = "".join(p.parts)
            whole.parts.append(f'<g transform="translate({n(x - left)} {n(y - top)})">{inside}</g>')
            x += right - left + 22
        whole.reach(0, 0, x - 22, y + bottom - top)
        y += bottom - top + 22
    wide = whole.right
    if head:
        whole.text(0, whole.top - 14, head, "lab b")
    _foot(whole, foot, wide)
    return whole


def standalone(drawn: str) -> str:
    """A picture of a page as a file of its own, light or dark as its reader is."""
    start, _, rest = drawn.partition(">")
    return f'{start} xmlns="http://www.w3.org/2000/svg"><style>{style.for_file(drawn)}</style>{rest}\n'
