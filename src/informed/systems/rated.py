"""Ratings as they are given: who gave them, their labels, and what the rated items belong to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import plural
from informed.errors import LabelError
from informed.evidence.columns import column
from informed.evidence.counting import check_lengths
from informed.evidence.label_order import Stated
from informed.evidence.label_policy import LabelPolicy, encode, respelled
from informed.evidence.labels import some, text
from informed.evidence.likeness import said_respelled
from informed.evidence.unit_counting import group_places, shares, word_of
from informed.evidence.units import Ints, sums
from informed.inference.worth_notes import FEW, VERY_FEW
from informed.results import Note, warning


@dataclass(frozen=True, eq=False)
class RatedGroups:
    """The unit of each row of ratings, and the item where that was rated several times."""

    unit: Ints  # numbered without gaps; errors are measured between units
    item: Ints | None = None  # the rows of one share its weight
    name: str | None = None  # what a unit is called; None: each row is its own
    told: Array | None = None  # how much each row counts, where that does not follow from the items

    def where(self, kept: NDArray[np.bool_]) -> RatedGroups:
        """Of some of the rows, numbered again."""
        if kept.all():
            return self
        _, unit = np.unique(self.unit[kept], return_inverse=True)
        return RatedGroups(unit, None if self.item is None else self.item[kept], self.name)

    @cached_property
    def times(self) -> Array:
        """How much each row counts: rows of one item as much as one together."""
        if self.told is not None:
            return self.told
        if self.item is None:
            return np.ones(len(self.unit))
        share, _ = shares(np.ones(len(self.item)), self.item)
        return share

    @property
    def places(self) -> dict[str, Ints]:
        """The "unit" and the "item" of each row, those that are known."""
        if self.name is None or self.item is None:
            return {} if self.name is None else {"unit": self.unit}
        alone = self.name == "item" and len(np.unique(self.item)) == int(self.unit.max()) + 1
        return {"item": self.item} if alone else {"unit": self.unit, "item": self.item}

    @property
    def as_units(self) -> RatedGroups:
        """Each unit as one row that counts as much as all of its own."""
        size = int(self.unit.max()) + 1
        return RatedGroups(np.arange(size), None, self.name, sums(self.unit, self.times, size))

    def same(self, other: RatedGroups) -> bool:
        """Whether rows belong together in the same way."""
        mine, theirs = (np.unique(x.unit, return_index=True, return_inverse=True)[1:] for x in (self, other))
        alike = all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))
        return alike and np.array_equal(self.times, other.times)

    def notes(self) -> Iterator[Note]:
        """How many units there are, and where they are few."""
        if self.item is not None:
            items = plural(len(np.unique(self.item)), "item")
            said = f"Each item counts once: {items}, {plural(len(self.item), 'row')} of ratings."
            yield Note(said, code="items")
        held = np.bincount(self.unit, self.times)
        several = plural(len(held), self.name or "unit")
        rows = f" with {plural(len(self.unit), 'row')} of ratings" if self.item is None else ""
        if self.item is None or self.name != "item":
            yield Note(f"{several}{rows}; errors are measured between them.", code="units")
        counting = float(held.sum() ** 2 / (held**2).sum())
        if counting < FEW:
            rough = ", and the intervals are wide" if counting >= VERY_FEW else "; read it as a rough guess"
            said = f"They are worth {counting:.1f} of equal size; their spread is poorly known{rough}."
            yield warning(said, "few-units")


@dataclass(frozen=True, eq=False)
class Rated:
    """Ratings by raters, with labels as places."""

    codes: NDArray[np.int64]  # (items, raters), -1 for no rating
    raters: tuple[Hashable, ...]
    labels: tuple[Hashable, ...]
    stated: Stated | None  # who stated the order of the labels
    groups: RatedGroups
    respelled: int = 0  # rows with a label that `normalize` took for another


def rated(ratings: Any, policy: LabelPolicy, unit: Any = None, item: Any = None) -> Rated:
    """Ratings by their labels' places, of rows that belong to units or are the same item."""
    given = by_rater(ratings)
    name = "item" if unit is None else word_of(unit, "unit")
    unit, item = (_taken(given, x, kind) for x, kind in ((unit, "unit"), (item, "item")))
    if len(given) < 2:
        raise LabelError(f"`ratings` has {len(given)} rater(s); two at least are needed.")
    named = {f"ratings[{rater!r}]": unmeasured(x) for rater, x in given.items()}
    columns = {name: column(x, name) for name, x in named.items()}
    check_lengths({name: len(x) for name, x in columns.items()})
    held = encode([x.side() for x in columns.values()], policy, names=list(columns))

    codes = np.stack(held.places, axis=1)[~held.lost]
    if len(held.labels) < 2:
        raise LabelError(
            f"Every rating is {text(held.labels[0])}; with one label there is no chance to correct for."
            if held.labels
            else "There are no ratings."
        )
    if ((codes >= 0).sum(axis=1) < 2).all():
        raise LabelError("No item was rated by two raters; agreement takes an overlap.")

    places = group_places({"unit": unit, "item": item}, len(held.lost))
    own = places.get("unit", places.get("item"))
    lone = np.arange(len(held.lost))
    whole = RatedGroups(lone) if own is None else RatedGroups(own, places.get("item"), name)
    return Rated(codes, tuple(given), held.labels, held.stated, whole.where(~held.lost), respelled(held))


