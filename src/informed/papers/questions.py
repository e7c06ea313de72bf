"""Open questions that a Monte Carlo can settle: each an experiment, a table and a picture.

The text of a question stands in ``data/questions.toml``. A run takes a `Trial` and yields rows;
`question_pictures` draws them, and rows that are too many for a page are condensed by a function
beside the run. ``docs/data/questions.json`` holds a run of `run_questions`, from which `pages`
writes ``docs/open-questions*.md``. The paragraphs are ours, written after it; the numbers in them
are its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

from informed.documents.charts.chart import Chart, Panels
from informed.papers.register import Register, Trial
from informed.papers.texts import chosen, estimate, texts
from informed.simulation.estimates import MonteCarlo

Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]

COARSE = 500  # tables below which the widest grids are run in part only


question: Register[Callable[[Trial], Iterator[Row]]] = Register(
    "question", texts("questions"), full=4000, quick=100, least=40
)
condensed: Register[Callable[[Rows], Rows]] = Register("question", question.texts)  # for the page
picture: Register[Callable[[Rows], Chart | Panels]] = Register("question", question.texts)


def distinct(rows: Sequence[Row], column: str) -> list[Any]:
    """The values of a column, in the order in which they come."""
    return list(dict.fromkeys(r[column] for r in rows))


def pivot(rows: Rows, by: Sequence[str], of: str, cell: Callable[[list[Any]], Any], **across: str) -> Rows:
    """A row for each combination `by`, a column for each value `across`: ``K="size, K = {}"``."""
    ((column, head),) = across.items()
    out: Rows = []
    for values in product(*(distinct(rows, c) for c in by)):
        row: Row = dict(zip(by, values, strict=True))
        if some := chosen(rows, **row):
            for x in distinct(rows, column):
                held = [r[of] for r in chosen(some, **{column: x})]
                row[head.format(x)] = cell(held) if held else ""
            out.append(row)
    return out


def span(cells: Sequence[Any]) -> str:
    """Least to greatest of some estimates, as a page says it."""
    found = [estimate(c).value for c in cells]
    low, high = f"{min(found):.3f}", f"{max(found):.3f}"
    return low if low == high else f"{low} to {high}"


def least(cells: Sequence[Any]) -> MonteCarlo:
    """The least of some estimates, with its own error."""
    return min(map(estimate, cells), key=lambda e: e.value)


# ------------------------------------------------------------------ running them


def run_questions(
    names: Sequence[str] | None = None, *, quick: bool = False, size: int | None = None, seed: int = 2011
) -> tuple[dict[str, Any], dict[str, str]]:
    """``{"rows": […], "run": {…}}``, each row with its question, and an SVG for each question.

    Each question has a random stream of its own, from the seed and its name. With fewer than 500
    tables the widest grids (coverage, tests, generators) are run in part only.
    """
    rows: Rows = []
    seconds = {}
    for name, trial in question.trials(names, size, quick, seed):
        started = time.perf_counter()
        rows += [{"question": name, **_plain(row)} for row in question.runs[name](trial)]
        seconds[name] = round(time.perf_counter() - started, 1)
    run = {"seed": seed, "tables": question.tables(size, quick), "seconds": seconds}
    return {"rows": rows, "run": run}, pictures(rows)


def pictures(rows: Rows) -> dict[str, str]:
    """An SVG for each question that has rows: of a run, or of one that was kept."""
    return {name: picture.runs[name](chosen(rows, question=name)).file() for name in distinct(rows, "question")}


def _plain(row: Row) -> Row:
    return {k: v.rounded() if isinstance(v, MonteCarlo) else v for k, v in row.items()}
