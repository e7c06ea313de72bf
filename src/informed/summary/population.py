"""Another population, and a sample of another size: what the measures would be, and how surely."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from informed.decisions.costs import against_prevalence
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.known_worlds import FEW, UNEVEN, World, smallest
from informed.measures import find
from informed.measures.shown import ELSEWHERE, ELSEWHERE_OF_MANY
from informed.measures.titles import title_of
from informed.results import Note
from informed.summary.estimates import Wanted, estimates
from informed.summary.parts import Elsewhere, Estimate, Size

PLANNED_UP_TO = 100  # classes: above this no power and size, whose search would take seconds
EFFECTS = (0.05, 0.1, 0.2, 0.3, 0.5)
POWER = 0.8  # of what the sample shows
EFFECT = 0.2  # the informedness of the power curve


def elsewhere_of(t: Table, prevalence: Any, wanted: Wanted) -> Elsewhere | None:
    """Precision, F and accuracy against prevalence: the same recalls in another population."""
    if not t.is_square or not (t.real_totals > 0).all():
        return None
    shown = ELSEWHERE_OF_MANY if t.positive is None else ELSEWHERE
    measures = [find(m) for m in shown]

    here = math.nan
    curves: list[tuple[str, tuple[float, ...]]] = []
    if t.positive is not None:
        here = float(t.prevalence[t.labels.index(t.positive)])
        grid = np.r_[0.001, 0.005, np.arange(1, 100) / 100, 0.995, 0.999]
        grid = np.union1d(grid[np.abs(grid - here) > 1e-9], here)  # so that the curves have the data themselves
        curves = [("prevalence", tuple(grid.tolist()))]
        curves += [(str(m), tuple(against_prevalence(t, m, grid).tolist())) for m in measures]

    even = t.at_prevalence([1 / t.k] * t.k)
    found = Elsewhere(
        here=here, curves=tuple(curves), even=tuple(Estimate(str(m), title_of(m), float(m(even))) for m in measures)
    )
    if prevalence is None:
        return found
    moved = t.at_prevalence(prevalence)
    field = tuple(zip(moved.real_labels, moved.prevalence.tolist(), strict=True))
    there = estimates(moved, measures, wanted)
    return replace(found, field=field, there=tuple(column[0] for column in there))


def size_of(t: Table, estimates: Sequence[Estimate], level: float) -> Size | None:
    """Power and sample size, asked of the inference."""
    b = next((e for e in estimates if e.measure == "informedness"), None)
    there = t.real_totals > 0
    if b is None or math.isnan(b.value) or t.effective_n("informedness") < 2 or there.sum() > PLANNED_UP_TO:
        return None
    if t.units is not None and t.units.n < 2:  # which show nothing of how units differ
        return None
    n = float(t.effective_n("informedness"))  # independent cases
    unit, sampled = "answered case" if t.abstained.any() else "case", n
    if t.units is not None:
        unit, sampled = t.units.name, float(t.units.n)
    elif t.squares is not None:
        unit = "equally weighted case"
    each = n / sampled  # independent cases that one of them is worth
    prevalence = tuple((t.real_totals[there] / t.n).tolist())

    note = "Power and size are those of a system that knows so often and otherwise guesses, at this prevalence."
    here = World.checked(EFFECT, prevalence=list(prevalence), level=level)
    found = replace(here, informedness=min(max(b.value, 0.0), 1.0))
    try:
        needed = tuple((half, float(np.ceil(found.narrow_enough(2 * half) / each))) for half in (0.1, 0.05, 0.02))
    except InferenceError:  # of a class so rare that no number of cases is enough
        return None

    # power by the default test itself where it can be weighed, which takes whole cases
    whole = np.floor(n)
    how = here.chosen(whole, "auto")
    power, cases, chances, detectable = _planned(prevalence, level, n)
    return Size(
        n=sampled,
        unit=unit,
        half_width=(b.high - b.low) / 2,
        needed=needed,
        power=power,
        curve=tuple(zip((cases / each).tolist(), chances, strict=True)),
        effect=EFFECT,
        detectable=detectable,
        notes=(Note(note, code="planned-at-prevalence"), *(_told(here.rough(whole), n) if how != "exact" else ())),
    )


@lru_cache(maxsize=256)
def _planned(prevalence: tuple[float, ...], level: float, n: float) -> tuple[Any, Any, list[float], float]:
    """Power by effect, sizes with the power of each, and the least that is found: the costly part of a page.

    It is the same for all tables with the same real totals, as those that somebody drags are.
    """
    here = World.checked(EFFECT, prevalence=list(prevalence), level=level)
    most, whole = max(4 * n, 100.0), np.floor(n)
    cases = _round_sizes(most) if here.of_two else np.unique(np.geomspace(10, most, 25).round())
    power = tuple(zip(EFFECTS, here.chances(whole, EFFECTS).tolist(), strict=True))
    least = smallest(replace(here, informedness=0.0), whole, POWER, "page")
    return power, cases, here.chances(cases).tolist(), least


def _told(rough: Sequence[Note], n: float) -> list[Note]:
    """Why the power is rough, and who finds it otherwise: a report has no method of power to choose."""
    said = {"rough-approximation": (FEW, "simulation"), "rough-steps": (UNEVEN, "exact")}
    told = [(note, *said[note.code]) for note in rough]
    call = f"informed.power({n:.0f}, {EFFECT}, method="
    return [
        replace(x, text=f"The power is rough: {why}; `{call}{method!r})` does not use it.") for x, why, method in told
    ]


def _round_sizes(most: float) -> Any:
    """10, 20, 50, 100 and so on up to the largest, and that one."""
    powers = 10.0 ** np.arange(1, np.ceil(np.log10(most)))
    sizes = np.ravel(powers[:, None] * np.array([1, 2, 5]))
    return np.unique(np.r_[sizes[sizes < most], np.round(most)])
