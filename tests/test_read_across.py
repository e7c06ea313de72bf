"""What was found when the whole house was read across: each was silent, and wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok
from informed import Table
from informed.errors import InformedError
from informed.simulation import simulate
from informed.summary.checks import check
from informed.testing import assert_informed

TWO = Table.from_counts([[80, 10], [20, 90]])
THREE = Table.from_counts([[50, 3, 2], [4, 45, 6], [1, 7, 32]], labels=["a", "b", "c"])


@pytest.mark.parametrize(
    "t", [TWO.at_prevalence(0.1).inverse, TWO.at_prevalence(0.1).with_positive("−"), TWO.at_prevalence(0.3)]
)
def test_the_interval_at_another_prevalence_is_around_the_value(t: Table) -> None:
    for measure in ("precision", "recall", "accuracy", "informedness"):
        assert informed.interval(t, measure).estimate == pytest.approx(informed.find(measure)(t))


def test_another_order_moves_the_sample_too() -> None:
    t = THREE.at_prevalence([0.6, 0.3, 0.1]).with_order(["c", "b", "a"])
    for measure in ("informedness", "accuracy"):
        assert informed.interval(t, measure).estimate == pytest.approx(informed.find(measure)(t))


def test_a_dual_at_another_prevalence_has_no_interval() -> None:
    with pytest.raises(InformedError, match="not observed"):
        informed.interval(TWO.at_prevalence(0.1).dual, "recall")


def test_batches_with_other_positive_classes_add_up_to_three_classes() -> None:
    a = Table.from_labels(real=["positive", "neutral"], predicted=["positive", "neutral"])
    b = Table.from_labels(real=["possible", "neutral"], predicted=["neutral", "neutral"])
    assert (a + b).positive is None
    assert (a + b).n == 4


def test_what_is_not_inferior_depends_on_what_is_better() -> None:
    worse, better = Table.from_counts([[80, 50], [20, 50]]), Table.from_counts([[80, 6], [20, 94]])
    found = informed.compare(worse, better)
    assert not found.noninferiority("fallout", margin=0.05).shown
    assert not found.noninferiority("inverse_recall", margin=0.05).shown
    assert informed.compare(better, worse).noninferiority("fallout", margin=0.05).shown


def test_a_swap_test_of_what_is_undefined_is_undefined() -> None:
    real, a = [0, 1] * 5, [0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    found = informed.compare.paired(real=real, a=a, b=[1] * 10, method="swap")["markedness"]
    assert np.isnan(found.estimate)
    assert np.isnan(found.pvalue)


def test_an_area_over_something_else_is_refused() -> None:
    curve = informed.roc(real=[1, 0, 1, 0, 1], score=[0.9, 0.2, 0.8, 0.5, 0.4], positive=1)
    with pytest.raises(InformedError, match="`over` is 'tpr'"):
        curve.partial_auc(0.2, over="tpr")


def test_shares_and_counts_that_a_judge_gave() -> None:
    t = Table.from_counts([[90, 15], [10, 85]])
    assert informed.judge(t, [0.6, 0.4], design="elsewhere").high == informed.judge(t, 0.6, design="elsewhere").high
    assert (
        informed.judge(t, [600, 400], design="elsewhere").high == informed.judge(t, 0.6, 1000, design="elsewhere").high
    )


def test_a_corrected_share_lies_within_its_limits() -> None:
    t = Table.from_counts([[800, 10, 10], [50, 30, 10], [50, 10, 30]])
    found = informed.judge(t, [7500, 2500, 0], design="elsewhere")
    assert np.all((np.asarray(found.low) <= found.estimate) & (found.estimate <= np.asarray(found.high)))


@pytest.mark.parametrize("also", [{"atleast": 0.99}, {"real": [1, 0]}])
def test_an_assertion_of_a_table_takes_nothing_of_labels(also: dict[str, Any]) -> None:
    with pytest.raises(InformedError, match="counted already"):
        assert_informed(TWO, **also)


def test_a_gate_has_the_limits_of_its_report() -> None:
    rng = np.random.default_rng(3)
    skill = np.repeat(rng.random(12), 20)
    real = rng.integers(0, 2, 240)
    said = np.where(rng.random(240) < skill, real, 1 - real)
    t = Table.from_labels(real=real, predicted=said, unit=np.repeat(np.arange(12), 20))
    made = informed.report(t)
    (gate,) = check(made, ["informedness.low=0.0"])
    assert gate.seen == made["informedness"].low


def test_a_gate_of_one_class_among_three_is_refused() -> None:
    with pytest.raises(InformedError, match="recall"):
        check(THREE, ["recall.low=0.1"])


def test_an_interval_in_a_simulation_keeps_its_parameters() -> None:
    found = simulate(replicates=40, levels=(0.5,), k=2, n=50, intervals=("f_beta(beta=2):arc",))
    assert "f_beta(beta=2)" in found.json()


def test_a_search_reaches_json() -> None:
    assert len(ok("measures", "--search", "youden", "--format", "json")) < len(ok("measures", "--format", "json")) / 5


def test_weights_worth_one_case_have_a_report() -> None:
    t = Table.from_labels(real=[0, 1, 0, 1], predicted=[0, 1, 1, 1], weights=[1000, 1, 1, 1])
    found = informed.report(t)["informedness"]
    assert found.low < 0.1
    assert found.high == 1
