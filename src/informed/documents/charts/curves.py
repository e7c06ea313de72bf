"""Lines over one axis: measures against prevalence, power, costs, benefit, coverage."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from informed._arrays import Array
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Lines, Mark, Moving, Numbers, Rules, scale, short

WIDE, TALL = 460.0, 220.0
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def curve(
    lines: Sequence[Lines],
    *,
    title: str,
    words: str,
    across: Axis,
    up: Axis,
    here: Mapping[str, float] | None = None,
    there: Mapping[str, float] | None = None,
    wanted: float | None = None,
    follows: Moving | None = None,
    head: str = "",
    above: bool = False,
) -> Chart | None:
    """Lines over one axis, upright lines at places of note (their words in the frame or above it)
    and a level one at what is wanted; None where nothing is known."""
    if not np.isfinite(_heights(*(s.y for s in lines))).any():
        return None
    marks: list[Mark] = [
        Rules(list(held.values()), role, words=list(held), above=above)
        for held, role in ((here or {}, "here"), (there or {}, "there"))
        if held
    ]
    if wanted is not None:
        marks.append(Rules([wanted], "guide", upright=False))
    marks += lines if len(lines) > 1 else [replace(lines[0], name="")]  # one needs no legend
    if follows is not None:
        marks.append(follows)
    return Chart(title, words, across, up, tuple(marks), WIDE, TALL, head=head)


def reaching(lines: Sequence[Lines], *, title: str = "", low: float | None = None, high: float | None = None) -> Axis:
    """An upright axis from a round number below all lines to one above them."""
    held = _heights(*(s.y for s in lines))
    held = held[np.isfinite(held)]
    least, most = (float(held.min()), float(held.max())) if len(held) else (0.0, 1.0)
    return scale(-_ceiling(-least) if low is None else low, _ceiling(most) if high is None else high, title)


def unit(*held: Numbers, title: str = "") -> Axis:
    """From 0 to 1, or from −1 where a value is negative."""
    if (_heights(*held) < 0).any():
        return scale(-1, 1, title, at=(-1, -0.5, 0, 0.5, 1))
    return scale(0, 1, title, at=QUARTERS)


def shares(title: str, said: Callable[[float], str] = short) -> Axis:
    """A level axis from 0 to 1 without lines."""
    return scale(0, 1, title, at=QUARTERS, said=said, role="")


def _heights(*held: Numbers) -> Array:
    return np.concatenate([np.asarray(x, dtype=np.float64) for x in held])


def _ceiling(x: float) -> float:
    """The next of 1, 2, 2.5, 5 times a power of ten.

    >>> _ceiling(0.23), _ceiling(0.9), _ceiling(-0.2)
    (0.25, 1.0, 0.0)
    """
    if x <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(x))
    return float(next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= x * (1 - 1e-9)))
