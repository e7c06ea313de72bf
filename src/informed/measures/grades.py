"""Ordered labels: how far predictions are from reality on a scale of grades, beyond guessing.

A scale of K grades is K − 1 cuts, and each cut is a bet on two classes: is the case above it? At odds that are
fair to someone who knows the prevalence alone, informedness is what was won of what could be won, over all
cuts. That is (E|y − z'| − E|y − z|) / E|y − y'|, primes drawn anew: how much nearer to reality the predictions
are than shuffled ones, in units of the mean distance of two real grades. All of it needs labels whose order is known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.cells import is_sparse, occupied, summed
from informed.evidence.table import Table
from informed.measures import grade_slopes as slopes
from informed.measures.registry import Facts

REAL, PREDICTED = "two real classes", "two predicted labels"


class Cuts(NamedTuple):
    """Cases on either side of each cut between neighbouring grades, ``(cut, *stack)``, the lowest first."""

    over: Array  # predicted above the cut, really below it
    under: Array  # predicted below the cut, really above it
    real_above: Array
    real_below: Array
    predicted_above: Array
    predicted_below: Array

    @property
    def dual(self) -> Cuts:
        over, under, *real, above, below = self
        return Cuts(under, over, above, below, *real)


def cuts_of(t: Table) -> Cuts:
    """The cases of a table, cut by cut. Sums of counts alone, so that a cut beyond all cases has exactly none."""
    over, under = _crossing(t)
    sides = (x for totals in (t.real_totals, t.predicted_totals) for x in (_above(totals), totals.cumsum(axis=0)[:-1]))
    return Cuts(over, under, *sides)


def _above(totals: Array) -> Array:
    return np.flip(np.flip(totals, 0).cumsum(axis=0), 0)[1:]


def _crossing(t: Table) -> tuple[Array, Array]:
    """Cases that the predictions lift over each cut, and that they drop below it."""
    if is_sparse(t.cells):
        predicted, real, numbers = occupied(t.cells)
        up, down = predicted > real, predicted < real
        return (
            _spanned(real[up], predicted[up], numbers[up], len(t.real_labels)),
            _spanned(predicted[down], real[down], numbers[down], len(t.real_labels)),
        )
    at = np.arange(len(t.real_labels) - 1)
    high = slopes.after(t.cells, 0).cumsum(axis=1)  # predicted above, really at or below
    low = slopes.after(t.cells, 1).cumsum(axis=0)
    return high[at, at], low[at, at]


def _spanned(start: Any, end: Any, numbers: Array, grades: int) -> Array:
    """How many spans from one grade to a higher one hold each cut."""
    ends = summed(start, numbers, grades) - summed(end, numbers, grades)
    return np.asarray(ends.cumsum(axis=0)[:-1])


def _informedness(held: Cuts, spacing: Any) -> Array:
    """1 less what the errors lose: nothing cancels near 1, and a cut without odds weighs nothing."""
    d = slopes.weights_of_cuts(len(held.over) + 1, spacing).reshape(-1, *[1] * (held.over.ndim - 1))
    lost = d * (held.over * held.real_above + held.under * held.real_below)
    most = d * held.real_above * held.real_below
    return 1 - ratio(lost.sum(axis=0), most.sum(axis=0))


@Facts(
    title="Informedness of grades", tex=r"\frac{\sum_k d_k\,(P(y>k,\,z>k) - \pi_k b_k)}{\sum_k d_k\,\pi_k(1-\pi_k)}",
    bounds=(-1, 1), needs=(REAL,), best=1, chance=0, ignores=("prevalence",), ignores_for_two=True,
    dual="markedness_ordinal", limit=0, ordered=True, difference=True, spaced=True, cell_slopes=slopes.informedness,
    aka=("ordinal_informedness",), refs=("vanbelle2009", "warrens2013", "powers2011 (15)"),
    asks="who is nearer to the real grade, beyond what the same answers shuffled would be",
)  # fmt: skip
def informedness_ordinal(t: Table, *, spacing: Any = None) -> Array:
    """Share of the distance between grades that is known: informedness over the cuts between them.

    How much nearer to reality the predictions are than shuffled ones, in units of the mean distance of
    two real grades. A prediction that moves towards reality never lowers it, and far errors cost more.
    `spacing` weighs the cuts, 1 each by default. For two grades it is informedness.

    >>> round(informedness_ordinal(Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])), 6)
    0.391304
    """
    return _informedness(cuts_of(t), spacing)


@Facts(
    title="Markedness of grades", tex=r"\frac{\sum_k d_k\,(P(y>k,\,z>k) - \pi_k b_k)}{\sum_k d_k\,b_k(1-b_k)}",
    bounds=(-1, 1), needs=(PREDICTED,), best=1, chance=0, ignores=("bias",), ignores_for_two=True,
    dual="informedness_ordinal", limit=0, ordered=True, difference=True, spaced=True, cell_slopes=slopes.markedness,
    aka=("ordinal_markedness",), refs=("vanbelle2009", "powers2011 (15)"),
    asks="whose grades can be trusted further",
)  # fmt: skip
def markedness_ordinal(t: Table, *, spacing: Any = None) -> Array:
    """Share of the distance between predicted grades that reality bears out.

    The dual of the informedness of grades, in units of the mean distance of two predicted grades.

    >>> round(markedness_ordinal(Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])), 6)
    0.373057
    """
    return _informedness(cuts_of(t).dual, spacing)


@Facts(
    title="Correlation of grades",
    tex=r"\frac{\sum_k d_k\,(P(y>k,\,z>k) - \pi_k b_k)}{\sqrt{\sum_k d_k\,\pi_k(1-\pi_k)\,\sum_k d_k\,b_k(1-b_k)}}",
    bounds=(-1, 1), needs=(REAL, PREDICTED), best=1, chance=0, limit=0, ordered=True,
    factors=("informedness_ordinal", "markedness_ordinal"), spaced=True, cell_slopes=slopes.correlation,
    aka=("ordinal_correlation",), refs=("vanbelle2009", "warrens2013"),
)  # fmt: skip
def correlation_ordinal(t: Table, *, spacing: Any = None) -> Array:
    """Geometric mean of the informedness and the markedness of grades.

    In size no less than linearly weighted kappa, and equal to it where both margins agree. A prediction that
    moves towards reality can lower it, which it cannot do to the informedness of grades.

    >>> round(correlation_ordinal(Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])), 4)
    0.3821
    """
    held = cuts_of(t)
    b, m = _informedness(held, spacing), _informedness(held.dual, spacing)
    return np.asarray(np.sign(b + m) * np.sqrt(np.maximum(b * m, 0)))


@Facts(
    title="Somers' D", tex=r"\frac{\#\text{right} - \#\text{wrong}}{\#\text{pairs of different real grades}}",
    bounds=(-1, 1), needs=(REAL,), best=1, chance=0, ignores=("prevalence",), ignores_for_two=True,
    dual="somers_d_predicted", limit=0, square=False, ordered=True, difference=True, cell_slopes=slopes.somers_d,
    aka=("somersd", "somers_delta"), refs=("somers1962",),
    asks="who puts the cases in the better order, whatever grades it gives them",
)  # fmt: skip
def somers_d(t: Table) -> Array:
    """Of pairs of cases with different real grades, those that were put in the right order less those in the wrong.

    It reads the order alone: predictions that are all one grade too high lose little. (D + 1)/2 is the
    concordance, and for two real grades the area under the ROC curve. For two grades it is informedness.

    >>> round(somers_d(Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])), 6)
    0.421875
    """
    return _somers(np.asarray(t.cells))


@Facts(
    title="Somers' D of the predicted grades",
    tex=r"\frac{\#\text{right} - \#\text{wrong}}{\#\text{pairs of different predicted grades}}",
    bounds=(-1, 1), needs=(PREDICTED,), best=1, chance=0, ignores=("bias",), ignores_for_two=True,
    dual="somers_d", limit=0, square=False, ordered=True, difference=True, cell_slopes=slopes.somers_d_predicted,
    refs=("somers1962",),
)  # fmt: skip
def somers_d_predicted(t: Table) -> Array:
    """Of pairs of cases with different predicted grades, those in the right order less those in the wrong.

    >>> round(somers_d_predicted(Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])), 4)
    0.3624
    """
    return _somers(np.asarray(t.cells).swapaxes(0, 1))


def _somers(cells: Array) -> Array:
    real = cells.sum(axis=0)
    pairs = (real * slopes.after(real, 0)).sum(axis=0)
    return 1 - ratio(slopes.lost_pairs(cells), pairs)
