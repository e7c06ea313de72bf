"""Joint: how often two systems gave each pair of answers to items of each real class.

The joint table (real × a × b) is all that a comparison on the same items needs. It is a count
table again: joints stack, and their margins are the two ordinary tables. Inside, cells stand first,
``(real, a, b, *stack)``; where a system may give no answer its axis has one place more, the last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from informed.evidence.counting import check_cells, check_lengths, distinct
from informed.evidence.histogram import Codes
from informed.evidence.label_order import Stated
from informed.evidence.label_policy import LabelPolicy, Missing, encode, respelled
from informed.evidence.labels import Label, Labels, text
from informed.evidence.likeness import Normalize
from informed.evidence.paired_epochs import crossed
from informed.evidence.table import Table
from informed.evidence.unit_counting import check_items, group_places, word_of
from informed.evidence.units import Ints, Units


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
    cases: Array | None = None  # rows read, as cells; None where an item counts 1
    units: Units | None = None  # what units hold of the cells in their order; None: each item is its own unit
    axes: Axes = ()
    dropped: int = 0  # items left out because a label was missing
    respelled: int = 0  # items with a label that `normalize` took for another
    stated: Stated | None = None  # who stated the order of the labels
    remarks: tuple[str, ...] = ()  # what was done to read it, that a reader should know

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
        item: Any = None,
        normalize: Normalize = None,
    ) -> Joint:
        """Count triples of labels, by the policies of `Table.from_labels`."""
        given, names = [real, a, b], ["real", "a", "b"]
        policy = LabelPolicy(labels, abstain, missing, normalize=normalize)
        if unit is None and item is None:
            columns, sides, sums = distinct(given, names, weights)
        else:  # who belongs together is told of each row
            columns, sums = [column(x, name) for x, name in zip(given, names, strict=True)], None
            check_lengths(dict(zip(names, map(len, columns), strict=True)))
            sides = [x.side() for x in columns]
        n = None if sums is None else sums[0]
        held = encode(sides, policy, n=n, names=names, where=lambda side: columns[side].missing())
        if len(held.labels) < 2:
            raise LabelError(
                f"{text(held.labels[0])} is the only label of reality and of both systems; two "
                "classes at least are needed. `labels=` names classes that did not occur."
            )

        kept = ~held.lost
        said: dict[str, Any] = {"labels": held.labels, "stated": held.stated, "respelled": respelled(held, n)}
        said["remarks"] = held.remarks(2 * float(len(held.lost) if n is None else n.sum()))
        said["positive"] = None if positive is None else policy.canonical(positive)
        said["dropped"] = int(held.lost.sum() if n is None else n[held.lost].sum())
        if sums is not None:
            w2 = None if weights is None else sums[2][kept]
            return cls._counted([x[kept] for x in held.places], (sums[0][kept], sums[1][kept], w2), **said)
        w = None if weights is None else floats(weights, "weights", len(held.lost))
        groups = group_places({"unit": unit, "item": item}, len(held.lost))
        check_items(groups, held.places[0], w)
        return cls.from_codes(
            *(x[kept] for x in held.places),
            weights=None if w is None else w[kept],
            groups={name: x[kept] for name, x in groups.items()},
            unit_name=word_of(unit, "unit"),
            **said,
        )

    @classmethod
    def from_codes(
        cls,
        real: Codes,
        a: Codes,
        b: Codes,
        *,
        labels: Labels,
        weights: ArrayLike | None = None,
        groups: Mapping[str, Ints] | None = None,
        unit_name: str = "unit",
        **said: Any,
    ) -> Joint:
        """Count places in `labels`; -1 is no answer, and -2 a question that was not asked, where `groups` tell the
        "item" of each row: the answers of a to an item then go with each of b's, and share its weight. `groups` may
        also number the "unit" of each row."""
        places = [np.asarray(x, np.int64) for x in (real, a, b)]
        held = groups or {}
        unit = held.get("unit")
        w = None if weights is None else floats(weights, "weights", len(real))
        if "item" in held:
            fields = crossed(
                places[0], (places[1], places[2]), held["item"], len(labels), unit=unit, weights=w, unit_name=unit_name
            )
            return cls(
                labels=labels, positive=positive_of(labels, labels, said.pop("positive", None)), **fields, **said
            )
        one = np.ones(len(real))
        found = cls._counted(places, (one, one if w is None else w, w if w is None else w * w), labels=labels, **said)
        if unit is None:
            return found
        return replace(found, units=Units.gathered(unit, _cell(places, *found.cells.shape[:2]), w, name=unit_name))

    @classmethod
    def _counted(
        cls,
        places: list[Any],
        sums: tuple[Array, Array, Array | None],
        *,
        labels: Labels,
        positive: Label | None = None,
        **said: Any,
    ) -> Joint:
        """Counts of rows at these places in the labels of (real, a, b), by their weights."""
        k = len(labels)
        wide = k + int(np.min(places[1]) < 0 or np.min(places[2]) < 0)
        shape = (k, wide, wide)
        check_cells(shape)
        cell = _cell(places, k, wide)

        def counted(values: Array) -> Array:
            return frozen(np.bincount(cell, values, minlength=prod(shape)).reshape(shape))

        n, w, w2 = sums
        return cls(
            cells=counted(w),
            labels=labels,
            positive=positive_of(labels, labels, positive),
            squares=None if w2 is None else counted(w2),
            cases=None if w2 is None else counted(n),
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
        k, wide = len(self.labels), self.cells.shape[1]

        def margins(held: Array | None) -> tuple[Array | None, Array | None]:
            if held is None:
                return None, None
            found = held.sum(axis=axis).swapaxes(0, 1)  # (answer, real, *stack)
            return frozen(found[:k]), frozen(found[k]) if self.abstains else None

        (cells, silent), squares, cases = margins(self.cells), margins(self.squares), margins(self.cases)
        assert cells is not None
        real, *answers = np.indices((k, wide, wide))
        units = None if self.units is None else self.units.mapped((answers[2 - axis] * k + real).ravel())
        if units is not None and units.asked and len(units.row) == len(units.mult):  # only the other's answers differ
            units, squares = replace(units, asked=False), (None, None)
            if (units.weight != 1).any():
                each = replace(units, weight=units.weight**2).cells(wide * k).reshape(wide, k, *self.shape)
                squares = frozen(each[:k]), frozen(each[k]) if self.abstains else None
        return Table(
            cells=cells,
            predicted_labels=self.labels,
            real_labels=self.labels,
            positive=self.positive,
            squares=squares[0],
            cases=cases[0],
            unanswered=silent,
            unanswered_squares=squares[1],
            unanswered_cases=cases[1],
            axes=self.axes,
            stated=self.stated,
            units=units,
        )

    # ------------------------------------------------------------------ transformations

    @property
    def common(self) -> Joint:
        """The items that both systems answered."""
        if not self.abstains:
            return self
        k, wide = len(self.labels), self.cells.shape[1]
        to = np.full((k, wide, wide), -1)
        to[:, :k, :k] = np.arange(k**3).reshape(k, k, k)
        return self._remade(lambda held: held[:, :k, :k], lambda units: units.mapped(to.ravel()))

    @property
    def swapped(self) -> Joint:
        """The two systems exchanged."""
        k, wide = len(self.labels), self.cells.shape[1]
        to = np.arange(k * wide * wide).reshape(k, wide, wide).swapaxes(1, 2).ravel()
        return self._remade(lambda held: held.swapaxes(1, 2), lambda units: units.mapped(to))

    def without_units(self) -> Joint:
        """The same counts, whose items are taken as independent whatever they belong to."""
        return replace(self, units=None)

    def with_positive(self, label: Label) -> Joint:
        """The same counts of two classes, with this one called positive."""
        return replace(self, positive=positive_of(self.labels, self.labels, label))

    def one_vs_rest(self) -> Joint:
        """Each class against all others: a stack with the classes as its last axis."""
        classes = range(len(self.labels))
        return self._remade(
            lambda held: np.stack([self._against(held, i) for i in classes], -1),
            lambda units: units.against([self._places_against(i) for i in classes]),
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

    def _places_against(self, one: int) -> Ints:
        """Where each cell goes when one class is told from all others."""
        k, wide = len(self.labels), self.cells.shape[1]
        real, a, b = (np.where(x == k, 2, x != one) for x in np.indices((k, wide, wide)))
        two = 3 if self.abstains else 2
        return np.asarray(((real * two + a) * two + b).ravel(), np.int64)

    def _remade(self, how: Callable[[Array], Any], units: Callable[[Units], Units], **changes: Any) -> Joint:
        arrays = {"cells": self.cells, "squares": self.squares, "cases": self.cases}
        held: dict[str, Any] = {name: frozen(how(x)) for name, x in arrays.items() if x is not None}
        if self.units is not None:
            held["units"] = units(self.units)
        return replace(self, **{**held, **changes})

    def __repr__(self) -> str:
        size = f"{float(self.total):,g} items" if not self.shape else f"a stack of {self.shape}"
        return f"Joint: {size}, {len(self.labels)} classes"


def _cell(places: Sequence[Any], k: int, wide: int) -> Ints:
    """The cell of each row by its real class and the two answers; no answer stands last."""
    real, a, b = (np.where(place < 0, k, place) for place in places)
    return np.asarray((real * wide + a) * wide + b, np.int64)
