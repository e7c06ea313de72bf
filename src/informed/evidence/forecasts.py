"""Probabilities of cases as they were read: one column, or one a class, of one system or of several."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from informed._arrays import Array
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label
from informed.evidence.likeness import Normalize


@dataclass(frozen=True, eq=False)
class Forecasts:
    """What `informed.probabilities` needs of a source: real classes, and probabilities by system."""

    real: Sequence[Hashable]
    probabilities: Mapping[Any, Array]  # a column each, or a matrix with a column a class
    labels: tuple[Hashable, ...] | None = None  # the classes of the columns of a matrix
    weights: Array | None = None
    unit: Any = None
    item: Any = None
    by: Sequence[Hashable] | None = None  # the group of each case
    positive: Label | None = None  # of two classes, the one that the probabilities are of
    missing: Missing = "error"  # what a missing label or probability does
    normalize: Normalize = None  # what makes real classes the same

    def columns(self) -> dict[Hashable, Any]:
        """The probabilities of each system: a column, or columns by the class that they are of."""
        if self.labels is None:
            return dict(self.probabilities)
        return {name: dict(zip(self.labels, p.T, strict=True)) for name, p in self.probabilities.items()}

    def __len__(self) -> int:
        return len(self.real)

    def __repr__(self) -> str:
        return f"Forecasts: {len(self):,} cases, probabilities of {tuple(self.probabilities)}"
