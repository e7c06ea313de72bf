"""Labels to counts: `count` takes labels in memory, `tabulate` what an engine has counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import LabelError
from informed.evidence import checks as build
from informed.evidence.cells import Occupied, many
from informed.evidence.columns import Column, arrow_text, column, floats, is_plain
from informed.evidence.histogram import Codes, Sums, distinct_rows, sorted_rows
from informed.evidence.label_order import Labels, Stated, ordered
from informed.evidence.label_policy import LabelPolicy, Missing, Side, Where, encode
from informed.evidence.labels import is_missing, native

__all__ = ["Counted", "count", "counted", "tabulate"]

MOST = 1 << 28  # cells of a stack: 2 GB
SAMPLE, FEW_PAIRS = 1 << 16, 1 << 14  # rows looked at, and distinct pairs among them
NARROW = 1 << 22  # cells of integer ranges that are counted without numbering the labels first
WIDE = 1 << 24  # cells that are counted in an array; of more, rows are sorted


@dataclass(frozen=True)
class Counted:
    """Counts of pairs, with what was left out of them."""

    real_labels: Labels
    predicted_labels: Labels  # the real labels, where the table is square
    counts: Array  # (..., predicted, real); of many classes as `cells` holds them
    squares: Array | None  # sums of squared weights, None without weights
    abstained: Array  # (..., real)
    missing: int  # pairs dropped
    rows: int  # answered + abstained + missing
    names: tuple[Labels, ...] = ()  # of each leading axis
    missing_each: NDArray[np.int64] | None = None  # (...): of each table of a stack
    rows_each: NDArray[np.int64] | None = None
    stated: Stated | None = None  # who stated the order of the labels

    @property
    def cluster_labels(self) -> Labels | None:
        """Names along the last leading axis."""
        return self.names[-1] if self.names else None


def count(
    *,
    real: Any,
    predicted: Any,
    weights: Any = None,
    labels: Iterable[Any] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    unit: Any = None,
    square: bool = True,
) -> Counted:
    """How often each label was predicted for each real one.

    `real`, `predicted`, `unit` are any sequences, arrays, Series or Arrow columns, not
    necessarily of one kind. See `tabulate` for the policies.

    >>> count(real=["a", "b", "b"], predicted=["a", "b", "a"]).counts
    array([[1., 1.],
           [0., 1.]])
    """
    keys = [] if unit is None else [unit]
    policy = LabelPolicy(labels, abstain, missing, square)
    return counted([real, predicted, *keys], ["real", "predicted", "unit"], policy, weights)


def counted(
    given: Sequence[Any], names: Sequence[str], policy: LabelPolicy, weights: Any = None
) -> Counted:
    """Counts of columns: real labels, predictions, then the keys of the stack."""
    if len(given) == 2 and weights is None and (groups := _grouped(*given)):
        *sides, n = groups
        return _assembled(
            [column(x, name).side() for x, name in zip(sides, names, strict=False)],
            (n, n, n),
            policy,
            weighted=False,
            names=names[:2],
            where=lambda side: column(given[side], "labels").missing(),
        )
    columns = [column(x, name) for x, name in zip(given, names, strict=False)]
    check_lengths(dict(zip(names, map(len, columns), strict=False)))
    weighted = None if weights is None else floats(weights, "weights", len(columns[0]))
    codes, sums = distinct(columns, weighted)
    return _assembled(
        [c.side(k) for c, k in zip(columns, codes, strict=True)],
        sums,
        policy,
        weighted=weighted is not None,
        names=names[:2],
        where=lambda side: columns[side].missing(),
    )


def tabulate(
    groups: Iterable[Sequence[Any]],
    *,
    by: int = 0,
    weighted: bool = False,
    labels: Iterable[Any] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    square: bool = True,
    typed: bool = False,
    levels: Sequence[Labels | None] = (None, None),
    names: Sequence[str] = ("real", "predicted"),
) -> Counted:
    """Counts from groups that an engine has counted.

    Parameters
    ----------
    groups
        Rows `(*keys, real, predicted, n)`, and with `weighted` also the sums of the weights and
        of their squares. Values are native, as the engine returns them; equal groups are added.
    by
        How many keys come first. Each is a leading axis of the counts, with sorted names.
    labels
        Order and universe of the labels; of the real ones only, unless `square`.
    abstain
        The predicted label, or a list or set of them, that means "no answer".
    missing
        What a missing label does: "error"; "drop" the pair; or "abstain", which takes a missing
        prediction for no answer.
    square
        Whether both sides use the same labels. Clusters against classes do not.
    typed
        Whether `labels` and `abstain` were typed for a source, where "1" may name 1.
    levels
        The labels that the types of the two columns declare, in order.
    names
        What messages call the two columns.

    Examples
    --------
    >>> c = tabulate([("a", "a", 3), ("b", "a", 1), ("b", None, 2)], missing="abstain")
    >>> c.counts, c.abstained
    (array([[3., 1.],
           [0., 0.]]), array([0., 2.]))
    """
    policy = LabelPolicy(labels, abstain, missing, square, typed=typed)
    rows = list(groups)
    if not rows:
        raise LabelError("There are no rows; at least one pair of labels is needed.")
    fields = [list(field) for field in zip(*rows, strict=True)]
    keys, pair, numbers = fields[:by], fields[by : by + 2], fields[by + 2 :]
    assert len(numbers) == (3 if weighted else 1), "see `weighted` and `by`"
    sums = [_sums(field) for field in numbers] * (1 if weighted else 3)
    sides = [
        Side(c.codes, c.names or [], own)
        for c, own in zip(
            (column(field, "labels") for field in (*pair, *keys)),
            (*levels, *[None] * by),
            strict=True,
        )
    ]
    return _assembled(sides, (sums[0], sums[1], sums[2]), policy, weighted=weighted, names=names)


def distinct(columns: list[Column], weights: Array | None) -> tuple[list[Codes], Sums]:
    """Distinct rows of the columns; labels far apart are numbered first, in place."""
    found = distinct_rows([c.codes for c in columns], weights, NARROW)
    if found is None:
        columns[:] = [c.dense() for c in columns]
        check_cells([len(c.names or ()) for c in columns[:2]])
        found = distinct_rows([c.codes for c in columns], weights, WIDE)
    if found is None:
        found = sorted_rows([c.codes for c in columns], weights)
    return found


# ---------------------------------------------------------------- groups to tables


def _assembled(
    sides: list[Side],
    sums: Sums,
    policy: LabelPolicy,
    *,
    weighted: bool,
    names: Sequence[str],
    where: Where | None = None,
) -> Counted:
    """Groups of (real, predicted, *keys) with their sums, as a table or a stack of tables."""
    n, w, w2 = sums
    axes = [_axis(side) for side in sides[2:]]
    held = encode(sides[:2], policy, n=n, names=names, where=where)
    col, row = held.places
    silent = row < 0
    answered = ~held.lost & ~silent

    stack = tuple(len(names) for _, names in axes)
    shape = (*stack, len(held.answers), len(held.labels))
    check_cells(shape[-2:] if many(*shape[-2:]) else shape)
    key = np.zeros(len(n), np.int64)
    for codes, axis in axes:
        key = key * len(axis) + codes
    cell = (key * shape[-2] + row) * shape[-1] + col

    def total(index: Codes, values: Array, mask: NDArray[np.bool_], to: tuple[int, ...]) -> Array:
        flat = np.bincount(index[mask], values[mask], minlength=prod(to))
        return np.asarray(flat, dtype=np.float64).reshape(to)

    def pairs(values: Array) -> Array:
        """Sums over the cells; of many classes only of those that are occupied."""
        if not many(*shape[-2:]):
            return total(cell, values, answered, shape)
        cells, back = np.unique((row * shape[-1] + col)[answered], return_inverse=True)
        check_cells((*stack, len(cells)))
        at = back * prod(stack) + key[answered]
        found = np.bincount(at, values[answered], minlength=len(cells) * prod(stack))
        down, across = np.divmod(cells, shape[-1])
        numbers = found.astype(np.float64).reshape(-1, *stack)
        return build.cells_first(Occupied(down, across, numbers, (shape[-2], shape[-1])))

    everything = np.ones(len(n), np.bool_)
    return Counted(
        real_labels=held.labels,
        predicted_labels=held.answers,
        counts=pairs(w),
        squares=pairs(w2) if weighted else None,
        abstained=total(key * shape[-1] + col, w, silent & ~held.lost, (*stack, shape[-1])),
        missing=int(n[held.lost].sum()),
        rows=int(n.sum()),
        names=tuple(names for _, names in axes),
        missing_each=total(key, n, held.lost, stack).astype(np.int64) if stack else None,
        rows_each=total(key, n, everything, stack).astype(np.int64) if stack else None,
        stated=held.stated,
    )


def _axis(side: Side) -> tuple[Codes, Labels]:
    """Numbers along a leading axis, and its names in order."""
    if any(map(is_missing, side.raw)):
        raise LabelError("A cluster or group has no name; each case must belong to one.")
    plain = [native(x) for x in side.raw]
    names = ordered(dict.fromkeys(plain))
    place = {name: i for i, name in enumerate(names)}
    return np.asarray([place[x] for x in plain])[side.codes], names


def numbered(side: Side) -> NDArray[np.int64]:
    """Clusters numbered from 0, in the order of their first appearance."""
    plain = [None if is_missing(x) else native(x) for x in (*side.raw, None)]
    place = {name: i for i, name in enumerate(dict.fromkeys(x for x in plain if x is not None))}
    codes = np.asarray([-1 if x is None else place[x] for x in plain], np.int64)[side.codes]
    if (codes < 0).any():
        raise LabelError("An item belongs to no cluster; each must belong to one.")
    if len(place) < 2:
        raise LabelError("There is one cluster; how clusters differ takes two at least.")
    return codes


def check_cells(sides: Sequence[int]) -> None:
    if prod(sides) > MOST:
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
        if type(x).__module__.partition(".")[0] != "polars" or type(x).__name__ != "Series":
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
        raise LabelError(
            "A group has a negative or infinite sum; weights must be finite, not negative."
        )
    return sums
