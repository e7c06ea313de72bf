"""Many systems that gave probabilities to the same cases, with ranks that these support and no more."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.class_forecast import Judged, best_bets
from informed.decisions.probability_cases import Cases
from informed.decisions.skill import WORDS, skill
from informed.errors import InferenceError
from informed.evidence.labels import some
from informed.evidence.paired import paired
from informed.inference.marks_score import as_signs
from informed.measures import Measure, find
from informed.results import Note, warning
from informed.systems.board import Leaderboard, place_of
from informed.systems.joint_estimates import JointEstimates, of_gaps
from informed.systems.ranking import Asked, Ranking

BASIS = "all cases, with the probabilities that every system gave them"


@dataclass(frozen=True, eq=False, repr=False)
class ForecastBoard(Leaderboard):
    """Systems by what a bettor gains at fair odds who trusts their probabilities."""

    @property
    def of(self) -> Measure:
        """A gain is ranked as informedness is: guessing has 0, and more is better."""
        return find("informedness")

    @property
    def called(self) -> str:
        """The measure in words."""
        return WORDS[self.measure]


def board_of_forecasts(
    held: Mapping[Hashable, Cases], judged: Mapping[Hashable, Judged], asked: Asked, measure: str
) -> ForecastBoard:
    """Systems in order, from the cases and what is known of each system's; those that are ruined come last."""
    names = tuple(held)
    if len(names) < 2:
        raise InferenceError("There is one system; `informed.probabilities` is for it, a leaderboard takes two.")
    if asked.baseline is not None:
        place_of(names, asked.baseline)
    lead = held[names[0]]
    if not (lead.share < 1).all():
        raise InferenceError("All cases are of one class, so there are no odds to bet at, and no order.")

    asked = replace(asked, method="t by cases" if lead.units is None else f"t by {lead.units.name}s")
    gains = [skill(x, measure) for x in held.values()]
    values = np.array([x.value for x in gains])
    ranking = Ranking(_estimates(tuple(held.values()), values, [x.each for x in gains]), names, asked)
    each = [getattr(replace(x, level=ranking.quantiles[0]), measure) for x in judged.values()]
    low, high = (np.array([float(getattr(x, end)) for x in each]) for end in ("low", "high"))
    return ForecastBoard(
        **{**ranking.fields(tuple(_notes(names, values, measure))), "estimate": values},
        measure=measure,
        basis=BASIS,
        items=len(lead.codes),
        low=low,
        high=high,
        beyond_guessing=low > 0,
        tables=paired(**_bets(held)).tables,
    )


def _estimates(held: tuple[Cases, ...], values: Array, each: list[Array]) -> JointEstimates:
    """How the gains vary together between cases or units, and how well that is known; a ruined system has none."""
    lead, k = held[0], len(held)
    added = np.stack([x.added(own) for x, own in zip(held, each, strict=True)], axis=1)
    covariance = added.T @ added * lead.scale(all(x.single for x in held))
    values = np.where(np.isfinite(values), values, np.nan)
    own = np.array([lead.freedom(x) for x in added.T])
    gaps = np.full((k, k), own.max())
    for a, b in zip(*np.triu_indices(k, 1), strict=True):
        gaps[a, b] = gaps[b, a] = lead.freedom(added[:, a] - added[:, b])
    errors = as_signs(np.subtract.outer(values, values), np.sqrt(of_gaps(covariance)), lead.size - 1)
    return JointEstimates(values, values, covariance, errors**2, gaps, own, np.full((k, k), np.inf))


def _bets(held: Mapping[Hashable, Cases]) -> dict[str, Any]:
    """What the systems bet on at fair odds, as answers of theirs."""
    lead = next(iter(held.values()))
    real, _, how = best_bets(lead)
    return {"real": real, "predictions": {name: best_bets(x)[1] for name, x in held.items()}, **how}


def _notes(names: tuple[Hashable, ...], values: Array, measure: str) -> list[Note]:
    ruined = [name for name, x in zip(names, values, strict=True) if np.isneginf(x)]
    if not ruined:
        return []
    its = "its" if len(ruined) == 1 else "their"
    said = f"Ruined, because what was called impossible happened: {some(ruined)}; {its} {WORDS[measure]} is −∞."
    return [warning(f"{said} What is ruined stands last, and takes no part in the differences.", "ruined")]
