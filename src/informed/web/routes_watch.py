"""The Watch panel's question: a run whose truth is known, looked at case by case."""

from __future__ import annotations

import numpy as np
from starlette.requests import Request

import informed
from informed.evidence.table import Table
from informed.results import plain_dict
from informed.web import Json
from informed.web.answers import posted, real_of, whole_of
from informed.web.turns import slowly

CASES = 1000  # of a run
LABELS = ("yes", "no")
LEVEL = 0.95
LEAST = 20  # cases before somebody with a usual interval begins to look
LOOKED = ("n", "estimate", "low", "high", "wealth")


async def watch(request: Request, held: Json) -> Json:
    """Looks at a run: what a bettor has, his limits, and those of somebody who takes a usual interval each time."""
    knows = real_of(held, "knows", 0, 0.99, 0.3)
    prevalence = real_of(held, "prevalence", 0.01, 0.99, 0.5)
    expect = real_of(held, "expect", 0.01, 0.99, 0.3) if "expect" in held else None
    seed = whole_of(held, "seed", 0, 2_000_000_000, 1)
    brief = held.get("brief") is True

    def work() -> Json:
        return plain_dict(ran(knows, prevalence, expect, seed, brief=brief))

    return await slowly(request, work)


def ran(knows: float, prevalence: float, expect: float | None, seed: int, *, brief: bool = False) -> Json:
    """A system that knows so often, and else says yes as often as it is true."""
    rng = np.random.default_rng(seed)
    real, guess = (np.where(rng.random(CASES) < prevalence, *LABELS) for _ in range(2))
    said = np.where(rng.random(CASES) < knows, real, guess)
    found = informed.watch(labels=LABELS, level=LEVEL, expect=expect)
    found.update(real=real, predicted=said)
    looks = found.path
    n = np.array(looks["n"], dtype=int)
    low, high = usual(real, said, n)
    enough = 1 / (1 - LEVEL)
    told: Json = {
        "knows": knows,
        "n": CASES,
        "enough": round(enough),
        "stopped": first(n, np.array(looks["wealth"]) >= enough * (1 - 1e-9)),
        "usual": first(n, (low > 0) | (high < 0)),
    }
    if not brief:
        rows = ({name: look[name] for name in LOOKED} for look in looks)
        limits = zip(rows, low.tolist(), high.tolist(), strict=True)
        told["looks"] = [{**row, "usual_low": a, "usual_high": b} for row, a, b in limits]
    return told


def usual(real: np.ndarray, said: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The limits of a usual interval after each number of cases; NaN before one would look, or of one class."""
    cells = [[(said == p) & (real == r) for r in LABELS] for p in LABELS]
    counts = np.cumsum(np.array(cells), axis=-1)[:, :, n - 1].transpose(2, 0, 1)
    held = informed.interval(Table.from_counts(counts, labels=LABELS), "informedness", level=LEVEL, method="plus-four")
    low, high = (np.where(n < LEAST, np.nan, x) for x in (held.low, held.high))
    return low, high


def first(n: np.ndarray, met: np.ndarray) -> int | None:
    """After how many cases something was so for the first time."""
    return int(n[np.argmax(met)]) if met.any() else None


routes = posted(watch)
