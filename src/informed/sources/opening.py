"""What counts a source: a file of any kind, a database, a frame, or several of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.sources import databases
from informed.sources.engine import Engine, Many, Name
from informed.sources.files import SCANS, FileEngine, TextOptions
from informed.sources.frames import FrameEngine
from informed.sources.joins import JoinEngine
from informed.sources.paths import KINDS, Files, can, resolve
from informed.sources.progress import Progress
from informed.sources.sheets import SheetEngine


@dataclass(frozen=True, kw_only=True)
class Opening:
    """How sources are opened: the options that are not about labels."""

    cleanup: ExitStack  # closes what is opened
    delimiter: str | None = None
    quote: str = '"'
    encoding: str | None = None
    types: str | None = None
    input_format: str | None = None
    query: str | None = None
    table: str | tuple[str, ...] | None = None
    unknown: str = "error"
    progress: Progress = None

    def __post_init__(self) -> None:
        if self.types not in (None, "text", "native"):
            raise SourceError(f'`types` is {self.types!r}; it can be "text" or "native".')
        if self.unknown not in ("error", "ignore"):
            raise SourceError(f'`unknown` is {self.unknown!r}; it can be "error" or "ignore".')

    def files(self, source: object) -> Files:
        """The files behind a path, of the kind that was asked for or that they are."""
        asked = self.input_format
        return resolve(source, asked and KINDS.get(asked, asked), self.cleanup)

    def scanned(self, files: Files) -> FileEngine:
        """Files through DuckDB."""
        options = TextOptions(self.delimiter, self.quote, self.encoding, self.types == "native")
        engine = FileEngine(files, options, self.progress)
        self.cleanup.callback(engine.close)
        return engine


def engine(source: Any, how: Opening) -> Engine:
    """What counts this source."""
    if isinstance(source, Mapping):
        return Many({name: engine(one, how) for name, one in source.items()})
    if isinstance(source, (list, tuple)):
        named = zip(names_of_files(source), source, strict=True)
        return Many({name: engine(one, how) for name, one in named})

    if databases.is_database_url(source):
        return _database(source, how)
    if isinstance(source, (str, PurePath)) or can(source, "read"):
        files = how.files(source)
        if how.query is not None and files.kind not in DATABASES:
            raise SourceError(f"`query` is for databases; {files.shown} is a file.")
        return ENGINES.get(files.kind, _scanned)(files, how)

    if type(source).__name__ == "DuckDBPyRelation":
        return databases.RelationEngine(source)
    if can(source, "raw_connection"):  # an engine of SQLAlchemy
        source = source.raw_connection()
        how.cleanup.callback(source.close)
        return databases.DatabaseEngine(source, query=how.query, table=how.table)
    if databases.is_connection(source):
        return databases.DatabaseEngine(source, query=how.query, table=how.table)
    return FrameEngine(source)


# ---------------------------------------------------------------- kinds of files


def _scanned(files: Files, how: Opening) -> Engine:
    return how.scanned(files)


def _database(url: str, how: Opening) -> Engine:
    opened = databases.open_database(url, query=how.query, table=how.table, progress=how.progress)
    how.cleanup.callback(opened.connection.close)
    return opened


def _database_file(files: Files, how: Opening) -> Engine:
    if files.filesystem is not None:
        return how.scanned(files)  # which says that it cannot be read there
    return _database(f"{files.kind}:///{Path(files.names[0]).absolute()}", how)


def _sheet(files: Files, how: Opening) -> Engine:
    return SheetEngine(files, None if how.table is None else str(how.table))


def _arrow(files: Files, how: Opening) -> Engine:
    if find_spec("pyarrow") is not None:
        return how.scanned(files)
    if find_spec("polars") is None:
        raise MissingExtra("Arrow files need PyArrow or Polars: pip install pyarrow")
    return FrameEngine(import_module("polars").scan_ipc(list(files.names)))


DATABASES = ("sqlite", "duckdb")
# What counts the files of a kind, where it is not a scan of DuckDB.
ENGINES: dict[str, Callable[[Files, Opening], Engine]] = {
    "excel": _sheet,
    "arrow": _arrow,
    **dict.fromkeys(DATABASES, _database_file),
}


# ---------------------------------------------------------------- several files


def joined(
    source: Any, join: Any, on: Name | None, answers: Sequence[Name], how: Opening
) -> Engine:
    """A solution joined with one submission, or with several, each a system."""
    if on is None:
        raise SourceError("Which column is the id of both files? Give `on=`.")
    if isinstance(join, (list, tuple)):
        join = dict(zip(names_of_files(join), join, strict=True))
    if isinstance(join, Mapping):
        return Many({name: joined(source, one, on, answers, how) for name, one in join.items()})
    if len(answers) != 1:
        raise SourceError("A join needs one column of predictions.")

    sides = []
    for side in (source, join):
        if not isinstance(side, (str, PurePath)) and not can(side, "read"):
            raise SourceError("Only files can be joined here; join frames before reading them.")
        files = how.files(side)
        if files.kind not in SCANS:
            raise SourceError(f"{files.shown} cannot be joined; save it as CSV or Parquet.")
        sides.append(how.scanned(files))
    return JoinEngine(sides[0], sides[1], on, answers[0], how.unknown == "ignore")


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
