"""How a file begins: the keys of its JSON, or the columns of its CSV. Formats are recognised by them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from informed.sources.logs.bounded_files import HEAD, opened

TOKENS = 4000  # of the beginning that are looked at
DEPTH = 8  # of keys that are told
TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]')


@lru_cache(maxsize=4)
def keys(head: str) -> frozenset[str]:
    """The keys of the JSON that a text begins with, wherever it is cut; an array is a key "[]".

    >>> sorted(keys('{"a": 1, "b": [{"c": "d'))
    ['a', 'b', 'b.[]', 'b.[].c']
    """
    if head.lstrip()[:1] not in ("{", "["):
        return frozenset()
    found: set[str] = set()
    path: list[str] = []  # of the open objects and arrays, with the key that is being read
    last = ""
    for count, token in enumerate(TOKEN.finditer(head)):
        held = token[0]
        if count > TOKENS:
            break
        if held[0] == '"':
            last = held.strip('"')
        elif held == ":" and path and not path[-1].startswith("["):
            path[-1] = last
            _add(found, path)
        elif held in "{[":
            path.append("" if held == "{" else "[]")
            if held == "[":
                _add(found, path)
        elif held in "}]" and path:
            path.pop()
            if not path and held == "}":  # the first record, of a file of lines
                break
    return frozenset(found)


def _add(found: set[str], path: Sequence[str]) -> None:
    if len(path) <= DEPTH:
        found.add(".".join(path))


def rows(head: str) -> list[list[str]]:
    """The header and the first row of a CSV, as far as the text goes; nothing of what is none."""
    if head.lstrip()[:1] in ("{", "["):
        return []
    try:
        read = csv.reader(io.StringIO(head, newline=""))
        return [row for row, _ in zip(read, range(2), strict=False)]
    except csv.Error:
        return []


def columns(head: str) -> Sequence[str]:
    """The column names of a CSV."""
    return next(iter(rows(head)), [])


def start(path: Path) -> str:
    """The text that a file begins with."""
    with opened(path) as file:
        return as_text(beginning(file))


def beginning(file: BinaryIO) -> bytes:
    """The bytes that a file begins with: more of them where they are one long line of JSON."""
    head = file.read(HEAD)
    return head + file.read(15 * HEAD) if head[:1] in (b"{", b"[") and b"\n" not in head else head


def as_text(head: bytes) -> str:
    """The beginning as text, though it may be cut within a letter."""
    return head.decode("utf-8-sig", "replace")
