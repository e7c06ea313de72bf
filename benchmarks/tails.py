"""The default test in a stack, microseconds a table, against scipy table by table, and its own bars.

Peers: `scipy.stats.fisher_exact`, one table a call; `scipy.stats.hypergeom`, whose sf and pmf take
arrays, summed to the same one-sided mid-P. For more classes no peer gives this p-value in closed form.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import fisher_exact, hypergeom

import informed
from informed import Table

TIMED = 500  # tables of the peers that take one at a time
EVEN = ((3, 240, 20_000, 150), (4, 400, 20_000, 150), (6, 480, 10_000, 150), (12, 960, 4000, 150))


def best(call: Callable[[], object], times: int = 3) -> float:
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def guessed(k: int, cases: int, tables: int, spread: float, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    real, said = (rng.dirichlet(np.full(k, spread)) for _ in range(2))
    return Table.from_counts(rng.multinomial(cases, np.outer(said, real).ravel(), size=tables).reshape(-1, k, k))


def fishers(tables: list[Any]) -> None:
    for counts in tables:
        fisher_exact(counts)


def scipy_midp(t: Table) -> Any:
    x, said, real, n = t.cells[0, 0], t.predicted_totals[0], t.real_totals[0], t.total
    return hypergeom.sf(x, n, real, said) + hypergeom.pmf(x, n, real, said) / 2


def two_classes() -> None:
    for cases in (100, 10_000):
        t = guessed(2, cases, 100_000, 3.0, 1)
        ours = best(partial(informed.test, t)) / 100_000 * 1e6
        some = [c.astype(int) for c in np.moveaxis(t.cells[..., :TIMED], -1, 0)]
        fisher = best(partial(fishers, some), 1) / TIMED * 1e6
        theirs = scipy_midp(t)
        one = informed.test(t, alternative="greater").pvalue
        ok = (one > 1e-12) & (one < 0.999)  # beyond that sf and pmf of scipy cancel or run out of digits
        apart = float(np.abs(one[ok] / np.asarray(theirs)[ok] - 1).max())
        vector = best(partial(scipy_midp, t), 1) / 100_000 * 1e6
        print(
            f"2 classes, {cases} cases: {ours:.1f} µs a table two-sided (bar 20); fisher_exact {fisher:.0f} µs "
            f"({fisher / ours:.0f} times), hypergeom one-sided {vector:.1f} µs ({vector / ours:.1f} times); "
            f"largest relative difference {apart:.1g}"
        )


def more_classes() -> None:
    for k, cases, tables, bar in EVEN:
        t = guessed(k, cases, tables, 50.0, k)
        took = best(partial(informed.test, t)) / tables * 1e6
        print(f"{k} classes, {cases} cases, saddlepoint: {took:.0f} µs a table (bar {bar})")
    for k in (3, 6, 12):
        rng = np.random.default_rng(k)
        real = np.full(k, 0.1 / (k - 1))
        real[0] = 0.9
        cells = np.outer(np.full(k, 1 / k), real)
        t = Table.from_counts(rng.multinomial(400, cells.ravel(), size=2000).reshape(-1, k, k))
        took = best(partial(informed.test, t), 1) / 2000 * 1e6
        print(f"{k} classes, one of 90 % guessed evenly: {took:.0f} µs a table (bar 2000)")
    t = guessed(3, 15, 4000, 50.0, 9)
    margins = np.unique(np.concatenate([t.predicted_totals, t.real_totals]), axis=1).shape[1]
    took = best(partial(informed.test, t)) / margins * 1e6
    print(f"3 classes, 15 cases, listed: {took:.0f} µs for each of {margins} pairs of margins (bar 5000)")


if __name__ == "__main__":
    two_classes()
    more_classes()
