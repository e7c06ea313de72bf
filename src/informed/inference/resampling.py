"""Intervals from random tables: the bootstrap on counts, and the Dirichlet posterior.

A resample of N cases is one multinomial draw of the cells, so that its cost does not grow with N.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.units import Units
from informed.inference.given import Rng, generator
from informed.inference.influence import group_sums, influence, measured, table_of
from informed.inference.sample import Sample

DRAWS = 10_000
_WORK = 1 << 22  # numbers drawn at once


# ---------------------------------------------------------------------- bootstrap


def bootstrap(s: Sample, method: str, rng: Rng, n_draws: int) -> Limits:
    """Percentile, centred, BCa or studentised limits from resampled counts."""
    draws = _resamples(s, generator(rng), n_draws)
    if method == "bootstrap-t":
        return _studentised(s, draws)
    values = np.concatenate([_values(s, drawn) for drawn in draws])
    if method == "bootstrap-bca":
        return _bias_corrected(s, values)
    return _centred(s, values) if method == "bootstrap-centred" else quantiles(values, *s.tails)


def _centred(s: Sample, values: Array) -> Limits:
    """Percentiles moved so that their median is the estimate.

    Cases that are drawn twice look like agreement. With many classes and few cases, all resampled tables have larger
    values than the table itself, and plain percentiles would be on the far side of its own error.
    """
    low, high = quantiles(values, *s.tails)
    middle, _ = quantiles(values, 0.5, 0.5)
    with np.errstate(invalid="ignore"):
        moved = s.estimate + low - middle, s.estimate + high - middle
        known = np.isfinite(s.estimate - middle)  # what is infinite cannot be moved, and has no limits
    return np.where(known, moved[0], np.nan), np.where(known, moved[1], np.nan)


def _resamples(s: Sample, rng: np.random.Generator, n_draws: int) -> Iterator[Array]:
    """Resampled counts, ``(draws, *stack, cells)``, some at a time."""
    at_once = max(1, _WORK // max(1, s.counts.size if s.units is None else s.counts.size + len(s.units.mult)))
    for start in range(0, n_draws, at_once):
        draws = min(at_once, n_draws - start)
        if s.units is None:
            yield resample(rng, s.counts, draws, s.groups)
        else:
            yield resampled_units(rng, s.units, draws, len(s.counts))


def resampled_units(rng: np.random.Generator, units: Units, draws: int, cells: int) -> Array:
    """Counts of whole units drawn anew, ``(draws, *stack, cells)``: as many of each table as it has."""
    from scipy.sparse import csr_array

    sizes = np.bincount(units.table, minlength=units.tables)
    place = np.arange(len(units.mult)) - (np.cumsum(sizes) - sizes)[units.table]
    most = int(sizes.max(initial=1))
    chances = np.zeros((units.tables, most))
    chances[units.table, place] = units.mult
    several = chances.sum(axis=1)
    chances = np.where(several[:, None] > 0, ratio(chances, several[:, None]), 1 / most)
    times = rng.multinomial(np.rint(several).astype(np.int64), chances, size=(draws, units.tables))
    at = (units.table * most + place)[units.row]
    shape = units.tables * most, units.tables * cells
    held = csr_array((units.weight, (at, units.entry_table * cells + units.cell)), shape=shape)
    drawn = times.reshape(draws, -1).astype(np.float64) @ held
    return np.asarray(drawn).reshape(draws, *units.shape, cells)


def resample(rng: np.random.Generator, counts: Array, draws: int, groups: Any) -> Array:
    """Resampled counts, ``(draws, *stack, cells)``; groups keep their size."""
    last = np.moveaxis(counts, 0, -1)
    if groups is None:
        return _multinomial(rng, last, draws)
    drawn = np.zeros((draws, *last.shape))
    for group in np.unique(groups):
        own = groups == group
        drawn[..., own] = _multinomial(rng, last[..., own], draws)
    return drawn


def _multinomial(rng: np.random.Generator, last: Array, draws: int) -> Array:
    total = last.sum(axis=-1)
    even = np.full(last.shape[-1], 1 / last.shape[-1])
    p = np.where(total[..., None] > 0, ratio(last, total[..., None]), even)
    p = p / p.sum(axis=-1, keepdims=True)
    n: Any = np.round(total).astype(np.int64)
    if total.ndim == 0:
        n = int(n)  # numpy draws from one distribution in less than half the time
    return np.asarray(rng.multinomial(n, p, size=(draws, *total.shape)), dtype=np.float64)


def _values(s: Sample, drawn: Array) -> Array:
    """The measure of each resample, ``(draws, *stack)``."""
    return measured(s.m, table_of(np.moveaxis(drawn, -1, 0), s.t), s.through)


def quantiles(values: Array, low: Any, high: Any) -> Limits:
    """Quantiles over the draws that are defined; NaN where none is."""
    if np.ndim(low) == 0 and np.isfinite(values).all():
        both = np.quantile(values, [low, high], axis=0)
        return both[0], both[1]
    none = np.isnan(values).all(axis=0)
    filled = np.where(none, 0.0, values)
    ends = [_each_quantile(filled, np.broadcast_to(q, none.shape)) for q in (low, high)]
    return np.where(none, np.nan, ends[0]), np.where(none, np.nan, ends[1])


def _each_quantile(values: Array, q: Array) -> Array:
    """A quantile of its own for each table of the stack."""
    ordered = np.sort(values, axis=0)  # NaN last
    size = (~np.isnan(values)).sum(axis=0)
    at = np.clip(np.nan_to_num(q), 0, 1) * (size - 1)  # NaN where the measure is undefined
    below = np.floor(at).astype(np.int64)
    above = np.minimum(below + 1, size - 1)
    low = np.take_along_axis(ordered, below[None], axis=0)[0]
    high = np.take_along_axis(ordered, above[None], axis=0)[0]
    with np.errstate(invalid="ignore"):
        between = np.where(low == high, low, low + (at - below) * (high - low))
    return np.where(np.isnan(q), np.nan, between)


def _bias_corrected(s: Sample, values: Array) -> Limits:
    """Efron's BCa: quantiles moved for bias and for a spread that changes with the value."""
    from scipy.special import ndtr, ndtri

    known = (~np.isnan(values)).sum(axis=0)
    below = (values < s.estimate).sum(axis=0) + (values == s.estimate).sum(axis=0) / 2
    share = np.clip(ratio(below, known), 0.5 / len(values), 1 - 0.5 / len(values))
    bias = ndtri(share)
    skewness = _acceleration(s)

    def at(z: float) -> Array:
        return np.asarray(ndtr(bias + (bias + z) / (1 - skewness * (bias + z))))

    return quantiles(values, at(-s.z), at(s.z))


