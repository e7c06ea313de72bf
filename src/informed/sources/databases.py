"""Databases through one GROUP BY: PostgreSQL, SQLite, DuckDB, and whatever has a cursor.

Names of tables and columns are quoted; numbers are our own; a query is the user's own SQL and is
wrapped as a subquery. Passwords never reach a message.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from informed.errors import InformedError, MissingExtra, SourceError
from informed.sources import sql as _sql
from informed.sources.engine import (
    MOST_GROUPS,
    Bins,
    Name,
    Names,
    Row,
    Span,
    check_columns,
    refuse_too_many,
)
from informed.sources.paths import can, redacted
from informed.sources.progress import Progress, watched

SCHEMES = ("postgresql", "postgres", "sqlite", "duckdb")


def is_database_url(source: object) -> bool:
    return isinstance(source, str) and source.partition("://")[0].lower() in SCHEMES


def is_connection(source: object) -> bool:
    """A connection or a cursor of any driver."""
    cursor = can(source, "execute") and can(source, "fetchall")
    return cursor or (can(source, "cursor") and can(source, "close"))


class DatabaseEngine:
    """A table or a query of a database."""

    def __init__(
        self,
        connection: Any,
        *,
        query: str | None = None,
        table: str | tuple[str, ...] | None = None,
        shown: str = "the database",
        secrets: tuple[str, ...] = (),
        progress: Progress = None,
        own: bool = False,
    ) -> None:
        self.connection, self.shown, self.secrets = connection, shown, secrets
        self.progress, self.own = progress, own
        driver = type(connection).__module__.partition(".")[0].lower()
        self.mark = "`" if "mysql" in driver else '"'
        self.lite = driver == "sqlite3"
        self.source = self._source(query, table)

    def _source(self, query: str | None, table: str | tuple[str, ...] | None) -> str:
        if (query is None) == (table is None):
            raise SourceError(f"{self.shown} is a database: give either `table=` or `query=`.")
        if query is not None:
            return f"(\n{query.strip().rstrip(';')}\n)"
        parts = table.split(".") if isinstance(table, str) else list(table or ())
        return ".".join(_sql.quoted(part, self.mark) for part in parts)

    # ------------------------------------------------------------ the engine's four questions

    def check(self, names: Names) -> None:
        there = self._run(f"SELECT * FROM {self.source} AS source WHERE 1 = 0", columns=True)
        check_columns(names, [name for (name,) in there], self.shown)

    def grouped(
        self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS
    ) -> list[Row]:
        source, at = self._selected(keys, weights)
        return self._run(_sql.grouped(source, at, None if weights is None else "w"), most)

    def span(self, score: Name) -> Span:
        source, _ = self._selected((), None, score)
        low, high, distinct = self._run(_sql.span(source, "s"))[0]
        return Span(low, high, distinct)

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        source, at = self._selected(keys, weights, score)
        floor = "CAST({} AS INTEGER)" if self.lite else "FLOOR({})"  # SQLite's cast truncates
        weight = None if weights is None else "w"
        return self._run(_sql.binned(source, at, weight, "s", bins, floor))

    # ------------------------------------------------------------ SQL

    def _selected(
        self, keys: Names, weights: Name | None, score: Name | None = None
    ) -> tuple[str, list[str]]:
        at = [f"k{i}" for i in range(len(keys))]
        chosen = [
            f"{_sql.quoted(str(key), self.mark)} AS {k}" for key, k in zip(keys, at, strict=True)
        ]
        for name, alias in ((weights, "w"), (score, "s")):
            if name is not None:
                chosen.append(f"{self._number(_sql.quoted(str(name), self.mark))} AS {alias}")
        return f"(SELECT {', '.join(chosen)} FROM {self.source} AS source)", at

    def _number(self, column: str) -> str:
        if self.lite:  # where CAST('abc' AS REAL) is 0
            return f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN 1.0 * {column} END"
        return _sql.double(column)

    def _run(self, sql: str, most: int | None = None, columns: bool = False) -> list[Row]:
        def work() -> list[Row]:
            return self._fetched(sql, most, columns)

        try:
            if not self.own:  # a connection of the user's stays in the user's thread
                rows = work()
            else:
                stop = getattr(self.connection, "interrupt", None) or self.connection.cancel
                rows = watched(
                    work, interrupt=stop, fraction=None, title=self.shown, progress=self.progress
                )
        except InformedError:
            raise
        except Exception as error:
            said = scrubbed(str(error).strip() or type(error).__name__, self.secrets)
            raise SourceError(f"{self.shown} says: {' '.join(said.split())[:400]}") from None
        if most is not None and len(rows) > most:
            raise refuse_too_many(self.shown, most)
        return rows

    def _fetched(self, sql: str, most: int | None, columns: bool) -> list[Row]:
        is_cursor = can(self.connection, "fetchall")  # DuckDB's connection is one as well
        cursor = self.connection if is_cursor else self.connection.cursor()
        try:
            cursor.execute(sql)
            if columns:
                return [(column[0],) for column in cursor.description]
            rows = cursor.fetchall() if most is None else cursor.fetchmany(most + 1)
            return [tuple(row) for row in rows]
        finally:
            if not is_cursor:
                cursor.close()


class RelationEngine(DatabaseEngine):
    """A relation of DuckDB, counted by its own connection."""

    def __init__(self, relation: Any) -> None:
        super().__init__(relation, table="informed_source", shown="the DuckDB relation")

    def _fetched(self, sql: str, most: int | None, columns: bool) -> list[Row]:
        if columns:
            return [(name,) for name in self.connection.columns]
        limit = "" if most is None else f" LIMIT {most + 1}"  # relations have no fetchmany in 2.0
        rows: list[Row] = self.connection.query("informed_source", sql + limit).fetchall()
        return rows


# ---------------------------------------------------------------- connections of our own


def open_database(
    url: str,
    *,
    query: str | None,
    table: str | tuple[str, ...] | None,
    progress: Progress = None,
) -> DatabaseEngine:
    """The database behind a URL, opened to read only."""
    shown, secrets = redacted(url), _secrets(url)
    scheme = url.partition("://")[0].lower()
    opener: Callable[[str], Any] = _postgres if scheme.startswith("postgres") else _embedded
    try:
        connection = opener(url)
    except InformedError:
        raise
    except Exception as error:
        said = " ".join(scrubbed(str(error), secrets).split())
        raise SourceError(f"{shown} cannot be opened: {said[:400]}") from None
    try:
        return DatabaseEngine(
            connection,
            query=query,
            table=table,
            shown=shown,
            secrets=secrets,
            progress=progress,
            own=True,
        )
    except BaseException:
        connection.close()
        raise


def _postgres(url: str) -> Any:
    try:
        psycopg: Any = import_module("psycopg")
    except ImportError:
        raise MissingExtra('PostgreSQL needs psycopg: pip install "informed[postgres]"') from None
    connection = psycopg.connect(url)
    connection.read_only = True
    return connection


def _embedded(url: str) -> Any:
    """sqlite:///relative.db, sqlite:////absolute.db, and the same with duckdb."""
    scheme, _, rest = url.partition("://")
    path = Path(unquote(rest.removeprefix("/"))).expanduser()
    if not path.is_file():
        raise SourceError(f"There is no database file {path}.")
    if scheme.lower() == "duckdb":
        import duckdb

        return duckdb.connect(str(path), read_only=True)
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _secrets(url: str) -> tuple[str, ...]:
    """Everything in a URL and the environment that must not be seen, even if the URL is no good."""
    rest = url.partition("://")[2]
    found = [os.environ.get("PGPASSWORD", ""), rest.rpartition("@")[0].partition(":")[2]]
    found += re.findall(r"[?&]password=([^&]*)", rest)
    found += [unquote(x) for x in found]
    return tuple(sorted({x for x in found if x}, key=len, reverse=True))


def scrubbed(message: str, secrets: tuple[str, ...]) -> str:
    """A message without the secrets.

    >>> scrubbed("wrong password s3cret for ann", ("s3cret",))
    'wrong password *** for ann'
    """
    for secret in secrets:
        message = message.replace(secret, "***")
    return message
