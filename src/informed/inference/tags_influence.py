"""What each item adds to the error of a measure of tags.

Everything is a sum over labels of something for a tag that is real and given, something for one that is real, and
something for one that is given; so a million items take three products of a matrix and a vector. The rates that an
item is held against are not the plain ones, in which a label of one item would have no spread: each is smoothed
by one more unit at the pooled rate, and the residual stretched as if the item had been left out.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.tags import Tags
from informed.evidence.tags_matrix import Matrix, grams, is_sparse, linear, of_units, squares
from informed.measures.tag_scores import LabelCounts, label_counts

FEWEST = 4.0  # degrees of freedom that an estimated spread is given at least
WIDEST = 3.0  # by which the ratio of two factors of a correlation may differ from that of their variances


@dataclass(frozen=True)
class Coefficients:
    """What a label adds to an item where its tag is real and given, real, given; what all items get; and the least
    variance that the whole can have."""

    both: Array
    real: Array
    given: Array
    always: float
    floor: float = 0.0

    def __add__(self, other: Coefficients) -> Coefficients:
        mine, others = vars(self), vars(other)
        return Coefficients(**{name: mine[name] + others[name] for name in mine})

    def __mul__(self, x: float) -> Coefficients:
        return Coefficients(self.both * x, self.real * x, self.given * x, self.always * x, self.floor * x * abs(x))

    @property
    def swapped(self) -> Coefficients:
        """With the sides exchanged."""
        return Coefficients(self.both, self.given, self.real, self.always, self.floor)


@dataclass(frozen=True)
class Spread:
    """The variance of an estimate, and how well it is known."""

    variance: float
    df: float
    n: float  # units that it is measured between, equally weighted ones


@dataclass(frozen=True)
class Sizes:
    """What the items with a label, and those without, are worth: units of equal weight, and items of equal weight."""

    with_: Array
    without: Array
    items_with: Array
    items_without: Array


def sizes_of(t: Tags, m: Matrix, counts: Array) -> Sizes:
    """Of one side's matrix: how many units, and items, its labels' positives and negatives are worth."""
    n = t.total
    if t.weights is None:
        items = counts, n - counts
    else:
        w2 = t.weights**2
        own = linear_sum(m, w2)
        items = ratio(counts**2, own), ratio((n - counts) ** 2, w2.sum() - own)
    if t.unit is None:
        return Sizes(*items, *items)
    held = of_units(m, t.unit, t.weights)
    size = np.bincount(t.unit, t.weights, minlength=held.shape[0]).astype(np.float64)
    own = squares(held)
    cross = np.asarray(held.T @ size)
    others = (size**2).sum() - 2 * cross + own
    return Sizes(ratio(counts**2, own), ratio((n - counts) ** 2, others), *items)


def linear_sum(m: Matrix, w: Array) -> Array:
    """Weighted sums of the columns."""
    return np.asarray(m.T @ w if is_sparse(m) else w @ m.astype(np.float64), np.float64)


def effective_units(t: Tags) -> float:
    """Units of equal weight that the items are worth."""
    if t.unit is None and t.weights is None:
        return float(len(t))
    own = t.weights if t.unit is None else np.bincount(t.unit, t.weights)
    held = np.asarray(own, np.float64)
    return float(held.sum() ** 2 / (held**2).sum())


def number_of_units(t: Tags) -> int:
    """Units, or items, that weigh something."""
    own = np.ones(len(t)) if t.weights is None else t.weights
    return int(np.count_nonzero(own if t.unit is None else np.bincount(t.unit, own)))


# ---------------------------------------------------------------------- of averages


def coefficients(t: Tags, measure: str, average: str, *, system: Hashable = None) -> Coefficients:
    """The influence of the items on informedness, markedness or correlation by an average of labels, or pooled."""
    c = label_counts(t, system)
    z = t.codes[t.names.index(system) if system is not None else 0]
    n = effective_units(t)
    if measure == "informedness":
        return _of_side(c, average, n, t, t.real)
    if measure == "markedness":
        return _of_side(c.swapped, average, n, t, z).swapped
    return _of_correlation(c, average, n, t, z)


def _of_side(c: LabelCounts, average: str, n: float, t: Tags, m: Matrix) -> Coefficients:
    p0, q0 = pooled_rates(c, n)
    p = c.prevalence
    if average == "micro":
        return _pooled(c, p0, q0)
    w = c.shares(average)
    apart = np.where(c.usable, c.each - c.mean(average), 0.0)
    total = float(np.where(c.usable, p if average == "prevalence" else p * (1 - p), 0.0).sum())
    own = {"prevalence": ratio(apart, total), "within": ratio((1 - 2 * p) * apart, total)}.get(
        average, np.zeros(len(p))
    )
    return _of_labels(c, w, (p0, q0), sizes_of(t, m, c.real)) + Coefficients(
        np.zeros(len(p)), own, np.zeros(len(p)), -float((p * own).sum())
    )


def pooled_rates(c: LabelCounts, n: float) -> tuple[float, float]:
    """Recall and fallout of all labels that can be bet on, pooled and smoothed by one item, half of it tagged."""
    k = c.usable
    recall = float(ratio(c.both[k].sum(), c.real[k].sum()))
    fallout = float(ratio((c.given - c.both)[k].sum(), (c.n - c.real)[k].sum()))
    return (n * recall + 0.5) / (n + 1), (n * fallout + 0.5) / (n + 1)


def _of_labels(c: LabelCounts, w: Array, pooled: tuple[float, float], sizes: Sizes) -> Coefficients:
    """A weighted sum of the labels' informedness, their weights as if they were known."""
    k = c.usable & (w != 0)
    p0, q0 = pooled
    p = np.where(k, c.prevalence, 0.5)
    with_, without = (np.where(k, x, 1.0) for x in (sizes.with_, sizes.without))
    recall = np.where(k, (ratio(c.both, c.real) * with_ + p0) / (with_ + 1), 0.0)
    fallout = np.where(k, (ratio(c.given - c.both, c.n - c.real) * without + q0) / (without + 1), 0.0)
    up = np.where(k, w * (with_ + 1) / with_ / p, 0.0)
    down = np.where(k, w * (without + 1) / without / (1 - p), 0.0)
    w2 = np.where(k, w, 0.0) ** 2
    least = p0 * (1 - p0) * np.where(k, ratio(w2, sizes.items_with), 0.0).sum()
    least += q0 * (1 - q0) * np.where(k, ratio(w2, sizes.items_without), 0.0).sum()
    always = float((down * fallout).sum())
    return Coefficients(up + down, -up * recall - down * fallout, -down, always, float(least))


