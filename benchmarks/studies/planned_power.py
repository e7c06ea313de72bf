"""Whether as many units as were planned show what is there as often as was planned, by the default test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import unit_worlds as worlds
from study import Part, Row, Study, bare

import informed
from informed import Table

SEED, PILOT = 2028, 3000
Draw = Callable[[np.random.Generator, int, int], Table]  # runs, units


def copies(alike: float, informedness: float, prevalence: float, size: int) -> Draw:
    """Units whose cases are, with a chance, copies of one: classes and answers have this correlation."""

    def draw(rng: np.random.Generator, runs: int, units: int) -> Table:
        unit = np.repeat(np.arange(units), size)
        drawn = _guessing(rng, (runs, len(unit) + units), informedness, prevalence)
        own, same = np.arange(len(unit)), rng.random((runs, len(unit))) < np.sqrt(alike)
        real, said = (np.take_along_axis(x, np.where(same, len(unit) + unit, own), 1) for x in drawn)
        return worlds.stack_of(real, said, 2, unit=unit)

    return draw


def asked(informedness: float, prevalence: float, size: int) -> Draw:
    """Items of one class whose answers are right with a chance of the item's own."""

    def draw(rng: np.random.Generator, runs: int, units: int) -> Table:
        unit = np.repeat(np.arange(units), size)
        real = (rng.random((runs, units)) >= prevalence).astype(int)[:, unit]
        mean = (1 + informedness) / 2
        right = rng.random(real.shape) < rng.beta(2 * mean, 2 * (1 - mean), (runs, units))[:, unit]
        return worlds.stack_of(real, np.where(right, real, 1 - real), 2, unit=unit, item=True)

    return draw


def _guessing(rng: np.random.Generator, shape: Any, informedness: float, prevalence: float) -> tuple[Any, Any]:
    """A system that knows with a chance, and else guesses by the prevalence; the first class is the rarer."""
    real, guess = (rng.random((2, *shape)) >= prevalence).astype(int)
    return real, np.where(rng.random(shape) < informedness, real, guess)


WORLDS: dict[str, tuple[Draw, float, float, int, float | None]] = {
    "copies, correlation .5": (copies(0.5, 0.4, 0.5, 4), 0.4, 0.5, 4, 0.5),
    "copies, correlation .2": (copies(0.2, 0.3, 0.3, 10), 0.3, 0.3, 10, 0.2),
    "copies, correlation .6": (copies(0.6, 0.5, 0.2, 5), 0.5, 0.2, 5, 0.6),
    "copies, correlation .3, a class of .1": (copies(0.3, 0.5, 0.1, 6), 0.5, 0.1, 6, 0.3),
    "items asked 5 times": (asked(0.4, 0.4, 5), 0.4, 0.4, 5, None),
    "items asked 10 times": (asked(0.3, 0.5, 10), 0.3, 0.5, 10, None),
}


def powers(runs: int) -> Iterator[Row]:
    """Planned by a table of many units that is like those to come, and by the correlation where it is one number."""
    for i, (name, (draw, b, prevalence, size, icc)) in enumerate(WORLDS.items()):
        like = draw(np.random.default_rng([SEED, i]), 1, PILOT)[0]
        plans = {"a table": informed.sample_size(b, prevalence=prevalence, like=like)}
        if icc is not None:
            plans["its correlation"] = informed.sample_size(b, prevalence=prevalence, unit_size=size, icc=icc)
        for by, plan in plans.items():
            assert plan.units is not None
            stack = draw(np.random.default_rng([SEED, 100 + i]), runs, round(plan.units))
            found = float(np.mean(np.asarray(informed.test(stack).pvalue) < 0.05))
            said = {"world": name, "informedness": bare(b), "prevalence": bare(prevalence), "planned by": by}
            yield {**said, "units": f"{plan.units:g} of {size}", "power": found}


STUDY = Study(
    "planned_power",
    {
        "powers": Part(
            'Planned for a power of .8 and simulated; "copies" are units whose cases have this correlation in '
            'everything, "asked" items of one real class whose answers are right with a chance of their own. The table '
            f"that a plan is like has {PILOT} units: a small pilot is less sure of what units are worth.",
            powers,
            "power.md",
            errors=((0.8, 1.0),),
        )
    },
)

if __name__ == "__main__":
    STUDY.main()
