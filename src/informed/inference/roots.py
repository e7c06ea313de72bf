"""Roots of a whole stack at once.

scipy.optimize.elementwise has one too; importing scipy.optimize takes longer than any report.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from informed._arrays import Array


def root(f: Callable[[Array], Array], low: Any, high: Any, *, tolerance: float = 1e-13) -> Array:
    """Where f changes its sign between low and high, elementwise, by Chandrupatla's method (1997).

    Inverse quadratic interpolation where it is safe, bisection elsewhere. Where f has the same
    sign at both ends, the end at which it is nearer to 0.

    >>> root(lambda x: x**2 - np.array([2.0, 9.0]), [0, 0], [9, 9])
    array([1.41421356, 3.        ])
    """
    a, b = np.broadcast_arrays(np.asarray(high, float), np.asarray(low, float))
    fa, fb = f(a), f(b)
    one_sided = fa * fb > 0
    end = np.where(np.abs(fa) < np.abs(fb), a, b)
    share = np.full(a.shape, 0.5)
    found, done = end, one_sided  # a root stays as it was found, whatever its neighbours need

    for _ in range(120):
        x = a + share * (b - a)
        fx = f(x)
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx

        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        width = np.abs(b - a)
        room = np.minimum(0.5, np.where(width > 0, tolerance / np.where(width > 0, width, 1), 0.5))
        found = np.where(done, found, best)
        done = done | (room == 0.5) | (fa == 0) | (fb == 0) | np.isnan(fa)
        if done.all():
            break

        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            safe = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * (fb / (fc - fb))
        share = np.where(safe & np.isfinite(quadratic), np.clip(quadratic, room, 1 - room), 0.5)
    return np.asarray(found)


def fixed_point(f: Callable[[Array], Array], low: Array, high: Array, start: Array, *, tolerance: float) -> Array:
    """Where f(x), kept between low and high, is x, elementwise, for an f that hardly depends on x.

    By secants, of which a few are enough; where they do not settle, as any root is found.

    >>> low, high, start = np.zeros(2), np.full(2, 9.0), np.ones(2)
    >>> fixed_point(lambda x: 1 + x / np.array([4.0, 8.0]), low, high, start, tolerance=1e-9)
    array([1.33333333, 1.14285714])
    """

    def beyond(x: Array) -> Array:
        return np.asarray(np.clip(f(x), low, high) - x)

    before, x = start, start
    left = missed = beyond(start)
    for _ in range(10):
        done = (np.abs(missed) <= tolerance) | np.isnan(missed)  # stays as it is, whatever its neighbours need
        if done.all():
            return x
        with np.errstate(all="ignore"):
            secant = missed * (x - before) / (missed - left)
        step = np.where((x != before) & np.isfinite(secant), -secant, missed)
        before, left, x = x, missed, np.where(done, x, np.clip(x + step, low, high))
        missed = np.where(done, missed, beyond(x))
    done = np.abs(missed) <= tolerance
    return np.where(done | np.isnan(missed), x, root(beyond, low, high, tolerance=tolerance))
