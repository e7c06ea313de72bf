"""Numbers from tags, and what guessing would get: the same predictions, shuffled over the items.

The default average is the bookmaker's: bet on every tag that is given, at odds that are fair to someone who knows
only how frequent it is. "micro", examples and the usual scores reward knowing which tags are frequent, so that
each has a chance level of its own, which is exact: the mean over all shuffles.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import MeasureError, one_of
from informed.evidence.labels import text
from informed.evidence.tags import Tags
from informed.evidence.tags_matrix import Matrix, hashes, is_sparse, linear, row_sums

AVERAGES = ("prevalence", "within", "macro", "occurring", "micro", "examples")
FAIR = ("prevalence", "within", "macro", "occurring")  # 0 for every way of guessing
BETS = ("informedness", "markedness", "correlation")
OF_ITEMS = ("subset_accuracy", "hamming_loss", "jaccard_samples")  # a mean over items of one number each
TITLES = {
    "subset_accuracy": "Subset accuracy",
    "hamming_loss": "Hamming loss",
    "jaccard_samples": "Jaccard index of items",
    "f1_micro": "F1, micro",
}
USUAL = tuple(TITLES)
OTHERS = {
    "hamming": "hamming_loss",
    "jaccard": "jaccard_samples",
    "micro_f1": "f1_micro",
    "exact_match": "subset_accuracy",
    "exact_match_ratio": "subset_accuracy",
    "f1": "f1_micro",
    "bookmaker_informedness": "informedness",
}
MOST_PAIRS = 200_000_000  # of different sets of tags whose overlaps are all tried
DRAWN = 2_000_000  # pairs in shuffles, where they are more
FEW_PAIRS = 10_000_000  # that are tried in double precision
BLOCK = 1 << 20


@dataclass(frozen=True)
class LabelCounts:
    """Sums over items, by label: real and given, real, given; and over all items."""

    both: Array
    real: Array
    given: Array
    n: float

    @cached_property
    def swapped(self) -> LabelCounts:
        """With the sides exchanged: what markedness is the informedness of."""
        return LabelCounts(self.both, self.given, self.real, self.n)

    @cached_property
    def usable(self) -> Any:
        """Labels that can be bet on: some items have them, and some do not."""
        return (self.real > 0) & (self.real < self.n)

    @cached_property
    def prevalence(self) -> Array:
        return ratio(self.real, self.n)

    @cached_property
    def bias(self) -> Array:
        return ratio(self.given, self.n)

    @cached_property
    def covariance(self) -> Array:
        return ratio(self.both * self.n - self.real * self.given, self.n**2)

    @cached_property
    def each(self) -> Array:
        """Informedness of each label, NaN where it cannot be bet on."""
        apart = self.both * self.n - self.real * self.given
        return np.where(self.usable, ratio(apart, self.real * (self.n - self.real)), np.nan)

    def shares(self, average: str) -> Array:
        """What each label weighs in an average; they add up to 1. All NaN where the average is undefined."""
        heavy = self._heavy(average)
        return ratio(heavy, heavy.sum())

    def _heavy(self, average: str) -> Array:
        p = self.prevalence
        if average == "macro" and not self.usable.all():
            return np.full(len(p), np.nan)
        heavy = {"prevalence": p, "within": p * (1 - p)}.get(average, np.ones(len(p)))
        return np.where(self.usable, heavy, 0.0)

    def mean(self, average: str) -> float:
        """Informedness by an average of labels, or of all of them pooled."""
        if average == "micro":
            return float(ratio(self.both.sum(), self.real.sum()) - self._fallout(self.both.sum()))
        w = self._heavy(average)
        return float(ratio((w * np.where(w > 0, self.each, 0.0)).sum(), w.sum()))

    def _fallout(self, both: float) -> float:
        return float(ratio(self.given.sum() - both, (self.n - self.real).sum()))

    @cached_property
    def guessed(self) -> LabelCounts:
        """The mean over all shuffles of the predictions."""
        return LabelCounts(self.real * self.given / self.n, self.real, self.given, self.n)

    def value(self, measure: str, average: str) -> float:
        """Informedness, markedness or correlation by an average.

        Correlation is the geometric mean of the two, which are averaged first. Only "macro" is the mean of the labels'
        own: of labels that happen to occur on both sides, that would be the mean of those that were hit.
        """
        if measure == "informedness":
            return self.mean(average)
        if measure == "markedness":
            return self.swapped.mean(average)
        if average == "macro":
            if not (self.usable & self.swapped.usable).all():
                return float("nan")
            spread = self.prevalence * (1 - self.prevalence) * self.bias * (1 - self.bias)
            return float((self.covariance / np.sqrt(spread)).mean())
        b, m = self.mean(average), self.swapped.mean(average)
        if np.isnan(b * m):
            return float("nan")
        return float(np.sign(b) * np.sqrt(b * m)) if b * m > 0 else 0.0

    def f1(self) -> float:
        """2·TP/(RP + PP) of all labels pooled."""
        return float(ratio(2 * self.both.sum(), self.real.sum() + self.given.sum()))


def named(measure: Any, average: str | None = "prevalence") -> str:
    """The name of a measure of tags; refused where there is none of this average."""
    asked = OTHERS.get(str(measure), str(measure))
    one_of("average", average, (*AVERAGES, None), MeasureError)
    known = (*BETS, *USUAL)
    if average is not None and asked not in known:
        raise MeasureError(
            f"{text(asked)} is no measure of tags; there are {', '.join(known)}. Of each label, with `average=None`, "
            "there is any measure of a table."
        )
    if asked == "correlation" and average == "examples":
        raise MeasureError("correlation is not averaged over examples; informedness and markedness are.")
    return asked


def label_counts(t: Tags, system: Hashable = None) -> LabelCounts:
    """What a system's tags add up to, by label."""
    both, real, given = t.counts(system)
    return LabelCounts(both, real, given, t.total)


