"""The records as CSV, at full precision; spreadsheet formulas in labels are disarmed."""

from __future__ import annotations

import math
import re
from typing import Any

from informed.documents.document import Document
from informed.documents.writers import writer
from informed.evidence.labels import written
from informed.results import Records

_SPECIAL = re.compile(r'[,"\r\n]|^\s*(::|##\[)')
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@writer("csv", suffixes=(".csv",), media="text/csv", title="CSV")
def csv(document: Document) -> str:
    """A header, full precision, and empty fields for what is undefined."""
    held = document.records() if callable(document.records) else document.records
    held = held or Records((), ())
    rows = [list(map(str, held.names)), *([_field(x) for x in row] for row in held.rows)]
    return "".join(",".join(map(_quoted, row)) + "\n" if row != [""] else '""\n' for row in rows)


def _quoted(field: str) -> str:
    """A field in quotes where it needs them; one that a GitHub action would take for a command has them, too."""
    if not _SPECIAL.search(field):
        return field
    return '"' + field.replace('"', '""') + '"'


def _field(x: Any) -> str:
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
