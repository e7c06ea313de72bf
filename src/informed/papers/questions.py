"""Open questions that a Monte Carlo can settle: each an experiment, a table and a picture.

`run_questions` gives rows and pictures; ``docs/data/questions.json`` holds a run, from which
`pages` writes ``docs/open-questions.md``. The paragraphs are ours, written after it;
the numbers in them are its own. Importing this module loads every run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from informed.papers import (  # noqa: F401  # each registers its runs
    questions_generators,
    questions_intervals,
    questions_measures,
    questions_systems,
    questions_tests,
)
from informed.papers.question import Row, Rows, distinct, question
from informed.papers.question_pictures import picture
from informed.papers.register import Trial
from informed.papers.texts import chosen
from informed.simulation.estimates import MonteCarlo


def run_questions(
    names: Sequence[str] | None = None, *, quick: bool = False, size: int | None = None, seed: int = 2011
) -> tuple[dict[str, Any], dict[str, str]]:
    """``{"rows": […], "run": {…}}``, each row with its question, and an SVG for each question.

    Each question has a random stream of its own, from the seed and its name. With fewer than 500
    tables the widest grids (coverage, tests, generators) are run in part only.
    """
    wanted, tables = question.wanted(names), question.tables(size, quick)
    rows: Rows = []
    seconds = {}
    for name in wanted:
        started = time.perf_counter()
        found = list(question.runs[name](Trial.of(name, seed, tables)))
        rows += [{"question": name, **_plain(r)} for r in found]
        seconds[name] = round(time.perf_counter() - started, 1)
    run = {"seed": seed, "tables": tables, "seconds": seconds}
    return {"rows": rows, "run": run}, pictures(rows)


def pictures(rows: Rows) -> dict[str, str]:
    """An SVG for each question that has rows: of a run, or of one that was kept."""
    return {name: picture.runs[name](chosen(rows, question=name)).file() for name in distinct(rows, "question")}


def _plain(row: Row) -> Row:
    return {k: v.rounded() if isinstance(v, MonteCarlo) else v for k, v in row.items()}
