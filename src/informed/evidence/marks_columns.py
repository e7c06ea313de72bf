"""Columns of marks as arrays: items, attempts, states, shares of weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import position
from informed.errors import LabelError
from informed.evidence.columns import column
from informed.evidence.labels import Labels, is_missing, native, some, text
from informed.evidence.states import STATES

Places = NDArray[np.int64]


def coded(x: Any, name: str, n: int) -> tuple[Places, Labels]:
    """Places in the distinct values, in the order of their first appearance."""
    side = column(x, name).side()
    if len(side.codes) != n:
        raise LabelError(f"`{name}` has {len(side.codes):,} entries for {n:,} marks.")
    plain = [None if is_missing(value) else native(value) for value in (*side.raw, None)]
    place = {value: i for i, value in enumerate(dict.fromkeys(value for value in plain if value is not None))}
    codes = np.asarray([-1 if value is None else place[value] for value in plain], np.int64)[side.codes]
    if (codes < 0).any():
        raise LabelError(f"A case has no `{name}`; each must have one.")
    return codes, tuple(place)


def even(w: Array) -> bool:
    """Whether weights are the same but for the rounding of sums of shares.

    >>> even(np.array([1.0, sum([1 / 6] * 6)])), even(np.array([1.0, 2.0]))
    (True, False)
    """
    return bool(np.allclose(w, w[:1], rtol=1e-9, atol=0))


def states_from(given: Any, mark: Array) -> NDArray[np.int8]:
    if given is None:
        names = np.array([STATES.index(x) for x in ("wrong", "partial", "right", "unscored")], np.int8)
        return names[np.where(np.isnan(mark), 3, np.where(mark >= 1, 2, np.where(mark > 0, 1, 0)))]
    codes, names_ = coded(given, "state", len(mark))
    strange = [name for name in names_ if name not in STATES]
    if strange:
        raise LabelError(f"There is no state {text(strange[0])}; there is {some(STATES, 7)}.")
    return np.asarray([STATES.index(name) for name in names_], np.int8)[codes]


def of_items(x: Any, name: str, at: Places, first: Places) -> tuple[Places, Labels]:
    """A column of cases as one of items, of which all cases must say the same."""
    codes, names = coded(x, name, len(at))
    own = codes[first]
    if (own[at] != codes).any():
        raise LabelError(more_than_one(name))
    return own, names


def named(given: Any, name: str, at: Places, first: Places) -> Mapping[str, Any]:
    """A column of names as two fields: the place of each item, and the names."""
    return {} if given is None else dict(zip((name, f"{name}s"), of_items(given, name, at, first), strict=True))


def number_of_items(given: Any, name: str, at: Places, first: Places) -> Array:
    """A number for each item, given as one, or as one for each case that all cases of an item share."""
    if np.ndim(given) == 0:
        given = [given] * len(at)
    found = numbers_of(given, name)
    if len(found) != len(at):
        raise LabelError(f"`{name}` has {len(found):,} entries for {len(at):,} marks.")
    own = found[first]
    if not np.array_equal(own[at], found, equal_nan=True):
        raise LabelError(more_than_one(name))
    return own


def verdicts(mark: Any) -> Array:
    """Marks as numbers from 0 to 1, NaN where there is none."""
    found = numbers_of(mark, "mark")
    outside = np.flatnonzero((found < 0) | (found > 1))
    if len(outside):
        raise LabelError(
            f"`mark` holds {found[outside[0]]:g} at {position(outside[0])}; a mark goes from 0 (wrong) to 1 (right): "
            "scale other grades first."
        )
    return found


def more_than_one(name: str) -> str:
    return f"An item has more than one `{name}`; it must be the same for all its cases."


def numbers_of(x: Any, name: str) -> Array:
    """A column of numbers in which a missing one is NaN."""
    if isinstance(x, (str, bytes, Mapping, Set)) or not isinstance(x, Iterable):
        raise LabelError(f"`{name}` is {text(x)}; one number per case is needed.")
    held = np.asarray(x if hasattr(x, "__len__") else list(x))
    if held.ndim == 1 and held.dtype.kind == "O":
        held = np.asarray([np.nan if is_missing(value) else value for value in held.tolist()])
    if held.ndim != 1 or held.dtype.kind not in "biuf":
        raise LabelError(f"`{name}` does not hold numbers; one per case is needed.")
    found = held.astype(np.float64)
    if np.isinf(found).any():
        raise LabelError(f"`{name}` holds an infinite number; finite ones are needed.")
    return found
