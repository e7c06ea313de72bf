"""How often each test rejects, in worlds where the truth is known.

Two classes: exactly, by weighing every table there is. More classes: by seeded simulation. The
tests hold the figures to their bars, and docs/make_sizes.py (`make study`) writes them where they are read.
A p-value rejects at a level that it equals or is below; equal but for rounding is equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import informed
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.inference.hypergeometric_tails import log_chance, variance
from informed.inference.listed_tails import LISTED_UP_TO
from informed.inference.permutation import weights_for_tails
from informed.inference.permutation_tails import found_tails
from informed.inference.possible_tables import (
    chance_of,
    drawn,
    every_two_by_two,
    number_of_tables,
    random_tables,
    tables,
    tables_with_margins,
)
from informed.inference.tests import METHODS
from informed.measures import find

Array = NDArray[np.float64]

NOT_MEASURED = {"permutation", "permutation-units", "barnard", "boschloo", "fisher-point"}
TWO = [
    name
    for name, method in METHODS.items()
    if method.question in ("measure", "independence") and name not in NOT_MEASURED
]
TWO_ONLY = {"fisher", "fisher-midp", "fisher-midp-minlike", "plus-p", "minus-p", "plus-r"}
SEVERAL = [name for name in TWO if name not in {*TWO_ONLY, "minus-r", "g-plus-p"}]


SIDES = ("two-sided", "greater", "less")
LEVELS = (0.05, 0.01, 0.001, 0.0001)
TWO_CASES, FIVE_CLASSES = (32, 64, 128), (3, 5, 10)
AT_ONCE = 10_000  # tables that are drawn and tested together
MARGINS = (  # prevalence and guess rate of the rare label, from rare to even
    *((0.01, 0.01), (0.01, 0.1), (0.01, 0.5), (0.02, 0.05), (0.05, 0.05), (0.05, 0.2)),
    *((0.05, 0.5), (0.1, 0.1), (0.1, 0.3), (0.2, 0.5), (0.3, 0.3), (0.5, 0.5)),
)


def pvalues(t: Table, method: str, alternative: Any = "two-sided") -> Array:
    asked = "informedness" if METHODS[method].question == "measure" else "independence"
    return np.asarray(informed.test(t, asked, method=method, alternative=alternative, when="all").pvalue)


def rejected(p: Array) -> Array:
    """Which p-values reject at each level, ``(levels, tables)``."""
    return np.asarray(p <= np.array(LEVELS)[:, None] * (1 + 1e-12), dtype=np.float64)


def two_class_worlds(n: int) -> Iterator[tuple[float, float]]:
    """Prevalences and guess rates at which both margins of n cases expect 5 or more."""
    for prevalence in (0.5, 0.2, 0.05):
        for guess in (0.5, 0.2, 0.05):
            if n * min(prevalence, guess) >= 5:
                yield prevalence, guess


def exact_sizes(methods: list[str], cases: tuple[int, ...] = TWO_CASES) -> dict[str, Array]:
    """Share of tables with p ≤ .05 under guessing, one number a world."""
    found: dict[str, list[float]] = {name: [] for name in methods}
    for n in cases:
        cells = every_two_by_two(n)
        rejects = {name: rejected(pvalues(tables(cells), name))[0] for name in methods}
        for prevalence, guess in two_class_worlds(n):
            weight = chance_of(cells, mixture(0.0, _pair(prevalence), _pair(guess)))
            for name in methods:
                found[name].append(float(weight @ rejects[name]))
    return {name: np.array(rates) for name, rates in found.items()}


def exact_power(n: int, informedness: float, prevalence: float, guess: float, methods: list[str]) -> dict[str, float]:
    cells = every_two_by_two(n)
    weight = chance_of(cells, mixture(informedness, _pair(prevalence), _pair(guess)))
    stack = tables(cells)
    return {name: float(weight @ rejected(pvalues(stack, name))[0]) for name in methods}


def null_worlds(k: int) -> Iterator[tuple[int, Array, Array]]:
    """Twelve worlds of guessing in k classes: N, prevalence, and guesses that match it or do not."""
    even = np.full(k, 1 / k)
    uneven = np.geomspace(10, 1, k) / np.geomspace(10, 1, k).sum()
    for each in (4, 8, 32):
        yield each * k, even, even
        yield each * k, even, uneven
        yield each * k, uneven, uneven
        yield each * k, uneven, uneven[::-1]


def simulated_sizes(
    methods: list[str], draws: int, seed: int, classes: tuple[int, ...] = FIVE_CLASSES
) -> dict[str, Array]:
    found: dict[str, list[float]] = {name: [] for name in methods}
    for k in classes:
        rng = np.random.default_rng([seed, k])
        for n, prevalence, guess in null_worlds(k):
            rates = at_five(tables(drawn(rng, n, mixture(0.0, prevalence, guess), draws)), methods)
            for name in methods:
                found[name].append(rates[name])
    return {name: np.array(rates) for name, rates in found.items()}


def simulated_power(k: int, n: int, informedness: float, methods: list[str], draws: int, seed: int) -> dict[str, float]:
    even = np.full(k, 1 / k)
    rng = np.random.default_rng([seed, k])
    return at_five(tables(drawn(rng, n, mixture(informedness, even, even), draws)), methods)


def at_five(t: Table, methods: list[str]) -> dict[str, float]:
    """Share of tables that each method rejects at 5 %."""
    return {name: float(rejected(pvalues(t, name))[0].mean()) for name in methods}


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


# ------------------------------------------------------------------ the whole tail


def pvalues_by_side(t: Table, method: str, sides: tuple[str, ...]) -> dict[str, Array]:
    """p-values of unweighted tables on these sides; of the default all from the same tails."""
    if method == "permutation-midp":
        weights = weights_for_tails(t, find("informedness"))
        return dict(zip(sides, found_tails(t, weights, *sides).pvalue, strict=True))
    return {side: pvalues(t, method, side) for side in sides}


class Tails:
    """Two classes, exactly: how often a test rejects given the margins, and in worlds of guessing.

    All pairs of margins that come up more often than once in ten million, and all tables with them
    but for those six standard deviations out; a table and its transpose are one.
    """

    def __init__(self, n: int, margins: tuple[tuple[float, float], ...] = MARGINS) -> None:
        from scipy.stats import binom

        at = np.arange(n + 1)
        both = [np.outer(binom.pmf(at, n, p), binom.pmf(at, n, q)) for p, q in margins]
        seen = np.any([(chance >= 1e-7) | (chance.T >= 1e-7) for chance in both], axis=0)
        real, said = (x.astype(np.float64) for x in np.nonzero(np.triu(seen)))
        one, other = real.astype(int), said.astype(int)
        self.worlds = np.array([c[one, other] + np.where(one == other, 0.0, c[other, one]) for c in both])

        mean, spread = real * said / n, np.sqrt(variance(real, said, np.full(real.shape, float(n))))
        low = np.maximum(np.maximum(0, real + said - n), np.floor(mean - 6 * spread - 8))
        high = np.minimum(np.minimum(real, said), np.ceil(mean + 6 * spread + 8))
        size = (high - low + 1).astype(np.int64)
        self.of = np.repeat(np.arange(real.size), size)
        x = low[self.of] + np.arange(self.of.size) - np.repeat(np.cumsum(size) - size, size)
        real, said = real[self.of], said[self.of]
        self.chance = np.exp(log_chance(x, real, said, np.full(x.shape, float(n))))
        self.tables = tables(np.array([[x, said - x], [real - x, n - real - said + x]]))

    def sizes(self, method: str, alternative: str = "two-sided") -> tuple[Array, Array]:
        """Rates of rejection in each world and given each pair of margins, ``(levels, ...)``."""
        return self.rates(pvalues(self.tables, method, alternative))

    def rates(self, p: Array) -> tuple[Array, Array]:
        """The same for these p-values."""
        hits = rejected(p) * self.chance
        given = np.array([np.bincount(self.of, h, minlength=self.worlds.shape[1]) for h in hits])
        return given @ self.worlds.T, given


def tail_worlds(k: int) -> Iterator[tuple[int, Array, Array]]:
    """Eight worlds of guessing in more classes: N, prevalence, guesses; even, dominated, sparse."""
    even = np.full(k, 1 / k)

    def dominated(share: float, at: int = 0) -> Array:
        p = np.full(k, (1 - share) / (k - 1))
        p[at] = share
        return p

    yield 4 * k, even, even
    yield 16 * k, even, even
    yield 120, dominated(0.9), dominated(0.9)
    yield 1000, dominated(0.9), dominated(0.9)
    yield 1000, dominated(0.98), dominated(0.98)
    yield 120, dominated(0.9), even
    yield 120, dominated(0.8), dominated(0.8, 1)
    yield 120, dominated(0.02), dominated(0.02)


SidesOf = dict[str, tuple[str, ...]]
Rates = dict[str, dict[str, Array]]  # of each method on each side, (levels,)


def guessed(rng: np.random.Generator, n: int, prevalence: Array, guess: Array, size: int) -> Table:
    """Tables of n cases whose labels are guessed."""
    return tables(drawn(rng, n, mixture(0.0, prevalence, guess), size))


def pair_worlds(n: int) -> Iterator[tuple[int, Array, Array]]:
    """The twelve worlds of two classes, as those of more."""
    return ((n, _pair(prevalence), _pair(guess)) for prevalence, guess in MARGINS)


def drawn_sizes(k: int, world: int, methods: SidesOf, draws: int, seed: int) -> Rates:
    """Rates of rejection in one of the eight worlds of k classes; each table has margins of its own."""
    n, prevalence, guess = list(tail_worlds(k))[world]
    rng = np.random.default_rng([seed, k, world])
    found: Rates = {method: {side: np.zeros(len(LEVELS)) for side in sides} for method, sides in methods.items()}
    for start in range(0, draws, AT_ONCE):
        stack = guessed(rng, n, prevalence, guess, min(AT_ONCE, draws - start))
        for method, sides in methods.items():
            for side, p in pvalues_by_side(stack, method, sides).items():
                found[method][side] += rejected(p).sum(axis=1) / draws
    return found


def drawn_pairs(n: int, world: int, methods: SidesOf, draws: int, seed: int) -> Rates:
    """The same for two classes and more cases than can be enumerated; tables that come up twice are tested once."""
    prevalence, guess = MARGINS[world]
    rng = np.random.default_rng([seed, n, world])
    cells = drawn(rng, n, mixture(0.0, _pair(prevalence), _pair(guess)), draws).reshape(4, draws)
    key = cells[0] + (n + 1.0) * (cells[1] + (n + 1.0) * cells[2])
    _, first, often = np.unique(key, return_index=True, return_counts=True)
    stack = tables(cells[:, first].reshape(2, 2, -1))
    return {
        method: {side: rejected(p) @ often / draws for side, p in pvalues_by_side(stack, method, sides).items()}
        for method, sides in methods.items()
    }


Shares = tuple[float, ...]  # of the classes; of two, that of the first


def weighted_tables(rng: np.random.Generator, n: int, rates: tuple[Shares, Shares], even: bool, size: int) -> Table:
    """Guesses by cases with weights, uniform from .2 to 1.8 or exponential."""
    k = len(rates[0]) + 1
    real, said = (np.searchsorted(np.cumsum(shares), rng.random((size, n)), side="right") for shares in rates)
    weights = rng.uniform(0.2, 1.8, (size, n)) if even else rng.exponential(1.0, (size, n))
    place = (said * k + real) * size + np.arange(size)[:, None]

    def summed(x: Array) -> Array:
        found = np.bincount(place.ravel(), x.ravel(), minlength=k * k * size)
        return np.asarray(found, dtype=np.float64).reshape(k, k, size)

    cells, squares, cases = (summed(x) for x in (weights, weights**2, np.ones_like(weights)))
    return replace(tables(cells), squares=squares, cases=cases)


WEIGHTED: tuple[tuple[int, tuple[Shares, Shares], bool], ...] = (
    # cases, real and guessed shares but for the last class, and whether weights are uniform or exponential
    (200, ((0.1,), (0.1,)), True),
    (200, ((0.3,), (0.4,)), True),
    (200, ((0.05,), (0.1,)), False),
    (500, ((0.1,), (0.1,)), False),
    (200, ((0.3, 0.3), (0.3, 0.3)), True),
    (200, ((0.1, 0.3), (0.1, 0.3)), False),
)


def weighted_sizes(world: int, draws: int, seed: int) -> Rates:
    """Rates of rejection with weighted cases, by method and side."""
    rng = np.random.default_rng([seed, world])
    methods = ("permutation-midp", "permutation-z")
    found = {method: {side: np.zeros(len(LEVELS)) for side in SIDES} for method in methods}
    for _ in range(0, draws, 2000):
        t = weighted_tables(rng, *WEIGHTED[world], 2000)
        for method in methods:
            for side in SIDES:
                found[method][side] += rejected(pvalues(t, method, side)).sum(axis=1) / draws
    return found


def given_margins(k: int, pairs: int, draws: int, seed: int) -> dict[str, Array]:
    """Rates of rejection given margins of each world of k classes, ``(pairs, levels)``: listed, and drawn.

    Tables with the same margins and hits have the same p-value, which is worked out once.
    """
    rng = np.random.default_rng([seed, k])
    exact, by_draws = [], []
    for n, prevalence, guess in tail_worlds(k):
        for _ in range(pairs):
            real, said = (rng.multinomial(n, p).astype(np.float64) for p in (prevalence, guess))
            if min(np.count_nonzero(real), np.count_nonzero(said)) < 2:
                continue
            if number_of_tables(said, real, LISTED_UP_TO) is not None:
                cells, log = (np.concatenate(x, axis=-1) for x in zip(*tables_with_margins(said, real), strict=True))
                exact.append(rejected(pvalues(tables(cells), "permutation-midp")) @ np.exp(log))
            else:
                cells = np.concatenate(list(random_tables(said, real, draws, rng)), axis=-1)
                hits = cells[np.arange(k), np.arange(k)]
                _, first, often = np.unique(hits, axis=1, return_index=True, return_counts=True)
                by_draws.append(rejected(pvalues(tables(cells[..., first]), "permutation-midp")) @ often / draws)
    return {"listed": np.array(exact), "drawn": np.array(by_draws)}
