"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`, one line for each document and filter.

Multiple choice: the real label is the option that the target names, the answer is the option of
the highest log-likelihood (divided by the option's length with ``normalized=True``, as `acc_norm`
does). Generation: the answer is the filtered response; ``[invalid]`` and ``[missing]``, which a
filter writes where it found nothing, are abstentions.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from informed.errors import SourceError, one_of
from informed.evidence.labels import some, text
from informed.sources.logs import bounded_files as files
from informed.sources.logs.bounded_files import Problem, letters, mapping, number, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.lm_eval_results import NAME, Run
from informed.sources.logs.log import Case, Log, name_options
from informed.sources.logs.scorers import no_marks

NO_ANSWER = ("[invalid]", "[missing]")
USUAL = ("acc", "acc_norm", "exact_match")  # metrics that a sample may have and not list
INDEX = re.compile(r"\s*\d{1,4}\s*")
OPENING = re.compile(r'\s*\{"doc_id": ?\d+, ?"doc": ?\{')


class _Row(NamedTuple):
    """What is kept of one line."""

    line: int
    case: Case  # whose labels are yet to be found
    target: Any
    response: Any  # the filtered response, of generation
    scores: tuple[float, ...]  # log-likelihoods, of multiple choice
    continuations: tuple[str, ...]
    metrics: dict[str, float]  # as the harness scored it; those of a whole corpus have no number here
    metric: str | None  # the one that is the mark

    def marked(self, name: str) -> float | None:
        """Whether the harness called it right, by a metric."""
        value = self.metrics.get(name)
        return value if value in (0.0, 1.0) else None

    def scored(self, metrics: dict[str, float], metric: str | None) -> _Row:
        """The row with these metrics, and its mark by the one asked for or the first of them."""
        metric = _first(metrics, self.scores) if metric is None else metric
        case = self.case._replace(mark=metrics.get(metric or ""))
        return self._replace(case=case, metrics=metrics, metric=metric)


def _first(metrics: dict[str, float], scores: Sequence[float]) -> str | None:
    """The metric that is the mark where none is asked for."""
    return "acc" if scores and "acc" in metrics else next(iter(metrics), None)


def recognise(head: str) -> bool:
    """Whether the first line is a sample of the harness."""
    if row := files.first_record(head):
        return {"doc_id", "filtered_resps"} <= row.keys()
    return bool(OPENING.match(head))  # a line longer than the head


@Format("lm-eval", "lm-evaluation-harness samples", recognise, choose="filter")
def read(
    path: Path,
    *,
    metric: str | None = None,
    normalized: bool = False,
    places: Literal["letters", "indices"] = "letters",
    accepted: Literal["matched"] | None = None,
) -> Log:
    """The cases of a samples file; the harness's own numbers are in the results file beside it."""
    one_of("places", places, ("letters", "indices"), SourceError)
    normalized = normalized or metric == "acc_norm"
    metric = "acc_norm" if normalized else metric

    rows, notes = _marked([_row(record, line, metric) for line, record in files.records(path)], metric)
    if not rows:
        raise Problem("there is no sample in this file.")
    kinds = [min(len(row.scores), 2) for row in rows]
    if len(set(kinds)) > 1:
        other = next(row for row, kind in zip(rows, kinds, strict=True) if kind != kinds[0])
        raise Problem("multiple choice, generation and single continuations are mixed in one file.", other.line)
    if not normalized:
        _check_metric(rows, metric)

    if kinds[0] == 1:
        cases = [_continued(row) for row in rows]
    elif kinds[0] == 2:
        cases = _choices(rows, normalized, places, accepted, notes)
    elif normalized:
        raise Problem("these are generated answers; `normalized=True` is for multiple choice.")
    else:
        cases = [_generated(row, accepted) for row in rows]

    most = max(row.case.options or 0 for row in rows)
    positions = kinds[0] == 2 or name_options(cases)
    if not positions:
        cases = [case._replace(options=None) for case in cases]
    numbered = kinds[0] == 2 and places == "indices"  # generated answers are letters themselves
    names: tuple[Hashable, ...] = tuple(range(most)) if numbered else letters(most)
    found = NAME.fullmatch(path.name)
    task = found["task"] if found else None
    run = Run.beside(path, task)

    return Log(
        path=path,
        cases=cases,
        model=run.model or _model(path),
        task=task,
        choose="filter",
        headline=_first_filter(rows, run),
        metric=rows[0].metric,
        labels=names if positions else None,
        multiple_choice=positions,
        reported=run.reported,
        facts={**run.facts, "metrics": _metrics(rows)},
        notes=(*notes, *run.notes),
        remarks=run.remarks,
    )


def _first_filter(rows: Sequence[_Row], run: Run) -> str | None:
    """The filter whose number the harness reports first, or else that of the first line."""
    held = dict.fromkeys(row.case.fields["filter"] for row in rows)
    return next((told.filter for told in run.reported if told.filter in held), next(iter(held)))


