"""A measure against a value: the interval inverted, its law at every level, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import informed
from informed import InformedError, Table
from informed.inference.possible_tables import chance_of, every_two_by_two, tables

LEVELS = (0.1, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
TWO = Table.from_counts([[56, 20], [12, 12]])
STACK = Table.from_counts(
    [[[56, 20], [12, 12]], [[30, 3], [4, 40]], [[5, 5], [5, 5]], [[9, 0], [0, 9]], [[9, 5], [0, 0]], [[0, 7], [8, 0]]]
)
THREE = Table.from_counts([[20, 3, 2], [4, 25, 6], [1, 7, 32]])
MEASURES = [
    ("informedness", 0.3),
    ("informedness", -0.2),
    ("markedness", 0.3),
    ("matthews", 0.5),
    ("cohen_kappa", 0.4),
    ("accuracy", 0.6),
    ("recall", 0.7),
    ("fallout", 0.3),
    ("precision", 0.8),
    ("f1", 0.7),
    ("positive_likelihood_ratio", 2.0),
    ("odds_ratio", 3.0),
    ("cramers_v", 0.3),
    ("miss_rate", 0.2),
]


def excluded(t: Table, measure: str, value: float, level: float, **how: Any) -> Any:
    found = informed.interval(t, measure, level=level, **how)
    return (np.asarray(found.low) > value) | (np.asarray(found.high) < value)


@pytest.mark.parametrize(("measure", "value"), MEASURES)
def test_p_is_small_exactly_where_the_interval_excludes(measure: str, value: float) -> None:
    p = np.asarray(informed.test(STACK, measure, against=value).pvalue)
    for level in LEVELS:
        assert np.array_equal(excluded(STACK, measure, value, level), p < 1 - level)


@pytest.mark.parametrize(
    "method", ["plus-four", "wald", "miettinen-nurminen", "newcombe", "arc", "bootstrap-percentile"]
)
def test_the_law_holds_for_every_way_to_an_interval(method: str) -> None:
    p = np.asarray(informed.test(STACK, against=0.4, method=method, n_draws=999).pvalue)
    for level in LEVELS[:-1]:
        assert np.array_equal(excluded(STACK, "informedness", 0.4, level, method=method, n_draws=999), p < 1 - level)


def test_the_law_holds_for_random_tables_and_values() -> None:
    rng = np.random.default_rng(4)
    for k in (2, 3):
        stack = Table.from_counts(rng.multinomial(60, rng.dirichlet(np.ones(k * k) / 2), 200).reshape(200, k, k))
        for value in rng.uniform(-0.5, 1, 4):
            p = np.asarray(informed.test(stack, against=float(value)).pvalue)
            for level in rng.uniform(0.5, 0.999, 3):
                assert np.array_equal(excluded(stack, "informedness", value, level), p < 1 - level)


def test_sides_add_up_and_a_stack_is_its_tables() -> None:
    both, up, down = (
        np.asarray(informed.test(STACK, against=0.4, alternative=x).pvalue) for x in ("two-sided", "greater", "less")
    )
    assert_allclose(up + down, 1.0, atol=1e-12)
    assert_allclose(both, np.minimum(1, 2 * np.minimum(up, down)), atol=1e-12)
    each = [informed.test(STACK[i], against=0.4, alternative="greater").pvalue for i in range(6)]
    assert_allclose(up, each, rtol=1e-9)
    assert up[1] < 0.01  # informedness 0.82
    assert down[2] < 0.05  # and 0


def test_at_the_chance_level_it_is_the_default_test() -> None:
    for measure in ("informedness", "cohen_kappa", "matthews"):
        assert informed.test(TWO, measure, against=0).pvalue == informed.test(TWO, measure).pvalue
    assert informed.test(TWO, against=0.0, alternative="greater").method == informed.test(TWO).method
    assert informed.test(TWO, "accuracy", against=0).method == "mid-p"  # its chance is no number
    assert informed.test(TWO, against=0.1).against == 0.1
    at, near = (informed.test(TWO, against=x, method="arc") for x in (0, 1e-9))
    assert (at.method, at.against) == ("arc", 0)
    assert at.pvalue == pytest.approx(near.pvalue, rel=1e-6)
    sure = Table.from_counts([[500, 1], [1, 500]])
    for alternative in ("two-sided", "greater"):
        floored = informed.test(sure, against=0.1, alternative=alternative)
        said = next(str(x) for x in floored.notes if x.code == "smallest-number")
        assert f"below {floored.pvalue:.2g} is shown" in said


def test_of_a_proportion_it_is_the_midp_binomial_test() -> None:
    """Oracle: scipy's binomial distribution, half of what was seen."""
    for right, n, value in ((56, 68, 0.7), (3, 30, 0.02), (30, 30, 0.9), (0, 12, 0.3)):
        t = Table.from_counts([[right, 4], [n - right, 9]], labels=["y", "n"], positive="y")
        law = stats.binom(n, value)
        upper, lower = law.sf(right) + law.pmf(right) / 2, law.cdf(right) - law.pmf(right) / 2
        assert informed.test(t, "recall", against=value, alternative="greater").pvalue == pytest.approx(upper, rel=1e-6)
        assert informed.test(t, "recall", against=value).pvalue == pytest.approx(2 * min(upper, lower), rel=1e-6)


