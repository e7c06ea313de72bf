"""The Fisher-arc interval: as far as the data can be from the truth, along the steepest path.

From the table with a little smoothing, walk through the distributions in the direction in which
the measure changes fastest for the least statistical distance, over an arc of z/√N each way; the
values at the two ends are the interval. For one binomial this is the arcsine interval of Anscombe;
in general it is Stein's least favourable family with a stabilised variance. Kinds of cases that
were never seen are smoothed only where that takes an end further out: without this, truths in
which they do not occur were held as seldom as .73 of the time. The walk and the smoothing are
measured against everything else in docs/intervals.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.inference.influence import Functional, group_sums, influence, over_cells

Flags = NDArray[np.bool_]

MASSES = (1.0, 1.5)  # totals of the pseudo-cases; the interval is the hull of both walks
STEPS = 16
_FARTHEST = 30.0  # change of log p in a step, which only a cell at the edge reaches
_SMALLEST = 1e-100  # cell at the edge, from which slopes by differences still have digits
_NO_PULL = 1e-6  # of a standard deviation: the measure does not read the cell
_NO_GAIN = 1e-9  # of the measure in a step, other than by rounding
_FAR = np.pi / 2  # of an arc that may go beyond a summit; no two distributions are more than twice as far apart
WHOLE = 2 * _FAR  # length of an arc that reaches every distribution
_CHUNK = 1 << 15  # numbers in work at once, so that they stay in the cache


def step(p: Array, slopes: Array, size: Array, at: Array, groups: Any = None) -> Array:
    """From p along the steepest direction at the point `at`, whose slopes it may overwrite."""
    if groups is None:  # `influence` without new arrays: this loop is where the time goes
        weighted = at * slopes
        exponent = np.subtract(slopes, over_cells(weighted), out=slopes)
        np.multiply(at, exponent, out=weighted)
        weighted *= exponent
        v = over_cells(weighted)
    else:
        exponent, v = influence(at, slopes, groups)
    exponent *= size / np.sqrt(np.where(v > 0, v, 1.0))
    np.maximum(exponent, -_FARTHEST, out=exponent)  # `np.clip` costs more than both
    np.minimum(exponent, _FARTHEST, out=exponent)
    moved: Array = np.exp(exponent, out=exponent)
    moved *= p
    if groups is None:
        moved /= over_cells(moved)
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


def walk(p: Array, f: Functional, n: Array, length: Array, *, steps: int = STEPS, groups: Any = None) -> Array:
    """Proportions at the end of an arc of this length."""
    return deque(path(p, f, n, length, steps=steps, groups=groups), maxlen=1).pop()


def room(cells: int, exact: bool, masses: int = len(MASSES)) -> int:
    """Tables of so many cells that are in work at once."""
    return max(1, _CHUNK // (cells * 2 * masses * (1 if exact else 2 * cells)))


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
    unseen: Flags | None = None,
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
    unseen
        Where nothing was seen that the smoothing should hold an end back for, shape of `counts`:
        pseudo-cases of those cells go only where they take an end further out.
    """
    stack = counts.shape[1:]
    flat = counts.reshape(len(counts), -1)
    told = flat.sum(axis=0) if n is None else np.broadcast_to(n, stack).ravel()
    each = np.broadcast_to(z, stack).ravel()
    low, high = np.empty(flat.shape[1]), np.empty(flat.shape[1])
    chunk = room(len(counts), f.exact, len(masses))
    for start in range(0, flat.shape[1], chunk):
        part = slice(start, start + chunk)
        blank = None if unseen is None else unseen.reshape(flat.shape)[:, part]
        with np.errstate(divide="ignore", invalid="ignore"):  # a walk may end in a corner, where a margin is all
            ends = _ends(flat[:, part], f, told[part], pattern, each[part], masses, steps, groups, blank)
        low[part], high[part] = ends
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
    unseen: Flags | None,
) -> tuple[Array, Array]:
    """All walks of a chunk at once: (cells, direction, mass, table)."""
    total = counts.sum(axis=0)
    mass = np.asarray(masses)[:, None]

    direction = np.array([-1.0, 1.0])[:, None, None]
    asked = z / np.sqrt(np.where(total > 0, total, 1.0))
    reach = np.minimum(asked, WHOLE)
    length = direction * reach

    w = pattern[:, None, None]
    p = (counts[:, None] + w * mass) / (total + mass)
    start = smoothed = np.broadcast_to(p[:, None], (len(p), 2, *p.shape[1:]))
    told = np.broadcast_to(told, start.shape[1:])
    length = np.broadcast_to(length, start.shape[1:])
    if unseen is not None and unseen.any():
        u, v = influence(p, f.gradient(p, told[0]), groups)
        pull = direction * u[:, None] / np.sqrt(np.where(v > 0, v, 1.0))
        start = counts[:, None, None] + mass * _outward(w[:, None], unseen[:, None, None], pull)
        start /= start.sum(axis=0)

    walked: Iterable[Array] = path(start, f, told, length, steps=steps, groups=groups)
    far = np.broadcast_to(reach > _FAR, length.shape[1:])
    if not f.exact:  # an entropy has a summit and an association a valley: no end is beyond them
        low, high = _extremes(start, walked, f, told)
    else:
        walked = list(walked) if far.any() else walked
        last = deque(walked, maxlen=3)
        end = last[-1]
        if start is not smoothed:
            end = _to_summit(last, f, told, length / steps, groups)
        low, high = f.value(end, told)
        if far.any():
            low, high = (np.where(far, *x) for x in zip(_extremes(start, walked, f, told), (low, high), strict=True))
    everything = asked >= WHOLE  # every distribution is that near: no value is contradicted
    low, high = np.fmin.reduce(low, axis=0), np.fmax.reduce(high, axis=0)
    return np.where(everything, -np.inf, low), np.where(everything, np.inf, high)


def _extremes(start: Array, walked: Iterable[Array], f: Functional, told: Array) -> tuple[Array, Array]:
    """The least value on the ways down, and the largest on the ways up."""
    low, high = f.value(start, told)
    for at in walked:
        down, up = f.value(at, told)
        low, high = np.fmin(low, down), np.fmax(high, up)
    return low, high


def _outward(w: Array, unseen: Flags, pull: Array) -> Array:
    """The pattern, with the shares of unseen cells only in those that take the end further out.

    Nothing speaks against an unseen kind of case being impossible, so that pseudo-cases of it must
    not hold an end back. `pull` is how much they take it further.
    """
    held, free = unseen & (pull < -_NO_PULL), unseen & (pull > _NO_PULL)
    spare, room = np.where(held, w, 0.0).sum(axis=0), np.where(free, w, 0.0).sum(axis=0)
    more = 1 + spare / np.where(room > 0, room, 1.0)
    return np.where(held, 0.0, np.where(free, w * more, w))


def _to_summit(last: Iterable[Array], f: Functional, told: Array, size: Array, groups: Any) -> Array:
    """The ends of walks by their last points; on the summit where they step to and fro over it.

    A walk that leaves unseen cells at 0 can come to one: kappa is −1 halfway between the errors.
    """
    *_, end = last
    gains = np.sign(size) * np.diff([f.value(p, told) for p in last], axis=0)
    over = (gains < -_NO_GAIN).any(axis=0)
    if over.any():
        for halving in range(12):
            shorter = np.where(over, size, 0.0) / 2**halving
            end = step(end, f.gradient(end, told), shorter, end, groups)
    return end
