"""Tests of independence by large-sample χ²: Pearson, N−1, Yates, G and Williams."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.hypothesis import Asked, Outcome, chi2_tail, one_way
from informed.measures.association import chi_squared
from informed.results import Note


def freedoms(t: Table) -> Array:
    """Degrees of freedom, (rows − 1)(columns − 1) over the rows and columns that hold anything."""
    rows = (t.predicted_totals > 0).sum(axis=0)
    columns = (t.real_totals > 0).sum(axis=0)
    return np.asarray(np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0), dtype=np.float64)


def pearson(t: Table, asked: Asked) -> Outcome:
    return _answer(t, chi_squared(t), asked, "pearson")


def pearson_n1(t: Table, asked: Asked) -> Outcome:
    """Pearson's χ²·(N−1)/N, whose mean over all shufflings is exactly its degrees of freedom."""
    return _answer(
        t, chi_squared(t) * np.nan_to_num(ratio(t.total - 1, t.total)), asked, "pearson-n1"
    )


def yates(t: Table, asked: Asked) -> Outcome:
    """Pearson's χ² with each difference brought nearer to 0 by up to a half."""
    expected = _expected(t)
    gap = np.abs(t.cells - expected)
    if asked.when == "all":
        corrected = np.ones(t.shape, dtype=bool)
    else:
        corrected = (np.where(expected > 0, expected, np.inf).min(axis=(0, 1)) < 5) & (
            asked.when == "small"
        )
    gap = np.maximum(gap - np.where(corrected, 0.5, 0.0), 0.0)
    terms = np.where(expected > 0, ratio(gap**2, expected), 0.0)
    answer = _answer(t, terms.sum(axis=(0, 1)), asked, "yates")
    said = f"{np.count_nonzero(corrected)} of {max(np.size(corrected), 1)} tables"
    done = "was" if corrected.ndim == 0 and bool(corrected) else "was not"
    note = f"the correction was made in {said}" if corrected.ndim else f"the correction {done} made"
    known = Note(f"{note} (when={asked.when!r})", code="continuity-correction")
    return Outcome(answer.statistic, answer.pvalue, answer.df, (known,))


def g(t: Table, asked: Asked) -> Outcome:
    return _answer(t, _g(t), asked, "g")


def g_williams(t: Table, asked: Asked) -> Outcome:
    """G divided by Williams' factor, which brings its mean nearer to its degrees of freedom."""

    def spread(totals: Array) -> Array:
        return np.asarray(t.total * np.where(totals > 0, ratio(1, totals), 0.0).sum(axis=0) - 1)

    df = freedoms(t)
    q = 1 + ratio(spread(t.predicted_totals) * spread(t.real_totals), 6 * t.total * df)
    return _answer(t, np.where(df > 0, ratio(_g(t), q), 0.0), asked, "g-williams")


def _expected(t: Table) -> Array:
    return np.nan_to_num(ratio(t.predicted_totals[:, None] * t.real_totals, t.total))


def _g(t: Table) -> Array:
    from scipy.special import rel_entr

    return np.asarray(np.maximum(2 * rel_entr(t.cells, _expected(t)).sum(axis=(0, 1)), 0.0))


def _answer(t: Table, statistic: Any, asked: Asked, method: str) -> Outcome:
    df = freedoms(t)
    statistic = np.where(df > 0, statistic, 0.0)
    p = chi2_tail(statistic, df)
    if asked.alternative != "two-sided":
        if t.cells.shape[:2] != (2, 2) or not t.is_square:
            raise InferenceError(
                f"alternative={asked.alternative!r}: {method!r} of more than two classes has no "
                "direction; use a measure, such as informedness."
            )
        sign = np.sign(t.cells[0, 0] * t.cells[1, 1] - t.cells[0, 1] * t.cells[1, 0])
        p = np.where(df > 0, one_way(sign, p, asked.alternative), 1.0)
    return Outcome(statistic, p, df)
