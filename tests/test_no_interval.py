"""Measures of which no interval is known to cover are shown without limits, tests and gates on limits, everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import informed
import informed.sklearn
from informed import InformedError, Table
from informed.inference.heterogeneity import heterogeneity
from informed.inference.interval_methods import why_none
from informed.inference.intervals import intervals
from informed.measures import MEASURES, find
from informed.summary.checks import check
from informed.summary.gates import regression

WITHOUT = (
    "purity", "no_information_rate", "lambda_real", "lambda_predicted", "lambda_symmetric", "rand_index",
    "adjusted_rand_index", "fowlkes_mallows_pairs", "adjusted_mutual_information",
)  # fmt: skip
ENTROPIES = (
    "entropy_real", "entropy_predicted", "joint_entropy", "conditional_entropy", "conditional_entropy_predicted",
    "perplexity", "evenness_plus", "evenness_minus", "evenness_harmonic", "evenness_det", "evenness_factor",
)  # fmt: skip
OF_MORE = (  # whose interval covers with two classes alone
    "mutual_information", "uncertainty", "uncertainty_predicted", "normalized_mutual_information", "cramers_v",
    "tschuprows_t", "contingency_coefficient",
)  # fmt: skip
RNG = np.random.default_rng(1)
REAL = RNG.integers(0, 4, 120)
A, B = (np.where(RNG.random(120) < share, REAL, RNG.integers(0, 4, 120)) for share in (0.6, 0.5))
GROUP = RNG.integers(0, 3, 120)
ONE, OTHER = (Table.from_labels(real=REAL, predicted=x) for x in (A, B))
UNKNOWN = "is known to cover"


def codes(found: Any) -> list[str]:
    return [note.code for note in found.notes]


def test_these_measures_have_no_interval_and_all_others_have() -> None:
    assert {m.name for m in MEASURES.values() if why_none(m, 3)} == {*WITHOUT, *ENTROPIES, *OF_MORE}
    assert {m.name for m in MEASURES.values() if why_none(m, 2)} == {*WITHOUT, *ENTROPIES}
    known = {name for name, m in MEASURES.items() if m.facts.covered is not None}
    assert known == {*WITHOUT, *ENTROPIES, *OF_MORE}


def test_what_they_say_was_measured() -> None:
    data = json.loads((Path(__file__).parents[1] / "docs" / "data" / "default_coverage.json").read_text("utf-8"))
    rows = [row for part in ("without", "entropies") for row in data[part]["rows"]]
    least = {row["measure"].strip("`"): row["least"] for row in rows}
    assert {name: MEASURES[name].facts.covered for name in least} == {x: round(y, 2) for x, y in least.items()}
    assert {*least} == {*WITHOUT, *ENTROPIES, *OF_MORE}
    assert max(least.values()) < 0.93
    assert min(row["least, 2 classes"] for row in rows if row["measure"].strip("`") in OF_MORE) > 0.91


@pytest.mark.parametrize("name", [*ENTROPIES, *OF_MORE])
def test_entropies_have_no_limits_where_they_do_not_cover(name: str) -> None:
    """Near its largest value the estimate is always too small; with two classes, shares of information are measured."""
    found = informed.interval(ONE, name)
    assert found.estimate == find(name)(ONE)
    assert np.isnan(found.low)
    assert (found.method, codes(found)) == ("none", ["no-known-coverage"])
    assert "Its 95% intervals covered as little as" in str(found.notes[0])
    asked = informed.interval(ONE, name, method="arc")
    assert asked.low < asked.high
    two = informed.interval(Table.from_counts([[40, 5], [6, 44]]), name)
    assert np.isfinite(two.low) == (name in OF_MORE)


@pytest.mark.parametrize("name", WITHOUT)
def test_there_are_no_limits(name: str) -> None:
    found = informed.interval(ONE, name)
    assert found.estimate == find(name)(ONE)
    assert np.isnan(found.low)
    assert np.isnan(found.high)
    assert (found.method, codes(found)) == ("none", ["no-known-coverage"])
    assert UNKNOWN in found.sentence()
    held = found.to_dict()
    assert held["low"] is None
    assert UNKNOWN in str(held["notes"])
    with pytest.raises(InformedError, match=UNKNOWN):
        informed.test(ONE, name, against=0.5)
    together = intervals(ONE, [find("informedness"), find(name)])
    assert not np.isnan(together[0].low)  # type: ignore[union-attr]  # no error
    described = informed.interval(ONE, name, method="bootstrap-centred", n_draws=200)
    assert described.low < described.high
    assert "no-slopes" in codes(described)


def test_reports_and_gates_show_the_estimate_alone() -> None:
    made = informed.report(ONE, measures=["purity", "adjusted_rand_index"])
    row = made["purity"]
    assert (row.value, row.method) == (find("purity")(ONE), "")
    assert np.isnan(row.low)
    text = made.text(full=True)
    assert "No confidence interval of purity is known to cover" in " ".join(text.split())
    assert "No confidence interval of purity is known to cover" in " ".join(made.text().split())  # on the first screen
    assert "is known to cover" not in informed.report(ONE).text()
    many = " ".join(informed.report(ONE, measures=[*ENTROPIES]).text().split())
    assert f"No confidence interval of {len(ENTROPIES)} of these measures is known to cover." in many
    assert UNKNOWN in made.write("json")
    assert check(made, ["purity=0.5"])[0].passed
    for bar in ("purity.low=0.5", "purity.high=0.9", "purity.greater=0.5"):
        with pytest.raises(InformedError, match=UNKNOWN):
            check(made, [bar])
        with pytest.raises(InformedError, match=UNKNOWN):
            check(ONE, [bar])
    with pytest.raises(InformedError, match=UNKNOWN):
        regression(made, made, measures=["purity"])
    gate = informed.decide(made, 0.5, measure="purity")
    assert (gate.verdict, gate.passed) == ("undecided", False)
    assert UNKNOWN in gate.sentence


def test_two_systems_are_not_told_apart_by_them() -> None:
    for compared in (informed.compare(ONE, OTHER), informed.compare.paired(real=REAL, a=A, b=B)):
        found = compared["purity"]
        assert found.estimate == pytest.approx(found.a - found.b)
        assert np.isnan([found.low, found.high, found.pvalue, found.standard_error]).all()
        assert UNKNOWN in found.sentence()
        with pytest.raises(InformedError, match=UNKNOWN):
            compared.noninferiority("purity", margin=0.1)
        with pytest.raises(InformedError, match=UNKNOWN):
            compared.pvalue("purity")


def test_a_leaderboard_orders_by_the_numbers_and_says_so() -> None:
    board = informed.leaderboard(real=REAL, predictions={"a": A, "b": B}, measure="purity", baseline="a")
    assert np.isnan([board.low, board.high, board.standard_error]).all()
    assert np.isnan([board.pairs.low, board.pairs.pvalue, board.pairs.adjusted]).all()
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([1, 1], [2, 2])
    assert board.leaders == ("a", "b")
    assert "no-known-coverage" in codes(board)
    assert UNKNOWN in " ".join(board.text().split())


def test_slices_and_groups_have_neither_limits_nor_a_test() -> None:
    stack = Table.from_labels(real=REAL, predicted=A, by=GROUP)
    found = informed.slices(stack, measure="purity")
    assert not np.isnan(found.estimate).any()
    assert np.isnan([found.low, found.standard_error]).all()
    assert np.isnan(found.stratified_low).all()
    assert np.isnan(found.heterogeneity.pvalue).all()
    assert UNKNOWN in " ".join(found.text().split())
    together = heterogeneity(stack, "purity")
    assert not np.isnan(together.estimate)
    assert np.isnan([together.low, together.pvalue]).all()


def test_no_cases_are_planned_for_them() -> None:
    with pytest.raises(InformedError, match=UNKNOWN):
        informed.sample_size(0.8, measure="purity", goal=0.5)
    with pytest.raises(InformedError, match=UNKNOWN):
        informed.sample_size(0.8, measure="purity", width=0.1)


def test_scores_of_scikit_learn_have_no_limits() -> None:
    model = DummyClassifier(strategy="stratified", random_state=0).fit(np.zeros((120, 1)), REAL)
    found = informed.sklearn.multimetric(["informedness", "purity"])(model, np.zeros((120, 1)), REAL)
    assert np.isnan(found["purity_low"])
    assert not np.isnan([found["purity"], found["informedness_low"]]).any()
