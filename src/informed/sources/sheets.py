"""Excel sheets: rows of Python values, at most a million of them, counted as they come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from math import floor, inf
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.sources.conditions import Condition, kept
from informed.sources.engine import LARGEST, MOST_GROUPS, Bins, Engine, Name, Names, Row, Span, as_number, check_columns
from informed.sources.paths import Files, shortly


class SheetEngine(Engine):
    """The rows of one sheet; cells keep the type that they have in the sheet."""

    most_exact = 2.0**53  # every number is a float

    def __init__(self, files: Files, sheet: str | None = None, asked: Sequence[Condition] = ()) -> None:
        self.shown = files.shown
        self.ordered = len(files.names) == 1 and not asked
        self.rows: list[Row] = []
        self.columns: list[Name] = []
        for name in files.names:
            columns, rows = _sheet(files, name, sheet)
            if self.columns and columns != self.columns:
                raise SourceError(f"The sheets of {self.shown} have different columns.")
            self.columns = columns
            check_columns([c.column for c in asked], columns, self.shown)
            self.rows += kept(rows, columns, asked)

    def names(self) -> Names:
        return self.columns

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        """Cells are compared as they are, so a number and its text are two."""
        at = [self.columns.index(key) for key in keys]
        groups: dict[Row, list[Row]] = defaultdict(list)
        for row in self.rows:
            groups[tuple(row[i] for i in at)].append(row)
        return [(*key, *self._sums(rows, weights)) for key, rows in groups.items()]

    def listed(self, keys: Names) -> list[Row]:
        at = [self.columns.index(key) for key in keys]
        return [tuple(row[i] for i in at) for row in self.rows]

    def span(self, score: Name) -> Span:
        numbers = {x for row in self.grouped([score]) if (x := as_number(row[0])) is not None}
        finite = [x for x in numbers if abs(x) <= LARGEST]
        return Span(min(finite, default=None), max(finite, default=None), len(numbers))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        """Every score is a row of its own here: equal bins are added by whoever counts them."""
        rows, k = [], len(keys)
        for row in self.grouped([*keys, score], weights):
            x = as_number(row[k])
            place, odd = None, row[k]
            if x is not None and abs(x) <= LARGEST:
                place, odd = min(floor((x - bins.low) * bins.scale), bins.last), None
            rows.append((*row[:k], place, odd, *row[k + 1 :], row[k], row[k]))
        return rows

    def _sums(self, rows: list[Row], weights: Name | None) -> Row:
        if weights is None:
            return (len(rows),)
        place = self.columns.index(weights)
        held = [w for row in rows if (w := as_number(row[place])) is not None]
        return len(rows), sum(held), sum(w * w for w in held), min(held, default=inf), len(held)


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
        raise SourceError(f"{name} is no whole Excel file ({shortly(error)}).") from None
    if not rows:
        raise SourceError(f"{name} is empty; a header and at least one row are needed.")
    return list(rows[0]), [row for row in rows[1:] if any(x is not None for x in row)]
