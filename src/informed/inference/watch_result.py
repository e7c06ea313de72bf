"""What a watch says at one moment, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.watch_settings import Settings
from informed.results import Note, Plotted, Records, finite, metric_name, plain_dict


@dataclass(frozen=True, repr=False)
class Watched(Plotted):
    """What a watch says at one moment: what its page is made of."""

    page = "watch"

    settings: Settings
    n: int
    interval: Interval  # of all looks together
    current: Interval  # of the last look alone
    wealth: float
    best: float
    pvalue: float
    verdict: str
    futile: bool
    stopped: tuple[int, str] | None  # items, and the condition that was met
    looks: Records
    said: str
    table: Table | None
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """One row a look."""
        return self.looks

    def metrics(self) -> dict[str, float]:
        """The last look: the measure with its limits at every look, the e-value and its p-value."""
        name, now = metric_name(str(self.settings.measure)), self.interval
        held = {name: now.estimate, f"{name}_low": now.low, f"{name}_high": now.high, "n": self.n}
        return finite(held | {f"{name}_pvalue": self.pvalue, f"{name}_wealth": self.wealth})

    def to_dict(self) -> dict[str, Any]:
        """The last look, and all of them."""
        s, held = self.settings, self.interval
        found = {"n": self.n, "measure": s.measure, "estimate": held.estimate, "low": held.low, "high": held.high}
        found |= {"current_low": self.current.low, "current_high": self.current.high, "level": s.level}
        found |= {"wealth": self.wealth, "best": self.best, "pvalue": self.pvalue, "against": s.against}
        found |= {"verdict": self.verdict, "futile": self.futile, "method": held.method}
        found |= {"stopped": None if self.stopped is None else self.stopped[0], "sentence": self.said}
        return plain_dict({**found, "looks": self.looks, "notes": self.notes})

    def sentence(self) -> str:
        """Where the bettor stands, and between which limits the measure lies."""
        return self.said
