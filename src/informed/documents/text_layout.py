"""Words and grids as lines of text that a terminal shows side by side: everything is measured in its columns."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from informed._numbers import unbroken
from informed.documents.blocks import PICTURE, Cell, Grid, Range
from informed.evidence.shown import shown_all
from informed.evidence.table_text import harmless, shortened
from informed.evidence.table_text import width as columns_of

BAR = 21
LEAST = 12  # columns of a first column that gives way to the others
_TYPED = re.compile("`[^`]*`")  # a command is copied as it stands
_KEPT = "\N{NO-BREAK SPACE}"


def wrapped(said: str, width: int, indent: str = "") -> list[str]:
    """A sentence in lines of this width; a number stays with its sign.

    >>> wrapped("It knows 84 % of them.", 12)
    ['It knows', '84 % of', 'them.']
    """
    lines = [""]
    flat = unbroken(harmless(" ".join(said.split())))
    for word in _TYPED.sub(lambda found: found[0].replace(" ", _KEPT), flat).split(" "):
        for part in _broken(word, width - columns_of(indent)):
            line = f"{lines[-1]} {part}" if lines[-1].strip() else f"{lines[-1]}{part}"
            if columns_of(line) > width:
                lines.append(f"{indent}{part}")
            else:
                lines[-1] = line
    return [line.replace(_KEPT, " ") for line in lines]


def _broken(word: str, width: int) -> Iterator[str]:
    """A word in parts that fit."""
    while columns_of(word) > width:
        at = next(i for i in range(len(word)) if columns_of(word[: i + 1]) > width) or 1
        yield word[:at]
        word = word[at:]
    yield word


@dataclass(frozen=True)
class Placed:
    """A cell of a line, filled up to the width of its column."""

    text: str
    column: int
    cell: Cell | None = None
    title: bool = False


def grid_lines(grid: Grid, width: int) -> Iterator[list[Placed]]:
    """Aligned columns with long names shortened; where they do not fit, several tables that repeat the first column."""
    grid = with_short_names(grid, width)
    body, widths, parts = laid_out(grid, width)
    rows: list[tuple[Cell | None, ...]] = [(None,) * len(grid.columns), *grid.rows]
    for number, chosen in enumerate(parts):
        if number:
            yield []
        for at, (line, row) in enumerate(zip(body, rows, strict=True)):
            yield [
                Placed(_aligned(line[i], widths[i], grid.columns[i].numeric, before=i > 0), i, row[i], title=not at)
                for i in chosen
            ]


def plain_lines(grid: Grid, width: int) -> list[str]:
    """The lines of a grid as text."""
    return ["".join(x.text for x in line).rstrip() for line in grid_lines(grid, width)]


def laid_out(grid: Grid, width: int) -> tuple[list[list[str]], list[int], Iterable[list[int]]]:
    """The cells as text, the widths of the columns, and which columns stand together."""
    titles = ["" if c.title == PICTURE else harmless(c.title) for c in grid.columns]
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


def with_short_names(grid: Grid, width: int) -> Grid:
    """Shorten the longest names in cells and titles until all columns stand side by side; names that differ still do.

    A grid that would not fit with short names either stays as it is.
    """
    if fits(grid, width):
        return grid
    widths = range(LEAST, width // 2 + 1)
    most = bisect_left(widths, True, key=lambda x: not fits(_capped(grid, x), width)) - 1
    if most < 0:
        return grid
    short = _capped(grid, widths[most])
    before, after = ([[c.title for c in g.columns], *zip(*g.rows, strict=True)] for g in (grid, short))
    return short if all(len(set(x)) == len(set(y)) for x, y in zip(before, after, strict=True)) else grid


def _capped(grid: Grid, widest: int) -> Grid:
    """The grid with no name in a cell, or above a column of numbers, that is wider than this."""
    titles = shown_all([c.title for c in grid.columns], widest)
    heads = [
        replace(c, title=t) if c.numeric and _is_name(c.title) else c for c, t in zip(grid.columns, titles, strict=True)
    ]
    columns = [
        shown_all(cells, widest) if not c.numeric and all(_is_name(x, first=not i) for x in cells) else cells
        for i, (c, cells) in enumerate(zip(grid.columns, zip(*grid.rows, strict=True), strict=True))
    ]
    return replace(grid, columns=tuple(heads), rows=tuple(zip(*columns, strict=True)))


def _is_name(cell: Cell, first: bool = False) -> bool:
    """Whether it may be shortened: words behind the first column or above one would lose what they say."""
    return isinstance(cell, str) and (first or " " not in cell)


def fits(grid: Grid, width: int) -> bool:
    """Whether all of its columns stand side by side."""
    return len(list(laid_out(grid, width)[2])) == 1


def narrowed(grid: Grid, width: int) -> Grid:
    """As many of its columns as stand side by side: long names are shortened, then the last columns are left out."""
    words = [i for i, c in enumerate(grid.columns) if c.title != PICTURE]
    pictures = [i for i, c in enumerate(grid.columns) if c.title == PICTURE]
    for kept in range(len(words), 1, -1):
        fewer = with_short_names(grid.only([*words[:kept], *pictures]), width)
        if fits(fewer, width):
            return fewer
    return grid.only(words[:1])


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
    return bar(cell) if isinstance(cell, Range) else harmless(str(cell))


def _aligned(cell: str, width: int, right: bool, *, before: bool) -> str:
    space, gap = " " * (width - columns_of(cell)), "  " * before
    return gap + space + cell if right else gap + cell + space


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
