"""Which cases of a log count, in which state, and whether their answers are classes.

A case counts if and only if its tool counts it. In a closed task, where every answer should be one
of some labels, an answer that is none of them is no answer; in a free-form task it is right or
wrong as the tool marked it, and there is no table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed._numbers import percent
from informed.errors import SourceError, one_of
from informed.evidence.label_policy import Places
from informed.evidence.labels import text
from informed.evidence.states import STATES
from informed.sources.logs.bounded_files import Problem
from informed.sources.logs.case import Case, counts, state_of

Count = Literal["tool", "errors", "answered"]
COUNTS: tuple[Count, ...] = ("tool", "errors", "answered")

ABSTAINED, ERROR = STATES.index("abstained"), STATES.index("error")
OUTCOMES = ("right", "wrong", "partial")
ANSWERED = [STATES.index(x) for x in OUTCOMES]
FEW, EACH, FOREIGN = 10, 5, 0.2  # classes that need no reason, cases a class of more, and strange answers


@dataclass(frozen=True)
class Closed:
    """Whether the answers of a log are classes, and why."""

    classes: bool
    why: str
    so_far: bool = False  # items that are still to come may change it

    def __bool__(self) -> bool:
        return self.classes


@dataclass(frozen=True)
class Selection:
    """Cases of one scoring, with their states as arrays."""

    cases: Sequence[Case]
    state: NDArray[np.int8]
    inside: NDArray[np.bool_]  # which of them count
    mark: Array  # of each case: its tool's, or else as its state says; NaN where it does not count
    closed: Closed
    notes: tuple[str, ...] = ()
    outside: int = 0  # answers that are none of the classes

    @cached_property
    def names(self) -> list[Hashable]:
        """What each case is an attempt at, among all items of the log; those without a name are their own."""
        return [case.item_of(place) for place, case in enumerate(self.cases)]

    @cached_property
    def item(self) -> Places:
        """The place of the item of each case."""
        place = {name: i for i, name in enumerate(dict.fromkeys(self.names))}
        return np.array([place[name] for name in self.names], np.int64)

    @cached_property
    def reals(self) -> list[Hashable] | None:
        """The real label of each case, where these are classes and the same for all attempts at an item."""
        found = [case.real for case in self.cases]
        once = len(set(zip(self.names, found, strict=True))) == len(set(self.names))
        return found if self.closed and once and None not in found else None

    @property
    def named(self) -> NDArray[np.str_]:
        """The state of each case by its name."""
        return np.asarray(STATES)[self.state]

    @property
    def differently_scored(self) -> int:
        """Cases that the tool marks otherwise than by comparing the answer with the real label."""
        marked = [case for case in self.cases if case.mark in (0, 1) and case.predicted is not None]
        return sum((case.real == case.predicted) != bool(case.mark) for case in marked if case.real is not None)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which cases count and have an answer."""
        return np.asarray(self.inside & np.isin(self.state, ANSWERED))

    @cached_property
    def answers(self) -> list[Hashable | None]:
        """What was predicted, None where that is no answer; what the tool called right is the real label."""
        right, wrong = (self.state == STATES.index(x) for x in ("right", "wrong"))
        told = zip(self.cases, right.tolist(), wrong.tolist(), strict=True)
        return [c.real if good else c.predicted if bad else None for c, good, bad in told]

    def states(self) -> dict[str, int | float]:
        """How many cases are in each state that occurs."""
        times = np.array([case.times for case in self.cases], np.float64)
        often = np.bincount(self.state, times, minlength=len(STATES)).tolist()
        return {state: int(n) if n == int(n) else n for state, n in zip(STATES, often, strict=True) if n}


def selection(
    cases: Sequence[Case],
    *,
    count: Count = "tool",
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    classes: bool | None = None,
    known: Sequence[Hashable] = (),
    foreign: bool = False,
) -> Selection:
    """The states of cases, and who of them counts.

    `labels` were given by the user, `known` are those that the log itself has; with `foreign`,
    an answer that is none of them is a label of its own.
    """
    one_of("count", count, COUNTS, SourceError)
    mark = np.array([np.nan if case.mark is None else case.mark for case in cases], np.float64)
    if ((mark < 0) | (mark > 1)).any():
        raise Problem(f"a mark is {mark[(mark < 0) | (mark > 1)][0]:g}; marks from 0 to 1 are needed.")
    state = np.array([STATES.index(state_of(case)) for case in cases], np.int8)
    inside = np.array([counts(case) for case in cases], np.bool_)
    silent = _silencer(abstain)
    if silent is not None:
        said = np.array([case.predicted is not None and silent(case.predicted) for case in cases], np.bool_)
        said &= np.isin(state, ANSWERED)
        state, mark = np.where(said, ABSTAINED, state).astype(np.int8), np.where(said, 0, mark)

    closed = _closed(cases, classes, known=foreign or bool(known) or labels is not None)
    notes: tuple[str, ...] = ()
    before = state
    if closed and not foreign:
        state, notes = _outside(cases, state, labels, known)
    outside = int((state != before).sum())
    if classes is None and closed:
        closed = _whole(closed, state, inside)

    if count == "errors":
        inside = inside | (state == ERROR)
    elif count == "answered":
        inside = inside & np.isin(state, ANSWERED)
    mark = np.where(np.isnan(mark), state == STATES.index("right"), mark)
    return Selection(cases, state, np.asarray(inside, np.bool_), np.where(inside, mark, np.nan), closed, notes, outside)


