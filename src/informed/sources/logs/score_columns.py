"""RAGAS, MLflow GenAI, LangSmith (with OpenEvals) and Braintrust: rows with a column for each score.

Their users save a data frame as CSV, JSON or JSON lines, or export a list of events. `SHAPES` says
which columns are the item, the real label, the answer and the scores of each; the rest is the same.
A score that is empty or NaN leaves the case unscored. A row whose run failed is an error, with the
mark that the tool gave it, if it gave one. The tools report the mean of each score without the
empty ones, in no file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from informed.evidence.labels import some, text
from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, label, mapping, sequence, string
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log
from informed.sources.logs.scorers import WORDS, grade, graded, in_epochs, marks_only

Row = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """Which columns a tool writes. A pattern with a group names what the group matches."""

    name: str
    title: str
    needs: frozenset[str]  # columns without which it is another tool's
    item: Sequence[str]  # the first of them that a row has
    real: str  # patterns, of which the first column that fits is taken
    answer: str
    score: str
    known: frozenset[str] = frozenset()  # columns that are neither scores nor groups
    words: bool = True  # a score may be "yes" or "no"; else any column of such words is something else
    failed: Callable[[Row], bool] = lambda row: False


RAGAS = Shape(
    "ragas",
    "RAGAS scores",
    needs=frozenset(("user_input", "response")),
    item=("user_input",),
    real="reference",
    answer="response",
    score="(.+)",
    words=False,
    known=frozenset(
        (
            *("user_input", "retrieved_contexts", "reference_contexts", "response", "multi_responses", "reference"),
            *("rubrics", "retrieved_context_ids", "reference_context_ids", "persona_name", "query_style"),
            *("query_length", "reference_tool_calls", "reference_topics"),
        )
    ),
)
MLFLOW = Shape(
    "mlflow-genai",
    "MLflow GenAI evaluation",
    needs=frozenset(("trace_id", "request", "response", "state")),
    item=("request", "trace_id"),
    real="expected_response/value",
    answer="response",
    score="(?!expected_|guidelines/)(.+)/value",
    known=frozenset(
        (
            *("trace_id", "client_request_id", "state", "request_time", "execution_duration", "request", "response"),
            *("trace", "spans", "tags", "trace_metadata", "assessments"),
        )
    ),
    failed=lambda row: row.get("state") == "ERROR",
)
LANGSMITH = Shape(
    "langsmith",
    "LangSmith experiment",
    needs=frozenset(("example_id", "error")),
    item=("example_id",),
    real=r"reference\.(.+)",
    answer=r"outputs\.(?!output$)(.+)|outputs\.(output)",
    score=r"feedback\.(.+)",
    known=frozenset(("example_id", "id", "error", "execution_time")),
    failed=lambda row: bool(row.get("error")),
)
BRAINTRUST = Shape(
    "braintrust",
    "Braintrust experiment",
    needs=frozenset(("span_id", "root_span_id", "scores", "output")),
    item=("dataset_record_id", "input"),
    real="expected",
    answer="output",
    score=r"scores\.(.+)",
    known=frozenset(
        (
            *("id", "span_id", "root_span_id", "span_parents", "is_root", "created", "input", "output", "expected"),
            *("error", "scores", "metadata", "metrics", "tags", "dataset_record_id", "span_attributes", "context"),
        )
    ),
    failed=lambda row: bool(row.get("error")),
)
SHAPES = (BRAINTRUST, LANGSMITH, MLFLOW, RAGAS)


def recognise(shape: Shape, head: str) -> bool:
    """Whether the columns are those of a tool, with a score among them."""
    if keys := openings.keys(head):
        names = {key.removeprefix("[].") for key in keys}
        if "scores" in names:  # a nested object of scores; it may be empty in the first row
            return names >= shape.needs and shape is BRAINTRUST
        first: Row = dict.fromkeys(name for name in names if "[]" not in name)
    else:
        header, *rows = openings.rows(head) or [[]]
        first = dict(zip(header, rows[0] if rows else [], strict=False))
    scores = [name for name in first if _scorer(shape, name) and _gradable(shape, [first[name]])]
    return first.keys() >= shape.needs and bool(scores)


def read(shape: Shape, path: Path, *, real: str | None = None, predicted: str | None = None) -> Log:
    """The cases of the rows, one for each score; `real` and `predicted` name other columns."""
    rows = _rows(path, shape)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lacking = [name for name in sorted(shape.needs) if name not in columns]
    if lacking:
        raise Problem(f"there is no column {text(lacking[0])}, which {shape.title} has.")
    pair = _column(columns, shape.real, real), _column(columns, shape.answer, predicted)
    scores = {name: column for name, column in _scores(shape, columns, rows).items() if column not in pair}
    if not scores:
        raise Problem(f"no column holds scores; there is {some(columns, 12)}.")

    used = {*shape.known, *scores.values(), *pair}
    groups = [name for name in columns if name not in used and "/" not in name and "." not in name]
    held = [case for place, row in enumerate(rows, 1) for case in _cases(shape, row, place, pair, scores, groups)]
    cases, notes = marks_only(held)
    models = {mapping(row.get("metadata")).get("model") for row in rows}
    model = string(models.pop()) if len(models) == 1 else None
    return Log(path=path, cases=in_epochs(cases), model=model, choose="scorer", notes=notes)


for _shape in SHAPES:
    Format(_shape.name, _shape.title, partial(recognise, _shape), choose="scorer")(partial(read, _shape))


# ---------------------------------------------------------------- rows


def _rows(path: Path, shape: Shape) -> list[Row]:
    """The rows of a CSV, of lines, of a JSON list, or of a JSON object of columns (as pandas writes it)."""
    start = openings.start(path).lstrip()
    rows: list[Row]
    if start[:1] == "[":
        rows = [mapping(row) for row in sequence(files.parsed(files.document(path)))]
    elif start[:1] == "{":
        keys = openings.keys(start)
        by_column = bool(keys) and shape.needs <= keys and any(f"{name}.0" in keys for name in shape.needs)
        rows = _turned(path) if by_column else [row for _, row in files.records(path)]
    else:
        header, cells = files.table(path)
        rows = [dict(zip(header, row, strict=True)) for row in cells]

    if shape is BRAINTRUST:
        rows = [_flat(row) for row in rows if row.get("is_root", row.get("span_id") == row.get("root_span_id"))]
    if not rows:
        raise Problem("there are no rows in this file.")
    return rows


def _turned(path: Path) -> list[Row]:
    columns = {name: mapping(held) for name, held in files.content(path).items()}
    places = list(dict.fromkeys(place for held in columns.values() for place in held))
    return [{name: held.get(place) for name, held in columns.items()} for place in places]


def _flat(row: Row) -> Row:
    """An event with its scores as columns."""
    return {**row, **{f"scores.{name}": value for name, value in mapping(row.get("scores")).items()}}


# ---------------------------------------------------------------- columns


def _scorer(shape: Shape, column: str) -> str | None:
    found = re.fullmatch(shape.score, column)
    return found[1] if found and column not in shape.known else None


def _scores(shape: Shape, columns: Sequence[str], rows: Sequence[Row]) -> dict[str, str]:
    """The column of each scorer; a column of texts is none, and neither is what a person expected."""
    told = [mapping(x) for row in rows for x in sequence(row.get("assessments"))]
    expected = {one.get("assessment_name") for one in told if "expectation" in one}
    named = {scorer: name for name in columns if (scorer := _scorer(shape, name)) and scorer not in expected}
    return {scorer: name for scorer, name in named.items() if _gradable(shape, [row.get(name) for row in rows])}


def _gradable(shape: Shape, values: Sequence[Any]) -> bool:
    """Whether all that was written can be read as a number, or as yes or no where that is a score."""
    written = [value for value in values if value not in (None, "") and str(value).strip().casefold() != "nan"]
    worded = any(isinstance(value, str) and value.strip().casefold() in WORDS for value in written)
    return all(grade(value) is not None for value in written) and (shape.words or not worded)


def _column(columns: Sequence[str], pattern: str, given: str | None) -> str | None:
    if given is not None and given not in columns:
        raise Problem(f"there is no column {text(given)}; there is {some(columns, 12)}.")
    if given is not None:
        return given
    fitting = [name for name in columns if re.fullmatch(pattern, name)]
    return min(fitting, key=lambda name: name == "outputs.output", default=None)


# ---------------------------------------------------------------- cases


def _cases(
    shape: Shape,
    row: Row,
    place: int,
    pair: tuple[str | None, str | None],
    scores: dict[str, str],
    groups: Sequence[str],
) -> Iterator[Case]:
    real, answer = (None if name is None else label(row.get(name)) for name in pair)
    item = next((label(row[name]) for name in shape.item if label(row.get(name)) is not None), str(place))
    failed = shape.failed(row)
    held = {name: row.get(name) for name in groups if isinstance(row.get(name), str)}
    fields = {**files.scalars(held), **files.scalars(row.get("metadata"))}
    case = Case(real, None if failed else answer, item=item, fields=fields, state="error" if failed else None)
    for scorer, column in scores.items():
        yield graded(case, scorer, grade(row.get(column)))
