"""informed odds"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import choice, one_table, output_options, reading, source_options

if TYPE_CHECKING:
    from informed.documents.document import Document


@click.command("odds")
@click.argument("what", nargs=-1, metavar="[FILE | PROBABILITIES | COUNTS]")
@source_options
@choice("--method", "fixed-win", "unit", "table", help="Which payoffs.")
@click.option("--stakes", metavar="X,Y,…", help="A stake on each label; 0 is staying out.")
@click.option("--models", is_flag=True, help="The four models of the 2003 paper's figure.")
@output_options()
def command(
    what: tuple[str, ...], method: str, stakes: str | None, models: bool, form: str, output: str | None, **options: Any
) -> None:
    """Fair odds, and what predictions win at them: nothing for guessing.

    Probabilities of the classes, counts with a slash between the rows (rows are predictions), or a
    file. The page of two classes is a spreadsheet: change a count and see what is won.

    \b
    informed odds .7 .3
    informed odds 56 24 / 14 6 -o odds.html
    informed odds examples/digits.csv --real digit --predicted predicted
    informed odds --models
    """
    from informed.cli._pages import show

    show(_asked(what, method, models, reading(options), _stakes(stakes)), form, output)


def _asked(
    what: tuple[str, ...], method: Any, models: bool, how: dict[str, Any], stakes: list[float] | None
) -> Document:
    from informed import report
    from informed.cli.table import is_number, parsed
    from informed.decisions import bookmaker as book
    from informed.errors import SourceError
    from informed.evidence.table import Table

    if models:
        if what or how or stakes:
            raise SourceError("--models are those of the paper and take nothing else.")
        return report(book.models())
    if not what:
        raise SourceError("Give probabilities, counts, a file, or --models.")
    words = " ".join(what).replace(",", " ").replace(";", " / ").replace("/", " / ").split()
    if all(is_number(w) or w == "/" for w in words):
        if set(how) - {"labels", "positive"}:
            raise SourceError("Numbers that are typed in take --labels and --positive only.")
        if "/" not in words:
            if stakes:
                raise SourceError("Stakes are for predictions: give counts or a file.")
            return report(book.odds([float(w) for w in words], labels=how.get("labels")))
        table = Table.from_counts(parsed(" ".join(words)), **how)
        title = "What these predictions win"
    else:
        if len(what) > 1:
            odd = next(w for w in words if not is_number(w) and w != "/")
            raise SourceError(f"{odd!r} is not a number, and only one file can be read.")
        table, title = one_table(what[0], how, "Bets are"), f"What {Path(what[0]).name} wins"
    return report(book.payoffs(table, method, stakes=stakes), title=title)


def _stakes(text: str | None) -> list[float] | None:
    from informed.errors import TableError

    if text is None:
        return None
    try:
        return [float(x) for x in text.split(",")]
    except ValueError:
        raise TableError(f"The stakes are {text!r}; write a number for each label: 1,1,0.") from None
