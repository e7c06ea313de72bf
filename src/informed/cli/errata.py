"""informed errata"""

from __future__ import annotations

import click

from informed.cli._options import output_options


@click.command("errata")
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]…")
@output_options()
def command(numbers: tuple[int, ...], form: str, output: str | None) -> None:
    """What the papers print beside what it should be; all errata, or these.

    \b
    informed errata --full
    informed errata 1 6 14
    informed errata --format csv
    """
    from informed.cli._pages import show
    from informed.papers.errata import errata

    show(errata(*numbers).document(), form, output)
