"""Axes and marks: what a chart is made of, as plain data.

A role is one or more classes of `assets/style.css`: the page, the self-standing file and matplotlib
take colours, widths and dashes from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from informed._arrays import Array

Numbers: TypeAlias = Sequence[float] | Array
Anchor: TypeAlias = Literal["start", "middle", "end"]


# ---------------------------------------------------------------------- axes


@dataclass(frozen=True)
class Tick:
    """A place on an axis: words at its near end, words at its far end, a line between them."""

    at: float
    near: str = ""
    far: str = ""
    role: str = "grid"  # of the line across the frame; none where it is empty


@dataclass(frozen=True)
class Axis:
    """From `start` (left, bottom) to `end`; an axis may run downwards."""

    start: float
    end: float
    title: str = ""
    ticks: tuple[Tick, ...] = ()
    log: bool = False
    words: str = "tick"  # the role of what stands at the near end
    opposite: bool = False  # the near end is above, or at the right
    slanted: bool = False

    def share(self, x: Any) -> Array:
        """Where on the axis a value stands: 0 at its start, 1 at its end."""
        first, last, x = self.start, self.end, np.asarray(x, dtype=np.float64)
        if self.log:
            first, last = math.log(first), math.log(last)
            with np.errstate(divide="ignore"):
                x = np.log(x)
        return np.asarray((x - first) / (last - first))

    def holds(self, x: Any) -> bool:
        """Whether all values that are known lie between its ends."""
        share = self.share(x)
        known = share[np.isfinite(share)]
        return bool(((known >= -1e-9) & (known <= 1 + 1e-9)).all())


def scale(
    start: float,
    end: float,
    title: str = "",
    *,
    at: Sequence[float] | None = None,
    said: Callable[[float], str] | Sequence[str] = lambda x: short(x),
    role: str = "grid",
    log: bool = False,
) -> Axis:
    """An axis of numbers with ticks at round ones, or where `at` says; 0 has a line of its own."""
    places = steps(start, end) if at is None else [float(x) for x in at]
    words = list(map(said, places)) if callable(said) else list(said)
    ticks = (
        Tick(x, word, role="zero" if x == 0 and role and start < 0 else role)
        for x, word in zip(places, words, strict=True)
    )
    return Axis(start, end, title, tuple(ticks), log)


def names(near: Sequence[str], far: Sequence[str] = (), *, title: str = "", down: bool = True, role: str = "") -> Axis:
    """An axis of names, the first at the top: the i-th stands at i."""
    ends = far or [""] * len(near)
    ticks = tuple(Tick(i, a, b, role) for i, (a, b) in enumerate(zip(near, ends, strict=True)))
    first, last = -0.5, len(near) - 0.5
    return Axis(last if down else first, first if down else last, title, ticks, words="lab")


def short(x: float) -> str:
    """A number at a tick, with a real minus sign.

    >>> short(-0.30000000000000004), short(1500.0)
    ('−0.3', '1500')
    """
    return f"{round(x, 10) + 0.0:.10g}".replace("-", "−")


def step(wide: float, most: int = 5) -> float:
    """A round number of which at most so many make up a width.

    >>> step(1.0), step(0.3), step(60, 8)
    (0.2, 0.1, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(wide))
    several = (0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10)
    return float(next(power * m for m in several if wide / (power * m) <= most + 1e-9))


def steps(start: float, end: float, most: int = 5) -> list[float]:
    """Round numbers from one to another.

    >>> steps(0, 0.5), steps(-0.09, 0.4)
    ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [0.0, 0.1, 0.2, 0.3, 0.4])
    """
    low, high = sorted((start, end))
    by = step(high - low, most)
    whole = range(math.ceil(low / by - 1e-9), math.floor(high / by + 1e-9) + 1)
    return [float(f"{i * by:.12g}") + 0.0 for i in whole]


def around(low: float, high: float, *, room: bool = True) -> list[float]:
    """Round numbers from below the lowest to above the highest; without room, from it to it.

    >>> around(-0.083, 0.21), around(0, 1, room=False)
    ([-0.1, 0.0, 0.1, 0.2, 0.3], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    by, tie = step(max(high - low, 1e-3)), 1e-9 if room else -1e-9
    first, last = math.floor(low / by - tie), math.ceil(high / by + tie)
    if first == last:
        first, last = first - 1, last + 1
    return [round(i * by, 12) for i in range(first, last + 1)]


# ---------------------------------------------------------------------- marks

Roles: TypeAlias = str | Sequence[str]  # one for all, or one for each


@dataclass(frozen=True, eq=False)
class Dots:
    """Points; a tip says what each is."""

    x: Numbers
    y: Numbers
    role: Roles = "dot"
    size: float = 4.5
    tips: Sequence[str] = ()
    name: str = ""  # in the legend


@dataclass(frozen=True, eq=False)
class Ranges:
    """Straight pieces from (x, y) to (x2, y2): intervals, error bars, single lines."""

    x: Numbers
    y: Numbers
    x2: Numbers
    y2: Numbers
    role: Roles = "whisker"
    name: str = ""


@dataclass(frozen=True, eq=False)
class Lines:
    """A line through points, broken where one is not known."""

    x: Numbers
    y: Numbers
    role: str = "curve s1"
    name: str = ""


@dataclass(frozen=True, eq=False)
class Bands:
    """What lies between two lines over one axis."""

    x: Numbers
    low: Numbers
    high: Numbers
    role: str = "band"
    name: str = ""


@dataclass(frozen=True, eq=False)
class Cells:
    """Rectangles from (x, y) to (x2, y2), more or less opaque."""

    x: Numbers
    y: Numbers
    x2: Numbers
    y2: Numbers
    role: Roles
    depth: Numbers = ()  # opacity of each; by its role where there is none
    tips: Sequence[str] = ()
    name: str = ""
    gap: float = 0.0  # pixels that are left free on each side
    corner: float = 0.0
    links: Sequence[str] = ()  # what each leads to in its section of a page; "" to nothing


@dataclass(frozen=True, eq=False)
class Rules:
    """Lines from edge to edge of the frame, with words at the top of upright ones."""

    at: Numbers
    role: str = "here"
    upright: bool = True
    words: Sequence[str] = ()
    name: str = ""
    above: bool = False  # words above the frame, not in it


@dataclass(frozen=True, eq=False)
class Texts:
    """Words at points, moved by so many pixels to the right and down."""

    x: Numbers
    y: Numbers
    words: Sequence[str]
    role: str = "lab"
    anchor: Anchor = "middle"
    right: float = 0.0
    down: float = 0.0
    turned: float = 0.0  # degrees against the clock


@dataclass(frozen=True, eq=False)
class Moving:
    """What a slider of the page moves: a ring, or an upright line where there is no `y`."""

    slider: str  # the id of its input
    x: Numbers
    start: int
    y: Numbers = ()
    role: str = "cursor"


Mark: TypeAlias = Dots | Ranges | Lines | Bands | Cells | Rules | Texts | Moving


def each(role: Roles, count: int) -> list[str]:
    """The role of each of several."""
    return [role] * count if isinstance(role, str) else list(role)
