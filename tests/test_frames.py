"""Every result is a data frame, too."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
import pytest

import informed
from informed.decisions import costs
from informed.decisions.rejection import chow, reject_curve
from informed.systems.risk_coverage import abstention, risk_coverage

RNG = np.random.default_rng(4)
REAL = RNG.integers(0, 2, 90)
A, B = (np.where(RNG.random(90) < right, REAL, 1 - REAL) for right in (0.8, 0.7))
T = informed.Table.from_labels(real=REAL, predicted=A)
CURVE = informed.roc(real=REAL, score=RNG.beta(2 + 2 * REAL, 4 - 2 * REAL).round(2))
SILENT = informed.Table.from_counts([[8, 1, 4], [1, 9, 4], [3, 2, 1]], abstained=[1, 2, 3])
GROUPS = informed.Table.from_counts([[[40, 9], [8, 43]], [[30, 12], [20, 38]]], names=["n", "s"])

RESULTS: dict[str, Callable[[], Any]] = {
    "table": lambda: T,
    "interval": lambda: informed.interval(T, "informedness"),
    "test": lambda: informed.test(T),
    "posterior": lambda: informed.posterior(T, "informedness"),
    "power": lambda: informed.power([32, 64], 0.3),
    "comparison": lambda: informed.compare.paired(real=REAL, a=A, b=B),
    "leaderboard": lambda: informed.leaderboard(real=REAL, predictions={"a": A, "b": B}),
    "agreement": lambda: informed.agreement(np.stack([A, B], axis=1)),
    "judged": lambda: informed.judge(T, 0.3, 100, design="elsewhere"),
    "judged batch": lambda: informed.judge(verdict=A, gold=[x if i % 2 else None for i, x in enumerate(REAL.tolist())]),
    "slices": lambda: informed.slices(GROUPS),
    "abstention": lambda: abstention(SILENT),
    "risk and coverage": lambda: risk_coverage(real=REAL, predicted=A, score=RNG.random(90)),
    "curve": lambda: CURVE,
    "hull": CURVE.hull,
    "choice": lambda: informed.threshold(CURVE, n_draws=50),
    "reject": lambda: chow(CURVE, cost="1:1", abstain=0.2),
    "reject curve": lambda: reject_curve(CURVE),
    "cost curve": lambda: costs.cost_curve(CURVE),
    "decision curve": lambda: costs.decision_curve(CURVE),
    "expected cost": lambda: costs.expected_cost(T, "5:1"),
    "odds": lambda: informed.odds(T),
    "payoffs": lambda: informed.payoffs(T),
    "assignment": lambda: informed.assign(informed.Table.from_counts([[9, 1], [2, 8]])),
    "recovered": lambda: informed.recover(n=100, recall="0.82", precision="0.74"),
    "report": lambda: informed.report(T),
}


@pytest.mark.parametrize("name", RESULTS)
def test_has_rows_and_named_columns(name: str) -> None:
    found = RESULTS[name]().to_frame()
    assert len(found) > 0
    assert len(found.columns) > 1
    assert all(isinstance(column, str) for column in found.columns)


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"table"}))
def test_says_in_words_what_it_holds(name: str) -> None:
    found = RESULTS[name]()
    assert escape(found.document().title) in found.write("html")
    assert str(found).strip()


def test_a_cost_is_no_name() -> None:
    """`system` names the system of trainings, and is what a system costs."""
    assert costs.expected_cost(T, "5:1").document().labels == ()


def test_holds_the_numbers() -> None:
    choice = informed.threshold(CURVE, n_draws=50)
    rows = choice.to_frame().set_index("measure")
    assert rows.loc["informedness", "corrected"] == choice["informedness"].corrected
    judged = informed.judge(T, 0.3, 100, design="elsewhere")
    [row] = judged.to_frame().to_dict("records")
    assert (row["estimate"], row["informedness_low"]) == (judged.estimate, judged.informedness.low)
    fitting = informed.recover(n=100, recall="0.82", precision="0.74")
    rows = fitting.to_frame()
    assert (rows[["tp", "fp", "fn", "tn"]].sum(axis=1) == 100).all()
    assert rows["informedness"].min() == pytest.approx(fitting.low)
