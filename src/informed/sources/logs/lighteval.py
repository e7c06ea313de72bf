"""lighteval: `details_<task>_<time>.parquet`, those of old versions too; a file is one task.

Multiple choice: the answer is the option of the highest log-probability, unless a mark says
otherwise (accuracies that are normalised by length): then there are marks and no answers. Of
generated texts the first is the answer. Every metric is a scorer. What the tool itself reports is
taken from `results_<time>.json`, where that lies beside the details as lighteval wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings, parquet
from informed.sources.logs.bounded_files import Problem, letter, mapping, number, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported, name_options
from informed.sources.logs.parquet import Parquet
from informed.sources.logs.scorers import answered_unseen, grade, graded, in_epochs, marks_only

NAME = re.compile(rf"details_(?P<task>.+)_{files.TIME}\.parquet")
NEW = {"doc", "metric", "model_response"}
FIELDS = {
    "doc": {"id", "task_name", "gold_index", "choices", "specific"},
    "model_response": {"logprobs", "text", "text_post_processed"},
}
OLD = {"example", "gold_index", "choices", "predictions", "metrics"}


def recognise(head: str) -> bool:
    """Whether the text begins as the results of a run."""
    return openings.keys(head) >= {"config_general", "config_general.lighteval_sha", "results"}


def holds_details(path: Path) -> bool:
    """Whether a Parquet file has the columns of details."""
    if path.is_dir():
        return False
    with parquet.opened(path) as file:
        columns = file.columns()
    return columns >= NEW or columns >= OLD


@Format("lighteval", "lighteval details", recognise, holds=holds_details, choose="scorer")
def read(path: Path) -> Log:
    """The cases of a file of details, or the totals of a results file."""
    with files.opened(path) as file:
        if file.read(4) != b"PAR1":
            return _totals(path)
    cases, notes = marks_only(_details(path))
    task, (model, told) = cases[0].task, _beside(path)
    return Log(
        path=path,
        cases=in_epochs([case._replace(task=None) for case in cases]),
        model=model,
        task=task,
        choose="scorer",
        multiple_choice=name_options(cases),
        reported=[one._replace(task=None) for one in told if one.task == task],
        notes=notes,
    )


# ---------------------------------------------------------------- one file of details


def _details(path: Path) -> list[Case]:
    """The cases of one file."""
    named = NAME.fullmatch(path.name)
    with parquet.opened(path) as file:
        columns = file.columns()
        if columns >= NEW:
            found = list(_new(file))
        elif columns >= OLD:
            found = list(_old(file, columns, named["task"] if named else None))
        else:
            raise Problem("these are no details of lighteval: the columns doc, metric and model_response are needed.")
    if not found:
        raise Problem("there are no rows in this file.")
    return _marked(found)


def _new(file: Parquet) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Cases of the layout with structs, and the metrics of each."""
    wanted = {name: f"{of}.{name}" for of, names in FIELDS.items() for name in names & file.columns(of)}
    for place, row in enumerate(file.rows({**wanted, "metric": "metric"}), 1):
        texts = sequence(row.get("text_post_processed")) or sequence(row.get("text"))
        case = _case(row, row.get("logprobs"), texts, place)
        name, task = row.get("id"), row.get("task_name")
        case = case._replace(item=str(place if name is None else name), task=files.string(task))
        yield case, mapping(row.get("metric"))


def _old(file: Parquet, columns: set[str], task: str | None) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Cases of the flat layout; there is no id, so that the item is the example itself."""
    names = ("example", "gold_index", "choices", "predictions", "metrics", "specifics")
    for place, row in enumerate(file.rows({name: f'"{name}"' for name in names if name in columns}), 1):
        given = sequence(row.get("predictions"))
        scores = given if all(number(x) is not None for x in given) else []
        case = _case({**row, "specific": row.get("specifics")}, scores, [x for x in given if isinstance(x, str)], place)
        yield case._replace(item=str(row.get("example")), task=task), mapping(row.get("metrics"))


def _case(row: dict[str, Any], logprobs: Any, texts: list[Any], place: int) -> Case:
    """The labels of a row: places of options where they were compared, else texts."""
    choices, gold = sequence(row.get("choices")), row.get("gold_index")
    gold = gold[0] if isinstance(gold, list) and len(gold) == 1 else gold
    right = gold if isinstance(gold, int) and not isinstance(gold, bool) and 0 <= gold < len(choices) else None
    scores = [number(x) for x in sequence(logprobs)]
    fields = files.scalars(row.get("specific"))
    if len(choices) > 1 and len(scores) == len(choices):
        known = [x for x in scores if x is not None and x == x]
        best = letter(scores.index(max(known))) if len(known) == len(scores) else None
        return Case(None if right is None else letter(right), best, options=len(choices), fields=fields)
    real = None if right is None else files.written(choices[right], f"gold of row {place:,}")
    answer = next(iter(texts), None)
    return Case(_stripped(real), _stripped(files.written(answer, f"answer of row {place:,}")), fields=fields)


def _stripped(label: str | None) -> str | None:
    return None if label is None else label.strip()


def _marked(found: Iterable[tuple[Case, dict[str, Any]]]) -> list[Case]:
    """A case for each metric. Where the marks of a metric do not follow from the answers, it has no answers."""
    held = list(found)
    names = dict.fromkeys(name for _, metrics in held for name in metrics)
    cases: list[Case] = []
    for name in names:
        scored = [graded(case, name, grade(metrics.get(name))) for case, metrics in held]
        compared = [case for case in scored if case.options is not None and case.mark is not None]
        if any((case.real == case.predicted) != bool(case.mark) for case in compared):
            scored = [case if case.predicted is None else answered_unseen(case) for case in scored]
        cases += scored
    if not cases:
        raise Problem("no metric was written for these rows.")
    return cases


# ---------------------------------------------------------------- what lighteval reports


def _beside(path: Path) -> tuple[str | None, list[Reported]]:
    """The model and the numbers of `results/<org>/<model>/results_<time>.json`, beside `details/`."""
    folder = path.absolute().parent
    parts = folder.parts
    if "details" not in parts:
        return None, []
    at = len(parts) - 1 - parts[::-1].index("details")
    model = parts[at + 1 : -1]
    results = Path(*parts[:at], "results", *model, f"results_{folder.name}.json")
    if not model or not results.is_file():
        return "/".join(model) or None, []
    with files.in_file(results):
        log = _totals(results)
    return log.model or "/".join(model), list(log.reported)


def _totals(path: Path) -> Log:
    """The numbers of a results file: of each task, then the means of all."""
    held = files.content(path)
    general, results = mapping(held.get("config_general")), mapping(held.get("results"))
    if not results:
        raise Problem("a results file of lighteval needs an object `results`.")
    told = []
    for task, metrics in sorted(results.items(), key=lambda pair: pair[0] != "all"):
        for name, value in mapping(metrics).items():
            score = grade(value)
            if score is not None and not name.endswith("_stderr"):
                told.append(Reported(score, name, name, task=None if task == "all" else task))
    note = "the file holds totals and no answers; the answers are in the details files beside it."
    return Log(path, (), model=files.string(general.get("model_name")), reported=told, notes=(note,))
