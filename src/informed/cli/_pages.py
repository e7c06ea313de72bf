"""What commands that end in a page share: writing it, and the gates' exit code."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from informed.cli._options import on_terminal, written

if TYPE_CHECKING:
    from informed.documents.page import Page

PIPE = 10_000  # columns where nobody looks: one line a sentence and a row, to search in


def show(page: Page, form: str, output: str | None) -> None:
    """Write a page in a format, to a file or to standard output."""
    page = replace(page, command=shlex.join(["informed", *sys.argv[1:]]))
    if form == "text":
        width = shutil.get_terminal_size().columns if output is None and on_terminal() else PIPE
        text = page.text(width=width)
    else:
        text = page.written_as(form)
    written(text.rstrip("\n"), output)
