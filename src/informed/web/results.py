"""Reports on disk, in the run's private folder, and how they are given out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import informed
from informed.documents.writers import every
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.results import Result
from informed.summary.report import Report

# File: media type. The names are fixed, so that no path comes from outside.
REPORTS = {f"report{w.suffixes[0]}": w.media for w in every() if w.suffixes}
DRAWINGS = ("figure.svg", "distribution.svg", "figure.csv")  # of a figure of the papers
FORMATS = REPORTS | dict(zip(DRAWINGS, ("image/svg+xml", "image/svg+xml", "text/csv"), strict=True))
POLICY = (  # a report's own policy allows only its script and style, by their hashes
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)


def saved(t: Table, folder: Path, **options: Any) -> Report:
    """Write the report in every format."""
    made = informed.report(t, **options)
    for name in REPORTS:
        made.save(folder / name)
    return made


def written(found: Result, folder: Path) -> tuple[str, list[str]]:
    """Write the page of a comparison or a curve in each format; its answer, and which they are."""
    made = found.document()
    for name in REPORTS:
        made.save(folder / name)
    return made.said, [name.removeprefix("report.") for name in REPORTS]


def checked(t: Table, classes: int, groups: int) -> Table:
    """A table that a report can show."""
    k = max(len(t.real_labels), len(t.predicted_labels))
    if k > classes:
        raise InformedError(
            f"There are {k:,} different labels; the lab shows up to {classes:,}. Is one of the "
            "columns an id or free text?"
        )
    if t.shape and t.shape[0] > groups:
        raise InformedError(f"There are {t.shape[0]:,} groups; the lab shows up to {groups:,}.")
    return t
