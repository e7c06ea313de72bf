"""How often intervals hold the informedness of new trainings on new items, with and without what trainings vary by.

A training knows an item with a chance that is the sum of the mean, of what is its own and of what is the item's;
else it guesses among three classes. So its informedness is the mean chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from study import Part, Row, Study

from informed import Paired, interval
from informed.evidence.paired import paired
from informed.systems.trainings import over_seeds

SEED, CLASSES, KNOWN, OF_ITEMS = 31, 3, 0.6, 0.1
ROWS = ((3, 60, 0.05), (5, 60, 0.05), (5, 200, 0.0), (5, 200, 0.08), (10, 200, 0.08))  # trainings, items, their spread


def drawn(rng: np.random.Generator, trainings: int, items: int, spread: float) -> Paired:
    """Answers of some trainings to the same items."""
    real = rng.integers(0, CLASSES, items)
    chance = KNOWN + rng.normal(0, OF_ITEMS, items) + rng.normal(0, spread, (trainings, 1))
    said = np.where(rng.random(chance.shape) < chance, real, rng.integers(0, CLASSES, chance.shape))
    found = paired(np.tile(real, trainings), {"a": said.ravel()}, item=np.tile(np.arange(items), trainings).tolist())
    return replace(found, kept={"seed": tuple(np.repeat(np.arange(trainings), items).tolist())})


def one(runs: int) -> Iterator[Row]:
    """One system: the interval over seeds, and that which takes trainings for attempts at items."""
    for trainings, items, spread in ROWS:
        rng = np.random.default_rng([SEED, trainings, items, round(100 * spread)])
        held = {"over seeds": 0, "as epochs": 0}
        for _ in range(runs):
            found = drawn(rng, trainings, items, spread)
            crossed, epochs = over_seeds(found), interval(found.tables["a"], "informedness")
            held["over seeds"] += crossed.low <= KNOWN <= crossed.high
            held["as epochs"] += KNOWN in epochs
        about: Row = {"trainings": trainings, "items": items, "spread between trainings": spread}
        yield about | {name: n / runs for name, n in held.items()}


STUDY = Study(
    "training_coverage",
    {
        "one": Part(
            "How often 95 % intervals hold the informedness of new trainings on new items, crossed with seeds or with "
            "trainings taken for epochs:",
            one,
            "evaluation-logs.md",
            runs=1000,
        )
    },
)

if __name__ == "__main__":
    STUDY.main()
