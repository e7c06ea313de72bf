"""Standard input and output as they come: any encoding, closed, or a pipe that nobody reads any more."""

from __future__ import annotations

import codecs
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

ALIKE = str.maketrans(
    {
        **dict.fromkeys("−–‐─", "-"),
        **dict.fromkeys("├┤│", "|"),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        "●": "*",
        "…": "~",
        "≥": ">=",
        "≤": "<=",
        "±": "+/-",
        "≠": "!=",
        "×": "x",
        "²": "^2",
        "χ": "chi",
        "→": "->",
    }
)


def unencodable(error: UnicodeError) -> tuple[str, int]:
    """What an encoding does not have, by something like it or a question mark."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(x if x.isascii() else "?" for x in lacking.translate(ALIKE)), error.end


def prepare() -> None:
    """Let no character be a reason to fail."""
    codecs.register_error("informed.alike", unencodable)
    # What cannot be computed is NaN, with a reason on the page; how it was computed is no concern of who reads it.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"informed\.")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="informed.alike")


def say(text: str, stream: TextIO | None = None) -> None:
    """A line or more to standard output, or to another stream; where there is none, to nobody."""
    stream = stream or sys.stdout
    if stream is None:
        return
    with unheard():
        stream.write(f"{text}\n")
        stream.flush()


@contextmanager
def unheard() -> Iterator[None]:
    """Go on where the reader of our output has gone, as `head` does: nothing more is written."""
    try:
        yield
    except BrokenPipeError:
        gone = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                os.dup2(gone, stream.fileno())


class Heard(click.Group):
    """A group for which a closed pipe is no failure."""

    def make_context(  # type: ignore[no-untyped-def]
        self, info_name, args, parent=None, **extra
    ) -> click.Context:
        with unheard():
            return super().make_context(info_name, args, parent, **extra)
        raise click.exceptions.Exit(0)

    def invoke(self, ctx: click.Context) -> object:
        with unheard():
            return super().invoke(ctx)
        return None
