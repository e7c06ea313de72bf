"""A rate put together by verdict: the estimate, limits that cover, and what the judge is worth.

Cases of a batch are sorted by what a judge said of them (strata), and people labelled some of each sort. Rates of
the sorts in their sizes are the rate of the batch, whether labels are a random part of all or of each sort. Limits
are the mid-P limits of each sort, carried over (MOVER). All functions take stacks: strata are the last axis.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from informed._arrays import Array, ratio
from informed.inference.given import standard_normal
from informed.inference.proportions import mid_p

Target = Literal["system", "batch"]
TARGETS = ("system", "batch")


def shares_of(positive: Array, labelled: Array) -> Array:
    """The rate of each sort; where nothing is labelled, that of all labelled cases."""
    pooled = ratio(positive.sum(axis=-1, keepdims=True), labelled.sum(axis=-1, keepdims=True))
    return np.where(labelled > 0, positive / np.fmax(labelled, 1e-300), pooled)


def carried(
    positive: Array, labelled: Array, cases: Array, level: float, target: str = "system", said: Array | None = None
) -> tuple[Array, Array, Array]:
    """The rate of all cases and its limits, from the labelled ones of each sort that are positive.

    `target` is the system that made the cases, or this batch of them. With what the judge says of each sort, `said`, it
    is how far the judge's rate is off.

    >>> carried(np.array([170, 32]), np.array([184, 116]), np.array([1227, 773]), 0.95)[1].round(6)
    np.float64(0.630799)
    """
    w = cases / cases.sum(axis=-1, keepdims=True)
    p = shares_of(positive, labelled)
    of = p if said is None else said - p
    middle = (w * of).sum(axis=-1)

    seen = labelled > 0
    low, high = mid_p(positive, np.where(seen, labelled, 1.0), level)
    below, above = w * np.where(seen, p - low, p), w * np.where(seen, high - p, 1 - p)
    below, above = (below, above) if said is None else (above, below)
    left, between = np.ones(cases.shape), np.zeros(middle.shape)
    if target == "batch":
        left = 1 - labelled / np.fmax(cases, 1)
    else:
        between = standard_normal(level) ** 2 * (w * (of - middle[..., None]) ** 2).sum(axis=-1) / cases.sum(axis=-1)
    reach = [np.sqrt((left * x**2).sum(axis=-1) + between) for x in (below, above)]
    least = 0 if said is None else -1
    return middle, np.clip(middle - reach[0], least, 1), np.clip(middle + reach[1], least, 1)


def worth(positive: Array, labelled: Array, cases: Array, target: str = "system") -> tuple[Array, Array, Array]:
    """The rate with half a case of each kind added to each sort, the share of labels that the judge saves, and how
    many labels without a judge tell as much."""
    total = cases.sum(axis=-1)
    w = cases / total[..., None]
    q = (positive + 0.5) / (labelled + 1)
    rate = (w * q).sum(axis=-1)
    whole = rate * (1 - rate)

    saving = (w * (q - rate[..., None]) ** 2).sum(axis=-1) / whole
    each = w**2 * q * (1 - q) / np.fmax(labelled, 0.5)
    if target == "batch":
        within = (each * (1 - labelled / np.fmax(cases, 1))).sum(axis=-1)
        return rate, saving, 1 / (within / whole + 1 / total)
    return rate, saving, whole / (each.sum(axis=-1) + saving * whole / total)


class Varied(NamedTuple):
    """How an effect of (stratum, kind) varies: its mean and variance in each stratum, the variance between them, and
    the variance of what is put together by strata."""

    mean: Array
    within: Array
    between: float
    whole: float


def varied(q: Array, effect: Array, cases: Array, labelled: Array) -> Varied:
    """Of an estimate that a case of each kind in each stratum has this effect on, given the shares of kinds."""
    total = float(cases.sum())
    w = cases / total
    mean = (q * effect).sum(axis=1)
    within = (q * effect**2).sum(axis=1) - mean**2
    between = float(w @ mean**2 - (w @ mean) ** 2)
    return Varied(mean, within, between, float((w**2 * within / np.fmax(labelled, 0.5)).sum()) + between / total)
