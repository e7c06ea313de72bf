"""Tests of independence by large-sample χ²: Pearson, N−1, Yates, G and Williams."""

from __future__ import annotations

from collections.abc import Callable

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


def pearson_n1(t: Table) -> Array:
    """Pearson's χ²·(N−1)/N, whose mean over all shufflings is exactly its degrees of freedom."""
    return chi_squared(t) * np.nan_to_num(ratio(t.total - 1, t.total))


def g(t: Table) -> Array:
    from scipy.special import rel_entr

    return np.asarray(np.maximum(2 * rel_entr(t.cells, _expected(t)).sum(axis=(0, 1)), 0.0))


def g_williams(t: Table) -> Array:
    """G divided by Williams' factor, which brings its mean nearer to its degrees of freedom."""

    def spread(totals: Array) -> Array:
        return np.asarray(t.total * np.where(totals > 0, ratio(1, totals), 0.0).sum(axis=0) - 1)

    q = 1 + ratio(spread(t.predicted_totals) * spread(t.real_totals), 6 * t.total * freedoms(t))
    return ratio(g(t), q)


CHI_SQUARED = ("pearson", "pearson-n1", "yates", "g", "g-williams")
Statistic = Callable[[Table], Array]
STATISTICS: dict[str, Statistic] = {"pearson": chi_squared, "pearson-n1": pearson_n1, "g": g, "g-williams": g_williams}


def _yates(t: Table, when: str) -> tuple[Array, Note]:
    """Pearson's χ² with each difference brought nearer to 0 by up to a half, and where it was."""
    expected = _expected(t)
    small = np.where(expected > 0, expected, np.inf).min(axis=(0, 1)) < 5
    cells = t.cells < 5 if when == "cells" else (small | (when == "all")) & (when != "never")
    corrected = cells.any(axis=(0, 1)) if when == "cells" else cells
    gap = np.maximum(np.abs(t.cells - expected) - np.where(cells, 0.5, 0.0), 0.0)
    terms = np.where(expected > 0, ratio(gap**2, expected), 0.0)
    done = f"{np.count_nonzero(corrected)} of {corrected.size} tables"
    said = f"was made in {done}" if t.shape else "was made" if corrected else "was not made"
    return terms.sum(axis=(0, 1)), Note(f"the correction {said} (when={when!r})", code="continuity-correction")


def chi_squared_test(t: Table, asked: Asked) -> Outcome:
    """The statistic of the name that was asked for, with its tail of χ²."""
    notes = []
    if asked.method == "yates":
        statistic, note = _yates(t, asked.when)
        notes.append(note)
    else:
        statistic = STATISTICS[asked.method](t)

    df = freedoms(t)
    statistic = np.where(df > 0, statistic, 0.0)
    p = chi2_tail(statistic, df)
    if asked.alternative != "two-sided":
        if t.cells.shape[:2] != (2, 2) or not t.is_square:
            raise InferenceError(
                f"alternative={asked.alternative!r}: {asked.method!r} of more than two classes has "
                "no direction; use a measure, such as informedness."
            )
        sign = np.sign(t.cells[0, 0] * t.cells[1, 1] - t.cells[0, 1] * t.cells[1, 0])
        p = np.where(df > 0, one_way(sign, p, asked.alternative), 1.0)
    return Outcome(statistic, p, df, tuple(notes))


def _expected(t: Table) -> Array:
    return np.nan_to_num(ratio(t.predicted_totals[:, None] * t.real_totals, t.total))
