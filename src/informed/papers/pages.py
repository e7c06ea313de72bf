"""Runs of claims and questions as pages of the documentation, and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from informed.evidence.table_text import aligned
from informed.papers.claims import Verdict
from informed.papers.questions import Rows, condensed, distinct, question
from informed.papers.texts import chosen, estimate, templates, told
from informed.simulation.estimates import MonteCarlo


def claims_page(run: Mapping[str, Any]) -> str:
    """A run of the claims; ``docs/claims.md`` is the one that is kept."""
    rows, held = run["rows"], templates("pages")["claims"]
    verdicts = [(v, sum(r["verdict"] == v for r in rows)) for v in Verdict]
    listed = [(f"[{r['says']}](#{r['claim']})", r["verdict"]) for r in rows]
    page = held["page"].format(
        **run["run"], verdicts=_table(("verdict", "claims"), verdicts), claims=_table(("claim", "verdict"), listed)
    )
    for r in rows:
        results = [(x["name"], str(estimate(x))) for x in r["results"]]
        page += held["part"].format(**r, table=_table(("", "result"), results))
    return str(page)


def questions_page(run: Mapping[str, Any]) -> str:
    """A run of the questions; ``docs/open-questions.md`` is the one that is kept."""
    held = templates("pages")["questions"]
    asked = {n: t for n, t in question.texts.items() if n in distinct(run["rows"], "question")}
    listed = [(t["number"], f"[{t['asks']}](#{name})") for name, t in asked.items()]
    page = held["page"].format(**run["run"], questions=_table(("", "question"), listed))
    for name, text in asked.items():
        rows = chosen(run["rows"], question=name)
        page += held["part"].format(
            **text,
            name=name,
            bracket=f" ({text['number']})" if text["number"] else "",
            said=told(text["says"], text["numbers"], rows),
            table=_table(*_shown(name, rows)),
        )
    return str(page)


def questions_text(run: Mapping[str, Any]) -> str:
    """A run of the questions as text: each, how it was tried, and its rows in columns."""
    parts = []
    for name in distinct(run["rows"], "question"):
        text = question.texts[name]
        columns, rows = _shown(name, chosen(run["rows"], question=name))
        grid = aligned([columns, *([_words(x) for x in row] for row in rows)])
        parts.append("\n".join([f"{text['asks']} ({name})", f"Run: {text['ran']}", "", *grid]))
    return "\n\n".join(parts)


def _shown(name: str, rows: Rows) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows of a question, condensed where they are too many."""
    shown = condensed.runs[name](rows) if name in condensed.runs else rows
    columns = [c for c in shown[0] if c != "question"]
    return columns, [[r[c] for c in columns] for r in shown]


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table of Markdown; a bar in a cell does not end it."""
    cells = [[_words(x).replace("|", "\\|") for x in row] for row in (columns, *rows)]
    head, *body = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([head.replace("|  |", "| |"), "|" + "---|" * len(columns), *body])


def _words(value: Any) -> str:
    if isinstance(value, (dict, MonteCarlo)):
        found = estimate(value)
        error = found.standard_error
        return f"{found.value:.3f}" + (f" ± {error:.3f}" if error else "")
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)