def test_of_a_difference_it_is_the_score_test() -> None:
    """By Miettinen and Nurminen's statistic itself."""
    from informed.inference.two_proportions import score_statistic

    z = score_statistic(56.0, 68.0, 20.0, 32.0, 0.05)
    found = informed.test(TWO, against=0.05, method="miettinen-nurminen")
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(float(z))), rel=1e-8)
    assert found.statistic == pytest.approx(float(z), rel=1e-8)


def test_as_many_tables_are_drawn_as_for_the_interval() -> None:
    t = Table.from_counts([[45, 6], [5, 44]])
    how: dict[str, Any] = {"method": "bootstrap-centred"}
    low = float(informed.interval(t, "fowlkes_mallows_pairs", **how).low)
    assert informed.test(t, "fowlkes_mallows_pairs", against=low - 2e-5, **how).pvalue < 0.05
    assert informed.test(t, "fowlkes_mallows_pairs", against=low + 2e-5, **how).pvalue > 0.05


def test_bias_is_a_measure_where_it_is_tested_against_a_value() -> None:
    found = informed.test(TWO, "bias", against=0.6)
    assert found.hypothesis == "bias is 0.6"
    for level in LEVELS:
        assert bool(excluded(TWO, "bias", 0.6, level)) == (found.pvalue < 1 - level)


def test_its_size_is_near_its_level() -> None:
    """Every table of 20 cases weighed, at truths where informedness is what it is tested against."""
    cells = every_two_by_two(20)
    for value in (0.3, 0.6):
        stack = tables(cells)
        up = np.asarray(informed.test(stack, against=value, alternative="greater").pvalue)
        both = np.minimum(1, 2 * np.minimum(up, 1 - up))
        for prevalence, guess in ((0.5, 0.5), (0.3, 0.3), (0.3, 0.6)):
            real, said = np.array([prevalence, 1 - prevalence]), np.array([guess, 1 - guess])
            truth = value * np.diag(real) + (1 - value) * np.outer(said, real)
            weight = chance_of(cells, truth)
            assert weight[both <= 0.05].sum() < 0.06
            assert weight[both <= 0.01].sum() < 0.013
            assert weight[up <= 0.05].sum() < 0.07


def test_of_classes_units_and_weights() -> None:
    found = informed.test(THREE, "recall", against=0.7)
    assert np.shape(found.pvalue) == (3,)
    assert found.axes[0][0] == "class"
    weighted = Table.from_labels(
        real=["a", "b"] * 20, predicted=["a", "b", "a", "a"] * 10, weights=np.linspace(0.5, 2, 40).tolist()
    )
    p = informed.test(weighted, against=0.2).pvalue
    assert 0 < p < 1
    for level in LEVELS:
        assert bool(excluded(weighted, "informedness", 0.2, level)) == (p < 1 - level)


