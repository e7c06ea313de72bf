"""A log that holds several systems or several tasks, as a log of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from informed.sources.logs.log import Case, Log


def systems(log: Log) -> list[Log]:
    """A log for each system of a log, in their order, each with all of its tasks."""
    return _apart(log, "system")


def parts(log: Log) -> list[Log]:
    """A log for each system and task of a log, in their order.

    A part is called by its system and its task, and has what the tool reports of them.
    """
    return [part for one in systems(log) for part in _apart(one, "task")]


def _apart(log: Log, field: Literal["system", "task"]) -> list[Log]:
    held: dict[str | None, list[Case]] = {}
    said: dict[str, Any] = {field: None}  # what the log says, its cases need not
    for case in log.cases:
        held.setdefault(getattr(case, field), []).append(case._replace(**said))
    if held.keys() <= {None}:
        return [log]

    called = "model" if field == "system" else field
    found = []
    for of, cases in held.items():
        own: dict[str, Any] = {called: of or getattr(log, called)}
        told = [one._replace(**said) for one in log.reported if getattr(one, field) in (None, of)]
        found.append(replace(log, cases=cases, reported=told, **own))
    return found
