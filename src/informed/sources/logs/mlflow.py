"""MLflow: `eval_results_table.json`, the rows of an evaluation as `{"columns": …, "data": …}`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from informed.evidence.labels import some, text
from informed.sources.logs.bounded_files import Problem, content, mark, scalars
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

REAL = ("ground_truth", "target", "targets", "label", "labels", "expected", "y_true", "real")
PREDICTED = (*("predictions", "prediction", "outputs", "output", "predicted", "y_pred"), *("model_output", "response"))
SCORE = "match/score"
OPENING = re.compile(r'\s*\{\s*"columns":\s*\[[^\[\]{}]*\],\s*"data":\s*\[')


def recognise(head: str) -> bool:
    """Whether the text begins as a table of columns and data."""
    return bool(OPENING.match(head))


@Format("mlflow", "MLflow evaluation table", recognise)
def read(path: Path, *, real: str | None = None, predicted: str | None = None) -> Log:
    """The cases of an evaluation table; `real` and `predicted` name columns."""
    table = content(path)
    columns, data = table.get("columns"), table.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        raise Problem("a table needs `columns` and `data`.")
    names = [str(name) for name in columns]
    pair = _column(names, real, REAL, "real"), _column(names, predicted, PREDICTED, "predicted")

    cases = []
    for place, row in enumerate(data, 1):
        if not isinstance(row, list) or len(row) != len(names):
            raise Problem(f"row {place:,} does not have {len(names)} values.")
        held = dict(zip(names, row, strict=True))
        labels = [_label(held[name], place) for name in pair]
        fields = {name: value for name, value in scalars(held).items() if name not in pair}
        cases.append(Case(labels[0], labels[1], mark=mark(held.get(SCORE)), fields=fields))

    if not cases:
        raise Problem("the table has no rows.")
    return Log(path=path, cases=cases, foreign=real is not None and predicted is not None, metric=SCORE)


def _label(value: Any, place: int) -> Any:
    """A value as the data frame held it: 1 and 1.0 are the same label, blank text is none."""
    if isinstance(value, list | dict):
        raise Problem(f"row {place:,} holds {text(value)}; one label is needed.")
    return None if isinstance(value, str) and not value.strip() else value


def _column(names: Sequence[str], given: str | None, usual: Sequence[str], what: str) -> str:
    found = [name for name in names if name in (usual if given is None else (given,))]
    if given is not None and not found:
        raise Problem(f"there is no column {text(given)}; there is {some(names, 12)}.")
    if len(found) != 1:
        raise Problem(f"which column holds the {what} labels? Give {what}= one of {some(names, 12)}.")
    return found[0]
