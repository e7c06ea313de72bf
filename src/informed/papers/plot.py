"""A small plot as SVG text: lines, dots, bands and labels; no more than the lab's pictures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from typing import Any, TypeAlias

import numpy as np

INK, GRID, FAINT = "#222", "#e3e3e3", "#888"
RED, GREEN, BLUE, ORANGE, PURPLE, GREY, BROWN, TEAL = (
    "#c0392b", "#2e8b57", "#2166ac", "#d9820f", "#7b3294", "#777777", "#8c564b", "#138d90",
)  # fmt: skip
COLOURS = (RED, BLUE, GREEN, ORANGE, PURPLE, TEAL, BROWN, GREY)


@dataclass
class Plot:
    """Axes to draw on; each call adds a mark and, if it is named, an entry of the legend."""

    title: str
    x: tuple[float, float]
    y: tuple[float, float]
    across: str = ""
    up: str = ""
    width: float = 640
    height: float = 400
    x_ticks: Sequence[float] | None = None
    y_ticks: Sequence[float] | None = None
    x_names: Sequence[str] | None = None  # instead of the numbers at x_ticks
    y_names: Sequence[str] | None = None
    legend_right: bool = False
    legend_low: bool = False
    legend_room: float = 0  # kept free for it on the right
    marks: list[str] = field(default_factory=list)
    legend: list[tuple[str, str, str]] = field(default_factory=list)

    def _at(self, x: Any, y: Any) -> tuple[Any, Any]:
        left, right, top, bottom = self._frame()
        u = (np.asarray(x, dtype=float) - self.x[0]) / (self.x[1] - self.x[0])
        v = (np.asarray(y, dtype=float) - self.y[0]) / (self.y[1] - self.y[0])
        return left + u * (right - left), bottom - v * (bottom - top)

    def _frame(self) -> tuple[float, float, float, float]:
        names = self.y_names or [""]
        left = 58 + max(0, 6 * (max(map(len, names)) - 4))
        return left, self.width - 14 - self.legend_room, 34, self.height - 48

    def _named(self, name: str, colour: str, dash: str) -> None:
        if name:
            self.legend.append((name, colour, dash))

    def line(
        self, x: Any, y: Any, colour: str, name: str = "", dash: str = "", thick: float = 1.6
    ) -> Plot:
        px, py = self._at(x, y)
        keep = np.isfinite(px) & np.isfinite(py)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px[keep], py[keep], strict=True))
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{thick}"'
            f"{style}/>"
        )
        self._named(name, colour, dash or "line")
        return self

    def dots(self, x: Any, y: Any, colour: str, name: str = "", r: float = 2.2) -> Plot:
        px, py = self._at(x, y)
        self.marks += [
            f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{r}" fill="{colour}"/>'
            for a, b in zip(np.atleast_1d(px), np.atleast_1d(py), strict=True)
            if np.isfinite(a) and np.isfinite(b)
        ]
        self._named(name, colour, "dot")
        return self

    def band(
        self, x: Any, low: Any, high: Any, colour: str, name: str = "", opacity: float = 0.18
    ) -> Plot:
        forth, back = self._at(x, low), self._at(x, high)
        xs, ys = (np.concatenate([a, b[::-1]]) for a, b in zip(forth, back, strict=True))
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(xs, ys, strict=True))
        self.marks.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="{opacity}"/>')
        self._named(name, colour, "band")
        return self

    def box(
        self,
        x0: float,
        x1: float,
        y0: float,
        y1: float,
        colour: str,
        text: str = "",
        *,
        crisp: bool = False,
    ) -> Plot:
        """A rectangle; crisp where many of them meet and no seam should show."""
        (a, b), (c, d) = self._at(x0, y1), self._at(x1, y0)
        edges = ' shape-rendering="crispEdges"' if crisp else ""
        self.marks.append(
            f'<rect x="{a:.1f}" y="{b:.1f}" width="{c - a:.1f}" height="{d - b:.1f}" '
            f'fill="{colour}"{edges}/>'
        )
        if text:
            self.marks.append(_text((a + c) / 2, (b + d) / 2 + 4, text, anchor="middle"))
        return self

    def text(
        self, x: float, y: float, words: str, colour: str = INK, anchor: str = "start"
    ) -> Plot:
        a, b = self._at(x, y)
        self.marks.append(_text(float(a), float(b), words, colour=colour, anchor=anchor))
        return self

    def body(self) -> str:
        left, right, top, bottom = self._frame()
        parts = [
            f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>',
            _text(left, 20, self.title, size=13, weight="600"),
        ]
        for value, name in _ticks(self.x, self.x_ticks, self.x_names):
            a = float(self._at(value, self.y[0])[0])
            parts += [_rule(a, top, a, bottom), _text(a, bottom + 15, name, anchor="middle")]
        for value, name in _ticks(self.y, self.y_ticks, self.y_names):
            b = float(self._at(self.x[0], value)[1])
            parts += [_rule(left, b, right, b), _text(left - 6, b + 4, name, anchor="end")]
        parts += [
            _text((left + right) / 2, bottom + 34, self.across, anchor="middle"),
            f'<g transform="translate(14 {(top + bottom) / 2:.0f}) rotate(-90)">'
            f"{_text(0, 0, self.up, anchor='middle')}</g>",
            f'<svg x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" '
            f'viewBox="{left} {top} {right - left} {bottom - top}">',  # what leaves it is cut off
            *self.marks,
            "</svg>",
        ]
        at = right - 2 - self._legend_width() if self.legend_right else left + 8
        at = right + 14 if self.legend_room else at
        high = bottom - 15 * len(self.legend) - 4 if self.legend_low else top + 12
        return "".join([*parts, *self._legend(at, high)])

    def _legend_width(self) -> float:
        return 30 + 6.1 * max((len(name) for name, _, _ in self.legend), default=0)

    def _legend(self, x: float, y: float) -> list[str]:
        if not self.legend:
            return []
        wide = self._legend_width()
        tall = 15 * len(self.legend) + 6
        parts = [
            f'<rect x="{x - 4:.0f}" y="{y - 9:.0f}" width="{wide:.0f}" height="{tall:.0f}" '
            'fill="#fff" fill-opacity=".82"/>'
        ]
        for i, (name, colour, kind) in enumerate(self.legend):
            at = y + 15 * i
            if kind == "dot":
                parts.append(f'<circle cx="{x + 8}" cy="{at}" r="3" fill="{colour}"/>')
            elif kind == "band":
                parts.append(
                    f'<rect x="{x:.0f}" y="{at - 5}" width="16" height="9" fill="{colour}" '
                    'fill-opacity=".3"/>'
                )
            else:
                dash = "" if kind == "line" else f' stroke-dasharray="{kind}"'
                parts.append(
                    f'<line x1="{x}" x2="{x + 16}" y1="{at}" y2="{at}" stroke="{colour}" '
                    f'stroke-width="2"{dash}/>'
                )
            parts.append(_text(x + 21, at + 4, name))
        return parts

    def svg(self) -> str:
        return grid([self], 1)


def grid(plots: Sequence[Plot], columns: int, title: str = "", foot: str = "") -> str:
    """Plots of one size side by side and below each other, as one SVG document."""
    wide, tall = plots[0].width, plots[0].height
    places = [((i % columns) * wide, (i // columns) * tall) for i in range(len(plots))]
    across, down = min(columns, len(plots)), -(-len(plots) // columns)
    return _document(plots, places, across * wide, down * tall, title, foot)


def row(plots: Sequence[Plot], title: str = "", foot: str = "") -> str:
    """Plots of any width side by side, as one SVG document; a foot explains them."""
    ends = np.cumsum([p.width for p in plots]).tolist()
    places = [(end - p.width, 0.0) for end, p in zip(ends, plots, strict=True)]
    return _document(plots, places, ends[-1], max(p.height for p in plots), title, foot)


def _document(
    plots: Sequence[Plot],
    places: Sequence[tuple[float, float]],
    wide: float,
    tall: float,
    title: str,
    foot: str = "",
) -> str:
    head = 30 if title else 0
    notes = wrap(foot, int(wide / 5.6))
    bottom = 16 * len(notes) + 8 if notes else 0
    placed = [
        f'<g transform="translate({x:.0f} {y + head:.0f})">{p.body()}</g>'
        for p, (x, y) in zip(plots, places, strict=True)
    ]
    if title:
        placed.insert(0, f'<rect width="{wide:.0f}" height="{head}" fill="#fff"/>')
        placed.insert(1, _text(14, 21, title, size=14, weight="600"))
    if notes:
        start = tall + head
        placed.append(f'<rect y="{start:.0f}" width="{wide:.0f}" height="{bottom}" fill="#fff"/>')
        placed += [_text(14, start + 12 + 16 * i, line) for i, line in enumerate(notes)]
    size = f"{wide:.0f} {tall + head + bottom:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'width="{wide:.0f}" height="{tall + head + bottom:.0f}" '
        'font-family="system-ui, sans-serif" role="img">'
        f"<title>{escape(title or plots[0].title)}</title>{''.join(placed)}</svg>\n"
    )


Cell: TypeAlias = tuple[str, str]  # words, and the colour behind them


def sheet(rows: Sequence[Sequence[Cell]], widths: Sequence[float], title: str) -> str:
    """A table of words as a picture, each cell with a colour of its own."""
    tall = 22
    edges = [10.0, *(10.0 + np.cumsum(widths)).tolist()]
    wide, high = edges[-1] + 10, 40 + tall * len(rows) + 10
    parts = [f'<rect width="{wide:.0f}" height="{high}" fill="#fff"/>',
             _text(10, 24, title, size=13, weight="600")]  # fmt: skip
    for i, cells in enumerate(rows):
        for (words, colour), left, right in zip(cells, edges, edges[1:], strict=False):
            y = 40 + tall * i
            if words or colour:
                parts.append(
                    f'<rect x="{left:.0f}" y="{y}" width="{right - left:.0f}" height="{tall}" '
                    f'fill="{colour or "#fff"}" stroke="{GRID}"/>'
                )
            parts.append(_text((left + right) / 2, y + 15, words, anchor="middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" '
        f'width="{wide:.0f}" height="{high}" font-family="system-ui, sans-serif" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>\n"
    )


def shade(value: float) -> str:
    """From white to a deep red as a share goes from 0 to 1."""
    u = float(np.clip(value, 0, 1)) ** 0.8
    return "#{:02x}{:02x}{:02x}".format(*(round(255 + u * (c - 255)) for c in (160, 20, 20)))


def diverging(value: float, reach: float) -> str:
    """From blue at −reach through white to orange at +reach."""
    u = float(np.clip(value / reach, -1, 1))
    end = (33, 102, 172) if u < 0 else (217, 130, 15)
    return "#{:02x}{:02x}{:02x}".format(*(round(255 + abs(u) * (c - 255)) for c in end))


def _ticks(
    span: tuple[float, float], at: Sequence[float] | None, names: Sequence[str] | None
) -> list[tuple[float, str]]:
    if at is None:
        step = 10 ** np.floor(np.log10(span[1] - span[0]))
        step = next(s for s in (step / 5, step / 2, step, 2 * step) if (span[1] - span[0]) / s <= 8)
        at = [float(x) for x in np.arange(np.ceil(span[0] / step), span[1] / step + 1e-9) * step]
    labels = [f"{round(x, 10) + 0.0:.10g}" for x in at] if names is None else names
    return list(zip(at, labels, strict=True))


def _rule(a: float, b: float, c: float, d: float) -> str:
    return f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{GRID}"/>'


def _text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 11,
    colour: str = INK,
    anchor: str = "start",
    weight: str = "400",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'
    )
