"""Arithmetic on stacks: the only place that knows what 0/0 is."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Limits: TypeAlias = tuple[Array, Array]  # low and high
Floats: TypeAlias = Any  # a Python float for one table, an Array for a stack: see `plain`


def ratio(numerator: Any, denominator: Any) -> Array:
    """Quotient in which 0/0 is NaN and x/0 is infinite, without a warning.

    >>> ratio([1, 0, 3], [2, 0, 0])
    array([0.5, nan, inf])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(numerator, denominator), dtype=np.float64)


def plogp(p: Any) -> Array:
    """p·log p, which is 0 at p = 0.

    >>> plogp([0.0, 1.0])
    array([0., 0.])
    """
    p = np.asarray(p, dtype=np.float64)
    return np.asarray(p * np.log(np.where(p > 0, p, 1.0)))


def signed_root(x: Any) -> Array:
    """Square root of the size, with the sign kept."""
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(np.sign(x) * np.sqrt(np.abs(x)))


def exact_zero(x: Any) -> Array:
    """0 where a sum of terms of about 1 is that but for rounding.

    >>> exact_zero([0.1 + 0.2 - 0.3, 0.5, float("nan")])
    array([0. , 0.5, nan])
    """
    x = np.asarray(x, dtype=np.float64)
    return np.where(np.abs(x) < 1e-12, 0.0, x)


def difference(first: Any, second: Any, terms: int = 1) -> Array:
    """Subtract two sums of so many positive terms; 0 where they differ by the rounding of such sums alone.

    What counts as rounding is relative to the sums, so that counts on any scale, added in any order, agree.

    >>> difference([0.1 + 0.2, 3e-9, 2.0], [0.3, 1e-9, 1.5])
    array([0.e+00, 2.e-09, 5.e-01])
    """
    first, second = (np.asarray(x, dtype=np.float64) for x in (first, second))
    rounding = 8 * (terms + 1) * np.finfo(np.float64).eps * (np.abs(first) + np.abs(second))
    return np.where(np.abs(first - second) <= rounding, 0.0, first - second)


def mean_over(weights: Any, values: Any, axis: int = 0) -> Array:
    """Weighted sum over classes, in which a class of weight zero takes no part, even undefined."""
    weights = np.asarray(weights, dtype=np.float64)
    return np.asarray(np.sum(weights * np.where(weights == 0, 0.0, values), axis=axis))


def plain(x: Any) -> Floats:
    """A Python float for a single value, the array otherwise."""
    return float(x) if np.ndim(x) == 0 else x
