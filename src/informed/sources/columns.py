"""Columns as they are, for what needs the labels of every row and not only their counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from informed.errors import SourceError
from informed.sources.opening import engine
from informed.sources.paths import Opening


def columns(
    source: object,
    names: Sequence[str],
    *,
    delimiter: str | None = None,
    input_format: str | None = None,
    native: bool = False,
) -> dict[str, list[Any]]:
    """The named columns of a file, a frame or a table, as lists; a missing field is None.

    Rows come in no particular order, the same for every column. Labels of text files are text
    as written, unless `native` asks for numbers where all are numbers.
    """
    with ExitStack() as cleanup:
        how = Opening(
            delimiter=delimiter, types="native" if native else None, input_format=input_format, cleanup=cleanup
        )
        found = engine(source, how)
        found.check(list(names))
        rows = found.grouped(list(names), None, None)
        if not rows:
            raise SourceError(f"{found.shown} has no rows of data; at least one is needed.")
        rows = sorted(rows, key=repr)  # the same, whatever the engine's order
        return {name: [row[i] for row in rows for _ in range(int(row[len(names)]))] for i, name in enumerate(names)}


def names_of(source: object, **options: Any) -> list[str]:
    """The names of the columns of a file; `options` are those of `Opening`."""
    with ExitStack() as cleanup:
        return list(map(str, engine(source, Opening(cleanup=cleanup, **options)).names()))
