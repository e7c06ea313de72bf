"""A log that holds several systems or several tasks, as a log of each."""

from __future__ import annotations

from dataclasses import replace

from informed.sources.logs.log import Case, Log


def parts(log: Log) -> list[Log]:
    """A log for each system and task of a log, in their order; a log of one of them is itself.

    A part is called by its system and its task, and has what the tool reports of them.
    """
    held: dict[tuple[str | None, str | None], list[Case]] = {}
    for case in log.cases:
        held.setdefault((case.system, case.task), []).append(case)
    if held.keys() <= {(None, None)}:
        return [log]
    return [_part(log, cases, *of) for of, cases in held.items()]


def _part(log: Log, cases: list[Case], system: str | None, task: str | None) -> Log:
    told = [
        one._replace(system=None, task=None)
        for one in log.reported
        if one.system in (None, system) and (one.task == task or one.task is None)
    ]
    plain = [case._replace(system=None, task=None) for case in cases]
    return replace(log, cases=plain, model=system or log.model, task=task or log.task, reported=told)
