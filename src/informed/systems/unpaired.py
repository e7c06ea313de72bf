"""The difference of two systems on different items: two test sets, two hospitals.

The tables are independent, so the Fisher arcs of both combine, and variances
add in closed form. Where the classes are not equally frequent in both, accuracy and F1 compare the
populations as much as the systems; informedness does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.labels import some
from informed.evidence.table import Table
from informed.inference.delta import arcs_at
from informed.inference.equal_rates import rates_of
from informed.inference.sample import Sample
from informed.measures import Measure
from informed.results import warning
from informed.systems import powers_rules
from informed.systems.mover import combined, single_limits
from informed.systems.scale import Scale, scale_of
from informed.systems.tails import (
    ComparisonMethod,
    ComparisonOptions,
    error_distances,
    error_limits,
    in_errors,
    inverted,
    of_error,
    of_limits,
    plain_error,
)
from informed.systems.unpaired_exact import MOST_ITEMS, exact_limits, exact_tails

ANGLES = 9  # ways to share the distance between the two tables


@dataclass(frozen=True)
class UnpairedContrast:
    """A measure of two independent tables, seen as an estimate of their difference."""

    m: Measure
    a: Table
    b: Table
    fixed: bool = False
    level: Any = 0.95  # at which cases of units are weighed against pseudo-cases
    relative: bool = False  # whether a ratio is asked for
    freedom = np.inf  # Student's distribution is in the samples themselves

    @cached_property
    def samples(self) -> tuple[Sample, Sample]:
        return tuple(Sample(self.m, t, self.level, self.fixed) for t in (self.a, self.b))  # type: ignore[return-value]  # two of them

    @property
    def scale(self) -> Scale:
        return scale_of(self.m, self.relative)

    @property
    def tables(self) -> tuple[Table, Table]:
        return self.a, self.b

    @cached_property
    def values(self) -> Limits:
        return self.samples[0].estimate, self.samples[1].estimate

    @cached_property
    def estimate(self) -> Array:
        return self.scale.apart(self.values)

    @property
    def items(self) -> Array:
        return np.stack([t.total for t in self.tables])

    @property
    def effective_n(self) -> Array:
        """Items in each table, those of a first."""
        return np.stack([s.effective_n for s in self.samples])

    def standard_error(self) -> Array:
        return np.asarray(np.hypot(*(self.scale.error(s.estimate, s.standard_error()) for s in self.samples)))

    @cached_property
    def closed_form(self) -> Limits:
        """Difference and standard error after four pseudo-cases in each table."""
        (a, of_a), (b, of_b) = (s.plus_four for s in self.samples)
        error = np.hypot(self.scale.error(a, of_a), self.scale.error(b, of_b))
        return self.scale.apart((a, b)), error


def mover_limits(s: UnpairedContrast, z: Array) -> Limits:
    """Limits of the difference from those of each table."""
    of_a, of_b = (single_limits(s, t, z) for t in s.tables)
    return combined(s, of_a, of_b)


def circle_limits(s: UnpairedContrast, z: Array) -> Limits:
    """The extreme differences of two values that lie z_a and z_b standard errors from their estimates on the arcs of
    the two tables, z_a² + z_b² = z²; of ratios, MOVER."""
    if s.scale.kind == "ratio":
        return mover_limits(s, z)
    z = np.broadcast_to(z, s.estimate.shape)
    angles = np.linspace(0, np.pi / 2, ANGLES).reshape(-1, *[1] * z.ndim)
    reach = np.sin(angles[1:]) * z
    low_a, high_a, low_b, high_b = (
        np.concatenate([own.estimate[None], np.clip(x, *s.m.facts.bounds)])
        for own in s.samples
        for x in arcs_at(own, reach)
    )
    low, high = low_a[::-1] - high_b, high_a[::-1] - low_b
    return -_summit(-low), _summit(high)


def _summit(x: Array) -> Array:
    """The largest along the first axis, of the parabola through the largest and its neighbours."""
    at = np.clip(np.argmax(x, axis=0), 1, len(x) - 2)[None]
    before, middle, after = (np.take_along_axis(x, at + i, axis=0)[0] for i in (-1, 0, 1))
    bend = before - 2 * middle + after
    rise = ratio((after - before) ** 2, -8 * bend)
    inside = (bend < 0) & (np.abs(after - before) < -2 * bend)
    return np.asarray(np.where(inside, middle + np.where(inside, rise, 0.0), x.max(axis=0)))


def plus_four_limits(s: UnpairedContrast, z: Any) -> Limits:
    """Limits of the closed form, in which cases of units weigh less the farther limits are."""
    from scipy.special import ndtr

    own = replace(s, level=1 - 2 * ndtr(-z))
    return error_limits(own, z, *own.closed_form)


def plus_four_distances(s: UnpairedContrast, null: float) -> Limits:
    if all(t.units is None for t in s.tables):
        return error_distances(s, null, *s.closed_form)
    return inverted(lambda z: plus_four_limits(s, z), null)


def _has_slopes(s: UnpairedContrast) -> bool:
    return s.m.facts.near is None or len(s.a.real_labels) == 2


def for_margins(s: UnpairedContrast) -> str:
    """The default of one-sided tests and margins: of shares, an exact test by the score statistic must agree with the
    circle, which alone rejects too often near 0 and 1."""
    return GUARDED if _shares(s) is not None else default(s)


def default(s: UnpairedContrast) -> str:
    """The circle of both arcs; of ratios MOVER."""
    return "mover" if s.scale.kind == "ratio" else "circle"


def _shares(s: UnpairedContrast) -> tuple[Array, Array, Array, Array] | None:
    """Successes and trials of both, where the measure is a share of whole items that count once each."""
    if s.scale.kind != "difference":
        return None
    both = [rates_of(s.m, t) for t in s.tables]
    if both[0] is None or both[1] is None:
        return None
    found = (*both[0], *both[1])
    return found if max(float(np.max(x, initial=0)) for x in found) <= MOST_ITEMS else None


def guarded_tails(s: UnpairedContrast, null: float, options: ComparisonOptions) -> Limits:
    """The larger p-value of the circle and of the exact test."""
    shares = _shares(s)
    assert shares is not None
    both = CIRCLE.tails(s, null, options), exact_tails(*shares, null=null)
    return np.fmax(both[0][0], both[1][0]), np.fmax(both[0][1], both[1][1])


def guarded_limits(s: UnpairedContrast, level: float, options: ComparisonOptions) -> Limits:
    """The outer limits of the same two."""
    shares = _shares(s)
    assert shares is not None
    circle, score = CIRCLE.limits(s, level, options), exact_limits(*shares, alpha=(1 - level) / 2)
    return np.fmin(circle[0], score[0]), np.fmax(circle[1], score[1])


CIRCLE, GUARDED = of_limits(circle_limits, lambda s: True), "circle-score"
METHODS: Mapping[str, ComparisonMethod] = {
    "circle": CIRCLE,
    GUARDED: ComparisonMethod(guarded_limits, guarded_tails, lambda s: _shares(s) is not None),
    "mover": of_limits(mover_limits, lambda s: True),
    "plus-four": in_errors(plus_four_limits, plus_four_distances, _has_slopes),
    "delta": of_error(
        plain_error, _has_slopes, warning("Plain delta: far too short near 0 and 1 and for few items.", "too-short")
    ),
    **powers_rules.METHODS,
}


def aligned(a: Table, b: Table) -> tuple[Table, Table]:
    """Both tables with the same labels in the same order, and of the same shape."""
    for name, t in (("a", a), ("b", b)):
        if not isinstance(t, Table):
            raise InferenceError(
                f"`{name}` is a {type(t).__name__}; `compare` takes two tables. Labels of two "
                "systems on the same items go to `compare.paired(real=, a=, b=)`."
            )
        if not t.is_square:
            raise InferenceError(f"`{name}` is rectangular; predictions and reality must share their labels.")
        if t.derived is not None:
            raise InferenceError(
                f"`{name}` was not observed (it is {t.derived}), so it has no sampling error: "
                "compare tables that were counted."
            )

    if not set(a.labels) & set(b.labels):
        raise InferenceError(f"The tables have no class in common: {some(a.labels)} and {some(b.labels)}.")

    return a.aligned(b)
