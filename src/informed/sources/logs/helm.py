"""HELM: the folder of a run, known by its `scenario_state.json` (or that file itself).

The real label is the reference tagged "correct", the answer is the first completion, through the
letters of the options where there are any. The marks are in `per_instance_stats.json`, those of
perturbed copies left out; each of them is a scorer. A train trial is an epoch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from informed.evidence.labels import text
from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, letter, mapping, parsed, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported, name_options
from informed.sources.logs.scorers import answered_unseen, grade, graded, marks_only

STATE = "scenario_state.json"
MARKS = re.compile(r".*(match|accuracy|correct|correctness|score|f1|rouge_\w+|bleu_\w+)(@\d+)?")
FIRST = ("exact_match", "quasi_exact_match")
Key = tuple[str, int]  # an instance, and which trial


class _Asked(NamedTuple):
    """What one request says, before labels are chosen."""

    key: Key
    options: tuple[str, ...]  # texts of the references, in the order they were offered
    right: tuple[int, ...]
    answer: str | None
    failed: bool
    alone: bool  # one request for each option: which was best is not written, the mark is
    fields: Mapping[str, Any]


def recognise(head: str) -> bool:
    """Whether the text begins as the state of a scenario."""
    return openings.keys(head) >= {"adapter_spec", "adapter_spec.method", "request_states"}


def is_run(folder: Path) -> bool:
    """Whether a folder is that of a run."""
    state = folder / STATE
    return folder.is_dir() and state.is_file() and recognise(openings.start(state))


@Format("helm", "HELM run", recognise, holds=is_run, choose="scorer")
def read(path: Path) -> Log:
    """The cases of a run, one for each instance, trial and metric."""
    folder = path if path.is_dir() else path.parent
    state = mapping(_document(folder / STATE if path.is_dir() else path))
    requests = [mapping(x) for x in sequence(state.get("request_states"))]
    asked: dict[Key, _Asked] = {}
    for place, request in enumerate(requests, 1):
        if not mapping(request.get("instance")).get("perturbation"):
            one = _asked(request, place)
            asked.setdefault(one.key, one)
    if not asked:
        raise Problem("there is no request in this run.")

    cases = _labelled(list(asked.values()))
    positions = name_options(cases.values())
    held, scorers = _marks(folder)
    several = len({trial for _, trial in asked}) > 1
    cases = {key: case._replace(epoch=key[1] + 1 if several else None) for key, case in cases.items()}
    found = [
        answered_unseen(case) if asked[key].alone else case
        for scorer in scorers
        for key, case in ((key, graded(case, scorer, held.get(key, {}).get(scorer))) for key, case in cases.items())
    ]
    marked, notes = marks_only(found)
    adapter = mapping(state.get("adapter_spec"))
    spec = mapping(_document(folder / "run_spec.json")) if (folder / "run_spec.json").is_file() else {}
    name = spec.get("name")
    return Log(
        path=path,
        cases=marked,
        model=files.string(adapter.get("model")),
        task=_task(name) if isinstance(name, str) else None,
        choose="scorer",
        multiple_choice=positions,
        reported=_reported(folder, scorers),
        notes=notes,
    )


def _task(name: str) -> str:
    """The name of a run without its model.

    >>> _task("mmlu:subject=law,method=joint,model=org_a"), _task("simple_mcqa:model=org_a")
    ('mmlu:subject=law,method=joint', 'simple_mcqa')
    """
    scenario, _, told = name.partition(":")
    kept = [part for part in told.split(",") if part and not part.startswith(("model=", "model_deployment="))]
    return ":".join(part for part in (scenario, ",".join(kept)) if part)


def _document(path: Path) -> Any:
    with files.in_file(path):
        return parsed(files.document(path))


# ---------------------------------------------------------------- one request


def _asked(request: dict[str, Any], place: int) -> _Asked:
    instance, result = mapping(request.get("instance")), mapping(request.get("result"))
    name, trial = instance.get("id"), request.get("train_trial_index", 0)
    if not isinstance(name, str) or not isinstance(trial, int):
        raise Problem(f"request {place:,} does not say which instance and trial it is of.")
    references = [mapping(x) for x in sequence(instance.get("references"))]
    texts = tuple(map(_text, references))
    right = tuple(i for i, x in enumerate(references) if "correct" in sequence(x.get("tags")))

    first = next(iter(sequence(result.get("completions"))), None)
    answer = files.written(mapping(first).get("text"), f"completion of request {place:,}")
    answer = None if answer is None else answer.strip()
    letters = mapping(request.get("output_mapping"))
    if letters:
        texts = tuple(str(option).strip() for option in letters.values())
        right = tuple(i for i, option in enumerate(texts) if option in {_text(references[j]) for j in right})
        chosen = letters.get(answer or "")
        answer = None if chosen is None else str(chosen).strip()
    fields = {key: instance[key] for key in ("split", "sub_split") if isinstance(instance.get(key), str)}
    alone = request.get("reference_index") is not None
    return _Asked((name, trial), texts, right, answer, result.get("success") is False, alone, fields)


def _text(reference: dict[str, Any]) -> str:
    return str(mapping(reference.get("output")).get("text")).strip()


def _labelled(asked: list[_Asked]) -> dict[Key, Case]:
    """The case of each request: labels are the texts of the options, or their places where texts differ by item.

    Where every item has the same options those are the classes. One option is one accepted text.
    """
    same = len({frozenset(one.options) for one in asked}) == 1
    cases = {}
    for one in asked:
        closed = len(one.options) > 1 and len(set(one.options)) == len(one.options) and len(one.right) == 1
        real = None if len(one.right) != 1 else one.options[one.right[0]]
        answer = one.answer
        if closed:
            answer = answer if answer in one.options else None
            if not same:
                real = letter(one.right[0])
                answer = None if answer is None else letter(one.options.index(answer))
        options = len(one.options) if closed else None
        case = Case(real, answer, item=one.key[0], options=options, fields=one.fields)
        cases[one.key] = case._replace(state="error", predicted=None) if one.failed else case
    return cases


# ---------------------------------------------------------------- marks


def _marks(folder: Path) -> tuple[dict[Key, dict[str, float | None]], list[str]]:
    """The marks of each instance and trial, and the names of the metrics."""
    path = folder / "per_instance_stats.json"
    held: dict[Key, dict[str, float | None]] = {}
    for entry in map(mapping, sequence(_document(path))):
        if entry.get("perturbation"):
            continue
        trial = entry.get("train_trial_index", 0)
        if not isinstance(trial, int):
            raise Problem(f"the trial of {text(entry.get('instance_id'))} is {text(trial)}; a whole number is needed.")
        key = (str(entry.get("instance_id")), trial)
        for stat in map(mapping, sequence(entry.get("stats"))):
            name = mapping(stat.get("name"))
            if _is_mark(name):
                held.setdefault(key, {})[name["name"]] = grade(stat.get("mean"))
    names = list(dict.fromkeys(name for marks in held.values() for name in marks))
    if not names:
        raise Problem("per_instance_stats.json holds no mark, such as exact_match.")
    return held, sorted(names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def _is_mark(name: dict[str, Any]) -> bool:
    told = name.get("name")
    return isinstance(told, str) and not name.get("perturbation") and MARKS.fullmatch(told) is not None


def _reported(folder: Path, scorers: list[str]) -> list[Reported]:
    """The means of the same names in `stats.json`."""
    path = folder / "stats.json"
    if not path.is_file():
        return []
    found: dict[str, Reported] = {}
    for stat in map(mapping, sequence(_document(path))):
        name, mean = mapping(stat.get("name")), grade(stat.get("mean"))
        if _is_mark(name) and name["name"] in scorers and mean is not None:
            found.setdefault(name["name"], Reported(mean, name["name"], name["name"]))
    return [found[name] for name in scorers if name in found]
