"""Raters one by one: each against each other, and against what a random other one says."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.checks import positive_of
from informed.evidence.table import Table
from informed.evidence.unit_counting import shares
from informed.evidence.units import Units
from informed.inference.influence import functional, influence
from informed.measures import find
from informed.systems.rated import RatedGroups
from informed.systems.rater_chance import Ratings


@dataclass(frozen=True, eq=False)
class Rest:
    """A measure of one rater about a random other one, and what each row of ratings adds to it."""

    measure: str
    estimate: float = np.nan
    why: str = ""  # where it is undefined
    added: Array | None = None
    groups: RatedGroups | None = None  # of the rows that add


def pair_tables(r: Ratings, groups: RatedGroups, raters: tuple[Hashable, ...], known: tuple[Hashable, ...]) -> Table:
    """Every rater (as prediction) against every other (as reality): a stack of tables, with their units."""
    k, several = len(known), len(raters)
    there = r.codes >= 0
    row, a, b = np.nonzero(there[:, :, None] & there[:, None])
    table, cell = a * several + b, r.codes[row, a] * k + r.codes[row, b]
    weight, asked = np.ones(len(row)), False
    if groups.item is not None:
        weight, asked = shares(weight, table * (int(groups.item.max()) + 1) + groups.item[row])

    def summed(x: Array) -> Array:
        found = np.bincount(cell * several**2 + table, x, minlength=k * k * several**2)
        return found.astype(np.float64).reshape(k, k, several, several)

    tables = Table.from_counts(np.moveaxis(summed(weight), (2, 3), (0, 1)), names=[raters, raters])
    fields: dict[str, Any] = {}
    if groups.name is not None:
        of = "case" if groups.item is None else "item"
        said: dict[str, Any] = {"of": of, "name": groups.name, "asked": asked and groups.name == "item"}
        shape = (several, several)
        fields["units"] = Units.gathered(groups.unit[row], cell, weight, table=table, shape=shape, **said)
    if asked:
        fields |= {"squares": summed(weight**2), "cases": summed(np.ones(len(row)))}
    # Ratings may be numbers with fractions, which `from_counts` refuses as labels.
    fields["positive"] = positive_of(known, known, None)
    return replace(tables, predicted_labels=known, real_labels=known, **fields)


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
