"""Differences of systems over folds, seeds and items, by the design that gave them.

Folds of cross-validation share their training data, so that the spread of their scores is not the
spread of their mean (Nadeau and Bengio 2003). Items are independent of each other, whatever folds they
were in; seeds of training are a second thing that was sampled, crossed with the items.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, plain, ratio
from informed.errors import InferenceError
from informed.evidence.paired import Paired, answer_weights, weighed
from informed.inference.answers import Test
from informed.inference.given import Rng
from informed.inference.influence import cells_of, functional, pattern_of
from informed.measures import Measure
from informed.systems.board import Pairs
from informed.systems.compare import compare
from informed.systems.item_effects import item_effects
from informed.systems.joint_estimates import PSEUDO, items_worth, of_gaps
from informed.systems.leaderboard import leaderboard
from informed.systems.multiplicity import adjusted_pairs, of_pairs
from informed.systems.tails import quantile, tails, two_sided


def corrected_t(differences: Any, *, test_share: float) -> Test:
    """Resampled t with the variance that overlapping training sets call for.

    Differences of two systems over folds, ``(folds, ...)``. The variance of their mean is
    (1/J + n_test/n_train)·s² rather than s²/J (Nadeau and Bengio 2003).
    """
    d = _checked(differences)
    mean, error = _corrected(d, test_share)
    t = np.where(mean == 0, 0.0, ratio(mean, error))
    p = two_sided(tails((t, -t), len(d) - 1))
    return Test(plain(t), plain(p), len(d) - 1, "corrected-t", "the mean scores are equal")


def corrected_pairs(scores: Array, *, test_share: float, level: float, adjust: str) -> Pairs:
    """Differences of the mean scores ``(folds, systems)`` of every two systems, by the corrected t."""
    d = scores[:, :, None] - scores[:, None]
    mean, error = _corrected(_checked(d), test_share)
    return student_pairs(mean, error, len(d) - 1.0, level=level, adjust=adjust)


def student_pairs(mean: Array, error: Array, df: float, *, level: float, adjust: str) -> Pairs:
    """Differences of every two systems, with Student's distribution; each interval by itself."""
    critical = quantile(level, df)
    t = np.where(mean == 0, 0.0, ratio(mean, error))
    k = len(mean)
    pvalue = of_pairs(two_sided(tails((t, -t), df))[np.triu_indices(k, 1)], k)
    low, high = mean - critical * error, mean + critical * error
    return Pairs(mean, error, low, high, pvalue, adjusted_pairs(pvalue, adjust), critical, df)


def seed_pairs(scores: Array, *, level: float, adjust: str) -> Pairs:
    """Differences of the mean scores over seeds, which are all that varies here."""
    d = _checked(scores[:, :, None] - scores[:, None])
    error = d.std(axis=0, ddof=1) / np.sqrt(len(d))
    return student_pairs(np.asarray(d.mean(axis=0)), np.asarray(error), len(d) - 1.0, level=level, adjust=adjust)


# ---------------------------------------------------------------------- items


def by_item(p: Paired) -> tuple[Paired, NDArray[np.int64]]:
    """Answers of which those to one item share its weight; and the item of each."""
    if p.item is not None:
        item = np.unique(p.item, return_inverse=True)[1]  # some may have been left out
        return replace(p, item=item), item
    if p.items is None or len(set(p.items)) == len(p):
        return p, np.arange(len(p))
    p = weighed(p, None, None, [str(x) for x in p.items])
    return p, np.arange(len(p)) if p.item is None else p.item


def item_pairs(p: Paired, m: Measure, *, level: float, adjust: str, rng: Rng) -> Pairs:
    """Differences on the items: by the paired arc of two systems, by the leaderboard of more."""
    if len(p.names) > 2:
        return leaderboard(predictions=p, measure=m, level=level, adjust=adjust, rng=rng).pairs
    found = compare.paired(p, level=level)[m]
    error = np.abs(float(found.standard_error or np.nan))

    def both(forth: Any, back: Any, itself: float = 0.0) -> Array:
        return np.array([[itself, forth], [back, itself]], dtype=np.float64)

    low, high, p_ = found.low, found.high, both(found.pvalue, found.pvalue, 1.0)
    estimate = both(found.estimate, -found.estimate)
    return Pairs(estimate, both(error, error), both(low, -high), both(high, -low), p_, p_, quantile(level))


