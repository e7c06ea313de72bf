"""What chance is to each coefficient of agreement, as functions of weighted items.

Every coefficient is a function of three sums over weighted items: agreement, the weight of the agreement, and
labels (its margins). The sums are linear in the weights: ones give the sample as it is, all but one the jackknife,
multinomial counts the bootstrap, and shares the distribution along which an arc walks. Effects are what each item
adds by Gwet's linearisation, checked against R's irrCAC.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.label_order import Stated, order_needed, order_of
from informed.evidence.labels import text

METRICS = ("nominal", "ordinal", "linear", "interval", "quadratic", "ratio")
Parts = tuple[Array, Array]  # observed and chance agreement
Margins = Literal["none", "shares", "raters", "pairable"]
_WORK = 1 << 22  # numbers in work at once


class Sums(NamedTuple):
    """What a coefficient reads of weighted items; `labels` are ``(labels, ...)``, or raters times labels."""

    agreement: Array
    weight: Array
    labels: Array


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by raters, with how much two labels agree."""

    codes: NDArray[np.int64]  # (items, raters), -1 where missing
    weight: Array  # (labels, labels), 1 on the diagonal
    times: Array  # (items,): how much each counts

    @cached_property
    def number(self) -> Array:
        """Ratings of each item."""
        return np.asarray((self.codes >= 0).sum(axis=1), dtype=np.float64)

    @property
    def several(self) -> NDArray[np.bool_]:
        """Items with two ratings or more."""
        return np.asarray(self.number >= 2)

    @cached_property
    def raters(self) -> Any:
        """Which label each rater gave to each item: a sparse array of (items, raters x labels)."""
        from scipy.sparse import csr_array

        item, rater = np.nonzero(self.codes >= 0)
        k = len(self.weight)
        at = rater * k + self.codes[item, rater]
        return csr_array((np.ones(len(item)), (item, at)), shape=(len(self.codes), self.codes.shape[1] * k))

    @cached_property
    def counts(self) -> Any:
        """Ratings of each item by label: a sparse array of (items, labels)."""
        from scipy.sparse import csr_array

        item, rater = np.nonzero(self.codes >= 0)
        shape = len(self.codes), len(self.weight)
        return csr_array((np.ones(len(item)), (item, self.codes[item, rater])), shape=shape)

    @cached_property
    def agreed(self) -> Array:
        """Share of an item's pairs of ratings that agree; 0 where it has no pair."""
        return agreed_pairs(self.codes, self.weight)

    def margins(self, kind: Margins) -> Any:
        """What each item adds to the labels that chance is made of: a sparse array."""
        from scipy.sparse import diags_array

        if kind == "raters":
            return self.raters
        if kind == "none":
            return 0 * self.counts
        scale = 1 / self.number if kind == "shares" else self.several.astype(np.float64)
        return diags_array(scale) @ self.counts


def agreed_pairs(codes: NDArray[np.int64], weight: Array) -> Array:
    """Share of an item's pairs of ratings that agree, by their weight; 0 where it has no pair."""
    number = (codes >= 0).sum(axis=1)
    pairs = np.zeros(len(codes))
    dense = np.take_along_axis(codes, np.argsort(codes < 0, axis=1, kind="stable"), axis=1)[:, : number.max(initial=0)]
    for a in range(1, dense.shape[1]):
        for b in range(a):
            both = dense[:, a] >= 0  # ratings stand first, so that the earlier one is there, too
            pairs[both] += weight[dense[both, a], dense[both, b]]
    return np.where(number >= 2, pairs / np.where(number >= 2, number * (number - 1) / 2, 1), 0.0)


