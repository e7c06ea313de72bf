"""The papers' error bars calibrated: the constant of `powers-fitted`, and how often they miss in worlds not fitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study, bare

from informed import Table, find
from informed._arrays import Array
from informed.inference.powers_intervals import PULL, fitted
from informed.inference.sample import Sample
from informed.simulation.generators import multinomial, population

SEED = 2011
TAILS = (0.05, 0.01, 0.001)
PULLS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)
LEAST, MANY = 5, 20  # cases expected in the rarest class
World = tuple[Table, Table, str]  # a stack, its truth, the measure

FIT: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1": {"prevalence": "geometric"},
    "10:1, guessed evenly": {"prevalence": "geometric", "guess": "even"},
    "even, guessed 10:1": {"guess": "geometric"},
    "10:1, guessed in reverse": {"prevalence": "geometric", "guess": "reversed"},
}
UNSEEN: dict[str, dict[str, Any]] = {
    "long-tailed": {"prevalence": "long-tailed"},
    "long-tailed, guessed evenly": {"prevalence": "long-tailed", "guess": "even"},
    "one rare": {"prevalence": "rare"},
    "one rare, guessed in reverse": {"prevalence": "rare", "guess": "reversed"},
    "even, guessed long-tailed": {"guess": "long-tailed"},
}


def worlds(
    seed: int, runs: int, grid: Any, margins: dict[str, Any], *, rarest: tuple[float, float] = (LEAST, np.inf)
) -> Iterator[World]:
    """A stack with its truth, for each world that expects so many cases in its rarest class."""
    for i, ((k, each, level), how) in enumerate(product(product(*grid), margins.values())):
        truth, n = population(level, k=k, **how), each * k
        low, high = rarest
        if low <= np.min(truth.real_totals) / truth.total * n < high:
            rng = np.random.default_rng([SEED, seed, i])
            yield multinomial(rng, level, k=k, n=n, size=runs, **how), truth, "informedness"


def misses(world: World, pull: float = PULL) -> list[float]:
    """How often the bars miss the truth, of the tables that have a value, for each tail."""
    t, truth, measure = world
    m = find(measure)
    aim = float(m(truth))
    found = []
    for tail in TAILS:
        s = Sample(m, t, 1 - tail)
        low, high = fitted(s, pull=pull)
        known = np.isfinite(s.estimate)
        found.append(float(np.mean(((aim < low - 1e-12) | (aim > high + 1e-12))[known])))
    return found


def times(missed: Sequence[Sequence[float]]) -> Row:
    """Misses as multiples of the nominal share: the mean over worlds, and the worst world."""
    found = np.asarray(missed) / np.array(TAILS)
    return {
        f"at {bare(x)}": f"{column.mean():.2f} ({column.max():.1f})" for x, column in zip(TAILS, found.T, strict=True)
    }


def fit(runs: int) -> Iterator[Row]:
    """Each constant in the same worlds; the least mean distance from nominal, as a share of it, is the best."""
    held = [*worlds(1, runs, ((2, 3, 5, 10), (8, 16, 32, 128), (0.0, 0.3, 0.6, 0.9, 0.97)), FIT)]
    for pull in PULLS:
        found = [misses(w, pull) for w in held]
        away = float(np.mean(np.abs(np.asarray(found) / np.array(TAILS) - 1)))
        yield {"constant": bare(pull) if pull else "0", "worlds": len(held), **times(found), "distance": away}


def unseen(runs: int) -> Iterator[Row]:
    """Other numbers of classes but two, other sizes, truths and margins."""
    for k, (low, high) in product((2, 4, 7, 15), ((LEAST, MANY), (MANY, np.inf))):
        grid = (k,), (12, 24, 100), (0.1, 0.45, 0.75, 0.95)
        found = [misses(w) for w in worlds(2, runs, grid, UNSEEN, rarest=(low, high))]
        rarest = f"{low} to {high - 1}" if high < np.inf else f"{low} and more"
        yield {"classes": k, "cases of the rarest": rarest, "worlds": len(found), **times(found)}


def beyond(runs: int) -> Iterator[Row]:
    """Where the bars are asked for more than they were made for."""
    kinds: dict[str, list[World]] = {
        "fewer than 5 cases expected in a class": [
            *worlds(3, runs, ((2, 4, 7), (4, 8), (0.1, 0.45, 0.75, 0.95)), UNSEEN, rarest=(0, LEAST))
        ],
        "two classes, the opposite is said": [*worlds(4, runs, ((2,), (12, 24, 100), (-0.2, -0.5, -0.9)), UNSEEN)],
        "some classes known, others guessed": [_of(p, runs, i) for i, p in enumerate(_uneven_knowledge())],
        "each class taken for the next one": [_of(p, runs, 100 + i) for i, p in enumerate(_neighbours())],
        "markedness, two classes": [
            (t, truth, "markedness")
            for t, truth, _ in worlds(5, runs, ((2,), (24, 100), (0.1, 0.45, 0.75, 0.95)), UNSEEN)
        ],
        "markedness, 4 and 7 classes": [
            (t, truth, "markedness")
            for t, truth, _ in worlds(6, runs, ((4, 7), (24, 100), (0.1, 0.45, 0.75, 0.95)), UNSEEN)
        ],
    }
    for said, held in kinds.items():
        yield {"world": said, "worlds": len(held), **times([misses(w) for w in held])}


def _of(p: Array, runs: int, i: int) -> World:
    """Tables of 24 cases a class."""
    rng = np.random.default_rng([SEED, 7, i])
    k = len(p)
    return (
        Table.from_counts(rng.multinomial(24 * k, p.ravel(), runs).reshape(-1, k, k)),
        Table.from_counts(p),
        "informedness",
    )


def _uneven_knowledge() -> Iterator[Array]:
    """Every other class is known, the others are guessed; as shares (predicted, real)."""
    for k, high, low in product((2, 4, 7), (0.95, 0.7), (0.0, 0.3)):
        yield population([high, low] * (k // 2) + [high] * (k % 2), k=k, prevalence="even").counts


def _neighbours() -> Iterator[Array]:
    """A class is recognised so often, and else called the next one."""
    for k, known in product((3, 4, 7), (0.3, 0.6, 0.9)):
        yield (known * np.eye(k) + (1 - known) * np.roll(np.eye(k), 1, axis=0)) / k


SAID = "times what they should (mean over the worlds; in brackets the worst world)"
PAGE = "evenness.md"
STUDY = Study(
    "powers_fit",
    {
        "fit": Part(
            f"The constant was fitted here: how often bars of each tail miss, {SAID}, and the mean distance from 1.",
            fit,
            PAGE,
            runs=10_000,
            errors=((0.05, 1.0),),
            run="tables a world",
        ),
        "unseen": Part(
            f"In worlds that the fit has not seen, 5 or more cases expected in each class, they miss, {SAID}:",
            unseen,
            PAGE,
            runs=10_000,
            errors=((0.05, 1.0),),
            run="tables a world",
        ),
        "beyond": Part(
            f"Where they were not made for, they miss, {SAID}:",
            beyond,
            PAGE,
            runs=10_000,
            errors=((0.05, 1.0),),
            run="tables a world",
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
