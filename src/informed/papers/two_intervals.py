"""What is made of the 95 % intervals that two systems publish, and of nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.inference.answers import Interval
from informed.systems.tails import quantile

Flags = NDArray[np.bool_]


def outside(i: Interval, j: Interval) -> tuple[Flags, Flags]:
    """Whether the second's value lies outside the first's interval, and the other way round."""
    x, y = np.asarray(i.estimate), np.asarray(j.estimate)
    return (y < i.low) | (y > i.high), (x < j.low) | (x > j.high)


def ahead(i: Interval, j: Interval) -> Array:
    """How far the first is above the second."""
    return np.asarray(i.estimate - j.estimate)


def error_of(*published: Interval) -> Array:
    """Standard error that widths tell: of a value, or of a difference of independent values."""
    widths = [np.asarray(i.high - i.low) for i in published]
    return np.asarray(np.hypot.reduce(widths)) / (2 * quantile(0.95))
