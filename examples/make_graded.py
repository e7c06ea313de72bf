"""Made-up graded answers for the documentation of judges: ``python examples/make_graded.py``.

`graded-systems.csv`: 600 questions that three systems answered; a judge graded every answer, people those to 150
questions. The judge lets wrong answers of atlas pass, which are well written. `comments.csv`: 1500 comments that a
filter and a judge called toxic or fine; people saw half of what the filter flagged, and few of the others.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
SYSTEMS = (("atlas", 0.35, 0.45), ("birch", 0.35, 0.1), ("cedar", 0.05, 0.1))  # skill, bad answers that pass


def graded(rng: np.random.Generator) -> None:
    hard = rng.normal(0, 1, 600)
    seen = np.isin(np.arange(600), rng.choice(600, 150, replace=False))
    columns: dict[str, Any] = {"question": range(1, 601)}
    for name, skill, passed in SYSTEMS:
        good = skill + rng.normal(0, 1, 600) > hard
        said = rng.random(600) < np.where(good, 0.92, passed)
        columns[f"{name}_judge"] = np.where(said, "good", "bad")
        columns[f"{name}_human"] = np.where(seen, np.where(good, "good", "bad"), "")
    write("graded-systems.csv", columns)


def comments(rng: np.random.Generator) -> None:
    toxic = rng.random(1500) < 0.15
    forum = np.where(rng.random(1500) < 0.6, "news", "games")
    flag = rng.random(1500) < np.where(toxic, 0.7, 0.08)
    judge = rng.random(1500) < np.where(toxic, 0.85, 0.1)
    seen = rng.random(1500) < np.where(flag, 0.5, 0.06)
    columns = {"comment": range(1, 1501), "forum": forum}
    for name, held in (("filter", flag), ("judge", judge)):
        columns[name] = np.where(held, "toxic", "fine")
    write("comments.csv", {**columns, "human": np.where(seen, np.where(toxic, "toxic", "fine"), "")})


def write(name: str, columns: dict[str, Any]) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        rows = zip(*columns.values(), strict=True)
        csv.writer(file, lineterminator="\n").writerows([list(columns), *rows])


if __name__ == "__main__":
    rng = np.random.default_rng(30)
    graded(rng)
    comments(rng)
