"""What every command that ends in a report shares: its options, its formats, its gates."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import (
    ANNOTATE,
    COST,
    COUNT,
    DECIDE,
    FAIL_OVER,
    GATES,
    GUARDS,
    LEVEL,
    PICKED,
    PREVALENCE,
    SOURCE,
    asked_terms,
    check_decide,
    choice,
    gates_asked,
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

LONG = 1000  # classes or groups: a report of more shows on a terminal how far it is

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
    choice(
        "--design",
        "cross-sectional",
        "case-control",
        help="case-control: the class sizes were chosen, so that precision, NPV, accuracy and the like are not shown.",
    ),
    COST,
    click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Exit 1 below this value; informedness.low=0.1 gates the lower limit, informedness.greater=0.1 unless a "
        "test shows that it is greater (.less: that it is less).",
    ),
    FAIL_OVER,
    DECIDE,
    GATES,
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
    "fail_over",
    "decide",
    "undecided",
    "gates",
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
    from informed.summary.checks import gates_of, total_only
    from informed.summary.marks_report import report_marks

    why = about["why"].replace("{", "{{").replace("}", "}}")
    silent = click.get_current_context().params["missing"] == "abstain"  # which a missing answer is here, too
    read = [name for name in SOURCE if name not in OF_TABLES or (name == "missing" and silent)]
    only((*OF_MARKS, *WRITTEN, *read, *PICKED), f"{{}} is for a table. {why}")
    made = report_marks(marks, level=options["level"], count=options["count"], command=typed(), **about)
    gates = gates_asked(options, most_of(options))
    notes = total_only(gates, len(made.groups))
    made = made.with_gates(gates_of(made, gates, made.states, made.marks.unfinished))
    page = made.document(precision=options["precision"])
    write(replace(page, notes=(*notes, *page.notes)), **{name: options[name] for name in WRITTEN})


def show(table: Table, options: dict[str, Any], **about: Any) -> None:
    """Write the report of a table, then judge the gates; exit 1 where one fails.

    `about` is what else `informed.report` should know: the source, the units, the scores.
    """
    from informed.summary.analysis import report
    from informed.summary.checks import gates_of, total_only

    check_decide(options)
    gates = gates_asked(options, most_of(options))
    baseline, precision = options.pop("baseline"), options.pop("precision")
    where = {name: options.pop(name) for name in WRITTEN}
    asked = partial(report, table, **options, **about, terms=asked_terms(), command=typed())
    classes, groups = max(len(table.predicted_labels), len(table.real_labels)), math.prod(table.shape)
    if max(classes, groups) > LONG and sys.stderr.isatty():
        from informed.sources.progress import bar

        with bar(f"Reporting {f'{groups:,} groups' if groups > LONG else f'{classes:,} classes'}") as update:
            made = asked(progress=update)
    else:
        made = asked()

    before = Path(baseline).read_text(encoding="utf-8", errors="replace") if baseline else None
    gates = replace(gates, baseline=before)
    notes = total_only(gates, len(made.groups))
    made = made.with_gates(gates_of(made, gates, dict(made.states), made.table.unfinished))
    page = made.document(precision=precision)
    write(replace(page, notes=(*notes, *page.notes)), **where)
