"""informed report"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import column, reading, source_options
from informed.cli._reports import report_options, show
from informed.errors import SourceError

if TYPE_CHECKING:
    from informed.decisions.curve import Curve


@click.command("report")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@source_options
@report_options
@column("--score", help="Column of scores: the threshold, too.")
@click.option("--threshold", type=float, help="Without --predicted: positive where the score is at least this.")
def command(files: tuple[str, ...], score: str | None, threshold: float | None, **options: Any) -> None:
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
    from informed.evidence.labels import text

    how = reading(options)
    if "item" in how:
        how["tables"] = True  # groups are groups, and no systems on the same items
    log = _log(files, how)
    if log is not None:
        return show(options=options, **log)
    source = files[0] if len(files) == 1 else list(files)
    if "on" in how and len(files) > 1:
        source, how["join"] = files[0], files[1] if len(files) == 2 else list(files[1:])
    told = ", ".join(files)
    if score is None:
        if threshold is not None:
            raise SourceError("Whose threshold is it? Give --score with --threshold.")
        return show(read(source, **how), options, source=told)
    curve = _curve(source, score, how)
    if "predicted" in how:
        if threshold is not None:
            raise SourceError("Give --predicted or --threshold: each says what was predicted.")
        return show(read(source, **how), options, source=told, scores=curve)
    if threshold is None:
        raise SourceError(
            "What does a score predict? Give --threshold, or --predicted for a column of "
            "predictions; `informed roc` chooses a threshold."
        )
    used = min((x for x in curve.thresholds.tolist() if x >= threshold), default=threshold)
    at = threshold if curve.exact else used  # between two bins there is no table
    said = f"Read from {told}; {text(curve.positive)} where {score} ≥ {at:.6g}."
    if at != threshold:
        said += f" Scores were counted in bins, and {threshold:g} is not the edge of one."
    return show(curve.table_at(at), options, source=[said], scores=curve)


def _curve(source: Any, score: str, how: dict[str, Any]) -> Curve:
    """The curve of the scores beside the predictions, whose policies are not those of scores."""
    from informed.cli.roc import REAL, curve_of

    if "real" not in how:
        raise SourceError(REAL)
    if "by" in how and "predicted" not in how:
        raise SourceError("With --by, give --predicted: a threshold is for all groups together.")
    given = {k: v for k, v in how.items() if k not in ("predicted", "by", "abstain", "tables")}
    if given.get("missing") == "abstain":  # a prediction can abstain, a score is there or not
        given["missing"] = "drop"
    return curve_of(source, score, given)


def _log(files: tuple[str, ...], how: dict[str, Any]) -> dict[str, Any] | None:
    """The table of an evaluation log and what the log says of it; None for anything else."""
    if {"real", "predicted"} & how.keys():
        return None
    from informed.sources import logs

    kind = logs.kind_of(files, how.get("input_format"))
    if kind is None or len(files) > logs.FORMATS[kind].files:
        return None
    given = {k: v for k, v in how.items() if k not in ("input_format", "frequency")}
    found = logs.reading(files[0] if len(files) == 1 else files, kind, **given)
    if found.table is None:
        raise SourceError(f"{', '.join(files)}: {found.closed.why}")
    said = found.description
    told = [str(said[k]) for k in ("task", "model") if said[k]]
    about = f"Read from {', '.join(files)} ({kind}{': ' if told else ''}{', '.join(told)})."
    notes = list(said["notes"])
    return {"table": found.table, "source": [about, *notes], "context": {"multiple_choice": said["multiple_choice"]}}
