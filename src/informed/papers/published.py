"""What the papers print, and what their readers make of it.

The K-th roots of their figures; their bands around a level, X·√sse/√(2E(N − 1)) with each table's
own evenness; what their figures plot as Fisher and as χ², neither of which is a usual test; and what
the 95 % intervals that two systems publish tell of their difference, if nothing else is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.powers_intervals import SSE
from informed.simulation.estimates import MonteCarlo, share
from informed.simulation.judging import pvalues, values
from informed.systems.tails import quantile

Flags = NDArray[np.bool_]

# ------------------------------------------------------------------ K-th roots


def root_of_determinant(t: Table) -> Array:
    """D of Figure 2: the K-th root of the size of the determinant of the shares."""
    shares = ratio(t.counts, np.asarray(t.n)[..., None, None])
    return np.asarray(np.abs(np.linalg.det(shares)) ** (1 / t.k))


def geometric_mean(shares: Array) -> Array:
    """gR of prevalences and gP of biases: the K-th root of their product."""
    return np.asarray(np.exp(np.log(np.maximum(shares, 1e-300)).mean(axis=-1)))


# ------------------------------------------------------------------ bands


def half_width(t: Table, n: int, x: float = 1.96) -> Array:
    """Half-width where √sse is 1: around B = 0 and B = 1.

    >>> round(float(half_width(Table.from_counts([[8, 2], [2, 8]]), 20)), 3)
    0.318
    """
    e = np.maximum(values(t, "evenness_factor"), 1e-12)
    return np.asarray(x / np.sqrt(2 * e * (n - 1)))


def bands(t: Table, level: Any, n: int, x: float = 1.96) -> tuple[Array, Array]:
    """Half-widths around a level: CI_B1, of the alternate, and CI_B2, of the full hypothesis."""
    scale, at = half_width(t, n, x), np.asarray(level, dtype=np.float64)
    return scale * SSE["weighted"](at), scale * SSE["complement"](at)


# ------------------------------------------------------------------ tests that are none


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


def corrected_pvalue(t: Table, less: Callable[[Array], Any]) -> Array:
    """p of χ² with every |O − E| less so much, of the tables' expected cells.

    An empty row or column keeps its degrees of freedom, as in the papers; `informed.test` leaves it out.
    """
    from scipy.special import chdtrc

    expected = t.predicted_totals[:, None] * t.real_totals / t.total
    gap = np.maximum(np.abs(t.cells - expected) - less(expected), 0.0)
    statistic = np.where(expected > 0, ratio(gap**2, expected), 0.0).sum(axis=(0, 1))
    return np.asarray(chdtrc((t.k - 1) ** 2, statistic))


def continuity_pvalue(t: Table) -> Array:
    """p of χ² with the author's continuity correction: every |O − E| less 1 − 1/(K(K − 1)).

    It is Yates' half for two classes and nearly 1 for many. The papers do not print it, and it
    hardly ever rejects.

    >>> round(float(continuity_pvalue(Table.from_counts([[56, 20], [12, 12]]))), 4)
    0.0552
    """
    return corrected_pvalue(t, lambda _: 1 - 1 / (t.k * (t.k - 1)))


def printed_yates_pvalue(t: Table) -> Array:
    """As the papers print it, "applied only for cell values under 5": where fewer than 5 are expected.

    >>> round(float(printed_yates_pvalue(Table.from_counts([[56, 20], [12, 12]]))), 4)
    0.0301
    """
    return corrected_pvalue(t, lambda expected: np.where(expected < 5, 0.5, 0.0))


def counted_yates_pvalue(t: Table) -> Array:
    """The same, where fewer than 5 are counted: the other way to read it."""
    return corrected_pvalue(t, lambda _: np.where(t.cells < 5, 0.5, 0.0))


OWN = {
    "χ², Yates": printed_yates_pvalue,
    "χ², Yates by counts": counted_yates_pvalue,
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


# ------------------------------------------------------------------ two published intervals


def outside(i: Interval, j: Interval) -> tuple[Flags, Flags]:
    """Whether the second's value lies outside the first's interval, and the other way round."""
    x, y = np.asarray(i.estimate), np.asarray(j.estimate)
    return (y < i.low) | (y > i.high), (x < j.low) | (x > j.high)


def ahead(i: Interval, j: Interval) -> Array:
    """How far the first is above the second."""
    return np.asarray(i.estimate - j.estimate)


def error_of(*published: Interval) -> Array:
    """Standard error that widths tell: of a value, or of a difference of independent values."""
    widths = [np.asarray(i.high - i.low) for i in published]
    return np.asarray(np.hypot.reduce(widths) / (2 * quantile(0.95)))
