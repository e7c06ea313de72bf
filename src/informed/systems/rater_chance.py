"""What chance is to each coefficient of agreement, as functions of weighted items.

Every estimate is written for weights of items ``(..., items)``: ones for the sample as it is, all
but one for the jackknife, multinomial counts for the bootstrap. Beside it stand its effects, what
each item adds by Gwet's linearisation, checked against R's irrCAC.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.label_order import Stated, order_needed, order_of
from informed.evidence.labels import text

METRICS = ("nominal", "ordinal", "linear", "interval", "quadratic", "ratio")
Parts = tuple[Array, Array]  # observed and chance agreement


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by raters, with how much two labels agree."""

    codes: NDArray[np.int64]  # (items, raters), -1 where missing
    weight: Array  # (labels, labels), 1 on the diagonal
    times: Array  # (items,): how much each counts

    @cached_property
    def each(self) -> Array:
        """Whether it is this label, ``(items, raters, labels)``: 1 or 0, all 0 where missing."""
        return np.asarray(self.codes[..., None] == np.arange(len(self.weight)), dtype=np.float64)

    @cached_property
    def counts(self) -> Array:
        """Ratings of each item by label."""
        return np.asarray(self.each.sum(axis=1))

    @cached_property
    def number(self) -> Array:
        """Ratings of each item."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def mean_number(self) -> float:
        """Mean number of ratings of the items with two or more."""
        return float(np.average(self.number[self.several], weights=self.times[self.several]))

    @property
    def several(self) -> NDArray[np.bool_]:
        """Items with two ratings or more."""
        return np.asarray(self.number >= 2)

    @cached_property
    def pairs(self) -> Array:
        """Agreement summed over the ordered pairs of an item's ratings."""
        return np.asarray((self.counts * (self.counts @ self.weight - 1)).sum(axis=1))

    @cached_property
    def agreed(self) -> Array:
        """Share of an item's pairs that agree; 0 where it has none."""
        r = self.number
        return np.where(r >= 2, self.pairs / np.where(r >= 2, r * (r - 1), 1), 0.0)

    @cached_property
    def shares(self) -> Array:
        """Share of an item's ratings that each label has."""
        return self.counts / self.number[:, None]


@dataclass(frozen=True)
class Way:
    """A coefficient: its observed and chance agreement, and what each item adds."""

    title: str
    parts: Callable[[Ratings, Array], Parts]
    chance_effects: Callable[[Ratings], Array]
    two_raters: bool = False
    several_only: bool = False  # Krippendorff's leaves out items with one rating

    def estimate(self, r: Ratings, w: Array) -> Any:
        observed, chance = self.parts(r, w)
        value = ratio(observed - chance, 1 - chance)
        return float(value) if np.ndim(value) == 0 else value

    def items(self, r: Ratings) -> NDArray[np.bool_]:
        return r.several if self.several_only else np.ones(len(r.codes), bool)

    def effects(self, r: Ratings) -> Array:
        """The estimate is off by about their mean as items count; so weighted, they add up to 0."""
        w = r.times
        observed, chance = (float(x) for x in self.parts(r, w))
        scale = w.sum() / (w @ r.several) / (1 - chance)
        if self.several_only:
            mean = r.mean_number
            bare = _of_pairs(r, w)  # without the correction for a small sample
            value = (bare - chance) / (1 - chance)
            # irrCAC has the observed agreement corrected here, and bare otherwise.
            own = r.pairs / np.where(r.several, mean * (r.number - 1), 1) - bare - observed * (r.number / mean - 1)
            first = scale * np.where(r.several, own, 0.0)
        else:
            value = (observed - chance) / (1 - chance)
            # The share of items with several ratings is taken as given, as Gwet does.
            first = scale * (r.agreed - chance * r.several) - value
        return np.asarray(first - (1 - value) * self.chance_effects(r) / (1 - chance))


def _percent(r: Ratings, w: Array) -> Array:
    return ratio(w @ r.agreed, w @ r.several.astype(np.float64))


def _margin(r: Ratings, w: Array) -> Array:
    """Mean share of each label, ``(..., labels)``."""
    return np.asarray(w @ r.shares / w.sum(axis=-1)[..., None])


def _quadratic(p: Array, weight: Array) -> Array:
    return np.asarray(((p @ weight) * p).sum(axis=-1))


