"""A run that is watched: the bettor's money over time, and the interval that closes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from informed._arrays import Array
from informed._numbers import rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Bands, Dots, Lines, Mark, Numbers, Rules, Texts, around, scale
from informed.inference.watch_words import amount

WIDE, TALL = 640.0, 220.0
EARLY, FIRST = 20, 0.2  # items, and share of all, whose limits may reach out of the frame: they are wide
BESIDE = 0.7  # of the frame: words at a point further right stand at its left
LEAST_MONEY = -1.0  # power of ten that the axis of money reaches down to at least
LOG10 = math.log(10)
POWERS = 6  # of ten that have a tick, at most


def money(n: Numbers, log_wealth: Numbers, *, enough: float, stop: float | None = None, title: str = "Money") -> Chart:
    """What the bettor has after so many items, by its logarithm, which has no upper end: 1 is where he started, and
    `enough` is convincing. Where it becomes infinite, as before the end of a benchmark, the line ends with a word."""
    x, y = _known(n), np.asarray(log_wealth, dtype=np.float64) / LOG10
    shown = np.where(np.isfinite(y), y, math.nan)
    wanted = math.log10(enough)
    up = _powers(float(np.nanmin([LEAST_MONEY, *shown])), float(np.nanmax([wanted + 0.3, *shown])))

    marks: list[Mark] = [
        Rules([0.0], "zero", upright=False),
        Rules([wanted], "guide", upright=False, name=f"enough: {enough:,.3g}"),
        *_stopped(stop),
        Lines(x, shown, "curve s1"),
        *_endless(x, y),
    ]
    if len(x) and not math.isnan(shown[-1]):
        tip = f"after {x[-1]:,.0f} items: {amount(shown[-1] * LOG10)}"
        marks.append(Dots([x[-1]], [shown[-1]], "dot", tips=[tip]))
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
    """The interval after so many items as a band around the estimate, and the bar that it has to clear.

    The axis fits what is known after the first items; the frame cuts what is wider before.
    """
    x = _known(n)
    lower, value, upper = (np.asarray(side, dtype=np.float64) for side in (low, estimate, high))
    late = x >= min(max(EARLY, FIRST * x[-1]), x[-1]) if len(x) else np.zeros(0, dtype=bool)
    held = [*lower[late], *value[late], *upper[late], *([] if bar is None else [bar])]
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
    """An axis of powers of ten with not too many ticks."""
    by = max(1, math.ceil((math.ceil(most) - math.floor(least)) / POWERS))
    first, last = -by * math.ceil(-math.floor(least) / by), by * math.ceil(math.ceil(most) / by)
    places = [float(x) for x in range(first, last + 1, by)]
    return scale(places[0], places[-1], "the bettor has", at=places, said=lambda v: amount(v * LOG10))


def _stopped(stop: float | None) -> list[Mark]:
    return [] if stop is None else [Rules([stop], "here", words=["stop"], above=True)]


def _endless(x: Array, y: Array) -> list[Mark]:
    """The last point before the money becomes infinite, or nothing, and that it does."""
    ends = np.flatnonzero(np.isinf(y))
    if not len(ends) or not ends[0]:
        return []
    last, said = int(ends[0]) - 1, f"from {x[ends[0]]:,.0f} items on {amount(float(y[ends[0]]))}"
    place, before = ([x[last]], [y[last]]), x[last] > BESIDE * x[-1]
    words = Texts(*place, [said], anchor="end" if before else "start", right=-10 if before else 10, down=4)
    return [Dots(*place, "dot", tips=[said]), words]


def _known(n: Numbers) -> Array:
    return np.asarray(n, dtype=np.float64)


def _said_money(x: Array, y: Array, enough: float) -> str:
    if not len(x):
        return "No item was counted yet."
    reached: Sequence[float] = x[y >= math.log10(enough)].tolist()
    last, most = (amount(float(v) * LOG10) for v in (y[-1], np.max(y)))
    found = f"He has {last} after {x[-1]:,.0f} items, {most} at most"
    return f"{found}; {enough:,.3g} after {reached[0]:,.0f}." if reached else f"{found}; never {enough:,.3g}."


def _said_interval(x: Array, low: Array, high: Array, what: str) -> str:
    if not len(x):
        return "No item was counted yet."
    return f"After {x[-1]:,.0f} items {what} lies between {rate(float(low[-1]))} and {rate(float(high[-1]))}."
