"""Two classes: likelihood ratios as a ratio of two proportions, and the odds ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.inference.possible_tables import possible_hits
from informed.inference.proportions import not_rejected
from informed.inference.roots import root
from informed.inference.sample import Sample

_LARGEST = 40.0  # of the logarithm of a ratio: e^40 is beyond any count


def log(s: Sample) -> Limits:
    """Normal on the scale of the logarithm: Katz for likelihood ratios, Woolf for the odds ratio.

    An empty cell makes the standard error infinite, and the interval everything.
    """
    spread = _spread_of_log(s)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = s.quantile * spread
        low, high = s.estimate * np.exp(-reach), s.estimate * np.exp(reach)
    unknown = ~np.isfinite(spread) & ~np.isnan(s.estimate)
    return np.where(unknown, 0.0, low), np.where(unknown, np.inf, high)


def _spread_of_log(s: Sample) -> Array:
    if s.units is None and s.m.facts.quotient is not None:
        x1, n1, x0, n0 = s.m.facts.quotient(s.effective)
        with np.errstate(invalid="ignore"):
            return np.sqrt(ratio(1, x1) - ratio(1, n1) + ratio(1, x0) - ratio(1, n0))
    if s.units is None and s.m.facts.of_odds is not None:
        return np.asarray(np.sqrt(ratio(1, s.effective.cells).sum(axis=(0, 1))))
    return ratio(s.standard_error(), s.estimate)


def ratio_limits(s: Sample, corrected: bool) -> Limits:
    """Ratios that the score test does not reject (Koopman; corrected: Miettinen–Nurminen)."""
    assert s.m.facts.quotient is not None
    x1, n1, x0, n0 = map(np.asarray, s.m.facts.quotient(s.effective))
    known = (n1 > 0) & (n0 > 0)
    n1, n0 = np.where(known, n1, 1.0), np.where(known, n0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.clip(np.nan_to_num(np.log(ratio(x1 / n1, x0 / n0))), -_LARGEST, _LARGEST)

    def statistic(logarithm: Array) -> Array:
        return ratio_statistic(x1, n1, x0, n0, np.exp(logarithm), corrected)

    ends = not_rejected(statistic, -_LARGEST, middle, _LARGEST, s.level)
    low, high = (np.exp(end) for end in ends)
    low, high = np.where(x1 == 0, 0.0, low), np.where(x0 == 0, np.inf, high)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def ratio_statistic(x1: Array, n1: Array, x0: Array, n0: Array, phi: Any, corrected: bool = True) -> Array:
    """Normal statistic of p1/p0 = phi, with the variance under that hypothesis."""
    n = n1 + n0
    b = phi * (n1 + x0) + x1 + n0
    root_of = np.sqrt(np.maximum(b**2 - 4 * n * phi * (x1 + x0), 0))
    p0 = 2 * (x1 + x0) / (b + root_of)  # the smaller root of the quadratic, without cancelling
    p1 = np.minimum(p0 * phi, 1)
    variance = p1 * (1 - p1) / n1 + phi**2 * p0 * (1 - p0) / n0
    if corrected:
        variance = variance * ratio(n, n - 1)
    off = x1 / n1 - phi * x0 / n0
    return np.where(off == 0, 0.0, ratio(off, np.sqrt(np.maximum(variance, 0))))


def conditional(s: Sample, mid: bool) -> Limits:
    """Odds ratios that Fisher's exact distribution does not contradict, given all margins."""
    cells, image = s.effective.cells, s.m.facts.of_odds
    assert image is not None
    if (cells != np.round(cells)).any():
        raise InferenceError(
            "The conditional distribution of the odds ratio needs whole counts; weighted or "
            'clustered cases have none: take "arc" or "log".'
        )
    low, high = odds_ratio_limits(cells.reshape(4, -1), s.level, mid)
    return image(low).reshape(s.t.shape), image(high).reshape(s.t.shape)


def odds_ratio_limits(cells: Array, level: float, mid: bool) -> Limits:
    """Limits for ``(4, tables)``; scipy has those of one table, without the mid-P."""
    from scipy.special import softmax

    hits, weight = possible_hits(*cells)
    seen = cells[0][:, None]
    share = np.where(hits == seen, 0.5 if mid else 1.0, 1.0)

    def limit(beyond: Any) -> Array:
        """The ratio at which so much lies beyond what was seen as a tail may hold."""

        def tail(logarithm: Array) -> Array:
            chance = softmax(weight + logarithm[:, None] * hits, axis=1)
            return np.asarray((chance * counted).sum(axis=1) - (1 - level) / 2)

        counted, ends = np.where(beyond, share, 0.0), np.full(len(hits), _LARGEST)
        return np.exp(root(tail, -ends, ends))

    low = np.where(cells[0] == hits[:, 0], 0.0, limit(hits >= seen))
    return low, np.where(cells[0] == hits.max(axis=1), np.inf, limit(hits <= seen))
