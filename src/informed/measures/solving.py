"""A table of two classes from three of its measures.

A two-class table has three freedoms: prevalence, recall and fallout, each between 0 and 1. Three
independent measures are three equations for them. All are solved in one way: damped Newton steps
(Levenberg and Marquardt) inside that cube from a grid of starts, which are one stack of tables, so
that residuals and derivatives of all starts are one call of each measure. scipy's `root` and
`least_squares` take one start at a time and would need a Python loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._wording import listed
from informed.errors import TableError
from informed.evidence.calls import explained
from informed.evidence.checks import UNLABELLED
from informed.evidence.table import Table
from informed.measures import Measure, find

__all__ = ["solve"]

_STARTS = (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
_EDGE = 1e-15  # starts stay this far inside the cube; what ends so near an edge is put on it
_STEPS = 80
_FITS = 1e-10  # largest misfit of a solution; Newton's steps end near 1e-15 unless it is double
_APART = 1e-5  # two solutions differ by more than this in the root of some cell
_FEW = 12  # more than this may be a continuum, if the measures are dependent where they fit
_MANY = 64  # more than this certainly is one


@explained
def solve(*, n: float = 1, **three: float) -> Table:
    """The two-class table that has these three measures, of `n` cases in all.

    Three measures that are independent leave one table, or a few.

    Parameters
    ----------
    n
        Number of cases: the counts of the table add up to it.
    **three
        Three measures by any of their names, with their values. One with parameters is given as
        ``**{"f_beta(beta=2)": 0.6}``.

    Returns
    -------
    Table
        With the classes "+" (positive) and "−", marked as `derived`: it was computed, not
        observed. Where several tables have these measures it is the stack of all of them, named
        "solution 1", "solution 2" (and seldom more), the one with most true positives first.

    Raises
    ------
    TableError
        Where the measures are dependent, so that many tables have them, or no table has them.

    >>> solve(recall=0.8, fallout=0.3, prevalence=0.2, n=100).counts.tolist()
    [[16.0, 24.0], [4.0, 56.0]]
    >>> solve(f1=0.6, accuracy=0.8, prevalence=0.2).counts.round(3).tolist()
    [[0.15, 0.15], [0.05, 0.65]]
    """
    measures, wanted = _asked(three)
    if not (np.ndim(n) == 0 and np.isfinite(n) and n > 0):
        raise TableError(f"`n` is {n!r}; it must be one positive number of cases.")
    _refuse_dependent(measures, n)
    goal = _bent(measures, wanted[:, None])
    points, misfit = _settled(measures, goal, *_descended(measures, goal, n), n)
    fits = misfit <= _FITS
    if not fits.any():
        raise TableError(_nearest(measures, wanted, points[:, [int(np.argmin(misfit))]], n))
    points, misfit = points[:, fits], misfit[fits]
    kept = _distinct(points, misfit)
    if len(kept) > _FEW:
        reason = _dependent(measures, np.nan_to_num(_slopes(measures, points[:, kept], n)[1]))
        if reason or len(kept) > _MANY:
            raise TableError(_continuum(measures, wanted, points[:, kept], reason, n))
    table = _table(points[:, kept], n)
    order = np.lexsort(-table.cells.reshape(4, -1)[::-1].round(9))  # most true positives first
    table = replace(table, derived="solved from " + _said(measures, wanted))
    if len(kept) == 1:
        return table[0]
    names = tuple(f"solution {i + 1}" for i in range(len(kept)))
    return replace(table[order], axes=(names,))


# ---------------------------------------------------------------------- what was asked


def _asked(three: dict[str, Any]) -> tuple[list[Measure], Array]:
    if len(three) != 3:
        seen = ", ".join(three) or "none"
        raise TableError(f"A two-class table is determined by three measures; {len(three)} were given ({seen}).")
    measures = [find(name) for name in three]
    for name, (m, value) in zip(three, zip(measures, three.values(), strict=True), strict=True):
        low, high = m.facts.bounds
        if isinstance(value, (str, bytes)) or np.ndim(value) != 0 or not low <= value <= high:
            raise TableError(f"`{name}` is {value!r}; it must be one number in [{low:g}, {high:g}].")
        if "whole counts" in m.facts.needs:
            raise TableError(f"{m} is only defined for whole counts, so it cannot be solved for.")
    for a, b in combinations(range(3), 2):
        if str(measures[a]) == str(measures[b]):
            raise TableError(
                f"{list(three)[a]} and {list(three)[b]} are two names of {measures[a]}: three "
                "different measures are needed."
            )
    return measures, np.array([float(x) for x in three.values()])


def _said(measures: Sequence[Measure], values: Array) -> str:
    return ", ".join(f"{m}={v:.6g}" for m, v in zip(measures, values, strict=True))


# ---------------------------------------------------------------------- points and equations


def _table(points: Array, n: float) -> Table:
    """Tables of points (prevalence, recall, fallout), each row an array over the stack."""
    prevalence, recall, fallout = points
    cells = n * np.array(
        [
            [prevalence * recall, (1 - prevalence) * fallout],
            [prevalence * (1 - recall), (1 - prevalence) * (1 - fallout)],
        ]
    )
    whole = np.round(cells)
    near = (np.abs(cells - whole) <= 1e-10 * n).all(axis=(0, 1))
    cells = np.where(near, whole, cells)
    cells.flags.writeable = False
    return Table(cells, UNLABELLED, UNLABELLED, positive=UNLABELLED[0], axes=(None,))


def _bent(measures: Sequence[Measure], values: Array) -> Array:
    """Values on a bounded scale: x becomes x/(1+x) where it has no upper bound."""
    unbounded = np.array([np.isinf(m.facts.bounds[1]) for m in measures])[:, None]
    size = np.where(unbounded & np.isfinite(values), values, 0.0)
    bent = np.where(np.isposinf(values), 1.0, size / (1 + size))
    return np.where(unbounded, bent, values)


def _values(measures: Sequence[Measure], points: Array, n: float) -> Array:
    t = _table(points, n)
    with np.errstate(all="ignore"):  # some starts lie where a measure is undefined
        values = np.array([np.broadcast_to(m(t), t.shape) for m in measures])
    return np.where(np.isnan(values), np.nan, _bent(measures, values))


def _slopes(measures: Sequence[Measure], points: Array, n: float) -> tuple[Array, Array]:
    """Values and derivatives by central differences: (measure, point), (point, measure, 3)."""
    room = np.minimum(points, 1 - points)
    step = np.clip(1e-3 * room, 1e-9, 1e-6)
    below, above = np.maximum(points - step, _EDGE), np.minimum(points + step, 1 - _EDGE)
    moved = [points]
    for axis in range(3):
        for end in (below, above):
            one = points.copy()
            one[axis] = end[axis]
            moved.append(one)
    values = _values(measures, np.concatenate(moved, axis=1), n).reshape(len(measures), 7, -1)
    rises = (values[:, 2::2] - values[:, 1::2]) / (above - below)
    return values[:, 0], np.moveaxis(rises, 2, 0)


def _descended(measures: Sequence[Measure], goal: Array, n: float) -> tuple[Array, Array]:
    """Where each start ends, (3, point), and its largest misfit."""
    ends = np.array(np.meshgrid(_STARTS, _STARTS, _STARTS)).reshape(3, -1)
    worst = np.full(ends.shape[1], np.inf)
    active = np.arange(ends.shape[1])
    x = ends.copy()
    trial, damping = x.copy(), np.full(x.shape[1], 1e-3)
    error = np.full(x.shape[1], np.inf)
    slopes = np.zeros((x.shape[1], 3, 3))
    misfit = np.full(x.shape, np.inf)

    for _ in range(_STEPS):
        values, steep = _slopes(measures, trial, n)
        off = values - goal
        squared = np.sum(off**2, axis=0)
        better = squared < error  # NaN is not
        x = np.where(better, trial, x)
        error = np.where(better, squared, error)
        misfit = np.where(better, off, misfit)
        slopes = np.where(better[:, None, None], np.nan_to_num(steep), slopes)
        damping = np.where(better, damping * 0.1, damping * 8)

        ends[:, active] = x
        worst[active] = np.where(np.isfinite(error), np.abs(misfit).max(axis=0), np.inf)
        on = np.isfinite(error) & (error > 1e-31) & (damping < 1e9)
        if not on.any():
            break

        active, x, error, misfit = active[on], x[:, on], error[on], misfit[:, on]
        slopes, damping = slopes[on], np.maximum(damping[on], 1e-13)
        trial = _step(x, slopes, misfit, damping)
    return ends, worst


def _step(x: Array, slopes: Array, misfit: Array, damping: Array) -> Array:
    """The next points to try: a damped step, along the walls of the cube where it meets them."""
    downhill = -np.einsum("pmk,mp->kp", slopes, misfit)
    held = ((x <= _EDGE) & (downhill < 0)) | ((x >= 1 - _EDGE) & (downhill > 0))
    slopes = np.where(held.T[:, None, :], 0.0, slopes)
    normal = np.einsum("pmk,pml->pkl", slopes, slopes)
    size = np.trace(normal, axis1=1, axis2=2)
    normal = normal + (damping * np.where(size > 0, size, 1.0))[:, None, None] * np.eye(3)
    right = np.where(held, 0.0, downhill).T[..., None]
    step = np.linalg.solve(normal, right)[..., 0].T
    return np.clip(x + step, _EDGE, 1 - _EDGE)


def _settled(measures: Sequence[Measure], goal: Array, points: Array, misfit: Array, n: float) -> tuple[Array, Array]:
    """Points put on the edge that they are near, where they fit no worse there."""
    for near in (1e-9, 1e-4):
        on_edge = np.where(points < near, 0.0, np.where(points > 1 - near, 1.0, points))
        off = np.abs(_values(measures, on_edge, n) - goal).max(axis=0)
        good = off <= np.maximum(misfit, 1e-12)
        points, misfit = np.where(good, on_edge, points), np.where(good, off, misfit)
    return points, misfit


def _distinct(points: Array, misfit: Array) -> list[int]:
    """Positions of the best of each group of equal tables; at most one more than `_MANY`."""
    roots = np.sqrt(_table(points, 1).cells.reshape(4, -1))
    left = np.argsort(misfit, kind="stable")
    kept: list[int] = []
    while len(left) and len(kept) <= _MANY:
        kept.append(int(left[0]))
        left = left[np.abs(roots[:, left] - roots[:, left[:1]]).max(axis=0) > _APART]
    return kept


# ---------------------------------------------------------------------- refusals


def _rank(slopes: Array) -> int:
    """Rank of the derivatives, (point, measure, 3), at most of the points."""
    size = np.linalg.norm(slopes, axis=2, keepdims=True)
    unit = np.where(size > 1e-6, slopes / np.where(size > 1e-6, size, 1), 0.0)
    ranks = np.sum(np.linalg.svd(unit, compute_uv=False) > 1e-5, axis=-1)
    return int(np.quantile(ranks, 0.75, method="higher"))


def _dependent(measures: Sequence[Measure], slopes: Array) -> str | None:
    """Which of the measures depend on each other near these points, in words."""
    for i, m in enumerate(measures):
        if _rank(slopes[:, [i]]) == 0:
            return f"{m} says nothing about the table"
    for i, j in combinations(range(3), 2):
        if _rank(slopes[:, [i, j]]) == 1:
            return f"{measures[i]} and {measures[j]} are dependent: one follows from the other"
    if _rank(slopes) == 2:
        return f"{listed(measures)} are dependent: one follows from the other two"
    return None


def _refuse_dependent(measures: Sequence[Measure], n: float) -> None:
    points = np.random.default_rng(0).uniform(0.05, 0.95, (3, 40))
    slopes = _slopes(measures, points, n)[1]
    reason = _dependent(measures, slopes[np.isfinite(slopes).all(axis=(1, 2))])
    if reason:
        raise TableError(f"These measures do not determine a table: {reason}.")


def _continuum(measures: Sequence[Measure], wanted: Array, points: Array, reason: str | None, n: float) -> str:
    examples = [str(c.round(4).tolist()) for c in _table(points[:, :2], n).counts]
    return f"Many tables have {_said(measures, wanted)}, for example {listed(examples)}" + (
        f": at these values {reason}." if reason else "."
    )


def _nearest(measures: Sequence[Measure], wanted: Array, point: Array, n: float) -> str:
    t = _table(point, n)
    reached = np.array([float(np.broadcast_to(m(t), t.shape)[0]) for m in measures])
    near = "" if np.isnan(reached).any() else f"; the nearest found has {_said(measures, reached)}"
    return f"No two-class table has {_said(measures, wanted)}{near}."