@dataclass(frozen=True)
class Read:
    """What one coefficient reads of each item: agreement, the weight of it, and labels (sparse)."""

    agreement: Array
    weight: Array
    labels: Any

    def sums(self, w: Array) -> Sums:
        """Of weights ``(..., items)``."""
        flat = w.reshape(-1, w.shape[-1])
        labels = (self.labels.T @ flat.T).reshape(-1, *w.shape[:-1])
        return Sums(w @ self.agreement, w @ self.weight, labels)

    def by_unit(self, unit: NDArray[np.int64], times: Array) -> Read:
        """The same of whole units, of items that each count so much."""
        from scipy.sparse import csr_array

        to = csr_array((times, (unit, np.arange(len(unit)))), shape=(int(unit.max()) + 1, len(unit)))
        return Read(np.asarray(to @ self.agreement), np.asarray(to @ self.weight), csr_array(to @ self.labels))

    def without_each(self) -> Iterator[Sums]:
        """The sums without each row, some rows at a time."""
        whole = self.sums(np.ones(len(self.agreement)))
        at_once = max(1, _WORK // self.labels.shape[1])
        for start in range(0, len(self.agreement), at_once):
            at = slice(start, start + at_once)
            labels = whole.labels[:, None] - self.labels[at].T.toarray()
            yield Sums(whole.agreement - self.agreement[at], whole.weight - self.weight[at], labels)


@dataclass(frozen=True)
class Way:
    """A coefficient: what it reads of items, and what chance is to it."""

    title: str
    chance: Callable[[Array, Array], Array]  # of labels (labels, ...) and the weights of agreement
    slopes: Callable[[Array, Array], Array]  # of chance in the labels
    margins: Margins = "shares"
    two_raters: bool = False
    several_only: bool = False  # Krippendorff's leaves out items with one rating, and corrects for a small sample

    def read(self, r: Ratings) -> Read:
        weight = np.where(r.several, r.number if self.several_only else 1.0, 0.0)
        return Read(r.agreed * weight, weight, r.margins(self.margins))

    def observed(self, s: Sums) -> Array:
        bare = ratio(s.agreement, s.weight)
        if not self.several_only:
            return bare
        small = ratio(1.0, s.weight)
        return np.asarray((1 - small) * bare + small)

    def parts(self, r: Ratings, w: Array) -> Parts:
        return self.parts_of(self.read(r).sums(w), r.weight)

    def parts_of(self, s: Sums, weight: Array) -> Parts:
        observed = self.observed(s)
        return observed, np.broadcast_to(self.chance(s.labels, weight), np.shape(observed))

    def estimate(self, r: Ratings, w: Array) -> Any:
        value = self.value(self.read(r).sums(w), r.weight)
        return float(value) if np.ndim(value) == 0 else value

    def value(self, s: Sums, weight: Array) -> Array:
        observed, chance = self.parts_of(s, weight)
        return ratio(observed - chance, 1 - chance)

    def gradient(self, s: Sums, weight: Array) -> Sums:
        """Slopes of the value in each of the sums."""
        observed, chance = self.parts_of(s, weight)
        bare, each = ratio(s.agreement, s.weight), ratio(1.0, s.weight)
        small = each if self.several_only else np.zeros_like(each)
        scale = ratio(1.0, 1 - chance)
        of_weight = -(1 - small) * bare * each - small * each * (1 - bare)
        by_label = self.slopes(s.labels, weight) * -scale * (1 - observed) * scale
        return Sums((1 - small) * each * scale, of_weight * scale, by_label)

    def items(self, r: Ratings) -> NDArray[np.bool_]:
        return r.several if self.several_only else np.ones(len(r.codes), bool)

    def effects(self, r: Ratings) -> Array:
        """The estimate is off by about their mean as items count; so weighted, they add up to 0."""
        w, read = r.times, self.read(r)
        s = read.sums(w)
        observed, chance = (float(x) for x in self.parts_of(s, r.weight))
        scale = w.sum() / (w @ r.several) / (1 - chance)
        if self.several_only:
            mean = float(s.weight / (w @ r.several))  # ratings of an item with several
            bare = float(s.agreement / s.weight)  # without the correction for a small sample
            value = (bare - chance) / (1 - chance)
            # irrCAC has the observed agreement corrected here, and bare otherwise.
            own = r.agreed * r.number / mean - bare - observed * (r.number / mean - 1)
            first = scale * np.where(r.several, own, 0.0)
        else:
            value = (observed - chance) / (1 - chance)
            # The share of items with several ratings is taken as given, as Gwet does.
            first = scale * (r.agreed - chance * r.several) - value
        of_chance = read.labels @ self.slopes(s.labels, r.weight) * w.sum()
        return np.asarray(first - (1 - value) * of_chance / (1 - chance))


def _shared(labels: Array) -> Array:
    return ratio(labels, labels.sum(axis=0))


def _centred(labels: Array, slopes: Array) -> Array:
    """Slopes in the sums of labels, of slopes in their shares; the last axes are those of a stack."""
    return ratio(slopes - (_shared(labels) * slopes).sum(axis=0), labels.sum(axis=0))


def _one_margin(labels: Array, weight: Array) -> Array:
    p = _shared(labels)
    return np.asarray((_weighed(weight, p) * p).sum(axis=0))


def _one_margin_slopes(labels: Array, weight: Array) -> Array:
    return _centred(labels, 2 * _weighed(weight, _shared(labels)))


def _weighed(weight: Array, p: Array) -> Array:
    """`weight` @ p, along the first axis of p."""
    return np.asarray(weight @ p.reshape(len(p), -1)).reshape(p.shape)


def _gwet(labels: Array, weight: Array) -> Array:
    p, k = _shared(labels), len(weight)
    return np.asarray(weight.sum() / (k * (k - 1)) * (p * (1 - p)).sum(axis=0))


def _gwet_slopes(labels: Array, weight: Array) -> Array:
    k = len(weight)
    return _centred(labels, weight.sum() / (k * (k - 1)) * (1 - 2 * _shared(labels)))


def _by_rater(labels: Array, weight: Array) -> Array:
    """``(labels, raters, ...)``"""
    return np.moveaxis(labels.reshape(-1, len(weight), *labels.shape[1:]), 1, 0)


def _own_margins(labels: Array, weight: Array) -> Array:
    p = _shared(_by_rater(labels, weight))
    m, whole = p.shape[1], p.sum(axis=1)
    together = (_weighed(weight, whole) * whole).sum(axis=0) - (_weighed(weight, p) * p).sum(axis=(0, 1))
    return np.asarray(together / (m * (m - 1)))


def _own_margins_slopes(labels: Array, weight: Array) -> Array:
    given = _by_rater(labels, weight)
    p = _shared(given)
    m = p.shape[1]
    slopes = 2 * _weighed(weight, p.sum(axis=1, keepdims=True) - p) / (m * (m - 1))
    return np.moveaxis(_centred(given, slopes), 0, 1).reshape(labels.shape)


def _constant(value: Callable[[Array], float]) -> Callable[[Array, Array], Array]:
    return lambda labels, weight: np.full(labels.shape[1:], value(weight))


def _flat(labels: Array, weight: Array) -> Array:
    return np.zeros_like(labels)


def _mean_weight(weight: Array) -> float:
    return float(weight.mean())


COEFFICIENTS = {
    "percent": Way("Percent agreement", _constant(lambda weight: 0.0), _flat, "none"),
    "cohen": Way("Cohen's kappa", _own_margins, _own_margins_slopes, "raters", two_raters=True),
    "scott": Way("Scott's pi", _one_margin, _one_margin_slopes, two_raters=True),
    "fleiss": Way("Fleiss' kappa", _one_margin, _one_margin_slopes),
    "conger": Way("Conger's kappa", _own_margins, _own_margins_slopes, "raters"),
    "krippendorff": Way("Krippendorff's alpha", _one_margin, _one_margin_slopes, "pairable", several_only=True),
    "gwet_ac1": Way("Gwet's AC1", _gwet, _gwet_slopes),
    "brennan_prediger": Way("Brennan–Prediger kappa", _constant(_mean_weight), _flat, "none"),
}
OF_WEIGHTS = {"percent": "weighted_agreement", "cohen": "weighted_kappa", "gwet_ac1": "gwet_ac2"}  # names with weights


WEIGHTED = {  # their titles with weights, where these differ
    "percent": "Weighted agreement",
    "cohen": "Weighted kappa",
    "scott": "Scott's pi, weighted",
    "fleiss": "Fleiss' kappa, weighted",
    "conger": "Conger's kappa, weighted",
    "gwet_ac1": "Gwet's AC2",
    "brennan_prediger": "Brennan–Prediger, weighted",
}


# ---------------------------------------------------------------------- how alike labels are


def metric(
    disagreement: Any, known: tuple[Hashable, ...], counts: Array, stated: Stated | None = None
) -> tuple[Array, str]:
    """Agreement of every two labels, 1 on the diagonal, and what it is called."""
    k = len(known)
    if not isinstance(disagreement, str):
        w = np.asarray(disagreement, dtype=np.float64)
        if w.shape != (k, k) or not np.isfinite(w).all():
            raise InferenceError(f"`disagreement` has shape {w.shape}; it must be {k} x {k}, finite.")
        if not np.allclose(w, w.T) or not np.allclose(np.diagonal(w), 1) or (w > 1).any():
            raise InferenceError(
                "`disagreement` as a matrix holds agreements: symmetric, 1 on the diagonal and nowhere above 1."
            )
        return w, "given"

    if disagreement not in METRICS:
        names = ", ".join(map(repr, METRICS))
        raise InferenceError(f"`disagreement` is {text(disagreement)}; it can be {names} or a matrix.")
    name = "interval" if disagreement == "quadratic" else disagreement
    if name == "nominal":
        return np.eye(k), name
    if name == "ordinal":
        if order_of(known, stated) is None:
            raise InferenceError(order_needed('`disagreement="ordinal"`', known))
        before = np.cumsum(counts) - counts / 2  # middle rank of each label
        distance = np.subtract.outer(before, before) ** 2
    else:
        x = _numbers(known, name)
        distance = np.abs(np.subtract.outer(x, x))
        if name == "ratio":
            if (x < 0).any():
                raise InferenceError('`disagreement="ratio"` takes labels that are not negative.')
            distance = np.where(distance > 0, ratio(distance, np.add.outer(x, x)), 0.0)
        if name != "linear":
            distance = distance**2
    return 1 - distance / (distance.max() or 1.0), name


def _numbers(known: tuple[Hashable, ...], name: str) -> Array:
    found = []
    for label in known:
        try:
            found.append(float(label))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            said = f"`disagreement` is {name!r}, which takes numbers for labels, and there is {text(label)}."
            raise InferenceError(said) from None
    return np.array(found)
