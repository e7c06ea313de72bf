"""Excel sheets are read by their cells, whatever size they state of themselves."""

from __future__ import annotations

import re
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from informed import InformedError, read

ROWS = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")] * 15
COLUMNS: dict[str, Any] = {"real": "y", "predicted": "p"}
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
SECONDS = 5.0  # for a small file; building the space between its cells took minutes


def workbook(path: Path, rows: Sequence[Sequence[Any]], *, header: Sequence[Any] = ("y", "p")) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for row in (header, *rows):
        book.active.append(row)
    book.save(path)
    return book


def with_size(path: Path, size: str) -> None:
    """State another size of the sheet."""
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet], changed = re.subn(rb'<dimension ref="[^"]*"', f'<dimension ref="{size}"'.encode(), parts[sheet])
    assert changed == 1
    with zipfile.ZipFile(path, "w") as new:
        for name, data in parts.items():
            new.writestr(name, data)


@pytest.mark.parametrize("size", ["A1:B7", "A1", "A1:A61", "B2:B3", "A1:XFD1048576", "A1:B1048576"])
def test_the_size_that_a_sheet_states_is_not_believed(tmp_path: Path, size: str) -> None:
    path = tmp_path / "sheet.xlsx"
    workbook(path, ROWS)
    whole = read(path, **COLUMNS)
    assert whole.n == 60
    with_size(path, size)
    assert read(path, **COLUMNS) == whole


@pytest.mark.parametrize(
    ("row", "column"), [(LAST_ROW, LAST_COLUMN), (1, LAST_COLUMN), (5, LAST_COLUMN), (LAST_ROW - 1, 9)]
)
def test_a_cell_far_away_takes_no_time(tmp_path: Path, row: int, column: int) -> None:
    path = tmp_path / "far.xlsx"
    book = workbook(path, ROWS)
    book.active.cell(row, column).value = "x"
    book.save(path)
    start = time.monotonic()
    table = read(path, **COLUMNS)
    assert time.monotonic() - start < SECONDS
    assert table.n == 60


def test_a_prediction_far_below_is_a_case(tmp_path: Path) -> None:
    path = tmp_path / "low.xlsx"
    book = workbook(path, ROWS)
    book.active.cell(LAST_ROW, 1).value = "a"
    book.active.cell(LAST_ROW, 2).value = "a"
    book.save(path)
    assert read(path, **COLUMNS).n == 61

    book.active.cell(LAST_ROW, 2).value = None
    book.save(path)
    with pytest.raises(InformedError, match="1 missing label"):
        read(path, **COLUMNS)


def test_a_sheet_of_empty_columns_is_refused(tmp_path: Path) -> None:
    """The file is small, and the table that it describes is not."""
    path = tmp_path / "wide.xlsx"
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["y", "p", *[None] * (LAST_COLUMN - 3), "x"])
    for _ in range(1300):
        sheet.append(["a", "b"])
    book.save(path)
    start = time.monotonic()
    with pytest.raises(InformedError, match="16,384 columns and almost all of its cells are empty"):
        read(path, **COLUMNS)
    assert time.monotonic() - start < 2 * SECONDS


def test_a_sheet_without_a_header_names_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "later.xlsx"
    book = openpyxl.Workbook()
    book.active.cell(3, 1).value = "y"
    book.save(path)
    with pytest.raises(InformedError):
        read(path, **COLUMNS)
    openpyxl.Workbook().save(path)
    with pytest.raises(InformedError, match="is empty"):
        read(path, **COLUMNS)
