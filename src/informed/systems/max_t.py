"""The largest of many errors: draws of all systems together, and what exceeds them."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.inference.given import Rng, generator

_BLOCK = 256  # draws of the largest of all pairs at once


def normal_draws(covariance: Array, draws: int, rng: Rng, freedom: float = np.inf) -> Array:
    """Errors of all systems, drawn together: ``(draws, systems)``; Student's where few units
    say how large they are."""
    covariance = np.nan_to_num(covariance)  # an undefined system has no error
    errors = np.sqrt(np.diagonal(covariance))
    scale = np.where(errors > 0, ratio(1.0, errors), 0.0)
    correlation = covariance * scale * scale[:, None]
    correlation[np.diag_indices(len(errors))] = 1 + 1e-9  # identical systems leave it singular
    factor = np.linalg.cholesky(correlation) * errors[:, None]
    source = generator(rng)
    drawn = source.standard_normal((draws, len(errors))) @ factor.T
    if np.isfinite(freedom):
        drawn /= np.sqrt(source.chisquare(freedom, draws) / freedom)[:, None]
    return np.asarray(drawn)


def largest_of_each(drawn: Array, errors: Array) -> Array:
    """The largest standardised error of any column, in every draw."""
    scale = np.where(errors > 0, ratio(1.0, errors), 0.0)  # none of what is undefined
    return np.asarray((np.abs(drawn) * scale).max(axis=1))


def largest_of_pairs(drawn: Array, errors: Array) -> Array:
    """The largest standardised error of any difference of two systems, in every draw.

    `errors` are the standard errors of the differences, ``(systems, systems)``. Single precision
    and blocks that stay in the cache: half a million pairs by two thousand draws in seconds.
    """
    inverse = np.where(errors > 0, ratio(1.0, errors), 0.0).astype(np.float32)
    largest = np.zeros(len(drawn), np.float32)
    for start in range(0, len(drawn), _BLOCK):
        part = np.ascontiguousarray(drawn[start : start + _BLOCK].T, dtype=np.float32)
        most = largest[start : start + _BLOCK]
        for a in range(len(part) - 1):
            gap = part[a + 1 :] - part[a]
            np.abs(gap, out=gap)
            gap *= inverse[a, a + 1 :, None]
            np.maximum(most, gap.max(axis=0), out=most)
    return largest.astype(np.float64)


def exceeding(largest: Array, single: Array, freedom: float) -> Array:
    """How often the largest of many is as far out by luck as each p-value by itself says.

    From draws, never 0; where these run out, Bonferroni's bound is smaller and takes over. It is at most 1 − level
    exactly where a statistic is above `critical_value` of that level.
    """
    ordered = np.sort(largest)
    above = len(ordered) - np.searchsorted(ordered, _statistic(single, freedom), side="left")
    drawn = (above + 1) / (len(ordered) + 1)
    found = np.minimum(drawn, single * np.count_nonzero(~np.isnan(single)))
    return np.asarray(np.where(np.isnan(single), np.nan, np.maximum(found, single)))


def critical_value(largest: Array, level: float, questions: int, freedom: float) -> float:
    """Standard errors to go, so that the intervals of so many questions hold together: that which the drawn errors
    exceed as seldom as is wanted, between the quantile of one question and Bonferroni's."""
    alpha = round(1 - level, 12)
    exceed = int(np.floor(alpha * (len(largest) + 1) + 1e-9))
    drawn = float(np.sort(largest)[len(largest) - exceed]) if exceed else np.inf
    single, each = (float(_statistic(np.asarray(alpha / many), freedom)) for many in (1, max(questions, 1)))
    return min(max(drawn, single), each)


def _statistic(pvalue: Array, freedom: float) -> Array:
    """The distance from 0 that has this two-sided p-value."""
    from scipy.special import ndtri, stdtrit

    half = np.asarray(pvalue, dtype=np.float64) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(-ndtri(half) if not np.isfinite(freedom) else -stdtrit(freedom, half))
