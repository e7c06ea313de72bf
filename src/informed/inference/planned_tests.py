"""Power of the default test in closed form: its z under a known truth, to second order in 1/√N.

The z of a table, √(N−1)·B/√V for V of the margins (shuffling), is a smooth function of the shares of its
cells. Its mean, spread and skewness follow from how it bends (the delta method to second order), and its
critical value from the shuffled tables with the margins that are expected: of two classes by the cumulants
of the hypergeometric distribution, of more from the saddlepoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.cells import others
from informed.inference.smooth_tails import of_classes

BENT_UP_TO = 12  # classes: above, z is taken as straight, because it is bent in K² directions
_STEP = 1e-4  # imaginary: second derivatives are then right to 8 digits
_STILL = 1e-24  # variance of a z that does not vary
_FIRM = 1000  # cases a class beyond which what the critical value lacks is scaled by 1/N
_NODES = 4  # numbers of cases between which that is interpolated
NEAR_NORMAL = 0.05  # two-sided, the critical value of several classes is the normal one from here on
_ROUNDS = 3  # of Newton's method on the scale of normal quantiles


@dataclass(frozen=True)
class Spread:
    """How z varies from sample to sample, of each truth of a stack."""

    mean: Array  # per root of N−1
    deviation: Array
    bias: Array  # times root of N−1
    skewness: Array  # times root of N


def spread_of_z(truth: Array) -> Spread:
    """How the default test's z varies in samples of these cells, ``(predicted, real, worlds)``."""
    k, worlds = len(truth), truth.shape[-1]
    at = np.arange(k)
    parts = np.stack([truth[at, at], truth.sum(axis=1), truth.sum(axis=0)])[:, :, None]
    share = truth.reshape(k * k, worlds)
    centre = np.asarray(_z(parts))[0]
    if k > BENT_UP_TO:
        slope = _slopes(parts).reshape(k * k, worlds)
        variance = (share * slope**2).sum(axis=0) - (share * slope).sum(axis=0) ** 2
        return Spread(centre, np.sqrt(np.maximum(variance, _STILL)), np.zeros(worlds), np.zeros(worlds))

    eye = np.eye(k)
    cases = np.stack(np.broadcast_arrays(eye[:, :, None] * eye[:, None], eye[:, :, None], eye[:, None]))
    towards = cases.reshape(3, k, k * k, 1) - parts  # one more case in each cell
    moved = _z(parts + 1j * _STEP * towards)
    slope = np.imag(moved) / _STEP
    slope = slope - (share * slope).sum(axis=0)
    variance = np.maximum((share * slope**2).sum(axis=0), _STILL)

    bent = 2 * (centre - np.real(moved)) / _STEP**2
    steepest = (towards * (share * slope)).sum(axis=2, keepdims=True)
    along = 2 * (centre - np.real(_z(parts + 1j * _STEP * steepest))[0]) / _STEP**2
    third = (share * slope**3).sum(axis=0) + 3 * along
    skewness = np.where(variance > _STILL, third / variance**1.5, 0.0)
    return Spread(centre, np.sqrt(variance), (share * bent).sum(axis=0) / 2, skewness)


def _slopes(parts: Array) -> Array:
    """What a case in each cell adds to z, up to a constant: by way of the parts, of which many classes have fewer."""
    k = parts.shape[1]
    steps = 1j * _STEP * np.eye(3 * k).reshape(3, k, 3 * k, 1)
    hits, predicted, real = (np.imag(_z(parts + steps)) / _STEP).reshape(3, k, -1)
    return np.asarray(predicted[:, None] + real + hits * np.eye(k)[..., None])


def _z(parts: Any) -> Any:
    """B/√V of hits, predicted and real shares, each ``(class, …)``."""
    hits, predicted, real = parts
    weight = 1 / (1 - real)
    return (weight * (hits - predicted * real)).sum(axis=0) / np.sqrt(_shuffled_variance(predicted, real))


def _shuffled_variance(predicted: Any, real: Any) -> Any:
    """Variance of B times N−1 where predictions are shuffled, of the shares of the margins."""
    weight = 1 / (1 - real)
    chance = weight * predicted * real
    return (chance * (weight * (1 - predicted) * (1 - real) + others(chance))).sum(axis=0)


