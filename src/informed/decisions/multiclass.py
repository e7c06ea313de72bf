"""Several areas: of two curves, of several scores on the same cases, of many classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import percent, probability, rate, signed, span
from informed.decisions import auc as _auc
from informed.decisions.curve import Curve
from informed.decisions.roc import numbers, roc, two_classes
from informed.errors import InferenceError, LabelError
from informed.evidence.columns import column
from informed.evidence.label_policy import LabelPolicy, Missing, encode
from informed.evidence.labels import some
from informed.inference.answers import Interval
from informed.inference.given import checked_level
from informed.results import Note, Records, Result, plain_dict, warning

__all__ = ["AreaDifference", "Areas", "compare_areas", "compare_curves", "multiclass"]


@dataclass(frozen=True, repr=False)
class AreaDifference(Result):
    """Area of a less area of b."""

    kinds = dict.fromkeys(("estimate", "low", "high"), "signed")

    estimate: float
    low: float
    high: float
    pvalue: float
    a: float
    b: float
    level: float
    method: str
    notes: tuple[Note, ...] = ()

    def sentence(self) -> str:
        """Both areas, their difference with its interval, and its p-value."""
        found = f"{signed(self.estimate)} {span(self.low, self.high)}".strip()
        return (
            f"AUC {rate(self.a)} − {rate(self.b)} = {found} ({percent(self.level)}), "
            f"{probability(self.pvalue)} ({self.method})."
        )


def compare_curves(a: Curve, b: Curve, level: float = 0.95) -> AreaDifference:
    """Difference of two areas from different cases (DeLong, unpaired)."""
    spread = [_auc.variance(c.tp, c.fp, c.squares) for c in (a, b)]
    return _difference(a.auc, b.auc, spread[0] + spread[1], level, "delong, unpaired")


def compare_areas(
    *, real: Any, scores: Mapping[Any, Any], positive: Any = None, level: float = 0.95, missing: Missing = "error"
) -> dict[tuple[Any, Any], AreaDifference]:
    """Differences of the areas of several scores of the same cases (DeLong, paired).

    One for each pair of names, in their order. ``missing="drop"`` leaves out the cases that lack
    a label or any of the scores.

    >>> found = compare_areas(
    ...     real=[0, 0, 0, 1, 1, 1],
    ...     scores={"old": [1, 2, 5, 3, 4, 6], "new": [1, 2, 3, 4, 6, 5]},
    ... )
    >>> round(found["old", "new"].estimate, 4)
    -0.2222
    """
    _, _, is_positive, there = two_classes(real, positive, missing)
    names = list(scores)
    if len(names) < 2:
        raise InferenceError("Two or more scores are needed, by name.")
    held = {name: numbers(scores[name], len(is_positive)) for name in names}
    if missing == "drop":
        there = np.logical_and.reduce([there, *(~np.isnan(x) for x in held.values())])
        is_positive = is_positive[there]
        held = {name: x[there] for name, x in held.items()}

    areas, above, below = [], [], []
    for name in names:
        values = held[name]
        curve = roc(real=is_positive, score=values)
        if curve.why:
            raise InferenceError(f"There is nothing to compare: {curve.why}.")
        points = (curve.tp, curve.fp, curve.thresholds)
        areas.append(curve.auc)
        above.append(_auc.placements(*points, values[is_positive], True))
        below.append(_auc.placements(*points, values[~is_positive], False))

    spread = _auc.covariance(np.array(above), np.array(below))
    found = {}
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            var = float(spread[i, i] + spread[j, j] - 2 * spread[i, j])
            found[names[i], names[j]] = _difference(areas[i], areas[j], var, level, "delong, paired")
    return found


def _difference(a: float, b: float, var: float, level: float, method: str) -> AreaDifference:
    from scipy.special import ndtr, ndtri

    checked_level(level)
    estimate = a - b
    if not var > 1e-20:  # rounding leaves a few 1e-33 of equal scores
        why = warning(
            "The data show no spread of this difference (equal or perfect rankings, or too few "
            "cases), so it has no interval and no p-value.",
            "no-spread",
        )
        return AreaDifference(estimate, np.nan, np.nan, np.nan, a, b, level, method, (why,))
    half = float(ndtri((1 + level) / 2)) * np.sqrt(var)
    pvalue = float(2 * ndtr(-abs(estimate) / np.sqrt(var)))
    low, high = max(estimate - half, -1.0), min(estimate + half, 1.0)
    return AreaDifference(estimate, float(low), float(high), pvalue, a, b, level, method)


MEANS = {
    "macro": "mean over the classes",
    "weighted": "weighted by prevalence",
    "hand_till": "over pairs of classes (Hand and Till)",
}


@dataclass(frozen=True, eq=False, repr=False)
class Areas(Result):
    """Areas of many classes, each by the score of its own column."""

    labels: tuple[Hashable, ...]
    one_vs_rest: Array  # each class against all others
    prevalence: Array
    pairs: Array  # Hand and Till's A(i, j), symmetric
    variances: Mapping[str, float]  # of macro, weighted and hand_till
    one_vs_rest_variance: Array

    @property
    def macro(self) -> float:
        """Mean over the classes."""
        return float(np.mean(self.one_vs_rest))

    @property
    def weighted(self) -> float:
        """Mean over the classes, weighted by prevalence."""
        return float(np.dot(self.prevalence, self.one_vs_rest))

    @property
    def hand_till(self) -> float:
        """Mean over the pairs of classes: it does not depend on prevalence."""
        k = len(self.labels)
        return float(np.mean(self.pairs[np.triu_indices(k, 1)]))

    def interval(self, which: str = "macro", level: float = 0.95) -> Interval:
        """Interval of "macro", "weighted" or "hand_till", or of "one_vs_rest": one for each class.

        DeLong's variance, carried over to the means case by case and taken on the logit scale. For
        "weighted" the prevalences are estimates too.
        """
        checked_level(level)
        if which == "one_vs_rest":
            held = zip(self.one_vs_rest, self.one_vs_rest_variance, strict=True)
            low, high = np.array([_auc.logit_limits(float(a), v, level) for a, v in held]).T
            return self._interval(self.one_vs_rest, low, high, level, which)
        if which not in self.variances:
            raise InferenceError(f"`which` is {which!r}; it must be one_vs_rest, {', '.join(self.variances)}.")
        value = float(getattr(self, which))
        ends = _auc.logit_limits(value, self.variances[which], level)
        return self._interval(value, *ends, level, which)

    def _interval(self, value: Any, low: Any, high: Any, level: float, which: str) -> Interval:
        none = np.isnan(low).any()
        said = Note("Where the data show no spread of an area, it has no interval.", code="no-spread")
        why = (said,) if none else ()
        return Interval(value, low, high, level, "delong-logit", f"auc {which}", "multinomial", why)

    def records(self, level: float = 0.95) -> Records:
        """A row for each class: its area against the rest, with its interval."""
        each = self.interval("one_vs_rest", level)
        return Records.beside(
            {
                "class": ("label", self.labels),
                "auc": ("number", self.one_vs_rest),
                "low": ("number", each.low),
                "high": ("number", each.high),
                "prevalence": ("number", self.prevalence),
            }
        )

    def means(self, level: float = 0.95) -> Records:
        """A row for each mean over the classes or their pairs, with its interval."""
        found = {title: self.interval(which, level) for which, title in MEANS.items()}
        return Records.of(
            {"mean": "words", "auc": "number", "low": "number", "high": "number"},
            [(title, i.estimate, i.low, i.high) for title, i in found.items()],
        )

    def to_dict(self) -> dict[str, Any]:
        """Each class, the means by name, and Hand and Till's areas of all pairs."""
        rows = zip(MEANS, self.means().dicts(), strict=True)
        means = {which: {"estimate": row["auc"], "low": row["low"], "high": row["high"]} for which, row in rows}
        held = {"classes": self.records(), **means, "labels": self.labels, "pairs": self.pairs}
        return plain_dict(held)

    def sentence(self, level: float = 0.95) -> str:
        """The three means with their intervals."""
        said = [
            f"{row['mean']} {rate(row['auc'])} {span(row['low'], row['high'])}".strip() for row in self.means(level)
        ]
        return f"AUC of {len(self.labels)} classes ({percent(level)}): {'; '.join(said)}."


