"""A table from partly verified cases: the cases of the specification, which R's survey and other code gave."""

from __future__ import annotations

import numpy as np
import pytest

from informed.measures import find
from informed.systems.verification import Verification


def system() -> Verification:
    """Case 10: strata are what the system said and what the judge said."""
    x = np.array([[60, 3], [6, 11], [14, 4], [5, 97]], float)
    cases = x.sum(axis=1) + np.array([700, 180, 200, 720])
    return Verification((0, 1), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), cases, x, 1)


def judge_itself() -> Verification:
    """Case 2: 150 passes and 150 fails of a judge were verified."""
    x = np.array([[129, 21], [12, 138]], float)
    cases = x.sum(axis=1) + np.array([350, 1350])
    return Verification((0, 1), np.array([0, 1]), np.zeros(2, int), cases, x, 1)


def test_the_table_and_its_informedness_are_those_of_the_specification() -> None:
    v = system()
    found = v.interval("informedness")
    np.testing.assert_allclose(v.shares(), [[0.398098, 0.081902], [0.104925, 0.415075]], atol=5e-7)
    assert v.n_eff("informedness") == pytest.approx(309.245, abs=5e-4)
    assert (found.estimate, *found) == pytest.approx((0.626611, 0.532946, 0.707440), abs=5e-7)
    assert found.method == "arc"


@pytest.mark.parametrize(
    ("measure", "estimate", "error"),
    [("informedness", 0.62661, 0.044), ("recall", 0.8352, 0.0281), ("fallout", 0.20859, 0.0254)],
)
def test_estimates_and_standard_errors_are_near_those_of_survey(measure: str, estimate: float, error: float) -> None:
    v = system()
    effect = v.effect(find(measure))
    assert v.interval(measure).estimate == pytest.approx(estimate, abs=5e-5)
    assert np.sqrt(v.varied(effect[v.answer]).whole) == pytest.approx(error, rel=0.02)  # ours is helped by half cases


@pytest.mark.parametrize(
    ("measure", "estimate", "low", "high", "n_eff"),
    [
        ("recall", 0.951724, 0.929996, 0.968159, 680.433),
        ("fallout", 0.218182, 0.134964, 0.323210, 267.526),
        ("informedness", 0.733542, 0.622617, 0.822530, 264.761),
    ],
)
def test_the_own_rates_of_a_judge(measure: str, estimate: float, low: float, high: float, n_eff: float) -> None:
    v = judge_itself()
    found = v.interval(measure)
    assert (found.estimate, found.low, found.high) == pytest.approx((estimate, low, high), abs=6e-7)
    assert v.n_eff(measure) == pytest.approx(n_eff, abs=6e-4)


def test_all_verified_is_the_plain_table() -> None:
    x = np.array([[40, 10], [5, 45]], float)
    v = Verification((0, 1), np.array([0, 1]), np.zeros(2, int), x.sum(axis=1), x, 1)
    np.testing.assert_allclose(v.table.counts, x)
    assert v.n_eff("informedness") == pytest.approx(100, rel=0.02)


def test_a_stratum_without_a_verified_case_takes_the_shares_of_the_other_answers() -> None:
    x = np.array([[8, 2], [1, 9], [0, 0], [2, 8]], float)  # the third is answer 1, judge 0
    v = Verification((0, 1), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.full(4, 25.0), x, 1)
    np.testing.assert_allclose(v.given[2], [0.8, 0.2])
    assert v.unseen.tolist() == [2]
    assert v.n_eff("accuracy") < 30
