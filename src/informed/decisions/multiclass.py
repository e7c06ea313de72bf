"""Several areas: of two curves, of several scores on the same cases, of many classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._columns import column
from informed._labels import canonical, ordered, some
from informed.decisions import _auc
from informed.decisions.curve import Curve, checked_level
from informed.decisions.roc import numbers, roc, two_classes
from informed.errors import InferenceError, LabelError

__all__ = ["AreaDifference", "Areas", "compare_areas", "compare_curves", "multiclass"]


@dataclass(frozen=True)
class AreaDifference:
    """Area of a less area of b."""

    estimate: float
    low: float
    high: float
    pvalue: float
    a: float
    b: float
    level: float
    method: str
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        said = (
            f"AUC {self.a:.4f} − {self.b:.4f} = {self.estimate:+.4f}, {self.low:+.4f} to "
            f"{self.high:+.4f} ({self.level:.0%}), p = {self.pvalue:.3g} ({self.method})"
        )
        return "\n".join([said, *self.notes])


def compare_curves(a: Curve, b: Curve, level: float = 0.95) -> AreaDifference:
    """Difference of two areas from different cases (DeLong, unpaired)."""
    spread = [_auc.variance(c.tp, c.fp, c.squares) for c in (a, b)]
    return _difference(a.auc, b.auc, spread[0] + spread[1], level, "delong, unpaired")


def compare_areas(
    *, real: Any, scores: Mapping[Any, Any], positive: Any = None, level: float = 0.95
) -> dict[tuple[Any, Any], AreaDifference]:
    """Differences of the areas of several scores of the same cases (DeLong, paired).

    One for each pair of names, in their order.

    >>> found = compare_areas(
    ...     real=[0, 0, 0, 1, 1, 1],
    ...     scores={"old": [1, 2, 5, 3, 4, 6], "new": [1, 2, 3, 4, 6, 5]},
    ... )
    >>> round(found["old", "new"].estimate, 4)
    -0.2222
    """
    _, _, is_positive = two_classes(real, positive)
    names = list(scores)
    if len(names) < 2:
        raise InferenceError("Two or more scores are needed, by name.")
    areas, above, below = [], [], []
    for name in names:
        values = numbers(scores[name], len(is_positive))
        curve = roc(real=is_positive, score=values)
        if curve.why:
            raise InferenceError(f"There is nothing to compare: {curve.why}.")
        held = (curve.tp, curve.fp, curve.thresholds)
        areas.append(curve.auc)
        above.append(_auc.placements(*held, values[is_positive], True))
        below.append(_auc.placements(*held, values[~is_positive], False))
    spread = _auc.covariance(np.array(above), np.array(below))
    found = {}
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            var = float(spread[i, i] + spread[j, j] - 2 * spread[i, j])
            found[names[i], names[j]] = _difference(
                areas[i], areas[j], var, level, "delong, paired"
            )
    return found


def _difference(a: float, b: float, var: float, level: float, method: str) -> AreaDifference:
    from scipy.special import ndtr, ndtri

    checked_level(level)
    estimate = a - b
    if not var > 1e-20:  # rounding leaves a few 1e-33 of equal scores
        why = (
            "The data show no spread of this difference (equal or perfect rankings, or too few "
            "cases), so it has no interval and no p-value."
        )
        return AreaDifference(estimate, np.nan, np.nan, np.nan, a, b, level, method, (why,))
    half = float(ndtri((1 + level) / 2)) * np.sqrt(var)
    pvalue = float(2 * ndtr(-abs(estimate) / np.sqrt(var)))
    low, high = max(estimate - half, -1.0), min(estimate + half, 1.0)
    return AreaDifference(estimate, float(low), float(high), pvalue, a, b, level, method)


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas of many classes, each by the score of its own column."""

    labels: tuple[Hashable, ...]
    one_vs_rest: Array  # each class against all others
    prevalence: Array
    pairs: Array  # Hand and Till's A(i, j), symmetric

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

    def text(self) -> str:
        lines = [f"AUC of {len(self.labels)} classes, each against the rest:"]
        lines += [f"  {x}: {a:.4f}" for x, a in zip(self.labels, self.one_vs_rest, strict=True)]
        return "\n".join(
            [
                *lines,
                f"mean {self.macro:.4f}, weighted by prevalence {self.weighted:.4f}, "
                f"over pairs of classes (Hand and Till) {self.hand_till:.4f}",
            ]
        )


def multiclass(*, real: Any, score: Any, labels: Any = None) -> Areas:
    """Areas of a score with a column for each class.

    `labels` names the columns; by default they are the classes in sorted order.
    """
    held = column(real, "real").dense()
    raw = list(held.names or ())
    if any(x is None for x in raw):
        raise LabelError("`real` lacks labels; drop those cases first.")
    names = [canonical(x) for x in raw]
    order = ordered(dict.fromkeys(names)) if labels is None else tuple(map(canonical, labels))
    if unknown := [x for x in names if x not in order]:
        raise LabelError(f"{some(unknown)} is real, but is not in `labels`.")
    values = np.asarray(score, dtype=np.float64)
    if values.shape != (len(held), len(order)):
        raise LabelError(
            f"`score` has shape {values.shape}; {(len(held), len(order))} is needed, a column for "
            f"each of {some(order)}."
        )
    if np.isnan(values).any():
        raise LabelError("`score` holds NaN; every case needs a score for every class.")
    codes = np.array([order.index(x) for x in names])[held.codes]
    each = [_auc.between(values[codes == i, i], values[codes != i, i]) for i in range(len(order))]
    return Areas(
        labels=order,
        one_vs_rest=np.array(each),
        prevalence=ratio(np.bincount(codes, minlength=len(order)), len(codes)),
        pairs=_auc.hand_till(values, codes, len(order)),
    )
