"""The same items answered by several systems, as numbers: what comparisons need."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from informed.errors import TableError
from informed.table import Table

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

    def __len__(self) -> int:
        return len(self.real_codes)

    def __repr__(self) -> str:
        return f"Paired: {len(self):,} items, {len(self.names)} systems, {len(self.labels)} labels"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Paired):
            return NotImplemented
        return (
            (self.labels, self.names, self.items, self.positive, self.missing)
            == (other.labels, other.names, other.items, other.positive, other.missing)
            and np.array_equal(self.real_codes, other.real_codes)
            and np.array_equal(self.codes, other.codes)
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, holds arrays

    @property
    def tables(self) -> Table:
        """One table for each system, as a stack named after the systems."""
        k, systems = len(self.labels), len(self.names)
        answer = np.where(self.codes < 0, k, self.codes)  # an extra row holds the unanswered
        system = np.arange(systems)
        cell = (system * (k + 1) + answer) * k + self.real_codes[:, None]
        flat = np.bincount(cell.ravel(), minlength=systems * (k + 1) * k)
        counts = flat.reshape(systems, k + 1, k).astype(np.float64)
        return Table.from_counts(
            counts[:, :k],
            labels=self.labels,
            positive=self.positive,
            abstained=counts[:, k],
            names=self.names,
        )

    def joint(self, a: Hashable, b: Hashable) -> NDArray[np.float64]:
        """How often a and b gave each pair of answers: `(real, a, b)`, items both answered."""
        k = len(self.labels)
        one, other = (self.codes[:, self._place(name)] for name in (a, b))
        both = (one >= 0) & (other >= 0)
        cell = (self.real_codes[both] * k + one[both]) * k + other[both]
        return np.bincount(cell, minlength=k**3).reshape(k, k, k).astype(np.float64)

    def _place(self, name: Hashable) -> int:
        if name not in self.names:
            raise TableError(
                f"There is no system {name!r}; there are {', '.join(map(repr, self.names))}."
            )
        return self.names.index(name)