def _pooled(c: LabelCounts, p0: float, q0: float) -> Coefficients:
    """Recall less fallout of all labels pooled."""
    up, down = float(ratio(1.0, c.prevalence.sum())), float(ratio(1.0, (1 - c.prevalence).sum()))
    ones = np.ones(len(c.real))
    floor = float(ratio(p0 * (1 - p0), c.real.sum()) + ratio(q0 * (1 - q0), (c.n - c.real).sum()))
    return Coefficients(ones * (up + down), -ones * (up * p0 + down * q0), -ones * down, down * q0 * len(ones), floor)


def _of_correlation(c: LabelCounts, average: str, n: float, t: Tags, z: Matrix) -> Coefficients:
    """The geometric mean of two factors: each by half, in the proportion of the other."""
    p, b = c.prevalence, c.bias
    if average == "macro":
        scale, w = np.sqrt(ratio(p * (1 - p), b * (1 - b))), np.full(len(p), 1 / len(p))
        first = _of_labels(c, w * scale, pooled_rates(c, n), sizes_of(t, t.real, c.real))
        second = _of_labels(c.swapped, w / scale, pooled_rates(c.swapped, n), sizes_of(t, z, c.given))
        return first * 0.5 + second.swapped * 0.5
    usual = float(np.sqrt(ratio((p * (1 - p)).sum(), (b * (1 - b)).sum())))
    if average == "micro":
        usual = float(np.sqrt(ratio(p.mean() * (1 - p.mean()), b.mean() * (1 - b.mean()))))
    own, other = c.mean(average), c.swapped.mean(average)
    scale_ = np.sqrt(other / own) if own * other > 0 else usual
    scale_ = float(np.clip(scale_, usual / WIDEST, usual * WIDEST))
    first = _of_side(c, average, n, t, t.real)
    second = _of_side(c.swapped, average, n, t, z).swapped
    return first * (0.5 * scale_) + second * (0.5 / scale_)


# ---------------------------------------------------------------------- of items


def influence(t: Tags, k: Coefficients, *, system: Hashable = None) -> Array:
    """What each unit adds to the error, its share of the weight in it: the squares add up to the variance."""
    z = t.codes[t.names.index(system) if system is not None else 0]
    each = linear(t.real, z, k.both, k.real, k.given) + k.always
    return by_units(t, each)


def by_units(t: Tags, each: Array) -> Array:
    """Numbers of items by their share of the weight, added up within units."""
    each = each / len(t) if t.weights is None else each * (t.weights / t.weights.sum())
    return each if t.unit is None else np.asarray(np.bincount(t.unit, each), np.float64)


