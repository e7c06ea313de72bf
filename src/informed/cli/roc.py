"""informed roc"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import columns, output_options, reading, source_options, written

if TYPE_CHECKING:
    from informed.decisions.curve import Curve
    from informed.decisions.threshold import Choice


@click.command("roc")
@click.argument("file")
@click.option(
    "--score",
    "scores",
    metavar="COL",
    required=True,
    multiple=True,
    shell_complete=columns,
    help="Column of the scores; several are compared on the same cases.",
)
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
@output_options()
def command(
    file: str, scores: tuple[str, ...], form: str, output: str | None, **options: Any
) -> None:
    """What a score is worth, and from which threshold on to act.

    The rule is informedness, or cost where --cost or --prevalence is given. The page (-o roc.html)
    has a slider over all thresholds; -o roc.svg is the ROC plane alone. Several scores, or groups
    with --by, are compared with DeLong's test.

    \b
    informed roc examples/breast-cancer.csv --real diagnosis --score score --positive malignant
    informed roc scores.parquet --real y --score p --cost 5:1 --prevalence .01
    informed roc scores.csv --real y --score p --rule recall --value .95 -o roc.svg
    informed roc scores.csv --real y --score old --score new
    informed roc scores.csv --real y --score p --by hospital
    """
    from informed.cli._pages import show
    from informed.documents.pages import curve as choices
    from informed.documents.pages import several_curves

    how = _checked(reading(options))
    title = f"ROC of {', '.join(scores)} in {Path(file).name}"
    svg = output is not None and output.lower().endswith(".svg")
    if len(scores) > 1 or "by" in how:
        several = _several(file, scores, how, options)
        if svg:
            return written(several_curves.several_svg(several), output)
        return show(several_curves.several_page(several, title=title), form, output)
    made = _one(file, scores[0], how, options)
    if svg:
        return written(choices.curve_svg(made), output)
    return show(choices.chosen_page(made, title=title), form, output)


def _checked(how: dict[str, Any]) -> dict[str, Any]:
    from informed.errors import SourceError

    for name in ("predicted", "abstain"):
        if name in how:
            raise SourceError(f"A curve is of a score, not of predictions; it takes no --{name}.")
    if "real" not in how:
        raise SourceError("Which column holds the real classes? Give --real.")
    return how


def _choice(curve: Curve, options: dict[str, Any]) -> Choice:
    from informed import threshold

    cost, prevalence = options["cost"], options["prevalence"]
    priced = cost is not None or prevalence is not None
    return threshold(
        curve,
        options["rule"] or ("cost" if priced else "informedness"),
        value=options["value"],
        cost=cost,
        prevalence=prevalence,
        level=options["level"],
    )


def _one(file: str, score: str, how: dict[str, Any], options: dict[str, Any]) -> Any:
    from informed import read, roc
    from informed.documents.pages.curve import Chosen

    curve = roc(read(file, score=score, **how), positive=how.get("positive"))
    choice = _choice(curve, options)
    return Chosen(curve, choice, options["cost"], options["prevalence"], options["reject"])


def _several(
    file: str, scores: tuple[str, ...], how: dict[str, Any], options: dict[str, Any]
) -> Any:
    from informed import read, roc
    from informed.decisions.multiclass import compare_areas
    from informed.decisions.roc import curves
    from informed.documents.pages.several_curves import Several, unpaired
    from informed.errors import SourceError

    if options["reject"] is not None:
        raise SourceError("--reject is for one curve.")
    money = {"cost": options["cost"], "prevalence": options["prevalence"]}
    positive, level = how.get("positive"), options["level"]
    if "by" in how:
        if len(scores) > 1 or isinstance(how["by"], list):
            raise SourceError("Groups take one --by and one --score.")
        held = curves(read(file, score=scores[0], **how), positive)
        return unpaired(held, lambda curve: _choice(curve, options), level, **money)
    cases = read(file, score=list(scores), **how).cases()
    made = {
        name: roc(real=cases["real"], score=values, positive=positive)
        for name, values in cases["scores"].items()
    }
    found = compare_areas(**cases, positive=positive, level=level)
    chosen = {name: _choice(curve, options) for name, curve in made.items()}
    return Several(made, chosen, found, True, level, **money)
