"""Suites on the command line: each argument a system, each system many logs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from informed._numbers import plural
from informed.cli._options import reading
from informed.errors import SourceError
from informed.evidence.labels import some

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.results import Gate, Note
    from informed.sources.logs import Log
    from informed.systems.suite import Task

CHOSEN = ("scorer", "filter", "metric", "reducer", "classes")
OF_ONE_TABLE = {  # what other reports and comparisons take, and its default
    **dict.fromkeys(("fold", "repeat", "design", "test_share", "margin", "score", "threshold", "prevalence", "cost")),
    **dict.fromkeys(("scores", "tests", "against", "measures")),
    "all": False,
    "measure": "informedness",
    "method": "auto",
    "sampling": "multinomial",
    "adjust": "holm",
    "precision": 3,
}


class Read(NamedTuple):
    """The tasks, and what is to be said of how they were found."""

    tasks: list[Task]
    notes: tuple[Note, ...]
    own: tuple[tuple[str, str, float], ...]
    lacking: dict[str, int]  # items of tasks that a system lacks and others have


@dataclass
class Opened:
    """Logs that were read to see what they are, by their files, so that they are read once."""

    logs: dict[str, Log] = field(default_factory=dict)


def many(files: tuple[str, ...], options: dict[str, Any], which: dict[str, Any], opened: Opened) -> bool:
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
    if len(files) > 1 and which.get("classes") is False:
        return True
    read = {file: logs.load(file, kind) for file in files}
    if not options.get("options") and not any(which.get(name) for name in CHOSEN):
        opened.logs.update(read)
    chosen = which.get(logs.FORMATS[kind].choose or "")
    if len(files) == 1:
        (log,) = read.values()
        several, tasks = ({getattr(case, x) for case in log.cases} for x in ("system", "task"))
        return len(several) > 1 and (len(tasks) > 1 or not log.closed(chosen=chosen))
    return not all(log.closed(chosen=chosen) for log in read.values())


def read_suite(
    files: tuple[str, ...],
    which: dict[str, Any],
    options: dict[str, Any],
    how: dict[str, Any] | None = None,
    opened: Opened | None = None,
) -> Read:
    """The tasks of all systems below these paths; `how` is how they should be read, which logs say themselves."""
    from informed.errors import InferenceError
    from informed.sources.logs.suites import gathered, lacking, tasks_of

    given = reading(dict(options)) if how is None else how
    by = given.pop("by", ()) if how is None else ()
    if given:
        name = next(iter(given)).replace("_", "-")
        raise SourceError(f"A suite names its own items, columns and formats; it takes no --{name}.")
    if which.get("classes"):
        raise SourceError("--classes is for one log; of a suite, each log says whether its answers are classes.")
    chosen = {name: which[name] for name in CHOSEN if which.get(name) is not None}
    if len(by) > 1:
        raise SourceError("Logs are cut by one field; give --by once.")
    told = {name: x for name, x in chosen.items() if name not in ("reducer", "classes")}
    found = gathered(files, opened.logs if opened else None, **told)
    tasks, notes = tasks_of(found, options["count"], by=next(iter(by), None), **chosen)
    if not tasks:
        own = [f"{name} has {some([task or 'task' for task in held])}" for name, held in found.logs.items()]
        more = f"; and {len(own) - 4} more systems" if len(own) > 4 else ""
        raise InferenceError(f"There is no task that all systems have: {'; '.join(own[:4])}{more}.")
    return Read(tasks, notes, found.own, lacking(found))


def _refuse(options: dict[str, Any]) -> None:
    """What a suite has no use for is refused, not overlooked."""
    for name, usual in OF_ONE_TABLE.items():
        if name in options and options[name] not in (usual, None, (), []):
            said = name.replace("_", "-").replace("scores", "score")
            raise SourceError(f"--{said} is not for a suite of logs, whose tasks are compared by their mean.")


def suite_page(held: Read, options: dict[str, Any], most: dict[str, float]) -> Document:
    """The page of a suite, with the gates that were asked for."""
    from informed import report
    from informed.errors import InferenceError
    from informed.systems.suite import not_worse_on_mean, suite, suite_gates

    tasks = held.tasks
    margins = ((options.get("fail_worse"), False), (options.get("fail_unless"), True))
    asked = [(margin, shown) for margin, shown in margins if margin is not None]
    if len(tasks) == 1 and tasks[0].answers is None and len(tasks[0].marks) > 1 and "predicted" in options:
        page = marks_page(tasks[0], options, asked, most)  # systems on one task have a comparison of their own
        return replace(page, notes=(*page.notes, *held.notes))
    if len(tasks[0].marks) < 2 and "predicted" in options:
        raise InferenceError(f"There is one system, {next(iter(tasks[0].marks))!r}; informed report is for it.")
    if options.get("by"):
        raise InferenceError("--by cuts the items of one task; here are several.")

    _refuse(options)
    weighing = {"sampling": options.get("tasks", "fixed"), "weight": options.get("weight", "tasks")}
    about = {"level": options["level"], "count": options["count"], "own": held.own, "notes": held.notes}
    made = suite(tasks, baseline=options.get("baseline"), **weighing, **about)
    names, bars = made.systems, options.get("fail_under", ())
    if asked and len(names) != 2 and options.get("baseline") is None:
        raise InferenceError(f"There are {len(names)} systems; a gate takes two, or needs --baseline NAME.")
    gates = [*_unread(held), *_guards(tasks, names, most, held.lacking)] if asked or bars else []
    if not gates:
        gates = [not_worse_on_mean(made, margin, shown_to_be=shown) for margin, shown in asked]
        gates += suite_gates(made, bars)
    return replace(report(made), gates=tuple(gates))


def marks_page(
    task: Task, options: dict[str, Any], asked: list[tuple[float, bool]], most: dict[str, float]
) -> Document:
    """Systems whose answers are only marked: two compared, more on a board; with slices and gates."""
    from informed import compare, leaderboard, report, slices
    from informed.errors import InferenceError
    from informed.systems.board import place_of
    from informed.systems.gates import not_worse_by_marks

    names, base = tuple(task.marks), options.get("baseline")
    measure = "score" if options["measure"] == "informedness" else options["measure"]
    if base is not None:
        place_of(names, base)
    if len(names) > 2 and asked and base is None:
        raise InferenceError("With more than two systems a gate needs --baseline NAME.")

    how = {"level": options["level"], "measure": measure}
    a = next(name for name in names if name != base)
    b = base or names[1]
    one = compare(task.marks[a], task.marks[b], names=(a, b), **how)
    gates = _guards([task], (a, b), most) if asked else []
    if asked and not gates:
        gates = [not_worse_by_marks(one, margin, shown_to_be=shown) for margin, shown in asked]
    if len(names) == 2:
        page = report(one, margin=options["margin"])
    else:
        if options["margin"] is not None:
            raise InferenceError(f"--margin is for two systems, and there are {len(names)}.")
        page = report(leaderboard(predictions=task.marks, **how, adjust=options["adjust"], baseline=base))
    for by in options["by"]:
        page = page.and_(report(slices(task.marks, level=options["level"]), name=by, key="by-0-"), f"by {by}")
    return replace(page, gates=tuple(gates))


def _unread(held: Read) -> list[Gate]:
    """A guard that fails where a log could not be read: its task may be the hard one."""
    from informed.results import Gate

    n = sum(note.code == "unreadable" for note in held.notes)
    said = f"{plural(n, 'log')} could not be read: no gate was checked."
    return [Gate("unreadable", False, said, float(n), 0.0, guard=True)] if n else []


def _guards(
    tasks: list[Task], names: tuple[str, ...], most: dict[str, float], lacking: dict[str, int] | None = None
) -> list[Gate]:
    """The guards that fail, of each system; what it lacks of what others were asked was not run."""
    from informed.systems.guards import guards
    from informed.systems.suite import states_of

    held = states_of(tasks)
    for name, n in (lacking or {}).items():
        held[name]["not-run"] = held[name].get("not-run", 0) + n
    return [gate for name in names for gate in guards(held[name], most, name)]
