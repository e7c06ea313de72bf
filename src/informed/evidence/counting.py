"""Labels to the fields of a `Table`: `counted` takes columns, `tabulate` what an engine counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array
from informed.errors import LabelError
from informed.evidence import checks as build
from informed.evidence.cells import Occupied, many
from informed.evidence.columns import Column, arrow_text, column, floats, is_plain
from informed.evidence.histogram import Codes, Sums, distinct_rows, sorted_rows
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import Encoded, LabelPolicy, Side, encode
from informed.evidence.labels import Labels, is_missing, native, package

Fields: TypeAlias = dict[str, Any]  # what a Table is made of

MOST = 1 << 28  # cells of a stack: 2 GB
MOST_PAIRS = 20_000**2  # of labels, where only the pairs that occur are held
SAMPLE, FEW_PAIRS = 1 << 16, 1 << 14  # rows looked at, and distinct pairs among them
NARROW = 1 << 22  # cells of integer ranges that are counted without numbering the labels first
WIDE = 1 << 24  # cells that are counted in an array; of more, rows are sorted


def counted(
    given: Sequence[Any],
    names: Sequence[str],
    policy: LabelPolicy,
    weights: ArrayLike | None = None,
    *,
    frequency: bool = False,
) -> Fields:
    """Counts of columns: real labels, predictions, then the keys of the stack.

    They are any sequences, arrays, Series or Arrow columns, not necessarily of one kind.

    >>> counted([["a", "b", "b"], ["a", "b", "a"]], ["real", "predicted"], LabelPolicy())["cells"]
    array([[1., 1.],
           [0., 1.]])
    """
    groups = _grouped(*given) if len(given) == 2 and weights is None else None
    if groups is not None:
        *labels, n = groups
        sides = [column(x, name).side() for x, name in zip(labels, names, strict=False)]
        sums: Sums = (n, n, n)
    else:
        columns, sides, sums = distinct(given, names, weights)

    def where(side: int) -> list[int]:
        return (columns[side] if groups is None else column(given[side], "")).missing()

    held = encode(sides[:2], policy, n=sums[0], names=names[:2], where=where)
    return at_places(held, sums, map(axis_of, sides[2:]), squared=weights is not None and not frequency)


def tabulate(
    groups: Iterable[Sequence[Any]],
    policy: LabelPolicy,
    *,
    by: int = 0,
    weighted: bool = False,
    frequency: bool = False,
    levels: Sequence[Labels | None] = (None, None),
    names: Sequence[str] = ("real", "predicted"),
    gone: Sequence[bool] | None = None,
) -> Fields:
    """Counts from groups that an engine has counted.

    Parameters
    ----------
    groups
        Rows `(*keys, real, predicted, n)`, and with `weighted` also the sums of the weights and
        of their squares. Values are native, as the engine returns them; equal groups are added.
    by
        How many keys come first. Each is a leading axis of the counts, with sorted names.
    levels
        The labels that the types of the two columns declare, in order.
    names
        What messages call the two columns.
    gone
        Groups that are left out and counted as missing: there was no row with their answer.

    >>> groups = [("a", "a", 3), ("b", "a", 1), ("b", None, 2)]
    >>> found = tabulate(groups, LabelPolicy(missing="abstain"))
    >>> found["cells"], found["unanswered"]
    (array([[3., 1.],
           [0., 0.]]), array([0., 2.]))
    """
    rows = list(groups)
    if not rows:
        raise LabelError("There are no rows; at least one pair of labels is needed.")
    fields = [list(field) for field in zip(*rows, strict=True)]
    keys, pair, numbers = fields[:by], fields[by : by + 2], fields[by + 2 :]
    assert len(numbers) == (3 if weighted else 1), "see `weighted` and `by`"
    sums = [_sums(field) for field in numbers] * (1 if weighted else 3)
    sides = [
        replace(column(field, "labels").side(), levels=own)
        for field, own in zip((*pair, *keys), (*levels, *[None] * by), strict=True)
    ]
    held = encode(sides[:2], policy, n=sums[0], names=names)
    if gone is not None:
        held = replace(held, lost=held.lost | np.asarray(gone, np.bool_))
    return at_places(held, (sums[0], sums[1], sums[2]), map(axis_of, sides[2:]), squared=weighted and not frequency)


def distinct(given: Sequence[Any], names: Sequence[str], weights: Any) -> tuple[list[Column], list[Side], Sums]:
    """Columns as they are read, and their distinct rows; labels far apart are numbered first."""
    columns = [column(x, name) for x, name in zip(given, names, strict=False)]
    check_lengths(dict(zip(names, map(len, columns), strict=False)))
    w = None if weights is None else floats(weights, "weights", len(columns[0]))
    found = distinct_rows([c.codes for c in columns], w, NARROW)
    if found is None:
        columns = [c.dense() for c in columns]
        check_cells([len(c.names or ()) for c in columns[:2]])
        codes = [c.codes for c in columns]
        found = distinct_rows(codes, w, WIDE) or sorted_rows(codes, w)
    codes, sums = found
    return columns, [c.side(k) for c, k in zip(columns, codes, strict=True)], sums


# ---------------------------------------------------------------- groups to tables


def at_places(
    held: Encoded, sums: Sums, groups: Iterable[tuple[Codes, Labels]], *, squared: bool, shared: bool = False
) -> Fields:
    """Counts of cases, or groups of them, whose labels have their places; `groups` give the place
    of each along an axis of the stack, and its names. Where answers are `shared`, there may be more than counts say."""
    n, w, w2 = sums
    build.in_reach(w, "weights")
    axes = list(groups)
    real, predicted = held.places
    silent = predicted < 0
    answered = every(~held.lost & ~silent)
    quiet, lost = np.flatnonzero(silent & ~held.lost), np.flatnonzero(held.lost)

    stack = tuple(len(names) for _, names in axes)
    classes = len(held.answers), len(held.labels)
    check_cells(classes if many(*classes) else (*stack, *classes))
    key = np.zeros(len(n), np.int64)
    for codes, axis in axes:
        key = key * len(axis) + codes

    def total(index: Codes, values: Array, mask: Any, first: tuple[int, ...]) -> Array:
        """Sums over the cells of `first` in each table of the stack."""
        at = index[mask] * prod(stack) + key[mask] if stack else index[mask]
        flat = np.bincount(at, values[mask], minlength=prod(first) * prod(stack))
        return build.frozen(flat.reshape((*first, *stack)))

    cell = predicted * classes[1] + real
    if many(*classes):  # only the cells that are occupied
        places, back = np.unique(cell[answered], return_inverse=True)
        cell[answered] = back
        check_cells((*stack, len(places)))

    def pairs(values: Array) -> Array:
        if not many(*classes):
            return total(cell, values, answered, classes)
        found = total(cell, values, answered, (len(places),))
        return build.frozen(Occupied(*np.divmod(places, classes[1]), found, classes))

    def abstained(values: Array) -> Array | None:
        found = total(real, values, quiet, classes[1:])
        return found if found.any() else None

    each = np.zeros(len(n), np.int64)
    dropped = total(each, n, lost, ())
    respelled = None if held.respelled is None else total(each, n, np.flatnonzero(held.respelled), ())
    return {
        "cells": pairs(w),
        "predicted_labels": held.answers,
        "real_labels": held.labels,
        "positive": build.positive_of(held.answers, held.labels, None),
        "squares": pairs(w2) if squared else None,
        "cases": pairs(n) if squared or shared else None,
        "unanswered": abstained(w),
        "unanswered_squares": abstained(w2) if squared else None,
        "unanswered_cases": abstained(n) if squared or shared else None,
        "dropped": dropped if dropped.any() else None,
        "respelled": respelled,
        "axes": tuple(names for _, names in axes),
        "stated": held.stated,
        **({"remarks": said} if (said := held.remarks(float(n.sum()))) else {}),
    }


def every(mask: NDArray[np.bool_]) -> Any:
    """The mask, or all that there is where it leaves out nothing, which copies nothing."""
    return slice(None) if mask.all() else mask


def axis_of(side: Side) -> tuple[Codes, Labels]:
    """Numbers along a leading axis, and its names in order."""
    if any(map(is_missing, side.raw)) or (side.codes < 0).any():
        raise LabelError("Some cases belong to no group; each must belong to one that has a name.")
    plain = [native(x) for x in side.raw]
    names = ordered(dict.fromkeys(plain))
    place = {name: i for i, name in enumerate(names)}
    return np.asarray([place[x] for x in plain])[side.codes], names


def check_cells(sides: Sequence[int]) -> None:
    if prod(sides) > (MOST_PAIRS if len(sides) == 2 and many(*sides) else MOST):
        raise LabelError(
            f"There are {' × '.join(f'{s:,}' for s in sides)} different labels, too many for a "
            "table; is one of the columns an identifier or a score?"
        )


# ---------------------------------------------------------------- grouped by their own library


def _grouped(real: Any, predicted: Any) -> tuple[Any, Any, Array] | None:
    """Distinct pairs and their numbers, where the library of the columns is faster than ours."""
    if _in_polars(real, predicted):
        return _grouped_by_polars(real, predicted)
    arrow = [arrow_text(x) for x in (real, predicted)]
    if any(x is None for x in arrow) or len(arrow[0]) != len(arrow[1]) or not len(arrow[0]):
        return None
    return _grouped_by_arrow(*arrow)


def _in_polars(real: Any, predicted: Any) -> bool:
    """Two Polars Series that Polars groups faster than numpy would."""
    for x in (real, predicted):
        if package(x) != "polars" or type(x).__name__ != "Series":
            return False
        if str(x.dtype) == "Object":  # Polars does not group these
            return False
    return len(real) == len(predicted) > 0 and not (is_plain(real) and is_plain(predicted))


def _grouped_by_polars(real: Any, predicted: Any) -> tuple[Any, Any, Array]:
    pl: Any = sys.modules["polars"]

    frame = pl.DataFrame([real.alias("r"), predicted.alias("p")])
    groups = frame.group_by("r", "p").agg(pl.len().alias("n"))
    return groups["r"], groups["p"], groups["n"].cast(pl.Float64).to_numpy()


def _grouped_by_arrow(real: Any, predicted: Any) -> tuple[Any, Any, Array] | None:
    """Arrow groups few pairs faster than it numbers two columns, and many pairs slower."""
    pa: Any = sys.modules["pyarrow"]

    table = pa.table({"r": real, "p": predicted})

    def counted(rows: Any) -> Any:
        return rows.group_by(["r", "p"]).aggregate([([], "count_all")])

    if len(table) > SAMPLE and counted(table[:SAMPLE]).num_rows > FEW_PAIRS:
        return None
    groups = counted(table)
    return groups["r"], groups["p"], np.asarray(groups["count_all"], np.float64)


# ---------------------------------------------------------------- the border


def check_lengths(sizes: dict[str, int]) -> None:
    """Refuse columns that are empty or not equally long."""
    if len(set(sizes.values())) > 1:
        seen = ", ".join(f"`{name}` has {size:,}" for name, size in sizes.items())
        raise LabelError(f"{seen} labels; they must be equally long, one label per case.")
    if not next(iter(sizes.values())):
        named = " and ".join(f"`{name}`" for name in list(sizes)[:2])
        raise LabelError(f"{named} are empty; at least one case is needed.")


def _sums(values: list[Any]) -> Array:
    try:
        sums = np.asarray([float(x) for x in values])
    except (TypeError, ValueError):
        raise LabelError("A group has no count or weight; every row needs one.") from None
    if not np.all(np.isfinite(sums) & (sums >= 0)):
        raise LabelError("A group has a negative or infinite sum; weights must be finite, not negative.")
    return sums
