"""informed reproduce"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from informed._files import write_whole
from informed.cli._options import output_options, written, wrote

if TYPE_CHECKING:
    from informed.papers.figures import Figure

PICTURES = (".svg", ".png")


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--seed", type=int, default=2011, show_default=True, help="Same seed, same tables.")
@click.option("--replicates", type=int, default=10_000, show_default=True, help="Runs a level, for the bands.")
@click.option("--png", is_flag=True, help="PNG beside every SVG of a folder; needs Chromium.")
@output_options(also=PICTURES, folder=True)
def command(names: tuple[str, ...], seed: int, replicates: int, png: bool, form: str, output: str | None) -> None:
    """Draw a figure or table of the papers again; without a name, list them; "all" for all.

    A file ending in .svg or .png is the picture; other formats hold the data. A folder takes data and pictures.

    \b
    informed reproduce
    informed reproduce table-2
    informed reproduce fig-3 --output fig-3.svg
    informed reproduce all --output figures --png
    """
    from informed.cli._pages import show
    from informed.errors import InferenceError
    from informed.papers import FIGURES, reproduce
    from informed.papers.pages import listed_figures

    if not names:
        written(listed_figures(), None)
        return
    wanted = list(FIGURES) if names == ("all",) else list(names)
    suffix = Path(output).suffix.lower() if output and output != "-" else ""
    folder = Path(output) if output and output != "-" and not suffix else None
    if len(wanted) > 1 and folder is None:
        raise InferenceError(f"{len(wanted)} figures do not fit into one file; give a folder: --output figures.")

    for name in wanted:
        figure = reproduce(name, seed=seed, replicates=replicates)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for path in figure.save_all(folder, png=png):
                wrote(path)
        elif suffix == ".svg":
            written(figure.paper, output)
        elif suffix == ".png":
            write_whole(str(output), _picture(figure))
            wrote(output)
        else:
            show(figure.document(), form, output)


def _picture(figure: Figure) -> bytes:
    """The drawing of the paper as PNG."""
    from informed.papers.figures import to_png

    with TemporaryDirectory() as private:
        drawing = Path(private) / f"{figure.name}.svg"
        drawing.write_text(figure.paper, encoding="utf-8")
        return to_png(drawing).read_bytes()
