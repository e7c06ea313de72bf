"""Suites on the command line: each argument a system, each system many logs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from informed._numbers import plural
from informed.cli._options import PICKED, SOURCE, chosen_of, gates_asked, margins_of, only, reading
from informed.errors import SourceError
from informed.evidence.labels import some, text

if TYPE_CHECKING:
    from informed.documents.document import Document
    from informed.evidence.marks import Marks
    from informed.evidence.paired import Paired
    from informed.results import Gate, Note
    from informed.sources.logs import Log
    from informed.systems.marks_comparison import MarksDifference
    from informed.systems.suite import Suite, Task

GUARDED = ("max_unscored", "max_errors", "max_not_run", "allow_unfinished", "annotate")
GATES = ("fail_worse", "fail_unless", "fail_under", "fail_over", "decide", "undecided", "gates", *GUARDED)
OF_LOGS = {*PICKED, *GATES, "form", "output", "choices", "unit", "level", "count", "baseline"}
OF_SUITES = {*OF_LOGS, "tasks", "weight"}
OF_MARKS = {*OF_LOGS, "by", "measure", "margin", "adjust", "input_format"}


class Read(NamedTuple):
    """The tasks, and what is to be said of how they were found."""

    tasks: list[Task]
    notes: tuple[Note, ...]
    own: tuple[tuple[str, str, float], ...]
    lacking: dict[str, int]  # items of tasks that a system lacks and others have

    @property
    def classes(self) -> Paired | None:
        """The answers of several systems to the one task that they share, where these are classes."""
        from informed.evidence.paired import Paired

        answers = self.tasks[0].answers if len(self.tasks) == 1 else None
        return answers if isinstance(answers, Paired) else None


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
    if len(files) > 1 and (which.get("classes") is False or which.get("reducer") is not None):
        return True
    read = {file: logs.load(file, kind) for file in files}
    if not options.get("choices") and not any(which.get(name) for name in PICKED):
        opened.logs.update(read)
    chosen = which.get(logs.FORMATS[kind].choose or "")
    if len(files) == 1:
        (log,) = read.values()
        several, tasks = ({getattr(case, x) for case in log.cases} for x in ("system", "task"))
        reduced = which.get("reducer") is not None
        return len(several) > 1 and (len(tasks) > 1 or reduced or not log.closed(chosen=chosen))
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

    given = reading(dict(options)) if how is None else dict(how)
    by, unit = given.pop("by", ()) if how is None else (), given.pop("unit", None)
    for name in given:
        if name in SOURCE and name != "input_format":
            raise SourceError(f"A suite names its own items, columns and formats; it takes no --{name}.")
    if which.get("classes"):
        raise SourceError("--classes is for one log; of a suite, each log says whether its answers are classes.")
    if len(by) > 1:
        raise SourceError("Logs are cut by one field; give --by once.")
    given.pop("input_format", None)
    chosen = chosen_of(which, PICKED)
    told = given | {name: x for name, x in chosen.items() if name not in ("reducer", "classes")}

    found = gathered(files, opened.logs if opened else None, **told)
    _check_choices(told, {log.format for tasks in found.logs.values() for log in tasks.values()})
    tasks, notes = tasks_of(found, options["count"], by=next(iter(by), None), unit=unit, **chosen)
    if not tasks:
        own = [f"{name} has {some([task or 'task' for task in held])}" for name, held in found.logs.items()]
        more = f"; and {len(own) - 4} more systems" if len(own) > 4 else ""
        raise InferenceError(f"There is no task that all systems have: {'; '.join(own[:4])}{more}.")
    return Read(tasks, notes, found.own, lacking(found))


def _check_choices(told: dict[str, Any], kinds: Collection[str]) -> None:
    """Refuse a choice that no log of these kinds has."""
    from informed.sources.logs import FORMATS

    known = {name for kind in kinds for name in (*FORMATS[kind].options, FORMATS[kind].choose) if name}
    if strange := [name for name in told if name not in known]:
        has = f"there is {some(sorted(known), 12)}" if known else "there is nothing to choose"
        raise SourceError(f"None of these logs has {text(strange[0])}; {has}.")


def suite_page(held: Read, options: dict[str, Any], most: dict[str, float]) -> Document:
    """The page of a suite, with the gates that were asked for."""
    from informed import report
    from informed.errors import InferenceError
    from informed.summary.checks import total_only
    from informed.systems.suite import not_worse_on_mean, suite, suite_gates

    tasks, compared = held.tasks, "predicted" in options
    if len(tasks[0].marks) < 2 and compared:
        raise InferenceError(f"There is one system, {next(iter(tasks[0].marks))!r}; informed report is for it.")
    if len(tasks) == 1 and tasks[0].answers is None and compared:
        return marks_page(held, options, most)  # systems on one task have a comparison of their own
    if options.get("by"):
        raise InferenceError("--by cuts the items of one task; here are several.")

    only(OF_SUITES, "{} is not for a suite of logs, whose tasks are compared by their mean.")
    if options["fail_over"]:
        raise InferenceError("The numbers of a suite are better when they are higher.", "give `fail_under='score=0.5'`")
    total_only(gates_asked(dict(options)), 0, margins=bool(margins_of(options)))
    weighing = {"sampling": options.get("tasks", "fixed"), "weight": options.get("weight", "tasks")}
    about = {"level": options["level"], "count": options["count"], "own": held.own, "notes": held.notes}
    made = suite(tasks, baseline=options.get("baseline"), **weighing, **about)
    names, asked, bars, decide = made.systems, margins_of(options), options["fail_under"], options["decide"]
    if (asked or (decide and compared)) and len(names) != 2 and options.get("baseline") is None:
        raise InferenceError(f"There are {len(names)} systems; a gate takes two, or needs --baseline NAME.")
    gates = stops_of(held, names, most) if asked or bars or decide else []
    if not gates:
        gates = [not_worse_on_mean(made, margin, shown_to_be=shown) for margin, shown in asked]
        gates += suite_gates(made, bars, names[:1] if compared else names)
        gates += _decided(made, options, compared=compared)
    return replace(report(made), gates=tuple(gates))


def _decided(made: Suite, options: dict[str, Any], *, compared: bool) -> list[Gate]:
    """The verdicts on the difference of the means of two systems, or on each system's own mean."""
    from informed.measures import find
    from informed.summary.decide import decided
    from informed.systems.verdicts import of_suite, of_suites

    found = []
    for name, bar in map(decided, options["decide"]):
        measure = name if name in ("centred", "mean") else str(find(name))
        held = [of_suites(made, measure)] if compared else [of_suite(made, x, measure) for x in made.systems]
        found += [x.decide(bar, options["undecided"]) for x in held]
    return found


