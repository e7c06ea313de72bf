"""Evaluation logs: what other tools write about the answers of a model, as tables.

`recognise(path)` tells the format by the content, `read_log(path, kind)` gives the table, and
`describe(path)` says what the log holds (model, task, unanswered, filters, numbers of options, the
number that its own tool reports). `load(path, kind)` reads once and gives both: `Log.table(…)`
and `Log.describe()`.

The same rules hold for every format:

- Every case has a state (right, wrong, partial, abstained, error, unscored, not-run), and counts if
  and only if its tool counts it. An answer that is missing, that the tool could not parse, or that
  is none of the labels of a closed task, is an abstention.
- A log that scores each answer several times (filters, scorers) is taken by the tool's headline,
  unless another one is chosen.
- Each item counts once: the answers to an item that was asked more than once share its weight.
- Where there are no classes (free-form answers, marks without answers), there is no table: a log
  of any kind gives `Marks`.
- Items with different numbers of options are not pooled: ``options=4``, or ``by="options"``.
- `multiple_choice` in the description marks a table whose labels are places of options, so that
  its bias margin is the model's position bias.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from informed.errors import SourceError
from informed.evidence.label_policy import Missing
from informed.evidence.labels import some, text
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.table import Table
from informed.sources.cell_cases import MOST_IDS
from informed.sources.logs import (  # noqa: F401  # each registers its formats
    conll,
    deepeval,
    helm,
    inspect_ai,
    lighteval,
    lm_eval,
    matrices,
    mlflow,
    nanochat,
    openai_evals,
    openings,
    promptfoo,
    score_columns,
    simple_evals,
    swe_bench,
    trec,
    weka,
)
from informed.sources.logs.bounded_files import HEAD, in_file, uncollected
from informed.sources.logs.case import Case, Reported
from informed.sources.logs.formats import FORMATS, Format
from informed.sources.logs.log import Log
from informed.sources.logs.parts import CALLED, part_of, systems
from informed.sources.logs.score import Score
from informed.sources.logs.selection import Closed, Count
from informed.sources.logs.several import check_items, joined, joined_marks
from informed.sources.unchanged import unchanged
from informed.summary.parts import CellCases

__all__ = [
    "FORMATS",
    "Case",
    "Closed",
    "Format",
    "Log",
    "Reading",
    "Reported",
    "Score",
    "describe",
    "kind_of",
    "load",
    "paired",
    "paired_marks",
    "read_examples",
    "read_log",
    "read_marks",
    "reading",
    "recognise",
]

Location = str | PathLike[str]
NARROWED = ("labels", "abstain", "options", "count")  # which cases are asked for, and as what
SAME = {"provider": "system", "model": "system", "dataset": "task"}  # what tools call parts of a log
OF_MARKS = (*NARROWED, "by", "unit")
ASKED = ("by", "missing", "positive", "labels", "abstain", "options", "unit", "count", "classes")


def recognise(path: Location) -> str | None:
    """The format of a log by its content (a few KB of it), or None; never an error."""
    try:
        if Path(path).is_dir():
            return _held(Path(path))
        if not Path(path).is_file():  # reading a pipe would empty it
            return None
        with Path(path).open("rb") as file:
            head = openings.beginning(file)
            file.seek(0, 2)
            file.seek(max(len(head), file.tell() - HEAD))
            tail = file.read(HEAD)
    except (OSError, ValueError):
        return None
    if head.startswith(b"PAR1"):
        return _held(Path(path))
    opening = None if b"\0" in head else openings.as_text(head)
    for known in sorted(FORMATS.values(), key=lambda known: not known.certain):
        if opening is not None and known.recognise(opening):
            return known.name
        if known.ends is not None and known.ends(head, tail):
            return known.name
    return None


def _held(path: Path) -> str | None:
    """The format that knows a folder, or a file of columns, by what it holds."""
    try:
        return next((known.name for known in FORMATS.values() if known.holds is not None and known.holds(path)), None)
    except SourceError:
        return None


def kind_of(sources: Sequence[object], asked: str | None = None) -> str | None:
    """The format of log that sources share, as asked or by their content; None where they are no logs."""
    if asked is not None:
        return asked if asked in FORMATS else None
    kinds = {recognise(x) if isinstance(x, str | PathLike) else None for x in sources}
    return kinds.pop() if len(kinds) == 1 else None


def check_one_kind(sources: Sequence[Location]) -> None:
    """Refuse logs of several tools, and logs beside other files, which are not compared with each other."""
    kinds = dict.fromkeys(recognise(x) for x in sources)
    if len(kinds) > 1:
        seen = ", ".join(FORMATS[kind].title if kind else "no log" for kind in kinds)
        raise SourceError(f"These are files of different kinds ({seen}); logs of one tool are compared.")


def load(path: Location | Sequence[Location], kind: str | None = None, **choices: Any) -> Log:
    """Read a log once, for its table and its description.

    Parameters
    ----------
    path
        The file; for TREC also the pair of files.
    kind
        One of `FORMATS`, by default as recognised.
    **choices
        Options of the format, as ``normalized=True`` of lm-evaluation-harness; and of a log of several
        tasks or systems ``task=`` and ``system=``, which are meant.
    """
    paths = _paths(path)
    known = _format(paths, kind)
    part = {field: choices.pop(field) for field in CALLED if choices.get(field) is not None}
    _check_options(known, choices)
    if len(paths) > 1 and known.files == 1:
        raise SourceError(f"{known.title} is one file; {len(paths)} are given.")

    with in_file(paths[0]), uncollected(), unchanged(paths):
        found = known.read(paths if len(paths) > 1 else paths[0], **choices)
        if not isinstance(found, Log):
            found = Log(paths[0], list(found), choose=known.choose)
        for field, wanted in part.items():
            found = part_of(found, field, wanted)
        return replace(found, format=known.name)


def _check_options(known: Format, choices: dict[str, Any]) -> None:
    strange = [name for name in choices if name not in known.options]
    if strange:
        names = [*known.options, *([known.choose] if known.choose else []), *CALLED]
        meant = f" A {strange[0]} is a {SAME[strange[0]]} here." if strange[0] in SAME else ""
        raise SourceError(f"{known.title} has no option {text(strange[0])}; it has {some(names, 12)}.{meant}")


@dataclass(frozen=True)
class Reading:
    """A log as a report needs it: its table where its answers are classes, and always its marks."""

    log: Log
    table: Table | None  # None where there are no classes: `closed` says why
    marks: Marks
    score: Score
    closed: Closed
    examples: tuple[CellCases, ...]  # ids of some cases of each cell of the table
    description: dict[str, Any]
    narrowed: dict[str, Any]  # what its cases were asked for by: the same for each of these
    level: float
    out: tuple[float, float] | None = None  # as `left_out` says, of marks that were reduced since

    def holds_several(self, *, marks: bool, grouped: bool) -> bool:
        """Whether no single score is that of all cases: several systems have one each; and so have several tasks,
        unless their items are asked for in groups. A table keeps systems apart by itself."""
        held = (len({getattr(case, field) for case in self.log.cases}) > 1 for field in ("system", "task"))
        systems, tasks = held
        return (systems and marks) or (tasks and not grouped)


def read_log(path: Location | Sequence[Location], kind: str | None = None, **options: Any) -> Table:
    """The table of a log, or a stack over groups; takes what `reading` takes.

    A log without classes is refused with the reason, unless `classes=True` asks for a table.
    """
    known, choices, which = _asked(path, kind, options)
    log = load(path, known.name, **choices)
    return _stated(log.table(**which), choices)


def read_examples(
    path: Location | Sequence[Location], kind: str | None = None, *, most: int = MOST_IDS, **options: Any
) -> tuple[CellCases, ...]:
    """Ids of some cases of each cell of the table of a log; takes what `read_log` takes."""
    known, choices, which = _asked(path, kind, options)
    return load(path, known.name, **choices).examples(**which, most=most)


def read_marks(path: Location | Sequence[Location], kind: str | None = None, **options: Any) -> Marks:
    """The marks of a log of any kind: see `Log.marks`, and the reader of each format for its options."""
    known = _format(_paths(path), kind)
    which = {name: options.pop(name) for name in OF_MARKS if name in options}
    chosen = options.pop(known.choose, None) if known.choose else None
    return load(path, known.name, **options).marks(chosen=chosen, **which)


def reading(
    path: Location | Sequence[Location], kind: str | None = None, *, level: float = 0.95, **options: Any
) -> Reading:
    """A log once read: table, marks, score, and the log's description, all of the same cases.

    `level` is of the score's interval. Marks without a table are cut by the first field of `by`.
    `real` and `predicted` name columns, of the formats that have columns (MLflow, CoNLL).
    See `Log.table` for the other arguments, and the reader of each format for its options.
    """
    known, choices, which = _asked(path, kind, options)
    log = load(path, known.name, **choices)
    chosen, classes = which["chosen"], which.pop("classes", None)
    narrowed = {name: which[name] for name in NARROWED if name in which}
    closed = log.closed(chosen=chosen, **narrowed)
    table = log.table(**which, classes=classes) if (closed if classes is None else classes) else None
    if classes:  # what is no class counts as no answer on the whole page
        narrowed["classes"] = True

    by = which.get("by", ()) if table is None else ()
    by = by if isinstance(by, str) else next(iter(by), None)
    marks = log.marks(chosen=chosen, by=by, unit=which.get("unit"), **narrowed)
    return Reading(
        log=log,
        table=None if table is None else _stated(table, choices),
        marks=marks,
        score=log.scored(marks, chosen, level, of_all="options" not in narrowed),
        closed=closed,
        examples=() if table is None else log.examples(**which, classes=classes),
        description=log.describe(chosen=chosen, **narrowed),
        narrowed=narrowed,
        level=level,
    )


def _asked(
    path: Location | Sequence[Location], kind: str | None, options: dict[str, Any]
) -> tuple[Format, dict[str, Any], dict[str, Any]]:
    """The format, what its reader is told, and what its table is."""
    known = _format(_paths(path), kind)
    given = {name: value for name, value in options.items() if value is not None}
    of_table = [name for name in ASKED if name not in known.options]  # `labels` may name those of a matrix
    which = {name: given.pop(name) for name in of_table if name in given}
    which["chosen"] = given.pop(known.choose, None) if known.choose else None
    return known, given, which


def _stated(table: Table, choices: dict[str, Any]) -> Table:
    """The table, whose order of labels was given where they were."""
    return table if choices.get("labels") is None else replace(table, stated="given")


def paired(
    paths: Sequence[Location | Log],
    kind: str | None = None,
    *,
    unit: str | None = None,
    by: Sequence[str] = (),
    options: int | None = None,
    positive: Hashable = None,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    missing: Missing = "abstain",
    count: Count = "tool",
    classes: bool | None = None,
    **choices: Any,
) -> Paired:
    """A log for each system, of the same items: what `compare.paired` and `leaderboard` take.

    A case counts if it counts in every log. An answer that its tool could not parse is an
    abstention, unless `missing` says otherwise; a case that a log lacks was not run, and is left
    out. The attempts at an item share its weight; `unit` is the field of what belongs together, and
    `by` are fields to slice by. Systems are called by their models, or by their files where those are
    alike.
    """
    logs, chosen = _loaded(paths, kind, choices)
    asked: dict[str, Any] = {"positive": positive, "labels": labels, "missing": missing, "unit": unit, "by": by}
    return joined(logs, chosen, options, count=count, classes=classes, abstain=abstain, **asked)


def paired_marks(
    paths: Sequence[Location | Log],
    kind: str | None = None,
    *,
    unit: str | None = None,
    by: str | None = None,
    options: int | None = None,
    abstain: Any = None,
    count: Count = "tool",
    **choices: Any,
) -> dict[Hashable, Marks]:
    """A log for each system, whether its answers are classes or not: the marks of each by its name."""
    logs, chosen = _loaded(paths, kind, choices)
    if choices.get("accepted") is None:  # else the real label may follow the answer
        check_items(logs)
    return joined_marks(logs, chosen, unit=unit, by=by, options=options, count=count, abstain=abstain)


def _loaded(paths: Sequence[Location | Log], kind: str | None, choices: dict[str, Any]) -> tuple[list[Log], Any]:
    first = paths[0]
    known, chosen = _chosen(first.path if isinstance(first, Log) else first, kind, choices)
    _check_options(known, choices)
    read = [path if isinstance(path, Log) else load(path, known.name, **choices) for path in paths]
    held = [one for log in read for one in systems(log)]
    if len(held) < 2:
        raise SourceError("One log of one system was given; a comparison takes two systems at least.")
    return held, chosen


def describe(path: Location | Sequence[Location], kind: str | None = None, **choices: Any) -> dict[str, Any]:
    """What a log holds, and what its own tool reports; see `Log.describe`."""
    known, chosen = _chosen(path, kind, choices)
    return load(path, known.name, **choices).describe(chosen=chosen)


def _chosen(path: Location | Sequence[Location], kind: str | None, choices: dict[str, Any]) -> tuple[Format, Any]:
    """The format, and which of several scorings was chosen, which is no option of its reader."""
    known = _format(_paths(path), kind)
    return known, choices.pop(known.choose, None) if known.choose else None


def _paths(path: Location | Sequence[Location]) -> list[Path]:
    paths = [path] if isinstance(path, str | PathLike) else list(path)
    if not paths:
        raise SourceError("There is no file to read.")
    return [Path(each) for each in paths]


def _format(paths: Sequence[Path], kind: str | None) -> Format:
    kind = kind or recognise(paths[0])
    if kind is None:
        raise SourceError(f"{paths[0]}: the format was not recognised; name it: one of {some(FORMATS, 12)}.")
    if kind not in FORMATS:
        raise SourceError(f"There is no log format {text(kind)}; there is {some(FORMATS, 12)}.")
    return FORMATS[kind]
