"""How often intervals and tests of grades are right: single tables, cases in units, two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import unit_worlds as worlds
from scipy.special import ndtr
from study import Part, Row, Study

from informed import Table, compare, find, interval, test
from informed.evidence.joint import Joint

SEED = 22
MEASURES = ("informedness_ordinal", "markedness_ordinal", "correlation_ordinal", "somers_d")
KNOWN = (0.0, 0.3, 0.6, 0.9, 0.98)
UNITS = ((60, 4), (30, 8), (15, 16))


@dataclass(frozen=True)
class World:
    """Grades, and a system that knows some of them, is near at others, and guesses the rest."""

    prevalence: Any
    answers: Any  # (predicted, real): the chance of each prediction, given the real grade

    @classmethod
    def of(cls, rng: np.random.Generator, grades: int, known: float, near: float) -> World:
        """Of what is not known, the share `near` is a neighbouring grade, and the rest a guess."""
        prevalence, guess = rng.dirichlet(np.full(grades, 4.0), 2)
        apart = np.abs(np.subtract.outer(np.arange(grades), np.arange(grades)))
        beside = (apart == 1) / (apart == 1).sum(axis=0)
        missed = near * beside + (1 - near) * guess[:, None]
        return cls(prevalence, known * np.eye(grades) + (1 - known) * missed)

    @property
    def truth(self) -> Table:
        return Table.from_counts(self.answers * self.prevalence * 1e6)

    def tables(self, rng: np.random.Generator, n: int, runs: int) -> Table:
        k, p = len(self.prevalence), (self.answers * self.prevalence).ravel()
        return Table.from_counts(rng.multinomial(n, p / p.sum(), runs).reshape(runs, k, k))

    def cases(self, rng: np.random.Generator, unit: Any, runs: int, alike: float) -> tuple[Any, Any]:
        """Real and predicted grades of cases that are alike within units, by so much on either side."""

        def uniform() -> Any:
            shared = rng.standard_normal((runs, int(unit.max()) + 1))[:, unit]
            return ndtr(np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.standard_normal((runs, len(unit))))

        real = _drawn(uniform(), np.cumsum(self.prevalence)[:, None, None])
        return real, _drawn(uniform(), np.cumsum(self.answers, axis=0)[:, real])


def _drawn(u: Any, below: Any) -> Any:
    return np.minimum((u > below[:-1]).sum(axis=0), len(below) - 1)


def worlds_of(grades: int) -> Iterator[World]:
    """Truths from guessing to nearly perfect, with errors far and near."""
    rng = np.random.default_rng([SEED, grades])
    for known, near, _ in product(KNOWN, (0.0, 0.6), range(3)):
        yield World.of(rng, grades, known, near)


def share(found: Any, true: float) -> float:
    """How often the truth is held, where there is an interval."""
    there = np.isfinite(found.estimate)
    return float(np.mean(((found.low <= true + 1e-12) & (true - 1e-12 <= found.high))[there]))


def single(runs: int) -> Iterator[Row]:
    for grades, n in product((3, 5), (30, 60, 300)):
        found: dict[str, list[tuple[float, float]]] = {m: [] for m in MEASURES}
        for i, world in enumerate(worlds_of(grades)):
            t = world.tables(np.random.default_rng([SEED, grades, n, i]), n, runs)
            for m in MEASURES:
                limits = interval(t, m)
                found[m].append(
                    (share(limits, float(find(m)(world.truth))), float(np.nanmean(limits.high - limits.low)))
                )
        for m, each in found.items():
            held, width = np.transpose(each)
            said = {"grades": grades, "cases": n, "measure": f"`{m}`"}
            yield {**said, "mean": float(held.mean()), "least": float(held.min()), "mean width": float(width.mean())}


def units(runs: int) -> Iterator[Row]:
    for grades, (documents, size) in product((3, 5), UNITS):
        unit = np.repeat(np.arange(documents), size)
        found: dict[str, list[tuple[float, float]]] = {m: [] for m in MEASURES}
        for i, world in enumerate(list(worlds_of(grades))[1::5]):
            rng = np.random.default_rng([SEED, grades, documents, i])
            t = worlds.stack_of(*world.cases(rng, unit, runs, 0.4), grades, unit=unit)
            for m in MEASURES:
                true = float(find(m)(world.truth))
                found[m].append((share(interval(t, m), true), share(interval(t.without_units(), m), true)))
        for m, each in found.items():
            told, blind = np.transpose(each)
            said = {"grades": grades, "documents × cases": f"{documents} × {size}", "measure": f"`{m}`"}
            yield {
                **said,
                "mean": float(told.mean()),
                "least": float(told.min()),
                "units not told, least": float(blind.min()),
            }


def sizes(runs: int) -> Iterator[Row]:
    """Systems that guess: how often the test finds something at 5 %."""
    for grades, (documents, size) in product((3, 5), UNITS):
        rng = np.random.default_rng([SEED, 5, grades, documents])
        unit = np.repeat(np.arange(documents), size)
        world = World.of(rng, grades, 0.0, 0.0)
        t = worlds.stack_of(*world.cases(rng, unit, runs, 0.4), grades, unit=unit)
        row: Row = {"grades": grades, "documents × cases": f"{documents} × {size}"}
        for m in ("informedness_ordinal", "somers_d"):
            row[f"`{m}`"] = float(np.mean(test(t, m).pvalue < 0.05))
        row["units not told"] = float(
            np.mean(test(t.without_units(), "informedness_ordinal", method="permutation-z").pvalue < 0.05)
        )
        yield row


def differences(runs: int) -> Iterator[Row]:
    """Two systems on the same items, each knowing more or less of them on its own."""
    for grades, n in product((3, 4), (60, 300)):
        found: dict[str, list[float]] = {m: [] for m in MEASURES}
        pairs = list(worlds_of(grades))[3:24:4]
        for i, (a, b) in enumerate(zip(pairs, [*pairs[1:], pairs[0]], strict=True)):
            b = replace(b, prevalence=a.prevalence)
            p = np.einsum("ar,br,r->rab", a.answers, b.answers, a.prevalence)
            rng = np.random.default_rng([SEED, 7, grades, n, i])
            joint = Joint.from_counts(
                rng.multinomial(n, p.ravel() / p.sum(), runs).reshape(runs, grades, grades, grades)
            )
            for m in MEASURES:
                true = float(find(m)(a.truth)) - float(find(m)(b.truth))
                found[m].append(share(compare.paired(joint=joint)[m], true))
        for m, each in found.items():
            said = {"grades": grades, "items": n, "measure": f"`{m}`"}
            yield {**said, "mean": float(np.mean(each)), "least": float(np.min(each))}


STUDY = Study(
    "grade_coverage",
    {
        "single": Part(
            "How often the 95 % interval of the default (the arc) holds the truth; mean and least over 30 systems, "
            "from guessing to nearly perfect, whose errors are far or near:",
            single,
            "grades.md",
            runs=1000,
            run="tables a system",
        ),
        "units": Part(
            "The same where cases come in documents and are correlated .4 within them, on both sides; over 6 systems:",
            units,
            "grades.md",
            runs=1000,
            run="tables a system",
        ),
        "sizes": Part(
            "Systems that guess, in the same documents: how often `informed.test` finds something at 5 %:",
            sizes,
            "grades.md",
            runs=1000,
            errors=((0.05, 1.0),),
        ),
        "differences": Part(
            "The 95 % interval of the difference of two systems on the same items; over 6 pairs:",
            differences,
            "grades.md",
            runs=500,
            run="tables a pair",
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
