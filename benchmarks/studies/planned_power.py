"""Whether what was planned shows what is there as often as was planned, by the default test: units, more classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import unit_worlds as worlds
from study import Part, Row, Study, bare, shown, table

import informed
from informed import Table
from informed.evidence.cells import mixture
from informed.inference.possible_tables import drawn, tables

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


EVEN, LOP = [1 / 3] * 3, [0.8, 0.1, 0.1]
CLASSES: dict[str, tuple[list[float], list[float] | None]] = {  # shares of the classes, and guesses where they differ
    "3 even": (EVEN, None),
    "5 even": ([0.2] * 5, None),
    "10 even": ([0.1] * 10, None),
    ".8, .1, .1": (LOP, None),
    ".8, .1, .1, guessed evenly": (LOP, EVEN),
    "3 even, guessed as .8, .1, .1": (EVEN, LOP),
    "six, one of .02": ([0.196] * 5 + [0.02], None),
    ".9, .05, .05": ([0.9, 0.05, 0.05], None),
    ".94, .03, .03": ([0.94, 0.03, 0.03], None),
    ".96 and four of .01": ([0.96] + [0.01] * 4, None),
    ".95, .025, .025, guessed evenly": ([0.95, 0.025, 0.025], EVEN),
}
ASKED = ((30, 0.95, "two-sided"), (60, 0.95, "greater"), (60, 0.999, "two-sided"), (120, 0.99, "two-sided"))


def classes(runs: int) -> Iterator[Row]:
    """More classes, where the approximation says .6: what the default says, and what drawn tables show."""
    for i, (name, (shares, guess)) in enumerate(CLASSES.items()):
        for n, level, side in ASKED:
            one: dict[str, Any] = {"alternative": side}
            how: dict[str, Any] = {"prevalence": shares, "guess": guess, "level": level, **one}
            known = float(informed.detectable(n, power=0.6, **how).informedness)
            if np.isnan(known):  # not even a perfect system is seen
                continue
            plan, near = (informed.power(n, known, method=m, **how) for m in ("auto", "analytic"))
            truth = mixture(known, np.array(shares), np.array(guess or shares))
            stack = tables(drawn(np.random.default_rng([SEED, i, n]), n, truth, runs))
            p = np.asarray(informed.test(stack, **one).pvalue)
            said = {"classes": name, "cases": n, "level": bare(level), "side": side, "informedness": f"{known:.2f}"[1:]}
            found = {"approximation": float(near.power), "default": float(plan.power), "by": plan.method}
            yield {**said, **found, "power": float((p < (1 - level) * (1 - 1e-9)).mean())}


def furthest(rows: list[Row]) -> str:
    """The table, and how far plans are off."""

    def most(plan: str, method: str) -> float:
        return max(float(row[plan] - row["power"]) for row in rows if row["by"] == method)

    return (
        f"{table(rows)}\n\nThe default promises at most {shown(most('default', 'analytic'))} too much where it is the "
        f"approximation, and {shown(most('default', 'simulation'))} where it is drawn, where the approximation would "
        f"have promised up to {shown(most('approximation', 'simulation'))} too much."
    )


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
        ),
        "classes": Part(
            "More classes against chance: what the approximation and the default say, and how often the default test "
            "finds it in drawn tables.",
            classes,
            "power.md",
            runs=10_000,
            errors=((0.6, 1.0),),
            text=furthest,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
