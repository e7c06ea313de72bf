"""Evaluation logs in the Data panel: what can be chosen of one, and the report of what was."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import informed
from informed.errors import InformedError
from informed.evidence.labels import some
from informed.sources import logs
from informed.sources.logs import Log, Reading, reports
from informed.sources.logs.log import MARKED_BY
from informed.sources.request import typed_option
from informed.summary.marks_report import MarksReport
from informed.summary.report import Report
from informed.systems.suite import Suite, states_of, suite
from informed.web import Json
from informed.web.words import FIELDS

MOST = 1 << 26  # bytes of a log that is read to say what can be chosen of it
SHOWN = 50  # values of one choice


def offered(path: str, kind: str) -> Json:
    """What can be chosen of a log, each with its values; of one that is large, or that cannot be read, nothing."""
    if Path(path).stat().st_size > MOST:
        return {"choices": None}
    try:
        log = logs.load(path, kind)
        found = reports.offered(log)
    except InformedError:
        return {"choices": None}  # what is wrong is said when it is counted
    choices = [
        {
            "name": name,
            "label": FIELDS[name],
            "values": [str(x) for x in values[:SHOWN]],
            "required": name == "options" or (name == log.choose and name not in MARKED_BY and log.headline is None),
        }
        for name, values in found.items()
        if len(values) > 1 or name == "by"
    ]
    return {"choices": choices, "values": {"": _classes(log)}, "whole": True, "several": log.apart is not None}


def _classes(log: Log) -> list[str]:
    """The classes of its answers, where there are two: one of them can be the positive one."""
    if log.multiple_choice or not reports.described(log)["closed"]:
        return []
    found = {str(x) for x in (*(log.labels or ()), *(case.real for case in log.cases)) if x is not None}
    return sorted(found) if len(found) == 2 else []


def typed(kind: str, chosen: Mapping[str, str]) -> Json:
    """What was chosen: names as they are, and what readers can be told as numbers or truth where they are such."""
    if paths := [name for name in chosen if name in paths_of(kind)]:
        raise InformedError(
            f"`{paths[0]}` names a file of the machine; the lab reads only files that were given to it."
        )
    own = {"options", *logs.FORMATS[kind].options}
    return {
        k: typed_option(f"{k}={v}")[1] if k in own and k not in ("real", "predicted") else v for k, v in chosen.items()
    }


def paths_of(kind: str) -> list[str]:
    """What a reader can be told that it would open."""
    return [name for name, x in signature(logs.FORMATS[kind].read).parameters.items() if "Path" in str(x.annotation)]


def reading(path: str, kind: str, given: Json) -> Reading:
    """A log with what was chosen of it."""
    told = dict(given)
    reducer = told.pop("reducer", None)
    found = logs.reading(path, kind, **told, **({"classes": False} if reducer else {}))
    return reports.reduced(found, reducer) if reducer else found


def report(found: Reading, name: str, given: Json) -> Report | MarksReport | None:
    """The report of a log; None where no single score is that of all its cases, and a suite says more."""
    if found.holds_several(marks=found.table is None, grouped="by" in given):
        return None
    about = reports.about(found, [name])
    return informed.report(found.marks if found.table is None else found.table, **about)


def several(found: Reading, path: str, given: Json) -> tuple[Suite, Json]:
    """The page of a log of several tasks or systems, and how many of its cases are in each state."""
    from informed.sources.logs.suites import gathered, tasks_of

    choose = {k: v for k, v in given.items() if k == found.log.choose or k in ("metric", "reducer")}
    held = gathered([path], {path: found.log})
    tasks, notes = tasks_of(held, **choose)
    if not tasks:
        raise InformedError(f"No task is of all systems ({some(list(held.logs))}); choose a `system` or a `task`.")
    made = suite(tasks, own=held.own, notes=notes)
    states: dict[str, Any] = {}
    for of_system in states_of(tasks).values():
        for state, n in of_system.items():
            states[state] = states.get(state, 0) + n
    return made, states
