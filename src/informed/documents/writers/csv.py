"""The records as CSV, at full precision; spreadsheet formulas in labels are disarmed."""

from __future__ import annotations

import csv as standard
import io
import math
from typing import Any

from informed.documents.document import Document
from informed.documents.writers import writer
from informed.evidence.labels import written
from informed.results import Records

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@writer("csv", suffixes=(".csv",), media="text/csv", title="CSV")
def csv(document: Document) -> str:
    """A header, full precision, and empty fields for what is undefined."""
    held = document.records() if callable(document.records) else document.records
    held = held or Records((), ())
    out = io.StringIO()
    rows = standard.writer(out, lineterminator="\n")
    rows.writerow(held.names)
    for row in held.rows:
        rows.writerow([_field(x) for x in row])
    return out.getvalue()


def _field(x: Any) -> Any:
    if hasattr(x, "item"):  # a number of NumPy's
        x = x.item()
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
