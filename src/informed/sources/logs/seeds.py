"""Seeds of a training: logs of a system that was trained several times.

Another training is another system, which differs by more than its answers: its logs are no epochs of
the same items. What varies between trainings is measured over trainings, crossed with the items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from informed.errors import SourceError
from informed.evidence.labels import native, some
from informed.evidence.paired import Paired
from informed.sources.folders import given_twice
from informed.sources.logs.log import Log
from informed.sources.logs.selection import Count
from informed.sources.logs.several import joined
from informed.sources.logs.suites import logs_below
from informed.sources.opening import names_of_files

SEED = "seed"  # the field that tells trainings apart in what is read here
FILE, MODEL = "file", "model"  # a training for each file, or each model; any other word is a field of the cases
EACH = 1_000_000  # attempts of one training at an item
Location = str | PathLike[str] | Log


def trained(
    systems: Mapping[str, Sequence[Location]],
    *,
    seed: str = FILE,
    count: Count = "tool",
    unit: str | None = None,
    **choices: Any,
) -> Paired:
    """The answers of systems that were trained several times, with the seed of each kept as "seed".

    `informed.folds(found, fold="seed", design="training-seeds")` compares the systems, and
    `informed.systems.trainings.over_seeds(found)` says what one of them is worth.

    Parameters
    ----------
    systems
        The logs of each system: files, folders, patterns or logs that have been read, all of one task.
    seed
        What tells the trainings apart: "file", "model", or a field of the cases.
    choices
        The scorer, filter or metric, and other options of the format. Answers that are no classes are
        "right" or "wrong", for which accuracy is a measure and informedness is not.
    """
    runs = {name: _runs(name, places, seed, choices) for name, places in systems.items()}
    _check(runs)
    every = [list(held) for held in runs.values()]
    seeds = every[0] if all(held == every[0] for held in every) else [str(i + 1) for i in range(len(every[0]))]
    logs = [_together(name, list(held.values()), seeds) for name, held in runs.items()]
    chosen = choices.get(logs[0].choose or "")
    marked = not all(log.closed(chosen=chosen) for log in logs)
    return joined(logs, chosen, by=(SEED,), names=tuple(systems), count=count, unit=unit, verdicts=marked)


def _runs(name: str, places: Sequence[Location], seed: str, choices: dict[str, Any]) -> dict[Hashable, Log]:
    """The log of each training of a system."""
    held = [log for place in places for log in ([place] if isinstance(place, Log) else logs_below(place, choices))]
    twice = given_twice(dict.fromkeys(log.path for log in held)) if seed == FILE else None
    if twice is not None:
        raise SourceError(f"{name}: {twice[0]} and {twice[1]} are one file; each training needs a log of its own.")
    if len(tasks := {log.task for log in held}) > 1:
        raise SourceError(f"{name} has {some(sorted(map(str, tasks)))}; trainings are of one task at a time.")
    if seed == FILE:
        keys: list[Hashable] = names_of_files([log.path for log in held])
    elif seed == MODEL:
        keys = [log.model for log in held]
        if None in keys or len(set(keys)) < len(keys):
            raise SourceError(f"{name}: {some(keys)} are not the models of one training each; give `seed='file'`.")
    else:
        apart: dict[Hashable, list[Any]] = {}
        for log in held:
            for case in log.cases:
                apart.setdefault(native(log.value_of(case, seed)), []).append(case)
        order = sorted(apart, key=lambda x: (len(str(x)), str(x)))
        return {key: replace(held[0], cases=apart[key]) for key in order}
    return dict(zip(keys, held, strict=True))


def _check(runs: Mapping[str, Mapping[Hashable, Log]]) -> None:
    """Two trainings at least, and as many of each system."""
    for name, held in runs.items():
        if len(held) < 2:
            raise SourceError(f"{name} has one training; two at least are needed to see how it varies.")
    often = {name: len(held) for name, held in runs.items()}
    if len(set(often.values())) > 1:
        told = ", ".join(f"{name} has {n}" for name, n in often.items())
        raise SourceError(f"Each system needs as many trainings: {told}.")
    tasks = {log.task for held in runs.values() for log in held.values()}
    if len(tasks) > 1:
        raise SourceError(f"There is {some(sorted(map(str, tasks)))}; trainings are of one task at a time.")


def _together(name: str, runs: Sequence[Log], seeds: Sequence[Hashable]) -> Log:
    """One log of all trainings: their attempts at an item are numbered apart, and say their seed."""
    cases = []
    for place, log in enumerate(runs):
        seen: Counter[Hashable] = Counter()
        for at, case in enumerate(log.cases):
            key = (case.item_of(at), case.fields.get(log.choose or ""))
            seen[key] += 1
            attempt = place * EACH + (seen[key] if case.epoch is None else case.epoch)
            cases.append(case._replace(epoch=attempt, fields={**case.fields, SEED: seeds[place]}))
    return replace(runs[0], cases=cases, model=name, reported=())
