"""Sentences, grids and pictures: what every format can write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from informed._numbers import rate, span
from informed.documents.charts.chart import Chart
from informed.evidence.shown import shown
from informed.summary.report import Estimate

Kind = Literal["answer", "warning", "plain", "note", "term"]


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


@dataclass(frozen=True)
class Column:
    title: str
    numeric: bool = True


Cell = str | Range


@dataclass(frozen=True)
class Grid:
    """Rows and columns, with a caption that says what they are."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    key: str = ""
    sums: int = 0  # how many rows at the end are sums of those above


@dataclass(frozen=True)
class Picture:
    """A figure, drawn by `figures` in formats that have pictures."""

    name: str


@dataclass(frozen=True)
class Drawing:
    """A picture that draws itself, asked for only by formats that have pictures."""

    title: str
    draw: Callable[[str], str]  # from the key of its ids to markup; empty: there is none
    caption: bool = False  # whether the title stands under it, for all to read


def drawing(title: str, chart: Chart | None, *, caption: bool = False) -> Drawing:
    """A chart as a block; None draws nothing."""
    return Drawing(title, chart.svg if chart else lambda _: "", caption)


Block = Words | Grid | Picture | Drawing


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    blocks: tuple[Block, ...]
    parts: tuple[Section, ...] = ()


def columns(*titles: str) -> tuple[Column, ...]:
    """The first column is text; a title that ends in "|" is text too."""
    return tuple(
        Column(x.rstrip("|"), numeric=i > 0 and not x.endswith("|")) for i, x in enumerate(titles)
    )


def label(x: Any, widest: int = 24) -> str:
    return shown(x, widest)


def sentence(said: str) -> str:
    """With a capital and a full stop."""
    said = said.strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"


def with_span(e: Estimate, precision: int) -> str:
    return f"{rate(e.value, precision)} {span(e.low, e.high, precision)}".strip()
