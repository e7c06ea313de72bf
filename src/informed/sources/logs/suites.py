"""Suites of logs: which files belong to which system and task, and what the systems are called.

A system is a folder, a file, a pattern or NAME=path; a folder with several models is several systems.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from informed._numbers import plural
from informed.errors import InformedError, SourceError
from informed.evidence.labels import some, text
from informed.evidence.shown import system_name
from informed.results import UNFINISHED, Note, warning
from informed.sources.folders import each_once, files_below, matching, without_target
from informed.sources.logs import FORMATS, Log, load, recognise
from informed.sources.logs.case import Reported
from informed.sources.logs.names import STAMP, Whose, names_of
from informed.sources.logs.parts import parts
from informed.sources.logs.selection import Count
from informed.sources.logs.several import check_items, joined, whose
from informed.summary.parts import CLOSE
from informed.systems.suite import Task

GROUP = ":_average|"  # in the names of lighteval's means over the tasks of a group


@dataclass(frozen=True)
class Found:
    """Logs by system and task, and what was passed over on the way."""

    logs: dict[str, dict[str, Log]]
    notes: tuple[Note, ...] = ()
    own: tuple[tuple[str, str, float], ...] = ()  # means that the tools report: system, name, number


_System = tuple[int, str]  # the place of an argument, and a model


@dataclass
class _Gathering:
    held: dict[_System, dict[str, list[Log]]] = field(default_factory=dict)  # by task
    totals: dict[_System, list[Reported]] = field(default_factory=dict)  # of files without cases
    opened: Mapping[str, Log] = field(default_factory=dict)
    read: dict[tuple[int, str], Path] = field(default_factory=dict)  # the files that each argument led to
    skipped: int = 0
    notes: list[Note] = field(default_factory=list)


def is_suite(arguments: Sequence[str]) -> bool:
    """Whether these are folders, patterns or named paths, so that each is a system of many files."""
    return any(
        name is not None or "*" in path or (Path(path).is_dir() and recognise(path) is None)
        for name, path in map(_named, arguments)
    )


def gathered(arguments: Sequence[str], opened: Mapping[str, Log] | None = None, **choices: Any) -> Found:
    """All logs below these paths, by the names of the systems; those that were `opened` are not read again."""
    found = _Gathering(opened=opened or {})
    named: dict[_System, str] = {}
    places: dict[str, int] = {}  # paths of one NAME are one system
    for i, argument in enumerate(arguments):
        name, path = _named(argument)
        at = places.setdefault(name, i) if name is not None else i
        for log in _logs(path, found, choices, at):
            key = (at, name or log.model or "")
            if name is not None:
                named[key] = name
            if not log.cases:
                of = [told._replace(task=told.task or log.task) for told in log.reported]
                found.totals.setdefault(key, []).extend(of)
                continue
            found.held.setdefault(key, {}).setdefault(log.task or "", []).append(log)
    _check_named(found.held, named)
    _pass_over_nameless(found)
    if not found.held:
        only = " with answers; there are totals only" if found.totals else ""
        raise SourceError(f"There is no evaluation log in {some(arguments)}{only}.")

    called = _called(found.held, named, arguments)
    totals = {called[key]: told for key, told in found.totals.items() if key in called}
    logs = {
        called[key]: {
            task: _with_totals(_latest(x, called[key], found), totals.get(called[key], ())) for task, x in tasks.items()
        }
        for key, tasks in found.held.items()
    }
    found.notes += _unfinished(logs)
    if found.skipped:
        were = "was" if found.skipped == 1 else "were"
        said = f"{plural(found.skipped, 'file')} of other kinds {were} passed over."
        found.notes.append(Note(said, code="skipped"))
    return Found(logs, tuple(found.notes), tuple(_own(logs, totals)))


def _check_named(held: Mapping[_System, Mapping[str, Sequence[Log]]], named: Mapping[_System, str]) -> None:
    """Refuse a name for several models of one task: of these, one would be taken for a later run of another."""
    for key, name in named.items():
        for task, runs in held.get(key, {}).items():
            models = list(dict.fromkeys(log.model for log in runs if log.model))
            if len(models) > 1:
                of = f" of {text(task)}" if task else ""
                raise SourceError(f"{name}= names {some(models)}{of}; a name is for one system, so name each of them.")


def _pass_over_nameless(found: _Gathering) -> None:
    """Logs that do not say whose they are, below a path where others do, belong to none of these."""
    at = {place for place, model in found.held if model}
    for key in [(place, model) for place, model in found.held if not model and place in at]:
        for log in (log for runs in found.held.pop(key).values() for log in runs):
            said = f"Passed over: {log.path} does not say whose answers it holds, as others do; NAME=path names it."
            found.notes.append(warning(said, "unreadable"))


def logs_below(path: str | os.PathLike[str], choices: dict[str, Any]) -> list[Log]:
    """The logs below a path, one for each system and task that they hold; one that cannot be read is refused."""
    found = _Gathering()
    held = [log for log in _logs(os.fspath(path), found, choices) if log.cases]
    for note in found.notes:
        raise SourceError(str(note))
    if not held:
        raise SourceError(f"There is no evaluation log in {path}.")
    return held


def logs_in(path: str, lost: list[Path] | None = None) -> list[str]:
    """The logs below a folder, in order; links to nothing are noted in `lost`, and refused without it."""
    return [str(x) for x in _files(Path(path), lost) if recognise(x) is not None] if Path(path).is_dir() else []


def systems_of(arguments: Sequence[str]) -> dict[str, list[str]]:
    """The paths of each system: of its NAME, or each path by its own."""
    found: dict[str, list[str]] = {}
    alone = names_of([Whose(_named(x)[1]) for x in arguments])
    for at, argument in enumerate(arguments):
        name, path = _named(argument)
        found.setdefault(name if name is not None else alone[at], []).append(path)
    return found


def tasks_of(
    found: Found, count: Count = "tool", by: str | None = None, unit: str | None = None, **choices: Any
) -> tuple[list[Task], tuple[Note, ...]]:
    """The tasks that all systems have, and a note where some lack one.

    `by` is the field that items are cut by, `unit` that of what belongs together.
    """
    notes = list(found.notes)
    every = dict.fromkeys(task for held in found.logs.values() for task in held)
    shared = [task for task in every if all(task in held for held in found.logs.values())]
    lacking = [task for task in every if task not in shared]
    if lacking:
        are = "is" if len(lacking) == 1 else "are"
        said = f"{plural(len(lacking), 'task')} that not every system has {are} left out: {some(lacking)}."
        notes.append(warning(said, "tasks"))
    how = {"count": count, "unit": unit}
    tasks = [_task(task, found, by, how, dict(choices)) for task in shared]
    if count == "tool" and choices.get("reducer") is None:
        notes += [note for task in tasks for note in _differing(task)]
    return tasks, tuple(notes)


def _differing(task: Task) -> Iterator[Note]:
    """Numbers of the tools that are not the mean of their marks."""
    for name, told in (task.reported or {}).items():
        own = task.marks[name].score
        if abs(told - own) > CLOSE:
            said = f"The mean of the marks of {name} on {task.name} is {own:.4f}, and its tool reports {told:.4f}."
            yield warning(said, "score-differs")


def lacking(found: Found) -> dict[str, int]:
    """How many cases each system was not asked, as it lacks the task that others have."""
    often: dict[str, int] = {}
    for held in found.logs.values():
        for task, log in held.items():
            often[task] = max(often.get(task, 0), len(log.cases))
    return {name: sum(n for task, n in often.items() if task not in held) for name, held in found.logs.items()}


def _task(task: str, found: Found, by: str | None, how: dict[str, Any], choices: dict[str, Any]) -> Task:
    """The marks of a task by system, and its answers where they are classes and nothing else was asked for."""
    reducer, classes = choices.pop("reducer", None), choices.pop("classes", None)
    logs = {name: held[task] for name, held in found.logs.items()}
    chosen = {name: choices.get(log.choose or "") for name, log in logs.items()}
    check_items(list(logs.values()))
    marks = {name: log.marks(by=by, chosen=chosen[name], **how) for name, log in logs.items()}
    own = {name: log.own(chosen[name]) for name, log in logs.items()}
    reported = {name: x.value for name, x in own.items() if x is not None}
    if reducer is not None:
        marks = {name: m.reduce(reducer) for name, m in marks.items()}
    answers: Any = None
    if reducer is None and classes is not False and _is_classes(logs, chosen):
        first, held = next(iter(chosen.values())), list(logs.values())
        if len(held) == 1:
            answers = held[0].table(chosen=first, **how)
        else:
            answers = joined(held, first, **how, by=() if by is None else (by,), names=tuple(logs))
    return Task(task or "task", marks, answers, reported)


def _is_classes(logs: Mapping[str, Log], chosen: Mapping[str, Any]) -> bool:
    """Whether all answers are classes, of the same number of options: else each is above a chance of its own."""
    offered = {case.options for log in logs.values() for case in log.cases if case.options is not None}
    return len(offered) < 2 and all(log.closed(chosen=chosen[name]) for name, log in logs.items())


# ---------------------------------------------------------------------- files


def _named(argument: str) -> tuple[str | None, str]:
    """NAME=path, or a path alone."""
    name, equals, path = argument.partition("=")
    if not equals or not name or _there(argument) or ("/" in name and not _there(path)):
        return None, argument
    return name, path


def _there(path: str) -> bool:
    return Path(path).exists() or ("*" in path and bool(_matching(path)))


def _logs(path: str, found: _Gathering, choices: dict[str, Any], at: int = 0) -> Iterator[Log]:
    """Every log below a path that was not read yet, one for each system and task that it holds."""
    places = [path] if Path(path).exists() else _matching(path)
    if not places or not all(Path(x).exists() for x in places):
        raise SourceError(f"{path}: there is no such file or folder.")
    lost: list[Path] = []
    for each in each_once(file for place in places for file in _files(Path(place), lost)):
        kind = recognise(each)
        if kind is None:
            found.skipped += not _read_beside(each)
            continue
        if found.read.setdefault((at, os.path.realpath(each)), each) is not each:
            continue
        known = FORMATS[kind]
        given = {k: v for k, v in choices.items() if k in known.options and k != known.choose}
        try:
            log = found.opened.get(str(each)) or load(each, kind, **given)
        except InformedError as error:
            found.notes.append(warning(f"Passed over: {error}", "unreadable"))
            continue
        yield from parts(log)
    found.notes += [warning(f"Passed over: {without_target(link)}", "unreadable") for link in lost]


def _read_beside(path: Path) -> bool:
    """Whether this is the results file of lm-eval's samples, which are read with it."""
    time = re.fullmatch(r"results_(.+)\.json", path.name)
    return time is not None and any(path.parent.glob(f"samples_*_{time[1]}.jsonl"))


