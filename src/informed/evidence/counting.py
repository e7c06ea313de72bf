"""Labels to counts: `count` takes labels in memory, `tabulate` what an engine has counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import LabelError
from informed.evidence.columns import Column, column, floats, is_plain
from informed.evidence.histogram import Codes, Sums, distinct_rows
from informed.evidence.labels import is_missing
from informed.evidence.policies import MOST, Counted, Missing, Policies, assemble, check_cells

__all__ = ["Counted", "count", "tabulate"]

NARROW = 1 << 22  # cells of integer ranges that are counted without numbering the labels first


def count(
    *,
    real: Any,
    predicted: Any,
    weights: Any = None,
    labels: Iterable[Any] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    cluster: Any = None,
    square: bool = True,
) -> Counted:
    """How often each label was predicted for each real one.

    `real`, `predicted`, `cluster` are any sequences, arrays, Series or Arrow columns, not
    necessarily of one kind. See `tabulate` for the policies.

    >>> count(real=["a", "b", "b"], predicted=["a", "b", "a"]).counts
    array([[1., 1.],
           [0., 1.]])
    """
    policies = Policies(labels, abstain, missing, square, weights is not None)
    if cluster is None and _in_polars(real, predicted):
        return _grouped_by_polars(real, predicted, weights, policies)
    columns = [column(real, "real"), column(predicted, "predicted")]
    if cluster is not None:
        columns.append(column(cluster, "cluster"))
    _check_lengths(columns)
    weighted = None if weights is None else floats(weights, "weights", len(columns[0]))
    codes, sums = _histogram(columns, weighted)
    sides = [c.decoded(k) for c, k in zip(columns, codes, strict=True)]
    return assemble(sides, sums, policies, lambda side: _positions(columns[side]))


def tabulate(
    groups: Iterable[Sequence[Any]],
    *,
    by: int = 0,
    weighted: bool = False,
    labels: Iterable[Any] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    square: bool = True,
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

    Examples
    --------
    >>> c = tabulate([("a", "a", 3), ("b", "a", 1), ("b", None, 2)], missing="abstain")
    >>> c.counts, c.abstained
    (array([[3., 1.],
           [0., 0.]]), array([0., 2.]))
    """
    policies = Policies(labels, abstain, missing, square, weighted)
    rows = list(groups)
    if not rows:
        raise LabelError("There are no rows; at least one pair of labels is needed.")
    fields = [list(field) for field in zip(*rows, strict=True)]
    keys, pair, numbers = fields[:by], fields[by : by + 2], fields[by + 2 :]
    assert len(numbers) == (3 if weighted else 1), "see `weighted` and `by`"
    sums = [_sums(field) for field in numbers] * (1 if weighted else 3)
    sides = [
        (c.codes, c.names or []) for c in (column(field, "labels") for field in (*pair, *keys))
    ]
    return assemble(sides, (sums[0], sums[1], sums[2]), policies)


def _histogram(columns: list[Column], weights: Array | None) -> tuple[list[Codes], Sums]:
    """Distinct rows of the columns; labels far apart are numbered first, in place."""
    found = distinct_rows([c.codes for c in columns], weights, NARROW)
    if found is None:
        columns[:] = [c.dense() for c in columns]
        sizes = [len(c.names or ()) for c in columns]
        check_cells(sizes)
        found = distinct_rows([c.codes for c in columns], weights, MOST)
    assert found is not None
    return found


# ---------------------------------------------------------------- Polars


def _in_polars(real: Any, predicted: Any) -> bool:
    """Two Polars Series that Polars groups faster than numpy would."""
    for x in (real, predicted):
        if type(x).__module__.partition(".")[0] != "polars" or type(x).__name__ != "Series":
            return False
        if str(x.dtype) == "Object":  # Polars does not group these
            return False
    return len(real) == len(predicted) > 0 and not (is_plain(real) and is_plain(predicted))


def _grouped_by_polars(real: Any, predicted: Any, weights: Any, policies: Policies) -> Counted:
    pl: Any = sys.modules["polars"]

    frame = pl.DataFrame([real.alias("r"), predicted.alias("p")])
    sums = [pl.len().alias("n")]
    if weights is not None:
        frame = frame.with_columns(pl.Series("w", floats(weights, "weights", len(real))))
        sums += [pl.col("w").sum().alias("s"), (pl.col("w") * pl.col("w")).sum().alias("s2")]
    groups = frame.group_by("r", "p").agg(sums)
    totals = [groups[c].cast(pl.Float64).to_numpy() for c in groups.columns[2:]]
    n, w, w2 = totals if len(totals) == 3 else totals * 3
    sides = [
        (c.codes, c.names or [])
        for c in (column(groups[name].to_list(), name) for name in ("r", "p"))
    ]
    given = (real, predicted)
    return assemble(
        sides,
        (n, w, w2),
        policies,
        lambda side: _positions(column(given[side], "labels")),
    )


# ---------------------------------------------------------------- the border


def _check_lengths(columns: list[Column]) -> None:
    named = dict(zip(("real", "predicted", "cluster"), map(len, columns), strict=False))
    if len(set(named.values())) > 1:
        seen = ", ".join(f"`{name}` has {length}" for name, length in named.items())
        raise LabelError(f"{seen} labels; they must be equally long, one label per case.")
    if not len(columns[0]):
        raise LabelError("`real` and `predicted` are empty; at least one case is needed.")


def _positions(side: Column) -> list[int]:
    """Where the first missing labels of a column are."""
    gone = side.codes < 0 if side.names is not None else np.zeros(len(side), np.bool_)
    absent = [i for i, name in enumerate(side.names or ()) if is_missing(name)]
    return [int(i) for i in np.flatnonzero(gone | np.isin(side.codes, absent))[:3]]


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
