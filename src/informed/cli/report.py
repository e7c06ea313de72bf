"""informed report"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from informed.cli._any_time import ANY_TIME, asked_at_any_time, said_at_any_time
from informed.cli._options import (
    LOG_OPTIONS,
    WEIGHING,
    Source,
    check_decide,
    chosen_of,
    column,
    most_of,
    picked_of,
    reading,
    source_options,
)
from informed.cli._pages import show as write
from informed.cli._probabilities import PROBABILITY_OPTIONS, or_probabilities, show_probabilities
from informed.cli._reports import report_options, show, show_marks
from informed.cli._seeds import trainings_page
from informed.cli._suites import Opened, read_suite, suite_page
from informed.cli._tags import TAG_OPTIONS, or_tags, show_tags
from informed.errors import SourceError

if TYPE_CHECKING:
    from informed.decisions.curve import Curve
    from informed.documents.document import Document
    from informed.sources.logs import Reading
    from informed.summary.parts import CellCases


@click.command("report")
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=Source())
@source_options
@LOG_OPTIONS
@WEIGHING
@report_options
@ANY_TIME
@TAG_OPTIONS
@PROBABILITY_OPTIONS
@column("--score", help="Column of scores: the threshold, too.")
@column("--id", "name", help="Column of ids: the page names some cases of each cell.")
@click.option(
    "--threshold", type=float, help="Without --predicted: positive where the score is at least this; of 'p_*', a label."
)
@or_probabilities(show_probabilities)
@or_tags(show_tags)
def command(
    files: tuple[str, ...], score: str | None, threshold: float | None, name: str | None, **options: Any
) -> None:
    """How much better than guessing is this, and how sure are we?

    FILE is CSV, TSV, Parquet, JSON, JSON lines, Excel, Arrow, an evaluation log that is recognised
    by its content, a database URL, or - for standard input. Several files are groups, or are
    joined with --on. A folder of logs, or one log of several tasks, is a suite: the mean over its
    tasks, and each of them.

    \b
    informed report predictions.csv --real truth --predicted answer
    informed report predictions.parquet --real y --predicted yhat --by fold -o report.html
    informed report samples_mmlu.jsonl
    informed report seed-1.jsonl seed-2.jsonl seed-3.jsonl --seed file
    informed report run.csv --real y --predicted p --fail-under informedness.low=0.1
    informed report films.csv --real tags --predicted answer --separator ';'
    informed report forecasts.csv --real rain --probability p --cost 5:1 --by season
    """
    from informed import read
    from informed.evidence.labels import text
    from informed.sources.logs.suites import is_suite
    from informed.sources.paths import shown_as
    from informed.summary.titles import report_title

    check_decide(options)
    how = reading(options)
    if "item" in how:
        how["tables"] = True  # groups are groups, and no systems on the same items
    which = picked_of(options)
    any_time = asked_at_any_time(options, which, score)
    where = {x: options[x] for x in ("form", "output", "annotate")}
    if name is not None and not {"real", "predicted"} <= how.keys():
        raise SourceError("--id goes with --real and --predicted; a log knows its ids.")
    if which["seed"] is not None:
        return write(trainings_page(files, how, options, which), **where)
    given = {**options, "score": score, "threshold": threshold}
    if not {"real", "predicted"} & how.keys() and is_suite(files):
        return write(_suite(files, how, which, given, Opened()), **where)
    log = _reading(files, how, which, options)
    marks = log is not None and (log.table is None or _forced(which) is False)
    if log is not None and log.holds_several(marks=marks, grouped="by" in how):
        return write(_suite(files, how, which, given, Opened({str(log.log.path): log.log})), **where)
    _alone(options)
    stopped = log is not None and log.log.stopped
    said_at_any_time(any_time, files, how, which, options, marks=marks, stopped=stopped)
    if log is not None:
        if score is not None or threshold is not None:
            raise SourceError("--score and --threshold are of columns; a log has answers, or marks.")
        return _show_log(log, files, how, which, options, marks=marks)
    source = files[0] if len(files) == 1 else list(files)
    if "on" in how and len(files) > 1:
        source, how["join"] = files[0], files[1] if len(files) == 2 else list(files[1:])
    told = ", ".join(map(shown_as, files))
    title = report_title(list(map(shown_as, files)), str(how.get("predicted") or score or ""))
    if score is None:
        if threshold is not None:
            raise SourceError("Whose threshold is it? Give --score with --threshold.")
        return show(read(source, **how), options, source=told, title=title, examples=_examples(source, name, how))
    curve = _curve(source, score, how)
    if "predicted" in how:
        if threshold is not None:
            raise SourceError("Give --predicted or --threshold: each says what was predicted.")
        named = _examples(source, name, how)
        return show(read(source, **how), options, source=told, title=title, scores=curve, examples=named)
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
    return show(curve.table_at(at), options, source=[said], title=title, scores=curve)


def _examples(source: Any, name: str | None, how: dict[str, Any]) -> tuple[CellCases, ...]:
    """Ids of some cases of each cell, where a column has them."""
    from informed import examples

    known = name is not None or {"item", "on"} & how.keys()
    return examples(source, id=name, **how) if known and {"real", "predicted"} <= how.keys() else ()


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


def _suite(
    files: tuple[str, ...], how: dict[str, Any], which: dict[str, Any], options: dict[str, Any], opened: Opened
) -> Document:
    """The page of logs of several tasks or systems."""
    if options["baseline"] is not None:
        raise SourceError("--baseline is for one table; compare two suites with `informed compare new/ old/`.")
    most = most_of(options)
    return suite_page(read_suite(files, which, options, how, opened), options, most)


def _alone(options: dict[str, Any]) -> None:
    """What is of suites is refused where there is none."""
    for name, usual in (("tasks", "fixed"), ("weight", "tasks")):
        if options.pop(name) != usual:
            raise SourceError(f"--{name} is of a suite of logs, and this is none.")


def _reading(
    files: tuple[str, ...], how: dict[str, Any], which: dict[str, Any], options: dict[str, Any]
) -> Reading | None:
    """An evaluation log that has been read; None for anything else."""
    from informed.sources import logs

    kind = None if {"real", "predicted"} & how.keys() else logs.kind_of(files, how.get("input_format"))
    if kind is None or len(files) > logs.FORMATS[kind].files:
        for name, value in chosen_of(which, which).items():
            name = "marks" if name == "classes" and not value else name
            raise SourceError(f"--{name} is of an evaluation log, and this is none that is known.")
        return None
    if "where" in how:
        raise SourceError("--where is of columns; a log has none, and --by groups by its fields.")
    if "frequency" in how:
        raise SourceError("--frequency is of a column of weights; a log has none.")
    given = {k: v for k, v in how.items() if k != "input_format"}
    given |= chosen_of(which) | {"count": options["count"], "level": options["level"], "classes": _forced(which)}
    return logs.reading(files[0] if len(files) == 1 else files, kind, **given)


def _forced(which: dict[str, Any]) -> bool | None:
    """Whether a table or marks were asked for; what is reduced is marks."""
    return False if which["reducer"] is not None else which["classes"]


def _show_log(
    found: Reading,
    files: tuple[str, ...],
    how: dict[str, Any],
    which: dict[str, Any],
    options: dict[str, Any],
    *,
    marks: bool,
) -> None:
    """Write the report of a log, of its table or its marks."""
    from informed.sources.logs import reports
    from informed.sources.paths import shown_as

    found = found if which["reducer"] is None else reports.reduced(found, which["reducer"])
    about = reports.about(found, list(map(shown_as, files)), marks=marks)
    if found.table is not None and not marks:
        return show(found.table, options, **about)
    if len(how.get("by", ())) > 1:
        raise SourceError(f"Marks are cut by one field; --by is given {len(how['by'])} times.")
    return show_marks(found.marks, options, **about)
