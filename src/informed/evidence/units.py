"""Units: what was sampled (documents, patients, items that were asked several times), on the table itself.

A table holds, beside its cells, what each unit holds of them, and units that hold the same are one
*pattern*, held once with its multiplicity. All is sparse: an entry is (row, cell, weight), so one form
serves one table, a stack, and rows of the same units along a stack; sums over units are `bincount`s.

- The cells of a table are numbered as `inference.influence.cells_of` lays them out: predicted-major, and
  after them abstentions by real class. Those of a joint are its own cells, flattened.
- Σ mult·weight over the rows of a table are its cells; that holds after every operation.
- Rows are in order of their table, entries in order of their row and cell; no row is empty.
- `ids` (row mode) say which rows of a stack are the same unit, so that covariances between its tables
  are known. Without ids the tables of a stack, and their units, are taken as independent.
- What single cases weigh stays on the table: `squares` (Σ w²) and `cases` (rows read) by cell,
  `unanswered_squares` and `unanswered_cases` by real class; None where each case counts one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Floats, plain
from informed.errors import TableError

Ints = NDArray[np.int64]
Weighed = Literal["case", "item"]

DENSE = 4  # places to an entry up to which entries are added up in an array of all places
MIXING = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # of SplitMix64
MOST_ENTRIES = 5_000_000  # cases times tables, up to which a stack of tables on the same cases carries units
ODD = np.uint64(0x9E3779B97F4A7C15)
LAST, ROUNDING = np.uint64(1 << 12), 1e-11  # binary digits of a weight that may be rounding, and how much that is


@dataclass(frozen=True, eq=False)
class Units:
    """What the units of a table, or of a stack of tables, hold of its cells; units alike are one row.

    >>> units = Units.gathered(unit=np.array([0, 0, 1, 1]), cell=np.array([0, 3, 3, 0]))
    >>> units.n, units.mult.tolist(), units.cell.tolist()
    (2.0, [2.0], [0, 3])
    """

    row: Ints  # (entries,) which row an entry belongs to, ascending
    cell: Ints  # (entries,) which cell of the table
    weight: Array  # (entries,) what the unit holds there
    table: Ints  # (rows,) which table of the flattened stack, ascending
    mult: Array  # (rows,) how many units look like that
    shape: tuple[int, ...] = ()  # of the stack
    ids: Ints | None = None  # (rows,) the same id is the same unit, along a stack
    of: Weighed = "case"  # how cases were weighed: each one, or the answers to an item together one
    name: str = "unit"  # what a unit is called: "document", "item"
    asked: bool = False  # whether a unit is one item that was asked several times
    apart: bool = False  # whether units of tables that were added were taken as different
    each: Array | None = None  # (rows,) what one answer weighs, of items that were asked several times

    @classmethod
    def gathered(
        cls,
        unit: Ints,
        cell: Ints,
        weight: Array | None = None,
        *,
        table: Ints | None = None,
        shape: tuple[int, ...] = (),
        linked: bool = False,
        times: Array | None = None,
        **said: Any,
    ) -> Units:
        """From cases, or sums of them, in any order: unit, cell and weight (one each if None), and of a
        stack the table. `linked` keeps which rows are the same unit; `times` are the answers that each is,
        where units are items that were asked several times."""
        units, cells = (int(x.max(initial=-1)) + 1 for x in (unit, cell))
        places = unit if table is None else np.asarray(table, np.int64) * units + unit
        at, weights = _added(places * cells + cell, weight, prod(shape) * units * cells)

        key, cell = np.divmod(at, max(cells, 1))
        first = np.diff(key, prepend=-1) != 0
        tables, ids = np.divmod(key[first], max(units, 1))
        found = cls(np.cumsum(first) - 1, cell, weights, tables, np.ones(len(ids)), shape, ids, **said)
        if times is not None:
            held, answers = _added(places, times, prod(shape) * units)
            found = replace(found, each=found.total / answers[np.searchsorted(held, key[first])])
        return found if linked else found.merged()

    # ------------------------------------------------------------------ what they hold

    @property
    def n(self) -> Floats:
        """Number of units, of each table of a stack."""
        return plain(self.per_table(np.ones(len(self.mult))))

    @property
    def tables(self) -> int:
        """How many tables the stack has."""
        return prod(self.shape)

    @cached_property
    def starts(self) -> Ints:
        """Where the entries of each row start, and after the last where they end."""
        return np.searchsorted(self.row, np.arange(len(self.mult) + 1))

    @cached_property
    def entry_table(self) -> Ints:
        """Which table each entry belongs to."""
        return np.asarray(self.table[self.row])

    @cached_property
    def total(self) -> Array:
        """What each row holds in all."""
        return sums(self.row, self.weight, len(self.mult))

    @property
    def answers(self) -> Array | None:
        """Least and most answers to an item, ``(2, *stack)``; None where no more is known than how many there are."""
        if self.each is None:
            return None
        times, found = np.round(self.total / self.each), np.full((2, self.tables), np.nan)
        np.fmin.at(found[0], self.table, times)
        np.fmax.at(found[1], self.table, times)
        return found.reshape(2, *self.shape)

    def per_table(self, each: Array) -> Array:
        """Σ mult·x over the rows of each table, ``(*stack)``."""
        return sums(self.table, self.mult * each, self.tables).reshape(self.shape)

    def read(self, slopes: Array) -> Array:
        """Σ weight·x over the cells of each row, of numbers ``(cells, *stack)``."""
        numbers = slopes.reshape(len(slopes), -1)
        numbers = numbers[self.cell, 0] if self.tables == 1 else numbers[self.cell, self.entry_table]
        return sums(self.row, self.weight * numbers, len(self.mult))

    @property
    def single(self) -> bool:
        """Whether each holds one case that weighs one."""
        return len(self.cell) == len(self.mult) and bool((self.weight == 1).all())

    def squared(self, slopes: Array) -> Array:
        """Σ of the squares of what units read of numbers ``(cells, *stack)``, of each table."""
        return self.per_table(self.read(slopes) ** 2)

    def products(self, slopes: Array) -> Array:
        """Σ of the products of what units read of two columns of ``(cells, columns, *stack)``: ``(*stack, i, j)``."""
        columns = slopes.shape[1]
        each = np.stack([self.read(slopes[:, i]) for i in range(columns)])
        place = (np.arange(columns)[:, None] * self.tables + self.table).ravel()
        found = [sums(place, (self.mult * x * each).ravel(), columns * self.tables) for x in each]
        return np.moveaxis(np.reshape(found, (columns, columns, *self.shape)), (0, 1), (-2, -1))

    def cells(self, size: int) -> Array:
        """What all units hold together, ``(cells, *stack)``: the cells of the table."""
        at = self.cell * self.tables + self.entry_table
        found = sums(at, self.weight * self.mult[self.row], size * self.tables)
        return found.reshape(size, *self.shape)

    def same(self, other: Units | None) -> bool:
        """Whether both say the same of the same cells; ids may be numbered otherwise."""
        if other is None or (self.ids is None) != (other.ids is None):
            return False
        plain_ones = ("shape", "of", "name", "asked")
        if any(getattr(self, x) != getattr(other, x) for x in plain_ones):
            return False
        one, two = (
            x.in_order() if x.each is None else replace(x, each=None)._alike().in_order() for x in (self, other)
        )
        if not all(np.array_equal(getattr(one, x), getattr(two, x)) for x in ("row", "cell", "table", "mult")):
            return False
        return bool(np.allclose(one.weight, two.weight, rtol=ROUNDING, atol=0))

    # ------------------------------------------------------------------ operations of a table

    def mapped(self, to: Ints) -> Units:
        """Each cell at its new place, −1 for nowhere: what select, collapse, dual and one class do."""
        cell = np.asarray(to, np.int64)[self.cell]
        kept = cell >= 0
        size = int(cell.max(initial=-1)) + 1
        key = self.row[kept] * size + cell[kept]
        return self._regathered(key, self.weight[kept], size, np.arange(len(self.mult)))

    def against(self, maps: Sequence[Ints]) -> Units:
        """Each of several maps of the cells, as a new last axis of the stack."""
        return stacked([self.mapped(to) for to in maps], axis=-1)

    def taken(self, tables: NDArray[Any]) -> Units:
        """The stack whose tables are these of the old one, by their numbers in it; any shape."""
        wanted = np.asarray(tables, np.int64)
        ends = np.searchsorted(self.table, np.arange(self.tables + 1))
        flat = wanted.ravel()
        sizes = np.diff(ends)[flat]
        found = self._rows(ranges(ends[flat], sizes))
        found = replace(found, table=np.repeat(np.arange(len(flat)), sizes), shape=wanted.shape)
        return found.merged() if not wanted.shape else found

    def spread(self, stack: tuple[int, ...]) -> Units:
        """The same units in each table of a larger stack."""
        if self.shape == stack:
            return self
        return self.taken(np.broadcast_to(np.arange(self.tables).reshape(self.shape), stack))

    def pooled(self, to: NDArray[Any], shape: tuple[int, ...]) -> Units:
        """The tables added up by their new numbers: the same unit is one, where ids tell, else all are different."""
        table = np.asarray(to, np.int64).ravel()[self.table]
        if self.ids is None:
            order = np.argsort(table, kind="stable")
            return replace(self._rows(order), table=table[order], shape=shape).merged()
        found = replace(self, table=table, shape=shape)._by_id()
        return found if shape else found.merged()

    def together(self, other: Units) -> Units:
        """Units of both, by their ids: the same id is the same unit."""
        return _joined([self, other], [self.table, other.table], self.shape, linked=True)._by_id()

    def plus(self, other: Units) -> Units:
        """Units of both, which are taken as different."""
        assert self.shape == other.shape, "tables are aligned before they are added"
        found = _joined([self, other], [self.table, other.table], self.shape)
        return replace(found._alike(), apart=True)

    def _alike(self) -> Units:
        """Rows that hold the same as one, unless they are told apart."""
        return self if self.ids is not None else self.merged()

    def merged(self) -> Units:
        """Rows that hold the same of the same table as one; ids are lost."""
        alike = self._hashes()
        _, first, back = np.unique(alike, return_index=True, return_inverse=True)
        mult = sums(back, self.mult, len(first))
        order = np.argsort(self.table[first], kind="stable")
        found = self._rows(first[order])
        return replace(found, mult=mult[order], ids=None)

    def in_order(self) -> Units:
        """Rows of a table in an order that depends on nothing but what they, and the same unit elsewhere, hold."""
        alike = self._hashes()
        if self.ids is not None:
            names, back = np.unique(self.ids, return_inverse=True)
            whole = np.zeros(len(names), np.uint64)
            np.add.at(whole, back, alike)
            alike = whole[back]
        return self._rows(np.lexsort((alike, self.table)))

    # ------------------------------------------------------------------ within

    def _rows(self, which: Ints) -> Units:
        """These rows, in this order."""
        sizes = np.diff(self.starts)[which]
        entries = ranges(self.starts[which], sizes)
        return replace(
            self,
            row=np.repeat(np.arange(len(which)), sizes),
            cell=self.cell[entries],
            weight=self.weight[entries],
            table=self.table[which],
            mult=self.mult[which],
            ids=None if self.ids is None else self.ids[which],
            each=None if self.each is None else self.each[which],
        )

    def _by_id(self) -> Units:
        """Rows of the same unit in the same table as one, in order of their ids."""
        assert self.ids is not None
        names, back = np.unique(self.ids, return_inverse=True)
        key, first, rows = np.unique(self.table * len(names) + back, return_index=True, return_inverse=True)
        size = int(self.cell.max(initial=-1)) + 1
        kept = replace(self._rows(first), table=key // max(len(names), 1), ids=names[back[first]])
        return kept._regathered(rows[self.row] * size + self.cell, self.weight, size, np.arange(len(key)))

    def _regathered(self, key: Ints, weight: Array, size: int, rows: Ints) -> Units:
        """Entries by row and cell, added up where they come again; empty rows are dropped."""
        at, weights = _added(key, weight, len(rows) * size)
        row, cell = np.divmod(at, max(size, 1))
        first = np.diff(row, prepend=-1) != 0
        kept = row[first]
        found = replace(
            self,
            row=np.cumsum(first) - 1,
            cell=cell,
            weight=weights,
            table=self.table[kept],
            mult=self.mult[kept],
            ids=None if self.ids is None else self.ids[kept],
            each=None if self.each is None else self.each[kept],
        )
        return found._alike()

    def _hashes(self) -> NDArray[np.uint64]:
        """A number for each row by its table and entries: rows that are equal, but for the last digits of
        sums, have equal ones. Two others among P share theirs with a chance of P²/2⁶⁵, 3e-8 of a million."""
        if not len(self.mult):
            return np.zeros(0, np.uint64)
        entry = _mixed(_rounded(self.weight) ^ _mixed(self.cell.astype(np.uint64) + ODD))
        held = np.add.reduceat(entry, self.starts[:-1])
        if self.each is not None:
            held = held + _mixed(_rounded(self.each))
        return _mixed(held + self.table.astype(np.uint64) * ODD)


# ---------------------------------------------------------------------- several


def stacked(several: Sequence[Units], axis: int = 0) -> Units:
    """Units of stacks of one shape, along a new axis; the same id is the same unit in all of them."""
    shape = several[0].shape
    at = axis % (len(shape) + 1)
    new = (*shape[:at], len(several), *shape[at:])
    places = np.moveaxis(np.arange(prod(new)).reshape(new), at, 0).reshape(len(several), -1)
    return _joined(several, [place[one.table] for one, place in zip(several, places, strict=True)], new, linked=True)


def singles(cells: Array, squares: Array, **said: Any) -> Units:
    """Units of one case each, as ``(cells, *stack)`` of counts and sums of squared weights tell them.

    Weighted cases of a cell are taken as equally heavy: as many and as heavy as have these two sums.
    """
    shape = cells.shape[1:]
    flat, square = cells.reshape(len(cells), -1).T, squares.reshape(len(cells), -1).T
    table, cell = np.nonzero(flat)
    n, s = flat[table, cell], square[table, cell]
    return Units(np.arange(len(n)), cell, s / n, table, n**2 / s, shape, **said)


def _joined(several: Sequence[Units], tables: Sequence[Ints], shape: tuple[int, ...], *, linked: bool = False) -> Units:
    """Rows of all, at these tables of one stack."""
    offsets = np.cumsum([0, *(len(one.mult) for one in several)])
    ids = _ids(several, linked)
    one, repeated = several[0], any(x.each is not None for x in several)
    found = replace(
        one,
        row=np.concatenate([x.row + at for x, at in zip(several, offsets, strict=False)]),
        cell=np.concatenate([x.cell for x in several]),
        weight=np.concatenate([x.weight for x in several]),
        table=np.concatenate(tables),
        mult=np.concatenate([x.mult for x in several]),
        shape=shape,
        ids=ids,
        of=one.of if len({x.of for x in several}) == 1 else "case",
        name=one.name if len({x.name for x in several}) == 1 else "unit",
        asked=any(x.asked for x in several),
        apart=any(x.apart for x in several),
        each=np.concatenate([x.total if x.each is None else x.each for x in several]) if repeated else None,
    )
    return found._rows(np.argsort(found.table, kind="stable"))


def _ids(several: Sequence[Units], linked: bool) -> Ints | None:
    """Ids of all, the same in several only where they are linked; rows without one have their own."""
    known = [x.ids for x in several if x.ids is not None]
    if not known:
        return None
    top, found = max(int(x.max(initial=-1)) for x in known) + 1 if linked else 0, []
    for one in several:
        own = np.arange(len(one.mult)) if one.ids is None else one.ids
        apart = not linked or one.ids is None
        found.append(own + top * apart)
        top += (int(own.max(initial=-1)) + 1) * apart
    return np.concatenate(found)


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """start, start + 1, … of each range, one after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))


