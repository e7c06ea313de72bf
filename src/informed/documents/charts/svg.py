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
from informed.documents.charts import marks, style
from informed.documents.charts.marks import Axis, Mark, Numbers, each
from informed.evidence.shown import Cut
from informed.evidence.table_text import width as columns_of

if TYPE_CHECKING:
    from informed.documents.charts.chart import Chart, Panels

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
            if a != a or b != b:
                pen = "M"
                continue
            said.append(f"{pen}{a + 1e-7:.1f} {b + 1e-7:.1f}")  # as `n`, all at once
            pen = "L"
        if said:
            self.parts.append(f'<path class="{role}" d="{"".join(said).replace(".0", "")}"{more}/>')

    def text(self, x: float, y: float, said: str, role: str, anchor: marks.Anchor = "start", turned: float = 0) -> None:
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
        role, tip = (f"{role} cut", f"<title>{escape(said.whole)}</title>") if isinstance(said, Cut) else (role, "")
        self.parts.append(f'<text x="{n(x)}" y="{n(y)}" class="{role}"{held}>{tip}{escape(said)}</text>')

    def foot(self, said: str, wide: float) -> None:
        """Words below all, in lines about as wide as this."""
        y = self.bottom + 18
        for i, row in enumerate(wrap(said, max(int(wide / 6), 20))):
            self.text(0, y + 15 * i, row, "tiny")


WIDE_LETTERS = "mwMW%@−…"  # about as wide as they are high


@cache
def letter(role: str) -> float:
    """The size of letters, in pixels."""
    return float(style.look(role).get("font-size", "12.5px").removesuffix("px"))


def width(said: str, role: str) -> float:
    """Estimate how wide words are, in pixels; in wide fonts as well, so that no label is cut."""
    wide = sum(said.count(c) for c in WIDE_LETTERS)
    capitals = sum(map(str.isupper, said))
    return letter(role) * (0.57 * columns_of(said) + 0.44 * wide + 0.15 * capitals)


def _tip(said: str) -> str:
    return f' data-tip="{escape(said)}"' if said else ""


# ---------------------------------------------------------------------- one chart


