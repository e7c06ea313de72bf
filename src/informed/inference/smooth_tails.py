"""Tails of Σ w_l·n_ll under shuffling without a list of tables: the conditional saddlepoint.

In the middle the signed root r* is read off a model; at the ends of what the margins allow, the
chance of the end itself is known, and between the end and half a hit inside ln p is a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.inference import hypergeometric_tails as hypergeometric
from informed.inference.hit_model import fitted

_NEAR = 0.08  # standard deviations from the mean within which r* is a straight line
_SAME = 1e-9  # of the largest sum: two sums that differ by less are the same
Which = NDArray[np.int64]


@dataclass(frozen=True)
class Law:
    """The distribution of a sum of hits, one number a table; a hit of the lightest class is 1."""

    mean: Array
    deviation: Array
    low: Array  # the least sum that the margins allow, and the largest
    high: Array
    log_end: Callable[
        [NDArray[np.bool_], Which], Array
    ]  # ln of the chance of the largest, or the least, of these tables
    root: Callable[[Array, Which], Array]  # r* at these sums of these tables, not at the mean; NaN: not found

    def outer(self, s: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Chance of sums further from the mean than s and half that of s; and where it is only normal."""
        from scipy.special import log_ndtr

        up = s >= self.mean
        end = np.where(up, self.high, self.low)
        way = np.where(up, 1.0, -1.0)
        left = way * (end - s)
        half = np.minimum(0.5, way * (end - self.mean) / 2)
        share = np.clip(left / half, 0.0, 1.0)  # of the way from the end to half a hit inside

        at = np.where(share < 1, end - way * half, s)
        root = self._root(at)
        lost = ~np.isfinite(root)
        root = np.where(lost, (at - self.mean) / self.deviation, root)
        log = log_ndtr(-way * root)
        beside = np.flatnonzero(share < 1)
        if beside.size:
            log_end = self.log_end(up[beside], beside) - np.log(2)
            log[beside] = log_end + share[beside] * (log[beside] - log_end)
        beyond = left < -_SAME * np.maximum(1.0, np.abs(self.high))
        return np.where(beyond, 0.0, np.exp(log)), lost & (share > 0)

    def _root(self, s: Array) -> Array:
        """r* everywhere: beside the mean, where its formula is 0/0, a straight line."""
        room = np.minimum(self.high - self.mean, self.mean - self.low)
        beside = np.minimum(_NEAR * self.deviation, 0.9 * room)
        near = np.flatnonzero(np.abs(s - self.mean) < beside)
        at = s.copy()
        at[near] = (self.mean - beside)[near]
        found = self.root(at, np.arange(s.size))
        if near.size:
            high = self.root((self.mean + beside)[near], near)
            part = ((s - self.mean)[near] / beside[near] + 1) / 2
            found[near] += (high - found[near]) * part
        return found


def of_two_classes(real: Array, said: Array, n: Array) -> Law:
    """The hits of the first of two classes, of counts that need not be whole."""

    def root(x: Array, which: Which) -> Array:
        return hypergeometric.root(x, real[which], said[which], n[which])

    low, high = np.maximum(0.0, real + said - n), np.minimum(real, said)

    def log_end(up: NDArray[np.bool_], which: Which) -> Array:
        at = np.where(up, high[which], low[which])
        return hypergeometric.log_chance(at, real[which], said[which], n[which])

    deviation = np.sqrt(hypergeometric.variance(real, said, n))
    return Law(real * said / n, deviation, low, high, log_end, root)


def of_classes(said: Array, real: Array, weights: Array, variance: Array) -> Law:
    """Sums of hits, ``(classes, tables)``; the smallest weight of a class that can be hit is 1."""
    n = said.sum(axis=0)
    low = (weights * np.maximum(0.0, said + real - n)).sum(axis=0)
    high = (weights * np.minimum(said, real)).sum(axis=0)
    mean = (weights * said * real).sum(axis=0) / n

    def root(s: Array, which: Which) -> Array:
        heaviest = weights[:, which].max(axis=0)
        start = np.clip((s - mean[which]) / variance[which], -2 / heaviest, 2 / heaviest)
        fit = fitted(said[:, which], real[:, which], weights[:, which], s, start=start)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = np.sign(s - mean[which]) * np.sqrt(2 * fit.gain)
            u = 2 * np.tanh(fit.tilt / 2) * np.sqrt(fit.spread) * np.exp(fit.nuisance / 2)
            return np.asarray(r + np.log(u / r) / r)

    def log_end(up: NDArray[np.bool_], which: Which) -> Array:
        found = np.empty(which.size)
        for side, chance in ((up, _log_all_hits), (~up, _log_no_hit)):
            some = which[side]
            if some.size:
                found[side] = chance(said[:, some], real[:, some], weights[:, some])
        return found

    return Law(mean, np.sqrt(variance), low, high, log_end, root)


def _log_all_hits(said: Array, real: Array, weights: Array) -> Array:
    """ln of the chance that every class is hit as often as its margins allow."""
    from scipy.special import gammaln

    most, least = np.maximum(said, real), np.minimum(said, real)
    least = np.where(weights > 0, least, 0.0)
    n = said.sum(axis=0)
    each = gammaln(most + 1) - gammaln(most - least + 1)
    return np.asarray(each.sum(axis=0) + gammaln(n - least.sum(axis=0) + 1) - gammaln(n + 1))


def _log_no_hit(said: Array, real: Array, weights: Array) -> Array:
    """ln of the chance that every class is hit as seldom as its margins allow.

    One table where a class has to be hit; otherwise the saddlepoint of the model without hits.
    """
    from scipy.special import gammaln

    n = said.sum(axis=0)
    d = np.argmax(said + real, axis=0), np.arange(n.size)
    forced = said[d] + real[d] - n
    one = gammaln(said[d] + 1) + gammaln(real[d] + 1) - gammaln(np.maximum(forced, 0.0) + 1) - gammaln(n + 1)
    free = np.flatnonzero(forced < -_SAME * n)
    if free.size:
        nothing = np.zeros(free.size)
        fit = fitted(said[:, free], real[:, free], weights[:, free], nothing, start=nothing, barred=True)
        one[free] = np.minimum(-fit.gain - fit.nuisance / 2, 0.0)
    return np.asarray(one)
