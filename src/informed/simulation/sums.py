"""What a chunk of simulated tables leaves behind: sums that add, and the statistics they give."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.measures import find
from informed.results import plain
from informed.simulation.estimates import MonteCarlo, share_of
from informed.simulation.judging import judged, pvalues, values
from informed.simulation.results import KINDS, Row

if TYPE_CHECKING:
    from informed.simulation.experiment import Experiment

Sums: TypeAlias = dict[str, Array]  # moments, ranks, pairs, intervals, tests
Found: TypeAlias = dict[str, MonteCarlo]  # statistics by name


def plus(a: Sums, b: Sums) -> Sums:
    """The sums of two chunks together; of nothing and a chunk, those of the chunk."""
    return {name: a[name] + b[name] for name in a} or b


def named(asked: str) -> tuple[str, str]:
    """'markedness:arc' -> its measure and method; informedness where none is named."""
    measure, _, method = asked.rpartition(":")
    return (str(find(measure)) if measure else "informedness"), method


def truths(e: Experiment, level: float) -> Array:
    """Value of each measure in the population; the level where a recipe has no population."""
    asked = [*e.measures, *(named(i)[0] for i in e.intervals)]
    table = e.recipe.truth(level, k=e.k, n=e.n, **e.options)
    if table is None:
        return np.full(len(asked), float(level))
    whole = Table.from_counts(e.n * table.counts)  # for a function that need not be free of scale
    return np.array([float(values(table if isinstance(m, str) else whole, m)) for m in asked])


# ------------------------------------------------------------------ tables -> sums


def chunk_sums(e: Experiment, rng: np.random.Generator, size: int) -> Sums:
    """Draw `size` tables at every level and sum what is asked for."""
    drawn, truth, intervals, tests = [], [], [], []
    for level in e.levels:
        t = e.recipe.draw(rng, level, k=e.k, n=e.n, size=size, **e.options)
        own, of_intervals = np.split(truths(e, level), [len(e.measures)])
        drawn.append(np.reshape([values(t, m) for m in e.measures], (-1, size)))
        truth.append(own)
        intervals.append(_intervals(e, t, of_intervals, rng))
        tests.append(_tests(e, t, rng))

    x = np.stack(drawn)  # (levels, measures, size)
    off = x - np.stack(truth)[:, :, None]
    of_measures = {"moments": _moments(off), "ranks": _ranks(x), "pairs": _pairs(x, off)}
    return {**of_measures, "intervals": np.stack(intervals), "tests": np.stack(tests)}


def _moments(d: Array) -> Array:
    """Count of the defined and the undefined, and sums of the first four powers of the error."""
    known = ~np.isnan(d)
    d = np.where(known, d, 0.0)
    square = d * d  # not d**2 and so on: powers above the second are slow
    powers = [x.sum(axis=-1) for x in (d, square, square * d, square * square)]
    return np.stack([known.sum(axis=-1), (~known).sum(axis=-1), *powers], axis=-1)


def _ranks(x: Array) -> Array:
    """How often a table of the next level scores higher than one of this level (a tie is half)."""
    low, high = x[:-1], x[1:]
    known = ~(np.isnan(low) | np.isnan(high))
    right = np.where(known, (high > low) + 0.5 * (high == low), 0.0)
    return np.stack([known.sum(axis=-1), right.sum(axis=-1), (right**2).sum(axis=-1)], axis=-1)


def _pairs(x: Array, d: Array) -> Array:
    """Products for the correlation of two measures, and how often they order two tables alike."""
    half = x.shape[2] // 2  # disjoint pairs of tables: first half against second
    away = x[:, :, :half] - x[:, :, half : 2 * half]
    out = []
    for a, b in combinations(range(x.shape[1]), 2):
        known = ~(np.isnan(d[:, a]) | np.isnan(d[:, b]))
        u, v = np.where(known, d[:, a], 0), np.where(known, d[:, b], 0)
        both = ~(np.isnan(away[:, a]) | np.isnan(away[:, b]))
        alike = np.where(both, np.sign(away[:, a]) * np.sign(away[:, b]), 0.0)

        products = (known, u, v, u * u, v * v, u * v, _influence(u, v, known) ** 2)
        sums = [s.sum(axis=-1) for s in (*products, both, alike, alike**2)]
        out.append(np.stack(sums, axis=-1))
    return np.stack(out, axis=1) if out else np.zeros((x.shape[0], 0, 10))


def _influence(u: Array, v: Array, known: Any) -> Array:
    """Influence of each table on the correlation of a chunk: its mean square is n times the
    variance of r, whatever the distribution."""
    count = np.maximum(known.sum(axis=-1, keepdims=True), 1)

    def standard(x: Array) -> Array:
        centred = np.where(known, x - x.sum(axis=-1, keepdims=True) / count, 0.0)
        scale = np.sqrt((centred**2).sum(axis=-1, keepdims=True) / count)
        return np.asarray(centred / np.where(scale > 0, scale, 1.0))

    a, b = standard(u), standard(v)
    r = (a * b).sum(axis=-1, keepdims=True) / count
    return np.asarray(np.where(known, a * b - r * (a**2 + b**2) / 2, 0.0))


def _intervals(e: Experiment, t: Table, truth: Array, rng: np.random.Generator) -> Array:
    """Defined tables, hits, width, its square, truth below, truth above, no finite interval."""
    out = np.zeros((len(e.intervals), 7))
    for i, (measure, method) in enumerate(map(named, e.intervals)):
        j = judged(t, measure, truth[i], level=e.level, method=method, rng=rng)
        below, above = j.below & j.finite, j.above & j.finite
        sums = (j.defined, j.held, j.width, j.width**2, below, above, j.defined & ~j.finite)
        out[i] = [s.sum() for s in sums]
    return out


def _tests(e: Experiment, t: Table, rng: np.random.Generator) -> Array:
    """Tables with a p-value, rejections, tables without one."""
    out = np.zeros((len(e.tests), 3))
    for i, (measure, method) in enumerate(map(named, e.tests)):
        p = pvalues(t, method, measure=measure, rng=rng)
        known = ~np.isnan(p)
        out[i] = known.sum(), (p < e.size_of_tests).sum(), (~known).sum()
    return out


# ------------------------------------------------------------------ sums -> tidy rows


def tidy(e: Experiment, sums: Sums) -> list[Row]:
    """One row a statistic, with its Monte Carlo standard error."""
    rows = [
        (level, subject, measure, method, name, plain(one.value), plain(one.standard_error), int(count))
        for at, level in enumerate(e.levels)
        for subject, measure, method, found, count in _statistics(e, sums, at)
        for name, one in found.items()
    ]
    return [dict(zip(KINDS, row, strict=True)) for row in rows]


def _statistics(e: Experiment, sums: Sums, at: int) -> Iterator[tuple[str, str, str, Found, float]]:
    """Subject, measure, method, statistics and count of tables, at one level."""
    measures, truth = [str(find(m) if isinstance(m, str) else m) for m in e.measures], truths(e, e.levels[at])
    for i, measure in enumerate(measures):
        moments = sums["moments"][at, i]
        yield "measure", measure, "", _of_measure(moments, truth[i]), moments[0]
        if at < len(e.levels) - 1:
            count, right, squares = sums["ranks"][at, i]
            yield "measure", measure, "", {"ranked_right": _mean(right, squares, count)}, count

    for i, (measure, method) in enumerate(map(named, e.intervals)):
        found = sums["intervals"][at, i]
        yield "interval", measure, method, _of_interval(found), found[0]

    for i, (measure, method) in enumerate(map(named, e.tests)):
        count, rejected, undefined = sums["tests"][at, i]
        what = "size" if e.levels[at] == 0 else "power"
        shares = {what: share_of(rejected, count)}
        shares["undefined"] = share_of(undefined, count + undefined)
        yield "test", measure, method, shares, count

    for i, (a, b) in enumerate(combinations(measures, 2)):
        found = sums["pairs"][at, i]
        yield "pair", f"{a} & {b}", "", _of_pair(found), found[0]


def _of_measure(m: Array, truth: float) -> Found:
    count, undefined, s1, s2, s3, s4 = m
    gone = share_of(undefined, count + undefined)
    if count < 2:
        return {"truth": MonteCarlo(truth), "undefined": gone}

    bias, square = s1 / count, s2 / count
    variance = max(s2 - count * bias**2, 0.0) / (count - 1)
    fourth = s4 / count - 4 * bias * s3 / count + 6 * bias**2 * square - 3 * bias**4
    rmse = np.sqrt(square)
    of_square = np.sqrt(max(s4 / count - square**2, 0.0) / count)
    of_mean = np.sqrt(variance / count)
    return {
        "truth": MonteCarlo(truth),
        "mean": MonteCarlo(truth + bias, of_mean),
        "bias": MonteCarlo(bias, of_mean),
        "rmse": MonteCarlo(rmse, of_square / (2 * rmse) if rmse > 0 else 0.0),
        "variance": MonteCarlo(variance, np.sqrt(max(fourth - variance**2, 0.0) / count)),
        "undefined": gone,
    }


def _of_interval(m: Array) -> Found:
    count, hits, width, squares, below, above, endless = m
    return {
        "coverage": share_of(hits, count),
        "width": _mean(width, squares, max(count - endless, 1.0)),
        "truth_below": share_of(below, count),
        "truth_above": share_of(above, count),
        "no_interval": share_of(endless, count),
    }


def _of_pair(m: Array) -> Found:
    count, u, v, uu, vv, uv, influence, pairs, alike, squares = m
    if count < 2:
        return {}
    scale = np.sqrt(max(uu - u**2 / count, 0.0) * max(vv - v**2 / count, 0.0))
    r = (uv - u * v / count) / scale if scale > 1e-12 * count else np.nan
    return {"correlation": MonteCarlo(r, np.sqrt(influence) / count), "rank_agreement": _mean(alike, squares, pairs)}


def _mean(total: float, squares: float, count: float) -> MonteCarlo:
    """A mean and its standard error, from the sum and the sum of squares."""
    if not count:
        return MonteCarlo(np.nan, np.nan)
    mean = total / count
    return MonteCarlo(mean, np.sqrt(max(squares / count - mean**2, 0.0) / count))
