"""The convex hull of a ROC curve: what mixing thresholds at random can reach.

Between two points of the hull lies a classifier that uses one threshold or the other by the toss
of a coin. Repairing a concavity so is free on the cases at hand; on new cases it is worth less,
because the corners were chosen on the same cases (`informed.threshold` measures by how much).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import rate
from informed.decisions.auc import area
from informed.errors import TableError
from informed.results import Records, Result, plain


@dataclass(frozen=True, repr=False)
class Mixture(Result):
    """A classifier between two thresholds: one of them, drawn anew for each case."""

    thresholds: tuple[float, float]
    probabilities: tuple[float, float]
    recall: float
    fallout: float

    def records(self) -> Records:
        """A row for each threshold, with what both together reach."""
        return Records.beside(
            {
                "threshold": ("amount", self.thresholds),
                "probability": ("number", self.probabilities),
                "recall": ("number", self.recall),
                "fallout": ("number", self.fallout),
            }
        )

    def sentence(self) -> str:
        """Which two thresholds are mixed and how often, in a sentence."""
        (a, b), (p, q) = self.thresholds, self.probabilities
        return (
            f"Threshold {a:g} with probability {p:.3g}, else {b:g} ({q:.3g}): recall "
            f"{self.recall:.4g}, fallout {self.fallout:.4g}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Hull(Result):
    """Corners of the upper convex hull, from (0, 0) to (1, 1)."""

    thresholds: Array
    tp: Array
    fp: Array

    @property
    def recall(self) -> Array:
        """Recall at each corner."""
        return ratio(self.tp, self.tp[-1])

    @property
    def fallout(self) -> Array:
        """Fallout at each corner."""
        return ratio(self.fp, self.fp[-1])

    @property
    def slopes(self) -> Array:
        """Slope of each edge: the ratio c = c_v·c_s from which its upper corner is the better."""
        return ratio(np.diff(self.recall), np.diff(self.fallout))

    @property
    def auc(self) -> float:
        """Area below the hull: no mixture of these thresholds has more."""
        return float(ratio(area(self.tp, self.fp), self.tp[-1] * self.fp[-1]))

    def records(self) -> Records:
        """A row for each corner."""
        return points(self)

    def to_dict(self) -> dict[str, Any]:
        """The area, and the corners as lists."""
        names = {"threshold": "thresholds", "recall": "recall", "fallout": "fallout"}
        held = plain(self.records().lists())
        return {"auc": plain(self.auc), **{name: held[own] for own, name in names.items()}}

    def sentence(self) -> str:
        return f"A convex hull of {len(self.thresholds)} corners with an area of {rate(self.auc)}."

    def at(self, *, fallout: float | None = None, recall: float | None = None) -> Mixture:
        """The randomised classifier on the hull with this fallout or this recall."""
        if (fallout is None) == (recall is None):
            raise TableError("Give one of `fallout` and `recall`.")
        wanted = fallout if recall is None else recall
        assert wanted is not None
        along = self.fallout if recall is None else self.recall
        if not 0 <= wanted <= 1 or np.isnan(along).any():
            raise TableError(f"{wanted!r} is not between 0 and 1, or a class has no cases.")
        found = np.searchsorted(along, wanted, "right" if recall is None else "left")
        b = int(np.clip(found, 1, len(along) - 1))
        a = b - 1
        share = float(np.clip(ratio(wanted - along[a], along[b] - along[a]), 0, 1))
        if np.isnan(share):  # a vertical or horizontal edge: its better end
            share = 1.0 if recall is None else 0.0

        def mixed(values: Array) -> float:
            return float(values[a] + share * (values[b] - values[a]))

        return Mixture(
            (float(self.thresholds[a]), float(self.thresholds[b])),
            (1 - share, share),
            mixed(self.recall),
            mixed(self.fallout),
        )


def points(held: Any) -> Records:
    """A row for each threshold of a curve or a hull."""
    return Records.beside(
        {
            "threshold": ("amount", held.thresholds),
            "tp": ("count", held.tp),
            "fp": ("count", held.fp),
            "recall": ("number", held.recall),
            "fallout": ("number", held.fallout),
        }
    )


def hull(thresholds: Array, tp: Array, fp: Array) -> Hull:
    """The hull of a curve, in one pass: it is the isotonic regression of reality on the score."""
    from scipy.optimize import isotonic_regression

    gained, lost = np.diff(tp), np.diff(fp)
    seen = gained + lost > 0  # a step of weight 0 goes nowhere
    at = np.concatenate([[0], 1 + np.flatnonzero(seen)])
    gained, lost = gained[seen], lost[seen]
    if not len(gained):
        return Hull(thresholds[:1], tp[:1], fp[:1])
    fit = isotonic_regression(ratio(gained, gained + lost), weights=gained + lost, increasing=False)
    corners = at[np.asarray(fit.blocks)]
    return Hull(thresholds[corners], tp[corners], fp[corners])