def score(t: Tags, measure: str = "informedness", average: str = "prevalence", *, system: Hashable = None) -> float:
    """A measure of tags by an average.

    >>> t = Tags.from_labels(real=[[1, 0], [1, 1], [0, 1]], predicted=[[1, 0], [1, 0], [0, 1]])
    >>> score(t), score(t, "subset_accuracy")
    (0.75, 0.6666666666666666)
    """
    measure = named(measure, average)
    if measure in BETS and average != "examples":
        return label_counts(t, system).value(measure, average)
    if measure == "f1_micro":
        return label_counts(t, system).f1()
    return mean_of_items(t, item_values(t, measure, system=system))


def chance(t: Tags, measure: str = "informedness", average: str = "prevalence", *, system: Hashable = None) -> float:
    """What guessing gets: the mean of the measure over all shuffles of the predictions."""
    measure = named(measure, average)
    c = label_counts(t, system)
    if measure in BETS and average in FAIR:
        return float("nan") if np.isnan(c.value(measure, average)) else 0.0
    if measure in BETS and average == "micro":
        return c.guessed.value(measure, average)
    if measure in BETS:
        return _chance_of_examples(t, c if measure == "informedness" else c.swapped, measure, system)
    if measure == "f1_micro":
        return c.guessed.f1()
    if measure == "hamming_loss":
        p, b = c.prevalence, c.bias
        return float((p * (1 - b) + b * (1 - p)).mean())
    y, z = t.real, t.codes[t.names.index(system) if system is not None else 0]
    w = _shares(t)
    return _chance_of_sets(y, z, w) if measure == "subset_accuracy" else _chance_of_overlap(y, z, w)


def item_values(t: Tags, measure: str, *, system: Hashable = None) -> Array:
    """One number an item: of the measures that are means over items. NaN where it is undefined."""
    y, z = t.real, t.codes[t.names.index(system) if system is not None else 0]
    labels = np.ones(len(t.labels))
    none = np.zeros(len(t.labels))
    both, real, given = linear(y, z, labels, none, none), row_sums(y), row_sums(z)
    size = float(len(t.labels))
    if measure == "subset_accuracy":
        return np.asarray((both == real) & (both == given), np.float64)
    if measure == "hamming_loss":
        return np.asarray((real + given - 2 * both) / size)
    if measure == "jaccard_samples":
        either = real + given - both
        return np.where(either > 0, ratio(both, either), 1.0)
    if measure == "markedness":
        real, given = given, real
    inside = (real > 0) & (real < size)
    return np.where(inside, ratio(both, real) - ratio(given - both, size - real), np.nan)


def mean_of_items(t: Tags, values: Array) -> float:
    """The weighted mean over items; undefined where one of them is."""
    return float(values.mean() if t.weights is None else (_shares(t) * values).sum())


def why_undefined(t: Tags, measure: str, average: str, *, system: Hashable = None) -> str:
    """Why a measure of tags is undefined, in words that can stand in brackets; empty where it is not."""
    if not np.isnan(score(t, measure, average, system=system)):
        return ""
    c = label_counts(t, system)
    c = c if measure != "markedness" else c.swapped
    if average == "examples":
        lost = int(np.isnan(item_values(t, measure, system=system)).sum())
        return f"{lost:,} of {len(t):,} items have no tag or all of them, and no fallout or no recall"
    bad = ~c.usable if measure != "correlation" else ~(c.usable & c.swapped.usable)
    held = [t.labels[i] for i in np.flatnonzero(bad)[:3]]
    more = f" and {int(bad.sum()) - 3} more" if bad.sum() > 3 else ""
    side = {"informedness": "really", "markedness": "predicted"}.get(measure, "really or predicted")
    shown = ", ".join(map(text, held)) + more
    return f"{int(bad.sum()):,} of {len(t.labels):,} labels are {side} of no item or of all: {shown}"


