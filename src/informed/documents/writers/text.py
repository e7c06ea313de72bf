"""For a terminal, with colour and bars, or for a pipe, plain and greppable: the same lines."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import partial

from informed.documents.blocks import Cell, Grid, Heading, Range, Words
from informed.documents.document import Document
from informed.documents.screen import Measured, on_screen
from informed.documents.text_layout import Placed, fits, grid_lines, narrowed, wrapped
from informed.documents.writers import writer
from informed.evidence.table_text import harmless
from informed.evidence.table_text import width as columns_of

NARROWEST = 60
SCREEN = 80  # columns for which one screen is chosen: a wider one holds the same
MORE = "`text(full=True)` has all of it."
BEYOND = {1: "blue", 0: "dim", -1: "dark_orange"}  # an interval above chance, about it, below it
VERDICTS = {"informed": "blue", "guessed": "dark_orange", "worse than guessed": "dark_orange"}
STYLES = {"answer": "bold", "warning": "yellow", "note": "dim", "step": ""}

Line = tuple[tuple[str, str], ...]  # parts of a line, each with its style
Blocks = Iterable[Heading | Words | Grid]


@writer("text", suffixes=(".txt",), media="text/plain")
def text(document: Document, *, width: int = 80, colour: bool = False, full: bool = True, more: str = MORE) -> str:
    """The document as text of at most this width; it begins with the answer.

    All of it with every row, or one screen of 24 lines, which ends with what to do next and how to see `more`.
    """
    width = max(width, NARROWEST)
    body = (Words(document.said, "answer"), *document.flow(whole=True)) if full else _screen(document, width, more)
    lines = [line for block in body for line in _lines(block, width)]
    if colour:
        return coloured(lines)
    plain = ("".join(part for part, _ in line).rstrip() for line in lines)
    return "\n".join(plain).rstrip() + "\n"


def _screen(document: Document, width: int, more: str) -> Blocks:
    """What one screen shows."""
    wide = min(width, SCREEN)

    def tall(block: Words | Grid) -> int:
        return sum(any(part for part, _ in line) for line in _lines(block, wide))

    shown = on_screen(document, Measured(tall, partial(fits, width=wide), partial(narrowed, width=wide)))
    return (*shown, Words(more, "step", "More"))


def _lines(block: Heading | Words | Grid, width: int) -> Iterator[Line]:
    """A block in lines, the last one empty where something else may follow."""
    if isinstance(block, Heading):
        said = harmless(block.text)
        yield ((said, "bold" if block.depth else "bold blue"),)
        yield (("-~"[block.depth] * columns_of(said), "dim"),)
        return

    if isinstance(block, Words):
        start, style = _start(block), STYLES.get(block.kind, "")
        first, *rest = wrapped(start + block.text, width, "  " if start else "")
        yield (start, "bold"), (first[len(start) :], style)
        yield from (((line, style),) for line in rest)
        if block.kind != "step":
            yield ()
        return

    if block.caption:
        yield from (((line, "italic"),) for line in wrapped(f"{block.caption}:", width))
    yield from (tuple(_styled(x) for x in line) for line in grid_lines(block, width))
    yield ()


def _start(words: Words) -> str:
    """What stands before a sentence."""
    if words.kind == "warning":
        return "! "
    return f"{words.term}: " if words.term else ""


def _styled(placed: Placed) -> tuple[str, str]:
    """A cell with its style."""
    return placed.text, "bold" if placed.title or not placed.column else _style(placed.cell)


def _style(cell: Cell | None) -> str:
    if isinstance(cell, Range):
        return BEYOND[cell.beyond]
    return VERDICTS.get(cell, "") if isinstance(cell, str) else ""


def coloured(lines: Iterable[Line]) -> str:
    """Lines with the codes of their styles."""
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="256", highlight=False, soft_wrap=True)
    for line in lines:
        said = Text.assemble(*line)
        said.rstrip()
        console.print(said)
    return out.getvalue().rstrip("\n") + "\n"
