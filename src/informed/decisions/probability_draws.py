"""What right probabilities would look like on the same cases, and shuffled ones: draws, and isotonic fits of them.

Miscalibration is never negative, and discrimination neither, so that both need a level to be read against: that of
cases whose class is drawn from their own probability, and that of classes that are shuffled over the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.decisions.curve import Curve
from informed.decisions.probability_rules import BRIER, LOG, Rule, probabilities_of, recalibrated_scores
from informed.inference.given import Rng, generator

RIGHT, SHUFFLED = 999, 199  # draws of each, as long as they are few cases
WORK = 200_000_000  # steps times draws, from which on there are fewer
FEWEST = 99
BAND = 0.9  # of each point by itself
POINTS = 120  # at which the band is known

Told = Callable[[float], object]


@dataclass(frozen=True)
class Bins:
    """Equal bins of the probabilities, for the expected calibration error."""

    name: str
    number: int

    def places(self, p: Array) -> NDArray[np.int64]:
        """The bin of each probability; 1 is in the last."""
        return np.minimum((p * self.number).astype(np.int64), self.number - 1)

    def error(self, p: Array, positives: Array, weight: Array) -> float:
        """Mean distance of probability and share of positives, bin by bin."""
        off = np.bincount(self.places(p), positives - weight * p, minlength=self.number)
        return float(np.abs(off).sum() / weight.sum())


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was drawn: miscalibration of right probabilities, discrimination of shuffled ones, and the band."""

    mcb: dict[str, Array]  # by rule
    dsc: dict[str, Array]
    at: Array  # probabilities, ascending, at which the band is known
    low: Array
    high: Array
    ece: dict[str, Array] = field(default_factory=dict)  # by the name of the bins

    @property
    def n(self) -> int:
        """Draws of right probabilities."""
        return len(next(iter(self.mcb.values())))


