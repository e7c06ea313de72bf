"""lm-evaluation-harness: `results_<time>.json`, the harness's own numbers of all tasks of a run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from informed.errors import InformedError
from informed.sources.logs.bounded_files import TIME, content, mapping, number, string
from informed.sources.logs.log import Reported

NAME = re.compile(rf"samples_(?P<task>.+)_(?P<time>{TIME})\.jsonl")


@dataclass(frozen=True)
class Run:
    """What a results file says of one task, and of the groups that the task is in."""

    model: str | None = None
    reported: tuple[Reported, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()  # that must not be overlooked

    @classmethod
    def beside(cls, samples: Path, task: str | None) -> Run:
        """The results of the same run as a samples file; nothing where there are none."""
        found = NAME.fullmatch(samples.name)
        results = samples.with_name(f"results_{found['time']}.json") if found else None
        if results is None or task is None or not results.is_file():
            return cls()
        try:
            held = content(results)
        except InformedError:
            return cls(notes=(f"{results.name} could not be read, so that the harness's own numbers are not known.",))
        return cls.of(held, task)

    @classmethod
    def of(cls, held: dict[str, Any], task: str) -> Run:
        """What a results object says of a task."""
        groups = {name for name, tasks in mapping(held.get("group_subtasks")).items() if task in tasks}
        reported = [told for name in (task, *sorted(groups)) for told in numbers(held, name, own=name == task)]
        size = mapping(mapping(held.get("n-samples")).get(task))
        asked, there = number(size.get("effective")), number(size.get("original"))

        remarks: tuple[str, ...] = ()
        if asked is not None and there is not None and asked < there:
            remarks = (f"{asked:,.0f} of {there:,.0f} items were asked (--limit); the others are not in the score.",)
        return cls(
            model=string(held.get("model_name")),
            reported=tuple(reported),
            facts={"groups": sorted(groups), "items_there_are": there},
            remarks=remarks,
        )


def numbers(held: dict[str, Any], name: str, *, own: bool) -> list[Reported]:
    """The numbers of a task or a group; their keys are "metric,filter"."""
    found = []
    for key, value in mapping(mapping(held.get("results")).get(name)).items():
        metric, comma, which = key.partition(",")
        x = number(value)
        if comma and x is not None:
            found.append(Reported(x, metric, filter=which, task=None if own else name))
    return found