def _added(key: Ints, weight: Array | None, size: int) -> tuple[Ints, Array]:
    """Distinct keys below `size`, sorted, and the weights of each added up; those of weight 0 are dropped."""
    if size >= np.iinfo(np.int64).max:
        raise TableError("There are too many units for a table of so many classes.")
    if size <= DENSE * len(key):
        held = sums(key, weight, size)
        at = np.flatnonzero(held)
        return at, held[at]
    if weight is None:
        at, counts = np.unique(key, return_counts=True)
        return at, counts.astype(np.float64)
    at, back = np.unique(key, return_inverse=True)
    held = sums(back, weight, len(at))
    return at[held != 0], held[held != 0]


def sums(at: Ints, numbers: Array | None, size: int) -> Array:
    """Numbers added up by their places, or counted if there are none."""
    return np.asarray(np.bincount(at, numbers, minlength=size), np.float64)


def _rounded(x: Array) -> NDArray[np.uint64]:
    """Numbers without their last binary digits."""
    return (x.view(np.uint64) + (LAST >> np.uint64(1))) // LAST


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Bits well shaken."""
    x = (x ^ (x >> np.uint64(30))) * MIXING[0]
    x = (x ^ (x >> np.uint64(27))) * MIXING[1]
    return np.asarray(x ^ (x >> np.uint64(31)))


def first_seen(ids: Any) -> Ints:
    """Ids numbered by their first appearance."""
    _, first, back = np.unique(ids, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[back])
