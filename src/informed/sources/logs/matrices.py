"""Confusion matrices as text: what numpy prints of scikit-learn's, and PyCM's saved objects.

scikit-learn has real classes on the rows. A bare matrix does not say who made it, so it needs
``rows="real"`` or ``rows="predicted"``; a transposed table would exchange recall and precision.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from informed.errors import SourceError
from informed.evidence.labels import text
from informed.sources.logs.bounded_files import document, mapping, number, parsed, problem, sequence
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

MATRIX = re.compile(r"\[\s*(\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*)[\s,]*\]")
ROW = re.compile(r"\[([^\[\]]*)\]")
BARE = re.compile(r"\s*(?:array\(|np\.array\(|numpy\.array\()?\[\s*\[[-+.,\s\deE\[\]]+\)?\s*")
SHOWN = re.compile(r"confusion_matrix\([^\n]{0,500}\)\s*(?:array\()?\[\s*\[")
MOST = 4096  # classes


def recognise_sklearn(head: str) -> bool:
    """Whether the text is a session that calls `confusion_matrix` and shows it."""
    return bool(SHOWN.search(head))


def recognise_bare(head: str) -> bool:
    """Whether the text is a matrix of numbers in brackets and nothing else."""
    return bool(BARE.fullmatch(head))


def recognise_pycm(head: str) -> bool:
    """Whether the text begins as an object that PyCM saved."""
    return bool(re.match(r'\s*\{\s*"Actual-Vector":', head))


@Format("sklearn", "scikit-learn confusion matrix", recognise_sklearn, certain=False)
def read_sklearn(
    path: Path, *, labels: Sequence[Hashable] | None = None, rows: Literal["real", "predicted"] = "real"
) -> Log:
    """A printed matrix of scikit-learn: rows are real."""
    return _printed(path, labels, rows)


@Format("array", "confusion matrix in brackets", recognise_bare, certain=False)
def read_bare(
    path: Path, *, labels: Sequence[Hashable] | None = None, rows: Literal["real", "predicted"] | None = None
) -> Log:
    """A matrix of unknown origin, which needs `rows`."""
    if rows is None:
        raise problem(
            path,
            'a matrix does not say what its rows are; give rows="real" (as scikit-learn has it) or rows="predicted".',
        )
    return _printed(path, labels, rows)


@Format("pycm", "PyCM object", recognise_pycm)
def read_pycm(path: Path) -> Log:
    """An object saved by PyCM. Its matrix has real classes on the rows, and is already turned
    where the user gave it transposed, so the "Transpose" that it also notes is not applied."""
    rows = sequence(mapping(parsed(document(path), path)).get("Matrix"))
    names: list[Hashable] = []
    counts: list[list[Any]] = []
    for row in rows:
        pair = sequence(row)
        cells = [cell for cell in map(sequence, sequence(pair[1])) if len(cell) == 2] if (len(pair) == 2) else []
        if not cells or isinstance(pair[0], list | dict):
            raise problem(path, "a row of `Matrix` is no class with its counts.")
        held = {str(predicted): count for predicted, count in cells}
        names.append(pair[0])
        counts.append([held.get(str(name)) for name in _classes(rows)])
    if not names:
        raise problem(path, "there is no `Matrix` in this object.")
    return _log(path, counts, names, "real")


def _classes(rows: Sequence[Any]) -> list[Any]:
    return [row[0] for row in rows if isinstance(row, list) and row]


def _printed(path: Path, labels: Sequence[Hashable] | None, rows: str) -> Log:
    if rows not in ("real", "predicted"):
        raise SourceError(f'`rows` is {text(rows)}; it can be "real" or "predicted".')
    held = document(path)
    matches = list(MATRIX.finditer(held))
    found = [match.group(1) for match in matches]
    if not found:
        raise problem(path, "there is no matrix in brackets, as `[[50 2] [1 47]]`.")
    if len(found) > 1:
        raise problem(path, f"there are {len(found)} matrices in this file; one is needed.")
    if held[: matches[0].start()].rstrip(" \t\r\n,").endswith("["):
        raise problem(path, "the array has more than two dimensions; one matrix is needed.")
    if "..." in found[0]:
        raise problem(path, "the matrix was printed with an ellipsis; print it as a whole.")
    counts = [re.split(r"[\s,]+", row.strip(" \t\r\n,")) for row in ROW.findall(found[0])]
    names = list(range(len(counts))) if labels is None else list(labels)
    return _log(path, counts, names, rows)


def _log(path: Path, counts: Sequence[Sequence[Any]], names: Sequence[Hashable], rows: str) -> Log:
    if len(names) > MOST:
        raise problem(path, f"there are {len(names):,} classes; at most {MOST:,} are read.")
    if any(len(row) != len(counts) for row in counts) or len(names) != len(counts):
        raise problem(
            path,
            f"there are {len(counts)} rows, {len(names)} labels and rows of "
            f"{', '.join(str(n) for n in sorted({len(row) for row in counts}))} counts; a square matrix is needed.",
        )
    if len(set(map(str, names))) != len(names):
        raise problem(path, "two classes have the same name.")
    cases = []
    for down, row in zip(names, counts, strict=True):
        for across, value in zip(names, row, strict=True):
            pair = (down, across) if rows == "real" else (across, down)
            cases.append(Case(*pair, _count(value, path)))
    return Log(path=path, cases=cases, labels=tuple(names))


def _count(value: Any, path: Path) -> float:
    try:
        count = float(value) if isinstance(value, str) else number(value)
    except ValueError:
        count = None
    if count is None or not isfinite(count) or count < 0:
        raise problem(path, f"{text(value)} is no count; numbers of 0 or more are needed.")
    return count
