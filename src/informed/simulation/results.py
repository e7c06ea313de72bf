"""What a simulation found: tidy rows, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from informed._numbers import plural
from informed.errors import InferenceError
from informed.results import Kind, Records, Result

Row: TypeAlias = dict[str, Any]  # one statistic of one subject at one level, by the names of `KINDS`
KINDS: dict[str, Kind] = {  # subject: measure, interval, test or pair; error: Monte Carlo; count: tables
    "level": "label", "subject": "words", "measure": "words", "method": "words",
    "statistic": "words", "value": "number", "error": "number", "count": "count",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Results(Result):
    """Tidy rows: one statistic each, with its Monte Carlo standard error.

    Columns: level, subject (measure, interval, test or pair), measure, method, statistic, value,
    error (Monte Carlo standard error), count (tables behind it). `run` says what was simulated.
    """

    page: ClassVar[str] = "simulation"

    rows: list[Row]
    run: dict[str, Any]

    def records(self) -> Records:
        """The rows."""
        return Records.of(KINDS, (tuple(r.values()) for r in self.rows))

    def to_dict(self) -> dict[str, Any]:
        """The rows, which are the same everywhere for the same seed, and the run."""
        return {"rows": self.rows, "run": self.run}

    def sentence(self) -> str:
        """What was drawn."""
        run, levels = self.run, plural(len(self.run["levels"]), "level")
        drawn = f"{run['tables']:,} tables by {run['generator']}, k = {run['k']}, n = {run['n']}"
        return f"{drawn}, {levels}, seed {run['seed']}"

    def select(self, **wanted: Any) -> list[Row]:
        """Rows in which every named column has this value."""
        return [r for r in self.rows if wanted.items() <= r.items()]

    def value(self, measure: str, statistic: str, **wanted: Any) -> float:
        """The one value that is meant."""
        found = self.select(measure=measure, statistic=statistic, **wanted)
        if len(found) != 1:
            raise InferenceError(
                f"{len(found)} rows have measure={measure!r}, statistic={statistic!r}, {wanted}; name one."
            )
        value = found[0]["value"]
        return np.nan if value is None else value
