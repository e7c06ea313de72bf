"""Which format a suffix or a name means."""

from __future__ import annotations

from informed.errors import InformedError
from informed.summary.report import Report

FORMATS = ("text", "json", "html", "markdown", "latex", "csv", "github")
SUFFIXES = {
    ".txt": "text",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".csv": "csv",
}


def written_as(report: Report, how: str, *, precision: int = 3) -> str:
    """The report in a format, by its name or by the suffix of a file."""
    name = SUFFIXES.get(how, how)
    if name == "json":
        return report.json() + "\n"
    if name == "csv":
        return report.csv()
    if name not in FORMATS:
        raise InformedError(
            f"{how!r} is no format of a report; there are {', '.join(FORMATS)}, and the suffixes "
            f"{', '.join(SUFFIXES)}."
        )
    done: str = getattr(report, name)(precision=precision)
    return done