def crossed_pairs(p: Paired, seed: NDArray[np.int64], m: Measure, *, level: float, adjust: str) -> Pairs:
    """Differences on items that were all answered again after another training.

    Items and seeds were both sampled, and an answer belongs to one of each: the variance between
    items and that between seeds both hold that of single answers, so that it is taken off once.
    Student's distribution with one less than there are seeds.
    """
    values, centres, effect, pseudo = _row_effects(p, m)
    square = _crossed(*map(of_gaps, _parts_of_variance(p, seed, effect))) + of_gaps(pseudo)
    gaps = np.subtract.outer(centres, centres)
    found = student_pairs(gaps, np.sqrt(square), float(seed.max()), level=level, adjust=adjust)
    seen = np.subtract.outer(values, values)
    return replace(found, estimate=seen, low=np.minimum(found.low, seen), high=np.maximum(found.high, seen))


def crossed_interval(p: Paired, seed: NDArray[np.int64], m: Measure, *, level: float) -> dict[str, float]:
    """The measure of one system on items that were all answered again after another training, likewise."""
    values, centres, effect, pseudo = _row_effects(p, m)
    square = _crossed(*map(np.diag, _parts_of_variance(p, seed, effect))) + np.diag(pseudo)
    error, seen = float(np.sqrt(square[0])), float(values[0])
    half, (least, most) = quantile(level, float(seed.max())) * error, m.facts.bounds
    limits = np.clip([centres[0] - half, centres[0] + half], least, most)
    low, high = min(float(limits[0]), seen), max(float(limits[1]), seen)
    return {"estimate": seen, "standard_error": error, "low": low, "high": high}


def _parts_of_variance(p: Paired, seed: NDArray[np.int64], effect: Array) -> tuple[Array, Array, Array]:
    """Covariance between items (or what they were sampled in), between seeds, and of single answers."""
    if int(seed.max()) < 1:
        raise InferenceError("There is one seed of training; two at least are needed to see how it varies.")
    item = p.unit if p.unit is not None else np.arange(len(p)) if p.item is None else p.item
    return _between(effect, item), _between(effect, seed), effect.T @ effect


def _crossed(items: Array, seeds: Array, answers: Array) -> Array:
    return np.maximum(items + seeds - answers, np.maximum(items, seeds))


def _row_effects(p: Paired, m: Measure) -> tuple[Array, Array, Array, Array]:
    """Values as counted and smoothed, what each answer adds to them ``(answers, systems)``, and the
    covariance of what the pseudo-cases add."""
    t = p.tables
    f, counts, share = functional(m, t), cells_of(t), pattern_of(t)[:, None]
    whole = counts.sum(axis=0)
    n = items_worth(p)
    smooth = (counts / whole * n + PSEUDO * share) / (n + PSEUDO)
    x = item_effects(replace(p, item=None, unit=None, weights=answer_weights(p)), f, smooth, n + PSEUDO, scale=n)
    values, centres = f.value(counts / whole, whole), f.value(smooth, np.full(whole.shape, n + PSEUDO))
    effect = x.mean * x.weight[:, None] / (n + PSEUDO)
    return np.asarray(values), np.asarray(centres), effect, x.pseudo.covariance(PSEUDO) / (n + PSEUDO) ** 2


def _between(effect: Array, group: NDArray[np.int64]) -> Array:
    """Covariance of sums over groups of answers, widened for the groups' own mean."""
    n = int(group.max()) + 1
    sums = np.stack([np.bincount(group, x, minlength=n) for x in effect.T], axis=1)
    sums -= sums.mean(axis=0)
    return np.asarray(sums.T @ sums * (n / (n - 1)))


def _checked(differences: Any) -> Array:
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim == 0 or len(d) < 2:
        raise InferenceError("Two folds at least are needed.")
    return d


def _corrected(d: Array, test_share: float) -> tuple[Array, Array]:
    """Mean and standard error of differences over folds that test on this share of the cases."""
    if not 0 < test_share < 1:
        raise InferenceError(
            f"`test_share` is {test_share}; it is the share of cases that a fold tests on, such as 0.1."
        )
    factor = 1 / len(d) + test_share / (1 - test_share)
    return np.asarray(d.mean(axis=0)), np.asarray(np.sqrt(factor) * d.std(axis=0, ddof=1))
