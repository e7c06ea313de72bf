"""McNemar's tests and their relatives of more classes, Bowker's and Stuart and Maxwell's.

From two counts, cases for one side and cases for the other: two systems on the same items, and every
two of a leaderboard, count different things and ask the same. Of one square table against its mirror
image: is a label said as often as it is true? None of these is about being right: McNemar's test of a
table compares bias with prevalence, and systems only where its sides are their successes.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.evidence.unit_gram import GramUnits
from informed.evidence.units import Units
from informed.inference.hypothesis import Asked, Outcome, chi2_tail, square
from informed.inference.sides import places
from informed.results import Note

OF_ONE_CLASS = (
    "where each {} holds one real class, of several, p may be too small: below .05 in up to 6.5 % of true nulls"
)


def sign_statistic(one: Array, other: Array, *, corrected: bool = False) -> Array:
    """(one − other)²/(one + other), 0 where there is neither; `corrected` as Edwards did."""
    gap = np.abs(one - other)
    if corrected:
        gap = np.maximum(gap - 1, 0.0)
    return np.where(one + other > 0, ratio(gap**2, one + other), 0.0)


def sign_tails(one: Array, other: Array, *, mid: bool) -> tuple[Array, Array]:
    """Exact p-values that one is the likelier side, and that the other is, of whole counts.

    With `mid`, the half of the probability of what was seen is left out.
    """
    from scipy.special import bdtr

    n = np.asarray(one + other).astype(np.int64)
    least = np.minimum(one, other)
    fewer = np.where(least > 0, bdtr(np.maximum(least - 1, 0), n, 0.5), 0.0)
    half = (bdtr(least, n, 0.5) - fewer) / 2 if mid else 0.0  # of the thin tail: all its digits
    more, less = (np.asarray(bdtr(x, n, 0.5), dtype=np.float64) for x in (other, one))
    return more - half, less - half


def sign_pvalue(one: Array, other: Array, *, mid: bool) -> Array:
    """Twice the smaller tail; 1 where the sides are level, and where there is neither."""
    smaller = np.minimum(*sign_tails(one, other, mid=mid))
    return np.where(one == other, 1.0, np.minimum(2 * smaller, 1.0))


# ---------------------------------------------------------------------- of one table


def mcnemar(t: Table, asked: Asked) -> Outcome:
    """(FP − FN)²/(FP + FN); with when="all", |FP − FN| − 1 is squared instead.

    Of weighted cases the denominator has their squared weights, of units their squared surpluses.
    """
    b, c = _disagreements(t, asked.method)
    if t.units is not None or t.squares is not None:
        return stuart_maxwell(t, asked)
    statistic = sign_statistic(b, c, corrected=asked.when == "all")
    return Outcome(statistic, np.where(b + c > 0, chi2_tail(statistic, 1), 1.0), np.ones(t.shape))


def sign_test(t: Table, asked: Asked) -> Outcome:
    """Two-sided binomial test of FP among FP + FN at a half: "mcnemar-exact", "mcnemar-midp"."""
    b, c = _disagreements(t, asked.method)
    return Outcome(b, sign_pvalue(b, c, mid=asked.method == "mcnemar-midp"))


def bowker(t: Table, asked: Asked) -> Outcome:
    """McNemar's statistic summed over all pairs of classes that were ever confused."""
    k = square(t, asked.method)
    i, j = np.triu_indices(k, 1)
    one, other = t.cells[i, j], t.cells[j, i]
    squares = t.cells if t.squares is None else t.squares
    both = squares[i, j] + squares[j, i]
    df = (both > 0).sum(axis=0).astype(np.float64)
    statistic = np.where(both > 0, ratio((one - other) ** 2, both), 0.0).sum(axis=0)
    return Outcome(statistic, chi2_tail(statistic, df), df)


def stuart_maxwell(t: Table, asked: Asked) -> Outcome:
    """Quadratic form dᵀ(Σ d dᵀ)⁻d of bias − prevalence, the sum over units or over cases, none centred."""
    k = square(t, asked.method)
    covariance = _of_cases(t, k) if t.units is None else _of_units(t, t.units, k)
    gap = np.moveaxis(t.predicted_totals - t.real_totals, 0, -1)
    inverse = np.linalg.pinv(covariance, hermitian=True)
    statistic = np.maximum(np.einsum("...i,...ij,...j->...", gap, inverse, gap), 0.0)
    df = np.asarray(np.linalg.matrix_rank(covariance, hermitian=True), dtype=np.float64)
    notes = () if t.units is None or k == 2 else (Note(OF_ONE_CLASS.format(t.units.name), code="bias-of-units"),)
    return Outcome(statistic, chi2_tail(statistic, df), df, notes)


def _of_cases(t: Table, k: int) -> Array:
    """Σ d dᵀ over cases: only those off the diagonal differ."""
    cells = np.moveaxis(t.cells if t.squares is None else t.squares, (0, 1), (-2, -1))
    covariance = -(cells + np.swapaxes(cells, -1, -2))
    at = np.arange(k)
    covariance[..., at, at] = 0.0
    covariance[..., at, at] = -covariance.sum(axis=-1)
    return np.asarray(covariance)


def _of_units(t: Table, units: Units, k: int) -> Array:
    """Σ d dᵀ over units, d predicted less real totals of a unit; all tables of a stack at once."""
    from scipy.sparse import csr_array

    predicted, real = places(t)
    if isinstance(units, GramUnits):
        size = k * k  # an abstention says nothing of bias
        gap = np.eye(k)[predicted[:size]] - np.eye(k)[real[:size]]
        silent = np.zeros((max(0, len(units.gram) - size), k))
        return units.products(np.concatenate([gap, silent]).reshape(-1, k, *[1] * len(t.shape)))
    first = units.entry_table * k
    columns = np.concatenate([first + predicted[units.cell], first + real[units.cell]])
    rows, weights = np.tile(units.row, 2), np.concatenate([units.weight, -units.weight])
    gaps = csr_array((weights, (rows, columns)), shape=(len(units.mult), units.tables * k))
    scaled = csr_array((weights * units.mult[rows], (rows, columns)), shape=gaps.shape)
    both = (scaled.T @ gaps).tocoo()
    covariance = np.zeros((units.tables, k, k))
    covariance[both.row // k, both.row % k, both.col % k] = both.data
    return covariance.reshape(*t.shape, k, k)


def _disagreements(t: Table, method: str) -> tuple[Array, Array]:
    if square(t, method) != 2:
        raise InferenceError(
            f"{method!r} is for two classes and this table has {t.k}: use 'stuart-maxwell' for "
            "bias against prevalence, 'bowker' for symmetry."
        )
    return t.cells[0, 1], t.cells[1, 0]
