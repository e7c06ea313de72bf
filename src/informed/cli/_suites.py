"""Suites on the command line: each argument a system, each system many logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from informed.cli._options import reading

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.results import Gate
    from informed.systems.suite import Task

CHOSEN = ("scorer", "filter", "metric")


def many(files: tuple[str, ...], options: dict[str, Any], which: dict[str, Any]) -> bool:
    """Whether these are folders of logs, or logs whose answers are no classes, so that marks are compared."""
    from informed.sources import logs
    from informed.sources.logs.suites import is_suite

    if options.get("predicted") or options.get("real"):
        return False
    if is_suite(files):
        return True
    kind = logs.kind_of(files, options.get("input_format"))
    if kind is None or which.get("classes"):
        return False
    if len(files) == 1:
        return len({case.system for case in logs.load(files[0], kind).cases}) > 1
    if which.get("classes") is False:
        return True
    chosen = which.get(logs.FORMATS[kind].choose or "")
    return not all(logs.load(file, kind).closed(chosen=chosen) for file in files)


def read_suite(
    files: tuple[str, ...], which: dict[str, Any], options: dict[str, Any]
) -> tuple[list[Task], tuple[Any, ...]]:
    """The tasks of all systems below these paths."""
    from informed.errors import SourceError
    from informed.sources.logs.suites import gathered, tasks_of

    unused = {"predicted": None, "by": (), "on": None, "item": None, "unit": None}
    given = reading({**options, **unused}) if "predicted" in options else {}
    given.pop("input_format", None)
    if given:
        raise SourceError(f"Logs name their own items and columns; they take no --{next(iter(given))}.")
    chosen = {name: which[name] for name in CHOSEN if which.get(name) is not None}
    tasks, notes = tasks_of(gathered(files, **chosen), options["count"], **chosen)
    return tasks, notes


def suite_page(tasks: list[Task], notes: tuple[Any, ...], options: dict[str, Any], most: dict[str, float]) -> Document:
    """The page of a suite, with the gates that were asked for."""
    from informed import compare, report
    from informed.errors import InferenceError
    from informed.systems.guards import guards
    from informed.systems.suite import not_worse_on_mean, states_of, suite

    names = list(tasks[0].marks) if tasks else []
    alone = len(tasks) == 1 and len(names) == 2 and tasks[0].answers is None
    how = {"sampling": options.get("tasks", "fixed"), "weight": options.get("weight", "tasks")}
    made = suite(tasks, level=options["level"], notes=notes, **how)
    margins = ((options.get("fail_worse"), False), (options.get("fail_unless"), True))
    asked = [(margin, shown) for margin, shown in margins if margin is not None]
    gates: list[Gate] = []
    if asked:
        if len(made.systems) != 2:
            raise InferenceError(f"A gate of a suite takes two systems, and there are {len(made.systems)}.")
        held = states_of(tasks)
        gates = [gate for name in made.systems for gate in guards(held[name], most, name)]
        gates = gates or [not_worse_on_mean(made, margin, shown_to_be=shown) for margin, shown in asked]
    if alone:  # two systems on one task have a comparison of their own
        one = compare(*(tasks[0].marks[x] for x in names), names=(names[0], names[1]), level=options["level"])
        return replace(report(one), gates=tuple(gates), notes=(*one.notes, *notes))
    return replace(report(made), gates=tuple(gates))
