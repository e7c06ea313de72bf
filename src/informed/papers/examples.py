"""The tables that the papers print, from ``data/examples.toml``."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.papers.texts import templates, texts
from informed.simulation.generators import population

_HELD = texts("examples")

MEASURES: dict[str, list[str]] = _HELD["measures"]

TABLE_2 = {name: Table.from_counts(counts) for name, counts in _HELD["table-2"].items()}

SPREADSHEET = {name: population(level, k=2, prevalence=0.7, guess=0.8) for name, level in _HELD["spreadsheet"].items()}

SMALL = {name: Table.from_counts(counts) for name, counts in _HELD["small"].items()}

STATISTICS: dict[str, str] = _HELD["statistics"]  # everything called χ² or G² of Table 2, by its test here

PRINTED_2 = {  # of Table 2: measures by name, then χ²
    name: dict(zip(MEASURES["table-2"], held["measures"], strict=True)) | held["statistics"]
    for name, held in _HELD["table-2-printed"].items()
}

SENSES: list[tuple[str, str, int, int]] = [tuple(row) for row in _HELD["senses"]["rows"]]

NOTATION: list[str] = templates("examples")["sheets"]["notation"]["rows"].strip().split("\n")

SIX: dict[str, list[int]] = _HELD["twelve"]["six"]  # class sizes that fit as well

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
        "r": hits / predicted,
        "p": hits / real,
        "F": 2 * hits / (predicted + real),
        "G": hits / np.sqrt(predicted * real),
    }


def twelve_averages(held: dict[str, Any]) -> dict[str, float]:
    """The last column of the 12 classes, "wav": each row has its own average, those that give what is printed.

    r is the accuracy, p a plain mean over 13 (the worksheet had a row more), B weighted by the class sizes, F a
    harmonic and G a geometric mean of the twelve.

    >>> {row: round(100 * x) for row, x in twelve_averages(twelve_classes()).items()}
    {'r': 34, 'p': 54, 'B': 86, 'F': 18, 'G': 31, 'B as defined': 33}
    """
    weights, count = held["prevalence"], len(held["class"])
    return {
        "r": float(held["hits"].sum() / held["class size"].sum()),
        "p": float(held["p"].sum() / (count + 1)),
        "B": float(weights @ held["B as printed"]),
        "F": float(count / (1 / held["F"]).sum()),
        "G": float(np.exp(np.log(held["G"]).mean())),
        "B as defined": float(weights @ held["B"]),
    }
