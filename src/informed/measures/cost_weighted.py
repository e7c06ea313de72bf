"""Accuracy, precision, F1 and relative accuracy for any ratio of costs and classes.

c = c_v · c_s: the cost of a false positive for that of a false negative, times the real negatives
for each positive. c = skew gives the ordinary measures, c = 1 those that ignore skew and cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import MeasureError
from informed.evidence.table import Table
from informed.measures.registry import Facts


def _c(t: Table, c: Any) -> Array:
    if c is None:
        return ratio(t.rn, np.where(t.rp > 0, t.rp, np.nan))
    value = np.asarray(c, dtype=np.float64)
    if not ((value > 0) & np.isfinite(value)).all():
        raise MeasureError(f"`c` is {c}; the ratio of costs and classes must be positive.")
    return value


def _rates(t: Table) -> tuple[Array, Array]:
    return ratio(t.tp, t.rp), ratio(t.fp, t.rn)


NEEDS = ("real positives", "real negatives")


@Facts(
    title="Accuracy at cost ratio c", tex=r"\frac{\mathrm{recall} + c\,(1 - \mathrm{fallout})}{1 + c}", needs=NEEDS,
    best=1, dual=None, inverse=None, classes="two", refs=("powers2011 (11)",),
)  # fmt: skip
def accuracy_c(t: Table, *, c: Any = None) -> Array:
    """Accuracy where negatives count c for each positive; c = 1 is the AUC of a single point.

    Without `c` the skew of the table is used, which gives plain accuracy.

    >>> accuracy_c(Table.from_counts([[8, 3], [2, 7]]), c=1)
    0.75
    """
    tpr, fpr = _rates(t)
    ratio_ = _c(t, c)
    return ratio(tpr + ratio_ * (1 - fpr), 1 + ratio_)


@Facts(
    title="Precision at cost ratio c", tex=r"\frac{\mathrm{recall}}{\mathrm{recall} + c\cdot\mathrm{fallout}}",
    needs=(*NEEDS, "predicted positives"), best=1, dual=None, inverse=None, classes="two", refs=("powers2011 (12)",),
)  # fmt: skip
def precision_c(t: Table, *, c: Any = None) -> Array:
    """Precision where negatives count c for each positive.

    >>> round(precision_c(Table.from_counts([[8, 2], [2, 8]]), c=1), 12)
    0.8
    """
    tpr, fpr = _rates(t)
    return ratio(tpr, tpr + _c(t, c) * fpr)


@Facts(
    title="F1 at cost ratio c", tex=r"\frac{2\,\mathrm{recall}}{\mathrm{recall} + c\cdot\mathrm{fallout} + 1}",
    needs=NEEDS, best=1, dual=None, inverse=None, classes="two", refs=("powers2011 (13)",),
)  # fmt: skip
def f1_c(t: Table, *, c: Any = None) -> Array:
    """F1 where negatives count c for each positive.

    >>> round(f1_c(Table.from_counts([[8, 2], [2, 8]]), c=1), 12)
    0.8
    """
    tpr, fpr = _rates(t)
    return ratio(2 * tpr, tpr + _c(t, c) * fpr + 1)


@Facts(
    title="Weighted relative accuracy at cost ratio c",
    tex=r"\frac{4c\,(\mathrm{recall} - \mathrm{fallout})}{(1 + c)^2}", bounds=(-1, 1),
    needs=("two real classes",), chance=0, dual=None, classes="two", refs=("powers2011 (14)",),
)  # fmt: skip
def wracc_c(t: Table, *, c: Any = None) -> Array:
    """Relative accuracy where negatives count c for each positive; c = 1 is informedness.

    >>> wracc_c(Table.from_counts([[8, 3], [2, 7]]), c=1)
    0.5
    """
    ratio_ = ratio(t.real_totals[1], t.real_totals[0]) if c is None else _c(t, c)
    first, second = ratio(t.cells[0], t.real_totals)  # recall and fallout, or 1 less of each
    return ratio(4 * ratio_ * (first - second), (1 + ratio_) ** 2)
