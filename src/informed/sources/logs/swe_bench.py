"""SWE-bench: the report of a run, `<model>.<run>.json`, or the folder of its `report.json` files.

There are marks and no answers: an instance is resolved or it is not. The score is over all
instances of the set, so that those that ended in an error and those that were never submitted
count, as failures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from informed._numbers import plural
from informed.evidence.states import State
from informed.sources.logs import bounded_files as files
from informed.sources.logs import openings
from informed.sources.logs.bounded_files import Problem, mapping, number, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported

STATES: dict[str, State] = {
    "resolved_ids": "right",
    "unresolved_ids": "wrong",
    "empty_patch_ids": "abstained",
    "error_ids": "error",
    "incomplete_ids": "not-run",
}
MOST = 100_000  # reports that a folder may hold


def recognise(head: str) -> bool:
    """Whether the text begins as the report of a run; that of one instance is known by its folder."""
    return openings.keys(head) >= {"total_instances", "submitted_instances", "resolved_instances"}


def holds_reports(folder: Path) -> bool:
    """Whether a folder holds a folder with a report for each instance, as `logs/run_evaluation/<run>/<model>`."""
    first = next(_reports(folder), None) if folder.is_dir() else None
    keys = openings.keys(openings.start(first)) if first else ()
    return any(key.endswith(".resolved") for key in keys) and any(key.endswith(".patch_exists") for key in keys)


@Format("swe-bench", "SWE-bench report", recognise, holds=holds_reports)
def read(path: Path) -> Log:
    """The instances of a run."""
    if path.is_dir():
        return _folder(path)
    report = files.content(path)
    if "resolved_ids" not in report:
        if "total_instances" in report:
            raise Problem("the report has totals and no lists of ids (`resolved_ids`).")
        return Log(path=path, cases=_cases(_instances(report)))

    found: dict[str, State] = {}
    for key, state in STATES.items():
        for name in sequence(report.get(key)):
            if not isinstance(name, str):
                raise Problem(f"`{key}` holds what is no id.")
            if found.setdefault(name, state) != state:
                raise Problem(f"the instance {name} is in `{key}` and in another list.")
    if not found:
        raise Problem("the report lists no instance.")

    total, resolved = (number(report.get(f"{what}_instances")) for what in ("total", "resolved"))
    unfinished = ""
    if total is not None and total != len(found):
        unfinished = f"This report says {total:,g} instances, and its lists hold {len(found):,}."
    own = [] if not total or resolved is None else [Reported(resolved / total, "resolved")]
    model, _, run = path.name.removesuffix(".json").rpartition(".")
    facts = {"run": run} if model else {}
    return Log(path, _cases(found), model=_model(model or run), reported=own, facts=facts, unfinished=unfinished)


def _cases(found: dict[str, State]) -> list[Case]:
    """A case for each instance, all of which count; the repository is the part of the id before "__"."""
    return [
        Case(None, None, item=name, mark=float(state == "right"), state=state, counts=True, fields=_fields(name))
        for name, state in found.items()
    ]


def _fields(name: str) -> dict[str, str]:
    repository, found, _ = name.partition("__")
    return {"repository": repository} if found else {}


def _model(name: str) -> str | None:
    return name.replace("__", "/") or None


# ---------------------------------------------------------------- a report for each instance


def _reports(folder: Path) -> Iterator[Path]:
    for place, inner in enumerate(sorted(folder.iterdir())):
        if place >= MOST:
            raise Problem(f"the folder holds more than {MOST:,} entries, the most that is read.")
        if (inner / "report.json").is_file():
            yield inner / "report.json"


def _folder(path: Path) -> Log:
    """The instances that have a report; one without it has not ended, which only the run's report tells."""
    found: dict[str, State] = {}
    for report in _reports(path):
        with files.in_file(report):
            found |= _instances(files.content(report))
    if not found:
        raise Problem("no folder in it holds a report.json.")
    without = sum(inner.is_dir() and not (inner / "report.json").is_file() for inner in path.iterdir())
    notes = ["instances that never ran have no folder here; the report of the run counts them."]
    unfinished = ""
    if without:
        unfinished = f"This run is not whole: {plural(without, 'instance')} without a report.json did not end."
    facts = {"run": path.parent.name}
    return Log(
        path=path, cases=_cases(found), model=_model(path.name), facts=facts, notes=tuple(notes), unfinished=unfinished
    )


def _instances(report: dict[str, Any]) -> dict[str, State]:
    found: dict[str, State] = {}
    for name, held in report.items():
        told = mapping(held)
        if not isinstance(told.get("resolved"), bool):
            raise Problem(f"the instance {name} does not say whether it is resolved.")
        empty = told.get("patch_is_None") is True or told.get("patch_exists") is False
        found[name] = "right" if told["resolved"] else "abstained" if empty else "wrong"
    if not found:
        raise Problem("the report holds no instance.")
    return found
