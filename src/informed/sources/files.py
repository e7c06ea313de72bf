"""Files through DuckDB: one GROUP BY over text, Parquet, JSON or Arrow, without loading them."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from informed.errors import SourceError
from informed.sources.engine import MOST_GROUPS, Name, Names, Row, check_columns, no_column, too_many_entries
from informed.sources.paths import Files, Header, Opening, check_gzip, compression, header, redacted
from informed.sources.progress import watched
from informed.sources.sql import SqlEngine, quoted, sums

Result = TypeVar("Result")
UNIT_MEMORY = "1GB"  # of DuckDB, to count the patterns of units; more waits on disk


@dataclass(frozen=True)
class Scan:
    """A table function with its bound values, and the SQL of each column."""

    sql: str
    values: tuple[Any, ...]
    columns: dict[Name, str]


class FileEngine(SqlEngine):
    """Files of one kind, counted by DuckDB."""

    distinct = "approx_count_distinct(s)"  # in little memory, whatever the number of rows

    def __init__(self, files: Files, how: Opening, connection: Any) -> None:
        self.files, self.how, self.connection = files, how, connection
        self.shown = files.shown + ("" if how.where is None else f" where {how.where}")
        self.paths = [_literal(name, files) for name in files.names]
        if files.filesystem is not None:
            connection.register_filesystem(files.filesystem)
        self._scans: dict[Names, list[Scan]] = {}
        self._cells: Names | None = None  # which the table `unit_cells` is of

    def names(self) -> Names:
        if self.files.kind in ("json", "parquet"):
            return self._described(f"read_{self.files.kind}(?)")
        return list(dict.fromkeys(name for scan in self.scans([]) for name in scan.columns))

    def check(self, names: Names) -> None:
        asked = [c.column for c in self.how.conditions]
        self.scans([*names, *asked])
        if asked and self.files.kind == "json":  # which has no header
            check_columns(asked, self.names(), self.shown)

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        rows = super().grouped(keys, weights, most)
        if self.files.kind == "json" and rows:  # no header: a key that no row has is not there
            absent = [key for i, key in enumerate(keys) if all(row[i] is None for row in rows)]
            there = self.names() if absent else ()
            for key in absent:
                if key not in there:
                    raise no_column(self.shown, key, there)
        return rows

    def selected(self, keys: Names, weights: Name | None = None, score: Name | None = None) -> tuple[str, list[Any]]:
        parts: list[str] = []
        values: list[Any] = []
        asked = [c.column for c in self.how.conditions]
        for scan in self.scans([*keys, *(x for x in (weights, score) if x is not None), *asked]):
            at = scan.columns
            chosen = self.chosen([at[key] for key in keys], at.get(weights), at.get(score))
            parts.append(f"SELECT {chosen} FROM {scan.sql}{self.where(self.how.conditions, at)}")
            values += scan.values
        return f"({' UNION ALL '.join(parts)})", values

    def entries(self, keys: Names, groups: Names, weights: Name | None, most: int) -> list[NDArray[Any]]:
        """Columns of numbers as numpy has them; of units and items a hash of 8 bytes is enough."""
        source, values = self.selected([*keys, *groups], weights)
        own = [f"k{i}" for i in range(len(keys))]
        units = [f"k{i}" for i in range(len(keys), len(keys) + len(groups))]
        hashed = [f"CASE WHEN {k} IS NOT NULL THEN hash({k}) END AS h{k}" for k in units]
        numbers = [f"{x.strip()} AS n{i}" for i, x in enumerate(sums(weights).split(","))]
        at = ", ".join([*own, *units])
        sql = f"SELECT {', '.join([*own, *hashed, *numbers])} FROM {source} AS counted GROUP BY {at} LIMIT {most + 1}"
        found = [
            _unmasked(x) for x in self._answered(lambda: self.connection.execute(sql, values).fetchnumpy()).values()
        ]
        if found and len(found[-1]) > most:
            raise too_many_entries(self.shown, most)
        return found

    def numbered_cells(self, pair: Names, unit: Name, weights: Name | None) -> tuple[str, list[Any]]:
        """The cells as a small table, made once, so that the file is not read for them again."""
        key = (*pair, unit, weights)
        if key != self._cells:
            cells, values = super().numbered_cells(pair, unit, weights)
            self.run(
                f"CREATE OR REPLACE TEMP TABLE unit_cells AS SELECT * FROM {cells} LIMIT {MOST_GROUPS + 1}", values
            )
            self._cells = key
        return "unit_cells", []

    def unit_patterns(
        self, pair: Names, unit: Name, weights: Name | None, cells: int, counted: list[int], most: int
    ) -> Any:
        """In little memory: units that do not fit wait on disk."""
        with self._little_memory():
            return super().unit_patterns(pair, unit, weights, cells, counted, most)

    def unit_gram(
        self, pair: Names, unit: Name, weights: Name | None, counted: list[int]
    ) -> tuple[list[Row], Row] | None:
        with self._little_memory():
            return super().unit_gram(pair, unit, weights, counted)

    @contextmanager
    def _little_memory(self) -> Iterator[None]:
        self.run(f"SET memory_limit = '{UNIT_MEMORY}'")
        try:
            yield
        finally:
            self.run("RESET memory_limit")

    def number(self, column: str) -> str:
        return f"TRY_CAST({column} AS DOUBLE)"

    def run(self, sql: str, values: Sequence[Any] = (), most: int | None = None) -> list[Row]:
        def work() -> list[Row]:
            answer = self.connection.execute(sql, list(values))
            rows: list[Row] = answer.fetchall() if most is None else answer.fetchmany(most + 1)
            return rows

        return self.few(self._answered(work), most)

    def _answered(self, work: Callable[[], Result]) -> Result:
        """What DuckDB answers, with its progress; its errors are ours."""
        try:
            return watched(
                work,
                interrupt=self.connection.interrupt,
                fraction=lambda: float(self.connection.query_progress()) / 100,
                title=self.shown,
                progress=self.how.progress,
            )
        except Exception as error:
            raise explained(error, self.files) from None

    # ------------------------------------------------------------ scans

    def scans(self, names: Names) -> list[Scan]:
        key = tuple(names)
        if key not in self._scans:
            if self.files.kind not in SCANS:
                raise SourceError(
                    f"{self.shown} is a file of the kind {self.files.kind!r}, which cannot be "
                    "read here; give `table` or `query` for a database."
                )
            self._scans[key] = SCANS[self.files.kind](self, list(dict.fromkeys(names)))
        return self._scans[key]

    def _csv(self, names: list[Name]) -> list[Scan]:
        """Files with the same header are read together; columns are known by position."""
        alike: dict[Header, list[str]] = {}
        for name in self.files.names:
            head = header(self.files, name, names, self.how)
            if head.compression == "gzip" and _old_duckdb():
                check_gzip(self.files, name)
            alike.setdefault(head, []).append(name)

        quote, scans = self.how.quote, []
        for head, same in alike.items():
            one = len(self.files.names) == 1
            check_columns(names, head.columns, self.files.shown if one else redacted(same[0]))
            at = [f"c{i}" for i in range(len(head.columns))]
            paths = [_literal(p, self.files) for p in same]
            # Labels are text as written, unless types are to be guessed.
            typed = "names=?" if self.how.native else "auto_detect=false, columns=?"
            types = at if self.how.native else dict.fromkeys(at, "VARCHAR")
            sql = (
                "read_csv(?, delim=?, quote=?, escape=?, compression=?, encoding=?, header=true, skip=0, "
                f"hive_partitioning=false, {typed})"
            )
            values = (paths, head.delimiter, quote, quote, head.compression or "none", head.encoding, types)
            scans.append(Scan(sql, values, dict(zip(head.columns, at, strict=True))))
        return scans

    def _json(self, names: list[Name]) -> list[Scan]:
        if self.how.native:
            return self._typed("read_json(?)", names)
        # Numbers and booleans keep their spelling, the empty text is missing.
        kinds = {str(name): "VARCHAR" for name in names}
        texts = {name: f"NULLIF({quoted(name)}, '')" for name in names}
        return [Scan("read_json(?, format='auto', columns=?)", (self.paths, kinds), texts)]

    def _parquet(self, names: list[Name]) -> list[Scan]:
        several = ", union_by_name=true" if len(self.paths) > 1 else ""
        return self._typed(f"read_parquet(?{several})", names)

    def _typed(self, sql: str, names: list[Name]) -> list[Scan]:
        check_columns(names, self._described(sql), self.shown)
        return [Scan(sql, (self.paths,), {name: quoted(name) for name in names})]

    def _described(self, sql: str) -> list[Name]:
        return [row[0] for row in self.run(f"DESCRIBE SELECT * FROM {sql}", [self.paths])]

    def _arrow(self, names: list[Name]) -> list[Scan]:
        """Arrow and Feather files: PyArrow opens them, DuckDB reads the batches."""
        columns = self._registered()
        check_columns(names, columns, self.shown)
        return [Scan("arrow_source", (), {name: quoted(name) for name in columns})]

    def _registered(self) -> list[str]:
        ipc: Any = import_module("pyarrow.ipc")
        dataset: Any = import_module("pyarrow.dataset")
        try:
            with self.files.open(self.files.names[0]) as stream:
                streamed = stream.read(4) == b"\xff\xff\xff\xff"
                stream.seek(0)
                source: Any = ipc.open_stream(stream).read_all() if streamed else None
            if not streamed:
                remote = self.files.filesystem
                names = [name if remote is None else name.partition("://")[2] for name in self.files.names]
                source = dataset.dataset(names, format="ipc", filesystem=remote)
        except Exception as error:
            raise SourceError(f"{self.shown} is no whole Arrow file; write or copy it again ({error}).") from None
        self.connection.register("arrow_source", source)
        return list(source.schema.names)


# How each kind of file is scanned.
SCANS: dict[str, Callable[[FileEngine, list[Name]], list[Scan]]] = {
    "csv": FileEngine._csv,
    "json": FileEngine._json,
    "parquet": FileEngine._parquet,
    "arrow": FileEngine._arrow,
}


def connect() -> Any:
    """A DuckDB of our own that never downloads anything."""
    import duckdb

    connection = duckdb.connect(
        ":memory:", config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    for setting in (
        "preserve_insertion_order = false",
        "enable_progress_bar = true",  # so that there is a progress to ask for
        "enable_progress_bar_print = false",  # DuckDB would write it to standard output
    ):
        connection.execute(f"SET {setting}")
    spill = Path(gettempdir()) / f"informed-{uuid4().hex}"  # made when it is needed, and removed by DuckDB
    connection.execute("SET temp_directory = ?", [str(spill)])
    return connection


def _old_duckdb() -> bool:
    import duckdb

    return int(duckdb.__version__.partition(".")[0]) < 2


def _literal(name: str, files: Files) -> str:
    """A name that DuckDB does not take for a pattern."""
    return glob.escape(name) if files.filesystem is None else name


# ---------------------------------------------------------------- errors


def explained(error: Exception, files: Files) -> Exception:
    """What DuckDB says, as one sentence with the file, the line and what to do."""
    import duckdb

    if not isinstance(error, duckdb.Error):
        return error
    for name in files.names:
        if compression(files, name) == "gzip":
            try:
                check_gzip(files, name)
            except SourceError as broken:
                return broken

    # What else is wrong DuckDB says in words only, one type of error for all.
    said = str(error)
    found = re.search(r"^\s*file = (.*)$", said, re.MULTILINE)
    where = redacted(found[1].strip()) if found and len(files.names) > 1 else files.shown
    line = re.search(r"(?:CSV Error on Line: |in line |at line )(\d+)", said)
    at = f", line {int(line[1]):,}" if line else ""
    for pattern, sentence in _SENTENCES:
        if m := re.search(pattern, said):
            return SourceError(f"{where}{at}: " + sentence.format(*m.groups()))
    first = re.sub(r"^\w[\w ]* Error: ", "", said.strip()).splitlines()[0]
    return SourceError(f"{where}{at}: cannot be read. DuckDB says: {first[:300]}")


_SENTENCES = (
    (
        r"Expected Number of Columns: (\d+) Found: (\d+)",
        "this row has {1} fields and the header {0}; repair the row, or check the delimiter and the quotes.",
    ),
    (
        r"not utf-8 encoded|Invalid unicode|unicode",
        'this is not in the encoding that was expected; give it, for instance `encoding="latin-1"`.',
    ),
    (r"[Mm]aximum line size", "the line is longer than 2 MB; is it a text file with one case a line?"),
    (
        r"unterminated quote|unquoted",
        'a quoted value does not end; double the quotes inside quotes, or give `quote=""` if quotes '
        "mean nothing in this file.",
    ),
    (r"state machine reached an invalid state", "this is no regular CSV: quotes or line ends (CRLF and LF) are mixed."),
    (
        r"Malformed JSON[^:]*: (.*?)\.?\s*(?:\n|$)",
        "this is no valid JSON ({0}); one object a line, or one array of objects, is needed.",
    ),
    (r"maximum_object_size", "one JSON object is larger than 16 MB; one object for each case is needed."),
    (
        r"No magic bytes|too small to be a Parquet|Footer length|not a parquet|metadata",
        "this is no whole Parquet file; write or copy it again.",
    ),
)


def _unmasked(x: Any) -> NDArray[Any]:
    """A column of DuckDB; where something is missing, an array of objects with None."""
    if not np.ma.isMaskedArray(x) or not np.ma.getmaskarray(x).any():
        return np.asarray(x)
    held = np.asarray(x.data).astype(object)
    held[np.ma.getmaskarray(x)] = None
    return held
