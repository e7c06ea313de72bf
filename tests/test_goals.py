"""Cases that show a measure to be above a goal: against R, against published sizes, by enumeration and by draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import informed
from command_line import ok, refused
from informed import InformedError, Table
from informed.evidence.cells import mixture
from informed.inference.planned_goals import Goal
from informed.inference.possible_tables import chance_of, drawn, every_two_by_two, tables

R = json.loads(Path("tests/oracles/s01_sizes.json").read_text(encoding="utf-8"))
WIDTHS = R["epi.ssdxsesp type, share, prevalence, n for +-0.05"]
POWERS = R["mid-p power side, n, goal, truth, alpha, power"]


def size(value: Any, **how: Any) -> float:
    return float(informed.sample_size(value, **how).n)


# ---------------------------------------------------------------------- shares


@pytest.mark.parametrize(("side", "n", "goal", "truth", "alpha", "power"), POWERS)
def test_power_of_a_share_is_that_of_r(
    side: Any, n: int, goal: float, truth: float, alpha: float, power: float
) -> None:
    asked: dict[str, Any] = {"goal": goal, "level": 1 - alpha, "alternative": side}
    for m in ("recall", "inverse_recall", "precision", "accuracy"):
        found = informed.power(n, truth, measure=m, **asked)
        assert found.method == "exact"
        assert_allclose(found.power, power, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("kind", "share", "prevalence", "n"), WIDTHS)
def test_widths_are_near_those_of_epir(kind: str, share: float, prevalence: float, n: int) -> None:
    """epiR's are Wald's, which are too narrow near 1."""
    measure = {"se": "sensitivity", "sp": "specificity"}[kind]
    found = size(share, measure=measure, width=0.1, prevalence=prevalence)
    assert n - 15 < found < 1.05 * n + 15


def test_the_power_of_a_share_is_that_of_the_test() -> None:
    """Every table of 40 cases: what a report would say, weighed."""
    right = np.arange(41.0)
    stack = tables(np.array([[right, 0 * right], [40 - right, 0 * right]]))
    p = np.asarray(informed.test(stack, "recall", against=0.8, alternative="greater").pvalue)
    for truth in (0.8, 0.9, 0.99):
        wanted = stats.binom.pmf(right, 40, truth)[p < 0.05].sum()
        asked: dict[str, Any] = {"measure": "recall", "goal": 0.8, "alternative": "greater"}
        if truth > 0.8:
            assert_allclose(informed.power(40, truth, **asked).power, wanted, atol=1e-12)
        else:  # its size
            goal = Goal.checked("recall", truth, 0.8, None, alternative="greater")
            assert_allclose(goal.power(40, "exact"), wanted, atol=1e-12)


def test_where_the_class_is_a_random_part_of_the_cases() -> None:
    """The mean over how many there are."""
    asked: dict[str, Any] = {"measure": "recall", "goal": 0.8, "alternative": "greater"}
    of = np.arange(1, 61)
    each = np.array([informed.power(max(n, 2), 0.95, **asked).power for n in of.tolist()])
    each[0] = 0.0  # a single one shows nothing
    wanted = stats.binom.pmf(of, 60, 0.3) @ each
    assert_allclose(informed.power(60, 0.95, prevalence=0.3, **asked).power, wanted, atol=1e-9)
    flipped = informed.power(60, 0.95, prevalence=0.7, **{**asked, "measure": "specificity"})
    assert_allclose(flipped.power, wanted, atol=1e-9)


@pytest.mark.parametrize(("goal", "truth", "level"), [(0.9, 0.95, 0.95), (0.7, 0.85, 0.99), (0.5, 0.9, 0.95)])
def test_the_size_is_the_last_that_falls_short_and_one(goal: float, truth: float, level: float) -> None:
    asked: dict[str, Any] = {"measure": "recall", "goal": goal, "level": level}
    n = size(truth, **asked)
    power = np.asarray(informed.power(np.arange(2, 3 * n), truth, **asked).power)
    assert power[int(n) - 3] < 0.8
    assert (power[int(n) - 2 :] >= 0.8).all()


def test_detectable_is_the_other_way_round() -> None:
    asked: dict[str, Any] = {"measure": "recall", "goal": 0.9, "alternative": "greater"}
    least = informed.detectable(150, **asked)
    assert_allclose(informed.power(150, float(least.value), **asked).power, 0.8, atol=1e-6)
    few = informed.detectable([10, 150], **asked)
    assert np.isnan(few.value[0])
    assert [x.code for x in few.notes] == ["unseen"]
    assert_allclose(few.value[1], least.value)
    some = informed.detectable(200, goal=0.7)
    assert_allclose(informed.power(200, float(some.informedness), goal=0.7).power, 0.8, atol=1e-6)


# ---------------------------------------------------------------------- informedness and kappa


@pytest.mark.parametrize(("truth", "goal", "side", "n"), [(0.7, 0.85, "less", 96), (0.7, 0.4, "two-sided", 64)])
def test_kappa_is_that_of_cantor(truth: float, goal: float, side: Any, n: int) -> None:
    """R's irr 0.84.1: N.cohen.kappa(0.5, 0.5, 0.7, 0.85) is 96, as its own page prints; two-sided, .7 and .4 are 64."""
    assert size(truth, measure="cohen_kappa", goal=goal, alternative=side) == n


