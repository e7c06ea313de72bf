"""Labels with their units to the fields of a `Table`: who belongs together, and what each answer weighs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, ratio
from informed._numbers import position
from informed.errors import LabelError
from informed.evidence.columns import Column, column, first_rows, floats, renumbered
from informed.evidence.counting import Fields, at_places, axis_of, check_lengths, every
from informed.evidence.histogram import Sums
from informed.evidence.label_policy import Encoded, LabelPolicy, encode
from informed.evidence.labels import is_missing
from informed.evidence.units import Ints, Units, sums


def counted_units(
    given: Mapping[str, Any],
    policy: LabelPolicy,
    weights: ArrayLike | None = None,
    *,
    unit: Any = None,
    item: Any = None,
    frequency: bool = False,
    linked: bool = False,
) -> Fields:
    """Counts of columns, real labels and predictions and then the keys of a stack, with their units; `linked`
    keeps which is which, also of one table.

    >>> labels = {"real": ["a", "a", "b"], "predicted": ["a", "b", "b"]}
    >>> found = counted_units(labels, LabelPolicy(), item=[7, 7, 8])
    >>> found["cells"].tolist(), found["units"].n
    ([[0.5, 0.0], [0.5, 1.0]], 2.0)
    """
    columns = {name: column(x, name) for name, x in given.items()}
    held_in = {name: x for name, x in (("unit", unit), ("item", item)) if x is not None}
    groups = {name: column(x, name) for name, x in held_in.items()}
    check_lengths({name: len(x) for name, x in {**columns, **groups}.items()})
    (real, predicted), keys = list(columns.values())[:2], list(columns.values())[2:]
    held = encode(
        [real.side(), predicted.side()], policy, names=list(columns)[:2], where=lambda i: (real, predicted)[i].missing()
    )
    axes = [axis_of(x.side()) for x in keys]
    places = {name: numbers_of(x, str(getattr(held_in[name], "name", None) or name)) for name, x in groups.items()}
    names = {"unit": word_of(unit, "unit"), "item": "item"}
    one = np.ones(len(real))
    w = one if weights is None else floats(weights, "weights", len(real))
    counted = (one, w, one if weights is None else w * w)
    how = {"weighted": weights is not None, "frequency": frequency, "linked": linked}
    return in_units(held, counted, axes, places, names, **how)


def in_units(
    held: Encoded,
    counted: Sums,
    axes: list[tuple[Any, Any]],
    groups: Mapping[str, Ints],
    names: Mapping[str, str],
    *,
    weighted: bool = False,
    frequency: bool = False,
    linked: bool = False,
) -> Fields:
    """The fields of a table of cases, or of sums of them, whose labels have their places.

    `groups` number the "unit" of each, its "item", or both; without groups there are no units.
    """
    stack = tuple(len(labels) for _, labels in axes)
    table = np.zeros(len(held.lost), np.int64)
    for codes, labels in axes:
        table = table * len(labels) + codes

    n, w, w2 = (counted[1],) * 3 if frequency else counted
    kept = every(~held.lost)
    real, predicted = held.places
    silent = predicted < 0
    answer = np.where(silent, len(held.answers), predicted) if silent.any() else predicted
    cell = answer * len(held.labels) + real
    kind = "unit" if "unit" in groups else "item"

    asked = differ = False
    share = np.ones(0)
    if "item" in groups:
        key = table * (int(groups["item"].max(initial=0)) + 1) + groups["item"] if axes else groups["item"]
        share, asked = shares(np.where(held.lost, 0.0, n), key)
    if asked:
        items = Units.gathered(key[kept], cell[kept], (n * share)[kept], table=table[kept], shape=(prod(stack),))
        alike = agreement(items, len(held.labels), sums(table[kept], n[kept], prod(stack)))[table]
        differ = bool((alike < 1).any())
        w, w2 = w * share, w2 * share * (np.where(alike < 1, share, 1.0) if kind == "item" else alike)
        w = w if differ or weighted else _first(key, kept)
    squared = differ or (weighted and not frequency)
    fields = at_places(held, (n, w, w2), axes, squared=squared, shared=asked)
    if not groups:
        return fields

    fields["units"] = Units.gathered(
        groups[kind][kept],
        cell[kept],
        w[kept],
        table=table[kept] if axes else None,
        shape=stack,
        linked=linked or bool(stack),
        of="item" if "item" in groups else "case",
        name=names[kind],
        asked=differ and kind == "item",
        times=n[kept] if asked and kind == "item" else None,
    )
    return fields


def agreement(items: Units, classes: int, answers: Array) -> Array:
    """How much alike the answers to an item are, of each table: 1 where all are the same, and 1/E where each of E
    answers is as if drawn anew.

    What answers to one item differ, of what those to items of one class do; with one more pair that differ,
    so that few errors say little.
    """
    several = np.diff(items.starts) > 1
    differ = np.where(several, 1 - sums(items.row, items.weight**2, len(items.mult)), 0.0)
    cells = int(items.cell.max(initial=0)) // classes * classes + classes
    place, back = np.unique(items.entry_table * cells + items.cell, return_inverse=True)
    held = sums(back, items.weight * items.mult[items.row], len(place))
    table, cell = np.divmod(place, cells)
    of_class = sums(table * classes + cell % classes, held, items.tables * classes)
    among = sums(table, held * (1 - held / of_class[table * classes + cell % classes]), items.tables)
    alike = 1 - items.per_table(differ).ravel() / (among + 1)
    return np.fmax(alike, ratio(np.asarray(items.n), answers))


def _first(key: Ints, kept: Any) -> Array:
    """1 for the first answer to each item and 0 for the others, which are the same."""
    at, own = np.arange(len(key))[kept], key[kept]
    found = np.zeros(len(key))
    found[at[first_rows(own, int(own.max(initial=0)) + 1)[own]]] = 1.0
    return found


def alike(item: Ints, *kinds: Any) -> bool:
    """Whether all answers to each item are of the same kinds, so that it is as asked once.

    >>> alike(np.array([0, 1, 0]), np.array([2, 5, 2])), alike(np.array([0, 0]), np.array([2, 5]))
    (True, False)
    """
    first = first_rows(item, int(item.max(initial=-1)) + 1)[item]
    return all(bool((kind[first] == kind).all()) for kind in kinds)


def shares(answers: Array, item: Ints) -> tuple[Array, bool]:
    """The share of its item's weight that each answer has, given how many answers each row is; and
    whether an item has several."""
    if int(item.max(initial=0)) > 4 * len(item):
        _, item = np.unique(item, return_inverse=True)
    of_item = np.bincount(item, answers)
    return 1 / np.maximum(of_item, 1)[item], bool((of_item > 1).any())


def attempt_numbers(item: Ints) -> Ints:
    """Which of the rows of its item each is, from 1.

    >>> attempt_numbers(np.array([5, 3, 5])).tolist()
    [1, 1, 2]
    """
    order = np.argsort(item, kind="stable")
    ranked = item[order]
    begins = np.flatnonzero(np.diff(ranked, prepend=-1))
    found = np.empty(len(item), np.int64)
    found[order] = np.arange(len(item)) - np.repeat(begins, np.diff(np.append(begins, len(item)))) + 1
    return found


def group_places(given: Mapping[str, Any], length: int) -> dict[str, Ints]:
    """The numbers of those groups that are given, of so many cases."""
    found = {name: column(x, name) for name, x in given.items() if x is not None}
    for name, held in found.items():
        if len(held) != length:
            raise LabelError(f"`{name}` has {len(held):,} entries for {length:,} cases; each needs one.")
    return {name: numbers_of(held, name) for name, held in found.items()}


def check_items(groups: Mapping[str, Ints], real: Ints, weights: Array | None = None) -> None:
    """Whether all rows of an item have the same real label (−1: missing) and weight, and belong to one unit."""
    item = groups.get("item")
    if item is None:
        return
    columns = {"real label": real, "unit": groups.get("unit", item), "weight": item if weights is None else weights}
    for what, held in columns.items():
        own = np.full(int(item.max(initial=-1)) + 1, -1, held.dtype)
        own[item[held >= 0]] = held[held >= 0]
        if ((own[item] != held) & (held >= 0)).any():
            raise LabelError(f"An item has more than one {what}; it must be the same for all its rows.")


def numbers_of(x: Column, name: str) -> Ints:
    """Units or items numbered without gaps; one that is missing is an error."""
    absent = [] if x.names is None else [i for i, label in enumerate(x.names) if is_missing(label)]
    gone = np.zeros(len(x), np.bool_) if x.names is None else (x.codes < 0) | np.isin(x.codes, absent)
    if gone.any():
        raise LabelError(no_unit(name, int(gone.sum()), int(np.flatnonzero(gone)[0])))
    codes, _ = renumbered(x.codes)
    return np.asarray(codes, np.int64)


def no_unit(name: str, missing: int, first: int | None = None) -> str:
    """What is wrong where cases have no unit, whatever `missing` says of labels."""
    at = "" if first is None else f" (the first at {position(first)})"
    case = "case has" if missing == 1 else "cases have"
    return f"{missing:,} {case} no `{name}`{at}; each must belong to one: fill it in, or leave these cases out."


def word_of(x: Any, otherwise: str) -> str:
    """What a unit is called: as its column is, without an "id" at its end.

    >>> word_of("document_id", "unit"), word_of([1, 2], "unit")
    ('document', 'unit')
    """
    name = x if isinstance(x, str) else getattr(x, "name", None)
    if not isinstance(name, str):
        return otherwise
    return re.sub(r"[ _.-]+(id|ID|Id)$", "", name).strip() or otherwise
