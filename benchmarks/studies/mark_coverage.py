"""How often intervals of scores with several attempts hold the truth: pass@k, all of k, reducers, differences.

Items have a difficulty of their own, drawn from a beta distribution, and attempts at one are alike. The truth
of each number is that of new items from the same distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.special import betaln
from scipy.stats import betabinom
from study import Part, Row, Study

from informed import Marks, compare, interval

SEED = 20
SHAPES = {"two heaps": (0.5, 0.5), "middling": (2.0, 2.0), "hard": (0.3, 1.5), "easy": (4.0, 0.6)}  # of difficulty
SIZES = tuple(product((30, 100, 200), (4, 10)))  # items, attempts
MEASURES = ("score", "pass_at(2)", "pass_at(4)", "pass_hat(2)", "pass_hat(4)", "majority", "all")


def truth(measure: str, shape: tuple[float, float], attempts: int) -> float:
    """The number for endless items of this distribution."""
    a, b = shape
    if measure.startswith("pass"):
        k = int(measure[-2])
        more = (a, b + k) if measure.startswith("pass_at") else (a + k, b)
        chance = float(np.exp(betaln(*more) - betaln(a, b)))
        return 1 - chance if measure.startswith("pass_at") else chance
    right = np.arange(attempts + 1)
    held = {"score": right / attempts, "majority": right > attempts / 2, "all": right == attempts}
    return float((betabinom.pmf(right, attempts, a, b) * held[measure]).sum())


def drawn(rng: np.random.Generator, easy: Any, attempts: int) -> Marks:
    item = np.repeat(np.arange(len(easy)), attempts)
    return Marks.from_columns(mark=rng.random(len(item)) < easy[item], item=item)


def scores(runs: int) -> Iterator[Row]:
    """Mean and least over four kinds of difficulty, and 30 to 200 items of 4 or 10 attempts."""
    found: dict[str, dict[str, float]] = {m: {} for m in MEASURES}
    for (kind, shape), (items, attempts) in product(SHAPES.items(), SIZES):
        rng = np.random.default_rng([SEED, items, attempts, len(kind)])
        marks = [drawn(rng, rng.beta(*shape, items), attempts) for _ in range(runs)]
        for m in MEASURES:
            true = truth(m, shape, attempts)
            held = [x.low <= true <= x.high for x in (interval(one, m) for one in marks)]
            found[m][f"{kind}, {items} × {attempts}"] = float(np.mean(held))
    for m, by in found.items():
        least = min(by, key=lambda name: by[name])
        yield {"measure": f"`{m}`", "mean": float(np.mean(list(by.values()))), "least": by[least], "where": least}


def differences(runs: int) -> Iterator[Row]:
    """Two systems on the same items, the second .9 times as often right."""
    for (kind, shape), (items, attempts) in product(SHAPES.items(), SIZES[:4]):
        rng, true = np.random.default_rng([SEED, 1, items, attempts, len(kind)]), 0.1 * shape[0] / sum(shape)
        held = []
        for _ in range(runs):
            easy = rng.beta(*shape, items)
            found = compare(*(drawn(rng, c * easy, attempts) for c in (1.0, 0.9)))
            held.append(found.low <= true <= found.high)
        yield {"difficulty": kind, "items": items, "attempts": attempts, "holds": float(np.mean(held))}


PAGE = "evaluation-logs.md"
STUDY = Study(
    "mark_coverage",
    {
        "scores": Part(
            "How often 95 % intervals hold the value of new items, over four kinds of difficulty (two heaps, middling, "
            "hard, easy) and 30, 100 and 200 items of 4 and 10 attempts; the least of these 24, and where it is:",
            scores,
            PAGE,
            runs=1000,
        ),
        "differences": Part(
            "How often 95 % intervals hold the difference of the scores of two systems on the same items, of which the "
            "second is right .9 times as often:",
            differences,
            PAGE,
            runs=1000,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
