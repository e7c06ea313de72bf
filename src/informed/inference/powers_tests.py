"""The papers' own χ² family, with the degrees of freedom that the papers give it.

Kept so that published figures can be checked. For two classes each is a fixed share of Pearson's
χ²; none but BM is χ² distributed under chance, and `calibration` says how far off each one is.
Equation numbers are those of Powers (2011).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.hypothesis import Asked, Outcome, chi2_tail, square
from informed.measures.association import chi_squared
from informed.measures.chance import informedness, markedness
from informed.measures.diagnosis import evenness_harmonic, evenness_minus


def powers_test(t: Table, asked: Asked) -> Outcome:
    """The statistic of this name, and its tail of χ² with the papers' degrees of freedom."""
    k = square(t, asked.method)
    if asked.method in OF_THE_POSITIVE and k != 2:
        raise InferenceError(
            f"{asked.method!r} is about the positive one of two classes and this table has {k}: "
            "take `t.one_vs_rest()` for each class."
        )
    statistic, df = FAMILY[asked.method](t, k)
    return Outcome(statistic, chi2_tail(statistic, df), np.full(t.shape, float(df)))


def chi_squared_of_others(t: Table) -> Array:
    """For each label, the papers' χ² of all labels but that one (56), shape ``(..., class)``.

    The sum over the other labels of χ² of their positive predictions (30), which the papers give
    (K − 1)² degrees of freedom. Weighed by bias and summed it is "xb" (57) where B is the same for all labels, as
    the papers say, and each label is predicted as often as the others, which they do not.

    >>> chi_squared_of_others(Table.from_counts([[56, 20], [12, 12]])).round(4).tolist()
    [3.5735, 1.1285]
    """
    each = t.one_vs_rest()
    own = np.nan_to_num(chi_squared(each) * ratio(each.pn, each.total))
    return np.asarray(own.sum(axis=-1, keepdims=True) - own)


Statistic = Callable[[Table, int], tuple[Array, int]]  # and its degrees of freedom, of k classes


def _part_of_pearson(share: Callable[[Table], Array]) -> Statistic:
    """A row or a column of Pearson's χ²: (30) and its inverse, dual and inverse dual."""
    return lambda t, k: (np.nan_to_num(chi_squared(t) * ratio(share(t), t.total)), 1)


def _g_plus_p(t: Table, k: int) -> tuple[Array, int]:
    """G² of the positive predictions alone (31)."""
    from scipy.special import rel_entr

    expected = np.nan_to_num(ratio(np.stack([t.pp * t.rp, t.pp * t.rn]), t.total))
    parts = rel_entr(np.stack([t.tp, t.fp]), expected).sum(axis=0)
    return np.maximum(2 * parts, 0.0), 1


SIDES: dict[str, Any] = {"b": "real", "m": "predicted", "bm": "both"}


def _squares(t: Table, which: str) -> Array:
    """B², M² or BM, which is 0 where B and M disagree in sign."""
    b, m = (np.asarray(f(t, undefined="limit")) for f in (informedness, markedness))
    product = {"b": b * b, "m": m * m, "bm": np.maximum(b * m, 0.0)}[which]
    return np.asarray(np.nan_to_num(product))


def _even(t: Table, k: int, which: str) -> Array:
    """K·N·B²·Ev."""
    evenness = np.asarray(evenness_minus(t, of=SIDES[which]))
    return np.asarray(k * t.total * _squares(t, which) * np.nan_to_num(evenness))


def _determinant(t: Table, k: int, which: str) -> Array:
    """K·N·det^(4/K)/Ev#."""
    cells = np.moveaxis(np.nan_to_num(ratio(t.cells, t.total)), (0, 1), (-2, -1))
    size = np.abs(np.linalg.det(cells)) ** (4 / k)
    evenness = np.asarray(evenness_harmonic(t, of=SIDES[which]))
    return np.where(evenness > 0, k * t.total * ratio(size, evenness), 0.0)


def _three(name: str, statistic: Callable[[Table, int, str], tuple[Array, int]]) -> Any:
    """The same of B, of M and of both."""

    def of(which: str) -> Statistic:
        return lambda t, k: statistic(t, k, which)

    return {name.format(which): of(which) for which in SIDES}


OF_THE_POSITIVE: dict[str, Statistic] = {
    "plus-p": _part_of_pearson(lambda t: t.pn),
    "minus-p": _part_of_pearson(lambda t: t.pp),
    "plus-r": _part_of_pearson(lambda t: t.rn),
    "minus-r": _part_of_pearson(lambda t: t.rp),
    "g-plus-p": _g_plus_p,
}
FAMILY: dict[str, Statistic] = {
    **OF_THE_POSITIVE,
    # (47)-(49); K−1 times both, (50)-(52)
    **_three("k{}", lambda t, k, which: (_even(t, k, which), k - 1)),
    **_three("x{}", lambda t, k, which: ((k - 1) * _even(t, k, which), (k - 1) ** 2)),
    # (53)-(55); and with the degrees of freedom that it has
    **_three("{}", lambda t, k, which: ((k - 1) * t.total * _squares(t, which), (k - 1) ** 2)),
    **_three("{}-corrected", lambda t, k, which: ((k - 1) * t.total * _squares(t, which), 1)),
    # (58)-(60) with their exponent put right
    **_three("k{}-det", lambda t, k, which: (_determinant(t, k, which), k - 1)),
}
