"""Parts of an area: between two fallouts or two recalls, with their variance and interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from informed._arrays import Array, ratio
from informed.decisions.auc import Sides, logit_limits, variance_of
from informed.errors import InferenceError, one_of
from informed.inference.answers import Interval
from informed.inference.unit_spread import Spread
from informed.results import Note

if TYPE_CHECKING:
    from informed.decisions.curve import Curve

FEW = 20  # cases in a range; measured at 95 %: 4 hold the area 88 % of the time, 10 hold it 93 %


def partial(curve: Curve, low: float, high: float, over: str, standardised: bool) -> float:
    """Area below the curve between two fallouts, or left of it between two recalls."""
    tp, fp, low, high, _ = _seen(curve, low, high, over)
    if curve.why:
        return np.nan
    found = float(_between(fp / fp[-1], tp / tp[-1], low, high)[0].sum())
    return _standard(found, low, high) if standardised else found


def _seen(curve: Curve, low: float, high: float, over: str) -> tuple[Array, Array, float, float, Sides | None]:
    """A curve and a range of fallouts; for one of recalls, the curve is seen from the other side."""
    if not 0 <= low < high <= 1:
        raise InferenceError(f"The range {low:g} to {high:g} must lie between 0 and 1.")
    one_of("over", over, ("fallout", "recall"), InferenceError)
    if over == "fallout":
        return curve.tp, curve.fp, low, high, curve.squares

    def turned(positives: Array, negatives: Array) -> Sides:
        return negatives[-1] - negatives[::-1], positives[-1] - positives[::-1]

    return *turned(curve.tp, curve.fp), 1 - high, 1 - low, curve.squares and turned(*curve.squares)


def _between(x: Array, y: Array, low: float, high: float) -> tuple[Array, Array]:
    """Area below each step of a curve between two fallouts, and how high the curve is at these."""
    height = np.interp([low, high], x, y)
    inside, held = np.clip(x, low, high), np.clip(y, *height)
    return np.diff(inside) * (held[:-1] + held[1:]) / 2, height


def _standard(area: float, low: float, high: float) -> float:
    """A partial area on McClish's scale: chance becomes 1/2, the most becomes 1."""
    least = (high**2 - low**2) / 2
    return float((1 + (area - least) / ((high - low) - least)) / 2)


def partial_variance(tp: Array, fp: Array, low: float, high: float, squares: Sides | None = None) -> float:
    """Variance of the area between two fallouts; over the whole range it is DeLong's."""
    return variance_of((tp, fp), squares, _added(tp, fp, low, high))


def _added(tp: Array, fp: Array, low: float, high: float) -> Sides:
    """What a case of each step adds to the area between two fallouts.

    The estimate is a mean over each class of what one case adds: a positive raises the curve right
    of its own fallout, a negative moves it along by its recall (Dodd and Pepe's partial area, with
    the estimated limits of fallout accounted for). Cases of a tied step share its slope.
    """
    x, y = ratio(fp, fp[-1]), ratio(tp, tp[-1])
    of_positives = _risen(x, high) - _risen(x, low)
    return of_positives, _along(x, y, low, high)


def _risen(x: Array, end: float) -> Array:
    """Area up to `end` below lines that rise from 0 to 1 over each step of x."""
    width = np.diff(x)
    inside = np.clip(end - x[:-1], 0, width)
    ramp = np.where(width > 0, ratio(inside**2, 2 * width), 0.0)
    return np.asarray(ramp + np.maximum(end - x[1:], 0.0))


def _along(x: Array, y: Array, low: float, high: float) -> Array:
    """Mean recall over each step of fallouts, which are held between two limits."""
    area, height = _between(x, y, low, high)
    width = np.diff(x)
    left, right = (np.clip(beyond, 0, width) for beyond in (low - x[:-1], x[1:] - high))
    return np.asarray(np.where(width > 0, ratio(left * height[0] + right * height[1] + area, width), 0.0))


def partial_interval(curve: Curve, low: float, high: float, over: str, standardised: bool, level: float) -> Interval:
    """Interval of a partial area, on the logit scale of its share of the range."""
    seen, width = _seen(curve, low, high, over), high - low
    area = partial(curve, low, high, over, False)
    found = _spread(curve, over, *seen)
    ends = logit_limits(area / width, found.variance / width**2, level, found.df)
    said = (*curve.notes, *_cautions(curve, ends[0], width, over))
    values, name = [area, *(width * x for x in ends)], "partial auc"
    if standardised:
        values, name = [_standard(x, *seen[2:4]) for x in values], f"standardised {name}"
    return Interval(values[0], values[1], values[2], level, "delong-logit", name, "fixed-reals", said)


def _spread(curve: Curve, over: str, tp: Array, fp: Array, low: float, high: float, squares: Sides | None) -> Spread:
    """Variance between cases, or between units where they come in units."""
    units = curve.units
    if units is None or units.single or curve.why:
        return Spread(partial_variance(tp, fp, low, high, squares))
    seen = units if over == "fallout" else units.turned(len(tp) - 1)
    return seen.spread(*_added(tp, fp, low, high))


def _cautions(curve: Curve, limit: float, width: float, over: str) -> Iterator[Note]:
    inside = width * curve.sizes[0 if over == "recall" else 1]
    if np.isnan(limit) and not curve.why:
        yield Note("The data show no spread of this area, so it has no interval.", code="no-spread")
    elif inside < FEW and width < 1:
        few = f"About {inside:.0f} cases lie in this range; with fewer than {FEW} the interval may "
        yield Note(f"{few}hold the true area less often than it says.", code="few-cases")
