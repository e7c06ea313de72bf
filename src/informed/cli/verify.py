"""informed verify"""

from __future__ import annotations

from typing import Any

import click

from informed.cli._options import DELIMITER, LEVEL, NORMALIZE, Source, column, listed, output_options


@click.command("verify")
@click.argument("file", metavar="FILE", type=Source())
@column("--predicted", help="What a system said of every case.")
@column("--gold", multiple=True, required=True, help="What people found; blank where nobody looked.")
@column("--judge", help="What a judge said of every case.")
@column("--strata", help="What else decided which cases people saw.")
@column("--verdict", multiple=True, help="A judge's verdicts on the answers of a system: one for each --gold.")
@column("--by", help="Which system a row is of, where systems stand below each other.")
@column("--item", help="With --by: what a row is an answer to.")
@click.option("--against", metavar="NAME", help="Many systems: the one that all others are compared with.")
@column("--unit", help="Cases that belong together: document, patient.")
@click.option("--positive", metavar="LABEL", help="The label that is good.")
@listed("--labels", help="The classes and their order.")
@click.option("--normalize", metavar="case,space,…", help=NORMALIZE)
@LEVEL
@DELIMITER
@click.option("--input-format", metavar="NAME", help="Read it as this kind of file.")
@output_options(terms=True)
def command(file: str, gold: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """What is true, when people saw only some of the cases?

    A system's table (--predicted, with or without --judge), or the difference of systems that one judge graded
    (--verdict and --gold for each). Which cases people saw may depend on answers, verdicts and --strata.

    \b
    informed verify cases.csv --predicted answer --gold human
    informed verify cases.csv --predicted answer --judge judge --gold human --positive yes
    informed verify graded.csv --verdict judge_a --gold gold_a --verdict judge_b --gold gold_b --positive good
    informed verify graded.csv --by system --item question --verdict judge --gold human --positive good
    """
    from informed import report
    from informed.cli._judged_systems import judged_by, judged_difference, verified_table
    from informed.cli._pages import show
    from informed.errors import SourceError

    opening = {name: options.pop(name) for name in ("delimiter", "input_format")}
    taken = {name: options.pop(name) for name in ("predicted", "judge", "strata", "verdict", "by", "item", "against")}
    if (taken["predicted"] is None) == (not taken["verdict"]):
        raise SourceError("Give --predicted for one system's table, or --verdict for systems that a judge graded.")
    wrong = ("by", "item", "against") if taken["predicted"] else ("judge", "strata")
    for name in wrong:
        if taken[name]:
            raise SourceError(f"--{name} does not go with --{'predicted' if taken['predicted'] else 'verdict'}.")

    if taken["predicted"]:
        if len(gold) > 1:
            raise SourceError("One system's table has one --gold.")
        found = verified_table(file, taken["predicted"], gold[0], taken["judge"], taken["strata"], opening, **options)
    elif taken["by"]:
        if len(gold) > 1 or len(taken["verdict"]) > 1:
            raise SourceError("With --by there are one --verdict and one --gold.")
        one = (taken["by"], taken["item"], taken["verdict"][0], gold[0])
        found = judged_by(file, *one, opening, against=taken["against"], **options)
    else:
        if taken["item"]:
            raise SourceError("--item goes with --by: systems beside each other have the same items.")
        found = judged_difference(file, taken["verdict"], gold, opening, against=taken["against"], **options)
    show(report(found), form, output)
