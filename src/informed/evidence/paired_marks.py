"""Marks of several systems on the same items: joined by the items, and as right and wrong answers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from informed.errors import TableError
from informed.evidence.joint import Joint
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.states import RIGHT, WRONG


def shared(marks: Sequence[Marks], task: str = "") -> list[Marks]:
    """The marks of the items (of a task) that count in all of them, in the same order.

    >>> a, b = (Marks.from_columns(mark=x, item=y) for x, y in (([1, 0], ["a", "b"]), ([1, 1], ["b", "c"])))
    >>> [m.items for m in shared([a, b])]
    [('b',), ('b',)]
    """
    places = [{m.items[i]: i for i in np.flatnonzero(m.item_weight).tolist()} for m in marks]
    kept = [item for item in places[0] if all(item in other for other in places)]
    if not kept:
        every = "both" if len(marks) == 2 else "every system"
        raise TableError(
            f"No item{f' of {task}' if task else ''} counts in {every}; systems are compared on the same items."
        )
    return [m.where(np.asarray([at[item] for item in kept])) for m, at in zip(marks, places, strict=True)]


def joint_of(one: Marks, other: Marks) -> Joint:
    """Marks of 0 and 1, of the same items in the same order, as the joint table of right and wrong answers.

    Where the real label of every item is known, a right answer is that label and a wrong one another: what is
    told of accuracy is then what a joint table of the answers themselves tells.
    """
    p = answers_of({0: one, 1: other})
    if one.real is not None and other.real is not None:
        place = {label: i for i, label in enumerate(dict.fromkeys((*one.reals, *other.reals)))}
        real, also = (np.asarray([place[x] for x in m.reals])[m.real] for m in (one, other))
        if (real != also).any():
            raise TableError("An item has more than one real label; it must be the same for both systems.")
        if len(place) > 1:
            at = real if p.item is None else real[p.item]
            codes = np.where(p.codes == ABSENT, ABSENT, (at[:, None] + p.codes) % len(place))
            p = replace(p, real_codes=at, codes=codes, labels=tuple(place))
    return p.joint(0, 1)


def answers_of(marks: Mapping[Hashable, Marks]) -> Paired:
    """Marks of 0 and 1, of the same items in the same order, as answers that are right or wrong.

    Of an item that a system was asked less often, the other times are absent. Weights and units are
    those of the first system.

    >>> a, b = (Marks.from_columns(mark=x, item=list("aab")) for x in ([1, 0, 1], [0, 0, 1]))
    >>> answers_of({"a": a, "b": b}).codes.tolist()
    [[0, 1], [1, 1], [0, 0]]
    """
    held = [m.attempts for m in marks.values()]
    most = max(int(x.n.max()) for x in held)
    keys = [x.item * most + x.place for x in held]
    rows = np.unique(np.concatenate(keys))
    codes = np.full((len(rows), len(held)), ABSENT, np.int64)
    for s, (key, x) in enumerate(zip(keys, held, strict=True)):
        codes[np.searchsorted(rows, key), s] = np.where(x.mark >= 1, 0, 1)

    lead = next(iter(marks.values()))
    item = rows // most
    return Paired(
        real_codes=np.zeros(len(rows), np.int64),
        codes=codes,
        labels=(RIGHT, WRONG),
        names=tuple(marks),
        weights=lead.item_weight[item] if lead.weighted else None,
        unit=None if lead.unit is None else lead.unit[item],
        item=item if most > 1 else None,
    )
