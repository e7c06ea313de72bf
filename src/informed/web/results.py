"""Reports on disk, in the run's private folder, and how they are given out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import informed
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.summary.report import Report

FORMATS = {  # file: media type; the names are fixed, so that no path comes from outside
    "report.html": "text/html",
    "report.json": "application/json",
    "report.md": "text/markdown",
    "report.tex": "text/x-tex",
    "report.csv": "text/csv",
    "report.txt": "text/plain",
}
DRAWINGS = ("figure.svg", "distribution.svg", "figure.csv")  # of a figure of the papers
FORMATS |= dict(zip(DRAWINGS, ("image/svg+xml", "image/svg+xml", "text/csv"), strict=True))
REPORTS = tuple(name for name in FORMATS if name not in DRAWINGS)
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


def written(found: Any, folder: Path) -> tuple[str, list[str]]:
    """Write the page of a comparison or a curve in each format; its answer, and which they are."""
    made = informed.page(found)
    endings = ["html", "json", "md", "txt"]
    for ending in endings:
        made.save(folder / f"report.{ending}")
    return made.answer, endings


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
