"""One system that was trained several times: its mean, and how far another training on other items may be from it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import percent, plural, rate, span
from informed.errors import InferenceError
from informed.evidence.paired import Paired
from informed.inference.given import checked_level
from informed.measures import MeasureLike
from informed.measures.headline import Count, headline
from informed.measures.titles import spoken
from informed.results import Note, Records, Result, finite, flat_numbers, picked, plain_dict
from informed.systems.fold_designs import notes_of, parts_of
from informed.systems.fold_pairs import by_item, crossed_interval
from informed.systems.guards import answered_by_all, left_out_notes


@dataclass(frozen=True, eq=False, repr=False)
class Trainings(Result):
    """The measure of one system over several trainings, each of which answered the same items."""

    system: Hashable
    seeds: tuple[Hashable, ...]
    scores: Array  # of each training
    measure: str
    called: str  # the measure in words that say of which cases it is
    items: int
    estimate: float  # over all trainings, each item once
    standard_error: float
    low: float
    high: float
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def spread(self) -> float:
        """The standard deviation between trainings."""
        return float(self.scores.std(ddof=1))

    def records(self) -> Records:
        """One row a training."""
        return Records.of(f"seed:label {self.measure}", list(zip(self.seeds, self.scores.tolist(), strict=True)))

    def metrics(self) -> dict[str, float]:
        """The mean over trainings with its limits, how far trainings are apart, and each of them."""
        name = self.measure
        held = {name: self.estimate, f"{name}_low": self.low, f"{name}_high": self.high}
        held |= {f"{name}_standard_error": self.standard_error, f"{name}_spread": self.spread}
        return {**finite(held), **flat_numbers(self.records())}

    def to_dict(self) -> dict[str, Any]:
        """The mean with its interval, and each training."""
        held = picked(self, "system measure items estimate standard_error low high level spread")
        return plain_dict({**held, "seeds": self.records(), "notes": self.notes})

    def sentence(self) -> str:
        """The mean over trainings, and how far they are apart."""
        how = f"({percent(self.level)} interval, items crossed with seeds)"
        over = f"over {plural(len(self.seeds), 'seed')} of training on {plural(self.items, 'item')}"
        said = f"{self.system}: {self.called} {rate(self.estimate)} {span(self.low, self.high)} {over} {how}."
        return f"{said} Between seeds it differs by a standard deviation of {rate(self.spread)}."


def over_seeds(
    answers: Paired,
    *,
    seed: str = "seed",
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    count: Count = "tool",
) -> Trainings:
    """The mean of one system over trainings, with an interval for other trainings on other items like these.

    `answers` are those of one system, with the `seed` of each kept beside them.
    """
    checked_level(level)
    if len(answers.names) != 1:
        raise InferenceError(
            f"There are {len(answers.names)} systems; `folds(…, design='training-seeds')` is for them."
        )
    notes = left_out_notes(answers)
    p = answers.counted
    silent = bool((p.codes == -1).any())
    m = headline(measure, count, silent)
    if silent and not m.facts.abstentions:
        asked, (p, _) = len(p), answered_by_all(p)
        said = f"{asked - len(p):,} of {plural(asked, 'case')} got no answer and are left out, as was asked."
        notes = (*notes, Note(said, code="no-answer"))
    if not len(p):
        raise InferenceError("No case counts; there is nothing to measure.")

    p, item = by_item(p)
    parts = parts_of(p, seed, None, item)
    assert parts.at is not None
    found = crossed_interval(p, parts.at, m, level=level)
    scores = np.asarray(m(p.tables_by([parts.names[i] for i in parts.at])[answers.names[0]]), np.float64)
    return Trainings(
        system=answers.names[0],
        seeds=parts.names,
        scores=scores,
        measure=str(m),
        called=spoken(m, silent),
        items=int(item.max()) + 1,
        **found,
        level=level,
        notes=(*notes, *notes_of("training-seeds", "crossed", parts)),
    )
