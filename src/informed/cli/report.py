"""informed report"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import LOG_OPTIONS, chosen_of, column, most_of, picked_of, reading, source_options
from informed.cli._pages import show as write
from informed.cli._reports import report_options, show, show_marks
from informed.cli._seeds import trainings_page
from informed.cli._suites import read_suite, suite_page
from informed.errors import SourceError

if TYPE_CHECKING:
    from informed.decisions.curve import Curve


@click.command("report")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@source_options
@LOG_OPTIONS
@report_options
@column("--score", help="Column of scores: the threshold, too.")
@click.option("--threshold", type=float, help="Without --predicted: positive where the score is at least this.")
def command(files: tuple[str, ...], score: str | None, threshold: float | None, **options: Any) -> None:
    """How much better than guessing is this, and how sure are we?

    FILE is CSV, TSV, Parquet, JSON, JSON lines, Excel, Arrow, an evaluation log that is recognised
    by its content, a database URL, or - for standard input. Several files are groups, or are
    joined with --on. A folder of logs is a suite: the mean over its tasks, and each of them.

    \b
    informed report predictions.csv --real truth --predicted answer
    informed report predictions.parquet --real y --predicted yhat --by fold -o report.html
    informed report samples_mmlu.jsonl
    informed report seed-1.jsonl seed-2.jsonl seed-3.jsonl --seed file
    informed report run.csv --real y --predicted p --fail-under informedness.low=0.1
    """
    from informed import read
    from informed.evidence.labels import text
    from informed.sources.logs.suites import is_suite

    how = reading(options)
    if "item" in how:
        how["tables"] = True  # groups are groups, and no systems on the same items
    which = picked_of(options)
    where = {name: options[name] for name in ("form", "output", "annotate")}
    if which["seed"] is not None:
        return write(trainings_page(files, how, options, which), **where)
    if not {"real", "predicted"} & how.keys() and is_suite(files):
        if options["baseline"] is not None:
            raise SourceError("--baseline is for one table; compare two suites with `informed compare new/ old/`.")
        most = most_of(options)
        held = read_suite(files, which, options, how)
        return write(suite_page(held, {**options, "score": score, "threshold": threshold}, most), **where)
    log = _log(files, how, which, options["count"], options["level"])
    if log is not None:
        if score is not None or threshold is not None:
            raise SourceError("--score and --threshold are of columns; a log has answers, or marks.")
        return log(options)
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


def _log(
    files: tuple[str, ...], how: dict[str, Any], which: dict[str, Any], count: Any, level: float
) -> Callable[[dict[str, Any]], None] | None:
    """What shows an evaluation log, its table or its marks; None for anything else."""
    from informed.sources import logs

    asked = chosen_of(which, which)
    kind = None if {"real", "predicted"} & how.keys() else logs.kind_of(files, how.get("input_format"))

    if kind is None or len(files) > logs.FORMATS[kind].files:
        _none(asked)
        return None
    from informed.sources.logs import reports

    if "frequency" in how:
        raise SourceError("--frequency is of a column of weights; a log has none.")
    given = {k: v for k, v in how.items() if k != "input_format"}
    reducer = which.pop("reducer")
    forced = False if reducer is not None else which.pop("classes")
    given |= chosen_of(which) | {"count": count, "level": level, "classes": forced}
    found = logs.reading(files[0] if len(files) == 1 else files, kind, **given)
    found = found if reducer is None else reports.reduced(found, reducer)
    about = reports.about(found, files, marks=forced is False)
    if found.table is not None and forced is not False:
        return partial(show, found.table, **about)
    if len(how.get("by", ())) > 1:
        raise SourceError(f"Marks are cut by one field; --by is given {len(how['by'])} times.")
    return partial(show_marks, found.marks, **about)


def _none(asked: dict[str, Any]) -> None:
    """No log, which is refused where something of a log was chosen."""
    if asked:
        name, value = next(iter(asked.items()))
        name = "marks" if name == "classes" and not value else name
        raise SourceError(f"--{name} is of an evaluation log, and this is none that is known.")
