"""A number of cases that come in units: how many units are worth as many independent cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.known_worlds import TRIED, Plan, fewest
from informed.results import Note


def checked_units(unit_size: float | None, icc: float, like: Table | None) -> tuple[float, float, str, str]:
    """Cases in a unit, cases that are worth one independent case, what a unit is called, and what it holds.

    Answers to one item share its weight, and count one each here.
    """
    if like is not None:
        if unit_size is not None or icc:
            raise InferenceError("Give `like`, or `unit_size` and `icc`, not both.")
        if like.units is None or like.shape:
            raise InferenceError("`like` is one table with units: read it with `unit=`.")
        size = float(like.rows) / float(like.units.n)
        held = "cases" if like.cases is None or like.units.of == "case" else "answers"
        return size, float(like.design_effect("informedness")), like.units.name, held
    if unit_size is None or not unit_size >= 1:
        raise InferenceError(f"`unit_size` is {unit_size}; a unit holds at least one case.")
    if not 0 <= icc <= 1:
        raise InferenceError(f"`icc` is {icc}; it must lie between 0 and 1.")
    return float(unit_size), 1 + (unit_size - 1) * icc, "unit", "cases"


def in_units(plan: Plan, size: float, effect: float, name: str, held: str, power: float, rarest: float) -> Plan:
    """The same plan in units: the fewest u that are at least n·D/m, and more by the quantiles of t with as many units
    instead of the normal ones.

    The spread between units is known from those of the rarest class, which may be few.
    """
    from scipy.special import ndtri, stdtrit

    alpha = 1 - plan.level
    tail = 1 - (alpha / 2 if plan.alternative == "two-sided" else alpha)
    first = plan.n * effect / size

    def enough(units: Array) -> Any:
        df = np.maximum(units * rarest - 1, 1)
        wider = (stdtrit(df, tail) + stdtrit(df, power)) / (ndtri(tail) + ndtri(power))
        return units >= first * wider**2

    units = float(fewest(enough, 2, at_once=TRIED))
    said = (
        f"{units:,g} {name}s of {size:.3g} {held}: {effect:.3g} {held} are worth one that is independent, and "
        f"{plan.n:,g} independent ones are enough"
    )
    note = Note(said, code="in-units")
    plan = replace(plan, unit_size=size, unit=name, held=held, notes=(*plan.notes, note))
    return replace(plan, n=units * size, units=units)
