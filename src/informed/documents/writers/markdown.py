"""GitHub Markdown. Labels are data: nothing in them is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from informed._numbers import unbroken
from informed.documents.blocks import Grid, Heading, Words
from informed.documents.document import Document
from informed.documents.writers import writer

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$@&])")


@writer("markdown", suffixes=(".md", ".markdown"), media="text/markdown")
def markdown(document: Document) -> str:
    """The whole document."""
    lines = [f"# {text(document.title)}", "", f"**{sentences(document.said)}**", ""]
    for block in document.flow():
        lines += [*block_lines(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def text(said: str) -> str:
    """Words in which no character is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(said.split()))


def sentences(said: str) -> str:
    """The same, where no line ends inside a number."""
    return _SPECIAL.sub(r"\\\1", unbroken(" ".join(said.split())))


def block_lines(block: Heading | Words | Grid) -> list[str]:
    match block:
        case Heading():
            return [f"{'#' * (block.depth + 2)} {text(block.text)}"]
        case Grid():
            return [f"{sentences(block.caption)}:", "", *_grid(block.without_pictures())]
        case Words(kind="warning"):
            return ["> [!WARNING]", f"> {sentences(block.text)}"]
        case Words(kind="command"):
            return [f"{text(block.term)}: {code(block.text)}"]
        case Words(kind="term"):
            return [f"- **{text(block.term)}:** {sentences(block.text)}"]
        case Words():
            return [sentences(block.text)]


def code(said: str) -> str:
    """Words as code, with as many backticks as they need."""
    flat = " ".join(said.split())
    ticks = "`" * (max((len(x) for x in re.findall("`+", flat)), default=0) + 1)
    space = " " if ticks != "`" else ""
    return f"{ticks}{space}{flat}{space}{ticks}"


def _grid(block: Grid) -> Iterator[str]:
    yield "| " + " | ".join(text(c.title) for c in block.columns) + " |"
    yield "|" + "|".join("---:" if c.numeric else "---" for c in block.columns) + "|"
    for row in block.rows:
        yield "| " + " | ".join(text(str(x)) for x in row) + " |"
