"""What every command that ends in a report shares: its options, its formats, its gates."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import (
    ANNOTATE,
    COST,
    COUNT,
    DECIDE,
    GUARDS,
    LEVEL,
    PICKED,
    PREVALENCE,
    SOURCE,
    asked_terms,
    check_decide,
    choice,
    listed,
    most_of,
    only,
    output_options,
    together,
)
from informed.cli._pages import show as write
from informed.cli._pages import typed

if TYPE_CHECKING:
    from informed.evidence.marks import Marks
    from informed.evidence.table import Table

LONG = 1000  # classes: a report of more shows on a terminal how far it is

CORRECTED = "Where --test yates corrects: tables with an expected cell below 5 (small), or only cells that hold fewer."
report_options = together(
    LEVEL,
    click.option("--method", metavar="METHOD", default="auto", help="Method of the intervals."),
    click.option("--test", "tests", metavar="METHOD", multiple=True, help="A further test."),
    choice("--when", "small", "cells", "all", "never", help=CORRECTED),
    click.option(
        "--against",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Test a measure against a value; informedness.greater=0.7 (or .less) looks one way.",
    ),
    listed("--measures", calls=True, help="B, M, C and these measures only."),
    click.option("--all", is_flag=True, help="Every measure of the catalogue."),
    click.option(
        "--precision", type=click.IntRange(1, 12), default=3, show_default=True, help="Decimals that are shown."
    ),
    PREVALENCE,
    COST,
    click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Exit 1 below this value; informedness.low=0.1 gates the lower limit, informedness.greater=0.1 unless a "
        "test shows that it is greater (.less: that it is less).",
    ),
    DECIDE,
    click.option("--baseline", type=click.Path(exists=True), help="Exit 1 if worse than this JSON."),
    GUARDS,
    COUNT,
    ANNOTATE,
    output_options(terms=True),
)


# what a report of marks takes of the options, beside those of its source
OF_MARKS = (
    "level",
    "precision",
    "fail_under",
    "decide",
    "undecided",
    "max_unscored",
    "max_errors",
    "max_not_run",
    "allow_unfinished",
    "count",
    "any_time",
)
OF_TABLES = ("positive", "missing")  # what a log may be told, and marks do not know
WRITTEN = ("form", "output", "annotate")


def show_marks(marks: Marks, options: dict[str, Any], **about: Any) -> None:
    """Write the report of marks, then judge the gates."""
    from informed.summary.decide import decide_each
    from informed.summary.marks_report import check_marks, report_marks

    why = about["why"].replace("{", "{{").replace("}", "}}")
    silent = click.get_current_context().params["missing"] == "abstain"  # which a missing answer is here, too
    read = [name for name in SOURCE if name not in OF_TABLES or (name == "missing" and silent)]
    only((*OF_MARKS, *WRITTEN, *read, *PICKED), f"{{}} is for a table. {why}")
    made = report_marks(marks, level=options["level"], count=options["count"], command=typed(), **about)
    more = partial(decide_each, made, options["decide"], options["undecided"])
    made = made.with_gates(
        check_marks(made, options["fail_under"], most_of(options), more if options["decide"] else None)
    )
    write(made.document(precision=options["precision"]), **{name: options[name] for name in WRITTEN})


def show(table: Table, options: dict[str, Any], **about: Any) -> None:
    """Write the report of a table, then judge the gates; exit 1 where one fails.

    `about` is what else `informed.report` should know: the source, the units, the scores.
    """
    from informed.summary import gates
    from informed.summary.analysis import report
    from informed.summary.decide import decide_each

    check_decide(options)
    names = ("fail_under", "baseline", "precision", "decide", "undecided")
    under, baseline, precision, bars, undecided = (options.pop(name) for name in names)
    most = most_of(options)
    where = {name: options.pop(name) for name in WRITTEN}
    asked = partial(report, table, **options, **about, terms=asked_terms(), command=typed())
    if max(len(table.predicted_labels), len(table.real_labels)) > LONG and sys.stderr.isatty():
        from informed.sources.progress import bar

        with bar(f"Reporting {len(table.real_labels):,} classes") as update:
            made = asked(progress=update)
    else:
        made = asked()

    before = Path(baseline).read_text(encoding="utf-8", errors="replace") if baseline else None
    more = partial(decide_each, made, bars, undecided) if bars else None
    held = gates.guarded(made, under, before, most, more)
    write(made.with_gates(held).document(precision=precision), **where)
