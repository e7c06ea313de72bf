"""Cases of a file that may still be written: whole lines of JSON or CSV as they come, in bounded memory.

A line without its end waits until it has one. Where reading began and how far it got are two numbers, so that it can go
on later exactly where it stopped.
"""

from __future__ import annotations

import csv
import json
import os
import select
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from informed._numbers import plural
from informed.errors import SourceError
from informed.evidence.labels import some, text
from informed.sources import unpacking
from informed.sources.engine import check_columns
from informed.sources.logs.bounded_files import LINE, Problem, parsed, size, written
from informed.sources.paths import one_character

CHUNK = 4 << 20  # bytes that are read at once
HEAD = 4096  # bytes by which a file is known again
STDIN = "-"
PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"PAR1": "Parquet", **unpacking.PACKED, **unpacking.UNREAD}


@dataclass
class Growing:
    """The bytes of a file or of standard input, a few whole lines at a time."""

    path: str
    offset: int = 0  # of the first byte that was not given out yet
    line: int = 0  # lines that were given out
    head: str = ""  # what the file began with, when its first lines were read
    ended: bool = False  # nothing more will come
    full: bool = False  # whether as much was there as is read at once
    _held: bytes = field(default=b"", repr=False)  # of standard input: what was read and not given out

    def lines(self, *, wait: float = 0.0) -> list[bytes]:
        """Whole lines that are there now, about CHUNK bytes of them; of standard input, those that come within this
        time, or until it ends. The same are given again until they are done with."""
        raw = self._piped(wait) if self.path == STDIN else self._on_disk()
        cut = raw.rfind(b"\n") + 1
        self.full = len(raw) >= CHUNK
        if cut == 0 and len(raw) > LINE:
            raise SourceError(
                f"{self.said}, line {self.line + 1:,}: it is longer than {size(LINE)}, the most that is read."
            )
        return raw[:cut].splitlines(keepends=True)

    def took(self, lines: Sequence[bytes]) -> None:
        """These lines, the first of those that were given, are done with."""
        done = sum(map(len, lines))
        self.offset += done
        self.line += len(lines)
        self._held = self._held[done:]

    @property
    def said(self) -> str:
        """What it is called in a sentence."""
        return "standard input" if self.path == STDIN else self.path

    @property
    def half(self) -> bytes:
        """What stands behind the last whole line."""
        raw = self._held if self.path == STDIN else self._on_disk()
        return raw[raw.rfind(b"\n") + 1 :]

    def check(self) -> None:
        """Refuse to go on with another file than the one that was begun."""
        if self.path == STDIN or not self.head:
            return
        size_, _, digest = self.head.partition(":")
        with Path(self.path).open("rb") as file:
            begun = file.read(int(size_))
        if _digest(begun) != digest:
            raise SourceError(
                f"{self.path} does not begin as the file that was watched; it was written again, or it is another one."
            )

    def known_by(self) -> str:
        """What tells the file from others: a digest of what it begins with."""
        if self.path == STDIN or self.offset == 0:
            return ""
        if not self.head:
            with Path(self.path).open("rb") as file:
                begun = file.read(min(HEAD, self.offset))
            self.head = f"{len(begun)}:{_digest(begun)}"
        return self.head

    def _on_disk(self) -> bytes:
        try:
            with Path(self.path).open("rb") as file:
                there = os.fstat(file.fileno()).st_size
                if there < self.offset:
                    seen = f"{there:,} of {self.offset:,} bytes"
                    said = f"{self.path} has become shorter than what was counted ({seen}): it was written again."
                    raise SourceError(said)
                file.seek(self.offset)
                raw = file.read(CHUNK)
                while b"\n" not in raw and len(raw) <= LINE and (more := file.read(CHUNK)):
                    raw += more
        except OSError as error:
            raise SourceError(f"{self.path}: it cannot be read ({error.strerror or error}).") from None
        self.ended = self.offset + len(raw) >= there
        return raw

    def _piped(self, wait: float) -> bytes:
        """What standard input holds: as much as is there, after a wait for the first of it."""
        if sys.stdin is None:
            raise SourceError("Standard input is closed; give a file, or write to it: my-eval | informed watch -.")
        stream = sys.stdin.buffer
        try:
            number = stream.fileno()
        except (OSError, ValueError):  # a stream of a test, or of another program: all of it is there
            self._held += b"" if self.ended else stream.read()
            self.ended = True
            return self._held
        while not self.ended and len(self._held) < CHUNK:
            if not select.select([number], [], [], 0 if b"\n" in self._held else wait)[0]:
                break
            more = os.read(number, CHUNK)
            self.ended = not more
            self._held += more
        return self._held


