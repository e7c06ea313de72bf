"""What every source must be able to do: name its columns, and count groups of native values."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import SourceError
from informed.evidence.label_order import declared_order
from informed.evidence.labels import Labels, is_missing, some, text

Row = tuple[Any, ...]  # values of whatever kind the source holds
Name = Hashable  # of a column
Names = Sequence[Name]

MOST_GROUPS = 2_000_000  # rows that an engine may give back for a table
PROBED = 1000  # labels that are looked at to see whether a source tells upper from lower case
LONGEST_ID = 200  # letters of an id of a case that are kept
LARGEST = 1.7976931348623157e308  # a score beyond this is infinite


class TooManyGroups(SourceError):
    """An engine has more groups than may be brought here."""


@dataclass(frozen=True)
class Bins:
    """Equally wide bins between the smallest and the largest finite score."""

    low: float
    scale: float  # bins per unit
    last: int  # the number of the last bin


@dataclass(frozen=True)
class Span:
    """What a column of scores holds."""

    low: float | None  # of the finite ones
    high: float | None
    distinct: int  # may be an estimate


class Engine(ABC):
    """A source that counts where the rows are, and gives back counts only."""

    shown: str  # how messages name it: never with credentials
    most_exact: float = inf  # numbers from here on may have lost digits
    ordered: bool = False  # whether `listed` gives the rows of one file or frame as they stand
    unlabelled: Mapping[Name, int] = MappingProxyType({})  # answers by system to what has no real label, once checked
    joins: bool = False  # whether a row may lack its answer: `ROW_THERE` is then a key

    @abstractmethod
    def names(self) -> Names:
        """Its columns."""

    def check(self, names: Names) -> None:
        """Refuse columns that are not there, or there twice."""
        check_columns(names, self.names(), self.shown)

    @abstractmethod
    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        """Rows `(*keys, n)`; with weights also their sum, sum of squares, minimum, and number."""

    def listed(self, keys: Names) -> list[Row]:
        """The keys of every row: in the order of a file or a frame, and of what has no order in one that is always
        the same."""
        groups = self.grouped(keys, None, None)
        return [row[:-1] for row in sorted(groups, key=repr) for _ in range(int(row[-1]))]

    def lacking(self, name: Name, most: int = 3) -> list[int]:
        """The first rows of one file that have nothing in a column, as they stand there; none where rows have no
        order."""
        if not self.ordered:
            return []
        return [i for i, (x,) in enumerate(self.listed([name])) if is_missing(x)][:most]

    def entries(self, keys: Names, groups: Names, weights: Name | None, most: int) -> list[NDArray[Any]]:
        """The columns of `grouped` by these keys and then the groups (units, items), whose values may be
        any that are equal where they are equal; where one is missing it is an object that is."""
        rows = self.grouped([*keys, *groups], weights, None)
        if len(rows) > most:
            raise too_many_entries(self.shown, most)
        return as_columns(rows, len(keys) + len(groups))

    def unit_cells(self, pair: Names, unit: Name, weights: Name | None) -> list[Row] | None:
        """Rows `(*pair, n, …, rows without a unit)` in an order that `unit_patterns` counts by; None
        where the engine cannot count patterns."""
        return None

    def unit_patterns(
        self, pair: Names, unit: Name, weights: Name | None, cells: int, counted: list[int], most: int
    ) -> Any:
        """What a unit holds of each cell that is counted, with weights also their squares and its rows, and
        last how many units hold that; more of them than `most` are refused."""
        raise NotImplementedError

    def unit_gram(
        self, pair: Names, unit: Name, weights: Name | None, counted: list[int]
    ) -> tuple[list[Row], Row] | None:
        """Sums of products of what a unit holds of two cells `(one, other, Σ)`, one not after the other; and how
        many units there are, and Σ n, Σ n² to Σ n⁴ of what each holds. None where the engine cannot."""
        return None

    def cases(self, keys: Names, name: Name, most: int, rows: int) -> list[Row]:
        """Rows `(*keys, id)` of different cases of each group: at least the `most` whose ids, as text, come first by
        their lengths and then by their letters. Of more than so many rows, those of groups whose first two
        keys differ come first, and then those of large groups."""
        found = self.grouped([*keys, name], None, None)
        return [(*row[: len(keys)], str(row[len(keys)])) for row in found if not is_missing(row[len(keys)])]

    def levels(self, name: Name) -> Labels | None:
        """The labels that the type of a column declares, in order; a frame may know them."""
        return None

    def in_memory(self, names: Names) -> list[Any] | None:
        """These columns, of a frame that holds them; None where they are yet to be counted."""
        return None

    @abstractmethod
    def span(self, score: Name) -> Span:
        """The range of the scores."""

    @abstractmethod
    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        """As `grouped`, with the bin, the score where it is not finite, and, at the end,
        the smallest and the largest score: `(*keys, bin, odd, n, …, low, high)`."""

    def few(self, rows: list[Row], most: int | None) -> list[Row]:
        """The groups, if there are no more than that."""
        if most is not None and len(rows) > most:
            raise TooManyGroups(
                f"{self.shown} holds more than {most:,} different combinations of labels and groups; is one of the "
                "columns an id or a score? A table needs columns with few different values."
            )
        return rows


THE_FILE = object()  # stands for "which source" among the keys of `Many`
ROW_THERE = object()  # stands for "whether there is a row with the answer" among the keys of a join


class Many(Engine):
    """Several sources, each a group of its own: `THE_FILE` among the keys is its name."""

    @property
    def joins(self) -> bool:  # type: ignore[override]  # as its engines do
        return any(engine.joins for engine in self.engines.values())

    def __init__(self, engines: dict[Hashable, Engine]) -> None:
        if not engines:
            raise SourceError("An empty list of sources was given; at least one is needed.")
        self.engines = engines
        self.shown = ", ".join(e.shown for e in engines.values())

    def names(self) -> Names:
        return next(iter(self.engines.values())).names()

    def check(self, names: Names) -> None:
        for engine in self.engines.values():
            engine.check([name for name in names if name is not THE_FILE])
        self.unlabelled = {name: n for name, x in self.engines.items() if (n := sum(x.unlabelled.values()))}

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        return self._each(keys, lambda engine, own: engine.grouped(own, weights, most))

    def levels(self, name: Name) -> Labels | None:
        found = [engine.levels(name) for engine in self.engines.values()]
        return None if None in found else declared_order((), found)

    def listed(self, keys: Names) -> list[Row]:
        return self._each(keys, lambda engine, own: engine.listed(own))

    def span(self, score: Name) -> Span:
        spans = [engine.span(score) for engine in self.engines.values()]
        low = [s.low for s in spans if s.low is not None]
        high = [s.high for s in spans if s.high is not None]
        return Span(min(low, default=None), max(high, default=None), max(s.distinct for s in spans))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        return self._each(keys, lambda engine, own: engine.binned(own, weights, score, bins))

    def entries(self, keys: Names, groups: Names, weights: Name | None, most: int) -> list[NDArray[Any]]:
        at = next(i for i, key in enumerate(keys) if key is THE_FILE)
        own = [key for key in keys if key is not THE_FILE]
        found = []
        for name, engine in self.engines.items():
            columns = engine.entries(own, groups, weights, most)
            named = np.empty(len(columns[-1]), dtype=object)
            named[:] = [name] * len(named)
            found.append([*columns[:at], named, *columns[at:]])
        return [np.concatenate(parts) for parts in zip(*found, strict=True)]

    def cases(self, keys: Names, name: Name, most: int, rows: int) -> list[Row]:
        """Of all sources together."""
        return [row for engine in self.engines.values() for row in engine.cases(keys, name, most, rows)]

    def _each(self, keys: Names, work: Callable[[Engine, Names], list[Row]]) -> list[Row]:
        at = next(i for i, key in enumerate(keys) if key is THE_FILE)
        own = [key for key in keys if key is not THE_FILE]
        return [(*row[:at], name, *row[at:]) for name, engine in self.engines.items() for row in work(engine, own)]


def check_columns(wanted: Names, there: Names, shown: str) -> None:
    """Refuse columns that are not there, with the nearest name, or that are there twice."""
    for name in wanted:
        places = [str(i) for i, c in enumerate(there, 1) if c == name]
        if not places:
            raise no_column(shown, name, there)
        if len(places) > 1:
            seen = f"{len(places)} columns called {text(name)} (columns {', '.join(places)})"
            raise SourceError(f"{shown} has {seen}; rename one of them.")


def no_column(shown: str, name: Name, there: Names) -> SourceError:
    """Which columns there are instead, and which was meant."""
    folded = {str(c).casefold().strip(): str(c) for c in there}
    near = get_close_matches(str(name).casefold().strip(), folded, n=1)
    meant = f" Did you mean {text(folded[near[0]])}?" if near else ""
    has = f"{some(list(map(str, there)), 12)}.{meant}" if folded else "no columns at all."
    return SourceError(f"{shown} has no column {text(name)}; it has {has}")


def refuse_folded(shown: str, name: Name, cased: Iterable[Any], blank: Iterable[Any]) -> None:
    """Refuse a column whose collation takes labels for the same: those that are equal to themselves in upper and in
    lower case although they have letters, and those that end in a blank and are equal to themselves without.

    >>> refuse_folded("cases", "r", ["1", "-"], [])
    >>> refuse_folded("cases", "r", ["1", "a"], [])
    Traceback (most recent call last):
    informed.errors.SourceError: cases takes 'a' and 'A' for one label in the column 'r'; give that column a collation \
