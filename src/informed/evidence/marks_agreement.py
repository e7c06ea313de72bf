"""Two scorers of the same answers: the table of their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import TableError
from informed.evidence.states import RIGHT, WRONG
from informed.evidence.table import Table
from informed.evidence.units import Ints

if TYPE_CHECKING:
    from informed.evidence.marks import Marks


PAIR = [("item", np.int64), ("epoch", np.int64)]


def agreement(m: Marks, other: Marks) -> Table:
    """What `other` says as real, and these marks as predicted, joined by item and epoch."""
    place = {item: i for i, item in enumerate(m.items)}
    own = np.asarray([place.get(item, -1) for item in other.items], np.int64)
    mine, theirs = _marked(m, np.arange(len(m.items))), _marked(other, own)
    both, at, there = np.intersect1d(mine[0], theirs[0], assume_unique=True, return_indices=True)
    if not both.size:
        raise TableError("No answer has a mark of both scorers.")

    predicted, real = (np.where(x >= 1, RIGHT, WRONG) for x in (mine[1][at], theirs[1][there]))
    item = m.item[mine[2][at]]
    return Table.from_labels(
        real=real,
        predicted=predicted,
        labels=[RIGHT, WRONG],
        positive=RIGHT,
        item=item,
        unit=None if m.unit is None else m.unit[item],
        weights=m.item_weight[item] if m.weighted else None,
    )


def _marked(m: Marks, place: Ints) -> tuple[NDArray[Any], Array, Ints]:
    """Item (by its place) and epoch of each case that has a mark, as one; the mark; and where the case is."""
    at = np.flatnonzero(np.isfinite(m.mark) & (place[m.item] >= 0))
    keys = np.rec.fromarrays([place[m.item[at]], m.epoch[at]], dtype=PAIR)
    _, first = np.unique(keys, return_index=True)
    if len(first) < len(at):
        again = at[np.setdiff1d(np.arange(len(at)), first)[0]]
        item, epoch = m.items[m.item[again]], m.epoch[again]
        raise TableError(f"Item {item!r} has two marks of epoch {epoch}; verdicts are joined by item and epoch.")
    return keys, m.mark[at], at
