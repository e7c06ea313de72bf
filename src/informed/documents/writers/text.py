"""The report for a terminal, with colour and bars, or for a pipe, plain and greppable."""

from __future__ import annotations

import math
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from informed.documents.blocks import Block, Cell, Drawing, Grid, Picture, Range, Section, Words
from informed.documents.pages.report import document
from informed.evidence.table_text import shortened
from informed.evidence.table_text import width as columns_of
from informed.summary.report import Report

NARROWEST = 60
BAR = 21


def text(report: Report, *, width: int = 80, precision: int = 3, colour: bool = False) -> str:
    """The whole report as text of at most this width."""
    width = max(width, NARROWEST)
    if colour:
        return _coloured(report, width, precision)
    lines = [report.title, "=" * columns_of(report.title), ""]
    for section in document(report, precision=precision):
        lines += section_lines(section, width, "-")
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def show(report: Report, file: IO[str] | None = None, *, precision: int = 3) -> None:
    """Print: in colour on a terminal, plain in a pipe or with NO_COLOR."""
    file = sys.stdout if file is None else file
    terminal = file.isatty()
    size = int(os.environ.get("COLUMNS", 0)) or (_terminal_width(file) if terminal else 80)
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    file.write(text(report, width=size, precision=precision, colour=colour))


def _terminal_width(file: IO[str]) -> int:
    try:
        return os.get_terminal_size(file.fileno()).columns
    except (OSError, ValueError):
        return 80


# ---------------------------------------------------------------------- plain


def section_lines(section: Section, width: int, line: str) -> Iterator[str]:
    yield section.title
    yield line * columns_of(section.title)
    for block in section.blocks:
        yield from _block(block, width)
    for part in section.parts:
        yield from section_lines(part, width, "~")


def _block(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Words):
        start = {"warning": "! ", "term": f"{block.term}: "}.get(block.kind, "")
        indent = "  " if block.kind in ("warning", "term") else ""
        yield from _wrapped(start + block.text, width, indent)
        yield ""
    elif isinstance(block, Grid):
        yield from _wrapped(block.caption + ":", width, "")
        yield from _grid(block, width)
        yield ""
    elif isinstance(block, (Picture, Drawing)):
        return


def _wrapped(said: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        " ".join(said.split()), width, subsequent_indent=indent, break_on_hyphens=False
    ) or [""]


def _grid(grid: Grid, width: int) -> Iterator[str]:
    """Aligned columns; where they do not fit, several tables that repeat the first column."""
    keep = [i for i, c in enumerate(grid.columns) if c.title != "picture"]
    body = [[c.title for c in grid.columns], *([_plain(x) for x in row] for row in grid.rows)]
    _cut_first(body, width)
    widths = [max(columns_of(row[i]) for row in body) for i in range(len(grid.columns))]
    if "picture" in {c.title for c in grid.columns}:
        at = len(grid.columns) - 1
        total = sum(widths[i] + 2 for i in keep) + BAR
        if total <= width and any(isinstance(row[at], Range) for row in grid.rows):
            keep.append(at)
            widths[at] = BAR
            for line, row in zip(body[1:], grid.rows, strict=True):
                line[at] = bar(row[at])
            body[0][at] = ""
    for number, chosen in enumerate(_fitting(keep, widths, width)):
        if number:
            yield ""
        for line in body:
            yield "  ".join(
                _aligned(line[i], widths[i], grid.columns[i].numeric) for i in chosen
            ).rstrip()


