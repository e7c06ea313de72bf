"""The tests of significance that a report shows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from informed.errors import InformedError
from informed.evidence.table import Table
from informed.inference.tests import test
from informed.summary.estimates import flat
from informed.summary.parts import TestRow

ON_REQUEST = (
    "permutation-z",
    "pearson",
    "pearson-n1",
    "yates",
    "g",
    "g-williams",
    "fisher",
    "fisher-midp",
    "kb",
    "km",
    "kbm",
)


def significance(
    t: Table, asked: str | Sequence[str], multiple_choice: bool, clusters: Table | None
) -> list[tuple[TestRow, ...]]:
    """The default test, that of position bias for a multiple choice, and those asked for."""
    wanted = ON_REQUEST[1:] if asked == "all" else (asked,) if isinstance(asked, str) else asked
    groups = (t.shape or (1,))[0]
    found: list[list[TestRow]] = [[] for _ in range(groups)]
    if clusters is not None:
        found = [[row] for row in _rows(clusters, "informedness", "auto", groups, 0)]
    questions = [("informedness" if t.is_square else "independence", "auto")]
    questions = questions if clusters is None else []
    questions += [("bias", "auto")] if multiple_choice else []
    questions += [("independence", m) for m in wanted]
    for measure, method in questions:
        for g, row in enumerate(_rows(t, measure, method, groups)):
            if row.method not in {x.method for x in found[g]}:
                found[g].append(row)
    return [tuple(rows) for rows in found]


def _rows(t: Table, measure: str, method: str, groups: int, unit_axis: int | None = None) -> list[TestRow]:
    nan = math.nan
    try:
        found = test(t, measure, method=method, unit_axis=unit_axis)
    except InformedError as error:
        return [TestRow(method, "", nan, nan, nan, why=str(error))] * groups
    held = {
        name: flat(nan if getattr(found, name) is None else getattr(found, name), (groups,))
        for name in ("statistic", "df", "pvalue", "pvalue_low", "pvalue_high")
    }
    return [
        TestRow(
            found.method,
            found.hypothesis,
            statistic=float(held["statistic"][g]),
            df=float(held["df"][g]),
            pvalue=float(held["pvalue"][g]),
            pvalue_low=float(held["pvalue_low"][g]),
            pvalue_high=float(held["pvalue_high"][g]),
            calibration=found.calibration,
            notes=found.notes,
        )
        for g in range(groups)
    ]
