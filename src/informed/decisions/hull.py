"""The convex hull of a ROC curve: what mixing thresholds at random can reach.

Between two points of the hull lies a classifier that uses one threshold or the other by the toss
of a coin. Repairing a concavity so is free on the cases at hand; on new cases it is worth less,
because the corners were chosen on the same cases (`informed.threshold` measures by how much).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import rate
from informed.decisions.auc import area
from informed.errors import TableError
from informed.results import Records, Result, finite, picked, plain_dict


@dataclass(frozen=True, eq=False, repr=False)
class Steps(Result):
    """Thresholds, descending, with the real positives and negatives at or above each."""

    thresholds: Array
    tp: Array
    fp: Array

    @property
    def recall(self) -> Array:
        """Recall at each threshold."""
        return ratio(self.tp, self.tp[-1])

    @property
    def fallout(self) -> Array:
        """Fallout at each threshold."""
        return ratio(self.fp, self.fp[-1])

    @cached_property
    def auc(self) -> float:
        """Probability that a real positive scores higher than a real negative; a tie is half."""
        return float(ratio(area(self.tp, self.fp), self.tp[-1] * self.fp[-1]))

    def records(self) -> Records:
        """A row for each threshold."""
        return Records.picked(self, "threshold:amount=thresholds tp:count fp:count recall fallout")


@dataclass(frozen=True, repr=False)
class Mixture(Result):
    """A classifier between two thresholds: one of them, drawn anew for each case."""

    thresholds: tuple[float, float]
    probabilities: tuple[float, float]
    recall: float
    fallout: float

    def records(self) -> Records:
        """A row for each threshold, with what both together reach."""
        return Records.picked(self, "threshold:amount=thresholds probability=probabilities recall fallout")

    def metrics(self) -> dict[str, float]:
        """What both together reach."""
        return finite({"recall": self.recall, "fallout": self.fallout})

    def sentence(self) -> str:
        """Which two thresholds are mixed and how often, in a sentence."""
        (a, b), (p, q) = self.thresholds, self.probabilities
        return (
            f"Threshold {a:g} with probability {p:.3g}, else {b:g} ({q:.3g}): recall "
            f"{self.recall:.4g}, fallout {self.fallout:.4g}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Hull(Steps):
    """Corners of the upper convex hull, from (0, 0) to (1, 1); no mixture has more than its area."""

    @property
    def slopes(self) -> Array:
        """Slope of each edge: the ratio c = c_v·c_s from which its upper corner is the better."""
        return ratio(np.diff(self.recall), np.diff(self.fallout))

    def metrics(self) -> dict[str, float]:
        """Its area."""
        return finite({"hull_auc": self.auc})

    def to_dict(self) -> dict[str, Any]:
        """The area, and the corners as lists."""
        return plain_dict(picked(self, "auc thresholds recall fallout"))

    def sentence(self) -> str:
        return f"A convex hull of {len(self.thresholds)} corners with an area of {rate(self.auc)}."

    def at(self, *, fallout: float | None = None, recall: float | None = None) -> Mixture:
        """The randomised classifier on the hull with this fallout or this recall."""
        if (fallout is None) == (recall is None):
            raise TableError("Give one of `fallout` and `recall`.")
        wanted, along = (fallout, self.fallout) if recall is None else (recall, self.recall)
        assert wanted is not None
        if not 0 <= wanted <= 1 or np.isnan(along).any():
            raise TableError(f"{wanted!r} is not between 0 and 1, or a class has no cases.")

        found = np.searchsorted(along, wanted, "right" if recall is None else "left")
        b = int(np.clip(found, 1, len(along) - 1))
        a = b - 1
        share = float(np.clip(ratio(wanted - along[a], along[b] - along[a]), 0, 1))
        if np.isnan(share):  # a vertical or horizontal edge: its better end
            share = 1.0 if recall is None else 0.0

        mixed = [float(x[a] + share * (x[b] - x[a])) for x in (self.recall, self.fallout)]
        return Mixture((float(self.thresholds[a]), float(self.thresholds[b])), (1 - share, share), *mixed)


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