def _matching(pattern: str) -> list[str]:
    """Paths like this; the shell gives them where it was not quoted."""
    return [str(x) for x in matching(pattern.replace("[", "[[]"))]


def _files(path: Path, lost: list[Path] | None = None) -> list[Path]:
    """Files below a folder in order, and folders that are one log."""
    if path.is_file() or recognise(path) is not None:
        return [path]
    return files_below(path, is_one=lambda folder: recognise(folder) is not None, lost=lost)


def _unfinished(logs: dict[str, dict[str, Log]]) -> Iterator[Note]:
    """What is known only from a run that is not whole, and what the tool says was left out."""
    for system, tasks in logs.items():
        for task, log in tasks.items():
            of = f"{system_name(system)}, {task}" if len(tasks) > 1 else system_name(system)
            if log.unfinished:
                yield warning(f"{of}: {log.unfinished}", UNFINISHED)
            yield from (warning(f"{of}: {said}", "limited") for said in log.remarks)


def _with_totals(log: Log, totals: Sequence[Reported]) -> Log:
    """A log that reports nothing itself, with the numbers of its task in files of totals."""
    return log if log.reported else replace(log, reported=[told for told in totals if told.task == log.task])


def _own(logs: dict[str, dict[str, Log]], totals: dict[str, list[Reported]]) -> Iterator[tuple[str, str, float]]:
    """Means over several tasks that the tools report: of groups, or of files without cases."""
    for system, tasks in logs.items():
        every = [told for log in tasks.values() for told in log.reported if told.task is not None]
        every += [told for told in totals.get(system, ()) if told.task is None or GROUP in told.task]
        held = {}
        for told in every:
            if told.task not in tasks and not told.name.endswith("_stderr"):
                parts = (told.task, told.name, told.filter if told.filter != "none" else None)
                held[", ".join(x for x in parts if x)] = told.value
        yield from ((system, name, value) for name, value in held.items())


