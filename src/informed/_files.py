"""Files that are there whole or not at all: written beside their place, put on the disk, then moved into it.

Whatever is written for keeps (checkpoints, results, pages) goes through here, so that a full disk, a lost folder or a
kill leaves what was there before. A problem is an OSError that names the file that was wanted.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES, EINVAL, ENOTSUP
from pathlib import Path

PARTIAL = ".informed-*.partial"  # what a killed process may leave behind
STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8 and as it stands; until it is complete, what was there before stays.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "said.txt", "whole")
    ...     (Path(folder) / "said.txt").read_text(), len(os.listdir(folder))
    ('whole', 1)
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    stream = _stream(path)
    if stream is not None:  # opening it again would empty the file that a shell appends to
        with _named(path), os.fdopen(os.dup(stream), "wb") as file:
            file.write(data)
        return

    with whole_file(path) as partial, partial.open("wb") as file:
        file.write(data)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Where to write a file, for who needs a path of its own; it takes its name when the block has ended well.

    A link stays a link, and an old file keeps its permissions. A terminal, a pipe or a device is
    written as it is, since nothing can take its place.
    """
    asked = Path(path)
    if asked.exists() and not asked.is_file():
        with _named(path):
            yield asked
        return

    place = Path(os.path.realpath(asked))
    partial = place.with_name(PARTIAL.replace("*", secrets.token_hex(8)))
    with _named(path, partial):
        if place.exists() and not os.access(place, os.W_OK):  # which a rename would not heed
            raise PermissionError(EACCES, os.strerror(EACCES))
        try:
            yield partial
            if place.exists():
                shutil.copymode(place, partial)
            _to_disk(partial)
            partial.replace(place)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
    _name_to_disk(place.parent)


@contextmanager
def _named(path: str | Path, partial: Path | None = None) -> Iterator[None]:
    """Problems inside are of the file that was wanted."""
    try:
        yield
    except OSError as problem:
        if problem.errno and problem.filename in (None, str(partial), partial):
            raise OSError(problem.errno, problem.strerror, str(path)) from problem
        raise


def _stream(path: str | Path) -> int | None:
    """The number of an open stream of this process, where a path is the name of one.

    >>> _stream("/dev/stdout"), _stream("/proc/self/fd/7"), _stream("out.txt")
    (1, 7, None)
    """
    name = os.fspath(path)
    numbered = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d+)", name)
    return int(numbered[1]) if numbered else STREAMS.get(name)


def locked(path: str | Path) -> ExitStack:
    """Hold a lock on a file that is written again and again, beside it (`NAME.lock`); leaving the block frees it.

    A second process is refused with BlockingIOError. The system frees the lock of a process that was killed. Where
    there is no `fcntl` (Windows), nothing is locked.
    """
    held = ExitStack()
    try:
        import fcntl
    except ImportError:
        return held
    beside = Path(f"{os.path.realpath(path)}.lock")
    while True:
        with _named(path, beside):
            file = beside.open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            still = os.path.samestat(os.fstat(file.fileno()), beside.stat())
        except FileNotFoundError:
            still = False  # another process had it, and has removed it since it was opened
        except BaseException:
            file.close()
            raise
        if still:
            held.callback(file.close)
            held.callback(beside.unlink, missing_ok=True)
            return held
        file.close()


def same_file(path: str | Path, others: Iterable[str | Path]) -> str | Path | None:
    """Of several, the one that is the same file as a path, by whatever name: a link, a hard link, another folder."""
    for other in others:
        with suppress(OSError, ValueError):  # what is not there, or is no path at all
            if Path(path).is_file() and Path(path).samefile(other):
                return other
    return None


def _to_disk(path: Path) -> None:
    """Return when the contents would survive a loss of power."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _name_to_disk(folder: Path) -> None:
    """The same for names in a folder, on systems where a folder can be opened."""
    if os.name == "nt":
        return
    try:
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as problem:
        if problem.errno not in (EACCES, EINVAL, ENOTSUP):  # nothing to be had here: the file itself is safe
            raise
