"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`, one line for each document and filter.

Multiple choice: the real label is the option that the target names, the answer is the option of
the highest log-likelihood (divided by the option's length with ``normalized=True``, as `acc_norm`
does). Generation: the answer is the filtered response; ``[invalid]`` and ``[missing]``, which a
filter writes where it found nothing, are abstentions.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from informed.errors import SourceError
from informed.evidence.labels import text
from informed.sources.logs.bounded_files import (
    accepted_one,
    letter,
    letters,
    mapping,
    mark,
    means,
    number,
    problem,
    records,
    scalars,
    sequence,
    several,
    written,
)
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

NO_ANSWER = ("[invalid]", "[missing]")
NAME = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d.:-]+\.jsonl")
OPENING = re.compile(r'\s*\{"doc_id": ?\d+, ?"doc": ?\{')


class _Row(NamedTuple):
    """What is kept of one line."""

    line: int
    item: str
    target: Any
    response: Any  # the filtered response, of generation
    scores: tuple[float, ...]  # log-likelihoods, of multiple choice
    continuations: tuple[str, ...]
    options: int | None
    acc: bool | None
    acc_norm: bool | None
    exact_match: bool | None
    fields: dict[str, Any]


def recognise(head: str) -> bool:
    """Whether the first line is a sample of the harness."""
    first = head.partition("\n")[0]
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return bool(OPENING.match(first))  # a line longer than the head
    return isinstance(row, dict) and {"doc_id", "filtered_resps"} <= row.keys()


@Format("lm-eval", "lm-evaluation-harness samples", recognise, choose="filter")
def read(
    path: Path,
    *,
    normalized: bool = False,
    places: Literal["letters", "indices"] = "letters",
    accepted: Literal["matched"] | None = None,
) -> Log:
    """The cases of a samples file."""
    if places not in ("letters", "indices"):
        raise SourceError(f'`places` is {text(places)}; it can be "letters" or "indices".')

    reported: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    rows = []
    for line, record in records(path):
        row = _row(record, path, line)
        rows.append(row)
        for metric in sequence(record.get("metrics")):
            score = number(record.get(metric)) if isinstance(metric, str) else None
            if score is not None:
                reported[row.fields["filter"]][metric].append(score)

    if not rows:
        raise problem(path, "there is no sample in this file.")
    kinds = [bool(row.scores) for row in rows]
    if any(kinds) and not all(kinds):
        odd = rows[kinds.index(not kinds[0])]
        raise problem(path, "multiple choice and generation are mixed in one file.", odd.line)

    if kinds[0]:
        cases, notes = _choices(rows, normalized, places, accepted, path)
    elif normalized:
        raise problem(path, "these are generated answers; normalized=True is for multiple choice.")
    else:
        cases, notes = _generated(rows, accepted, path)

    most = max((row.options or 0 for row in rows), default=0)
    positions = kinds[0] or _are_letters(rows, cases)
    if not positions:
        cases = [case._replace(options=None) for case in cases]
    found = NAME.fullmatch(path.name)
    numbered = kinds[0] and places == "indices"  # generated answers are letters themselves
    names: tuple[Hashable, ...] = tuple(range(most)) if numbered else letters(most)

    return Log(
        path=path,
        cases=cases,
        model=_model(path),
        task=found.group(1) if found else None,
        choose="filter",
        labels=names if positions else None,
        multiple_choice=positions,
        reported={name: means(metrics) for name, metrics in reported.items()},
        notes=notes,
    )


# ---------------------------------------------------------------- one line


def _row(record: dict[str, Any], path: Path, line: int) -> _Row:
    if "doc_id" not in record or "filtered_resps" not in record:
        raise problem(path, "a sample needs `doc_id` and `filtered_resps`.", line)
    responses, doc = record["filtered_resps"], mapping(record.get("doc"))
    scores, continuations = _likelihoods(responses, record.get("arguments"), path, line)
    choices = doc.get("choices")
    if isinstance(choices, dict):  # ARC: {"text": […], "label": […]}
        choices = choices.get("text")
    options = len(scores) or (len(choices) if isinstance(choices, list) else None)
    which = record.get("filter", "none")
    if not isinstance(which, str):
        raise problem(path, f"`filter` is {text(which)}; text is needed.", line)
    return _Row(
        line=line,
        item=" ".join(str(record[key])[:16] for key in ("doc_id", "doc_hash") if key in record),
        target=record.get("target"),
        response=responses[0] if isinstance(responses, list) and responses else responses,
        scores=scores,
        continuations=continuations,
        options=options,
        acc=mark(record.get("acc")),
        acc_norm=mark(record.get("acc_norm")),
        exact_match=mark(record.get("exact_match")),
        fields={**scalars(doc), "filter": which},
    )


