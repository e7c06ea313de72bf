"""How many cases are in which state, the score over all that count, and what it leaves out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from informed.errors import InformedError
from informed.evidence.cells import diagonal
from informed.evidence.marks import Marks, weights_of_all
from informed.evidence.states import SILENT, STATES
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.measures import find
from informed.measures.headline import Count, headline
from informed.summary.counted import counted_of
from informed.summary.parts import Estimate, Score


def states_of(t: Table) -> tuple[tuple[str, float], ...]:
    """Right, wrong, without an answer, not run where rows were left out, and unscored where answers have no real
    label; none where nothing can be right.

    These are numbers of cases, whatever they weigh.

    >>> states_of(Table.from_counts([[6, 1], [1, 2]], abstained=[4, 6]))
    (('right', 8.0), ('wrong', 2.0), ('abstained', 10.0))
    """
    if not t.is_square:
        return ()
    found = counted_of(t)
    right = float(t.hits.sum() if t.cases is None else diagonal(t.cases).sum())
    held = {"right": right, "wrong": found.given - right, "abstained": found.silent}
    held |= {"unscored": float(t.unlabelled), "not-run": float(t.missing)}
    return tuple((state, n) for state, n in held.items() if n or state in ("right", "wrong"))


def score_of(t: Table, known: Sequence[Estimate], level: float, count: Count) -> Score | None:
    """The score with its interval, taken from the estimates if it is there."""
    if not t.is_square or not t.n + t.abstained.sum():
        return None
    same = str(headline("accuracy", count, bool(t.abstained.any())))
    found = next((e for e in known if e.measure == same), None)
    if found is not None:
        return Score(found.value, found.low, found.high)
    try:
        limits = interval(t, same, level=level)
    except InformedError:
        return Score(float(find(same)(t)))
    return Score(float(limits.estimate), float(limits.low), float(limits.high))


def left_out(m: Marks, reducer: str | None = None) -> tuple[float, float]:
    """How many cases that got no answer, or ended in an error, do not count, and the score (or what a `reducer` makes
    of the attempts at an item) if each were a failure.

    >>> left_out(Marks.from_columns(mark=[1, 0, 1, None], state=["right", "wrong", "right", "error"]))
    (1.0, 0.5)
    """
    out = np.isin(m.state, [STATES.index(x) for x in SILENT]) & ~m.counted
    if not out.any():
        return 0.0, math.nan
    mark, heavy = np.where(out, 0.0, m.mark), weights_of_all(m)[m.item]
    every = Marks.from_columns(mark=mark, item=m.item, epoch=m.epoch, counts=m.counted | out, weights=heavy)
    return float(out.sum()), (every if reducer in (None, "mean") else every.reduce(reducer)).score
