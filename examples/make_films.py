"""Made-up films for the documentation of tags: ``python examples/make_films.py``.

240 films of 60 directors with up to four genres each, one row a film, tags separated by ";"; what two systems say of
them, and what one says that gives every film the two commonest genres.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
GENRES = {"drama": 0.48, "comedy": 0.34, "thriller": 0.2, "romance": 0.16, "horror": 0.09, "western": 0.03}
EVERY = "comedy;drama"


def main() -> None:
    rng = np.random.default_rng(22)
    n, names, often = 240, np.array(list(GENRES)), np.array(list(GENRES.values()))
    director = np.repeat(np.arange(60), 4)
    hard = rng.normal(0, 0.6, 60)[director, None] + rng.normal(0, 0.8, (n, 1))
    decade = np.where(director < 24, "1990s", np.where(director < 42, "2000s", "2010s"))
    real = rng.random((n, len(names))) < often
    rows: list[Iterable[object]] = [range(1, n + 1), [f"d{d:02d}" for d in director], decade.tolist()]
    rows.append([";".join(names[x]) for x in real])
    for skill, guess in ((0.9, 0.2), (0.3, 0.45)):
        knows = rng.normal(0, 1, real.shape) + hard < skill
        said = np.where(knows, real, rng.random(real.shape) < guess)
        rows.append([";".join(names[x]) for x in said])
    with (HERE / "films.csv").open("w", newline="", encoding="utf-8") as file:
        head = ["id", "director", "decade", "tags", "new", "old", "common"]
        csv.writer(file, lineterminator="\n").writerows([head, *((*row, EVERY) for row in zip(*rows, strict=True))])


if __name__ == "__main__":
    main()
