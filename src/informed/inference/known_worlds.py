"""A world in which the truth is known, and what n cases show in it: by formula, table or draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Floats, plain
from informed._numbers import percent, plural, rate
from informed.errors import InferenceError, one_of
from informed.evidence.cells import mixture
from informed.evidence.checks import distribution
from informed.inference import planned_tests, two_class_power
from informed.inference import planned_variance as planning
from informed.inference.given import (
    BETWEEN,
    SEED,
    Rng,
    checked_draws,
    checked_level,
    generator,
    is_number,
    standard_normal,
)
from informed.inference.hypothesis import SIDES, normal_tail
from informed.inference.intervals import interval
from informed.inference.planned_widths import MOST_CELLS, draws_of
from informed.inference.possible_tables import drawn, tables
from informed.inference.proportions import clopper_pearson
from informed.inference.roots import root
from informed.inference.tests import test
from informed.inference.two_class_power import PAGE, TIED, WHOLE, Some
from informed.results import Kind, Note, Records, Result, finite, warning

EXACT_UP_TO = 5000  # cases of two classes whose every table is weighed
CLOSE_FROM, CLOSE_CELL = 200, 20  # cases, in all and in the smallest cell, from which on a page shows the approximation
MOST_HITS = 1e5  # variance of the hits of a guesser up to which every table of more cases is weighed
WIDE = 20_000  # predicted margins, between those of several systems, from which on each system is weighed alone
LOOKED_AT = 40  # numbers of cases around the one looked for, where power goes up and down
RARE, OUTSIDE = 5, 16  # cases expected of a class or label, and outside the largest class, that the approximation wants
LUCKY = 2  # hits outside the largest class that are expected of chance, which it wants as well
TRIED = 32  # numbers of cases that a search in closed form asks about together
MOST = 10**9  # cases that are ever looked for
MOST_CLASSES = 1000  # whose tables are still planned with in seconds
FEW = (
    "fewer than 5 cases are expected of a class or label, or fewer than 2 hits of chance outside the largest class, "
    "where the normal approximation promises too much"
)
UNEVEN = (
    "with fewer than 100 cases of two classes power goes up and down, and the normal approximation may promise too much"
)
ROUGH = warning(f"{FEW}: use `method='simulation'`, or 'exact' for two classes", "rough-approximation")
STEPS = warning(f"{UNEVEN}: use `method='exact'`", "rough-steps")


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """What n cases can show: numbers for one n, arrays for several."""

    page = "inference"
    kinds: ClassVar[Mapping[str, Kind]] = {"n": "count", "units": "count"}

    n: Floats  # cases; of each system, where two are compared on different cases
    power: Floats  # chance of p < 1 − level
    width: Floats  # expected width of the interval of the informedness, or of the difference
    informedness: Floats
    against: Floats  # what it is compared with: 0 is chance
    level: float
    alternative: str
    goal: str  # what is to be found, in words
    method: str
    power_low: Floats | None = None  # 95 % interval of a power found by simulation
    power_high: Floats | None = None
    units: Floats | None = None  # where cases come in units: how many of them are needed
    unit_size: float = 1.0  # and cases in each
    unit: str = "unit"
    held: str = "cases"  # what a unit holds: cases, or the answers to one item
    measure: str = "informedness"  # what is planned for, where a goal or a width of another measure is
    value: Floats = np.nan  # and what it is
    counted: str = "cases"  # what n counts: cases, or only those that a share is of, such as real positives
    prevalence: float = np.nan  # of the positive of two classes, where all cases are counted for a goal
    assurance: float = np.nan  # of a width: the share of samples whose interval is no wider
    notes: tuple[Note, ...] = ()

    def metrics(self) -> dict[str, float]:
        """Its numbers; of several n those that depend on n, which their names end with."""
        if not np.ndim(self.n):
            return super().metrics()
        names = [x for x in ("power", "width") if np.ndim(getattr(self, x))]
        rows = [(f"{name}_{n:g}", x) for name in names for n, x in zip(self.n, getattr(self, name), strict=True)]
        return finite(dict(rows))

    def records(self) -> Records:
        """One row for each n; without units nothing of them, and of measures what is planned for."""
        held = super().records()
        lacking = [] if self.units is not None else ["unit_size", "unit", "held"]
        lacking += ["measure", "value", "counted"] if self.measure == "informedness" else ["informedness"]
        lacking += [name for name in ("prevalence", "assurance") if np.isnan(getattr(self, name))]
        lacking += ["power", "against", "alternative"] if np.isnan(self.against).all() else []  # a width alone
        kept = [i for i, name in enumerate(held.names) if name not in lacking]
        return Records(tuple(held.columns[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in held.rows))

    def sentence(self) -> str:
        """What so many cases show, and how surely."""
        if np.ndim(self.n):
            return f"{self.goal}, by {np.size(self.n):,} numbers of {self.counted} ({self.method})"
        many = f"{float(self.n):,g} {self.counted}"
        if self.units is not None:
            many = f"{plural(float(self.units), self.unit)} of {self.unit_size:.3g} {self.held}"
        elif not np.isnan(self.prevalence):
            many += f" (about {round(float(self.n) * self.prevalence):,} real positives)"
        of = " of the difference" if np.isnan(self.value) and self.against else ""
        width = f"the {percent(self.level)} interval{of} is expected to be {rate(float(self.width))} wide"
        surely = (
            f" with a power of {percent(float(self.power))} at a significance level of {100 * (1 - self.level):.3g} %"
        )
        if not np.isnan(self.assurance):
            width = f"{width}, and no wider than asked for in {percent(self.assurance)} of samples"
        return f"{many}: {self.goal}{'' if np.isnan(self.power) else surely}; {width} ({self.method})"


@dataclass(frozen=True)
class World:
    """The truth, and the question; and what n cases show in it."""

    informedness: float
    prevalence: Any = None  # an array, one share a class, once it is completed
    k: int = 2
    guess: Any = None  # likewise
    against: float | None = None
    paired: bool = False
    shared: float = 0.0
    level: float = 0.95
    alternative: str = "two-sided"
    rng: Rng = None
    n_draws: int = 4000

    @classmethod
    def checked(cls, *asked: Any, **named: Any) -> World:
        """A world as it was asked for, completed; refused where it makes no sense."""
        w = cls(*asked, **named)
        if not is_number(w.k) or w.k != int(w.k) or w.k < 2:
            raise InferenceError(f"`k` is {w.k!r}; at least two classes are needed, as a whole number.")
        if max(w.k, *(np.size(x) for x in (w.prevalence, w.guess))) > MOST_CLASSES:
            raise InferenceError(
                f"Power and sample size are computed for up to {MOST_CLASSES:,} classes, not for more."
            )
        real = np.full(w.k, 1 / w.k) if w.prevalence is None else distribution(w.prevalence, "prevalence")
        said = real if w.guess is None else distribution(w.guess, "guess")
        if len(real) != len(said):
            raise InferenceError(f"`guess` names {len(said)} classes and `prevalence` {len(real)}.")
        if np.count_nonzero(real) < 2 or np.count_nonzero(said) < 2:
            raise InferenceError("At least two classes must occur, and two labels be guessed.")

        for name, value in (("informedness", w.informedness), ("against", w.against), ("shared", w.shared)):
            if value is not None and not (is_number(value) and 0 <= value <= 1):
                raise InferenceError(f"`{name}` is {value if is_number(value) else repr(value)}; {BETWEEN}.")
        if w.paired and w.against is None:
            raise InferenceError("`paired` compares two systems: give `against`, the other's.")
        checked_level(w.level)
        checked_draws(w.n_draws)
        one_of("alternative", w.alternative, SIDES, InferenceError)
        return replace(w, informedness=float(w.informedness), prevalence=real, guess=said)

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

    def plus_four(self, seen: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Informedness, or its difference, with four pseudo-cases, and its variance, in the counts
        that are seen of a truth."""
        if self.paired:
            return planning.plus_four_jointly(seen(self.joint))
        value, variance = planning.plus_four(seen(self.truth))
        if self.against is None:
            return value, variance
        other, more = planning.plus_four(seen(self.other))
        return value - other, variance + more

    @property
    def of_two(self) -> bool:
        """Whether it is about one system of two classes against chance, whose every table can be weighed."""
        return self.against is None and len(self.prevalence) == 2

    def chosen(self, n: Any, method: str) -> str:
        """The way to find the power: every table where that can be done, drawn ones where the approximation promises
        too much, else the approximation."""
        one_of("method", method, ("auto", "analytic", "exact", "simulation"), InferenceError)
        cases = np.asarray(n)
        if method != "auto":
            return method
        if self.against is not None or (cases != np.rint(cases)).any():
            return "analytic"
        if self.of_two and self.weighed(cases).any():
            return "exact"
        few = cases * (1 - self.prevalence.max()) < OUTSIDE
        rough = (few & self._rare(cases)) | self._unlucky(cases)
        return "simulation" if np.any(rough & (cases <= MOST)) else "analytic"

    def _rare(self, n: Any) -> NDArray[np.bool_]:
        """For how many cases a class or label is rare."""
        return np.asarray(np.asarray(n) * min(self.prevalence.min(), self.guess.min()) < RARE)

    def _unlucky(self, n: Any) -> NDArray[np.bool_]:
        """For how many cases chance hits next to nothing outside the largest class, so that single hits decide."""
        return np.asarray(np.asarray(n) * (1 - self.prevalence.max()) * (1 - self.guess.max()) < LUCKY)

    def rough(self, n: Any) -> tuple[Note, ...]:
        """What the normal approximation is not good for: rare classes and labels, and the steps of few cases."""
        steps = self.of_two and np.any(np.asarray(n) < 100)
        return (ROUGH,) * bool((self._rare(n) | self._unlucky(n)).any()) + (STEPS,) * bool(steps)

    def power(self, n: Any) -> Array:
        """The chance to find it in n cases, by a normal approximation."""
        if self.against is None:
            return self._closed(n, self.informedness)
        if self.paired:
            variance = planning.joint_variance(self.joint)
        else:
            own, others = (planning.variance_of(p, planning.influence(p)) for p in (self.truth, self.other))
            variance = own + others
        shift = (self.informedness - self.against) / np.sqrt(variance / n)
        return planning.normal_power(shift, 1.0, self.alpha, self.alternative)

    def _closed(self, n: Any, informedness: Any) -> Array:
        """The same against chance, of several numbers of cases or of several systems."""
        return planned_tests.power(n, informedness, self.prevalence, self.guess, self.alpha, self.alternative)

    def close(self, n: Any) -> NDArray[np.bool_]:
        """For how many cases the approximation is within .01 of every table weighed, or .016 of even classes.

        Two classes, any guess: 200 cases, and 20 in the smallest cell that is expected of chance.
        """
        cases = np.asarray(n, dtype=np.float64)
        smallest = cases * self.prevalence.min() * self.guess.min()
        return np.asarray((cases >= CLOSE_FROM) & (smallest >= CLOSE_CELL))

    def weighed(self, n: Any) -> NDArray[np.bool_]:
        """For how many cases every table is weighed by default: the approximation fails for rare classes at any n."""
        cases = np.asarray(n, dtype=np.float64)
        return (cases <= EXACT_UP_TO) | (~self.close(cases) & (cases <= MOST))

    def chances(self, n: Any, informedness: Any = None) -> Array:
        """The power of several numbers of cases or of several systems, for a page: in closed form where that is
        close, else over some of the margins."""
        known = np.asarray(self.informedness if informedness is None else informedness)
        if self.against is not None or self.chosen(n, "auto") != "exact":
            return self.power(n) if informedness is None else self._closed(n, known)
        if known.ndim:
            return self._closed(n, known) if self.close(n) else _exact(self, int(n), known, PAGE)
        cases = np.asarray(n, dtype=np.float64)
        found = self._closed(cases, known)
        weighed = np.flatnonzero(~self.close(cases))
        found[weighed] = [_exact(self, int(cases[i]), known, PAGE) for i in weighed]
        return found

    def width(self, n: Any) -> Array:
        """Width of the interval of the table that is expected: of the default one for one system, of the plus-four one
        for two and for more classes."""
        n = np.asarray(n, dtype=np.float64)
        return self._widths(lambda truth: truth[..., None] * n.ravel()).reshape(n.shape)

    def widths(self, n: int) -> Array | None:
        """Widths of the intervals of drawn samples of n cases; None where tables are too large for that."""
        cells = (self.joint if self.paired else self.truth).size
        if cells > MOST_CELLS:
            return None
        rng = generator(self.rng if not isinstance(self.rng, np.random.Generator) else SEED)
        return self._widths(lambda truth: drawn(rng, n, truth, draws_of(self.n_draws, cells)))

    def _widths(self, seen: Callable[[Array], Array]) -> Array:
        if self.against is None and self.truth.size <= MOST_CELLS:
            return np.asarray(interval(tables(seen(self.truth)), "informedness", level=self.level).width)
        value, variance = self.plus_four(seen)
        half, most = standard_normal(self.level) * np.sqrt(variance), 1.0 if self.against is None else 2.0
        return np.asarray(np.minimum(value + half, most) - np.maximum(value - half, -most))

    def narrow_enough(self, width: float) -> int:
        """The fewest cases whose interval is expected to be no wider."""
        return fewest(lambda n: self.width(n) <= width, 4, at_once=TRIED)

    def planned(self, n: Any, method: str) -> Plan:
        """What n cases show, found in one of the three ways."""
        asked, method = method, self.chosen(n, method)
        more: dict[str, Any] = {}
        if method == "analytic":
            power = self.power(n)
            more["notes"] = self.rough(n)
        elif method == "exact":
            known = None if asked == "exact" else self.informedness  # asked for, or chosen where it can be done
            power = _each(n, lambda m: _exact(self, m, known) if known is None or self.weighed(m) else self.power(m))
        else:
            rng, draws = generator(self.rng), self.n_draws
            power = _each(n, lambda m: _simulated(self, m, rng))
            low, high = clopper_pearson(np.rint(power * draws), np.asarray(draws), 0.95)
            note = Note(f"{draws} tables were drawn for each n", code="drawn")
            more = {"notes": (note,), "power_low": plain(low), "power_high": plain(high)}
        return self.plan(n, power, self.width(n), method=method, **more)

    def plan(self, n: Any, power: Array, width: Array, **more: Any) -> Plan:
        """A plan for this world."""
        held = {name: getattr(self, name) for name in ("informedness", "level", "alternative", "goal")}
        numbers = {"n": plain(n), "power": plain(power), "width": plain(width), "against": self.against or 0.0}
        return Plan(**{"method": "analytic", **held, **numbers, **more})


