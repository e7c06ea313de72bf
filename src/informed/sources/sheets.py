"""Excel sheets: rows of Python values, at most a million of them, counted as they come."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from math import floor, inf
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.sources.conditions import Condition, kept
from informed.sources.engine import LARGEST, MOST_GROUPS, Bins, Engine, Name, Names, Row, Span, as_number, check_columns
from informed.sources.paths import Files, shortly

MOST_WALKED = 500_000_000  # cells of a sheet that are looked at where hardly any holds a value
MOST_KEPT = 20_000_000  # and cells of those rows that hold one
SPARSEST = 100  # of so many cells at least one holds a value in a sheet of that size


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


def _check_sheets(files: Files, name: str) -> None:
    """Refuse a zip of anything else, before a package for Excel is asked for."""
    try:
        with files.open(name) as stream, zipfile.ZipFile(stream) as archive:
            held = archive.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return  # damaged: openpyxl says how
    if any(member.startswith("xl/") for member in held):
        return
    said = f"{name} is a zip archive and not an Excel file; its files have to be unpacked first."
    if {"header.json", "_journal/start.json"} & {*held}:
        said = f"{name} is an evaluation log of Inspect AI and has no columns; `informed report {name}` reads it."
    raise SourceError(said)


def _sheet(files: Files, name: str, sheet: str | None) -> tuple[list[Name], list[Row]]:
    _check_sheets(files, name)
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError:
        raise MissingExtra('Excel files need openpyxl: pip install "informed[excel]"') from None
    try:
        with files.open(name) as stream:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            if sheet is not None and sheet not in book.sheetnames:
                raise SourceError(f"{name} has no sheet {sheet!r}; it has {', '.join(book.sheetnames)}.")
            columns, rows = _table(book[sheet] if sheet else book.worksheets[0], name)
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(f"{name} is no whole Excel file ({shortly(error)}).") from None
    if not columns and not rows:
        raise SourceError(f"{name} is empty; a header and at least one row are needed.")
    return columns, rows


def _table(sheet: Any, name: str) -> tuple[list[Name], list[Row]]:
    """Return the header and the rows below it that hold anything, as wide as the header.

    The size that a sheet states of itself is often wrong, so that its cells are read until they end. One cell in the
    last row or column makes the sheet large, and the space between is never built: missing rows are skipped, and
    cells to the right of the header belong to no column.
    """
    sheet.reset_dimensions()
    columns = list(next(sheet.iter_rows(max_row=1, values_only=True), ()))
    while columns and columns[-1] is None:
        columns.pop()

    rows: list[Row] = []
    width, walked, kept_cells, filled = len(columns), 0, 0, 0
    for cells in sheet.iter_rows(min_row=2, values_only=True):
        if not cells:  # a row that the file does not have
            continue
        row = tuple(cells[:width])
        values = len(row) - row.count(None)
        if values:
            rows.append(row + (None,) * (width - len(row)))
        walked += len(cells)
        kept_cells += width if values else 0
        filled += values
        if (walked > MOST_WALKED or kept_cells > MOST_KEPT) and filled * SPARSEST < max(walked, kept_cells):
            raise SourceError(
                f"{name}: the sheet {sheet.title!r} has {width:,} columns and almost all of its cells are empty; "
                "delete the empty columns and rows, or save the table as CSV."
            )
    return columns, rows