class Painter(Canvas):
    """A chart: its frame stands at (0, 0); everything else reaches out from there."""

    def __init__(self, chart: Chart, key: str) -> None:
        super().__init__()
        self.chart, self.key, self.wide, self.tall = chart, key, chart.width, chart.height
        self.reach(0, 0, self.wide, self.tall)
        if chart.framed:
            self.rect(0, 0, self.wide, self.tall, "frame")

        self.grid()
        self.words_across()
        names = self.words_up()

        outside = [mark for mark in chart.marks if self.leaves(mark)]
        for mark in chart.marks:  # by the method that is called as its kind is
            cut = f' clip-path="url(#{key}-c)"' if mark in outside else ""
            getattr(self, type(mark).__name__.lower())(mark, cut)
        if outside:
            frame = f'<rect width="{n(self.wide)}" height="{n(self.tall)}"/>'
            self.parts.append(f'<clipPath id="{key}-c">{frame}</clipPath>')

        if chart.kind == "heat":
            names = self.staying(names)
        self.parts += names
        self.legend()
        self.text(0, self.top - 14, chart.head, "lab b")
        self.foot(chart.foot, self.wide)

    def along(self, axis: Axis, values: Any) -> Array:
        """Values of an axis as pixels."""
        share = axis.share(values)
        return self.wide * share if axis is self.chart.x else self.tall * (1 - share)

    def places(self, x: Numbers, y: Numbers) -> Array:
        """Points as pixels, across and up."""
        return np.array(np.broadcast_arrays(self.along(self.chart.x, x), self.along(self.chart.y, y)))

    def edge_to_edge(self, axis: Axis, values: Numbers, roles: Iterable[str]) -> list[float]:
        """Lines from edge to edge of the frame, where they have a role; where on the axis they stand."""
        found: list[float] = self.along(axis, values).tolist()
        for at, role in zip(found, roles, strict=True):
            ends = (at, 0.0, at, self.tall) if axis is self.chart.x else (0.0, at, self.wide, at)
            if role:
                self.line(*ends, role)
        return found

    # ---------------------------------------------------------------------- axes

    def grid(self) -> None:
        for axis in (self.chart.x, self.chart.y):
            self.edge_to_edge(axis, [t.at for t in axis.ticks], [t.role for t in axis.ticks])

    def words_across(self) -> None:
        axis = self.chart.x
        near, far = (-10.0, self.tall + 18) if axis.opposite else (self.tall + 17, -10.0)
        for t, x in zip(axis.ticks, self.along(axis, [t.at for t in axis.ticks]).tolist(), strict=True):
            if axis.slanted:
                self.text(x + 4, near, t.near, axis.words, turned=45)
            else:
                self.text(x, near, t.near, axis.words, "middle")
            self.text(x, far, t.far, "tot", "middle")
        y = self.top - 11 if axis.opposite else self.bottom + 16
        self.text(self.wide / 2, y, axis.title, "axis", "middle")

    def words_up(self) -> list[str]:
        """Writes what stands at the far end; the names and the title at the near end are given back."""
        axis = self.chart.y
        places = self.along(axis, [t.at for t in axis.ticks]).tolist()
        for t, y in zip(axis.ticks, places, strict=True):
            self.text(self.wide + 12, y + 4, t.far, "tot")

        before = len(self.parts)
        for t, y in zip(axis.ticks, places, strict=True):
            self.text(-10, y + 4, t.near, axis.words, "end")
        self.text(self.left - 8, self.tall / 2, axis.title, "axis", "middle", turned=90)
        names, self.parts = self.parts[before:], self.parts[:before]
        return names

    def staying(self, names: list[str]) -> list[str]:
        """Names of rows on paper of their own, which the script of a page keeps in sight while cells are scrolled."""
        wide, tall = -self.left + EDGE - 3, self.tall
        paper = f'<rect x="{n(self.left - EDGE)}" y="0" width="{n(wide)}" height="{n(tall)}" class="paper"/>'
        return ['<g class="staying">', paper, *names, "</g>"]

    # ---------------------------------------------------------------------- marks

    def leaves(self, mark: Mark) -> bool:
        """Whether it is a line or a band that would run out of the frame, which then cuts it."""
        match mark:
            case marks.Lines():
                heights = [mark.y]
            case marks.Bands():
                heights = [mark.low, mark.high]
            case _:
                return False
        return not (self.chart.x.holds(mark.x) and all(map(self.chart.y.holds, heights)))

    def lines(self, mark: marks.Lines, cut: str) -> None:
        self.path(*self.thinned(mark.x, mark.y), mark.role, cut)

    def bands(self, mark: marks.Bands, cut: str) -> None:
        over, under = (self.thinned(mark.x, edge) for edge in (mark.high, mark.low))
        xs, ys = ([*forth, *back[::-1]] for forth, back in zip(over, under, strict=True))
        self.path(xs, ys, mark.role, cut)

    def thinned(self, x: Numbers, y: Numbers) -> tuple[list[float], list[float]]:
        """Points that differ by half a pixel or more, the last one always."""
        found = self.places(x, y)
        if found.shape[1] > 2:
            moved = np.append(True, (np.diff(np.round(2 * found)) != 0).any(axis=0))
            moved[-1] = True
            found = found[:, moved]
        return found[0].tolist(), found[1].tolist()

    def dots(self, mark: marks.Dots, _: str) -> None:
        at = self.places(mark.x, mark.y).T.tolist()
        tips = mark.tips or [""] * len(at)
        for (x, y), role, tip in zip(at, each(mark.role, len(at)), tips, strict=True):
            if not math.isnan(x + y):
                self.circle(x, y, mark.size, role, _tip(tip))

    def ranges(self, mark: marks.Ranges, _: str) -> None:
        ends = np.vstack([self.places(mark.x, mark.y), self.places(mark.x2, mark.y2)]).T.tolist()
        for (x, y, x2, y2), role in zip(ends, each(mark.role, len(ends)), strict=True):
            if not math.isnan(x + y + x2 + y2):
                self.line(x, y, x2, y2, role)

    def cells(self, mark: marks.Cells, _: str) -> None:
        corners = np.sort([self.places(mark.x, mark.y), self.places(mark.x2, mark.y2)], axis=0)
        edges = (corners + mark.gap * np.array([1, -1])[:, None, None]).reshape(4, -1).T.tolist()
        depths = [f' fill-opacity="{x:.2f}"' for x in mark.depth] or [""] * len(edges)
        tips = mark.tips or [""] * len(edges)
        corner = f' rx="{n(mark.corner)}"' if mark.corner else ""
        links = mark.links or [""] * len(edges)
        roles = each(mark.role, len(edges))
        for (x, y, x2, y2), role, depth, tip, link in zip(edges, roles, depths, tips, links, strict=True):
            self.rect(x, y, x2, y2, role, f"{corner}{depth}{'' if link else _tip(tip)}")
            if link:
                to = f"{self.key.rpartition('-')[0]}-{link}"
                self.parts[-1] = f'<a href="#{to}" aria-label="{escape(tip)}"{_tip(tip)}>{self.parts[-1]}</a>'

    def rules(self, mark: marks.Rules, _: str) -> None:
        axis = self.chart.x if mark.upright else self.chart.y
        found = self.edge_to_edge(axis, mark.at, [mark.role] * len(mark.at))
        for i, (x, said) in enumerate(zip(found, mark.words, strict=False)):
            left = x > BESIDE * self.wide
            if mark.above:
                self.text(x, -6, said, "tiny", "middle")
            else:
                self.text(x + (-4 if left else 4), 10 + 12 * i, said, "tiny", "end" if left else "start")

    def texts(self, mark: marks.Texts, _: str) -> None:
        for (x, y), said in zip(self.places(mark.x, mark.y).T.tolist(), mark.words, strict=True):
            place = x + mark.right, y + mark.down + 0.33 * letter(mark.role)
            self.text(*place, said, mark.role, mark.anchor, mark.turned)

    def moving(self, mark: marks.Moving, _: str) -> None:
        xs, ys = self.along(self.chart.x, mark.x).tolist(), self.along(self.chart.y, mark.y).tolist()
        held = f' data-follows="{mark.slider}" data-x="{" ".join(map(n, xs))}"'
        if not ys:
            self.line(xs[mark.start], 0, xs[mark.start], self.tall, mark.role, held)
            return
        self.circle(xs[mark.start], ys[mark.start], 8, mark.role, f'{held} data-y="{" ".join(map(n, ys))}"')

    # ---------------------------------------------------------------------- legend

    def legend(self) -> None:
        """What has a name: in a column at the right, or in rows below as wide as the frame."""
        x, y = (self.right + 20, 10.0) if self.chart.legend == "right" else (0.0, self.bottom + 18)
        for mark in self.chart.named:
            wide = SWATCH + 6 + width(mark.name, "tiny") + 18
            if self.chart.legend == "below" and x and x + wide > max(self.wide, wide) + 18:
                x, y = 0.0, y + 17
            self.entry(mark, x, y)
            x, y = (x, y + 18) if self.chart.legend == "right" else (x + wide, y)

    def entry(self, mark: Any, x: float, y: float) -> None:
        role = each(mark.role, 1)[0]
        if isinstance(mark, marks.Dots):
            self.circle(x + SWATCH / 2, y - 4, min(mark.size, 4.5), role)
        elif isinstance(mark, (marks.Cells, marks.Bands)):
            depth = ' fill-opacity="0.5"' if isinstance(mark, marks.Cells) and len(mark.depth) else ""
            self.rect(x, y - 9, x + SWATCH, y + 1, role, depth)
        else:
            self.line(x, y - 4, x + SWATCH, y - 4, role)
        self.text(x + SWATCH + 6, y, mark.name, "tiny ink")