that tells them apart.
    """
    letters = (x for x in cased if isinstance(x, str) and re.search("[a-zA-Z]", x))  # UPPER may know no others
    for label, other in [*((x, x.swapcase()) for x in letters), *((x, x.rstrip(" ")) for x in blank)]:
        raise SourceError(
            f"{shown} takes {text(label)} and {text(other)} for one label in the column {text(name)}; give that "
            "column a collation that tells them apart."
        )


def too_many_entries(shown: str, most: int) -> TooManyGroups:
    """Why units of so many cells are not read."""
    return TooManyGroups(
        f"{shown} holds more than {most:,} pairs of a unit (or item) and a cell, too many to bring here. Files and "
        "databases add up `unit` where it is, for up to 400 cells; with `item` or `by`, or of a lazy frame, merge "
        "classes in a query, or leave `unit` and `item` out."
    )


def as_columns(rows: list[Row], keys: int) -> list[NDArray[Any]]:
    """Rows as columns: keys of any kind, then numbers."""
    found: list[NDArray[Any]] = []
    for i, values in enumerate(zip(*rows, strict=True)):
        held = np.empty(len(values), dtype=object)
        held[:] = values
        found.append(held if i < keys else held.astype(np.float64))
    return found


def as_number(x: Any) -> float | None:
    """A value as a float; None where it is none."""
    try:
        return float(x)
    except (TypeError, ValueError):
        return None
