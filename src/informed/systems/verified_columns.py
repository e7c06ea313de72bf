"""Columns of partly verified cases, sorted by what may have decided which were verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import position
from informed.errors import InferenceError, LabelError
from informed.evidence.labels import Label, Labels, canonical
from informed.evidence.unit_counting import check_items, group_places
from informed.evidence.units import Ints, sums
from informed.results import Note
from informed.systems.graded_columns import strata_of
from informed.systems.row_units import RowGroups, grouped
from informed.systems.verification import Verification, VerifiedRows

FEW_CHANCES = 12  # different probabilities up to which cases are sorted by them


@dataclass(frozen=True, eq=False)
class Scheme:
    """What decided which cases were verified, beside the answer: a number for each sort of case."""

    alike: Ints
    judged: Ints | None  # the judge's verdicts where they are labels of the table
    chance: Array | None  # with which a case was chosen, where sorts do not tell

    @classmethod
    def of(cls, labels: Labels, n: int, *, judge: Any, strata: Any, probability: Any, known: Any) -> Scheme:
        """From the columns that are given, of so many cases."""
        sorts: list[Ints] = []
        judged = None
        if judge is not None:
            codes, judged = _judged(judge, labels, n)
            sorts.append(codes)
        if strata is not None:
            sorts.append(strata_of(strata, "strata")[0])
            if len(sorts[-1]) != n:
                raise InferenceError(f"`strata` has {len(sorts[-1]):,} values, and `predicted` {n:,}.")
        chance = None if probability is None else _chances(probability, n, known)
        if chance is not None and not np.isnan(chance).any() and len(np.unique(chance)) <= FEW_CHANCES:
            sorts.append(np.asarray(np.unique(chance, return_inverse=True)[1], np.int64))
            chance = None

        alike = np.zeros(n, np.int64)
        for codes in sorts:
            alike = np.asarray(np.unique(alike * (int(codes.max()) + 1) + codes, return_inverse=True)[1], np.int64)
        return cls(alike, judged, chance)


def _judged(judge: Any, labels: Labels, n: int) -> tuple[Ints, Ints | None]:
    """Sorts by the verdicts of a judge, or by how many of a panel said what."""
    several = dict(judge) if isinstance(judge, Mapping) else {"judge": judge}
    for name, x in several.items():
        if len(x) != n:
            raise InferenceError(f"`{name}` has {len(x):,} values, and `predicted` {n:,}.")
    codes, names = strata_of([x for column in several.values() for x in column], "judge")
    held = np.sort(codes.reshape(len(several), n), axis=0)
    if len(several) > 1:
        return np.asarray(np.unique(held, axis=1, return_inverse=True)[1], np.int64).ravel(), None
    if None in names or not {canonical(x) for x in names} <= set(labels):
        return held[0], None
    return held[0], np.array([labels.index(canonical(x)) for x in names])[held[0]]


def _chances(given: Any, n: int, known: Any) -> Array:
    """With which probability each case was chosen; of others than verified ones it may be missing."""
    try:
        held = np.array([np.nan if x is None or x == "" else float(x) for x in given])
    except (TypeError, ValueError):
        raise LabelError(
            "`probability` has values that are no numbers; it says how likely a case was chosen."
        ) from None
    if len(held) != n:
        raise InferenceError(f"`probability` has {len(held):,} values, and `predicted` {n:,}.")
    wrong = known & ~((held > 0) & (held <= 1))
    if wrong.any() or (held[~np.isnan(held)] < 0).any() or (held[~np.isnan(held)] > 1).any():
        at = int(np.flatnonzero(wrong | (held < 0) | (held > 1))[0])
        raise LabelError(
            f"`probability` is {held[at]:g} at {position(at)}; a verified case has one above 0, at most 1."
        )
    return held


# ---------------------------------------------------------------------- rows that count


@dataclass(frozen=True, eq=False)
class VerifiedCases:
    """Rows that count: answer, truth (−1: not verified), and the scheme."""

    answer: Ints
    gold: Ints
    scheme: Scheme
    groups: RowGroups | None
    notes: tuple[Note, ...] = ()

    @property
    def weight(self) -> Array:
        """What each row counts."""
        return np.ones(len(self.answer)) if self.groups is None else self.groups.weight


def cases_of(answer: Ints, gold: Ints, scheme: Scheme, unit: Any, item: Any) -> VerifiedCases:
    """Rows with their units; what is true of an item is true of all answers to it."""
    groups = group_places({"item": item}, len(answer))
    notes: tuple[Note, ...] = ()
    if "item" in groups:
        check_items(groups, gold)
        at = groups["item"]
        truth = np.full(int(at.max()) + 1, -1)
        np.maximum.at(truth, at, gold)
        if (truth[at] != gold).any():
            more = int((truth[at] != gold).sum())
            said = f"What is true of an item is true of all its answers: {more:,} more rows are verified by that."
            notes = (Note(said, code="of-item"),)
        gold = truth[at]
    chance = np.zeros(len(answer)) if scheme.chance is None else np.nan_to_num(scheme.chance, nan=-1)
    kept, held = grouped(unit, groups.get("item"), answer, gold, scheme.alike, chance)
    judged = None if scheme.judged is None else scheme.judged[kept]
    own = Scheme(scheme.alike[kept], judged, None if scheme.chance is None else scheme.chance[kept])
    return VerifiedCases(answer[kept], gold[kept], own, held, notes)


def verification_of(c: VerifiedCases, labels: Labels, positive: Label | None) -> Verification:
    """The strata of cases, and what was found in them."""
    k, on, w = len(labels), c.gold >= 0, c.weight
    key, back = np.unique(c.scheme.alike * k + c.answer, return_inverse=True)
    at = np.asarray(back, np.int64)
    gold = sums(at[on] * k + c.gold[on], w[on], len(key) * k).reshape(-1, k)
    chance = c.scheme.chance
    if chance is not None:
        gold = _by_chance(at[on], c.gold[on], w[on], chance[on], len(key), k)
        chance = np.where(on, chance, 1.0)
    rows = None if c.groups is None else VerifiedRows(at, c.gold, c.groups.unit, w, chance)
    return Verification(labels, key % k, key // k, sums(at, w, len(key)), gold, positive, rows)


def _by_chance(at: Ints, gold: Ints, w: Array, chance: Array, strata: int, k: int) -> Array:
    """Classes of each stratum, weighed by how unlikely a case was chosen, and as many as that is worth."""
    u = w / chance
    held = sums(at * k + gold, u, strata * k).reshape(-1, k)
    whole, square = held.sum(axis=1), sums(at, w / chance**2, strata)
    return np.asarray(held * np.where(square > 0, whole / np.where(square > 0, square, 1.0), 0.0)[:, None])
