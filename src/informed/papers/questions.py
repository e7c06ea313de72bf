"""Open questions that a Monte Carlo can settle: each an experiment, a table and a picture.

`run_questions` gives rows and pictures, `questions_page` the page; ``docs/data/questions.json``
holds a run. The paragraphs are ours and were written after looking at that run. Importing this
module loads every run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from informed.evidence.table_text import aligned
from informed.papers import (
    questions_generators,
    questions_intervals,
    questions_measures,
    questions_systems,
    questions_tests,
)
from informed.papers.claims import cell
from informed.papers.question import CONDENSED, Row, Rows, distinct, question
from informed.papers.question_pictures import PICTURES
from informed.papers.register import Trial
from informed.papers.texts import chosen, estimate, texts, told
from informed.simulation.estimates import MonteCarlo

LOADED = (
    questions_generators,
    questions_intervals,
    questions_measures,
    questions_systems,
    questions_tests,
)


def run_questions(
    names: Sequence[str] | None = None,
    *,
    quick: bool = False,
    size: int | None = None,
    seed: int = 2011,
) -> tuple[dict[str, Any], dict[str, str]]:
    """``{"rows": […], "run": {…}}``, each row with its question, and an SVG for each question.

    Each question has a random stream of its own, from the seed and its name. With fewer than 500
    tables the widest grids (coverage, tests, generators) are run in part only.
    """
    wanted, tables = question.wanted(names), question.tables(size, quick)
    rows: Rows = []
    pictures, seconds = {}, {}
    for name in wanted:
        started = time.perf_counter()
        answer = question.runs[name](Trial.of(name, seed, tables))
        pictures[name] = PICTURES[name](answer)
        rows += [{"question": name, **_plain(r)} for r in answer.rows]
        seconds[name] = round(time.perf_counter() - started, 1)
    return {"rows": rows, "run": {"seed": seed, "tables": tables, "seconds": seconds}}, pictures


def questions_page(run: Mapping[str, Any]) -> str:
    """A run as the page of the documentation."""
    held = distinct(run["rows"], "question")
    words = texts("pages")["questions"]
    lines = [
        f"# {words['title']}",
        "",
        words["made"].format(**run["run"]),
        "",
        "| | question |",
        "|---|---|",
        *(
            f"| {text['number']} | [{_cell(text['asks'])}](#{name}) |"
            for name, text in question.texts.items()
            if name in held
        ),
        "",
        words["defaults"],
        "",
    ]
    for name in question.texts:
        if name in held:
            lines += _section(name, chosen(run["rows"], question=name))
    return "\n".join(lines)


def questions_text(run: Mapping[str, Any]) -> str:
    """A run as text: each question, how it was tried, and its rows in columns."""
    parts = []
    for name in distinct(run["rows"], "question"):
        text = question.texts[name]
        columns, rows = _shown(name, chosen(run["rows"], question=name))
        grid = [columns, *([_words(r[c]) for c in columns] for r in rows)]
        head = [f"{text['asks']} ({name})", f"Run: {text['ran']}", ""]
        parts.append("\n".join([*head, *aligned(grid)]))
    return "\n\n".join(parts)


def _section(name: str, rows: Rows) -> list[str]:
    text = question.texts[name]
    columns, shown = _shown(name, rows)
    return [
        f"## {name}",
        "",
        f"**{text['asks']}** {f'({number})' if (number := text['number']) else ''}".rstrip(),
        "",
        f"![{text['asks']}](img/question-{name}.svg)",
        "",
        f"*Run:* {text['ran']}",
        "",
        told(text["says"], text.get("numbers", {}), rows),
        "",
        "| " + " | ".join(map(_cell, columns)) + " |",
        "|" + "---|" * len(columns),
        *("| " + " | ".join(_cell(r[c]) for c in columns) + " |" for r in shown),
        "",
    ]


def _shown(name: str, rows: Rows) -> tuple[list[str], Rows]:
    """Columns and rows of the page."""
    shown = CONDENSED[name](rows) if name in CONDENSED else rows
    return [c for c in shown[0] if c != "question"], shown


def _plain(row: Row) -> Row:
    return {k: v.rounded() if isinstance(v, MonteCarlo) else v for k, v in row.items()}


def _cell(value: Any) -> str:
    return cell(_words(value))


def _words(value: Any) -> str:
    if isinstance(value, (dict, MonteCarlo)):
        found = estimate(value)
        error = found.standard_error
        return f"{found.value:.3f}" + (f" ± {error:.3f}" if error else "")
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)
