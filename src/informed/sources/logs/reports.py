"""What a log tells its report: the score beside its tool's, the states, and what it was read from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

from informed.errors import InformedError
from informed.evidence.marks import Marks
from informed.sources.logs import FORMATS, Log, Reading
from informed.sources.logs.log import MARKED_BY
from informed.sources.logs.parts import CALLED, Field
from informed.summary.parts import Score
from informed.summary.states import left_out
from informed.summary.titles import report_title

ASKED = "The answers are classes, and would have informedness; marks were asked for."
MOST_GROUPS = 50  # values of a field up to which grouping by it is offered


def about(found: Reading, files: Sequence[str], *, marks: bool = False) -> dict[str, Any]:
    """What `informed.report` should know of a log beside its table, or its marks where these are shown."""
    said = found.description
    known = FORMATS[found.log.format]
    told = [str(said[k]) for k in ("task", "model") if said[k]]
    source = f"Read from {', '.join(files)} ({known.name}{': ' if told else ''}{', '.join(told)})."
    model = "" if _several(found) else str(said["model"] or "")
    title = report_title([str(said["task"])] if said["task"] else files, model)
    held = {
        "title": title,
        "source": [source, *said["notes"], *others_said(found)],
        "score": score_of(found),
        "tool": known.tool,
    }
    if marks or found.table is None:
        why = ASKED if found.closed else found.closed.why
        more = {"why": why, "others": others_of(found)}
    else:
        systems = _several(found) and set(found.table.names or ()) == _systems(found)
        more = {"context": {"multiple_choice": said["multiple_choice"], "systems": systems}, "examples": found.examples}
    return {**held, **more, "states": said["states"]}


def _systems(found: Reading) -> set[Any]:
    return {case.system for case in found.log.cases} - {None}


def _several(found: Reading) -> bool:
    return len(_systems(found)) > 1


def score_of(found: Reading) -> Score:
    """The score of a log, with the tool's own and the gap that unscored cases leave."""
    s = found.score
    low, high = s.bounds
    gap = (low, high) if low < high else (math.nan, math.nan)
    reported = math.nan if s.reported is None else s.reported
    out = left_out(found.marks, found.log.reducer) if found.out is None else found.out
    return Score(s.value, s.low, s.high, reported, s.name, *gap, *out)


def others_said(found: Reading) -> list[str]:
    """Which other scorings there are, and how each is asked for."""
    names, own = found.description["choices"], found.description["chosen"]
    others = [f"{name} (`{found.log.choose}={str(name)!r}`)" for name in names if name != own]
    return [f"{own} is shown; there is also {', '.join(others)}."] if others and found.log.choose in MARKED_BY else []


def others_of(found: Reading) -> dict[Any, Marks]:
    """The marks of the other scorers of the same answers."""
    log, own = found.log, found.description["chosen"]
    if log.choose not in MARKED_BY:
        return {}
    held = {}
    for name in found.description["choices"]:
        if name == own:
            continue
        try:
            held[name] = log.marks(chosen=name, **found.narrowed)
        except InformedError:
            continue
    return held


def reduced(found: Reading, reducer: str) -> Reading:
    """The same log with the attempts at an item made one value in this way."""
    log = replace(found.log, reducer=reducer)
    score = log.scored(found.marks, found.description["chosen"], found.level, of_all="options" not in found.narrowed)
    out = left_out(found.marks, reducer)
    return replace(found, log=log, marks=found.marks.reduce(reducer), score=score, table=None, out=out)


def described(log: Log) -> dict[str, Any]:
    """What a log holds; where it is not said which of its sections is meant, of the first."""
    return log.describe(chosen=None if log.choose in (None, *MARKED_BY) else next(iter(log.scorings()), None))


def offered(log: Log) -> dict[str, list[Any]]:
    """What can be chosen of a log, by the name of the option, and what each can be."""
    held, scorings = described(log), log.scorings()
    mixed = held["closed"] and len(held["options"]) > 1  # a table is of items with equally many options
    found: dict[str, list[Any]] = {x: _parts(log, x) for x in CALLED}
    if mixed:
        found["options"] = list(held["options"])
    else:
        found |= {str(log.choose): scorings} if log.choose else {}
        found["metric"] = list(log.facts.get("metrics", ()))
        found["reducer"] = list(dict.fromkeys(x.reducer for x in log.reported if x.reducer))
    several = log.apart is not None  # systems, which are never pooled
    fields = [name for name in held["fields"] if name == "options" or (not mixed and (held["closed"] or not several))]
    found["by"] = [name for name in fields if _groups_by(log, name, marks=not held["closed"])]
    return {name: values for name, values in found.items() if values}


def _parts(log: Log, field: Field) -> list[str]:
    """The systems or tasks of a log that holds several."""
    found = list(dict.fromkeys(x for case in log.cases if (x := getattr(case, field)) is not None))
    return found if len(found) > 1 else []


def commands(log: Log, path: str) -> list[tuple[str, str]]:
    """What a log holds that can be asked for, and the command of each."""
    own = ("metric", "reducer", "by", *MARKED_BY)  # options of their own
    found = [
        (f"{how} {x}", f"--{how} {quote(str(x))}" if how in own else f"--option {quote(f'{how}={x}')}")
        for how, values in offered(log).items()
        for x in values
    ]
    every = [(name, f"informed report {quote(path)} {option}") for name, option in found]
    if log.apart is not None:
        every.append(("systems", f"informed compare {quote(path)}"))
    return every if every or not log.cases else [("report", f"informed report {quote(path)}")]


def _groups_by(log: Log, name: str, *, marks: bool) -> bool:
    """Whether a field has some values, not too many, and of several items each; of marks, an item has one of them."""
    values = {str(case.fields.get(name)) for case in log.cases}
    pairs = {(case.task, case.item, str(case.fields.get(name))) for case in log.cases} if marks else ()
    items = len({(case.task, case.item) for case in log.cases})
    return name != log.choose and 2 <= len(values) <= min(MOST_GROUPS, items // 2) and len(pairs) <= items
