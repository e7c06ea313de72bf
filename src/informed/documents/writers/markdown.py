"""The report as GitHub Markdown. Labels are data: nothing in them is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from informed.documents.blocks import Block, Cell, Grid, Range, Section, Words
from informed.documents.pages.report import document
from informed.summary.report import Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$@&])")


def markdown(report: Report, *, precision: int = 3) -> str:
    """The whole report."""
    lines = [f"# {text(report.title)}", ""]
    for section in document(report, precision=precision):
        lines += section_lines(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def text(said: str) -> str:
    """Words in which no character is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(said.split()))


def section_lines(section: Section, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {text(section.title)}"
    yield ""
    for block in section.blocks:
        yield from _block(block)
    for part in section.parts:
        yield from section_lines(part, depth + 1)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Words):
        if block.kind == "answer":
            yield f"**{text(block.text)}**"
        elif block.kind == "warning":
            yield "> [!WARNING]"
            yield f"> {text(block.text)}"
        elif block.kind == "term" and block.term == "This page again":
            yield f"This page again: {code(block.text)}"
        elif block.kind == "term":
            yield f"- **{text(block.term)}:** {text(block.text)}"
        else:
            yield text(block.text)
        yield ""
    elif isinstance(block, Grid):
        yield text(block.caption) + ":"
        yield ""
        yield from grid(block)
        yield ""


def code(said: str) -> str:
    """Words as code, with as many backticks as they need."""
    flat = " ".join(said.split())
    ticks = "`" * (max((len(x) for x in re.findall("`+", flat)), default=0) + 1)
    space = " " if ticks != "`" else ""
    return f"{ticks}{space}{flat}{space}{ticks}"


def grid(block: Grid) -> Iterator[str]:
    keep = [i for i, c in enumerate(block.columns) if c.title != "picture"]
    yield "| " + " | ".join(text(block.columns[i].title) for i in keep) + " |"
    yield "|" + "|".join("---:" if block.columns[i].numeric else "---" for i in keep) + "|"
    for row in block.rows:
        yield "| " + " | ".join(_cell(row[i]) for i in keep) + " |"


def _cell(cell: Cell) -> str:
    return "" if isinstance(cell, Range) else text(cell)
