"""What the order of the labels adds to a report: informedness by cuts between grades, near misses and far misses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import rate, span
from informed.evidence.labels import Label
from informed.evidence.table import Table
from informed.inference.grade_notes import are_grades, between_notes, cut_notes, gap_notes
from informed.inference.intervals import interval
from informed.measures import find
from informed.measures.grades import cuts_of
from informed.measures.shown import OF_GRADES
from informed.results import Note
from informed.summary.estimates import Wanted, estimates
from informed.summary.parts import Estimate

ONLY_NAMES = "where they are only names of classes, this section says nothing"
SAID_OF_ORDER = {
    "given": Note(f"The order is that in which the labels were given; {ONLY_NAMES}.", code="order-given"),
    "numbers": Note(f"The order is that of the numbers; {ONLY_NAMES}.", code="order-of-numbers"),
    "numerals": Note(
        f"The grades are numerals read as text, in the order of their values; {ONLY_NAMES}.", code="order-of-numerals"
    ),
}


@dataclass(frozen=True)
class Cut:
    """The bet whether a case is above the cut between two neighbouring grades."""

    below: Label
    above: Label
    prevalence: float  # of cases that are really above it
    weight: float  # its share in what can be won, π(1 − π)
    value: float  # informedness of the two sides
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class Distance:
    """Cases whose prediction is so many grades above the real one, or below it where that is negative."""

    away: int
    cases: float
    shuffled: float  # as many would be, if the same predictions were shuffled over the cases


@dataclass(frozen=True)
class Grades:
    """A table of ordered labels, by cuts and by distances."""

    order: str  # how it is known
    estimates: tuple[Estimate, ...]
    cuts: tuple[Cut, ...]
    distances: tuple[Distance, ...]
    off: float  # mean distance of a prediction from reality, in grades
    shuffled: float  # and of a shuffled one
    notes: tuple[Note, ...] = ()

    @property
    def leading(self) -> Estimate:
        return self.estimates[0]

    @property
    def stated(self) -> bool:
        """Whether someone said that the labels are ordered, and not the numbers alone."""
        return self.order in ("given", "declared")

    @property
    def sentence(self) -> str:
        """What is known of the distance, and how far off predictions are."""
        e = self.leading
        limits = "" if math.isnan(e.low) else f" {span(e.low, e.high)}"
        return (
            f"Counted by cuts between grades, {rate(e.value)}{limits} of the distance is known; predictions lie "
            f"{rate(self.off, 2)} grades off on average, shuffled ones {rate(self.shuffled, 2)}."
        )


def grades_of(t: Table, tables: Sequence[Table], wanted: Wanted, *, names_only: bool = False) -> list[Grades | None]:
    """Of each table of a stack, where its labels are grades and not only names."""
    if names_only or not are_grades(t):
        return [None] * len(tables)
    columns = estimates(t, [find(m) for m in OF_GRADES], wanted)
    low, high = _limits(t, len(tables), wanted.level)
    each = zip(tables, zip(*columns, strict=True), low, high, strict=True)
    return [_grades(one, found, *ends) if not math.isnan(found[0].value) else None for one, found, *ends in each]


def _limits(t: Table, tables: int, level: float) -> tuple[Array, Array]:
    """Limits of informedness at each cut, ``(table, cut)``."""
    if t.units is None and t.squares is None:
        found = [interval(_sides(t), "informedness", level=level)]
    else:  # which cases belong together, and what they weigh, only the table itself knows
        sides = [t.collapse({"below": t.labels[:k], "above": t.labels[k:]}) for k in range(1, t.k)]
        found = [interval(x, "informedness", level=level) for x in sides]
    low, high = (np.reshape([getattr(x, end) for x in found], (-1, tables)).T for end in ("low", "high"))
    return low, high


def _sides(t: Table) -> Table:
    """Above a cut or not: two classes for each cut, cuts first."""
    cuts = cuts_of(t)
    cells = np.array([[cuts.real_above - cuts.under, cuts.over], [cuts.under, cuts.real_below - cuts.over]])
    return Table.from_counts(np.moveaxis(cells, (0, 1), (-2, -1)))


def _grades(t: Table, found: tuple[Estimate, ...], low: Array, high: Array) -> Grades:
    cuts = cuts_of(t)
    odds = cuts.real_above * cuts.real_below
    value = 1 - ratio(cuts.over, cuts.real_below) - ratio(cuts.under, cuts.real_above)
    numbers = np.transpose([ratio(cuts.real_above, t.total), odds / odds.sum(), value, low, high]).tolist()
    rows = [Cut(below, above, *held) for below, above, held in zip(t.labels, t.labels[1:], numbers, strict=False)]

    distances = _distances(t)
    n = float(t.total)
    off, shuffled = (sum(abs(d.away) * getattr(d, of) for d in distances) / n for of in ("cases", "shuffled"))
    said = SAID_OF_ORDER.get(str(t.order))
    notes = (*([] if said is None else [said]), *between_notes(t), *gap_notes(t), *cut_notes(t))
    return Grades(str(t.order), found, tuple(rows), distances, off, shuffled, notes)


def _distances(t: Table) -> tuple[Distance, ...]:
    """Cases by how far off they are, from the farthest below to the farthest above."""
    apart = np.subtract.outer(np.arange(t.k), np.arange(t.k)).ravel()
    cases, shuffled = (np.bincount(apart + t.k - 1, np.asarray(x).ravel()) for x in (t.counts, t.expected))
    return tuple(
        Distance(i + 1 - t.k, float(n), float(s)) for i, (n, s) in enumerate(zip(cases, shuffled, strict=True))
    )