def spread_of(t: Tags, each: Array, floor: float = 0.0, *, stretched: bool = False) -> Spread:
    """The variance of a mean whose error the units add up to, and the degrees of freedom that it is known with.

    Residuals of items that are `stretched`, as if each had been left out, have their n − 1 in them."""
    variance = float((each**2).sum())
    if not (stretched and single_units(t)):
        variance = float(between_units(t, variance))
    return Spread(max(variance, floor), freedom(each, number_of_units(t)), effective_units(t))


def between_units(t: Tags, squares: Any) -> Any:
    """Sums of squares or products of what units (or items) add to an error, with n − 1 for the n that were summed."""
    units = number_of_units(t)
    return squares * (units / (units - 1)) if units > 1 else squares


def single_units(t: Tags) -> bool:
    """Whether every item is a unit of its own."""
    return t.unit is None or len(np.unique(t.unit)) == len(t.unit)


def freedom(each: Array, units: float, times: Array | None = None) -> float:
    """Degrees of freedom of a variance, by the tails of what it is made of: between 4 and one less than units.

    `times` says how often each occurs.
    """
    n = float(len(each) if times is None else times.sum())
    w = np.ones(len(each)) if times is None else times
    square = (each - np.dot(w, each) / n) ** 2
    second, fourth = float(np.dot(w, square)) / n, float(np.dot(w, square * square)) / n
    rest = fourth - second**2
    found = 2 * n * second**2 / rest if rest > 1e-15 * fourth else np.inf
    return float(max(1.0, min(max(found, FEWEST), units - 1)))


def correlations(t: Tags, *, system: Hashable = None) -> Array:
    """How the errors of the labels' informedness vary together between units; 0 where a label cannot be bet on."""
    c = label_counts(t, system)
    z = t.codes[t.names.index(system) if system is not None else 0]
    k, p = c.usable, np.where(c.usable, c.prevalence, 0.5)
    recall = np.where(k, (c.both + 1) / (c.real + 2), 0.0)
    fallout = np.where(k, (c.given - c.both + 1) / (c.n - c.real + 2), 0.0)
    up, down = np.where(k, 1 / p, 0.0), np.where(k, 1 / (1 - p), 0.0)
    parts = (up + down, -up * recall - down * fallout, -down, down * fallout)
    joint = _joint(t, z, *parts)
    scale = np.where(np.diagonal(joint) > 0, ratio(1.0, np.sqrt(np.abs(np.diagonal(joint)))), 0.0)
    return np.asarray(joint * scale * scale[:, None])


def _joint(t: Tags, z: Matrix, both: Array, real: Array, given: Array, always: Array) -> Array:
    """Sums over units of the products of what they add in two columns."""
    w = np.ones(len(t)) if t.weights is None else t.weights
    unit = np.arange(len(t)) if t.unit is None else t.unit
    if is_sparse(t.real) or is_sparse(z):
        (held,) = grams(t.real, z, both, real, given, always)
        held = of_units(held.tocsr(), unit, w)
        size = np.bincount(unit, w)
        sums = np.asarray(held.T @ size)
        found = np.asarray((held.T @ held).todense())
        cross = np.outer(sums, always)
        return np.asarray(found + cross + cross.T + (size**2).sum() * np.outer(always, always))
    found = np.zeros((len(both),) * 2)
    if t.unit is None:
        at = 0
        for part in grams(t.real, z, both, real, given, always):
            own = part * w[at : at + len(part), None]
            at += len(part)
            found += own.T @ own
        return found
    whole = np.zeros((int(unit.max()) + 1, len(both)))
    at = 0
    for part in grams(t.real, z, both, real, given, always):
        np.add.at(whole, unit[at : at + len(part)], part * w[at : at + len(part), None])
        at += len(part)
    return np.asarray(whole.T @ whole)


def null_variance(t: Tags, v: Array, *, system: Hashable = None) -> Any:
    """The variance of Σ v·covariance over all shuffles of the predictions; between units, from what they add."""
    from informed.evidence.tags_matrix import gram

    c = label_counts(t, system)
    z = t.codes[t.names.index(system) if system is not None else 0]
    n = len(t)
    if single_units(t) and t.weights is None:
        y_, z_ = (gram(m) - np.outer(x, x) / n for m, x in ((t.real, c.real), (z, c.given)))
        return Spread(float(v @ (y_ * z_) @ v) / ((n - 1) * n**2) if n > 1 else np.nan, np.inf, float(n))
    p, b = c.prevalence, c.bias
    k = Coefficients(v, -v * b, -v * p, float((v * p * b).sum()))
    return spread_of(t, influence(t, k, system=system))
