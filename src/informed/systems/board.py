"""What a leaderboard holds: values, differences, ranks, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.labels import some, text
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.measures import Measure, find
from informed.results import Note, Result
from informed.systems.ranks import Places


class Gap(NamedTuple):
    """How much better a is than b."""

    a: Hashable
    b: Hashable
    estimate: float
    low: float
    high: float
    pvalue: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class Pairs:
    """Differences of every two systems: entry ``[a, b]`` is a − b. All intervals hold together."""

    estimate: Array
    error: Array  # standard errors
    low: Array
    high: Array
    pvalue: Array  # of each pair by itself
    adjusted: Array  # after the adjustment for asking about all pairs
    critical: float  # standard errors to go each way, so that all intervals hold together


@dataclass(frozen=True, eq=False)
class Versus:
    """Differences of every system from one baseline; its own entries are NaN."""

    baseline: Hashable
    estimate: Array
    error: Array
    low: Array
    high: Array
    pvalue: Array
    adjusted: Array  # by the joint distribution of these comparisons only (as Dunnett's)
    critical: float


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Result):
    """Systems on the same items: values, intervals that hold together, and supported ranks."""

    page = "leaderboard"

    names: tuple[Hashable, ...]
    measure: str
    basis: str  # which items, and what an abstention counts as
    items: int
    level: float
    adjust: str
    method: str
    values: Array
    error: Array
    low: Array
    high: Array
    covariance: Array
    critical: float
    pairs: Pairs
    versus: Versus | None
    rank: Places  # by value alone; ties share the better place
    rank_low: Places
    rank_high: Places
    groups: tuple[tuple[Hashable, ...], ...]  # who cannot be told apart, best first
    beyond_guessing: NDArray[np.bool_]
    coverage: Array
    tables: Table
    cochran_q: Test | None = None  # of equal accuracy; None for weighted or clustered items
    notes: tuple[Note, ...] = ()
    discounted: Leaderboard | None = None  # the same with the coverage discount, if it differs

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> Gap:
        """``board["A", "B"]``: how much better A is than B."""
        a, b = (place_of(self.names, name) for name in pair)
        d = self.pairs
        held = (d.estimate, d.low, d.high, d.pvalue, d.adjusted)
        return Gap(*pair, *(float(x[a, b]) for x in held))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Systems from the best to the worst; undefined ones last."""
        better = self.values * sign_of(find(self.measure))
        return np.argsort(-np.where(np.isnan(better), -np.inf, better), kind="stable")

    @property
    def leaders(self) -> tuple[Hashable, ...]:
        """Systems that may be the best: nobody is better than they beyond doubt."""
        return tuple(self.names[s] for s in self.order if self.rank_low[s] == 1)

    def to_frame(self) -> Any:
        """A data frame, best first: one row a system."""
        from informed.evidence.frames import frame

        held: dict[str, Any] = {
            "rank": self.rank,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
            "system": np.asarray(self.names, dtype=object),
            self.measure: self.values,
            "low": self.low,
            "high": self.high,
            "beyond_guessing": self.beyond_guessing,
            "coverage": self.coverage,
        }
        if self.versus is not None:
            held |= {"versus_baseline": self.versus.estimate, "adjusted": self.versus.adjusted}
        return frame({name: np.asarray(v)[self.order].tolist() for name, v in held.items()})

    def pairs_frame(self) -> Any:
        """A data frame: one row for every two systems, the better one first."""
        from informed.evidence.frames import frame

        first, second = np.triu_indices(len(self), 1)
        a, b = self.order[first], self.order[second]
        d = self.pairs
        names = np.asarray(self.names, dtype=object)
        held = {"a": names[a], "b": names[b]}
        for name in ("estimate", "low", "high", "pvalue", "adjusted"):
            held[name] = getattr(d, name)[a, b]
        return frame({name: v.tolist() for name, v in held.items()})


def sign_of(m: Measure) -> int:
    """−1 for a measure that is best at its lower bound."""
    return -1 if m.facts.best is not None and m.facts.best == m.facts.bounds[0] else 1


def place_of(names: tuple[Hashable, ...], name: Hashable) -> int:
    if name not in names:
        raise InferenceError(f"There is no system {text(name)}; there are {some(names)}.")
    return names.index(name)
