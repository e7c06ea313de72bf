"""For a terminal, with colour and bars, or for a pipe, plain and greppable."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from informed.documents.blocks import PICTURE, Cell, Grid, Heading, Range, Words
from informed.documents.document import Document
from informed.documents.writers import writer
from informed.evidence.table_text import shortened
from informed.evidence.table_text import width as columns_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

NARROWEST = 60
BAR = 21
BELOW = (0, 0, 1, 0)  # an empty line


@writer("text", suffixes=(".txt",), media="text/plain")
def text(document: Document, *, width: int = 80, colour: bool = False) -> str:
    """The whole document as text of at most this width; it begins with the answer."""
    width = max(width, NARROWEST)
    if colour:
        return _coloured(document, width)

    lines = [*_wrapped(document.said, width), ""]
    for block in document.flow():
        lines += _block(block, width)
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


# ---------------------------------------------------------------------- plain


def _block(block: Heading | Words | Grid, width: int) -> list[str]:
    if isinstance(block, Heading):
        return [block.text, "-~"[block.depth] * columns_of(block.text)]
    if isinstance(block, Words):
        return [*_wrapped(_start(block) + block.text, width, "  " if _start(block) else ""), ""]
    return [*_wrapped(block.caption + ":", width), *grid_lines(block, width), ""]


def _start(words: Words) -> str:
    """What stands before a sentence."""
    if words.kind == "warning":
        return "! "
    return f"{words.term}: " if words.term else ""


def _wrapped(said: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(" ".join(said.split()), width, subsequent_indent=indent, break_on_hyphens=False) or [""]


def grid_lines(grid: Grid, width: int) -> Iterator[str]:
    """Aligned columns; where they do not fit, several tables that repeat the first column."""
    body, widths, parts = _laid_out(grid, width)
    for number, chosen in enumerate(parts):
        if number:
            yield ""
        for line in body:
            yield "  ".join(_aligned(line[i], widths[i], grid.columns[i].numeric) for i in chosen).rstrip()


def _laid_out(grid: Grid, width: int) -> tuple[list[list[str]], list[int], Iterable[list[int]]]:
    """The cells as text, the widths of the columns, and which columns stand together."""
    titles = ["" if c.title == PICTURE else c.title for c in grid.columns]
    body = [titles, *([_plain(x) for x in row] for row in grid.rows)]
    for row in body:  # the first column takes at most half of the line
        row[0] = shortened(row[0], width // 2)

    keep = [i for i, c in enumerate(grid.columns) if c.title != PICTURE]
    widths = [max(columns_of(row[i]) for row in body) for i in range(len(grid.columns))]
    room = sum(widths[i] + 2 for i in keep) + BAR <= width
    if room and any(isinstance(row[-1], Range) for row in grid.rows):
        keep.append(len(grid.columns) - 1)
        widths[-1] = BAR
    return body, widths, _fitting(keep, widths, width)


def _fitting(keep: Sequence[int], widths: Sequence[int], width: int) -> Iterator[list[int]]:
    first, chosen, used = keep[0], [keep[0]], widths[keep[0]]
    for i in keep[1:]:
        if used + 2 + widths[i] > width and len(chosen) > 1:
            yield chosen
            chosen, used = [first], widths[first]
        chosen.append(i)
        used += 2 + widths[i]
    yield chosen


def _plain(cell: Cell) -> str:
    return bar(cell) if isinstance(cell, Range) else str(cell)


def _aligned(cell: str, width: int, right: bool) -> str:
    space = " " * (width - columns_of(cell))
    return space + cell if right else cell + space


def bar(cell: Range, length: int = BAR) -> str:
    """An interval drawn with characters: ├ the interval ┤, ● the value, | chance.

    >>> bar(Range(0.4, 0.5, 0.8, 0.1), 11)
    ' |  ├●──┤  '
    """

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


def _coloured(document: Document, width: int) -> str:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system="256", highlight=False)
    console.print(Padding(Text(document.said, style="bold"), BELOW))
    for block in document.flow():
        console.print(*_rich(block, width), sep="")
    return out.getvalue()


def _rich(block: Heading | Words | Grid, width: int) -> Iterator[RenderableType]:
    """A block as rich prints it."""
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    if isinstance(block, Heading):
        yield Text(f"\n{block.text}", style="bold" if block.depth else "bold blue")
        return
    if isinstance(block, Words):
        style = {"warning": "yellow", "note": "dim"}.get(block.kind, "")
        yield Padding(Text.assemble((_start(block), "bold"), (" ".join(block.text.split()), style)), BELOW)
        return

    body, _, parts = _laid_out(block, width)
    look: dict[str, Any] = {"title_justify": "left", "title_style": "italic", "box": None, "pad_edge": False}
    for number, chosen in enumerate(parts):
        shown = RichTable(title=None if number else block.caption, padding=(0, 2, 0, 0), **look)
        for i in chosen:
            side: Any = "right" if block.columns[i].numeric else "left"
            shown.add_column(Text(body[0][i]), justify=side, header_style="bold", no_wrap=True)
        for row, line in zip(block.rows, body[1:], strict=True):
            shown.add_row(*(_styled(row[i], line[i], i) for i in chosen))
        yield Padding(shown, BELOW)


def _styled(cell: Cell, said: str, i: int) -> Text:
    from rich.text import Text

    if isinstance(cell, Range):
        return Text(said, style={1: "blue", 0: "dim", -1: "dark_orange"}[cell.beyond])
    if cell in ("informed", "guessed", "worse than guessed"):
        return Text(said, style="blue" if cell == "informed" else "dark_orange")
    return Text(said, style="bold" if i == 0 else "")