def test_the_calibration_is_that_of_its_side() -> None:
    for side in ("two-sided", "greater", "less"):
        how: dict[str, Any] = {"alternative": side}
        found = informed.test(TWO, against=0.1, **how)
        where = {"two-sided": "does not hold", "greater": "lies above", "less": "lies below"}[side]
        bound = "1 − level" if side == "two-sided" else "(1 − level)/2"
        assert found.calibration == (
            f"p is below {bound} exactly where the interval of that level {where} the value, and errs as rarely"
        )
    seen = informed.interval(TWO, "informedness", level=0.9)
    just_below = float(seen.low) - 1e-6
    assert informed.test(TWO, against=just_below, alternative="greater").pvalue == pytest.approx(0.05, abs=1e-4)


def test_what_can_be_no_smaller_is_said() -> None:
    found = informed.test(TWO, against=1.0)
    assert found.pvalue == 1e-12
    assert [note.code for note in found.notes][-1] == "smallest-number"
    assert "informedness is at least 1" in informed.test(TWO, against=1.0, alternative="less").hypothesis
    drawn = informed.test(THREE, "lambda_real", against=0.99, n_draws=500, method="bootstrap-centred")
    assert drawn.pvalue == pytest.approx(1 / 501)


def test_a_report_tests_against_values_by_groups() -> None:
    made = informed.report(STACK[:2], against=["informedness=0.4", "f1.less=0.95"])
    rows = {row.method: row for row in made.groups[1].tests}
    assert rows["informedness ≠ 0.4 (arc)"].pvalue == informed.test(STACK[1], against=0.4).pvalue
    assert rows["f1 < 0.95 (mid-p)"].null == "F1 is at least 0.95"
    again = informed.Report.from_json(made.json()).groups[1].tests
    assert [(x.method, x.pvalue) for x in again] == [(x.method, x.pvalue) for x in made.groups[1].tests]


@pytest.mark.parametrize(
    ("cells", "apart"), [([[10, 3], [7, 10]], True), ([[56, 20], [12, 12]], False), ([[5, 5], [5, 5]], False)]
)
def test_a_page_says_where_p_and_interval_disagree(cells: Any, apart: bool) -> None:
    made = informed.report(Table.from_counts(cells))
    b = made["informedness"]
    assert ((b.pvalue < 0.05) != (b.beyond_chance != 0)) == apart
    assert ("p and the interval disagree about chance (informedness" in made.text(full=True, width=10_000)) == apart


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: informed.test(TWO, against=1.3), "`against` is 1.3, and informedness lies between -1 and 1"),
        (lambda: informed.test(TWO, against=float("nan")), "`against` is nan"),
        (lambda: informed.test(TWO, "recall", against=-0.1), "lies between 0 and 1"),
        (lambda: informed.test(TWO, "independence", against=0.2), "value of a measure"),
        (lambda: informed.test(TWO, against=0.2, method="permutation-z"), "against chance"),
        (lambda: informed.test(TWO, against=0.2, method="mid-p"), "no interval for informedness"),
        (lambda: informed.test(TWO, against=0.2, method="score-exact"), "miettinen-nurminen"),
        (lambda: informed.test(TWO, "f1", against=0.2, method="clopper"), "no interval method"),
        (lambda: informed.test(TWO.at_prevalence(0.5), against=0.2), "not observed"),
    ],
)
def test_refusals_are_sentences(call: Any, said: str) -> None:
    with pytest.raises(InformedError, match=said):
        call()


def test_a_gate_looks_at_the_units(tmp_path: Path) -> None:
    """Four answers to each of 60 items show less than 240 cases: .003 becomes .028, and the gate at .99 fails."""
    from click.testing import CliRunner

    from informed.cli import cli

    rng = np.random.default_rng(3)
    real = np.repeat(rng.integers(0, 2, 60), 4)
    predicted = np.where(np.repeat(rng.random(60), 4) < 0.5, real, rng.integers(0, 2, 240))
    rows = zip(real, predicted, np.repeat(np.arange(60), 4), strict=True)
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["real,predicted,item", *(f"{r},{p},{u}" for r, p, u in rows)]), encoding="utf-8")
    asked = ["report", str(path), "--real", "real", "--predicted", "predicted", "--level", "0.99"]
    asked += ["--fail-under", "informedness.greater=0.3", "--against", "informedness.greater=0.3"]

    alone, together = (CliRunner().invoke(cli, [*asked, *more]) for more in ([], ["--unit", "item"]))
    assert (alone.exit_code, together.exit_code) == (0, 1)
    assert "one-sided p = 0.028" in together.output
