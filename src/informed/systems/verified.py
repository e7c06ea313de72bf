"""`verified`: a system's table when only some of its cases were verified.

Cases that were verified because of what the system or a judge said are no random part of all: their table has too
high a recall and too high a fallout (verification bias). The table here is put together by strata, and every
measure of it has an interval worth as many whole cases as it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from informed._arrays import Array, Floats
from informed._numbers import count, percent, plural, rate, span
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.labels import Label, Labels, canonical, guess_positive, some
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.evidence.units import Ints, sums
from informed.inference.answers import Interval, Ranged
from informed.inference.given import checked_level, students
from informed.measures import MeasureLike, find
from informed.measures.shown import OF_VERIFIED, OF_VERIFIED_TWO
from informed.results import Note, Records, Result, plain_dict, warning
from informed.systems.graded_columns import GradedColumns, graded_columns, strata_of
from informed.systems.verification import Verification, VerifiedRows, design_effect

FEW = 5  # verified cases of a stratum below which it is said
KNOWN_SCHEME = Note(
    "The verified cases must be a random part of those with the same answer, judge's verdict and strata; hand-picked "
    "ones make every number wrong.",
    code="random-labels",
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
    rows: VerifiedRows  # what each case is
    level: float = 0.95
    notes: tuple[Note, ...] = field(default=())

    def interval(self, measure: MeasureLike = "informedness", *, level: float | None = None) -> Interval:
        """A measure of the table with its interval; of more than two classes it may be one for each class."""
        return self.found.interval(measure, checked_level(self.level if level is None else level))

    def n_eff(self, measure: MeasureLike = "informedness") -> Floats:
        """Fully verified cases that would tell the measure as well."""
        return self.found.n_eff(measure, self.level)

    def minus(self, other: Verified, measure: MeasureLike = "informedness") -> VerifiedDifference:
        """How much better this system is than another on the same cases with the same gold; large-sample only."""
        return _minus(self, other, measure)

    def records(self) -> Records:
        """One row a measure, and a class where it is one of each."""
        rows: list[tuple[Any, ...]] = []
        for name in OF_VERIFIED_TWO if len(self.labels) == 2 else OF_VERIFIED:
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

    def to_dict(self) -> dict[str, Any]:
        """The table, and every measure with its interval."""
        held = {"labels": self.labels, "n": self.n, "verified": self.verified, "level": self.level}
        held |= {"table": self.table.counts, "measures": self.records(), "notes": self.notes}
        return plain_dict(held)

    def sentence(self) -> str:
        """Informedness of all cases beside that of the verified alone."""
        i = self.interval()
        alone = float(_values(find("informedness"), self.labelled_table)[0])
        return (
            f"Informedness is {rate(float(i.estimate))} {span(float(i.low), float(i.high))} on all {count(self.n)} "
            f"cases, of which {count(self.verified)} were verified; those alone would say {rate(alone)}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class VerifiedDifference(Ranged):
    """The difference of two systems' measure on the same, partly verified cases."""

    measure: str
    estimate: float
    low: float
    high: float
    standard_error: float
    pvalue: float
    level: float = 0.95
    notes: tuple[Note, ...] = field(default=())