@pytest.mark.parametrize("prevalence", [0.5, 0.2])
def test_kappa_by_its_formula(prevalence: float) -> None:
    """Fleiss, Cohen and Everitt's variance of two raters with the same margins, as Cantor writes it."""

    def variance(kappa: float) -> float:
        p = np.array([prevalence, 1 - prevalence])
        cells = kappa * np.diag(p) + (1 - kappa) * np.outer(p, p)
        chance, agreed = float((p * p).sum()), float(np.trace(cells))
        right = (np.diag(cells) * ((1 - chance) - 2 * p * (1 - agreed)) ** 2).sum()
        wrong = (1 - agreed) ** 2 * 2 * cells[0, 1] * 1.0
        return float((right + wrong - (agreed * chance - 2 * chance + agreed) ** 2) / (1 - chance) ** 4)

    z = stats.norm.ppf([0.975, 0.8])
    wanted = (z @ np.sqrt([variance(0.4), variance(0.7)]) / 0.3) ** 2
    assert size(0.7, measure="cohen_kappa", goal=0.4, prevalence=prevalence) == np.ceil(wanted)


def test_informedness_by_its_formula() -> None:
    """The variance of a difference of two shares, whose cases are those of each class."""
    se, sp, prevalence = 0.92, 0.88, 0.3
    j, guess = se + sp - 1, (1 - sp) / (2 - se - sp)

    def variance(b: float) -> float:
        hit, alarm = b + (1 - b) * guess, (1 - b) * guess
        return hit * (1 - hit) / prevalence + alarm * (1 - alarm) / (1 - prevalence)

    z = stats.norm.ppf([0.95, 0.9])
    wanted = (z @ np.sqrt([variance(0.7), variance(j)]) / (j - 0.7)) ** 2
    asked: dict[str, Any] = {"prevalence": prevalence, "guess": guess, "alternative": "greater", "power": 0.9}
    assert size(j, goal=0.7, **asked) == np.ceil(wanted)


@pytest.mark.parametrize(("name", "truth", "goal"), [("informedness", 0.8, 0.5), ("cohen_kappa", 0.7, 0.3)])
def test_small_samples_weighed_table_by_table(name: str, truth: float, goal: float) -> None:
    cells = every_two_by_two(30)
    p = np.asarray(informed.test(tables(cells), name, against=goal, alternative="greater").pvalue)
    even = np.array([0.5, 0.5])
    wanted = chance_of(cells, mixture(truth, even, even))[p < 0.05].sum()
    for method, far in (("auto", 0.03), ("analytic", 0.04)):
        how: Any = {"measure": name, "goal": goal, "alternative": "greater", "prevalence": 0.5, "method": method}
        found = informed.power(30, truth, **how)
        assert found.method == ("simulation" if method == "auto" else "analytic")
        assert abs(found.power - wanted) < far


