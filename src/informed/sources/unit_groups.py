"""Tables with units from an engine: two GROUP BYs where the rows are, and only patterns come back.

Of few classes each unit becomes one row of counts in the engine, a column a cell, and equal rows are
counted there (the wide form). Of many classes, of a stack whose tables share units, and of items within
units, the engine gives one row for each unit and cell, and equal units are put together here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import SourceError
from informed.evidence.columns import column
from informed.evidence.counting import Fields, at_places, axis_of
from informed.evidence.histogram import Sums
from informed.evidence.label_policy import Encoded, LabelPolicy, Side, encode
from informed.evidence.labels import is_missing
from informed.evidence.unit_counting import counted_units, in_units, no_unit, numbers_of, word_of
from informed.evidence.unit_gram import GramUnits
from informed.evidence.units import Units, Weighed
from informed.sources.engine import Engine, TooManyGroups, too_many_entries
from informed.sources.request import Request, check_labels, cleaned

WIDE = 50  # pairs of labels up to which each is a column in the engine
MOST_ENTRIES = 50_000_000  # of units and cells that are brought here; beyond it their sums of products are
MOST_PRODUCTS = 400  # cells of which there are those


def in_memory_units(held: list[Any], asked: Request, policy: LabelPolicy) -> Fields:
    """Columns of a frame that holds them, in the order of `needed`."""
    names = [str(name) for name in (asked.real, *asked.predicted, *asked.by)]
    rest = iter(held[len(names) :])
    units = {kind: next(rest) for kind, name in _groups(asked) if name is not None}
    fields = counted_units(dict(zip(names, held, strict=False)), policy, **units)
    return {**fields, "units": replace(fields["units"], name=_named(asked))}


def needed(asked: Request) -> list[Any]:
    """The columns of labels, groups and units."""
    units = [name for _, name in _groups(asked) if name is not None]
    return [asked.real, *asked.predicted, *asked.by, *units]


def grouped_units(engine: Engine, asked: Request, policy: LabelPolicy) -> Fields:
    """Counts with their units, of an engine that counts where the rows are."""
    both = asked.unit is not None and asked.item is not None
    whole = not asked.by and not both and not asked.strip
    try:
        found = _wide(engine, asked, policy) if whole else None
        return _long(engine, asked, policy) if found is None else found
    except TooManyGroups:
        found = _products(engine, asked, policy) if whole and asked.item is None else None
        if found is None:
            raise
        return found


def _groups(asked: Request) -> tuple[tuple[str, Any], ...]:
    return ("unit", asked.unit), ("item", asked.item)


def _named(asked: Request) -> str:
    return word_of(asked.unit, "unit") if asked.unit is not None else "item"


# ---------------------------------------------------------------- a row for each unit and cell


def _long(engine: Engine, asked: Request, policy: LabelPolicy) -> Fields:
    groups = [(kind, name) for kind, name in _groups(asked) if name is not None]
    keys = [*asked.by, asked.real, *asked.predicted]
    columns = engine.entries(keys, [name for _, name in groups], asked.weights, MOST_ENTRIES)
    labels, rest = columns[: len(keys)], columns[len(keys) :]
    if asked.strip:
        labels = [np.asarray([_stripped(x) for x in held], dtype=object) for held in labels]
    if not len(rest[-1]):
        raise SourceError(f"{engine.shown} has no rows of data; at least one case is needed.")
    sums = _sums(rest[len(groups) :], asked, engine)
    places = {kind: _numbers(held, str(name), engine) for (kind, name), held in zip(groups, rest, strict=False)}

    held = _encoded(labels[len(asked.by) :], sums[0], asked, policy, engine)
    axes = [axis_of(column(list(x), "by").side()) for x in labels[: len(asked.by)]]
    named = {"unit": _named(asked), "item": "item"}
    weighted = asked.weights is not None
    return in_units(held, sums, axes, places, named, weighted=weighted, frequency=asked.frequency)


def _encoded(pair: list[Any], n: Array, asked: Request, policy: LabelPolicy, engine: Engine) -> Encoded:
    names = [asked.real, *asked.predicted]
    sides = []
    for name, held, what in zip(names, pair, ("real", "predicted"), strict=True):
        side = column(held.tolist() if held.dtype == object else held, str(name)).side()
        check_labels(side.raw, what, engine)
        sides.append(Side(side.codes, side.raw, engine.levels(name) or side.levels))
    return encode(sides, policy, n=n, names=list(map(str, names)))


def _sums(given: list[Any], asked: Request, engine: Engine) -> tuple[Array, Array, Array]:
    n = np.asarray(given[0], np.float64)
    if asked.weights is None:
        return n, n, n
    _, w, w2, least, numbers = (np.asarray(x, np.float64) for x in given)
    total = (n.sum(), w.sum(), w2.sum(), least.min(), numbers.sum())
    cleaned([total], 0, asked, engine)
    return n, w, w2


def _numbers(held: NDArray[Any], name: str, engine: Engine) -> NDArray[np.int64]:
    if held.dtype == object:
        gone = sum(map(is_missing, held))
        if gone:
            raise SourceError(f"{engine.shown}: {no_unit(name, gone)}")
        held_column = column(held.tolist(), name)
    else:
        held_column = column(held, name)
    return numbers_of(held_column, name)


def _stripped(value: Any) -> Any:
    return (value.strip() or None) if isinstance(value, str) else value


# ---------------------------------------------------------------- a row for each unit, a column for each cell


def _wide(engine: Engine, asked: Request, policy: LabelPolicy) -> Fields | None:
    """Patterns that the engine has counted; None where there are too many cells, or it cannot."""
    known = _cells(engine, asked, policy)
    if known is None or len(known[1][0]) > WIDE:
        return None
    held, sums, counted = known
    pair, group = _pair_and_group(asked)
    most = MOST_ENTRIES // max(len(counted), 1)
    try:
        patterns = engine.unit_patterns(pair, group, asked.weights, len(sums[0]), counted, most)
    except TooManyGroups:
        raise too_many_entries(engine.shown, MOST_ENTRIES) from None
    return _of_patterns(np.asarray(patterns, np.float64), held, sums, counted, asked)


def _pair_and_group(asked: Request) -> tuple[list[Any], Any]:
    return [asked.real, *asked.predicted], asked.item if asked.unit is None else asked.unit


def _cells(engine: Engine, asked: Request, policy: LabelPolicy) -> tuple[Encoded, Sums, list[int]] | None:
    """The pairs of labels that the engine has numbered, their sums, and which of them count; None where it cannot."""
    pair, group = _pair_and_group(asked)
    cells = engine.unit_cells(pair, group, asked.weights)
    if cells is None:
        return None
    if not cells:
        raise SourceError(f"{engine.shown} has no rows of data; at least one case is needed.")
    lacking = sum(int(row[-1]) for row in cells)
    if lacking:
        raise SourceError(f"{engine.shown}: {no_unit(group, lacking)}")
    cells = cleaned([row[:-1] for row in cells], 2, asked, engine)

    fields = [np.asarray([row[i] for row in cells], dtype=object) for i in range(2)]
    sums = _sums(list(zip(*(row[2:] for row in cells), strict=True)), asked, engine)
    held = _encoded(fields, sums[0], asked, policy, engine)
    return held, sums, [i for i, lost in enumerate(held.lost) if not lost]


def _of_patterns(
    rows: Array, held: Encoded, sums: tuple[Array, Array, Array], counted: list[int], asked: Request
) -> Fields:
    """The table of patterns (what a unit holds of each cell that is counted; how many do; with weights
    of items also the squares and rows)."""
    mult, each = rows[:, -1], rows[:, : len(counted)]
    some = each.any(axis=1)
    mult, each = mult[some], each[some]
    weighted = asked.weights is not None and not asked.frequency
    of: Weighed = "case" if asked.item is None else "item"
    times = np.ones(len(mult))
    if of == "item":
        times = rows[some, -2] if weighted else each.sum(axis=1)
    several = bool((times > 1).any())

    real, predicted = held.places
    cell = (np.where(predicted < 0, len(held.answers), predicted) * len(held.labels) + real)[counted]
    row, at = np.nonzero(each)
    share = each[row, at] / times[row]
    long = Units(row, cell[at], share, np.zeros(len(mult), np.int64), mult, of=of, name=_named(asked))
    long = replace(long, each=long.total / times if several else None)
    units = long.mapped(np.arange(int(cell.max()) + 1))  # cells in order, those alike together
    differ = several and len(units.row) > len(units.mult)
    if of == "item":
        sums = _shared(sums, rows[some], counted, times, asked, differ)
    fields = at_places(held, sums, [], squared=differ or weighted, shared=several)
    fields["units"] = replace(units, asked=differ)
    return fields


def _shared(
    sums: tuple[Array, Array, Array], rows: Array, counted: list[int], times: Array, asked: Request, differ: bool
) -> tuple[Array, Array, Array]:
    """Sums by cell when the answers to each item share its weight, and count as one where they never differ."""
    n, w, w2 = (x.copy() for x in ((sums[1],) * 3 if asked.frequency else sums))
    c = len(counted)
    mult, x = rows[:, -1], rows[:, :c]
    squares = rows[:, c : 2 * c] if asked.weights is not None and not asked.frequency else x
    w[counted] = (mult[:, None] * x / times[:, None]).sum(axis=0)
    w2[counted] = (mult[:, None] * squares / times[:, None] ** (2 if differ else 1)).sum(axis=0)
    return n, w, w2


# ---------------------------------------------------------------- sums of products alone


def _products(engine: Engine, asked: Request, policy: LabelPolicy) -> Fields | None:
    """The table of more units than can be brought here; None of too many cells, or where the engine cannot."""
    known = _cells(engine, asked, policy)
    if known is None:
        return None
    held, sums, counted = known
    real, predicted = held.places
    cell = np.where(predicted < 0, len(held.answers), predicted) * len(held.labels) + real
    size = (len(held.answers) + bool((predicted[counted] < 0).any())) * len(held.labels)
    found = None if size > MOST_PRODUCTS else engine.unit_gram(*_pair_and_group(asked), asked.weights, counted)
    if found is None:
        return None

    first, second, product = np.asarray(found[0], np.float64).T
    one, other = (cell[x.astype(np.int64)] for x in (first, second))
    gram = np.zeros((size, size))
    np.add.at(gram, (one, other), product)
    np.add.at(gram, (other, one), np.where(first == second, 0.0, product))

    several, *sizes = np.asarray(found[1], np.float64)
    fields = at_places(held, sums, [], squared=asked.weights is not None and not asked.frequency)
    fields["units"] = GramUnits(gram, np.asarray(sizes), float(several), name=_named(asked))
    return fields
