"""A run that is watched: the bettor's money over time, and the interval that closes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from informed._arrays import Array
from informed._numbers import rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Bands, Dots, Lines, Mark, Numbers, Rules, Texts, around, scale

WIDE, TALL = 460.0, 200.0
LEAST_MONEY = 0.1  # the axis of money reaches down to this at least
POWERS = 6  # of ten that have a tick, at most


def money(n: Numbers, wealth: Numbers, *, enough: float, stop: float | None = None, title: str = "Money") -> Chart:
    """What the bettor has after so many items, on a log axis: 1 is where he started, `enough` is convincing."""
    x, y = _known(n), np.asarray(wealth, dtype=np.float64)
    shown = np.where(np.isfinite(y) & (y > 0), y, math.nan)
    up = _powers(float(np.nanmin([LEAST_MONEY, *shown])), float(np.nanmax([enough * 2, *shown])))

    marks: list[Mark] = [
        Rules([1.0], "zero", upright=False),
        Rules([enough], "guide", upright=False),
        Texts([0.0], [enough], [f"enough: {_sum(enough)}"], anchor="start", right=4, down=-5),
        *_stopped(stop),
        Lines(x, shown, "curve s1"),
    ]
    if len(x) and not math.isnan(shown[-1]):
        marks.append(Dots([x[-1]], [shown[-1]], "dot", tips=[f"after {x[-1]:,.0f} items: {_sum(shown[-1])}"]))
    return Chart(title, _said_money(x, y, enough), _items(x), up, tuple(marks), WIDE, TALL)


def closing(
    n: Numbers,
    low: Numbers,
    estimate: Numbers,
    high: Numbers,
    *,
    bar: float | None = None,
    stop: float | None = None,
    what: str = "informedness",
    bounds: tuple[float, float] = (-1.0, 1.0),
    title: str = "The interval closes",
) -> Chart:
    """The interval after so many items as a band around the estimate, and the bar that it has to clear."""
    x = _known(n)
    lower, value, upper = (np.asarray(side, dtype=np.float64) for side in (low, estimate, high))
    held = [*lower, *value, *upper, *([] if bar is None else [bar])]
    ends = [v for v in held if math.isfinite(v)] or list(bounds)
    places = around(max(min(ends), bounds[0]), min(max(ends), bounds[1]), room=False)

    marks: list[Mark] = [Bands(x, lower, upper, "band", name="interval, valid at every look")]
    if bar is not None:
        marks.append(Rules([bar], "guide", upright=False, name=f"the bar, {bar:g}"))
    marks += [*_stopped(stop), Lines(x, value, "curve s1", name="estimate")]
    axes = _items(x), scale(places[0], places[-1], what, at=places)
    return Chart(title, _said_interval(x, lower, upper, what), *axes, tuple(marks), WIDE, TALL)


def _items(x: Array) -> Axis:
    return scale(0, float(x[-1]) if len(x) else 1.0, "items", said=lambda v: f"{v:,.0f}", role="")


def _powers(least: float, most: float) -> Axis:
    """A log axis with ticks at powers of ten, not too many of them."""
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    by = max(1, math.ceil((last - first) / POWERS))
    first = -by * math.ceil(-first / by)
    last = by * math.ceil(last / by)
    places = [10.0**i for i in range(first, last + 1, by)]
    return scale(places[0], places[-1], "has", at=places, said=_sum, log=True)


def _stopped(stop: float | None) -> list[Mark]:
    return [] if stop is None else [Rules([stop], "here", words=["stop"])]


def _known(n: Numbers) -> Array:
    return np.asarray(n, dtype=np.float64)


def _sum(x: float) -> str:
    """An amount of money.

    >>> _sum(0.14), _sum(37.4), _sum(20), _sum(1e-3), _sum(1.3e9)
    ('0.14', '37', '20', '0.001', '1e9')
    """
    if math.isinf(x):
        return "∞"
    if 1e-3 <= x < 10:
        return f"{x:.2g}"
    return f"{x:,.0f}" if 10 <= x < 1e6 else f"{x:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e−")


def _said_money(x: Array, y: Array, enough: float) -> str:
    if not len(x):
        return "No item was counted yet."
    reached: Sequence[float] = x[y >= enough].tolist()
    found = f"He has {_sum(float(y[-1]))} after {x[-1]:,.0f} items, {_sum(float(np.max(y)))} at most"
    return f"{found}; {_sum(enough)} after {reached[0]:,.0f}." if reached else f"{found}; never {_sum(enough)}."


def _said_interval(x: Array, low: Array, high: Array, what: str) -> str:
    if not len(x):
        return "No item was counted yet."
    return f"After {x[-1]:,.0f} items {what} lies between {rate(float(low[-1]))} and {rate(float(high[-1]))}."
