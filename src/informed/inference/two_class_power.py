"""Power of the default test in two classes: every table weighed, over the margins that can occur.

Given both margins the hits of a guesser are hypergeometric, and the test accepts a run of them around
their mean: those whose p-value, what lies further out and half of what lies as far, is above alpha. Given
the real margin and the hits it accepts a run of predicted margins, but for single tables that are counted
apart; and as hits and false alarms are two binomials, the chance of a run is read off their sums. Power is
what these chances lack to 1.

Where there are many real margins, the sum goes over some of them in even steps; where there are many
predicted ones, the ends of the runs are found for some and lie on straight lines between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.inference.hypergeometric_tails import TIE
from informed.inference.possible_tables import Ints

Some = tuple[int, int, int]  # margins that are looked at one by one; real and predicted ones where there are more
WHOLE: Some = (64, 12, 32)  # power is within .007
PAGE: Some = (32, 12, 24)  # for a page that asks about many sizes of one that guesses as prevalent: within .02 from 30
_REACH = 4.5  # standard deviations of a margin that are looked at
LISTED = 100_000  # cases up to which logarithms of factorials are kept in a table
TIED = 1 - 1e-9  # a p-value that is alpha but for rounding does not reject
Steps = tuple[int, int, int]  # the first margin, the last, and the step between them


@dataclass(frozen=True)
class Run:
    """Hits that the test accepts, from the fewest to the most, ``(real, predicted)``: widened so that both ends grow
    with the predicted margin, and the tables that this took in."""

    n: int
    real: Ints
    predicted: Ints
    fewest: Ints
    most: Ints
    taken_in: Ints  # (3, tables): place of the real margin, hits and false alarms
    weight: int  # real margins that each one stands for


def power(
    n: int, prevalence: float, guess: float, informedness: Any, alpha: float, alternative: str, some: Some = WHOLE
) -> Array:
    """Chance that n cases of the papers' mixture have p < alpha, for each informedness."""
    asked = np.asarray(informedness, dtype=np.float64)
    alone, real, predicted = some
    known = asked.reshape(-1, 1)
    fallout = (1 - known) * guess
    said = known * prevalence + fallout
    steps = _margins(n, np.array([prevalence]), alone, real), _margins(n, said, alone, predicted)
    held = run(n, *steps, alpha, alternative)
    hits, of_hits = _likely(held.real, known + fallout)
    alarms, of_alarms = _likely(n - held.real, fallout)

    summed = np.zeros((*of_alarms.shape[:-1], of_alarms.shape[-1] + 1))
    np.cumsum(of_alarms, axis=-1, out=summed[..., 1:])
    offset = hits + alarms[..., :1]
    least, most = _accepted(held, hits)
    ends = (np.clip(end - offset, 0, summed.shape[-1] - 1) for end in (least, most + 1))
    before, up_to = (np.take_along_axis(summed, end, -1) for end in ends)
    accepted = (of_hits * np.maximum(up_to - before, 0.0)).sum(axis=-1)

    row, hit, more = held.taken_in
    extra = _at(of_hits, hits, row, hit) * _at(of_alarms, alarms, row, more)
    share = np.exp(_log_binomial(held.real, np.full_like(held.real, n), prevalence)) * held.weight
    chance = accepted @ share - extra @ share[row]
    return np.asarray(np.clip(1 - chance, 0.0, 1.0)).reshape(asked.shape)


