"""Databases through one GROUP BY: PostgreSQL, SQLite, DuckDB, and whatever has a cursor.

Names of tables and columns are quoted; numbers are our own; a query is the user's own SQL and is
wrapped as a subquery. Passwords never reach a message.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from informed.errors import InformedError, MissingExtra, SourceError
from informed.evidence.labels import Labels, text
from informed.sources.duckdb_rows import fetched, open_locked
from informed.sources.engine import PROBED, Name, Names, Row, refuse_folded
from informed.sources.paths import Opening, can, redacted
from informed.sources.progress import watched
from informed.sources.sql import SqlEngine, quoted

Result = TypeVar("Result")
SCHEMES = ("postgresql", "postgres", "sqlite", "duckdb")
POSTGRES_TEXT = (18, 19, 25, 1043)  # the types char, name, text, varchar
FOLDED = ("{0} = UPPER({0}) AND {0} = LOWER({0})", "{0} LIKE '% ' AND {0} = RTRIM({0})")
LONGEST = 600.0  # seconds in which a file with views is counted: a view of a few bytes may have no end
DEFINED = {  # what a file of a database defines that is no table: how many rows it has does not depend on its size
    "sqlite3": "SELECT COUNT(*) FROM sqlite_master WHERE type = 'view'",
    "duckdb": "SELECT (SELECT COUNT(*) FROM duckdb_views() WHERE NOT internal)"
    " + (SELECT COUNT(*) FROM duckdb_functions() WHERE NOT internal)",
}
POSTGRES_OWN = 16384  # types from here on are not its own, such as enums and text without case


def is_database_url(source: object) -> bool:
    return isinstance(source, str) and source.partition("://")[0].lower() in SCHEMES


def is_connection(source: object) -> bool:
    """A connection or a cursor of any driver."""
    cursor = can(source, "execute") and can(source, "fetchall")
    return cursor or (can(source, "cursor") and can(source, "close"))


def driver_of(connection: object) -> str:
    """The package that a connection is of, also one that SQLAlchemy hands out."""
    return type(getattr(connection, "dbapi_connection", connection)).__module__.partition(".")[0].lower()


class DatabaseEngine(SqlEngine):
    """A table or a query of a database."""

    mark = '"'

    def __init__(
        self,
        connection: Any,
        how: Opening,
        shown: str = "the database",
        secrets: tuple[str, ...] = (),
        own: bool = False,
    ) -> None:
        self.connection, self.shown, self.secrets = connection, shown, secrets
        self.progress, self.own = how.progress, own
        driver = driver_of(connection)
        self.lite = driver == "sqlite3"
        self.duck = "duckdb" in driver
        self.postgres = driver.startswith(("psycopg", "pg8000"))
        self.folds = not (self.lite or self.duck or self.postgres)  # or may, as far as we know
        self.own_query = query_of(how.query)
        self._kinds: dict[Name, Any] = {}  # of each column its type, as the driver calls it
        if self.lite:
            self.floor = "CAST({} AS INTEGER)"  # which truncates
            self.same = "IS"
        self.source = self._source(how.query, how.table)
        self.asked = how.conditions
        self.shown += "" if how.where is None else f" where {how.where}"

    def _source(self, query: str | None, table: str | tuple[str, ...] | None) -> str:
        if (query is None) == (table is None):
            raise SourceError(f"{self.shown} is a database: give either `table=` or `query=`.")
        if query is not None:
            return f"(\n{query_of(query)}\n)"
        parts = table.split(".") if isinstance(table, str) else list(table or ())
        return ".".join(quoted(part, self.mark) for part in parts)

    def names(self) -> Names:
        nothing = f"SELECT * FROM {self.source} AS source WHERE 1 = 0"
        found = self._told(lambda: self._described(nothing))
        return self._told(lambda: self._described(self.own_query)) if self._renamed(found) else found

    def _renamed(self, names: Names) -> bool:
        """Whether a database may have renamed the second of two columns with one name, as r:1 or r_1."""
        folded = [str(name).lower() for name in names]
        numbered = (re.fullmatch(r"(.+)[:_]\d+", name) for name in folded)
        return bool(self.own_query) and any(m is not None and m[1] in folded for m in numbered)

    def check(self, names: Names) -> None:
        names = [*names, *(c.column for c in self.asked)]
        super().check(names)
        if self.folds:
            self._refuse_folded(names)
        if not (self.lite or self.duck):
            return
        there = self.names()
        for name in names:
            alike = [c for c in there if str(c).lower() == str(name).lower()]
            if len(alike) > 1:
                pair = " and ".join(map(text, alike[:2]))
                raise SourceError(f"{self.shown} has {pair}, which it does not tell apart; rename one in the query.")

    def _refuse_folded(self, names: Names) -> None:
        """Refuse text that a database of which we know nothing takes for the same."""
        strings = getattr(sys.modules.get(driver_of(self.connection)), "STRING", str)
        for name in names:
            if self._kinds.get(name) in (str, strings):
                refuse_folded(self.shown, name, *(self._where(name, how) for how in FOLDED))

    def _where(self, name: Name, how: str) -> list[Any]:
        """Some values of a column of which a condition holds."""
        column = quoted(name, self.mark)
        sql = f"SELECT DISTINCT {column} FROM {self.source} AS source WHERE {how.format(column)}"
        return [row[0] for row in self._told(partial(self._fetched, sql, PROBED))]

    def selected(self, keys: Names, weights: Name | None = None, score: Name | None = None) -> tuple[str, list[Any]]:
        weight, scored = (None if name is None else quoted(name, self.mark) for name in (weights, score))
        chosen = self.chosen([self._exact(key) for key in keys], weight, scored)
        at = {c.column: quoted(c.column, self.mark) for c in self.asked}
        return f"(SELECT {chosen} FROM {self.source} AS source{self.where(self.asked, at)})", []

    def text(self, column: str) -> str:
        return f"CAST({column} AS {'TEXT' if self.lite else 'VARCHAR'})"

    def _exact(self, key: Name) -> str:
        """A column whose labels are the same where they are equal, whatever its collation says."""
        column = quoted(key, self.mark)
        if self.lite:
            return f"{column} COLLATE BINARY"
        kind = self._kinds.get(key)
        if self.duck and str(kind) in ("VARCHAR", "STRING"):
            return f"{column} COLLATE C"
        if self.postgres and (kind in POSTGRES_TEXT or (isinstance(kind, int) and kind >= POSTGRES_OWN)):
            return f'CAST({column} AS text) COLLATE "C"'
        return column

    def levels(self, name: Name) -> Labels | None:
        """The values of an ENUM of DuckDB, in its order."""
        kind = self._kinds.get(name)
        declared = self.duck and getattr(kind, "id", None) == "enum"
        return tuple(dict(kind.children)["values"]) if declared and kind is not None else None

    def number(self, column: str) -> str:
        if self.lite:  # where CAST('abc' AS REAL) is 0
            return f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN 1.0 * {column} END"
        return f"CAST({column} AS DOUBLE PRECISION)"

    def run(self, sql: str, values: Sequence[Any] = (), most: int | None = None) -> list[Row]:
        return self.few(self._told(lambda: self._fetched(sql, most)), most)

    def _told(self, work: Callable[[], Result]) -> Result:
        """What the database answers; its errors are ours, without secrets."""
        try:
            if not self.own:  # a connection of the user's stays in the user's thread
                return work()
            stop = getattr(self.connection, "interrupt", None) or self.connection.cancel
            known: dict[str, Any] = {"fraction": None, "title": self.shown, "progress": self.progress}
            return watched(work, interrupt=stop, longest=self._longest, **known)
        except InformedError:
            raise
        except TimeoutError:
            raise SourceError(
                f"{self.shown} was not counted in {LONGEST / 60:g} minutes, which is the limit for a file with views: "
                "a view may have no end. Make a table of its rows, or count it by a connection of your own."
            ) from None
        except Exception as error:
            raise SourceError(f"{self.shown} says: {scrubbed(error, self.secrets)}") from None

    @cached_property
    def _longest(self) -> float | None:
        """How many seconds a query of a file may take that defines rows of its own; None without a limit."""
        asked = DEFINED["sqlite3" if self.lite else "duckdb"] if self.lite or self.duck else None
        if asked is None:
            return None
        try:
            return LONGEST if self.connection.execute(asked).fetchone()[0] else None
        except Exception:  # a damaged file: said when its rows are asked for
            return LONGEST

    def _described(self, sql: str) -> list[str]:
        with self._executed(sql) as cursor:
            found = list(cursor.description)
            cursor.fetchmany(1)  # drivers of MySQL want to be asked
        self._kinds = {column[0]: column[1] for column in found}
        return [column[0] for column in found]

    def _fetched(self, sql: str, most: int | None) -> list[Row]:
        if self.duck:
            return fetched(self.connection.execute, sql, most)
        with self._executed(sql) as cursor:
            return list(map(tuple, cursor.fetchall() if most is None else cursor.fetchmany(most + 1)))

    @contextmanager
    def _executed(self, sql: str) -> Iterator[Any]:
        own = can(self.connection, "fetchall")  # DuckDB's connection is a cursor as well
        with nullcontext(self.connection) if own else closing(self.connection.cursor()) as cursor:
            cursor.execute(sql)
            yield cursor


class RelationEngine(DatabaseEngine):
    """A relation of DuckDB, counted by its own connection."""

    def __init__(self, relation: Any, how: Opening) -> None:
        named = replace(how, table="informed_source", query=None)
        super().__init__(relation, named, shown="the DuckDB relation")

    def names(self) -> Names:
        names = list(self.connection.columns)
        self._kinds = dict(zip(names, self.connection.types, strict=True))
        return names

    def _fetched(self, sql: str, most: int | None) -> list[Row]:
        return fetched(lambda asked: self.connection.query("informed_source", asked), sql, most)


# ---------------------------------------------------------------- connections of our own


def open_database(url: str, how: Opening) -> DatabaseEngine:
    """The database behind a URL, opened to read only."""
    shown, secrets = redacted(url), _secrets(url)
    scheme = url.partition("://")[0].lower()
    opener: Callable[[str], Any] = _postgres if scheme.startswith("postgres") else _embedded
    try:
        connection = how.cleanup.enter_context(closing(opener(url)))
    except InformedError:
        raise
    except Exception as error:
        raise SourceError(f"{shown} cannot be opened: {scrubbed(error, secrets)}") from None
    return DatabaseEngine(connection, how, shown, secrets, own=True)


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
        return open_locked(path)
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")  # its views call no function that does more than compute
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def query_of(query: str | None) -> str:
    return "" if query is None else query.strip().rstrip(";")


def _secrets(url: str) -> tuple[str, ...]:
    """Everything in a URL and the environment that must not be seen, even if the URL is no good."""
    rest = url.partition("://")[2]
    found = [os.environ.get("PGPASSWORD", ""), rest.rpartition("@")[0].partition(":")[2]]
    found += re.findall(r"[?&]password=([^&]*)", rest)
    found += [unquote(x) for x in found]
    return tuple(sorted({x for x in found if x}, key=len, reverse=True))


def scrubbed(error: Exception, secrets: tuple[str, ...]) -> str:
    """What an error says on one line, without the secrets.

    >>> scrubbed(OSError("wrong password s3cret for ann"), ("s3cret",))
    'wrong password *** for ann'
    """
    said = str(error).strip() or type(error).__name__
    for secret in secrets:
        said = said.replace(secret, "***")
    return " ".join(said.split())[:400]
