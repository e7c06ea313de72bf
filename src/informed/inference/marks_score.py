"""Intervals of marks: of the score, of what is above chance, of several attempts.

Whatever is asked is a mean over items of one value each. Where marks, or their reduced values, are 0 or 1,
it is the accuracy of a table of right and wrong answers, and its interval is that; the chance of several
attempts has that of as many trials as would vary as much; otherwise it is the interval of a bounded mean,
between items or between the clusters that these were sampled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.evidence.marks import Marks, Places
from informed.evidence.table import Table
from informed.inference import bounded_mean
from informed.inference.answers import Interval
from informed.inference.bounded_mean import BoundedMean
from informed.inference.given import checked_level, shrink
from informed.inference.proportions import mid_p
from informed.results import Note, warning

ABSTAINED: dict[str, Literal["wrong", "no bet"]] = {"centred": "wrong", "centred_of_all": "no bet"}
CENTRED = tuple(ABSTAINED)
ONE_ATTEMPT = re.compile(r"score|mean|pass(_at|_hat)?_?\(?(k=)?0*1\)?")  # the score by other names, of 0 and 1
OF_CLASSES = ("few-a-class", "small-cell")  # cautions of tables with a real class to tell from another
FEW = 10  # items or units below which their own spread is hardly known
MOST_SIGNS = 50  # beyond it a p-value of the sign test is smaller than anything


def interval_of_marks(
    m: Marks,
    measure: str = "score",
    *,
    level: float = 0.95,
    of_accuracy: Callable[[Table], Interval],
    students: bool = False,
) -> Interval:
    """The score of marks with its interval, or "centred", or a reducer such as "pass_at(2)".

    `of_accuracy` gives the interval of right and wrong answers, as a table has it: `interval` is the verb. With
    `students` it is Student's interval, whatever the scores are.
    """
    checked_level(level)
    named = m.name if measure == "score" else measure
    as_score = ONE_ATTEMPT.fullmatch(measure) is not None and (m.whole or measure in ("score", "mean"))
    reduced = m if as_score or measure in CENTRED else m.reduce(measure)
    values = reduced.values if measure not in CENTRED else m.centred_values(abstained=ABSTAINED[measure])
    kept = np.isfinite(values) & (m.item_weight > 0)
    if not kept.any():
        raise InferenceError(f"No item has a value of {text(measure)}; there is nothing to estimate.")
    notes = _left_out(m, kept)
    if measure not in CENTRED and reduced.whole and not students:
        found = of_accuracy(reduced.right_or_wrong)
        return replace(found, measure=named, notes=(*notes, *(x for x in found.notes if x.code not in OF_CLASSES)))

    guessed = m.guessing[kept] if measure == "centred" else np.zeros(0)
    if (
        len(guessed) and m.whole and np.ptp(guessed) == 0 and not students
    ):  # a share less the same for all items is as sure as it
        found, b = of_accuracy(m.right_or_wrong), float(guessed[0])
        value, bottom, top = ((float(x) - b) / (1 - b) for x in (found.estimate, found.low, found.high))
        told = (*notes, *(x for x in found.notes if x.code not in OF_CLASSES))
        return replace(found, measure=named, notes=told, estimate=value, low=bottom, high=top)

    x, w = values[kept], m.item_weight[kept]
    unit = None if m.unit is None else m.unit[kept]
    ends = (float(np.average(m.least_centred[kept], weights=w)), 1.0) if measure in CENTRED else (0.0, 1.0)
    mean = mean_of(x[:, None], w, unit, ends)
    estimate, size = mean.means, int(mean.df) + 1
    method = "t" if students else "mid-p" if m.whole and measure not in CENTRED else bounded_mean.NAMED
    if method == "t":
        low, high = mean.students(level)
    elif method == "mid-p":  # values of several attempts, each right or wrong
        answers = float(m.attempts.n[kept].sum())
        low, high = as_proportion(estimate, steadied(x, w, unit), mean.df, size, answers, level)
    else:
        low, high = mean.limits(level)
    if size < FEW:
        said = f"There are {size} {'items' if unit is None else 'units'}: they say little about their own spread."
        notes.append(Note(said, code="few-units"))

    return Interval(
        estimate=float(estimate[0]),
        low=float(low[0]),
        high=float(high[0]),
        level=level,
        method=method,
        measure=named,
        notes=tuple(notes),
        effective_n=float(size),
    )


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


def mean_of(x: Array, w: Array, unit: Places | None, ends: tuple[float, float]) -> BoundedMean:
    """Means of columns of item values from one end of a scale to the other, as `BoundedMean`."""
    _, error, df = spread(x, w, unit)
    sums, sizes = w[:, None] * x, w[:, None]
    if unit is not None:
        sums, sizes = summed(sums, unit), summed(sizes, unit)
    return BoundedMean(sums.T, sizes[:, 0], ends, error, df)


def summed(apart: Array, unit: Places) -> Array:
    """What the items of each unit add together."""
    _, at = np.unique(unit, return_inverse=True)
    total = np.zeros((int(at.max()) + 1, apart.shape[1]))
    np.add.at(total, at, apart)
    return total


def as_signs(estimate: Array, error: Array, df: float) -> Array:
    """Standard errors of differences; where all items differ alike, and show no spread, one as large as gives them
    the p-value of the sign test, and of one item or unit the difference itself."""
    from scipy.special import stdtrit

    size = np.abs(estimate)
    farthest = -float(stdtrit(df, 2.0 ** -min(df + 1, MOST_SIGNS))) if df >= 1 else 1.0
    alike = np.isnan(error) | (error <= 1e-9 * size)
    return np.asarray(np.where(alike, size / farthest, error))


def steadied(x: Array, w: Array, unit: Places | None) -> Array:
    """The standard error with one more item, half right: where nearly all items are alike, few of them tell
    how much they vary, and often none of the others was drawn."""
    n = len(x)
    units = None if unit is None else np.append(unit, unit.max() + 1)
    error = spread(np.append(x, 0.5)[:, None], np.append(w, w.mean()), units)[1]
    return np.asarray(error * np.sqrt((n + 1) / n))


def as_proportion(p: Array, error: Array, df: float, size: int, answers: float, level: float) -> Limits:
    """Mid-P of as many trials as would vary as much, between the items (or units) and their answers."""
    worth = ratio(p * (1 - p), error**2)
    n = np.clip(np.where(np.isfinite(worth), worth, size), size, max(answers, size)) * shrink(max(df, 1.0), level)
    return mid_p(n * p, n, level)


def student(estimate: float, error: float, df: float, level: float) -> tuple[float, float, float]:
    """Student's limits, and the p-value of 0; none where there is one item, no doubt where all are alike."""
    from scipy.special import stdtr, stdtrit

    if df < 1:
        return -np.inf, np.inf, np.nan
    half = float(stdtrit(df, (1 + level) / 2)) * error
    distance = abs(estimate) / error if error > 0 else (np.inf if estimate else 0.0)
    return estimate - half, estimate + half, float(2 * stdtr(df, -distance))
