"""The log-linear model of hits: expected cells a_i·b_j·exp(θ·w_i where i = j), with given margins.

It is what shuffled predictions look like when Σ w_l·n_ll is pulled to a value s. Its parameters
minimise Σ μ_ij − Σ P·α − Σ R·β − θ·s, a convex function, by damped Newton steps for many tables at
once. All cells but the hits are a product, so that a step costs no more than the classes: the two
unknowns of each class but the largest are eliminated, and equations in four unknowns are left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array

Mask = NDArray[np.bool_]

_STEPS = 200
_LONGEST = 2.0  # of a step, in logarithms of a margin
_TILTED = 10.0  # of a step of the tilt, in logarithms of the heaviest hit
_CLOSE = 1e-10  # squared length of a step, in standard errors, after which none is needed


@dataclass(frozen=True)
class Fit:
    """A fitted model of each table: all ``(tables,)``, NaN where no fit was found."""

    tilt: Array  # θ
    gain: Array  # how far the log-likelihood rises above that of shuffling
    spread: Array  # variance of Σ w·n_ll in the model, margins fixed
    nuisance: Array  # ln of the margins' information over that at θ = 0


@dataclass
class _State:
    """Tables that are not fitted yet; class axes come first."""

    said: Array
    real: Array
    weights: Array
    target: Array
    barred: bool  # whether hits are impossible, instead of tilted
    row: Array  # ln a − ln a of shuffling
    column: Array
    tilt: Array

    def take(self, which: Mask) -> _State:
        wide = (self.said, self.real, self.weights, self.row, self.column)
        said, real, weights, row, column = (x[:, which] for x in wide)
        return _State(said, real, weights, self.target[which], self.barred, row, column, self.tilt[which])

    def moved(self, row: Array, column: Array, tilt: Array, by: Array) -> _State:
        ends = self.row + by * row, self.column + by * column, self.tilt + by * tilt
        return _State(self.said, self.real, self.weights, self.target, self.barred, *ends)

    def factors(self) -> tuple[Array, Array, Array]:
        """a, b, and what the tilt adds to the hits."""
        scale = np.sqrt(self.said.sum(axis=0))
        a, b = self.said / scale * np.exp(self.row), self.real / scale * np.exp(self.column)
        tilted = -np.where(self.weights > 0, 1.0, 0.0) if self.barred else np.expm1(self.tilt * self.weights)
        return a, b, tilted * a * b

    def loss(self) -> Array:
        """The convex function, less its value under shuffling."""
        with np.errstate(over="ignore", invalid="ignore"):
            a, b, c = self.factors()
            cells = a.sum(axis=0) * b.sum(axis=0) + c.sum(axis=0) - self.said.sum(axis=0)
            told = (self.said * self.row + self.real * self.column).sum(axis=0) + self.tilt * self.target
            return np.asarray(np.nan_to_num(cells - told, nan=np.inf))


def fitted(said: Array, real: Array, weights: Array, target: Array, *, start: Array, barred: bool = False) -> Fit:
    """The model with these margins, ``(classes, tables)``, and Σ w·n_ll = target; barred: no hits."""
    tables = target.size
    flat = np.zeros_like(said)
    state = _State(said, real, weights, target, barred, flat, flat, start.copy())
    answers = np.full((4, tables), np.nan)
    live = np.arange(tables)
    for _ in range(_STEPS):
        row, column, tilt, length = _eliminated(state).steps()
        close = length < _CLOSE
        state = _damped(state, row, column, tilt, close)
        if close.any():
            done = state.take(close)
            answers[:, live[close]] = _summary(done)
            live, state = live[~close], state.take(~close)
        if not live.size:
            break
    return Fit(*answers)


def _summary(state: _State) -> Array:
    """Tilt, gain, spread and nuisance of fitted tables."""
    left = _eliminated(state)
    margins = np.linalg.slogdet(left.matrix[:, :3, :3])[1]
    spread = np.exp(np.linalg.slogdet(left.matrix)[1] - margins)
    shuffled = sum(np.log(np.where(x > 0, x, 1.0)).sum(axis=0) for x in (state.said, state.real))
    nuisance = left.blocks + margins - (shuffled - np.log(state.said.sum(axis=0)))
    return np.stack([state.tilt, -state.loss(), spread, nuisance])


@dataclass(frozen=True)
class _Eliminated:
    """Newton's equations in four unknowns, and what the steps of the eliminated classes are made of."""

    matrix: Array  # (tables, 4, 4): of the step of α_d, of Σ b·Δβ and Σ a·Δα, and of the step of θ
    right: Array  # (tables, 4)
    blocks: Array  # ln of the eliminated blocks' determinants
    largest: NDArray[np.int64]  # the class d that is kept; β_d stands still
    over: Array  # 1/determinant of the block of a class, 0 for d
    factors: tuple[Array, Array, Array]  # a, b and what the tilt adds to the hits
    margins: tuple[Array, Array]  # expected, as things stand
    hits: Array  # expected, times their weights
    missing: tuple[Array, Array, Array]  # from the margins, and from the target

    def steps(self) -> tuple[Array, Array, Array, Array]:
        """Steps of α, β and θ, and the squared length of the step in standard errors."""
        (a, b, c), (p, r), (miss_row, miss_column, short) = self.factors, self.margins, self.missing
        first, of_b, of_a, tilt = self._solved().T
        left_row, left_column = miss_row - a * of_b - self.hits * tilt, miss_column - b * of_a - self.hits * tilt
        row = (r * left_row - c * left_column) * self.over
        column = (p * left_column - c * left_row) * self.over
        row[self.largest, np.arange(row.shape[1])] = first
        length = (row * miss_row + column * miss_column).sum(axis=0) + tilt * short
        return row, column, tilt, length

    def _solved(self) -> Array:
        try:
            return np.asarray(np.linalg.solve(self.matrix, self.right[..., None])[..., 0])
        except np.linalg.LinAlgError:  # one of many tables has come to an edge
            return np.asarray((np.linalg.pinv(self.matrix) @ self.right[..., None])[..., 0])


