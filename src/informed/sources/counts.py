"""Tables that were counted already: a matrix with labels on both sides, or one row a cell."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed.errors import SourceError, one_of
from informed.evidence.counting import tabulate
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import LabelPolicy
from informed.evidence.labels import text
from informed.evidence.table import Table
from informed.sources.engine import as_number
from informed.sources.paths import DELIMITERS, Files, Opening, decoded, read_head, redacted, told_delimiter

LARGEST = 1 << 26  # bytes of a matrix
REAL = ("real", "actual", "true", "truth", "gold", "target", "reference", "y_true")
PREDICTED = ("predicted", "pred", "prediction", "answer", "y_pred", "hypothesis")
COUNT = ("n", "count", "counts", "freq", "frequency", "cases")


def long_columns(columns: Sequence[str]) -> tuple[str, str, str] | None:
    """The columns (real, predicted, count) of a long table of counts, by their names.

    >>> long_columns(["Actual", "pred", "n"])
    ('Actual', 'pred', 'n')
    """
    found = []
    for names in (REAL, PREDICTED, COUNT):
        fitting = [c for c in columns if c.strip().casefold() in names]
        if len(fitting) != 1:
            return None
        found.append(fitting[0])
    return (found[0], found[1], found[2]) if len(columns) == 3 else None


def records(files: Files, how: Opening) -> list[list[str]]:
    """All cells of a small text file."""
    name = files.names[0]
    head = read_head(files, name, LARGEST + 1)
    if len(head) > LARGEST:
        raise SourceError(f"{redacted(name)} is larger than 64 MB, too large for a matrix.")
    written, _ = decoded(head, name, how)
    first = written.partition("\n")[0]
    chosen = told_delimiter(name, how) or max(DELIMITERS, key=first.count)
    try:
        lines = list(csv.reader(io.StringIO(written, newline=""), delimiter=chosen))
    except csv.Error as error:
        raise SourceError(f"{redacted(name)} is no table: {error}.") from None
    return [[cell.strip() for cell in line] for line in lines if any(map(str.strip, line))]


def is_matrix(cells: list[list[str]]) -> bool:
    """Labels above and at the left, numbers inside."""
    if len(cells) < 3 or len(cells[0]) < 3 or {len(line) for line in cells} != {len(cells[0])}:
        return False
    if not {line[0] for line in cells[1:]} & set(cells[0][1:]):
        return False
    return all(_number(x) is not None for line in cells[1:] for x in line[1:])


def from_matrix(
    cells: list[list[str]],
    shown: str,
    *,
    rows: str | None = None,
    labels: Sequence[Hashable] | None = None,
    positive: Hashable = None,
) -> Table:
    """The table of a matrix; what its rows are must be said, by `rows` or in its corner."""
    if not cells or len({len(line) for line in cells}) > 1 or len(cells[0]) < 2:
        raise SourceError(f"{shown} is no matrix: its rows are not equally long.")
    rows = _orientation(cells[0][0], rows, shown)

    across, down = cells[0][1:], [line[0] for line in cells[1:]]
    for names in (across, down):
        if twice := [x for i, x in enumerate(names) if x in names[:i]]:
            raise SourceError(f"{shown} has the label {text(twice[0])} twice on one side.")

    values = [[_number(x) for x in line[1:]] for line in cells[1:]]
    for i, numbers in enumerate(values, 1):
        if None in numbers:
            seen = f"{shown}, line {i + 1}: {text(cells[i][numbers.index(None) + 1])} is no count"
            raise SourceError(f"{seen}; a number of cases, not negative, is needed in every cell.")

    # labels that stand on one side only have an empty row or column
    every = list(labels) if labels is not None else ordered(dict.fromkeys([*across, *down]))
    place = {label: i for i, label in enumerate(every)}
    if strange := [x for x in (*across, *down) if x not in place]:
        raise SourceError(f"{text(strange[0])} of {shown} is not in `labels`.")
    square = np.zeros((len(every), len(every)))
    square[np.ix_([place[x] for x in down], [place[x] for x in across])] = values
    found = Table.from_counts(
        square,
        labels=every,
        rows="real" if rows == "real" else "predicted",
        positive=None if positive is None else str(positive),
    )
    return found if labels is not None else replace(found, stated=None)


def _orientation(corner: str, rows: str | None, shown: str) -> str:
    sides = [
        "real" if word in REAL else "predicted"
        for word in re.split(r"[^\w]+", corner.casefold())
        if word in REAL or word in PREDICTED
    ]
    written = sides[0] if len(sides) == 2 and sides[0] != sides[1] else None
    one_of("rows", rows, (None, "predicted", "real"), SourceError)
    if rows is not None and written is not None and rows != written:
        raise SourceError(
            f'The corner of {shown} says {text(corner)}, so that its rows are {written}, but `rows` is "{rows}".'
        )
    if rows is None and written is None:
        raise SourceError(
            f'{shown} is a matrix of counts: what are its rows? Give rows="predicted", or '
            'rows="real" as scikit-learn and WEKA write it.'
        )
    return rows or written or ""


def _number(x: str) -> float | None:
    value = as_number(x)
    return value if value is not None and math.isfinite(value) and value >= 0 else None


def stacked(tables: dict[Hashable, Table]) -> Table:
    """Tables as a stack named after them; labels are aligned by name."""
    groups: list[tuple[Any, ...]] = []
    for name, t in tables.items():
        if t.shape or t.squares is not None or not t.is_square:
            raise SourceError(f"{text(name)} is no plain table of counts, so it cannot be stacked.")
        for j, real in enumerate(t.real_labels):
            own = [(p, float(t.cells[i, j])) for i, p in enumerate(t.predicted_labels)]
            groups += [(name, real, p, n) for p, n in own]
            if t.unanswered is not None:
                groups.append((name, real, None, float(t.unanswered[j])))
    return Table(**tabulate(groups, LabelPolicy(missing="abstain"), by=1))
