"""The step summary of a GitHub action: the answer, what matters, and the rest folded away."""

from __future__ import annotations

import os
from pathlib import Path

from informed.documents.blocks import Grid, Words
from informed.documents.pages.report import document
from informed.documents.writers.markdown import _block, markdown, text
from informed.summary.report import Report

FIRST = {"answer", "groups", "measures"}


def summary(report: Report, *, precision: int = 3) -> str:
    """Markdown with the answer, the warnings and the main table first."""
    lines = [f"## {text(report.title)}", ""]
    for section in document(report, precision=precision):
        if section.key not in FIRST:
            continue
        for block in section.blocks:
            if isinstance(block, Grid) or (isinstance(block, Words) and block.kind != "note"):
                lines += _block(block)
    lines += ["<details><summary>The whole report</summary>", ""]
    lines += [markdown(report, precision=precision), "</details>"]
    return "\n".join(lines) + "\n"


def to_step_summary(report: Report, *, precision: int = 3) -> Path | None:
    """Append to the file that GITHUB_STEP_SUMMARY names; None where there is none."""
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return None
    path = Path(name)
    with path.open("a", encoding="utf-8") as file:
        file.write(summary(report, precision=precision))
    return path
