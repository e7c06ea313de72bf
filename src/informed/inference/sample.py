"""What an interval method reads: a measure, the table it is of, and how much that table is worth.

Weighted and clustered cases are worth fewer independent ones. All methods meet that in one way:
the table is scaled to its effective number of cases, and taken from there as an ordinary one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.checks import frozen
from informed.evidence.margins import PLAIN
from informed.evidence.table import Table
from informed.inference.given import standard_normal
from informed.inference.influence import (
    Functional,
    cells_of,
    cluster_spreads,
    functional,
    influence,
    measured,
    pattern_of,
    with_four,
)
from informed.measures import Measure
from informed.measures.slopes import diagonal


@dataclass(frozen=True)
class Sample:
    """A measure of a table or a stack, seen as an estimate from so many independent cases."""

    m: Measure
    t: Table  # as counted, clusters pooled
    level: Any  # a number, or one for each table of the stack
    fixed: bool = False  # whether the class sizes were chosen and not found
    through: Callable[[Table], Table] | None = None  # what is done to the table before measuring
    units: Array | None = None  # counts of each cluster, (cells, cluster, *stack)
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
        real = np.arange(len(self.t.real_labels))
        return np.tile(real, len(self.t.predicted_labels) + (self.t.unanswered is not None))

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
    def cells(self) -> int:
        """How many cells a measure of this table has."""
        silent = self.t.unanswered
        return len(self.t.predicted_labels) * len(self.t.real_labels) + (0 if silent is None else len(silent))

    @cached_property
    def effective_n(self) -> Array:
        """Independent, equally weighted cases that carry as much."""
        n = self.n
        if self.t.squares is not None:
            squares = self.t.squares.sum(axis=(0, 1))
            n = np.where(squares > 0, ratio(n**2, squares), 0.0)
        if self.units is not None:
            smooth = with_four(cells_of(self.t), self.pattern)
            gradient = self.f.gradient(smooth, self.n)
            within, between = cluster_spreads(cells_of(self.t), self.n, self.units, gradient, self.groups)
            n = np.fmin(n, ratio(within, between) * self.n)
        return n

    @cached_property
    def effective(self) -> Table:
        """The table scaled to its effective number of cases.

        Few clusters estimate their own spread badly: Student's quantile with one degree of freedom
        less than there are clusters takes the place of the normal one, by way of the scale.
        """
        if self.t.squares is None and self.units is None:
            return self.t
        shrink = (self.z / self.quantile) ** 2
        scale = np.where(self.n > 0, ratio(self.effective_n, self.n), 1.0) * shrink
        return replace(
            self.t,
            cells=frozen(self.t.cells * scale),
            unanswered=None if self.t.unanswered is None else frozen(self.t.unanswered * scale),
            **PLAIN,
        )

    @cached_property
    def counts(self) -> Array:
        """Effective counts, ``(cells, *stack)``."""
        return cells_of(self.effective)

    @property
    def quantile(self) -> Any:
        """Standard errors to go each way: normal, or Student's for clusters."""
        if self.units is None:
            return self.z
        from scipy.special import stdtrit

        return float(stdtrit(self.units.shape[1] - 1, (1 + self.level) / 2))

    def standard_error(self) -> Array:
        """Large-sample standard error at the table as counted; clusters by the sandwich."""
        p = ratio(cells_of(self.t), self.n)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty margin has no slope
            gradient = self.f.gradient(p, self.n)
        if self.units is not None:
            _, between = cluster_spreads(cells_of(self.t), self.n, self.units, gradient, self.groups)
            return np.asarray(ratio(np.sqrt(between), self.n))
        with np.errstate(invalid="ignore"):
            _, v = influence(p, gradient, self.groups)
        return np.asarray(np.sqrt(ratio(v, self.effective_n)))

    @cached_property
    def plus_four(self) -> Limits:
        """The measure and its standard error after four pseudo-cases."""
        p = with_four(self.counts, self.pattern)
        told = np.maximum(self.n, 1)
        _, v = influence(p, self.f.gradient(p, told), self.groups)
        return self.f.value(p, told), np.sqrt(v / (self.counts.sum(axis=0) + 4))


def unit_axis_of(t: Table, axis: int) -> int:
    """The axis of the clusters, counted from the first of the stack."""
    if not -len(t.shape) <= axis < len(t.shape):
        raise InferenceError(
            f"`unit_axis` is {axis}, but this table has {len(t.shape)} stack axes; "
            "`Table.from_labels(unit=…)` makes a stack with one table a cluster."
        )
    return axis % len(t.shape)


def clustered(t: Table, axis: int) -> tuple[Table, Array]:
    """The table of all clusters together, and the counts of each: ``(cells, cluster, *stack)``."""
    axis = unit_axis_of(t, axis)
    if t.shape[axis] < 2:
        raise InferenceError("There is one cluster; how clusters differ takes two at least.")
    return t.sum(axis), np.moveaxis(cells_of(t), 1 + axis, 1)
