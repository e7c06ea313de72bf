"""Parquet files of logs, in bounds: a few bytes of one can stand for gigabytes of text."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from informed.sources.files import connect
from informed.sources.logs import bounded_files as files
from informed.sources.logs.bounded_files import Problem, mapping, parsed
from informed.sources.sql import quoted

MEMORY = "1GB"
AT_ONCE = 256  # rows


def columns(path: Path, of: str | None = None) -> set[str]:
    """The columns of a file, or the fields of one of them."""
    which = "*" if of is None else f"{quoted(of)}.*"
    with _connected() as connection:
        held = connection.execute(f"DESCRIBE SELECT {which} FROM read_parquet(?)", [_literal(path)]).fetchall()
    return {name for name, *_ in held}


def rows(path: Path, wanted: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows of a file as JSON objects: `wanted` says the SQL of each key."""
    picked = ", ".join(f"{quoted(key)} := {sql}" for key, sql in wanted.items())
    budget = files.DOCUMENT
    with _connected() as connection:
        answer = connection.execute(f"SELECT to_json(struct_pack({picked})) FROM read_parquet(?)", [_literal(path)])
        while held := answer.fetchmany(AT_ONCE):
            budget -= sum(len(text) for (text,) in held)
            if budget < 0:
                raise Problem(f"its rows hold more than {files.size(files.DOCUMENT)}, the most that is read.")
            for (text,) in held:
                yield mapping(parsed(text))


@contextmanager
def _connected() -> Iterator[Any]:
    """A DuckDB with little memory; what it says of a file is a problem of the file."""
    import duckdb

    connection = connect()
    try:
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        connection.execute("SET threads = 1")
        connection.execute("SET preserve_insertion_order = true")
        yield connection
    except duckdb.OutOfMemoryException:
        raise Problem(f"its rows need more than {MEMORY} of memory, the most that is given.") from None
    except duckdb.Error as error:
        said = re.sub(r"^\w[\w ]* Error: ", "", str(error).strip()).splitlines()[0]
        raise Problem(f"this is no whole Parquet file ({said[:200]}).") from None
    finally:
        connection.close()


def _literal(path: Path) -> str:
    """A name that DuckDB does not take for a pattern."""
    return glob.escape(str(path))
