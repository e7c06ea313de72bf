"""Random-effects meta-analysis of groups: what to expect of a new group, from groups that are a sample of such.

The variance τ² between groups is Paule and Mandel's (1982), the interval of the mean Hartung and Knapp's (2001) and
Sidik and Jonkman's (2002) with Student's quantile, never shorter than that of equal groups (Knapp and Hartung 2003);
the prediction interval of one new group adds τ² (Higgins, Thompson and Spiegelhalter 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, Floats, plain, ratio
from informed.inference.given import students
from informed.inference.roots import root

FEWEST = 3  # groups that say how others may vary; from two the quantile is 12.7 at 95%


@dataclass(frozen=True)
class NewGroup:
    """The mean over groups like these, with its confidence interval, and where one new group may lie."""

    estimate: Floats
    low: Floats
    high: Floats
    predicted_low: Floats
    predicted_high: Floats
    tau: Floats  # standard deviation between groups


def new_group(
    x: Array, variance: Array, known: Any, level: float, bounds: Any, *, alike: Array | None = None
) -> NewGroup:
    """Groups along the last axis, of which some may be undefined; undefined itself for fewer than three, and
    what one new group has for fewer than four.

    `alike` are variances that do not depend on the values of the groups: weights that do would pull the mean to
    groups whose value happens to have a small variance.
    """
    x, v = np.where(known, x, 0.0), np.where(known, variance, 1.0)
    groups = known.sum(axis=-1)
    df = np.maximum(groups - 1.0, 1.0)
    tau2 = between_groups(x, v, known)
    v = v if alike is None else np.where(known, alike, 1.0)
    w = np.where(known, ratio(1.0, v + tau2[..., None]), 0.0)
    total = w.sum(axis=-1)
    mean = ratio((w * x).sum(axis=-1), total)
    spread = (w * (x - mean[..., None]) ** 2).sum(axis=-1) / df
    error = np.sqrt(np.fmax(spread, 1.0) * ratio(1.0, total))
    reach = students(df, level)
    enough = groups >= FEWEST
    arms = reach * error, students(np.maximum(groups - 2.0, 1.0), level) * np.sqrt(error**2 + tau2)
    several = [mean + side * arm for arm in arms for side in (-1, 1)]
    told = (enough, enough, groups > FEWEST, groups > FEWEST)
    low, high, predicted_low, predicted_high = (
        plain(np.where(usable, np.clip(end, *bounds), np.nan)) for usable, end in zip(told, several, strict=True)
    )
    middle, tau = (plain(np.where(enough, x, np.nan)) for x in (mean, np.sqrt(tau2)))
    return NewGroup(middle, low, high, predicted_low, predicted_high, tau)


def between_groups(x: Array, v: Array, known: Any) -> Array:
    """Paule and Mandel's variance between groups: at it, the generalised Q is its degrees of freedom; 0 at least."""
    df = np.maximum(known.sum(axis=-1) - 1.0, 0.0)

    def beyond(tau2: Array) -> Array:
        w = np.where(known, ratio(1.0, v + np.asarray(tau2)[..., None]), 0.0)
        mean = ratio((w * x).sum(axis=-1), w.sum(axis=-1))
        return np.asarray((w * (x - mean[..., None]) ** 2).sum(axis=-1) - df)

    least = np.zeros(x.shape[:-1])
    far = np.where(known, x, -np.inf).max(axis=-1) - np.where(known, x, np.inf).min(axis=-1)
    most = np.where(known.any(axis=-1), far, 0.0) ** 2 * np.maximum(known.sum(axis=-1), 1)
    lower = np.where(known, np.fmax(v, 0.0), np.inf).min(axis=-1, initial=np.inf)
    start = np.where(lower > 0, least, 1e-12 * np.maximum(most, 1e-300))
    positive = (beyond(start) > 0) & (df > 0)
    return np.where(positive, root(beyond, start, np.maximum(most, start)), 0.0)
