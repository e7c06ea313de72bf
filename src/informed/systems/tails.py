"""From limits to p-values and back: what every method of a comparison has to offer.

Most methods go so many standard errors from a difference, and are stated by that: `in_errors` makes
one from limits and distances, `of_limits` from limits alone, `of_error` from a standard error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, plain, ratio
from informed.inference.given import Rng, students
from informed.inference.inversion import distance
from informed.inference.resampling import DRAWS
from informed.results import Note

FARTHEST = 32.0  # standard errors


@dataclass(frozen=True)
class ComparisonOptions:
    """What only some methods read."""

    rng: Rng = None
    n_draws: int = DRAWS


@dataclass(frozen=True)
class ComparisonMethod:
    """A way to compare: limits at a level, and the tails of a test of any null difference.

    The tails are the p-values against "a − b is greater than the null" and "… is less".
    """

    limits: Callable[[Any, float, ComparisonOptions], Limits]
    tails: Callable[[Any, float, ComparisonOptions], Limits]
    applies: Callable[[Any], bool]
    note: Note | None = None
    hypothesis: str = ""  # what is tested, where it is not that the difference is the null


def quantile(level: float, freedom: Any = np.inf) -> Any:
    """Standard errors to go each way: normal, or Student's."""
    return plain(students(freedom, level))


def tails(distances: Limits, freedom: Any = np.inf) -> Limits:
    """p-values of both directions, from distances in standard errors."""
    from scipy.special import ndtr, stdtr

    known = np.isfinite(freedom)
    df = np.where(known, freedom, 1.0)
    up, down = (np.where(known, stdtr(df, -x), ndtr(-x)) for x in distances)
    return up, down


def two_sided(both: Limits) -> Array:
    """Twice the smaller tail, at most 1."""
    return np.asarray(np.minimum(1.0, 2 * np.minimum(both[0], both[1])))


def around(estimate: Array, null: float, least: Array, most: Array) -> Limits:
    """Distances of the null from both sides, of which none is beyond 0 where the estimate is not."""
    above = np.where(estimate <= null, np.minimum(least, 0.0), least)
    below = np.where(estimate >= null, np.minimum(-most, 0.0), -most)
    return above, below


def inverted(limits: Callable[[Array], Limits], null: float) -> Limits:
    """Distances at which limits, a function of standard errors, reach the null difference."""
    z = distance(limits, null, FARTHEST)
    return z, -z


# ---------------------------------------------------------------------- methods in standard errors


def in_errors(
    limits: Callable[[Any, Any], Limits],
    distances: Callable[[Any, float], Limits],
    applies: Callable[[Any], bool],
    note: Note | None = None,
    *,
    student: bool = True,
) -> ComparisonMethod:
    """Limits so many standard errors away, and how many of them a null difference is away."""

    def freedom(s: Any) -> Any:
        return s.freedom if student else np.inf

    return ComparisonMethod(
        lambda s, level, _: limits(s, quantile(level, freedom(s))),
        lambda s, null, _: tails(distances(s, null), freedom(s)),
        applies,
        note,
    )


def of_limits(limits: Callable[[Any, Any], Limits], applies: Callable[[Any], bool]) -> ComparisonMethod:
    """Limits so many standard errors away, whose distances are found by trying."""
    return in_errors(limits, lambda s, null: inverted(lambda z: limits(s, z), null), applies)


def of_error(
    found: Callable[[Any], Limits], applies: Callable[[Any], bool], note: Note | None = None, *, student: bool = True
) -> ComparisonMethod:
    """A middle and its standard error; the limits hold the difference as counted."""

    return in_errors(
        lambda s, z: error_limits(s, z, *found(s)),
        lambda s, null: error_distances(s, null, *found(s)),
        applies,
        note,
        student=student,
    )


def error_limits(s: Any, z: Any, middle: Array, error: Array) -> Limits:
    """Limits around a middle, so far that they hold the difference as counted."""
    seen = np.where(np.isnan(s.estimate), middle, s.estimate)
    return np.minimum(middle - z * error, seen), np.maximum(middle + z * error, seen)


def error_distances(s: Any, null: float, middle: Array, error: Array) -> Limits:
    """Standard errors from a middle to the null."""
    z = np.where(middle == null, 0.0, ratio(middle - null, error))
    return around(s.estimate, null, z, z)


def plain_error(s: Any) -> Limits:
    """The difference as counted, and its large-sample standard error."""
    return s.estimate, s.standard_error()
