"""One answer in a log, its state, and the numbers that its tool reports."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from math import isnan
from types import MappingProxyType
from typing import Any, NamedTuple

from informed.evidence.states import UNCOUNTED, State
from informed.sources.logs.bounded_files import letters

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Case(NamedTuple):
    """One answer to one item (or, in a matrix, a number of them).

    A case without a `state` has the one that follows from its mark and its answer: no answer is
    "abstained", unless it has credit; an answer without a mark is right where it is the real label.
    Where a log has marks and no answers, its reader says the state.
    """

    real: Hashable | None
    predicted: Hashable | None  # None: no usable answer
    times: float = 1
    item: str | None = None  # cases of one item are repeats of it
    options: int | None = None  # how many answers the item offers
    mark: float | None = None  # as the tool itself scored it, 0 … 1; None or NaN: it did not
    fields: Mapping[str, Any] = NOTHING  # what it can be grouped by
    state: State | None = None
    counts: bool | None = None  # whether its tool counts it; None: by state, an error if it has a mark
    epoch: int | None = None  # which attempt at the item, from 1; None: in the order of the log
    task: str | None = None  # where a log holds several
    system: str | None = None  # where a log holds several
    chance: float | None = None  # the share that guessing gets right, where the log says it; else 1/options

    def item_of(self, place: int) -> Hashable:
        """What it is an attempt at, among all items of its log; without a name its own place there."""
        name: Hashable = place if self.item is None else self.item
        of = tuple(x for x in (self.system, self.task) if x is not None)
        return (*of, name) if of else name


class Reported(NamedTuple):
    """A number that the tool itself reports, and of what."""

    value: float
    name: str  # of the metric: accuracy, exact_match
    scorer: str | None = None
    filter: str | None = None
    reducer: str | None = None  # of the epochs; None: their mean, or there is one
    task: str | None = None
    system: str | None = None


def state_of(case: Case) -> State:
    """The state of a case, as its reader gave it or as it follows from mark and answer.

    >>> [state_of(Case("a", x, mark=m)) for x, m in (("a", 1), ("b", 0), ("b", 0.5), (None, 0), ("a", None))]
    ['right', 'wrong', 'partial', 'abstained', 'right']
    """
    if case.state is not None:
        return case.state
    mark = case.mark
    if mark is not None and isnan(mark):
        return "unscored"
    if mark is None or mark <= 0:
        if case.predicted is None:
            return "abstained"
        if case.real is None and mark is None:
            return "unscored"
        return "right" if mark is None and case.predicted == case.real else "wrong"
    return "right" if mark >= 1 else "partial"


def counts(case: Case) -> bool:
    """Whether the tool of a case counts it in its own number."""
    if case.counts is not None:
        return case.counts
    state = state_of(case)
    return case.mark is not None if state == "error" else state not in UNCOUNTED


def scale_hint(name: str) -> str:
    """How numbers on a scale are read."""
    return f"If they are on a scale, say from where to where, as in `scale='{name}:1:5'`."


def name_options(cases: Iterable[Case]) -> bool:
    """Whether every real label is the letter of an option, so that labels are places."""
    return all(case.options is not None and case.real in letters(min(case.options, 26)) for case in cases)