def _fleiss(r: Ratings, w: Array) -> Parts:
    return _percent(r, w), _quadratic(_margin(r, w), r.weight)


def _fleiss_effects(r: Ratings) -> Array:
    p = _margin(r, r.times)
    return np.asarray(2 * ((r.shares @ r.weight) @ p - _quadratic(p, r.weight)))


def _gwet(r: Ratings, w: Array) -> Parts:
    p, k = _margin(r, w), len(r.weight)
    return _percent(r, w), r.weight.sum() / (k * (k - 1)) * (p * (1 - p)).sum(axis=-1)


def _gwet_effects(r: Ratings) -> Array:
    p, k = _margin(r, r.times), len(r.weight)
    return np.asarray(2 * r.weight.sum() / (k * (k - 1)) * (r.shares @ (1 - p) - p @ (1 - p)))


def _raters(r: Ratings, w: Array) -> Array:
    """Share of each label in each rater's ratings, ``(..., raters, labels)``."""
    items = len(r.codes)
    sums = (w @ r.each.reshape(items, -1)).reshape(*w.shape[:-1], *r.each.shape[1:])
    return ratio(sums, sums.sum(axis=-1, keepdims=True))


def _conger(r: Ratings, w: Array) -> Parts:
    p = _raters(r, w)
    m = p.shape[-2]
    together = _quadratic(p.sum(axis=-2), r.weight) - _quadratic(p, r.weight).sum(axis=-1)
    return _percent(r, w), together / (m * (m - 1))


def _conger_effects(r: Ratings) -> Array:
    p = _raters(r, r.times)
    m = len(p)
    others = (p.sum(axis=0) - p) @ r.weight  # (raters, labels)
    rated = r.each.sum(axis=2)
    scale = r.times.sum() / (r.times @ rated)
    own = np.einsum("irk,rk->ir", r.each, others) - rated * (p * others).sum(axis=1)
    return np.asarray(2 / (m * (m - 1)) * (own * scale).sum(axis=1))


def _of_pairs(r: Ratings, w: Array) -> Any:
    """Agreement of Krippendorff's coincidences, each item by its number of ratings."""
    own = np.where(r.several, r.pairs / np.where(r.several, r.number - 1, 1), 0.0)
    return ratio(w @ own, w @ (r.number * r.several))


def _krippendorff(r: Ratings, w: Array) -> Parts:
    total = w @ (r.number * r.several)
    p = ratio(w @ (r.counts * r.several[:, None]), np.asarray(total)[..., None])
    small = ratio(1.0, total)
    return (1 - small) * _of_pairs(r, w) + small, _quadratic(p, r.weight)


def _krippendorff_effects(r: Ratings) -> Array:
    used = r.several
    w = r.times * used
    p = w @ r.counts / (w @ r.number)
    own = (r.counts @ r.weight @ p - _quadratic(p, r.weight) * r.number) / r.mean_number
    return np.asarray(np.where(used, 2 * own, 0.0) * r.times.sum() / w.sum())


def _constant(value: Callable[[Ratings], float]) -> Callable[[Ratings, Array], Parts]:
    def parts(r: Ratings, w: Array) -> Parts:
        observed = _percent(r, w)
        return observed, np.full(np.shape(observed), value(r))

    return parts


def _none(r: Ratings) -> Array:
    return np.zeros(len(r.codes))


COEFFICIENTS = {
    "percent": Way("Percent agreement", _constant(lambda r: 0.0), _none),
    "cohen": Way("Cohen's kappa", _conger, _conger_effects, two_raters=True),
    "scott": Way("Scott's pi", _fleiss, _fleiss_effects, two_raters=True),
    "fleiss": Way("Fleiss' kappa", _fleiss, _fleiss_effects),
    "conger": Way("Conger's kappa", _conger, _conger_effects),
    "krippendorff": Way("Krippendorff's alpha", _krippendorff, _krippendorff_effects, several_only=True),
    "gwet_ac1": Way("Gwet's AC1", _gwet, _gwet_effects),
    "brennan_prediger": Way("Brennan–Prediger kappa", _constant(lambda r: float(r.weight.mean())), _none),
}
TITLES = {name: way.title for name, way in COEFFICIENTS.items()} | {"gwet_ac2": "Gwet's AC2"}  # with weights


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