def _latest(logs: Sequence[Log], system: str, found: _Gathering) -> Log:
    """Of the same task twice the latest that ended well."""
    if len(logs) == 1:
        return logs[0]

    def standing(log: Log) -> tuple[bool, str, str]:
        return log.facts.get("status") in (None, "success"), _time(log), str(log.path)

    runs = {log.facts.get("run") or str(log.path) for log in logs}
    last = max(logs, key=standing)
    if len(runs) > 1:
        which = "latest" if all(map(_time, logs)) else "last by name"
        task = text(last.task) if last.task else "the task"
        said = f"{task} of {system} was run {len(runs)} times; the {which} is taken ({last.path.name})."
        found.notes.append(Note(said, code="run-again"))
    return last


def _time(log: Log) -> str:
    """When a log was written, by its header or else by its name, as digits; nothing where neither says."""
    seen = STAMP.findall(str(log.facts.get("time") or log.path.name))
    return re.sub(r"\D", "", seen[-1])[:14] if seen else ""


# ---------------------------------------------------------------------- names


def _called(
    held: Mapping[_System, Mapping[str, Sequence[Log]]], named: Mapping[_System, str], arguments: Sequence[str]
) -> dict[_System, str]:
    """What each system is called: as named, by its model, or by what else tells it from the others."""
    free = [key for key in held if key not in named]
    known = []
    for key in free:
        (path, logs) = _named(arguments[key[0]])[1], [log for runs in held[key].values() for log in runs]
        known.append(whose(logs[0], path) if len(logs) == 1 else Whose(path, key[1] or None))
    fields = all(x.fields for x in known)
    names = names_of([x if fields else replace(x, fields=()) for x in known]) if known else []
    taken = set(named.values())
    told = {key: f"{x} ({key[0] + 1})" if x in taken else x for key, x in zip(free, names, strict=True)}
    return {key: named.get(key) or told[key] for key in held}