def power(n: Any, known: Any, prevalence: Array, guess: Array, alpha: float, alternative: str) -> Array:
    """Chance that n cases of the papers' mixture have p < alpha: of several n, or of several informednesses."""
    from scipy.special import ndtr

    cases, known = np.asarray(n, dtype=np.float64), np.asarray(known, dtype=np.float64)
    knowing = known.ravel()
    truth = prevalence[:, None] * (knowing * np.eye(len(guess))[..., None] + (1 - knowing) * guess[:, None, None])
    z = spread_of_z(truth)
    wide = cases.ravel()
    mean = z.mean * np.sqrt(wide - 1) + z.bias / np.sqrt(wide)
    skewness = z.skewness / np.sqrt(wide)

    def below(limit: Any) -> Array:
        """Chance of a z below it, by the first term of Edgeworth's series."""
        x = (limit - mean) / z.deviation
        density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
        return np.asarray(np.clip(ndtr(x) - skewness / 6 * (x**2 - 1) * density, 0.0, 1.0))

    limit = critical(wide, prevalence, truth.sum(axis=1), alpha, alternative)
    above = 0.0 if alternative == "less" else 1 - below(limit)
    beneath = 0.0 if alternative == "greater" else below(-limit)
    return np.asarray(np.clip(above + beneath, 0.0, 1.0)).reshape(np.broadcast_shapes(cases.shape, known.shape))


def critical(n: Array, prevalence: Array, said: Array, alpha: float, alternative: str) -> Array:
    """How far from 0 z is where p is alpha, for predicted shares ``(class, worlds)``: several n of one world, or
    several worlds of one n."""
    from scipy.special import ndtri

    normal = -ndtri(alpha / 2 if alternative == "two-sided" else alpha)
    if len(prevalence) == 2:
        skewness, kurtosis = _hypergeometric(n, prevalence[0], said[0])
        way = -1.0 if alternative == "less" else 1.0
        return normal + _cornish_fisher(normal, way * skewness, kurtosis, alternative == "two-sided")
    if alternative == "two-sided" and alpha >= NEAR_NORMAL:
        return np.full(np.broadcast_shapes(n.shape, said[0].shape), normal)

    if np.ptp(said, axis=1).max() < 1e-12:
        said = said[:, :1]
    firm = np.minimum(n, _FIRM * len(prevalence))
    if firm.size <= _NODES:
        return np.asarray(normal + _lacking(firm, prevalence, said, normal, alternative) * firm / n)
    nodes = np.geomspace(firm.min(), firm.max() + 1, _NODES)
    lacking = nodes * _lacking(nodes, prevalence, said, normal, alternative)
    return np.asarray(normal + np.interp(np.log(firm), np.log(nodes), lacking) / n)


def _hypergeometric(n: Array, real: Any, said: Any) -> tuple[Array, Array]:
    """Skewness and excess of the hits, given shares of both margins."""
    n = np.maximum(n, 4.0)
    a, b = real * (1 - real), said * (1 - said)
    skewness = (1 - 2 * real) * (1 - 2 * said) * np.sqrt(n - 1) / (np.sqrt(a * b) * (n - 2))
    upper = (n - 1) * (1 + 1 / n - 6 * (a + b)) + 6 * a * b * (5 * n - 6)
    return skewness, upper * n / (a * b * n * (n - 2) * (n - 3))


def _cornish_fisher(z: float, skewness: Array, kurtosis: Array, both: bool) -> Array:
    """What a normal quantile lacks, of one tail or of both together."""
    if both:
        return kurtosis / 24 * (z**3 - 3 * z) + skewness**2 / 72 * (z**5 - 10 * z**3 + 15 * z)
    bent = kurtosis / 24 * (z**3 - 3 * z) - skewness**2 / 36 * (2 * z**3 - 5 * z)
    return np.asarray(skewness / 6 * (z**2 - 1) + bent)


def _lacking(n: Array, prevalence: Array, said: Array, normal: float, alternative: str) -> Array:
    """What the normal quantile lacks to the critical value, from the tails of the shuffled sum of hits."""
    from scipy.special import ndtri

    shape = np.broadcast_shapes(n.shape, said[0].shape)
    weights = ((1 - prevalence.min()) / (1 - prevalence))[:, None]
    spread = _shuffled_variance(said, prevalence[:, None]) * (1 - prevalence.min()) ** 2
    variance = np.broadcast_to(spread * n**2 / (n - 1), shape)
    ways = {"two-sided": (1.0, -1.0), "greater": (1.0,), "less": (-1.0,)}[alternative]

    def tiled(x: Array) -> Array:
        return np.tile(np.broadcast_to(x, (len(prevalence), *shape)), (1, len(ways)))

    law = of_classes(tiled(said * n), tiled(prevalence[:, None] * n), tiled(weights), np.tile(variance, len(ways)))
    way = np.repeat(ways, shape[0])
    z = np.full(shape, normal)
    for _ in range(_ROUNDS):
        tails, _lost = law.outer(law.mean + way * np.tile(z, len(ways)) * law.deviation)
        found = tails.reshape(len(ways), -1).sum(axis=0) / len(ways)
        z = z + np.clip(normal + ndtri(np.clip(found, 1e-300, 0.5)), -1.0, 1.0)
    return z - normal
