"""What a leaderboard holds: values, differences, ranks, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import probability, signed, span
from informed.errors import InferenceError
from informed.evidence.labels import some, text
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.measures import Measure, find
from informed.measures.titles import spoken
from informed.results import Note, Records, Result, picked, plain_dict
from informed.systems.ranks import Places

GAP = "a:label b:label estimate:signed standard_error low:signed high:signed pvalue:p adjusted:p"
MOST_SYSTEMS = 100  # beyond it, JSON holds differences from the first system only


@dataclass(frozen=True, repr=False)
class Gap(Result):
    """How much better a is than b; its interval and `adjusted` hold with those of other pairs."""

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
        return Records.of(GAP, [astuple(self)])

    def sentence(self) -> str:
        """The difference with its interval and its adjusted p-value."""
        return (
            f"{system_name(self.a)} − {system_name(self.b)}: {signed(self.estimate)} {span(self.low, self.high)},"
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
    df: float = np.inf  # of Student's distribution, where one is for all

    def at(self, place: Any) -> list[Any]:
        """The numbers of these places, in the order of a `Gap`."""
        held = (self.estimate, self.standard_error, self.low, self.high, self.pvalue, self.adjusted)
        return [x[place].tolist() for x in held]


@dataclass(frozen=True, eq=False)
class Versus(Pairs):
    """Differences of every system from one baseline, whose own entries are NaN.

    `adjusted` is by the joint distribution of these comparisons only (as Dunnett's)."""

    baseline: Hashable = None


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Result):
    """Systems on the same items: values, intervals that hold together, and supported ranks."""

    page = "leaderboard"
    told_from_guessing: ClassVar[bool] = True  # whether anything is known of guessing

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
    answered: Array | None = None  # the measure of what each system answered, where some did not
    cochran_q: Test | None = None  # of equal accuracy; None for weighted items or items of units
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> Gap:
        """``board["A", "B"]``: how much better A is than B."""
        a, b = (place_of(self.names, name) for name in pair)
        return Gap(*pair, *self.pairs.at((a, b)))

    @property
    def of(self) -> Measure:
        """The measure that the systems are ranked by."""
        return find(self.measure)

    @property
    def called(self) -> str:
        """The measure in words, where it is over all items though some got no answer."""
        if self.answered is None:
            return spoken(self.measure)
        return spoken(self.measure, True) if self.of.facts.abstentions else f"{spoken(self.measure)} times coverage"

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Systems from the best to the worst; undefined ones last."""
        return np.argsort(-goodness(self.estimate, self.of), kind="stable")

    @property
    def leaders(self) -> tuple[Hashable, ...]:
        """Systems that may be the best: nobody is better than they beyond doubt."""
        return tuple(self.names[s] for s in self.order if self.rank_low[s] == 1)

    def records(self) -> Records:
        """One row a system, best first."""
        names = "system:label=names rank rank_low rank_high estimate standard_error low high"
        names += f"{' beyond_guessing' * self.told_from_guessing} coverage"
        if self.answered is not None:
            names += " answered"
        if self.versus is not None:
            names += " versus_baseline:signed=versus.estimate adjusted:p=versus.adjusted"
        held = Records.picked(self, names)
        return Records(held.columns, tuple(held.rows[s] for s in self.order))

    def pairs_records(self, first: int | None = None) -> Records:
        """One row for every two systems, the better one first; or only of the first systems."""
        upper = np.triu_indices(len(self), 1)
        kept = upper[0] < (len(self) if first is None else first)
        a, b = (self.order[x[kept]] for x in upper)
        names = ([self.names[s] for s in x] for x in (a, b))
        return Records.of(GAP, zip(*names, *self.pairs.at((a, b)), strict=True))

    def versus_records(self) -> Records:
        """One row for every system but the baseline, best first; none without a baseline."""
        if self.versus is None:
            return Records.of(GAP, ())
        base = self.versus.baseline
        others = [s for s in self.order if self.names[s] != base]
        names = [self.names[s] for s in others]
        return Records.of(GAP, zip(names, [base] * len(names), *self.versus.at(others), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The board, and the differences of every two systems."""
        held = picked(self, "measure basis n=items level adjust leaders groups")
        held["cochran_q"] = self.cochran_q and picked(self.cochran_q, "statistic pvalue")
        held["systems"] = self.records()
        held["pairs"] = self.pairs_records(None if len(self) <= MOST_SYSTEMS else 1)
        if self.versus is not None:
            held["versus"] = self.versus_records()
        return plain_dict({**held, "notes": self.notes})


def sign_of(m: Measure) -> int:
    """−1 for a measure that is best at its lower bound."""
    return -1 if m.direction < 0 else 1


def goodness(values: Array, m: Measure) -> Array:
    """Values of a measure, the higher the better; undefined ones are the worst."""
    return np.where(np.isnan(values), -np.inf, sign_of(m) * values)


def place_of(names: tuple[Hashable, ...], name: Hashable) -> int:
    if name not in names:
        raise InferenceError(f"There is no system {text(name)}; there are {some(names)}.")
    return names.index(name)
