"""Items that two systems were asked several times, perhaps unequally often, as one joint table."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.checks import frozen
from informed.evidence.columns import first_rows
from informed.evidence.histogram import Codes
from informed.evidence.unit_counting import agreement
from informed.evidence.units import Ints, Units, ranges, sums

ABSENT = -2  # the place of a question that was not asked


def crossed(
    real: Codes,
    answers: tuple[Codes, Codes],
    item: Ints,
    k: int,
    *,
    unit: Ints | None = None,
    weights: Array | None = None,
    unit_name: str = "unit",
) -> dict[str, Any]:
    """The fields of a joint of k classes: each answer of a with each of b to the same item, which share its weight.

    As cases its pairs are worth the harmonic mean of the two numbers of answers, which is how many pairs there are
    where both were asked equally often; a system of whose answers to an item no two differ is as asked once.
    """
    items = int(item.max()) + 1
    first = np.minimum(first_rows(item, items), len(item) - 1)  # an item without a row has no answers either
    w = np.ones(items) if weights is None else weights[first]

    (own_a, at_a, share_a, each_a), (own_b, at_b, share_b, each_b) = (_shares(x, item, items, k) for x in answers)
    in_b = np.bincount(own_b, minlength=items)
    starts, sizes = (np.cumsum(in_b) - in_b)[own_a], in_b[own_a]
    left, right = np.repeat(np.arange(len(own_a)), sizes), ranges(starts, sizes)
    own = own_a[left]
    share = share_a[left] * share_b[right]
    weight = share * w[own]
    each, case = (each_a + each_b) / 2

    wide = k + int(max(at_a.max(initial=0), at_b.max(initial=0)) == k)
    cell = (real[first][own] * wide + at_a[left]) * wide + at_b[right]
    shape = (k, wide, wide)

    def counted(values: Array) -> Array:
        return frozen(sums(cell, values, k * wide * wide).reshape(shape))

    several = bool((each != 1).any())
    differ = several and len(own) > len(np.unique(own))
    times = share / each[own]
    found: dict[str, Any] = {"cells": counted(weight)}
    if weights is not None or several:
        found["cases"] = counted(times * (weight > 0))
    if weights is not None or differ:
        alike: Any = case[own] if differ else 1.0
        if differ and unit is not None:
            pairs = Units.gathered(own, (at_a[left] * wide + at_b[right]) * k + real[first][own], share)
            alike = agreement(pairs, k, np.asarray([(share / case[own]).sum()]))
        found["squares"] = counted(weight * w[own] * alike)
    found["units"] = Units.gathered(
        own if unit is None else unit[first][own],
        cell,
        weight,
        of="item",
        name="item" if unit is None else unit_name,
        asked=differ and unit is None,
        times=times if several and unit is None else None,
    )
    return found


def _shares(codes: Codes, item: Ints, items: int, k: int) -> tuple[Ints, Ints, Array, Array]:
    """Distinct answers to each item, in order of the items: item, place (k for none), share of the answers; and
    ``(2, items)`` what share of its item an answer is, and is as a case: all where no two answers to an item differ."""
    asked = codes != ABSENT
    places = np.where(codes < 0, k, codes)[asked]
    key, counts = np.unique(item[asked] * (k + 1) + places, return_counts=True)
    own, at = np.divmod(key, k + 1)
    times = sums(item[asked], None, items)
    each = 1 / np.maximum(times, 1)
    differ = len(own) > len(np.unique(own))
    return own, at, counts / times[own], np.stack([each, each if differ else np.ones(items)])