def _eliminated(state: _State) -> _Eliminated:
    """Newton's equations after all classes but the largest are eliminated, two unknowns at a time."""
    a, b, c = state.factors()
    of_a, of_b = a.sum(axis=0), b.sum(axis=0)
    row, column = a * of_b, b * of_a  # expected margins without the tilt
    both = (a > 0) & (b > 0)
    largest = np.argmax(np.where(both, a / of_a + b / of_b, -1.0), axis=0)
    other = np.arange(len(a))[:, None] != largest
    p, r = np.where(a > 0, row + c, 1.0), np.where(b > 0, column + c, 1.0)
    det = np.where(both, a * b * of_a * of_b + c * (row + column), p * r)
    det = np.where(other, det, 1.0)
    over = np.where(other, 1 / det, 0.0)
    hits = np.zeros_like(a) if state.barred else state.weights * (a * b + c)
    miss_row, miss_column = np.where(a > 0, state.said - p, 0.0), np.where(b > 0, state.real - r, 0.0)

    at = (largest, np.arange(a.shape[1]))
    cross = 1 - (a * b * c * over).sum(axis=0)
    by_row, by_column = (a * column * hits * over).sum(axis=0), (b * row * hits * over).sum(axis=0)
    pull = (state.weights * hits - hits**2 * (row + column) * over).sum(axis=0)
    nothing, one = np.zeros_like(of_a), np.ones_like(of_a)
    matrix = np.array(
        [
            [p[at], a[at], nothing, hits[at]],
            [nothing, cross, (p * b * b * over).sum(axis=0), by_column],
            [-a[at], (r * a * a * over).sum(axis=0), cross, by_row],
            [hits[at], -by_row, -by_column, one if state.barred else pull],
        ]
    )

    short = nothing if state.barred else state.target - hits.sum(axis=0)
    right = [
        miss_row[at],
        (b * (p * miss_column - c * miss_row) * over).sum(axis=0),
        (a * (r * miss_row - c * miss_column) * over).sum(axis=0),
        short - (hits * (column * miss_row + row * miss_column) * over).sum(axis=0),
    ]
    return _Eliminated(
        np.moveaxis(matrix, -1, 0),
        np.stack(right, axis=-1),
        np.log(det).sum(axis=0),
        largest,
        over,
        (a, b, c),
        (p, r),
        hits,
        (miss_row, miss_column, short),
    )


def _damped(state: _State, row: Array, column: Array, tilt: Array, close: Mask) -> _State:
    """A step no longer than allowed, halved until the loss falls; the last one is taken whole."""
    far = np.maximum(np.abs(row).max(axis=0), np.abs(column).max(axis=0))
    far = np.maximum(far / _LONGEST, np.abs(tilt) * state.weights.max(axis=0) / _TILTED)
    by = 1 / np.maximum(far, 1.0)
    before = state.loss()
    while True:
        after = state.moved(row, column, tilt, by)
        up = ~close & (after.loss() > before) & (by > 1e-6)
        if not up.any():
            return after
        by = np.where(up, by / 2, by)
