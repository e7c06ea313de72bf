"""What probabilities gain over the prevalences, and what each case adds to the error of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from informed._arrays import Array
from informed.decisions.probability_cases import Cases
from informed.errors import InferenceError, one_of

MEASURES = ("log_skill", "brier_skill", "growth")  # that systems are compared by
OTHERS = {"d2_log_loss_score": "log_skill", "d2_brier_score": "brier_skill", "brier": "brier_skill", "log": "log_skill"}
RULES: Mapping[str, str] = {"log_skill": "log", "brier_skill": "brier", "growth": "log", "ranked_skill": "ranked"}
WORDS = {"log_skill": "log skill", "brier_skill": "Brier skill", "growth": "growth", "ranked_skill": "ranked skill"}


def gain(measure: object) -> str:
    """What systems are compared by, by any of its names; by default log skill.

    >>> gain("d2_brier_score"), gain(None)
    ('brier_skill', 'log_skill')
    """
    name = "log_skill" if measure is None else OTHERS.get(str(measure), str(measure))
    one_of("measure", name, MEASURES, InferenceError)
    return name


@dataclass(frozen=True, eq=False)
class Skill:
    """A gain; NaN where there are no odds to bet at, and −∞ where what was called impossible happened."""

    value: float
    each: Array  # what each case has, whose mean is the error to first order; 0 where there is no number


def skill(h: Cases, measure: str) -> Skill:
    """1 − score / uncertainty by a rule, or in nats uncertainty − score.

    >>> held = Cases(np.array([0, 1]), np.array([[0.8, 0.2], [0.2, 0.8]]), ("no", "yes"), np.ones(2))
    >>> round(skill(held, "brier_skill").value, 3), round(skill(held, "growth").value, 3)
    (0.84, 0.47)
    """
    rule = RULES[measure]
    cost = h.score(rule)
    score, (unc, tilt) = h.mean(cost), h.uncertainty(rule)
    none = np.zeros(len(cost))
    if not (h.share < 1).all():
        return Skill(np.nan, none)
    if not np.isfinite(score):
        return Skill(-np.inf, none)
    off = np.where(h.weight > 0, cost, score) - score
    if measure == "growth":
        return Skill(unc - score, tilt[h.codes] - off)
    lost = score / unc
    return Skill(1 - lost, (lost * tilt[h.codes] - off) / unc)
