"""Reading files that may be huge, cut short or hostile: in bounds, with one sentence on failure."""

from __future__ import annotations

import csv
import gc
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from os import fstat
from pathlib import Path
from typing import Any, BinaryIO

from informed.errors import MissingExtra, SourceError, one_of
from informed.evidence.labels import text

HEAD = 64 << 10  # bytes read to recognise a format
TIME = r"\d{4}-\d\d-\d\dT[\d.:+-]*\d"  # as tools write it into the names of files
LINE = 64 << 20  # bytes of one line; a line of a log is one item with its prompts
DOCUMENT = 256 << 20  # bytes of a file (or of a zip, inflated) that has to be held as a whole
SHORT = 200  # characters of a metadata value that may be a group name


class Problem(SourceError):
    """What is wrong in a file; `in_file` says in which."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Problems inside are of this file."""
    try:
        yield
    except Problem as error:
        at = "" if error.line is None else f", line {error.line:,}"
        raise SourceError(f"{path}{at}: {error}") from None
    except MissingExtra as error:
        raise MissingExtra(f"{path}: {error}") from None
    except RecursionError:  # a value that was just not too deep to parse
        raise SourceError(f"{path}: its values are nested too deeply.") from None


def size(bytes_: int) -> str:
    """A limit in a message.

    >>> size(64 << 20), size(100)
    ('64 MB', '100 bytes')
    """
    return f"{bytes_ >> 20} MB" if bytes_ >= 1 << 20 else f"{bytes_} bytes"


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file, opened for reading bytes."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise Problem(f"it cannot be read ({error.strerror or error}).") from None


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, without ever holding a longer one than LINE."""
    with opened(path) as file:
        number = 0
        while raw := file.readline(LINE + 1):
            number += 1
            if len(raw) > LINE:
                most = f"{size(LINE)}, the most that is read"
                raise Problem(f"the line is longer than {most}; is this a file of lines?", number)
            yield number, decoded(raw, number).rstrip("\r\n")


def document(path: Path) -> str:
    """The text of a file that has to be read as a whole, if it is not larger than DOCUMENT."""
    with opened(path) as file:
        large = fstat(file.fileno()).st_size > DOCUMENT
        raw = b"" if large else file.read(DOCUMENT + 1)  # a pipe has no size
    if large or len(raw) > DOCUMENT:
        raise Problem(f"it is larger than {size(DOCUMENT)}, the most that is read as one document.")
    return decoded(raw)


def decoded(raw: bytes, line: int | None = None) -> str:
    """UTF-8 text, with or without a byte order mark."""
    try:
        return raw.decode("utf-8-sig" if line in (None, 1) else "utf-8")
    except UnicodeDecodeError as error:
        raise Problem(f"byte {error.start:,} is not UTF-8 text.", line) from None


def parsed(source: str | bytes, line: int | None = None, **how: Any) -> Any:
    """The JSON value of a text; `how` is for `json.loads`."""
    try:
        return json.loads(source, **how)
    except Problem as problem:
        raise Problem(str(problem), line) from None
    except RecursionError:
        raise Problem("the JSON is nested too deeply.", line) from None
    except json.JSONDecodeError as error:
        raise Problem(f"this is not JSON ({error.msg}, character {error.pos + 1:,}).", line) from None
    except ValueError as error:  # an integer of thousands of digits, bytes that are not UTF-8
        raise Problem(f"this is not JSON that can be read ({error}).", line) from None


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for cycles, of which JSON has none: it would look at all values again and again."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON-lines file with their line numbers; empty lines are passed over."""
    for number, line in lines(path):
        if line.strip():
            value = parsed(line, number)
            if not isinstance(value, dict):
                raise Problem("a JSON object is needed on every line.", number)
            yield number, value


def table(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header of a CSV file and its rows, each as wide; empty rows are passed over."""
    csv.field_size_limit(LINE)
    try:
        held = [row for row in csv.reader(io.StringIO(document(path), newline=""), strict=True) if row]
    except csv.Error as error:
        raise Problem(f"this is no regular CSV ({error}).") from None
    header, *rows = held or [[]]
    for line, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise Problem(f"row {line:,} has {len(row)} values and the header {len(header)}.")
    return header, rows


def whole_lines(head: str) -> list[str]:
    """The lines of the beginning of a file, without a last one that may be cut.

    >>> whole_lines("one\\ntwo\\nthr"), whole_lines("one")
    (['one', 'two'], ['one'])
    """
    held = head.splitlines()
    return held if len(held) < 2 or head.endswith("\n") else held[:-1]


def first_record(head: str) -> dict[str, Any]:
    """The JSON object of the first line of a file; an empty one where it is none, or is cut."""
    try:
        return mapping(json.loads(head.partition("\n")[0]))
    except (ValueError, RecursionError):
        return {}


def content(path: Path) -> dict[str, Any]:
    """The JSON object that a file is; an empty one where it is another value."""
    return mapping(parsed(document(path)))


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def string(value: Any) -> str | None:
    """The value if it is a text, else nothing."""
    return value if isinstance(value, str) else None


def written(value: Any, what: str, line: int | None = None) -> str | None:
    """A JSON value as label text; None for null and blank text, which are no answer.

    >>> [written(x, "answer") for x in ("B", 3, True, " ", None)]
    ['B', '3', 'true', None, None]
    """
    if value is None:
        return None
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool | int | float):
        return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
    kind = "array" if isinstance(value, list) else "object"
    raise Problem(f"the {what} is {text(value)}, a JSON {kind}; text or a number is needed.", line)


def label(value: Any) -> str | None:
    """A JSON value as label text; a list or an object is written as JSON."""
    return written(json.dumps(value, sort_keys=True) if isinstance(value, list | dict) else value, "value")


def several(value: Any, what: str, line: int | None = None) -> list[str]:
    """A JSON value, or a list of them, as label texts; what is no answer is left out."""
    texts = [written(x, what, line) for x in (value if isinstance(value, list) else [value])]
    return [x for x in texts if x is not None]


def scalars(values: Any) -> dict[str, str | int | bool]:
    """The short plain values of an object: what a case may be grouped by."""
    return {
        key: value
        for key, value in mapping(values).items()
        if (isinstance(value, str) and len(value) <= SHORT) or isinstance(value, int)
    }


def number(value: Any) -> float | None:
    """A JSON number (or truth value) as a float; None for anything else."""
    if isinstance(value, float):
        return value
    if not isinstance(value, int):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def mark(value: Any) -> float | None:
    """A score of exactly 0 or 1; None for anything else."""
    score = number(value)
    return score if score in (0.0, 1.0) else None


def accepted_one(
    answers: list[str], given: str | None, accepted: str | None, line: int | None = None, *, marked: bool = False
) -> str:
    """The one real label of an item for which several answers are accepted.

    Where a mark says what the answer is worth, all of them together are the label.
    """
    if len(answers) == 1:
        return answers[0]
    if answers and marked and accepted is None:
        return " | ".join(answers)
    if not answers:
        raise Problem("the item has no accepted answer; one real label is needed.", line)
    if accepted is None:
        raise Problem(
            f"the item accepts {len(answers)} answers ({', '.join(map(text, answers[:3]))}, …), and a case has one "
            'real label; `accepted="matched"` takes the accepted answer that was given, or the first.',
            line,
        )
    one_of("accepted", accepted, (None, "matched"), SourceError)
    return given if given in answers else answers[0]


def letter(index: int) -> str:
    """The name of an option by its place: A to Z, then numbers from 27.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def letters(options: int) -> tuple[str, ...]:
    """The names of that many options."""
    return tuple(letter(i) for i in range(options))
