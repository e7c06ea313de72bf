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

from informed.errors import SourceError, one_of
from informed.evidence.labels import text
from informed.sources.logs.bounded_files import Problem, document, mapping, number, parsed, sequence
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
        raise Problem(
            "a matrix does not say what its rows are; give `rows='real'` (as scikit-learn has it) or "
            "`rows='predicted'`."
        )
    return _printed(path, labels, rows)


@Format("pycm", "PyCM object", recognise_pycm)
def read_pycm(path: Path) -> Log:
    """An object saved by PyCM. Its matrix has real classes on the rows, and is already turned
    where the user gave it transposed, so the "Transpose" that it also notes is not applied."""
    held: dict[Hashable, dict[str, Any]] = {}
    rows = sequence(mapping(parsed(document(path))).get("Matrix"))
    for row in rows:
        name, cells = row if isinstance(row, list) and len(row) == 2 else (None, None)
        counts = {str(cell[0]): cell[1] for cell in map(sequence, sequence(cells)) if len(cell) == 2}
        if not counts or isinstance(name, list | dict):
            raise Problem("a row of `Matrix` is no class with its counts.")
        held[name] = counts
    if not rows:
        raise Problem("there is no `Matrix` in this object.")
    if len(held) < len(rows):
        raise Problem("two classes have the same name.")
    return _log(path, [[row.get(str(name)) for name in held] for row in held.values()], list(held), "real")


def _printed(path: Path, labels: Sequence[Hashable] | None, rows: str) -> Log:
    one_of("rows", rows, ("real", "predicted"), SourceError)
    held = document(path)
    found = list(MATRIX.finditer(held))
    if not found:
        raise Problem("there is no matrix in brackets, as `[[50 2] [1 47]]`.")
    if len(found) > 1:
        raise Problem(f"there are {len(found)} matrices in this file; one is needed.")
    if held[: found[0].start()].rstrip(" \t\r\n,").endswith("["):
        raise Problem("the array has more than two dimensions; one matrix is needed.")
    if "..." in found[0][1]:
        raise Problem("the matrix was printed with an ellipsis; print it as a whole.")
    counts = [re.split(r"[\s,]+", row.strip(" \t\r\n,")) for row in ROW.findall(found[0][1])]
    names = list(range(len(counts))) if labels is None else list(labels)
    return _log(path, counts, names, rows)


def _log(path: Path, counts: Sequence[Sequence[Any]], names: Sequence[Hashable], rows: str) -> Log:
    if len(names) > MOST:
        raise Problem(f"there are {len(names):,} classes; at most {MOST:,} are read.")
    if any(len(row) != len(counts) for row in counts) or len(names) != len(counts):
        sizes = ", ".join(map(str, sorted({len(row) for row in counts})))
        seen = f"there are {len(counts)} rows, {len(names)} labels and rows of {sizes} counts"
        raise Problem(f"{seen}; a square matrix is needed.")
    if len(set(map(str, names))) != len(names):
        raise Problem("two classes have the same name.")
    across = counts if rows == "real" else zip(*counts, strict=True)
    cases = [
        Case(real, predicted, _count(value))
        for real, row in zip(names, across, strict=True)
        for predicted, value in zip(names, row, strict=True)
    ]
    return Log(path=path, cases=cases, labels=tuple(names))


def _count(value: Any) -> float:
    try:
        count = float(value) if isinstance(value, str) else number(value)
    except ValueError:
        count = None
    if count is None or not isfinite(count) or count < 0:
        raise Problem(f"{text(value)} is no count; numbers of 0 or more are needed.")
    return count
