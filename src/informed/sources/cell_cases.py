"""Ids of some cases of each cell, from cases whose labels have their places."""

from __future__ import annotations

from collections.abc import Sequence

from informed.evidence.label_policy import Encoded
from informed.sources.engine import LONGEST_ID
from informed.summary.parts import CellCases

MOST_IDS = 5  # of a cell
MOST_CELLS = 2000  # of which ids are brought


def gathered(held: Encoded, ids: Sequence[str], most: int = MOST_IDS) -> tuple[CellCases, ...]:
    """Of each cell the ids that come first by their lengths and then by their letters: 9 before 10."""
    cells: dict[tuple[int, int], set[str]] = {}
    for real, predicted, lost, name in zip(*(x.tolist() for x in (*held.places, held.lost)), ids, strict=True):
        if not lost and name:
            cells.setdefault((predicted, real), set()).add(name)

    found = []
    for (predicted, real), names in sorted(cells.items()):
        first = sorted(names, key=lambda name: (len(name), name))[:most]
        answer = None if predicted < 0 else held.answers[predicted]
        found.append(CellCases(held.labels[real], answer, tuple(map(_short, first))))
    return tuple(found)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_ID else f"{name[: LONGEST_ID - 1]}…"
