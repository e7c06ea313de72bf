"""Intervals: one arc, a stack of them, and the count bootstrap against resampling rows.

    python benchmarks/intervals.py

`scipy.stats.bootstrap` over 10 000 rows gets a vectorised statistic of labels 0 and 1, and is timed
as it is called without more (BCa, all resamples at once, 4 GB), for percentiles, and for those in
its best batches. The first call of a process, which takes the memory, is slower than these.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """The best of some runs, after one to warm up."""
    run()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def informedness_of_rows(real: Any, said: Any, axis: int = -1) -> Array:
    """Informedness of labels 0 and 1, as one writes it for many resamples at once."""
    positive = real == 1
    hits = ((said == 1) & positive).sum(axis=axis)
    alarms = ((said == 1) & ~positive).sum(axis=axis)
    positives = positive.sum(axis=axis)
    return np.asarray(hits / positives - alarms / (real.shape[axis] - positives))


def table(n: int) -> Table:
    return Table.from_counts(np.array([[0.45, 0.15], [0.1, 0.3]]) * n)


def main() -> None:
    rng = np.random.default_rng(0)
    print("one arc interval (bar: 10 ms)")
    for k in (2, 3, 10, 50):
        t = Table.from_counts(rng.integers(0, 9, size=(k, k)) + 20 * np.eye(k, dtype=int), rows="predicted")
        for measure in ("informedness", "matthews"):
            took = seconds(partial(interval, t, measure))
            print(f"  K = {k:3d} {measure:13s} {1e3 * took:7.2f} ms")

    print("one arc interval of five grades (bar: 10 ms), and 1,000 of them")
    grades = Table.from_counts(rng.multinomial(200, np.ones(25) / 25, 1000).reshape(-1, 5, 5))
    for measure in ("informedness", "informedness_ordinal", "markedness_ordinal", "correlation_ordinal", "somers_d"):
        one, all_ = (seconds(partial(interval, x, measure), 3) for x in (grades[0], grades))
        print(f"  {measure:20s} {1e3 * one:7.2f} ms {all_:7.3f} s")

    print("arc intervals of a stack, a table (bar at K = 2: 20 µs)")
    for k, size in ((2, 100_000), (3, 20_000), (10, 2_000)):
        p = (np.full((k, k), 0.3 / k**2) + 0.7 / k * np.eye(k)).ravel()
        stack = Table.from_counts(rng.multinomial(20 * k, p / p.sum(), size).reshape(-1, k, k))
        for measure in ("informedness", "markedness", "matthews", "cohen_kappa"):
            each = 1e6 * seconds(partial(interval, stack, measure), 3) / size
            print(f"  K = {k:3d} {measure:13s} {each:7.2f} µs")

    print("a million 2x2 tables in one call")
    counts = rng.multinomial(60, [0.4, 0.1, 0.2, 0.3], size=1_000_000).reshape(-1, 2, 2)
    million = Table.from_counts(counts)
    for measure, method in (
        ("informedness", "plus-four"),
        ("informedness", "wald"),
        ("informedness", "newcombe"),
        ("recall", "wilson"),
        ("recall", "mid-p"),
        ("f1", "mid-p"),
    ):
        took = seconds(partial(interval, million, measure, method=method), 2)
        print(f"  {measure:13s} {method:10s} {took:6.2f} s")

    print("10 000 resamples of informedness (bar: 500 times faster than rows, whatever N)")
    for n in (1_000, 10_000, 100_000_000):
        took_by = {x: seconds(partial(bootstrapped, table(n), x)) for x in ("bca", "percentile")}
        said = ", ".join(f"{x} {1e3 * y:5.2f} ms" for x, y in took_by.items())
        print(f"  counts, N = {n:11,d}: {said}")
        if n == 10_000:
            ours = took_by
    for method, batch in (("BCa", None), ("percentile", None), ("percentile", 100)):
        theirs = seconds(partial(rows, method, batch, rng), 2)
        print(f"  rows,   N =      10,000: {method}, batch={batch}: {theirs:5.2f} s, ", end="")
        print(f"{theirs / ours[method.lower()]:.0f} times slower")


def bootstrapped(t: Table, method: str) -> object:
    return interval(t, "informedness", method=f"bootstrap-{method}")


def rows(method: Any, batch: int | None, rng: np.random.Generator) -> object:
    cells = table(10_000).counts.ravel().astype(int)
    real, said = (np.repeat(x, cells) for x in ([1, 0, 1, 0], [1, 1, 0, 0]))
    return stats.bootstrap(
        (real, said),
        informedness_of_rows,
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method=method,
        batch=batch,
        rng=rng,
    )


if __name__ == "__main__":
    main()
