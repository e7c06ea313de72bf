"""Plans for a goal: the fewest cases that show it, and the smallest value that so many cases show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array, plain
from informed.errors import InferenceError
from informed.inference.known_worlds import TRIED, Plan, World, fewest, fewest_exact
from informed.inference.planned_goals import LOOKS, RARE_GOAL, Goal, some_of
from informed.inference.planned_widths import HINT, fewest_assured, reached
from informed.measures import MeasureLike, find
from informed.measures.titles import in_words
from informed.results import warning

TRIALS = 20_000  # numbers of trials that are tried at once, in even steps where there are more


def has_goal(measure: MeasureLike, goal: float | None, against: Any, paired: bool) -> bool:
    """Whether a plan is for a goal, or for another measure than informedness against chance."""
    m = find(measure)
    if str(m) == "informedness" and (goal is None or goal == 0):
        return False
    if against is not None or paired:
        raise InferenceError(
            "`goal` and `measure` are of one system, and `against` and `paired` compare two by informedness: give one "
            "of them."
        )
    return True


def fewest_for_goal(
    asked: Goal, power: float, width: float | None, method: str, assurance: float | None, *, known: bool
) -> Plan:
    """The fewest cases that show it with this power, or whose interval is no wider, as is expected or assured."""
    if width is not None:
        low, high = asked.measure.facts.bounds
        if not 0 < width < high - low:
            raise InferenceError(f"`width` is {width}; it must lie between 0 and {high - low:g}.")
        n = fewest(lambda x: asked.width(x) <= width, 4)
        words = f"an interval of width {width:g} for {in_words(asked.measure)} {asked.value:g}"
        return narrow(asked, n, width, assurance, words, method, known=known)

    asked.check(power)
    start = fewest(lambda x: asked.power(x) >= power, 4, at_once=TRIED)
    method = asked.chosen(start * np.array([1, 2]), method)
    if method == "analytic":
        return asked.planned(np.float64(start), method)
    if method == "exact":
        return _fewest_binomial(asked, start, power) if asked.trials == 1 else fewest_exact(asked, start, power)
    found = fewest(lambda x: asked.power(x, method) >= power, max(4, start // 2))
    return asked.planned(np.float64(found), method)


def narrow(
    asked: World | Goal, n: int, width: float, assurance: float | None, words: str, method: str, *, known: bool
) -> Plan:
    """The plan for a width: of so many cases, by which it is expected, or of more, by which it is assured; with the
    share of samples that have it, unless that is not `known`."""
    if assurance is not None:
        world = asked.base if isinstance(asked, Goal) else asked
        n = fewest_assured(asked, n, width, assurance, of_two=len(world.prevalence) == 2)
    plan = replace(asked.planned(np.float64(n), method), goal=words)
    share = reached(asked, n, width) if known else np.nan
    notes = () if assurance is not None or np.isnan(share) else (HINT,)
    return replace(plan, assurance=share, notes=(*plan.notes, *notes))


def _fewest_binomial(asked: Goal, start: int, power: float) -> Plan:
    """The fewest trials from which on the power never falls back below what is wanted, as far as half above."""
    first, last = 1, max(2 * start, 30)
    while True:
        tried = some_of(first, last, TRIALS)
        short = np.flatnonzero(asked.rejected(tried) < power)
        enough = tried[0] if not short.size else tried[short[-1] + 1] if short[-1] < len(tried) - 1 else np.inf
        if 1.5 * enough <= last:
            return asked.planned(np.float64(max(enough, 2)), "exact")
        first, last = last // 2, 2 * last


def shown_of_goal(asked: Goal, cases: Array, power: float, method: str) -> Plan:
    """The smallest value above the goal that so many cases show."""
    if not asked.alpha < power < 1:
        raise InferenceError(f"`power` is {power}; it must lie between 1 − level = {asked.alpha:g} and 1.")
    method = asked.chosen(cases, method)
    assert asked.goal is not None
    found = np.array([asked.smallest(float(x), power, method) for x in cases.ravel()]).reshape(cases.shape)
    known = np.where(np.isnan(found), asked.goal, found)
    widths = [float(replace(asked, value=float(v)).width(x)) for v, x in zip(known.ravel(), cases.ravel(), strict=True)]
    width = np.where(np.isnan(found), np.nan, np.reshape(widths, cases.shape))

    unseen = warning("even a perfect system would not be seen with this power", "unseen")
    said = f"the smallest {in_words(asked.measure)} {LOOKS[asked.alternative]} {asked.goal:g}"
    rough = method == "analytic" and bool(asked.is_rough(cases).any())
    notes = (unseen,) * bool(np.isnan(found).any()) + (RARE_GOAL,) * rough
    reached = np.where(np.isnan(found), np.nan, power)
    held: dict[str, Any] = {"value": plain(found), "goal": said, "method": method, "notes": notes}
    held |= {"informedness": plain(found)} if str(asked.measure) == "informedness" else {}
    return asked.plan(cases, reached, width, **held)
