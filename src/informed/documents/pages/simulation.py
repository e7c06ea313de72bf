"""What a simulation found: what matters of each measure, interval and test by level, and all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from informed.documents.blocks import Grid, Section, grid_of
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.results import Records
from informed.simulation.results import Results, Row

MATTERS = (  # subject, what is said of it, and the statistics that hold it
    ("measure", "Bias", ("bias",)),
    ("measure", "Root mean square error", ("rmse",)),
    ("interval", "Coverage", ("coverage",)),
    ("test", "Share rejected", ("size", "power")),
)
MOST_LEVELS = 5  # side by side


@page_of(Results)
def results_page(found: Results) -> Document:
    """What matters by level, and its rows."""
    made, grids = plain_page(found), tuple(_grids(found))
    levels = (Section("levels", "By level", grids),) if grids else ()
    return replace(made, title="Simulation", sections=(*levels, *made.sections), glance=grids)


def _grids(found: Results) -> Iterator[Grid]:
    levels = list(dict.fromkeys(row["level"] for row in found.rows))
    shown = [levels[i] for i in np.unique(np.linspace(0, len(levels) - 1, MOST_LEVELS).round().astype(int))]
    for subject, title, statistics in MATTERS:
        rows = [row for name in statistics for row in found.select(subject=subject, statistic=name)]
        if rows:
            some = f" ({len(shown)} of {len(levels)} levels)" if len(shown) < len(levels) else ""
            yield _by_level(rows, subject, f"{title} by level{some}", shown)


def _by_level(rows: Sequence[Row], subject: str, title: str, levels: Sequence[float]) -> Grid:
    """A statistic of each measure and method, a column for each level."""
    held = {(r["measure"], r["method"], r["level"]): np.nan if r["value"] is None else r["value"] for r in rows}
    names = dict.fromkeys((measure, method) for measure, method, _ in held)
    cells = [(" ".join(filter(None, name)), *(held.get((*name, x), np.nan) for x in levels)) for name in names]
    kind = "signed" if title.startswith("Bias") else "number"
    columns = " ".join(f"at_{i}:{kind}" for i in range(len(levels)))
    titles = {f"at_{i}": f"at {level:g}" for i, level in enumerate(levels)}
    return grid_of(Records.of(f"{subject}:words {columns}", cells), title, titles=titles)
