"""GitHub Markdown. Labels are data: nothing in them is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from informed.documents.blocks import Block, Cell, Grid, Range, Section, Words
from informed.documents.document import Document
from informed.documents.writers import writer

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$@&])")


@writer("markdown", suffixes=(".md", ".markdown"), media="text/markdown")
def markdown(document: Document) -> str:
    """The whole document."""
    lines = [f"# {text(document.title)}", "", *head(document)]
    for section in document.body():
        lines += section_lines(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def head(document: Document) -> Iterator[str]:
    """The answer and the warnings."""
    yield f"**{text(document.said)}**"
    yield ""
    for warning in document.warnings:
        yield from block_lines(Words(warning, "warning"))


def text(said: str) -> str:
    """Words in which no character is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(said.split()))


def section_lines(section: Section, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {text(section.title)}"
    yield ""
    for block in section.blocks:
        yield from block_lines(block)
    for part in section.parts:
        yield from section_lines(part, depth + 1)


def block_lines(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        yield from _words(block)
        yield ""
    elif isinstance(block, Grid):
        yield text(block.caption) + ":"
        yield ""
        yield from _grid(block.shown().without_pictures())
        yield ""
        if block.cut:
            yield text(block.cut_note)
            yield ""


def _words(words: Words) -> Iterator[str]:
    match words.kind:
        case "warning":
            yield "> [!WARNING]"
            yield f"> {text(words.text)}"
        case "command":
            yield f"{text(words.term)}: {code(words.text)}"
        case "term":
            yield f"- **{text(words.term)}:** {text(words.text)}"
        case _:
            yield text(words.text)


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
        yield "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: Cell) -> str:
    return "" if isinstance(cell, Range) else text(cell)
