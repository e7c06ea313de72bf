"""Excel sheets: rows of Python values, at most a million of them, counted as they come."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from math import floor, inf
from typing import Any

from informed.errors import MissingExtra, SourceError
from informed.sources.engine import (
    LARGEST,
    MOST_GROUPS,
    Bins,
    Name,
    Names,
    Row,
    Span,
    check_columns,
)
from informed.sources.paths import Files


class SheetEngine:
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

    def check(self, names: Names) -> None:
        check_columns(names, self.columns, self.shown)

    def grouped(
        self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS
    ) -> list[Row]:
        return self._counted([self._column(key) for key in keys], weights)

    def span(self, score: Name) -> Span:
        numbers = {x for x in map(_number, self._column(score)) if x is not None}
        finite = [x for x in numbers if abs(x) <= LARGEST]
        return Span(min(finite, default=None), max(finite, default=None), len(numbers))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        values = [_number(x) for x in self._column(score)]
        fine = [x is not None and abs(x) <= LARGEST for x in values]
        place = [
            min(floor((x - bins.low) * bins.scale), bins.last) if ok and x is not None else None
            for x, ok in zip(values, fine, strict=True)
        ]
        odd = [None if ok else x for x, ok in zip(values, fine, strict=True)]
        columns = [*(self._column(key) for key in keys), place, odd, values]
        rows = self._counted(columns, weights)  # apart by score: as many as the sheet has
        merged: dict[Row, list[Any]] = {}
        at = len(keys) + 2
        for row in rows:
            s, sums = row[at], row[at + 1 :]
            group = merged.setdefault(row[:at], [*([0] * len(sums)), s, s])
            for i, x in enumerate(sums):
                group[i] = min(group[i], x) if i == 3 else group[i] + x
            if s is not None:
                group[-2], group[-1] = min(group[-2], s), max(group[-1], s)
        return [(*key, *group) for key, group in merged.items()]

    def _column(self, name: Name) -> list[Any]:
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def _counted(self, columns: list[list[Any]], weights: Name | None) -> list[Row]:
        if weights is None:
            often: dict[Row, int] = defaultdict(int)
            for key in zip(*columns, strict=True):
                often[key] += 1
            return [(*key, n) for key, n in often.items()]
        sums: dict[Row, list[Any]] = {}
        for key, given in zip(zip(*columns, strict=True), self._column(weights), strict=True):
            group = sums.setdefault(key, [0, 0.0, 0.0, inf, 0])
            group[0] += 1
            w = _number(given)
            if w is not None:
                group[1] += w
                group[2] += w * w
                group[3] = min(group[3], w)
                group[4] += 1
        return [(*key, *group) for key, group in sums.items()]


def _number(x: Any) -> float | None:
    try:
        return None if x is None else float(x)
    except (TypeError, ValueError):
        return None


def _sheet(files: Files, name: str, sheet: str | None) -> tuple[list[Name], list[Row]]:
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError:
        raise MissingExtra('Excel files need openpyxl: pip install "informed[excel]"') from None
    try:
        with files.open(name) as stream:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            if sheet is not None and sheet not in book.sheetnames:
                raise SourceError(
                    f"{name} has no sheet {sheet!r}; it has {', '.join(book.sheetnames)}."
                )
            rows = list((book[sheet] if sheet else book.worksheets[0]).iter_rows(values_only=True))
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(f"{name} is no whole Excel file ({error}).") from None
    if not rows:
        raise SourceError(f"{name} is empty; a header and at least one row are needed.")
    return list(rows[0]), [row for row in rows[1:] if any(x is not None for x in row)]
