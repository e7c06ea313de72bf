"""The Fisher-arc interval: as far as the data can be from the truth, along the steepest path.

From the table with a little smoothing, walk through the distributions in the direction in which
the measure changes fastest for the least statistical distance, over an arc of z/√N each way; the
values at the two ends are the interval. For one binomial this is the arcsine interval of Anscombe;
in general it is Stein's least favourable family with a stabilised variance. The walk and the
smoothing are simulated against everything else in docs/intervals.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.inference._influence import Functional, group_sums, influence

MASSES = (1.0, 1.5)  # totals of the pseudo-cases; the interval is the hull of both walks
STEPS = 16
_FARTHEST = 30.0  # change of log p in a step, which only a cell at the edge reaches
_SMALLEST = 1e-100  # cell at the edge, from which slopes by differences still have digits
_CHUNK = 1 << 15  # numbers in work at once, so that they stay in the cache


def step(p: Array, slopes: Array, size: Array, at: Array, groups: Any = None) -> Array:
    """From p along the steepest direction at the point `at`, whose slopes it may overwrite."""
    if groups is None:  # `influence` without new arrays: this loop is where the time goes
        weighted = at * slopes
        exponent = np.subtract(slopes, weighted.sum(axis=0), out=slopes)
        np.multiply(at, exponent, out=weighted)
        weighted *= exponent
        v = weighted.sum(axis=0)
    else:
        exponent, v = influence(at, slopes, groups)
    exponent *= size / np.sqrt(np.where(v > 0, v, 1.0))
    np.clip(exponent, -_FARTHEST, _FARTHEST, out=exponent)
    moved: Array = np.exp(exponent, out=exponent)
    moved *= p
    if groups is None:
        moved /= moved.sum(axis=0)
        return moved
    fixed = group_sums(moved, groups)
    return np.where(fixed > 0, moved * group_sums(p, groups) / np.where(fixed > 0, fixed, 1), 0.0)


def path(
    p: Array, f: Functional, n: Array, length: Array, *, steps: int = STEPS, groups: Any = None
) -> Iterator[Array]:
    """Proportions ``(cells, *stack)`` after each step of an arc (downhill if it is negative).

    The midpoint rule in log p, which keeps every cell positive.
    """
    size = length / steps
    for _ in range(steps):
        middle = step(p, f.gradient(p, n), size / 2, p, groups)
        p = step(p, f.gradient(middle, n), size, middle, groups)
        if not f.exact:
            p = np.where(p > 0, np.maximum(p, _SMALLEST), 0.0)
        yield p


def walk(
    p: Array, f: Functional, n: Array, length: Array, *, steps: int = STEPS, groups: Any = None
) -> Array:
    """Proportions at the end of an arc of this length."""
    return deque(path(p, f, n, length, steps=steps, groups=groups), maxlen=1).pop()


def hull(
    counts: Array,
    f: Functional,
    *,
    pattern: Array,
    z: float | Array,
    n: Array | None = None,
    masses: Sequence[float] = MASSES,
    steps: int = STEPS,
    groups: Any = None,
) -> tuple[Array, Array]:
    """Lower and upper ends of the arcs, the widest over the smoothing totals.

    Parameters
    ----------
    counts
        Effective counts, ``(cells, *stack)``.
    pattern
        Where pseudo-cases go, one share a cell; they add up to 1.
    z
        Standard normal quantile of the level, or one for each table.
    n
        Number of cases that the measure itself is told, where it is not that of the counts.
    groups
        The group of each cell whose size is fixed by design.
    """
    stack = counts.shape[1:]
    flat = counts.reshape(len(counts), -1)
    told = flat.sum(axis=0) if n is None else np.broadcast_to(n, stack).ravel()
    each = np.broadcast_to(z, stack).ravel()
    low, high = np.empty(flat.shape[1]), np.empty(flat.shape[1])
    cells = len(counts)
    ways = 2 * len(masses)
    chunk = max(1, _CHUNK // (cells * ways * (1 if f.exact else 2 * cells)))
    for start in range(0, flat.shape[1], chunk):
        part = slice(start, start + chunk)
        low[part], high[part] = _ends(
            flat[:, part], f, told[part], pattern, each[part], masses, steps, groups
        )
    return low.reshape(stack), high.reshape(stack)


def _ends(
    counts: Array,
    f: Functional,
    told: Array,
    pattern: Array,
    z: Array,
    masses: Sequence[float],
    steps: int,
    groups: Any,
) -> tuple[Array, Array]:
    """All walks of a chunk at once: (cells, direction, mass, table)."""
    total = counts.sum(axis=0)
    mass = np.asarray(masses)[:, None]
    w = pattern[:, None, None]
    p = (counts[:, None] + w * mass) / (total + mass)
    direction = np.array([-1.0, 1.0])[:, None, None]
    length = direction * (z / np.sqrt(np.where(total > 0, total, 1.0)))
    both = np.broadcast_to(p[:, None], (len(p), 2, *p.shape[1:]))
    length = np.broadcast_to(length, both.shape[1:])
    told = np.broadcast_to(told, both.shape[1:])
    if f.exact:
        low, high = f.value(walk(both, f, told, length, steps=steps, groups=groups), told)
    else:  # an entropy has a summit and an association a valley: no end is beyond them
        low = high = f.value(p, told[0])
        for at in path(both, f, told, length, steps=steps, groups=groups):
            down, up = f.value(at, told)
            low, high = np.fmin(low, down), np.fmax(high, up)
    return np.fmin.reduce(low, axis=0), np.fmax.reduce(high, axis=0)
