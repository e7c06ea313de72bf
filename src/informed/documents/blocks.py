"""Sentences, grids and pictures: what every format can write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from informed._numbers import MISSING, count, pvalue_text, rate, signed, span
from informed.documents.charts.chart import Chart, Panels
from informed.evidence.shown import shown, shown_all
from informed.evidence.table import Table
from informed.evidence.table_text import width as columns_of
from informed.results import Kind as Reading
from informed.results import Records
from informed.summary.parts import Estimate

T = TypeVar("T")
PICTURE = "picture"  # the title of a column of intervals to be drawn
WIDEST_LIST = 44  # columns of a list in a grid that is read as text
TEXTUAL = ("label", "words", "flag")  # kinds that stand to the left
Kind = Literal["answer", "warning", "plain", "note", "term", "command", "step"]


@dataclass(frozen=True)
class Words:
    """A sentence or two."""

    text: str
    kind: Kind = "plain"
    term: str = ""  # what the sentence is about, for a list of terms


@dataclass(frozen=True)
class Range:
    """An interval to be drawn: in a terminal as a bar, in a page as a line."""

    low: float
    value: float
    high: float
    chance: float
    start: float = 0.0
    end: float = 1.0

    @property
    def beyond(self) -> int:
        """1 where all of it is above chance, −1 where all of it is below, else 0."""
        return int(self.low > self.chance) - int(self.high < self.chance)


@dataclass(frozen=True)
class GridColumn:
    title: str
    numeric: bool = True


@dataclass(frozen=True)
class Spanned:
    """A number with its interval, which stands beside it in smaller letters where there are such."""

    value: str
    span: str

    def __str__(self) -> str:
        return f"{self.value} {self.span}".strip()


@dataclass(frozen=True)
class Listed:
    """Several short texts: a page has all of them, a line as many as `WIDEST_LIST` columns hold."""

    items: tuple[str, ...]

    def __str__(self) -> str:
        said, *rest = map(shown, self.items)
        for one in rest:
            if columns_of(f"{said}, {one}, …") > WIDEST_LIST:
                return f"{said}, …"
            said += f", {one}"
        return said


Cell = str | Range | Spanned | Listed


@dataclass(frozen=True)
class Grid:
    """Rows and columns, with a caption that says what they are."""

    caption: str
    columns: tuple[GridColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sums: int = 0  # how many rows at the end are sums of those above
    folded: bool = False  # a picture shows it already: where things fold, it is behind a line
    sortable: bool = False
    cut: tuple[int, ...] = ()  # the rows that formats to be read at a glance show; () is all
    cut_words: str = ""  # which rows those are
    anchors: tuple[str, ...] = ()  # of each row what leads to it within its section; () where nothing does
    positive: int = 0  # of a table of two classes, the place of the positive one; diagnosticians write it first
    among: int = 0  # how many rows there would be, where the grid itself holds only some

    def shown(self) -> Grid:
        """The grid as it is read at a glance."""
        if not self.cut:
            return self
        return replace(self, rows=tuple(self.rows[i] for i in self.cut), anchors=(), cut=())

    @property
    def cut_note(self) -> str:
        """What a reader of the shown rows must know."""
        if self.among:
            return f"{self.cut_words} of {self.among:,}; JSON and CSV hold all."
        hold = "JSON" if self.anchors else "JSON, CSV"
        return f"{self.cut_words} of {len(self.rows):,}; {hold} and the HTML page hold all."

    def without_pictures(self) -> Grid:
        """Its columns of words and numbers."""
        return self.only([i for i, c in enumerate(self.columns) if c.title != PICTURE])

    def only(self, places: Sequence[int]) -> Grid:
        """The columns at these places."""
        heads = tuple(self.columns[i] for i in places)
        return replace(self, columns=heads, rows=tuple(tuple(row[i] for i in places) for row in self.rows))


@dataclass(frozen=True)
class Drawing:
    """A picture that draws itself, asked for only by formats that have pictures."""

    title: str
    draw: Callable[[str], str]  # from the key of its ids to markup; empty: there is none
    caption: bool = False  # whether the title stands under it, for all to read
    chart: Callable[[], Chart | Panels | None] | None = None  # where a chart is all that it draws


def drawing(title: str, chart: Chart | Callable[[], Chart | Panels | None] | None, *, caption: bool = False) -> Drawing:
    """A chart as a block, or what makes it when it is wanted; None draws nothing."""

    def made() -> Chart | Panels | None:
        return chart() if callable(chart) else chart

    def draw(key: str) -> str:
        found = made()
        return found.svg(key) if found else ""

    return Drawing(title, draw, caption, made)


Block = Words | Grid | Drawing
Seen = Words | Grid
Glance = tuple[Seen | tuple[Seen, ...], ...]  # what one screen shows; of alternatives the first that fits


@dataclass(frozen=True)
class Heading:
    """The title over a section, or (depth 1) over a part of one."""

    text: str
    depth: int


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    blocks: tuple[Block, ...]
    parts: tuple[Section, ...] = ()
    brief: str = ""  # of a part: what is seen of it while it is folded

    def flow(self, depth: int = 0, *, whole: bool = False) -> Iterator[Heading | Words | Grid]:
        """Its title, what is read of its blocks, and its parts in their order; of `whole` grids every row."""
        yield Heading(self.title, depth)
        for block in self.blocks:
            yield from glanced(block, whole=whole)
        for part in self.parts:
            yield from part.flow(depth + 1, whole=whole)


def glanced(block: Block, *, whole: bool = False) -> Iterator[Words | Grid]:
    """A block as it is read at a glance, where nothing is drawn: a long grid is cut, and says so, if not `whole`."""
    if isinstance(block, Words) or (whole and isinstance(block, Grid)):
        yield block
    elif isinstance(block, Grid):
        yield block.shown()
        if block.cut:
            yield Words(block.cut_note, "note")


@dataclass(frozen=True)
class Card:
    """A number that matters most: its name, the number, its interval in words and as a picture."""

    name: str
    value: str
    words: str = ""
    range: Range | None = None


def columns(*titles: str | GridColumn) -> tuple[GridColumn, ...]:
    """The first column is text; a title of ours that ends in "|" is text too. A label comes as a `GridColumn`."""
    return tuple(
        x if isinstance(x, GridColumn) else GridColumn(x.rstrip("|"), numeric=i > 0 and not x.endswith("|"))
        for i, x in enumerate(titles)
    )


def named_by(labels: Iterable[Any]) -> list[GridColumn]:
    """A column of numbers for each of these labels, whatever they look like."""
    return [GridColumn(x) for x in shown_all(list(labels))]


def label(x: Any, widest: int = 24) -> str:
    return shown(x, widest)


READINGS: dict[Reading, Callable[[Any, int], str]] = {
    "label": lambda x, _: label(x, 40),
    "words": lambda x, _: str(x),
    "number": lambda x, precision: rate(float(x), precision),
    "signed": lambda x, precision: signed(float(x), precision),
    "amount": lambda x, _: f"{x:.6g}" if x == x else MISSING,
    "count": lambda x, _: count(float(x)),
    "p": lambda x, _: pvalue_text(float(x)),
    "flag": lambda x, _: "yes" if x else "no",
}


def reading(x: Any, kind: Reading, precision: int = 3) -> str:
    """A value of a record as a person reads it."""
    return "" if x is None else READINGS[kind](x, precision)


def grid_of(
    held: Records,
    caption: str,
    *names: str,
    titles: Mapping[str, str] | None = None,
    precision: int = 3,
    pictures: Sequence[Range | str] | None = None,
) -> Grid:
    """Records as a grid: these columns (or all), read by their kinds, with pictures beside them."""
    chosen = held.select(*names) if names else held
    titles = titles or {}
    heads = [GridColumn(titles.get(c.name, c.name.replace("_", " ")), c.kind not in TEXTUAL) for c in chosen.columns]
    kinds = [c.kind for c in chosen.columns]
    rows: list[tuple[Cell, ...]] = [
        tuple(reading(x, kind, precision) for x, kind in zip(row, kinds, strict=True)) for row in chosen.rows
    ]

    if pictures is not None:
        heads.append(GridColumn(PICTURE))
        rows = [(*row, drawn) for row, drawn in zip(rows, pictures, strict=True)]
    return Grid(caption, tuple(heads), tuple(rows))


def table(caption: str, items: Iterable[T], cells: Mapping[str, Callable[[T], Cell]], **more: Any) -> Grid:
    """A grid of things: what each column says of each of them, by its title (see `columns`)."""
    return Grid(caption, columns(*cells), tuple(tuple(cell(item) for cell in cells.values()) for item in items), **more)


def rows_of(caption: str, titles: Sequence[str | GridColumn], rows: Iterable[Iterable[Cell]], **more: Any) -> Grid:
    """A grid of rows under titles (see `columns`)."""
    return Grid(caption, columns(*titles), tuple(map(tuple, rows)), **more)


def cross(
    caption: str,
    corner: str,
    across: Iterable[Any],
    down: Iterable[Any],
    cells: Iterable[Iterable[T]],
    said: Callable[[T], str],
    **more: Any,
) -> Grid:
    """A grid with a cell for every two labels; `corner` says what they are."""
    heads = shown_all(list(down))
    rows = tuple((x, *map(said, row)) for x, row in zip(heads, cells, strict=True))
    return Grid(caption, columns(corner, *named_by(across)), rows, **more)


def place_of_positive(t: Table) -> int:
    """Of a table of two classes, where its positive one stands; 0 where there is none."""
    two = len(t.real_labels) == len(t.predicted_labels) == 2 and t.positive is not None
    return t.real_labels.index(t.positive) if two else 0


def listing_of(held: Records, caption: str, titles: Mapping[str, str] | None = None) -> Grid:
    """Records as a grid of what differs between them; a single one as a list of its fields."""
    if len(held) != 1:
        alike = [c.name for c in held.columns if c.kind == "words" and len(set(held[c.name])) < 2]
        chosen = [x for x in held.names if x not in (*alike, "level")]
        return glimpse(grid_of(held, caption, *chosen, titles=titles))
    grid = grid_of(held, caption, titles=titles)
    rows = tuple((c.title, x) for c, x in zip(grid.columns, grid.rows[0], strict=True) if x)
    return Grid(caption, columns("what", "value|"), rows)


def glimpse(grid: Grid, most: int = 20) -> Grid:
    """A long grid, of which some rows spread evenly are read at a glance."""
    n = len(grid.rows)
    if n <= most:
        return grid
    rows = tuple(round(i * (n - 1) / (most - 1)) for i in range(most))
    return replace(grid, cut=rows, cut_words=f"{most} rows")


def sentence(said: str) -> str:
    """With a capital and a full stop."""
    said = said.strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"


def with_span(e: Estimate, precision: int = 3) -> Spanned:
    return Spanned(rate(e.value, precision), span(e.low, e.high, precision))
