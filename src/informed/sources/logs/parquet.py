"""Parquet files of logs, in bounds: a few bytes of one can stand for gigabytes of text."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from informed.sources.duckdb_rows import connect
from informed.sources.logs import bounded_files as files
from informed.sources.logs.bounded_files import Problem, mapping, parsed
from informed.sources.sql import quoted

MEMORY = "1GB"
AT_ONCE = 256  # rows


@dataclass(frozen=True)
class Parquet:
    """A Parquet file that is open."""

    path: Path
    connection: Any

    def columns(self, of: str | None = None) -> set[str]:
        """The columns of the file, or the fields of one of them."""
        which = "*" if of is None else f"{quoted(of)}.*"
        asked = f"DESCRIBE SELECT {which} FROM read_parquet(?)"
        return {name for name, *_ in self.connection.execute(asked, [_literal(self.path)]).fetchall()}

    def rows(self, wanted: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The rows of the file as JSON objects: `wanted` says the SQL of each key."""
        picked = ", ".join(f"{quoted(key)} := {sql}" for key, sql in wanted.items())
        budget = files.DOCUMENT
        asked = f"SELECT to_json(struct_pack({picked})) FROM read_parquet(?)"
        answer = self.connection.execute(asked, [_literal(self.path)])
        while held := answer.fetchmany(AT_ONCE):
            budget -= sum(len(text) for (text,) in held)
            if budget < 0:
                raise Problem(f"its rows hold more than {files.size(files.DOCUMENT)}, the most that is read.")
            for (text,) in held:
                yield mapping(parsed(text))


@contextmanager
def opened(path: Path) -> Iterator[Parquet]:
    """The file in a DuckDB with little memory; what that says of a file is a problem of the file."""
    import duckdb

    connection = _engine().cursor()
    try:
        yield Parquet(path, connection)
    except duckdb.OutOfMemoryException:
        raise Problem(f"its rows need more than {MEMORY} of memory, the most that is given.") from None
    except duckdb.Error as error:
        said = re.sub(r"^\w[\w ]* Error: ", "", str(error).strip()).splitlines()[0]
        raise Problem(f"this is no whole Parquet file ({said[:200]}).") from None
    finally:
        connection.close()


@lru_cache(maxsize=1)
def _engine() -> Any:
    """One for all files: to start it takes longer than to read most of them."""
    engine = connect()
    for setting in (f"memory_limit = '{MEMORY}'", "threads = 1", "preserve_insertion_order = true"):
        engine.execute(f"SET {setting}")
    return engine


def _literal(path: Path) -> str:
    """A name that DuckDB does not take for a pattern."""
    return glob.escape(str(path))
