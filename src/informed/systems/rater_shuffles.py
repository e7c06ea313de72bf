"""The test of agreement: do raters rate independently of each other?

Each rater's ratings are shuffled over the items that they rated, so that every margin stays, and the p-value is the
share of shuffles whose agreement is at least as far from its mean. Ratings of one cluster are not independent even
then: the statistic is scaled by its design effect between clusters, and the tail is Student's. No p-value is smaller
than one arrangement among all arrangements of a single rater's ratings, because raters who were trained alike are
not independent witnesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.inference.given import SEED, Rng, generator
from informed.inference.unit_spread import of_effects
from informed.systems.rated import RatedGroups
from informed.systems.rater_chance import Ratings

_WORK = 1 << 21  # ratings that are shuffled at once
_MOST = 60_000_000  # ratings that are shuffled in all
_FEWEST = 100  # draws, from which a skewed tail can be fitted
_HITS = 20  # shuffles as extreme, from which their share is taken as it is
_SLACK = 1e-9  # of the agreement: sums that differ by less are the same


@dataclass(frozen=True)
class Shuffled:
    """A p-value, and how it was found."""

    pvalue: float
    how: str


def shuffled(r: Ratings, groups: RatedGroups, rng: Rng, n_draws: int) -> Shuffled:
    """Test that raters rate independently of each other, by two-sided shuffles of each rater's ratings."""
    arrangements = [_arrangements(own[own >= 0]) for own in r.codes.T]
    if np.count_nonzero(arrangements) < 2:
        return Shuffled(1.0, "fewer than two raters used more than one label, so that p is 1")
    draws = int(np.clip(_MOST // r.codes.size, _FEWEST, n_draws))
    values = np.concatenate(list(_agreements(r, generator(rng), draws)))
    mean, observed = float(values.mean()), float(r.times @ r.agreed)
    effect, df = design_effect(r, groups)
    distance = float(abs(observed - mean) / np.sqrt(effect))
    seed = "the generator given" if isinstance(rng, np.random.Generator) else f"seed {SEED if rng is None else rng}"
    hits = int(np.count_nonzero(np.abs(values - mean) >= distance - _SLACK * max(1.0, observed)))
    p, how = (hits + 1) / (draws + 1), f"{draws:,} shuffles of each rater's ratings ({seed})"
    if draws < n_draws or (hits < _HITS and np.isfinite(df)):  # of Student's tail, a few hits say too little
        p, how = _fitted(values, distance), f"a skewed normal tail fitted to {draws:,} shuffles ({seed})"
    least = float(np.exp(-max(arrangements)))
    return Shuffled(min(1.0, max(_students(p, df), least)), how)


def _arrangements(labels: NDArray[np.int64]) -> float:
    """The logarithm of the number of orders in which these labels can stand."""
    from scipy.special import gammaln

    return float(gammaln(len(labels) + 1) - gammaln(np.bincount(labels) + 1).sum()) if len(labels) else 0.0


def _students(p: float, df: float) -> float:
    """The p-value whose normal quantile is that of Student's t."""
    from scipy.special import ndtri, stdtr

    return float(2 * stdtr(df, float(ndtri(p / 2)))) if np.isfinite(df) else p


def _fitted(values: Array, distance: float) -> float:
    """Both tails beyond this distance from the mean, of Pearson's type III with the moments of these values."""
    from scipy.stats import pearson3, skew

    spread = float(values.std(ddof=1))
    if not spread > 0:
        return 1.0
    law = pearson3(float(skew(values)))
    return float(law.sf(distance / spread) + law.cdf(-distance / spread))


def _agreements(r: Ratings, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """Weighted sums of the items' agreement after shuffles, some at a time; the first rater can stay."""
    items, raters = r.codes.shape
    rated = [np.flatnonzero(own >= 0) for own in r.codes.T]
    scale = r.times * np.where(r.several, 1 / np.maximum(r.number * (r.number - 1), 1), 0.0)
    k, nominal = len(r.weight), bool((r.weight == np.eye(len(r.weight))).all())
    by_label = k * (1 if nominal else k) < raters * (raters - 1) / 2
    codes = np.ascontiguousarray(r.codes.T, dtype=np.int16 if k < 1 << 15 else np.int32)
    at_once = max(1, _WORK // (items * (max(raters, k) if by_label else raters)))
    for start in range(0, draws, at_once):
        several = min(at_once, draws - start)
        given = np.repeat(codes[:, None], several, axis=1)
        for rater, at in enumerate(rated[1:], start=1):
            if len(at) == items:
                rng.permuted(given[rater], axis=1, out=given[rater])
            else:
                given[rater][:, at] = rng.permuted(given[rater][:, at], axis=1)
        yield _by_labels(given, r.weight, scale) if by_label else _by_pairs(given, r.weight, scale, nominal)


def _by_labels(given: NDArray[Any], weight: Array, scale: Array) -> Array:
    """The sums from how often each label was given to each item: for few labels and many raters."""
    counts = np.stack([(given == label).sum(axis=0) for label in range(len(weight))], axis=-1).astype(np.float64)
    pairs = ((counts @ weight) * counts).sum(axis=2) - counts.sum(axis=2)
    return np.asarray(pairs @ scale)


def _by_pairs(given: NDArray[Any], weight: Array, scale: Array, nominal: bool) -> Array:
    """The sums from every two raters: for few raters and many labels."""
    found = np.zeros(given.shape[1])
    even, complete = bool((scale == scale[0]).all()), bool((given >= 0).all())
    for b in range(1, len(given)):
        for a in range(b):
            x, y = given[a], given[b]
            if nominal and even and complete:
                found += 2 * scale[0] * np.count_nonzero(x == y, axis=1)
                continue
            alike = (x == y) if nominal else weight[x, y]
            found += 2 * (alike if complete else np.where((x >= 0) & (y >= 0), alike, 0.0)) @ scale
    return found


def design_effect(r: Ratings, groups: RatedGroups) -> tuple[float, float]:
    """How much more the agreement of independent raters varies between these clusters than between as many independent
    items, and the degrees of freedom of that; around raters who rate independently."""
    if groups.name is None:
        return 1.0, np.inf
    share = np.asarray(r.times @ r.raters).reshape(r.codes.shape[1], -1)
    share = ratio(share, share.sum(axis=1, keepdims=True))
    expected = share @ r.weight  # (raters, labels): agreement of a label with what another rater says
    added = np.zeros(len(r.codes))
    for b in range(1, r.codes.shape[1]):
        for a in range(b):
            both = (r.codes[:, a] >= 0) & (r.codes[:, b] >= 0)
            x, y = r.codes[both, a], r.codes[both, b]
            added[both] += r.weight[x, y] - expected[b, x] - expected[a, y] + expected[a] @ share[b]
    added *= r.times * np.where(r.several, 2 / np.maximum(r.number * (r.number - 1), 1), 0.0)
    added -= r.times * added.sum() / r.times.sum()
    squares = float((added**2).sum())
    if not squares > 0 or int(groups.unit.max()) < 1:
        return 1.0, np.inf
    found = of_effects(added, np.zeros(len(added), np.int64), groups.unit, r.times)
    if len(np.unique(groups.unit)) == len(added):
        return 1.0, np.inf  # each item is its own cluster
    return max(1.0, found.variance / squares), found.df