def multiclass(*, real: Any, score: Any, labels: Any = None, missing: Missing = "error") -> Areas:
    """Areas of a score with a column for each class.

    `labels` names the columns; by default they are the classes in the order of `Table.labels`.
    ``missing="drop"`` leaves out the cases that lack a label or any of their scores.
    """
    if missing == "abstain":
        raise LabelError('A score cannot abstain: use missing="error" or missing="drop".')
    side = column(real, "real").side()
    found = encode([side], LabelPolicy(labels, missing=missing), names=["real"])
    order, codes = found.labels, found.places[0]
    values = np.asarray(score, dtype=np.float64)

    if values.shape != (len(codes), len(order)):
        raise LabelError(
            f"`score` has shape {values.shape}; {(len(codes), len(order))} is needed, a column for "
            f"each of {some(order)}."
        )
    if missing == "drop":
        known = ~found.lost & ~np.isnan(values).any(axis=1)
        codes, values = codes[known], values[known]

    if np.isnan(values).any():
        raise LabelError("`score` holds NaN; every case needs a score for every class.")
    k = len(order)
    each, added = _auc.one_vs_rest(values, codes, k)
    pairs, paired = _auc.hand_till(values, codes, k)
    sizes = np.bincount(codes, minlength=k)
    share = ratio(sizes, len(codes))
    # what each case adds to the weighted mean by its class alone: the weights are shares
    by_class = (each[codes] - np.dot(share, each)) / len(codes)
    parts = {"macro": added.mean(axis=0), "weighted": share @ added + by_class, "hand_till": paired}

    spare = ratio(sizes, sizes - 1.0)[codes]  # a class's own mean was taken off
    return Areas(
        labels=order,
        one_vs_rest=each,
        prevalence=share,
        pairs=pairs,
        variances={name: float(np.dot(x**2, spare)) for name, x in parts.items()},
        one_vs_rest_variance=np.array([_one_variance(added[i], codes == i) for i in range(k)]),
    )


def _one_variance(added: Array, own: NDArray[np.bool_]) -> float:
    """DeLong's variance of a class against the rest."""
    sizes = np.array([own.sum(), (~own).sum()])
    if sizes.min() < 2:
        return np.nan
    spare = np.where(own, *(sizes / (sizes - 1)))
    return float(np.dot(added**2, spare))
