"""Sums over the units of a table as one measure sees them, by their rows or by their Gram matrix.

A unit g holds the weights W_g of cells. What the measure reads of it is σ_g = W_g·s, what it moves the
measure by is e_g = W_g·u, taken off a share of σ_g so that all add to 0. With a correlation ρ within units
its spread is v_g = (1−ρ)σ_g + ρσ_g²/τ, τ that of a typical case. Arrays are ``(cells, tables)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.unit_gram import GramUnits
from informed.evidence.units import Ints, Units, sums


@dataclass(frozen=True)
class Seen:
    """What a measure sees in the cells of a stack of tables, ``(cells, tables)``."""

    counts: Array
    slopes: Array  # u, centred
    informative: Array  # s: what a case of the cell weighs in the measure
    typical: Array  # τ, one number a table
    sides: Sequence[Ints]  # group of each cell, one array a side; -1: not read

    @cached_property
    def residual(self) -> Array:
        """Slopes whose sums over units are the contributions of units, which add to 0."""
        moved, held = ((self.counts * x).sum(axis=0) for x in (self.slopes, self.informative))
        return self.slopes - self.informative * np.where(held > 0, ratio(moved, held), 0.0)

    @cached_property
    def informative_sum(self) -> Array:
        """Σσ of each table."""
        return np.asarray((self.counts * self.informative).sum(axis=0))

    def size(self, squared: Array) -> Array:
        """Informative cases of a unit, of Σσ² over units."""
        return np.fmax(1.0, ratio(ratio(squared, self.informative_sum), self.typical))


class UnitSums(Protocol):
    """What the rule of `worth` asks of units."""

    @property
    def spread(self) -> Array:
        """Σe², the squared contributions of units."""

    @property
    def size(self) -> Array:
        """Informative cases of a unit, 1 at least."""

    @property
    def largest(self) -> Array:
        """Share of the largest unit in what the measure reads."""

    def leverage(self, rho: Array) -> Array:
        """How much of its own spread a unit takes away, being part of what it is compared with."""

    def counting(self, rho: Array) -> Array:
        """Even units that would count as much, (Σv)²/Σv²."""


def unit_sums(units: Units, seen: Seen, scale: Array) -> UnitSums:
    """The sums of these units, whose weights are brought to the scale of the measure."""
    return ByGram(units, seen, scale) if isinstance(units, GramUnits) else ByRows(units, seen, scale)


class ByRows:
    """Sums over the rows of the units, all bincounts over a whole stack."""

    def __init__(self, units: Units, seen: Seen, scale: Array) -> None:
        self._seen, self._units = seen, units
        self._tables = seen.counts.shape[1]
        self._at = units.entry_table
        self._place = units.cell * self._tables + self._at  # of an entry in arrays of cells and tables
        self._weight = units.weight * scale[self._at]
        self._entries = self._read(seen.informative)
        self._sigma = sums(units.row, self._entries, len(units.mult))
        self._squared = self._by_table(self._sigma**2)
        self.size = seen.size(self._squared)

    def _read(self, x: Array) -> Array:
        """What each entry adds to a sum over cells."""
        return np.asarray(self._weight * np.take(x, self._place))

    def _by_table(self, x: Array) -> Array:
        return sums(self._units.table, self._units.mult * x, self._tables)

    @cached_property
    def spread(self) -> Array:
        moved = sums(self._units.row, self._read(self._seen.residual), len(self._units.mult))
        return self._by_table(moved**2)

    @cached_property
    def largest(self) -> Array:
        most = np.zeros(self._tables)
        np.maximum.at(most, self._units.table, self._sigma)
        return ratio(most, self._seen.informative_sum)

    def counting(self, rho: Array) -> Array:
        if not rho.any():
            return ratio(self._seen.informative_sum**2, self._squared)
        v = self._sigma + rho[self._units.table] * self._correlated(self._sigma, self._units.table)
        return ratio(self._by_table(v) ** 2, self._by_table(v**2))

    def leverage(self, rho: Array) -> Array:
        return np.asarray(sum(side.leverage(rho) for side in self._sides) / len(self._sides))

    def _correlated(self, sigma: Array, table: Ints) -> Array:
        """What full correlation adds to the spread."""
        return np.asarray(sigma**2 * ratio(1, self._seen.typical)[table] - sigma)

    @cached_property
    def _sides(self) -> list[_Side]:
        units, found = self._units, []
        for groups in self._seen.sides:
            read = groups[units.cell] >= 0 if (groups < 0).any() else slice(None)
            several, cell = int(groups.max()) + 1, units.cell[read]
            at, row, group = compact(units.row[read], groups[cell], len(units.mult), several)
            held, sigma = (sums(at, x[read], len(row)) for x in (self._weight, self._entries))
            table, whole = units.table[row], _in_groups(self._seen.counts, groups, several)
            place = table * several + group
            share = held * np.take(np.where(whole > 0, ratio(1, whole), 0.0).T, place)
            spreads = sigma, self._correlated(sigma, table)
            found.append(_Side(table, place, units.mult[row], share, *spreads, whole.shape))
        return found


@dataclass(frozen=True)
class _Side:
    """What units hold of the groups of one side, an entry for each unit and group."""

    table: Ints
    place: Ints  # of its table and group
    mult: Array
    share: Array  # of the group
    sigma: Array
    correlated: Array  # what full correlation adds to its spread
    shape: tuple[int, ...]  # groups and tables

    @cached_property
    def _shares(self) -> Array:
        """Σ share² of each group."""
        return self._by_group(self.share**2)

    def _by_group(self, x: Array) -> Array:
        several, tables = self.shape
        return sums(self.place, self.mult * x, several * tables).reshape(tables, several)

    def leverage(self, rho: Array) -> Array:
        v = self.sigma + rho[self.table] * self.correlated if rho.any() else self.sigma
        spreads = self._by_group(v)
        own = 2 * sums(self.table, self.mult * self.share * v, self.shape[1]) - (spreads * self._shares).sum(axis=1)
        return ratio(own, spreads.sum(axis=1))


class ByGram:
    """Sums over units of which only Σ W Wᵀ and the powers of their sizes are known.

    Leverage is that without correlation, and correlation changes how many units count as it does for
    the plain sizes.
    """

    def __init__(self, units: GramUnits, seen: Seen, scale: Array) -> None:
        cells = len(seen.counts)
        self._seen = seen
        held = units.gram.reshape(*units.gram.shape[:2], -1)
        self._gram = np.zeros((cells, cells, held.shape[-1]))
        self._gram[: len(held), : len(held)] = held * scale**2
        self._sizes = units.sizes.reshape(4, -1)
        self._squared = self._form(seen.informative, seen.informative)
        self.size = seen.size(self._squared)

    def _form(self, x: Array, y: Array) -> Array:
        return np.asarray(np.einsum("it,ijt,jt->t", x, self._gram, y))

    @cached_property
    def spread(self) -> Array:
        return self._form(self._seen.residual, self._seen.residual)

    @property
    def largest(self) -> Array:
        return np.zeros(self._seen.counts.shape[1])  # not known

    def counting(self, rho: Array) -> Array:
        one, two, three, four = self._sizes
        v = (1 - rho) * one + rho * two
        squared = (1 - rho) ** 2 * two + 2 * rho * (1 - rho) * three + rho**2 * four
        fewer = ratio(v**2, squared) / ratio(one**2, two)
        return ratio(self._seen.informative_sum**2, self._squared) * fewer

    def leverage(self, rho: Array) -> Array:
        return self._leverage

    @cached_property
    def _leverage(self) -> Array:
        seen, found = self._seen, []
        for groups in seen.sides:
            several = int(groups.max()) + 1
            whole = _in_groups(seen.counts, groups, several)
            own = np.zeros(seen.counts.shape[1])
            for group in range(several):
                inside = (groups == group)[:, None]
                s = np.where(inside, seen.informative, 0.0)
                share = np.where(inside, ratio(1, whole[group]), 0.0)
                held = (seen.counts * s).sum(axis=0)
                with np.errstate(invalid="ignore"):  # a group without a case
                    move = 2 * self._form(share, s) - held * self._form(share, share)
                own += np.where(whole[group] > 0, move, 0.0)
            found.append(ratio(own, seen.informative_sum))
        return np.asarray(sum(found) / len(found))


def _in_groups(x: Array, groups: Ints, several: int) -> Array:
    """Sums over the cells of each group, ``(groups, tables)``."""
    found = np.zeros((several, x.shape[1]))
    np.add.at(found, groups[groups >= 0], x[groups >= 0])
    return found


def compact(row: Ints, group: Ints, rows: int, several: int) -> tuple[Ints, Ints, Ints]:
    """Pairs of a row and a group, and where each that is given stands among them: all there can be where these are
    few, else those that occur."""
    keys = row * several + group
    if rows * several <= 4 * len(keys) + (1 << 16):
        return keys, np.repeat(np.arange(rows), several), np.tile(np.arange(several), rows)
    found, at = np.unique(keys, return_inverse=True)
    return at, *np.divmod(found, several)
