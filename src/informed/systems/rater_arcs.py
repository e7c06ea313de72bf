"""Confidence intervals of coefficients of agreement: the Fisher arc over the ways in which an item can be rated.

An item's ratings are one cell, as (predicted, real) is one of a table, and a coefficient is a function of the shares
of cells. The walk, its smoothing and the effective number of items are those of tables (`inference.arc`,
`inference.worth`), so that two raters have the interval of their table. Half of the pseudo-items agree, one share per
label. In the other half one rater differs from all others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, Limits
from informed.evidence.units import Ints, Units, sums
from informed.inference.arc import hull
from informed.inference.given import shrink, standard_normal
from informed.inference.influence import Functional
from informed.inference.worth import Cells, worth
from informed.systems.rated import RatedGroups
from informed.systems.rater_chance import Ratings, Read, Way

SMOOTHED = 400  # pseudo-items that stand for themselves; more are taken together by label
MOST_LABELS = 200  # by which pseudo-items stand; of more labels all are taken together


@dataclass(frozen=True, eq=False)
class Items:
    """Ways to rate an item, as cells: those that were seen, and those of pseudo-items."""

    ratings: Ratings  # of the cells that are rows of labels; `times` are not used
    pattern: Array  # (cells,): share of the pseudo-items; cells that are no rows stand last
    lumped: int = 0  # labels by which pseudo-items stand that are no rows; -1: all labels together

    @classmethod
    def of(cls, r: Ratings) -> tuple[Items, Ints]:
        """The cells of these items, and the cell of each item."""
        k, m = len(r.weight), r.codes.shape[1]
        if (r.codes < 0).any() or k * (k - 1) * m > SMOOTHED:
            rows, at = np.unique(r.codes, axis=0, return_inverse=True)
            several = k if k <= MOST_LABELS else 1
            pattern = np.concatenate([np.zeros(len(rows)), np.full(2 * several, 0.5 / several)])
            return cls(replace(r, codes=rows, times=np.ones(len(rows))), pattern, k if several > 1 else -1), at.ravel()
        pseudo, share = pseudo_items(k, m)
        rows, at = np.unique(np.concatenate([r.codes, pseudo]), axis=0, return_inverse=True)
        at = at.ravel()
        pattern = sums(at[len(r.codes) :], share, len(rows))
        return cls(replace(r, codes=rows, times=np.ones(len(rows))), pattern), at[: len(r.codes)]

    def read(self, way: Way, presence: Array) -> Read:
        """What a coefficient reads of each cell; `presence` is the share of items that each rater rated."""
        own = way.read(self.ratings)
        if not self.lumped:
            return own
        from scipy.sparse import csr_array, vstack

        k, number = len(self.ratings.weight), max(2.0, float(presence.sum()))
        same = np.eye(k) if self.lumped > 0 else np.full((1, k), 1 / k)
        apart = (1 - same) / (k - 1) if self.lumped > 0 else same
        off = (self.ratings.weight.sum(axis=1) - 1) / (k - 1)  # mean agreement with another label
        off = off if self.lumped > 0 else off.mean(keepdims=True)
        agreed = np.concatenate([np.ones(len(same)), 1 - 2 / number * (1 - off)])
        shares = np.concatenate([same, (1 - 1 / number) * same + apart / number])
        labels = np.kron(presence, shares) if way.margins == "raters" else shares
        labels = labels * {"none": 0.0, "pairable": number}.get(way.margins, 1.0)
        weight = np.full(len(agreed), number if way.several_only else 1.0)
        agreement, weights = np.concatenate([own.agreement, agreed * weight]), np.concatenate([own.weight, weight])
        return Read(agreement, weights, vstack([own.labels, csr_array(labels)], format="csr"))

    def unseen(self, counts: Array) -> NDArray[np.bool_]:
        """Pseudo-items of a kind that was never seen: a label on which no item agrees, or labels that nobody gave
        where raters disagree; counts are ``(cells, *stack)``."""
        r, k = self.ratings, len(self.ratings.weight)
        rows, stack = len(r.codes), counts.shape[1:]
        most = r.codes.max(axis=1, initial=-1)
        alike = ((r.codes == most[:, None]) | (r.codes < 0)).all(axis=1)
        seen = counts[:rows].reshape(rows, -1)
        agreed, apart = (np.where((r.several & x)[:, None], seen, 0.0) for x in (alike, ~alike))
        given = r.raters.T @ apart  # (raters x labels, tables)

        found = np.zeros((len(counts), seen.shape[1]), dtype=bool)
        for i in np.flatnonzero(self.pattern[:rows] > 0):
            at = np.arange(r.codes.shape[1]) * k + r.codes[i]
            found[i] = seen[i] == 0 if alike[i] else (given[at] == 0).all(axis=0)
        if self.lumped > 0:
            found[rows : rows + k] = r.counts.T @ agreed == 0
            found[rows + k :] = given.reshape(-1, k, seen.shape[1]).sum(axis=0) == 0
        elif self.lumped:
            found[-1] = apart.sum(axis=0) == 0
        return found.reshape(len(counts), *stack)


def pseudo_items(k: int, m: int) -> tuple[NDArray[np.int64], Array]:
    """Ratings by m raters with k labels and their shares: half agree, and in half one rater differs from all others."""
    common, other, rater = (x.ravel() for x in np.meshgrid(np.arange(k), np.arange(k), np.arange(m), indexing="ij"))
    apart = common != other
    codes = np.repeat(common[apart][:, None], m, axis=1)
    codes[np.arange(len(codes)), rater[apart]] = other[apart]
    whole = np.repeat(np.arange(k)[:, None], m, axis=1)
    share = np.concatenate([np.full(k, 0.5 / k), np.full(len(codes), 0.5 / len(codes))])
    return np.concatenate([whole, codes]), share


def functional_of(way: Way, read: Read, weight: Array) -> Functional:
    """A coefficient as a function of the shares of cells ``(cells, *stack)`` of so many items."""

    def value(p: Array, n: Array) -> Array:
        return way.value(read.sums(np.moveaxis(p * n, 0, -1)), weight)

    def gradient(p: Array, n: Array) -> Array:
        slopes = way.gradient(read.sums(np.moveaxis(p * n, 0, -1)), weight)
        labels = read.labels @ slopes.labels.reshape(len(slopes.labels), -1)
        ends = np.multiply.outer(read.agreement, slopes.agreement) + np.multiply.outer(read.weight, slopes.weight)
        return np.asarray((ends + labels.reshape(ends.shape)) * n)

    return Functional(value, gradient)


@dataclass(frozen=True, eq=False)
class Grouped:
    """What makes rows of ratings worth fewer independent items."""

    squares: Array | None = None  # sums of squared weights by cell, where a row does not count as one
    units: Units | None = None

    @classmethod
    def of(cls, groups: RatedGroups, at: Ints, times: Array, cells: int) -> Grouped:
        """Of rows of ratings by their cell; rows of one item in one cell are one."""
        if groups.name is None:
            return cls()
        unit = groups.unit
        if groups.item is not None:
            key, first, same = np.unique(groups.item * cells + at, return_index=True, return_inverse=True)
            times, unit, at = sums(same.ravel(), times, len(key)), unit[first], at[first]
        name, even = groups.name, bool(np.allclose(times, 1))
        units = Units.gathered(unit, at, times, name=name, asked=groups.item is not None and name == "item")
        single = even and len(units.cell) == len(times) == int(unit.max()) + 1
        return cls(None if even else sums(at, times**2, cells), None if single else units)

    def effective(self, f: Functional, counts: Array, cells: Cells, level: float) -> Array:
        """Counts of as many independent items as the rows are worth to a number."""
        if self.units is None and self.squares is None:
            return counts
        found = worth(f, counts, cells, squares=self.squares, units=self.units)
        known = 1.0 if self.units is None else shrink(found.df, level)
        return np.asarray(counts * found.effective_n / counts.sum() * known)


@dataclass(frozen=True, eq=False)
class Counted:
    """Rated items as counts of cells, with the clusters that they belong to."""

    items: Items
    counts: Array  # (cells,)
    presence: Array  # (raters,): share of the items that each rated
    grouped: Grouped

    @classmethod
    def of(cls, r: Ratings, groups: RatedGroups) -> Counted:
        items, at = Items.of(r)
        cells = len(items.pattern)
        presence = np.asarray(r.times @ (r.codes >= 0)) / r.times.sum()
        return cls(items, sums(at, r.times, cells), presence, Grouped.of(groups, at, r.times, cells))

    def limits(self, way: Way, level: float) -> tuple[float, float]:
        """Confidence limits of a coefficient."""
        f = functional_of(way, self.items.read(way, self.presence), self.items.ratings.weight)
        codes, k = self.items.ratings.codes, len(self.items.ratings.weight)
        lumps = np.full((len(self.counts) - len(codes), codes.shape[1]), -1)
        given = np.concatenate([codes, lumps]).T
        sides = np.zeros((1, len(self.counts)), np.int64) if way.margins == "none" else given
        cells = Cells(tuple(sides), tuple(np.where(given < 0, k, given)), self.items.pattern)
        counts = self.grouped.effective(f, self.counts, cells, level)
        low, high = arc_limits(self.items, f, counts, self.counts.sum(), float(standard_normal(level)))
        return float(low), float(high)


def arc_limits(items: Items, f: Functional, counts: Array, n: Any, z: float) -> Limits:
    """Limits of a coefficient, of (effective) counts of cells ``(cells, *stack)``; n is what was counted."""
    told = np.broadcast_to(np.asarray(n, dtype=np.float64), counts.shape[1:])
    return hull(counts, f, pattern=items.pattern, z=z, n=told, unseen=items.unseen(counts))
