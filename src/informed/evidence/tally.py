"""Tally: counting a stream, a loop of batches, or the share of one worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed.errors import LabelError, TableError
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label
from informed.evidence.table import Table


class Tally:
    """A table in the making. Feed it batches; merge the tallies of several workers.

    It holds counts only, can be pickled, and gives the same table whatever the batches were.

    >>> tally = Tally()
    >>> for real, predicted in [(["a", "b"], ["a", "a"]), (["b"], ["b"])]:
    ...     tally.update(real=real, predicted=predicted)
    >>> tally.table().counts.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """

    def __init__(
        self,
        *,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        missing: Missing = "error",
        positive: Label | None = None,
        frequency: bool = False,
        square: bool = True,
    ) -> None:
        self._how: dict[str, Any] = {
            "labels": None if labels is None else tuple(labels),
            "abstain": abstain,
            "missing": missing,
            "frequency": frequency,
            "square": square,
        }
        self._positive = positive
        self._so_far: Table | None = None
        if labels is not None and square:  # clusters have names of their own
            k = len(self._how["labels"])
            self._so_far = Table.from_counts(np.zeros((k, k)), labels=self._how["labels"])

    def update(self, *, real: Any, predicted: Any, weights: ArrayLike | None = None) -> None:
        """Count one batch; an empty batch is fine."""
        if _is_empty(real) and _is_empty(predicted):
            return
        self._add(Table.from_labels(real=real, predicted=predicted, weights=weights, **self._how))

    def merge(self, other: Tally) -> None:
        """Add what another tally has counted."""
        if other._so_far is not None:
            self._add(other._so_far)

    def table(self) -> Table:
        """The table so far."""
        if self._so_far is None:
            raise TableError("Nothing was counted yet, and no `labels` were given.")
        if self._positive is not None:
            return self._so_far.with_positive(self._positive)
        return self._so_far

    def _add(self, batch: Table) -> None:
        self._so_far = batch if self._so_far is None else self._so_far + batch

    def __repr__(self) -> str:
        return "Tally of nothing" if self._so_far is None else f"Tally: {self._so_far!r}"


def _is_empty(values: Any) -> bool:
    try:
        return len(values) == 0
    except TypeError:
        raise LabelError(f"`real` and `predicted` must be sequences; a {type(values).__name__} was given.") from None