def size(chart: Chart) -> tuple[float, float]:
    """Width and height of the whole."""
    c = Painter(chart, "")
    return c.right - c.left, c.bottom - c.top


# ---------------------------------------------------------------------- whole pictures


def inline(made: Panels, key: str) -> str:
    """One chart or several as one picture, with its words for those who do not see it."""
    if len(made.charts) == 1 and not made.head and not made.foot:
        whole: Canvas = Painter(made.charts[0], key)
    else:
        whole = _placed([Painter(x, f"{key}-{i}") for i, x in enumerate(made.charts)], made.columns)
        wide = whole.right
        whole.text(0, whole.top - 14, made.head, "lab b")
        whole.foot(made.foot, wide)
    leads = any(isinstance(mark, marks.Cells) and any(mark.links) for x in made.charts for mark in x.marks)
    role = "group" if leads else "img"  # nothing in an image can be followed
    x, y = whole.left - EDGE, whole.top - EDGE
    wide, tall = whole.right - x + EDGE, whole.bottom - y + EDGE
    return (
        f'<svg class="chart {made.kind}" viewBox="{n(x)} {n(y)} {n(wide)} {n(tall)}" width="{n(wide)}" '
        f'height="{n(tall)}" role="{role}" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(made.title)}</title><desc id="{key}-d">{escape(made.words)}'
        f"</desc>{''.join(whole.parts)}</svg>"
    )


def _placed(panels: Sequence[Canvas], columns: int) -> Canvas:
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
    return whole


def standalone(drawn: str) -> str:
    """A picture of a page as a file of its own, light or dark as its reader is."""
    start, _, rest = drawn.partition(">")
    return f'{start} xmlns="http://www.w3.org/2000/svg"><style>{style.for_file(drawn)}</style>{rest}\n'
