"""The order of labels: stated by someone, plain from the labels themselves, or not known.

Every table lists its labels in some order; only a known order may be computed with. Given labels
and types that declare an order (pandas' ordered categoricals, Polars' Enum, ordered dictionaries
of Arrow, DuckDB's ENUM) state it. Numbers and dates stand by value, and so does text that is all numerals. Other
text is sorted by the alphabet, to be shown and looked up, and for nothing else.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from decimal import Decimal
from itertools import pairwise
from numbers import Number
from typing import Any, Literal, TypeAlias

import numpy as np

from informed.evidence.labels import Labels, text, written

Stated: TypeAlias = Literal["given", "declared"]
Order: TypeAlias = Literal["given", "declared", "numbers", "numerals", "two classes"]

_NUMERAL = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_PARTS = re.compile(r"(\d+)")
_BY_VALUE = (Number, dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64)


def ordered(labels: Iterable[Hashable]) -> Labels:
    """Sorted; numerals by their value, labels that cannot be compared by type and text.

    >>> ordered([2, 10, 1]), ordered(["10", "9"]), ordered(["b", 2, "a", (1, 2)])
    ((1, 2, 10), ('9', '10'), (2, 'a', 'b', (1, 2)))
    """
    labels = list(labels)
    if (values := _numerals(labels)) is not None:
        return tuple(sorted(labels, key=values.__getitem__))
    if not any(isinstance(x, frozenset) for x in labels):  # < of sets is inclusion, no order
        try:
            return tuple(sorted(labels))  # type: ignore[type-var]  # the except is for this
        except TypeError:
            pass
    return tuple(sorted(labels, key=lambda x: (type(x).__name__, written(x))))


def order_of(labels: Sequence[Hashable], stated: Stated | None = None) -> Order | None:
    """How the order in which these labels stand is known; None where it is not.

    >>> order_of([1, 2, 10]), order_of(["9", "10"]), order_of(["high", "low"])
    ('numbers', 'numerals', 'two classes')
    >>> order_of(["high", "low", "medium"]), order_of(["low", "medium", "high"], "given")
    (None, 'given')
    """
    if stated is not None:
        return stated
    if all(isinstance(x, _BY_VALUE) for x in labels) and _ascending(labels):
        return "numbers"
    if (values := _numerals(labels)) is not None and _ascending([values[x] for x in labels]):
        return "numerals"
    return "two classes" if len(labels) <= 2 else None


def declared_order(seen: Collection[Hashable], levels: Iterable[Labels | None]) -> Labels | None:
    """The longest order that a type declares, where it holds all labels and no other differs.

    >>> declared_order(["b", "a"], [("b", "a", "c"), None, ("b", "c")])
    ('b', 'a', 'c')
    """
    declared = [x for x in levels if x is not None]
    longest = max(declared, key=len, default=None)
    if longest is None or not all(x in longest for x in seen):
        return None
    return longest if all(stands_in(x, longest) for x in declared) else None


def stands_in(part: Labels, whole: Labels) -> bool:
    """Whether all labels of one list stand in the other, in the same order."""
    return tuple(x for x in whole if x in set(part)) == part


def left_out(labels: Sequence[Hashable], stated: Stated | None = None) -> tuple[int, ...]:
    """Whole numbers that an even scale of these grades would have and that do not occur, unless its order is stated.

    >>> left_out([1, 2, 4]), left_out(["10", "20", "50"]), left_out([1, 3, 5]), left_out([1, 2, 4], "given")
    ((3,), (30, 40), (), ())
    """
    values: dict[Hashable, Any] = dict(_numerals(labels) or {})
    values = values or {x: x for x in labels if isinstance(x, (int, np.integer)) and not isinstance(x, bool)}
    held = [values[x] for x in labels] if len(values) == len(labels) else []
    if stated is not None or len(held) < 3 or any(x != int(x) for x in held) or not _ascending(held):
        return ()
    whole = [int(x) for x in held]
    step = math.gcd(*(b - a for a, b in pairwise(whole)))
    places = (whole[-1] - whole[0]) // step + 1
    return tuple(x for x in range(whole[0], whole[-1], step) if x not in whole) if places <= 2 * len(whole) else ()


def between(real: Sequence[Hashable], labels: Sequence[Hashable]) -> Labels:
    """Labels that lie between two of the real ones, where these are whole numbers and they are not.

    >>> between(["1", "2", "3"], ["1", "2", "2.5", "3"]), between(["1", "2.5"], ["1", "2", "2.5"])
    (('2.5',), ())
    >>> between([1, 2, 3], [1, 2, "2.5", 3]), between([1, 2, 3], [1, 2, 2.5, 3])
    (('2.5',), (2.5,))
    """
    values = _numerals(labels) or _numbers(labels)
    if values is None or not real or any(values[x] != int(values[x]) for x in real):
        return ()
    low, high = min(values[x] for x in real), max(values[x] for x in real)
    return tuple(x for x in labels if low < values[x] < high and values[x] != int(values[x]))


def order_needed(what: str, labels: Sequence[Hashable]) -> str:
    """The sentence that refuses an order of the alphabet, and says how to give another."""
    natural = sorted(labels, key=lambda x: [_key(part) for part in _PARTS.split(written(x))])
    shown = ", ".join(map(text, natural[:4])) + (", …" if len(natural) > 4 else "")
    return (
        f"{what} needs the order of the labels, and only the alphabet orders {shown}: give `labels=` with all of them, "
        "lowest first, or a column with an ordered categorical type; a table has `with_order`."
    )


def _key(part: str) -> tuple[int, Any]:
    return (0, int(part)) if part.isdecimal() and part.isascii() else (1, part)


def _numerals(labels: Sequence[Hashable]) -> dict[Hashable, Decimal] | None:
    """The value of each label, if all are text that is a number, perhaps among whole numbers, and no two are equal."""
    values: dict[Hashable, Decimal] = {}
    for x in labels:
        whole = isinstance(x, int) and not isinstance(x, bool)
        if not whole and not (isinstance(x, str) and _NUMERAL.fullmatch(x)):
            return None
        values[x] = Decimal(str(x))
    written_so = any(isinstance(x, str) for x in values)
    return values if written_so and len(set(values.values())) == len(values) else None


def _numbers(labels: Sequence[Hashable]) -> dict[Hashable, Decimal] | None:
    """The value of each label, if all are finite numbers."""
    plain = all(isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in labels)
    return {x: Decimal(str(x)) for x in labels} if plain else None


def _ascending(values: Iterable[Any]) -> bool:
    try:
        return all(a < b for a, b in pairwise(values))
    except TypeError:
        return False