@pytest.mark.parametrize("level", [0.95, 0.99])
def test_the_test_shows_what_was_planned(level: float) -> None:
    plan = informed.sample_size(0.8, goal=0.6, prevalence=0.3, level=level, alternative="greater")
    real = np.array([0.3, 0.7])
    for truth, wanted, most in ((0.8, 0.8, 0.03), (0.6, 1 - level, 0.4 * (1 - level))):
        stack = tables(drawn(np.random.default_rng(3), int(plan.n), mixture(truth, real, real), 1000))
        p = np.asarray(informed.test(stack, against=0.6, alternative="greater").pvalue)
        error = 4 * np.sqrt(wanted * (1 - wanted) / 1000)
        assert abs((p < 1 - level).mean() - wanted) < error + most


def test_simulation_gives_its_error() -> None:
    found = informed.power(60, 0.8, goal=0.5, method="simulation", n_draws=500)
    assert found.power_low is not None
    assert found.power_high is not None
    assert found.power_low < found.power < found.power_high
    near = informed.power(60, 0.8, goal=0.5)
    assert found.power_low - 0.03 < near.power < found.power_high + 0.03
    share = informed.power(60, 0.95, measure="recall", goal=0.8, method="simulation", n_draws=4000)
    exact = informed.power(60, 0.95, measure="recall", goal=0.8)
    assert share.power_low is not None
    assert share.power_high is not None
    assert share.power_low < exact.power < share.power_high


def test_the_goal_of_chance_is_chance() -> None:
    assert size(0.3, goal=0) == size(0.3)
    assert informed.sample_size(0.3, goal=0.0).method == "exact"


def test_widths_of_other_measures() -> None:
    plan = informed.sample_size(0.7, measure="cohen_kappa", width=0.2)
    even = np.array([0.5, 0.5])
    seen = Table.from_counts(plan.n * mixture(0.7, even, even))
    assert informed.interval(seen, "cohen_kappa").width <= 0.2
    fewer = Table.from_counts((plan.n - 1) * mixture(0.7, even, even))
    assert informed.interval(fewer, "cohen_kappa").width > 0.2
    assert np.isnan(plan.power)
    assert "power" not in plan.sentence()


def test_a_likelihood_ratio_is_planned_on_the_log_scale() -> None:
    n = size(4, measure="LR+", goal=2, prevalence=0.5)
    assert n < size(3, measure="LR+", goal=2, prevalence=0.5)
    assert informed.power(n, 4, measure="LR+", goal=2, prevalence=0.5).power >= 0.8


# ---------------------------------------------------------------------- units, records, errors


def test_a_negative_likelihood_ratio_falls_with_what_is_known() -> None:
    plan = informed.sample_size(0.2, measure="nlr", goal=0.3, alternative="less")
    assert plan.power == pytest.approx(0.8, abs=0.003)
    how: dict[str, Any] = {"measure": "nlr", "goal": 0.3, "alternative": "less"}
    seen = informed.power(int(plan.n), 0.2, **how, method="simulation", n_draws=2000, rng=1)
    assert seen.power_low < plan.power < seen.power_high


@pytest.mark.parametrize(("value", "goal", "side"), [(1.0, 0.01, "greater"), (0.0, 0.99, "less")])
def test_one_case_may_show_what_is_certain(value: float, goal: float, side: Any) -> None:
    plan = informed.sample_size(value, measure="recall", goal=goal, alternative=side)
    assert (plan.n, plan.power) == (2, 1)  # no plan is for one


def test_in_units() -> None:
    alone = informed.sample_size(0.95, measure="recall", goal=0.9, alternative="greater")
    asked: dict[str, Any] = {"measure": "recall", "goal": 0.9, "alternative": "greater", "unit_size": 4, "icc": 0.3}
    plan = informed.sample_size(0.95, **asked)
    assert plan.units is not None
    assert plan.units >= np.ceil(alone.n * 1.9 / 4)
    assert plan.units <= 1.05 * alone.n * 1.9 / 4 + 2
    assert informed.power(float(plan.units) * 4, 0.95, **asked).power >= 0.8


def test_with_a_table_like_those_to_come() -> None:
    rng = np.random.default_rng(4)
    patient = np.repeat(np.arange(100), 3)
    real = np.repeat(rng.integers(0, 2, 100), 3)
    said = np.where(np.repeat(rng.random(100), 3) < 0.7, real, rng.integers(0, 2, 300))
    like = Table.from_labels(real=real, predicted=said, unit=patient, positive=1)
    plan = informed.sample_size(0.9, measure="recall", goal=0.8, like=like)
    alone = informed.sample_size(0.9, measure="recall", goal=0.8, prevalence=float(np.mean(real)))
    worth = like.design_effect("recall")
    assert plan.n >= alone.n * worth * 0.99


