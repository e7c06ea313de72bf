"""What every answer to `judge` has, wherever the gold labels come from."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from informed._numbers import count, percent
from informed.results import Note, Result

Design = Literal["same batch", "elsewhere", "both"]
DESIGNS = ("same batch", "elsewhere", "both")
LITTLE = 0.05  # a share of labels that is hardly worth a judge


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Judged(Result):
    """The rate behind a judge's verdicts: a number for two classes, an array for more."""

    estimate: Any
    low: Any
    high: Any
    level: float
    method: str
    design: str  # where the gold labels are from: "same batch", "elsewhere" or "both"
    labels: tuple[Hashable, ...]
    positive: Hashable | None = None  # of two classes, the one whose rate it is
    apparent: Any  # what the judge said
    n: float | None  # cases judged
    notes: tuple[Note, ...] = ()

    @property
    def _rated(self) -> tuple[Hashable, ...]:
        """The labels whose rates it has."""
        return self.labels if self.positive is None else (self.positive,)


def saved_note(n: int, saving: Any, n_eff: Any) -> Note:
    """What the judge is worth: a share of the labels, and how many of the plain kind these are; of several classes,
    of the one for which it is most."""
    share, best = float(np.max(saving)), round(float(np.max(n_eff)))
    if share < LITTLE:
        said = f"The judge saves almost nothing ({percent(share)} of the labels)"
        return Note(f"{said}; a better judge, not more verdicts, would help.", code="saves-nothing")
    up = "" if np.ndim(saving) == 0 else "up to "
    if best < n:  # not in the shares of the verdicts, or of units
        said = f"Of labels spread as the cases are, the judge saves {up}{percent(share)}; these {count(n)} are worth"
        return Note(f"{said} {up}{count(best)} plain ones.", code="saving")
    saved = f"The judge saves {up}{percent(share)} of the labels"
    return Note(f"{saved}: these {count(n)} are worth {up}{count(best)} plain ones.", code="saving")
