"""The difference of two systems' measure on the same, partly verified cases."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from informed._numbers import probability, rate, signed, span
from informed.errors import InferenceError
from informed.evidence.shown import system_name
from informed.inference.answers import Ranged
from informed.inference.given import students
from informed.inference.interval_methods import why_none
from informed.measures import MeasureLike, find
from informed.measures.titles import titled
from informed.results import Note, Records, picked, plain_dict, warning
from informed.systems.judged_sorts import two_sided
from informed.systems.verification import Verification
from informed.systems.verified_columns import Scheme, VerifiedCases, verification_of

LARGE = "A large-sample interval: with few verified cases, or rates near 0 or 1, it is too short."


@dataclass(frozen=True, eq=False, repr=False)
class VerifiedDifference(Ranged):
    """The difference of two systems' measure on the same, partly verified cases."""

    page = "verified"

    names: tuple[Hashable, Hashable]
    measure: str
    values: tuple[float, float]  # of each system
    estimate: float
    low: float
    high: float
    standard_error: float
    pvalue: float
    level: float = 0.95
    notes: tuple[Note, ...] = field(default=())

    def records(self) -> Records:
        """One row."""
        limits = "estimate:signed low:signed high:signed standard_error pvalue:p level"
        names = "a:label=names.0 b:label=names.1 measure:words a_value=values.0 b_value=values.1"
        return Records.picked(self, f"{names} {limits}")

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return plain_dict(picked(self, "names measure values estimate low high standard_error pvalue level notes"))

    def sentence(self) -> str:
        """Which is better by how much."""
        a, b = (f"{system_name(name)} ({rate(x)})" for name, x in zip(self.names, self.values, strict=True))
        limits = f"{signed(self.estimate)} {span(self.low, self.high)}, {probability(self.pvalue)}"
        return f"{titled(self.measure)} of {a} minus that of {b} is {limits}"


def verified_difference(
    found: tuple[Verification, Verification],
    cases: tuple[VerifiedCases, VerifiedCases],
    measure: MeasureLike,
    level: float,
    names: tuple[Hashable, Hashable],
) -> VerifiedDifference:
    """ψ₁ − ψ₂ on the strata of both, and the large-sample interval of that."""
    (a, b), m = cases, find(measure)
    if len(a.gold) != len(b.gold) or not np.array_equal(a.gold, b.gold):
        raise InferenceError("Two verified tables are compared on the same cases with the same gold labels, in order.")
    first, k = found[0], len(found[0].labels)
    other = b.scheme.alike * k + b.answer
    both = np.unique(a.scheme.alike * (int(other.max()) + 1) + other, return_inverse=True)[1]
    joint = replace(a, scheme=Scheme(np.asarray(both, np.int64), None, a.scheme.chance))
    one = verification_of(joint, first.labels, first.positive)
    answer = np.zeros(len(one.answer), np.int64)
    answer[np.unique(both * k + a.answer, return_inverse=True)[1]] = b.answer
    two = replace(one, answer=answer)

    if reason := why_none(m, k):
        raise InferenceError(f"{reason} So two systems are not compared by it.")
    if one.is_per_class(m):
        raise InferenceError(f"{m.name} is one number for each class here; a difference takes one number.")
    own = one.effect(m)[one.answer] - two.effect(m)[two.answer]
    root, df = one.design(own)
    error = float(np.sqrt(one.varied(own).whole)) * root
    values = (float(m(one.table)), float(m(two.table)))
    estimate, reach = values[0] - values[1], float(students(df, level)) * error
    least, most = m.bounds(one.table)
    ends = (max(estimate - reach, least - most), min(estimate + reach, most - least))
    pvalue = two_sided(estimate, error, df)
    return VerifiedDifference(
        names, str(m), values, estimate, *ends, error, pvalue, level, (warning(LARGE, "large-sample"),)
    )
