"""What an interval method reads: a measure, the table it is of, and how much that table is worth.

Weighted cases and cases that belong together are worth fewer independent ones, to each measure its own
number. All methods meet that in one way: the table is scaled to its effective number of cases, and taken
from there as an ordinary one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits, ratio
from informed.evidence.cells import is_sparse
from informed.evidence.checks import frozen
from informed.evidence.margins import PLAIN
from informed.evidence.table import Table
from informed.evidence.units import Ints, Units
from informed.inference.given import shrink, standard_normal, students
from informed.inference.influence import (
    Functional,
    cells_of,
    functional,
    influence,
    measured,
    pattern_of,
    weighed_cells_of,
    with_four,
)
from informed.inference.sides import cells_given, places
from informed.inference.worth import Cells, Worth, single_worth, worth
from informed.measures import Measure, MeasureLike, find
from informed.measures.slopes import diagonal

SLOPE_CELLS = 3_600  # cells up to which slopes by differences can be had once


@dataclass(frozen=True)
class Sample:
    """A measure of a table or a stack, seen as an estimate from so many independent cases."""

    m: Measure
    t: Table  # as counted
    level: Any  # a number, or one for each table of the stack
    fixed: bool = False  # whether the class sizes were chosen and not found
    through: Callable[[Table], Table] | None = None  # what is done to the table before measuring
    per_class: bool = False  # whether the last axis runs over the classes, each against the rest

    @cached_property
    def estimate(self) -> Array:
        return measured(self.m, self.t, self.through)

    @cached_property
    def f(self) -> Functional:
        return functional(self.m, self.t, self.through)

    @property
    def is_smooth(self) -> bool:
        """Whether the measure itself has slopes."""
        return self.m.smooth(len(self.t.real_labels))

    @cached_property
    def walked(self) -> tuple[Sample, ...]:
        """Itself, or of a geometric mean without slopes at 0 the two that it is the mean of."""
        if self.m.facts.factors is None or self.is_smooth:
            return (self,)
        return tuple(replace(self, m=find(name)) for name in self.m.facts.factors)

    @cached_property
    def z(self) -> Any:
        return standard_normal(self.level)

    @property
    def tails(self) -> tuple[Any, Any]:
        """The quantiles between which a share as large as the level lies."""
        return (1 - self.level) / 2, (1 + self.level) / 2

    @property
    def groups(self) -> Any:
        """The real class of each cell, where the class sizes are fixed."""
        if not self.fixed:
            return None
        return places(self.t)[1]

    @property
    def pattern(self) -> Array:
        return pattern_of(self.t)

    @property
    def unseen(self) -> NDArray[np.bool_] | None:
        """Cells of a kind that never occurred, for measures that get worse or better by them.

        A class never recognised; or an error of a class that was never missed and a label that was
        never wrong: with two classes, every empty cell. Not for measures that an empty cell makes
        infinite, or that are 0 only at independence.
        """
        t, facts = self.t, self.m.facts
        directed = facts.best is not None and (facts.bounds[0], facts.chance) != (0, 0)
        if not directed or not np.isfinite(facts.bounds[1]):
            return None
        unseen = np.zeros(t.cells.shape, dtype=bool)
        if t.is_square:
            wrong = t.cells.copy()
            diagonal(wrong)[...] = 0
            unseen |= (wrong.sum(axis=1) == 0)[:, None] & (wrong.sum(axis=0) == 0)
            diagonal(unseen)[...] = diagonal(t.cells) == 0
        unseen = unseen.reshape(-1, *t.shape)
        silent = [] if t.unanswered is None else [np.zeros(t.unanswered.shape, dtype=bool)]
        return np.concatenate([unseen, *silent])

    @cached_property
    def n(self) -> Array:
        """Cases counted, abstentions with them where the measure reads them."""
        silent = self.t.unanswered
        return self.t.total if silent is None else np.asarray(self.t.total + silent.sum(axis=0))

    @property
    def rows(self) -> Array:
        """Rows that were read of these cases, each once whatever it weighs."""
        if self.t.cases is None:
            return self.n
        silent = self.t.unanswered_cases
        return np.asarray(self.t.cases.sum(axis=(0, 1)) + (0 if silent is None else silent.sum(axis=0)))

    @property
    def cells(self) -> int:
        """How many cells a measure of this table has."""
        silent = self.t.unanswered
        return len(self.t.predicted_labels) * len(self.t.real_labels) + (0 if silent is None else len(silent))

    @cached_property
    def worth(self) -> Worth | None:
        """What weighted or repeated cases are worth to this measure; None where each case is one."""
        t = self.t
        if t.squares is None and self.units is None:
            return None
        if not self._has_cheap_slopes:
            return _as_one(t, self.n)
        squares, cases = weighed_cells_of(t)
        return worth(self.f, cells_of(t), self._given, squares=squares, rows=cases, units=self.units, fixed=self.groups)

    @cached_property
    def _given(self) -> Cells:
        return cells_given(self.m, self.t, by_real=self.fixed or self.through is not None)

    @property
    def sides(self) -> Sequence[Ints]:
        """What the measure takes as given: the group of each cell, one array per side; −1 where it is not read."""
        return self._given.sides

    @property
    def effective_read(self) -> Array:
        """Of the effective cases, those that the measure reads at all."""
        if not self._has_cheap_slopes:
            return self.effective_n
        read = np.max([groups >= 0 for groups in self._given.sides], axis=0)
        return self.effective_n * ratio(cells_of(self.t)[read].sum(axis=0), self.n)

    @property
    def _has_cheap_slopes(self) -> bool:
        affordable = self.f.exact or self.f.stated is not None or self.cells <= SLOPE_CELLS
        return not is_sparse(self.t.cells) and "whole counts" not in self.m.facts.needs and affordable

    @cached_property
    def units(self) -> Units | None:
        """What repeats in the table; None where every unit is one unweighted case."""
        return repeated(self.t)

    @cached_property
    def effective_n(self) -> Array:
        """Independent, equally weighted cases that carry as much about this measure."""
        return self.n if self.worth is None else self.worth.effective_n

    @cached_property
    def effective(self) -> Table:
        """The table scaled to its effective number of cases.

        Few units estimate their own spread badly: Student's quantile with the degrees of freedom of
        the units takes the place of the normal one, by way of the scale.
        """
        if self.worth is None:
            return replace(self.t, units=None)
        known = 1.0 if self.units is None else shrink(self.worth.df, self.level)
        return scaled(self.t, np.where(self.n > 0, ratio(self.effective_n, self.n), 1.0) * known)

    @cached_property
    def counts(self) -> Array:
        """Effective counts, ``(cells, *stack)``."""
        return cells_of(self.effective)

    def counts_at(self, level: Array) -> Array:
        """Effective counts at each of several levels, ``(cells, *levels)``, whose last axes are those of the stack."""
        scale = np.ones_like(level) if self.units is None or self.worth is None else shrink(self.worth.df, level)
        worth = np.where(self.n > 0, ratio(self.effective_n, self.n), 1.0)
        cells = cells_of(self.t)
        return np.asarray(cells.reshape(len(cells), *[1] * (level.ndim - self.n.ndim), *self.n.shape) * worth * scale)

    @cached_property
    def quantile(self) -> Any:
        """Standard errors to go each way: normal, or Student's where units tell the spread."""
        if self.units is None or self.worth is None:
            return self.z
        return students(self.worth.df, self.level)

    def standard_error(self) -> Array:
        """Large-sample standard error at the table as counted: the sandwich over weighted cases or units."""
        p = ratio(cells_of(self.t), self.n)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty margin has no slope
            u, v = influence(p, self.f.gradient(p, self.n), self.groups)
        if self.units is not None:
            several = np.asarray(self.units.n)
            between = self.units.squared(np.where(p > 0, u, 0.0))
            return np.asarray(np.sqrt(ratio(several * between, several - 1)) / self.n)
        if self.t.squares is not None:
            squares, _ = weighed_cells_of(self.t)
            assert squares is not None
            return np.asarray(np.sqrt((squares * np.where(p > 0, u, 0.0) ** 2).sum(axis=0)) / self.n)
        return np.asarray(np.sqrt(ratio(v, self.n)))

    @cached_property
    def plus_four(self) -> Limits:
        """The measure and its standard error after four pseudo-cases."""
        p = with_four(self.counts, self.pattern)
        told = np.maximum(self.n, 1)
        _, v = influence(p, self.f.gradient(p, told), self.groups)
        return self.f.value(p, told), np.sqrt(v / (self.counts.sum(axis=0) + 4))


