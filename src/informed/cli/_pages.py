"""What commands that end in a page share: writing it, and the gates' exit code."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import FULL, asked_terms, written
from informed.cli._wording import speaker

if TYPE_CHECKING:
    from informed.documents.document import Document

MORE = "--full shows all of it; -o page.html writes it as a page with pictures."
MORE_SAID = "informed.more"  # where a command keeps what else is said on its page
MOST_LINES = 50  # of gates that do not hold
PIPE = 10_000  # columns where nobody looks: one line a sentence and a row, to search in


def typed() -> str:
    """The command as it was typed, to make the page again."""
    return shlex.join(["informed", *sys.argv[1:]])


def named(document: Document, file: str) -> Document:
    """The same, whose title says of which file it is."""
    from informed.sources.paths import shown_as
    from informed.summary.titles import with_data

    return replace(document, title=with_data(document.title, [shown_as(file)]))


def show(document: Document, form: str, output: str | None, *, annotate: bool = False) -> None:
    """Write a document in a format, to a file or to standard output; exit 1 where a gate fails, and 3
    where none does and one is undecided, or none was checked, as too many cases are not there."""
    from informed.documents.writers.github import error_lines, uncommanded

    asked = click.get_current_context()
    document = asked.meta.get(MORE_SAID, lambda x: x)(document).unfinished_first()
    document = replace(document, command=document.command or typed()).worded(speaker(asked.command))
    document = document.in_terms(asked_terms())
    options: dict[str, Any] = {}
    if form == "text" and output in (None, "-"):
        options = {**seen(), "full": asked.meta.get(FULL, False), "more": MORE}
    said = document.write(form, **options).rstrip("\n")
    said = uncommanded(said) if annotate and output in (None, "-") else said
    written(said, output, styled=options.get("colour", False))

    failed = [gate for gate in document.gates if not gate]
    lines = [uncommanded(gate.said) if annotate else gate.said for gate in failed]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"{len(lines) - MOST_LINES:,} more gates do not hold; JSON and JUnit have all of them."]
    for line in (*lines, *(islice(error_lines(failed), MOST_LINES) if annotate else ())):
        click.echo(line, err=True)
    if failed:
        sys.exit(3 if all(gate.open for gate in failed) else 1)


def seen() -> dict[str, Any]:
    """How text looks where it goes: the width of the terminal and colour; one line a row in a pipe.

    COLUMNS and NO_COLOR are heard.
    """
    terminal = sys.stdout is not None and sys.stdout.isatty()
    quiet = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    width = shutil.get_terminal_size((PIPE, 24) if not terminal else (100, 24)).columns
    return {"width": width, "colour": terminal and not quiet}
