"""Intervals from the slopes of a measure: the arc, its closed-form neighbour, and plain Wald."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, signed_root
from informed.inference.arc import hull
from informed.inference.influence import Functional, differences, influence
from informed.inference.sample import Sample
from informed.measures import find

Limits = tuple[Array, Array]


def arc(s: Sample) -> Limits:
    """Fisher-arc hull; for the correlation of more than two classes, of its two factors."""
    if s.m.name == "correlation" and len(s.t.real_labels) > 2:
        parts = [
            arc(Sample(find(name), s.t, s.level, s.fixed, s.through, s.clusters))
            for name in ("informedness", "markedness")
        ]
        low, high = (_geometric(x, y) for x, y in zip(*parts, strict=True))
    else:
        f = s.f if np.isfinite(s.m.facts.bounds[1]) else _of_logarithm(s.f)
        low, high = hull(
            s.counts,
            f,
            pattern=s.pattern,
            z=s.z,
            n=np.maximum(s.n, 1),
            groups=s.groups,
            unseen=s.unseen,
        )
    return error_free(s, *around(s, low, high))


def _of_logarithm(f: Functional) -> Functional:
    """The same values, with slopes of their logarithm: the same path, without infinite slopes."""

    def logarithm(p: Array, n: Array) -> Array:
        return np.asarray(np.log(f.value(p, n)))

    return Functional(f.value, lambda p, n: differences(logarithm, p, n), exact=False)


def _geometric(x: Array, y: Array) -> Array:
    """sign(x + y)·√max(xy, 0), the geometric mean where signs agree."""
    return np.asarray(signed_root(np.sign(x + y) * np.maximum(x * y, 0)))


def plus_four(s: Sample) -> Limits:
    """Delta method after four pseudo-cases, two spread over the diagonal and two off it."""
    total = s.counts.sum(axis=0)
    w = s.pattern.reshape(-1, *[1] * total.ndim)
    p = (s.counts + 4 * w) / (total + 4)
    told = np.maximum(s.n, 1)
    _, v = influence(p, s.f.gradient(p, told), s.groups)
    half = s.z * np.sqrt(v / (total + 4))
    middle = s.f.value(p, told)
    return around(s, middle - half, middle + half)


def wald(s: Sample) -> Limits:
    """Estimate and large-sample standard error; too short near 0 and 1, kept for comparison."""
    half = s.quantile * s.standard_error()
    return s.estimate - half, s.estimate + half


def around(s: Sample, low: Array, high: Array) -> Limits:
    """Limits that contain the estimate, where there is one."""
    return np.fmin(low, s.estimate), np.fmax(high, s.estimate)


def error_free(s: Sample, low: Array, high: Array) -> Limits:
    """A table without an error does not contradict perfection."""
    best, bounds = s.m.facts.best, s.m.facts.bounds
    if best is None or not s.t.is_square:
        return low, high
    perfect = np.asarray(s.t.hits.sum(axis=0) == s.t.total)
    if best == bounds[1]:
        return low, np.where(perfect, best, high)
    if best == bounds[0]:
        return np.where(perfect, best, low), high
    return low, high
