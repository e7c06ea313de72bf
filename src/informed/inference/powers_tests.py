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
from informed.inference.hypothesis import Asked, Outcome, chi2_tail
from informed.measures.association import chi_squared
from informed.measures.chance import informedness, markedness
from informed.measures.diagnosis import evenness_harmonic, evenness_minus

Answering = Callable[[Table, Asked], Outcome]


def _one_sided_share(share: Callable[[Table], Array], name: str) -> Answering:
    """A row or a column of Pearson's χ²: (30) and its inverse, dual and inverse dual."""

    def answer(t: Table, asked: Asked) -> Outcome:
        _two(t, name)
        statistic = np.nan_to_num(chi_squared(t) * ratio(share(t), t.total))
        return Outcome(statistic, chi2_tail(statistic, 1), np.ones(t.shape))

    return answer


def g_plus_p(t: Table, asked: Asked) -> Outcome:
    """G² of the positive predictions alone (31)."""
    from scipy.special import rel_entr

    _two(t, "g-plus-p")
    parts = rel_entr(t.tp, _over(t.pp * t.rp, t)) + rel_entr(t.fp, _over(t.pp * t.rn, t))
    statistic = np.maximum(2 * parts, 0.0)
    return Outcome(statistic, chi2_tail(statistic, 1), np.ones(t.shape))


def _over(x: Array, t: Table) -> Array:
    return np.nan_to_num(ratio(x, t.total))


def _squares(t: Table, kind: str) -> Array:
    """B², M² or BM, which is 0 where B and M disagree in sign."""
    b, m = (np.asarray(f(t, undefined="limit")) for f in (informedness, markedness))
    product = {"b": b * b, "m": m * m, "bm": np.maximum(b * m, 0.0)}[kind]
    return np.asarray(np.nan_to_num(product))


def _of(kind: str) -> Any:
    return {"b": "real", "m": "predicted", "bm": "both"}[kind]


def _evenness(kind: str, many: bool, name: str) -> Answering:
    """K·N·B²·Ev with K−1 degrees of freedom (47)-(49), or K−1 times both (50)-(52)."""

    def answer(t: Table, asked: Asked) -> Outcome:
        k = _square(t, name)
        evenness = np.asarray(evenness_minus(t, of=_of(kind)))
        statistic = k * t.total * _squares(t, kind) * np.nan_to_num(evenness)
        df = (k - 1) ** 2 if many else k - 1
        if many:
            statistic = (k - 1) * statistic
        return Outcome(statistic, chi2_tail(statistic, df), np.full(t.shape, float(df)))

    return answer


def _plain(kind: str, corrected: bool, name: str) -> Answering:
    """(K−1)·N·B² with (K−1)² degrees of freedom (53)-(55); corrected, with the one it has."""

    def answer(t: Table, asked: Asked) -> Outcome:
        k = _square(t, name)
        statistic = (k - 1) * t.total * _squares(t, kind)
        df = 1 if corrected else (k - 1) ** 2
        return Outcome(statistic, chi2_tail(statistic, df), np.full(t.shape, float(df)))

    return answer


def _determinant(kind: str, name: str) -> Answering:
    """K·N·det^(4/K)/Ev# with K−1 degrees of freedom, (58)-(60) with their exponent put right."""

    def answer(t: Table, asked: Asked) -> Outcome:
        k = _square(t, name)
        cells = np.moveaxis(np.nan_to_num(ratio(t.cells, t.total)), (0, 1), (-2, -1))
        size = np.abs(np.linalg.det(cells)) ** (4 / k)
        evenness = np.asarray(evenness_harmonic(t, of=_of(kind)))
        statistic = np.where(evenness > 0, k * t.total * ratio(size, evenness), 0.0)
        return Outcome(statistic, chi2_tail(statistic, k - 1), np.full(t.shape, k - 1.0))

    return answer


def _square(t: Table, name: str) -> int:
    if not t.is_square:
        raise InferenceError(
            f"{name!r} needs predictions and reality with the same labels; this table has "
            f"{len(t.predicted_labels)} predicted and {len(t.real_labels)} real ones."
        )
    return t.k


def _two(t: Table, name: str) -> None:
    if _square(t, name) != 2:
        raise InferenceError(
            f"{name!r} is about the positive one of two classes and this table has {t.k}: take "
            "`t.one_vs_rest()` for each class."
        )


FAMILY: dict[str, Answering] = {
    "plus-p": _one_sided_share(lambda t: t.pn, "plus-p"),
    "minus-p": _one_sided_share(lambda t: t.pp, "minus-p"),
    "plus-r": _one_sided_share(lambda t: t.rn, "plus-r"),
    "minus-r": _one_sided_share(lambda t: t.rp, "minus-r"),
    "g-plus-p": g_plus_p,
    **{f"k{kind}": _evenness(kind, False, f"k{kind}") for kind in ("b", "m", "bm")},
    **{f"x{kind}": _evenness(kind, True, f"x{kind}") for kind in ("b", "m", "bm")},
    **{kind: _plain(kind, False, kind) for kind in ("b", "m", "bm")},
    **{f"{kind}-corrected": _plain(kind, True, f"{kind}-corrected") for kind in ("b", "m", "bm")},
    **{f"k{kind}-det": _determinant(kind, f"k{kind}-det") for kind in ("b", "m", "bm")},
}
