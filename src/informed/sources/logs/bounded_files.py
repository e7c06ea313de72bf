"""Reading files that may be huge, cut short or hostile: in bounds, with one sentence on failure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import fstat
from pathlib import Path
from typing import Any, BinaryIO

from informed.errors import SourceError
from informed.evidence.labels import text

HEAD = 64 << 10  # bytes read to recognise a format
LINE = 64 << 20  # bytes of one line; a line of a log is one item with its prompts
DOCUMENT = 256 << 20  # bytes of a file (or of a zip, inflated) that has to be held as a whole
SHORT = 200  # characters of a metadata value that may be a group name


def problem(path: Path, message: str, line: int | None = None) -> SourceError:
    """The error for a file, with the line where it is known."""
    at = "" if line is None else f", line {line:,}"
    return SourceError(f"{path}{at}: {message}")


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
        raise problem(path, f"it cannot be read ({error.strerror or error}).") from None


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, without ever holding a longer one than LINE."""
    with opened(path) as file:
        number = 0
        while raw := file.readline(LINE + 1):
            number += 1
            if len(raw) > LINE:
                raise problem(
                    path,
                    f"the line is longer than {size(LINE)}, the most that is read; is this a file of lines?",
                    number,
                )
            yield number, decoded(raw, path, number).rstrip("\r\n")


def document(path: Path) -> str:
    """The text of a file that has to be read as a whole, if it is not larger than DOCUMENT."""
    with opened(path) as file:
        large = fstat(file.fileno()).st_size > DOCUMENT
        raw = b"" if large else file.read(DOCUMENT + 1)  # a pipe has no size
    if large or len(raw) > DOCUMENT:
        raise problem(path, f"it is larger than {size(DOCUMENT)}, the most that is read as one document.")
    return decoded(raw, path)


def decoded(raw: bytes, path: Path, line: int | None = None) -> str:
    """UTF-8 text, with or without a byte order mark."""
    try:
        return raw.decode("utf-8-sig" if line in (None, 1) else "utf-8")
    except UnicodeDecodeError as error:
        raise problem(path, f"byte {error.start:,} is not UTF-8 text.", line) from None


def parsed(source: str | bytes, path: Path, line: int | None = None) -> Any:
    """The JSON value of a text."""
    try:
        return json.loads(source)
    except RecursionError:
        raise problem(path, "the JSON is nested too deeply.", line) from None
    except json.JSONDecodeError as error:
        where = f"character {error.pos + 1:,}"
        raise problem(path, f"this is not JSON ({error.msg}, {where}).", line) from None
    except ValueError as error:  # an integer of thousands of digits, bytes that are not UTF-8
        raise problem(path, f"this is not JSON that can be read ({error}).", line) from None


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON-lines file with their line numbers; empty lines are passed over."""
    for number, line in lines(path):
        if line.strip():
            value = parsed(line, path, number)
            if not isinstance(value, dict):
                raise problem(path, "a JSON object is needed on every line.", number)
            yield number, value


def whole_lines(head: str) -> list[str]:
    """The lines of the beginning of a file, without a last one that may be cut.

    >>> whole_lines("one\\ntwo\\nthr"), whole_lines("one")
    (['one', 'two'], ['one'])
    """
    held = head.splitlines()
    return held if len(held) < 2 or head.endswith("\n") else held[:-1]


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def written(value: Any, path: Path, line: int | None, what: str) -> str | None:
    """A JSON value as label text; None for null and blank text, which are no answer.

    >>> [written(x, Path("log"), 1, "answer") for x in ("B", 3, True, " ", None)]
    ['B', '3', 'true', None, None]
    """
    if value is None:
        return None
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool | int | float):
        return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
    raise problem(
        path,
        f"the {what} is {text(value)}, a JSON {'array' if isinstance(value, list) else 'object'}; "
        "text or a number is needed.",
        line,
    )


def several(value: Any, path: Path, line: int | None, what: str) -> list[str]:
    """A JSON value, or a list of them, as label texts; what is no answer is left out."""
    texts = [written(x, path, line, what) for x in (value if isinstance(value, list) else [value])]
    return [x for x in texts if x is not None]


def scalars(values: Any) -> dict[str, str | int | bool]:
    """The short plain values of an object: what a case may be grouped by."""
    return {
        key: value
        for key, value in mapping(values).items()
        if isinstance(value, bool | int) or (isinstance(value, str) and len(value) <= SHORT)
    }


def number(value: Any) -> float | None:
    """A JSON number (or truth value) as a float; None for anything else."""
    if not isinstance(value, bool | int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def mark(value: Any) -> bool | None:
    """A score of exactly 0 or 1 as wrong or right; None for anything else."""
    score = number(value)
    return bool(score) if score in (0.0, 1.0) else None


def accepted_one(answers: list[str], given: str | None, accepted: str | None, path: Path, line: int | None) -> str:
    """The one real label of an item for which several answers are accepted."""
    if len(answers) == 1:
        return answers[0]
    if not answers:
        raise problem(path, "the item has no accepted answer; one real label is needed.", line)
    if accepted is None:
        raise problem(
            path,
            f"the item accepts {len(answers)} answers ({', '.join(map(text, answers[:3]))}, …), "
            'and a case has one real label; accepted="matched" takes the accepted answer that '
            "was given, or the first.",
            line,
        )
    if accepted != "matched":
        raise SourceError(f'`accepted` is {text(accepted)}; it can be None or "matched".')
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


def means(sums: Mapping[str, list[float]]) -> dict[str, float]:
    """The mean of each list of scores."""
    return {name: sum(scores) / len(scores) for name, scores in sums.items() if scores}
