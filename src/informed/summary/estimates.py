"""Measures of every table of a stack with chance, interval and p-value, each found once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, exact_zero
from informed.errors import InformedError
from informed.evidence.labels import Label, written
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import intervals
from informed.inference.tests import against_guessing
from informed.measures import MEASURES, Measure, find, why
from informed.measures.headline import Count
from informed.measures.shown import CORE, OF_ALL, OF_CLASS, OF_CLUSTERS, OF_MANY, OF_TWO, RATIOS, TESTED
from informed.measures.terms import Terms
from informed.measures.titles import title_of
from informed.results import Note
from informed.summary.parts import ClassRow, Estimate


@dataclass(frozen=True)
class Wanted:
    """How certain the intervals are, and how they are found."""

    level: float
    method: str = "auto"


def chosen(
    t: Table, names: Iterable[str] | None, everything: bool, count: Count = "tool", terms: Terms = "informed"
) -> tuple[Measure, ...]:
    """B, M and C, the traditional measures of this kind of table, and what was asked for; likelihood ratios in clinical
    terms."""
    usual = (*CORE, *(OF_MANY if t.positive is None else OF_TWO)) if t.is_square else OF_CLUSTERS
    if terms == "clinical" and t.positive is not None:
        usual = (*usual, *RATIOS)
    if names is not None:
        usual = (*CORE, *([names] if isinstance(names, str) else names))
        for m in map(find, usual[len(CORE) :]):
            if not _is_average(m):
                m.check(t)
    if t.is_square and t.abstained.any():
        usual = (*usual, *OF_ALL) if count == "answered" else (*OF_ALL, *usual)
    found = {str(m): m for m in map(find, usual)}
    if everything:
        found |= MEASURES
    return tuple(m for m in found.values() if (t.is_square if _is_average(m) else m.reads(t)))


def _is_average(m: Measure) -> bool:
    return "average" in dict(m.bound)


def estimates(t: Table, measures: Sequence[Measure], wanted: Wanted) -> list[list[Estimate]]:
    """For each measure an estimate of each table of a stack."""
    found = intervals(t, measures, level=wanted.level, method=wanted.method)
    guessed = t.independent
    asked = [m for m in measures if m.name in TESTED and not m.bound]
    tested = dict(zip(map(str, asked), against_guessing(t, asked), strict=True))
    each = zip(measures, found, strict=True)
    return [_of_each(t, m, limits, guessed, wanted, tested.get(str(m), (math.nan, ""))) for m, limits in each]


def _of_each(
    t: Table, m: Measure, limits: Interval | InformedError, guessed: Table, wanted: Wanted, tested: tuple[Any, str]
) -> list[Estimate]:
    """One measure of every table of a stack, with its p-value and what that tests."""
    shape = t.shape or (1,)
    known = t.derived is None and not isinstance(limits, InformedError)
    value = flat(limits.estimate if known else m(t), shape)  # type: ignore[union-attr]  # known
    try:
        chance = flat(exact_zero(m.chance(t, guessed)), shape)
    except InformedError:
        chance = np.full(value.shape, np.nan)

    low = high = np.full(value.shape, np.nan)
    used, worth = "", np.full(value.shape, np.nan)
    if isinstance(limits, InformedError):
        notes: tuple[Note, ...] = (Note(str(limits), code="no-interval"),)
    else:
        low, high = flat(limits.low, shape), flat(limits.high, shape)
        used, notes = limits.method, limits.notes
        if t.units is not None and limits.effective_n is not None:
            worth = flat(limits.effective_n, shape)

    columns = {"value": value, "chance": chance, "low": low, "high": high, "pvalue": flat(tested[0], shape)}
    columns["worth"] = worth
    rows = zip(*(x.tolist() for x in columns.values()), strict=True)
    best = math.nan if m.facts.best is None else float(m.facts.best)
    same: dict[str, Any] = {"measure": str(m), "title": title_of(m), "level": wanted.level, "null": tested[1]}
    same |= {"method": used, "best": best, "notes": notes}
    each = zip(rows, reasons(t, m, value), strict=True)
    found = [Estimate(**same, **dict(zip(columns, row, strict=True)), why=why) for row, why in each]
    return [e if math.isfinite(e.low) else replace(e, method="") for e in found]


def with_own_notes(tables: Sequence[Table], column: list[Estimate], wanted: Wanted, leads: str) -> list[Estimate]:
    """Estimates of a stack, whose notes are of all its tables together: with each table's own if the measure leads,
    else with none."""
    own: list[tuple[Note, ...]] = [()] * len(tables)
    if column[0].measure == leads:
        found = [intervals(t, [find(leads)], **vars(wanted))[0] for t in tables]
        own = [() if isinstance(x, InformedError) else x.notes for x in found]
    return [replace(e, notes=notes) if e.method else e for e, notes in zip(column, own, strict=True)]


def flat(x: Any, shape: tuple[int, ...]) -> Array:
    """One number for each table of a stack."""
    return np.broadcast_to(np.asarray(x, dtype=np.float64), shape).ravel()


def reasons(t: Table, m: Measure, value: Array) -> list[str]:
    """Why each value is undefined; empty where it is not."""
    if not np.isnan(value).any():
        return [""] * value.size
    if _is_average(m):
        return ["" if v == v else "it is undefined for one of the classes" for v in value]
    reasons = np.atleast_1d(np.asarray(why(t, m), dtype=object)).ravel()
    return [r or "" for r in reasons]


def class_rows(t: Table, wanted: Wanted, known: Sequence[Sequence[Estimate]] = ()) -> list[tuple[ClassRow, ...]]:
    """Each class of each table against the rest; a stack of 2x2 tables, closed forms.

    `known` are estimates of the whole tables: what two classes share is one of them.
    """
    k, groups = t.k, (t.shape or (1,))[0]
    measures = [MEASURES[m] for m in OF_CLASS]
    shared = _shared(measures, known) if k == 2 else {}
    own = [m for m in measures if m.name not in shared]
    found = estimates(t.one_vs_rest(), own, wanted)
    by_name = {m.name: column for m, column in zip(own, found, strict=True)} | shared
    columns = [by_name[m.name] for m in measures]
    counted = np.reshape([t.real_totals, t.predicted_totals, t.hits], (3, k, groups)).tolist()

    def row(g: int, c: int, label: Label) -> ClassRow:
        real, predicted, hits = (x[c][g] for x in counted)
        return ClassRow(label, real, predicted, hits, tuple(_about(column[g * k + c], label) for column in columns))

    return [tuple(row(g, c, label) for c, label in enumerate(t.labels)) for g in range(groups)]


def _shared(measures: Sequence[Measure], known: Sequence[Sequence[Estimate]]) -> dict[str, list[Estimate]]:
    """Estimates that two classes share, those of each table twice; none that is undefined, whose
    reason is another for each class."""
    of_table = {column[0].measure: column for column in known if column}
    return {
        m.name: [e for e in of_table[m.name] for _ in range(2)]
        for m in measures
        if m.facts.inverse == m.name
        and not any(math.isnan(e.value) for e in of_table.get(m.name, [Estimate("", "", math.nan)]))
    }


def _about(e: Estimate, label: Label) -> Estimate:
    """A class is called by its name, not "+", in the reason."""
    if not e.why:
        return e
    named = e.why.replace("'+'", repr(written(label))).replace("'−'", "any other class")
    return replace(e, why=named)
