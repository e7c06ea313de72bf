"""Power and sample size: against exact enumeration, simulation, textbook formulas and Var(B)."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import ndtr, ndtri, stdtrit

import informed
from command_line import ok, refused
from informed import InformedError, Table
from informed.errors import InferenceError
from informed.evidence.cells import mixture
from informed.inference import planned_tests, two_class_power
from informed.inference import planned_variance as planning
from informed.inference.known_worlds import World
from informed.inference.planned_goals import Goal
from informed.inference.possible_tables import chance_of, drawn, every_two_by_two, tables

WRONG_METHOD: dict[str, Any] = {"method": "guess"}
WRONG_SIDE: dict[str, Any] = {"alternative": "up"}
WORLDS = [  # prevalence, guess, informedness
    (0.5, 0.5, 0.3),
    (0.2, 0.2, 0.3),
    (0.2, 0.5, 0.3),
    (0.5, 0.5, 0.6),
    (0.5, 0.2, 0.5),
    (0.3, 0.6, 0.2),
]


@pytest.mark.parametrize(("prevalence", "guess", "informedness"), WORLDS)
def test_the_approximation_is_near_the_exact_power(prevalence: float, guess: float, informedness: float) -> None:
    sizes = [32, 64, 100]
    more: dict[str, Any] = {"prevalence": prevalence, "guess": guess}
    exact = informed.power(sizes, informedness, method="exact", **more)
    near = informed.power(sizes, informedness, method="analytic", **more)
    assert_allclose(near.power, exact.power, atol=0.05)
    drawn_ = informed.power(sizes, informedness, method="simulation", n_draws=2000, **more)
    error = np.sqrt(exact.power * (1 - exact.power) / 2000)
    assert np.all(np.abs(drawn_.power - exact.power) < 4 * error + 1e-3)
    assert np.all(drawn_.power_low <= drawn_.power)
    assert np.all(drawn_.power <= drawn_.power_high)


@pytest.mark.parametrize(
    ("n", "prevalence", "bias", "informedness", "at_05", "at_001"),
    [
        (32, 0.5, 0.5, 0.5, 81.6, 30.3),
        (60, 0.2, 0.2, 0.4, 83.6, 36.2),
        (120, 0.05, 0.05, 0.3, 63.4, 20.6),
        (120, 0.02, 0.05, 0.6, 67.7, 22.7),
    ],
)
def test_power_is_as_counted_elsewhere(
    n: int, prevalence: float, bias: float, informedness: float, at_05: float, at_001: float
) -> None:
    """Percentages of the default test that were counted by other code, when it was chosen."""
    guess = (bias - informedness * prevalence) / (1 - informedness)
    for level, wanted in ((0.95, at_05), (0.999, at_001)):
        found = informed.power(n, informedness, prevalence=prevalence, guess=guess, level=level)
        assert found.method == "exact"
        assert_allclose(100 * found.power, wanted, atol=0.06)


@pytest.mark.parametrize("n", [30, 45, 60, 90, 120])
def test_power_is_that_of_all_tables(n: int) -> None:
    """Every table weighed, one by one; where margins are taken in steps, within .005."""
    cells = every_two_by_two(n)
    sides: Any = ("two-sided", "greater", "less") if n < 90 else ("two-sided",)
    pvalues = {side: np.asarray(informed.test(tables(cells), alternative=side).pvalue) for side in sides}
    worlds = [(0.5, 0.5), (0.2, 0.2), (0.05, 0.05), (0.2, 0.5), (0.1, 0.3)]
    for (prevalence, guess), informedness in product(worlds, (0.0, 0.2, 0.4, 0.7)):
        real, said = (np.array([x, 1 - x]) for x in (prevalence, guess))
        weight = chance_of(cells, mixture(informedness, real, said))
        for side, level in product(sides, (0.95, 0.99, 0.999)):
            counted = weight[pvalues[side] <= (1 - level) * (1 - 1e-9)].sum()
            how: dict[str, Any] = {"prevalence": prevalence, "guess": guess, "level": level, "alternative": side}
            assert_allclose(informed.power(n, informedness, **how).power, counted, atol=1e-4 if n < 90 else 5e-3)


@pytest.mark.parametrize(
    ("n", "prevalence", "guess", "informedness"),
    [
        (5_000, 0.002, 0.002, 0.05),
        (5_001, 0.002, 0.002, 0.05),
        (10_000, 0.001, 0.001, 0.05),
        (10_000, 0.001, 0.001, 0.2),
        (100_000, 0.0001, 0.0001, 0.1),
        (20_000, 0.001, 0.01, 0.05),
        (20_000, 0.3, 0.001, 0.002),
        (1_000_000, 0.001, 0.001, 0.005),
    ],
)
def test_power_of_a_rare_class_is_that_of_drawn_tables(
    n: int, prevalence: float, guess: float, informedness: float
) -> None:
    """The default test's p-value by scipy's hypergeometric distribution, in 20,000 drawn tables of any size."""
    real, said = (np.array([x, 1 - x]) for x in (prevalence, guess))
    truth = mixture(informedness, real, said)
    cells = np.random.default_rng(7).multinomial(n, truth.ravel(), 20_000)
    cells, times = np.unique(cells, axis=0, return_counts=True)
    hits, columns, rows = cells[:, 0], cells[:, 0] + cells[:, 2], cells[:, 0] + cells[:, 1]
    mean = rows * columns / n
    law = stats.hypergeom(n, rows, columns)
    off = np.abs(hits - mean)
    upper, lower = np.ceil(mean + off - 1e-9), np.floor(mean - off + 1e-9)  # as far from the mean, on either side
    as_far = law.pmf(np.rint(mean + off)) * (np.abs(mean + off - np.rint(mean + off)) < 1e-9)
    as_far += law.pmf(np.rint(mean - off)) * (np.abs(mean - off - np.rint(mean - off)) < 1e-9) * (off > 1e-9)
    pvalue = np.where(off < 1e-9, 1.0, law.sf(upper - 1) + law.cdf(lower) - as_far / 2)
    for alpha in (0.05, 0.01, 0.001):
        seen = times[pvalue < alpha * (1 - 1e-9)].sum() / times.sum()
        error = np.sqrt(seen * (1 - seen) / times.sum())
        found = informed.power(n, informedness, prevalence=prevalence, guess=guess, level=1 - alpha)
        assert found.method == "exact"
        assert abs(found.power - seen) < 4 * error + 0.007


def test_the_power_of_a_rare_class_does_not_leap_at_a_number_of_cases() -> None:
    sizes = [4_999, 5_000, 5_001, 10_000, 10**6]
    together = informed.power(sizes, 0.05, prevalence=0.001)
    assert_allclose(together.power, [informed.power(n, 0.05, prevalence=0.001).power for n in sizes])
    assert_allclose(np.diff(together.power[:3]), 0, atol=0.001)
    poisson = 1 - np.exp(-0.05 * 10)  # one hit among ten decides, and chance hits next to nothing
    assert_allclose(informed.power(10**6, 0.05, prevalence=1e-5).power, poisson, atol=0.002)
    for table in ([[9, 99], [1, 4_891]], [[9, 99], [1, 4_892]]):
        size = informed.report(Table.from_counts(table)).size
        assert size is not None
        assert_allclose(dict(size.power)[0.05], 0.405, atol=0.01)


@pytest.mark.parametrize(("n", "level"), [(10_000, 0.95), (10_000, 0.999), (100_000, 0.95)])
def test_rare_classes_of_several_are_drawn(n: int, level: float) -> None:
    """The approximation promises .10 to .29 too much where chance hits next to nothing outside the largest class."""
    prevalence = [1 - 20 / n, 10 / n, 10 / n]
    how: dict[str, Any] = {"prevalence": prevalence, "level": level, "rng": 1}
    found = informed.power(n, 0.05, n_draws=1000, **how)
    assert found.method == "simulation"
    near = informed.power(n, 0.05, method="analytic", **how)
    assert near.power > found.power + 0.05
    assert "promises too much" in str(near.notes[0])


@pytest.mark.parametrize(
    ("n", "measure", "value", "goal", "prevalence"),
    [
        (6000, "accuracy", 0.999, 0.998, None),
        (20_000, "accuracy", 0.9999, 0.9995, None),
        (10**6, "recall", 0.95, 0.9, 2e-5),
    ],
)
def test_the_power_to_reach_a_goal_of_a_rare_error(
    n: int, measure: str, value: float, goal: float, prevalence: float | None
) -> None:
    found = informed.power(n, value, measure=measure, goal=goal, prevalence=prevalence)
    again = informed.power(
        n, value, measure=measure, goal=goal, prevalence=prevalence, method="simulation", n_draws=20_000, rng=3
    )
    assert found.method == "exact"
    assert abs(found.power - again.power) < 4 * np.sqrt(again.power * (1 - again.power) / 20_000)


def test_a_goal_of_a_rare_class_is_drawn_or_says_that_it_is_rough() -> None:
    how: dict[str, Any] = {"measure": "cohen_kappa", "goal": 0.1, "prevalence": 0.001}
    assert informed.power(10_000, 0.3, n_draws=500, rng=1, **how).method == "simulation"
    assert informed.sample_size(0.5, **how).notes[0].code == "rough-approximation"
    assert informed.power(10_000, 0.3, method="analytic", **how).notes[0].code == "rough-approximation"


def test_a_coarse_sum_over_margins_is_near() -> None:
    each = (10**6, 1, 1)
    informedness = np.array([0.1, 0.2, 0.3, 0.5, 0.8])
    for n, share, alpha in product((30, 50, 75, 100, 150, 200), (0.5, 0.37, 0.2, 0.05, 0.02), (0.05, 0.001)):
        asked = (n, share, share, informedness, alpha, "two-sided")
        fine = two_class_power.power(*asked, each)
        assert_allclose(two_class_power.power(*asked), fine, atol=0.005)
        assert_allclose(two_class_power.power(*asked, two_class_power.PAGE), fine, atol=0.018)


@pytest.mark.parametrize(("prevalence", "guess"), [(0.2, 0.8), (0.1, 0.9), (0.3, 0.7), (0.05, 0.5)])
def test_power_of_one_that_guesses_otherwise(prevalence: float, guess: float) -> None:
    """Predicted margins then span nearly all numbers of cases, up to the last."""
    for n, informedness in product((40, 72, 80, 130, 200), (0.1, 0.4)):
        asked = (n, prevalence, guess, informedness, 0.05, "two-sided")
        fine = two_class_power.power(*asked, (10**6, 1, 1))
        assert_allclose(two_class_power.power(*asked), fine, atol=0.007)
        assert_allclose(
            two_class_power.power(n, prevalence, guess, [0.0, informedness, 1.0], *asked[4:])[1], fine, atol=0.007
        )


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_a_page_shows_the_closed_form_only_where_it_is_close(alpha: float) -> None:
    """Even classes have steps that no formula follows; of others it is nearer."""
    for n, share in product((200, 203, 304, 500, 1007), (0.5, 0.45, 0.4, 0.3, 0.2, 0.15)):
        world = World.checked(0.0, share, level=1 - alpha)
        if not world.close(n):
            continue
        informedness = 3.5 / np.sqrt(n) * np.array([0.4, 0.7, 1.0, 1.4])
        exact = two_class_power.power(n, share, share, informedness, alpha, "two-sided")
        assert_allclose(world.chances(n, informedness), exact, atol=0.018 if share > 0.45 else 0.011)
    assert World.checked(0.0, 0.5).close([199, 200]).tolist() == [False, True]
    assert World.checked(0.0, 0.1).close([1999, 2000]).tolist() == [False, True]


@pytest.mark.parametrize("prevalence", [[1 / 3] * 3, [0.2] * 5, [0.7, 0.2, 0.1], [0.4, 0.3, 0.1, 0.1, 0.1], [0.1] * 10])
def test_power_of_several_classes_is_not_promised(prevalence: list[float]) -> None:
    """At most .02 too much from 30 cases on, down to the level .999; the default test of drawn tables tells."""
    shares, rng, draws = np.array(prevalence), np.random.default_rng(5), 3000
    for n, informedness in ((30, 0.4), (40, 0.2), (40, 0.4), (80, 0.2)):
        stack = tables(drawn(rng, n, mixture(informedness, shares, shares), draws))
        pvalue = np.asarray(informed.test(stack).pvalue)
        for alpha in (0.05, 0.01, 0.001):
            seen = (pvalue < alpha).mean()
            error = np.sqrt(seen * (1 - seen) / draws)
            near = informed.power(n, informedness, prevalence=prevalence, level=1 - alpha).power
            assert -0.04 - 2 * error < near - seen < 0.02 + 2 * error


@pytest.mark.parametrize(
    ("n", "informedness", "prevalence", "guess", "level"),
    [
        (30, 0.41, [0.94, 0.03, 0.03], None, 0.95),
        (64, 0.67, [0.96, 0.01, 0.01, 0.01, 0.01], None, 0.999),
        (30, 0.42, [0.9, 0.09, 0.01], None, 0.95),
        (60, 0.65, [0.95, 0.025, 0.025], [1 / 3] * 3, 0.999),
    ],
)
def test_power_of_lop_sided_classes_is_not_promised(
    n: int, informedness: float, prevalence: list[float], guess: list[float] | None, level: float
) -> None:
    """Few cases outside one class: the approximation is .05 to .37 too high, so that tables are drawn."""
    shares = np.array(prevalence)
    truth = mixture(informedness, shares, shares if guess is None else np.array(guess))
    stack = tables(drawn(np.random.default_rng(6), n, truth, 6000))
    seen = (np.asarray(informed.test(stack).pvalue) < (1 - level) * (1 - 1e-9)).mean()  # the level itself is none
    how: dict[str, Any] = {"prevalence": prevalence, "guess": guess, "level": level}
    plan = informed.power(n, informedness, **how)
    assert plan.method == "simulation"
    assert abs(plan.power - seen) < 0.03  # three standard errors
    assert informed.power(n, informedness, method="analytic", **how).power > seen + 0.03
    assert informed.detectable(n, **how).method == "analytic"


def test_a_p_value_that_equals_the_level_is_not_found_in_drawn_tables() -> None:
    """Two of five cases on both sides: one table in ten has both hits, and p = 1/20."""
    how: dict[str, Any] = {"prevalence": 0.4, "alternative": "greater"}
    exact = informed.power(5, 0.9, method="exact", **how).power
    assert abs(informed.power(5, 0.9, method="simulation", **how).power - exact) < 0.03


def test_critical_values_are_those_of_shuffled_tables() -> None:
    """A z as large as they are has p = alpha by the default test: of fractions, which are not counted."""
    shares = np.full(5, 0.2)
    for alpha, alternative in product((0.01, 0.001), ("two-sided", "greater")):
        z = planned_tests.critical(np.array([91.0]), shares, shares[:, None], alpha, alternative)
        informedness = float(z[0]) / np.sqrt(90 * 4)
        table = Table.from_counts(91 * mixture(informedness, shares, shares))
        how: dict[str, Any] = {"alternative": alternative}
        assert_allclose(informed.test(table, **how).pvalue, alpha, rtol=0.01)


@pytest.mark.parametrize(("k", "n"), [(3, 24), (5, 40), (10, 80)])
def test_several_classes(k: int, n: int) -> None:
    near = informed.power(n, 0.2, k=k).power
    seen = informed.power(n, 0.2, k=k, method="simulation")
    assert seen.power_low is not None
    assert abs(near - seen.power) < 0.03


def test_the_approximation_says_where_it_promises_too_much() -> None:
    assert [note.code for note in informed.power(40, 0.3, method="analytic").notes] == ["rough-steps"]
    assert not informed.power(40, 0.3, k=5).notes
    assert [note.code for note in informed.detectable(40, k=12).notes] == ["rough-approximation"]


def test_no_information_is_found_at_the_error_rate() -> None:
    assert_allclose(informed.power([10, 100, 1000], 0.0, k=4, method="analytic").power, 0.05, atol=0.003)
    assert_allclose(informed.power(50, 0.0, alternative="greater", level=0.9, method="analytic").power, 0.1, atol=0.003)
    assert 0.04 < informed.power(100, 0.0).power < 0.05
    assert informed.power(50, 0.3, alternative="less").power < 1e-4


def test_variance_of_informedness_in_even_worlds() -> None:
    """N·Var(B) = (1−B)(B + 1/(K−1)) where all margins are even."""
    for k in (2, 3, 7):
        for b in (0.0, 0.2, 0.9):
            even = np.full(k, 1 / k)
            truth = mixture(b, even, even)
            found = planning.variance_of(truth, planning.influence(truth))
            assert_allclose(found, (1 - b) * (b + 1 / (k - 1)), atol=1e-12)


def test_influence_is_the_derivative() -> None:
    """Of informedness itself, by adding a little of one cell."""
    rng = np.random.default_rng(1)
    truth = rng.dirichlet(np.ones(16)).reshape(4, 4)
    u = planning.influence(truth)
    u = u - (truth * u).sum()
    step = 1e-6
    for at in np.ndindex(4, 4):
        moved = (1 - step) * truth
        moved[at] += step
        back = (1 + step) * truth
        back[at] -= step
        slope = planning.informedness_of(moved) - planning.informedness_of(back)
        assert_allclose(slope / (2 * step), u[at], atol=1e-6)
    table = Table.from_counts(truth)
    assert_allclose(planning.informedness_of(truth), informed.informedness(table))


def test_spread_of_z_is_that_of_its_draws() -> None:
    prevalence, guess = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    truth = mixture(0.4, prevalence, guess)
    z_ = planned_tests.spread_of_z(truth[..., None])
    centre, spread = z_.mean[0], z_.deviation[0]
    stack = Table.from_counts(np.moveaxis(drawn(np.random.default_rng(0), 2000, truth, 4000), -1, 0))
    z = np.asarray(informed.test(stack).statistic)
    assert_allclose(z.mean(), centre * np.sqrt(1999), atol=4 * spread / np.sqrt(4000) + 0.02)
    assert_allclose(z.std(), spread, rtol=4 / np.sqrt(2 * 4000) + 0.01)
    error = spread / np.sqrt(4000)
    assert abs(z.mean() - centre * np.sqrt(1999) - z_.bias[0] / np.sqrt(2000)) < 4 * error
    nothing = planned_tests.spread_of_z(mixture(0.0, prevalence, guess)[..., None])
    assert_allclose([nothing.mean[0], nothing.deviation[0]], (0.0, 1.0), atol=1e-7)


def test_bias_and_skewness_of_z_are_those_of_its_draws() -> None:
    prevalence = np.array([0.7, 0.2, 0.1])
    truth = mixture(0.6, prevalence, prevalence)
    law = planned_tests.spread_of_z(truth[..., None])
    stack = Table.from_counts(np.moveaxis(drawn(np.random.default_rng(2), 100, truth, 100_000), -1, 0))
    z = np.asarray(informed.test(stack, method="permutation-z").statistic)
    assert_allclose((z.mean() - law.mean[0] * np.sqrt(99)) * 10, law.bias[0], atol=0.15)
    assert_allclose((((z - z.mean()) / z.std()) ** 3).mean() * 10, law.skewness[0], atol=0.5)


def test_many_classes_are_taken_as_straight() -> None:
    """z of many classes is bent in too many directions; its slopes are the same either way."""
    truth = mixture(0.3, np.linspace(1, 2, 8) / 12, np.full(8, 1 / 8))[..., None]
    bent = planned_tests.spread_of_z(truth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planned_tests, "BENT_UP_TO", 7)
        straight = planned_tests.spread_of_z(truth)
    assert_allclose([straight.mean, straight.deviation], [bent.mean, bent.deviation], rtol=1e-6)
    assert straight.bias[0] == straight.skewness[0] == 0


def test_unpaired_difference_is_the_textbook_formula() -> None:
    """Even classes: sensitivities and specificities are four independent proportions."""
    n, a, b = 400, 0.6, 0.45
    rate = {x: (1 + x) / 2 for x in (a, b)}
    variance = sum(4 * rate[x] * (1 - rate[x]) / n for x in (a, b))
    z = ndtri(0.975)
    gap = (a - b) / np.sqrt(variance)
    expected = ndtr(gap - z) + ndtr(-gap - z)
    assert_allclose(informed.power(n, a, against=b).power, expected, rtol=1e-9)


@pytest.mark.parametrize(("paired", "shared"), [(False, 0.0), (True, 0.0), (True, 0.5), (True, 1.0)])
@pytest.mark.parametrize("k", [2, 3])
def test_differences_by_simulation(paired: bool, shared: float, k: int) -> None:
    more: dict[str, Any] = {"against": 0.4, "paired": paired, "shared": shared, "k": k}
    plan = informed.sample_size(0.6, **more)
    assert plan.power >= 0.8
    assert informed.power(plan.n - 1, 0.6, **more).power < 0.8
    seen = informed.power(plan.n, 0.6, method="simulation", n_draws=2000, **more)
    assert abs(seen.power - 0.8) < 4 * np.sqrt(0.16 / 2000) + 0.015


def test_knowing_alike_helps_a_paired_comparison() -> None:
    sizes = [informed.sample_size(0.6, against=0.5, paired=True, shared=shared).n for shared in (0.0, 0.5, 1.0)]
    assert sizes[0] > sizes[1] > sizes[2]
    assert informed.sample_size(0.6, against=0.5).n >= sizes[0]


def test_joint_mixture_has_the_mixtures_as_margins() -> None:
    prevalence, guess = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    for shared in (0.0, 0.7, 1.0):
        joint = planning.joint_mixture(0.7, 0.4, prevalence, guess, shared)
        a, b = planning.tables_of_joint(joint)
        assert_allclose(a, mixture(0.7, prevalence, guess), atol=1e-15)
        assert_allclose(b, mixture(0.4, prevalence, guess), atol=1e-15)
        assert joint.min() >= 0


def test_sample_size_is_the_smallest() -> None:
    plan = informed.sample_size(0.5, method="analytic")
    assert plan.power >= 0.8
    assert informed.power(plan.n - 1, 0.5, method="analytic").power < 0.8
    exact = informed.sample_size(0.5)
    assert abs(informed.sample_size(0.5, method="simulation", n_draws=1000).n - exact.n) <= 6
    rare = informed.sample_size(0.5, prevalence=0.02, method="analytic")
    assert "promises too much" in str(rare.notes[0])


@pytest.mark.parametrize(("prevalence", "informedness"), [(0.5, 0.5), (0.05, 0.9), (0.1, 0.7), (0.2, 0.4), (0.3, 0.95)])
def test_from_the_sample_size_on_the_power_is_enough(prevalence: float, informedness: float) -> None:
    """Power goes up and down; the number before is short, and all up to a quarter above are not."""
    plan = informed.sample_size(informedness, prevalence=prevalence)
    n = int(plan.n)
    assert plan.method == "exact"
    assert informed.power(n - 1, informedness, prevalence=prevalence).power < 0.8
    after = informed.power(np.arange(n, int(1.2 * n)), informedness, prevalence=prevalence).power
    assert np.all(np.asarray(after) >= 0.8)


def test_sample_size_for_a_width() -> None:
    """The expected width is reached, and is the mean of what is drawn."""
    plan = informed.sample_size(0.6, width=0.2, prevalence=0.3)
    assert plan.width <= 0.2
    assert informed.power(plan.n - 1, 0.6, prevalence=0.3).width > 0.2
    n = int(plan.n)
    truth = mixture(0.6, np.array([0.3, 0.7]), np.array([0.3, 0.7]))
    stack = drawn(np.random.default_rng(0), n, truth, 4000)
    found = informed.interval(tables(stack), "informedness")
    assert_allclose(found.width.mean(), plan.width, rtol=0.01)
    covered = (found.low <= 0.6) & (found.high >= 0.6)
    assert abs(covered.mean() - 0.955) < 0.02
    assert plan.assurance == pytest.approx(np.mean(found.width <= 0.2), abs=0.04)
    both = informed.sample_size(0.6, against=0.5, paired=True, width=0.1)
    assert both.width <= 0.1
    assert "difference" in both.goal


def test_detectable_is_found_with_its_power() -> None:
    sizes = np.array([50, 100, 1000])
    plan = informed.detectable(sizes, prevalence=0.3, power=0.9)
    assert np.all(np.diff(plan.informedness) < 0)
    for n, b in zip(sizes, plan.informedness, strict=True):
        assert_allclose(informed.power(n, b, prevalence=0.3).power, 0.9, atol=5e-6)
    paired = informed.detectable(500, against=0.5, paired=True)
    assert_allclose(informed.power(500, paired.informedness, against=0.5, paired=True).power, 0.8, atol=1e-6)
    hopeless = informed.detectable(3)
    assert np.isnan(hopeless.informedness)
    assert "perfect" in str(hopeless.notes[0])


def test_every_table_is_weighed_once() -> None:
    cells = every_two_by_two(9)
    assert cells.shape[-1] == 220
    truth = np.array([[0.1, 0.2], [0.3, 0.4]])
    weight = chance_of(cells, truth)
    assert_allclose(weight.sum(), 1.0)
    assert_allclose((cells * weight).sum(axis=-1), 9 * truth)


def test_plans_are_frames() -> None:
    frame = informed.power([20, 40, 80], 0.4).to_frame()
    assert list(frame["n"]) == [20, 40, 80]
    assert informed.sample_size(0.4).to_frame().shape[0] == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: informed.power(1, 0.3), "at least 2"),
        (lambda: informed.power(30, 1.3), "between 0 and 1"),
        (lambda: informed.power(30, 0.3, k=1), "two classes"),
        (lambda: informed.power(30, 0.3, prevalence=[0.5, 0.5, 0], guess=[1, 0]), "names 2"),
        (lambda: informed.power(30, 0.3, prevalence=1.0), "two classes must occur"),
        (lambda: informed.power(30, 0.3, paired=True), "against"),
        (lambda: informed.power(30, 0.3, level=1), "level"),
        (lambda: informed.power(30, 0.3, shared=2), "shared"),
        (lambda: informed.power(30, 0.3, **WRONG_METHOD), "method"),
        (lambda: informed.power(30, 0.3, **WRONG_SIDE), "alternative"),
        (lambda: informed.power(10**8, 0.3, method="exact"), "weighs every table"),
        (lambda: informed.power(50, 0.3, k=3, method="exact"), "two classes"),
        (lambda: informed.power(50.5, 0.3, method="exact"), "whole"),
        (lambda: informed.sample_size(0.0), "no difference"),
        (lambda: informed.sample_size(0.3, power=0.01), "power"),
        (lambda: informed.sample_size(0.3, width=3), "width"),
        (lambda: informed.sample_size(1e-6), "too few"),
        (lambda: informed.detectable(1), "at least 2"),
        (lambda: informed.detectable(50, alternative="less"), "above"),
    ],
)
def test_refusals_are_sentences(call: Any, said: str) -> None:
    with pytest.raises(InformedError, match=said):
        call()


def test_units_are_planned_by_what_they_are_worth() -> None:
    alone = informed.sample_size(0.3)
    plan = informed.sample_size(0.3, unit_size=6, icc=0.4)
    assert plan.units is not None
    least = np.ceil(alone.n * 3 / 6)
    assert least < plan.units <= least + 6  # a little more than by the normal quantiles
    assert plan.n == 6 * plan.units
    assert plan.sentence().startswith(f"{plan.units:g} units of 6 cases")
    assert [x.code for x in plan.notes] == ["in-units"]

    assert informed.sample_size(0.3, unit_size=1, icc=0.5).units == alone.n
    narrow = informed.sample_size(0.3, width=0.2, unit_size=6, icc=1.0)
    independent = informed.sample_size(0.3, width=0.2).n
    assert narrow.units is not None
    assert independent < narrow.units <= independent + 8


@pytest.mark.parametrize(
    ("informedness", "size", "icc", "units"),
    [
        (0.5, 20, 0.05, 8),
        (0.9, 20, 0.05, 6),
        (0.9, 20, 0.3, 8),
        (0.9, 6, 0.4, 9),
        (0.3, 50, 0.05, 11),
        (0.9, 50, 0.05, 5),
    ],
)
def test_few_units_are_the_fewest_that_are_enough(informedness: float, size: int, icc: float, units: int) -> None:
    """Counted up one by one: n·D/m units, times how much wider t with those of one class is than the normal."""
    plan = informed.sample_size(informedness, unit_size=size, icc=icc)
    alone = informed.sample_size(informedness).n * (1 + (size - 1) * icc) / size
    tried = np.arange(2, 40)
    df = np.maximum(tried / 2 - 1, 1)
    wider = (stdtrit(df, 0.975) + stdtrit(df, 0.8)) / (ndtri(0.975) + ndtri(0.8))
    assert plan.units == units == tried[np.argmax(tried >= alone * wider**2)]


def test_units_are_planned_like_those_of_a_table() -> None:
    rng = np.random.default_rng(3)
    real = np.repeat(rng.integers(0, 2, 60), 4)
    predicted = np.where(np.repeat(rng.random(60), 4) < 0.5, real, rng.integers(0, 2, 240))
    table = Table.from_labels(real=real, predicted=predicted, unit=np.repeat(np.arange(60), 4))
    plan = informed.sample_size(0.3, like=table)
    effect = table.design_effect("informedness")
    assert effect > 1.5
    assert plan.unit_size == 4
    assert plan.units is not None
    assert np.ceil(87 * effect / 4) <= plan.units <= np.ceil(87 * effect / 4) + 6
    shares = (table.real_totals / table.n).tolist()
    single = Table.from_labels(real=real, predicted=predicted, unit=np.arange(240))
    assert informed.sample_size(0.3, like=single).units == informed.sample_size(0.3, prevalence=shares).n
    rare = Table.from_labels(real=[0, *[1] * 9] * 20, predicted=[0, *[1] * 9] * 20, unit=np.arange(200))
    assert informed.sample_size(0.3, like=rare).n == informed.sample_size(0.3, prevalence=0.1).n > 87

    size = informed.report(table).size
    assert size is not None
    assert (size.n, size.unit) == (60, table.units.name if table.units else "")
    independent = np.floor(table.effective_n("informedness"))
    wanted = informed.power(independent, 0.3, prevalence=(table.real_totals / table.n).tolist()).power
    assert_allclose(dict(size.power)[0.3], wanted, atol=0.018)
    with pytest.raises(InformedError, match="not both"):
        informed.sample_size(0.3, like=table, unit_size=3)
    with pytest.raises(InformedError, match="with units"):
        informed.sample_size(0.3, like=Table.from_counts([[3, 1], [1, 3]]))
    with pytest.raises(InformedError, match="takes two at least"):
        informed.sample_size(0.3, like=Table.from_labels(real=[0, 1] * 9, predicted=[0, 1, 1] * 6, unit=["a"] * 18))
    assert "unit" not in informed.sample_size(0.3).records().names  # nothing of units where there are none
    assert "unit" in informed.sample_size(0.3, like=table).records().names
    for wrong in ({"unit_size": 3, "icc": 2.0}, {"icc": 0.4}, {"unit_size": 6}):
        with pytest.raises(InformedError, match="icc"):
            informed.sample_size(0.3, **wrong)
    with pytest.raises(InformedError, match="at least one case"):
        informed.sample_size(0.3, unit_size=0.5, icc=0.1)


def test_units_show_what_as_many_independent_cases_do() -> None:
    plan = informed.sample_size(0.3, unit_size=6, icc=0.4)
    told: dict[str, Any] = {"unit_size": 6, "icc": 0.4}
    assert informed.power(plan.n, 0.3, **told).power >= 0.8 > informed.power(plan.n - 6, 0.3, **told).power
    some = informed.detectable([60, plan.n], **told)
    assert np.asarray(some.units).tolist() == [10, plan.units]
    assert informed.detectable(60).informedness < np.asarray(some.informedness)[0]
    assert np.asarray(some.informedness)[1] == pytest.approx(0.3, abs=0.01)

    table = Table.from_labels(real=[0, 0, 1] * 40, predicted=[0, 1, 1] * 40, unit=np.arange(120) // 6)
    independent = np.floor(table.effective_n("informedness"))
    shares = [2 / 3, 1 / 3]
    assert informed.power(table, 0.3).power == informed.power(independent, 0.3, prevalence=shares).power
    wanted = informed.detectable(independent, prevalence=shares).informedness
    assert informed.detectable(table).informedness == wanted
    with pytest.raises(InformedError, match="no more of units"):
        informed.power(table, 0.3, like=table)


@pytest.mark.parametrize(
    ("value", "asked"),
    [
        (0.3, {}),
        (1.0, {"prevalence": 0.3}),
        (0.6, {"prevalence": 0.1}),
        (0.5, {"k": 3}),
        (0.9, {"measure": "specificity"}),
        (0.9, {"measure": "sensitivity", "prevalence": 0.2}),
        (0.7, {"measure": "cohen_kappa"}),
    ],
    ids=str,
)
def test_an_assured_width_is_reached_by_so_many_samples(value: float, asked: dict[str, Any]) -> None:
    """By other draws than those of the plan, and the intervals of reports; by fewer samples with fewer cases."""
    expected = informed.sample_size(value, width=0.2, **asked)
    plan = informed.sample_size(value, width=0.2, assurance=0.8, **asked)
    assert plan.n >= expected.n
    assert "assurance" in {note.code for note in expected.notes}
    assert "no wider than asked for in" in plan.sentence()
    measure = asked.get("measure", "informedness")
    share, prevalence = informed.measures.find(measure).facts.is_share, asked.get("prevalence", 0.5)
    for n, least, most in ((int(plan.n), 0.78, 0.87), (int(expected.n), 0.42, 0.58)):
        rng = np.random.default_rng(7)
        if share:
            of = rng.binomial(n, prevalence, 2000) if "prevalence" in asked else np.full(2000, n)
            right = rng.binomial(of, value)
            stack = tables(np.array([[right, right * 0], [of - right, right * 0 + 1]], dtype=np.float64))
            measure = "recall"
        else:
            k = asked.get("k", 2)
            real = np.full(k, 1 / k) if k > 2 else np.array([prevalence, 1 - prevalence])
            real = np.array([0.5, 0.5]) if measure == "cohen_kappa" else real
            goal = Goal.checked(measure, value, None, list(real), k=k, level=0.95, alternative="two-sided")
            truth = goal.worlds[0]
            stack = tables(drawn(rng, n, truth, 2000))
        reached = np.mean(informed.interval(stack, measure).width <= 0.2)
        assert least <= reached <= most, (n, reached)


def test_an_assurance_that_cannot_be_planned_is_refused() -> None:
    for asked, said in (
        ({"assurance": 0.8}, "give `width`"),
        ({"width": 0.2, "assurance": 80}, "between 0 and 1"),
        ({"width": 0.2, "assurance": 0.8, "unit_size": 4, "icc": 0.2}, "independent cases"),
        ({"width": 0.2, "assurance": 0.8, "k": 100}, "up to 400 cells"),
    ):
        how: Any = asked
        with pytest.raises(InferenceError, match=said):
            informed.sample_size(0.3, **how)
    assert "--width" in refused("sample-size", "0.3", "--assurance", "0.8")
    assert ok("sample-size", "0.3", "--width", "0.2", "--assurance", "0.8").startswith("360 cases: an interval")


@pytest.mark.parametrize("n", [20, 40])
def test_a_perfect_system_is_told_how_many_cases_narrow_its_own_interval(n: int) -> None:
    """Its interval lies on one side, and is narrower than a symmetric one of the same variance."""
    t = Table.from_counts([[n / 2, 0], [0, n / 2]])
    (step,) = [x for x in informed.report(t).document().steps if "interval" in x]
    found = re.fullmatch(r"about (\d+) cases would make the interval (0\.\d+) wide: .*", step)
    assert found is not None, step
    m, wide = int(found[1]), float(found[2])
    assert m > n

    def width(n: float) -> float:
        return float(informed.interval(Table.from_counts([[n / 2, 0], [0, n / 2]]), "informedness").width)

    assert width(m) <= wide < width(m - 1)
    full = " ".join(informed.report(t).text(full=True).split())
    assert f"About {m} would make it {wide:.2f} wide." in full
    assert "±" not in full.partition("Was the test set big enough?")[2].partition("Power")[0]