def _likelihoods(responses: Any, arguments: Any, path: Path, line: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """The log-likelihood and the text of each option; nothing of a generated answer."""
    pairs = sequence(responses)
    if not pairs or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return (), ()
    try:
        scores = [float(pair[0]) for pair in pairs]
    except (TypeError, ValueError, OverflowError):
        raise problem(path, "a log-likelihood is not a number.", line) from None
    asked = _asked(arguments)
    if len(asked) == len(scores):  # acc_mutual_info adds each option without its context
        conditional = [i for i, (context, _) in enumerate(asked) if context != ""]
        kept = conditional or range(len(scores))
        scores, asked = [scores[i] for i in kept], [asked[i] for i in kept]
    if len(scores) < 2:
        raise problem(
            path,
            "one continuation was scored and there is no other option, so this is no "
            "classification; multiple choice or generation is needed.",
            line,
        )
    return tuple(scores), tuple(c for _, c in asked) if len(asked) == len(scores) else ()


def _asked(arguments: Any) -> list[tuple[Any, str]]:
    """Context and continuation of each request, in the new form and the old."""
    if isinstance(arguments, dict):
        values = [mapping(arguments.get(f"gen_args_{i}")) for i in range(len(arguments))]
        pairs = [(value.get("arg_0"), value.get("arg_1")) for value in values]
    else:
        pairs = [tuple(x) for x in sequence(arguments) if isinstance(x, list) and len(x) == 2]
    return [(context, after) for context, after in pairs if isinstance(after, str)]


# ---------------------------------------------------------------- multiple choice


def _choices(
    rows: Sequence[_Row], normalized: bool, places: str, accepted: str | None, path: Path
) -> tuple[list[Case], tuple[str, ...]]:
    plain = [_best(row.scores) for row in rows]
    best = _normalized(rows, path) if normalized else plain
    golds = _golds(rows, plain, accepted, path)
    name: Callable[[int], Hashable] = letter if places == "letters" else int
    cases = [
        Case(
            real=name(gold),
            predicted=None if answer is None else name(answer),
            item=row.item,
            options=row.options,
            correct=row.acc_norm if normalized else row.acc,
            fields=row.fields,
        )
        for row, gold, answer in zip(rows, golds, best, strict=True)
    ]
    lost = sum(answer is None for answer in best)
    notes = (f"{lost:,} items have a log-likelihood that is not a number.",) if lost else ()
    return cases, notes


def _best(scores: Sequence[float]) -> int | None:
    """The first of the highest scores, as the harness takes it."""
    if any(map(math.isnan, scores)):
        return None
    return max(range(len(scores)), key=scores.__getitem__)


def _normalized(rows: Sequence[_Row], path: Path) -> list[int | None]:
    """The best option by log-likelihood per character, as `acc_norm` has it.

    The harness divides by the length of the option without the space that joins it to the
    prompt. Where the file's own `acc_norm` contradicts that, the space is part of the option.
    """
    for row in rows:
        if len(row.continuations) != len(row.scores) or not all(row.continuations):
            raise problem(path, "the text of the options is not in `arguments`.", row.line)
    golds = _golds(rows, [_best(row.scores) for row in rows], "matched", path)
    ways: list[Callable[[str], int]] = [lambda option: len(option.removeprefix(" ")), len]
    for length in ways:
        best = [
            _best([s / (length(c) or 1) for s, c in zip(row.scores, row.continuations, strict=True)]) for row in rows
        ]
        if _follow([row.acc_norm for row in rows], golds, best):
            return best
    raise problem(path, "`acc_norm` does not follow from the log-likelihoods of this file.")


def _follow(marks: Sequence[bool | None], golds: Sequence[int | None], best: Sequence[int | None]) -> bool:
    """Whether the harness marked the answers as they are right or wrong."""
    pairs = zip(marks, golds, best, strict=True)
    return all(mark is None or mark == (gold == answer) for mark, gold, answer in pairs)


def _golds(rows: Sequence[_Row], best: Sequence[int | None], accepted: str | None, path: Path) -> list[int]:
    """The place of each right option, by the one reading of the targets that fits the file.

    A target is an index or the text of an option, and "3" can be both; of the readings that are
    possible on every line, the first that does not contradict `acc` is right. Where the target
    is neither (a task that varies the context), two options and `acc` still tell the right one.
    """
    for reading in (_by_index, _by_text, _by_mark):
        golds = [reading(row, answer, accepted, path) for row, answer in zip(rows, best, strict=True)]
        if None not in golds and _follow([row.acc for row in rows], golds, best):
            return [gold for gold in golds if gold is not None]
    for row, answer in zip(rows, best, strict=True):
        if all(_(row, answer, accepted, path) is None for _ in (_by_index, _by_text)):
            raise problem(path, f"the target {text(row.target)} is none of the {row.options} options.", row.line)
    raise problem(path, "`acc` contradicts the targets and log-likelihoods of this file.")


def _by_index(row: _Row, answer: int | None, accepted: str | None, path: Path) -> int | None:
    places = [_index(x, len(row.scores)) for x in _targets(row.target)]
    known = [str(place) for place in places if place is not None]
    if not known or len(known) < len(places):
        return None
    return int(accepted_one(known, str(answer), accepted, path, row.line))


def _by_text(row: _Row, answer: int | None, accepted: str | None, path: Path) -> int | None:
    stripped = [option.strip() for option in row.continuations]
    targets = [x.strip() for x in _targets(row.target) if isinstance(x, str)]
    places = [str(stripped.index(x)) for x in targets if stripped.count(x) == 1]
    if not places or len(places) < len(targets):
        return None
    return int(accepted_one(places, str(answer), accepted, path, row.line))


def _by_mark(row: _Row, answer: int | None, accepted: str | None, path: Path) -> int | None:
    if len(row.scores) != 2 or row.acc is None or answer is None:
        return None
    return answer if row.acc else 1 - answer


def _targets(target: Any) -> list[Any]:
    """One target or several; newer versions write a list as text."""
    if isinstance(target, str) and target.startswith("[") and target.endswith("]"):
        try:
            target = json.loads(target)
        except (ValueError, RecursionError):
            return [target]
    return target if isinstance(target, list) else [target]


def _index(target: Any, options: int) -> int | None:
    if isinstance(target, str) and re.fullmatch(r"\s*\d{1,4}\s*", target):
        target = int(target)
    whole = isinstance(target, int) and not isinstance(target, bool)
    return int(target) if whole and 0 <= target < options else None


# ---------------------------------------------------------------- generation


def _generated(rows: Sequence[_Row], accepted: str | None, path: Path) -> tuple[list[Case], tuple[str, ...]]:
    cases, taken = [], 0
    for row in rows:
        response = row.response
        while isinstance(response, list) and len(response) == 1:
            response = response[0]
        answer = written(response, path, row.line, "response")
        answer = None if answer in NO_ANSWER else answer
        known = several(_targets(row.target), path, row.line, "target")
        real = accepted_one(known, answer, accepted, path, row.line)
        if row.exact_match and answer != real:  # the harness may ignore case or punctuation
            answer, taken = real, taken + 1
        cases.append(
            Case(
                real=real,
                predicted=answer,
                item=row.item,
                options=row.options,
                correct=row.exact_match,
                fields=row.fields,
            )
        )
    told = f"{taken:,} answers count as the real label because the harness scored them right."
    return cases, (told,) if taken else ()


def _are_letters(rows: Sequence[_Row], cases: Sequence[Case]) -> bool:
    """Whether generated answers name options by their letters."""
    return all(
        row.options is not None and case.real in letters(min(row.options, 26))
        for row, case in zip(rows, cases, strict=True)
    )


def _model(path: Path) -> str | None:
    """The folder of a run is named after the model, with "/" written as "__"."""
    folder = path.absolute().parent.name
    return folder.replace("__", "/") if "__" in folder else None
