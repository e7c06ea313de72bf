"""informed roc"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import (
    COST,
    LEVEL,
    PREVALENCE,
    Source,
    asked_terms,
    column,
    output_options,
    reading,
    source_options,
    written,
)

if TYPE_CHECKING:
    from informed.decisions.chosen import Chosen
    from informed.decisions.curve import Curve
    from informed.decisions.several import Several
    from informed.evidence.scores import ScoreColumns

REAL = "Which column holds the real classes? Give --real."


@click.command("roc")
@click.argument("file", type=Source())
@column(
    "--score",
    "scores",
    required=True,
    multiple=True,
    help="Column of the scores; several are compared on the same cases.",
)
@source_options
@click.option(
    "--method", help="informedness, closest, bias, cost; recall, precision or rate with --value; or a measure."
)
@click.option("--value", type=float, help="What the method recall, precision or rate must keep.")
@COST
@PREVALENCE
@click.option(
    "--invert",
    type=click.Choice(("perverse", "hull")),
    help="Turn the score round: all of it (perverse), or where its curve lies below its hull.",
)
@click.option("--reject", "price", type=float, metavar="COST", help="What a case without an answer costs.")
@LEVEL
@output_options(also=(".svg",), terms=True)
def command(
    file: str, scores: tuple[str, ...], invert: str | None, form: str, output: str | None, **options: Any
) -> None:
    """What a score is worth, and from which threshold on to act.

    The method is informedness, or cost where --cost or --prevalence is given. The page
    (-o roc.html) has a slider over all thresholds; -o roc.svg is the ROC plane alone. Several
    scores, or groups with --by, are compared with DeLong's test.

    \b
    informed roc examples/breast-cancer.csv --real diagnosis --score score --positive malignant
    informed roc scores.parquet --real y --score p --cost 5:1 --prevalence .01
    informed roc scores.csv --real y --score p --method recall --value .95 -o roc.svg
    informed roc scores.csv --real y --score p --invert hull -o roc.html
    informed roc scores.csv --real y --score old --score new
    informed roc scores.csv --real y --score p --by hospital
    """
    from informed import report
    from informed.cli._pages import show
    from informed.decisions.chosen import chosen

    how = reading(options)
    _check(how)
    if len(scores) > 1 or "by" in how:
        _refuse_for_several(invert=invert, reject=options["price"])
        made: Chosen | Several = _several(file, scores, how, options)
    else:
        made = chosen(_turned(curve_of(file, scores[0], how), invert), **options)
    if output is not None and output.lower().endswith(".svg"):
        return written(_plane(made), output)
    return show(report(made, title=f"ROC of {', '.join(scores)} in {Path(file).name}"), form, output)


def curve_of(source: Any, score: str, how: dict[str, Any]) -> Curve:
    """The curve of a column of scores."""
    from informed import read, roc

    positive = how.get("positive")
    if "unit" in how or "item" in how:
        return _of_columns(read(source, score=[score], **how), how)
    return roc(read(source, score=score, **how), positive=positive)


def _of_columns(held: ScoreColumns, how: dict[str, Any]) -> Curve:
    """The curve of one column of scores that has units."""
    from informed import roc
    from informed.decisions.scored_units import named_cases

    cases = named_cases(held, how.get("unit"))
    (score,) = cases.pop("scores").values()
    return roc(score=score, positive=how.get("positive"), **cases)


def _plane(made: Chosen | Several) -> str:
    """The ROC plane alone."""
    from informed.decisions.chosen import Chosen
    from informed.documents.pages.curve import curve_svg
    from informed.documents.pages.several_curves import several_svg

    terms = asked_terms()
    return curve_svg(made, terms) if isinstance(made, Chosen) else several_svg(made, terms)


def _turned(curve: Curve, invert: str | None) -> Curve:
    """The curve of the score as it is, or turned round."""
    from informed.decisions.inversion import inverted, perverse

    if invert is None:
        return curve
    return perverse(curve) if invert == "perverse" else inverted(curve)


def _refuse_for_several(**given: Any) -> None:
    from informed.errors import SourceError

    for name, value in given.items():
        if value is not None:
            raise SourceError(f"--{name} is for one curve.")


def _check(how: dict[str, Any]) -> None:
    from informed.errors import SourceError

    for name in ("predicted", "abstain"):
        if name in how:
            raise SourceError(f"A curve is of a score, not of predictions; it takes no --{name}.")
    if "real" not in how:
        raise SourceError(REAL)


def _several(file: str, scores: tuple[str, ...], how: dict[str, Any], options: dict[str, Any]) -> Several:
    from informed import read
    from informed.decisions.chosen import chosen
    from informed.decisions.roc import curves
    from informed.decisions.scored_units import named_cases
    from informed.decisions.several import of_groups, of_scores
    from informed.errors import SourceError
    from informed.evidence.scores import ScoreColumns

    positive, level = how.get("positive"), options["level"]

    def choose(curve: Curve) -> Chosen:
        return chosen(curve, **options)

    if "by" not in how:
        cases = named_cases(read(file, score=list(scores), **how), how.get("unit"))
        return of_scores(**cases, choose=choose, positive=positive, level=level)
    if len(scores) > 1 or len(how["by"]) > 1:
        raise SourceError("Groups take one --by and one --score.")
    found = read(file, score=scores[0], **how)
    if isinstance(found, ScoreColumns):
        groups = {name: _of_columns(held, how) for name, held in found.groups().items()}
        return of_groups(groups, choose, level, found.shared)
    return of_groups(curves(found, positive), choose, level)
