"""How often each score occurs in each real class: all that a ROC curve needs of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Floats, plain, ratio
from informed.evidence.labels import Labels


@dataclass(frozen=True, eq=False)
class Scores:
    """A histogram of scores by real class.

    `thresholds` ascend, and each is the smallest score that its bin holds. So the table at
    "score ≥ threshold" is exact for every threshold; where `exact` is false, thresholds between
    them are left out, and `auc_error` says how much that can move an area under the curve.
    """

    thresholds: Array  # (bins,)
    counts: Array  # (*stack, bins, classes)
    labels: Labels
    exact: bool  # every distinct score has its own bin
    squares: Array | None = None  # sums of squared weights, as counts
    positive: Hashable | None = None
    missing: int = 0  # rows left out because a label or score was missing
    rows: int = 0
    axes: tuple[Labels, ...] = ()  # names along each axis of the stack

    def __repr__(self) -> str:
        what = "distinct scores" if self.exact else "bins"
        return f"Scores: {self.rows:,} rows, {len(self.thresholds):,} {what}, labels {self.labels}"

    @property
    def auc_error(self) -> Floats:
        """Most that the area under the curve of two classes can be off: half the tied pairs."""
        if self.exact:
            return plain(np.zeros(self.counts.shape[:-2]))
        totals = self.counts.sum(axis=-2)
        if self.counts.shape[-1] != 2:
            return plain(np.full(self.counts.shape[:-2], np.nan))
        tied = (self.counts[..., 0] * self.counts[..., 1]).sum(axis=-1)
        return plain(ratio(tied, 2 * totals[..., 0] * totals[..., 1]))


@dataclass(frozen=True, eq=False)
class ScoreColumns:
    """Several scores of the same cases, each different row once with how often it occurs."""

    real: list[Hashable]
    scores: dict[Hashable, Array]
    counts: NDArray[np.int64]
    missing: int = 0  # rows left out because a label or score was missing
    unit: list[Hashable] | None = None  # what each row belongs to
    item: list[Hashable] | None = None  # the item that was scored, perhaps several times
    by: list[Hashable] | None = None  # the group of each row

    def __repr__(self) -> str:
        return f"ScoreColumns: {int(self.counts.sum()):,} rows, scores {tuple(self.scores)}"

    def cases(self) -> dict[str, Any]:
        """`real` and `scores`, a case each, and `unit` and `item` where they are known: the arguments of
        `compare_areas`."""
        at = np.repeat(np.arange(len(self.counts)), self.counts)

        def each(values: list[Hashable]) -> NDArray[Any]:
            held = np.empty(len(values), dtype=object)
            held[:] = values
            return held[at]

        groups: dict[str, Any] = {
            name: each(x) for name, x in (("unit", self.unit), ("item", self.item)) if x is not None
        }
        return {"real": each(self.real), "scores": {k: v[at] for k, v in self.scores.items()}, **groups}

    def groups(self) -> dict[Hashable, ScoreColumns]:
        """The rows of each group."""
        if self.by is None:
            return {}
        group = np.array([str(x) for x in self.by])
        found = {}
        for name in sorted(set(self.by), key=str):
            at = np.flatnonzero(group == str(name))

            def these(x: list[Hashable] | None, at: NDArray[np.int64] = at) -> list[Hashable] | None:
                return None if x is None else [x[i] for i in at]

            scores = {k: v[at] for k, v in self.scores.items()}
            real = these(self.real) or []
            found[name] = ScoreColumns(real, scores, self.counts[at], 0, these(self.unit), these(self.item))
        return found

    @property
    def shared(self) -> int:
        """Units, or items, that are in several groups."""
        own = self.item if self.unit is None else self.unit
        if self.by is None or own is None:
            return 0
        pairs = {(str(u), str(g)) for u, g in zip(own, self.by, strict=True)}
        return sum(n > 1 for n in Counter(u for u, _ in pairs).values())
