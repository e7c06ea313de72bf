"""Pictures of decisions as inline SVG: the ROC and PN planes, costs, benefit, coverage."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import count, rate
from informed.decisions.curve import Curve
from informed.documents.charts.pieces import circle, label, line, n, path, picture, rect, text
from informed.documents.charts.report_figures import isocost

SIZE, LEFT, TOP = 300.0, 58.0, 30.0


@dataclass(frozen=True)
class Mark:
    """A point of the plane with a name."""

    name: str
    fallout: float
    recall: float


@dataclass(frozen=True)
class Track:
    """The points that a slider goes along."""

    slider: str  # id of its input
    fallout: Array
    recall: Array
    start: int


def _thinned(x: Array, y: Array) -> list[tuple[float, float]]:
    """Points that differ by half a pixel or more, the last one always."""
    steps = np.round(2 * np.array([x, y]))
    moved = np.append(True, (np.diff(steps) != 0).any(axis=0))
    moved[-1] = True
    return list(zip(x[moved].tolist(), y[moved].tolist(), strict=True))


# ---------------------------------------------------------------------- ROC and PN plane


def plane(
    curve: Curve,
    key: str,
    *,
    chosen: Mark | None = None,
    others: Sequence[Mark] = (),
    slope: float = 1.0,
    level: float | None = 0.95,
    cases: bool = False,
    track: Track | None = None,
) -> str:
    """Recall against fallout, or in cases (the PN plane): curve, hull, band at this level, lines
    of equal informedness, the line of equal cost through the chosen point, and other points."""
    if curve.why:
        return ""
    body = [rect(LEFT, TOP, SIZE, SIZE, "frame")]
    if level is not None:
        body.append(_band(curve, level))
    for b in (0.25, 0.5, 0.75):
        x, y = _at(1 - b, 1)
        body.append(line(*_at(0, b), x, y, "iso"))
        body.append(text(x, y - 5, f"B {b:g}", "tiny", text_anchor="middle"))
    body.append(line(*_at(0, 0), *_at(1, 1), "chance"))
    for held, name in ((curve.hull(), "hull"), (curve, "curve s1")):
        along, up = LEFT + SIZE * held.fallout, TOP + SIZE * (1 - held.recall)
        body.append(path(_thinned(along, up), name))
    said = [f"Area {rate(curve.auc)}"]
    if chosen is not None:
        body.append(isocost(chosen.fallout, chosen.recall, slope, _at))
        said.append(_said(chosen))
    body += [circle(*_at(m.fallout, m.recall), 4, "ring", data_tip=_said(m)) for m in others]
    if chosen is not None:
        point = _at(chosen.fallout, chosen.recall)
        body.append(circle(*point, 5, "dot", data_tip=_said(chosen)))
    if track is not None:
        body.append(_follower(track))
    return picture(
        key,
        LEFT + SIZE + 30,
        TOP + SIZE + 84,
        "True against false positives in cases (the PN plane)"
        if cases
        else "Recall against fallout at every threshold (the ROC plane)",
        ". ".join(said) + ". The diagonal is guessing; the height above it is informedness.",
        "".join([*body, *_axes(curve, cases), *_legend(slope, level)]),
        "roc",
    )


def overlay(curves: Mapping[Any, Curve], key: str) -> str:
    """Several curves in one plane, with their names below."""
    body = [rect(LEFT, TOP, SIZE, SIZE, "frame"), line(*_at(0, 0), *_at(1, 1), "chance")]
    for i, (name, curve) in enumerate(curves.items()):
        tone = f"curve o{i % 8 + 1}"
        along, up = LEFT + SIZE * curve.fallout, TOP + SIZE * (1 - curve.recall)
        body.append(path(_thinned(along, up), tone))
        y = TOP + 14 + 18 * i
        x = LEFT + SIZE + 24
        body.append(line(x, y - 4, x + 22, y - 4, tone))
        body.append(text(x + 28, y, f"{label(name, 16)} {rate(curve.auc)}", "tiny ink"))
    said = "; ".join(f"{label(name)} {rate(c.auc)}" for name, c in curves.items())
    if not curves:
        return ""
    body += _axes(next(iter(curves.values())), False)
    return picture(
        key,
        LEFT + SIZE + 190,
        TOP + SIZE + 48,
        "Recall against fallout of each curve",
        f"Areas: {said}. The diagonal is guessing.",
        "".join(body),
        "roc",
    )


def _at(fallout: float, recall: float) -> tuple[float, float]:
    return LEFT + SIZE * fallout, TOP + SIZE * (1 - recall)


def _said(mark: Mark) -> str:
    return f"{mark.name}: recall {rate(mark.recall)}, fallout {rate(mark.fallout)}"


def _band(curve: Curve, level: float) -> str:
    band = curve.band(level)
    x = LEFT + SIZE * band.fallout
    upper = _thinned(x, TOP + SIZE * (1 - band.high))
    lower = _thinned(x, TOP + SIZE * (1 - band.low))
    return path([*upper, *reversed(lower)], "band")


def _follower(track: Track) -> str:
    """A ring that stands where the slider is."""
    xs, ys = LEFT + SIZE * track.fallout, TOP + SIZE * (1 - track.recall)
    return circle(
        float(xs[track.start]),
        float(ys[track.start]),
        8,
        "ring moving",
        data_follows=track.slider,
        data_x=" ".join(map(n, xs.tolist())),
        data_y=" ".join(map(n, ys.tolist())),
    )


def _axes(curve: Curve, cases: bool) -> list[str]:
    body = []
    along, up = (curve.negatives, curve.positives) if cases else (1.0, 1.0)
    for tick in (0, 1) if cases else (0, 0.5, 1):
        x, y = _at(tick, tick)
        for where, most, place in (("middle", along, x), ("end", up, y)):
            said = _compact(tick * most) if cases else f"{tick:g}"
            at = (place, TOP + SIZE + 17) if where == "middle" else (LEFT - 8, place + 4)
            body.append(text(*at, said, "tick", text_anchor=where))
    middle = TOP + SIZE / 2
    kind = ("false positives", "true positives") if cases else ("fallout (false alarms)", "recall")
    body.append(text(LEFT + SIZE / 2, TOP + SIZE + 37, kind[0], "axis", text_anchor="middle"))
    body.append(
        text(
            14,
            middle,
            f"{kind[1]} of {label(curve.positive, 14)}",
            "axis",
            text_anchor="middle",
            transform=f"rotate(-90 14 {n(middle)})",
        )
    )
    return body


def _compact(x: float) -> str:
    """A number of cases in a few characters.

    >>> _compact(212), _compact(12_345_678)
    ('212', '12.3 M')
    """
    if x < 1e5:
        return count(x)
    return f"{x / 1e6:.3g} M" if x >= 1e6 else f"{x / 1e3:.3g} k"


def _legend(slope: float, level: float | None) -> list[str]:
    """What the lines are, in two rows below the plane."""
    shown = [("hull", "convex hull"), ("cost", f"equal cost, c = {slope:.3g}")]
    body = []
    for i, (name, said) in enumerate(shown):
        x, y = LEFT + 118 * i, TOP + SIZE + 56
        body += [line(x, y - 4, x + 22, y - 4, name), text(x + 28, y, said, "tiny")]
    y = TOP + SIZE + 74
    body += [line(LEFT, y - 4, LEFT + 22, y - 4, "chance"), text(LEFT + 28, y, "guessing", "tiny")]
    if level is not None:
        body.append(rect(LEFT + 118, y - 9, 22, 10, "band"))
        body.append(text(LEFT + 146, y, f"{100 * level:g} % band of the curve", "tiny"))
    return body


# ---------------------------------------------------------------------- lines over one axis


@dataclass(frozen=True)
class Series:
    """A line with a name; `class_` is one of s1 to s4 of style.css."""

    name: str
    y: Array
    class_: str


def chart(
    key: str,
    x: Array,
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    axis: str,
    here: Mapping[str, float] | None = None,
    ticks: Callable[[float], str] = lambda x: f"{x:g}",
    low: float | None = None,
    high: float | None = None,
) -> str:
    """Lines over one axis from 0 to 1, with names below and upright lines at places of note."""
    wide, tall, left, top = 430.0, 210.0, 52.0, 32.0
    held = np.concatenate([s.y[np.isfinite(s.y)] for s in series])
    if not len(held):
        return ""
    floor = _floor(float(held.min())) if low is None else low
    ceiling = _ceiling(float(held.max())) if high is None else high

    def at(x: float, y: float) -> tuple[float, float]:
        y = min(max(y, floor), ceiling) if y == y else y
        return left + wide * x, top + tall * (1 - (y - floor) / (ceiling - floor))

    body = [text(left, 14, title, "lab b")]
    for y in _steps(floor, ceiling):
        body.append(line(*at(0, y), *at(1, y), "grid"))
        body.append(text(left - 8, at(0, y)[1] + 4, f"{y:g}", "tick", text_anchor="end"))
    body += [
        text(at(x, 0)[0], top + tall + 17, ticks(x), "tick", text_anchor="middle")
        for x in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    if floor < 0:
        body.append(line(*at(0, 0), *at(1, 0), "zero"))
    for name, place in (here or {}).items():
        body.append(line(*at(place, floor), *at(place, ceiling), "here"))
        side = "end" if place > 0.8 else "start"
        x_said = at(place, ceiling)[0] + (-4 if side == "end" else 4)
        body.append(text(x_said, top + 10, name, "tiny", text_anchor=side))
    for i, s in enumerate(series):
        body.append(path(_drawn(x, s.y, at), f"curve {s.class_}"))
        x0, y0 = left + (i % 2) * 215, top + tall + 56 + 17 * (i // 2)
        body.append(line(x0, y0 - 4, x0 + 20, y0 - 4, f"curve {s.class_}"))
        body.append(text(x0 + 26, y0, s.name, "tiny"))
    body.append(text(left + wide / 2, top + tall + 36, axis, "axis", text_anchor="middle"))
    rows = (len(series) + 1) // 2
    return picture(
        key,
        left + wide + 20,
        top + tall + 48 + 17 * rows,
        title,
        description,
        "".join(body),
        "curves",
    )


def _drawn(
    x: Array, y: Array, at: Callable[[float, float], tuple[float, float]]
) -> Iterable[tuple[float, float]]:
    return (at(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True))


def _ceiling(x: float) -> float:
    """The next of 1, 2, 2.5, 5 times a power of ten.

    >>> _ceiling(0.23), _ceiling(0.9), _ceiling(-0.2)
    (0.25, 1.0, 0.0)
    """
    if x <= 0:
        return 0.0
    unit = 10.0 ** math.floor(math.log10(x))
    return float(next(m * unit for m in (1, 2, 2.5, 5, 10) if m * unit >= x * (1 - 1e-9)))


def _floor(x: float) -> float:
    return -_ceiling(-x) if x < 0 else 0.0


def _steps(floor: float, ceiling: float) -> list[float]:
    """Round numbers between two.

    >>> _steps(0, 0.5), _steps(-0.09, 0.4)
    ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [0.0, 0.1, 0.2, 0.3, 0.4])
    """
    step = _ceiling((ceiling - floor) / 5)
    whole = range(math.ceil(floor / step - 1e-9), math.floor(ceiling / step + 1e-9) + 1)
    return [float(f"{i * step:.12g}") for i in whole]
