"""MLflow: `eval_results_table.json`, the rows of an evaluation as `{"columns": …, "data": …}`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from informed.evidence.labels import some, text
from informed.sources.logs.bounded_files import document, mapping, mark, means, number, parsed, problem, scalars
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

REAL = ("ground_truth", "target", "targets", "label", "labels", "expected", "y_true", "real")
PREDICTED = (*("predictions", "prediction", "outputs", "output", "predicted", "y_pred"), *("model_output", "response"))
OPENING = re.compile(r'\s*\{\s*"columns":\s*\[[^\[\]{}]*\],\s*"data":\s*\[')


def recognise(head: str) -> bool:
    """Whether the text begins as a table of columns and data."""
    return bool(OPENING.match(head))


@Format("mlflow", "MLflow evaluation table", recognise)
def read(path: Path, *, real: str | None = None, predicted: str | None = None) -> Log:
    """The cases of an evaluation table; `real` and `predicted` name columns."""
    table = mapping(parsed(document(path), path))
    columns, data = table.get("columns"), table.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        raise problem(path, "a table needs `columns` and `data`.")
    names = [str(name) for name in columns]
    at_real = _place(names, real, REAL, "real", path)
    at_predicted = _place(names, predicted, PREDICTED, "predicted", path)

    scores: dict[str, list[float]] = {name: [] for name in names if name.endswith("/score")}
    cases = []
    for place, row in enumerate(data, 1):
        if not isinstance(row, list) or len(row) != len(names):
            raise problem(path, f"row {place:,} does not have {len(names)} values.")
        held = dict(zip(names, row, strict=True))
        for name in scores:
            score = number(held[name])
            if score is not None:
                scores[name].append(score)
        fields = {
            name: value for name, value in scalars(held).items() if name not in (names[at_real], names[at_predicted])
        }
        cases.append(
            Case(
                real=_label(row[at_real], place, path),
                predicted=_label(row[at_predicted], place, path),
                correct=mark(held.get("match/score")),
                fields=fields,
            )
        )

    if not cases:
        raise problem(path, "the table has no rows.")
    return Log(path=path, cases=cases, reported={"scores": means(scores)})


def _label(value: Any, place: int, path: Path) -> Any:
    """A value as the data frame held it: 1 and 1.0 are the same label, blank text is none."""
    if isinstance(value, list | dict):
        raise problem(path, f"row {place:,} holds {text(value)}; one label is needed.")
    return None if isinstance(value, str) and not value.strip() else value


def _place(names: Sequence[str], given: str | None, usual: Sequence[str], what: str, path: Path) -> int:
    if given is not None:
        if given not in names:
            raise problem(path, f"there is no column {text(given)}; there is {some(names, 12)}.")
        return names.index(given)
    found = [name for name in names if name in usual]
    if len(found) != 1:
        raise problem(path, f"which column holds the {what} labels? Give {what}= one of {some(names, 12)}.")
    return names.index(found[0])