def _each(n: Any, one: Callable[[int], Any]) -> Array:
    cases = np.asarray(n)
    if (cases != np.rint(cases)).any():
        raise InferenceError(f"`n` is {n!r}; tables have whole numbers of cases.")
    found = np.array([one(int(m)) for m in cases.ravel()])
    return found.reshape(cases.shape + found.shape[1:])


def _exact(world: World, n: int, informedness: Any = None, some: Some = WHOLE) -> Array:
    """The power over every table; in closed form where the tables are too many, which it is then close to."""
    if world.against is not None or len(world.prevalence) != 2:
        raise InferenceError("`method='exact'` is for one system of two classes against chance; use 'simulation'.")
    share, guess = float(world.prevalence[0]), float(world.guess[0])
    known = np.asarray(world.informedness if informedness is None else informedness, dtype=np.float64)
    said = known * share + (1 - known) * guess
    found = world._closed(n, known) if n > EXACT_UP_TO else np.full(known.shape, np.nan)
    few = (n <= EXACT_UP_TO) | ((n <= MOST) & (n * share * (1 - share) * said * (1 - said) <= MOST_HITS))
    if not np.any(few):
        if informedness is None:
            raise InferenceError(
                f"`method='exact'` weighs every table, and those of {n:,} cases are too many; `method='analytic'` is "
                "close there."
            )
        return found
    spread = n * float(np.ptp(said[few])) > WIDE  # then their predicted margins have little in common
    each = [few] if not spread else [np.arange(known.size).reshape(known.shape) == i for i in np.flatnonzero(few)]
    for at in each:
        found[at] = two_class_power.power(n, share, guess, known[at], world.alpha, world.alternative, some)
    return found


