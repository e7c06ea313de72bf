"""Power of the default test in two classes: every table weighed, over the margins that can occur.

Given both margins the hits of a guesser are hypergeometric, and the test accepts a run of them around
their mean: those whose p-value, what lies further out and half of what lies as far, is above alpha. The
chance of these runs under the truth is what power lacks to 1. Where there are many margins, the sum
goes over some of them in even steps, each row of them shifted against the last: the steps of the
critical numbers average out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.inference.hypergeometric_tails import TIE
from informed.inference.possible_tables import Ints

MARGINS = 64  # of each side, at most; of 20, power is off by .02 at most, and there in a tenth of the time
_REACH = 4.5  # standard deviations of a margin that are looked at
_TIED = 1 - 1e-9  # a p-value that is alpha but for rounding does not reject
Steps = tuple[int, int, int]  # the first margin, the last, and the step between them


@dataclass(frozen=True)
class Run:
    """Hits that the test accepts, from the fewest to the most, ``(real, predicted)``; or those that it rejects,
    where it looks below."""

    real: Ints
    predicted: Ints
    fewest: Ints
    most: Ints
    weight: int  # margins that each one stands for


def power(
    n: int, prevalence: float, guess: float, informedness: float, alpha: float, alternative: str, margins: int = MARGINS
) -> float:
    """Chance that n cases of the papers' mixture have p < alpha."""
    steps = (_margins(n, prevalence, second, margins) for second in (prevalence, guess))
    held = run(n, *steps, alpha, alternative)
    width = max(1, int((held.most - held.fewest).max()) + 1)
    hits = held.fewest[..., None] + np.arange(width)
    real = np.broadcast_to(held.real[:, None, None], hits.shape)
    false_alarms = held.predicted[..., None] - hits

    fallout = (1 - informedness) * guess
    log = _log_binomial(real, np.full(hits.shape, n), prevalence)
    log = log + _log_binomial(hits, real, informedness + fallout) + _log_binomial(false_alarms, n - real, fallout)
    chance = np.exp(np.where(hits <= held.most[..., None], log, -np.inf)).sum() * held.weight
    return float(np.clip(chance if alternative == "less" else 1 - chance, 0.0, 1.0))


def _margins(n: int, first: float, second: float, most: int) -> Steps:
    """From where to where, and by which step, a margin with an expectation between two shares goes."""
    spread = _REACH * np.sqrt(n * max(x * (1 - x) for x in (first, second))) + 2
    low = max(0, int(n * min(first, second) - spread))
    high = min(n, int(np.ceil(n * max(first, second) + spread)))
    return low, high, -(-(high - low + 1) // most)


@lru_cache(maxsize=128)
def run(n: int, real: Steps, predicted: Steps, alpha: float, alternative: str) -> Run:
    """The runs of hits that the default test accepts, or rejects as too few, for these margins."""
    from scipy.special import ndtri

    r, p = (np.arange(low, high + 1, step) for low, high, step in (real, predicted))
    p = np.minimum(p + np.arange(len(r))[:, None] % predicted[2], n)
    rows, columns = np.broadcast_arrays(r[:, None], p)
    mean = rows * columns / n
    spread = np.sqrt(mean * (n - rows) / n * (n - columns) / max(n - 1, 1))
    reach = (2 - ndtri(alpha / 2)) * spread.max() + 5  # beyond it nothing is accepted

    least, most = np.maximum(0, rows + columns - n), np.minimum(rows, columns)
    start = np.maximum(least, np.floor(mean - reach).astype(np.int64))
    hits = start[..., None] + np.arange(int(2 * reach) + 2)
    inside = hits <= most[..., None]
    pvalue = _pvalues(n, rows[..., None], columns[..., None], hits, inside, mean[..., None], alternative)

    rejects = pvalue < alpha * _TIED
    keeps = inside & (rejects if alternative == "less" else ~rejects)
    some = keeps.any(axis=-1)
    first = np.argmax(keeps, axis=-1)
    last = hits.shape[-1] - 1 - np.argmax(keeps[..., ::-1], axis=-1)
    return Run(r, p, np.where(some, start + first, 0), np.where(some, start + last, -1), real[2] * predicted[2])


def _pvalues(n: int, rows: Ints, columns: Ints, hits: Ints, inside: Any, mean: Array, alternative: str) -> Array:
    """Of each number of hits: the chance of what is further out, and half of what is as far."""
    factorial = _log_factorials(n)
    parts = [np.where(inside, x, 0) for x in (hits, rows - hits, columns - hits, n - rows - columns + hits)]
    log = _constant(n, rows, columns) - sum(factorial[x] for x in parts)
    chance = np.exp(np.where(inside, log, -np.inf))
    below = np.cumsum(chance, axis=-1) - chance  # of fewer hits
    above = np.flip(np.cumsum(np.flip(chance, -1), axis=-1), -1) - chance
    upper, lower = above + chance / 2, below + chance / 2
    if alternative != "two-sided":
        return upper if alternative == "greater" else lower

    mirrored = 2 * mean - hits - hits[..., :1]  # places along the last axis, whole or not
    at = np.rint(mirrored)
    tied = np.abs(mirrored - at) < TIE
    last = hits.shape[-1] - 1

    def found(x: Array, place: Array) -> Array:
        kept = np.take_along_axis(x, np.clip(place, 0, last).astype(np.int64), -1)
        return np.where((place >= 0) & (place <= last), kept, 0.0)

    fewer = np.where(tied, found(lower, at), found(lower, np.floor(mirrored)) + found(chance, np.floor(mirrored)) / 2)
    more = np.where(tied, found(upper, at), found(upper, np.ceil(mirrored)) + found(chance, np.ceil(mirrored)) / 2)
    middle = np.abs(hits - mean) < TIE / 2
    return np.where(middle, 1.0, np.where(hits > mean, upper + fewer, lower + more))


def _constant(n: int, rows: Ints, columns: Ints) -> Array:
    factorial = _log_factorials(n)
    return np.asarray(sum(factorial[x] for x in (rows, n - rows, columns, n - columns)) - factorial[n])


def _log_binomial(k: Ints, n: Ints, share: float) -> Array:
    """Logarithm of the chance of k of n; −∞ where there is none."""
    from scipy.special import xlog1py, xlogy

    factorial = _log_factorials(int(n.max()))
    can = (k >= 0) & (k <= n)
    k = np.where(can, k, 0)
    log = factorial[n] - factorial[k] - factorial[n - k] + xlogy(k, share) + xlog1py(n - k, -share)
    return np.where(can, log, -np.inf)


@lru_cache(maxsize=32)
def _log_factorials(n: int) -> Array:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(n + 1) + 1.0))
