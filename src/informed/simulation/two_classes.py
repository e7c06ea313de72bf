"""Two classes: populations for arrays of what is known, of prevalence and of guesses; and which of two systems a
measure prefers in samples of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.possible_tables import tables
from informed.simulation.judging import Judged, values


def mixtures(g: Any, q: Any, b: Any) -> Table:
    """Populations for arrays of informedness, prevalence and guess rate.

    >>> mixtures(0.5, 0.3, [0.2, 0.8]).shape
    (2,)
    """
    g, q, b = np.broadcast_arrays(g, q, b)
    return tables(np.array([
        [q * (g + (1 - g) * b), (1 - q) * (1 - g) * b],
        [q * (1 - g) * (1 - b), (1 - q) * (g + (1 - g) * (1 - b))],
    ]))  # fmt: skip


def sampled(rng: np.random.Generator, n: int, truth: Table) -> Table:
    """A table of n cases from each population of a stack."""
    cells = rng.multinomial(n, truth.counts.reshape(-1, 4))
    return Table.from_counts(cells.reshape(-1, 2, 2))


def random_pairs(
    rng: np.random.Generator, size: int, *, gap: float, prevalence: float | None = None
) -> tuple[Table, Table]:
    """Populations of two systems for the same cases, the first better informed by `gap`.

    Prevalence is uniform on [.05, .95] unless given, the guess rate of each system uniform on
    [.02, .98], the informedness of the worse uniform on [0, 1 − gap].
    """
    q = rng.uniform(0.05, 0.95, size) if prevalence is None else np.full(size, prevalence)
    worse = rng.uniform(0, 1 - gap, size)
    b, c = rng.uniform(0.02, 0.98, (2, size))
    return mixtures(worse + gap, q, b), mixtures(worse, q, c)


def priced_pairs(
    rng: np.random.Generator, size: int, *, gap: float, prevalence: float, weight: float
) -> tuple[Table, Table]:
    """Populations of two systems for the same cases, the errors of the first costing less by `gap`.

    `weight` is the part of all that errors can cost that is missed positives; the scale goes from −1,
    all wrong, to 1, all right, and is informedness at weight ½. Guess rates are those of
    `random_pairs`; the worse knows any share, the better as much as the gap asks, if there is so much.
    """
    pairs: list[Array] = []
    while sum(p.shape[1] for p in pairs) < size:
        worse, (b, c) = rng.random(size), rng.uniform(0.02, 0.98, (2, size))
        guessing = [2 * (weight * x + (1 - weight) * (1 - x)) - 1 for x in (b, c)]  # worth of guesses alone
        aim = worse + (1 - worse) * guessing[1] + gap
        better = (aim - guessing[0]) / (1 - guessing[0])
        pairs.append(np.stack([better, worse, b, c])[:, (better >= 0) & (better <= 1)])
    better, worse, b, c = np.concatenate(pairs, axis=1)[:, :size]
    return mixtures(better, prevalence, b), mixtures(worse, prevalence, c)


def random_systems(rng: np.random.Generator, size: int) -> tuple[Array, Table]:
    """Levels and populations: informedness uniform on [0, 1], prevalence on [.05, .95], guesses on [.02, .98]."""
    level, q, b = rng.random(size), rng.uniform(0.05, 0.95, size), rng.uniform(0.02, 0.98, size)
    return level, mixtures(level, q, b)


def same_cases(rng: np.random.Generator, n: int, *truths: Table) -> tuple[Table, ...]:
    """Tables of each system's answers to the same n cases, which have the classes of the first.

    Given its class, what a system says of a case does not depend on what another says.
    """
    positives = rng.binomial(n, truths[0].prevalence[..., 0])
    both = np.stack([positives, n - positives])
    seen = []
    for truth in truths:
        said = rng.binomial(both, truth.cells[0] / truth.cells.sum(axis=0))
        seen.append(tables(np.stack([said, both - said])))
    return tuple(seen)


def prefers_worse(worse: Table, better: Table, measure: Judged) -> Array:
    """1 where a measure prefers the worse, 0 where the better, a half where it cannot tell: a tie, or undefined.

    >>> better, worse = mixtures(0.6, 0.1, [0.1, 0.9]), mixtures(0.5, 0.1, [0.1, 0.1])
    >>> prefers_worse(worse, better, "accuracy").tolist(), prefers_worse(worse, better, "informedness").tolist()
    ([0.0, 1.0], [0.0, 0.0])
    """
    low, high = values(worse, measure), values(better, measure)
    apart = np.abs(low - high) > 1e-12  # not where one is undefined
    return np.where(apart, np.where(low > high, 1.0, 0.0), 0.5)