def _simulated(world: World, n: int, rng: np.random.Generator) -> float:
    """Share of drawn tables in which the test finds it."""
    if world.against is None:
        stack = tables(drawn(rng, n, world.truth, world.n_draws))
        p = test(stack, alternative=world.alternative).pvalue  # type: ignore[arg-type]  # checked
        return float((p < world.alpha * TIED).mean())
    gap, variance = world.plus_four(lambda truth: drawn(rng, n, truth, world.n_draws))
    p = normal_tail(gap / np.sqrt(variance), world.alternative)
    return float((p < world.alpha * TIED).mean())


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


class Planned(Protocol):
    """What can be asked for a plan of so many cases."""

    def planned(self, n: Any, method: str) -> Plan: ...


def fewest_exact(world: Planned, start: int, wanted: float) -> Plan:
    """The fewest cases from which on the power does not fall back below what is wanted.

    Power goes up and down by steps of a case. Of the numbers up to a quarter above the one where it first is
    enough (40 of them at most), the last that is not enough counts, and the one after it is the answer.
    """

    def enough(n: Array) -> Any:
        return world.planned(n, "exact").power >= wanted

    first = fewest(enough, max(4, start // 2))
    last = int(1.25 * first) + 10
    while True:
        tried = np.unique(np.linspace(first, last, LOOKED_AT).round())
        short = np.flatnonzero(~np.atleast_1d(enough(tried)))
        if short.size == 0:
            return world.planned(np.float64(first), "exact")
        if short[-1] < len(tried) - 1:
            return world.planned(np.float64(tried[short[-1] + 1]), "exact")
        first, last = last, int(1.25 * last) + 10


def smallest(world: World, n: float, wanted: float, method: str = "analytic") -> float:
    """The smallest informedness that n cases show with this power; NaN where none does. "page": as `chances`."""
    base, top = world.informedness, 1 - 1e-9
    if base >= top:
        return float("nan")
    if world.against is None:
        return _smallest_above_chance(world, n, wanted, method)

    def lack(informedness: Array) -> Array:
        return np.asarray(replace(world, informedness=float(informedness)).power(n), float) - wanted

    return float("nan") if lack(np.asarray(top)) < 0 else float(root(lack, base + 1e-12, top, tolerance=1e-10))


def _smallest_above_chance(world: World, n: float, wanted: float, method: str) -> float:
    """The smallest informedness that n cases show by the default test.

    Several are tried at once, then several between those two that the answer lies between; within
    .003 the quantile of power is straight.
    """
    from scipy.special import ndtri

    def reached_by(tried: Array) -> Array:
        if method == "page":
            return world.chances(n, tried)
        return _exact(world, int(n), tried) if method == "exact" else world._closed(n, tried)

    tried = np.r_[1e-12, np.linspace(0.0, 1.0, 16)[1:-1], 1 - 1e-9]
    while True:
        reached = reached_by(tried)
        if not reached[-1] >= wanted:
            return float("nan")
        last = int(np.argmax(reached >= wanted))
        if last == 0 or tried[last] - tried[last - 1] < 0.003:
            break
        tried = np.linspace(tried[last - 1], tried[last], 26 if tried[last] - tried[last - 1] > 0.02 else 16)
    if last == 0:
        return float(tried[0])
    before, after = ndtri(reached[last - 1 : last + 1])
    return float(tried[last - 1] + (ndtri(wanted) - before) / (after - before) * (tried[last] - tried[last - 1]))
