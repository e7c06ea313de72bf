"""How often each test rejects, in worlds where the truth is known.

Two classes: exactly, by weighing every table there is. More classes: by seeded simulation. The
tests hold the figures to their bars, and benchmarks/significance.py prints them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import informed
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.inference.possible_tables import chance_of, drawn, every_two_by_two, tables
from informed.inference.tests import METHODS

Array = NDArray[np.float64]

NOT_MEASURED = {"permutation", "unit-jackknife", "barnard", "boschloo", "fisher-point"}
TWO = [
    name
    for name, method in METHODS.items()
    if method.question in ("measure", "independence") and name not in NOT_MEASURED
]
TWO_ONLY = {"fisher", "fisher-midp", "fisher-midp-minlike", "plus-p", "minus-p", "plus-r"}
SEVERAL = [name for name in TWO if name not in {*TWO_ONLY, "minus-r", "g-plus-p"}]


def pvalues(t: Table, method: str) -> Array:
    asked = "informedness" if METHODS[method].question == "measure" else "independence"
    return np.asarray(informed.test(t, asked, method=method, when="all").pvalue)


def two_class_worlds() -> Iterator[tuple[int, float, float]]:
    """Sizes, prevalences and guess rates at which both margins expect 5 cases or more."""
    for n in (32, 64, 128):
        for prevalence in (0.5, 0.2, 0.05):
            for guess in (0.5, 0.2, 0.05):
                if n * min(prevalence, guess) >= 5:
                    yield n, prevalence, guess


def exact_sizes(methods: list[str]) -> dict[str, Array]:
    """Share of tables with p ≤ .05 under guessing, one number a world."""
    found: dict[str, list[float]] = {name: [] for name in methods}
    for n in (32, 64, 128):
        cells = every_two_by_two(n)
        rejected = {name: pvalues(tables(cells), name) <= 0.05 for name in methods}
        for size, prevalence, guess in two_class_worlds():
            if size == n:
                truth = mixture(0.0, _pair(prevalence), _pair(guess))
                weight = chance_of(cells, truth)
                for name in methods:
                    found[name].append(float(weight[rejected[name]].sum()))
    return {name: np.array(rates) for name, rates in found.items()}


def exact_power(n: int, informedness: float, prevalence: float, guess: float, methods: list[str]) -> dict[str, float]:
    cells = every_two_by_two(n)
    weight = chance_of(cells, mixture(informedness, _pair(prevalence), _pair(guess)))
    stack = tables(cells)
    return {name: float(weight[pvalues(stack, name) <= 0.05].sum()) for name in methods}


def null_worlds() -> Iterator[tuple[int, int, Array, Array]]:
    """36 worlds of guessing: K, N, prevalence, and guesses that match it or do not."""
    for k in (3, 5, 10):
        even = np.full(k, 1 / k)
        uneven = np.geomspace(10, 1, k) / np.geomspace(10, 1, k).sum()
        for each in (4, 8, 32):
            yield k, each * k, even, even
            yield k, each * k, even, uneven
            yield k, each * k, uneven, uneven
            yield k, each * k, uneven, uneven[::-1]


def simulated_sizes(methods: list[str], draws: int, seed: int) -> dict[str, Array]:
    found: dict[str, list[float]] = {name: [] for name in methods}
    rng = np.random.default_rng(seed)
    for _, n, prevalence, guess in null_worlds():
        stack = tables(drawn(rng, n, mixture(0.0, prevalence, guess), draws))
        for name in methods:
            found[name].append(float((pvalues(stack, name) <= 0.05).mean()))
    return {name: np.array(rates) for name, rates in found.items()}


def simulated_power(k: int, n: int, informedness: float, methods: list[str], draws: int, seed: int) -> dict[str, float]:
    even = np.full(k, 1 / k)
    rng = np.random.default_rng(seed)
    stack = tables(drawn(rng, n, mixture(informedness, even, even), draws))
    return {name: float((pvalues(stack, name) <= 0.05).mean()) for name in methods}


def uninformed_but_dependent(k: int, n: int, draws: int, seed: int) -> Table:
    """Labels that follow reality in part, always to a wrong class, and know just as often: B = 0.

    Half of what is not guessed goes to the next class; the share that is known makes up for it."""
    even = np.full(k, 1 / k)
    known, moved = 0.4 / k, 0.4 * (k - 1) / k
    shift = np.roll(np.eye(k), 1, axis=0) / k
    truth = known * np.eye(k) / k + moved * shift + (1 - known - moved) * np.outer(even, even)
    # informedness of the shifted part is −1/(K−1): known − moved/(K−1) = 0
    return tables(drawn(np.random.default_rng(seed), n, truth, draws))


def _pair(p: float) -> Array:
    return np.array([p, 1 - p])
