"""Items that two systems were asked several times, perhaps unequally often, as one joint table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.checks import frozen
from informed.evidence.histogram import Codes
from informed.evidence.joint import Joint
from informed.evidence.labels import Labels
from informed.evidence.units import Ints, Units, ranges, sums

ABSENT = -2  # the place of a question that was not asked


def crossed(
    real: Codes,
    answers: tuple[Codes, Codes],
    item: Ints,
    *,
    labels: Labels,
    unit: Ints | None = None,
    weights: Array | None = None,
    unit_name: str = "unit",
    **said: Any,
) -> Joint:
    """Each answer of a with each of b to the same item, which share the weight of the item.

    An item counts the mean weight of its rows. As cases its pairs are worth the harmonic mean of the two
    numbers of answers, which is how many pairs there are where both were asked equally often.
    """
    items = int(item.max()) + 1
    k = len(labels)
    first = np.zeros(items, np.int64)
    first[item[::-1]] = np.arange(len(item))[::-1]
    w = np.ones(items) if weights is None else sums(item, weights, items) / np.maximum(np.bincount(item), 1)

    (own_a, at_a, share_a, times_a), (own_b, at_b, share_b, times_b) = (_shares(x, item, items, k) for x in answers)
    in_b = np.bincount(own_b, minlength=items)
    starts, sizes = (np.cumsum(in_b) - in_b)[own_a], in_b[own_a]
    left, right = np.repeat(np.arange(len(own_a)), sizes), ranges(starts, sizes)
    own = own_a[left]
    weight = share_a[left] * share_b[right] * w[own]
    each = w * (1 / np.maximum(times_a, 1) + 1 / np.maximum(times_b, 1)) / 2

    wide = k + int(max(at_a.max(initial=0), at_b.max(initial=0)) == k)
    cell = (real[first][own] * wide + at_a[left]) * wide + at_b[right]
    shape = (k, wide, wide)

    def counted(values: Array) -> Array:
        return frozen(sums(cell, values, k * wide * wide).reshape(shape))

    several = bool((each != w).any())
    counts = Joint(cells=counted(weight), labels=labels, **said)
    if weights is not None or several:
        counts = replace(counts, squares=counted(weight * each[own]), cases=counted(weight / each[own]))
    units = Units.gathered(
        own if unit is None else unit[first][own],
        cell,
        weight,
        of="item",
        name="item" if unit is None else unit_name,
        asked=several and unit is None,
    )
    return replace(counts, units=units)


def _shares(codes: Codes, item: Ints, items: int, k: int) -> tuple[Ints, Ints, Array, Array]:
    """Distinct answers to each item, in order of the items: item, place (k for none), share of the
    answers; and how many answers each item has."""
    asked = codes != ABSENT
    places = np.where(codes < 0, k, codes)[asked]
    key, counts = np.unique(item[asked] * (k + 1) + places, return_counts=True)
    own, at = np.divmod(key, k + 1)
    times = sums(item[asked], None, items)
    return own, at, counts / times[own], times
