"""A disk that fails on purpose: the n-th file operation below a folder goes wrong, in one of several ways.

    done = faults.operations(tmp_path, block)                # what the block does to files there
    for at, how in faults.each(done):
        with faults.failing(tmp_path, at, how):
            block()                                          # that operation fails

"kill" leaves the folder as a process would that was killed at this operation: nothing that is tried
afterwards, cleaning up included, changes a file. What libraries do in C is not seen; see `size_limit`.
"""

from __future__ import annotations

import atexit
import builtins
import errno
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

KINDS = ("ENOSPC", "EIO", "EACCES", "short read", "short write", "kill")
PARTS = {"short read": "read", "short write": "write"}  # which do half of one operation
TRIED: Counter[str] = Counter()  # the file of the tests, the operation and how it failed; for docs/make_reliability.py
CHANGES = ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link", "symlink", "chmod", "scandir", "listdir")


class Killed(BaseException):
    """The process is gone."""


class Disk:
    """What was done below a folder, and where it fails."""

    def __init__(self, folder: Path, at: int | None, how: str | Callable[[], object]) -> None:
        self.folder, self.at, self.how = folder.resolve(), at, how
        self.done: list[str] = []
        self.gone = False
        self.open: set[int] = set()  # descriptors of files below the folder

    def sees(self, path: object) -> bool:
        if isinstance(path, int):
            return path in self.open
        return isinstance(path, (str, os.PathLike)) and self.folder in Path(os.path.realpath(path)).parents

    def step(self, name: str, path: object) -> bool:
        """Count an operation, and fail if it is its turn; True where half of it is still to be done."""
        if self.gone:
            raise Killed
        self.done.append(name)
        if len(self.done) - 1 != self.at:
            return False
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
        TRIED[f"{Path(test).name} {name} {self.how if isinstance(self.how, str) else 'changed'}"] += 1
        if not isinstance(self.how, str):
            self.at = None
            self.how()
            return False
        if self.how == "kill":
            self.gone = True
            raise Killed
        if PARTS.get(self.how) == name:
            return True
        code = getattr(errno, self.how, errno.ENOSPC)
        raise OSError(code, os.strerror(code), None if isinstance(path, int) else os.fspath(path))  # type: ignore[call-overload]


class Raw(io.FileIO):
    """A file whose reads and writes are operations."""

    def __init__(self, disk: Disk, path: Any, mode: str, opener: Any = None) -> None:
        self.disk = disk
        super().__init__(path, mode, opener=opener)
        disk.open.add(self.fileno())

    def write(self, data: Any) -> int:
        if self.disk.gone:
            return len(data)  # what is still in a buffer is lost
        if self.disk.step("write", self.fileno()):
            super().write(bytes(data)[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)

    def readinto(self, buffer: Any) -> int:
        if self.disk.step("read", self.fileno()):
            return super().readinto(memoryview(buffer)[: max(1, len(buffer) // 2)])
        return super().readinto(buffer)

    def readall(self) -> bytes:
        self.disk.step("read", self.fileno())  # half of it is read, and then the rest
        return super().readall()

    def close(self) -> None:
        if not self.closed:
            self.disk.open.discard(self.fileno())
        super().close()


def _opener(disk: Disk, real: Callable[..., Any]) -> Callable[..., Any]:
    def opened(
        file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, errors: Any = None, newline: Any = None,
        closefd: bool = True, opener: Any = None,
    ) -> Any:  # fmt: skip
        temporary = opener is not None and Path(os.path.realpath(file)) == disk.folder  # a name is chosen by the opener
        if isinstance(file, int) or not (temporary or disk.sees(file)):
            return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if not temporary:  # whose opener is counted
            disk.step("open", file)
        raw = Raw(disk, file, mode.replace("b", "").replace("t", ""), opener)
        if buffering == 0:
            return raw
        buffer: Any = io.BufferedReader if "r" in mode else io.BufferedWriter
        held = (io.BufferedRandom if "+" in mode else buffer)(raw)
        return held if "b" in mode else io.TextIOWrapper(held, encoding, errors, newline)

    return opened


def _step(disk: Disk, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def stepped(path: Any = ".", *more: Any, **how: Any) -> Any:
        if disk.sees(path):
            disk.step(name, path)
        found = real(path, *more, **how)
        if name == "open" and disk.sees(path):
            disk.open.add(found)
        return found

    return stepped


@contextmanager
def failing(folder: Path, at: int | None, how: str | Callable[[], object] = "ENOSPC") -> Iterator[Disk]:
    """The operation of this number below the folder (None: no one) fails so, or is done after a call of `how`."""
    disk, real = Disk(folder, at, how), io.open
    with ExitStack() as patched:
        for module in (io, builtins):
            patched.enter_context(mock.patch.object(module, "open", _opener(disk, real)))
        for name in ("open", *CHANGES):
            patched.enter_context(mock.patch.object(os, name, _step(disk, name, getattr(os, name))))
        unsynced = _step(disk, "fsync", lambda _: None)  # nobody cuts the power of a test, and it takes long
        patched.enter_context(mock.patch.object(os, "fsync", unsynced))
        yield disk


def raised(block: Callable[[], object]) -> BaseException | None:
    """What a block raises."""
    try:
        block()
    except BaseException as problem:
        return problem.with_traceback(None)
    return None


def operations(folder: Path, block: Callable[[], object]) -> list[str]:
    """The names of the operations that a block does below a folder when nothing fails."""
    with failing(folder, None) as disk:
        block()
    return disk.done


def each(done: Sequence[str], kinds: Sequence[str] = KINDS) -> Iterator[tuple[int, str]]:
    """Every operation with every way to fail; half of a read or a write is one of these only."""
    for at, how in product(range(len(done)), kinds):
        if PARTS.get(how, done[at]) == done[at]:
            yield at, how


@contextmanager
def size_limit(most: int) -> Iterator[None]:
    """No file can grow beyond so many bytes, for libraries in C as well: as on a disk that is full."""
    import resource
    import signal

    before, action = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, action)


if "FAULTS_TRIED" in os.environ:
    atexit.register(lambda: Path(os.environ["FAULTS_TRIED"]).write_text(json.dumps(TRIED, indent=1, sort_keys=True)))
