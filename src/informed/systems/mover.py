"""MOVER: the variance of a difference recovered from the limits of its two parts.

Zou and Donner's method (2008) on the Fisher-arc intervals of the two tables; with a correlation for
the same items, without for different ones.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.evidence.table import Table
from informed.inference.delta import arcs
from informed.inference.influence import influence, with_four
from informed.inference.sample import Sample
from informed.inference.two_proportions import recovered
from informed.measures import Measure, find
from informed.systems.paired_arc import SIXTHS, PairedContrast


def single_arc(m: Measure, t: Table, z: Array, fixed: bool = False) -> Limits:
    """Fisher-arc limits of a measure of each table, z standard errors away."""
    ((low, high),) = arcs([Sample(m, t, 0.95, fixed)], z)
    return np.clip(low, *m.facts.bounds), np.clip(high, *m.facts.bounds)


def paired_limits(s: PairedContrast, z: Array) -> Limits:
    """MOVER limits for two systems on the same items."""
    joint = replace(s.joint, cells=s.counts.reshape(s.joint.cells.shape), squares=None)
    of_a, of_b = (single_arc(s.m, t, z, s.fixed) for t in (joint.a, joint.b))
    return recovered(s.values, of_a, of_b, correlation(s))


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
