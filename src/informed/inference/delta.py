"""Intervals from the slopes of a measure: the arc, its closed-form neighbour, and plain Wald."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, signed_root
from informed.evidence.cells import is_sparse, occupied, smoothed
from informed.evidence.checks import frozen
from informed.inference.arc import hull, room
from informed.inference.influence import of_logarithm, side_by_side
from informed.inference.sample import Sample
from informed.measures.slopes import Stated

BY_MARGINS_ABOVE = 64  # classes


def arcs(samples: Sequence[Sample], z: float | Array | None = None) -> list[Limits]:
    """Fisher-arc hulls, z standard errors away if not those of the level; for a geometric mean without slopes at 0,
    of its factors."""
    walks: dict[Any, Sample] = {}
    for s in samples:
        for one in s.walked:
            walks.setdefault((str(one.m), one.through), one)

    alike: dict[Any, list[Any]] = {}
    for key, s in walks.items():
        alike.setdefault((s.f.exact, s.counts.shape, s.t.is_square), []).append(key)
    found: dict[Any, Limits] = {}
    for keys in alike.values():
        found.update(zip(keys, _hulls([walks[key] for key in keys], z), strict=True))

    def limits(s: Sample) -> Limits:
        return _mean_limits([found[str(one.m), one.through] for one in s.walked])

    return [error_free(s, *around(s, *limits(s))) for s in samples]


def arcs_at(s: Sample, z: Array) -> Limits:
    """Fisher-arc hulls of one measure at several distances, ``(distances, *stack)``, all walked at once."""
    from scipy.special import ndtr

    def ends(one: Sample) -> Limits:
        counts = one.counts_at(np.asarray(1 - 2 * ndtr(-z)))
        unseen = one.unseen
        if unseen is not None:
            unseen = unseen.reshape(len(counts), *[1] * (z.ndim - one.n.ndim), *one.n.shape)
            unseen = np.broadcast_to(unseen, counts.shape)
        f = one.f if np.isfinite(one.m.facts.bounds[1]) else replace(of_logarithm(one.f), value=one.f.value)
        n = np.broadcast_to(np.maximum(one.n, 1), z.shape)
        return hull(counts, f, pattern=one.pattern, z=z, n=n, groups=one.groups, unseen=unseen)

    return error_free(s, *around(s, *_mean_limits([ends(one) for one in s.walked])))


def _mean_limits(each: Sequence[Limits]) -> Limits:
    """The limits themselves, or the geometric means of those of two factors."""
    if len(each) == 1:
        return each[0]
    low, high = (geometric_mean(x, y) for x, y in zip(*each, strict=True))
    return low, high


def _hulls(samples: Sequence[Sample], z: float | Array | None) -> list[Limits]:
    """The hulls of several measures of one table or stack, side by side where there is room."""
    first = samples[0]
    stack, tables = first.n.shape, first.n.size
    if len(samples) > 1 and len(samples) * tables > room(len(first.counts), first.f.exact):
        return [_hulls([s], z)[0] for s in samples]
    functionals = [
        s.f if np.isfinite(s.m.facts.bounds[1]) else replace(of_logarithm(s.f), value=s.f.value) for s in samples
    ]

    def beside(arrays: Sequence[Any]) -> Any:
        return np.concatenate([x.reshape(*x.shape[: x.ndim - len(stack)], -1) for x in arrays], -1)

    plain = first.t.is_square and first.t.unanswered is None
    classes = len(first.t.real_labels) if plain else None
    nothing = np.zeros(first.counts.shape, dtype=bool)
    unseen = [nothing if (x := s.unseen) is None else x for s in samples]
    low, high = hull(
        beside([s.counts for s in samples]),
        side_by_side(functionals, [tables] * len(samples), classes),
        pattern=first.pattern,
        z=beside([np.broadcast_to(first.z if z is None else z, stack)] * len(samples)),
        n=np.maximum(beside([s.n for s in samples]), 1),
        groups=first.groups,
        unseen=beside(unseen),
    )
    ends = (x.reshape(len(samples), *stack) for x in (low, high))
    return list(zip(*ends, strict=True))


def geometric_mean(x: Array, y: Array) -> Array:
    """sign(x + y)·√max(xy, 0), the geometric mean where signs agree."""
    return np.asarray(signed_root(np.sign(x + y) * np.maximum(x * y, 0)))


def plus_four(s: Sample) -> Limits:
    """Delta method after four pseudo-cases, two spread over the diagonal and two off it; for a geometric mean without
    slopes at 0, of its factors."""
    if len(s.walked) > 1:
        return around(s, *_mean_limits([plus_four(one) for one in s.walked]))
    many = is_sparse(s.t.cells) or len(s.t.real_labels) > BY_MARGINS_ABOVE
    if many and s.f.stated is not None and not s.fixed and len(s.t.real_labels) > 1:
        return _plus_four_by_margins(s, s.f.stated)
    middle, error = s.plus_four
    return around(s, middle - s.z * error, middle + s.z * error)


def _plus_four_by_margins(s: Sample, stated: Stated) -> Limits:
    """The same for slopes by hits and margins: no cell is looked at that nothing is in."""
    t, k = s.effective, len(s.t.real_labels)
    right, wrong = 2 / k, 2 / (k * (k - 1))  # pseudo-cases of each cell on and off the diagonal
    silent = np.zeros((0, *t.shape)) if t.unanswered is None else t.unanswered
    scale = 1 / (t.total + silent.sum(axis=0) + 4)
    padded = t.hits + right, t.predicted_totals + 4 / k, t.real_totals + 4 / k
    hits, predicted, real = (x * scale for x in padded)
    shares = silent * scale
    slopes = stated(hits, predicted, real, *([shares] if len(shares) else []))
    hit = np.broadcast_to(slopes.hit, hits.shape)
    unsaid = slopes.silent if len(shares) else shares

    # The mean square of a + b (+ hit on the diagonal), centred, where a is of the prediction and
    # b of the real class: only their product takes a sum over cells.
    mean = (predicted * slopes.predicted + real * slopes.real + hits * hit).sum(axis=0)
    mean = mean + (shares * unsaid).sum(axis=0)
    a, b = slopes.predicted - mean, slopes.real
    at_p, at_r, numbers = occupied(t.cells)
    crossed = (numbers * a[at_p] * b[at_r]).sum(axis=0) + (right - wrong) * (a * b).sum(axis=0)
    crossed = crossed + wrong * a.sum(axis=0) * b.sum(axis=0)
    v = (predicted * a**2 + real * b**2 + hits * hit * (2 * (a + b) + hit)).sum(axis=0)
    v = v + 2 * crossed * scale + (shares * (unsaid - mean) ** 2).sum(axis=0)

    half = s.z * np.sqrt(np.maximum(v, 0.0) * scale)
    n = np.maximum(s.n, 1) * scale
    unanswered = None if t.unanswered is None else frozen(silent * n)
    moved = replace(t, cells=smoothed(t.cells, right, wrong) * n, unanswered=unanswered)
    middle = np.asarray(s.m(moved))
    return around(s, middle - half, middle + half)


def wald(s: Sample) -> Limits:
    """Estimate and large-sample standard error; too short near 0 and 1, kept for comparison."""
    half = s.quantile * s.standard_error()
    return s.estimate - half, s.estimate + half


def around(s: Sample, low: Array, high: Array) -> Limits:
    """Limits that contain the estimate, where there is one."""
    return np.fmin(low, s.estimate), np.fmax(high, s.estimate)


def error_free(s: Sample, low: Array, high: Array) -> Limits:
    """A table without an error, and without a case that got no answer, does not contradict perfection."""
    best, bounds = s.m.facts.best, s.m.facts.bounds
    if best is None or not s.t.is_square:
        return low, high
    perfect = np.asarray(s.t.hits.sum(axis=0) == s.n)
    return np.where(perfect & (best == bounds[0]), best, low), np.where(perfect & (best == bounds[1]), best, high)
