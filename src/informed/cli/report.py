"""informed report"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import reading, source_options
from informed.cli._reports import report_options, show


@click.command("report")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@source_options
@report_options
def command(files: tuple[str, ...], **options: Any) -> None:
    """How much better than guessing is this, and how sure are we?

    FILE is CSV, TSV, Parquet, JSON, JSON lines, Excel, Arrow, an evaluation log that is recognised
    by its content, a database URL, or - for standard input. Several files are groups, or are
    joined with --on.

    \b
    informed report predictions.csv --real truth --predicted answer
    informed report predictions.parquet --real y --predicted yhat --by fold -o report.html
    informed report samples_mmlu.jsonl
    informed report run.csv --real y --predicted p --fail-under informedness.low=0.1
    """
    from informed import read

    how = reading(options)
    source = files[0] if len(files) == 1 else list(files)
    table = read(source, progress=True, **how)
    show(table, source=", ".join(files), options=options)
