"""informed verify"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import (
    ANNOTATE,
    DECIDE,
    DELIMITER,
    FAIL_OVER,
    LEVEL,
    NORMALIZE,
    Amount,
    Source,
    check_decide,
    column,
    listed,
    output_options,
    together,
)

OF_TABLE = ("judge", "strata", "probability", "measure", "fail_under", "fail_over")
OF_SYSTEMS = ("by", "against", "reach")

verify_options = together(
    column(
        "--predicted", multiple=True, help="What a system said of every case; given twice, two systems are compared."
    ),
    column("--gold", multiple=True, required=True, help="What people found; blank where nobody looked."),
    column("--judge", multiple=True, help="What a judge said of every case; several are a panel."),
    column("--strata", help="What else decided which cases people saw."),
    column("--probability", help="With which probability a case was chosen for people."),
    column(
        "--verdict",
        multiple=True,
        help="A judge's verdicts on the answers of a system: one for each --gold; of a panel, all of the first system "
        "before those of the second.",
    ),
    column("--by", help="Which system a row is of, where systems stand below each other."),
    column("--item", help="What a row is an answer to; answers to one item count as one."),
    click.option("--against", metavar="NAME", help="Many systems: the one that all others are compared with."),
    click.option(
        "--reach",
        type=Amount(0, 1, min_open=True),
        help="Two systems: say how many labels make the interval of their difference ± this.",
    ),
    column("--unit", help="Cases that belong together: document, patient."),
    click.option("--positive", metavar="LABEL", help="The label that is good."),
    click.option("--measure", help="Of two --predicted: what to compare; informedness unless told."),
    listed("--labels", help="The classes and their order."),
    click.option("--normalize", metavar="case,space,…", help=NORMALIZE),
    LEVEL,
    click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        multiple=True,
        help="Exit 1 if one system's table is below this value; informedness.low=0.1 is of the lower limit.",
    ),
    FAIL_OVER,
    DECIDE,
    DELIMITER,
    click.option("--input-format", metavar="NAME", help="Read it as this kind of file."),
    ANNOTATE,
    output_options(terms=True),
)


@click.command("verify")
@click.argument("file", metavar="FILE", type=Source())
@verify_options
def command(file: str, form: str, output: str | None, annotate: bool, **options: Any) -> None:
    """What is true, when people saw only some of the cases?

    A system's table (--predicted, with or without --judge), or the difference of systems that one judge graded
    (--verdict and --gold for each). Which cases people saw may depend on answers, verdicts, --strata, or a known
    --probability. The true rate of one judged system is `informed judge`. Decide rate=-0.02 of judged systems: their
    difference.

    \b
    informed verify cases.csv --predicted answer --gold human
    informed verify cases.csv --predicted answer --judge judge --gold human --positive yes
    informed verify graded.csv --verdict judge_a --gold gold_a --verdict judge_b --gold gold_b --positive good
    informed verify graded.csv --by system --item question --verdict judge --gold human --positive good
    """
    from dataclasses import replace

    from informed import report
    from informed.cli._judged_systems import gates_of, judged_of, verified_of
    from informed.cli._pages import named, show
    from informed.errors import SourceError
    from informed.systems.judged_difference import JudgedDifference

    check_decide(options)
    gates = {name: options.pop(name) for name in ("fail_under", "fail_over", "decide", "undecided")}
    opening = {name: options.pop(name) for name in ("delimiter", "input_format")}
    if bool(options["predicted"]) == bool(options["verdict"]):
        raise SourceError("Give --predicted for a system's table, or --verdict for systems that a judge graded.")
    wrong, of = (OF_SYSTEMS, "predicted") if options["predicted"] else (OF_TABLE, "verdict")
    for name in wrong:
        if {**options, **gates}[name]:
            raise SourceError(f"--{name.replace('_', '-')} does not go with --{of}.")

    found = (verified_of if options["predicted"] else judged_of)(file, opening, options)
    if options["reach"] and not isinstance(found, JudgedDifference):
        raise SourceError("--reach is of the difference of two systems.")
    document = report(found, **({"reach": options["reach"]} if options["reach"] else {}))
    show(named(replace(document, gates=gates_of(found, **gates)), file), form, output, annotate=annotate)
