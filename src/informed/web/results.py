"""Reports on disk, in the run's private folder, and how they are given out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from informed.documents.document import Document
from informed.documents.writers import every
from informed.summary.titles import file_stem, with_data
from informed.web.words import speaker

STEM = "stem.txt"  # beside the files of a result: what they are called when they are taken along

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


def saved(document: Document, folder: Path, *, files: Sequence[str] = (), task: str = "") -> str:
    """Write a document in every format, in the words of the page; its answer.

    `files` are its data where its title does not name them, `task` is what the page does with a file.
    """
    document = replace(document.worded(speaker(task)), title=with_data(document.title, files))
    for ending in offered():
        document.save(folder / f"report.{ending}")
    keep_stem(folder, document.title)
    return document.said


def keep_stem(folder: Path, title: str) -> None:
    """Call the files of a result as it is called."""
    (folder / STEM).write_text(file_stem(title), encoding="utf-8")


def stem(folder: Path | None) -> str:
    """What the files of a result are called."""
    return (folder / STEM).read_text(encoding="utf-8") if folder is not None and (folder / STEM).is_file() else ""


def download_name(folder: Path, name: str) -> str:
    """What a file of a result is called where it is taken along: by its data, and not by our place for it."""
    part, _, ending = name.partition(".")
    more = "" if part in ("report", "figure") else f"-{part}"
    return f"{stem(folder) or 'informed'}{more}.{ending}"
