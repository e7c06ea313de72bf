"""MOVER: the variance of a difference recovered from the limits of its two parts.

Zou and Donner's method (2008) on the Fisher-arc intervals of the two tables; with a correlation for
the same items, without for different ones.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._arrays import Array, ratio, signed_root
from informed.evidence.table import Table
from informed.inference.arc import hull
from informed.inference.delta import around, error_free
from informed.inference.influence import influence
from informed.inference.sample import Sample
from informed.measures import Measure, find
from informed.systems.paired_arc import SIXTHS, Pairs

Limits = tuple[Array, Array]


def single_arc(m: Measure, t: Table, z: Array, fixed: bool = False) -> Limits:
    """Fisher-arc limits of a measure of each table, z standard errors away.

    √(BM) of more than two classes has no slope at 0: its limits come from those of its factors.
    """
    s = Sample(m, t, 0.95, fixed)
    if m.name == "correlation" and len(t.real_labels) > 2:
        b, c = (single_arc(find(name), t, z, fixed) for name in ("informedness", "markedness"))
        low, high = (
            np.asarray(signed_root(np.sign(x + y) * np.maximum(x * y, 0)))
            for x, y in zip(b, c, strict=True)
        )
    else:
        low, high = hull(
            s.counts,
            s.f,
            pattern=s.pattern,
            z=z,
            n=np.maximum(s.n, 1),
            groups=s.groups,
            unseen=s.unseen,
        )
    low, high = error_free(s, *around(s, low, high))
    bottom, top = m.facts.bounds
    return np.clip(low, bottom, top), np.clip(high, bottom, top)


def combined(values: Limits, of_a: Limits, of_b: Limits, rho: Array | float = 0.0) -> Limits:
    """Limits of a − b from those of a and of b, whose estimates have the correlation rho."""
    a, b = values
    below = a - of_a[0], of_b[1] - b
    above = of_a[1] - a, b - of_b[0]
    reach = [np.sqrt(np.maximum(x**2 + y**2 - 2 * rho * x * y, 0.0)) for x, y in (below, above)]
    return a - b - reach[0], a - b + reach[1]


def paired_limits(s: Pairs, z: Array) -> Limits:
    """MOVER limits for two systems on the same items."""
    joint = replace(s.joint, cells=s.counts.reshape(s.joint.cells.shape), squares=None)
    of_a, of_b = (single_arc(s.m, t, z, s.fixed) for t in (joint.a, joint.b))
    return combined(s.values, of_a, of_b, correlation(s))


def correlation(s: Pairs) -> Array:
    """Correlation of the two estimates, from the slopes after four pseudo-cases."""
    if s.m.name == "correlation" and len(s.joint.labels) > 2:  # no slopes at 0; near enough
        s = replace(s, m=find("matthews"))
    p, _ = s.smoothed(4.0, SIXTHS)
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