def _silencer(abstain: Any) -> Callable[[Any], bool] | None:
    """Whether an answer means "no answer": exact texts, or /patterns/ that are found in it."""
    if abstain is None:
        return None
    given = [abstain] if isinstance(abstain, str) or not isinstance(abstain, list | tuple | set) else list(abstain)
    exact = {x for x in given if not _is_pattern(x)}
    try:
        patterns = [re.compile(x[1:-1]) for x in given if _is_pattern(x)]
    except re.error as error:
        raise SourceError(f"`abstain` holds a pattern that cannot be read ({error}).") from None
    return lambda label: label in exact or any(p.search(str(label)) for p in patterns)


def _is_pattern(x: Any) -> bool:
    return isinstance(x, str) and len(x) > 2 and x.startswith("/") and x.endswith("/")


# ---------------------------------------------------------------------- classes or not


def _closed(cases: Sequence[Case], classes: bool | None, *, known: bool) -> Closed:
    if classes is not None:
        return Closed(classes, f"asked for as {'classes' if classes else 'marks'}.")
    if all(case.real is None for case in cases):
        return Closed(False, "The log has marks and no real labels, so there are no classes.")
    if all(case.predicted is None for case in cases) and any(case.mark or case.state in OUTCOMES for case in cases):
        return Closed(False, "The log has marks and no answers, so chance is not known.")
    if known or all(case.options is not None for case in cases):
        return Closed(True, "The labels are known.")
    return _by_variety(cases)


def _whole(closed: Closed, state: NDArray[np.int8], inside: NDArray[np.bool_]) -> Closed:
    """Classes have a table unless some answers got partial credit."""
    partly = int((inside & (state == STATES.index("partial"))).sum())
    if not partly:
        return closed
    said = f"{partly:,} of {int(inside.sum()):,} answers got partial credit"
    return Closed(False, f"{said}: the score is a mean of marks; there is no table of them.")


def _by_variety(cases: Sequence[Case]) -> Closed:
    """By how many different labels are asked for, and how often."""
    gold = {(case.task, case.item or i): case.real for i, case in enumerate(cases) if case.real is not None}
    asked = set(gold.values())
    n, d = sum(case.times for case in cases) if any(case.times > 1 for case in cases) else len(gold), len(asked)
    answers = [case.predicted for case in cases if case.predicted is not None]
    strange = sum(answer not in asked for answer in answers)
    if d == 1 and strange and any(case.mark is not None for case in cases):  # as "done" of every task of an agent
        said = f"Every item asks for {text(*asked)}, so there are no classes: answers are right or wrong."
        return Closed(False, said, so_far=True)

    few = (d <= 2 or d <= n / 2) and (d <= FEW or n / d >= EACH)
    numbers = d > FEW and all(_is_number(x) for x in asked)
    if few and not numbers and not (d > FEW and strange > FOREIGN * len(answers)):
        return Closed(True, f"{d:,} different labels are asked for.")
    said = f"{d:,} different answers are asked for, so there are no classes: answers are right or wrong."
    (common, times), *_ = Counter(gold.values()).most_common(1) or [(None, 0)]
    return Closed(
        False, f"{said} Always answering {text(common)} would get {percent(times / n)}." if times > 1 else said
    )


def _is_number(label: Any) -> bool:
    try:
        float(str(label).replace(",", ""))
    except ValueError:
        return False
    return True


def _outside(
    cases: Sequence[Case], state: NDArray[np.int8], labels: Sequence[Hashable] | None, known: Sequence[Hashable]
) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """Answers of a closed task that are none of its labels are no answers."""
    inside = set(labels) if labels is not None else {*known, *(c.real for c in cases if c.real is not None)}
    wrong = state == STATES.index("wrong")
    strange = np.array([case.predicted not in inside for case in cases], np.bool_) & wrong
    if not strange.any():
        return state, ()
    often = Counter(str(cases[i].predicted) for i in np.flatnonzero(strange).tolist())
    seen = ", ".join(f"{text(answer)} ({n:,})" for answer, n in often.most_common(3))
    more = ", …" if len(often) > 3 else ""
    n = int(strange.sum())
    are = "answer is" if n == 1 else "answers are"
    said = f"{n:,} {are} none of the {len(inside):,} classes and count{'s' if n == 1 else ''} as no answer: "
    return np.where(strange, ABSTAINED, state).astype(np.int8), (f"{said}{seen}{more}.",)
