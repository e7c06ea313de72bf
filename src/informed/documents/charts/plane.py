"""The plane of true against false alarms (ROC), also in cases (PN)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._numbers import count, rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import (
    Anchor,
    Axis,
    Bands,
    Dots,
    Lines,
    Mark,
    Moving,
    Ranges,
    Rules,
    Texts,
    around,
    scale,
)
from informed.evidence.shown import shown, shown_all, whole

SIZE = 300.0
SQUARE: dict[str, Any] = {"width": SIZE, "height": SIZE, "kind": "roc", "framed": True}
EQUAL = (0.25, 0.5, 0.75)  # lines of equal informedness
MOST_NAMES = 12
BESIDE: dict[bool, tuple[Anchor, float, float]] = {True: ("middle", 0.0, -9.0), False: ("start", 4.0, 0.0)}


@dataclass(frozen=True)
class Window:
    """The part of the plane that is drawn: fallout from 0 to `right`, recall from `bottom` to 1."""

    right: float = 1.0
    bottom: float = 0.0

    @classmethod
    def around(cls, points: Sequence[PlanePoint]) -> Window:
        """As much of the plane as the points need, up to round numbers."""
        known = [(p.fallout, p.recall) for p in points if not np.isnan(p.fallout + p.recall)]
        if not known:
            return cls()
        fallout, recall = (np.array(x) for x in zip(*known, strict=True))
        right = around(0.0, min(float(fallout.max()), 1.0), room=False)[-1]
        return cls(min(right, 1.0), max(around(float(recall.min()), 1.0, room=False)[0], 0.0))

    @property
    def zoomed(self) -> bool:
        return self.right < 1 or self.bottom > 0

    def apart(self, p: PlanePoint, q: PlanePoint) -> tuple[float, float]:
        """How many pixels two points are apart, across and up."""
        across, up = abs(p.fallout - q.fallout) / self.right, abs(p.recall - q.recall) / (1 - self.bottom)
        return across * SIZE, up * SIZE


@dataclass(frozen=True)
class PlanePoint:
    """A system, a class or a threshold in the plane, with intervals where they are known."""

    name: str
    fallout: float
    recall: float
    across: tuple[float, float] | None = None  # interval of the fallout
    up: tuple[float, float] | None = None  # and of the recall
    role: str = "dot"

    @property
    def words(self) -> str:
        """The point in words."""
        return f"{whole(self.name)}: recall {rate(self.recall)}, fallout {rate(self.fallout)}"


def roc_plane(
    title: str,
    *,
    points: Sequence[PlanePoint] = (),
    curves: Sequence[Lines] = (),
    band: Bands | None = None,
    equal_cost: tuple[float, str] | None = None,
    named: bool = False,
    stems: bool = False,
    of: Any = "the class",
    sizes: tuple[float, float] | None = None,
    cases: bool = False,
    follows: Moving | None = None,
    legend_right: bool = False,
    zoom: bool = False,
    words: str = "",
) -> Chart:
    """Recall against fallout: the height above the diagonal is informedness.

    Parameters
    ----------
    points, curves, band
        What is drawn; `named` writes names beside the points, `stems` their height.
    equal_cost
        The slope of the lines of equal cost and what to call the one through the first point.
    of
        The class whose recall it is.
    sizes, cases
        Real negatives and positives; with `cases` the axes count them (the PN plane).
    follows
        What a slider moves.
    zoom
        Show only as much of the plane as the points need.
    """
    window = Window.around(points) if zoom else Window()
    wide, tall = sizes if sizes and cases else (1.0, 1.0)
    marks: list[Mark] = [*([] if band is None else [band]), *_guides(window), *curves]
    if equal_cost is not None and points:
        x, y, x2, y2 = _through(points[0], equal_cost[0])
        marks.append(Ranges([x], [y], [x2], [y2], "cost", equal_cost[1]))
    marks += _points(points, named, stems, window)
    if follows is not None:
        marks.append(follows)

    said = "; ".join(p.words for p in points[:10])
    foot = "The diagonal is guessing; the height above it is informedness."
    if window.zoomed:
        foot = "Zoomed to the points: recall less fallout is informedness, and guessing has as much of both."
    titles = _titles(shown(of, 14), sizes, cases)
    return Chart(
        title,
        " ".join(filter(None, (words, f"{said}." if said else "", foot))),
        *_axes(titles, window, (wide, tall), cases),
        tuple(_scaled(mark, wide, tall) for mark in marks) if cases else tuple(marks),
        legend="right" if legend_right else "below",
        foot=foot if window.zoomed else "",
        **SQUARE,
    )


def precision_recall(path: Lines, band: Bands, *, prevalence: float, of: Any) -> Chart:
    """Precision (y) against recall (x), in steps as the average precision counts them; guessing
    stays at the prevalence whatever its recall."""
    stairs = np.repeat(np.asarray(path.x, dtype=np.float64), 2)
    marks: tuple[Mark, ...] = (
        band,
        Rules([prevalence], "chance", upright=False, name=f"guessing: {rate(prevalence)}"),
        Lines(np.append(0.0, stairs[:-1]), np.repeat(np.asarray(path.y), 2), path.role, path.name),
    )
    ticks = (0.0, 0.5, 1.0)
    return Chart(
        "Precision against recall at every threshold",
        f"{path.name}; guessing has a precision of {rate(prevalence)}, the prevalence.",
        scale(0, 1, f"recall of {shown(of, 14)}", at=ticks, role=""),
        scale(0, 1, "precision", at=ticks, role=""),
        marks,
        **SQUARE,
    )


def _titles(of: str, sizes: tuple[float, float] | None, cases: bool) -> tuple[str, str]:
    if cases:
        return "false positives", f"true positives of {of}"
    if sizes is None:
        return "fallout (false alarms)", f"recall of {of}"
    negatives, positives = map(compact, sizes)
    return f"fallout ({negatives} other cases)", f"recall of {of} ({positives} cases)"


def _axes(titles: tuple[str, str], window: Window, ends: tuple[float, float], cases: bool) -> tuple[Axis, Axis]:
    """Of the whole plane, with few ticks, or of a window."""
    across, up = titles
    if window.zoomed:
        return scale(0, window.right, across, role=""), scale(window.bottom, 1, up, role="")

    def axis(end: float, title: str) -> Axis:
        places = (0.0, 1.0) if cases else (0.0, 0.5, 1.0)
        return scale(0, end, title, at=[end * x for x in places], said=compact, role="")

    return axis(ends[0], across), axis(ends[1], up)


def compact(x: float) -> str:
    """A number of cases in a few characters, a share as it is.

    >>> compact(212), compact(12_345_678), compact(0.5)
    ('212', '12.3 M', '0.5')
    """
    if x < 1e5:
        return count(x) if x > 1 else f"{x:g}"
    return f"{x / 1e6:.3g} M" if x >= 1e6 else f"{x / 1e3:.3g} k"


def _guides(window: Window) -> list[Mark]:
    """Lines of equal informedness, and that of guessing, as far as they are in the window."""
    ends = {b: (max(0.0, window.bottom - b), min(window.right, 1 - b)) for b in (*EQUAL, 0.0)}
    seen = {b: held for b, held in ends.items() if held[0] < held[1]}
    marks: list[Mark] = []
    for b, (first, last) in seen.items():
        marks.append(Ranges([first], [first + b], [last], [last + b], "iso" if b else "chance"))
        above = last + b > 1 - 1e-9  # it leaves at the top, or at the right
        if b:
            marks.append(Texts([last], [last + b], [f"B {b:g}"], "tiny", *BESIDE[above]))
    if 0.0 in seen:
        at = 0.76 if not window.zoomed else sum(seen[0.0]) / 2
        marks.append(Texts([at], [at - 0.05 * (1 - window.bottom)], ["guessing"], "tiny less-ink", turned=45))
    return marks


def _points(points: Sequence[PlanePoint], named: bool, stems: bool, window: Window) -> list[Mark]:
    marks: list[Mark] = []
    for p in points:
        if p.across is not None and not np.isnan(p.across).any():
            marks.append(Ranges([p.across[0]], [p.recall], [p.across[1]], [p.recall]))
        if p.up is not None and not np.isnan(p.up).any():
            marks.append(Ranges([p.fallout], [p.up[0]], [p.fallout], [p.up[1]]))
    points = points[::-1]  # the first above the others
    x, y = [p.fallout for p in points], [p.recall for p in points]
    if stems:
        marks.append(Ranges(x, x, x, y, "lead"))
    if points:
        size = 4.0 if named else 5.0
        marks.append(Dots(x, y, [p.role for p in points], size, tips=[p.words for p in points]))
    return [*marks, *_named(points, window)] if named else marks


def _named(points: Sequence[PlanePoint], window: Window) -> list[Mark]:
    """Names beside the points, at most so many; crowded ones stay tooltips."""
    placed: list[PlanePoint] = []
    for p in sorted(points, key=lambda p: p.recall):
        apart = [window.apart(p, q) for q in placed]
        clear = all(up > 13 or (across > 90 and not window.zoomed) for across, up in apart)
        if clear and len(placed) < MOST_NAMES and not np.isnan(p.recall + p.fallout):
            placed.append(p)
    marks: list[Mark] = []
    for left in (False, True):
        these = [p for p in placed if _free_left(p, window) == left]
        x, y = [p.fallout for p in these], [p.recall for p in these]
        said = shown_all([p.name for p in these], 14)
        marks.append(Texts(x, y, said, "lab", "end" if left else "start", -9 if left else 9))
    return marks


def _free_left(p: PlanePoint, window: Window) -> bool:
    """Whether a name is better read at the left: the edge or the diagonal is near at the right."""
    if window.zoomed:
        return p.fallout > 0.6 * window.right
    return p.fallout > 0.7 or (p.fallout > 0.28 and 0 <= p.recall - p.fallout < 0.35)


def _through(p: PlanePoint, slope: float) -> tuple[float, float, float, float]:
    """Ends of the line of this slope through a point, inside the unit square."""
    ends: list[float] = []
    for x in (0.0, 1.0):
        y = p.recall + slope * (x - p.fallout)
        if y < 0 or y > 1:
            y = min(max(y, 0.0), 1.0)
            x = p.fallout + (y - p.recall) / slope if slope else x
        ends += (x, y)
    return ends[0], ends[1], ends[2], ends[3]


def _scaled(mark: Mark, wide: float, tall: float) -> Mark:
    """The same in cases."""
    units = {"x": wide, "x2": wide, "y": tall, "y2": tall, "low": tall, "high": tall}
    held: Any = {name: unit * np.asarray(getattr(mark, name)) for name, unit in units.items() if hasattr(mark, name)}
    return replace(mark, **held)
