"""A number of cases that come in units: how many units are worth as many independent cases, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from informed._arrays import Array, plain
from informed._numbers import plural
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.known_worlds import TRIED, Plan, fewest
from informed.inference.sample import repeated
from informed.measures import MeasureLike
from informed.results import Note


class Question(Protocol):
    """What is asked of units."""

    @property
    def alpha(self) -> float: ...
    @property
    def alternative(self) -> str: ...
    @property
    def prevalence(self) -> Any: ...


@dataclass(frozen=True)
class Grouped:
    """How cases come in units."""

    size: float  # cases in a unit
    effect: float  # cases that are worth one independent case
    name: str = "unit"
    held: str = "cases"  # what a unit holds: cases, or the answers to one item
    alone: bool = False  # whether units are as good as single cases, whose spread needs no estimate

    def wider(self, units: Array, world: Question, power: float) -> Array:
        """Quantiles of t with so many units instead of the normal ones.

        The spread between units is known from those of the rarest class, which may be few.
        """
        from scipy.special import ndtri, stdtrit

        if self.alone:
            return np.ones_like(units)
        tail = 1 - (world.alpha / 2 if world.alternative == "two-sided" else world.alpha)
        df = np.maximum(units * float(world.prevalence.min()) - 1, 1)
        return np.asarray((stdtrit(df, tail) + stdtrit(df, power)) / (ndtri(tail) + ndtri(power)))

    def independent(self, cases: Array, world: Question, power: float) -> Array:
        """Whole independent cases that are worth so many of these: n/D, fewer by the quantiles of t."""
        worth = cases / self.effect / self.wider(cases / self.size, world, power) ** 2
        return np.maximum(np.floor(worth + 1e-9), 2.0)

    def told(self, plan: Plan, units: Any, said: str) -> Plan:
        """A plan for independent cases, as one for units of these."""
        units = plain(np.asarray(units, dtype=np.float64))
        many = f"{self.effect:.3g}"
        worth = "each is worth" if many == "1" else f"{many} {self.held} are worth"
        worth = f"{worth} one that is independent"
        if np.ndim(units) == 0:
            many = plural(float(units), self.name)
            worth = (
                f"{many} of {self.size:.3g} {self.held}: {worth}, and {float(plan.n):,g} independent ones are {said}"
            )
        note = Note(worth, code="in-units")
        notes = plan.notes if self.size == 1 else (*plan.notes, note)
        known: dict[str, Any] = {"unit_size": self.size, "unit": self.name, "held": self.held, "notes": notes}
        return replace(plan, n=units * self.size, units=units, **known)


def grouped(
    unit_size: float | None, icc: float | None, like: Table | None, measure: MeasureLike = "informedness"
) -> Grouped | None:
    """What is said of units; None where nothing is.

    Answers to one item share its weight, and count one each here.
    """
    if like is not None:
        if unit_size is not None or icc is not None:
            raise InferenceError("Give `like`, or `unit_size` and `icc`, not both.")
        if like.units is None or like.shape:
            raise InferenceError("`like` is one table with units: read it with `unit=` or `item=`.")
        if like.units.n < 2:
            raise InferenceError("`like` has one unit; how much alike the cases of units are takes two at least.")
        size = float(like.rows) / float(like.units.n)
        held = "cases" if like.cases is None or like.units.of == "case" else "answers"
        held = held.removesuffix("s") if size == 1 else held
        alone = repeated(like) is None
        return Grouped(size, float(like.design_effect(measure)), like.units.name, held, alone)
    if unit_size is None and icc is None:
        return None
    if unit_size is None or icc is None:
        raise InferenceError(
            "`unit_size` says how many cases come in a unit and `icc` how much alike they are; give both."
        )
    if not unit_size >= 1:
        raise InferenceError(f"`unit_size` is {unit_size}; a unit holds at least one case.")
    if not 0 <= icc <= 1:
        raise InferenceError(f"`icc` is {icc}; it must lie between 0 and 1.")
    return Grouped(float(unit_size), 1 + (unit_size - 1) * icc, alone=unit_size == 1)


def in_units(plan: Plan, groups: Grouped, world: Question, power: float) -> Plan:
    """The same plan in units: the fewest u that are at least n·D/m, and more by the quantiles of t."""
    first = plan.n * groups.effect / groups.size

    def enough(units: Array) -> Any:
        return units >= first * groups.wider(units, world, power) ** 2

    units = fewest(enough, 2, at_once=TRIED)
    return groups.told(plan, units, "enough")


def shares_of(t: Table, *, sided: bool = False) -> list[float]:
    """Shares of the classes that a table holds; `sided`, that of the positive one of two first."""
    there = t.real_totals > 0
    shares = [float(x) for x in t.real_totals[there] / t.total]
    second = sided and t.positive is not None and len(shares) == 2 and t.real_labels[1] == t.positive
    return shares[::-1] if second else shares
