"""informed recover"""

from __future__ import annotations

import click

from informed.cli._options import choice, output_options


@click.command("recover")
@click.argument("figures", nargs=-1, required=True, metavar="NAME=PRINTED...")
@click.option("-n", "--cases", type=int, metavar="N", help="How many cases there were.")
@choice("--rounding", "nearest", "down", help="How the figures were rounded.")
@click.option("--range", "ranges", metavar="MEASURE", multiple=True, help="What another measure may be.")
@output_options(terms=True)
def command(
    figures: tuple[str, ...], cases: int | None, rounding: str, ranges: tuple[str, ...], form: str, output: str | None
) -> None:
    """Every table that agrees with published figures, or the proof that none does.

    Figures are measures as printed, with their zeros: recall=0.80 says more than recall=0.8. Whole
    numbers that are known: tp, fp, fn, tn, positives, negatives, called.

    \b
    informed recover -n 100 recall=0.82 precision=0.74 accuracy=0.68
    informed recover -n 500 recall=90% precision=60% --range mcc
    informed recover positives=40 negatives=160 f1=0.71
    """
    from informed import recover, report
    from informed.cli._pages import show
    from informed.errors import TableError

    given: dict[str, str] = {}
    for word in figures:
        name, equals, printed = word.partition("=")
        if not equals or not name or not printed:
            raise TableError(f"{word!r} is no figure; write it as NAME=PRINTED: recall=0.82.")
        if name in given:
            raise TableError(f"{name!r} is given twice.")
        given[name] = printed
    if "n" in given and cases is None:
        cases = _whole(given.pop("n"))
    found = recover(n=cases, rounding=rounding, **given)  # type: ignore[arg-type]  # Click has checked it
    show(report(found, ranges=ranges), form, output)


def _whole(text: str) -> int:
    from informed.errors import TableError

    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise TableError(f"`n` is {text!r}; it must be a whole number.") from None
