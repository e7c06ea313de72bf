"""Crosstabs: which axis is reality, by its name, and which row and column are only sums of the others."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed.errors import TableError, one_of
from informed.evidence.label_order import Stated
from informed.evidence.labels import text

Rows: TypeAlias = Literal["predicted", "real"]

REAL = ("real", "reality", "actual", "true", "truth", "gold", "target", "reference", "expected", "observed")
PREDICTED = ("predicted", "pred", "preds", "prediction", "predictions", "answer", "hypothesis", "yhat", "guess")
SUMS = (
    "all",
    "total",
    "totals",
    "sum",
    "sums",
    "margin",
    "margins",
    "grand total",
    "row total",
    "column total",
    "σ",
    "∑",
)
_WORDS = re.compile(r"[^a-z]+")


def side_of(name: Any) -> Rows | None:
    """What a name says an axis is; None where it says nothing, or both.

    >>> side_of("y_true"), side_of("Predicted label"), side_of("class")
    ('real', 'predicted', None)
    """
    words = set(_WORDS.split(name.casefold())) if isinstance(name, str) else set()
    real, predicted = not words.isdisjoint(REAL), not words.isdisjoint(PREDICTED)
    if real == predicted:
        return None
    return "real" if real else "predicted"


def rows_of(down: Any, across: Any, asked: Rows | None, shown: str = "the crosstab") -> Rows | None:
    """What the rows are, by the names of both axes and by what was asked; None where neither says it."""
    one_of("rows", asked, (None, "predicted", "real"), TableError)
    named, other = side_of(down), side_of(across)
    if named is not None and named == other:
        raise TableError(f"Both axes of {shown} are named {named} ({text(down)}, {text(across)}); rename one of them.")
    if named is None and other is not None:
        named = "predicted" if other == "real" else "real"
    if asked is not None and named is not None and asked != named:
        raise TableError(
            f"The axes of {shown} are named {text(down)} and {text(across)}, so that its rows are {named}, but `rows` "
            f'is "{asked}".'
        )
    return asked or named


@dataclass(frozen=True)
class Crosstab:
    """Counts with the labels of both axes, without their sums."""

    counts: Any
    down: tuple[Hashable, ...] | None = None  # None where it has no labels
    across: tuple[Hashable, ...] | None = None
    rows: Rows | None = None
    stated: Stated | None = None
    remarks: tuple[str, ...] = ()


def crosstab(counts: Any, rows: Rows | None) -> Crosstab:
    """A labelled data frame as counts and labels; anything else as it is.

    A crosstab sorts text by the alphabet, so that its index says nothing of an order.
    """
    if not (hasattr(counts, "columns") and hasattr(counts, "index")):
        return Crosstab(counts, rows=rows_of(None, None, rows))
    sides = (counts.index, counts.columns)
    down, across = (getattr(side, "name", None) for side in sides)
    found = rows_of(down, across, rows)
    if found is None and None not in (down, across):
        raise TableError(
            f"The axes of the crosstab are named {text(down)} and {text(across)}, which does not say what is real.",
            "give `rows='real'` where its rows are the real classes",
            "`rows='predicted'`",
        )
    declared = all(getattr(side, "ordered", False) for side in sides)
    held = without_sums(np.asarray(counts), list(counts.index), list(counts.columns))
    return replace(held, rows=found, stated="declared" if declared else None)


def ask_for_rows(counts: Any) -> None:
    """Refuse a square array of whole numbers that does not say what its rows are; `labels` do not say it, either.

    `confusion_matrix` of scikit-learn gives such an array with the real classes in its rows, and the papers' tables
    have predictions there. Nested lists are tables that were typed, as the papers have them.
    """
    if isinstance(counts, list | tuple) or not hasattr(counts, "__array__"):
        return
    numbered = (
        type(x).__name__ == "RangeIndex" for x in (getattr(counts, "index", None), getattr(counts, "columns", None))
    )
    if hasattr(counts, "columns") and not all(numbered):
        return  # a frame with labels
    array = np.asarray(counts)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.dtype.kind not in "iu":
        return
    raise TableError(
        f"The counts are an array of {array.shape[0]} × {array.shape[1]} whole numbers that does not say what its rows "
        "are.",
        "for `sklearn.metrics.confusion_matrix(y, p)`, whose rows are the real classes, give "
        "`Table.from_counts(counts, rows='real')`",
        "where the rows are predictions, `Table.from_counts(counts, rows='predicted')`",
    )


def without_sums(counts: NDArray[Any], down: Sequence[Hashable], across: Sequence[Hashable]) -> Crosstab:
    """The same without a last row and column that are called a total and are one, and what was left out.

    >>> found = without_sums(np.array([[4, 1, 5], [2, 3, 5], [6, 4, 10]]), ["a", "b", "All"], ["a", "b", "All"])
    >>> found.counts.tolist(), found.remarks
    ([[4, 1], [2, 3]], ("The row and the column 'All' are sums of the others, and were left out.",))
    """
    sides, out = (list(down), list(across)), []
    for axis, (name, labels) in enumerate(zip(("row", "column"), sides, strict=True)):
        if len(labels) < 2 or str(labels[-1]).strip().casefold() not in SUMS:
            continue
        held = np.moveaxis(counts, axis, 0)
        if _is_sum(held):
            out.append((name, text(labels.pop())))
            counts = np.moveaxis(held[:-1], 0, axis)
    return Crosstab(counts, tuple(sides[0]), tuple(sides[1]), remarks=_left_out(out))


def _is_sum(held: NDArray[Any]) -> bool:
    """Whether the last are the sum of the others."""
    try:
        numbers = held.astype(np.float64)
    except (TypeError, ValueError):  # said where counts are checked
        return False
    return bool(np.allclose(numbers[:-1].sum(axis=0), numbers[-1]))


def _left_out(out: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    if not out:
        return ()
    if len(out) == 1:
        return ("The {} {} is the sum of the others, and was left out.".format(*out[0]),)
    (row, one), (column, other) = out
    named = f"The {row} and the {column} {one}" if one == other else f"The {row} {one} and the {column} {other}"
    return (f"{named} are sums of the others, and were left out.",)
