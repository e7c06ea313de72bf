"""Shuffled predictions and measures that read every cell: how far from chance luck takes them.

Where both sides are independent, such a measure moves with its slopes there, Σ u·n/N. Over all shufflings of the
predictions the mean of that is 0 and its variance Σ u²·P·R / (N²(N − 1)), u centred by rows and columns (Hoeffding).
For what is linear in the cells where the margins are given, as the informedness of grades is, this is exact.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference.hypothesis import Outcome, normal_tail
from informed.inference.influence import Functional, cells_of, pattern_of, weighed_cells_of
from informed.inference.sides import places
from informed.inference.worth import Cells, Worth, worth
from informed.measures import Measure


def shuffled_z(t: Table, m: Measure, n: Array, alternative: str) -> Outcome:
    """The measure in standard deviations of all shufflings of so many cases; 0 where nothing can vary."""
    value = np.asarray(m(t))
    shares = [ratio(totals, t.total) for totals in (t.predicted_totals, t.real_totals)]
    with np.errstate(divide="ignore", invalid="ignore"):  # a side without spread
        u = _centred(m, *shares)
        variance = ratio((shares[0][:, None] * shares[1] * u**2).sum(axis=(0, 1)), n - 1)

    varies = np.isfinite(value) & np.isfinite(variance) & (variance > 0) & (n > 1)
    z = np.where(varies, ratio(value, np.sqrt(np.where(varies, variance, 1.0))), 0.0)
    return Outcome(z, np.where(varies, normal_tail(z, alternative), 1.0), np.ones(t.shape))


def worth_under_shuffling(t: Table, m: Measure) -> Worth:
    """What the cases are worth to a measure around tables whose two sides are independent."""
    predicted, real = places(t)
    shape = len(t.predicted_labels), len(t.real_labels)

    def gradient(p: Array, _: Array) -> Array:
        cells = p.reshape(*shape, *p.shape[1:])
        return _centred(m, cells.sum(axis=1), cells.sum(axis=0)).reshape(p.shape)

    squares, cases = weighed_cells_of(t)
    held = Cells((real, predicted), (predicted, real), pattern_of(t))
    f = Functional(lambda p, _: np.full(p.shape[1:], np.nan), gradient)  # only its slopes are asked for
    return worth(f, cells_of(t), held, squares=squares, rows=cases, units=t.units)


def _centred(m: Measure, predicted: Array, real: Array) -> Array:
    """Slopes at independence with these margins, whose mean is 0 in every row and every column."""
    assert m.cell_slopes is not None
    u = m.cell_slopes(predicted[:, None] * real)
    by_row, by_column = (real * u).sum(axis=1), (predicted[:, None] * u).sum(axis=0)
    return np.asarray(u - by_row[:, None] - by_column + (predicted * by_row).sum(axis=0))
