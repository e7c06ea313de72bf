"""What can be read off a table: its size, its margins, and the four cells of two classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, Floats, plain, ratio
from informed.errors import TableError
from informed.evidence.cells import diagonal, off_diagonal, others, whole
from informed.evidence.checks import Axes
from informed.evidence.label_order import Order, Stated, order_of
from informed.evidence.labels import Label, Labels, some
from informed.evidence.likeness import Doubt, doubt
from informed.evidence.units import Units
from informed.evidence.verbs import VERBS

HELD = {  # arrays, and their axes of classes
    "cells": 2,
    "squares": 2,
    "cases": 2,
    "unanswered": 1,
    "unanswered_squares": 1,
    "unanswered_cases": 1,
    "dropped": 0,
    "respelled": 0,
}
WEIGHED = ("squares", "cases", "unanswered_squares", "unanswered_cases")  # there where cases are weighted
PLAIN: dict[str, Any] = dict.fromkeys((*WEIGHED, "units"))  # of a table whose cases are equal and independent


@dataclass(frozen=True, eq=False, repr=False)
class Margins:
    """What a table holds, and the numbers that measures read off it."""

    cells: Array  # (predicted, real, *stack)
    predicted_labels: Labels
    real_labels: Labels
    positive: Label | None = None  # of two classes, the one that recall and precision are about
    squares: Array | None = None  # sums of squared weights, as cells; None where a case counts 1
    cases: Array | None = None  # rows read, as cells; None where each counts 1
    unanswered: Array | None = None  # abstentions by real class: (real, *stack)
    unanswered_squares: Array | None = None  # their squared weights, where cases are weighted
    unanswered_cases: Array | None = None  # rows read of them, where not each counts 1
    dropped: Array | None = None  # rows left out because a label was missing: (*stack)
    respelled: Array | None = None  # rows with a label that `normalize` took for another: (*stack)
    axes: Axes = ()  # names along each axis of the stack
    derived: str | None = None  # how it was computed, for a table that was not observed
    stated: Stated | None = None  # who stated the order of the labels; None: see `order`
    remarks: tuple[str, ...] = ()  # what was done to read it, that a reader should know
    unlabelled: int = 0  # predictions that a join left out, as nothing says what was real; of a whole stack
    unfinished: tuple[str, ...] = ()  # how a run ended that did not answer all that it was asked: said first
    units: Units | None = None  # what repeats: see `evidence.units`; None: each case is its own unit

    def held(self) -> Iterator[tuple[str, int, Array]]:
        """The arrays that are there: name, how many axes of classes come first, numbers."""
        arrays = ((name, lead, getattr(self, name)) for name, lead in HELD.items())
        return (found for found in arrays if found[2] is not None)

    @property
    def counts(self) -> Array:
        """Counts, shape ``(..., predicted, real)``; read only."""
        return np.moveaxis(whole(self.cells), (0, 1), (-2, -1))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the stack; ``()`` for one table."""
        return self.cells.shape[2:]

    @property
    def is_square(self) -> bool:
        """Whether predictions and reality share their labels."""
        return self.predicted_labels == self.real_labels

    @property
    def labels(self) -> Labels:
        """The classes, of a table whose predictions and reality share them."""
        if not self.is_square:
            raise TableError("This table is rectangular: it has predicted_labels and real_labels.")
        return self.real_labels

    @property
    def order(self) -> Order | None:
        """How the order of the labels is known; None where only the alphabet orders them.

        "given" by the caller, "declared" by the type of the column, "numbers", "numerals" (text
        that is all numbers), or "two classes", which need none.
        """
        known = order_of(self.real_labels, self.stated)
        return known if self.is_square else known and order_of(self.predicted_labels, self.stated)

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @property
    def n(self) -> Floats:
        """Number of answered cases (their total weight)."""
        return plain(self.total)

    @cached_property
    def doubt(self) -> Doubt | None:
        """Why its answers are hardly what they are taken for, such as "yes" where "Yes" is real."""
        if not self.is_square or self.derived is not None:
            return None
        held = self.real_totals if self.unanswered is None else self.real_totals + self.unanswered
        sides = (x.reshape(self.k, -1).sum(axis=1) for x in (held, self.predicted_totals))
        real, said = ({x: float(n) for x, n in zip(self.labels, side, strict=True) if n} for side in sides)
        return doubt(real, said)

    @property
    def abstained(self) -> Array:
        """Cases without an answer by real class, shape ``(..., real)``."""
        if self.unanswered is None:
            return np.zeros((*self.shape, len(self.real_labels)))
        return np.moveaxis(self.unanswered, 0, -1)

    @property
    def missing(self) -> Floats:
        """Rows left out because a label was missing."""
        return plain(np.zeros(self.shape) if self.dropped is None else self.dropped)

    @property
    def rows(self) -> Floats:
        """Rows given in all: answered, abstained and missing."""
        if self.cases is None:
            return plain(self.total + self.abstained.sum(axis=-1) + self.missing)
        silent = 0 if self.unanswered_cases is None else self.unanswered_cases.sum(axis=0)
        return plain(np.asarray(self.cases.sum(axis=(0, 1)) + silent + self.missing))

    def effective_n(self, measure: Any) -> Floats:
        """Number of independent, equally weighted cases worth as much as these to a measure.

        Weights and units count as far as they touch what the measure reads: recall rests on the real
        positives, precision on the predicted ones. A measure of one class of several gives one number a class.
        """
        return plain(VERBS["worth"](self, measure)[1])

    def metrics(self) -> dict[str, float]:
        """The numbers of the table's report in one flat mapping, as MLflow and W&B log them; see `Result.metrics`."""
        return dict(VERBS["metrics"](self))

    def design_effect(self, measure: Any) -> Floats:
        """How many of the cases that a measure is about are worth one independent, equally weighted case to it.

        A measure over all cases is also about those without an answer.
        """
        return plain(ratio(*VERBS["worth"](self, measure)))

    @property
    def prevalence(self) -> Array:
        """Share of each real class, shape ``(..., real)``."""
        return np.moveaxis(ratio(self.real_totals, self.total), 0, -1)

    @property
    def bias(self) -> Array:
        """Share of each predicted label, shape ``(..., predicted)``."""
        return np.moveaxis(ratio(self.predicted_totals, self.total), 0, -1)

    @property
    def names(self) -> Any:
        """Names of the tables of a stack: a tuple, or a tuple for each axis; None without."""
        if all(axis is None for axis in self.axes):
            return None
        return self.axes[0] if len(self.axes) == 1 else self.axes

    # ------------------------------------------------------------------ margins and cells

    @cached_property
    def real_totals(self) -> Array:
        """Cases of each real class, ``(real, *stack)``."""
        return np.asarray(self.cells.sum(axis=0))

    @cached_property
    def predicted_totals(self) -> Array:
        """Cases of each predicted label, ``(predicted, *stack)``."""
        return np.asarray(self.cells.sum(axis=1))

    @cached_property
    def total(self) -> Array:
        """Answered cases, ``(*stack)``."""
        return np.asarray(self.real_totals.sum(axis=0))

    @cached_property
    def hits(self) -> Array:
        """The diagonal, ``(class, *stack)``."""
        _ = self.labels  # refused where the sides have labels of their own
        return diagonal(self.cells)

    @cached_property
    def false_alarms(self) -> Array:
        """Cases wrongly predicted to be of each class, ``(class, *stack)``."""
        return off_diagonal(self.cells)

    @cached_property
    def misses(self) -> Array:
        """Cases of each class predicted to be something else, ``(class, *stack)``."""
        return off_diagonal(self.cells.swapaxes(0, 1))

    @cached_property
    def real_rest(self) -> Array:
        """Cases of all other classes: the total without `real_totals`, free of cancellation."""
        return others(self.real_totals)

    @cached_property
    def predicted_rest(self) -> Array:
        """Cases of all other labels: the total without `predicted_totals`."""
        return others(self.predicted_totals)

    @property
    def plus(self) -> int:
        """Position of the positive class."""
        if not self.is_square or len(self.real_labels) != 2:
            raise TableError(
                f"This table has the classes {some(self.real_labels)}, so no one of them is positive.",
                "give `average=`",
                "take `one_vs_rest()`",
                "`collapse` to two",
            )
        if self.positive is None:
            raise TableError(
                f"Which of {some(self.labels)} is positive?",
                "name it by `positive=`",
                "use `t.with_positive(label)`, `average=` or `one_vs_rest()`",
            )
        return self.labels.index(self.positive)

    def _cell(self, predicted_plus: bool, real_plus: bool) -> Array:
        plus = self.plus
        return np.asarray(self.cells[plus if predicted_plus else 1 - plus, plus if real_plus else 1 - plus])

    @property
    def tp(self) -> Array:
        """True positives: predicted positive and really so."""
        return self._cell(True, True)

    @property
    def fp(self) -> Array:
        """False positives: predicted positive and really negative."""
        return self._cell(True, False)

    @property
    def fn(self) -> Array:
        """False negatives: predicted negative and really positive."""
        return self._cell(False, True)

    @property
    def tn(self) -> Array:
        """True negatives: predicted negative and really so."""
        return self._cell(False, False)

    @property
    def pp(self) -> Array:
        """Predicted positives."""
        return np.asarray(self.predicted_totals[self.plus])

    @property
    def pn(self) -> Array:
        """Predicted negatives."""
        return np.asarray(self.predicted_totals[1 - self.plus])

    @property
    def rp(self) -> Array:
        """Real positives."""
        return np.asarray(self.real_totals[self.plus])

    @property
    def rn(self) -> Array:
        """Real negatives."""
        return np.asarray(self.real_totals[1 - self.plus])