def _check_metric(rows: Sequence[_Row], metric: str | None) -> None:
    known = _metrics(rows)
    if metric is not None and metric not in known and known:
        raise Problem(f"there is no metric {text(metric)} of each sample; there is {some(known, 8)}.")


def _metrics(rows: Sequence[_Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.metrics))


def _marked(rows: list[_Row], metric: str | None) -> tuple[list[_Row], list[str]]:
    """The rows without metrics that go beyond 0 and 1, which give no mark; and a note on those."""
    beyond = {name for row in rows for name, value in row.metrics.items() if value < 0 or value > 1}
    if metric in beyond:
        raise Problem(f"the numbers of {metric} go beyond 0 and 1; marks from 0 to 1 are needed.")
    if not beyond:
        return rows, []
    held = [{name: value for name, value in row.metrics.items() if name not in beyond} for row in rows]
    return [row.scored(metrics, metric) for row, metrics in zip(rows, held, strict=True)], no_marks(beyond)


# ---------------------------------------------------------------- one line


def _row(record: dict[str, Any], line: int, metric: str | None) -> _Row:
    if "doc_id" not in record or "filtered_resps" not in record:
        raise Problem("a sample needs `doc_id` and `filtered_resps`.", line)
    responses, doc = record["filtered_resps"], mapping(record.get("doc"))
    scores, continuations = _likelihoods(responses, record.get("arguments"), line)
    choices = doc.get("choices")
    if isinstance(choices, dict):  # ARC: {"text": […], "label": […]}
        choices = choices.get("text")
    which = record.get("filter", "none")
    if not isinstance(which, str):
        raise Problem(f"`filter` is {text(which)}; text is needed.", line)

    listed = tuple(name for name in sequence(record.get("metrics")) if isinstance(name, str))
    metrics = {name: x for name in _names(listed) if (x := number(record.get(name))) is not None}
    metric = _first(metrics, scores) if metric is None else metric
    case = Case(
        real=None,
        predicted=None,
        item=" ".join([str(record[key])[:16] for key in ("doc_id", "doc_hash") if key in record]),
        options=len(scores) or (len(choices) if isinstance(choices, list) else None),
        mark=metrics.get(metric or ""),
        fields={**files.scalars(doc), "filter": which},
    )
    response = responses[0] if isinstance(responses, list) and responses else responses
    return _Row(line, case, record.get("target"), response, scores, continuations, metrics, metric)


@lru_cache(maxsize=1000)
def _names(listed: tuple[str, ...]) -> tuple[str, ...]:
    """Metrics that a sample may have, those that it lists first."""
    return tuple(dict.fromkeys((*listed, *USUAL)))