def _acceleration(s: Sample) -> Array:
    """Skewness of the jackknife, leaving out one case of each cell as often as there are cases."""
    counts = s.counts
    cells = len(counts)
    left = np.broadcast_to(counts[:, None], (cells, cells, *counts.shape[1:])).copy()
    at = np.arange(cells)
    left[at, at] = np.maximum(left[at, at] - 1, 0)
    n = left.sum(axis=0)
    values = s.f.value(ratio(left, n), n)
    known = np.isfinite(values)
    weight, values = np.where(known, counts, 0.0), np.where(known, values, 0.0)
    off = ratio((weight * values).sum(axis=0), weight.sum(axis=0)) - values
    second = (weight * off**2).sum(axis=0)
    return np.where(second > 0, ratio((weight * off**3).sum(axis=0), 6 * second**1.5), 0.0)


def _studentised(s: Sample, draws: Iterator[Array]) -> Limits:
    """Bootstrap-t: each resample measured in its own standard errors."""

    def in_errors(drawn: Array) -> Array:
        cells = np.moveaxis(drawn, -1, 0)
        n = cells.sum(axis=0)
        p = ratio(cells, n)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty margin has no slope, odds may be infinite
            _, v = influence(p, s.f.gradient(p, n), s.groups)
            t = ratio(_values(s, drawn) - s.estimate, np.sqrt(ratio(v, n)))
        return np.where(np.isfinite(t), t, np.nan)

    t = np.concatenate([in_errors(drawn) for drawn in draws])
    low, high = quantiles(t, *s.tails)
    own = s.standard_error()
    return s.estimate - high * own, s.estimate - low * own


# ---------------------------------------------------------------------- posterior


def dirichlet(s: Sample, rng: Rng, n_draws: int, mass: float = 1.0) -> Array:
    """The measure of draws from the posterior, ``(draws, *stack)``.

    The prior is worth `mass` cases in all, half on the diagonal and half off it; with the class
    sizes fixed, each class has its own posterior and keeps its share.
    """
    if not mass > 0:
        raise InferenceError(f"`mass` is {mass}; a prior is worth more than no cases.")
    random = generator(rng)
    w = s.pattern.reshape(-1, *[1] * (s.counts.ndim - 1))
    shape = s.counts + mass * w
    at_once = max(1, _WORK // max(1, shape.size))
    found = []
    for start in range(0, n_draws, at_once):
        draws = min(at_once, n_draws - start)
        p = random.standard_gamma(np.broadcast_to(shape[:, None], (len(shape), draws, *shape.shape[1:])))
        if s.groups is None:
            p /= p.sum(axis=0)
        else:
            share = group_sums(shape / shape.sum(axis=0), s.groups)
            p *= share[:, None] / group_sums(p, s.groups)
        found.append(s.f.value(p, np.broadcast_to(np.maximum(s.n, 1), p.shape[1:])))
    return np.concatenate(found)
