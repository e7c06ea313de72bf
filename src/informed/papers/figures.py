"""The papers' figures again: their parameters and layout, then the same as distribution bands.

`reproduce("fig-3")` gives the data, an SVG in the paper's layout (110 runs, eleven levels, the
target a red staircase, p-values raised by 1) and one that shows the distribution over many runs.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from informed._files import write_whole
from informed.documents.blocks import Section, drawing, glimpse, grid_of
from informed.documents.charts.chart import Chart, Panels
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.errors import InferenceError
from informed.papers.figure_plane import illustration
from informed.papers.figure_runs import Columns, Simulated
from informed.papers.figure_tables import STILL as TABLES
from informed.papers.texts import texts
from informed.results import Kind, Records, Result

STILL = {"fig-1": illustration} | TABLES  # in which nothing is random
FIGURES: dict[str, dict[str, Any]] = texts("figures")["figures"]
MANY = 10_000  # runs a level for the bands, 110 000 in all: a thousand times the papers' 110


@dataclass(frozen=True, repr=False)
class Figure(Result):
    """Data and drawings of a figure or table, which every format can write."""

    name: str
    title: str
    data: Columns
    drawings: tuple[Chart, Chart | Panels]  # in the paper's layout, and as distributions or beside guessing
    seed: int

    @property
    def paper(self) -> str:
        """SVG, in the paper's layout."""
        return self.drawings[0].file()

    @property
    def modern(self) -> str:
        """SVG that shows more than the paper did."""
        return self.drawings[1].file()

    def records(self) -> Records:
        """The data of the figure, a row a line."""
        return Records.beside({name: (_kind(values), values) for name, values in self.data.items()})

    def sentence(self) -> str:
        """What it is."""
        return f"{self.title}."

    def save_all(self, folder: str | Path, *, png: bool = False) -> list[Path]:
        """Write CSV, both drawings as SVG and, if wanted, as PNG into a folder; gives the files."""
        folder = Path(folder)
        if not folder.is_dir():
            raise InferenceError(f"The folder {str(folder)!r} does not exist.")
        files = {f"{self.name}.csv": self.csv(), f"{self.name}.svg": self.paper, f"{self.name}-bands.svg": self.modern}
        written = []
        for name, text in files.items():
            path = folder / name
            write_whole(path, text)
            written.append(path)
            if png and name.endswith(".svg"):
                written.append(to_png(path))
        return written


def _kind(values: Any) -> Kind:
    """How a column is read: words, whole numbers, or numbers."""
    kinds: dict[str, Kind] = {"U": "words", "i": "count"}
    return kinds.get(np.asarray(values).dtype.kind, "amount")


@page_of(Figure)
def figure_page(figure: Figure) -> Document:
    """Both drawings and the data."""
    paper, modern = figure.drawings
    pictures = drawing("As in the paper", paper), drawing("Beside it", lambda: modern)
    listed = glimpse(grid_of(figure.records(), figure.title), 30)
    sections = Section("pictures", "Pictures", pictures), Section("data", "Data", (listed,))
    return Document.of(figure, figure.title, *sections)


def reproduce(name: str, *, seed: int = 2011, replicates: int = MANY) -> Figure:
    """A figure of the papers by its name (`FIGURES`); `replicates` runs a level for the bands."""
    if name not in FIGURES:
        raise InferenceError(f"There is no figure or table {name!r}; there are {', '.join(FIGURES)}.")
    if replicates < 20:
        raise InferenceError(f"`replicates` is {replicates}; the bands need 20 at least.")
    held = FIGURES[name]
    if name in STILL:
        drawn = STILL[name](held)
    else:
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        drawn = Simulated.of(held).drawn(rng, replicates)
    data, paper, modern = drawn
    return Figure(name, held["title"], data, (paper, modern), seed)


def to_png(svg: Path) -> Path:
    """The drawing as PNG, by the browser of the system."""
    known = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, known)), None)
    if browser is None:
        raise InferenceError("A PNG needs Chromium or Chrome on the path; the SVG needs nothing.")
    out = svg.with_suffix(".png")
    head = svg.read_text(encoding="utf-8")[:400]
    wide, tall = (math.ceil(float(head.split(f'{side}="')[1].split('"')[0])) for side in ("width", "height"))
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--kiosk", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={profile}", f"--window-size={wide},{tall}",
             f"--screen-info={{{wide}x{tall}}}",  # which --kiosk fills: 800x600 unless told, and the drawing shrinks
             f"--screenshot={out.resolve()}", svg.resolve().as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
    return out
