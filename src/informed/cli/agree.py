"""informed agree"""

from __future__ import annotations

import click

from informed.cli._answer import Answer, limits, number, probability
from informed.cli._options import output_options, written

WEIGHTS = ("nominal", "ordinal", "linear", "interval", "quadratic", "ratio")


@click.command("agree")
@click.argument("file", metavar="FILE")
@click.option("--raters", metavar="A,B,…", required=True, help="Columns, one for each rater.")
@click.option(
    "--weights",
    type=click.Choice(WEIGHTS),
    default="nominal",
    show_default=True,
    help="How bad a disagreement is; all but nominal and ordinal take numbers.",
)
@click.option("--labels", metavar="A,B,…", help="The categories and their order.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--method",
    type=click.Choice(["linearised", "jackknife", "bootstrap"]),
    default="linearised",
    show_default=True,
    help="Of the intervals.",
)
@click.option("--delimiter", metavar="CHAR", help="Between the columns of a text file.")
@click.option("--input-format", metavar="NAME", help="Read it as this kind of file.")
@output_options("text", "json", "markdown")
def command(
    file: str,
    raters: str,
    weights: str,
    labels: str | None,
    level: float,
    method: str,
    delimiter: str | None,
    input_format: str | None,
    form: str,
    output: str | None,
) -> None:
    """How much do raters agree beyond chance?

    An empty field is a missing rating.

    \b
    informed agree ratings.csv --raters ann,bob,cem
    informed agree grades.csv --raters ann,bob --weights ordinal --labels poor,fair,good
    """
    from informed import agreement
    from informed.errors import SourceError
    from informed.sources.columns import columns

    names = raters.split(",")
    if len(names) < 2 or len(set(names)) < len(names):
        raise SourceError("--raters takes two or more different columns, such as --raters ann,bob.")
    native = weights != "nominal" and labels is None
    held = columns(file, names, delimiter=delimiter, input_format=input_format, native=native)
    found = agreement(
        held,
        level=level,
        weights=weights,
        method=method,  # type: ignore[arg-type]  # Click has checked it
        labels=None if labels is None else labels.split(","),
    )
    main = found["krippendorff"]
    sentence = (
        f"{len(names)} raters agree {number(main.estimate)} {limits(main.low, main.high)} beyond "
        f"chance (Krippendorff's alpha, {found.weights}), {probability(main.pvalue)}, on "
        f"{found.items:,} items"
    )
    head = ["coefficient", "estimate", "low", "high", "observed", "chance", "p"]
    each = found.coefficients.values()
    rows = [
        [
            c.name,
            *(number(x) for x in (c.estimate, c.low, c.high, c.observed, c.chance)),
            probability(c.pvalue).removeprefix("p ").removeprefix("= "),
        ]
        for c in each
    ]
    rest = [
        [
            str(rater),
            *(number(x) for x in (b.estimate, b.low, b.high)),
            *(number(x) for x in (m.estimate, m.low, m.high)),
        ]
        for rater, b in found.against_rest.items()
        for m in [found.markedness_against_rest[rater]]
    ]
    versus = ["against the others", "informedness", "low", "high", "markedness", "low", "high"]
    reasons = tuple(f"{c.name} is undefined: {c.why}." for c in each if c.why)
    data = {
        "raters": list(found.raters),
        "labels": list(found.labels),
        "n": found.items,
        "level": found.level,
        "weights": found.weights,
        "coefficients": {
            c.name: {
                "estimate": c.estimate,
                "low": c.low,
                "high": c.high,
                "p": c.pvalue,
                "observed": c.observed,
                "chance": c.chance,
                "method": c.method,
                "why": c.why,
            }
            for c in each
        },
        "informedness": found.informedness.estimate,
        "against_rest": {
            str(rater): {"informedness": c.estimate, "low": c.low, "high": c.high}
            for rater, c in found.against_rest.items()
        },
    }
    answer = Answer(sentence, [(head, rows), (versus, rest)], (*found.notes, *reasons), data)
    written(answer.shown(form), output)
