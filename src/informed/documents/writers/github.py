"""The step summary of a GitHub action: the answer, what matters, and the rest folded away."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from informed.documents.blocks import Words, glanced
from informed.documents.document import Document
from informed.documents.writers import writer
from informed.documents.writers.markdown import block_lines, markdown, sentences, text
from informed.results import Gate, Written

_COMMAND = re.compile(r"^[^\S\n]*::|##\[", re.MULTILINE)
FIRST = {"groups", "measures", "gates"}  # sections that are not folded; else the first one


@writer("github", media="text/markdown", title="GitHub")
def summary(document: Document) -> str:
    """Markdown with the answer, the warnings and the main tables first."""
    lines = [f"## {text(document.title)}", "", f"**{sentences(document.said)}**", ""]
    for warning in document.warnings:
        lines += [*block_lines(Words(warning, "warning")), ""]
    body = document.body()
    for section in [s for s in body if s.key in FIRST] or body[:1]:
        main = [x for x in section.blocks if not (isinstance(x, Words) and x.kind == "note")]
        for block in chain.from_iterable(map(glanced, main)):
            lines += [*block_lines(block), ""]

    lines += ["<details><summary>The whole report</summary>", ""]
    lines += [markdown(document), "</details>"]
    return "\n".join(lines) + "\n"


def to_step_summary(what: Written, **options: object) -> Path | None:
    """Append to the file that GITHUB_STEP_SUMMARY names; None where there is none."""
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return None
    path = Path(name)
    with path.open("a", encoding="utf-8") as file:
        file.write(what.github(**options))
    return path


def error_lines(gates: Iterable[Gate]) -> Iterator[str]:
    """A line for each gate that does not hold: GitHub shows one that fails as an error of the run, and an undecided
    one as a warning.

    >>> list(error_lines([Gate("informedness", False, "Informedness is 0.1:\\nlow.")]))
    ['::error title=informedness::Informedness is 0.1:%0Alow.']
    >>> list(error_lines([Gate("informedness", False, "Nobody knows.", verdict="undecided")]))
    ['::warning title=informedness::Nobody knows.']
    """
    for gate in gates:
        if not gate:
            kind = "warning" if gate.verdict == "undecided" and gate.open else "error"
            yield f"::{kind} title={_escaped(gate.name, ':,')}::{_escaped(gate.sentence)}"


def uncommanded(said: str) -> str:
    """The same lines, of which none is a command to a GitHub action: a space of no width goes before.

    >>> uncommanded("::stop-commands::x\\nof ::error") == "\u200b::stop-commands::x\\nof ::error"
    True
    """
    return _COMMAND.sub("\u200b\\g<0>", said)


def _escaped(said: str, more: str = "") -> str:
    """Data of a workflow command: nothing in it ends the line or begins another."""
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{more}" else c for c in said)
