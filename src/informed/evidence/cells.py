"""How the cells of a table are held: all of them, or of many classes only what is occupied.

Up to `DENSE_UP_TO` classes cells are an array ``(predicted, real, *stack)``. Above, nearly all of
them are empty, and `Occupied` holds the others; what guessing would give is a `Product` of margins.
Both stand in for the array. Sums, the diagonal, scaling and selection read what is held; anything
else makes the whole array, if memory allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import TableError

Places: TypeAlias = NDArray[np.int64]

DENSE_UP_TO = 2000  # classes
MOST = 1 << 27  # cells that are ever made into an array: 1 GB


def many(*classes: int) -> bool:
    """Whether tables of so many predicted and real labels hold only what is occupied."""
    return max(classes) > DENSE_UP_TO


def is_sparse(cells: Any) -> bool:
    """Whether these cells are something that stands in for an array."""
    return isinstance(cells, StandIn)


class StandIn(NDArrayOperatorsMixin):
    """What takes the place of an array of cells."""

    shape: tuple[int, ...]

    def dense(self) -> Array:
        raise NotImplementedError

    def sum(self, axis: Any) -> Any:
        raise NotImplementedError

    def at(self, predicted: Any, real: Any) -> Array:
        """The numbers at these places."""
        raise NotImplementedError

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and not any(isinstance(k, slice) for k in key):
            return self.at(*key)
        return whole(self)[key]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        found = whole(self)
        return found if dtype is None else found.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options and ufunc in (np.multiply, np.true_divide):
            first, second = inputs
            empty_stays = ufunc is np.multiply or np.all(second)
            if isinstance(first, StandIn) and not isinstance(second, StandIn) and empty_stays:
                return first.scaled(ufunc, second)
        inputs = tuple(whole(x) if isinstance(x, StandIn) else x for x in inputs)
        return getattr(ufunc, method)(*inputs, **options)

    def scaled(self, ufunc: Any, by: Any) -> Any:
        return ufunc(whole(self), by)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(whole(self), name)  # whatever else an array can do


Cells: TypeAlias = Array | StandIn


@dataclass(frozen=True, eq=False)
class Occupied(StandIn):
    """The cells that hold something, in order of their predicted and then their real class."""

    predicted: Places  # (cells,)
    real: Places  # (cells,)
    numbers: Array  # (cells, *stack)
    classes: tuple[int, int]  # predicted, real

    @classmethod
    def gathered(cls, predicted: Any, real: Any, numbers: Array, classes: tuple[int, int]) -> Occupied:
        """From numbers at places in any order, which are added up where a place comes again."""
        at = np.asarray(predicted, np.int64) * classes[1] + np.asarray(real, np.int64)
        cells, back = np.unique(at, return_inverse=True)
        held = summed(back, numbers, len(cells))
        some = held.any(axis=tuple(range(1, held.ndim)))
        held = held[some]
        held.flags.writeable = False
        return cls(*np.divmod(cells[some], classes[1]), held, classes)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]  # known from what is held
        return (*self.classes, *self.numbers.shape[1:])

    def dense(self) -> Array:
        found = np.zeros(self.shape)
        found[self.predicted, self.real] = self.numbers
        return found

    def sum(self, axis: Any) -> Any:
        if axis == 0:
            return summed(self.real, self.numbers, self.classes[1])
        if axis == 1:
            return summed(self.predicted, self.numbers, self.classes[0])
        if axis in ((0, 1), (1, 0)):
            return self.numbers.sum(axis=0)
        return Occupied(self.predicted, self.real, self.numbers.sum(axis=axis - 1), self.classes)

    def swapaxes(self, one: int, other: int) -> Occupied:
        assert {one, other} == {0, 1}, "the axes of the classes"
        return Occupied.gathered(self.real, self.predicted, self.numbers, self.classes[::-1])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and all(isinstance(k, slice) for k in key[:2]):
            assert key[:2] == (slice(None), slice(None)), "all classes; `placed` takes some"
            kept = self.numbers[(slice(None), *key[2:])]
            return Occupied.gathered(self.predicted, self.real, kept, self.classes)
        return super().__getitem__(key)

    def at(self, predicted: Any, real: Any) -> Array:
        """The numbers at these places, 0 where nothing is held."""
        held = self.predicted * self.classes[1] + self.real
        asked = np.asarray(predicted, np.int64) * self.classes[1] + np.asarray(real, np.int64)
        place = np.searchsorted(held, asked)
        place = np.minimum(place, max(len(held) - 1, 0))
        there = (held[place] == asked) if len(held) else np.zeros(asked.shape, bool)
        found = np.zeros((*asked.shape, *self.numbers.shape[1:]))
        found[there] = self.numbers[place[there]]
        return found

    def scaled(self, ufunc: Any, by: Any) -> Occupied:
        each = np.broadcast_to(by, self.shape)[self.predicted, self.real]
        found = ufunc(self.numbers, each)
        some = found.any(axis=tuple(range(1, found.ndim)))
        return Occupied(self.predicted[some], self.real[some], found[some], self.classes)


@dataclass(frozen=True, eq=False)
class Product(StandIn):
    """What guessing with these margins would give: their product over the total."""

    predicted: Array  # (predicted, *stack)
    real: Array  # (real, *stack)
    total: Array  # (*stack)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]  # known from what is held
        return (len(self.predicted), *self.real.shape)

    def over(self, product: Array) -> Array:
        return np.where(self.total == 0, 0.0, ratio(product, self.total))

    def dense(self) -> Array:
        return self.over(self.predicted[:, None] * self.real)

    def sum(self, axis: Any) -> Any:
        if axis == 0:
            return self.real
        return self.predicted if axis == 1 else whole(self).sum(axis=axis)

    def swapaxes(self, one: int, other: int) -> Product:
        assert {one, other} == {0, 1}, "the axes of the classes"
        return Product(self.real, self.predicted, self.total)

    def at(self, predicted: Any, real: Any) -> Array:
        return self.over(self.predicted[predicted] * self.real[real])


@dataclass(frozen=True, eq=False)
class Smoothed(StandIn):
    """Occupied cells of a square table, and a little in every cell on and off its diagonal."""

    seen: Occupied
    right: Any
    wrong: Any

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]  # known from what is held
        return self.seen.shape

    @property
    def row(self) -> Any:
        """What was added to each row, and to each column."""
        return self.right + (len(self) - 1) * self.wrong

    def dense(self) -> Array:
        return smoothed(self.seen.dense(), self.right, self.wrong)

    def sum(self, axis: Any) -> Any:
        if axis in (0, 1):
            return self.seen.sum(axis=axis) + self.row
        return whole(self).sum(axis=axis)

    def swapaxes(self, one: int, other: int) -> Smoothed:
        return Smoothed(self.seen.swapaxes(one, other), self.right, self.wrong)

    def at(self, predicted: Any, real: Any) -> Array:
        found = self.seen.at(predicted, real)
        hit = np.equal(predicted, real)
        hit = hit.reshape(*hit.shape, *[1] * (found.ndim - hit.ndim))
        return np.asarray(found + np.where(hit, self.right, self.wrong))

    def scaled(self, ufunc: Any, by: Any) -> Smoothed:
        return Smoothed(self.seen.scaled(ufunc, by), ufunc(self.right, by), ufunc(self.wrong, by))


# ---------------------------------------------------------------------- the ways in and out


def smoothed(cells: Array, right: Any, wrong: Any) -> Array:
    """Square cells with so much added to each on the diagonal and off it."""
    if isinstance(cells, Occupied):
        return cast(Array, Smoothed(cells, right, wrong))
    hit = np.eye(len(cells), dtype=bool).reshape(cells.shape[:2] + (1,) * (cells.ndim - 2))
    return np.asarray(cells + np.where(hit, right, wrong))


def whole(cells: Cells) -> Array:
    """All cells as an array, where there are not too many."""
    if not isinstance(cells, StandIn):
        return cells
    if cells.size > MOST:
        raise TableError(
            f"A table of {' x '.join(f'{k:,}' for k in cells.shape)} cells is held as what is "
            f"occupied, and all of them would take {cells.size * 8 / 1e9:.1f} GB: take the margins "
            "or the hits, `collapse` the classes, or `select` some of them."
        )
    return cells.dense()


def flattened(cells: Cells, silent: Array | None) -> Array:
    """All cells in one column, predicted-major, and abstentions by real class after them if there are."""
    held = whole(cells)
    held = held.reshape(-1, *held.shape[2:])
    return held if silent is None else np.concatenate([held, silent])


def occupied(cells: Cells) -> tuple[Places, Places, Array]:
    """Where something is, and how much: predicted classes, real classes, (cells, *stack)."""
    if isinstance(cells, Occupied):
        return cells.predicted, cells.real, cells.numbers
    full = whole(cells)
    predicted, real = np.nonzero(full.reshape(*full.shape[:2], -1).any(axis=2))
    return predicted, real, full[predicted, real]


def same(a: Any, b: Any) -> bool:
    """Whether two tables hold the same numbers; None is like None alone."""
    if a is None or b is None or np.shape(a) != np.shape(b):
        return a is b
    if isinstance(a, StandIn) or isinstance(b, StandIn):
        return all(np.array_equal(x, y) for x, y in zip(occupied(a), occupied(b), strict=True))
    return np.array_equal(a, b)


def placed(cells: Cells, rows: Places, columns: Places, classes: tuple[int, int]) -> Array:
    """The cells in another table: where each row and column goes (−1: nowhere), added up."""
    if isinstance(cells, StandIn) or many(*classes):
        at_p, at_r, numbers = occupied(cells)
        to_p, to_r = rows[at_p], columns[at_r]
        kept = (to_p >= 0) & (to_r >= 0)
        found = Occupied.gathered(to_p[kept], to_r[kept], numbers[kept], classes)
        return cast(Array, found) if many(*classes) else found.dense()
    full = np.zeros((*classes, *cells.shape[2:]))
    from_p, from_r = np.flatnonzero(rows >= 0), np.flatnonzero(columns >= 0)
    np.add.at(full, np.ix_(rows[from_p], columns[from_r]), cells[np.ix_(from_p, from_r)])
    return full


def added(parts: Sequence[Cells]) -> Array:
    """The sum of tables of the same classes and stacks."""
    if not any(isinstance(x, StandIn) for x in parts):
        return np.asarray(sum(parts))
    predicted, real, numbers = (np.concatenate(x) for x in zip(*map(occupied, parts), strict=True))
    return cast(Array, Occupied.gathered(predicted, real, numbers, (parts[0].shape[0], parts[0].shape[1])))


def spread(held: Cells, stack: tuple[int, ...], lead: int) -> Any:
    """Numbers of which the first `lead` axes are classes, broadcast to a stack of this shape."""
    if held.shape[lead:] == stack:
        return held
    if isinstance(held, Occupied):
        return replace(held, numbers=spread(held.numbers, stack, 1))
    classes, own = held.shape[:lead], held.shape[lead:]
    ones = (1,) * (len(stack) - len(own))
    return np.broadcast_to(np.reshape(held, (*classes, *ones, *own)), (*classes, *stack))


# ---------------------------------------------------------------------- sums over classes


def summed(at: Places, numbers: Array, size: int) -> Array:
    """The numbers added up by their places; −1 is none."""
    if (at < 0).any():
        at, numbers = at[at >= 0], numbers[at >= 0]
    if numbers.ndim == 1:
        return np.bincount(at, numbers, minlength=size).astype(np.float64)
    found = np.zeros((size, *numbers.shape[1:]))
    np.add.at(found, at, numbers)
    return found


def others(totals: Array) -> Array:
    """For each class the sum over all others, added up rather than subtracted from the total,
    so that a rare class beside a huge one loses nothing.

    >>> others(np.array([1.0, 2.0, 4.0]))
    array([6., 5., 3.])
    """
    if len(totals) == 2:
        return totals[::-1]
    nothing = np.zeros_like(totals[:1])
    before = np.concatenate([nothing, np.cumsum(totals, axis=0)[:-1]])
    after = np.concatenate([np.cumsum(totals[::-1], axis=0)[::-1][1:], nothing])
    return np.asarray(before + after)


def mixture(informedness: Any, prevalence: Array, guess: Array) -> Array:
    """Shares of the cells (..., predicted, real) of a system that knows so often and else guesses.

    One informedness for all classes, one for each, or a stack of either (..., 1 or class). Below 0,
    of two classes, the system knows and says the opposite.
    """
    known = np.atleast_1d(informedness)[..., None, :]
    right = np.eye(len(prevalence))
    said = np.where(known >= 0, right, right[::-1])
    return np.asarray(prevalence * (np.abs(known) * said + (1 - np.abs(known)) * guess[:, None]))


def diagonal(cells: Cells) -> Array:
    """The hits of each class."""
    at = np.arange(len(cells))
    return np.asarray(cells[at, at])


def off_diagonal(cells: Cells) -> Array:
    """The rows' sums without the diagonal, added up rather than subtracted."""
    if isinstance(cells, Occupied):
        wrong = cells.predicted != cells.real
        return summed(cells.predicted[wrong], cells.numbers[wrong], len(cells))
    if isinstance(cells, Smoothed):
        return np.asarray(off_diagonal(cells.seen) + (len(cells) - 1) * cells.wrong)
    if isinstance(cells, Product):
        return cells.over(cells.predicted * others(cells.real))
    if len(cells) == 2:
        return np.stack([cells[0, 1], cells[1, 0]])
    return np.asarray(np.einsum("pr...,pr->p...", cells, 1 - np.eye(len(cells))))


def outside(cells: Cells) -> Array:
    """For each class the cases that are neither really it nor predicted to be it."""
    if isinstance(cells, Product):
        return cells.over(others(cells.predicted) * others(cells.real))
    k = len(cells)
    if k == 2:
        return np.stack([cells[1, 1], cells[0, 0]])
    if k <= 64:  # adding up what is meant costs K³ and leaves no rounding
        keep = 1 - np.eye(k)
        not_predicted = np.tensordot(keep, cells, axes=1)
        return np.asarray(np.einsum("lr...,lr->l...", not_predicted, keep))
    rest = others(cells.sum(axis=0)) - off_diagonal(cells)
    return np.maximum(rest, 0.0)
