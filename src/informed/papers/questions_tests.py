"""Open questions about tests: the whole family, conditioning, posteriors, small samples."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.possible_tables import chance_of, every_two_by_two, tables
from informed.papers.published import rejects
from informed.papers.questions import COARSE, Row, Rows, condensed, pivot, question, span
from informed.papers.register import MARGINS, Trial
from informed.papers.texts import chosen
from informed.simulation.estimates import MonteCarlo, share
from informed.simulation.judging import judged, pvalues
from informed.simulation.two_classes import mixtures, sampled

# ------------------------------------------------------------------ the whole family


@question("family")
def family(trial: Trial) -> Iterator[Row]:
    coarse, grid = trial.size < COARSE, question.grid("family")
    worlds = [
        (k, n, margins, level)
        for k in ((2, 5) if coarse else (2, 5, 10, 30))
        for n in (8 * k, 32 * k)
        for margins in grid["margins"]
        for level in (0.0, round(2.2 / float(np.sqrt(n * (k - 1))), 3))
    ]
    for k, n, margins, level in worlds:
        many = max(trial.size // 4, 40) if k == 30 else trial.size
        t = trial.draw(level, k=k, n=n, size=many, **MARGINS[margins])
        world = {"K": k, "N": n, "margins": margins, "level": level}
        yield from _tested(t, world, grid["any"] + (grid["two"] if k == 2 else []))

    for level in np.linspace(0, 0.5, 11)[:: 5 if coarse else 1].round(3).tolist():
        t = trial.draw(level, k=5, n=40)
        yield from _tested(t, {"K": 5, "N": 40, "margins": "curve", "level": level}, grid["curves"])


def _tested(t: Table, world: Row, methods: list[str]) -> Rows:
    return [{"method": m, **world, "rejects": rejects(t, m)} for m in methods]


@condensed("family")
def _of_family(rows: Rows) -> Rows:
    """Range of the size over sample sizes and margins, and of the power, by method."""
    worlds = chosen(rows, margins={"not": "curve"})
    size = pivot(chosen(worlds, level=0), ("method",), "rejects", span, K="size, K = {}")
    some = chosen(worlds, level={"not": 0})
    power = pivot(some, ("method",), "rejects", span, K="power, K = {}")
    return [{**a, **b} for a, b in zip(size, power, strict=True)]


# ------------------------------------------------------------------ conditioning

CONDITIONAL = ("fisher", "fisher-midp", "fisher-midp-minlike")
UNCONDITIONAL = ("boschloo", "barnard", "pearson-n1", "permutation-z")


@question("conditioning")
def conditioning(trial: Trial) -> Iterator[Row]:
    coarse = trial.size < COARSE
    methods = [*CONDITIONAL, *(m for m in UNCONDITIONAL if not (coarse and m == "barnard"))]
    for n in (8,) if coarse else (8, 16, 32):
        cells = every_two_by_two(n)
        p = {m: _pvalues(tables(cells), m) for m in methods}
        for q in (0.5, 0.3, 0.1):
            for b, level in ((0.5, 0.0), (0.3, 0.0), (0.1, 0.0), (q, 0.5)):
                weight = chance_of(cells, mixtures(level, q, b).counts)
                found = {m: MonteCarlo(float(weight @ (p[m] < 0.05))) for m in methods}
                yield {"N": n, "prevalence": q, "guesses": b, "informedness": level, **found}


def _pvalues(t: Table, method: str) -> Array:
    """p of every table; tables that mirror each other share theirs where a test takes but one."""
    if method not in ("boschloo", "barnard"):
        return pvalues(t, method)
    cells = t.counts.reshape(-1, 4).tolist()
    alike = [max((a, b, c, d), (b, a, d, c), (c, d, a, b), (d, c, b, a)) for a, b, c, d in cells]
    found = {
        key: pvalues(Table.from_counts(np.reshape(key, (2, 2)), rows="predicted"), method)
        for key in dict.fromkeys(alike)
    }
    return np.array([float(found[key]) for key in alike])


# ------------------------------------------------------------------ posteriors and small samples


@question("posterior")
def posterior(trial: Trial) -> Iterator[Row]:
    count = 25 * trial.size
    for reach in (1.0, 0.3):
        g = np.where(trial.rng.random(count) < 0.5, 0.0, trial.rng.uniform(0, reach, count))
        p = pvalues(sampled(trial.rng, 100, mixtures(g, 0.5, 0.5)), "permutation-z")
        for x in (0.001, 0.005, 0.01, 0.02, 0.05, 0.1):
            near = (p > x / 1.3) & (p < x * 1.3)
            odds = -math.e * x * np.log(x)
            yield {
                "effects up to": reach,
                "p": x,
                "Sellke": MonteCarlo(odds / (1 + odds)),
                "true share of B = 0": share(g[near] == 0),
                "experiments": int(near.sum()),
            }


@question("small")
def small(trial: Trial) -> Iterator[Row]:
    for k, n in [*((2, n) for n in (6, 8, 12, 16, 32, 64)), *((5, n) for n in (10, 20, 40, 80))]:
        null = trial.draw(0.0, k=k, n=n)
        tests = ("permutation-z", "pearson", "g", "kb")
        sizes = {f"size of {m}": rejects(null, m) for m in tests}
        some = trial.draw(0.5, k=k, n=n, size=max(trial.size // 4, 50))
        covers = {
            f"coverage of {m}": share(judged(some, "informedness", 0.5, method=m).covered) for m in ("arc", "wald")
        }
        yield {"K": k, "N": n, **sizes, **covers}
