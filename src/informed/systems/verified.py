"""`verified`: a system's table when only some of its cases were verified.

Cases that were verified because of what the system or a judge said are no random part of all: their table has too
high a recall and too high a fallout (verification bias). The table here is put together by strata, and every
measure of it has an interval worth as many whole cases as it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from informed._arrays import Array, Floats
from informed._numbers import count, percent, plural, rate, span
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.cells import DENSE_UP_TO, many
from informed.evidence.labels import Label, Labels, canonical, guess_positive, some
from informed.evidence.likeness import Normalize
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.evidence.units import sums
from informed.inference.answers import Interval
from informed.inference.given import checked_level
from informed.inference.sample import is_per_class
from informed.measures import MeasureLike, find
from informed.measures.shown import OF_VERIFIED, OF_VERIFIED_TWO, OF_VERIFIED_UNNAMED
from informed.results import Note, Records, Result, plain_dict, warning
from informed.systems.graded_columns import check_words, graded_columns, never_said
from informed.systems.row_units import labelled_alike
from informed.systems.verification import Verification
from informed.systems.verified_columns import Scheme, VerifiedCases, cases_of, verification_of
from informed.systems.verified_difference import VerifiedDifference, verified_difference

KEPT = ("respelled", "never-said", "unseen", "units")  # notes on a table that are of a difference, too
FEW = 5  # verified cases of a stratum below which it is said
KNOWN_SCHEME = Note(
    "The verified cases must be a random part of those with the same answer, judge's verdict and strata; hand-picked "
    "ones make every number wrong.",
    code="random-labels",
)
BOTH_SORT = (
    "Cases are sorted by the answers of both systems here, as either may have decided which were verified; sorted by "
    "its own answers alone, as in a table of one system, each has another value"
)


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Result):
    """A table of all cases, put together from those that were verified; any measure of it has an interval."""

    page = "verified"

    table: Table  # of all cases; it was not counted
    labelled_table: Table  # of the verified cases alone
    judged_table: Table | None  # with the judge's verdicts for the truth
    found: Verification
    labels: Labels
    n: int
    verified: int
    cases: VerifiedCases  # what each case is
    level: float = 0.95
    notes: tuple[Note, ...] = field(default=())

    def interval(self, measure: MeasureLike = "informedness", *, level: float | None = None) -> Interval:
        """A measure of the table with its interval; of more than two classes it may be one for each class."""
        return self.found.interval(measure, checked_level(self.level if level is None else level))

    def n_eff(self, measure: MeasureLike = "informedness") -> Floats:
        """Fully verified cases that would tell the measure as well."""
        return self.found.n_eff(measure, self.level)

    def minus(
        self, other: Verified, measure: MeasureLike = "informedness", *, names: tuple[Any, Any] = ("a", "b")
    ) -> VerifiedDifference:
        """How much better this system is than another on the same cases with the same gold; large-sample only."""
        if self.labels != other.labels:
            raise InferenceError(f"One table has {some(self.labels)}, the other {some(other.labels)}; give `labels=`.")
        found = verified_difference((self.found, other.found), (self.cases, other.cases), measure, self.level, names)
        own = [float(np.asarray(x.interval(measure).estimate)) for x in (self, other)]
        notes = [KNOWN_SCHEME, *found.notes, *_of_both((self, other), names)]
        if any(rate(x) != rate(y) for x, y in zip(own, found.values, strict=True)):
            notes.append(warning(f"{BOTH_SORT} ({rate(own[0])} and {rate(own[1])}).", "both-sort"))
        return replace(found, notes=tuple(notes))

    def records(self) -> Records:
        """One row a measure, and a class where it is one of each."""
        rows: list[tuple[Any, ...]] = []
        for name in self._shown:
            i, m = self.interval(name), find(name)
            alone, said = (None if t is None else _values(m, t) for t in (self.labelled_table, self.judged_table))
            worth = np.atleast_1d(np.asarray(self.n_eff(name)))
            each = zip(*(np.atleast_1d(np.asarray(x)) for x in (i.estimate, i.low, i.high, worth)), strict=True)
            for place, (x, low, high, n) in enumerate(each):
                of = self.labels[place] if len(worth) > 1 else None
                pair = [None if y is None else float(y[place]) for y in (alone, said)]
                rows.append((of, name, *(float(y) for y in (x, low, high, n)), *pair, i.method))
        columns = "class:label measure:words estimate low high n_eff:count verified_alone judge_as_gold method:words"
        return Records.of(columns, rows)

    @property
    def _shown(self) -> tuple[str, ...]:
        """What is told of it, which depends on its classes."""
        if len(self.labels) > 2:
            return OF_VERIFIED
        return OF_VERIFIED_UNNAMED if self.table.positive is None else OF_VERIFIED_TWO

    def to_dict(self) -> dict[str, Any]:
        """The table, and every measure with its interval."""
        held = {"labels": self.labels, "n": self.n, "verified": self.verified, "level": self.level}
        held |= {"table": self.table.counts, "measures": self.records(), "notes": self.notes}
        return plain_dict(held)

    def sentence(self) -> str:
        """Informedness of all cases beside that of the verified alone."""
        i = self.interval()
        alone = float(_values(find("informedness"), self.labelled_table)[0])
        found = (
            f"Informedness is {rate(float(i.estimate))} {span(float(i.low), float(i.high))} on all {count(self.n)} "
            f"cases, of which {count(self.verified)} were verified; those alone would say {rate(alone)}"
        )
        if "fallout" not in self._shown:
            return found
        one, other = (float(_values(find("recall"), t)[0]) for t in (self.labelled_table, self.table))
        return f"{found}, and a recall of {rate(one)} instead of {rate(other)}"


@explained
def verified(
    *,
    predicted: Any,
    gold: Any,
    judge: Any = None,
    strata: Any = None,
    probability: Any = None,
    unit: Any = None,
    item: Any = None,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    normalize: Normalize = None,
    level: float = 0.95,
) -> Verified:
    """A system's table from cases of which only some were verified (Begg and Greenes 1983).

    Parameters
    ----------
    predicted
        What the system said of every case.
    gold
        The truth of those that were verified; None, NaN or empty text of others.
    judge
        What a judge said of every case, if one did: its labels or grades. It sharpens the table however wrong it is.
        A mapping of several judges is a panel, and cases are sorted by how many of it said what.
    strata
        Any other column that decided which cases were verified (a hospital, a week, a drawn share).
    probability
        With which probability each verified case was chosen, where that is known.
    unit, item
        Cases that belong together; or which rows are answers to the same item, which weigh one together. Errors are
        measured between them.
    positive, labels, normalize
        As for `Table.from_labels`.

    >>> found = verified(predicted=[1, 1, 1, 1, 0, 0, 0, 0] * 10, gold=[1, 1, 0, 1, 0, 1, None, None] * 10)
    >>> round(found.interval("recall").estimate, 3)
    0.6
    """
    checked_level(level)
    held = graded_columns(
        {"predicted": predicted, "gold": gold}, ["gold"], labels=labels, normalize=normalize, unit=unit
    )
    if len(held.labels) < 2:
        raise InferenceError(f"Every label is {some(held.labels)}; a table takes two classes at least.")
    if many(len(held.labels)):
        raise InferenceError(
            f"There are {count(len(held.labels))} different labels, and a table of partly verified cases has up to "
            f"{count(DENSE_UP_TO)} classes; merge rare ones, or choose a column of classes."
        )
    check_words(held, ["predicted"], "gold")
    good = (
        canonical(positive) if positive is not None else guess_positive(held.labels) if len(held.labels) == 2 else None
    )
    if good is not None and good not in held.labels:
        raise InferenceError(f"`positive` is {positive!r}; the labels are {some(held.labels)}.")
    s, g = held.places["predicted"], held.places["gold"]
    if (g >= 0).sum() < 2:
        raise InferenceError("`gold` has one label; two verified cases at least are needed.")

    by = Scheme.of(held.labels, len(s), judge=judge, strata=strata, probability=probability, known=g >= 0)
    c = cases_of(s, g, by, held.unit, item)
    found = verification_of(c, held.labels, good)
    strange = never_said(held, ["predicted"], "gold") if labels is None else ()
    notes = (*held.notes, *strange, *c.notes, *_notes(found, c, "item" if unit is None else held.unit_name))
    n, seen = len(c.answer), int((c.gold >= 0).sum())
    return Verified(found.table, *_taken_for_true(c, found), found, held.labels, n, seen, c, level, notes)


def _taken_for_true(c: VerifiedCases, v: Verification) -> tuple[Table, Table | None]:
    """The table of the verified cases alone, and the one with the judge's verdicts for the truth."""
    k, on = len(v.labels), c.gold >= 0
    own: dict[str, Any] = {"labels": v.labels, "positive": v.positive}
    alone = sums(c.answer[on] * k + c.gold[on], c.weight[on], k * k).reshape(k, k)
    if c.scheme.judged is None:
        return Table.from_counts(alone, **own), None
    said = sums(c.answer * k + c.scheme.judged, c.weight, k * k).reshape(k, k)
    return Table.from_counts(alone, **own), Table.from_counts(said, **own)


