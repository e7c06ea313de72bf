"""What `informed compare` reads: several systems on the same items, or on different ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from informed.cli._options import SOURCE, chosen_of, gates_asked, margins_of, only, reading
from informed.cli._suites import GATES, OF_LOGS

if TYPE_CHECKING:
    from informed.cli._suites import Opened
    from informed.evidence.paired import Paired
    from informed.evidence.table import Table
    from informed.results import Gate
    from informed.summary.checks import Asked
    from informed.systems.comparison import Comparison
    from informed.systems.folds import Folds

OF_BOTH = {
    "any_time",
    "relative",
    *GATES,
    "form",
    "output",
    "level",
    "count",
    "baseline",
    "measure",
    "method",
    "sampling",
    "adjust",
    "margin",
}
OF_LOGS_OF_CLASSES = {*OF_LOGS, *OF_BOTH, "by", "labels", "positive", "abstain", "missing", "input_format"}
OF_COLUMNS = {*OF_BOTH, *SOURCE, "scores", "fold", "repeat", "design", "test_share"}
OPENING = ("delimiter", "input_format", "query", "table", "encoding", "quote", "types", "unknown", "where")


@dataclass(frozen=True)
class Systems:
    """Answers of systems, and how they are to be cut."""

    held: Paired | Table  # the same items, or a stack of tables of different ones
    names: tuple[Hashable, ...]  # in the order in which they were given
    slices: tuple[str, ...] = ()
    fold: str | None = None
    where: dict[str, Any] = field(default_factory=dict)  # the source, as `informed.read` takes it
    system: str | None = None  # the column that names the system, if one does

    @property
    def paired(self) -> Paired | None:
        from informed import Paired

        return self.held if isinstance(self.held, Paired) else None


@dataclass(frozen=True)
class _Asked:
    """Which columns hold the systems, their items and what they are cut by."""

    predicted: tuple[str, ...]
    by: tuple[str, ...]
    item: str | None
    on: str | None
    fold: str | None
    repeat: str | None
    unit: str | None
    one_file: bool

    @property
    def side_by_side(self) -> bool:
        return len(self.predicted) > 1

    @property
    def same(self) -> str | None:
        """The column that names the item."""
        return self.item if self.one_file or self.on is None else self.on

    @property
    def system(self) -> str | None:
        """The column that names the system, where one column holds the answers of all."""
        below = self.one_file and not self.side_by_side
        return self.by[0] if below and self.by else None

    @property
    def slices(self) -> tuple[str, ...]:
        return self.by if self.system is None else self.by[1:]

    @property
    def others(self) -> list[str]:
        """Columns of the items that are kept."""
        return list(dict.fromkeys(x for x in (*self.slices, self.fold, self.repeat) if x is not None))


def read_systems(
    files: tuple[str, ...], options: dict[str, Any], which: dict[str, Any], opened: Opened | None = None
) -> Systems:
    """The systems of one file or several, from a command's options."""
    from informed import Paired, read
    from informed.errors import SourceError
    from informed.sources import logs
    from informed.sources.opening import names_of_files

    given = {name: options[name] for name in ("predicted", "by", "item", "on", "fold", "repeat", "unit")}
    asked = _Asked(**given, one_file=len(files) == 1)
    how = reading({**options, "predicted": None, "by": (), "on": None, "item": None, "unit": None})
    kind = logs.kind_of(files, how.get("input_format"))
    if not asked.predicted and "real" not in how and kind is not None:
        return _of_logs(files, kind, how, options, which, opened)

    if not asked.predicted and "real" not in how and "input_format" not in how:
        logs.check_one_kind(files)
    only(OF_COLUMNS, "{} is of evaluation logs, and these are none that are known.")
    _check(asked, how)
    _check_folds(options)
    if not asked.one_file and asked.same:
        how.setdefault("missing", "abstain")  # in a join a missing answer is by nature no answer
    how["predicted"] = list(asked.predicted) if asked.side_by_side else asked.predicted[0]
    where = _where(files, how, asked)
    named: dict[str, Any] = {"item": asked.same, "by": asked.system, "unit": asked.unit}
    if asked.side_by_side or asked.same:
        named["keep"] = asked.others or None
    held = read(**where, **how, **named)

    order = tuple(held.names if asked.one_file else names_of_files(where.get("join", files)))
    if len(order) < 2:
        raise SourceError(f"There is one system, {order[0]!r}; two at least are needed.")
    if isinstance(held, Paired):
        held = held.among(order)
    elif asked.others:
        raise SourceError(
            "Slices and folds are of the same items; give --item (or --on) with the column that names the item."
        )
    where |= {name: how[name] for name in OPENING if name in how}
    return Systems(held, order, asked.slices, asked.fold, where, asked.system)


