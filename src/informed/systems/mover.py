"""MOVER: the variance of a difference recovered from the limits of its two parts.

Zou and Donner's method (2008) on the Fisher-arc intervals of the two tables; with a correlation for
the same items, without for different ones. Ratios are compared by their logarithms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.evidence.table import Table
from informed.inference.delta import arcs
from informed.inference.influence import influence, with_four
from informed.inference.sample import Sample
from informed.inference.two_proportions import mover_ratio, recovered
from informed.measures import find
from informed.systems.paired_arc import SIXTHS, PairedContrast

MIDDLE_AT = 0.95  # the level at which pseudo-cases are weighed against units in a middle, whatever the limits have


def single_limits(of: Any, t: Table, z: Array) -> Limits:
    """Limits of the measure of a contrast in a table, z standard errors away, on its scale: those of
    `interval` at that level, of a ratio of two proportions its own and else the Fisher arc."""
    from scipy.special import ndtr

    m, scale = of.m, of.scale
    s = Sample(m, t, 1 - 2 * ndtr(-z), of.fixed)
    if scale.kind == "ratio" and m.facts.quotient is not None:
        low, high = mover_ratio(s)
    else:
        ((low, high),) = arcs([s], z)
    return scale.into(np.clip(low, *m.facts.bounds)), scale.into(np.clip(high, *m.facts.bounds))


def combined(s: Any, of_a: Limits, of_b: Limits, rho: Array | float = 0.0) -> Limits:
    """Limits of what is estimated of two systems, from those of each on their scale.

    A value that is infinite there is taken after four pseudo-cases, and no limits leave their value out.
    """
    if s.scale.kind == "difference":
        return recovered(s.values, of_a, of_b, rho)

    def middle(value: Array, t: Table) -> Array:
        seen: Array = s.scale.into(value)
        smoothed = s.scale.into(Sample(s.m, t, MIDDLE_AT, s.fixed).plus_four[0])
        return np.where(np.isfinite(seen), seen, smoothed)

    a, b = (middle(value, t) for value, t in zip(s.values, s.tables, strict=True))
    around_a, around_b = (
        (np.fmin(low, x), np.fmax(high, x)) for (low, high), x in zip((of_a, of_b), (a, b), strict=True)
    )
    return recovered((a, b), around_a, around_b, rho)


def paired_limits(s: PairedContrast, z: Array) -> Limits:
    """MOVER limits for two systems on the same items."""
    plain: dict[str, Any] = dict.fromkeys(("squares", "cases", "units"))  # the counts are what all these leave
    joint = replace(s.joint, cells=s.counts.reshape(s.joint.cells.shape), **plain)
    of_a, of_b = (single_limits(s, t, z) for t in (joint.a, joint.b))
    return combined(s, of_a, of_b, correlation(s))


def correlation(s: PairedContrast) -> Array:
    """Correlation of the two estimates, from the slopes after four pseudo-cases."""
    if s.m.facts.near is not None:  # it has no slopes at 0 where there are more than two classes
        s = replace(s, m=find(s.m.facts.near))
    p = with_four(s.counts, s.pattern(SIXTHS))
    real, on_a, on_b = s.joint.cells.shape[:3]
    cells = p.reshape(real, on_a, on_b, *p.shape[1:])

    def slopes(axis: int) -> Array:
        margin = cells.sum(axis=axis).swapaxes(0, 1)
        of = s.single.gradient(margin.reshape(-1, *p.shape[1:]), s.n).reshape(margin.shape)
        wide = np.expand_dims(of.swapaxes(0, 1), axis)
        u, _ = influence(p, np.broadcast_to(wide, cells.shape).reshape(p.shape), s.groups)
        return u

    a, b = slopes(2), slopes(1)
    rho = ratio((p * a * b).sum(axis=0), np.sqrt((p * a * a).sum(axis=0) * (p * b * b).sum(axis=0)))
    return np.clip(np.where(np.isnan(rho), 0.0, rho), -1, 1)
