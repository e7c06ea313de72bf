"""What every answer to `judge` has, wherever the gold labels come from."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

from informed.results import Note, Result

Design = Literal["same batch", "elsewhere", "both"]
DESIGNS = ("same batch", "elsewhere", "both")


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