def _cut_first(body: list[list[str]], width: int) -> None:
    """The first column takes at most half of the line."""
    for row in body:
        row[0] = shortened(row[0], width // 2)


def _fitting(keep: Sequence[int], widths: Sequence[int], width: int) -> Iterable[list[int]]:
    first, chosen, used = keep[0], [keep[0]], widths[keep[0]]
    for i in keep[1:]:
        if used + 2 + widths[i] > width and len(chosen) > 1:
            yield chosen
            chosen, used = [first], widths[first]
        chosen.append(i)
        used += 2 + widths[i]
    yield chosen


def _plain(cell: Cell) -> str:
    return "" if isinstance(cell, Range) else cell


def _aligned(cell: str, width: int, right: bool) -> str:
    space = " " * (width - columns_of(cell))
    return space + cell if right else cell + space


def bar(cell: Cell, length: int = BAR) -> str:
    """An interval drawn with characters: ├ the interval ┤, ● the value, | chance.

    >>> bar(Range(0.4, 0.5, 0.8, 0.1), 11)
    ' |  ├●──┤  '
    """
    if not isinstance(cell, Range):
        return " " * length

    def at(x: float) -> int:
        part = (x - cell.start) / (cell.end - cell.start)
        return min(max(round(part * (length - 1)), 0), length - 1)

    line = [" "] * length
    if not math.isnan(cell.chance):
        line[at(cell.chance)] = "|"
    if not math.isnan(cell.low) and not math.isnan(cell.high):
        low, high = at(cell.low), at(cell.high)
        line[low : high + 1] = ["─"] * (high - low + 1)
        line[low], line[high] = "├", "┤"
    line[at(cell.value)] = "●"
    return "".join(line)


# ---------------------------------------------------------------------- on a terminal


def _coloured(report: Report, width: int, precision: int) -> str:
    import io

    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=True, color_system="256", highlight=False
    )
    console.print(Text(report.title, style="bold underline"))

    def words(block: Words) -> None:
        style = {"answer": "bold", "warning": "yellow", "note": "dim"}.get(block.kind, "")
        start = {"warning": "! ", "term": f"{block.term}: "}.get(block.kind, "")
        said = Text()
        said.append(start, style="bold")
        said.append(" ".join(block.text.split()), style=style)
        console.print(Padding(said, (0, 0, 1, 0)))

    def grid(block: Grid) -> None:
        for line_of in _rich_parts(block, width):
            shown = RichTable(
                title=block.caption if line_of[0] else None,
                title_justify="left",
                title_style="italic",
                box=None,
                padding=(0, 2, 0, 0),
                pad_edge=False,
            )
            for i in line_of[1]:
                column = block.columns[i]
                shown.add_column(
                    "" if column.title == "picture" else Text(column.title),
                    justify="right" if column.numeric else "left",
                    header_style="bold",
                    no_wrap=True,
                )
            for row in block.rows:
                shown.add_row(*(_styled(row[i], i) for i in line_of[1]))
            console.print(Padding(shown, (0, 0, 1, 0)))

    def _styled(cell: Cell, i: int) -> Text:
        if isinstance(cell, Range):
            good = not math.isnan(cell.low) and cell.low > cell.chance
            bad = not math.isnan(cell.high) and cell.high < cell.chance
            return Text(bar(cell), style="blue" if good else "dark_orange" if bad else "dim")
        if cell in ("informed", "guessed", "worse than guessed"):
            return Text(cell, style="blue" if cell == "informed" else "dark_orange")
        return Text(shortened(cell, width // 2) if i == 0 else cell, style="bold" if i == 0 else "")

    def section(part: Section, style: str) -> None:
        console.print()
        console.print(Text(part.title, style=style))
        for block in part.blocks:
            if isinstance(block, Words):
                words(block)
            elif isinstance(block, Grid):
                grid(block)
        for inner in part.parts:
            section(inner, "bold")

    for part in document(report, precision=precision):
        section(part, "bold blue")
    return out.getvalue()


def _rich_parts(grid: Grid, width: int) -> Iterator[tuple[bool, list[int]]]:
    body = [[c.title for c in grid.columns], *([_plain(x) for x in row] for row in grid.rows)]
    _cut_first(body, width)
    widths = [max(columns_of(row[i]) for row in body) for i in range(len(grid.columns))]
    keep = [i for i, c in enumerate(grid.columns) if c.title != "picture"]
    last = len(grid.columns) - 1
    if last not in keep and sum(widths[i] + 2 for i in keep) + BAR <= width:
        keep.append(last)
        widths[last] = BAR
    for number, chosen in enumerate(_fitting(keep, widths, width)):
        yield number == 0, chosen
