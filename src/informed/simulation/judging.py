"""A measure, an interval and a test, each judged on a stack of tables whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.tests import test
from informed.measures import find

Judged: TypeAlias = str | Callable[[Table], Any]  # a measure by name, or a function of a table


def values(t: Table, measure: Judged) -> Array:
    """The measure of every table."""
    found = find(measure) if isinstance(measure, str) else measure
    return np.asarray(found(t), dtype=np.float64)


@dataclass(frozen=True)
class JudgedIntervals:
    """What the interval of each table does with the truth."""

    defined: NDArray[np.bool_]  # the measure has a value
    finite: NDArray[np.bool_]  # and so have both limits
    below: NDArray[np.bool_]  # the truth lies below the interval
    above: NDArray[np.bool_]
    width: Array

    @property
    def held(self) -> NDArray[np.bool_]:
        """Whether it holds the truth; a defined table without a finite interval does not."""
        return self.finite & ~self.below & ~self.above

    @property
    def covered(self) -> NDArray[np.bool_]:
        """`held` of the tables that have a value."""
        return self.held[self.defined]

    @property
    def widths(self) -> Array:
        """Widths of the intervals that are finite."""
        return self.width[self.finite]


def judged(t: Table, measure: str, truth: float, **options: Any) -> JudgedIntervals:
    """Intervals of a stack, beside the truth; the options are those of `informed.interval`."""
    found = interval(t, measure, **options)
    low, high = np.asarray(found.low), np.asarray(found.high)
    defined = ~np.isnan(np.asarray(found.estimate))
    finite = np.isfinite(low) & np.isfinite(high) & defined
    below, above = truth < low - 1e-12, truth > high + 1e-12
    return JudgedIntervals(defined, finite, below, above, np.where(finite, high - low, 0.0))


def statistics(t: Table, method: str) -> Array:
    """The test statistic of every table."""
    return np.asarray(test(t, method=method).statistic, dtype=np.float64)


def pvalues(t: Table, method: str, **options: Any) -> Array:
    """The p-value of every table; the options are those of `informed.test`."""
    return np.asarray(test(t, method=method, **options).pvalue, dtype=np.float64)
