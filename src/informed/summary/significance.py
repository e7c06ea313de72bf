"""The tests of significance that a report shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from informed.errors import InferenceError, InformedError, one_of
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.inference.hypothesis import When
from informed.inference.tests import test
from informed.measures import Measure
from informed.measures.headline import Count, called, headline
from informed.results import Note
from informed.summary.estimates import flat
from informed.summary.gates import SIGNS, Bar
from informed.summary.parts import TestRow

ALL = ("pearson", "pearson-n1", "yates", "g", "g-williams", "fisher", "fisher-midp", "kb", "km", "kbm")
NUMBERS = ("statistic", "df", "pvalue", "pvalue_low", "pvalue_high")
IN_FULL_UP_TO = 12  # groups: above this none has its own notes, planning and other populations
ONE_CLASS = "nothing to test, since all cases are of one real class."
NO_ANSWER = "nothing to test, since no case got an answer."
SAID = (
    "units",
    "items",
    "units-apart",
    "weighted",
)  # codes of notes that stand once in a report, with its first measure


def significance(
    t: Table, count: Count, asked: str | Sequence[str], when: When, against: Sequence[Bar], multiple_choice: bool
) -> list[tuple[TestRow, ...]]:
    """The test of the headline, those of measures against values, that of position bias for a multiple choice, and
    others."""
    groups = (t.shape or (1,))[0]
    silent = bool(t.abstained.any())
    leads = str(headline("informedness", count, silent)) if t.is_square else "independence"
    columns = [_rows(t, leads, "auto", groups)]
    columns += [_against(t, headline(b.measure, count, silent), b, groups) for b in against]
    if multiple_choice:
        columns.append(_rows(t, "bias", "auto", groups))
    wanted = ALL if asked == "all" else (asked,) if isinstance(asked, str) else asked
    one_of("when", when, get_args(When), InferenceError)
    if when != "small" and "yates" not in wanted:
        raise InferenceError("`when` is for the test yates, which is not among the `tests`.")
    columns += [_rows(t, "independence", method, groups, when=when) for method in wanted]

    found = []
    for rows in zip(*columns, strict=True):
        by_method: dict[str, TestRow] = {}
        for row in rows:
            by_method.setdefault(row.method, row)
        found.append(tuple(by_method.values()))
    return found


def _rows(t: Table, measure: str, method: str, groups: int, **how: Any) -> list[TestRow]:
    try:
        found = _of_groups(t, measure, groups, method=method, **how)
    except InformedError as error:
        return [TestRow(method, why=error.said)] * groups

    # of one class nothing can be told from chance, and a p-value of 1 would say that it was tried
    held = t.real_totals if t.unanswered is None else t.real_totals + t.unanswered
    idle, why = (t.total == 0, NO_ANSWER) if measure == "bias" else ((held > 0).sum(axis=0) == 1, ONE_CLASS)
    each = zip(found, flat(idle, (groups,)).tolist(), strict=True)
    return [TestRow(row.method, why=why) if none else row for row, none in each]


def _against(t: Table, m: Measure, b: Bar, groups: int) -> list[TestRow]:
    """A measure against a value, refused where that makes no sense: it was asked for."""
    if b.on not in ("value", *SIGNS):
        raise InformedError(
            f"{b.name}={b.at_least:g} is no test; write {b.measure}={b.at_least:g}, or {b.measure}.greater (or .less) "
            "to look one way."
        )
    if "average" not in dict(m.bound):
        m.check(t)
    alternative: Any = b.on if b.on in SIGNS else "two-sided"
    named = f"{called(m, bool(t.abstained.any()))} {SIGNS.get(b.on, '≠')} {b.at_least:g}"
    rows = _of_groups(t, m, groups, against=b.at_least, alternative=alternative)
    return [replace(row, method=f"{named} ({row.method})") for row in rows]


def _of_groups(t: Table, measure: str | Measure, groups: int, **how: Any) -> list[TestRow]:
    """A test of a stack as a row for each of its tables, with the notes of each."""
    found = test(t, measure, **how)
    notes = [_unsaid(found)] * groups
    if t.shape and notes[0]:  # they are of all tables together
        notes = [_unsaid(test(one, measure, **how)) if groups <= IN_FULL_UP_TO else () for one in t]
    held = {name: x for name in NUMBERS if (x := getattr(found, name)) is not None}
    each = zip(*(flat(x, (groups,)).tolist() for x in held.values()), strict=True)
    same = TestRow(found.method, found.hypothesis, calibration=found.calibration)
    return [replace(same, notes=own, **dict(zip(held, row, strict=True))) for own, row in zip(notes, each, strict=True)]


def _unsaid(found: Test) -> tuple[Note, ...]:
    """Notes that are not said elsewhere; the method of a test is one of a report's `tests`."""
    own = (note for note in found.notes if note.code not in SAID)
    return tuple(replace(note, text=note.text.replace("`method=", "`tests=")) for note in own)
