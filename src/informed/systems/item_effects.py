"""What each item adds to the estimates of many systems, whatever it was asked, weighs or belongs to.

What an answer adds is known in closed form (its influence). The answers of a system to one item share the
weight of the item, so that systems may have been asked unequally often.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.paired import Paired
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.units import Ints
from informed.inference.influence import Functional, influence

_WORK = 1 << 24  # numbers in work at once


@dataclass(frozen=True)
class PseudoEffects:
    """What a pseudo-case of each class adds, right or wrong by the toss of a coin: ``(classes, systems)``."""

    mean: Array
    square: Array

    def covariance(self, mass: float) -> Array:
        """Of so many pseudo-cases: their class is shared by all systems, their answer is each system's own."""
        share = mass / len(self.mean)
        shared = self.mean.T @ self.mean * share
        shared[np.diag_indices(len(shared))] = share * self.square.sum(axis=0)
        return np.asarray(shared)


@dataclass(frozen=True, eq=False)
class ItemEffects:
    """Effects of items on systems, ``(items, systems)``: the mean over a system's answers to the item."""

    mean: Array
    square: Array | None  # the mean of squares, where items have several answers; else that of `mean`
    weight: Array  # (items,)
    case: Array | None  # (items, systems): squared weight of an answer, times their number; else that of the item
    real: Ints  # (items,)
    unit: Ints | None  # (items,); None: each is its own
    pseudo: PseudoEffects

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.weight) if self.unit is None else int(self.unit.max()) + 1

    @cached_property
    def by_unit(self) -> Array:
        """What each unit adds, ``(units, systems)``."""
        moved = self.mean * self.weight[:, None]
        return moved if self.unit is None else summed(moved, self.unit, self.units)

    @cached_property
    def class_weights(self) -> Array:
        """What each unit holds of each class, ``(units, classes)``."""
        classes = len(self.pseudo.mean)
        unit = np.arange(len(self.real)) if self.unit is None else self.unit
        found = np.bincount(unit * classes + self.real, self.weight, minlength=self.units * classes)
        return found.reshape(self.units, classes).astype(np.float64)


def item_effects(p: Paired, f: Functional, smooth: Array, total: float, *, scale: float) -> ItemEffects:
    """Effects at these proportions ``(cells, systems)`` of so many cases; the weights of items add to the scale."""
    rows, systems = p.codes.shape
    k, cells = len(p.labels), len(smooth)
    effect = np.empty((rows, systems))
    mean, square = np.zeros((2, k, systems))
    chunk = max(1, _WORK // max(rows, 1 if f.exact else 2 * cells * cells))
    for start in range(0, systems, chunk):
        part = slice(start, start + chunk)
        told = np.full(smooth[:, part].shape[1], total)
        with np.errstate(divide="ignore", invalid="ignore"):
            u, _ = influence(smooth[:, part], f.gradient(smooth[:, part], told))
        u = np.where((smooth[:, part] > 0) & np.isfinite(u), u, 0.0)
        answers = p.codes[:, part]
        at = np.where(answers < 0, k, answers) * k + p.real_codes[:, None]
        at = np.where(answers == ABSENT, 0, at)  # any place: what was not asked adds nothing
        effect[:, part] = np.take_along_axis(u, at, axis=0)
        mean[:, part], square[:, part] = _of_pseudo_cases(u[: k * k].reshape(k, k, -1))

    pseudo = PseudoEffects(mean, square)
    w = np.ones(rows) if p.weights is None else p.weights
    if p.item is None:
        w = w if p.weights is None else w * (scale / w.sum())
        return ItemEffects(effect, None, w, None, p.real_codes, p.unit, pseudo)
    return _shared(p, effect, w, pseudo, scale)


def _shared(p: Paired, effect: Array, w: Array, pseudo: PseudoEffects, scale: float) -> ItemEffects:
    """The same of items whose answers share their weight, each system's by themselves."""
    assert p.item is not None
    _, first, item = np.unique(p.item, return_index=True, return_inverse=True)
    items = len(first)
    asked = (p.codes != ABSENT).astype(np.float64)
    times = summed(asked, item, items)
    weight = np.bincount(item, w) / np.bincount(item)
    weight = weight * (scale / weight.sum())
    mean, square = (ratio(summed(x * asked, item, items), times) for x in (effect, effect**2))
    unit = None if p.unit is None else p.unit[first]
    case = weight[:, None] ** 2 / np.where(_differ(p.codes, item, items), np.maximum(times, 1), 1)
    mean, square = np.nan_to_num(mean), np.nan_to_num(square)
    return ItemEffects(mean, square, weight, case, p.real_codes[first], unit, pseudo)


def _differ(codes: Any, item: Any, items: int) -> Any:
    """Whether any two answers of a system to one item differ; where none do, each item is as asked once."""
    most = np.full((items, codes.shape[1]), ABSENT)
    np.maximum.at(most, item, codes)
    return ((codes != most[item]) & (codes != ABSENT)).any(axis=0)


def summed(x: Array, at: Any, size: int) -> Array:
    """Rows added up by their place."""
    from scipy.sparse import csr_array

    held = csr_array((np.ones(len(at)), (at, np.arange(len(at)))), shape=(size, len(at)))
    return np.asarray(held @ x)


def _of_pseudo_cases(u: Array) -> tuple[Array, Array]:
    """Mean slope of a pseudo-case of each class, and its mean square."""
    k = len(u)
    right = np.einsum("ll...->l...", u)
    wrong = (u.sum(axis=0) - right) / (k - 1)
    squares = ((u**2).sum(axis=0) - right**2) / (k - 1)
    return (right + wrong) / 2, (right**2 + squares) / 2
