"""What every command that ends in a report shares: its options, its formats, its gates."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import ANNOTATE, COST, LEVEL, PREVALENCE, output_options, together
from informed.cli._pages import show as write
from informed.cli._pages import typed

if TYPE_CHECKING:
    from informed.evidence.table import Table

LONG = 1000  # classes: a report of more shows on a terminal how far it is

report_options = together(
    LEVEL,
    click.option("--method", metavar="METHOD", default="auto", help="Method of the intervals."),
    click.option("--test", "tests", metavar="METHOD", multiple=True, help="A further test."),
    click.option("--measures", metavar="A,B,…", help="B, M, C and these measures only."),
    click.option("--all", "everything", is_flag=True, help="Every measure of the catalogue."),
    click.option(
        "--precision", type=click.IntRange(1, 12), default=3, show_default=True, help="Decimals that are shown."
    ),
    PREVALENCE,
    COST,
    click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Exit 1 below this value; informedness.low=0.1 gates the lower limit.",
    ),
    click.option("--baseline", type=click.Path(exists=True), help="Exit 1 if worse than this JSON."),
    ANNOTATE,
    output_options(),
)


def show(
    table: Table,
    *,
    source: str | list[str] | None,
    options: dict[str, Any],
    unit_axis: int | None = None,
    context: dict[str, Any] | None = None,
    scores: Any = None,
) -> None:
    """Write the report of a table, then judge the gates; exit 1 where one fails."""
    from informed.summary import gates
    from informed.summary.analysis import report

    measures = options["measures"]
    asked = partial(
        report,
        table,
        level=options["level"],
        method=options["method"],
        tests=options["tests"],
        measures=None if measures is None else measures.split(","),
        all=options["everything"],
        prevalence=options["prevalence"],
        cost=options["cost"],
        source=source,
        unit_axis=unit_axis,
        context=context,
        scores=scores,
        command=typed(),
    )
    if max(len(table.predicted_labels), len(table.real_labels)) > LONG and sys.stderr.isatty():
        from informed.sources.progress import bar

        with bar(f"Reporting {len(table.real_labels):,} classes") as update:
            made = asked(progress=update)
    else:
        made = asked()
    bars = gates.check(made, options["fail_under"])
    if options["baseline"]:
        bars += gates.regression(made, Path(options["baseline"]).read_text(encoding="utf-8"))
    made = made.with_gates(bars)
    document = made.document(precision=options["precision"])
    write(document, options["form"], options["output"], annotate=options["annotate"])
