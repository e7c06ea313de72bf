"""How often intervals and tests of tables with units and weights are right, for docs/intervals.md.

    python benchmarks/coverage_units.py [part …] [--runs 300] [--write]

Parts: units, holdout, epochs, weights, tests, groups. Every part is seeded. Runs of a scenario are one stack of tables,
so that all of their intervals are found at once. `--write` puts the results into docs/data/units.json and the tables
of docs/intervals.md; without it they are printed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import unit_worlds as worlds
from unit_worlds import Draw, Drawn

import informed
from informed import Table, find
from informed._arrays import Array
from informed.inference.heterogeneity import heterogeneity

DATA = Path(__file__).parents[1] / "docs" / "data" / "units.json"
PAGE = DATA.parents[1] / "intervals.md"
MARKS = "<!-- units: from data/units.json -->\n", "<!-- end of units -->\n"
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
    return found if drawn.stack.units is None else {**found, "ignored": float(plain.min())}


def by_units(runs: int) -> Iterator[dict[str, Any]]:
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
            "ignored": min(x["ignored"] for x in found),
        }


def _documents(units: int, even: bool, k: int, reality: float, rho: float) -> Draw:
    return lambda rng, runs: worlds.documents(rng, runs, units, even=even, k=k, reality=reality, rho=rho)


MACRO = ("recall(average='macro')", "precision(average='macro')", "f1(average='macro')", "balanced_accuracy")
TRUTHS = 24


def holdout(runs: int) -> Iterator[dict[str, Any]]:
    """Random worlds that no constant was chosen on, by measure."""
    drawn = [_random(np.random.default_rng([SEED, 200, i]), runs, (2, 3, 5)[i % 3]) for i in range(TRUTHS)]
    for measure in (*MEASURES, *MACRO):
        held, blind = (
            np.array([float(np.mean(covered(one, measure)[0])) for one in several])
            for several in (drawn, [Drawn(x.stack.without_units(), x.truth) for x in drawn])
        )
        found = {"mean": held.mean(), "5th percentile": np.quantile(held, 0.05), "least": held.min()}
        yield {"measure": measure, **{name: float(x) for name, x in found.items()}, "ignored": float(blind.min())}


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


def named(several: dict[str, Draw]) -> Callable[[int], Iterator[dict[str, Any]]]:
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


def tests(runs: int) -> Iterator[dict[str, Any]]:
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


def _tested(data: str, null: Table, other: Table) -> dict[str, Any]:
    """Shares of p-values at or below levels under the null, and under an alternative; how often the 95 % interval
    says the same."""
    p, blind, bias = (
        np.asarray(informed.test(t, question).pvalue)
        for t, question in ((null, "informedness"), (null.without_units(), "informedness"), (null, "bias"))
    )
    found, beside = np.asarray(informed.test(other).pvalue), informed.interval(other, "informedness")
    apart = (np.asarray(beside.low) > 0) | (np.asarray(beside.high) < 0)
    shares = {"5 %": p <= 0.05, "1 %": p <= 0.01, ".1 %": p <= 0.001, "ignored, 5 %": blind <= 0.05}
    shares |= {"power": found <= 0.05, "as the interval": (found <= 0.05) == apart}
    shares |= {"bias 5 %": bias <= 0.05, "bias 1 %": bias <= 0.01}
    return {"data": data, **{name: float(x.mean()) for name, x in shares.items()}}


def groups(runs: int) -> Iterator[dict[str, Any]]:
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
        stack = _grouped(real, said, unit, group, several)
        rejected, blind = (
            np.asarray(heterogeneity(x, "informedness").pvalue) < 0.05 for x in (stack, stack.without_units())
        )
        yield {"data": data, "size": float(rejected.mean()), "ignored": float(blind.mean())}


def _grouped(real: Any, said: Any, unit: Any, group: Any, several: int) -> Table:
    """A stack (runs, groups) whose groups know the units that they share."""
    from dataclasses import replace

    from informed.evidence.units import Units

    runs = len(real)
    table = np.arange(runs)[:, None] * several + group
    cell = said * 2 + real
    own = np.broadcast_to(unit, real.shape).ravel()
    units = Units.gathered(own, cell.ravel(), table=table.ravel(), shape=(runs, several), linked=True, name="document")
    counts = np.bincount((table * 4 + cell).ravel(), minlength=runs * several * 4).reshape(runs, several, 2, 2)
    return replace(Table.from_counts(counts), units=units)


PARTS: dict[str, Callable[[int], Iterator[dict[str, Any]]]] = {
    "units": by_units,
    "holdout": holdout,
    "epochs": named(EPOCHS),
    "weights": named(WEIGHTS),
    "tests": tests,
    "groups": groups,
}
SAID = {
    "units": "Documents with 200 cases in all (4 each from 200 on); mean and least over eight measures, two and four "
    "classes, "
    "reality within documents free, correlated .3 or one class, answers uncorrelated or .3:",
    "holdout": f"{TRUTHS} random worlds that no constant of the method was chosen on: 2, 3 and 5 classes, 20 to 100 "
    "documents of log-normal sizes, random prevalences, recalls and correlations up to .7; mean, 5th percentile and "
    "least over the worlds:",
    "epochs": "Items asked several times, each of which counts once; mean and least over eight measures:",
    "weights": "Weighted cases; mean and least over eight measures:",
    "tests": "How often the tests of informedness and of bias reject where there is nothing to find (answers "
    "correlated .3 within documents), ten times as many tables as there are runs; how often that of informedness finds "
    "a system that knows something (recalls .65 of two classes, .4 and .9 where one is rare, .45 of four), and how "
    "often its p-value is below 5 % exactly where the 95 % interval is off 0:",
    "groups": "How often groups that share one informedness are said to differ at 5 %:",
}


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as Markdown; `ignored` is what is found if units are not told."""
    heads = list(dict.fromkeys(name for row in rows for name in row))
    titles = [h.replace("ignored", "units not told") for h in heads]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(_shown(row.get(h, "")) for h in heads) + " |" for row in rows]
    return "\n".join(lines)


def _shown(x: Any) -> str:
    return (
        f"{x:.3f}".lstrip("0")
        if isinstance(x, float) and x < 1
        else f"{x:g}"
        if isinstance(x, (int, float))
        else str(x)
    )


def section(held: dict[str, Any]) -> str:
    """What docs/intervals.md shows of the data."""
    parts = []
    for name, part in held.items():
        error = (0.0475 / part["runs"]) ** 0.5
        runs = f"{part['runs']} runs a scenario: a coverage of .95 has a standard error of {error:.3f}."
        parts.append(f"{SAID[name]}\n\n{table(part['rows'])}\n\n{runs}\n")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    old = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() and given.write else {}
    found = {name: {"runs": given.runs, "rows": list(PARTS[name](given.runs))} for name in given.parts}
    held = {name: found.get(name, old.get(name)) for name in PARTS if name in {*found, *old}}
    print(section(held))
    if given.write:
        DATA.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        start, end = (page.index(mark) for mark in MARKS)
        PAGE.write_text(page[: start + len(MARKS[0])] + "\n" + section(held) + "\n" + page[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
