"""The plane of true against false alarms (ROC), also in cases (PN)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._numbers import count, rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Bands, Dots, Lines, Mark, Moving, Ranges, Rules, Texts, scale
from informed.evidence.shown import shown

SIZE = 300.0
SQUARE: dict[str, Any] = {"width": SIZE, "height": SIZE, "kind": "roc", "framed": True}
EQUAL = (0.25, 0.5, 0.75)  # lines of equal informedness
MOST_NAMES = 12


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
        return f"{self.name}: recall {rate(self.recall)}, fallout {rate(self.fallout)}"


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
    """
    wide, tall = sizes if sizes and cases else (1.0, 1.0)
    marks: list[Mark] = [*([] if band is None else [band]), *_guides(), *curves]
    if equal_cost is not None and points:
        x, y, x2, y2 = _through(points[0], equal_cost[0])
        marks.append(Ranges([x], [y], [x2], [y2], "cost", equal_cost[1]))
    marks += _points(points, named, stems)
    if follows is not None:
        marks.append(follows)

    said = "; ".join(p.words for p in points[:10])
    foot = "The diagonal is guessing; the height above it is informedness."
    across, up = _titles(shown(of, 14), sizes, cases)
    ticks = (0.0, 1.0) if cases else (0.0, 0.5, 1.0)
    return Chart(
        title,
        " ".join(filter(None, (words, f"{said}." if said else "", foot))),
        scale(0, wide, across, at=[wide * t for t in ticks], said=compact, role=""),
        scale(0, tall, up, at=[tall * t for t in ticks], said=compact, role=""),
        tuple(_scaled(mark, wide, tall) for mark in marks) if cases else tuple(marks),
        legend="right" if legend_right else "below",
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


def compact(x: float) -> str:
    """A number of cases in a few characters, a share as it is.

    >>> compact(212), compact(12_345_678), compact(0.5)
    ('212', '12.3 M', '0.5')
    """
    if x < 1e5:
        return count(x) if x > 1 else f"{x:g}"
    return f"{x / 1e6:.3g} M" if x >= 1e6 else f"{x / 1e3:.3g} k"


def _guides() -> list[Mark]:
    """Lines of equal informedness, and that of guessing."""
    zeros, ones, levels = [0.0] * len(EQUAL), [1.0] * len(EQUAL), list(EQUAL)
    ends = [1 - b for b in EQUAL]
    return [
        Ranges(zeros, levels, ends, ones, "iso"),
        Texts(ends, ones, [f"B {b:g}" for b in EQUAL], "tiny", down=-9),
        Ranges([0.0], [0.0], [1.0], [1.0], "chance"),
        Texts([0.76], [0.71], ["guessing"], "tiny less-ink", turned=45),
    ]


def _points(points: Sequence[PlanePoint], named: bool, stems: bool) -> list[Mark]:
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
    return [*marks, *_named(points)] if named else marks


def _named(points: Sequence[PlanePoint]) -> list[Mark]:
    """Names beside the points, at most so many; crowded ones stay tooltips."""
    placed: list[PlanePoint] = []
    for p in sorted(points, key=lambda p: p.recall):
        clear = all(abs(p.recall - q.recall) * SIZE > 13 or abs(p.fallout - q.fallout) * SIZE > 90 for q in placed)
        if clear and len(placed) < MOST_NAMES and not np.isnan(p.recall + p.fallout):
            placed.append(p)
    marks: list[Mark] = []
    for left in (False, True):
        these = [p for p in placed if _free_left(p) == left]
        x, y = [p.fallout for p in these], [p.recall for p in these]
        said = [shown(p.name, 14) for p in these]
        marks.append(Texts(x, y, said, "lab", "end" if left else "start", -9 if left else 9))
    return marks


def _free_left(p: PlanePoint) -> bool:
    """Whether a name is better read at the left: the edge or the diagonal is near at the right."""
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
