"""How many of what a report is about: cases, or items and the answers to them, in the words of its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from informed._numbers import count, percent, plural
from informed.evidence.table import Table
from informed.evidence.units import Units

if TYPE_CHECKING:
    from informed.summary.report import Report


@dataclass(frozen=True)
class Counted:
    """What a headline counts. Items are counted as items and cases as cases, whatever they weigh."""

    what: str  # what counts one: "case", "item", or "answer" where nobody knows how many items there are
    n: float  # how many of them the headline is of
    given: float  # cases with an answer
    silent: float  # cases without one
    weighing: float  # share of the weight that these have
    weighted: bool  # whether cases, or items, weigh differently by themselves
    answered: bool  # whether the headline is of answered cases alone, though some were not
    repeated: bool  # whether an item counts once in each of several groups
    thing: str = "case"  # what a case is called in sentences: a log has questions

    @property
    def on(self) -> str:
        """What the headline is of: "40 items (136 answers)", "199 cases (weighted)"."""
        told = [plural(self.cases, "answer")] if self.what == "item" and self.cases != self.n else []
        told += ["weighted"] if self.weighted else []
        told += ["an item counts once in each group"] if self.repeated else []
        word = self.thing if self.what == "case" else self.what
        word = f"answered {word}" if self.answered and self.what == "case" else word
        return plural(self.n, word) + (f" ({', '.join(told)})" if told else "")

    @property
    def cases(self) -> float:
        """Rows that the headline is of: answers to items, or cases."""
        return self.given + (0.0 if self.answered else self.silent)

    @property
    def those_answered(self) -> str:
        """ "66 answered cases", "126 answers that were given"."""
        if self.what == "case":
            return f"{plural(self.given, f'answered {self.thing}')}{' (weighted)' if self.weighted else ''}"
        return f"{plural(self.given, 'answer')} that {'was' if self.given == 1 else 'were'} given"

    @property
    def unanswered(self) -> str:
        """ "6 cases without an answer", "10 answers that were not given (8 % of the weight)"."""
        share = f" ({percent(self.weighing)} of the weight)" if self.weighted or self.what != "case" else ""
        if self.what == "case":
            return f"{plural(self.silent, self.thing)} without an answer{share}"
        return f"{plural(self.silent, 'answer')} that {'was' if self.silent == 1 else 'were'} not given{share}"

    @property
    def left_out(self) -> str:
        """How many got no answer, of all: "6 cases of 72 got no answer"."""
        every = count(self.given + self.silent)
        if self.what == "case":
            return f"{plural(self.silent, self.thing)} of {every} got no answer"
        return f"{count(self.silent)} of {every} answers {'was' if self.silent == 1 else 'were'} not given"

    @property
    def unit(self) -> str:
        """What the numbers in the cells are: "cases", "items", or the "weight" of cases."""
        return "weight" if self.weighted or self.what == "answer" else f"{self.what}s"


def counted(report: Report) -> Counted:
    """What the headline of a report counts."""
    t = report.table
    found = counted_of(t, over_all=report.over_all, groups=[g.table for g in report.groups])
    return replace(found, thing="question") if report.tool else found


def counted_of(t: Table, *, over_all: bool = True, groups: Sequence[Table] = ()) -> Counted:
    """What a table counts, over all its cases or over the answered ones; `groups` are those it was added up from.

    >>> t = Table.from_labels(real=list("aab"), predicted=["a", None, "b"], item=[1, 1, 2], missing="abstain")
    >>> found = counted_of(t)
    >>> found.on, found.unanswered
    ('2 items (3 answers)', '1 answer that was not given (25 % of the weight)')
    """
    unsaid = float(t.abstained.sum())
    silent = unsaid if t.unanswered_cases is None else float(t.unanswered_cases.sum())
    given = float(t.rows) - float(t.missing) - silent
    every = float(t.n) + unsaid
    held: dict[str, Any] = {"given": given, "silent": silent, "weighing": unsaid / every if every else 0.0}
    answered = bool(unsaid) and not over_all
    if t.units is None or t.units.of != "item":
        n = given if answered else given + silent
        return Counted("case", n, **held, weighted=t.cases is not None, answered=answered, repeated=False)

    if t.units.name == "item":  # each unit is an item; a table of groups holds one once for each of them
        asked = sum(_units(g) for g in groups) or _units(t)
        weighted = abs(asked - every) > 1e-6 * every
        n = _units(t.answered if answered else t)
        return Counted("item", n, **held, weighted=weighted, answered=answered, repeated=asked > _units(t))
    n = float(t.n) if answered else every
    known = not groups and abs(n - round(n)) < 1e-6  # of coarser units, where each item weighs one
    n = round(n) if known else given if answered else given + silent
    return Counted("item" if known else "answer", n, **held, weighted=not known, answered=answered, repeated=False)


def two_truths(t: Table) -> float:
    """How many items have answers of more than one real class; nobody knows of coarser units, or of sums alone.

    >>> two_truths(Table.from_labels(real=list("aab"), predicted=list("aab"), item=[1, 2, 2]))
    1.0
    """
    u = t.units
    if type(u) is not Units or u.name != "item":
        return 0.0
    real = u.cell % len(t.real_labels)  # cells are predicted-major, and after them those without an answer
    first = real[u.starts[:-1]][u.row]
    return float(u.mult[np.unique(u.row[real != first])].sum())


def _units(t: Table) -> float:
    return 0.0 if t.units is None else float(t.units.n)
