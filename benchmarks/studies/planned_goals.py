"""Whether what was planned for a goal is shown as often as was planned, and how often what only meets the goal is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from study import Part, Row, Study, bare, shown, table

import informed
from informed.inference.planned_goals import Goal
from informed.inference.possible_tables import drawn, tables
from informed.measures import find

SEED = 2029
ASKED: list[tuple[str, float, float, float | None, str]] = [  # measure, truth, goal, prevalence, side
    ("informedness", 0.8, 0.7, 0.5, "greater"),
    ("informedness", 0.8, 0.7, 0.2, "greater"),
    ("informedness", 0.9, 0.8, 0.1, "greater"),
    ("informedness", 0.6, 0.7, 0.3, "less"),
    ("informedness", 0.5, 0.3, 0.5, "two-sided"),
    ("cohen_kappa", 0.7, 0.4, 0.5, "two-sided"),
    ("cohen_kappa", 0.7, 0.4, 0.2, "two-sided"),
    ("cohen_kappa", 0.8, 0.6, 0.3, "greater"),
    ("recall", 0.95, 0.9, None, "greater"),
    ("recall", 0.95, 0.9, 0.2, "greater"),
    ("inverse_recall", 0.98, 0.95, 0.1, "two-sided"),
    ("accuracy", 0.9, 0.85, 0.5, "two-sided"),
]


def goals(runs: int) -> Iterator[Row]:
    """Sizes for a power of .8: how often the test shows what is there, and what only meets the goal."""
    for i, (name, value, goal, prevalence, side) in enumerate(ASKED):
        for level in (0.95, 0.99):
            how: dict[str, Any] = {"prevalence": prevalence, "level": level, "alternative": side}
            plan = informed.sample_size(value, measure=name, goal=goal, **how)
            asked = Goal.checked(name, value, goal, **how)
            rng = np.random.default_rng([SEED, i])
            n = int(plan.n)

            power, size = (_rejected(asked, _drawn(asked, x, n, rng, runs)) for x in (value, goal))
            said = {"measure": find(name).title, "is": bare(value), "goal": bare(goal)}
            said |= {"prevalence": "" if prevalence is None else bare(prevalence), "side": side, "level": bare(level)}
            found = {"by": plan.method, "n": n, "planned": float(plan.power)}
            yield {**said, **found, "power": power, "size": size}


def _drawn(asked: Goal, value: float, n: int, rng: np.random.Generator, runs: int) -> informed.Table:
    """Tables in which the measure has this value."""
    if not asked.is_share:
        return tables(drawn(rng, n, asked.truth(value), runs))
    of = rng.binomial(n, asked.trials, runs) if asked.trials < 1 else np.full(runs, n)
    right = rng.binomial(of, value)
    rest = np.zeros(runs)
    held = {
        "recall": [[right, rest], [of - right, rest]],
        "inverse_recall": [[rest, of - right], [rest, right]],
        "accuracy": [[right, rest], [of - right, rest]],
    }
    return tables(np.array(held[asked.measure.name], dtype=np.float64))


def _rejected(asked: Goal, stack: informed.Table) -> float:
    how: Any = asked.alternative
    p = np.asarray(informed.test(stack, asked.measure, against=asked.goal, alternative=how).pvalue)
    return float((p < asked.alpha).mean())


def furthest(rows: list[Row]) -> str:
    """The table, and how far plans and sizes are off."""
    lacks = [float(row["planned"] - row["power"]) for row in rows]
    times = [float(row["size"]) / (1 - float(row["level"])) for row in rows]
    return (
        f"{table(rows)}\n\nPlans promise at most {shown(max(lacks))} too much. What only meets the goal is taken for "
        f"more at most {max(times):.2f} times as often as 1 − level says."
    )


STUDY = Study(
    "planned_goals",
    {
        "goals": Part(
            "Sizes for a power of .8 against a goal: what the plan says, how often `informed.test(t, measure, "
            "against=goal)` shows it in drawn tables (power), and how often where the measure is the goal itself "
            "(size). Where no prevalence is given, n counts the real positives.",
            goals,
            "power.md",
            runs=10_000,
            errors=((0.8, 1.0), (0.05, 1.0), (0.01, 1.0)),
            text=furthest,
        )
    },
)
if __name__ == "__main__":
    STUDY.main()
