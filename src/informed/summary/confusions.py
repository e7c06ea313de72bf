"""What errors cost: in informedness, and in the units of the user."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.decisions.costs import cost_matrix
from informed.evidence.cells import occupied
from informed.evidence.table import Table
from informed.summary.parts import Confusion, Costs

MOST_CONFUSIONS = 20


def confusions(t: Table, cost: Any) -> tuple[Confusion, ...]:
    """The errors that take most off informedness (or cost most, where costs are given)."""
    if not t.is_square or not t.n:
        return ()
    predicted, real, counts = occupied(t.cells)
    wrong = predicted != real
    predicted, real, counts = predicted[wrong], real[wrong], counts[wrong]
    lost = ratio(counts, (t.total - t.real_totals)[predicted])
    paid = None if cost is None else counts * cost_matrix(t, cost)[predicted, real]
    weight = np.nan_to_num(lost if paid is None else paid, posinf=0.0)

    def confusion(at: int) -> Confusion:
        p, r, cases = predicted[at], real[at], float(counts[at])
        return Confusion(
            real=t.real_labels[r],
            predicted=t.predicted_labels[p],
            cases=cases,
            expected=float(t.predicted_totals[p] * t.real_totals[r] / t.total),
            share=float(cases / t.real_totals[r]),
            lost=float(lost[at]),
            cost=math.nan if paid is None else float(paid[at] / t.n),
        )

    return tuple(map(confusion, np.argsort(-weight, kind="stable")[:MOST_CONFUSIONS].tolist()))


def costs(t: Table, cost: Any) -> Costs | None:
    if cost is None or not t.n:
        return None
    matrix = cost_matrix(t, cost)
    each = matrix @ t.real_totals / t.n
    predicted, real, counts = occupied(t.cells)
    return Costs(
        text=cost if isinstance(cost, str) else str(np.asarray(cost).tolist()),
        expected_cost=float((matrix[predicted, real] * counts).sum() / t.n),
        rivals=tuple((x, float(c)) for x, c in zip(t.predicted_labels, each, strict=True)),
        guessing=float(t.predicted_totals @ matrix @ t.real_totals / t.n**2),
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
