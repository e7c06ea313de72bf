"""What a chunk of simulated tables leaves behind: sums that add, and the statistics they give."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.measures import find

if TYPE_CHECKING:
    from informed.simulation.experiment import Experiment

Sums: TypeAlias = dict[str, Array]  # moments, ranks, pairs, intervals, tests


def plus(a: Sums, b: Sums) -> Sums:
    return {name: a[name] + b[name] for name in a}


def named(asked: str) -> tuple[str, str]:
    """'markedness:arc' -> its measure and method; informedness where none is named."""
    measure, _, method = asked.rpartition(":")
    return (find(measure).name if measure else "informedness"), method


def truths(e: Experiment, level: float) -> Array:
    """Value of each measure in the population; the level where a recipe has no population."""
    asked = [*e.measures, *(named(i)[0] for i in e.intervals)]
    table = e.recipe.truth(level, k=e.k, n=e.n, **e.options)
    if table is None:
        return np.full(len(asked), float(level))
    return np.array([float(find(m)(table)) for m in asked])


def chunk_sums(e: Experiment, rng: np.random.Generator, size: int) -> Sums:
    """Draw `size` tables at every level and sum what is asked for."""
    values, intervals, tests = [], [], []
    for level in e.levels:
        t = e.recipe.draw(rng, level, k=e.k, n=e.n, size=size, **e.options)
        truth = truths(e, level)
        values.append(
            np.stack([np.asarray(find(m)(t)) for m in e.measures])
            if e.measures
            else np.empty((0, size))
        )
        of_intervals = truth[len(e.measures) :]
        intervals.append(_intervals(e, t, of_intervals, rng))
        tests.append(_tests(e, t, rng))
    x = np.stack(values)  # (levels, measures, size)
    truth = np.stack([truths(e, level)[: len(e.measures)] for level in e.levels])
    return {
        "moments": _moments(x - truth[:, :, None]),
        "ranks": _ranks(x),
        "pairs": _pairs(x, x - truth[:, :, None]),
        "intervals": np.stack(intervals),
        "tests": np.stack(tests),
    }


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
    out = []
    for a, b in combinations(range(x.shape[1]), 2):
        known = ~(np.isnan(d[:, a]) | np.isnan(d[:, b]))
        u, v = np.where(known, d[:, a], 0), np.where(known, d[:, b], 0)
        sums = [known, u, v, u * u, v * v, u * v, _influence(u, v, known) ** 2]
        half = x.shape[2] // 2  # disjoint pairs of tables: first half against second
        du = x[:, a, :half] - x[:, a, half : 2 * half]
        dv = x[:, b, :half] - x[:, b, half : 2 * half]
        both = ~(np.isnan(du) | np.isnan(dv))
        alike = np.where(both, np.sign(du) * np.sign(dv), 0.0)
        out.append(
            np.stack([*(s.sum(axis=-1) for s in sums), both.sum(axis=-1), alike.sum(axis=-1),
                      (alike**2).sum(axis=-1)], axis=-1)
        )  # fmt: skip
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
    from informed.inference.intervals import interval

    out = np.zeros((len(e.intervals), 7))
    for i, asked in enumerate(e.intervals):
        measure, method = named(asked)
        found = interval(t, measure, level=1 - e.alpha, method=method, rng=rng)
        defined = ~np.isnan(np.asarray(found.estimate))
        low, high = np.asarray(found.low), np.asarray(found.high)
        finite = np.isfinite(low) & np.isfinite(high) & defined
        width = np.where(finite, high - low, 0.0)
        below, above = truth[i] < low - 1e-12, truth[i] > high + 1e-12
        hit = finite & ~below & ~above  # no interval for a defined table is a miss
        sums = (defined, hit, width, width**2, below & finite, above & finite, defined & ~finite)
        out[i] = [s.sum() for s in sums]
    return out


def _tests(e: Experiment, t: Table, rng: np.random.Generator) -> Array:
    """Tables with a p-value, rejections, tables without one."""
    from informed.inference.tests import test

    out = np.zeros((len(e.tests), 3))
    for i, asked in enumerate(e.tests):
        measure, method = named(asked)
        p = np.asarray(test(t, measure, method=method, rng=rng).pvalue)
        known = ~np.isnan(p)
        out[i] = known.sum(), (np.where(known, p, 1.0) < e.alpha).sum(), (~known).sum()
    return out


# ------------------------------------------------------------------ sums -> tidy rows


def tidy(e: Experiment, sums: Sums) -> list[dict[str, Any]]:
    """One row a statistic, with its Monte Carlo standard error."""
    rows: list[dict[str, Any]] = []
    measures = [str(find(m)) for m in e.measures]
    for at, level in enumerate(e.levels):
        truth = truths(e, level)

        def add(
            subject: str, measure: str, method: str, found: Any, count: float, level: float = level
        ) -> None:
            for statistic, value, error in found:
                rows.append(
                    {
                        "level": level,
                        "subject": subject,
                        "measure": measure,
                        "method": method,
                        "statistic": statistic,
                        "value": _finite(value),
                        "error": _finite(error),
                        "count": int(count),
                    }
                )

        for i, measure in enumerate(measures):
            moments = sums["moments"][at, i]
            add("measure", measure, "", _of_measure(moments, truth[i]), moments[0])
            if at < len(e.levels) - 1:
                count, right, squares = sums["ranks"][at, i]
                share = right / count if count else np.nan
                spread = np.sqrt(max(squares / count - share**2, 0) / count) if count else np.nan
                add("measure", measure, "", [("ranked_right", share, spread)], count)
        for i, asked in enumerate(e.intervals):
            measure, method = named(asked)
            found = sums["intervals"][at, i]
            add("interval", measure, method, _of_interval(found), found[0])
        for i, asked in enumerate(e.tests):
            measure, method = named(asked)
            found = sums["tests"][at, i]
            what = "size" if level == 0 else "power"
            shares = [(what, *_share(found[1], found[0]))]
            shares.append(("undefined", *_share(found[2], found[0] + found[2])))
            add("test", measure, method, shares, found[0])
        for i, (a, b) in enumerate(combinations(measures, 2)):
            found = sums["pairs"][at, i]
            add("pair", f"{a} & {b}", "", _of_pair(found), found[0])
    return rows


def _of_measure(m: Array, truth: float) -> list[tuple[str, float, float]]:
    count, undefined, s1, s2, s3, s4 = m
    if count < 2:
        return [("truth", truth, 0.0), ("undefined", *_share(undefined, count + undefined))]
    bias, square = s1 / count, s2 / count
    variance = max(s2 - count * bias**2, 0.0) / (count - 1)
    fourth = s4 / count - 4 * bias * s3 / count + 6 * bias**2 * square - 3 * bias**4
    rmse = np.sqrt(square)
    of_square = np.sqrt(max(s4 / count - square**2, 0.0) / count)
    return [
        ("truth", truth, 0.0),
        ("mean", truth + bias, np.sqrt(variance / count)),
        ("bias", bias, np.sqrt(variance / count)),
        ("rmse", rmse, of_square / (2 * rmse) if rmse > 0 else 0.0),
        ("variance", variance, np.sqrt(max(fourth - variance**2, 0.0) / count)),
        ("undefined", *_share(undefined, count + undefined)),
    ]


def _of_interval(m: Array) -> list[tuple[str, float, float]]:
    count, hits, width, squares, below, above, endless = m
    finite = max(count - endless, 1.0)
    mean = width / finite
    return [
        ("coverage", *_share(hits, count)),
        ("width", mean, np.sqrt(max(squares / finite - mean**2, 0.0) / finite)),
        ("truth_below", *_share(below, count)),
        ("truth_above", *_share(above, count)),
        ("no_interval", *_share(endless, count)),
    ]


def _of_pair(m: Array) -> list[tuple[str, float, float]]:
    count, u, v, uu, vv, uv, influence, pairs, alike, squares = m
    if count < 2:
        return []
    scale = np.sqrt(max(uu - u**2 / count, 0.0) * max(vv - v**2 / count, 0.0))
    r = (uv - u * v / count) / scale if scale > 1e-12 * count else np.nan
    tau = alike / pairs if pairs else np.nan
    return [
        ("correlation", r, np.sqrt(influence) / count),
        (
            "rank_agreement",
            tau,
            np.sqrt(max(squares / pairs - tau**2, 0.0) / pairs) if pairs else 0,
        ),
    ]


def _share(hits: float, count: float) -> tuple[float, float]:
    """A share and its standard error, which is that of one hit or miss where there is none."""
    if not count:
        return np.nan, np.nan
    p = hits / count
    kept = min(max(p, 1 / (count + 1)), count / (count + 1))
    return p, float(np.sqrt(kept * (1 - kept) / count))


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