def _of_logs(
    files: tuple[str, ...],
    kind: str,
    how: dict[str, Any],
    options: dict[str, Any],
    which: dict[str, Any],
    opened: Opened | None,
) -> Systems:
    """The systems of evaluation logs whose answers are classes."""
    from informed.sources import logs

    only(OF_LOGS_OF_CLASSES, "Logs name their own items and columns; they take no {}.")
    held = {} if opened is None else opened.logs
    told = {name: x for name, x in how.items() if name != "input_format"}
    told |= chosen_of(which) | {
        "count": options["count"],
        "classes": which["classes"],
        "unit": options["unit"],
        "by": options["by"],
    }
    found = logs.paired([held.get(file, file) for file in files], kind, **told)
    return Systems(found, found.names, options["by"])


def of_one_task(answers: Paired, options: dict[str, Any]) -> Systems:
    """The systems of suites that share one task, which is compared as two logs of it are."""
    only({*OF_LOGS_OF_CLASSES, "tasks", "weight"}, "Logs name their own items and columns; they take no {}.")
    return Systems(answers, answers.names, options["by"])


@dataclass(frozen=True)
class Compared:
    """Two systems on all items or in one slice: by their items, and over folds where these lead."""

    on_items: Comparison
    over: Folds | None = None


def gates_of(
    found: Systems,
    whole: Compared,
    of_slice: Callable[[Systems], Compared],
    options: dict[str, Any],
    most: dict[str, float],
) -> tuple[Gate, ...]:
    """The guards that fail for either system, or else the gates of the first on all items and in each slice."""
    from informed.evidence.shown import system_name
    from informed.summary.states import states_of
    from informed.systems.guards import guards, guards_of
    from informed.systems.sliced import compared_in_slices

    gates, c = gates_asked(dict(options)), whole.on_items
    if not margins_of(options) and not gates:
        return ()
    if found.paired is not None:
        failed = guards_of(found.paired, c.names, most)
    else:
        each = zip(c.names, c.tables, strict=True)
        failed = tuple(
            gate for name, t in each for gate in guards(dict(states_of(t)), most, system_name(name), t.unfinished)
        )
    if failed:
        return failed
    parts = compared_in_slices(_slices(found), of_slice) if gates.groups else {}
    return (*_margins(whole, parts, options), *_verdicts(whole, parts, gates), *_own(whole, parts, gates, options))


def _slices(found: Systems) -> dict[Hashable, Systems]:
    """The systems in each slice; where there are several columns of slices, the name says of which column it is."""
    from informed.systems.slices import paired_parts

    each: dict[Hashable, Systems] = {}
    for by in found.slices:
        assert found.paired is not None
        for value, part in paired_parts(found.paired, by).items():
            name = value if len(found.slices) == 1 else f"{by} {value}"
            each[name] = replace(found, held=part, slices=())
    return each


def _margins(whole: Compared, parts: Mapping[Hashable, Any], options: dict[str, Any]) -> tuple[Gate, ...]:
    """Whether the first system is not worse by more than a margin, on all items and in each slice."""
    from informed.systems.gates import margin_gates, not_worse, not_worse_over_folds

    measure = options["measure"]

    def gate(x: Compared, margin: float, **how: Any) -> Gate:
        if x.over is None:
            return not_worse(x.on_items, measure, margin, **how)
        return not_worse_over_folds(x.over, x.on_items.names, margin, **how)

    return margin_gates(gate, whole, parts, margins_of(options))


