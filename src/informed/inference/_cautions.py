"""The papers' warnings about small tables, in words that fit the method at hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.table import Table

_SMALL_SAMPLE = ("arc", "plus-four", "mid-p", "clopper-pearson", "jeffreys", "score-exact")


def cautions(t: Table, method: str) -> tuple[str, ...]:
    """What a careful reader should know about the size of this table, if anything."""
    n, k = t.total, len(t.real_labels)
    some = np.asarray(n > 0)
    fewest = t.independent.cells.min(axis=(0, 1))
    powers = method.startswith("powers")
    resampled = method.startswith("bootstrap")
    sturdy = method in _SMALL_SAMPLE
    notes = []
    if (found := _share(some & (n < 12))) is not None:
        notes.append(
            f"{found}Fewer than 12 cases: "
            + (
                "normal approximations fail there. This method does not need one, but its "
                "coverage was measured for 16 cases and more."
                if sturdy
                else "this method is not to be trusted there."
            )
        )
    elif powers and (found := _share(some & (n < 16))) is not None:
        notes.append(
            f"{found}Fewer than 16 cases: the papers' bars around informedness 0 and 1 then meet, "
            "so that no value can be told from both."
        )
    if (found := _share(some & (n < 8 * k))) is not None:
        notes.append(
            f"{found}Fewer than 8 cases for each of {k} classes: values come in coarse steps"
            + (
                ", and coverage varies more from truth to truth, but this method was measured "
                "down to 4 a class."
                if sturdy
                else ", and this method has not been shown to cover there."
            )
        )
    if (found := _share(some & (fewest < 5))) is not None:
        notes.append(
            f"{found}An expected cell below 5: "
            + (
                "the rule of thumb against χ² and normal formulas; this method keeps its "
                "coverage there."
                if sturdy
                else "a small cell resamples to nothing and the interval is then too short."
                if resampled
                else "normal formulas are then too short, most of all near 0 and 1."
            )
        )
    return tuple(notes)


def _share(which: Any) -> str | None:
    """How many tables of a stack it is about, or for one table that it is so."""
    if not np.any(which):
        return None
    return "" if np.ndim(which) == 0 else f"{int(which.sum())} of {which.size} tables: "
