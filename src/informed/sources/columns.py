"""Columns as they are, for what needs the labels of every row and not only their counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from informed.errors import SourceError
from informed.sources.engine import THE_FILE, Many, Row
from informed.sources.opening import engine, joined
from informed.sources.paths import Opening
from informed.sources.sql import SqlEngine


def rows(
    source: object,
    names: Sequence[str],
    *,
    join: Any = None,
    on: Any = None,
    answers: Sequence[str] = (),
    numbered: bool = False,
    **how: Any,
) -> list[Row]:
    """The named columns of every row, in the order of a file; a missing field is None.

    Of several sources, the name of the source comes first. With `join` the columns `answers` are those of the files
    that are joined. Labels of text files are text as written, unless ``types="native"`` asks for numbers where all
    are numbers; this and all else that says how to open a source are the options of `Opening`. With `numbered` the
    places of the rows must be those of the file, and a source whose rows have no places is refused.
    """
    with ExitStack() as cleanup:
        opening = Opening(cleanup=cleanup, **how)
        found = engine(source, opening) if join is None else joined(source, join, on, answers, opening)
        keys = [THE_FILE, *names] if isinstance(found, Many) else names
        found.check(keys)
        if numbered and not found.ordered:
            raise SourceError(
                f"Only the rows of one whole file have numbers, and not those of {found.shown}; say which column names "
                "its rows: `id=`."
            )
        listed = found.listed(keys)
    if not listed:
        raise SourceError(f"{found.shown} has no rows of data; at least one is needed.")
    return listed


def columns(source: object, names: Sequence[str], **how: Any) -> dict[str, list[Any]]:
    """The named columns of one source, as lists; see `rows`."""
    return dict(zip(names, map(list, zip(*rows(source, names, **how), strict=True)), strict=True))


def first_rows(source: object, names: Sequence[str], most: int, **options: Any) -> list[Row]:
    """The named columns of the first rows of a file, as they stand; `options` are those of `Opening`."""
    with ExitStack() as cleanup:
        found = engine(source, Opening(cleanup=cleanup, **options))
        if not isinstance(found, SqlEngine):
            raise SourceError(f"{found.shown} is no file whose first rows can be read.")
        rows, values = found.selected(names)
        return found.run(f"SELECT * FROM {rows} AS seen LIMIT {int(most)}", values)


def names_of(source: object, **options: Any) -> list[str]:
    """The names of the columns of a file; `options` are those of `Opening`."""
    with ExitStack() as cleanup:
        return list(map(str, engine(source, Opening(cleanup=cleanup, **options)).names()))


def stems(patterns: Sequence[str]) -> dict[str, str]:
    """What systems are called whose columns are like patterns: these without the star, unless two would be the same.

    >>> stems(["new_*", "*.old"]), stems(["p_*", "p.*"])
    ({'new_*': 'new', '*.old': 'old'}, {'p_*': 'p_*', 'p.*': 'p.*'})
    """
    short = {x: x.replace("*", "").strip(" _.-") or x for x in patterns}
    return short if len(set(short.values())) == len(short) else {x: x for x in patterns}
