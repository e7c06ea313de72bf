"""What counts a source: a file of any kind, a database, a frame, or several of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.evidence.labels import too_fine
from informed.sources import databases
from informed.sources.duckdb_rows import connect, cut
from informed.sources.engine import Engine, Many, Name, Names
from informed.sources.files import SCANS, FileEngine, said_of_log
from informed.sources.folders import given_twice
from informed.sources.frames import FrameEngine, is_frame
from informed.sources.joins import JoinEngine
from informed.sources.mysql import MySqlEngine
from informed.sources.paths import DATABASES, Files, Opening, can, shown_as
from informed.sources.sheets import SheetEngine


def engine(source: Any, how: Opening) -> Engine:
    """What counts this source."""
    if isinstance(source, (list, tuple)):
        source = dict(zip(names_of_files(source), source, strict=True))
    if isinstance(source, Mapping):
        _refuse_one_file_twice(source.values())
        return Many({name: engine(one, how) for name, one in source.items()})

    if databases.is_database_url(source):
        return databases.open_database(source, how)
    if isinstance(source, (str, PurePath)) or can(source, "read"):
        files = how.files(source)
        if how.query is not None and files.kind not in DATABASES:
            raise SourceError(f"`query` is for databases; {files.shown} is a file.")
        if how.table is not None and files.kind not in (*DATABASES, "excel"):
            raise SourceError(f"`table` is for databases and sheets; {files.shown} is a file of one table.")
        return ENGINES.get(files.kind, scanned)(files, how)

    if type(source).__name__ == "DuckDBPyRelation":
        return databases.RelationEngine(source, how)
    if can(source, "raw_connection"):  # an engine of SQLAlchemy
        source = how.cleanup.enter_context(closing(source.raw_connection()))
    if databases.is_connection(source):
        mysql = databases.driver_of(source).startswith(("mysql", "pymysql", "mariadb", "cymysql"))
        return (MySqlEngine if mysql else databases.DatabaseEngine)(source, how)
    if can(source, "__arrow_c_stream__") and not is_frame(source):
        return _streamed(source, how)
    return FrameEngine(source, how)


def _refuse_one_file_twice(sources: Iterable[Any]) -> None:
    """Refuse groups of which two are the same file, through a link for instance: its cases would count twice."""
    twice = given_twice(str(x) for x in sources if isinstance(x, (str, PurePath)) and "://" not in str(x))
    if twice is not None:
        first, other = twice
        same = f"{first} is given twice" if first == other else f"{first} and {other} are the same file"
        raise SourceError(f"{same}; each group needs a file of its own.")


def _streamed(source: Any, how: Opening) -> Engine:
    """A stream of Arrow batches, which can be read once: kept by a DuckDB, on disk where it is large."""
    connection = how.cleanup.enter_context(closing(connect()))
    finer: dict[Name, str] = {}
    connection.register("arriving", _watched(source, finer) if find_spec("pyarrow") else source)
    connection.execute("CREATE TEMP TABLE arrived AS SELECT * FROM arriving")
    return Arrived(connection, replace(how, table="arrived", query=None), finer)


def _watched(source: Any, finer: dict[Name, str]) -> Any:
    """The same stream, which notes the columns of which DuckDB cuts values."""
    pa: Any = import_module("pyarrow")
    reader = pa.RecordBatchReader.from_stream(source)

    def batches() -> Iterator[Any]:
        for batch in reader:
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                if what := cut(column):
                    finer[name] = what
            yield batch

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


class Arrived(databases.DatabaseEngine):
    """A stream of Arrow that a DuckDB holds."""

    def __init__(self, connection: Any, how: Opening, finer: dict[Name, str]) -> None:
        super().__init__(connection, how, "the Arrow stream")
        self.finer = finer

    def check(self, names: Names) -> None:
        super().check(names)
        for name in (name for name in names if name in self.finer):
            raise too_fine(self.finer[name])


# ---------------------------------------------------------------- kinds of files


def scanned(files: Files, how: Opening, connection: Any = None) -> FileEngine:
    """Files through a DuckDB of their own, or through one that is there."""
    return FileEngine(files, how, connection or how.cleanup.enter_context(closing(connect())))


def _database_file(files: Files, how: Opening) -> Engine:
    if files.filesystem is not None:
        return scanned(files, how)  # which says that it cannot be read there
    return databases.open_database(f"{files.kind}:///{Path(files.names[0]).absolute()}", how)


def _sheet(files: Files, how: Opening) -> Engine:
    return SheetEngine(files, None if how.table is None else str(how.table), how.conditions)


def _arrow(files: Files, how: Opening) -> Engine:
    if find_spec("pyarrow") is not None:
        return scanned(files, how)
    if find_spec("polars") is None:
        raise MissingExtra("Arrow files need PyArrow or Polars: pip install pyarrow")
    return FrameEngine(import_module("polars").scan_ipc(list(files.names)), how)


# What counts the files of a kind, where it is not a scan of DuckDB.
ENGINES: dict[str, Callable[[Files, Opening], Engine]] = {
    "excel": _sheet,
    "arrow": _arrow,
    **dict.fromkeys(DATABASES, _database_file),
}


# ---------------------------------------------------------------- several files


def joined(source: Any, join: Any, on: Name | None, answers: Sequence[Name], how: Opening) -> Engine:
    """A solution joined with one submission, or with several, each a system."""
    if on is None:
        raise SourceError("Which column is the id of both files? Give `on=`.")
    if how.where is not None:
        raise SourceError("`where` is of one file; of two that are joined it would not say of which.")
    if isinstance(join, (list, tuple)):
        join = dict(zip(names_of_files(join), join, strict=True))
    if isinstance(join, Mapping):
        return Many({name: joined(source, one, on, answers, how) for name, one in join.items()})

    def side(given: Any, connection: Any = None) -> FileEngine:
        if not isinstance(given, (str, PurePath)) and not can(given, "read"):
            raise SourceError("Only files can be joined here; join frames before reading them.")
        files = how.files(given)
        if files.kind not in SCANS:
            log = said_of_log(files.names, files.shown) or "Save it as CSV or Parquet."
            raise SourceError(f"{files.shown} cannot be joined with another file. {log}")
        return scanned(files, how, connection)

    solution = side(source)
    submission = side(join, solution.connection)
    return JoinEngine(solution, submission, on, answers, how.unknown == "ignore")


def names_of_files(sources: Sequence[object]) -> list[Hashable]:
    """What a list of files is called: their names without what they share."""
    paths = [Path(shown_as(s)) for s in sources if isinstance(s, (str, PurePath))]
    if len(paths) < len(sources):
        return list(range(len(sources)))
    for name in (lambda p: p.name.partition(".")[0], lambda p: p.name, str):
        names: list[Hashable] = [name(p) for p in paths]
        if len(set(names)) == len(names):
            return names
    raise SourceError(f"{Counter(names).most_common(1)[0][0]} is given twice; each group needs a file of its own.")
