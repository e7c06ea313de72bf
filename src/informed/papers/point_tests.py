"""What the papers' figures plot as Fisher and as χ²: neither is a usual test."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.simulation.estimates import MonteCarlo, share
from informed.simulation.judging import pvalues


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


def continuity_pvalue(t: Table) -> Array:
    """p of χ² with the author's continuity correction: every |O − E| less 1 − 1/(K(K − 1)).

    It is Yates' half for two classes and nearly 1 for many. The papers do not print it; it is
    needed to find their χ² of Figure 6, and it hardly ever rejects.

    >>> round(float(continuity_pvalue(Table.from_counts([[56, 20], [12, 12]]))), 4)
    0.0552
    """
    from scipy.special import chdtrc

    expected = t.predicted_totals[:, None] * t.real_totals / t.total
    gap = np.maximum(np.abs(t.cells - expected) - (1 - 1 / (t.k * (t.k - 1))), 0.0)
    statistic = np.where(expected > 0, ratio(gap**2, expected), 0.0).sum(axis=(0, 1))
    return np.asarray(chdtrc((t.k - 1) ** 2, statistic))


OWN = {
    "fisher-point": point_probability,  # not the library's, which takes a hundred tables at most
    "Fisher's point": point_probability,
    "χ², corrected": continuity_pvalue,
    "χ², continuity": continuity_pvalue,
}


def pvalues_of(t: Table, method: str) -> Array:
    """p of a test of the library, or of what the papers plot as one."""
    return OWN[method](t) if method in OWN else pvalues(t, method)


def rejects(t: Table, method: str) -> MonteCarlo:
    """Share of p < .05; a table without a p-value does not reject."""
    return share(pvalues_of(t, method) < 0.05)
