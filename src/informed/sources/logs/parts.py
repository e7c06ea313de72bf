"""A log that holds several systems or several tasks, as a log of each."""

from __future__ import annotations

from dataclasses import replace

from informed.sources.logs.log import Case, Log


def systems(log: Log) -> list[Log]:
    """A log for each system of a log, in their order, each with all of its tasks."""
    held: dict[str | None, list[Case]] = {}
    for case in log.cases:
        held.setdefault(case.system, []).append(case._replace(system=None))
    if len(held) < 2:
        return [log]
    told = {of: [one._replace(system=None) for one in log.reported if one.system in (None, of)] for of in held}
    return [replace(log, cases=cases, model=of or log.model, reported=told[of]) for of, cases in held.items()]


def parts(log: Log) -> list[Log]:
    """A log for each system and task of a log, in their order; a log of one of them is itself.

    A part is called by its system and its task, and has what the tool reports of them.
    """
    return [part for one in systems(log) for part in _tasks(one)]


def _tasks(log: Log) -> list[Log]:
    held: dict[str | None, list[Case]] = {}
    for case in log.cases:
        held.setdefault(case.task, []).append(case._replace(task=None))
    if held.keys() <= {None}:
        return [log]
    told = {of: [one._replace(task=None) for one in log.reported if one.task in (None, of)] for of in held}
    return [replace(log, cases=cases, task=of or log.task, reported=told[of]) for of, cases in held.items()]
