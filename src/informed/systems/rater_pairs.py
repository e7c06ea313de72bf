"""Raters one by one: each against each other, and against what a random other one says."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.label_policy import Encoded
from informed.evidence.labels import canonical
from informed.evidence.table import Table
from informed.evidence.unit_counting import in_units
from informed.evidence.units import Ints, sums
from informed.inference.answers import Interval
from informed.inference.arc import hull
from informed.inference.given import standard_normal
from informed.inference.influence import Functional, functional, influence, pattern_of
from informed.inference.interval_methods import ANALYTIC_CELLS
from informed.inference.intervals import interval
from informed.inference.sample import Sample
from informed.inference.sides import cells_given
from informed.inference.worth import Cells
from informed.measures import Measure, find
from informed.results import Note, axes_of
from informed.systems.rated import Rated, RatedGroups
from informed.systems.rater_arcs import Grouped
from informed.systems.rater_chance import Ratings

_CELLS = 1 << 22  # of all tables of raters, up to which they are in work at once
_PARTS = ("estimate", "low", "high", "effective_n")  # of an interval, that are arrays of a stack
_WHOLE = 1e-9  # of a share that is 1 but for rounding


@dataclass(frozen=True, eq=False)
class Rest:
    """A measure of one rater about a random other one, and what each row of ratings adds to it."""

    measure: str
    estimate: float = np.nan
    why: str = ""  # where it is undefined
    added: Array | None = None
    groups: RatedGroups | None = None  # of the rows that add
    limits: tuple[float, float] | None = None  # of the arc; None where there are too many labels for it


@dataclass(frozen=True, eq=False)
class RaterPairs:
    """Every two raters as a table: all of them at once where they are small, else one after the other."""

    ratings: Ratings
    given: Rated
    groups: RatedGroups

    @cached_property
    def tables(self) -> Table:
        """A stack, (rater, rater): the first as prediction, the second as reality."""
        return pair_tables(self.ratings, self.given, self.groups)

    def table(self, a: int, b: int) -> Table:
        """Rater a as prediction and rater b as reality."""
        stack = self.tables if self._small else self._of((a, b))
        return stack[canonical(self.given.raters[a])][canonical(self.given.raters[b])]

    def interval(self, measure: str, level: float) -> Interval:
        """A measure of every rater about every other, ``(rater, rater)``."""
        if self._small:
            return interval(self.tables, measure, level=level)
        names = tuple(map(canonical, self.given.raters))
        parts: dict[str, Any] = {name: np.full((len(names), len(names)), np.nan) for name in _PARTS}
        notes: dict[Note, None] = {}
        for a, b in combinations(range(len(names)), 2):
            stack = self._of((a, b))
            for x, y in ((a, b), (b, a), (a, a), (b, b)):
                if np.isnan(parts["estimate"][x, y]):
                    found = interval(stack[names[x]][names[y]], measure, level=level)
                    notes |= dict.fromkeys(found.notes)
                    for name, values in parts.items():
                        values[x, y] = getattr(found, name)
        axes = tuple((kind, names) for kind, _ in axes_of(stack))
        return replace(found, **parts, axes=axes, notes=tuple(notes))

    @property
    def _small(self) -> bool:
        return (len(self.given.raters) * len(self.given.labels)) ** 2 <= _CELLS

    def _of(self, two: tuple[int, int]) -> Table:
        """The tables of two raters about each other."""
        r = replace(self.ratings, codes=self.ratings.codes[:, two])
        return pair_tables(r, replace(self.given, raters=tuple(self.given.raters[i] for i in two)), self.groups)


def pair_tables(r: Ratings, given: Rated, groups: RatedGroups) -> Table:
    """Every rater (as prediction) against every other (as reality): a stack of tables, with their units."""
    there = r.codes >= 0
    row, a, b = np.nonzero(there[:, :, None] & there[:, None])
    places, one = [r.codes[row, b], r.codes[row, a]], np.ones(len(row))
    held = Encoded(given.labels, given.labels, given.stated, places, np.zeros(len(row), np.bool_))
    names = tuple(map(canonical, given.raters))
    units = {kind: x[row] for kind, x in groups.places.items()}
    named = {"unit": groups.name or "unit", "item": "item"}
    return Table(**in_units(held, (one, one, one), [(a, names), (b, names)], units, named))


def against_rest(
    r: Ratings, groups: RatedGroups, raters: tuple[Hashable, ...], measure: str, level: float
) -> dict[Hashable, Rest]:
    """Informedness (or markedness) of each rater about what a random other rater says of the item.

    An item counts once; its reality is spread over the labels that the others gave. Items are
    independent, their parts are not, so errors are of items, or of the units that they belong to.
    """
    from scipy.sparse import csr_array

    m, found, k = find(measure), {}, len(r.weight)
    for a, rater in enumerate(raters):
        there = r.codes[:, a] >= 0
        others = r.number - there
        shared = there & (others > 0)
        if not shared.any():
            found[rater] = Rest(m.name, why="nobody else rated the same items")
            continue
        own, codes = groups.where(shared), r.codes[shared]
        item, other = np.nonzero((codes >= 0) & (np.arange(len(raters)) != a))
        cell = codes[item, a] * k + codes[item, other]  # (predicted, real)
        parts = csr_array((1 / others[shared][item], (item, cell)), shape=(len(codes), k * k))
        w = own.times / own.times.sum()
        flat = np.asarray(w @ parts)
        t = Table.from_counts(flat.reshape(k, k), rows="predicted")
        estimate = float(m(t))
        if np.isnan(estimate):
            found[rater] = Rest(m.name, why="a single label was used")
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            u, _ = influence(flat, functional(m, t).gradient(flat, np.ones(())))
        added = w * (parts @ np.where(flat > 0, u, 0.0))
        limits = _rest_limits(t, m, parts, own, level) if k * k <= ANALYTIC_CELLS else None
        found[rater] = Rest(m.name, estimate, added=added, groups=own, limits=limits)
    return found


def _rest_limits(t: Table, m: Measure, parts: Any, groups: RatedGroups, level: float) -> tuple[float, float]:
    """The arc over what items add to the table of a rater and the others; items on which the others agree are its
    cells."""
    from scipy.sparse import eye_array, vstack

    k = len(t.labels)
    most = np.asarray(parts.argmax(axis=1)).ravel()  # the cell that an item adds most to
    pure = np.asarray(parts.max(axis=1).toarray()).ravel() > 1 - _WHOLE
    rows, at = _distinct(parts[~pure])
    cells = vstack([eye_array(k * k, format="csr"), parts[~pure][rows]], format="csr")
    place = most.copy()
    place[~pure] = k * k + at
    near = np.concatenate([np.arange(k * k), most[~pure][rows]])

    base, extra = functional(m, t), np.zeros(len(rows))
    pattern, unseen = np.concatenate([pattern_of(t), extra]), Sample(m, t, level).unseen
    given = cells_given(m, t)
    held = Cells([x[near] for x in given.sides], [x[near] for x in given.lines], pattern)

    def value(p: Array, n: Array) -> Array:
        return base.value(_through(cells.T, p), n)

    def gradient(p: Array, n: Array) -> Array:
        return _through(cells, base.gradient(_through(cells.T, p), n))

    f = Functional(value, gradient, base.exact)
    n, counts = float(groups.times.sum()), sums(place, groups.times, len(near))
    counts = Grouped.of(groups, place, groups.times, len(near)).effective(f, counts, held, level)
    empty = None if unseen is None else np.concatenate([unseen, extra > 0])
    ends = hull(counts, f, pattern=pattern, z=standard_normal(level), n=np.asarray(n), unseen=empty)
    estimate, bounds = float(m(t)), m.bounds(t)
    perfect = bool(np.isclose(t.hits.sum(), t.total))
    low, high = float(ends[0]), float(bounds[1] if perfect else ends[1])
    return max(float(bounds[0]), min(low, estimate)), min(float(bounds[1]), max(high, estimate))


def _through(cells: Any, p: Array) -> Array:
    """A sparse array times the first axis of a stack."""
    return np.asarray(cells @ p.reshape(len(p), -1)).reshape(cells.shape[0], *p.shape[1:])


def _distinct(parts: Any) -> tuple[Ints, Ints]:
    """The first row of each kind of sparse row, and the kind of each."""
    keys: dict[bytes, int] = {}
    first: list[int] = []
    at = np.empty(parts.shape[0], np.int64)
    parts.sort_indices()
    for i in range(parts.shape[0]):
        own = slice(parts.indptr[i], parts.indptr[i + 1])
        key = parts.indices[own].tobytes() + np.round(parts.data[own], 9).tobytes()
        if key not in keys:
            keys[key] = len(first)
            first.append(i)
        at[i] = keys[key]
    return np.array(first, dtype=np.int64), at
