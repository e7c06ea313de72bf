"""The registry of log formats: a reader is one module, which registers itself here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import TypeVar

from informed.sources.logs.log import Case, Log

Read = TypeVar("Read", bound=Callable[..., Iterable[Case] | Log])


@dataclass(frozen=True)
class Format:
    """A format of log: how its text begins, and how it is read. Used as a decorator of the reader.

    A reader takes the path, and its options by name. It yields cases; one that knows more (the
    model, the order of the labels, what the tool itself reports) gives a whole `Log`.
    """

    name: str
    title: str
    recognise: Callable[[str], bool]  # by the first 64 KB
    certain: bool = True  # its beginning says what it is; the others are asked last
    ends: Callable[[bytes, bytes], bool] | None = None  # or by its first and its last bytes
    holds: Callable[[Path], bool] | None = None  # or by what a folder or a Parquet file holds
    choose: str | None = None  # the option (and the field) that selects one of several scorings
    files: int = 1  # how many files are one log
    read: Callable[..., Iterable[Case] | Log] = list

    def __call__(self, read: Read) -> Read:
        assert self.name not in FORMATS, f"{self.name} is registered twice"
        FORMATS[self.name] = replace(self, read=read)
        return read

    @property
    def tool(self) -> str:
        """Who writes it, in a word."""
        return self.title.split()[0]

    @property
    def options(self) -> list[str]:
        """What its reader can be told."""
        return list(signature(self.read).parameters)[1:]


FORMATS: dict[str, Format] = {}
