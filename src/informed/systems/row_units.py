"""Rows that belong together: what each weighs, and how much farther limits reach because of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.columns import first_rows
from informed.evidence.label_policy import Mask
from informed.evidence.unit_counting import alike, check_items, shares
from informed.evidence.units import Ints, sums
from informed.inference.given import shrink

BY_CHANCE = 0.001  # below this, that kinds of rows have the same share of labels is not believed


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Which unit each row is of, numbered without gaps, and what it weighs: answers to one item weigh one together."""

    unit: Ints
    weight: Array

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1


def grouped(unit: Ints | None, item: Ints | None, *kinds: Any) -> tuple[Ints, RowGroups | None]:
    """The rows that count, and how they belong together; of items whose answers are all of the same kinds, the first
    answer is the item.

    >>> said = np.array([1, 1, 0, 0])
    >>> grouped(None, np.array([0, 0, 1, 1]), said)
    (array([0, 2]), None)
    >>> grouped(None, np.array([0, 1, 0, 1]), said)[1].weight.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    kept = np.arange(len(kinds[0]))
    if item is None:
        return kept, _of_rows(unit)

    check_items({"item": item} | ({} if unit is None else {"unit": unit}), item)
    if alike(item, *kinds):
        _, item = np.unique(item, return_inverse=True)
        kept = np.sort(first_rows(item, int(item.max(initial=-1)) + 1))
        return kept, _of_rows(None if unit is None else _numbered(unit[kept]))
    return kept, RowGroups(_numbered(item if unit is None else unit), shares(np.ones(len(item)), item)[0])


def of_several_rows(unit: Ints | None) -> Ints | None:
    """The units of rows, or None where each row is a unit of its own, so that nothing belongs together."""
    return None if unit is None or len(np.unique(unit)) == len(unit) else unit


def _of_rows(unit: Ints | None) -> RowGroups | None:
    return None if of_several_rows(unit) is None else RowGroups(np.asarray(unit), np.ones(len(np.asarray(unit))))


def _numbered(x: Ints) -> Ints:
    return np.asarray(np.unique(x, return_inverse=True)[1], np.int64)


def labelled_alike(kinds: Ints, known: Mask, weight: Array | None = None) -> bool:
    """Whether rows of each kind may have been labelled with the same chance."""
    several = int(kinds.max(initial=-1)) + 1
    cases, n = sums(kinds, weight, several), sums(kinds[known], None if weight is None else weight[known], several)
    return same_shares(n, cases) >= BY_CHANCE


def same_shares(labelled: Array, cases: Array) -> float:
    """The p-value of kinds of cases that have the same share of labels, by a χ² test."""
    from scipy.special import chdtrc

    n, all_ = labelled[cases > 0], cases[cases > 0]
    share = float(n.sum() / all_.sum()) if len(n) else 0.0
    if len(n) < 2 or share in (0.0, 1.0):
        return 1.0
    return float(chdtrc(len(n) - 1, ((n - all_ * share) ** 2 / (all_ * share * (1 - share))).sum()))


def row_effects(value: Any, mean: Array, stratum: Ints, known: Mask, cases: Array, labelled: Array) -> Array:
    """What each row adds to a mean that is put together by strata: the mean of its stratum, and where it is known how
    far its value is from that, for all cases that it stands for.

    >>> at, known = np.array([0, 0, 1]), np.array([True, False, True])
    >>> row_effects(np.array([1, 0, 0]), np.array([0.5, 0.25]), at, known, np.array([2, 1]), np.array([1, 1]))
    array([1.5, 0.5, 0. ])
    """
    own, share = mean[stratum], (cases / np.where(labelled > 0, labelled, 1.0))[stratum]
    return np.asarray(own + np.where(known, share * (value - own), 0.0))


def stretched(phi: Array, unit: Ints, known: Mask, level: float, weight: Array | None = None) -> float:
    """How much farther limits reach because rows belong to units, of the effects of single rows."""
    root, df = design_effect(phi, unit, known, weight)
    return float(root / np.sqrt(shrink(df, level)))


def design_effect(phi: Array, unit: Ints, known: Mask, weight: Array | None = None) -> tuple[float, float]:
    """The root of G/(G−1)·Σ(Σwe)²/Σwe² of the effects of rows in G units, at least what rows on their own have, and the
    degrees of freedom of the spread, one less than units with a known row."""
    w = np.ones(len(phi)) if weight is None else weight
    e = phi - float(w @ phi) / float(w.sum())
    several, square = int(unit.max()) + 1, float(w @ e**2)
    labelled = len(np.unique(unit[known]))
    if labelled < 2:
        raise InferenceError("The labelled rows are all of one unit; the spread between units takes two at least.")
    between = float((sums(unit, w * e, several) ** 2).sum())
    least = float(w @ w / w.sum())
    effect = max(least, several / (several - 1) * between / square) if square > 0 else 1.0
    return float(np.sqrt(effect)), float(labelled - 1)
