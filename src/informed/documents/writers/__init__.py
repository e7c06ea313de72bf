"""The formats: one module each, found by its name. A new format is a new module here.

>>> names()[:2], "json" in names()
(('text', 'csv'), True)
>>> find(".tex").name
'latex'
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from informed.errors import InformedError

if TYPE_CHECKING:
    from informed.documents.document import Document

F = TypeVar("F", bound=Callable[..., str])
AS_THEY_ARE = ("text", "csv", "json")  # which show or keep the characters of labels in ways of their own
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")  # a terminal that shows a page would obey them


@dataclass(frozen=True)
class Writer:
    """A format: what it is called, the suffixes of its files, and the function that writes it."""

    name: str
    suffixes: tuple[str, ...]
    media: str  # for a browser
    title: str  # for people
    function: Callable[..., str]

    @property
    def options(self) -> tuple[str, ...]:
        """What can be said to it beside the document."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    def __call__(self, document: Document, **options: Any) -> str:
        said = self.function(document, **options)
        return said if self.name in AS_THEY_ARE else _CONTROL.sub("�", said)


_WRITERS: dict[str, Writer] = {}


def writer(
    name: str, *, suffixes: tuple[str, ...] = (), media: str = "text/plain", title: str = ""
) -> Callable[[F], F]:
    """Registers the function under it as the writer of a format."""

    def register(function: F) -> F:
        _WRITERS[name] = Writer(name, suffixes, media, title or name.title(), function)
        return function

    return register


@cache
def names() -> tuple[str, ...]:
    """Every format, text first; asked without loading any."""
    found = {m.name for m in iter_modules(__path__)} - {"text"}
    return ("text", *sorted(found))


def every() -> tuple[Writer, ...]:
    """All formats, loaded."""
    return tuple(_loaded(name) for name in names())


def suffixes() -> dict[str, str]:
    """Which format a suffix means."""
    return {suffix: w.name for w in every() for suffix in w.suffixes}


def find(form: str) -> Writer:
    """The format of this name, or of this suffix of a file."""
    if form in names():
        return _loaded(form)
    known = suffixes()
    if form not in known:
        raise InformedError(
            f"{form!r} is no format; there are {', '.join(names())}, and the suffixes {', '.join(known)}."
        )
    return _loaded(known[form])


def _loaded(name: str) -> Writer:
    if name not in _WRITERS:
        import_module(f"{__name__}.{name}")
    return _WRITERS[name]
