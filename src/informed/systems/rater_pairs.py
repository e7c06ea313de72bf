"""Raters one by one: each against each other, and against what a random other one says."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from informed._arrays import Array
from informed.evidence.label_policy import Encoded
from informed.evidence.labels import canonical
from informed.evidence.table import Table
from informed.evidence.unit_counting import in_units
from informed.inference.influence import functional, influence
from informed.measures import find
from informed.systems.rated import Rated, RatedGroups
from informed.systems.rater_chance import Ratings


@dataclass(frozen=True, eq=False)
class Rest:
    """A measure of one rater about a random other one, and what each row of ratings adds to it."""

    measure: str
    estimate: float = np.nan
    why: str = ""  # where it is undefined
    added: Array | None = None
    groups: RatedGroups | None = None  # of the rows that add


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


def against_rest(r: Ratings, groups: RatedGroups, raters: tuple[Hashable, ...], measure: str) -> dict[Hashable, Rest]:
    """Informedness (or markedness) of each rater about what a random other rater says of the item.

    An item counts once; its reality is spread over the labels that the others gave. Items are
    independent, their parts are not, so errors are of items, or of the units that they belong to.
    """
    m, found = find(measure), {}
    for a, rater in enumerate(raters):
        others = r.counts - r.each[:, a]
        shared = (r.codes[:, a] >= 0) & (others.sum(axis=1) > 0)
        if not shared.any():
            found[rater] = Rest(m.name, why="nobody else rated the same items")
            continue
        own = groups.where(shared)
        w = own.times / own.times.sum()
        given = others[shared] / others[shared].sum(axis=1, keepdims=True)
        cells = (r.each[shared, a] * w[:, None]).T @ given  # (predicted, real)
        t = Table.from_counts(cells)
        estimate = float(m(t))
        if np.isnan(estimate):
            found[rater] = Rest(m.name, why="a single label was used")
            continue
        flat = cells.ravel()
        with np.errstate(divide="ignore", invalid="ignore"):
            u, _ = influence(flat, functional(m, t).gradient(flat, np.ones(())))
        u = np.where(flat > 0, u, 0.0).reshape(cells.shape)
        added = w * (u[r.codes[shared, a]] * given).sum(axis=1)
        found[rater] = Rest(m.name, estimate, added=added, groups=own)
    return found
