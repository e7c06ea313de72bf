"""A judged batch as data: cases by verdict, and the gold labels of those that people saw."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from informed._arrays import Array
from informed.evidence.labels import Label, Labels
from informed.evidence.units import Ints, sums
from informed.results import Note
from informed.systems.row_units import BY_CHANCE, same_shares
from informed.systems.verification import Verification, VerifiedRows

FEWEST = 3  # labels of an ordered verdict below which it is joined with its neighbour


@dataclass(frozen=True, eq=False)
class Batch:
    """Cases by verdict, and the gold labels of those that people saw."""

    verdicts: tuple[Hashable, ...]  # None: the judge gave none
    labels: Labels  # gold classes
    cases: Array  # (verdicts,)
    gold: Array  # labelled ones, (verdicts, classes)
    said: Ints | None = None  # the class that a verdict says, −1 for none; None where verdicts are no gold classes
    positive: Label | None = None  # of two classes, the one whose rate is wanted
    rows: VerifiedRows | None = None  # what each row is, where they are known
    unit: str | None = None  # what rows belong to, if to anything
    ordered: bool = False  # verdicts have an order
    each: Mapping[Hashable, Batch] | None = None  # of a panel, the batch by each judge
    notes: tuple[Note, ...] = ()

    @cached_property
    def labelled(self) -> Array:
        """Labelled cases of each verdict."""
        return np.asarray(self.gold.sum(axis=1))

    @cached_property
    def by_chance(self) -> float:
        """The p-value of verdicts that have the same share of labels."""
        return same_shares(self.labelled, self.cases)

    @cached_property
    def called(self) -> Array | None:
        """Cases that the judge calls each class."""
        if self.said is None:
            return None
        known = self.said >= 0
        return sums(self.said[known], self.cases[known], len(self.labels))

    def judge_itself(self) -> Verification | None:
        """The judge's own table, from the cases that people saw of each of its verdicts."""
        if self.said is None or (self.gold.sum(axis=0) == 0).any():
            return None
        told = np.flatnonzero((self.said >= 0) & (self.cases > 0))
        if len(np.unique(self.said[told])) < 2:
            return None
        place = np.full(len(self.cases), -1)
        place[told] = np.arange(len(told))
        rows = self.rows if self.unit is not None else None
        if rows is not None:
            kept = place[rows.stratum] >= 0
            unit = np.unique(rows.unit[kept], return_inverse=True)[1]
            rows = VerifiedRows(place[rows.stratum[kept]], rows.gold[kept], np.asarray(unit, np.int64))
        alike = np.zeros(len(told), np.int64)
        return Verification(self.labels, self.said[told], alike, self.cases[told], self.gold[told], self.positive, rows)

    def merged(self) -> Batch:
        """The same where a verdict with few labels is counted with its neighbour: of ordered verdicts, if which
        cases are labelled is chance."""
        found = self
        first = True
        while found.ordered and len(found.cases) > 2 and found.labelled.min() < FEWEST and self.by_chance >= BY_CHANCE:
            found, first = found._joined(int(found.labelled.argmin())), False
        if first:
            return self
        names = ", ".join(str(x) for x in found.verdicts)
        said = f"Verdicts with fewer than {FEWEST} labels count with their neighbours: {names}."
        return replace(found, notes=(*self.notes, Note(said, code="merged")))

    def _joined(self, at: int) -> Batch:
        """With this verdict counted with the neighbour that has fewer labels."""
        beside = [i for i in (at - 1, at + 1) if 0 <= i < len(self.cases)]
        first = min(at, min(beside, key=lambda i: self.labelled[i]))
        first = at if first > at else first
        other = first + 1
        place = np.arange(len(self.cases)) - (np.arange(len(self.cases)) >= other)
        name = f"{self.verdicts[first]} or {self.verdicts[other]}"
        gold = np.stack([sums(place, x, len(place) - 1) for x in self.gold.T], axis=1)
        rows = None if self.rows is None else replace(self.rows, stratum=place[self.rows.stratum])
        verdicts = (*self.verdicts[:first], name, *self.verdicts[other + 1 :])
        cases = sums(place, self.cases, len(place) - 1)
        return replace(self, verdicts=verdicts, cases=cases, gold=gold, rows=rows, said=None)
