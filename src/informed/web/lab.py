"""What one run of the lab holds: its token, its private folder, files by id, results by id."""

from __future__ import annotations

import atexit
import re
import secrets
import shutil
import tempfile
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from informed.web import limits
from informed.web.answers import Refused

ENDINGS = (*(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson"), *(".parquet", ".pq", ".eval", ".conll"))
PACKED = (".gz",)


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
        default_factory=lambda: Path(tempfile.mkdtemp(prefix="informed-lab-"))
    )  # mkdtemp: nobody else may look inside
    files: OrderedDict[str, HeldFile] = field(default_factory=OrderedDict)
    results: OrderedDict[str, Path] = field(default_factory=OrderedDict)
    examples: frozenset[str] = frozenset()  # ids of files that come with the lab

    def __post_init__(self) -> None:
        atexit.register(self.close)  # also where the server never started

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
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.close)


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
