"""What a leaderboard holds: values, differences, ranks, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import probability, signed, span
from informed.errors import InferenceError
from informed.evidence.labels import some, text
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.measures import Measure, find
from informed.results import Kind, Note, Records, Result, plain_dict
from informed.systems.ranks import Places

GAP: dict[str, Kind] = {
    "a": "label",
    "b": "label",
    "estimate": "signed",
    "standard_error": "number",
    "low": "signed",
    "high": "signed",
    "pvalue": "p",
    "adjusted": "p",
}
MOST_SYSTEMS = 100  # beyond it, JSON holds differences from the first system only


@dataclass(frozen=True, repr=False)
class Gap(Result):
    """How much better a is than b; its interval and `adjusted` hold with those of other pairs."""

    kinds: ClassVar[Mapping[str, Kind]] = GAP

    a: Hashable
    b: Hashable
    estimate: float
    standard_error: float
    low: float
    high: float
    pvalue: float
    adjusted: float

    def records(self) -> Records:
        """One row."""
        return Records.of(GAP, [[getattr(self, name) for name in GAP]])

    def sentence(self) -> str:
        """The difference with its interval and its adjusted p-value."""
        return (
            f"{text(self.a)} − {text(self.b)}: {signed(self.estimate)} {span(self.low, self.high)},"
            f" adjusted {probability(self.adjusted)}"
        )


@dataclass(frozen=True, eq=False)
class Pairs:
    """Differences of every two systems: entry ``[a, b]`` is a − b. All intervals hold together."""

    estimate: Array
    standard_error: Array
    low: Array
    high: Array
    pvalue: Array  # of each pair by itself
    adjusted: Array  # after the adjustment for asking about all pairs
    critical: float  # standard errors to go each way, so that all intervals hold together

    def at(self, place: Any) -> list[Any]:
        """The columns of records at these places."""
        return [np.asarray(getattr(self, name))[place].tolist() for name in list(GAP)[2:]]


@dataclass(frozen=True, eq=False)
class Versus(Pairs):
    """Differences of every system from one baseline, whose own entries are NaN.

    `adjusted` is by the joint distribution of these comparisons only (as Dunnett's)."""

    baseline: Hashable = None


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
    estimate: Array
    standard_error: Array
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
    counts_all: bool = False  # whether it is the one in which an abstention wins nothing

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> Gap:
        """``board["A", "B"]``: how much better A is than B."""
        a, b = (place_of(self.names, name) for name in pair)
        return Gap(*pair, *self.pairs.at((a, b)))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Systems from the best to the worst; undefined ones last."""
        better = self.estimate * sign_of(find(self.measure))
        return np.argsort(-np.where(np.isnan(better), -np.inf, better), kind="stable")

    @property
    def leaders(self) -> tuple[Hashable, ...]:
        """Systems that may be the best: nobody is better than they beyond doubt."""
        return tuple(self.names[s] for s in self.order if self.rank_low[s] == 1)

    def records(self) -> Records:
        """One row a system, best first."""
        held: dict[str, tuple[Kind, Any]] = {
            "system": ("label", self._named(np.arange(len(self)))),
            "rank": ("count", self.rank),
            "rank_low": ("count", self.rank_low),
            "rank_high": ("count", self.rank_high),
            "estimate": ("number", self.estimate),
            "standard_error": ("number", self.standard_error),
            "low": ("number", self.low),
            "high": ("number", self.high),
            "beyond_guessing": ("flag", self.beyond_guessing),
            "coverage": ("number", self.coverage),
        }
        if self.versus is not None:
            held["versus_baseline"] = "signed", self.versus.estimate
            held["adjusted"] = "p", self.versus.adjusted
        return Records.beside({name: (kind, x[self.order]) for name, (kind, x) in held.items()})

    def pairs_records(self, first: int | None = None) -> Records:
        """One row for every two systems, the better one first; or only of the first systems."""
        upper = np.triu_indices(len(self), 1)
        kept = upper[0] < (len(self) if first is None else first)
        a, b = (self.order[x[kept]] for x in upper)
        names = [self._named(x).tolist() for x in (a, b)]
        return Records.of(GAP, zip(*names, *self.pairs.at((a, b)), strict=True))

    def versus_records(self) -> Records:
        """One row for every system but the baseline, best first; none without a baseline."""
        if self.versus is None:
            return Records.of(GAP, ())
        base = self.versus.baseline
        others = np.array([s for s in self.order if self.names[s] != base], dtype=np.intp)
        names = [self._named(others).tolist(), [base] * len(others)]
        return Records.of(GAP, zip(*names, *self.versus.at(others), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The board, the differences of every two systems, and the discounted board if it is."""
        q = self.cochran_q
        few = len(self) <= MOST_SYSTEMS
        held: dict[str, Any] = {
            "measure": self.measure,
            "basis": self.basis,
            "n": self.items,
            "level": self.level,
            "adjust": self.adjust,
            "leaders": self.leaders,
            "groups": self.groups,
            "cochran_q": q and {"statistic": q.statistic, "pvalue": q.pvalue},
            "systems": self.records(),
            "pairs": self.pairs_records(None if few else 1),
        }
        if self.versus is not None:
            held["versus"] = self.versus_records()
        if self.discounted is not None:
            held["discounted"] = self.discounted.to_dict()
        return plain_dict({**held, "notes": self.notes})

    def _named(self, places: Any) -> NDArray[Any]:
        """Names of systems, as they are: some may be tuples."""
        return np.fromiter((self.names[s] for s in places), dtype=object, count=len(places))


def sign_of(m: Measure) -> int:
    """−1 for a measure that is best at its lower bound."""
    return -1 if m.facts.best is not None and m.facts.best == m.facts.bounds[0] else 1


def place_of(names: tuple[Hashable, ...], name: Hashable) -> int:
    if name not in names:
        raise InferenceError(f"There is no system {text(name)}; there are {some(names)}.")
    return names.index(name)
