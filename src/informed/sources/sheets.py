"""Excel sheets: rows of Python values, at most a million of them, counted as they come."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from math import floor, inf
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.sources.engine import LARGEST, MOST_GROUPS, Bins, Engine, Name, Names, Row, Span, as_number
from informed.sources.paths import Files

Numbers = list[float | None]


class SheetEngine(Engine):
    """The rows of one sheet; cells keep the type that they have in the sheet."""

    def __init__(self, files: Files, sheet: str | None = None) -> None:
        self.shown = files.shown
        self.rows: list[Row] = []
        self.columns: list[Name] = []
        for name in files.names:
            columns, rows = _sheet(files, name, sheet)
            if self.columns and columns != self.columns:
                raise SourceError(f"The sheets of {self.shown} have different columns.")
            self.columns = columns
            self.rows += rows

    def names(self) -> Names:
        return self.columns

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        groups = self._groups([self._column(key) for key in keys])
        return [(*key, *self._sums(at, weights)) for key, at in groups.items()]

    def span(self, score: Name) -> Span:
        numbers = {x for x in self._numbers(score) if x is not None}
        finite = [x for x in numbers if abs(x) <= LARGEST]
        return Span(min(finite, default=None), max(finite, default=None), len(numbers))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        scores = self._numbers(score)
        place: Numbers = []
        odd: Numbers = []
        for x in scores:
            fine = x is not None and abs(x) <= LARGEST
            place.append(min(floor((x - bins.low) * bins.scale), bins.last) if fine and x is not None else None)
            odd.append(None if fine else x)
        rows: list[Row] = []
        for key, at in self._groups([*map(self._column, keys), place, odd]).items():
            held = [x for i in at if (x := scores[i]) is not None]
            ends = min(held, default=None), max(held, default=None)
            rows.append((*key, *self._sums(at, weights), *ends))
        return rows

    def _column(self, name: Name) -> list[Any]:
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def _numbers(self, name: Name) -> Numbers:
        return [as_number(x) for x in self._column(name)]

    def _groups(self, columns: list[list[Any]]) -> dict[Row, list[int]]:
        """The rows of each combination of values."""
        found: dict[Row, list[int]] = defaultdict(list)
        for i, key in enumerate(zip(*columns, strict=True)):
            found[key].append(i)
        return found

    def _sums(self, at: list[int], weights: Name | None) -> Row:
        if weights is None:
            return (len(at),)
        place = self.columns.index(weights)
        held = [w for i in at if (w := as_number(self.rows[i][place])) is not None]
        squares = sum(w * w for w in held)
        return len(at), sum(held), squares, min(held, default=inf), len(held)


def _sheet(files: Files, name: str, sheet: str | None) -> tuple[list[Name], list[Row]]:
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError:
        raise MissingExtra('Excel files need openpyxl: pip install "informed[excel]"') from None
    try:
        with files.open(name) as stream:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            if sheet is not None and sheet not in book.sheetnames:
                raise SourceError(f"{name} has no sheet {sheet!r}; it has {', '.join(book.sheetnames)}.")
            rows = list((book[sheet] if sheet else book.worksheets[0]).iter_rows(values_only=True))
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(f"{name} is no whole Excel file ({error}).") from None
    if not rows:
        raise SourceError(f"{name} is empty; a header and at least one row are needed.")
    return list(rows[0]), [row for row in rows[1:] if any(x is not None for x in row)]
