"""The papers' warnings about small tables, in words that fit the method at hand.

`cautions` is for intervals, `warnings_of` for tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.results import Note, Severity, warning

ROUNDING = 1e-12
_SMALL_SAMPLE = ("arc", "plus-four", "mid-p", "clopper-pearson", "jeffreys", "score-exact", "mover-ratio")


def cautions(t: Table, method: str) -> tuple[Note, ...]:
    """What a careful reader should know about the size of this table, if anything."""
    n, k = t.total, len(t.real_labels)
    fewest = ratio(t.predicted_totals.min(axis=0) * t.real_totals.min(axis=0), n)
    meet = n < 16 if method.startswith("powers") and not np.any((n > 0) & (n < 12)) else False
    too_short = "normal formulas are then too short, most of all near 0 and 1."
    if method.startswith("bootstrap"):
        too_short = "a small cell resamples to nothing and the interval is then too short."

    # where, what is so, what it means for methods that need no large numbers, and for others
    seen: dict[str, tuple[Any, str, str, str]] = {
        "few-cases": (
            n < 12,
            "Fewer than 12 cases: ",
            "normal approximations fail there. This method does not need one, but its "
            "coverage was measured for 16 cases and more.",
            "this method is not to be trusted there.",
        ),
        "bars-meet": (
            meet,
            "Fewer than 16 cases: ",
            "",
            "the papers' bars around informedness 0 and 1 then meet, so that no value can be told from both.",
        ),
        "few-a-class": (
            n < 8 * k,
            f"Fewer than 8 cases for each of {k} classes: values come in coarse steps, and ",
            "coverage varies more from truth to truth, but this method was measured down to 4 a class.",
            "this method has not been shown to cover there.",
        ),
        "small-cell": (
            fewest < 5,
            "An expected cell below 5: ",
            "the rule of thumb against χ² and normal formulas; this method keeps its coverage there.",
            too_short,
        ),
    }
    sturdy = method in _SMALL_SAMPLE
    return tuple(
        Note(f"{share}{said}{kept if sturdy else lost}", "note" if sturdy else "warning", code)
        for code, (where, said, kept, lost) in seen.items()
        if (share := of_tables((n > 0) & where)) is not None
    )


def outside(estimate: Array, method: str, low: Array, high: Array) -> tuple[Note, ...]:
    """Resampled limits that lie on one side of the estimate which they should be about."""
    if not method.startswith("bootstrap"):
        return ()
    missed = np.asarray((low > estimate + ROUNDING) | (high < estimate - ROUNDING))
    if not missed.any():
        return ()
    which = "The limits do" if missed.ndim == 0 else f"{int(missed.sum())} of {missed.size} pairs of limits do"
    said = (
        f"{which} not hold the estimate: a case that is drawn twice looks like agreement, so that resampled tables of "
        'many classes and few cases are unlike the table; `method="bootstrap-centred"` moves them to it.'
    )
    return (warning(said, "estimate-outside"),)


def of_tables(which: Any) -> str | None:
    """How many tables of a stack it is about, or for one table that it is so."""
    if not np.any(which):
        return None
    return "" if np.ndim(which) == 0 else f"{int(which.sum())} of {which.size} tables: "


# ------------------------------------------------------------------ tests

_OF_DISAGREEMENTS = {"mcnemar", "bowker", "stuart-maxwell"}
_OF_TWO = (
    "of two classes its true error rate is at most 7 % for a nominal 5 % from 8 cases on, and less "
    "where a class or label is rare"
)
_STURDY = {
    "permutation-midp": "the p-value stands: this method needs no large numbers, and is cautious where a label is rare",
    "permutation-z": "its p-values are too small where a class or label is rare; use the default",
    "pearson-n1": f"{_OF_TWO}; of more classes prefer `method='permutation'`",
}
_COUNTED = "this method counts tables and does not need large numbers"
_APPROXIMATE = (
    "this method leans on large numbers and should not be trusted here; use the default, or `method='permutation'`"
)


def warnings_of(t: Table, method: str, *, counted: bool) -> tuple[Note, ...]:
    """What the papers warn of in this table, and what it means for this test.

    Of a stack it says how many of the tables are meant. `counted` are tests that count tables.

    >>> str(warnings_of(Table.from_counts([[3, 1], [2, 4]]), "permutation", counted=True)[0])
    '10 cases are fewer than 12; the smallest expected cell is 2, below 5; 10 cases are fewer \
than 8 for each of 2 classes: this method counts tables and does not need large numbers.'
    """
    if method == "permutation-units":  # said in units by the test itself
        return ()
    if method in _OF_DISAGREEMENTS:
        return _few_disagreements(t) if t.units is None else ()

    n, k = t.total, max(len(t.predicted_labels), len(t.real_labels))
    expected = ratio(smallest_margin(t.predicted_totals) * smallest_margin(t.real_totals), n)
    bars, each = "where the papers' bars on chance and perfection meet", f"for each of {k} classes"
    seen = [
        _said(n < 12, n, "{0:g} cases are fewer than 12", "fewer than 12 cases"),
        _said((n >= 12) & (n < 16), n, f"{{0:g}} cases are fewer than 16, {bars}", f"fewer than 16 cases, {bars}"),
        _said(expected < 5, expected, "the smallest expected cell is {0:.3g}, below 5", "an expected cell below 5"),
        _said(n < 8 * k, n, f"{{0:g}} cases are fewer than 8 {each}", f"fewer than 8 cases {each}"),
    ]

    seen = [words for words in seen if words]
    meaning = _COUNTED if counted else _STURDY.get(method, _APPROXIMATE)
    severity: Severity = "warning" if meaning == _APPROXIMATE else "note"
    return (Note(f"{'; '.join(seen)}: {meaning}.", severity, "few-cases"),) if seen else ()


def smallest_margin(totals: Array) -> Array:
    """The smallest margin that holds anything."""
    return np.asarray(np.where(totals > 0, totals, np.inf).min(axis=0))


def _few_disagreements(t: Table) -> tuple[Note, ...]:
    """McNemar's kind of test lives on the cases off the diagonal."""
    off = t.total - t.hits.sum(axis=0)
    few = (off > 0) & (off < 25)
    said = _said(few, off, "{0:g} cases are off the diagonal", "fewer than 25 errors")
    return (warning(f"{said}: use 'mcnemar-midp' of two classes.", "few-disagreements"),) if said else ()


def _said(where: Any, value: Any, one: str, several: str) -> str:
    if not np.any(where):
        return ""
    if np.ndim(where) == 0:
        return one.format(float(value))
    return f"{np.count_nonzero(where)} of {np.size(where)} tables have {several}"
