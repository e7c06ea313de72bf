"""informed judge"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import LEVEL, Amount, Source, choice, column, output_options, reading, source_options


@click.command("judge")
@click.argument("file", metavar="FILE", type=Source())
@column("--verdict", multiple=True, help="What a judge said of every case; once for each judge of a panel.")
@column("--gold", multiple=True, help="What people found; blank where nobody looked.")
@source_options
@choice("--target", "system", "batch", help="The rate of the system that made the cases, or of these cases.")
@click.option(
    "--elsewhere",
    metavar="FILE",
    type=Source(),
    help="More labels of the same judge on other cases, in the same columns.",
)
@click.option("--id", "ident", metavar="COL", help="Column of names of answers to label next; else, rows.")
@click.option("--more", type=click.IntRange(1), help="List so many answers to label next.")
@click.option("--seed", type=click.IntRange(0), help="Of the draw of answers to label next.")
@click.option("--design", metavar="NAME", help="Where the labels of a table are from: same-batch, elsewhere, both.")
@click.option(
    "--apparent",
    metavar="COUNTS",
    help="Verdicts on all cases of the batch, a=120,b=30; with --design elsewhere on new ones, or the share called "
    "positive.",
)
@click.option("--n", type=click.IntRange(1), help="With --design elsewhere and a share: the number of new cases.")
@LEVEL
@click.option("--reach", type=Amount(0, 1, min_open=True), help="Say how many labels ± this would take.")
@output_options(terms=True)
def command(file: str, form: str, output: str | None, **options: Any) -> None:
    """What is the true rate, when a judge saw all cases and people only some?

    FILE has every case of a batch, with the judge's verdict and, where people looked, their label; the labelled ones
    were drawn at random, or at random within each verdict. Where labels are counted already, or are of other cases,
    FILE is the judge's verdicts (--predicted) beside the truth (--real), and --design says which. Two systems that one
    judge graded are compared by `informed verify`.

    \b
    informed judge graded.csv --verdict judge --gold human --positive good
    informed judge graded.csv --verdict judge --gold human --positive good --unit question --reach .03
    informed judge graded.csv --verdict judge --gold human --positive good --id id --more 50 --seed 1
    informed judge labels.csv --real truth --predicted judge --positive yes --design elsewhere --apparent .31 --n 2000
    informed judge labels.csv --real truth --predicted judge --design same-batch --apparent yes=620,no=1380
    """
    from informed import report
    from informed.cli._judging import judged_file, judged_table
    from informed.cli._pages import named, show
    from informed.errors import SourceError

    if len(options["gold"]) > 1:
        raise SourceError(
            "One system has one --gold; two systems that a judge graded are compared by `informed verify`."
        )
    options["gold"] = next(iter(options["gold"]), None)
    by_columns = bool(options["verdict"] or options["gold"])
    found, told = (judged_file if by_columns else judged_table)(file, options, reading(options))
    show(named(report(found, **told), file), form, output)
