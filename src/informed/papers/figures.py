"""The papers' figures again: their parameters and layout, then the same as distribution bands.

`reproduce("fig-3")` gives the data, an SVG in the paper's layout (110 runs, eleven levels, the
target a red staircase, p-values raised by 1) and one that shows the distribution over many runs.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from informed._files import write_whole
from informed.errors import InferenceError
from informed.papers.figure_runs import Columns, Simulated
from informed.papers.figure_tables import STILL
from informed.papers.texts import texts

FIGURES: dict[str, dict[str, Any]] = texts("figures")["figures"]
MANY = 10_000  # runs a level for the bands, 110 000 in all: a thousand times the papers' 110


@dataclass(frozen=True)
class Figure:
    """Data and drawings of a figure; `save` writes CSV, SVG and, with a browser there, PNG."""

    name: str
    title: str
    data: Columns
    paper: str  # SVG
    modern: str  # SVG
    seed: int

    def csv(self) -> str:
        """The data of the figure, a row a line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.data)
        writer.writerows(zip(*(_written(c) for c in self.data.values()), strict=True))
        return out.getvalue()

    def save(self, folder: str | Path, *, png: bool = False) -> list[Path]:
        """Write CSV, both drawings as SVG and, if wanted, as PNG; gives the files."""
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


def reproduce(name: str, *, seed: int = 2011, replicates: int = MANY) -> Figure:
    """A figure of the papers by its name (`FIGURES`); `replicates` runs a level for the bands."""
    if name not in FIGURES:
        raise InferenceError(f"There is no figure {name!r}; there are {', '.join(FIGURES)}.")
    if replicates < 20:
        raise InferenceError(f"`replicates` is {replicates}; the bands need 20 at least.")
    held = FIGURES[name]
    if name in STILL:
        drawn = STILL[name](held)
    else:
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        drawn = Simulated.of(held).drawn(rng, replicates)
    data, paper, modern = drawn
    return Figure(name, held["title"], data, paper.file(), modern.file(), seed)


def to_png(svg: Path) -> Path:
    """The drawing as PNG, by the browser of the system."""
    known = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, known)), None)
    if browser is None:
        raise InferenceError("A PNG needs Chromium or Chrome on the path; the SVG needs nothing.")
    out = svg.with_suffix(".png")
    head = svg.read_text(encoding="utf-8")[:400]
    wide, tall = (head.split(f'{side}="')[1].split('"')[0] for side in ("width", "height"))
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={profile}", f"--window-size={wide},{tall}",
             f"--screenshot={out.resolve()}", svg.resolve().as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
    return out


def _written(column: Any) -> list[Any]:
    values = np.asarray(column).tolist()
    return [f"{v:.6g}" if isinstance(v, float) else v for v in values]
