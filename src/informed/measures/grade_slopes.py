"""Slopes of the measures of ordered labels: what a little more of each cell does to them.

They read how far every cell is from the diagonal, and so more than hits and margins. Cells are proportions
``(predicted, real, *stack)`` that add up to 1, slopes have the same shape and may be off by a constant.
With the cuts k between neighbouring grades, weighed d_k: shares π_k of cases really above the cut and b_k
predicted above it, and c = Σ d_k·(P(both above) − π_k·b_k), which Σ d_k·π_k(1 − π_k) or the same of b is the most of.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import MeasureError


def weights_of_cuts(grades: int, spacing: Any = None) -> Array:
    """What each cut between neighbouring grades counts, from the lowest; 1 unless something else is given."""
    cuts = max(grades - 1, 0)
    if spacing is None:
        return np.ones(cuts)
    d = np.asarray(spacing, dtype=np.float64)
    if d.shape != (cuts,) or not np.isfinite(d).all() or (d < 0).any() or not d.any():
        raise MeasureError(
            f"`spacing` is {spacing!r}; it must be a number for each cut between neighbouring grades, {cuts} in all, "
            "none negative and not all 0."
        )
    return d


class _Cut(NamedTuple):
    """What the three measures share at a table: the sum c, its most on either side, and their slopes."""

    c: Array
    of_c: Array  # (predicted, real, *stack)
    most_real: Array
    of_real: Array  # (real, *stack): slopes of `most_real`
    most_predicted: Array
    of_predicted: Array  # (predicted, *stack)


def _cut(p: Array, spacing: Any) -> _Cut:
    d = weights_of_cuts(len(p), spacing)
    steps = np.concatenate([[0.0], np.cumsum(d)])
    together = np.minimum.outer(steps, steps)  # weight of the cuts that both grades are above
    d = d.reshape(-1, *[1] * (p.ndim - 2))

    predicted, real = np.asarray(np.einsum("ij...->i...", p)), np.asarray(p.sum(axis=0))
    b, pi = 1 - np.cumsum(predicted, axis=0)[:-1], 1 - np.cumsum(real, axis=0)[:-1]
    c = np.einsum("ij...,ij->...", p, together) - (d * pi * b).sum(axis=0)
    of_c = together.reshape(together.shape + (1,) * (p.ndim - 2)) - _below(d * pi)[:, None] - _below(d * b)

    return _Cut(
        np.asarray(c),
        of_c,
        (d * pi * (1 - pi)).sum(axis=0),
        _below(d * (1 - 2 * pi)),
        (d * b * (1 - b)).sum(axis=0),
        _below(d * (1 - 2 * b)),
    )


def _below(of_cuts: Array) -> Array:
    """For each grade, the sum over the cuts below it."""
    found = np.zeros((len(of_cuts) + 1, *of_cuts.shape[1:]))
    np.cumsum(of_cuts, axis=0, out=found[1:])
    return found


def informedness(p: Array, *, spacing: Any = None) -> Array:
    at = _cut(p, spacing)
    return np.asarray((at.of_c - at.c / at.most_real * at.of_real) / at.most_real)


def markedness(p: Array, *, spacing: Any = None) -> Array:
    return informedness(p.swapaxes(0, 1), spacing=spacing).swapaxes(0, 1)


def correlation(p: Array, *, spacing: Any = None) -> Array:
    at = _cut(p, spacing)
    pull = at.of_real / at.most_real + (at.of_predicted / at.most_predicted)[:, None]
    return np.asarray((at.of_c - at.c / 2 * pull) / np.sqrt(at.most_real * at.most_predicted))


def somers_d(p: Array) -> Array:
    """Slopes of D = 1 − E/W, where E counts wrong and tied pairs and W those that differ in reality."""
    real = np.asarray(p.sum(axis=0))
    later, earlier = after(p, 1), before(p, 1)
    wrong = before(later, 0) + after(earlier, 0)
    lost, pairs = lost_pairs(p), (real * after(real, 0)).sum(axis=0)
    of_lost = 2 * wrong + later + earlier
    return np.asarray(-(of_lost + ratio(lost, pairs) * real) / pairs)  # 1 − real, but for a constant


def somers_d_predicted(p: Array) -> Array:
    return somers_d(p.swapaxes(0, 1)).swapaxes(0, 1)


def lost_pairs(cells: Array) -> Array:
    """Pairs of cases that differ in reality: those in the wrong order, twice, and those that are called alike."""
    later = after(cells, 1)
    return np.asarray((cells * (2 * before(later, 0) + later)).sum(axis=(0, 1)))


def after(x: Array, axis: int) -> Array:
    """At each place, the sum over the places after it."""
    return np.flip(before(np.flip(x, axis), axis), axis)


def before(x: Array, axis: int) -> Array:
    """At each place, the sum over the places before it."""
    found = np.zeros_like(x)
    into, of = [slice(None)] * x.ndim, [slice(None)] * x.ndim
    into[axis], of[axis] = slice(1, None), slice(None, -1)
    np.cumsum(x[tuple(of)], axis=axis, out=found[tuple(into)])
    return found
