"""What errors cost: in informedness, and in the units of the user."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InformedError, TableError
from informed.evidence.table import Table
from informed.summary.parts import Confusion, Costs

MOST_CONFUSIONS = 20


def confusions(t: Table, cost: Any) -> tuple[Confusion, ...]:
    """The errors that take most off informedness (or cost most, where costs are given)."""
    if not t.is_square or not t.n:
        return ()
    counts, expected = t.counts, t.expected
    wrong = np.where(np.eye(t.k, dtype=bool), 0.0, counts)
    lost = ratio(wrong, (t.total - t.real_totals)[:, None])
    paid = None if cost is None else wrong * cost_matrix(t, cost)
    weight = np.nan_to_num(lost if paid is None else paid, posinf=0.0)
    most = np.argsort(-weight, axis=None, kind="stable")[:MOST_CONFUSIONS]
    found = []
    for at in most:
        p, r = np.unravel_index(at, counts.shape)
        if wrong[p, r] <= 0:
            continue
        found.append(
            Confusion(
                real=t.real_labels[r],
                predicted=t.predicted_labels[p],
                cases=float(counts[p, r]),
                expected=float(expected[p, r]),
                share=float(counts[p, r] / t.real_totals[r]),
                lost=float(lost[p, r]),
                cost=math.nan if paid is None else float(paid[p, r] / t.n),
            )
        )
    return tuple(found)


def cost_matrix(t: Table, cost: Any) -> Array:
    """Costs as a matrix (predicted, real); "5:1" is what a miss and a false alarm cost."""
    if isinstance(cost, str):
        parts = cost.split(":")
        try:
            cost = [float(x) for x in parts]
        except ValueError:
            raise InformedError(f"`cost` is {cost!r}; write FN:FP, as in 5:1.") from None
    matrix = np.asarray(cost, dtype=np.float64)
    if matrix.shape == (2,):
        if t.positive is None:
            raise TableError("A cost FN:FP needs two classes and `positive=`.")
        plus = t.labels.index(t.positive)
        miss, alarm = matrix
        matrix = np.zeros((2, 2))
        matrix[1 - plus, plus], matrix[plus, 1 - plus] = miss, alarm
    shape = (len(t.predicted_labels), len(t.real_labels))
    if matrix.shape != shape or not np.isfinite(matrix).all():
        raise InformedError(f"`cost` must be FN:FP or a finite matrix of the shape {shape}.")
    return matrix


def costs(t: Table, cost: Any) -> Costs | None:
    if cost is None or not t.n:
        return None
    matrix = cost_matrix(t, cost)
    each = (matrix * t.real_totals).sum(axis=1) / t.n
    return Costs(
        text=cost if isinstance(cost, str) else str(np.asarray(cost).tolist()),
        system=float((matrix * t.cells).sum() / t.n),
        rivals=tuple((x, float(c)) for x, c in zip(t.predicted_labels, each, strict=True)),
        guessing=float((matrix * t.expected).sum() / t.n),
        slope=_slope(t, matrix),
    )


def _slope(t: Table, matrix: Array) -> float:
    """Of isocost lines in the ROC plane: c = (cost of a false alarm · negatives) / (of a miss ·
    positives), less what the right answers cost."""
    if t.positive is None:
        return math.nan
    plus = t.labels.index(t.positive)
    alarm = matrix[plus, 1 - plus] - matrix[1 - plus, 1 - plus]
    miss = matrix[1 - plus, plus] - matrix[plus, plus]
    return float(ratio(alarm * float(t.rn), miss * float(t.rp)))
