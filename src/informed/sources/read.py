"""`read`: counts from whatever holds the labels."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any, Literal

from informed.errors import MissingExtra, SourceError
from informed.evidence.paired import Paired
from informed.evidence.scores import Scores
from informed.evidence.table import Table
from informed.sources import databases
from informed.sources.counts import from_matrix, is_matrix, long_columns, records, stacked
from informed.sources.engine import THE_FILE, Engine, Many
from informed.sources.files import FileEngine, TextOptions
from informed.sources.frames import FrameEngine
from informed.sources.gather import Request, gather
from informed.sources.joins import JoinEngine
from informed.sources.paths import KINDS, Files, can, read_head, resolve
from informed.sources.progress import Progress
from informed.sources.sheets import SheetEngine

COUNTED = ("matrix", "counts")
SMALL = 1 << 20  # bytes of a file that is looked at for a table of counts
FILE_FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "feather", "excel")


def read(
    source: Any,
    *,
    real: Any = None,
    predicted: Any = None,
    by: Any = None,
    item: Any = None,
    keep: Any = None,
    weights: Any = None,
    counts: Any = None,
    score: Any = None,
    labels: Sequence[Any] | None = None,
    abstain: Any = None,
    missing: Literal["error", "drop", "abstain"] | None = None,
    positive: Any = None,
    frequency: bool = False,
    square: bool = True,
    query: str | None = None,
    table: str | tuple[str, ...] | None = None,
    join: Any = None,
    on: Any = None,
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
    **options: Any,
) -> Any:
    """Count labels where they are: a file, a frame, a cluster, a database or a log.

    Only counts come back, so the size of the source does not matter.

    Parameters
    ----------
    source
        A path, a pattern (`runs/*.csv`), a folder of shards, "-" for standard input, a URL of
        fsspec (`s3://…`), an open file; a data frame of pandas, Polars, PyArrow, DuckDB, Dask,
        Spark or Ibis; a database connection or its URL (`postgresql://…`, `sqlite:///…`); an
        evaluation log. A list of sources, or a dict with names, gives a stack of tables.
    real, predicted
        Names of the columns. Several prediction columns are several systems on the same items.
    by
        Column or columns whose values name the tables of a stack: system, fold, subject.
    item
        Column that names the item, to compare the systems in `by` on the same items.
    keep
        Other columns of the items (slices, folds, clusters), kept in the `Paired` for whoever
        compares systems on the same items.
    weights, counts
        A column of weights; or of counts, for a table that was counted already.
    score
        Column of scores, instead of `predicted`: gives what `informed.roc` needs. Several columns
        are scores of the same cases, to compare their areas.
    missing
        What a missing label does: "error", "drop", or "abstain" (a missing prediction is no
        answer, the default of joins and logs).
    query, table
        Of a database: your own SELECT, or the name of a table.
    join, on
        A second file with the predictions, and the id column that both files have. A missing
        prediction is an abstention, an `unknown` id an error unless it is to be ignored.
    types
        Labels of text files are text as written ("01", "1" and "NA" are three labels, the empty
        field is missing), unless this is "native".
    input_format
        "csv", "json", "parquet", "arrow", "excel", "matrix", or the name of an evaluation log,
        where it cannot be seen from the content.
    rows
        What the rows of a matrix of counts are: "predicted" or "real".

    Returns
    -------
    Table
        Or a named stack with `by`; a `Paired` with `item` or several columns `predicted`;
        `Scores` with `score`, `ScoreColumns` with several.
    """
    if counts is not None:
        if weights is not None:
            raise SourceError("Give `weights` or `counts`, not both.")
        weights, frequency = counts, True
    with ExitStack() as cleanup:
        how = _How(
            delimiter,
            quote,
            encoding,
            types,
            input_format,
            query,
            table,
            unknown,
            progress,
            cleanup,
        )
        if _is_log(input_format):
            options |= {"real": real, "predicted": predicted}
        if _is_log(input_format) or (real is None and predicted is None and score is None):
            if item is not None:
                raise SourceError("`item` needs the names of the columns: `real`, `predicted`.")
            told = {"by": by, "labels": labels, "abstain": abstain, "missing": missing}
            told |= {"positive": positive, "rows": rows}
            return _recognised(source, how, {**told, **options})
        if options:
            raise SourceError(f"`read` has no option {next(iter(options))!r}.")
        if real is None or (predicted is None and score is None):
            lacking = "real" if real is None else "predicted"
            raise SourceError(
                f"Which column holds the {lacking} labels? Give `{lacking}=`"
                + (" (or `score=`)." if lacking == "predicted" else ".")
            )
        asked = Request(
            real=real,
            predicted=_several(predicted),
            by=_several(by),
            item=item,
            weights=weights,
            score=_one_or_several(score),
            labels=labels,
            abstain=abstain,
            missing=missing or ("abstain" if join is not None else "error"),
            positive=positive,
            frequency=frequency,
            square=square,
            strip=strip,
            bins=bins,
            keep=_several(keep),
        )
        engine = _engine(source, how) if join is None else _joined(source, join, on, asked, how)
        if isinstance(engine, Many):
            asked = replace(asked, by=(THE_FILE, *asked.by))
        return gather(engine, asked)


def _is_log(input_format: str | None) -> bool:
    if input_format is None or input_format in (*FILE_FORMATS, *COUNTED):
        return False
    from informed.sources import logs

    if input_format not in logs.FORMATS:
        known = ", ".join((*FILE_FORMATS, *COUNTED, *logs.FORMATS))
        raise SourceError(f"There is no input format {input_format!r}; there are {known}.")
    return True


def _one_or_several(score: Any) -> Any:
    if not isinstance(score, list):
        return score
    return score[0] if len(score) == 1 else tuple(score)


def _several(names: Any) -> tuple[Any, ...]:
    if names is None:
        return ()
    return tuple(names) if isinstance(names, (list, tuple)) else (names,)


class _How:
    """How sources are opened: the options that are not about labels."""

    def __init__(
        self,
        delimiter: str | None,
        quote: str,
        encoding: str | None,
        types: str | None,
        input_format: str | None,
        query: str | None,
        table: str | tuple[str, ...] | None,
        unknown: str,
        progress: Progress,
        cleanup: ExitStack,
    ) -> None:
        if types not in (None, "text", "native"):
            raise SourceError(f'`types` is {types!r}; it can be "text" or "native".')
        if unknown not in ("error", "ignore"):
            raise SourceError(f'`unknown` is {unknown!r}; it can be "error" or "ignore".')
        self.unknown = unknown
        self.delimiter, self.quote, self.encoding = delimiter, quote, encoding
        self.native = types == "native"
        self.input_format, self.query, self.table = input_format, query, table
        self.progress, self.cleanup = progress, cleanup


def _engine(source: Any, how: _How) -> Engine:
    """What counts this source."""
    if isinstance(source, Mapping):
        return Many({name: _engine(one, how) for name, one in source.items()})
    if isinstance(source, (list, tuple)):
        return Many(
            {n: _engine(s, how) for n, s in zip(names_of_files(source), source, strict=True)}
        )
    if databases.is_database_url(source):
        return _database(source, how)
    if isinstance(source, (str, PurePath)) or can(source, "read"):
        return _file(source, how)
    if type(source).__name__ == "DuckDBPyRelation":
        return databases.RelationEngine(source)
    if can(source, "raw_connection"):  # an engine of SQLAlchemy
        connection = source.raw_connection()
        how.cleanup.callback(connection.close)
        return databases.DatabaseEngine(connection, query=how.query, table=how.table)
    if databases.is_connection(source):
        return databases.DatabaseEngine(source, query=how.query, table=how.table)
    return FrameEngine(source)


def _database(url: str, how: _How) -> Engine:
    engine = databases.open_database(url, query=how.query, table=how.table, progress=how.progress)
    how.cleanup.callback(engine.connection.close)
    return engine


def _file(source: Any, how: _How) -> Engine:
    files = resolve(source, _file_kind(how.input_format), how.cleanup)
    if files.kind in ("sqlite", "duckdb") and files.filesystem is None:
        return _database(f"{files.kind}:///{Path(files.names[0]).absolute()}", how)
    if how.query is not None:
        raise SourceError(f"`query` is for databases; {files.shown} is a file.")
    if files.kind == "excel":
        return SheetEngine(files, None if how.table is None else str(how.table))
    if files.kind == "arrow" and find_spec("pyarrow") is None:
        if find_spec("polars") is None:
            raise MissingExtra("Arrow files need PyArrow or Polars: pip install pyarrow")
        return FrameEngine(import_module("polars").scan_ipc(list(files.names)))
    return _file_engine(files, how)


def _file_engine(files: Files, how: _How) -> FileEngine:
    options = TextOptions(how.delimiter, how.quote, how.encoding, how.native)
    engine = FileEngine(files, options, how.progress)
    how.cleanup.callback(engine.close)
    return engine


def _joined(source: Any, join: Any, on: Any, asked: Request, how: _How) -> Engine:
    """A solution joined with one submission, or with several, each a system."""
    if on is None:
        raise SourceError("Which column is the id of both files? Give `on=`.")
    if isinstance(join, Mapping):
        return Many({name: _joined(source, one, on, asked, how) for name, one in join.items()})
    if isinstance(join, (list, tuple)):
        return _joined(source, dict(zip(names_of_files(join), join, strict=True)), on, asked, how)
    answers = (asked.score,) if asked.score is not None else asked.predicted
    if len(answers) != 1:
        raise SourceError("A join needs one column of predictions.")
    sides = []
    for side in (source, join):
        if not isinstance(side, (str, PurePath)) and not can(side, "read"):
            raise SourceError("Only files can be joined here; join frames before reading them.")
        files = resolve(side, _file_kind(how.input_format), how.cleanup)
        if files.kind in ("excel", "sqlite", "duckdb"):
            raise SourceError(f"{files.shown} cannot be joined; save it as CSV or Parquet.")
        sides.append(_file_engine(files, how))
    return JoinEngine(sides[0], sides[1], on, answers[0], how.unknown == "ignore")


def _file_kind(input_format: str | None) -> str | None:
    if input_format is None:
        return None
    return KINDS.get(input_format, input_format)


def names_of_files(sources: Sequence[object]) -> list[Hashable]:
    """What a list of files is called: their names without what they share."""
    paths = [Path(s) for s in sources if isinstance(s, (str, PurePath))]
    if len(paths) < len(sources):
        return list(range(len(sources)))
    for name in (lambda p: p.name.partition(".")[0], lambda p: p.name, str):
        names: list[Hashable] = [name(p) for p in paths]
        if len(set(names)) == len(names):
            return names
    raise SourceError("The same file was given twice; each file is a group of its own.")


# ---------------------------------------------------------------- without column names


def _recognised(source: Any, how: _How, options: dict[str, Any]) -> Any:
    """An evaluation log, a saved table, or a table of counts: known by what it holds."""
    from informed.sources import logs

    given = {key: value for key, value in options.items() if value is not None}
    wanted = how.input_format
    if wanted in logs.FORMATS:
        return logs.read_log(source, wanted, **given)
    if isinstance(source, (list, tuple)):
        kind = _log_kind(source[0], wanted) if source else None
        if kind and logs.FORMATS[kind].files > 1:
            return logs.read_log(source, kind, **given)
        source = dict(zip(names_of_files(source), source, strict=True))
    if isinstance(source, Mapping):
        tables = {name: _recognised(one, how, options) for name, one in source.items()}
        return stacked(tables)
    if isinstance(source, (str, PurePath)) and not databases.is_database_url(source):
        if kind := _log_kind(source, wanted):
            return logs.read_log(source, kind, **given)
        files = resolve(source, _file_kind(None if wanted in COUNTED else wanted), how.cleanup)
        found = _counts(files, how, given)
        if found is not None:
            return found
    raise SourceError(_which_columns(source, how))


def _log_kind(source: Any, wanted: str | None) -> str | None:
    """The kind of evaluation log that a file is, unless another format was asked for."""
    from informed.sources import logs

    if wanted is not None or not isinstance(source, (str, PurePath)) or not Path(source).is_file():
        return None
    return logs.recognise(str(source))


def _counts(files: Files, how: _How, given: dict[str, Any]) -> Table | None:
    """A saved table, a matrix of counts, or a long table of counts."""
    if files.kind == "json":
        head = read_head(files, files.names[0], 1 << 26)
        with suppress(ValueError):
            if json.loads(head).get("informed", {}).get("kind") == "table":
                return Table.from_json(head.decode())
        return None
    if files.kind != "csv" or len(files.names) != 1:
        return None
    forced = how.input_format in COUNTED
    if not forced and len(read_head(files, files.names[0], SMALL)) == SMALL:
        return None
    cells = records(files, how.delimiter)
    columns = long_columns(cells[0]) if cells else None
    policies = {key: given[key] for key in ("labels", "positive") if key in given}
    if columns and how.input_format != "matrix":
        real, predicted, n = columns
        asked = Request(real, (predicted,), weights=n, frequency=True, strip=True, **policies)
        table = gather(_file_engine(files, how), asked)
        assert isinstance(table, Table)
        return table
    if how.input_format == "matrix" or (not forced and is_matrix(cells)):
        return from_matrix(cells, files.shown, rows=given.get("rows"), **policies)
    return None


def _which_columns(source: Any, how: _How) -> str:
    engine = _engine(source, how)
    try:
        engine.check([object()])  # a name that no source has
    except SourceError as error:
        there = str(error).partition("; it has ")[2]
        if there:
            return (
                f"Which columns of {engine.shown} hold the real and the predicted labels? "
                f"Give `real=` and `predicted=`: it has {there.partition(' Did you')[0]}"
            )
    return f"Which columns of {engine.shown}? Give `real=` and `predicted=`."


__all__ = ["Paired", "Scores", "Table", "read"]
