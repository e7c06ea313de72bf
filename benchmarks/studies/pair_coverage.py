"""How often intervals of the difference of two systems on the same items hold it, where items come in units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import unit_worlds as worlds
from study import Part, Row, Study

from informed import compare, find
from informed.evidence.joint import Joint

MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy", "recall", "precision", "f1")
RECALLS = ((0.8, 0.7), (0.7, 0.75))
SEED = 15
Drawing = tuple[Any, float, bool]  # unit of each case, correlation of reality, whether the unit is an item asked again


def equal(units: int, size: int) -> Any:
    return np.repeat(np.arange(units), size)


def by_rank(units: int, cases: int) -> Any:
    return np.repeat(np.arange(units), worlds.sizes(units, cases, even=False))


WORLDS: dict[str, Drawing] = {
    "10 documents of 20": (equal(10, 20), 0.3, False),
    "20 documents of 10": (equal(20, 10), 0.3, False),
    "20 documents, sizes by 1/rank": (by_rank(20, 200), 0.3, False),
    "200 documents, sizes by 1/rank": (by_rank(200, 800), 0.3, False),
    "20 documents of 10, each of one class": (equal(20, 10), 1.0, False),
    "40 items asked 6 times": (equal(40, 6), 1.0, True),
    "200 single cases": (equal(200, 1), 0.0, False),
}


def drawn(rng: np.random.Generator, runs: int, world: Drawing, recalls: Any = RECALLS) -> Joint:
    """Two systems whose answers are correlated .3 within documents (.6 within items), half of it what both share."""
    unit, reality, item = world
    real = worlds.classes(rng, runs, unit, worlds.SHARES[2], reality)
    common = rng.standard_normal((runs, int(unit.max()) + 1))
    said = []
    for recall in recalls:
        own = np.sqrt(0.5) * common + np.sqrt(0.5) * rng.standard_normal(common.shape)
        said.append(worlds.answers(rng, real, unit, recall, 0.6 if item else 0.3, own))
    return worlds.joint_of(real, *said, unit=unit, item=item)


def true_difference(measure: str, recalls: Any = RECALLS) -> float:
    one, other = (find(measure)(worlds.expected(worlds.SHARES[2], r)) for r in recalls)
    return float(one - other)


def differences(runs: int) -> Iterator[Row]:
    """Over eight measures: mean and least, and what is found if units are not told."""
    for i, (name, world) in enumerate(WORLDS.items()):
        joint = drawn(np.random.default_rng([SEED, i]), runs, world)
        held, blind = (
            np.array([_share(compare.paired(joint=each)[m], true_difference(m)) for m in MEASURES])
            for each in (joint, joint.without_units())
        )
        found = {"mean": held.mean(), "least": held.min(), "units not told, least": blind.min()}
        yield {"data": name, **{said: float(x) for said, x in found.items()}}


def _share(found: Any, true: float) -> float:
    return float(np.mean((found.low <= true + 1e-12) & (true - 1e-12 <= found.high)))


def sizes(runs: int) -> Iterator[Row]:
    """Two systems that are equally good: how often a difference of informedness is found at 5 %."""
    same = (RECALLS[0], RECALLS[0])
    for i, (name, world) in enumerate(WORLDS.items()):
        joint = drawn(np.random.default_rng([SEED, 100 + i]), runs, world, same)
        found, blind = (
            float(np.mean(compare.paired(joint=each)["informedness"].pvalue < 0.05))
            for each in (joint, joint.without_units())
        )
        yield {"data": name, "5 %": found, "units not told": blind}


STUDY = Study(
    "pair_coverage",
    {
        "differences": Part(
            "95 % intervals of differences on the same items, two classes, answers correlated .3 within documents (.6 "
            "within an item asked again); mean and least over eight measures:",
            differences,
            "comparing.md",
        ),
        "sizes": Part(
            "How often a difference of informedness is found at 5 % where there is none:",
            sizes,
            "comparing.md",
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