def test_records_say_what_was_planned() -> None:
    held = informed.sample_size(0.95, measure="sensitivity", goal=0.9).to_dict()
    assert (held["measure"], held["value"], held["against"], held["counted"]) == ("recall", 0.95, 0.9, "real positives")
    assert "informedness" not in held
    of_j = informed.sample_size(0.8, goal=0.7).to_dict()
    assert (of_j["informedness"], of_j["against"]) == (0.8, 0.7)
    assert "value" not in of_j


@pytest.mark.parametrize(
    ("value", "how", "said"),
    [
        (0.95, {"measure": "recall"}, "to be told from"),
        (0.95, {"measure": "recall", "goal": 1.5}, "between 0 and 1"),
        (1.95, {"measure": "recall", "goal": 0.5}, "between 0 and 1"),
        (0.8, {"measure": "recall", "goal": 0.9, "alternative": "greater"}, "cannot be shown"),
        (0.8, {"goal": 0.8}, "cannot be told"),
        (0.8, {"goal": 0.7, "against": 0.6}, "one system"),
        (0.8, {"goal": 0.7, "method": "exact"}, "shares such as recall"),
        (0.9, {"measure": "precision", "goal": 0.8, "prevalence": 0.3}, "predicted positives"),
        (0.9, {"measure": "recall", "goal": 0.8, "k": 3}, "two classes"),
        (0.9, {"measure": "recall", "width": 3}, "between 0 and 1"),
        (0.8, {"goal": -0.5}, "lies between"),
        ("x", {"measure": "recall", "goal": 0.8}, "must be a number"),
    ],
)
def test_errors(value: Any, how: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        informed.sample_size(value, **how)


def test_on_the_command_line() -> None:
    asked = ("sample-size", "0.95", "--measure", "sensitivity", "--goal", "0.9", "--alternative", "greater")
    assert "186 cases with the disease: sensitivity 0.95 shown to be above 0.9" in ok(*asked, "--terms", "clinical")
    assert "186 real positives: recall 0.95" in ok(*asked)
    assert "870 cases" in ok(*asked, "--prevalence", "0.2")
    assert "139 real negatives" in ok("sample-size", "0.9", "--measure", "specificity", "--width", "0.1")
    assert "smallest recall" in ok("sample-size", "--measure", "sensitivity", "--goal", "0.9", "--n", "100,200")
    assert "Give --goal" in refused("sample-size", "--measure", "sensitivity", "--n", "100")
    assert "Give it first" in refused("sample-size", "--goal", "0.7")


def test_the_power_of_a_goal_needs_no_more_than_the_goal() -> None:
    """A truth that only meets it is found at the error rate, and one below it less often."""
    with pytest.raises(InformedError, match="cannot be shown"):
        informed.power(100, 0.6, goal=0.7, alternative="greater")
    found = informed.power(100, 0.6, goal=0.7)
    assert 0.05 < found.power < 1


def test_the_positive_class_of_a_table_counts_wherever_it_stands() -> None:
    counts = np.array([[90, 3], [10, 27]])
    first = Table.from_counts(counts[::-1, ::-1], labels=["ill", "well"], positive="ill", rows="predicted")
    last = Table.from_counts(counts, labels=["well", "ill"], positive="ill", rows="predicted")
    asked: dict[str, Any] = {"measure": "recall", "goal": 0.7}
    wanted = informed.power(130, 0.9, prevalence=30 / 130, **asked).power
    for t in (first, last):
        assert_allclose(informed.power(t, 0.9, **asked).power, wanted)


def test_an_average_over_classes_counts_all_cases() -> None:
    plan = informed.sample_size(0.9, measure="recall(average='macro')", width=0.1)
    assert (plan.counted, plan.method) == ("cases", "analytic")
    several = informed.power([50, 100], 0.95, measure="recall", goal=0.9)
    assert several.sentence() == "recall 0.95 told from 0.9, by 2 numbers of real positives (exact)"