def _margins(n: int, share: Array, alone: int, some: int) -> Steps:
    """From where to where, and by which step, margins with these expected shares go: some of each where there are too
    many. The step is odd, because even and odd margins of even classes differ."""
    spread = _REACH * np.sqrt(n * share * (1 - share)) + 2
    low, high = np.maximum(0, n * share - spread).astype(np.int64), np.minimum(n, np.ceil(n * share + spread))
    there = int((high - low).min()) + 1
    return int(low.min()), int(high.max()), 1 if there <= alone else -(-there // some) // 2 * 2 + 1


def _likely(of: Ints, share: Array) -> tuple[Ints, Array]:
    """The likely numbers of a binomial, ``(world, of, number)``, and the chance of each."""
    mean = of * share
    reach = _REACH * np.sqrt(mean * (1 - share)) + 4
    start = np.maximum(0, np.floor(mean - reach)).astype(np.int64)
    numbers = start[..., None] + np.arange(int(2 * reach.max()) + 2)
    return numbers, np.exp(_log_binomial(numbers, np.broadcast_to(of[:, None], numbers.shape), share[..., None]))


def _accepted(held: Run, hits: Ints) -> tuple[Ints, Ints]:
    """The least and the largest predicted margin with which so many hits are accepted."""
    rows, columns = held.most.shape
    row = np.arange(rows)[:, None]
    apart = row * 2 * (held.n + 1)  # rows follow one another, so that one search serves them all
    first = np.searchsorted((held.most + apart).ravel(), hits + apart, side="left") - row * columns
    last = np.searchsorted((held.fewest + apart).ravel(), hits + apart, side="right") - row * columns - 1
    return held.predicted[0] + first, held.predicted[0] + last


def _at(chance: Array, numbers: Ints, row: Ints, number: Ints) -> Array:
    """Chance of single numbers, ``(world, table)``; 0 of those that are not likely."""
    place = number - numbers[:, row, 0]
    inside = (place >= 0) & (place < chance.shape[-1])
    world = np.arange(len(chance))[:, None]
    return np.where(inside, chance[world, row, np.where(inside, place, 0)], 0.0)


@lru_cache(maxsize=1)  # a page asks about several systems with as many cases
def run(n: int, real: Steps, predicted: Steps, alpha: float, alternative: str) -> Run:
    """The runs of hits that the default test accepts for these margins."""
    r = np.arange(real[0], real[1] + 1, real[2])
    low, high, step = predicted
    looked_at = np.minimum(low + step * np.arange(-(-(high - low) // step) + 1), n)
    low_ends, high_ends = _ends(n, r[:, None], looked_at, alpha, alternative)
    p = np.arange(looked_at[0], looked_at[-1] + 1)
    if step > 1:
        at = np.minimum((p - low) // step, len(looked_at) - 2)
        part = (p - looked_at[at]) / np.diff(looked_at)[at]
        low_ends, high_ends = (x[:, at] + (x[:, at + 1] - x[:, at]) * part for x in (low_ends, high_ends))
    fewest, most = np.ceil(low_ends).astype(np.int64), np.floor(high_ends).astype(np.int64)

    lower = np.flip(np.minimum.accumulate(np.flip(fewest, -1), axis=-1), -1)
    upper = np.maximum.accumulate(most, axis=-1)
    taken_in = [
        (row, first[row, column] + 1 + more, column)
        for first, last in ((most, upper), (lower - 1, fewest - 1))
        for row, column, more in [_counted_out(last - first)]
    ]
    row, hits, column = (np.concatenate(x) for x in zip(*taken_in, strict=True))
    return Run(n, r, p, lower, upper, np.stack([row, hits, p[column] - hits]), real[2])


def _counted_out(counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Each cell as often as it counts, and 0, 1, … within it."""
    row, column = np.nonzero(counts)
    times = counts[row, column]
    within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    return np.repeat(row, times), np.repeat(column, times), within


def _ends(n: int, rows: Ints, columns: Ints, alpha: float, alternative: str) -> tuple[Array, Array]:
    """Where the p-value falls to alpha below and above the mean: the whole hits between them are accepted.

    Between two whole hits the logarithm of the p-value is taken as straight.
    """
    from scipy.special import ndtri

    rows, columns = np.broadcast_arrays(rows, columns)
    mean = rows * columns / n
    spread = np.sqrt(mean * (n - rows) / n * (n - columns) / max(n - 1, 1))
    reach = (2 - ndtri(alpha / 2)) * spread.max() + 5  # beyond it nothing is accepted
    least, most = np.maximum(0, rows + columns - n), np.minimum(rows, columns)
    start = np.maximum(least, np.floor(mean - reach).astype(np.int64))
    hits = start[..., None] + np.arange(int(2 * reach) + 2)
    inside = hits <= most[..., None]
    pvalue = _pvalues(n, rows[..., None], columns[..., None], hits, inside, mean[..., None], alternative)

    rejects = inside & (pvalue < alpha * TIED)
    off = np.log(np.maximum(pvalue, 1e-300) / alpha)

    def crossed(first: Ints, step: int, end: Ints, some: Any) -> Array:
        """From the first hits that are rejected, back towards the mean to where p is alpha."""
        here = first[..., None]
        inner = np.clip(here - step, 0, hits.shape[-1] - 1)
        out, back = (np.take_along_axis(off, x, -1)[..., 0] for x in (here, inner))
        far = np.clip(out / np.minimum(out - back, -1e-12), 1e-9, 1.0)
        return np.where(some, start + first - step * far, end)

    high = rejects & ((hits > mean[..., None]) | (alternative == "greater"))
    low = rejects & ((hits < mean[..., None]) | (alternative == "less"))
    above = crossed(np.argmax(high, axis=-1), 1, most, high.any(axis=-1))
    below = crossed(hits.shape[-1] - 1 - np.argmax(low[..., ::-1], axis=-1), -1, least, low.any(axis=-1))
    return (below if alternative != "greater" else least), (above if alternative != "less" else most)


def _pvalues(n: int, rows: Ints, columns: Ints, hits: Ints, inside: Any, mean: Array, alternative: str) -> Array:
    """Of each number of hits: the chance of what is further out, and half of what is as far."""
    factorial = _log_factorial(n)
    parts = [np.where(inside, x, 0) for x in (hits, rows - hits, columns - hits, n - rows - columns + hits)]
    log = _constant(n, rows, columns) - sum(factorial(x) for x in parts)
    chance = np.exp(np.where(inside, log, -np.inf))
    below = np.cumsum(chance, axis=-1) - chance  # of fewer hits
    above = np.flip(np.cumsum(np.flip(chance, -1), axis=-1), -1) - chance
    upper, lower = above + chance / 2, below + chance / 2
    if alternative != "two-sided":
        return upper if alternative == "greater" else lower

    mirrored = 2 * mean - hits - hits[..., :1]  # places along the last axis, whole or not
    at = np.rint(mirrored)
    tied = np.abs(mirrored - at) < TIE
    high = hits > mean
    inner = np.where(tied, at, np.where(high, np.floor(mirrored), np.ceil(mirrored))).astype(np.int64)
    width = hits.shape[-1]
    there = (inner >= 0) & (inner < width)
    place = np.where(there, inner, 0) + np.arange(0, hits.size, width).reshape(*hits.shape[:-1], 1)
    other = np.where(high, np.take(lower, place), np.take(upper, place)) + np.where(tied, 0, np.take(chance, place) / 2)
    middle = np.abs(hits - mean) < TIE / 2
    return np.where(middle, 1.0, np.where(high, upper, lower) + np.where(there, other, 0.0))


def _constant(n: int, rows: Ints, columns: Ints) -> Array:
    factorial = _log_factorial(n)
    return np.asarray(sum(factorial(x) for x in (rows, n - rows, columns, n - columns)) - factorial(n))


def _log_binomial(k: Ints, n: Ints, share: Any) -> Array:
    """Logarithm of the chance of k of n; −∞ where there is none."""
    from scipy.special import xlog1py, xlogy

    factorial = _log_factorial(int(n.max()))
    can = (k >= 0) & (k <= n)
    k = np.where(can, k, 0)
    log = factorial(n) - factorial(k) - factorial(n - k) + xlogy(k, share) + xlog1py(n - k, -share)
    return np.where(can, log, -np.inf)


def _log_factorial(n: int) -> Callable[[Any], Array]:
    """Logarithms of factorials up to that of n: looked up, or of many cases computed one by one."""
    from scipy.special import gammaln

    return (lambda x: np.asarray(gammaln(x + 1.0))) if n > LISTED else _listed_factorials(n).__getitem__


@lru_cache(maxsize=32)
def _listed_factorials(n: int) -> Array:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(n + 1) + 1.0))
