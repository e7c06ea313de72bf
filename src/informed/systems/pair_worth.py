"""What units and weights leave of the items for the difference of every two systems.

The rule of `inference.worth` with the real class as what is given: then a pair needs no table of its own, only
how both systems vary in each class, and sums over units of what they hold of each class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.inference.worth import ONE, RHO, RHO_ASKED, SINGLE, of_units
from informed.systems.item_effects import ItemEffects

MOST = 50_000_000  # numbers of all pairs and classes, beyond which pairs are not looked at one by one
MOST_WORK = 4_000_000_000  # the same for units and pairs
_WORK = 1 << 23  # numbers in work at once


def pair_worth(x: ItemEffects, mass: float, *, asked: bool) -> tuple[Array, Array] | None:
    """Effective items and degrees of freedom of every two systems, ``(systems, systems)``, the diagonal
    infinite; None where the pairs are too many."""
    systems, classes = x.mean.shape[1], len(x.pseudo.mean)
    if systems**2 * classes > MOST or systems**2 * x.units > MOST_WORK:
        return None
    spreads = _class_spreads(x)
    upper = np.triu_indices(systems, 1)
    found = np.empty((3, len(upper[0])))
    at_once = max(1, _WORK // x.units)
    for start in range(0, len(upper[0]), at_once):
        part = slice(start, start + at_once)
        found[:, part] = _of_pairs(x, spreads, (upper[0][part], upper[1][part]), mass, asked)

    both = np.full((2, systems, systems), np.inf)
    effective, df, repetition = found
    effective = steadied(effective, repetition)
    both[:, upper[0], upper[1]] = both[:, upper[1], upper[0]] = effective, df
    return both[0], both[1]


def steadied(effective: Array, repetition: Array) -> Array:
    """Effective items with a design effect of units that is no smaller than the mean of all: few units say
    little of one spread, and the same units much the same of all."""
    return effective * np.minimum(1.0, ratio(repetition, repetition.mean()))


def gap_class_df(x: ItemEffects, mass: float) -> Array:
    """Degrees of freedom of the variances of all differences by the sizes of the real classes,
    (ΣV)²/Σ(V²/n): half of those of a single system, because most items tell two systems not apart and the
    spread rests on the others. Infinite on the diagonal, and where the pairs are too many."""
    systems, classes = x.mean.shape[1], len(x.pseudo.mean)
    if systems**2 * classes > MOST:
        return np.full((systems, systems), np.inf)
    whole, squared = np.zeros((2, systems, systems))
    for j in range(classes):
        at = x.real == j
        u, w = x.mean[at], x.weight[at, None]
        u = u - (w * u).sum(axis=0) / max(float(w.sum()), 1e-300)
        together = (w * u).T @ u
        own = np.diagonal(together) + mass / classes * (x.pseudo.square[j] - x.pseudo.mean[j] ** 2)
        v = np.maximum(own[:, None] + own - 2 * together, 0.0)
        whole += v
        squared += v**2 / w.sum() if at.any() else 0.0
    return np.where(squared > 0, ratio(whole**2, squared), np.inf)


@dataclass(frozen=True)
class _ClassSpreads:
    """By class: how systems vary and vary together, as items weigh and as single answers do."""

    own: Array  # (classes, systems): Σ w·u²
    together: Array  # (classes, systems, systems): Σ w·u·u
    cases_own: Array  # Σ r·u² of own r, (classes, systems)
    cases_other: Array  # Σ r·u² of another's r, (classes, systems, systems)
    cases_together: Array  # Σ r·u·u
    weight: Array  # (classes,): Σ w
    squares: Array  # (classes, systems): Σ r


def _class_spreads(x: ItemEffects) -> _ClassSpreads:
    systems, classes = x.mean.shape[1], len(x.pseudo.mean)
    own, cases_own, squares = np.zeros((3, classes, systems))
    together, cases_other, cases_together = np.zeros((3, classes, systems, systems))
    weight = np.zeros(classes)
    for j in range(classes):
        at = x.real == j
        u, w = x.mean[at], x.weight[at, None]
        u2 = u**2 if x.square is None else x.square[at]
        r = np.broadcast_to(w**2, u.shape) if x.case is None else x.case[at]
        weight[j] = w.sum()
        own[j], squares[j], cases_own[j] = ((w * u2).sum(axis=0), r.sum(axis=0), (r * u2).sum(axis=0))
        together[j], cases_other[j], cases_together[j] = (w * u).T @ u, r.T @ u2, (r * u).T @ u
    return _ClassSpreads(own, together, cases_own, cases_other, cases_together, weight, squares)


def _of_pairs(x: ItemEffects, s: _ClassSpreads, pairs: tuple[Any, Any], mass: float, asked: bool) -> Array:
    """The rule of one block of pairs: effective items, degrees of freedom, design effect of units."""
    a, b = pairs
    n = s.weight[:, None]
    squares = (s.squares[:, a] + s.squares[:, b]) / 2
    plain = s.own[:, a] + s.own[:, b] - 2 * s.together[:, a, b]
    cases = (s.cases_own[:, a] + s.cases_own[:, b] + s.cases_other[:, a, b] + s.cases_other[:, b, a]) / 2
    cases = cases - s.cases_together[:, a, b] - s.cases_together[:, b, a]
    mean, square = x.pseudo.mean, x.pseudo.square
    share = mass / len(mean)
    extra = share * (square[:, a] + square[:, b] - 2 * mean[:, a] * mean[:, b])

    # Kish's scale over the classes that tell the systems apart
    one = ratio(squares, n)
    one = np.where(np.isnan(one), ratio(squares.sum(axis=0), n.sum()), one)
    expected = ratio(plain + extra * one, n + share * one)
    read = (n * expected).sum(axis=0)
    scale = np.where(read > 0, ratio(read, (squares * expected).sum(axis=0)), 1.0)
    one = one * scale
    plain_sum = plain.sum(axis=0) * scale + (extra * one).sum(axis=0)
    cases_sum, pseudo = cases.sum(axis=0) * scale**2, (extra * one**2).sum(axis=0)
    weighting = np.where(read > 0, ratio(cases_sum + pseudo, plain_sum), 1.0)

    found = {"repetition": np.asarray(SINGLE["repetition"]), "df": np.asarray(SINGLE["df"])}
    informative = expected * np.where(n > 0, one, 0.0)
    held, both = n * scale, squares * scale**2
    typical = ratio((both * informative**2).sum(axis=0), (held * informative).sum(axis=0))
    sums = _PairSums(x, (a, b), informative, typical, scale)
    several = (read > 0) & (sums.size > ONE)
    if several.any():
        rule = of_units(sums, cases_sum, pseudo, RHO_ASKED if asked else RHO)
        found = {name: np.where(several, rule[name], SINGLE[name]) for name in found}
    effective = n.sum() * scale / weighting / found["repetition"]
    return np.stack(np.broadcast_arrays(effective, found["df"], found["repetition"]))


class _PairSums:
    """Sums over units for a block of pairs, as `of_units` asks for them."""

    def __init__(
        self, x: ItemEffects, pairs: tuple[Any, Any], informative: Array, typical: Array, scale: Array
    ) -> None:
        w = x.class_weights
        self._typical = typical
        sigma = (w @ informative) * scale
        self._powers = [(sigma**power).sum(axis=0) for power in (1, 2, 3, 4)]
        each = (x.by_unit[:, pairs[0]] - x.by_unit[:, pairs[1]]) * scale
        each -= sigma * ratio(each.sum(axis=0), self._powers[0])
        self.spread = np.nan_to_num((each**2).sum(axis=0))
        self.largest = np.nan_to_num(ratio(sigma.max(axis=0), self._powers[0]))
        self._by_class = informative * scale
        self._class_powers = [(w**power).sum(axis=0)[:, None] for power in (1, 2, 3)]

    @cached_property
    def size(self) -> Array:
        return np.fmax(1.0, ratio(ratio(self._powers[1], self._powers[0]), self._typical))

    def counting(self, rho: Array) -> Array:
        one, two, three, four = self._powers
        lean = ratio(rho, self._typical)
        v = (1 - rho) * one + lean * two
        squared = (1 - rho) ** 2 * two + 2 * (1 - rho) * lean * three + lean**2 * four
        return ratio(v**2, squared)

    def leverage(self, rho: Array) -> Array:
        one, two, three = self._class_powers
        lean = ratio(rho, self._typical)
        s = self._by_class
        spreads = (1 - rho) * s * one + lean * s**2 * two
        shared = np.where(one > 0, ratio((1 - rho) * s * two + lean * s**2 * three, one), 0.0)
        squares = np.where(one > 0, ratio(two, one**2), 0.0)
        return ratio((2 * shared - spreads * squares).sum(axis=0), spreads.sum(axis=0))
