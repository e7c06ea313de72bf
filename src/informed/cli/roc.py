"""informed roc"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import form_of, output_options, reading, source_options, written

if TYPE_CHECKING:
    from informed.reporting.choices import Chosen


@click.command("roc")
@click.argument("file")
@click.option("--score", metavar="COL", required=True, help="Column of the scores.")
@source_options
@click.option(
    "--rule",
    help="informedness, closest, bias, cost; recall, precision or rate with --value; or a measure.",
)
@click.option("--value", type=float, help="What the rule recall, precision or rate must keep.")
@click.option("--cost", metavar="FN:FP", help="5:1 says that a miss costs five false alarms.")
@click.option("--prevalence", type=float, help="Share of positives where it will be used.")
@click.option("--reject", type=float, metavar="COST", help="What a case without an answer costs.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@output_options("text", "json", "html", "markdown", suffix=True)
def command(file: str, score: str, form: str | None, output: str | None, **options: Any) -> None:
    """What a score is worth, and from which threshold on to act.

    The rule is informedness, or cost where --cost or --prevalence is given. The page (-o roc.html)
    has a slider over all thresholds; -o roc.svg is the ROC plane alone.

    \b
    informed roc examples/breast-cancer.csv --real diagnosis --score score --positive malignant
    informed roc scores.parquet --real y --score p --cost 5:1 --prevalence .01
    informed roc scores.csv --real y --score p --rule recall --value .95 -o roc.svg
    """
    from informed.reporting import choices

    made = _made(file, score, options)
    form = form_of(form, output)
    if output is not None and output.lower().endswith(".svg"):
        written(choices.curve_svg(made), output)
    elif form == "json":
        written(choices.as_json(choices.curve_data(made)), output)
    else:
        title = f"ROC of {score} in {Path(file).name}"
        written(choices.shown(form, title, choices.curve_sections(made)), output)


def _made(file: str, score: str, options: dict[str, Any]) -> Chosen:
    from informed import read, roc, threshold
    from informed.decisions.scores import Scores
    from informed.errors import SourceError
    from informed.reporting.choices import Chosen

    how = reading(options)
    for name in ("predicted", "by", "abstain"):
        if name in how:
            raise SourceError(f"A curve is of one score of all cases; it takes no --{name}.")
    if "real" not in how:
        raise SourceError("Which column holds the real classes? Give --real.")
    held = read(file, score=score, **how)
    assert isinstance(held, Scores)
    curve = roc(held, positive=how.get("positive"))
    cost, prevalence = options["cost"], options["prevalence"]
    priced = cost is not None or prevalence is not None
    choice = threshold(
        curve,
        options["rule"] or ("cost" if priced else "informedness"),
        value=options["value"],
        cost=cost,
        prevalence=prevalence,
        level=options["level"],
    )
    return Chosen(curve, choice, cost, prevalence, options["reject"])
