"""Two systems compared by a measure that is a ratio: on the scale of the logarithm, shown as a ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import informed
from command_line import ok, refused
from informed import InformedError, Table, compare
from informed._arrays import Array
from informed.systems.gates import not_worse

A = Table.from_counts([[40, 6], [10, 60]], labels=[1, 0], positive=1)
B = Table.from_counts([[35, 12], [15, 54]], labels=[1, 0], positive=1)
FAULTLESS = Table.from_counts([[40, 0], [10, 66]], labels=[1, 0], positive=1)
JOINT = np.array([[[30, 10], [5, 5]], [[3, 3], [9, 51]]])  # with the margins of A and B
RATIOS = ("lr", "nlr", "odds_ratio")


def paired(**how: Any) -> informed.systems.comparison.Comparison:
    return compare.paired(joint=JOINT, labels=[1, 0], positive=1, **how)


def logarithm_of(m: str, cells: Array) -> Array:
    """log of each ratio, from counts (real, answer), the positive ones first."""
    (tp, fn), (fp, tn) = cells
    each: dict[str, Array] = {
        "lr": np.log(tp / (tp + fn)) - np.log(fp / (fp + tn)),
        "nlr": np.log(fn / (tp + fn)) - np.log(tn / (fp + tn)),
        "odds_ratio": np.log(tp) + np.log(tn) - np.log(fp) - np.log(fn),
    }
    return each[m]


@pytest.mark.parametrize("m", RATIOS)
def test_the_ratio_of_the_two_is_shown(m: str) -> None:
    for found in (compare(A, B)[m], paired()[m]):
        assert found.scale == "ratio"
        assert found.hypothesis == "a ratio of 1"
        assert found.estimate == pytest.approx(found.a / found.b)
        assert found.lead == pytest.approx(np.log(found.a / found.b))
        assert 0 < found.low < found.estimate < found.high < np.inf
        assert f"ratio {found.estimate:.3f}" in found.sentence()
    assert compare(A, B)["informedness"].scale == "difference"


def test_delta_of_different_items_is_katz_and_woolf() -> None:
    katz = sum(float(1 / t.tp - 1 / t.rp + 1 / t.fp - 1 / t.rn) for t in (A, B))
    woolf = sum(float(1 / t.tp + 1 / t.fn + 1 / t.fp + 1 / t.tn) for t in (A, B))
    for m, variance in (("lr", katz), ("odds_ratio", woolf)):
        found = compare(A, B, method="delta")[m]
        reach = norm.ppf(0.975) * np.sqrt(variance)
        wanted = found.estimate * np.exp([-reach, reach])
        np.testing.assert_allclose([found.low, found.high], wanted, rtol=1e-6)


@pytest.mark.parametrize("m", RATIOS)
def test_delta_of_the_same_items_is_the_slopes_by_the_cells(m: str) -> None:
    def value(cells: Array) -> float:
        return float(logarithm_of(m, cells.sum(axis=2)) - logarithm_of(m, cells.sum(axis=1)))

    slopes = np.empty(JOINT.shape)
    for at in np.ndindex(JOINT.shape):
        step = np.zeros(JOINT.shape)
        step[at] = 1e-5
        slopes[at] = (value(JOINT + step) - value(JOINT - step)) / 2e-5
    error = np.sqrt((JOINT * slopes**2).sum())  # homogeneous of degree 0, so that the mean slope is 0

    found = paired(method="delta")[m]
    wanted = np.exp(value(JOINT.astype(float)) + error * norm.ppf([0.025, 0.975]))
    np.testing.assert_allclose([found.low, found.high], wanted, rtol=1e-5)


@pytest.mark.parametrize("m", RATIOS)
@pytest.mark.parametrize("t", [A, FAULTLESS])
def test_interval_and_p_agree_and_swapping_inverts(m: str, t: Table) -> None:
    c, back = compare(t, B), compare(B, t)
    found, other = c[m], back[m]
    for limit in (found.low, found.high):
        if np.isfinite(limit):
            assert c.pvalue(m, against=limit) == pytest.approx(0.05, abs=1e-6)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose([1 / np.float64(other.high), 1 / np.float64(other.low)], [found.low, found.high])
    assert found.pvalue == pytest.approx(other.pvalue) == pytest.approx(c.pvalue(m, against=1.0))


def test_paired_interval_and_p_agree() -> None:
    for method in ("arc", "smoothed-delta", "mover"):
        c = paired(method=method)
        for m in RATIOS:
            assert c.pvalue(m, against=c[m].low) == pytest.approx(0.05, abs=1e-6)


def test_no_ratio_of_an_infinite_one_and_the_reason() -> None:
    found = compare(FAULTLESS, B, names=("new", "old"))["lr"]
    assert found.a == np.inf
    assert np.isnan(found.estimate)
    assert 1 < found.low < np.inf
    assert found.high == np.inf
    assert 0 < found.pvalue < 0.05
    assert [(n.code, str(n)[:22]) for n in found.notes] == [("undefined", "lr of new is infinite,")]

    both = compare(FAULTLESS, FAULTLESS)["lr"]
    assert np.isnan(both.estimate)
    assert both.low < 1 < both.high
    assert both.pvalue == 1

    none = compare(Table.from_counts([[0, 6], [50, 60]], labels=[1, 0], positive=1), B)["lr"]
    assert none.low == 0 < none.high < 1
    assert np.isnan(none.estimate)
    assert "is 0," in str(none.notes[0])


def test_margins_of_a_ratio_are_factors() -> None:
    c = paired()
    near = c.equivalence("lr", margin=10)
    assert near.shown
    assert near.scale == "ratio"
    assert "a factor of 10" in near.hypothesis
    assert near.pvalue == pytest.approx(c.pvalue("lr", against=10, alternative="less"))
    with pytest.raises(InformedError, match="a factor of 1 or more"):
        c.equivalence("lr", margin=0.1)

    gate = not_worse(c, "nlr", 1.5, shown_to_be=True)  # where less is better
    assert gate.passed
    assert "by less than a factor of 1.5" in gate.sentence
    assert gate.pvalue == pytest.approx(c.pvalue("nlr", against=1.5, alternative="less"))


def test_margins_on_the_command_line() -> None:
    asked = ["compare", "examples/breast-cancer.csv", "--real", "diagnosis", "--positive", "malignant"]
    asked += ["--predicted", "logistic", "--predicted", "tree"]
    assert "a factor of 1 or more" in refused(*asked, "--measure", "lr", "--fail-worse", "0.1")
    assert "--margin is 1.5; of informedness" in refused(*asked, "--margin", "1.5")
    assert "a factor of 1.5" in ok(*asked, "--measure", "lr", "--margin", "1.5", "--full")


def test_plans_of_a_ratio() -> None:
    c = paired()
    assert c.plans("lr")["ratio"] == (1.25, 1.5, 2.0, 4.0)
    assert c.power("lr", difference=2.0) == pytest.approx(c.power("lr", difference=0.5))
    assert c.power("lr") == pytest.approx(c.power("lr", difference=c["lr"].estimate))
    n = c.sample_size("lr", difference=2.0)
    assert 0.8 <= c.power("lr", n=n, difference=2.0) < 0.81
    with pytest.raises(InformedError, match="must not be 1"):
        c.sample_size("lr", difference=1.0)


def test_the_page_says_ratio() -> None:
    said = informed.report(paired(names=("new", "old")), measure="lr", margin=1.5).text(full=True, width=100)
    assert "new is better than old: positive likelihood ratio 2.286 times as large [1.026, 5.796]" in said
    assert "Ratio, new / old" in said
    assert "a factor of 1.5" in said
    assert "true ratio" in said
    said = informed.report(compare(FAULTLESS, B), measure="lr").text(full=True)
    assert "cannot be compared by positive likelihood ratio, which is 0, infinite or undefined" in said.replace(
        "\n", " "
    )


# ---------------------------------------------------------------------- coverage

WORLDS = {  # items, prevalence, recalls, fallouts, correlation of the answers within a class
    "even": (60, 0.5, (0.8, 0.7), (0.2, 0.3), 0.3),
    "9 positives": (60, 0.15, (0.8, 0.8), (0.2, 0.2), 0.3),
    "10 positives of 200": (200, 0.05, (0.8, 0.7), (0.1, 0.2), 0.3),
    "few errors": (200, 0.3, (0.95, 0.9), (0.05, 0.03), 0.2),
}
DRAWS = 400


def drawn(world: str, seed: int) -> Array:
    """Joint tables (draws, real, a, b) that meet both classes."""
    n, prevalence, recalls, fallouts, rho = WORLDS[world]

    def both(a: float, b: float) -> Array:
        q = a * b + rho * np.sqrt(a * (1 - a) * b * (1 - b))
        return np.array([[q, a - q], [b - q, 1 - a - b + q]])

    p = np.stack([prevalence * both(*recalls), (1 - prevalence) * both(*fallouts)])
    x = np.random.default_rng(seed).multinomial(n, p.ravel(), size=DRAWS + 50).reshape(-1, 2, 2, 2)
    return np.asarray(x[(x.sum(axis=(2, 3)) > 0).all(axis=1)][:DRAWS], dtype=np.float64)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("same", [True, False])
def test_coverage(world: str, same: bool) -> None:
    _, _, recalls, fallouts, _ = WORLDS[world]
    x = drawn(world, 5)
    if same:
        c = compare.paired(joint=x, labels=[1, 0], positive=1)
    else:
        a, b = x.sum(axis=3), drawn(world, 9).sum(axis=2)
        tables = [Table.from_counts(t.swapaxes(1, 2), labels=[1, 0], positive=1) for t in (a, b)]
        c = compare(*tables)

    rates = np.array([[recalls, np.subtract(1, recalls)], [fallouts, np.subtract(1, fallouts)]])
    for m in RATIOS:
        of_a, of_b = logarithm_of(m, rates)
        truth, found = np.exp(of_a - of_b), c[m]
        held = np.mean((found.low <= truth) & (truth <= found.high))
        error = np.sqrt(0.95 * 0.05 / DRAWS)
        assert held > 0.94 - 3 * error, f"{m} is held in {held:.3f}"
