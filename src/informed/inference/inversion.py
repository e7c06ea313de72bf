"""From limits to p-values: how far limits must be stretched until they hold a value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from informed._arrays import Array, Limits
from informed.inference.roots import root


def distance(limits: Callable[[Array], Limits], value: float, farthest: float) -> Array:
    """Standard errors at which limits, a function of them, reach the value; positive where they lie above it.

    0 where even the narrowest hold it, NaN where there are none, and `farthest` where the widest do not hold it.
    The p-value of the value is then that of a normal number: it is below 1 − level exactly where the limits of
    that level do not hold the value.
    """
    start = limits(np.zeros(()))
    low, high = (np.asarray(x, dtype=np.float64) for x in start)
    above, below = low > value, high < value

    def beyond(z: Array) -> Array:
        least, most = limits(z)
        return np.where(above, value - least, np.where(below, most - value, 0.0))

    far = np.full(low.shape, 1.0)
    short = beyond(far) < 0
    while short.any() and far.max() < farthest:
        far = np.where(short, np.minimum(2 * far, farthest), far)
        short = beyond(far) < 0
    z = np.where(short, farthest, root(beyond, np.zeros(far.shape), far))
    z = np.where(above, z, np.where(below, -z, 0.0))
    return np.where(np.isnan(low) | np.isnan(high), np.nan, z)