@explained
def verified(
    *,
    predicted: Any,
    gold: Any,
    judge: Any = None,
    strata: Any = None,
    unit: Any = None,
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
    strata
        Any other column that decided which cases were verified (a hospital, a week, a drawn share).
    unit
        Cases that belong together; errors are measured between units.
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
    good = (
        canonical(positive) if positive is not None else guess_positive(held.labels) if len(held.labels) == 2 else None
    )
    if good is not None and good not in held.labels:
        raise InferenceError(f"`positive` is {positive!r}; the labels are {some(held.labels)}.")
    s, g = held.places["predicted"], held.places["gold"]
    if (g >= 0).sum() < 2:
        raise InferenceError("`gold` has one label; two verified cases at least are needed.")

    alike, judged = _others(held, judge, strata, len(s))
    key, back = np.unique(alike * len(held.labels) + s, return_inverse=True)
    k = len(held.labels)
    gold_counts = sums(back[g >= 0] * k + g[g >= 0], None, len(key) * k).reshape(-1, k)
    lone = np.arange(len(s)) if held.unit is None else held.unit
    rows = VerifiedRows(np.asarray(back, np.int64), g, lone)
    found = Verification(
        held.labels,
        key % k,
        key // k,
        sums(back, None, len(key)),
        gold_counts,
        good,
        None if held.unit is None else rows,
    )
    alone = np.zeros((k, k))
    np.add.at(alone, found.answer, gold_counts)
    said = None if judged is None else sums(s * k + judged, None, k * k).reshape(k, k)
    own: dict[str, Any] = {"labels": held.labels, "positive": good}
    told = None if said is None else Table.from_counts(said, **own)
    tables = found.table, Table.from_counts(alone, **own), told
    notes = (*held.notes, *_notes(found, held))
    return Verified(*tables, found, held.labels, len(s), int((g >= 0).sum()), rows, level, notes)


def _others(held: GradedColumns, judge: Any, strata: Any, n: int) -> tuple[Ints, Ints | None]:
    """What else a case is sorted by, as numbers, and the judge's verdicts where they are labels of the table."""
    alike, judged = np.zeros(n, np.int64), None
    for name, values in (("judge", judge), ("strata", strata)):
        if values is None:
            continue
        codes, names = strata_of(values, name)
        if len(codes) != n:
            raise InferenceError(f"`{name}` has {len(codes):,} values, and `predicted` {n:,}.")
        alike = alike * len(names) + codes
        if name == "judge" and {canonical(x) for x in names if x is not None} <= set(held.labels) and None not in names:
            judged = np.array([held.labels.index(canonical(x)) for x in names])[codes]
    return np.unique(alike, return_inverse=True)[1], judged


def _notes(v: Verification, held: GradedColumns) -> list[Note]:
    notes = [KNOWN_SCHEME]
    shares = sums(v.answer, v.verified, len(v.labels)) / np.fmax(sums(v.answer, v.cases, len(v.labels)), 1)
    if shares.max() > 1.2 * shares.min():
        each = ", ".join(f"{percent(x)} of those called {y}" for x, y in zip(shares, v.labels, strict=True))
        said = f"Verified by answer ({each}): weighted accordingly; the verified cases alone have a wrong recall."
        notes.append(warning(said, "by-answer"))
    if len(v.unseen):
        said = f"{plural(len(v.unseen), 'stratum', 'strata')} without a verified case took the shares of other answers."
        notes.append(warning(said, "unseen"))
    few = int(((v.verified > 0) & (v.verified < FEW) & (v.verified < v.cases)).sum())
    if few:
        notes.append(Note(f"{plural(few, 'stratum', 'strata')} with fewer than {FEW} verified cases.", code="few"))
    if v.rows is not None:
        said = f"{plural(int(v.rows.unit.max()) + 1, held.unit_name)}; errors are measured between them."
        notes.append(Note(said, code="units"))
    return notes


def _values(m: Any, t: Table) -> Array:
    with np.errstate(all="ignore"):
        return np.atleast_1d(np.asarray(m(t), float))


# ---------------------------------------------------------------------- two systems


def _minus(a: Verified, b: Verified, measure: MeasureLike) -> VerifiedDifference:
    """ψ₁ − ψ₂ on the strata of both, and the large-sample interval of that."""
    from scipy.special import ndtr, stdtr

    m, rows, others = find(measure), a.rows, b.rows
    if len(rows.gold) != len(others.gold) or not np.array_equal(rows.gold, others.gold) or a.labels != b.labels:
        raise InferenceError("Two verified tables are compared on the same cases with the same gold labels, in order.")
    key, back = np.unique(rows.stratum * (int(others.stratum.max()) + 1) + others.stratum, return_inverse=True)
    of_a, of_b = np.divmod(key, int(others.stratum.max()) + 1)
    k, g = len(a.labels), rows.gold
    counts = sums(back[g >= 0] * k + g[g >= 0], None, len(key) * k).reshape(-1, k)
    cases, alike = sums(back, None, len(key)), a.found.alike[of_a]
    sides = [
        Verification(a.labels, x.found.answer[at], alike, cases, counts, x.found.positive)
        for x, at in ((a, of_a), (b, of_b))
    ]
    effects = [v.effects(m) for v in sides]
    if len(effects[0]) > 1:
        raise InferenceError(f"{m.name} is one number for each class here; a difference takes one number.")

    first = sides[0]
    own = effects[0][0][sides[0].answer] - effects[1][0][sides[1].answer]
    q, w = first.helped, first.weight
    mean = (q * own).sum(axis=1)
    within = (q * own**2).sum(axis=1) - mean**2
    between = float(w @ mean**2 - (w @ mean) ** 2)
    error, df = float(np.sqrt((w**2 * within / np.fmax(first.verified, 0.5)).sum() + between / first.total)), np.inf
    if a.found.rows is not None:
        seen = np.where(g >= 0, (cases / np.fmax(first.verified, 1))[back] * (own[back, g] - mean[back]), 0.0)
        root, df = design_effect(mean[back] + seen, a.found.rows.unit, g >= 0)
        error *= root
    estimate = float(m(sides[0].table) - m(sides[1].table))
    reach = float(students(df, a.level)) * error
    tail = ndtr(-abs(estimate) / error) if np.isinf(df) else stdtr(df, -abs(estimate) / error)
    said = "A large-sample interval: with few verified cases, or rates near 0 or 1, it is too short."
    ends = (max(estimate - reach, -2.0), min(estimate + reach, 2.0), error, float(2 * tail))
    return VerifiedDifference(str(m), estimate, *ends, a.level, (KNOWN_SCHEME, warning(said, "large-sample")))
