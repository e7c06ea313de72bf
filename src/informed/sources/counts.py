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
from informed.evidence.crosstabs import Rows, side_of, without_sums
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import LabelPolicy
from informed.evidence.labels import text
from informed.evidence.likeness import NONE
from informed.evidence.table import Table
from informed.sources.engine import as_number
from informed.sources.paths import DELIMITERS, Files, Opening, decoded, read_head, redacted, told_delimiter

LARGEST = 1 << 26  # bytes of a matrix
COUNT = ("n", "count", "counts", "freq", "frequency", "cases")


def long_columns(columns: Sequence[str]) -> tuple[str, str, str] | None:
    """The columns (real, predicted, count) of a long table of counts, by their names.

    >>> long_columns(["Actual", "pred", "n"])
    ('Actual', 'pred', 'n')
    """
    found = []
    for wanted in ("real", "predicted", "count"):
        fitting = [c for c in columns if ("count" if c.strip().casefold() in COUNT else side_of(c)) == wanted]
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
    oriented = _orientation(cells[0][0], rows, shown)

    across, down = cells[0][1:], [line[0] for line in cells[1:]]
    for names in (across, down):
        if twice := [x for i, x in enumerate(names) if x in names[:i]]:
            raise SourceError(f"{shown} has the label {text(twice[0])} twice on one side.")

    values = [[_number(x) for x in line[1:]] for line in cells[1:]]
    for i, numbers in enumerate(values, 1):
        if None in numbers:
            seen = f"{shown}, line {i + 1}: {text(cells[i][numbers.index(None) + 1])} is no count"
            raise SourceError(f"{seen}; a number of cases, not negative, is needed in every cell.")

    held = without_sums(np.asarray(values), down, across)
    across, down = list(map(str, held.across or ())), list(map(str, held.down or ()))

    # labels that stand on one side only have an empty row or column
    every = list(labels) if labels is not None else ordered(dict.fromkeys([*across, *down]))
    place = {label: i for i, label in enumerate(every)}
    if strange := [x for x in (*across, *down) if x not in place]:
        raise SourceError(f"{text(strange[0])} of {shown} is not in `labels`.")
    square = np.zeros((len(every), len(every)))
    square[np.ix_([place[x] for x in down], [place[x] for x in across])] = held.counts
    found = Table.from_counts(square, labels=every, rows=oriented, positive=None if positive is None else str(positive))
    return replace(found, remarks=held.remarks, stated=found.stated if labels is not None else None)


def _orientation(corner: str, rows: str | None, shown: str) -> Rows:
    one_of("rows", rows, (None, "predicted", "real"), SourceError)
    sides = [side for word in re.split(r"[^\w]+", corner) if (side := side_of(word)) is not None]
    written = sides[0] if len(sides) == 2 and sides[0] != sides[1] else None
    if rows is not None and written is not None and rows != written:
        raise SourceError(
            f'The corner of {shown} says {text(corner)}, so that its rows are {written}, but `rows` is "{rows}".'
        )
    if rows is None and written is None:
        raise SourceError(
            f"{shown} is a matrix of counts: what are its rows? Give `rows='predicted'`, or "
            "`rows='real'` as scikit-learn and WEKA write it."
        )
    return "real" if (rows or written) == "real" else "predicted"


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
    made = tabulate(groups, LabelPolicy(missing="abstain", normalize=NONE), by=1)
    remarks = dict.fromkeys(remark for t in tables.values() for remark in t.remarks)
    return Table(**made, remarks=tuple(remarks))
