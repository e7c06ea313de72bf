"""nanochat and DCLM CORE: the CSV of a base evaluation, or JSON lines of its examples.

nanochat writes totals only: the accuracy and the centred accuracy of each task, and CORE, their
mean. People who log examples write lines with `task`, `idx`, `is_correct`, and with `num_choices`
and `random_baseline` (in percent), from which the centred accuracy follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported
from informed.sources.logs.scorers import grade

COLUMNS = ["Task", "Accuracy", "Centered"]
CORE = "CORE"
EXAMPLE = {"task", "idx", "is_correct", "random_baseline"}


def recognise(head: str) -> bool:
    """Whether the text begins as the CSV, or as an example."""
    return openings.keys(head) >= EXAMPLE or _stripped(openings.columns(head)) == COLUMNS


def _stripped(row: Sequence[str]) -> list[str]:
    return [value.strip() for value in row]


@Format("nanochat", "nanochat base evaluation", recognise)
def read(path: Path) -> Log:
    """The numbers of a CSV, or the examples of a file of lines."""
    if openings.start(path).lstrip()[:1] != "{":
        return _totals(path)
    cases = [_case(record, line) for line, record in files.records(path)]
    if not cases:
        raise Problem("there is no example in this file.")
    return Log(path, cases, model=_model(path))


def _totals(path: Path) -> Log:
    """CORE first, then the tasks."""
    header, rows = files.table(path)
    if _stripped(header) != COLUMNS:
        raise Problem(f"the columns {', '.join(COLUMNS)} are needed.")
    told = []
    for row in map(_stripped, rows):
        task = None if row[0] == CORE else row[0]
        names = ("accuracy", "centered" if task else CORE)
        for name, value in zip(names, map(grade, row[1:]), strict=True):
            if value is not None:
                told.append(Reported(value, name, task=task))
    if not told:
        raise Problem("there is no number in this file.")
    told.sort(key=lambda one: one.task is not None)
    note = "nanochat writes totals and no answers; an interval needs the examples."
    return Log(path, (), model=_model(path), reported=told, notes=(note,))


def _case(record: dict[str, Any], line: int) -> Case:
    """An example: whether it was right is known, what was answered is not."""
    task, place, correct = (record.get(key) for key in ("task", "idx", "is_correct"))
    if not isinstance(task, str) or not isinstance(place, int | str) or not isinstance(correct, bool):
        raise Problem("an example needs `task`, `idx` and `is_correct` (true or false).", line)
    options, baseline = record.get("num_choices"), grade(record.get("random_baseline"))
    told = {"random_baseline": baseline, "task_type": record.get("task_type")}
    return Case(
        real=None,
        predicted=None,
        item=str(place),
        options=options if isinstance(options, int) and options > 1 else None,
        mark=float(correct),
        fields={key: value for key, value in told.items() if isinstance(value, str | float)},
        state="right" if correct else "wrong",
        task=task,
        chance=None if baseline is None else baseline / 100,
    )


def _model(path: Path) -> str:
    """nanochat names its file after the model."""
    return re.sub(r"(_examples)?\.\w+$", "", path.name)
