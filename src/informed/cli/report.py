"""informed report"""

from __future__ import annotations

from pathlib import Path
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
    log = _log(files, how)
    if log is not None:
        show(**log, options=options)
        return
    source = files[0] if len(files) == 1 else list(files)
    table = read(source, **how)
    show(table, source=", ".join(files), options=options)


def _log(files: tuple[str, ...], how: dict[str, Any]) -> dict[str, Any] | None:
    """The table of an evaluation log and what the log says of it; None for anything else."""
    if {"real", "predicted"} & how.keys():
        return None
    from informed.sources import logs

    asked = how.get("input_format")
    if asked not in (None, *logs.FORMATS):
        return None
    kind = asked or (logs.recognise(files[0]) if Path(files[0]).is_file() else None)
    if kind is None or (len(files) > 1 and kind != "trec"):
        return None
    given = {k: v for k, v in how.items() if k not in ("input_format", "frequency")}
    found = logs.reading(
        files[0] if len(files) == 1 else files, kind, clusters="by" not in how, **given
    )
    said = found.description
    told = [str(said[k]) for k in ("task", "model") if said[k]]
    about = f"Read from {', '.join(files)} ({kind}{': ' if told else ''}{', '.join(told)})."
    notes = list(said["notes"])
    if "by" in how and said["repeats"] > 1:
        notes.append(
            f"Items were asked up to {said['repeats']} times; in groups the repeats are counted as "
            "if they were independent, so that the intervals are too short. Without --by they are "
            "clusters."
        )
    return {
        "table": found.table,
        "source": [about, *notes],
        "cluster_axis": found.cluster_axis,
        "context": {"multiple_choice": said["multiple_choice"]},
    }