def _digest(raw: bytes) -> str:
    return blake2b(raw, digest_size=8).hexdigest()


# ---------------------------------------------------------------------- columns of lines


@dataclass(frozen=True)
class Rows:
    """Columns of records, with the lines that these are."""

    columns: tuple[list[str | None], ...]
    ends: list[int]  # how many lines each record and all before it are
    lines: Sequence[bytes]
    first: int  # lines before these
    problem: SourceError | None = None  # with the record that follows
    open: int = 0  # lines behind these of a record that has not ended: a quoted value goes on in it

    def __len__(self) -> int:
        return len(self.ends)

    def until(self, n: int) -> Sequence[bytes]:
        """The lines of the first n records."""
        return self.lines[: self.ends[n - 1]] if n else self.lines[:0]

    @property
    def after(self) -> int:
        """The lines before the record that has not ended."""
        return self.first + len(self.lines) - self.open

    def line(self, at: int) -> int:
        """The number of the line at which a record ends."""
        return self.first + self.ends[at]


@dataclass
class Columns:
    """Named columns of JSON lines, or of CSV whose first line has the names."""

    source: Growing
    names: tuple[str, ...]
    optional: frozenset[str] = frozenset()  # that may be missing in a record
    delimiter: str | None = None
    header: list[str] | None = None  # of a CSV, once it was read
    kind: str = ""  # "json" or "csv", once it is known
    ending: bytes = b""  # of the lines of a CSV: LF, or CR and LF

    def __post_init__(self) -> None:
        if self.delimiter is not None:
            self.delimiter = one_character(self.delimiter)

    def read(self, *, wait: float = 0.0) -> Rows:
        """The columns of whole records that are there now."""
        lines = self.source.lines(wait=wait)
        if not (self.kind or lines):
            self._check_packed(self.source.half)
        lines = lines[self._begin(lines) :]
        try:
            rows = self._rows(lines)
        except SourceError as problem:
            return self._before(lines, problem)
        if rows.open and not len(rows) and self.source.full:
            return replace(rows, problem=self.unclosed(rows))
        return rows

    def unclosed(self, rows: Rows) -> SourceError:
        """What to do about a quoted value that does not end."""
        return SourceError(
            f"{self.source.said}, line {rows.after + 1:,}: a quoted value begins in this record and does not end in "
            f"the {plural(rows.open, 'line')} that are there; double the quotes inside quotes, and quote a value that "
            'begins with a quote: "5"" pipe".'
        )

    def swallowed(self, rows: Rows) -> bool:
        """Whether the record that has not ended is made of others, as one odd quote makes it: most of its lines have
        as many values as the header. The lines of a long text do not."""
        assert self.header is not None
        inside = rows.lines[len(rows.lines) - rows.open :][1:]
        split = csv.reader(map(_unquoted, inside), delimiter=self.delimiter or ",", quoting=csv.QUOTE_NONE)
        alike = sum(len(row) == len(self.header) for row in split)
        return alike > len(inside) / 2

    def _before(self, lines: Sequence[bytes], problem: SourceError) -> Rows:
        """The records before the first that cannot be read, and what is wrong with that one."""
        good, bad = 0, len(lines)
        while bad - good > 1:
            middle = (good + bad) // 2
            try:
                self._rows(lines[:middle])
                good = middle
            except SourceError:
                bad = middle
        return replace(self._rows(lines[:good]), problem=problem)

    def last(self) -> Rows | None:
        """The columns of a last line that has no end, where it can be whole: a JSON object is or is not."""
        half = self.source.half
        if self.kind == "csv" or not half.strip():
            return None
        try:
            return self._rows([half])
        except SourceError:
            return None

    def _begin(self, lines: Sequence[bytes]) -> int:
        """Learn the kind and the header from the first lines; how many of these were that."""
        at = 0
        while not self.kind and at < len(lines):
            self._check_packed(lines[at])
            first = self._text(lines[at], at + 1).strip()
            if not first:
                at += 1
                continue
            self.kind = "json" if first.startswith("{") else "csv"
            if self.kind == "json" and self.delimiter is not None:
                raise SourceError(f"{self.source.said} has JSON lines; `delimiter` stands between the columns of CSV.")
        if self.kind == "csv" and self.header is None and at < len(lines):
            at += self._set_header(lines[at:], at)
        if at:
            self.source.took(lines[:at])
        return at

    def _set_header(self, lines: Sequence[bytes], before: int) -> int:
        """Learn the names of the columns; how many lines they are, none where these have not ended."""
        line = self._text(lines[0], before + 1)
        if self.delimiter is None:
            tab = self.source.path.lower().endswith(".tsv") or ("\t" in line and "," not in line)
            semicolons = line.count(";") > line.count(",")
            self.delimiter = "\t" if tab else ";" if semicolons else ","
        records = self._records(lines, before)
        found = next(records, None)
        if found is None or found[0] is None:
            return 0
        self.header, self.ending = found[0], _ending(lines[found[1] - 1])
        there = tuple(self.header)
        check_columns([x for x in self.names if x in there or x not in self.optional], there, self.source.said)
        return found[1]

    def _rows(self, lines: Sequence[bytes]) -> Rows:
        if not lines:
            return Rows(tuple([] for _ in self.names), [], [], self.source.line)
        return self._of_csv(lines) if self.kind == "csv" else self._of_json(lines)

    def _records(self, lines: Sequence[bytes], first: int) -> Iterator[tuple[list[str] | None, int]]:
        """The records of whole lines, each with how many lines it and all before it are; None in the place of one
        that has not ended."""
        csv.field_size_limit(LINE)
        done, out = 0, False

        def texts() -> Iterator[str]:
            nonlocal out
            for number, raw in enumerate(lines, first + 1):
                yield self._text(raw, number)
            out = True

        reader = csv.reader(texts(), delimiter=self.delimiter or ",", strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if out:  # in the middle of a quoted value
                    yield None, done
                    return
                said = "quotes inside a quoted value are doubled" if "expected after" in str(error) else str(error)
                raise SourceError(
                    f"{self.source.said}, line {first + reader.line_num:,}: this is no regular CSV ({said})."
                ) from None
            done = reader.line_num
            yield row, done

    def _of_csv(self, lines: Sequence[bytes]) -> Rows:
        assert self.header is not None
        first, wide = self.source.line, len(self.header)
        rows, ends, still = [], [], 0
        for row, end in self._records(lines, first):
            if row is None:
                still = len(lines) - end
                continue
            self.ending = self.ending or _ending(lines[end - 1])
            if (ending := _ending(lines[end - 1])) != self.ending:
                said = f"it ends with {ENDINGS[ending]}, and the header with {ENDINGS[self.ending]}"
                raise SourceError(f"{self.source.said}, line {first + end:,}: {said}; write one kind of line end.")
            if row and len(row) != wide:
                said = f"it has {len(row)} values and the header {wide}"
                raise SourceError(f"{self.source.said}, line {first + end:,}: {said}.")
            if row:
                rows.append(row)
                ends.append(end)
        places = [self.header.index(name) if name in self.header else None for name in self.names]
        turned: Sequence[Sequence[str]] = list(zip(*rows, strict=True)) if rows else [()] * wide
        held: list[list[str | None]] = [[x or None for x in turned[at]] if at is not None else [] for at in places]
        return Rows(tuple(x or [None] * len(rows) for x in held), ends, lines, first, open=still)

    def _of_json(self, lines: Sequence[bytes]) -> Rows:
        first = self.source.line
        ends = [i for i, line in enumerate(lines, 1) if line.strip()]
        try:
            records = json.loads(b"[" + b",".join(lines[i - 1] for i in ends) + b"]", **AS_SPELLED)
            told = len(records) == len(ends) and all(isinstance(x, dict) for x in records)
        except (ValueError, RecursionError, Problem):
            told = False
        if not told:
            records = [self._record(lines[i - 1], first + i) for i in ends]
        held = tuple(self._field(name, records, [first + i for i in ends]) for name in self.names)
        return Rows(held, ends, lines, first)

    def _check_packed(self, first: bytes) -> None:
        for magic, name in PACKED.items():
            if first.startswith(magic):
                raise SourceError(
                    f"{self.source.said} is packed ({name}); what is watched is a file of lines, or a log."
                )

    def _text(self, raw: bytes, line: int) -> str:
        try:
            found = raw.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise SourceError(self._no_text(raw, line, error.start)) from None
        if "\0" in found:
            raise SourceError(f"{self.source.said}, line {line:,}: this is not a line of text (it holds a zero byte).")
        return found

    def _no_text(self, raw: bytes, line: int, at: int) -> str:
        """What to do about bytes that are in another encoding."""
        utf_16 = line == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff"))
        seen = "it begins as UTF-16 does" if utf_16 else f"byte {at:,} is not UTF-8 text"
        way = f"iconv -f {'UTF-16' if utf_16 else 'LATIN1'} -t UTF-8"
        return f"{self.source.said}, line {line:,}: {seen}; write it in UTF-8, as {way} does."

    def _record(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            found = parsed(self._text(line, number), number, **AS_SPELLED)
            if not isinstance(found, dict):
                raise Problem("a JSON object is needed on every line.", number)
        except Problem as problem:
            raise SourceError(f"{self.source.said}, line {number:,}: {problem}") from None
        return found

    def _field(self, name: str, records: Sequence[dict[str, Any]], numbers: Sequence[int]) -> list[str | None]:
        path = name.split(".")
        found: list[str | None] = []
        for number, record in zip(numbers, records, strict=True):
            value: Any = record
            if name in record:
                value = record[name]
            else:
                for key in path:
                    value = value.get(key, _ABSENT) if isinstance(value, dict) else _ABSENT
            if value is _ABSENT and name not in self.optional:
                has = some(list(record), 12)
                raise SourceError(f"{self.source.said}, line {number:,}: it has no field {text(name)}; it has {has}.")
            try:
                found.append(None if value is _ABSENT else _spelled(value, name, number))
            except Problem as problem:
                raise SourceError(f"{self.source.said}, line {number:,}: {problem}") from None
        return found


_ABSENT = object()


def _spelled(value: Any, name: str, line: int) -> str | None:
    """A JSON value as its label is read from any file: empty text, null and NaN are none."""
    return (value or None) if isinstance(value, str) else written(value, name, line)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, whose keys differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Problem(f"the key {text(twice)} stands {names.count(twice)} times in one object; remove all but one.")
    return found


# Numbers are labels as DuckDB gives them: 1.0 is not 1, and 0.50 is 0.5.
AS_SPELLED: dict[str, Any] = {
    "parse_float": lambda number: repr(float(number)),
    "parse_int": str,
    "parse_constant": lambda name: None if name == "NaN" else name,
    "object_pairs_hook": _once,
}

ENDINGS = {b"\n": "LF", b"\r\n": "CR and LF", b"\r": "CR"}


def _ending(line: bytes) -> bytes:
    """How a line ends."""
    return b"\r\n" if line.endswith(b"\r\n") else line[-1:]


def _unquoted(line: bytes) -> str:
    return line.decode("utf-8", "replace").replace("\0", "")
