"""Several attempts at an item as one value: the reducers of `Marks`, over all items at once.

An attempt is right from a mark of 1 on. Each reducer takes the `Attempts` and gives a value for
each item, NaN where it has too few of them; `states_of` tells what has become of the item.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import TableError
from informed.evidence.labels import text
from informed.evidence.states import NO_ANSWER, STATES
from informed.evidence.unit_counting import attempt_numbers

NAME = re.compile(r"(at_least|pass_at|pass_hat|pass)_?\(?(?:k=)?(\d{1,6})\)?")


@dataclass(frozen=True)
class Attempts:
    """Counted attempts, those of one item together and in the order of their epochs."""

    item: NDArray[np.int64]  # (attempts,) numbered from 0, ascending
    mark: Array  # (attempts,)
    state: NDArray[np.int8]  # (attempts,) places in STATES
    items: int

    @cached_property
    def n(self) -> Array:
        """Attempts at each item."""
        return np.asarray(np.bincount(self.item, minlength=self.items), np.float64)

    @cached_property
    def right(self) -> Array:
        """Right ones among them."""
        return np.asarray(np.bincount(self.item, self.mark >= 1, minlength=self.items), np.float64)

    @property
    def silent(self) -> NDArray[np.bool_]:
        """Which attempts are no answer."""
        return no_answer(self.state)

    @cached_property
    def start(self) -> Array:
        """Where the attempts at each item begin; at an item without any, those of the next do."""
        return np.concatenate([[0], np.cumsum(self.n)[:-1]]).astype(np.int64)

    @property
    def place(self) -> NDArray[np.int64]:
        """Which of the attempts at its item each is, from 0."""
        return attempt_numbers(self.item) - 1

    def at(self, values: NDArray[Any], place: Array | int) -> Array:
        """The value at a place among the attempts of each item; NaN where there are none."""
        found = np.append(values, np.nan)[np.where(self.n > 0, self.start + place, len(values)).astype(np.int64)]
        return np.asarray(found)


def no_answer(state: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which states are that of no answer."""
    return np.isin(state, [STATES.index(x) for x in NO_ANSWER])


def reducer(name: str) -> Callable[[Attempts], Array]:
    """The reducer of a name: "max", "at_least_2", "pass_at(3)".

    >>> attempts = Attempts(np.array([0, 0, 0, 1, 1]), np.array([1.0, 0, 1, 0, 0]), np.zeros(5, np.int8), 2)
    >>> [reducer(name)(attempts).round(3).tolist() for name in ("mean", "majority", "pass_at_2")]
    [[0.667, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    if name in _PLAIN:
        return _PLAIN[name]
    found = NAME.fullmatch(name)
    if found is None or int(found[2]) < 1:
        known = ", ".join((*_PLAIN, "at_least_k", "pass_at_k", "pass_hat_k"))
        raise TableError(f"There is no reducer {text(name)}; there is {known} (k from 1 on).")
    k = int(found[2])
    return {
        "at_least": lambda held: _where_any(held, (held.right >= k).astype(np.float64)),
        "pass_at": lambda held: 1 - _none_of(held.n - held.right, held.n, k),
        "pass_hat": lambda held: _none_of(held.right, held.n, k),
        "pass": lambda held: _none_of(held.right, held.n, k),  # as Inspect calls it
    }[found[1]]


def states_of(name: str, held: Attempts, values: Array) -> NDArray[np.int8]:
    """What has become of each item with this value. A value of 0 is no answer where none of the attempts is one
    (or the first is not, of "first"), and where neither right nor wrong has the majority."""
    right, wrong, partial, abstained = map(STATES.index, ("right", "wrong", "partial", "abstained"))
    silent = np.bincount(held.item, held.silent, minlength=held.items)
    first = np.where(held.n > 0, held.at(np.where(held.silent, held.state, wrong), 0), wrong)
    if name == "first":
        none = first != wrong
    elif name == "majority":
        none = np.maximum(held.right, held.n - held.right - silent) <= held.n / 2
    else:
        none = silent == held.n

    unsaid = np.where(none, np.where(first == wrong, abstained, first), wrong)
    return np.where(values >= 1, right, np.where(values > 0, partial, unsaid)).astype(np.int8)


def _none_of(some: Array, n: Array, k: int) -> Array:
    """C(some, k)/C(n, k): the chance that k of n drawn without return are all of these; NaN where n < k."""
    if k > n.max(initial=0):
        return np.full(len(n), np.nan)
    j = np.arange(k)
    parts = ratio(np.maximum(some[:, None] - j, 0.0), np.where(n[:, None] - j > 0, n[:, None] - j, np.nan))
    return np.asarray(np.where(n >= k, parts.prod(axis=1), np.nan))


def _where_any(held: Attempts, values: Array) -> Array:
    return np.where(held.n > 0, values, np.nan)


def _mean(held: Attempts) -> Array:
    return ratio(np.bincount(held.item, held.mark, minlength=held.items), held.n)


def _median(held: Attempts) -> Array:
    ranked = held.mark[np.lexsort((held.mark, held.item))]
    return (held.at(ranked, (held.n - 1) // 2) + held.at(ranked, held.n // 2)) / 2


def _mode(held: Attempts) -> Array:
    """The commonest mark, of several the one that came first."""
    pairs = np.stack([held.item.astype(np.float64), held.mark], axis=1)
    _, first, times = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    order = np.lexsort((first, -times, held.item[first]))
    _, leading = np.unique(held.item[first][order], return_index=True)
    found = np.full(held.items, np.nan)
    chosen = first[order][leading]
    found[held.item[chosen]] = held.mark[chosen]
    return found


def _max(held: Attempts) -> Array:
    found = np.full(held.items, -np.inf)
    np.maximum.at(found, held.item, held.mark)
    return _where_any(held, found)


_PLAIN: dict[str, Callable[[Attempts], Array]] = {
    "mean": _mean,
    "median": _median,
    "mode": _mode,
    "max": _max,
    "majority": lambda held: _where_any(held, (held.right > held.n / 2).astype(np.float64)),
    "first": lambda held: held.at(held.mark, 0),
    "any": lambda held: _where_any(held, (held.right > 0).astype(np.float64)),
    "all": lambda held: _where_any(held, (held.right == held.n).astype(np.float64)),
}