def number_of_draws(steps: int, asked: int | None) -> tuple[int, int]:
    """How many draws there are of right probabilities and of shuffled ones."""
    if asked is not None:
        return asked, min(asked, SHUFFLED)
    right = int(np.clip(WORK // max(steps, 1), FEWEST, RIGHT))
    return right, min(right, SHUFFLED)


def drawn(
    curve: Curve, n_draws: int | None = None, rng: Rng = None, bins: tuple[Bins, ...] = (), told: Told | None = None
) -> Drawn:
    """Classes drawn from the probabilities, and classes shuffled over them, each with its isotonic fit."""
    p = probabilities_of(curve)
    weight = np.diff(curve.tp) + np.diff(curve.fp)
    there = weight > 0
    p, weight = p[there], weight[there]
    at = _points(weight)
    right, shuffled = number_of_draws(len(p), n_draws)
    random, say = generator(rng), told or (lambda _: None)

    costs = {rule.name: _costs(rule, p, weight) for rule in (BRIER, LOG)}
    mcb: dict[str, Array] = {name: np.full(right, np.nan) for name in ("brier", "log")}
    dsc = {name: np.full(shuffled, np.nan) for name in mcb}
    ece = {x.name: np.full(right, np.nan) for x in bins}
    fits = np.full((right, len(at)), np.nan)
    for i, positives in enumerate(_from_probabilities(curve, p, there, right, random)):
        best, fit = _fitted(positives, weight)
        for name, held in mcb.items():
            held[i] = max(float(costs[name][0] + np.dot(positives, costs[name][1])) - best[name], 0.0)
        for x in bins:
            ece[x.name][i] = x.error(p, positives, weight)
        fits[i] = fit[at]
        say(0.8 * (i + 1) / right)

    total, share = float(weight.sum()), curve.prevalence
    unc = {"brier": BRIER.uncertainty(share), "log": LOG.uncertainty(share)}
    for i, positives in enumerate(_shuffled(curve, there, shuffled, random)):
        best, _ = _fitted(positives, weight)
        for name, held in dsc.items():
            held[i] = max(unc[name] - best[name] / total, 0.0)
        say(0.8 + 0.2 * (i + 1) / shuffled)

    tail = (1 - BAND) / 2
    low, high = np.quantile(fits, [tail, 1 - tail], axis=0) if right else np.full((2, len(at)), np.nan)
    mcb = {name: held / total for name, held in mcb.items()}
    return Drawn(mcb, dsc, p[at][::-1], low[::-1], high[::-1], ece)


def _points(weight: Array) -> NDArray[np.int64]:
    """Steps spread evenly over the cases, the first and the last among them."""
    reached = np.cumsum(weight)
    found = np.searchsorted(reached, np.linspace(0, reached[-1], POINTS))
    return np.unique(np.minimum(found, len(weight) - 1))


def _fitted(positives: Array, weight: Array) -> tuple[dict[str, float], Array]:
    """Sums of both scores where steps are given their isotonic fit, and the fit."""
    from scipy.optimize import isotonic_regression

    fit = isotonic_regression(positives / weight, weights=weight, increasing=False)
    starts = np.asarray(fit.blocks)[:-1]
    own, all_ = np.add.reduceat(positives, starts), np.add.reduceat(weight, starts)
    return recalibrated_scores(own, all_ - own), np.asarray(fit.x)


def _costs(rule: Rule, p: Array, weight: Array) -> tuple[float, Array]:
    """What all cases cost as negatives, and how much more each step costs as positives; what is certain comes so."""
    certain = (p <= 0) | (p >= 1)
    own, other = (np.where(certain, 0.0, side(p)) for side in (rule.of_positive, rule.of_negative))
    return float(np.dot(weight, other)), own - other


# ---------------------------------------------------------------------- classes that are drawn


def _from_probabilities(
    curve: Curve, p: Array, there: NDArray[np.bool_], n: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Weights of positives at each step where the class of each case is drawn from its probability."""
    units = curve.units
    if units is not None and units.given.item is not None and not units.repeated:  # an item has one class
        item, place = units.given.item, np.cumsum(there) - 1
        items, own = int(item.max()) + 1, units.weight > 0
        step = place[units.step[own]]
        for _ in range(n):
            real = rng.random(items)[item[own]] < p[step]
            yield np.bincount(step, units.weight[own] * real, minlength=len(p)).astype(np.float64)
        return

    weight, times = _equal_cases(curve, there)
    single = bool((times == 1).all())
    for _ in range(n):
        drawn_ = rng.random(len(p)) < p if single else rng.binomial(times, p)
        yield np.asarray(weight / times * drawn_)


def _shuffled(curve: Curve, there: NDArray[np.bool_], n: int, rng: np.random.Generator) -> Iterator[Array]:
    """The same where the classes are shuffled over the cases."""
    weight, times = _equal_cases(curve, there)
    total = int(times.sum())
    ones = round(curve.prevalence * total)
    starts = np.concatenate([[0], np.cumsum(times)[:-1]])
    real = np.arange(total) < ones if total <= 4 * len(times) else None
    for _ in range(n):
        if real is None:
            own = rng.multivariate_hypergeometric(times, ones, method="marginals")
        else:
            own = np.add.reduceat(rng.permutation(real).astype(np.float64), starts)
        yield np.asarray(weight / times * own)


def _equal_cases(curve: Curve, there: NDArray[np.bool_]) -> tuple[Array, NDArray[np.int64]]:
    """The weight of each step, and how many equally weighted cases it is worth."""
    weight = (np.diff(curve.tp) + np.diff(curve.fp))[there]
    if curve.squares is None:
        return weight, np.rint(weight).astype(np.int64)
    squares = sum(np.diff(x) for x in curve.squares)[there]  # type: ignore[index]  # of two arrays
    return weight, np.maximum(np.rint(ratio(weight**2, squares)), 1).astype(np.int64)
