"""Every number of a report as CSV, one row each; spreadsheet formulas in labels are disarmed."""

from __future__ import annotations

import csv as standard
import io
import math
from collections.abc import Iterator
from typing import Any

from informed.evidence.labels import written
from informed.summary.report import Estimate, Report

COLUMNS = (
    "group",
    "class",
    "measure",
    "value",
    "chance",
    "above_chance",
    "low",
    "high",
    "level",
    "method",
    "pvalue",
    "why",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv(report: Report) -> str:
    """The report as CSV with a header, full precision and empty fields for what is undefined."""
    out = io.StringIO()
    writer = standard.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(report):
        writer.writerow([_field(x) for x in row])
    return out.getvalue()


def rows(report: Report) -> Iterator[tuple[Any, ...]]:
    """Every estimate: overall first, then class by class, then the groups alike."""
    yield from _of(report, None)
    for group in report.groups:
        yield from _of(group, group.name)


def _of(report: Report, name: Any) -> Iterator[tuple[Any, ...]]:
    for e in report.estimates:
        yield _row(name, None, e)
    for c in report.classes:
        for e in c.estimates:
            yield _row(name, c.label, e)


def _row(group: Any, label: Any, e: Estimate) -> tuple[Any, ...]:
    return (
        group,
        label,
        e.measure,
        e.value,
        e.chance,
        e.above,
        e.low,
        e.high,
        e.level,
        e.method,
        e.pvalue,
        e.why,
    )


def _field(x: Any) -> Any:
    if x is None or (isinstance(x, float) and not math.isfinite(x)):
        return ""
    if isinstance(x, float):
        return repr(x)
    return disarmed(written(x))


def disarmed(said: str) -> str:
    """Text that no spreadsheet takes for a formula: a quote goes before it.

    >>> disarmed("=cmd()"), disarmed("spam")
    ("'=cmd()", 'spam')
    """
    return f"'{said}" if said.startswith(_FORMULA) else said
