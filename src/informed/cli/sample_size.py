"""informed sample-size"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import choice, listed, one_table, output_options, reading, source_options, together

if TYPE_CHECKING:
    from informed.evidence.table import Table
    from informed.inference.power import Plan

world_options = together(
    listed("--prevalence", metavar="X[,Y,…]", help="Share of the positive class, or of every class."),
    click.option("--k", type=int, default=2, show_default=True, help="Classes, equally frequent."),
    listed(
        "--guess", metavar="X[,Y,…]", help="Its bias: what it says where it does not know; by default as prevalent."
    ),
    click.option(
        "--measure", default="informedness", show_default=True, help="Of which VALUE is, with --goal or --width."
    ),
    click.option("--goal", type=float, metavar="X", help="A performance goal that it is to be told from."),
    click.option("--against", type=float, metavar="X", help="Informedness of a second system to compare with."),
    click.option("--paired", is_flag=True, help="Both systems see the same cases."),
    click.option("--shared", type=float, default=0.0, metavar="X", help="Of what both know: 0 by chance alike, 1 all."),
)
goal_options = together(
    click.option("--power", type=float, default=0.8, show_default=True, help="The chance to show it."),
    click.option("--width", type=float, metavar="X", help="Instead of a power: an interval no wider than this."),
    click.option("--assurance", type=float, metavar="X", help="With --width: the share of samples that reach it."),
    listed("--n", metavar="N[,N,…]", help="So many cases: their power, or what they can show."),
    click.option("--level", type=float, default=0.95, show_default=True, help="Of the test and the interval."),
    choice("--alternative", "two-sided", "greater", "less", help="What is tested against."),
    choice("--method", "auto", "analytic", "exact", "simulation", help="How power is found."),
)
unit_options = together(
    click.option("--unit-size", type=float, metavar="M", help="Cases come in units: so many in each."),
    click.option("--icc", type=float, metavar="R", help="How much alike they are: 0 to 1."),
    click.option(
        "--like", metavar="FILE", help="Cases with units or items like those to come: size, likeness, classes."
    ),
)


@click.command("sample-size")
@click.argument("informedness", metavar="[VALUE]", type=float, required=False)
@world_options
@goal_options
@unit_options
@source_options
@output_options(terms=True)
def command(
    informedness: float | None,
    n: list[str] | None,
    width: float | None,
    like: str | None,
    assurance: float | None,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """How many cases does it take to show this informedness?

    Or, with --n, what so many cases show: the power for this informedness; without one, the smallest
    that they tell from chance or from a second system. Where cases come in units (documents, items
    asked several times), say how many come in each and how alike they are, or give a file with such
    cases as --like, which --real, --predicted, --unit and --item read as in a report; without
    --prevalence its classes are taken, too.

    A --goal is a value that another --measure, or informedness, is to be told from by the test of a report's
    --against. Without --prevalence the answer counts the cases that a share is of: for sensitivity, those
    with the disease.

    \b
    informed sample-size 0.3 --prevalence 0.2
    informed sample-size 0.6 --width 0.2
    informed sample-size 0.6 --width 0.2 --assurance 0.8
    informed sample-size 0.6 --against 0.5 --paired --shared 0.5
    informed sample-size 0.3 --unit-size 6 --icc 0.4
    informed sample-size 0.3 --like pilot.csv --real truth --predicted answer --item question
    informed sample-size 0.95 --measure sensitivity --goal 0.9 --alternative greater --prevalence 0.2
    informed sample-size 0.8 --goal 0.7 --alternative greater
    informed sample-size 0.7 --measure cohen_kappa --goal 0.4
    informed sample-size 0.9 --measure specificity --width 0.1
    informed sample-size --measure sensitivity --goal 0.9 --n 100
    informed sample-size 0.3 --n 25,50,100
    informed sample-size 0.3 --n 120 --unit-size 6 --icc 0.4
    informed sample-size --n 100
    """
    from informed import report
    from informed.cli._pages import show
    from informed.errors import InferenceError

    how = reading(options)
    if how and like is None:
        raise InferenceError(f"--{next(iter(how)).replace('_', '-')} reads a file; name it with --like.")
    options["like"] = None if like is None else _like(like, how)
    options["prevalence"], options["guess"] = (_shares(name, options[name]) for name in ("prevalence", "guess"))
    if n is None:
        plan = _fewest(informedness, width, assurance, options)
    else:
        if width is not None or assurance is not None:
            raise InferenceError("--n says how many cases there are; --width is for finding how many it takes.")
        plan = _shown_by([_number("n", x) for x in n], informedness, options)
    show(report(plan), form, output)


def _like(file: str, how: dict[str, Any]) -> Table:
    """The table of a file that units are learnt from; a log knows its items, and names no columns."""
    from informed.errors import InferenceError

    t = one_table(file, how, "Units are learnt")
    if t.units is None and "real" not in how:
        raise InferenceError(
            f"{file} has neither units nor items that were asked several times, which --like learns from: leave it out "
            "where cases are independent."
        )
    return t


def _fewest(informedness: float | None, width: float | None, assurance: float | None, options: dict[str, Any]) -> Plan:
    from informed import sample_size
    from informed.errors import InferenceError

    if informedness is None:
        raise InferenceError(f"Which {options['measure']} is to be shown? Give it first: informed sample-size 0.3.")
    return sample_size(informedness, width=width, assurance=assurance, **options)


def _shown_by(cases: list[float], informedness: float | None, options: dict[str, Any]) -> Plan:
    from informed import detectable, power

    many = cases if len(cases) > 1 else cases[0]
    if informedness is None:
        return detectable(many, **options)
    options.pop("power")
    return power(many, informedness, **options)


def _shares(name: str, words: list[str] | None) -> float | list[float] | None:
    if words is None:
        return None
    shares = [_number(name, x) for x in words]
    return shares[0] if len(shares) == 1 else shares


def _number(name: str, word: str) -> float:
    from informed.errors import InferenceError

    try:
        return float(word)
    except ValueError:
        raise InferenceError(f"--{name} is {word!r}, which is no number.") from None
