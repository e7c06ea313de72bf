"""Figure 1: the ROC plane, a system and its perversions, and areas that are its informedness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from informed.documents.charts.marks import Axis, Dots, Mark, Ranges, Texts, scale
from informed.evidence.table import Table
from informed.papers import drawing as draw
from informed.papers.examples import TABLE_2
from informed.papers.figure_runs import Drawn
from informed.simulation.judging import values

Corners = list[tuple[float, float]]  # fallout and recall of each

CHANCE = (0.0, 0.0), (1.0, 1.0)
ISOCOSTS = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75)  # recall less fallout on lines that cost the same
SIDE = 330.0


def shapes(fallout: float, recall: float) -> dict[str, Corners]:
    """Areas of the plane that are the informedness of a system, and its AUC.

    >>> {name: round(area(corners), 12) for name, corners in shapes(0.25, 0.75).items()}
    {'kite': 0.5, 'parallelogram': 0.5, 'trapezoid': 0.75}
    """
    start, end = CHANCE
    good = (fallout, recall)
    return {
        "kite": [start, good, end, (recall, fallout)],  # the classes have changed their names
        "parallelogram": [start, good, end, (1 - fallout, 1 - recall)],  # the predictions have
        "trapezoid": [start, good, end, (1.0, 0.0)],  # below the system: its AUC
    }


def area(corners: Corners) -> float:
    """Of a polygon, by the formula of the surveyors."""
    x, y = np.array([*corners, corners[0]]).T
    return float(abs((x[1:] * y[:-1] - x[:-1] * y[1:]).sum()) / 2)


def illustration(held: Mapping[str, Any]) -> Drawn:
    """The figure with its kite; beside it kite, parallelogram and isocosts of both examples of Table 2."""
    good = held["fallout"], held["recall"]
    paper = draw.chart(held["paper"], *_axes(), [*_isocosts(), *_system(good, "kite")], wide=SIDE, tall=SIDE)

    charts = [_example(name, t, right=name != "first") for name, t in TABLE_2.items()]
    systems = {"drawn": good} | {name: _point(t) for name, t in TABLE_2.items()}
    rows = [
        (system, *point, name, *corners[3], area(corners), point[1] - point[0])
        for system, point in systems.items()
        for name, corners in shapes(*point).items()
    ]
    columns = ("system", "fallout", "recall", "shape", "fallout of its corner", "recall of its corner", "area", "B")
    data = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    return data, paper, draw.panels(charts, 2, held["modern"])


def _axes() -> tuple[Axis, Axis]:
    ticks = (0, 0.25, 0.5, 0.75, 1)
    return scale(0, 1, "fallout (fpr)", at=ticks), scale(0, 1, "recall (tpr)", at=ticks)


def _isocosts() -> list[Mark]:
    """Lines that cost the same where both errors do, and that of chance."""
    c = np.array(ISOCOSTS)
    x, x2 = np.maximum(0, -c), np.minimum(1, 1 - c)
    return [
        Ranges(x, x + c, x2, x2 + c, "curve thin dotted c8", "isocost, c = 1"),
        Ranges([0], [0], [1], [1], "curve", "chance"),
    ]


def _system(point: tuple[float, float], *which: str) -> list[Mark]:
    """A system with its perversions: the outline above chance, and those below it."""
    held = shapes(*point)
    perverse = {"kite": ("classes interchanged", draw.RED), "parallelogram": ("predictions interchanged", draw.PURPLE)}
    x, y = zip(CHANCE[0], point, CHANCE[1], strict=True)
    marks: list[Mark] = [draw.line(x, y, draw.GREEN, "the system", "dotted thick")]
    for name in which:
        said, colour = perverse[name]
        corner = held[name][3]
        x, y = zip(CHANCE[0], corner, CHANCE[1], strict=True)
        marks += [draw.line(x, y, colour, f"perverse: {said}", "dashed"), draw.dots([corner[0]], [corner[1]], colour)]
    return [
        *marks,
        Ranges([point[0]], [point[0]], [point[0]], [point[1]], "curve thin", "B"),
        Dots([point[0]], [point[1]], f"mark {draw.GREEN}", 4.0),
        Texts([point[0]], [point[1]], [f"B = {point[1] - point[0]:.2f}"], "tiny ink", "end", -4.0, -12.0),
    ]


def _point(t: Table) -> tuple[float, float]:
    return float(values(t, "fallout")), float(values(t, "recall"))


def _example(name: str, t: Table, *, right: bool) -> Any:
    """An example of Table 2, with the line through it on which accuracy is the same."""
    (x, y), slope = _point(t), float(values(t, "skew"))
    ends = np.clip([x - y / slope, x + (1 - y) / slope], 0, 1)
    same = Ranges([ends[0]], [y + slope * (ends[0] - x)], [ends[1]], [y + slope * (ends[1] - x)],
                  f"curve {draw.ORANGE}", "as accurate, c = IPrev/Prev")  # fmt: skip
    marks = [*_isocosts(), *_system((x, y), "kite", "parallelogram"), same]
    return draw.chart(f"Table 2, {name}", *_axes(), marks, wide=SIDE, tall=SIDE, legend="right" if right else "")
