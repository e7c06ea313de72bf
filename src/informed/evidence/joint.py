"""Joint: how often two systems gave each pair of answers to items of each real class.

The joint table (real × a × b) is all that a comparison on the same items needs. It is a count
table again: joints stack, and their margins are the two ordinary tables. Inside, cells stand first,
``(real, a, b, *stack)``; where a system may give no answer its axis has one place more, the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array
from informed.errors import LabelError, TableError
from informed.evidence.checks import Axes, classes_first, frozen, labels_of, named_axes, numbers, positive_of
from informed.evidence.columns import column, floats
from informed.evidence.counting import check_cells, check_lengths, distinct, numbered
from informed.evidence.histogram import Codes
from informed.evidence.label_order import Stated
from informed.evidence.label_policy import LabelPolicy, Missing, Side, encode
from informed.evidence.labels import Label, Labels, text
from informed.evidence.table import Table


@dataclass(frozen=True, eq=False)
class Joint:
    """Counts of items by real class, answer of a and answer of b, or a stack of such counts.

    >>> both = Joint.from_labels(real=[1, 1, 0, 0], a=[1, 0, 0, 1], b=[1, 1, 0, 0])
    >>> both.a.counts.tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    cells: Array  # (real, a, b, *stack)
    labels: Labels
    positive: Label | None = None
    squares: Array | None = None  # sums of squared weights, as cells
    units: Array | None = None  # counts of each unit, (real, a, b, unit)
    axes: Axes = ()
    dropped: int = 0  # items left out because a label was missing
    stated: Stated | None = None  # who stated the order of the labels

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        labels: Sequence[Label] | None = None,
        positive: Label | None = None,
        names: Sequence[Any] | None = None,
    ) -> Joint:
        """Take counts as they are: ``(..., real, a, b)``, one joint table or a stack."""
        array = numbers(counts, "joint")
        k = array.shape[-1] if array.ndim else 0
        if array.ndim < 3 or array.shape[-3:] != (k, k, k) or k < 2:
            raise TableError(
                f"`joint` has shape {array.shape}; the last three axes must be (real, a, b), each "
                "with the same two or more classes."
            )
        own, _ = labels_of(k, k, labels, None, None)
        return cls(
            cells=classes_first(array, 3),
            labels=own,
            positive=positive_of(own, own, positive),
            axes=named_axes(names, array.shape[:-3]),
            stated=None if labels is None else "given",
        )

    @classmethod
    def from_labels(
        cls,
        *,
        real: Any,
        a: Any,
        b: Any,
        weights: ArrayLike | None = None,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        missing: Missing = "error",
        positive: Label | None = None,
        unit: Any = None,
    ) -> Joint:
        """Count triples of labels, by the policies of `Table.from_labels`."""
        names = ["real", "a", "b"] if unit is None else ["real", "a", "b", "unit"]
        columns, sides, sums = distinct([real, a, b, unit][: len(names)], names, weights)
        held = encode(
            sides[:3],
            LabelPolicy(labels, abstain, missing),
            n=sums[0],
            names=names[:3],
            where=lambda side: columns[side].missing(),
        )
        if len(held.labels) < 2:
            raise LabelError(
                f"{text(held.labels[0])} is the only label of reality and of both systems; two "
                "classes at least are needed. `labels=` names classes that did not occur."
            )
        kept = ~held.lost
        return cls._counted(
            [places[kept] for places in held.places],
            sums[1][kept],
            None if weights is None else sums[2][kept],
            None if unit is None else replace(sides[3], codes=sides[3].codes[kept]),
            labels=held.labels,
            positive=positive,
            dropped=int(sums[0][held.lost].sum()),
            stated=held.stated,
        )

    @classmethod
    def from_codes(
        cls,
        real: Codes,
        a: Codes,
        b: Codes,
        *,
        weights: ArrayLike | None = None,
        unit: Any = None,
        labels: Labels,
        **said: Any,
    ) -> Joint:
        """Count places in `labels`; -1 is no answer."""
        w = None if weights is None else floats(weights, "weights", len(real))
        groups = None if unit is None else column(unit, "unit")
        if groups is not None:
            check_lengths({"real": len(real), "unit": len(groups)})
        return cls._counted(
            [np.asarray(real), np.asarray(a), np.asarray(b)],
            np.ones(len(real)) if w is None else w,
            None if w is None else w * w,
            None if groups is None else groups.side(),
            labels=labels,
            **said,
        )

    @classmethod
    def _counted(
        cls,
        places: list[Any],
        weights: Array,
        squares: Array | None,
        unit: Side | None,
        *,
        labels: Labels,
        positive: Label | None = None,
        **said: Any,
    ) -> Joint:
        """Counts of rows at these places in the labels of (real, a, b), by their weights."""
        k = len(labels)
        wide = k + (np.min(places[1]) < 0 or np.min(places[2]) < 0)
        real, a, b = (np.where(place < 0, k, place) for place in places)
        cell = (real * wide + a) * wide + b

        def counted(values: Array, group: Any = 0, groups: tuple[int, ...] = ()) -> Array:
            shape = (k, wide, wide, *groups)
            check_cells(shape)
            at = cell * prod(groups) + group
            return frozen(np.bincount(at, values, minlength=prod(shape)).reshape(shape))

        group = None if unit is None else numbered(unit)
        return cls(
            cells=counted(weights),
            labels=labels,
            positive=positive_of(labels, labels, positive),
            squares=None if squares is None else counted(squares),
            units=None if group is None else counted(weights, group, (int(group.max()) + 1,)),
            **said,
        )

    # ------------------------------------------------------------------ what it holds

    @property
    def counts(self) -> Array:
        """Counts, shape ``(..., real, a, b)``; read only."""
        return np.moveaxis(self.cells, (0, 1, 2), (-3, -2, -1))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the stack; ``()`` for one joint table."""
        return self.cells.shape[3:]

    @property
    def abstains(self) -> bool:
        """Whether a place is kept for no answer."""
        return bool(self.cells.shape[1] > len(self.labels))

    @cached_property
    def total(self) -> Array:
        """Items, ``(*stack)``."""
        return np.asarray(self.cells.sum(axis=(0, 1, 2)))

    @property
    def a(self) -> Table:
        """The table of the first system, with its abstentions."""
        return self._margin(2)

    @property
    def b(self) -> Table:
        """The table of the second system, with its abstentions."""
        return self._margin(1)

    def _margin(self, axis: int) -> Table:
        k = len(self.labels)

        def margin(held: Array) -> Array:
            return np.asarray(held.sum(axis=axis).swapaxes(0, 1))  # (answer, real, *stack)

        cells = margin(self.cells)
        return Table(
            cells=frozen(cells[:k]),
            predicted_labels=self.labels,
            real_labels=self.labels,
            positive=self.positive,
            squares=None if self.squares is None else frozen(margin(self.squares)[:k]),
            unanswered=frozen(cells[k]) if self.abstains else None,
            axes=self.axes,
            stated=self.stated,
        )

    # ------------------------------------------------------------------ transformations

    @property
    def common(self) -> Joint:
        """The items that both systems answered."""
        if not self.abstains:
            return self
        k = len(self.labels)
        return self._remade(lambda held: held[:, :k, :k])

    @property
    def swapped(self) -> Joint:
        """The two systems exchanged."""
        return self._remade(lambda held: held.swapaxes(1, 2))

    def with_positive(self, label: Label) -> Joint:
        """The same counts of two classes, with this one called positive."""
        return replace(self, positive=positive_of(self.labels, self.labels, label))

    def one_vs_rest(self) -> Joint:
        """Each class against all others: a stack with the classes as its last axis."""
        if self.units is not None:
            raise TableError(
                "Clustered items are compared over all classes; for one class, give labels that are that class or not."
            )
        return self._remade(
            lambda held: np.stack([self._against(held, i) for i in range(len(self.labels))], -1),
            labels=(True, False),
            positive=True,
            axes=(*self.axes, self.labels),
            stated=None,
        )

    def _against(self, held: Array, one: int) -> Array:
        k = len(self.labels)
        onto = np.array([np.arange(k) == one, np.arange(k) != one], dtype=np.float64)
        answer = onto
        if self.abstains:
            answer = np.pad(onto, (0, 1))
            answer[2, k] = 1
        found = np.einsum("xr,ya,zb,rab...->xyz...", onto, answer, answer, held, optimize=True)
        return np.asarray(found)

    def _remade(self, how: Callable[[Array], Any], **changes: Any) -> Joint:
        arrays = {"cells": self.cells, "squares": self.squares, "units": self.units}
        held = {name: frozen(how(x)) for name, x in arrays.items() if x is not None}
        return replace(self, **{**held, **changes})

    def __repr__(self) -> str:
        size = f"{float(self.total):,g} items" if not self.shape else f"a stack of {self.shape}"
        return f"Joint: {size}, {len(self.labels)} classes"
