"""DuckDB as every door uses it: connections that reach nothing but their source, and rows of exact values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import numpy as np

from informed.evidence.labels import too_fine
from informed.sources.engine import Row

ALONE: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
LOCKED: dict[str, Any] = {**ALONE, "enable_external_access": "false", "lock_configuration": "true"}


def connect() -> Any:
    """A DuckDB of our own that never downloads anything."""
    import duckdb

    connection = duckdb.connect(":memory:", config=ALONE)
    for setting in (
        "preserve_insertion_order = false",
        "enable_progress_bar = true",  # so that there is a progress to ask for
        "enable_progress_bar_print = false",  # DuckDB would write it to standard output
    ):
        connection.execute(f"SET {setting}")
    spill = Path(gettempdir()) / f"informed-{uuid4().hex}"  # made when it is needed, and removed by DuckDB
    connection.execute("SET temp_directory = ?", [str(spill)])
    return connection


def open_locked(path: Path) -> Any:
    """A DuckDB file that someone else may have written: to read only, and its views and macros reach
    no file, no network and no extension."""
    import duckdb

    return duckdb.connect(str(path), read_only=True, config=LOCKED)


def is_old() -> bool:
    """Whether this is a DuckDB before 2.0."""
    import duckdb

    return int(duckdb.__version__.partition(".")[0]) < 2


# ---------------------------------------------------------------- rows


def fetched(execute: Callable[[str], Any], sql: str, most: int | None = None) -> list[Row]:
    """The rows of a query, at most one more than `most`.

    Python's times end at the microsecond, and DuckDB cuts the rest; times with a zone need a package that need
    not be there. Both are asked for again as integers, and become what numpy and Python hold exactly.
    """
    answer = execute(sql)
    kinds = [str(column[1]) for column in answer.description]
    exact = {i: EXACT[kind] for i, kind in enumerate(kinds) if kind in EXACT}
    if exact:
        chosen = ", ".join(exact[i][0].format(f"v{i}") if i in exact else f"v{i}" for i in range(len(kinds)))
        named = ", ".join(f"v{i}" for i in range(len(kinds)))
        answer = execute(f"SELECT {chosen} FROM ({sql}) AS answer({named})")

    if most is None:
        rows = answer.fetchall()
    elif hasattr(answer, "fetchmany"):
        rows = answer.fetchmany(most + 1)
    else:  # a relation of 2.0
        rows = answer.limit(most + 1).fetchall()
    if not exact:
        return list(rows)
    made = [exact[i][1] if i in exact else None for i in range(len(kinds))]
    return [tuple(x if of is None or x is None else of(x) for x, of in zip(row, made, strict=True)) for row in rows]


def _moment(nanoseconds: int) -> np.datetime64:
    return np.datetime64(nanoseconds, "ns")


def _instant(microseconds: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=microseconds)


def _fine_instant(nanoseconds: int) -> dt.datetime:
    whole, rest = divmod(nanoseconds, 1000)
    if rest:
        raise too_fine("a time with a zone")
    return _instant(whole)


def _clock(written: str) -> dt.time:
    if written[15:].strip("0"):
        raise too_fine("a time of the day")
    return dt.time.fromisoformat(written[:15])


# Types of Arrow that DuckDB, or DuckDB 1.5, cuts to the microsecond before it counts them.
CUT = {"duration[ns]": "a duration", "time64[ns]": "a time of the day", "timestamp[ns, tz=": "a time with a zone"}


def cut(column: Any) -> str | None:
    """What the values of an Arrow column are of which DuckDB would lose nanoseconds; None where it loses nothing."""
    what = next((what for kind, what in CUT.items() if str(column.type).startswith(kind)), None)
    if what is None or not (np.asarray(column.cast("int64").drop_null()) % 1000).any():
        return None
    return what


# How a type is asked for, and what it is then made into.
EXACT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "TIMESTAMP_NS": ("epoch_ns({})", _moment),
    "TIMESTAMP WITH TIME ZONE": ("epoch_us({})", _instant),
    "TIMESTAMPTZ_NS": ("epoch_ns({})", _fine_instant),
    "TIME_NS": ("CAST({} AS VARCHAR)", _clock),
}
