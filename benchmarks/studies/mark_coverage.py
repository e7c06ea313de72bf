"""How often intervals of item scores cover the true value: several attempts, graded scores, differences.

Attempts: items have a difficulty of their own, drawn from a beta distribution, and attempts at one are alike. Graded
scores and their differences are drawn from mixtures of points and beta distributions. The true value of each number is
that of new items from the same distribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from scipy.special import betaln
from scipy.stats import betabinom
from study import Part, Row, Study

from informed import Marks, compare, interval
from informed.inference.bounded_mean import BoundedMean
from informed.inference.marks_score import mean_of

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


# ---------------------------------------------------------------------- graded scores

ITEMS, LEVELS = (10, 20, 30, 60, 100, 200), (0.9, 0.95, 0.99)
WIDE_AT, WIDTHS = (30, 100), 200  # items and runs for which widths are compared
Mixture = list[tuple[float, Any]]  # the share of each part: a point, (a, b) of a beta, or a pair of which one is less
GRADED: Mapping[str, Mixture] = {
    "97 % 0.9, 3 % 0": [(0.97, 0.9), (0.03, 0.0)],
    "78 % 0.9, 22 % 0": [(0.78, 0.9), (0.22, 0.0)],
    "95 % 0.5, 5 % 1": [(0.95, 0.5), (0.05, 1.0)],
    "90 % 0.5, else uniform": [(0.9, 0.5), (0.1, (1, 1))],
    "97 % Beta(90, 10), 3 % 0": [(0.97, (90, 10)), (0.03, 0.0)],
    "95 % 1, else uniform": [(0.95, 1.0), (0.05, (1, 1))],
    "60 % 0, else Beta(2, 2)": [(0.6, 0.0), (0.4, (2, 2))],
    "Beta(8, 0.8)": [(1.0, (8, 0.8))],
    "Beta(0.3, 1.5)": [(1.0, (0.3, 1.5))],
    "Beta(0.1, 2)": [(1.0, (0.1, 2))],
    "rubric 1 to 5, mostly 4": [(0.01, 0.0), (0.02, 0.25), (0.05, 0.5), (0.9, 0.75), (0.02, 1.0)],
    "rubric 1 to 5, spread": [(0.05, 0.0), (0.1, 0.25), (0.2, 0.5), (0.4, 0.75), (0.25, 1.0)],
    "0, half and 1": [(0.3, 0.0), (0.1, 0.5), (0.6, 1.0)],
    "uniform": [(1.0, (1, 1))],
    "Beta(2, 2)": [(1.0, (2, 2))],
    "Beta(0.5, 0.5)": [(1.0, (0.5, 0.5))],
    "Beta(50, 50)": [(1.0, (50, 50))],
}
GAPS: Mapping[str, Mixture] = {
    "97 % 0, 3 % 0.9": [(0.97, 0.0), (0.03, 0.9)],
    "90 % 0, 10 % 1": [(0.9, 0.0), (0.1, 1.0)],
    "90 % 0, 6 % 1, 4 % −1": [(0.9, 0.0), (0.06, 1.0), (0.04, -1.0)],
    "80 % 0, 15 % 0.25, 5 % −0.25": [(0.8, 0.0), (0.15, 0.25), (0.05, -0.25)],
    "95 % 0.1, 5 % −1": [(0.95, 0.1), (0.05, -1.0)],
    "70 % 0, else two uniform": [(0.7, 0.0), (0.3, ((1, 1), (1, 1)))],
    "two Beta(8, 0.8)": [(1.0, ((8, 0.8), (8, 0.8)))],
    "Beta(8, 0.8), Beta(6, 0.8)": [(1.0, ((8, 0.8), (6, 0.8)))],
    "two Beta(0.3, 1.5)": [(1.0, ((0.3, 1.5), (0.3, 1.5)))],
    "two uniform": [(1.0, ((1, 1), (1, 1)))],
    "Beta(5, 2), Beta(4, 2)": [(1.0, ((5, 2), (4, 2)))],
    "two Beta(0.5, 0.5)": [(1.0, ((0.5, 0.5), (0.5, 0.5)))],
    "two Beta(50, 50)": [(1.0, ((50, 50), (50, 50)))],
}


def mean_of_part(part: Any) -> float:
    if not isinstance(part, tuple):
        return float(part)
    a, b = part
    return mean_of_part(a) - mean_of_part(b) if isinstance(a, tuple) else a / (a + b)


def mixed(rng: np.random.Generator, mixture: Mixture, shape: tuple[int, int]) -> np.ndarray:
    """Draws of a mixture."""

    def of(part: Any) -> Any:
        if not isinstance(part, tuple):
            return np.full(shape, part)
        return of(part[0]) - of(part[1]) if isinstance(part[0], tuple) else rng.beta(part[0], part[1], shape)

    which = rng.choice(len(mixture), p=[share for share, _ in mixture], size=shape)
    return np.asarray(np.choose(which, [of(part) for _, part in mixture]))


def covered(mean: BoundedMean, true: float, level: float) -> float:
    """The share of the samples whose interval has the true value: those whose p-value of it is large enough."""
    return float((np.minimum(*mean.tails(true)) >= (1 - level) / 2 - 1e-12).mean())


def by_students(mean: BoundedMean, true: float, level: float) -> float:
    low, high = mean.students(level)
    return float(((low <= true + 1e-12) & (true - 1e-12 <= high)).mean())


def graded(mixtures: Mapping[str, Mixture], ends: tuple[float, float], runs: int) -> Iterator[Row]:
    """The least coverage over numbers of items at each level, that of Student's interval, and relative widths."""
    for place, (name, mixture) in enumerate(mixtures.items()):
        true = sum(share * mean_of_part(part) for share, part in mixture)
        rng = np.random.default_rng([SEED, 2, len(mixtures), place])
        least: dict[Any, list[tuple[float, int]]] = {level: [] for level in (*LEVELS, "t")}
        wide = {}
        for items in ITEMS:
            x = mixed(rng, mixture, (items, runs))
            mean = mean_of(x, np.ones(items), None, ends)
            for level in LEVELS:
                least[level].append((covered(mean, true, level), items))
            least["t"].append((by_students(mean, true, 0.95), items))
            if items in WIDE_AT:
                some = mean_of(x[:, :WIDTHS], np.ones(items), None, ends)
                (low, high), (one, other) = some.limits(0.95), some.students(0.95)
                wide[items] = float((high - low).mean() / (other - one).mean())
        shown = {f"{level:.0%}".replace("%", " %"): min(least[level])[0] for level in LEVELS}
        told = {"items at the least of 95 %": min(least[0.95])[1], "Student's 95 %": min(least["t"])[0]}
        yield {"distribution": name, **shown, **told, **{f"width, {n} items": f"× {x:.2f}" for n, x in wide.items()}}


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
        "graded": Part(
            "How often confidence intervals cover the mean of graded scores: the least coverage over 10, 20, 30, 60, "
            "100 and 200 items at three levels, with that of Student's interval, and the mean width relative to "
            "Student's:",
            lambda runs: graded(GRADED, (0.0, 1.0), runs),
            PAGE,
            runs=4000,
        ),
        "gaps": Part(
            "The same for the mean difference of two systems on the same items; the distribution is that of the "
            "differences:",
            lambda runs: graded(GAPS, (-1.0, 1.0), runs),
            PAGE,
            runs=4000,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
