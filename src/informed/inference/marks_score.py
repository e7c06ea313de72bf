"""Intervals of marks: of the score, of what is above chance, of several attempts.

Whatever is asked is a mean over items of one value each. Where these are 0 or 1 the mean is a
proportion, and its interval that of accuracy; between 0 and 1 (several attempts) that of as many trials
as would vary as much; otherwise Student's interval between items, or between the units that these were
sampled in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.evidence.marks import Marks, Places
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.given import checked_level, standard_normal
from informed.inference.proportions import mid_p
from informed.results import Note, warning

CENTRED = ("centred", "centred_of_all")
FEW = 10  # items or units below which their own spread is hardly known


def interval_of_marks(
    m: Marks, measure: str = "score", *, level: float = 0.95, of_accuracy: Callable[[Table], Interval] | None = None
) -> Interval:
    """The score of marks with its interval, or "centred", or a reducer such as "pass_at(2)".

    `of_accuracy` gives the interval of right and wrong answers that vary together, as a table has it.

    >>> m = Marks.from_columns(mark=[1, 1, 0, 1, 1, 0, 1, 1, 1, 1])
    >>> found = interval_of_marks(m)
    >>> round(found.estimate, 2), round(found.low, 3), round(found.high, 3), found.method
    (0.8, 0.48, 0.965, 'mid-p')
    """
    checked_level(level)
    together = m.epochs > 1 or m.unit is not None or bool(np.ptp(m.item_weight[m.item_weight > 0]))
    if of_accuracy is not None and measure in ("score", "mean") and m.n > 1 and m.whole and together:
        return replace(of_accuracy(m.right_or_wrong), measure=m.name)
    values, attempts = _values(m, measure)
    kept = np.isfinite(values) & (m.item_weight > 0)
    if not kept.any():
        raise InferenceError(f"No item has a value of {text(measure)}; there is nothing to estimate.")
    notes = _left_out(m, kept)
    x, w = values[kept], m.item_weight[kept]
    unit = None if m.unit is None else m.unit[kept]
    estimate, error, df = spread(x[:, None], w, unit)
    size = int(df) + 1
    answers = float(attempts[kept].sum())

    within = bool(((x >= 0) & (x <= 1)).all())
    proportion = within and measure not in CENTRED and (m.whole or measure not in ("score", "mean"))
    if proportion:
        plain = bool(((x == 0) | (x == 1)).all() and (w == w[0]).all() and unit is None)
        error = error if plain else _steadied(x, w, unit)
        low, high = _as_proportion(estimate, error, df, size, len(x) if plain else answers, plain, level)
    else:
        ends = student(float(estimate[0]), float(error[0]), df, level)[:2]
        low, high = (np.clip([y], *((0.0, 1.0) if within else (-np.inf, np.inf))) for y in ends)
    if size < FEW:
        said = f"There are {size} {'items' if unit is None else 'units'}: they say little about their own spread."
        notes.append(Note(said, code="few-units"))

    return Interval(
        estimate=float(estimate[0]),
        low=float(low[0]),
        high=float(high[0]),
        level=level,
        method="mid-p" if proportion else "t",
        measure=m.name if measure == "score" else measure,
        notes=tuple(notes),
        effective_n=float(size),
    )


def _values(m: Marks, measure: str) -> tuple[Array, Array]:
    """The value of each item, and how many answers it comes from."""
    if measure in ("score", "mean"):
        return m.values, m.attempts.n
    if measure in CENTRED:
        return m.centred_values(abstained="wrong" if measure == "centred" else "no bet"), m.attempts.n
    reduced = m.reduce(measure)
    values = np.full(len(m.items), np.nan)
    values[reduced.item] = reduced.mark
    return values, m.attempts.n


def _left_out(m: Marks, kept: NDArray[np.bool_]) -> list[Note]:
    short = int(((m.item_weight > 0) & ~kept).sum())
    if not short:
        return []
    return [warning(f"{short:,} of {m.n:,} items have too few attempts and are left out.", "too-few-attempts")]


def spread(x: Array, w: Array, unit: Places | None) -> tuple[Array, Array, float]:
    """Means of columns of item values, their standard errors, and degrees of freedom."""
    whole = w.sum()
    mean = (w[:, None] * x).sum(axis=0) / whole
    apart = w[:, None] * (x - mean) / whole
    if unit is not None:
        apart = summed(apart, unit)
    n = len(apart)
    error = np.sqrt((apart**2).sum(axis=0) * ratio(n, n - 1)) if n > 1 else np.full(x.shape[1], np.nan)
    return mean, error, float(n - 1)


def summed(apart: Array, unit: Places) -> Array:
    """What the items of each unit add together."""
    _, at = np.unique(unit, return_inverse=True)
    total = np.zeros((int(at.max()) + 1, apart.shape[1]))
    np.add.at(total, at, apart)
    return total


def _steadied(x: Array, w: Array, unit: Places | None) -> Array:
    """The standard error with one more item, half right: where nearly all items are alike, few of them tell
    how much they vary, and often none of the others was drawn."""
    n = len(x)
    units = None if unit is None else np.append(unit, unit.max() + 1)
    error = spread(np.append(x, 0.5)[:, None], np.append(w, w.mean()), units)[1]
    return np.asarray(error * np.sqrt((n + 1) / n))


def _as_proportion(p: Array, error: Array, df: float, size: int, answers: float, plain: bool, level: float) -> Limits:
    """Mid-P of as many trials as would vary as much, between the items (or units) and their answers."""
    n = np.full_like(p, float(answers))
    if not plain:
        worth = ratio(p * (1 - p), error**2)
        n = np.clip(np.where(np.isfinite(worth), worth, size), size, max(answers, size))
        n = n * _student_scale(df, level)
    return mid_p(n * p, n, level)


def student(estimate: float, error: float, df: float, level: float) -> tuple[float, float, float]:
    """Student's limits, and the p-value of 0; none where there is one item, no doubt where all are alike."""
    from scipy.special import stdtr, stdtrit

    if df < 1:
        return -np.inf, np.inf, np.nan
    half = float(stdtrit(df, (1 + level) / 2)) * error
    distance = abs(estimate) / error if error > 0 else (np.inf if estimate else 0.0)
    return estimate - half, estimate + half, float(2 * stdtr(df, -distance))


def _student_scale(df: float, level: float) -> float:
    """What the unknown size of the error leaves of the trials."""
    from scipy.special import stdtrit

    return float((standard_normal(level) / stdtrit(max(df, 1.0), (1 + level) / 2)) ** 2)
