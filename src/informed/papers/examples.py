"""The tables that the papers print, from ``data/examples.toml``."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.papers.texts import texts
from informed.simulation.generators import population

_HELD = texts("examples")

MEASURES: dict[str, list[str]] = _HELD["measures"]

TABLE_2 = {name: Table.from_counts(counts) for name, counts in _HELD["table-2"].items()}

SPREADSHEET = {name: population(level, k=2, prevalence=0.7, guess=0.8) for name, level in _HELD["spreadsheet"].items()}

PRINTED: dict[str, list[int]] = _HELD["twelve"]["printed"]


def twelve_classes() -> dict[str, Any]:
    """The 12 classes of 2003: counts, B as it was printed, and B as it is defined."""
    held = _HELD["twelve"]
    n = float(held["cases"])
    hits, predicted, real = (np.array(held[x], dtype=float) for x in ("hits", "predicted", "real"))
    return {
        "class": held["names"],
        "hits": hits,
        "cluster size": predicted,
        "class size": real,
        "B as printed": hits / predicted - (predicted - hits) / (n - predicted),
        "B": (hits / n - predicted * real / n**2) / (real / n * (1 - real / n)),
        "prevalence": real / n,
    }
