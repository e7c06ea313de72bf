"""A log that holds several systems or several tasks, as a log of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from informed.errors import SourceError
from informed.evidence.labels import some, text
from informed.sources.logs.log import Case, Log

Field = Literal["system", "task"]
CALLED: dict[Field, str] = {"system": "model", "task": "task"}  # what a case says, and what a log of its own


def systems(log: Log) -> list[Log]:
    """A log for each system of a log, in their order, each with all of its tasks."""
    return _apart(log, "system")


def parts(log: Log) -> list[Log]:
    """A log for each system and task of a log, in their order.

    A part is called by its system and its task, and has what the tool reports of them.
    """
    return [part for one in systems(log) for part in _apart(one, "task")]


def part_of(log: Log, field: Field, wanted: Any) -> Log:
    """The part of a log that is of one system, or of one task."""
    held = {getattr(part, CALLED[field]): part for part in _apart(log, field)}
    if wanted not in held:
        there = some([x for x in held if x is not None], 8) or "none"
        raise SourceError(f"{log.path}: there is no {field} {text(wanted)}; there is {there}.")
    return held[wanted]


def _apart(log: Log, field: Field) -> list[Log]:
    held: dict[str | None, list[Case]] = {}
    said: dict[str, Any] = {field: None}  # what the log says, its cases need not
    for case in log.cases:
        held.setdefault(getattr(case, field), []).append(case._replace(**said))
    if held.keys() <= {None}:
        return [log]

    called = CALLED[field]
    found = []
    for of, cases in held.items():
        own: dict[str, Any] = {called: of or getattr(log, called)}
        told = [one._replace(**said) for one in log.reported if getattr(one, field) in (None, of)]
        found.append(replace(log, cases=cases, reported=told, **own))
    return found
