"""informed odds"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from informed.cli._options import output_options, reading, source_options, written

if TYPE_CHECKING:
    from informed.reporting.blocks import Section


@click.command("odds")
@click.argument("what", nargs=-1, metavar="[FILE | PROBABILITIES | COUNTS]")
@source_options
@click.option(
    "--kind",
    type=click.Choice(["fixed-win", "unit", "table"]),
    default="fixed-win",
    show_default=True,
    help="Which payoffs.",
)
@click.option("--models", is_flag=True, help="The four models of the 2003 paper's figure.")
@output_options("text", "json", "html", "markdown")
def command(
    what: tuple[str, ...],
    kind: str,
    models: bool,
    form: str,
    output: str | None,
    **options: Any,
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
    from informed.reporting import bookmaking, choices

    how = reading(options)
    title, data, sections = _asked(what, kind, models, how)
    if form == "json":
        written(choices.as_json(data), output)
    elif form == "html":
        written(choices.as_html(title, sections, bookmaking.SCRIPT), output)
    else:
        written(choices.shown(form, title, sections), output)


def _asked(
    what: tuple[str, ...], kind: Any, models: bool, how: dict[str, Any]
) -> tuple[str, dict[str, Any], tuple[Section, ...]]:
    from informed.cli.table import is_number, parsed
    from informed.decisions.bookmaker import odds
    from informed.errors import SourceError
    from informed.reporting import bookmaking as book
    from informed.table import Table

    if models:
        if what or how:
            raise SourceError("--models are those of the paper and take nothing else.")
        return "The four models of 2003", book.models_data(), book.models_sections()
    if not what:
        raise SourceError("Give probabilities, counts, a file, or --models.")
    words = " ".join(what).replace(",", " ").replace(";", " / ").split()
    if all(is_number(w) or w == "/" for w in words):
        if set(how) - {"labels", "positive"}:
            raise SourceError("Numbers that are typed in take --labels and --positive only.")
        if "/" not in words:
            held = odds([float(w) for w in words], labels=how.get("labels"))
            return "Fair odds", book.odds_data(held), book.odds_sections(held)
        table = Table.from_counts(parsed(" ".join(words)), **how)
        title = "What these predictions win"
    else:
        if len(what) > 1:
            odd = next(w for w in words if not is_number(w) and w != "/")
            raise SourceError(f"{odd!r} is not a number, and only one file can be read.")
        table, title = _table(what[0], how), f"What {Path(what[0]).name} wins"
    return title, book.bets_data(table, kind), book.bets_sections(table, kind)


def _table(file: str, how: dict[str, Any]) -> Any:
    from informed import Table, read
    from informed.errors import SourceError

    if "by" in how:
        raise SourceError("Bets are for one table at a time; this takes no --by.")
    table = read(file, **how)
    assert isinstance(table, Table)
    return table
