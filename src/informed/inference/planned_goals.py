"""Cases that show a measure to be above a goal: sensitivity above .9, informedness above .7, kappa above .6.

A share of one class (recall, inverse recall) or of all cases (accuracy) is binomial, and the power is that of the test
itself, the mid-P test, over all numbers of successes. For any other measure the world is the papers' mixture at which
it has its value, and the power a normal approximation with the spread at the goal and at the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, plain
from informed.errors import InferenceError, one_of
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.inference import planned_variance as planning
from informed.inference.given import SEED, generator, is_number, standard_normal
from informed.inference.influence import cells_of, functional, influence
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.known_worlds import EXACT_UP_TO, MOST, Plan, World
from informed.inference.planned_widths import MOST_CELLS, draws_of
from informed.inference.possible_tables import drawn, tables
from informed.inference.proportions import clopper_pearson, mid_p
from informed.inference.roots import root
from informed.inference.tests import test
from informed.inference.two_class_power import TIED
from informed.measures import Measure, MeasureLike, find
from informed.measures.titles import in_words
from informed.results import Note, warning

REACH = 9  # standard errors beyond which numbers of cases and successes are not looked at
SOME = 1200  # numbers of cases or successes that are looked at where there are more
FEW_CASES = 20  # cases of the rarest class or label below which a normal approximation is up to .15 off
ALL = "cases"
LOOKS = {"two-sided": "told from", "greater": "shown to be above", "less": "shown to be below"}
RARE_GOAL = warning(
    f"fewer than {FEW_CASES} cases are expected of a class or label, where the normal approximation is rough: check it "
    "with `informed.power(n, …, method='simulation')`",
    "rough-approximation",
)


@dataclass(frozen=True)
class Goal:
    """What is true of a measure, what it is to be told from, and what n cases show of that."""

    measure: Measure
    value: float
    goal: float | None  # None: only the width of its interval is asked for
    base: World  # classes, level and side
    counted: str = ALL  # what n counts: all cases, or those that a share is of

    @classmethod
    def checked(cls, measure: MeasureLike, value: Any, goal: Any, prevalence: Any, **named: Any) -> Goal:
        """As it was asked for; refused where it makes no sense."""
        m = find(measure)
        base = World.checked(0.0, prevalence, **named)
        if reason := why_none(m, len(base.prevalence)):
            raise InferenceError(f"{reason} So no number of cases is planned for it; plan for informedness.")
        if m.facts.classes == "two" and len(base.prevalence) > 2:
            raise InferenceError(f"{m} is about two classes, and there are {len(base.prevalence)}.")
        low, high = m.facts.bounds
        for name, x in (("value", value), ("goal", goal)):
            said = f"`goal` is {x!r}" if name == "goal" else f"{m} is {x!r}"
            if x is not None and not (is_number(x) and low <= x <= high):
                raise InferenceError(f"{said}; it must be a number between {low:g} and {high:g}.")

        counted = m.facts.needs[0] if _of_class(m) and prevalence is None else ALL
        if counted == ALL and m.side == "predicted" and _of_class(m):
            raise InferenceError(
                f"{m} is a share of the {m.facts.needs[0]}, whose number `prevalence` does not tell; without it, n is "
                "so many of them."
            )
        return cls(m, float(value), None if goal is None else float(goal), base, counted)

    # ------------------------------------------------------------------ what units ask of a world

    @property
    def alpha(self) -> float:
        return self.base.alpha

    @property
    def alternative(self) -> str:
        return self.base.alternative

    @property
    def prevalence(self) -> Array:
        """Shares of what a spread is known from: of the class alone where that is what is counted."""
        if self.counted != ALL:
            return np.ones(1)
        return np.array([self.trials]) if self.is_share else np.asarray(self.base.prevalence)

    # ------------------------------------------------------------------ the truth

    @property
    def of_two(self) -> bool:
        """Whether n counts cases of two classes, so many of which are positive."""
        return self.counted == ALL and len(self.base.prevalence) == 2

    @property
    def is_share(self) -> bool:
        """Whether it is binomial."""
        return self.measure.facts.is_share and not self.measure.facts.abstentions and self.measure.as_stated

    @property
    def trials(self) -> float:
        """The share of the cases that a proportion is of."""
        if self.counted != ALL or not _of_class(self.measure):
            return 1.0
        return float(self.base.prevalence[0 if self.measure.facts.needs == ("real positives",) else 1])

    def truth(self, value: float) -> Array:
        """Shares of the cells where the measure has this value."""
        real, guess = self.base.prevalence, self.base.guess

        def lack(known: Array) -> Array:
            found = tables(np.moveaxis(mixture(np.asarray(known)[..., None], real, guess), 0, -1))
            return np.asarray(self.measure(found)) - value

        ends = np.array([1e-9, 1 - 1e-9])
        ends = ends if np.diff(lack(ends))[0] >= 0 else ends[::-1]  # knowledge lowers a negative likelihood ratio
        low, high = lack(ends)
        if not (low <= 1e-6 and high >= -1e-6):
            least, most = value + low, value + high
            raise InferenceError(
                f"{self.measure} lies between {least:.4g} and {most:.4g} where a system knows or guesses as this one "
                f"does, and {value:g} does not; `guess` says how it guesses."
            )
        if low >= 0 or high <= 0:
            return mixture(float(ends[0 if low >= 0 else 1]), real, guess)
        return mixture(float(root(lack, ends[:1], ends[1:])[0]), real, guess)

    @cached_property
    def worlds(self) -> tuple[Array, Array]:
        """The truth, and the world that it is told from."""
        return self.truth(self.value), self.truth(self.value if self.goal is None else self.goal)

    @property
    def words(self) -> str:
        if self.goal is None:
            return f"{in_words(self.measure)} {self.value:g}"
        return f"{in_words(self.measure)} {self.value:g} {LOOKS[self.alternative]} {self.goal:g}"

    def check(self, power: float) -> None:
        """Refuse what no number of cases shows."""
        if self.goal is None:
            raise InferenceError(f"What is {self.measure} {self.value:g} to be told from? Give `goal`, or `width`.")
        if not self.alpha < power < 1:
            raise InferenceError(f"`power` is {power}; it must lie between 1 − level = {self.alpha:g} and 1.")
        there = {
            "two-sided": self.value != self.goal,
            "greater": self.value > self.goal,
            "less": self.value < self.goal,
        }
        if not there[self.alternative]:
            looked = LOOKS[self.alternative]
            raise InferenceError(
                f"{self.measure} {self.value:g} cannot be {looked} {self.goal:g} by any number of cases."
            )

    # ------------------------------------------------------------------ what n cases show

    def chosen(self, n: Any, method: str) -> str:
        """Every number of successes where it is a share, else the approximation."""
        one_of("method", method, ("auto", "analytic", "exact", "simulation"), InferenceError)
        if method == "exact" and not self.is_share:
            raise InferenceError(f"`method='exact'` is for shares such as recall, and {self.measure} is none.")
        if method != "auto":
            return method
        return "exact" if self.is_share and np.all(np.asarray(n) <= MOST) else "analytic"

    def is_rough(self, n: Any) -> NDArray[np.bool_]:
        """For how many cases a class or label is too rare for the normal approximation of a measure of all of them."""
        rarest = min(self.base.prevalence.min(), self.base.guess.min())
        return np.asarray((np.asarray(n) * rarest < FEW_CASES) & (not self.is_share))

    def power(self, n: Any, method: str = "analytic") -> Array:
        """The chance to show it in n cases."""
        assert self.goal is not None
        cases = np.asarray(n, dtype=np.float64)
        if method == "analytic":
            return self._normal(cases)
        if (cases != np.rint(cases)).any():
            raise InferenceError(f"`n` is {n!r}; tables have whole numbers of cases.")
        one: Callable[[int], Any] = self._binomial if method == "exact" else self._simulated
        return np.array([one(int(x)) for x in cases.ravel()]).reshape(cases.shape)

    def _normal(self, cases: Array) -> Array:
        """By the spread at the goal, where the critical value lies, and at the truth."""
        assert self.goal is not None
        into = np.log if self.measure.facts.scale == "log" else np.asarray
        there, here = (np.sqrt(self._variance(x)) for x in (self.goal, self.value))
        shift = (into(self.value) - into(self.goal)) / there * np.sqrt(cases)
        return planning.normal_power(shift, here / there, self.alpha, self.alternative)

    def _variance(self, value: float) -> float:
        """Of the measure, or of its logarithm, times the number of cases."""
        if self.is_share:
            return value * (1 - value) / self.trials
        t = Table.from_counts(self.worlds[int(value == self.goal)])
        p = cells_of(t)
        slopes = functional(self.measure, t).gradient(p, np.ones(()))
        spread = float(influence(p, slopes)[1])
        return spread / value**2 if self.measure.facts.scale == "log" else spread

    def _binomial(self, n: int) -> float:
        """Over all numbers of cases of the class, and of successes among them."""
        of = np.array([n], dtype=np.float64)
        weight = np.ones(1)
        if self.trials < 1:
            from scipy.stats import binom

            reach = REACH * np.sqrt(n * self.trials * (1 - self.trials)) + 2
            first, last = max(0, int(n * self.trials - reach)), min(n, int(n * self.trials + reach) + 1)
            of = some_of(first, last)
            weight = binom.pmf(of, n, self.trials)
            weight = weight / weight.sum()
        return float(weight @ self.rejected(of))

    def rejected(self, of: Array) -> Array:
        """The chance that the mid-P test of so many trials rejects."""
        from scipy.stats import binom

        assert self.goal is not None
        tail = self.alpha / (2 if self.alternative == "two-sided" else 1) * TIED
        found = np.zeros(of.shape)
        if self.alternative != "less":
            found += binom.sf(_first_beyond(of, self.goal, tail) - 1, of, self.value)
        if self.alternative != "greater":  # failures in place of successes
            found += binom.sf(_first_beyond(of, 1 - self.goal, tail) - 1, of, 1 - self.value)
        return found

    def _simulated(self, n: int) -> float:
        """The share of drawn tables in which the test shows it."""
        assert self.goal is not None
        rng, draws = generator(self.base.rng), self.base.n_draws
        if self.is_share:
            of = rng.binomial(n, self.trials, draws) if self.trials < 1 else np.full(draws, n)
            right = rng.binomial(of, self.value)
            stack = tables(np.array([[right, right * 0], [of - right, right * 0]], dtype=np.float64))
            asked = "recall"
        else:
            stack, asked = tables(drawn(rng, n, self.worlds[0], draws)), str(self.measure)
        how: Any = self.alternative
        p = np.asarray(test(stack, asked, against=self.goal, alternative=how).pvalue)
        return float((p < self.alpha * TIED).mean())

    def width(self, n: Any) -> Array:
        """Of the default interval: of a share its mean over what is seen, else that of the table that is expected."""
        cases = np.asarray(n, dtype=np.float64)
        if self.is_share:
            far = 2 * standard_normal(self.base.level) * np.sqrt(self._variance(self.value) / cases)
            few = (cases <= EXACT_UP_TO) | (cases * self.trials * self.value * (1 - self.value) < FEW_CASES)
            of = np.where(few, cases * self.trials, np.nan)
            near = [np.nan if np.isnan(x) else self._mean_width(x) for x in of.flat]
            return np.where(few, np.reshape(near, cases.shape), far)
        seen = tables(self.worlds[0][..., None] * cases.ravel())
        return np.asarray(interval(seen, self.measure, level=self.base.level).width).reshape(cases.shape)

    def widths(self, n: int) -> Array | None:
        """Widths of the intervals of drawn samples of n cases; None where tables are too large for that."""
        given, draws = self.base.rng, self.base.n_draws
        rng = generator(given if not isinstance(given, np.random.Generator) else SEED)
        if self.is_share:
            of = rng.binomial(n, self.trials, draws) if self.trials < 1 else np.full(draws, n)
            low, high = mid_p(rng.binomial(of, self.value).astype(float), of.astype(float), self.base.level)
            return np.asarray(np.where(of > 0, high - low, np.nan))
        cells = self.worlds[0].size
        if cells > MOST_CELLS:
            return None
        seen = tables(drawn(rng, n, self.worlds[0], draws_of(draws, cells)))
        return np.asarray(interval(seen, self.measure, level=self.base.level).width)

    def _mean_width(self, of: float) -> float:
        from scipy.stats import binom

        trials = max(round(of), 1)
        reach = REACH * np.sqrt(trials * self.value * (1 - self.value)) + 2
        middle = trials * self.value
        seen = some_of(max(0, int(middle - reach)), min(trials, int(middle + reach) + 1))
        low, high = mid_p(seen, np.full(seen.shape, float(trials)), self.base.level)
        weight = binom.pmf(seen, trials, self.value)
        return float(weight @ (high - low) / weight.sum())

    def planned(self, n: Any, method: str) -> Plan:
        """What n cases show."""
        rough = self.is_rough(n)
        by_draws = method == "auto" and self.goal is not None and np.any(rough & (np.asarray(n) == np.rint(n)))
        method = "simulation" if by_draws else self.chosen(n, method)
        more: dict[str, Any] = {"notes": (RARE_GOAL,)} if method == "analytic" and rough.any() else {}
        power = np.full(np.shape(n), np.nan) if self.goal is None else self.power(n, method)
        if method == "simulation" and self.goal is not None:
            draws = self.base.n_draws
            low, high = clopper_pearson(np.rint(power * draws), np.asarray(draws), 0.95)
            note = Note(f"{draws} tables were drawn for each n", code="drawn")
            more = {"notes": (note,), "power_low": plain(low), "power_high": plain(high)}
        return self.plan(n, power, self.width(n), method=method, **more)

    def plan(self, n: Any, power: Array, width: Array, **more: Any) -> Plan:
        """A plan for this goal."""
        numbers = {"n": plain(n), "power": plain(power), "width": plain(width)}
        held: dict[str, Any] = {"measure": str(self.measure), "value": self.value, "counted": self.counted}
        held |= {"level": self.base.level, "alternative": self.alternative, "goal": self.words}
        held |= {"prevalence": float(self.base.prevalence[0])} if self.of_two else {}
        known = self.value if str(self.measure) == "informedness" else np.nan
        held |= {"informedness": known, "against": np.nan if self.goal is None else self.goal}
        return Plan(**{**held, **numbers, **more})

    def smallest(self, n: float, wanted: float, method: str) -> float:
        """The smallest value above the goal that n cases show with this power; NaN where none does."""
        assert self.goal is not None
        top = min(float(self.measure.facts.bounds[1]), 1e6) - 1e-9

        def lack(value: Array) -> Array:
            held = replace(self, value=float(value))
            return np.asarray(held.power(np.float64(n), method)) - wanted

        if self.goal >= top or lack(np.asarray(top)) < 0:
            return float("nan")
        return float(root(lack, self.goal + 1e-9, top, tolerance=1e-9))


def some_of(first: int, last: int, most: int = SOME) -> Array:
    """All whole numbers between two, or some in even steps where there are many."""
    return np.unique(np.linspace(first, last, min(last - first, most) + 1).round())


def _of_class(m: Measure) -> bool:
    """Whether it is a share of the cases of one class or label."""
    return m.facts.is_share and m.as_stated and m.facts.needs[0].split()[0] in ("real", "predicted")


def _first_beyond(of: Array, share: float, tail: float) -> Array:
    """The fewest successes, of each number of trials, whose mid-P tail at this share is below `tail`; one more than
    there are trials where none is."""
    from scipy.stats import binom

    low, high = np.full(of.shape, -1.0), of + 1
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        beyond = binom.sf(middle, of, share) + binom.pmf(middle, of, share) / 2 < tail
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return high
