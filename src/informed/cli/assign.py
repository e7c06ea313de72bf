"""informed assign"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from informed.cli._options import choice, output_options, reading, source_options


@click.command("assign")
@click.argument("file")
@source_options
@choice("--method", "one-to-one", "many-to-one", help="Whether several clusters may have the same name.")
@choice("--aim", "informedness", "diagonal", help="What the names make greatest.")
@click.option("--ignore", type=float, help="No name for clusters that gain no more a case.")
@click.option(
    "--draws", type=click.IntRange(0), default=999, show_default=True, help="Random clusterings for the chance level."
)
@click.option("--seed", type=int, default=2003, show_default=True, help="Of the random clusterings.")
@output_options()
def command(file: str, form: str, output: str | None, **options: Any) -> None:
    """Names for clusters, and how much of the result is due to the naming itself.

    \b
    informed assign examples/digits.csv --real digit --predicted predicted
    informed assign clusters.csv --real class --predicted cluster --method many-to-one
    """
    from informed import Table, assign, read, report
    from informed.cli._pages import show
    from informed.errors import SourceError

    how = reading(options)
    if "by" in how:
        raise SourceError("Clusters are named for one table at a time; this takes no --by.")
    table = read(file, square=False, **how)
    assert isinstance(table, Table)
    found = assign(
        table,
        options["method"],
        aim=options["aim"],
        ignore=options["ignore"],
        n_draws=options["draws"],
        rng=options["seed"],
    )
    title = f"Names for the clusters of {Path(file).name}"
    show(report(found, title=title), form, output)
