"""The same items answered by several systems, as numbers: what comparisons need."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import TableError
from informed.evidence.cells import same
from informed.evidence.columns import column
from informed.evidence.counting import at_places, axis_of
from informed.evidence.joint import Joint
from informed.evidence.label_order import Labels, Stated
from informed.evidence.label_policy import Encoded
from informed.evidence.table import Table

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Paired:
    """Answers of several systems to the same items.

    `codes[i, s]` is the place in `labels` of what system s answered to item i, -1 where it gave
    no answer; `real_codes[i]` is the place of the real label.
    """

    real_codes: Codes  # (items,)
    codes: Codes  # (items, systems)
    labels: tuple[Hashable, ...]
    names: tuple[Hashable, ...]  # of the systems
    items: tuple[Hashable, ...] | None = None  # None where the items have no names
    positive: Hashable | None = None
    missing: int = 0  # items left out because a label was missing
    weights: NDArray[np.float64] | None = None  # of the items
    unit: Codes | None = None  # the unit (document, patient) of each item, numbered from 0
    kept: Mapping[Hashable, tuple[Any, ...]] = field(default_factory=dict)  # other columns, by item
    stated: Stated | None = None  # who stated the order of the labels
    unsaid: int = 0  # missing answers that count as no answer

    def __len__(self) -> int:
        return len(self.real_codes)

    def __repr__(self) -> str:
        return f"Paired: {len(self):,} items, {len(self.names)} systems, {len(self.labels)} labels"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Paired):
            return NotImplemented
        plain = ("labels", "names", "items", "positive", "missing", "kept")
        arrays = ("real_codes", "codes", "weights", "unit")
        return all(getattr(self, name) == getattr(other, name) for name in plain) and all(
            same(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, holds arrays

    def where(self, chosen: NDArray[Any]) -> Paired:
        """Some of the items, by a mask or by their places."""
        at = np.arange(len(self))[chosen]
        return replace(
            self,
            real_codes=self.real_codes[at],
            codes=self.codes[at],
            items=None if self.items is None else tuple(self.items[i] for i in at),
            weights=None if self.weights is None else self.weights[at],
            unit=None if self.unit is None else self.unit[at],
            kept={name: tuple(values[i] for i in at) for name, values in self.kept.items()},
        )

    def among(self, names: Sequence[Hashable]) -> Paired:
        """These systems only, in this order."""
        at = [self._place(name) for name in names]
        return replace(self, codes=self.codes[:, at], names=tuple(names))

    @property
    def tables(self) -> Table:
        """One table for each system, as a stack named after the systems."""
        return self._counted()

    def tables_by(self, groups: Sequence[Any]) -> Table:
        """One table for each system and group of items, as a stack ``(systems, groups)``.

        `groups` has a value for each item, such as ``kept["language"]``.
        """
        if len(groups) != len(self):
            raise TableError(f"{len(groups)} groups were given for {len(self)} items.")
        return self._counted(axis_of(column(groups, "groups").side()))

    def _counted(self, *groups: tuple[Codes, Labels]) -> Table:
        items, systems = self.codes.shape

        def each(values: NDArray[Any]) -> NDArray[Any]:
            return np.repeat(values, systems)

        places = [each(self.real_codes), self.codes.ravel()]
        lost = np.zeros(items * systems, np.bool_)
        one = np.ones(items * systems)
        w = one if self.weights is None else each(self.weights)
        fields = at_places(
            Encoded(self.labels, self.labels, self.stated, places, lost),
            (one, w, w * w),
            [(np.tile(np.arange(systems), items), self.names), *((each(codes), names) for codes, names in groups)],
            squared=self.weights is not None,
        )
        return Table(**fields).with_positive(self.positive)

    def joint(self, a: Hashable, b: Hashable) -> NDArray[np.float64]:
        """How often a and b gave each pair of answers: `(real, a, b)`, items both answered."""
        one, other = (self.codes[:, self._place(name)] for name in (a, b))
        return Joint.from_codes(self.real_codes, one, other, labels=self.labels).common.counts

    def _place(self, name: Hashable) -> int:
        if name not in self.names:
            raise TableError(f"There is no system {name!r}; there are {', '.join(map(repr, self.names))}.")
        return self.names.index(name)
