"""Two classes under shuffling: the tails of the hits of the first, which are hypergeometric.

Cases `n`, of which `real` are of the class, and `said` are called so; `x` of them are hits. All are
arrays of as many tables. Few cases are summed term by term, many are read off the saddlepoint r*.
"""

from __future__ import annotations

import math

import numpy as np

from informed._arrays import Array

SUMMED_UP_TO = 400.0  # variance of the hits up to which the terms of a tail are summed
TIE = 1e-7  # two numbers of hits that differ by less are the same
_DONE = 1e-17  # of the sum: a term as small as that ends it
_NEAR = 0.05  # standard deviations from the mean within which r* is a straight line


def variance(real: Array, said: Array, n: Array) -> Array:
    """Variance of the hits over all shufflings of the predictions."""
    return np.asarray(real / n * (n - real) / n * said / (n - 1) * (n - said))


def log_chance(x: Array, real: Array, said: Array, n: Array) -> Array:
    """Logarithm of the chance of x hits; factorials of broken numbers are gammas.

    ln n! = n ln n − n + rest: the large parts make a sum of deviances, so that a hundred million
    cases lose no digits.
    """
    margins = _rest(said) + _rest(n - said) + _rest(real) + _rest(n - real) - _rest(n)
    cells = _rest(x) + _rest(said - x) + _rest(real - x) + _rest(n - real - said + x)
    return np.asarray(margins - cells - _deviance(x, real, said, n))


def outer(x: Array, real: Array, said: Array, n: Array) -> Array:
    """Chance of more than x hits and half that of x itself, of whole counts; x is at least the mean."""
    most = np.minimum(real, said)
    k = np.ceil(x - TIE)
    share = np.where(np.abs(x - k) < TIE, 0.5, 1.0)  # of k hits themselves: x lies on them or before
    inside = k <= most
    k = np.minimum(k, most)

    point = np.exp(log_chance(k, real, said, n))
    summed = (variance(real, said, n) <= SUMMED_UP_TO) | (k >= most)
    tail = np.empty(k.shape)
    tail[summed] = point[summed] * (share[summed] + _further(*(v[summed] for v in (k, real, said, n))))
    if not summed.all():
        from scipy.special import ndtr

        smooth = ndtr(-root(*(v[~summed] for v in (k, real, said, n))))
        tail[~summed] = smooth + (share[~summed] - 0.5) * point[~summed]
    return np.where(inside, tail, 0.0)


def root(x: Array, real: Array, said: Array, n: Array) -> Array:
    """The saddlepoint r*: of x hits or more, half of x itself, the chance is Φ(−r*).

    Between two points beside the mean, where its formula is 0/0, it is a straight line.
    """
    mean = real * said / n
    room = np.minimum(np.minimum(real, said) - mean, mean - np.maximum(0.0, real + said - n))
    beside = np.minimum(_NEAR * np.sqrt(variance(real, said, n)), 0.9 * room)
    near = np.abs(x - mean) < beside
    found = np.empty(x.shape)
    found[~near] = _root(*(v[~near] for v in (x, real, said, n)))
    if near.any():
        x, real, said, n, mean, beside = (v[near] for v in (x, real, said, n, mean, beside))
        low, high = _root(mean - beside, real, said, n), _root(mean + beside, real, said, n)
        found[near] = low + (high - low) * ((x - mean) / beside + 1) / 2
    return found


def _root(x: Array, real: Array, said: Array, n: Array) -> Array:
    false_alarms, misses, rest = said - x, real - x, n - real - said + x
    right, wrong = x * rest, false_alarms * misses
    r = np.sign(right - wrong) * np.sqrt(2 * _deviance(x, real, said, n))
    share = np.sqrt(x / said * rest / (n - said) * false_alarms / real * misses / (n - real) * n)
    u = 2 * (right - wrong) / (right + wrong) * share  # 2·tanh(θ/2): steps of one hit
    return np.asarray(r + np.log(u / r) / r)


def _further(k: Array, real: Array, said: Array, n: Array) -> Array:
    """P(more than k hits)/P(k hits): each term from the one before, for all tables at once."""
    total: Array = np.zeros(k.shape)
    term: Array = np.ones(k.shape)
    live = np.arange(k.size)
    while live.size:
        term = term * (real - k) * (said - k) / ((k + 1) * (n - real - said + k + 1))
        total[live] += term
        on = term > _DONE * total[live]
        live = live[on]
        term, k, real, said, n = (v[on] for v in (term, k + 1, real, said, n))
    return total


def _deviance(x: Array, real: Array, said: Array, n: Array) -> Array:
    """Σ n_ij·ln(n_ij/e_ij) over the four cells, which all miss their expectation by as much."""
    excess = (x * (n - real - said + x) - (said - x) * (real - x)) / n
    parts = [(said, real, excess), (said, n - real, -excess), (n - said, real, -excess), (n - said, n - real, excess)]
    total = np.zeros(x.shape)
    for row, column, above in parts:
        expected = row * column / n
        live = expected > 0
        total[live] += expected[live] * _bend(above[live] / expected[live])
    return total


def _bend(t: Array) -> Array:
    """(1+t)·ln(1+t) − t, to the last digit near 0."""
    from scipy.special import xlog1py

    t = np.maximum(t, -1.0)
    series = t * t * (1 / 2 - t * (1 / 6 - t * (1 / 12 - t * (1 / 20 - t * (1 / 30 - t * (1 / 42 - t / 56))))))
    return np.where(np.abs(t) < 0.01, series, xlog1py(1 + t, t) - t)


def _rest(x: Array) -> Array:
    """ln x! − x·ln x + x: Stirling's formula with its corrections, 0 for 0."""
    from scipy.special import gammaln, xlogy

    x = np.maximum(x, 0.0)
    large = np.maximum(x, 16.0)
    y = 1 / large**2
    stirling = np.log(2 * math.pi * large) / 2 + (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / large
    return np.where(x < 16, gammaln(x + 1) - xlogy(x, x) + x, stirling)
