"""Shuffling the predictions: exact moments in closed form, exact tables, or seeded draws.

Given both margins, every measure here rises with S = Σ w_l·n_ll, whose mean and variance over all
shufflings of the predictions are known exactly. The weights say which measure is tested:
1/(1−Prev) for informedness, 1/(1−Bias) for markedness, 1 for accuracy, kappa and R_K.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.cells import others
from informed.evidence.table import Table
from informed.inference.hypothesis import Asked, Outcome, by_counting, by_draws, normal_tail, single, table_by_table
from informed.inference.influence import table_of
from informed.inference.linear_shuffling import shuffled_z
from informed.inference.possible_tables import number_of_tables, tables_with_margins
from informed.measures import Measure
from informed.measures.association import chi_squared

EXACT_UP_TO = 200_000  # tables with the same margins that are listed rather than drawn
MANY = 1000  # tables in one call that draws for each


def weights_of(measure: Measure, t: Table) -> Array | None:
    """Weights of the hits whose sum stands for the measure; None where there are none such."""
    if "average" not in dict(measure.bound):
        measure.check(t)
    if measure.margins is not None:
        raise InferenceError(
            f"{measure.name} is a function of the margins, which a test against guessing holds "
            "fixed; there is nothing to test."
        )

    if t.is_square and len(t.real_labels) == 2:
        direction = _direction(measure)
        return None if direction is None else direction * np.ones_like(t.real_totals)

    found = measure.hits(t)
    if found is None:
        return None
    return np.where(np.isfinite(found), found, 0.0)  # a class of nothing, or of everything


@cache
def _direction(measure: Measure) -> int | None:
    """Whether a measure of two classes rises (1) or falls (−1) with the hits; None for neither."""
    hits = np.arange(16, 56)
    probe = Table.from_counts(np.moveaxis(np.array([[hits, 55 - hits], [61 - hits, hits - 16]]), -1, 0), positive="+")
    with np.errstate(all="ignore"):
        steps = np.diff(np.asarray(measure(probe), dtype=np.float64))
    steps = steps[np.isfinite(steps)]
    if np.all(steps > -1e-12):
        return 1
    return -1 if np.all(steps < 1e-12) else None


class Counted(NamedTuple):
    """Margins and hits of tables: all that shuffling reads of them."""

    predicted_totals: Array
    real_totals: Array
    hits: Array
    total: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.total.shape


def excess_and_variance(t: Table | Counted, weights: Array) -> tuple[Array, Array]:
    """S minus its mean over all shufflings of the predictions, and its variance over them.

    Cov(n_ll, n_mm) = P_l(N[l=m] − P_m)·R_l(N[l=m] − R_m) / (N²(N−1)); every term of the variance
    is written as a sum of positive ones.
    """
    n, real, predicted, hits = t.total, t.real_totals, t.predicted_totals, t.hits
    false_alarms, misses = predicted - hits, real - hits
    rest = n - real - false_alarms
    excess = ratio((weights * (hits * rest - false_alarms * misses)).sum(axis=0), n)
    chance = weights * predicted * real
    spread = chance * (weights * (n - predicted) * (n - real) + others(chance))
    return excess, ratio(spread.sum(axis=0), n**2 * (n - 1))


def weights_for_tails(t: Table, measure: Measure) -> Array:
    """Weights of the hits, refused where there are none that stand for the measure."""
    weights = weights_of(measure, t)
    if weights is not None:
        return weights
    then = "`method='permutation'` draws it"
    if t.units is not None or t.squares is not None:
        out = "" if t.units is None else ", or take `t.without_units()`"
        then = f"and drawing it takes independent cases of one weight: test informedness{out}"
    raise InferenceError(f"{measure} has no closed form under shuffling; {then}.")


def by_slopes(t: Table, measure: Measure) -> bool:
    """Whether no weights of hits stand for a measure, but its slopes at independence can."""
    return weights_of(measure, t) is None and measure.cell_slopes is not None


def permutation_z(t: Table, asked: Asked) -> Outcome:
    """The excess of hits over chance in standard deviations of all shufflings."""
    assert asked.measure is not None
    if by_slopes(t, asked.measure):
        return shuffled_z(t, asked.measure, t.total, asked.alternative)
    weights = weights_for_tails(t, asked.measure)
    excess, variance = excess_and_variance(t, weights)
    varies = variance > 0
    z = np.where(varies, ratio(excess, np.sqrt(np.where(varies, variance, 1.0))), 0.0)
    return Outcome(z, np.where(varies, normal_tail(z, asked.alternative), 1.0), np.ones(t.shape))


def permutation(t: Table, asked: Asked) -> Outcome:
    """Share of shufflings at least as extreme: all tables when few, seeded draws otherwise."""
    single(t, asked.method, f"it draws {asked.n_draws} tables for each", MANY)
    return table_by_table(t, lambda one: _permuted(one, asked))


def _permuted(t: Table, asked: Asked) -> Outcome:
    statistic = _statistic(t, asked)
    rows, columns = t.predicted_totals, t.real_totals
    observed = float(statistic(t.cells))
    if np.count_nonzero(rows) < 2 or np.count_nonzero(columns) < 2:
        return Outcome(observed, 1.0)
    count = number_of_tables(rows, columns, EXACT_UP_TO)
    if count is not None:
        parts = [(statistic(cells), weight) for cells, weight in tables_with_margins(rows, columns)]
        values = np.concatenate([v for v, _ in parts])
        chances = np.exp(np.concatenate([w for _, w in parts]))
        chances /= chances.sum()
        p = float(chances[_extreme(values, observed, float(chances @ values), asked)].sum())
        return by_counting(p, count, observed)

    def extreme(values: Array) -> Any:
        return _extreme(values, observed, float(np.mean(values)), asked)

    return by_draws((rows, columns), asked, observed, statistic, extreme)


def _statistic(t: Table, asked: Asked) -> Callable[[Array], Array]:
    """The statistic as a function of cells (predicted, real, draws)."""

    def stacked(cells: Array) -> Table:
        return table_of(cells.reshape(-1, *cells.shape[2:]), t.answered)

    measure = asked.measure
    if measure is None:
        return lambda cells: np.nan_to_num(chi_squared(stacked(cells)))
    weights = weights_of(measure, t)
    if weights is None:
        return lambda cells: np.asarray(measure(stacked(cells), undefined="limit"))
    at = np.arange(len(weights))
    return lambda cells: np.tensordot(weights, cells[at, at], axes=(0, 0))


def _extreme(values: Array, observed: float, mean: float, asked: Asked) -> Any:
    """Which values are at least as extreme; one that is undefined counts against the finding."""
    slack = 1e-9 * max(1.0, float(np.nanmax(np.abs(values))))
    facts = None if asked.measure is None else asked.measure.facts
    strength = facts is None or facts.chance == facts.bounds[0]  # it has no direction, only size
    if asked.alternative == "greater" or (strength and asked.alternative == "two-sided"):
        return ~(values < observed - slack)
    if asked.alternative == "less":
        return ~(values > observed + slack)
    return ~(np.abs(values - mean) < abs(observed - mean) - slack)