def _likelihoods(responses: Any, arguments: Any, line: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """The log-likelihood and the text of each option; nothing of a generated answer."""
    pairs = sequence(responses)
    if not pairs or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return (), ()
    try:
        scores = [float(pair[0]) for pair in pairs]
    except (TypeError, ValueError, OverflowError):
        raise Problem("a log-likelihood is not a number.", line) from None
    contexts, options = _asked(arguments)
    if len(options) != len(scores):
        return tuple(scores), ()
    if "" in contexts and any(contexts):  # acc_mutual_info adds each option without its context
        kept = [i for i, context in enumerate(contexts) if context != ""]
        scores, options = [scores[i] for i in kept], [options[i] for i in kept]
    return tuple(scores), tuple(options)


def _asked(arguments: Any) -> tuple[list[Any], list[str]]:
    """Contexts and continuations of the requests, in the new form and the old."""
    if isinstance(arguments, dict):
        pairs = [(x.get("arg_0"), x.get("arg_1")) for x in arguments.values() if isinstance(x, dict)]
    else:
        pairs = [(x[0], x[1]) for x in sequence(arguments) if isinstance(x, list) and len(x) == 2]
    kept = [(context, after) for context, after in pairs if isinstance(after, str)]
    return [context for context, _ in kept], [after for _, after in kept]


def _continued(row: _Row) -> Case:
    """One continuation and no other option: there is a mark and no answer."""
    if row.case.mark is None or len(row.scores) > 1:
        raise Problem(
            "one continuation was scored and there is no other option, so this is no classification; a metric of "
            "each sample is needed, multiple choice or generation.",
            row.line,
        )
    target = row.target if isinstance(row.target, str) else None
    return row.case._replace(real=target, options=None, state="right" if row.case.mark >= 1 else "wrong")


# ---------------------------------------------------------------- multiple choice


def _choices(rows: Sequence[_Row], normalized: bool, places: str, accepted: str | None, notes: list[str]) -> list[Case]:
    plain = [_best(row.scores) for row in rows]
    best = _normalized(rows, plain) if normalized else plain
    name: Callable[[int], Hashable] = files.letter if places == "letters" else int
    lost = sum(answer is None for answer in best)
    if lost:
        notes.append(f"{lost:,} items have a log-likelihood that is not a number.")
    return [
        row.case._replace(real=name(gold), predicted=None if answer is None else name(answer))
        for row, gold, answer in zip(rows, _golds(rows, plain, accepted), best, strict=True)
    ]


def _best(scores: Sequence[float]) -> int | None:
    """The first of the highest scores, as the harness takes it."""
    if any(map(math.isnan, scores)):
        return None
    return scores.index(max(scores))


def _normalized(rows: Sequence[_Row], plain: Sequence[int | None]) -> list[int | None]:
    """The best option by log-likelihood per character, as `acc_norm` has it.

    The harness divides by the length of the option without the space that joins it to the
    prompt. Where the file's own `acc_norm` contradicts that, the space is part of the option.
    """
    for row in rows:
        if len(row.continuations) != len(row.scores) or not all(row.continuations):
            raise Problem("the text of the options is not in `arguments`.", row.line)
    golds = _golds(rows, plain, "matched")
    ways: list[Callable[[str], int]] = [lambda option: len(option.removeprefix(" ")), len]
    for length in ways:
        best = [
            _best([s / (length(c) or 1) for s, c in zip(row.scores, row.continuations, strict=True)]) for row in rows
        ]
        if _follow("acc_norm", rows, golds, best):
            return best
    raise Problem("`acc_norm` does not follow from the log-likelihoods of this file.")


def _follow(mark: str, rows: Sequence[_Row], golds: Sequence[int], best: Sequence[int | None]) -> bool:
    """Whether the harness marked the answers as they are right or wrong."""
    return all(row.marked(mark) in (None, gold == answer) for row, gold, answer in zip(rows, golds, best, strict=True))


def _golds(rows: Sequence[_Row], best: Sequence[int | None], accepted: str | None) -> list[int]:
    """The place of each right option, by the one reading of the targets that fits the file.

    A target is an index or the text of an option, and "3" can be both; of the readings that are
    possible on every line, the first that does not contradict `acc` is right. Where the target
    is neither (a task that varies the context), two options and `acc` still tell the right one.
    """
    asked = list(zip(rows, best, strict=True))
    for reading in (_by_index, _by_text, _by_mark):
        places = [reading(row, answer) for row, answer in asked]
        if all(places):
            golds = [
                known[0] if len(known) == 1 else _accepted(known, answer, accepted, row.line)
                for known, (row, answer) in zip(places, asked, strict=True)
            ]
            if _follow("acc", rows, golds, best):
                return golds

    for row, answer in asked:
        if not _by_index(row, answer) and not _by_text(row, answer):
            raise Problem(f"the target {text(row.target)} is none of the {row.case.options} options.", row.line)
    raise Problem("`acc` contradicts the targets and log-likelihoods of this file.")


def _accepted(places: list[int], answer: int | None, accepted: str | None, line: int) -> int:
    """The one of several right options that counts."""
    return int(files.accepted_one(list(map(str, places)), str(answer), accepted, line))


def _by_index(row: _Row, answer: int | None) -> list[int]:
    """The places that the targets name by their numbers; none unless all do, as in the other readings."""
    places = [_index(x, len(row.scores)) for x in _targets(row.target)]
    return [] if None in places else [place for place in places if place is not None]


def _by_text(row: _Row, answer: int | None) -> list[int]:
    stripped = [option.strip() for option in row.continuations]
    targets = [x.strip() for x in _targets(row.target) if isinstance(x, str)]
    return [stripped.index(x) for x in targets] if all(stripped.count(x) == 1 for x in targets) else []


def _by_mark(row: _Row, answer: int | None) -> list[int]:
    right = row.marked("acc")
    if len(row.scores) != 2 or right is None or answer is None:
        return []
    return [answer if right else 1 - answer]


def _targets(target: Any) -> list[Any]:
    """One target or several; newer versions write a list as text, as Python does."""
    if isinstance(target, str) and target.startswith("[") and target.endswith("]"):
        try:
            held = ast.literal_eval(target)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return [target]
        target = held if isinstance(held, list) else target
    return target if isinstance(target, list) else [target]


def _index(target: Any, options: int) -> int | None:
    if isinstance(target, str) and INDEX.fullmatch(target):
        target = int(target)
    whole = isinstance(target, int) and not isinstance(target, bool)
    return int(target) if whole and 0 <= target < options else None


# ---------------------------------------------------------------- generation


def _generated(row: _Row, accepted: str | None) -> Case:
    response = row.response
    while isinstance(response, list) and len(response) == 1:
        response = response[0]
    answer = files.written(response, "response", row.line)
    answer = None if answer in NO_ANSWER else answer
    known = files.several(_targets(row.target), "target", row.line)
    real = files.accepted_one(known, answer, accepted, row.line, marked=row.case.mark is not None)
    return row.case._replace(real=real, predicted=answer)


def _model(path: Path) -> str | None:
    """The folder of a run is named after the model, with "/" written as "__"."""
    folder = path.absolute().parent.name
    return folder.replace("__", "/") if "__" in folder else None
