"""A world in which the truth is known, and what n cases show in it: by formula, table or draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array, Floats, plain
from informed._numbers import percent, rate
from informed.errors import InferenceError
from informed.evidence import checks as build
from informed.inference import planned_variance as planning
from informed.inference.given import checked_level, generator
from informed.inference.hypothesis import SIDES, normal_tail
from informed.inference.mixtures import chance_of, drawn, every_two_by_two, mixture, tables
from informed.inference.proportions import clopper_pearson
from informed.inference.roots import root
from informed.inference.tests import test
from informed.results import Kind, Note, Result, warning

EXACT_UP_TO = 200  # cases of two classes whose every table is weighed
MOST = 10**9  # cases that are ever looked for


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """What n cases can show: numbers for one n, arrays for several."""

    kinds: ClassVar[Mapping[str, Kind]] = {"n": "count"}

    n: Floats  # cases; of each system, where two are compared on different cases
    power: Floats  # chance of p ≤ 1 − level
    width: Floats  # expected width of the interval of the informedness, or of the difference
    informedness: Floats
    against: Floats  # what it is compared with: 0 is chance
    level: float
    alternative: str
    goal: str  # what is to be found, in words
    method: str
    power_low: Floats | None = None  # 95 % interval of a power found by simulation
    power_high: Floats | None = None
    notes: tuple[Note, ...] = ()

    def sentence(self) -> str:
        """What so many cases show, and how surely."""
        if np.ndim(self.n):
            return f"{self.goal}, by {np.size(self.n):,} numbers of cases ({self.method})"
        return (
            f"{float(self.n):,g} cases: {self.goal}; power {percent(float(self.power))} at the "
            f"level {self.level:g}, expected width {rate(float(self.width))} ({self.method})"
        )


@dataclass(frozen=True)
class World:
    """The truth, and the question."""

    informedness: float
    prevalence: Array
    guess: Array
    against: float | None
    paired: bool
    shared: float
    level: float
    alternative: str
    rng: Any
    n_draws: int

    @property
    def alpha(self) -> float:
        """The p-value from which on a test rejects; 0.05 and not 0.05000000000000004."""
        return round(1 - self.level, 12)

    @cached_property
    def truth(self) -> Array:
        return mixture(self.informedness, self.prevalence, self.guess)

    @cached_property
    def other(self) -> Array:
        return mixture(self.against or 0.0, self.prevalence, self.guess)

    @cached_property
    def joint(self) -> Array:
        return planning.joint_mixture(self.informedness, self.against or 0.0, self.prevalence, self.guess, self.shared)

    @property
    def goal(self) -> str:
        if self.against is None:
            return f"informedness {self.informedness:g} told from chance"
        same = "the same cases" if self.paired else "different cases"
        return f"informedness {self.informedness:g} told from {self.against:g} on {same}"


def world_of(
    informedness: float,
    prevalence: Any,
    k: int,
    guess: Any,
    against: float | None,
    paired: bool,
    shared: float,
    level: float,
    alternative: str,
    rng: Any,
    n_draws: int,
) -> World:
    if k < 2:
        raise InferenceError(f"`k` is {k}; at least two classes are needed.")
    real = np.full(k, 1 / k) if prevalence is None else build.distribution(prevalence, "prevalence")
    said = real if guess is None else build.distribution(guess, "guess")
    if len(real) != len(said):
        raise InferenceError(f"`guess` names {len(said)} classes and `prevalence` {len(real)}.")
    if np.count_nonzero(real) < 2 or np.count_nonzero(said) < 2:
        raise InferenceError("At least two classes must occur, and two labels be guessed.")
    for name, value in (("informedness", informedness), ("against", against)):
        if value is not None and not 0 <= value <= 1:
            raise InferenceError(f"`{name}` is {value}; it must lie between 0 and 1.")
    if not 0 <= shared <= 1:
        raise InferenceError(f"`shared` is {shared}; it must lie between 0 and 1.")
    if paired and against is None:
        raise InferenceError("`paired` compares two systems: give `against`, the other's.")
    checked_level(level)
    if alternative not in SIDES:
        raise InferenceError(f"`alternative` is {alternative!r}; it must be one of {SIDES}.")
    return World(float(informedness), real, said, against, paired, shared, level, alternative, rng, n_draws)


def planned(world: World, n: Any, method: str) -> Plan:
    width = expected_width(world, n)
    if method == "analytic":
        notes: tuple[Note, ...] = ()
        if np.any(np.asarray(n) * min(world.prevalence.min(), world.guess.min()) < 5):
            said = (
                "fewer than 5 cases are expected of a class or label, where the approximation "
                "promises too much: use method='simulation', or 'exact' for two classes"
            )
            notes = (warning(said, "rough-approximation"),)
        return plan_of(world, n, analytic_power(world, n), width, notes=notes)

    if method == "exact":
        return plan_of(world, n, _each(n, lambda m: _exact(world, m)), width, method)

    if method == "simulation":
        rng, draws = generator(world.rng), world.n_draws
        share = _each(n, lambda m: _simulated(world, m, rng))
        low, high = clopper_pearson(np.rint(share * draws), np.asarray(draws), 0.95)
        note = Note(f"{draws} tables were drawn for each n", code="drawn")
        found = plan_of(world, n, share, width, method, (note,))
        return replace(found, power_low=plain(low), power_high=plain(high))

    raise InferenceError(f"`method` is {method!r}; it must be 'analytic', 'exact' or 'simulation'.")


def plan_of(
    world: World, n: Any, power: Array, width: Array, method: str = "analytic", notes: tuple[Note, ...] = ()
) -> Plan:
    return Plan(
        n=plain(n),
        power=plain(power),
        width=plain(width),
        informedness=world.informedness,
        against=world.against or 0.0,
        level=world.level,
        alternative=world.alternative,
        goal=world.goal,
        method=method,
        notes=notes,
    )


def _each(n: Any, one: Callable[[int], float]) -> Array:
    cases = np.asarray(n)
    if (cases != np.rint(cases)).any():
        raise InferenceError(f"`n` is {n!r}; tables have whole numbers of cases.")
    return np.array([one(int(m)) for m in cases.ravel()]).reshape(cases.shape)


def analytic_power(world: World, n: Any) -> Array:
    if world.against is None:
        shift, spread = planning.separation(world.truth)
        shift = shift * np.sqrt(n - 1)
    else:
        shift = (world.informedness - world.against) / np.sqrt(_variance(world) / n)
        spread = 1.0
    return planning.normal_power(shift, spread, world.alpha, world.alternative)


def _variance(world: World) -> Array:
    """Variance of the difference of two systems, times n."""
    if world.paired:
        return planning.joint_variance(world.joint)
    each = [planning.variance_of(p, planning.influence(p)) for p in (world.truth, world.other)]
    return np.asarray(each[0] + each[1])


def expected_width(world: World, n: Any) -> Array:
    """Width of the closed-form (plus-four) interval of the table that is expected."""
    from scipy.special import ndtri

    z = -ndtri(world.alpha / 2)
    n = np.asarray(n, dtype=np.float64)
    if world.paired:
        variance = planning.plus_four_jointly(world.joint[..., None] * n.ravel())[1]
    else:
        variance = planning.plus_four(world.truth[..., None] * n.ravel())[1]
        if world.against is not None:
            variance = variance + planning.plus_four(world.other[..., None] * n.ravel())[1]
    return np.asarray(2 * z * np.sqrt(variance)).reshape(n.shape)


def _exact(world: World, n: int) -> float:
    if world.against is not None or len(world.prevalence) != 2:
        raise InferenceError("method='exact' is for one system of two classes against chance; use 'simulation'.")
    if n > EXACT_UP_TO:
        raise InferenceError(
            f"method='exact' weighs every table, and {n} cases have {n**3 // 6} of them; up to "
            f"{EXACT_UP_TO} cases are done. Above, 'analytic' is close."
        )
    cells = every_two_by_two(n)
    p = test(tables(cells), alternative=world.alternative).pvalue  # type: ignore[arg-type]  # checked
    return float(chance_of(cells, world.truth)[p <= world.alpha].sum())


def _simulated(world: World, n: int, rng: np.random.Generator) -> float:
    """Share of drawn tables in which the test finds it."""
    if world.against is None:
        stack = tables(drawn(rng, n, world.truth, world.n_draws))
        p = test(stack, alternative=world.alternative).pvalue  # type: ignore[arg-type]  # checked
        return float((p <= world.alpha).mean())
    if world.paired:
        gap, variance = planning.plus_four_jointly(drawn(rng, n, world.joint, world.n_draws))
    else:
        one = planning.plus_four(drawn(rng, n, world.truth, world.n_draws))
        other = planning.plus_four(drawn(rng, n, world.other, world.n_draws))
        gap, variance = one[0] - other[0], one[1] + other[1]
    p = normal_tail(gap / np.sqrt(variance), world.alternative)
    return float((p <= world.alpha).mean())


def fewest(enough: Callable[[Array], Any], start: int, *, at_once: int = 1) -> int:
    """The smallest number that is enough, of a condition that stays true once it is.

    So many numbers are asked about together: one after another where each is dear.
    """

    def narrowed(low: float, tried: Array) -> tuple[float, float]:
        """The last number that is not enough and the first that is: infinite where none is."""
        good = np.atleast_1d(enough(tried))
        first = int(np.argmax(good)) if good.any() else len(tried)
        ends = np.r_[low, tried, np.inf]
        return ends[first], ends[first + 1]

    low, high = 1.0, np.inf
    doubled: Array = start * np.exp2(np.arange(at_once))
    while np.isinf(high):
        if doubled[0] > MOST:
            raise InferenceError(f"Even {MOST:.0e} cases are too few for this.")
        low, high = narrowed(low, doubled[doubled <= MOST])
        doubled = low * np.exp2(np.arange(1, at_once + 1))

    while high - low > 1:
        inside = low + (high - low) * np.arange(1, at_once + 1) // (at_once + 1)
        found = narrowed(low, np.unique(inside[inside > low]))
        low, high = found[0], min(found[1], high)
    return max(int(high), 2)


def fewest_exact(world: World, start: int, wanted: float) -> Plan:
    """The fewest cases from which on, as far as was looked, the power does not fall back."""
    sizes = np.arange(max(2, int(0.7 * start)), int(1.2 * start) + 10)
    plan = planned(world, sizes.astype(np.float64), "exact")
    short = np.flatnonzero(np.asarray(plan.power) < wanted)
    n = sizes[0] if short.size == 0 else sizes[min(short[-1] + 1, len(sizes) - 1)]
    return planned(world, np.float64(n), "exact")


def smallest(world: World, n: float, wanted: float) -> float:
    base = world.informedness

    def lack(informedness: Array) -> Array:
        found = analytic_power(replace(world, informedness=float(informedness)), n)
        return np.asarray(found, float) - wanted

    top = 1 - 1e-9
    if base >= top or lack(np.asarray(top)) < 0:
        return float("nan")
    return float(root(lack, base + 1e-12, top, tolerance=1e-10))
