"""How often intervals and tests of tables with units and weights are right.

Runs of a scenario are one stack of tables, so that all of their intervals are found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import unit_worlds as worlds
from study import Part, Row, Study
from unit_worlds import Draw, Drawn

import informed
from informed import Table, find
from informed._arrays import Array
from informed.inference import simultaneous
from informed.inference.heterogeneity import heterogeneity

MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy", "recall", "precision", "f1")
SEED = 14


def covered(drawn: Drawn, measure: str) -> tuple[Array, Array]:
    """Share of runs whose interval holds the truth, and the mean width; a measure of one class is of the first."""
    one = find(measure).facts.classes == "two" and drawn.truth.k > 2
    stack, truth_table = (t.one_vs_rest(t.labels[0]) if one else t for t in (drawn.stack, drawn.truth))
    found = informed.interval(stack, measure)
    truth = find(measure)(truth_table)
    low, high = np.asarray(found.low), np.asarray(found.high)
    held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return held.mean(axis=0), np.nanmean(high - low, axis=0)


def scenario(draw: Draw, runs: int, seed: int) -> dict[str, float]:
    """Mean and least coverage over the measures, with and without units, and how much wider the one is."""
    drawn = draw(np.random.default_rng([SEED, seed]), runs)
    blind = Drawn(drawn.stack.without_units(), drawn.truth)
    ours, without = ([covered(x, m) for m in MEASURES] for x in (drawn, blind))
    held, plain = (np.concatenate([np.ravel(c) for c, _ in x]) for x in (ours, without))
    found = {"mean": float(held.mean()), "least": float(held.min())}
    return found if drawn.stack.units is None else {**found, "units not told": float(plain.min())}


def by_units(runs: int) -> Iterator[Row]:
    """Documents: 5 to 200 units, equal and unequal; two and four classes, three realities, two correlations."""
    for units, even in product((5, 10, 20, 50, 200), (True, False)):
        found = [
            scenario(_documents(units, even, k, reality, rho), runs, i)
            for i, (k, reality, rho) in enumerate(product((2, 4), (0.0, 0.3, 1.0), (0.0, 0.3)))
        ]
        yield {
            "units": units,
            "sizes": "equal" if even else "1/rank",
            "mean": float(np.mean([x["mean"] for x in found])),
            "least": min(x["least"] for x in found),
            "units not told": min(x["units not told"] for x in found),
        }


def _documents(units: int, even: bool, k: int, reality: float, rho: float) -> Draw:
    return lambda rng, runs: worlds.documents(rng, runs, units, even=even, k=k, reality=reality, rho=rho)


MACRO = ("recall(average='macro')", "precision(average='macro')", "f1(average='macro')", "balanced_accuracy")
TRUTHS = 24


def holdout(runs: int) -> Iterator[Row]:
    """Random worlds that no constant was chosen on, by measure."""
    drawn = [_random(np.random.default_rng([SEED, 200, i]), runs, (2, 3, 5)[i % 3]) for i in range(TRUTHS)]
    for measure in (*MEASURES, *MACRO):
        held, blind = (
            np.array([float(np.mean(covered(one, measure)[0])) for one in several])
            for several in (drawn, [Drawn(x.stack.without_units(), x.truth) for x in drawn])
        )
        found = {"mean": held.mean(), "5th percentile": np.quantile(held, 0.05), "least": held.min()}
        yield {
            "measure": measure,
            **{name: float(x) for name, x in found.items()},
            "units not told": float(blind.min()),
        }


def _random(rng: np.random.Generator, runs: int, k: int) -> Drawn:
    """20 to 100 documents of log-normal sizes, any prevalences, recalls and correlations up to .7."""
    units = int(rng.integers(20, 101))
    sizes = np.maximum(1, np.rint(rng.lognormal(np.log(rng.uniform(2, 10)), rng.uniform(0, 1), units))).astype(np.int64)
    shares, recalls = rng.dirichlet(np.full(k, 3.0)), rng.uniform(0.5, 0.95, k)
    reality, rho = rng.uniform(0, 0.7, 2)
    unit = np.repeat(np.arange(units), sizes)
    real = worlds.classes(rng, runs, unit, shares, reality)
    said = worlds.answers(rng, real, unit, recalls, rho)
    return Drawn(worlds.stack_of(real, said, k, unit=unit), worlds.expected(shares, recalls))


EPOCHS: dict[str, Draw] = {
    "40 items × 6, always the same answer": lambda rng, runs: worlds.epochs(rng, runs, 40, 6, 1.0),
    "the same, nearly perfect (.95, .97)": lambda rng, runs: worlds.epochs(rng, runs, 40, 6, 1.0, (0.95, 0.97)),
    "40 × 6, correlation .8": lambda rng, runs: worlds.epochs(rng, runs, 40, 6, 0.8),
    "40 × 6, correlation .5": lambda rng, runs: worlds.epochs(rng, runs, 40, 6, 0.5),
    "40 × 8, correlation .2": lambda rng, runs: worlds.epochs(rng, runs, 40, 8, 0.2),
    "60 items, 1 to 8 times, correlation .6": lambda rng, runs: worlds.epochs(rng, runs, 60, 8, 0.6, how="random"),
    "60 items, hard ones 8 times, easy ones once": lambda rng, runs: worlds.epochs(rng, runs, 60, 8, 0.6, how="hard"),
}
WEIGHTS: dict[str, Draw] = {
    **{
        f"{said}, {n} cases": lambda rng, runs, n=n, how=how: worlds.weighted(rng, runs, n, how)  # type: ignore[misc]  # bound now
        for how, said, several in (
            ("two-phase", "all predicted positives and a tenth of the rest", (400, 1500)),
            ("positives weigh 10", "positives weigh 10", (300, 1000)),
            ("by class", "positives weigh 1.1, negatives 15", (400, 1500)),
            ("unrelated", "weights 1 to 15, unrelated to anything", (400, 1500)),
            ("strata", "three strata that weigh 1, 3 and 8", (400, 1500)),
        )
        for n in several
    },
    "40 documents of 8 cases that weigh 1 to 5": worlds.weighted_documents,
}


def named(several: dict[str, Draw]) -> Callable[[int], Iterator[Row]]:
    """A part of scenarios by name."""
    return lambda runs: (
        {"data": name, **scenario(draw, runs, 50 + i)} for i, (name, draw) in enumerate(several.items())
    )


EVEN, FEW, MANY = (np.repeat(np.arange(units), each) for units, each in ((40, 5), (12, 15), (200, 4)))
GIANT = np.concatenate([np.zeros(100, dtype=np.int64), 1 + np.repeat(np.arange(20), 5)])
RANKS = np.repeat(np.arange(50), worlds.sizes(50, 200, even=False))
HALF, RARE, FOUR = (0.5, 0.5), (0.1, 0.9), worlds.SHARES[4]
BETTER = {HALF: (0.65, 0.65), RARE: (0.4, 0.9), FOUR: (0.45,) * 4}  # recalls of a system that is not guessing
GUESSED: dict[str, tuple[Any, Any, float]] = {  # units, shares of the classes, correlation of reality
    "40 even documents, two classes": (EVEN, HALF, 0.3),
    "the same, each of one class": (EVEN, HALF, 1.0),
    "12 even documents, two classes": (FEW, HALF, 0.3),
    "200 even documents, two classes": (MANY, HALF, 0.3),
    "sizes by 1/rank, 50 documents, two classes": (RANKS, HALF, 0.3),
    "one of 21 documents holds half, two classes": (GIANT, HALF, 0.3),
    "the same, each of one class, two classes": (GIANT, HALF, 1.0),
    "40 even documents, a class of .1": (EVEN, RARE, 0.3),
    "200 even documents, a class of .1": (MANY, RARE, 0.3),
    "40 even documents, four classes": (EVEN, FOUR, 0.3),
    "the same, each of one class, four classes": (EVEN, FOUR, 1.0),
    "one of 21 documents holds half, four classes": (GIANT, FOUR, 0.3),
}


def tests(runs: int) -> Iterator[Row]:
    """Sizes of the tests of informedness and of bias where there is nothing, and the power of the first."""
    for i, (data, (unit, shares, reality)) in enumerate(GUESSED.items()):
        rng = np.random.default_rng([SEED, i])
        real, said = (worlds.classes(rng, 10 * runs, unit, shares, rho) for rho in (reality, 0.3))
        yield _tested(
            data, worlds.stack_of(real, said, len(shares), unit=unit), _better(rng, runs, unit, shares, reality)
        )
    for k, rho in ((2, 1.0), (2, 0.5), (4, 0.8)):
        rng = np.random.default_rng([SEED, 100 + k, round(10 * rho)])
        shares, item, answer = (HALF if k == 2 else FOUR), np.arange(40), np.repeat(np.arange(40), 6)
        real = worlds.classes(rng, 10 * runs, item, shares, 0.0)[:, answer]
        said = worlds.classes(rng, 10 * runs, answer, shares, rho)
        known = worlds.answers(rng, real[:runs], answer, BETTER[shares], rho)
        null, other = (
            worlds.stack_of(one, two, k, unit=answer, item=True) for one, two in ((real, said), (real[:runs], known))
        )
        yield _tested(f"40 items asked 6 times, {k} classes, correlation {rho:g}", null, other)


def _better(rng: np.random.Generator, runs: int, unit: Any, shares: Any, reality: float) -> Table:
    """Answers of a system that knows something."""
    real = worlds.classes(rng, runs, unit, shares, reality)
    return worlds.stack_of(real, worlds.answers(rng, real, unit, BETTER[shares], 0.3), len(shares), unit=unit)


def _tested(data: str, null: Table, other: Table) -> Row:
    """Shares of p-values at or below levels under the null, and under an alternative; how often the 95 % interval
    says the same."""
    p, blind, bias = (
        np.asarray(informed.test(t, question).pvalue)
        for t, question in ((null, "informedness"), (null.without_units(), "informedness"), (null, "bias"))
    )
    found, beside = np.asarray(informed.test(other).pvalue), informed.interval(other, "informedness")
    apart = (np.asarray(beside.low) > 0) | (np.asarray(beside.high) < 0)
    shares = {"5 %": p <= 0.05, "1 %": p <= 0.01, ".1 %": p <= 0.001, "units not told, 5 %": blind <= 0.05}
    shares |= {"power": found <= 0.05, "as the interval": (found <= 0.05) == apart}
    shares |= {"bias 5 %": bias <= 0.05, "bias 1 %": bias <= 0.01}
    return {"data": data, **{name: float(x.mean()) for name, x in shares.items()}}


def groups(runs: int) -> Iterator[Row]:
    """Sizes at 5 % of the test that groups share one value, where they do."""
    for data, several, units, cases, crossed in (
        ("4 groups of 15 documents of 8 cases", 4, 60, 8, False),
        ("3 groups of 10 documents of 8 cases", 3, 30, 8, False),
        ("3 groups that share 40 documents of 9 cases", 3, 40, 9, True),
        ("3 groups that share 20 documents of 9 cases", 3, 20, 9, True),
        ("4 groups of 120 single cases", 4, 480, 1, False),
    ):
        unit = np.repeat(np.arange(units), cases)
        group = (np.arange(len(unit)) if crossed else unit) % several
        rng = np.random.default_rng([SEED, len(data)])
        real = worlds.classes(rng, runs, unit, worlds.SHARES[2], 0.3)
        said = worlds.answers(rng, real, unit, worlds.RECALL[:2], 0.3)
        stack = worlds.stack_of(real, said, 2, unit=unit, group=group)
        rejected, blind = (
            np.asarray(heterogeneity(x, "informedness").pvalue) < 0.05 for x in (stack, stack.without_units())
        )
        yield {"data": data, "size": float(rejected.mean()), "units not told": float(blind.mean())}


def together(runs: int) -> Iterator[Row]:
    """All classes of four at once, by the joint spread of their units, or of cases."""
    simultaneous._DRAWS = 20_000  # of the largest of four, a tenth of what single tables get
    for measure, units, even in product(("recall", "precision"), (20, 40), (True, False)):
        draw = _documents(units, even, 4, 0.3, 0.3)
        drawn = draw(np.random.default_rng([SEED, 300, units, even]), runs)
        truth = np.asarray(find(measure)(drawn.truth.one_vs_rest()))
        held = []
        for stack in (drawn.stack, drawn.stack.without_units()):
            found = [informed.interval(stack[i], measure, simultaneous="max-t") for i in range(runs)]
            inside = [bool(np.all((x.low <= truth) & (truth <= x.high))) for x in found]
            held.append(float(np.mean(inside)))
        sizes = "equal" if even else "1/rank"
        yield {"measure": measure, "documents": units, "sizes": sizes, "all hold": held[0], "units not told": held[1]}


PAGE = "intervals.md"
STUDY = Study(
    "unit_coverage",
    {
        "units": Part(
            "Documents with 200 cases in all (4 each from 200 on); mean and least over eight measures, two and four "
            "classes, reality within documents free, correlated .3 or one class, answers uncorrelated or .3:",
            by_units,
            PAGE,
        ),
        "holdout": Part(
            f"{TRUTHS} random worlds that no constant of the method was chosen on: 2, 3 and 5 classes, 20 to 100 "
            "documents of log-normal sizes, random prevalences, recalls and correlations up to .7; mean, 5th "
            "percentile and least over the worlds:",
            holdout,
            PAGE,
        ),
        "epochs": Part(
            "Items asked several times, each of which counts once; mean and least over eight measures:",
            named(EPOCHS),
            PAGE,
        ),
        "weights": Part("Weighted cases; mean and least over eight measures:", named(WEIGHTS), PAGE),
        "tests": Part(
            "How often the tests of informedness and of bias reject where there is nothing to find (answers "
            "correlated .3 within documents), ten times as many tables as there are runs; how often that of "
            "informedness finds a system that knows something (recalls .65 of two classes, .4 and .9 where one is "
            "rare, .45 of four), and how often its p-value is below 5 % exactly where the 95 % interval is off 0:",
            tests,
            PAGE,
            errors=((0.05, 10.0), (0.01, 10.0), (0.8, 1.0)),
        ),
        "together": Part(
            'Recalls and precisions of all four classes at once (`simultaneous="max-t"`), documents with 200 cases in '
            "all, reality and answers correlated .3; shares of tables in which all intervals held the truth:",
            together,
            PAGE,
            runs=1000,
        ),
        "groups": Part(
            "How often groups that share one informedness are said to differ at 5 %:",
            groups,
            PAGE,
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
