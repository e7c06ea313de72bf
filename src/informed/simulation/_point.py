"""Probability of exactly this table given its margins: what the papers' figures plot as Fisher."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.table import Table


def point_probability(t: Table) -> Array:
    """∏ row! · ∏ column! / (N! · ∏ cell!), for a stack; no p-value, as nothing is added to it.

    `informed.test(…, method="fisher-point")` gives it too, for a hundred tables at most.

    >>> round(float(point_probability(Table.from_counts([[56, 20], [12, 12]]))), 6)
    0.020611
    """
    from scipy.special import gammaln

    margins = (gammaln(x + 1).sum(axis=0) for x in (t.predicted_totals, t.real_totals))
    cells = gammaln(t.cells + 1).sum(axis=(0, 1))
    return np.asarray(np.exp(sum(margins) - gammaln(t.total + 1) - cells))
