"""informed assign"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from informed.cli._options import Source, choice, one_table, output_options, reading, source_options


@click.command("assign")
@click.argument("file", type=Source())
@source_options
@choice("--method", "one-to-one", "many-to-one", help="Whether several clusters may have the same name.")
@choice("--aim", "informedness", "diagonal", help="What the names make greatest.")
@click.option("--ignore", type=float, help="No name for clusters that gain no more a case.")
@click.option(
    "--draws",
    "n_draws",
    type=click.IntRange(0),
    default=999,
    show_default=True,
    help="Random clusterings for the chance level.",
)
@click.option("--seed", "rng", type=int, default=2011, show_default=True, help="Of the random clusterings.")
@output_options()
def command(file: str, form: str, output: str | None, **options: Any) -> None:
    """Names for clusters, and how much of the result is due to the naming itself.

    \b
    informed assign examples/digits.csv --real digit --predicted predicted
    informed assign clusters.csv --real class --predicted cluster --method many-to-one
    """
    from informed import assign, report
    from informed.cli._pages import show

    table = one_table(file, {**reading(options), "square": False}, "Clusters are named")
    title = f"Names for the clusters of {Path(file).name}"
    show(report(assign(table, **options), title=title), form, output)