def marks_page(held: Read, options: dict[str, Any], most: dict[str, float]) -> Document:
    """Systems whose answers to one task are only marked: two compared, more on a board; with slices and gates."""
    from informed import compare, leaderboard, report, slices
    from informed.errors import InferenceError
    from informed.evidence.paired_marks import shared
    from informed.summary.checks import total_only
    from informed.systems.board import place_of

    only(OF_MARKS, "{} is not for logs of which marks are compared.")
    (task,) = held.tasks
    names, base = tuple(task.marks), options.get("baseline")
    measure = "score" if options["measure"] == "informedness" else options["measure"]
    if base is not None:
        place_of(names, base)
    if len(names) > 2 and (margins_of(options) or options["decide"]) and base is None:
        raise InferenceError("With more than two systems a gate needs --baseline NAME.")

    how = {"level": options["level"], "measure": measure}
    a = next(name for name in names if name != base)
    b = base or names[1]
    shared([task.marks[a], task.marks[b]], task.name)  # refused where there is none
    one = compare(task.marks[a], task.marks[b], names=(a, b), **how)
    if len(names) == 2:
        page = report(one, margin=options["margin"])
    else:
        if options["margin"] is not None:
            raise InferenceError(f"--margin is for two systems, and there are {len(names)}.")
        page = report(leaderboard(predictions=task.marks, **how, adjust=options["adjust"], baseline=base))
    for by in options["by"]:
        page = page.and_(report(slices(task.marks, **how), name=by, key="by-0-"), f"by {by}")
    parts = _differences(task.marks, one, how) if options["by"] and options["gates"] == "each" else {}
    gates = _gates_of_marks(held, one, parts, options, most)
    said = total_only(gates_asked(dict(options)), len(options["by"]), margins=bool(margins_of(options)))
    return replace(page, notes=(*said, *page.notes, *held.notes), gates=tuple(gates))


def _differences(marks: Mapping[Any, Marks], one: MarksDifference, how: dict[str, Any]) -> dict[Any, Any]:
    """The difference of the same two systems in each group."""
    from informed import compare
    from informed.systems.sliced import compared_in_slices
    from informed.systems.slices import marks_parts

    a, b = one.names
    parts = marks_parts({name: marks[name] for name in (a, b)})
    return compared_in_slices(parts, lambda part: compare(part[a], part[b], names=(a, b), **how))


def _gates_of_marks(
    held: Read, one: MarksDifference, parts: Mapping[Any, Any], options: dict[str, Any], most: dict[str, float]
) -> list[Gate]:
    """The guards that fail for either system, or else the gates of the first, in all and in each group."""
    from informed.errors import InformedError
    from informed.summary.checks import check
    from informed.summary.decide import decide_parts, decided
    from informed.summary.marks_report import report_marks
    from informed.systems.gates import margin_gates, not_worse_by_marks, of_system
    from informed.systems.guards import guards

    margins, asked = margins_of(options), gates_asked(dict(options))
    gates = stops_of(held, one.names, most) if margins or asked else []
    if gates:
        return gates

    def first(x: Any) -> Any:
        return x if isinstance(x, InformedError) else report_marks(x.marks[0], level=x.level)

    own = first(one)
    failed = guards(own.states, most, unfinished=own.marks.unfinished) if asked.under or asked.over else ()
    each = {name: first(x) for name, x in parts.items()} if asked.under or asked.over else {}
    told = failed or check(own, asked.under, asked.over, parts=each)
    verdicts = decide_parts(one, map(decided, asked.decide), asked.undecided, parts=parts)
    return [*margin_gates(not_worse_by_marks, one, parts, margins), *verdicts, *of_system(one.names[0], told)]


def stops_of(held: Read, names: Sequence[Any], most: dict[str, float]) -> list[Gate]:
    """What keeps gates from being checked: logs that cannot be read, and guards of these systems that fail.

    What a system lacks of what others were asked was not run.
    """
    from informed.results import Gate
    from informed.systems.guards import guards
    from informed.systems.suite import states_of

    n = sum(note.code == "unreadable" for note in held.notes)
    said = f"{plural(n, 'log')} could not be read: no gate was checked."
    unread = [Gate("unreadable", False, said, float(n), 0.0, guard=True)] if n else []
    states = states_of(held.tasks)
    for name, more in held.lacking.items():
        states[name]["not-run"] = states[name].get("not-run", 0) + more
    runs = {name: [x for task in held.tasks for x in task.marks[name].unfinished] for name in names}
    return [*unread, *(gate for name in names for gate in guards(states[name], most, name, runs[name]))]