def by_rater(ratings: Any) -> dict[Hashable, Any]:
    """A mapping from each rater's name to their ratings."""
    if hasattr(ratings, "columns") and not isinstance(ratings, Mapping):
        ratings = {name: ratings[name] for name in ratings.columns}
    if not isinstance(ratings, Mapping):
        array = np.asarray(ratings, dtype=object)
        if array.ndim != 2:
            raise LabelError(
                f"`ratings` has shape {array.shape}; (items, raters) is needed, or a mapping from "
                "each rater's name to their labels."
            )
        ratings = {rater: array[:, rater].tolist() for rater in range(array.shape[1])}
    return dict(ratings)


def _taken(given: dict[Hashable, Any], group: Any, kind: str) -> Any:
    """The column of units or items that stands beside those of the raters, taken out; or values for each row."""
    if not isinstance(group, str):
        return group
    if group not in given:
        raise LabelError(f"`{kind}` is {group!r}; `ratings` has {some(given)}.")
    return given.pop(group)


def unmeasured(x: Any) -> Any:
    """Numbers with fractions are ratings too; as an array they would be refused as scores."""
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    return list(x) if kind.startswith(("float", "double", "decimal")) else x


def are_numbers(labels: Iterable[Hashable]) -> bool:
    """Whether every label is a number, or written as one."""
    return all(_number(x) is not None for x in labels)


def with_fraction(labels: Iterable[Hashable]) -> Hashable | None:
    """A label with a fraction, where all of them are numbers: then these are measurements."""
    held = tuple(labels)
    broken = (x for x in held if (number := _number(x)) is not None and np.isfinite(number) and number % 1)
    return next(broken, None) if are_numbers(held) else None


def refuse_measurements(labels: tuple[Hashable, ...], disagreement: str) -> None:
    """Refuse ratings with fractions where each would be the name of a class."""
    broken = with_fraction(labels)
    if broken is not None:
        raise LabelError(
            f"The ratings are numbers with fractions, such as {text(broken)}, and `disagreement` is "
            f"{disagreement!r}, which takes every number for the name of a class.",
            "take `intraclass_correlation(ratings)`, which is for measurements",
            'give `disagreement="interval"`',
            "list the names in `labels`",
        )


def _number(label: Hashable) -> float | None:
    if isinstance(label, bool | np.bool_):
        return None
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def rating_notes(given: Rated) -> Iterator[Note]:
    """What was left out or is known of few, and what the items belong to."""
    codes, raters, rated = given.codes, given.raters, (given.codes >= 0).sum(axis=1)
    if given.respelled:
        yield Note(said_respelled(given.respelled), code="respelled")
    if (rated == 0).any():
        yield Note(f"{int((rated == 0).sum())} item(s) without any rating were left out.", code="left-out")
    if (rated == 1).any():
        said = f"{int((rated == 1).sum())} item(s) have one rating: they count for chance, not for agreement."
        yield Note(said, code="one-rating")
        if len(raters) == 2:
            yield Note("Cohen's and Scott's use the items that both rated.", code="both-rated")

    known = (codes >= 0).astype(np.int64)
    apart = np.argwhere(np.triu(known.T @ known == 0, 1))
    if len(apart):
        a, b = (raters[i] for i in apart[0])
        said = (
            f"{len(apart)} pair(s) of raters share no item (such as {text(a)} and {text(b)}): nothing is known of them "
            "against each other."
        )
        yield Note(said, code="nothing-shared")

    groups = given.groups.where(rated > 0)
    if groups.name is not None:
        yield from groups.notes()
