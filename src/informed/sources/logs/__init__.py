"""Evaluation logs: what other tools write about the answers of a model, as tables.

`recognise(path)` tells the format by the content, `read_log(path, kind)` gives the table, and
`describe(path)` says what the log holds (model, task, unanswered, filters, numbers of options, the
number that its own tool reports). `load(path, kind)` reads once and gives both: `Log.table(…)`
and `Log.describe()`.

The same rules hold for every format:

- An answer that is missing, or that the tool could not parse, is an abstention.
- A log that scores each answer several times (filters, scorers) needs one of them chosen.
- Items that were asked more than once are clusters: the last axis of the stack is the items,
  and `Log.unit_axis()` says which axis that is. ``units=False`` pools them.
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
from informed.evidence.paired import Paired
from informed.evidence.table import Table
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
    promptfoo,
    score_columns,
    simple_evals,
    swe_bench,
    trec,
    weka,
)
from informed.sources.logs.bounded_files import HEAD, in_file
from informed.sources.logs.formats import FORMATS, Format
from informed.sources.logs.log import Case, Log, Reported
from informed.sources.logs.several import joined

__all__ = [
    "FORMATS",
    "Case",
    "Format",
    "Log",
    "Reading",
    "Reported",
    "describe",
    "kind_of",
    "load",
    "paired",
    "read_log",
    "reading",
    "recognise",
]

Location = str | PathLike[str]


def recognise(path: Location) -> str | None:
    """The format of a log by its content (a few KB of it), or None; never an error."""
    try:
        if Path(path).is_dir():
            return _held(Path(path))
        if not Path(path).is_file():  # reading a pipe would empty it
            return None
        with Path(path).open("rb") as file:
            head = file.read(HEAD)
            if head.startswith(b"{") and b"\n" not in head:  # one long line of JSON
                head += file.read(15 * HEAD)
            file.seek(0, 2)
            file.seek(max(len(head), file.tell() - HEAD))
            tail = file.read(HEAD)
    except (OSError, ValueError):
        return None
    if head.startswith(b"PAR1"):
        return _held(Path(path))
    opening = None if b"\0" in head else head.decode("utf-8-sig", "replace")
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


def load(path: Location | Sequence[Location], kind: str | None = None, **choices: Any) -> Log:
    """Read a log once, for its table and its description.

    Parameters
    ----------
    path
        The file; for TREC also the pair of files.
    kind
        One of `FORMATS`, by default as recognised.
    **choices
        Options of the format, as ``normalized=True`` of lm-evaluation-harness.
    """
    paths = _paths(path)
    known = _format(paths, kind)
    strange = [name for name in choices if name not in known.options]
    if strange:
        has = f"it has {some(known.options, 12)}" if known.options else "it has none"
        raise SourceError(f"{known.title} has no option {text(strange[0])}; {has}.")
    if len(paths) > 1 and known.files == 1:
        raise SourceError(f"{known.title} is one file; {len(paths)} are given.")

    with in_file(paths[0]):
        found = known.read(paths if len(paths) > 1 else paths[0], **choices)
        if not isinstance(found, Log):
            found = Log(paths[0], list(found), choose=known.choose)
        return replace(found, format=known.name)


@dataclass(frozen=True)
class Reading:
    """The table of a log, with what a report should know of it."""

    table: Table
    unit_axis: int | None  # the axis of items that were asked repeatedly
    description: dict[str, Any]


def read_log(path: Location | Sequence[Location], kind: str | None = None, **options: Any) -> Table:
    """The table of a log, or a stack over groups and over items that were asked repeatedly.

    Takes what `reading` takes.
    """
    return reading(path, kind, **options).table


def reading(
    path: Location | Sequence[Location],
    kind: str | None = None,
    *,
    by: str | Sequence[str] | None = None,
    real: str | int | None = None,
    predicted: str | int | None = None,
    missing: Missing = "abstain",
    positive: Hashable = None,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    options: int | None = None,
    units: bool = True,
    **choices: Any,
) -> Reading:
    """The table of a log, which axis of it is clusters, and the log's description.

    `real` and `predicted` name columns, of the formats that have columns (MLflow, CoNLL).
    See `Log.table` for the other arguments, and the reader of each format for its options.
    """
    known, chosen = _chosen(path, kind, choices)
    told: dict[str, object] = {"real": real, "predicted": predicted}
    if "labels" in known.options:  # the names of a matrix without names
        told["labels"], labels = labels, None
    choices |= {name: value for name, value in told.items() if value is not None}

    log = load(path, known.name, **choices)
    which: dict[str, Any] = {"by": by, "options": options, "chosen": chosen}
    table = log.table(**which, missing=missing, positive=positive, labels=labels, abstain=abstain, units=units)
    if told.get("labels") is not None:
        table = replace(table, stated="given")
    return Reading(table, log.unit_axis(**which) if units else None, log.describe(chosen=chosen))


def paired(
    paths: Sequence[Location],
    kind: str | None = None,
    *,
    options: int | None = None,
    positive: Hashable = None,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    missing: Missing = "abstain",
    **choices: Any,
) -> Paired:
    """A log for each system, of the same items: what `compare.paired` and `leaderboard` take.

    An item that a log lacks is an abstention of its system, as is an answer that its tool could
    not parse, unless `missing` says otherwise; items asked more than once are clusters. Systems
    are called by their models, or by their files where those are alike.
    """
    if len(paths) < 2:
        raise SourceError("One log is one system; a comparison takes two at least.")
    known, chosen = _chosen(paths[0], kind, choices)
    logs = [load(path, known.name, **choices) for path in paths]
    asked = {"positive": positive, "labels": labels, "abstain": abstain, "missing": missing}
    return joined(logs, chosen, options, **asked)


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
