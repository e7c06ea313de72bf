"""`read`: counts from whatever holds the labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from inspect import signature
from pathlib import PurePath
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from informed.errors import CallError, SourceError
from informed.evidence.calls import explained
from informed.evidence.forecasts import Forecasts
from informed.evidence.labels import some, text
from informed.evidence.likeness import Normalize
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.scores import ScoreColumns, Scores
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.sources.counts import from_matrix, is_matrix, long_columns, records, stacked
from informed.sources.databases import is_database_url
from informed.sources.engine import THE_FILE, Many
from informed.sources.gather import gather
from informed.sources.given_columns import Values, holds_values, refuse_columns, with_columns
from informed.sources.opening import engine, joined, names_of_files, scanned
from informed.sources.paths import KINDS, Opening, once, read_head
from informed.sources.probabilities import probabilities_of
from informed.sources.progress import Progress
from informed.sources.request import Request
from informed.sources.tags import tags_of

T = TypeVar("T")
COUNTED = ("matrix", "counts")
NEEDS_NAMES = {  # what goes with columns only, and why
    "where": "A log has none.",
    "item": "A log knows its items.",
    "normalize": "A log has its own scorer.",
}
SMALL = 1 << 20  # bytes of a file that is looked at for a table of counts
TOLD = ("by", "labels", "abstain", "missing", "positive", "rows", "unit")  # which a log may be told
OF_COUNTS = ("labels", "positive", "rows")  # which a table of counts may be told
OF_COLUMNS: dict[str, Any] = {  # what is of named columns, and has no meaning for a log or counts; the usual values
    **dict.fromkeys(("keep", "weights", "counts", "query", "table", "join", "on", "types")),
    **dict.fromkeys(("tables", "frequency", "strip"), False),
    "square": True,
    "unknown": "error",
    "quote": '"',
    "bins": 4096,
}

Name = str | int | Values  # of a column, or the column itself
Several = list[str] | list[Name] | tuple[Name, ...]
Names = Name | Several


class ReadOptions(TypedDict, total=False):
    """What `read` takes besides the columns that decide what it gives."""

    unit: Name | None
    keep: Names | None
    weights: Name | None
    counts: Name | None
    labels: Sequence[Hashable] | None
    abstain: Any
    missing: Literal["error", "drop", "abstain"] | None
    normalize: Normalize
    positive: Hashable
    frequency: bool
    square: bool
    query: str | None
    table: str | tuple[str, ...] | None
    where: str | None
    join: Any
    on: str | int | None
    unknown: Literal["error", "ignore"]
    delimiter: str | None
    quote: str
    encoding: str | None
    types: Literal["text", "native"] | None
    strip: bool
    input_format: str | None
    rows: Literal["predicted", "real"] | None
    bins: int
    progress: Progress


@overload
def read(
    source: Any,
    *,
    real: Name,
    predicted: Name,
    item: None = None,
    by: Names | None = None,
    **options: Unpack[ReadOptions],
) -> Table: ...
@overload
def read(
    source: Any,
    *,
    real: Name,
    predicted: Name,
    item: Name,
    by: Names,
    tables: Literal[False] = False,
    **options: Unpack[ReadOptions],
) -> Paired: ...
@overload
def read(
    source: Any,
    *,
    real: Name,
    predicted: Name,
    item: Name,
    by: Names,
    tables: Literal[True],
    **options: Unpack[ReadOptions],
) -> Table: ...
@overload  # several sources are systems
def read(
    source: Mapping[Any, Any], *, real: Name, predicted: Name, item: Name, **options: Unpack[ReadOptions]
) -> Paired: ...
@overload
def read(source: Any, *, real: Name, predicted: Name, item: Name, **options: Unpack[ReadOptions]) -> Table: ...
@overload
def read(
    source: Any,
    *,
    real: Name,
    predicted: Several,
    item: Name | None = None,
    by: Names | None = None,
    **options: Unpack[ReadOptions],
) -> Paired: ...
@overload
def read(
    source: Any, *, real: Name, score: Name, by: Names | None = None, **options: Unpack[ReadOptions]
) -> Scores: ...
@overload
def read(source: Any, *, real: Name, score: Several, **options: Unpack[ReadOptions]) -> ScoreColumns: ...
@overload  # probabilities, a column each or one for each class
def read(
    source: Any,
    *,
    real: str,
    probability: str | list[str],
    item: str | None = None,
    by: str | None = None,
    **options: Unpack[ReadOptions],
) -> Forecasts: ...
@overload  # items of several labels
def read(
    source: Any,
    *,
    real: str,
    predicted: str | list[str],
    separator: str | None,
    item: str | None = None,
    by: str | None = None,
    threshold: float | None = None,
    **options: Unpack[ReadOptions],
) -> Tags: ...
@overload  # of any log, also where its answers are no classes
def read(
    source: Any, *, marks: Literal[True], real: None = None, predicted: None = None, score: None = None, **options: Any
) -> Marks: ...
@overload  # a log or a table of counts, which is known by what it holds; a log has its own options
def read(source: Any, *, real: None = None, predicted: None = None, score: None = None, **options: Any) -> Table: ...
@explained
def read(
    source: Any = None,
    *,
    real: Name | None = None,
    predicted: Names | None = None,
    by: Names | None = None,
    unit: Name | None = None,
    item: Name | None = None,
    tables: bool = False,
    keep: Names | None = None,
    weights: Name | None = None,
    counts: Name | None = None,
    score: Names | None = None,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    missing: Literal["error", "drop", "abstain"] | None = None,
    normalize: Normalize = None,
    positive: Hashable = None,
    frequency: bool = False,
    square: bool = True,
    query: str | None = None,
    table: str | tuple[str, ...] | None = None,
    where: str | None = None,
    join: Any = None,
    on: str | int | None = None,
    unknown: Literal["error", "ignore"] = "error",
    delimiter: str | None = None,
    quote: str = '"',
    encoding: str | None = None,
    types: Literal["text", "native"] | None = None,
    strip: bool = False,
    input_format: str | None = None,
    rows: Literal["predicted", "real"] | None = None,
    bins: int = 4096,
    progress: Progress = None,
    separator: str | Literal[False] | None = False,
    probability: str | Sequence[str] | None = None,
    **options: Any,
) -> Table | Paired | Scores | ScoreColumns | Marks | Tags | Forecasts:
    """Count labels where they are: a file, a frame, a cluster, a database or a log.

    Only counts come back, so the size of the source does not matter.

    Parameters
    ----------
    source
        A path, a pattern (`runs/*.csv`), a folder of shards, "-" for standard input, a URL of
        fsspec (`s3://…`), an open file; a data frame of pandas, Polars, PyArrow, DuckDB, Dask,
        Spark or Ibis, or a stream of Arrow batches; a database connection or its URL
        (`postgresql://…`, `sqlite:///…`); an evaluation log. A list of sources,
        or a dict with names, gives a stack of tables.
    real, predicted
        Names of the columns, or columns of a frame themselves (`real=df.y`), as for every other column below.
        Several prediction columns are several systems on the same items.
    by
        Column or columns whose values name the tables of a stack: system, fold, subject.
    unit
        Column that says which cases belong together (document, patient): the table carries its units,
        and intervals and tests measure the spread between them.
    item
        Column that names the item, whose answers share the weight of one. With `by` (or several
        columns `predicted`) the systems are compared on the same items, unless `tables` is true: then
        each value of `by` is a table of its own, such as a subject.
    keep
        Other columns of the items (slices, folds, units), kept in the `Paired` for whoever
        compares systems on the same items.
    weights, counts
        A column of weights; or of counts, for a table that was counted already.
    score
        Column of scores, instead of `predicted`: gives what `informed.roc` needs. Several columns
        are scores of the same cases, to compare their areas.
    missing
        What a missing label does: "error", "drop", or "abstain" (a missing prediction is no
        answer, the default of joins and logs).
    normalize
        What takes labels as the same, such as "case,space,number": see `Table.from_labels`. Labels that
        differ by no more are an error otherwise, and so is a score or an id as the prediction.
    query, table
        Of a database: your own SELECT, or the name of a table.
    where
        Which rows are read, the same at every door: columns, operators and values joined by `and`, such as
        ``"split == 'test' and length > 20"`` or ``"lang in ('en', 'fr')"``. A value in quotes is compared
        as text, a number as a number; a missing one matches nothing. It is no SQL.
    join, on
        A second file with the predictions, and the id column that both files have. A missing
        prediction is an abstention, an `unknown` id an error unless it is to be ignored.
    types
        Labels of text files are text as written ("01", "1" and "NA" are three labels, the empty
        field is missing), unless this is "native".
    separator
        Items of several labels: what stands between them in a text; None where they are lists, or where `item`
        names what each row has a tag of. One column a label is named by a pattern ("y_*"). Gives `Tags`.
    probability
        Column of the probabilities of the positive class, or a pattern ("p_*") for one a class; several are of
        several systems. Gives `Forecasts`, which `probabilities`, `leaderboard` and `slices` take.
    input_format
        "csv", "json", "parquet", "arrow", "excel", "matrix", or the name of an evaluation log,
        where it cannot be seen from the content.
    rows
        What the rows of a matrix of counts are: "predicted" or "real".

    Returns
    -------
    Table
        Or a named stack with `by`; a `Paired` with `item` and `by` or several columns `predicted`;
        `Scores` with `score`, `ScoreColumns` with several; `Marks` of a log with `marks=True`; `Tags` with
        `separator`; `Forecasts` with `probability`.
    """
    given = dict(locals())  # `Opening` and `Request` know the options by the same names
    if (
        probability is not None
        or separator is not False
        or "*" in f"{real}{predicted if isinstance(predicted, str) else ''}"
    ):
        return tags_of(source, given) if probability is None else probabilities_of(source, given)
    if source is None:
        raise CallError("`read` needs a source; count labels in memory with Table.from_labels(real=…, predicted=…).")
    refuse_columns(source, given)
    if holds_values(given):
        frame, named = with_columns(source, given)
        del given["source"], given["options"]
        again: Any = read
        return again(frame, **{**given, **named, **options})  # type: ignore[no-any-return]
    if counts is not None and weights is not None:
        raise SourceError("Give `weights` or `counts`, not both.")
    if on is not None and join is None:
        raise SourceError("`on` names the id of two files that are joined; one file was given.")
    weights, frequency = (weights, frequency) if counts is None else (counts, True)

    with ExitStack() as cleanup:
        source = _once(source, cleanup)
        how = _with(Opening, given, cleanup=cleanup)
        log = _is_log(input_format)
        if log:
            options |= {"real": real, "predicted": predicted}
        if log or (real is None and predicted is None and score is None):
            _check_unnamed(given)
            told = {name: given[name] for name in TOLD}
            idle = [name for name, usual in OF_COLUMNS.items() if not _is(given[name], usual)]
            if options.pop("marks", False):
                _refuse(idle, "a log", source)
                return _marks(source, input_format, {**told, **options})
            return _recognised(source, how, {**told, **options}, idle)

        if options:
            raise SourceError(f"`read` has no option {next(iter(options))!r}.")
        if real is None:
            raise SourceError("Which column holds the real labels? Give `real=`.")
        if predicted is None and score is None:
            raise SourceError("Which column holds the predicted labels? Give `predicted=` (or `score=`).")

        if frequency and weights is None:
            raise SourceError("`frequency` says that weights are numbers of cases; give `weights`.")

        scores = _several(score)
        asked = _with(
            Request,
            given,
            **{name: _several(given[name]) for name in ("predicted", "by", "keep")},
            score=scores[0] if len(scores) == 1 else scores or None,
            missing=missing or ("abstain" if join is not None else "error"),
            weights=weights,
            frequency=frequency,
        )
        answers = scores or asked.predicted
        _check_answers(asked, answers, join is not None)
        found = engine(source, how) if join is None else joined(source, join, on, answers, how)
        if isinstance(found, Many):
            asked = replace(asked, by=(THE_FILE, *asked.by))
        return gather(found, asked)


def _check_unnamed(given: Mapping[str, Any]) -> None:
    """Refuse options that need the names of columns, where none are given."""
    for name, why in NEEDS_NAMES.items():
        if given[name] is not None:
            raise SourceError(f"`{name}` needs the names of the columns: `real`, `predicted`. {why}")


def _check_answers(asked: Request, answers: Sequence[Any], two_files: bool) -> None:
    """Refuse a join of several columns, and one column as both sides of one source."""
    if two_files and len(answers) != 1:
        raise SourceError("A join needs one column of predictions.")
    if not two_files and isinstance(asked.real, str) and asked.predicted == (asked.real,):
        raise SourceError(f"`real` and `predicted` are both {text(asked.real)}; a column agrees with itself always.")


def _is_log(input_format: str | None) -> bool:
    if input_format is None or input_format in (*KINDS, *KINDS.values(), *COUNTED):
        return False
    from informed.sources import logs

    if input_format not in logs.FORMATS:
        known = ", ".join((*dict.fromkeys(KINDS.values()), *COUNTED, *logs.FORMATS))
        raise SourceError(f"There is no input format {input_format!r}; there are {known}.")
    return True


def _with(kind: Callable[..., T], given: Mapping[str, Any], **more: Any) -> T:
    """A dataclass from the options that its fields are named after."""
    names = {name: given[name] for name in signature(kind).parameters if name in given}
    return kind(**{**names, **more})


def _once(source: Any, cleanup: ExitStack) -> Any:
    """The same source or sources, whose streams are now files."""
    if isinstance(source, Mapping):
        return {name: once(one, cleanup) for name, one in source.items()}
    if isinstance(source, (list, tuple)):
        return [once(one, cleanup) for one in source]
    return once(source, cleanup)


def _is(value: Any, usual: Any) -> bool:
    return value is usual or (type(value) is type(usual) and value == usual)


def _refuse(idle: Sequence[str], what: str, source: Any) -> None:
    """Refuse options that would be ignored."""
    if "join" in idle:
        raise SourceError(
            f"{source} is {what}, which has its real labels and cannot be joined with another file: files that are "
            "joined have columns, named by `real` and `predicted`."
        )
    if idle:
        raise SourceError(
            f"`{idle[0]}` is an option of columns that are named by `real` and `predicted`, not of {what}."
        )


def _several(names: Any) -> tuple[Any, ...]:
    if names is None:
        return ()
    return tuple(names) if isinstance(names, (list, tuple)) else (names,)


# ---------------------------------------------------------------- without column names


def _marks(source: Any, input_format: str | None, options: dict[str, Any]) -> Marks:
    from informed.sources import logs

    return logs.read_marks(source, input_format, **{key: value for key, value in options.items() if value is not None})


def _recognised(source: Any, how: Opening, options: dict[str, Any], idle: Sequence[str]) -> Table:
    """An evaluation log, a saved table, or a table of counts: known by what it holds."""
    from informed.sources import logs

    given = {key: value for key, value in options.items() if value is not None}
    listed = isinstance(source, (list, tuple))
    kind = None if isinstance(source, Mapping) else logs.kind_of(source if listed else [source], how.input_format)
    if kind is not None and (not listed or len(source) <= logs.FORMATS[kind].files):
        _refuse(
            [*idle, *(name for name in ("delimiter", "encoding") if getattr(how, name) is not None)], "a log", source
        )
        return logs.read_log(source, kind, **given)
    if "unit" in given and not listed and not isinstance(source, Mapping):
        raise SourceError("`unit` needs the names of the columns: `real`, `predicted`.")
    if listed:
        source = dict(zip(names_of_files(source), source, strict=True))
    if isinstance(source, Mapping):
        return stacked({name: _recognised(one, how, options, idle) for name, one in source.items()})
    if isinstance(source, (str, PurePath)) and not is_database_url(source):
        found = _counts(source, how, given)
        if found is not None:
            if strange := [name for name in given if name not in TOLD]:
                raise SourceError(f"`read` has no option {strange[0]!r}.")
            _refuse([*idle, *(name for name in given if name not in OF_COUNTS)], "a table of counts", source)
            return found
    raise SourceError(_which_columns(source, how))


def _counts(source: object, how: Opening, given: dict[str, Any]) -> Table | None:
    """A saved table, a matrix of counts, or a long table of counts."""
    forced = how.input_format in COUNTED
    files = (replace(how, input_format=None) if forced else how).files(source)
    if files.kind == "json":
        head = read_head(files, files.names[0], 1 << 26)
        if not _is_saved(head):
            return None
        _refuse([name for name in ("labels", "rows") if name in given], "a saved table, which has its labels", source)
        saved = Table.from_json(head.decode())
        return saved.with_positive(given["positive"]) if "positive" in given else saved
    if files.kind != "csv" or len(files.names) != 1:
        return None
    if not forced and len(read_head(files, files.names[0], SMALL)) == SMALL:
        return None
    cells = records(files, how)
    columns = long_columns(cells[0]) if cells else None
    policies = {key: given[key] for key in ("labels", "positive") if key in given}
    if columns and how.input_format != "matrix":
        real, predicted, n = columns
        if "rows" in given:
            raise SourceError(f"`rows` is of a matrix; {files.shown} has a row for each cell, and names its columns.")
        asked = Request(real, (predicted,), weights=n, frequency=True, strip=True, **policies)
        table = gather(scanned(files, how), asked)
        assert isinstance(table, Table)
        return table
    if how.input_format == "matrix" or (not forced and is_matrix(cells)):
        return from_matrix(cells, files.shown, rows=given.get("rows"), **policies)
    return None


def _is_saved(head: bytes) -> bool:
    """Whether this is the JSON of a table."""
    try:
        held = json.loads(head)
    except (ValueError, RecursionError):
        return False
    said = held.get("informed") if isinstance(held, dict) else None
    return isinstance(said, dict) and said.get("kind") == "table"


def _which_columns(source: Any, how: Opening) -> str:
    found = engine(source, how)
    there: Sequence[Hashable] = ()
    with suppress(SourceError):  # nothing is known of its columns
        there = found.names()
    if not there:
        return f"Which columns of {found.shown}? Give `real=` and `predicted=`."
    return (
        f"Which columns of {found.shown} hold the real and the predicted labels? "
        f"Give `real=` and `predicted=`: it has {some(list(map(str, there)), 12)}."
    )


__all__ = ["Paired", "Scores", "Table", "read"]
