"""Files through DuckDB: one GROUP BY over text, Parquet, JSON or Arrow, without loading them."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from informed.errors import LabelError, SourceError
from informed.evidence.labels import Labels, text, too_fine
from informed.sources.declared_levels import declared_levels
from informed.sources.duckdb_errors import explained
from informed.sources.duckdb_rows import cut, fetched, is_old
from informed.sources.engine import MOST_GROUPS, Name, Names, Row, check_columns, no_column, too_many_entries
from informed.sources.paths import (
    BOM,
    HEAD,
    Files,
    Header,
    Opening,
    as_utf8,
    check_gzip,
    decoded,
    header,
    read_head,
    redacted,
    shortly,
)
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
        if files.kind == "json":
            self.paths = self._in_utf8()
        if files.filesystem is not None:
            connection.register_filesystem(files.filesystem)
        self._scans: dict[Names, list[Scan]] = {}
        self._cells: Names | None = None  # which the table `unit_cells` is of

    @property
    def ordered(self) -> bool:  # type: ignore[override]  # as its files are
        return len(self.files.names) == 1 and not self.how.conditions

    def names(self) -> Names:
        if self.files.kind == "json":
            return [name for name, _ in self._described("read_json(?)")]
        return list(dict.fromkeys(name for scan in self.scans([]) for name in scan.columns))

    def check(self, names: Names) -> None:
        try:
            self._check(names)
        except SourceError as error:
            raise self._of_log(error) from None

    def _of_log(self, error: SourceError) -> SourceError:
        """The error, with what the file is, if it is a log."""
        log = said_of_log(self.files.names, self.shown)
        return SourceError(f"{error} {log}") if log else error

    def _check(self, names: Names) -> None:
        asked = [c.column for c in self.how.conditions]
        self.scans([*names, *asked])
        if asked and self.files.kind == "json":  # which has no header
            check_columns(asked, self.names(), self.shown)

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        rows = super().grouped(keys, weights, most)
        self._check_json(keys, rows)
        return rows

    def levels(self, name: Name) -> Labels | None:
        return declared_levels(self.files, str(name))

    def listed(self, keys: Names) -> list[Row]:
        source, values = self.selected(keys)
        rows = self._as_they_stand(f"SELECT * FROM {source} AS listed", values)
        self._check_json(keys, rows)
        return rows

    def lacking(self, name: Name, most: int = 3) -> list[int]:
        if not self.ordered:
            return []
        source, values = self.selected([name])
        numbered = f"SELECT row_number() OVER () - 1 AS place, k0 FROM {source} AS listed"
        rows = self._as_they_stand(f"SELECT place FROM ({numbered}) AS numbered WHERE k0 IS NULL LIMIT {most}", values)
        return sorted(int(row[0]) for row in rows)

    def _as_they_stand(self, sql: str, values: list[Any]) -> list[Row]:
        """The answer of a query that keeps the order of the rows."""
        self.run("SET preserve_insertion_order = true")
        try:
            return self.run(sql, values)
        finally:
            self.run("SET preserve_insertion_order = false")

    def _check_json(self, keys: Names, rows: list[Row]) -> None:
        """Refuse a key that no row has."""
        if self.files.kind == "json" and rows:  # no header
            absent = [key for i, key in enumerate(keys) if all(row[i] is None for row in rows)]
            there = self.names() if absent else ()
            for key in absent:
                if key not in there:
                    raise self._of_log(no_column(self.shown, key, there))

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

    def cases(self, keys: Names, name: Name, most: int, rows: int) -> list[Row]:
        """In little memory: what is put in order waits on disk."""
        with self._little_memory():
            return super().cases(keys, name, most, rows)

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
        def execute(asked: str) -> Any:
            return self.connection.execute(asked, list(values))

        return self.few(self._answered(lambda: fetched(execute, sql, most)), most)

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
            if head.compression == "gzip" and is_old():
                check_gzip(self.files, name)
            if head.encoding != "utf-8":
                name = as_utf8(self.files, name, head.encoding, self.how.cleanup)
                head = replace(head, encoding="utf-8", compression=None)
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
        self._refuse_alike(names)
        kinds = dict.fromkeys(map(str, names), "JSON")
        if self.how.native:  # what is no number or date is text, as ever
            guessed = dict(self._described("read_json(?)"))
            check_columns(names, list(guessed), self.shown)
            kinds = {name: "JSON" if guessed[name] == "VARCHAR" else guessed[name] for name in kinds}
        texts = {name: _json_value(quoted(name), kinds[str(name)]) for name in names}
        return [Scan("read_json(?, format='auto', columns=?)", (self.paths, kinds), texts)]

    def _in_utf8(self) -> list[str]:
        """The paths of JSON, which DuckDB reads in UTF-8 without a mark only."""
        paths = []
        for name, path in zip(self.files.names, self.paths, strict=True):
            head = read_head(self.files, name, HEAD)
            if is_old() and DEEP.search(head):  # DuckDB 1.5 would crash
                raise SourceError(f"{redacted(name)} is nested too deeply for cases; one object for each is needed.")
            encoding = decoded(head, name, self.how)[1]
            plain = encoding == "utf-8" and not head.startswith(BOM.encode())
            paths.append(path if plain else as_utf8(self.files, name, encoding, self.how.cleanup))
        return paths

    def _refuse_alike(self, names: list[Name]) -> None:
        """DuckDB does not tell the keys of an object apart by case alone."""
        folded = {str(name).lower(): name for name in names}
        other = next((name for name in names if folded[str(name).lower()] != name), None)
        if other is not None:
            pair = f"{text(other)} and {text(folded[str(other).lower()])}"
            raise SourceError(f"{self.shown}: the keys {pair} differ only in case; rename one of them.")

    def _described(self, sql: str) -> list[tuple[Name, str]]:
        """Columns, and their types."""
        return [(row[0], row[1]) for row in self.run(f"DESCRIBE SELECT * FROM {sql}", [self.paths])]

    def _parquet(self, names: list[Name]) -> list[Scan]:
        """Files with the same columns are read together; columns are known by position, because DuckDB
        does not tell names apart that differ only in case."""
        alike: dict[tuple[Name, ...], list[str]] = {}
        for path in self.paths:
            rows = self.run("SELECT name, num_children, logical_type FROM parquet_schema(?)", [path])
            for name, _, kind in rows:
                if name in names:
                    self._refuse_cut(name, str(kind))
            alike.setdefault(tuple(_outermost(rows)), []).append(path)

        scans = []
        for columns, paths in alike.items():
            check_columns(names, columns, self.shown)
            at = [f"c{i}" for i in range(len(columns))]
            sql = f"read_parquet(?, union_by_name=true) AS scanned({', '.join(at)})"
            scans.append(Scan(sql, (paths,), dict(zip(columns, at, strict=True))))
        return scans

    def _refuse_cut(self, name: Name, kind: str) -> None:
        """Refuse a column of a Parquet file whose nanoseconds DuckDB cuts without a word."""
        if is_old() and CUT_TIME.match(kind):
            raise SourceError(
                f"{self.shown}: {text(name)} holds times with a zone to the nanosecond, which DuckDB 1.5 cuts "
                "to the microsecond; update DuckDB, or round them."
            )
        if CUT_CLOCK.match(kind):
            raise SourceError(
                f"{self.shown}: {text(name)} holds times of the day in UTC to the nanosecond, which DuckDB cuts "
                "to the microsecond; round them, or write them as text."
            )

    def _arrow(self, names: list[Name]) -> list[Scan]:
        """Arrow and Feather files: PyArrow opens them, DuckDB reads the batches."""
        columns = self._registered(names)
        check_columns(names, columns, self.shown)
        at = [f"c{i}" for i in range(len(columns))]
        return [Scan(f"arrow_source AS scanned({', '.join(at)})", (), dict(zip(columns, at, strict=True)))]

    def _registered(self, names: list[Name]) -> list[str]:
        """The columns of the file, of which those that are asked for have been looked through: DuckDB believes
        every offset, and a damaged one would end the process."""
        try:
            source = self._opened_by_arrow()
            held = list(source.schema.names)
            asked = [name for name in dict.fromkeys(names) if held.count(name) == 1]
            for batch in source.to_batches() if hasattr(source, "column") else source.to_batches(columns=asked):
                batch.validate(full=True)
                for what in filter(None, (cut(batch.column(name)) for name in asked)):
                    raise too_fine(what)
            self.connection.register("arrow_source", source)
        except LabelError:
            raise
        except Exception as error:
            raise SourceError(
                f"{self.shown} is no whole Arrow file; write or copy it again ({shortly(error)})."
            ) from None
        return held

    def _opened_by_arrow(self) -> Any:
        """A stream as a table; files as a dataset, which reads them when it is asked."""
        ipc: Any = import_module("pyarrow.ipc")
        dataset: Any = import_module("pyarrow.dataset")
        with self.files.open(self.files.names[0]) as stream:
            if stream.read(4) == b"\xff\xff\xff\xff":
                stream.seek(0)
                return ipc.open_stream(stream).read_all()
        remote = self.files.filesystem
        paths = [name if remote is None else name.partition("://")[2] for name in self.files.names]
        return dataset.dataset(paths, format="ipc", filesystem=remote)


# How each kind of file is scanned.
SCANS: dict[str, Callable[[FileEngine, list[Name]], list[Scan]]] = {
    "csv": FileEngine._csv,
    "json": FileEngine._json,
    "parquet": FileEngine._parquet,
    "arrow": FileEngine._arrow,
}


CUT_TIME = re.compile("TimestampType.isAdjustedToUTC=1.*NANOS=NanoSeconds")
CUT_CLOCK = re.compile(r"TimeType\(isAdjustedToUTC=1, .*NANOS=NanoSeconds")  # a TIMETZ, in every version
DEEP = re.compile(rb'(?:[\[{](?:\s*"[^"\\]{0,99}"\s*:)?\s*){200}')  # brackets in brackets

# The label that a JSON value is: text without its quotes, numbers and booleans as they are spelled; the
# empty text, null and NaN are missing.
JSON_LABEL = (
    "CASE WHEN starts_with({0}, '\"') THEN NULLIF(CASE WHEN contains({0}, '\\') "
    "THEN json_extract_string({0}, '$') ELSE substr({0}, 2, length({0}) - 2) END, '') "
    "WHEN lower({0}) IN ('null', 'nan', '-nan') THEN NULL "
    "WHEN starts_with({0}, '[') OR starts_with({0}, '{{') THEN error('no label: ' || substr({0}, 1, 30)) "
    "ELSE {0} END"
)


def _json_value(column: str, kind: str) -> str:
    return JSON_LABEL.format(f"CAST({column} AS VARCHAR)") if kind == "JSON" else column


def _outermost(schema: list[Row]) -> list[Name]:
    """The columns of a Parquet file; its schema lists the root, and after each name its children."""
    names: list[Name] = []
    inside = 0  # how many of the names that follow are inside a column
    for name, children, _ in schema[1:]:
        if inside:
            inside -= 1
        else:
            names.append(name)
        inside += children or 0
    return names


def _literal(name: str, files: Files) -> str:
    """A name that DuckDB does not take for a pattern."""
    return glob.escape(name) if files.filesystem is None else name


def _unmasked(x: Any) -> NDArray[Any]:
    """A column of DuckDB; where something is missing, an array of objects with None."""
    if not np.ma.isMaskedArray(x) or not np.ma.getmaskarray(x).any():
        return np.asarray(x)
    held = np.asarray(x.data).astype(object)
    held[np.ma.getmaskarray(x)] = None
    return held


def said_of_log(names: Sequence[str], shown: str) -> str:
    """What a file is that was asked for columns, where it is surely an evaluation log."""
    from informed.sources import logs

    known = logs.FORMATS.get((logs.recognise(names[0]) if len(names) == 1 else None) or "")
    if known is None or not known.certain:
        return ""
    return f"It was recognised as “{known.title}”, which `informed report {shown}` reads."