def repeated(t: Table) -> Units | None:
    """The units of a table, if any holds more than one unweighted case."""
    held = t.units
    if held is None or (t.squares is None and held.single):
        return None
    return held


def cases_and_worth(t: Table, measure: MeasureLike) -> tuple[Array, Array]:
    """Cases that a measure is about, and how many independent, equally weighted ones they are worth to it."""
    m = find(measure)
    t = t if m.facts.abstentions else t.answered
    s = Sample(m, t.one_vs_rest() if is_per_class(m, t) else t, 0.95)
    return s.rows, s.effective_n


def is_per_class(m: Measure, t: Table) -> bool:
    """Whether it is taken for each class of a table against the rest."""
    average = dict(m.bound).get("average")
    return m.facts.classes == "two" and average is None and t.is_square and len(t.labels) > 2


def as_independent(t: Table, m: Measure | None) -> tuple[Table, Array]:
    """The table scaled to the equally weighted, independent cases that it is worth to a measure, and their
    number; without a measure, each unit is taken as one case."""
    worth = t.total
    if m is not None:
        worth = Sample(m, t if m.facts.abstentions else t.answered, 0.95).effective_n
    elif t.squares is not None or repeated(t) is not None:
        worth = _as_one(t.answered, t.total).effective_n
    return scaled(t, np.where(t.total > 0, ratio(worth, t.total), 1.0)), worth


def scaled(t: Table, scale: Array) -> Table:
    """The table of so many times as many equally weighted, independent cases."""
    silent = None if t.unanswered is None else frozen(t.unanswered * scale)
    return replace(t, cells=frozen(t.cells * scale), unanswered=silent, **PLAIN)


def _as_one(t: Table, n: Array) -> Worth:
    """For measures without slopes that can be had: each unit as one case, or Kish's number of weighted ones."""
    if t.units is not None:
        size = (len(t.predicted_labels) + 1) * len(t.real_labels)
        squared = t.units.squared(np.ones((size, *t.shape)))
    else:
        assert t.squares is not None
        silent = 0.0 if t.unanswered_squares is None else t.unanswered_squares.sum(axis=0)
        squared = t.squares.sum(axis=(0, 1)) + silent
    effective = np.where(squared > 0, ratio(n**2, squared), 0.0)
    df = np.full(n.shape, np.inf) if t.units is None else np.fmax(effective - 1, 1.0)
    return single_worth(effective, df=df, weighting=np.where(n > 0, ratio(n, effective), 1.0))
