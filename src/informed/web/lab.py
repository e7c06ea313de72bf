"""What one run of the lab holds: its token, its private folder, files by id, results by id."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from informed.web import limits
from informed.web.answers import Refused

ENDINGS = (*(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson"), *(".parquet", ".pq", ".eval", ".conll"))
PACKED = (".gz",)
PREFIX = "informed-lab-"
LOCK = ".lock"  # in the folder of a lab, as long as it runs
CLOSING = 5.0  # seconds in which everything of a lab is removed

if sys.platform != "win32":
    import fcntl


@dataclass(frozen=True)
class HeldFile:
    """A file that can be counted, known to the browser by its id only."""

    name: str
    path: Path
    size: int
    ours: bool  # uploaded, to be removed; a file of the command line stays


@dataclass
class Lab:
    """State of a run. Everything that is written is in `folder`, which goes when the run ends."""

    token: str
    folder: Path = field(
        default_factory=lambda: Path(tempfile.mkdtemp(prefix=PREFIX))
    )  # mkdtemp: nobody else may look inside
    files: OrderedDict[str, HeldFile] = field(default_factory=OrderedDict)
    results: OrderedDict[str, Path] = field(default_factory=OrderedDict)
    examples: frozenset[str] = frozenset()  # ids of files that come with the lab

    def __post_init__(self) -> None:
        atexit.register(self.close)  # also where the server never started
        self.lock = _locked(self.folder / LOCK)
        remove_left(self.folder.parent)

    def register(self, path: Path) -> str:
        """A file of the command line."""
        key = secrets.token_urlsafe(16)
        self.files[key] = HeldFile(path.name, path, path.stat().st_size, ours=False)
        return key

    def place(self, name: str) -> tuple[str, Path]:
        """An id and a private path for an upload. Tools write into names what a log is of, so that its letters stay."""
        key = secrets.token_urlsafe(16)
        called = plain_name(name)
        path = self.folder / f"upload-{key}" / called
        path.parent.mkdir(mode=0o700)
        return key, path

    def drop(self, path: Path) -> None:
        """Leave nothing of an upload."""
        path.unlink(missing_ok=True)
        if path.parent.parent == self.folder:
            with suppress(OSError):
                path.parent.rmdir()

    def keep(self, key: str, name: str, path: Path) -> None:
        """Hold an upload; the oldest makes room."""
        self.files[key] = HeldFile(name, path, path.stat().st_size, ours=True)
        ours = [k for k, held in self.files.items() if held.ours]
        for old in ours[: max(0, len(ours) - limits.UPLOADS)]:
            self.drop(self.files.pop(old).path)

    def file(self, key: object) -> HeldFile:
        if not isinstance(key, str) or key not in self.files:
            raise Refused("That file is not here any more; drop it again.", 404)
        return self.files[key]

    def scratch(self) -> Path:
        """A folder for the temporary files of one job."""
        path = self.folder / f"job-{secrets.token_urlsafe(16)}"
        path.mkdir(mode=0o700)
        return path

    def new_result(self) -> tuple[str, Path]:
        """An id that cannot be guessed, and a folder for the formats of a report."""
        key = secrets.token_urlsafe(24)
        path = self.folder / f"result-{key}"
        path.mkdir(mode=0o700)
        self.results[key] = path
        while len(self.results) > limits.RESULTS:
            shutil.rmtree(self.results.popitem(last=False)[1], ignore_errors=True)
        return key, path

    def close(self) -> None:
        atexit.unregister(self.close)
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None
        until = time.monotonic() + CLOSING
        while self.folder.exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            if time.monotonic() > until:
                break
            time.sleep(0.02)  # a process that was ended may still write


def _locked(path: Path) -> int | None:
    """An open file that no other process can lock until this one ends, however it ends; None where another has it."""
    if sys.platform == "win32":
        return None
    with suppress(OSError):
        opened = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return opened
        except OSError:
            os.close(opened)
    return None


def _is_own(folder: Path) -> bool:
    """Whether a folder was made by this user, in a place where others make some, too."""
    try:
        return not folder.is_symlink() and folder.stat().st_uid == os.geteuid()
    except OSError:
        return False


def remove_left(place: Path) -> None:
    """Remove the folders of labs that were killed: those whose lock nobody has."""
    for folder in place.glob(f"{PREFIX}*"):
        if sys.platform == "win32" or not _is_own(folder) or not (folder / LOCK).is_file():
            continue
        lock = _locked(folder / LOCK)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def plain_name(name: str) -> str:
    """The name of a file in letters that no system minds, without its folders; its ending says its format.

    >>> plain_name("runs/mmlu gpt-4 (2).JSON"), plain_name("../../(?).csv.gz")
    ('mmlu_gpt-4_2.json', 'file.csv.gz')
    """
    last = ending(name)
    stem = re.split(r"[/\\]", name)[-1][: -len(last)]
    return (re.sub(r"[^A-Za-z0-9_.-]+", "_", stem).strip("._-")[:100] or "file") + last


def ending(name: str) -> str:
    """The endings of a file's name that say its format: .csv, .csv.gz.

    >>> ending("../../etc/passwd.CSV.gz")
    '.csv.gz'
    """
    suffixes = [x.lower() for x in Path(name.replace("\\", "/")).suffixes]
    packed = suffixes.pop() if suffixes and suffixes[-1] in PACKED else ""
    if not suffixes or suffixes[-1] not in ENDINGS:
        raise Refused(f"The lab reads {', '.join(ENDINGS)} (also packed: {', '.join(PACKED)}).")
    return suffixes[-1] + packed