def _verdicts(whole: Compared, parts: Mapping[Hashable, Any], gates: Asked) -> tuple[Gate, ...]:
    from informed.measures import find
    from informed.summary.decide import decide_parts, decided, evidence_of
    from informed.systems.verdicts import Evidence, of_folds

    def evidence(x: Compared, measure: str) -> Evidence:
        if x.over is None:
            return evidence_of(x.on_items, measure)
        return of_folds(x.over, x.on_items.names, str(find(measure)))

    return decide_parts(whole, map(decided, gates.decide), gates.undecided, parts=parts, evidence=evidence)


def _own(whole: Compared, parts: Mapping[Hashable, Any], gates: Asked, options: dict[str, Any]) -> tuple[Gate, ...]:
    """The gates of the first system's own numbers."""
    from informed.errors import InformedError
    from informed.summary.checks import check
    from informed.systems.gates import of_system

    def first(x: Any) -> Any:
        if isinstance(x, InformedError):
            return x
        c: Comparison = x.on_items
        joint = c.joint if c.joint is None or options["count"] != "answered" else c.joint.common
        return c.tables[0] if joint is None else joint.a

    c, own = whole.on_items, {name: first(x) for name, x in parts.items()}
    told = check(first(whole), gates.under, gates.over, level=c.level, count=options["count"], parts=own)
    return of_system(c.names[0], told)


def _check_folds(options: dict[str, Any]) -> None:
    """What is said of folds needs them."""
    from informed.errors import SourceError

    given = [name for name in ("repeat", "design", "test_share") if options[name] is not None]
    if given and options["fold"] is None:
        raise SourceError(f"--{given[0].replace('_', '-')} is of folds; name their column with --fold.")


def _check(asked: _Asked, how: dict[str, Any]) -> None:
    """Refuse what does not say which columns the systems are in."""
    from informed.errors import SourceError

    if not asked.predicted or "real" not in how:
        lacking = "--real" if "real" not in how else "--predicted"
        raise SourceError(f"Which columns hold the labels? Give {lacking} COL.")
    if len(set(asked.predicted)) < len(asked.predicted):
        raise SourceError("A column was given twice as --predicted; each system needs its own.")
    if not asked.one_file and asked.side_by_side:
        raise SourceError("Several files are a system each, so one --predicted is needed.")
    if asked.one_file and asked.on is not None:
        raise SourceError("--on joins several files; one file was given (use --item).")
    if asked.one_file and not asked.side_by_side and asked.system is None:
        raise SourceError(
            "There is one system. Give --predicted for each column of predictions, --by with "
            "the column that names the system, or a file for each system."
        )


def _where(files: tuple[str, ...], how: dict[str, Any], asked: _Asked) -> dict[str, Any]:
    """One file, a file for each system, or the truth in one file and predictions alone in the others."""
    from informed.errors import SourceError

    if asked.one_file:
        return {"source": files[0]}
    at = None if asked.same is None else _truth(files, how)
    if at is None:
        return {"source": list(files)}

    # The file of the real labels may have predictions of its own.
    own = how["real"] != how["predicted"] and _has(files[at], how["predicted"], how)
    answers = [file for i, file in enumerate(files) if i != at or own]
    if len(answers) < 2:
        raise SourceError(
            f"{files[at]} has the real labels and {answers[0]} the predictions of one system; give "
            "a file for each of two systems at least (informed report takes one)."
        )
    return {"source": files[at], "join": answers, "on": asked.same}


def _truth(files: tuple[str, ...], how: dict[str, Any]) -> int | None:
    """Which file alone has the real labels, if the others have only predictions."""
    from informed.errors import SourceError

    real = how["real"]
    if real == how["predicted"]:
        return 0  # the first file is the truth, as no column is both in one file
    there = [_has(file, real, how) for file in files]
    if all(there) or not any(there):  # none: reading will say which column is missing
        return None
    if sum(there) == 1:
        return there.index(True)
    lacking = files[there.index(False)]
    raise SourceError(
        f"{sum(there)} files have the column {real!r}, and {lacking} has not; either every file "
        "has the real labels, or one file has them and the others hold predictions only."
    )


def _has(file: str, column: str, how: dict[str, Any]) -> bool:
    from informed.sources.columns import names_of

    return column in names_of(file, **{name: how[name] for name in OPENING if name in how})
