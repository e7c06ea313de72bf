"""Do groups differ by more than sampling? Cochran's Q from estimates and their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import plain, ratio
from informed._numbers import percent, probability, rate, span
from informed.errors import InferenceError
from informed.inference.answers import Interval
from informed.inference.given import standard_normal
from informed.inference.hypothesis import chi2_tail
from informed.inference.two_proportions import recovered
from informed.results import Result


@dataclass(frozen=True, repr=False)
class Heterogeneity(Result):
    """What the groups share, and how much they differ."""

    estimate: float  # stratified: the mean of the groups, by size
    low: float
    high: float
    level: float
    statistic: float  # Cochran's Q
    df: float
    pvalue: float
    inconsistency: float  # I², the share of the spread that sampling does not explain
    hypothesis: str = "the groups share one value"
    method: str = "cochran-q"

    def sentence(self) -> str:
        """What the groups share, and whether they differ by more than sampling."""
        return (
            f"{rate(self.estimate)} {span(self.low, self.high)} in the groups together; that "
            f"{self.hypothesis}: {probability(self.pvalue)}, I² {percent(self.inconsistency)}"
        )


def difference(new: Interval, old: Interval) -> Interval:
    """Difference of two independent estimates, from their intervals alone.

    Notes
    -----
    Square and add (MOVER, Newcombe 1998 method 10; Zou & Donner 2008):
    low = d − √((x₁−l₁)² + (u₂−x₂)²), high = d + √((u₁−x₁)² + (x₂−l₂)²).

    Examples
    --------
    >>> a, b = Interval(0.5, 0.4, 0.6, 0.95, ""), Interval(0.2, 0.1, 0.3, 0.95, "")
    >>> found = difference(a, b)
    >>> [round(x, 4) for x in (found.estimate, found.low, found.high)]
    [0.3, 0.1586, 0.4414]
    """
    d = new.estimate - old.estimate
    low, high = recovered((new.estimate, old.estimate), (new.low, new.high), (old.low, old.high))
    return Interval(plain(d), plain(low), plain(high), new.level, "mover", new.measure)


def heterogeneity(found: Interval, *, weights: Any) -> Heterogeneity:
    """Mean of the groups by size with its interval, and Cochran's test that they are one.

    Parameters
    ----------
    found
        The groups' estimates and intervals: one interval of a stack of tables.
    weights
        Size of each group.

    Returns
    -------
    Heterogeneity
        Groups whose estimate is undefined take no part.

    Notes
    -----
    A group's standard error is the longer arm of its interval over the normal quantile, so that
    an interval cut off at the end of the range is not mistaken for a precise one.
    Q = Σ (x_g − x̄)²/s_g², x̄ the mean weighted by 1/s_g², is χ² with G − 1 degrees of freedom if
    all groups share one value, and I² = max(0, 1 − (G−1)/Q) (Cochran 1954; Higgins & Thompson
    2002).

    Examples
    --------
    >>> two = Interval(np.array([0.2, 0.6]), np.array([0.1, 0.5]), np.array([0.3, 0.7]), 0.95, "")
    >>> h = heterogeneity(two, weights=[100, 300])
    >>> round(h.estimate, 6), round(h.statistic, 2), round(h.pvalue, 9)
    (0.5, 30.73, 3e-08)
    """
    x = np.atleast_1d(np.asarray(found.estimate, dtype=np.float64))
    if x.ndim != 1:
        raise InferenceError(f"Groups are one axis; these estimates have the shape {x.shape}.")
    z = standard_normal(found.level)
    error = np.maximum(x - found.low, found.high - x) / z
    size = np.broadcast_to(np.asarray(weights, dtype=np.float64), x.shape)
    known = np.isfinite(x) & (error > 0) & (size > 0)
    x, error, size = x[known], error[known], size[known]
    share = ratio(size, size.sum())
    mean = np.sum(share * x) if known.any() else np.nan
    arm = z * np.sqrt(np.sum((share * error) ** 2))
    precision = ratio(1, error**2)
    centre = ratio(np.sum(precision * x), np.sum(precision))
    q = np.sum(precision * (x - centre) ** 2)
    df = float(len(x) - 1)
    spread = np.maximum(0.0, 1 - ratio(df, q)) if q > 0 else 0.0
    tested = (q, chi2_tail(q, df), spread) if df > 0 else (np.nan,) * 3

    low, high = np.maximum(mean - arm, -1.0), np.minimum(mean + arm, 1.0)
    statistic, pvalue, inconsistency = map(plain, tested)
    limits = plain(mean), plain(low), plain(high)
    return Heterogeneity(*limits, found.level, statistic, max(df, 0.0), pvalue, inconsistency)
