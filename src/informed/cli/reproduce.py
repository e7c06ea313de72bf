"""informed reproduce"""

from __future__ import annotations

from pathlib import Path

import click

from informed.cli._options import written


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[FIGURE]…")
@click.option("--seed", type=int, default=2011, show_default=True, help="Same seed, same tables.")
@click.option("--replicates", type=int, default=2000, show_default=True, help="Runs a level.")
@click.option(
    "--output", "-o", type=click.Path(), help="F.svg, F.csv, or a folder for data and pictures."
)
def command(names: tuple[str, ...], seed: int, replicates: int, output: str | None) -> None:
    """Draw a figure or table of the papers again; without a name, list them; "all" for all.

    \b
    informed reproduce
    informed reproduce fig-3 --output fig-3.svg
    informed reproduce all --output figures
    """
    from informed.simulation import FIGURES, reproduce

    if not names:
        wide = max(map(len, FIGURES))
        written("\n".join(f"{name:<{wide}}  {title}" for name, (title, _) in FIGURES.items()), None)
        return
    wanted = list(FIGURES) if names == ("all",) else list(names)
    for name in wanted:
        figure = reproduce(name, seed=seed, replicates=replicates)
        suffix = Path(output).suffix if output else ".csv"
        if suffix == ".svg":
            written(figure.paper, output)
        elif suffix == ".csv":
            written(figure.csv().rstrip("\n"), output)
        else:
            folder = Path(str(output))
            folder.mkdir(parents=True, exist_ok=True)
            for path in figure.save(folder):
                click.echo(f"wrote {path}", err=True)
