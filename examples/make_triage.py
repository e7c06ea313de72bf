"""Made-up emergency calls for the documentation of grades: ``python examples/make_triage.py``.

240 calls of 60 shifts in four grades of urgency. The new system is mostly right or one grade off; the old
one is right about as often, and further off where it errs.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
GRADES = ("none", "low", "high", "acute")


def main() -> None:
    rng = np.random.default_rng(8)
    shift = np.repeat(np.arange(1, 61), 4)
    real = rng.choice(4, 240, p=(0.35, 0.3, 0.22, 0.13))
    site = np.where(shift <= 34, "north", "south")
    hard = rng.normal(0, 0.5, 60)[shift - 1] + rng.normal(0, 1, 240)
    near = np.clip(real + rng.choice((-1, 1), 240, p=(0.6, 0.4)), 0, 3)
    new = np.where(hard < 0.55, real, np.where(rng.random(240) < 0.85, near, rng.integers(0, 4, 240)))
    old = np.where(rng.random(240) < 0.55, real, rng.choice(4, 240, p=(0.4, 0.3, 0.2, 0.1)))
    rows = zip(range(1, 241), *(np.array(GRADES)[x] for x in (real, new, old)), site, shift, strict=True)
    with (HERE / "triage.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["id", "urgency", "new", "old", "site", "shift"], *rows])


if __name__ == "__main__":
    main()