def _notes(v: Verification, c: VerifiedCases, unit: str) -> list[Note]:
    notes = [KNOWN_SCHEME]
    if not labelled_alike(c.answer, c.gold >= 0, c.weight):
        shares = [percent(float((c.gold[c.answer == i] >= 0).mean())) for i in np.unique(c.answer)]
        called = (v.labels[i] for i in np.unique(c.answer))
        each = ", ".join(f"{x} of those called {y}" for x, y in zip(shares, called, strict=True))
        said = f"Verified by answer ({each}): weighted accordingly; the verified cases alone have a wrong recall."
        notes.append(warning(said, "by-answer"))
    if len(v.unseen):
        said = f"{plural(len(v.unseen), 'stratum', 'strata')} without a verified case took the shares of other answers."
        notes.append(warning(said, "unseen"))
    few = int(((v.verified > 0) & (v.verified < FEW) & (v.verified < v.cases)).sum())
    if few:
        notes.append(Note(f"{plural(few, 'stratum', 'strata')} with fewer than {FEW} verified cases.", code="few"))
    if c.groups is not None:
        notes.append(Note(f"{plural(c.groups.n, unit)}; errors are measured between them.", code="units"))
    return notes


def verified_two(
    predicted: Mapping[str, Any], *, gold: Any, measure: MeasureLike = "informedness", **how: Any
) -> VerifiedDifference:
    """Two systems by their names on the same cases, with the labels of both; `how` are options of `verified`."""
    strange: tuple[Note, ...] = ()
    if how.get("labels") is None:
        truth = "gold" if "gold" not in predicted else "gold of people"
        held = graded_columns({**predicted, truth: gold}, [truth], normalize=how.get("normalize"))
        strange = never_said(held, list(predicted), truth)
        how = {**how, "labels": held.labels}

    a, b = (verified(predicted=x, gold=gold, **how) for x in predicted.values())
    first, second = predicted
    found = a.minus(b, measure, names=(first, second))
    return replace(found, notes=(*found.notes, *strange))


def _of_both(both: tuple[Verified, Verified], names: tuple[Any, Any]) -> list[Note]:
    """What is said of two tables that holds for their difference, once; what is of one, with its name."""
    first, second = ([n for n in v.notes if n.code in KEPT] for v in both)
    same = [n for n in first if n in second]
    alone = [
        replace(n, text=f"{system_name(name)}: {n.text}")
        for name, held in zip(names, (first, second), strict=True)
        for n in held
        if n not in same and n.code != "never-said"  # what the other says is a label
    ]
    return [*same, *alone]


def _values(m: Any, t: Table) -> Array:
    with np.errstate(all="ignore"):
        return np.atleast_1d(np.asarray(m(t.one_vs_rest() if is_per_class(m, t) else t), float))
