"""A table of which only some cases were verified: what it is, and how many whole cases it is worth.

Every case has an answer and stands in a stratum (what the system said, and whatever else decided which
cases were verified: a judge's verdict, a column); the truth is known of some cases of each. Shares of the
truth within strata, put together in the strata's sizes, are the table (Begg and Greenes 1983). What it is
worth to a measure, `n_eff` whole cases, follows from the measure's slopes; its interval is then the one
that a table of so many cases has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from informed._arrays import Array, Floats, plain, ratio
from informed.evidence.checks import UNLABELLED, frozen
from informed.evidence.labels import Label, Labels
from informed.evidence.table import Table
from informed.evidence.units import Ints, sums
from informed.inference.answers import Interval
from informed.inference.given import shrink
from informed.inference.influence import functional, influence
from informed.inference.intervals import interval
from informed.inference.sample import is_per_class
from informed.measures import Measure, MeasureLike, find
from informed.results import Note
from informed.systems.judge_strata import Varied, varied
from informed.systems.row_units import design_effect, row_effects

PARTLY = "put together from partly verified cases"  # what a table is that was not counted
PER_CLASS = Note("One interval for each class against the rest.", code="per-class")


@dataclass(frozen=True, eq=False)
class VerifiedRows:
    """What each row of the data is, where rows belong together."""

    stratum: Ints
    gold: Ints  # −1: not verified
    unit: Ints  # numbered without gaps
    weight: Array | None = None  # of a row, where not each counts one
    chance: Array | None = None  # with which a verified row was chosen, where rows of a stratum differ in it


@dataclass(frozen=True, eq=False)
class Verification:
    """Cases by stratum, and the truth of those that were verified."""

    labels: Labels  # of answers and of the truth alike
    answer: Ints  # of each stratum, its place among the labels
    alike: Ints  # strata of other answers that stand in for one without a verified case share this number
    cases: Array  # all cases, (strata,)
    gold: Array  # of verified ones, their classes, (strata, classes)
    positive: Label | None = None
    rows: VerifiedRows | None = None
    others: int = 0  # classes that the last label stands for, where that is the rest of them

    @property
    def total(self) -> float:
        """All cases."""
        return float(self.cases.sum())

    @cached_property
    def verified(self) -> Array:
        """Verified cases of each stratum."""
        return np.asarray(self.gold.sum(axis=1))

    @property
    def weight(self) -> Array:
        """The share of all cases in each stratum."""
        return np.asarray(self.cases / self.cases.sum())

    @cached_property
    def unseen(self) -> Ints:
        """Strata that hold cases, and no verified one."""
        return np.asarray(np.flatnonzero((self.verified == 0) & (self.cases > 0)), np.int64)

    @cached_property
    def given(self) -> Array:
        """Shares of the classes in each stratum; where none was verified, those of other answers in it, or of all."""
        k = len(self.labels)
        pooled = np.stack([sums(self.alike, x, int(self.alike.max()) + 1) for x in self.gold.T], axis=1)[self.alike]
        found = np.where(self.verified[:, None] > 0, self.gold, pooled)
        found = np.where(found.sum(axis=1, keepdims=True) > 0, found, self.gold.sum(axis=0))
        return np.asarray(np.nan_to_num(ratio(found, found.sum(axis=1, keepdims=True)), nan=1 / k))

    @cached_property
    def helped(self) -> Array:
        """The same with half a case of each class added, as no share is known to be 0."""
        added = np.full(len(self.labels), 0.5)
        added[-1] *= max(self.others, 1)
        return np.asarray((self.gold + added) / (self.verified[:, None] + added.sum()))

    def shares(self, given: Array | None = None) -> Array:
        """The table as shares of all cases: (answers, classes)."""
        found = np.zeros((len(self.labels),) * 2)
        np.add.at(found, self.answer, self.weight[:, None] * (self.given if given is None else given))
        return found

    @cached_property
    def table(self) -> Table:
        """The table of all cases, which was not counted and has no interval of its own."""
        return replace(self._table(self.shares() * self.total), derived=PARTLY)

    def _table(self, counts: Array) -> Table:
        return Table.from_counts(counts, labels=self.labels, positive=self.positive)

    # ------------------------------------------------------------------ what it is worth

    def n_eff(self, measure: MeasureLike, level: float = 0.95) -> Floats:
        """Fully verified cases that would tell a measure as well; with units, at a level.

        A measure that is taken for each class has one number for each.
        """
        m = find(measure)
        each = map(self._against_rest, range(len(self.labels))) if self.is_per_class(m) else (self,)
        return plain(np.array([x._worth(x.effect(m)[x.answer], level) for x in each]).squeeze())

    def interval(self, measure: MeasureLike, level: float = 0.95) -> Interval:
        """The measure with the interval of so many whole cases."""
        m = find(measure)
        worth = np.asarray(self.n_eff(m, level))
        size = np.fmax(np.nan_to_num(worth, nan=self.total), 1e-9)  # what is undefined is so in any number of cases
        if not self.is_per_class(m):
            return interval(self._table(self.shares() * size), m, level=level)
        each = self._table(self.shares()).one_vs_rest()
        found = interval(replace(each, cells=frozen(each.cells * size)), m, level=level)
        return replace(found, effective_n=worth, axes=(("class", self.labels),), notes=(PER_CLASS, *found.notes))

    def is_per_class(self, m: Measure) -> bool:
        """Whether the measure is one number for each class against the rest."""
        return is_per_class(m, self.table)

    def _against_rest(self, place: int) -> Verification:
        """One class and the rest, as two classes of which it is the first."""
        own = self.gold[:, place]
        rows = self.rows
        if rows is not None:
            rows = replace(rows, gold=np.where(rows.gold < 0, -1, (rows.gold != place).astype(np.int64)))
        two = np.stack([own, np.maximum(self.verified - own, 0.0)], axis=1)
        answer = (self.answer != place).astype(np.int64)
        others, positive = len(self.labels) - 1, UNLABELLED[0]
        return replace(self, labels=UNLABELLED, answer=answer, gold=two, positive=positive, rows=rows, others=others)

    def effect(self, m: Measure) -> Array:
        """How a measure that is one number answers to one more case of an answer and a class, (answers, classes)."""
        t = self._table(self.shares(self.helped))
        p = t.cells.reshape(-1) / t.cells.sum()
        f = functional(m, t)
        with np.errstate(divide="ignore", invalid="ignore"):
            u, _ = influence(p, f.gradient(p, np.asarray(self.total)))
        return np.asarray(u.reshape(t.cells.shape))

    def varied(self, effect: Array) -> Varied:
        """How an effect of (stratum, class) varies, and the variance of the estimate that it is of."""
        return varied(self.helped, effect, self.cases, self.verified)

    def _worth(self, effect: Array, level: float) -> float:
        found = self.varied(effect)
        if found.whole == 0:  # as recall of a class that is never said: no case moves it, and strata tell nothing more
            return min(float(self.verified.sum()), self.total)
        n = (float(self.weight @ found.within) + found.between) / found.whole
        return n / self.stretch(effect, level) ** 2

    def stretch(self, effect: Array, level: float) -> float:
        """By how much longer limits reach where rows belong to units: the root of the design effect, and Student's t
        of the units with a verified case."""
        root, df = self.design(effect)
        return float(root / np.sqrt(shrink(df, level)))

    def design(self, effect: Array) -> tuple[float, float]:
        """The root of the design effect of units, and the degrees of freedom of the spread between them."""
        if self.rows is None:
            return 1.0, np.inf
        r, known, mean = self.rows, self.rows.gold >= 0, self.varied(effect).mean
        if r.chance is None:
            phi = row_effects(effect[r.stratum, r.gold], mean, r.stratum, known, self.cases, self.verified)
        else:
            seen = effect[r.stratum, r.gold] - mean[r.stratum]
            phi = mean[r.stratum] + np.where(known, self._stands_for(r, r.chance) * seen, 0.0)
        return design_effect(phi, r.unit, known, r.weight)

    def _stands_for(self, r: VerifiedRows, chance: Array) -> Array:
        """Cases of its stratum that each verified row stands for, by the chance with which it was chosen."""
        known = r.gold >= 0
        w = np.where(known, 1 / chance, 0.0) * (1.0 if r.weight is None else r.weight)
        held = sums(r.stratum, w, len(self.cases))[r.stratum]
        return np.asarray(ratio(self.cases[r.stratum], held) / np.where(known, chance, 1.0))
