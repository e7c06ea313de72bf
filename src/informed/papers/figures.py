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
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from informed.errors import InferenceError
from informed.papers import figure_runs as runs
from informed.papers import figure_tables as tables
from informed.papers.figure_runs import Columns, Drawn

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
        files = {
            f"{self.name}.csv": self.csv(),
            f"{self.name}.svg": self.paper,
            f"{self.name}-bands.svg": self.modern,
        }
        written = []
        for name, text in files.items():
            path = folder / name
            path.write_text(text, encoding="utf-8")
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
    title, make = FIGURES[name]
    stream = np.random.default_rng(np.random.SeedSequence(seed))
    data, paper, modern = make(stream, replicates)
    return Figure(name, title, data, paper, modern, seed)


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


Make = Callable[[np.random.Generator, int], Drawn]


def _runs(title: str, k: int, n: int, curves: runs.Curves, x: float = 0.0) -> tuple[str, Make]:
    return title, partial(runs.figure, title=title, k=k, n=n, curves=curves, confidence=x)


FIGURES: dict[str, tuple[str, Make]] = {
    "fig-2": _runs("Accuracy of traditional measures", 4, 128,
                   runs.DEEP | runs.TRADITIONAL | runs.DETERMINANT),
    "fig-3": _runs("Determinant-based estimates of correlation", 4, 128,
                   runs.DEEP | runs.ESTIMATES | runs.SIGNIFICANCE),
    "fig-4": ("χ² against degrees of freedom", partial(tables.chi_against_df)),
    "fig-5": _runs("Significance and Cramér's V", 4, 128,
                   runs.DEEP | runs.CRAMER | runs.SIGNIFICANCE),
    "fig-6": _runs("Significance and confidence", 4, 16,
                   runs.DEEP | runs.CORRECTED, 1.96),
    "fig-7": _runs("Significance and confidence", 5, 128,
                   runs.DEEP | runs.CORRECTED, 1.96),
    "eval-2": _runs("Accuracy of traditional measures, as in the first conference paper", 4, 128,
                    runs.DEEP | runs.TRADITIONAL),
    "sig-2": _runs("Accuracy of significance and confidence measures", 4, 16,
                   runs.DEEP | runs.PHI | runs.CORRECTED | runs.CUMULATIVE, 2.0),
    "poster": _runs("Weighted, harmonic and geometric averages, and kappas", 4, 128,
                    runs.DEEP | runs.TRADITIONAL | runs.shifted(runs.DETERMINANT, -1)),
    "iccs-1": ("The spreadsheet of 2003", partial(tables.spreadsheet)),
    "table-2": ("Table 2: all but B rise from the second to the first", partial(tables.table_2)),
    "twelve-class": ("The 12 classes of 2003", partial(tables.twelve)),
}  # fmt: skip


def _written(column: Any) -> list[Any]:
    values = np.asarray(column).tolist()
    return [f"{v:.6g}" if isinstance(v, float) else v for v in values]
