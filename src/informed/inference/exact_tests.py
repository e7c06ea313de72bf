"""Exact tests: Fisher's on both margins, Barnard's and Boschloo's on the class sizes.

scipy's `fisher_exact` takes one table; this takes a stack of 2x2 tables, gives mid-p and the point
probability, and counts larger tables exactly where their number allows it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.hypothesis import Asked, Outcome, by_counting, by_draws, single, table_by_table
from informed.inference.possible_tables import chances, possible_hits

EXACT_UP_TO = 10_000_000  # steps of the count of larger tables
MANY = 100  # larger tables in one call
SLACK = 1e-7  # relative difference of two probabilities that are the same
UNCONDITIONAL_UP_TO = 500  # cases: time and memory grow with the product of the class sizes
_ELEMENTS = 2_000_000  # of (tables, possible hits) at once


def fisher(t: Table, asked: Asked) -> Outcome:
    """Fisher's test, both margins as seen.

    "fisher" is the probability of tables as unlikely as this one (or with as many hits), of which
    "fisher-midp-minlike" counts those exactly as unlikely half; "fisher-midp" is twice the smaller
    tail, in which the table itself counts half; "fisher-point", which the papers plot, is the
    probability of this very table and no p-value.
    """
    method = asked.method
    if t.cells.shape[:2] == (2, 2):
        odds = ratio(t.cells[0, 0] * t.cells[1, 1], t.cells[0, 1] * t.cells[1, 0])
        odds = np.nan_to_num(odds, nan=np.inf, posinf=np.inf)
        return Outcome(odds, _two_by_two(t, asked.alternative, method))
    if asked.alternative != "two-sided":
        raise InferenceError(
            f"alternative={asked.alternative!r}: Fisher's test of more than two classes has no "
            "direction; use a measure, such as informedness."
        )
    single(t, method, "of more than two classes", MANY)
    return table_by_table(t, lambda one: _several(one, asked, method))


def _two_by_two(t: Table, alternative: str, method: str) -> Array:
    """The p-values of a stack of 2x2 tables; equal tables are worked out once."""
    flat = t.cells.reshape(4, -1)
    distinct, back = np.unique(flat, axis=1, return_inverse=True)
    a, b, c, d = distinct
    low, high = np.maximum(0, a - d), np.minimum(a + b, a + c)  # hits that the margins allow
    p = np.empty(a.size)
    order = np.argsort(high - low, kind="stable")
    start = 0
    while start < order.size:  # blocks of tables with about as many possible hits
        widths = (high - low)[order[start:]] + 1
        size = max(1, int(np.searchsorted(widths * np.arange(1, widths.size + 1), _ELEMENTS)))
        part = order[start : start + size]
        p[part] = _tails(a[part], b[part], c[part], d[part], alternative, method)
        start += size
    return p[np.ravel(back)].reshape(t.shape)


def _tails(a: Any, b: Any, c: Any, d: Any, alternative: str, method: str) -> Array:
    from scipy.special import log_softmax

    hits, weight = possible_hits(a, b, c, d)
    low, high = hits[:, 0], hits.max(axis=1)
    log = log_softmax(weight, axis=1)
    chance = np.exp(log)
    own = np.take_along_axis(log, (a - low).astype(np.int64)[:, None], axis=1)
    point = np.exp(own[:, 0])
    if method == "fisher-point":
        return np.asarray(point)
    half = point / 2 if method.startswith("fisher-midp") else 0.0
    above = np.where(hits >= a[:, None], chance, 0.0).sum(axis=1) - half
    below = np.where(hits <= a[:, None], chance, 0.0).sum(axis=1) - half
    if alternative == "greater":
        p = above
    elif alternative == "less":
        p = below
    elif method == "fisher-midp":
        p = 2 * np.minimum(above, below)
    else:
        share = np.where(log <= own + SLACK, chance, 0.0)
        if method == "fisher-midp-minlike":
            share = np.where(log >= own - SLACK, share / 2, share)
        p = share.sum(axis=1)
    return np.where(low == high, 1.0, np.minimum(p, 1.0))


def _several(t: Table, asked: Asked, method: str) -> Outcome:
    """Fisher's test of a table with more than two rows or columns (Freeman and Halton's)."""
    from scipy.special import gammaln

    rows = t.predicted_totals[t.predicted_totals > 0]
    columns = t.real_totals[t.real_totals > 0]
    if len(rows) < 2 or len(columns) < 2:
        return Outcome(1.0, 1.0)
    if len(rows) > len(columns):  # fewer numbers to fill at each step
        rows, columns = columns, rows

    def log_chance(cells: Array) -> Array:
        margins = gammaln(rows + 1).sum() + gammaln(columns + 1).sum() - gammaln(rows.sum() + 1)
        return np.asarray(margins - gammaln(cells + 1).sum(axis=(0, 1)))

    own = float(log_chance(t.cells[t.predicted_totals > 0][:, t.real_totals > 0]))
    point = float(np.exp(own))
    if method == "fisher-point":
        return Outcome(point, point)
    half = 0.5 if method.startswith("fisher-midp") else 0.0
    counted = chances(rows, columns, EXACT_UP_TO)
    if counted is not None:
        log, ways = counted
        chance = ways * np.exp(log)
        p = chance[log <= own + SLACK].sum() - half * chance[np.abs(log - own) <= SLACK].sum()
        return by_counting(float(p), ways.sum(), point)
    return by_draws((rows, columns), asked, point, log_chance, lambda log: log <= own + SLACK)


def unconditional(t: Table, asked: Asked) -> Outcome:
    """Barnard's and Boschloo's (whose statistic is Fisher's p-value): class sizes fixed."""
    method = asked.method
    if t.cells.shape[:2] != (2, 2):
        raise InferenceError(f"{method!r} is for two classes; use 'fisher' or 'permutation'.")
    single(t, method, "it searches over every rate of prediction")
    if float(np.max(t.total)) > UNCONDITIONAL_UP_TO:
        raise InferenceError(
            f"{method!r} is for at most {UNCONDITIONAL_UP_TO} cases (time and memory grow with the "
            f"product of the class sizes) and there are {float(np.max(t.total)):g}; with so many, "
            "'fisher-midp' and 'pearson-n1' agree with it."
        )
    cells = t.cells.reshape(2, 2)
    if not (cells.sum(axis=0).all() and cells.sum(axis=1).all()):
        return Outcome(np.zeros(t.shape), np.ones(t.shape))
    from scipy.stats import barnard_exact, boschloo_exact

    test = barnard_exact if method == "barnard" else boschloo_exact
    found = test(cells.astype(int), alternative=asked.alternative)  # type: ignore[arg-type]  # checked
    return Outcome(np.full(t.shape, found.statistic), np.full(t.shape, min(found.pvalue, 1.0)))
