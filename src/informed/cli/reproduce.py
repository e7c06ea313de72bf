"""informed reproduce"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from informed._files import write_whole
from informed.cli._options import written


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[FIGURE]…")
@click.option("--seed", type=int, default=2011, show_default=True, help="Same seed, same tables.")
@click.option("--replicates", type=int, default=10_000, show_default=True, help="Runs a level, for the bands.")
@click.option(
    "--output", "--out", "-o", type=click.Path(), help="F.svg, F.png, F.csv, or a folder for data and pictures."
)
@click.option("--png", is_flag=True, help="PNG beside every SVG of a folder; needs Chromium.")
def command(names: tuple[str, ...], seed: int, replicates: int, output: str | None, png: bool) -> None:
    """Draw a figure or table of the papers again; without a name, list them; "all" for all.

    \b
    informed reproduce
    informed reproduce fig-3 --output fig-3.svg
    informed reproduce all --output figures --png
    """
    from informed.errors import InferenceError
    from informed.papers import FIGURES, reproduce
    from informed.papers.figures import to_png

    if not names:
        wide = max(map(len, FIGURES))
        written("\n".join(f"{name:<{wide}}  {held['title']}" for name, held in FIGURES.items()), None)
        return
    wanted = list(FIGURES) if names == ("all",) else list(names)
    suffix = Path(output).suffix if output else ".csv"
    if len(wanted) > 1 and suffix:
        raise InferenceError(f"{len(wanted)} figures do not fit into one file; give a folder: --output figures.")
    if suffix not in ("", ".csv", ".svg", ".png"):
        raise InferenceError(
            f"The output {output!r} ends in {suffix!r}; it must end in .svg, .png or .csv, or be a folder."
        )
    for name in wanted:
        figure = reproduce(name, seed=seed, replicates=replicates)
        if suffix == ".csv":
            written(figure.csv().rstrip("\n"), output)
        elif suffix == ".svg":
            written(figure.paper, output)
        elif suffix == ".png":
            with TemporaryDirectory() as private:
                drawing = Path(private) / f"{name}.svg"
                drawing.write_text(figure.paper, encoding="utf-8")
                picture = to_png(drawing).read_bytes()
            write_whole(str(output), picture)
            click.echo(f"wrote {output}", err=True)
        else:
            folder = Path(str(output))
            folder.mkdir(parents=True, exist_ok=True)
            for path in figure.save(folder, png=png):
                click.echo(f"wrote {path}", err=True)
