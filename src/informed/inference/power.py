"""Planning: how many cases are needed, what a sample can show, and how surely.

Everything is asked of one model of the world, the papers' mixture: a system that knows with some
probability (its informedness) and otherwise guesses, at a given prevalence. Shares such as recall against a goal
are binomial.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, plain
from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.table import Table
from informed.inference.given import Rng
from informed.inference.goal_plans import fewest_for_goal, has_goal, narrow, shown_of_goal
from informed.inference.known_worlds import TRIED, Plan, World, fewest, fewest_exact, smallest
from informed.inference.planned_goals import Goal
from informed.inference.planned_units import Grouped, grouped, in_units, shares_of
from informed.inference.planned_widths import checked_assurance
from informed.measures import MeasureLike, find
from informed.results import warning

__all__ = ["Plan", "detectable", "power", "sample_size"]

Side = Literal["two-sided", "greater", "less"]
Way = Literal["auto", "analytic", "exact", "simulation"]
MOST_CASES = 1e15  # beyond which numbers are not whole any more
PLANNED = 0.8  # power for which the quantiles of few units are taken


@explained
def power(
    n: Any,
    informedness: float,
    *,
    prevalence: ArrayLike | None = None,
    k: int = 2,
    guess: ArrayLike | None = None,
    against: float | None = None,
    measure: MeasureLike = "informedness",
    goal: float | None = None,
    paired: bool = False,
    shared: float = 0.0,
    level: float = 0.95,
    alternative: Side = "two-sided",
    method: Way = "auto",
    rng: Rng = None,
    n_draws: int = 4000,
    unit_size: float | None = None,
    icc: float | None = None,
    like: Table | None = None,
) -> Plan:
    """The chance that n cases show what is there.

    Parameters
    ----------
    n
        Number of cases, or several numbers. Of two systems on different cases, of each. A table: as many
        independent cases as it is worth to informedness, and its classes.
    informedness
        How often the system knows.
    prevalence, k
        Shares of the classes (a number for the positive one of two); by default k even classes.
    guess
        What it says where it does not know; by default it guesses with the prevalence.
    against
        Informedness of a second system that this one is compared with; by default chance itself.
    measure, goal
        A value that a measure is told from by ``informed.test(t, measure, against=goal)``, and the measure, whose value
        is then given in the place of `informedness`: ``sample_size(0.95, measure="recall", goal=0.9)``. Without
        `prevalence`, n counts the cases that a share such as recall is of (real positives); with it, all cases.
    paired, shared
        Whether both systems see the same cases, and how much of what they know they know alike:
        0, what chance makes them share; 1, all that the worse one knows.
    level
        A test rejects where p < 1 − level; the width is that of an interval of this level.
    method
        "exact" weighs every table of two classes by the default test; "analytic" is a normal
        approximation; "simulation" draws tables and gives the error of what it finds. "auto" is exact
        for one system of two classes up to 5,000 cases, and beyond wherever a class or label is rare; simulation
        where the approximation promises too much (more classes with a rare one; a goal with fewer than 20 cases of
        the rarest class); and analytic elsewhere.
    unit_size, icc, like
        Where cases come in units (documents, items asked several times): how many come in each and how much alike
        they are, the correlation within a unit; or a table with units, which tell what one is worth to informedness,
        and whose classes are taken where no `prevalence` is given.

    >>> round(power(64, 0.3).power, 2), round(power(64, 0.3, method="analytic").power, 2)
    (0.65, 0.68)
    """
    groups = grouped(unit_size, icc, like, measure)
    sided = has_goal(measure, goal, against, paired)
    prevalence = _prevalence(prevalence, k, n, like, sided=sided)
    how = {"level": level, "alternative": alternative, "rng": rng, "n_draws": n_draws}
    world: World | Goal
    if sided:
        world = Goal.checked(measure, informedness, goal, prevalence, k=k, guess=guess, **how)
        world.check(PLANNED)
    else:
        world = World.checked(informedness, prevalence, k, guess, against, paired, shared, **how)
    cases, alone = _cases(n, groups, world, PLANNED, measure)
    return _told(world.planned(alone, method), groups, cases)


@explained
def sample_size(
    informedness: float,
    *,
    power: float = 0.8,
    width: float | None = None,
    assurance: float | None = None,
    prevalence: ArrayLike | None = None,
    k: int = 2,
    guess: ArrayLike | None = None,
    against: float | None = None,
    measure: MeasureLike = "informedness",
    goal: float | None = None,
    paired: bool = False,
    shared: float = 0.0,
    level: float = 0.95,
    alternative: Side = "two-sided",
    method: Way = "auto",
    rng: Rng = None,
    n_draws: int = 4000,
    unit_size: float | None = None,
    icc: float | None = None,
    like: Table | None = None,
) -> Plan:
    """The fewest cases that show it with this power, or whose interval is expected to be no wider than `width`.

    Parameters are those of `power`; the interval is at this level. About half of all samples have a wider one
    than is expected; with `assurance`, a share such as 0.8 of them has none that is wider (of independent cases, by
    drawn samples). The exact power goes up and down from one number of cases to the next: the answer is the smallest
    from which on it is as large as is wanted at up to 40 numbers that are looked at, as far as a quarter above.

    Where cases come in units the answer is a number of whole units, with more of them where those of the
    rarest class, from which the spread is known, are few.

    >>> sample_size(0.3).n, sample_size(0.3, width=0.2).n
    (87.0, 351.0)
    >>> sample_size(0.3, width=0.2, assurance=0.8).n
    360.0
    >>> sample_size(0.6, against=0.5, paired=True, shared=0.5).n
    935.0
    >>> sample_size(0.3, unit_size=6, icc=0.4).units
    48.0
    >>> sample_size(0.95, measure="recall", goal=0.9, alternative="greater").n
    186.0
    """
    groups = grouped(unit_size, icc, like, measure)
    sided = has_goal(measure, goal, against, paired)
    prevalence = _prevalence(prevalence, k, like, sided=sided)
    checked_assurance(assurance, width, in_units=groups is not None)
    how = {"level": level, "alternative": alternative, "rng": rng, "n_draws": n_draws}
    world: World | Goal
    if sided:
        world = Goal.checked(measure, informedness, goal, prevalence, k=k, guess=guess, **how)
        plan = fewest_for_goal(world, power, width, method, assurance, known=groups is None)
    else:
        world = World.checked(informedness, prevalence, k, guess, against, paired, shared, **how)
        plan = _fewest(world, power, width, method, assurance, known=groups is None)
    return plan if groups is None else in_units(plan, groups, world, power if width is None else 0.5)


def _fewest(
    world: World, power: float, width: float | None, method: Way, assurance: float | None, *, known: bool
) -> Plan:
    """The fewest independent cases."""
    if width is not None:
        if not 0 < width < 2:
            raise InferenceError(f"`width` is {width}; it must lie between 0 and 2.")
        n = world.narrow_enough(width)
        apart = world.against is not None
        of = f"the difference from {world.against:g}" if apart else f"informedness {world.informedness:g}"
        return narrow(world, n, width, assurance, f"an interval of width {width:g} for {of}", method, known=known)
    _check_power(world, power)
    if world.informedness == (world.against or 0.0):
        raise InferenceError("There is no difference to find, so that no number of cases shows it.")

    start = fewest(lambda n: world.power(n) >= power, 4, at_once=TRIED)
    method = world.chosen(start * np.array([1, 2]), method)  # type: ignore[assignment]  # one of them
    if method == "analytic":
        return world.planned(np.float64(start), method)
    if method == "exact":
        return fewest_exact(world, start, power)

    def simulated(n: Array) -> Any:
        return world.planned(n, method).power >= power

    return world.planned(np.float64(fewest(simulated, max(4, start // 2))), method)


@explained
def detectable(
    n: Any,
    *,
    power: float = 0.8,
    prevalence: ArrayLike | None = None,
    k: int = 2,
    guess: ArrayLike | None = None,
    against: float | None = None,
    measure: MeasureLike = "informedness",
    goal: float | None = None,
    paired: bool = False,
    shared: float = 0.0,
    level: float = 0.95,
    alternative: Side = "two-sided",
    method: Literal["auto", "analytic", "exact"] = "auto",
    unit_size: float | None = None,
    icc: float | None = None,
    like: Table | None = None,
) -> Plan:
    """The smallest informedness above chance, or above another system's, that n cases show.

    NaN where even perfection would not be seen with this power. Parameters are those of `power`.

    >>> round(detectable(100).informedness, 3)
    0.281
    """
    groups = grouped(unit_size, icc, like, measure)
    sided = has_goal(measure, goal, against, paired)
    prevalence = _prevalence(prevalence, k, n, like, sided=sided)
    one_of("method", method, ("auto", "analytic", "exact"), InferenceError)
    if alternative == "less":
        raise InferenceError("`detectable` looks above what it compares with, not below.")
    if sided:
        if goal is None:
            raise InferenceError(f"What is {find(measure)} to be told from? Give `goal`.")
        asked = Goal.checked(measure, goal, goal, prevalence, k=k, guess=guess, level=level, alternative=alternative)
        whole, cases = _cases(n, groups, asked, power, measure)
        return _told(shown_of_goal(asked, cases, power, method), groups, whole)
    world = World.checked(against or 0.0, prevalence, k, guess, against, paired, shared, level, alternative)
    _check_power(world, power)
    whole, cases = _cases(n, groups, world, power)
    method = "exact" if world.chosen(cases, method) == "exact" else "analytic"

    def shown_by(m: float) -> tuple[float, float, float]:
        """The smallest informedness, its power and the width of its interval."""
        least = smallest(world, m, power, method)
        if np.isnan(least):
            return np.nan, np.nan, np.nan
        there = replace(world, informedness=least).planned(np.float64(m), method)
        return least, float(there.power), float(there.width)

    each = np.reshape([shown_by(m) for m in cases.ravel()], (*cases.shape, 3))
    found, reached, widths = np.moveaxis(each, -1, 0)
    from_what = "chance" if against is None else f"{against:g}"
    words = f"the smallest informedness told from {from_what}"
    unseen = warning("even a perfect system would not be seen with this power", "unseen")
    rough = world.rough(cases) if method == "analytic" else ()
    notes = (unseen,) * bool(np.isnan(found).any()) + rough
    plan = world.plan(cases, reached, widths, informedness=plain(found), goal=words, notes=notes, method=method)
    return _told(plan, groups, whole)


def _prevalence(given: Any, k: int, *tables: Any, sided: bool) -> Any:
    """Shares of the classes: as given, or those of a table that is."""
    held = next((t for t in tables if isinstance(t, Table)), None)
    return given if given is not None or k != 2 or held is None or held.shape else shares_of(held, sided=sided)


def _cases(
    n: Any, groups: Grouped | None, world: World | Goal, power: float, measure: MeasureLike = "informedness"
) -> tuple[Array, Array]:
    """Numbers of cases, and of the independent ones that they are worth."""
    if isinstance(n, Table):
        if n.shape or groups is not None:
            raise InferenceError("`n` is a table: give one, and no more of units, which it tells.")
        n = np.floor(n.effective_n(measure))
    try:
        cases = np.asarray(n, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError(f"`n` is {n!r}; it must be a number of cases, or several.") from None
    if not np.all(cases >= 2):
        raise InferenceError(f"`n` is {n!r}; at least 2 cases are needed.")
    if not np.all(cases <= MOST_CASES):
        raise InferenceError(f"`n` is {n!r}; power is computed for up to {MOST_CASES:.0e} cases.")
    return cases, cases if groups is None else groups.independent(cases, world, power)


def _told(plan: Plan, groups: Grouped | None, cases: Array) -> Plan:
    return plan if groups is None else groups.told(plan, cases / groups.size, "as good")


def _check_power(world: World, power: float) -> None:
    if not world.alpha < power < 1:
        raise InferenceError(f"`power` is {power}; it must lie between 1 − level = {world.alpha:g} and 1.")
