"""The difference of two systems on the same items, and the paired Fisher arc.

The difference is one more function of a distribution over cells, those of the joint table, so that
the walk of the single-table interval applies unchanged. What is new is where the pseudo-cases go
and how many there are, and that the walk is also followed to where the difference is 0: the length
of that way is the p-value. Formulas and evidence: docs/comparing.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.evidence.joint import Joint
from informed.evidence.table import Table
from informed.inference.arc import STEPS, WHOLE, hull, walk
from informed.inference.given import normal_errors
from informed.inference.influence import Functional, functional, influence, with_four
from informed.inference.roots import fixed_point
from informed.inference.worth import Cells, Worth, worth
from informed.measures import Measure, find
from informed.systems.scale import Scale, scale_of
from informed.systems.tails import around

MASSES = (1.0, 3.0)  # totals of the pseudo-cases; 1 and 3 because a walk from either alone fails
QUARTERS = (1 / 4, 1 / 4, 1 / 4, 1 / 4)  # both right, only a, only b, both wrong
SIXTHS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
PSEUDO = 4.0  # pseudo-cases of the closed form, and of what units and weights are worth
FARTHEST = 38.0  # standard errors; further is a p-value that no float can hold
NEAREST = 1e-3  # standard errors
_CHUNK = 1 << 14


@dataclass(frozen=True)
class PairedContrast:
    """A measure of two systems on the same items, seen as an estimate of their difference."""

    m: Measure
    joint: Joint
    fixed: bool = False  # whether the class sizes were chosen and not found
    relative: bool = False  # whether a ratio is asked for

    @cached_property
    def single(self) -> Functional:
        """The measure of one system, on the scale on which two are compared."""
        return self.scale.of(functional(self.m, self.joint.a))

    @property
    def scale(self) -> Scale:
        return scale_of(self.m, self.relative)

    @cached_property
    def f(self) -> Functional:
        return difference(self.single, self.joint.cells.shape[:3])

    @property
    def tables(self) -> tuple[Table, Table]:
        return self.joint.a, self.joint.b

    @cached_property
    def values(self) -> Limits:
        """The measure of a and of b."""
        return np.asarray(self.m(self.joint.a)), np.asarray(self.m(self.joint.b))

    @cached_property
    def estimate(self) -> Array:
        return self.scale.apart(self.values)

    @cached_property
    def raw(self) -> Array:
        """Counts as they are, ``(cells, *stack)``."""
        return self.joint.cells.reshape(-1, *self.joint.shape)

    @property
    def groups(self) -> Any:
        real, a, b = self.joint.cells.shape[:3]
        return np.repeat(np.arange(real), a * b) if self.fixed else None

    def pattern(self, shares: tuple[float, ...] = QUARTERS) -> Array:
        return pattern(self.joint.cells.shape[:3], shares)

    @property
    def items(self) -> Array:
        return self.joint.total

    @cached_property
    def n(self) -> Array:
        return np.maximum(self.items, 1)

    @cached_property
    def worth(self) -> Worth | None:
        """What weights and units leave of the items for this difference; None where each item counts one."""
        joint = self.joint
        if joint.squares is None and joint.units is None:
            return None
        if self.m.facts.near is not None:  # it has no slopes at 0
            return replace(self, m=find(self.m.facts.near)).worth

        real, a, b = np.indices(joint.cells.shape[:3]).reshape(3, -1)
        return worth(
            self.f,
            self.raw,
            Cells([real], (real, a, b), self.pattern(SIXTHS)),
            squares=None if joint.squares is None else joint.squares.reshape(self.raw.shape),
            rows=None if joint.cases is None else joint.cases.reshape(self.raw.shape),
            units=joint.units,
            mass=PSEUDO,
            extra=PSEUDO,
            fixed=self.groups,
        )

    @property
    def effective_n(self) -> Array:
        """Independent, equally weighted items that carry as much."""
        return self.items if self.worth is None else self.worth.effective_n

    @cached_property
    def counts(self) -> Array:
        """Counts scaled to their effective number."""
        if self.worth is None:
            return self.raw
        return self.raw * np.where(self.items > 0, ratio(self.effective_n, self.items), 1.0)

    @property
    def freedom(self) -> Array:
        """Degrees of freedom of Student's distribution; infinite where every item is its own unit."""
        return np.asarray(np.inf) if self.worth is None else self.worth.df

    @cached_property
    def closed_form(self) -> Limits:
        """Difference and standard error after four pseudo-cases, ⅙ ⅓ ⅓ ⅙ of them to each kind."""

        def found(counts: Array, told: Array) -> Limits:
            p = with_four(counts, self.pattern(SIXTHS))
            _, v = influence(p, self.f.gradient(p, told), self.groups)
            return self.f.value(p, told), np.sqrt(v / (counts.sum(axis=0) + 4))

        return self.in_chunks(found, 4 * _CHUNK // (1 if self.f.exact else len(self.counts)), self.counts)

    def in_chunks(self, found: Callable[[Array, Array], Limits], cells: int, counts: Array) -> Limits:
        """Two numbers of each table, from its counts and its number of items; so many cells at once."""
        counts = counts.reshape(len(counts), -1)
        told = np.broadcast_to(self.n, self.joint.shape).ravel()
        both = np.empty((2, len(told)))
        chunk = max(1, cells // len(counts))
        for start in range(0, len(told), chunk):
            part = slice(start, start + chunk)
            both[:, part] = found(counts[:, part], told[part])
        return both[0].reshape(self.joint.shape), both[1].reshape(self.joint.shape)

    def standard_error(self) -> Array:
        """Large-sample standard error at the counts; between units by the sandwich."""
        p = ratio(self.raw, self.items)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty margin has no slope
            u, v = influence(p, self.f.gradient(p, self.n), self.groups)
        units = self.joint.units
        if units is None:
            return np.sqrt(ratio(v, self.effective_n))
        n = np.asarray(units.n)
        return ratio(np.sqrt(units.squared(np.where(self.raw > 0, u, 0.0)) * ratio(n, n - 1)), self.items)


def difference(single: Functional, shape: tuple[int, ...]) -> Functional:
    """A measure of a minus the same of b, as a function of the joint cells (real, a, b)."""

    def margins(p: Array) -> Limits:
        cells = p.reshape(*shape, *p.shape[1:])
        a, b = cells.sum(axis=2).swapaxes(0, 1), cells.sum(axis=1).swapaxes(0, 1)
        return a.reshape(-1, *p.shape[1:]), b.reshape(-1, *p.shape[1:])

    def value(p: Array, n: Array) -> Array:
        a, b = margins(p)
        return np.asarray(single.value(a, n) - single.value(b, n))

    def gradient(p: Array, n: Array) -> Array:
        real, on_a, on_b = shape
        a, b = margins(p)
        of_a = single.gradient(a, n).reshape(on_a, real, *p.shape[1:]).swapaxes(0, 1)
        of_b = single.gradient(b, n).reshape(on_b, real, *p.shape[1:]).swapaxes(0, 1)
        return np.asarray((of_a[:, :, None] - of_b[:, None]).reshape(p.shape))

    return Functional(value, gradient, single.exact)


def pattern(shape: tuple[int, ...], shares: tuple[float, ...] = QUARTERS) -> Array:
    """Where pseudo-cases go: so much to both right, only a right, only b right, both wrong.

    Evenly over the cells of each kind; no answer is a wrong one.
    """
    real, a, b = np.indices(shape)
    right_a, right_b = a == real, b == real
    kinds = (right_a & right_b, right_a & ~right_b, ~right_a & right_b, ~right_a & ~right_b)
    w = sum(share * kind / kind.sum() for share, kind in zip(shares, kinds, strict=True))
    return np.asarray(w, dtype=np.float64).ravel()


# ---------------------------------------------------------------------- the arc


def arc_limits(s: PairedContrast, z: Any, *, steps: int = STEPS) -> Limits:
    """Ends of the arcs, the widest over the smoothing totals, and never short of the estimate.

    Where the spread of units is poorly known, counts weigh less beside the pseudo-cases, by (normal z / Student's)².
    """
    normal = normal_errors(z, s.freedom)
    counts = s.counts * (normal / z) ** 2
    low, high = hull(counts, s.f, pattern=s.pattern(), z=normal, n=s.n, masses=MASSES, steps=steps, groups=s.groups)
    return np.fmin(low, s.estimate), np.fmax(high, s.estimate)


def arc_distances(s: PairedContrast, null: float = 0.0, *, steps: int = STEPS) -> Limits:
    """Standard errors from the null difference up to the data, and from the data up to it.

    The first is the z at which the lower limit of `arc_limits` is the null difference, the second
    the same for the upper limit; each is 0 or less where the limit is beyond it at once.
    """
    cells = _CHUNK // (len(MASSES) * (1 if s.f.exact else 2 * len(s.counts)))

    def at(z: Array) -> Limits:
        """The distances, where counts weigh what they do in limits z standard errors away."""
        less = normal_errors(z, s.freedom) / z
        both = s.in_chunks(lambda counts, told: _signed(s, counts, told, null, steps), cells, s.counts * less**2)
        return both[0] / less, both[1] / less

    def length(z: Array) -> Array:
        least, most = at(z)
        return np.asarray(np.where(s.estimate > null, least, -most))

    places = (np.full(s.joint.shape, x) for x in (NEAREST, FARTHEST, 2.0))
    z = fixed_point(length, *places, tolerance=1e-10) if np.isfinite(s.freedom).any() else np.ones(s.joint.shape)
    least, most = at(z)
    return around(s.estimate, null, least, most)


def _signed(s: PairedContrast, counts: Array, told: Array, null: float, steps: int) -> Limits:
    """The least and the greatest signed length of the ways to the null, in standard errors.

    Newton's method on the length, whose slope along an arc is known: √V. Each trial is a whole
    walk with as many steps as the interval takes, so that limits and p-values agree to the digit.
    """
    total = counts.sum(axis=0)
    mass = np.asarray(MASSES)[:, None]
    start = (counts[:, None] + s.pattern()[:, None, None] * mass) / (total + mass)
    n = np.broadcast_to(told, start.shape[1:])
    root = np.sqrt(np.where(total > 0, total, 1.0))
    farthest = np.minimum(FARTHEST, WHOLE * root)  # where limits hold every difference

    away = s.f.value(start, n) - null
    side = np.sign(away)
    low, high = np.zeros(away.shape), np.full(away.shape, np.inf)
    z = np.zeros(away.shape)
    at, left = start, np.abs(away)

    # Newton's steps where they stay between the bounds that are known, else the middle of those.
    for _ in range(60):
        _, v = influence(at, s.f.gradient(at, n), s.groups)
        low, high = np.where(left > 0, z, low), np.where(left > 0, high, z)
        with np.errstate(all="ignore"):
            trial = z + left * root / np.sqrt(v)
        middle = np.where(np.isinf(high), 2 * low + 1, (low + np.where(np.isinf(high), 0, high)) / 2)
        inside = np.isfinite(trial) & (trial >= low) & (trial <= high)
        z_next = np.minimum(np.where(inside, trial, middle), farthest)
        if np.all((np.abs(z_next - z) <= 1e-12 * (1 + z)) | (left == 0)):
            break

        z = np.where(left == 0, z, z_next)
        at = walk(start, s.f, n, -side * z / root, steps=steps, groups=s.groups)
        left = (s.f.value(at, n) - null) * side

    signed = side * z
    return signed.min(axis=0), signed.max(axis=0)
