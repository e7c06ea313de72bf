"""Measures of every table of a stack with chance, interval and p-value, each found once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InformedError
from informed.evidence.labels import written
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import intervals
from informed.inference.tests import test
from informed.measures import MEASURES, Measure, why
from informed.measures.shown import OF_CLASS, TESTED
from informed.results import Note
from informed.summary.parts import ClassRow, Estimate


@dataclass(frozen=True)
class Wanted:
    """How certain the intervals are, how they are found, and the clusters of the cases."""

    level: float
    method: str = "auto"
    clusters: Table | None = None  # the same cases, a table for each cluster


def estimates(t: Table, measures: Sequence[Measure], wanted: Wanted) -> list[list[Estimate]]:
    """For each measure an estimate of each table of a stack."""
    sample, axis = (t, None) if wanted.clusters is None else (wanted.clusters, 0)
    found = intervals(sample, measures, level=wanted.level, method=wanted.method, unit_axis=axis)
    guessed = t.independent
    return [_of_each(t, m, limits, guessed, wanted) for m, limits in zip(measures, found, strict=True)]


def _of_each(t: Table, m: Measure, limits: Interval | InformedError, guessed: Table, wanted: Wanted) -> list[Estimate]:
    """One measure of every table of a stack."""
    shape = t.shape or (1,)
    observed = t.derived is None and wanted.clusters is None
    known = observed and not isinstance(limits, InformedError)
    value = flat(limits.estimate if known else m(t), shape)  # type: ignore[union-attr]  # known
    try:
        chance = flat(m.chance(t, guessed), shape)
        chance = np.where(np.abs(chance) < 1e-12, 0.0, chance)  # 0 but for rounding
    except InformedError:
        chance = np.full(value.shape, np.nan)

    low = high = np.full(value.shape, np.nan)
    used = ""
    if isinstance(limits, InformedError):
        notes: tuple[Note, ...] = (Note(str(limits), code="no-interval"),)
    else:
        low, high = flat(limits.low, shape), flat(limits.high, shape)
        used, notes = limits.method, limits.notes

    p, null = _tested(t, m, wanted.clusters)
    p = np.broadcast_to(p, value.shape)
    reasons = _reasons(t, m, value)
    best, name, title = m.facts.best, str(m), title_of(m)
    return [
        Estimate(
            measure=name,
            title=title,
            value=float(value[i]),
            chance=float(chance[i]),
            low=float(low[i]),
            high=float(high[i]),
            level=wanted.level,
            method=used if math.isfinite(low[i]) else "",
            pvalue=float(p[i]),
            null=null,
            why=reasons[i],
            best=math.nan if best is None else float(best),
            notes=notes,
        )
        for i in range(value.size)
    ]


def _tested(t: Table, m: Measure, clusters: Table | None) -> tuple[Any, str]:
    """The p-value against guessing in closed form, and what it tests; NaN where there is none."""
    if m.name not in TESTED or m.bound:
        return math.nan, ""
    try:
        found = test(t, m, method="permutation-z") if clusters is None else test(clusters, m, unit_axis=0)
    except InformedError:
        return math.nan, ""
    return np.ravel(found.pvalue), found.hypothesis


def flat(x: Any, shape: tuple[int, ...]) -> Array:
    """One number for each table of a stack."""
    return np.broadcast_to(np.asarray(x, dtype=np.float64), shape).ravel()


def _reasons(t: Table, m: Measure, value: Array) -> list[str]:
    if not np.isnan(value).any():
        return [""] * value.size
    if "average" in dict(m.bound):
        return ["" if v == v else "it is undefined for one of the classes" for v in value]
    reasons = np.atleast_1d(np.asarray(why(t, m), dtype=object)).ravel()
    return [r or "" for r in reasons]


def title_of(m: Measure) -> str:
    """The measure with its parameters, as a person writes it."""
    bound = dict(m.bound)
    average = bound.pop("average", None)
    inside = ", ".join(f"{key} {value}" for key, value in bound.items())
    ends = [f"{average} average"] if average else []
    return ", ".join([m.title, *([inside] if inside else []), *ends])


def class_rows(t: Table, wanted: Wanted, known: Sequence[Sequence[Estimate]] = ()) -> list[tuple[ClassRow, ...]]:
    """Each class of each table against the rest; a stack of 2x2 tables, closed forms.

    `known` are estimates of the whole tables: what two classes share is one of them.
    """
    k, groups = t.k, (t.shape or (1,))[0]
    clusters = None if wanted.clusters is None else wanted.clusters.one_vs_rest()
    measures = [MEASURES[m] for m in OF_CLASS]
    shared = _shared(measures, known) if k == 2 else {}
    own = [m for m in measures if m.name not in shared]
    found = estimates(t.one_vs_rest(), own, replace(wanted, clusters=clusters))
    by_name = {m.name: column for m, column in zip(own, found, strict=True)} | shared
    columns = [by_name[m.name] for m in measures]
    real = t.real_totals.reshape(k, groups)
    predicted = t.predicted_totals.reshape(k, groups)
    hits = t.hits.reshape(k, groups)
    return [
        tuple(
            ClassRow(
                label=label,
                real=float(real[c, g]),
                predicted=float(predicted[c, g]),
                hits=float(hits[c, g]),
                estimates=tuple(_about(column[g * k + c], label) for column in columns),
            )
            for c, label in enumerate(t.labels)
        )
        for g in range(groups)
    ]


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


def _about(e: Estimate, label: Any) -> Estimate:
    """A class is called by its name, not "+", in the reason."""
    if not e.why:
        return e
    named = e.why.replace("'+'", repr(written(label))).replace("'−'", "any other class")
    return replace(e, why=named)