# ---------------------------------------------------------------------- what guessing gets


def drawn_shuffles(t: Tags, *, system: Hashable = None) -> int:
    """How many shuffles the chance level of the Jaccard index is a mean of; 0 where it is that of all."""
    if len(t) ** 2 <= MOST_PAIRS:
        return 0
    z = t.codes[t.names.index(system) if system is not None else 0]
    one, other = (len(np.unique(hashes(m))) for m in (t.real, z))
    return _shuffles(len(t)) if one * other > MOST_PAIRS else 0


def _shuffles(items: int) -> int:
    return max(5, -(-DRAWN // items))


def _shares(t: Tags) -> Array:
    return np.full(len(t), 1 / len(t)) if t.weights is None else t.weights / t.weights.sum()


def _chance_of_examples(t: Tags, c: LabelCounts, measure: str, system: Hashable) -> float:
    """The mean over items of what the labels' frequencies alone would give it."""
    m = t.real if measure == "informedness" else t.codes[t.names.index(system) if system is not None else 0]
    b = c.bias
    own, size = row_sums(m), float(m.shape[1])
    if not ((own > 0) & (own < size)).all():
        return float("nan")
    there = linear(m, m, np.zeros(len(b)), b, np.zeros(len(b)))
    return mean_of_items(t, there / own - (b.sum() - there) / (size - own))


def _chance_of_sets(y: Matrix, z: Matrix, w: Array) -> float:
    """How often two items drawn apart have the same set of tags."""
    keys, at = np.unique(np.concatenate([hashes(y), hashes(z)]), return_inverse=True)
    first, second = (np.bincount(x, w, minlength=len(keys)) for x in (at[: len(w)], at[len(w) :]))
    return float(first @ second)


def _chance_of_overlap(y: Matrix, z: Matrix, w: Array) -> float:
    """The mean overlap of the sets of two items drawn apart: of all pairs, or where they are too many, of shuffles."""
    (one, p), (other, q) = (_different(m, w) for m in (y, z))
    if len(p) * len(q) > MOST_PAIRS:
        return _drawn_overlap(y, z, w)
    size_a, size_b = row_sums(one), row_sums(other)
    empty = float(p[size_a == 0].sum() * q[size_b == 0].sum())  # two empty sets are the same
    kind = np.float64 if len(p) * len(q) < FEW_PAIRS else np.float32
    a, b = (_tagged(m, heavy, size, kind) for m, heavy, size in ((one, p, size_a), (other, q, size_b)))
    rows, found = max(1, BLOCK // max(1, len(b[0]))), 0.0
    for at in range(0, len(a[0]), rows):
        sets, heavy, size = (x[at : at + rows] for x in a)
        both = sets @ b[0].T
        either = np.add.outer(size, b[2])
        either -= both
        np.divide(both, either, out=both)
        found += float(heavy.astype(np.float64) @ (both @ b[1]))
    return found + empty


def _tagged(m: Matrix, heavy: Array, size: Array, kind: Any) -> tuple[Any, Any, Any]:
    """The rows that have a tag, dense, with what they weigh and how many tags they have."""
    at = np.flatnonzero(size)
    dense = m[at].todense() if is_sparse(m) else m[at]
    return np.asarray(dense, kind), heavy[at].astype(kind), size[at].astype(kind)


def _different(m: Matrix, w: Array) -> tuple[Matrix, Array]:
    """The different rows, and what each weighs."""
    _, first, at = np.unique(hashes(m), return_index=True, return_inverse=True)
    return m[first], np.asarray(np.bincount(at, w), np.float64)


def _drawn_overlap(y: Matrix, z: Matrix, w: Array) -> float:
    """The mean over some shuffles, from a fixed seed."""
    rng = np.random.default_rng(2003)
    ones, none = np.ones(y.shape[1]), np.zeros(y.shape[1])
    real, given = row_sums(y), row_sums(z)
    found = []
    for _ in range(_shuffles(len(w))):
        order = rng.choice(len(w), len(w), p=w)
        both = linear(y, z[order], ones, none, none)
        either = real + given[order] - both
        found.append(float(w @ np.where(either > 0, ratio(both, either), 1.0)))
    return float(np.mean(found))
