"""Reports on disk, in the run's private folder, and how they are given out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from informed.documents.writers import every
from informed.results import Result

DRAWINGS = {  # of a figure of the papers
    "figure.svg": "image/svg+xml",
    "distribution.svg": "image/svg+xml",
    "figure.csv": "text/csv",
}
POLICY = (  # a report's own policy allows only its script and style, by their hashes
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def offered() -> dict[str, str]:
    """What a report can be downloaded as: the ending of the file, and what people call it."""
    return {w.suffixes[0].removeprefix("."): w.title for w in every() if w.suffixes}


@cache
def media() -> dict[str, str]:
    """Files that are given out, and their types; fixed, so that no path comes from outside."""
    return DRAWINGS | {f"report{w.suffixes[0]}": w.media for w in every() if w.suffixes}


def saved(found: Result, folder: Path) -> str:
    """Write what is said of a result in every format; its answer."""
    document = found.document()
    for ending in offered():
        document.save(folder / f"report.{ending}")
    return document.said
