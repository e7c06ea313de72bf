"""Tests of a table: against R, the papers, full enumeration, and the error rates they promise."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from scipy.stats import t as student

import error_rates
import informed
from informed import InformedError, Table
from informed.evidence.cells import mixture
from informed.inference import possible_tables as _lattice
from informed.inference.calibration import measured
from informed.inference.given import SEED
from informed.inference.influence import Functional, half_right
from informed.inference.permutation import excess_and_variance, weights_of
from informed.inference.possible_tables import chance_of, every_two_by_two, tables
from informed.inference.tests import METHODS
from informed.inference.worth import Cells, worth
from informed.measures import find
from repeats import of_units

ORACLES = Path(__file__).parent / "oracles"
SIZES = Path(__file__).parents[1] / "docs/data/sizes"
TWO = ["t01_powers_a", "t02_powers_b", "t04_independent", "t05_rare_disease", "t06_zero_fp", "t10_scott2008"]
SEVERAL = [
    "k01_3x3_good",
    "k02_3x3_fleiss_cohen",
    "k03_3x3_empty_row",
    "k04_4x4_job",
    "k05_4x4_diagnosis",
    "k07_6x6_sparse",
]
FIRST = Table.from_counts([[56, 20], [12, 12]])
SECOND = Table.from_counts([[30, 12], [30, 28]])
BIG = np.full((4, 4), 50)
QUESTION = {"bias": "bias", "symmetry": "symmetry", "measure": "informedness"}


def oracle(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ORACLES / f"{name}.json").read_text())
    return loaded


def measured_at_five(part: str) -> dict[str, Any]:
    """What docs/make_sizes.py found at 5 %, by method."""
    found: dict[str, Any] = json.loads((SIZES / f"five-{part}.json").read_text())["found"]
    return found


def table_of(o: dict[str, Any]) -> Table:
    return Table.from_counts(o.get("table") or [[o["TP"], o["FP"]], [o["FN"], o["TN"]]])


def of_test(o: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = o["tests"][key]
    value: dict[str, Any] = found.get("value", found)
    return value


def asked(t: Table, method: str, **more: Any) -> Any:
    question = QUESTION.get(METHODS[method].question, "independence")
    return informed.test(t, question, method=method, **more)


# ------------------------------------------------------------------ against R

R_TWO = [
    ("chisq", "pearson", {}),
    ("chisq_yates", "yates", {"when": "all"}),
    ("gtest", "g", {}),
    ("gtest_williams", "g-williams", {}),
    ("fisher_two.sided", "fisher", {}),
    ("fisher_greater", "fisher", {"alternative": "greater"}),
    ("fisher_less", "fisher", {"alternative": "less"}),
    ("exact2x2_fisher_minlike", "fisher", {}),
    ("mcnemar", "mcnemar", {}),
    ("mcnemar_cc", "mcnemar", {"when": "all"}),
    ("mcnemar_exact", "mcnemar-exact", {}),
    ("mcnemar_midp_own_formula", "mcnemar-midp", {}),
    ("mantel_haenszel_linear", "pearson-n1", {}),
]
KEEPS_ONLY_15_DIGITS = {"gtest", "gtest_williams"}  # 1 - pchisq: nothing below 1e-15


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize(("key", "method", "more"), R_TWO)
def test_two_classes_as_in_r(name: str, key: str, method: str, more: dict[str, Any]) -> None:
    o = oracle(name)
    theirs = of_test(o, key)
    ours = asked(table_of(o), method, **more)
    floor = 2e-12 if key in KEEPS_ONLY_15_DIGITS else 0.0
    assert_allclose(ours.pvalue, theirs["p"], rtol=1e-9, atol=floor)
    if method in ("pearson", "yates", "g", "g-williams", "mcnemar", "pearson-n1"):
        assert_allclose(ours.statistic, theirs["statistic"], rtol=1e-9, atol=1e-12)
        assert ours.df == theirs["df"]


@pytest.mark.parametrize("name", ["t01_powers_a", "t02_powers_b", "t06_zero_fp", "t10_scott2008"])
def test_mid_p_as_in_r(name: str) -> None:
    o = oracle(name)
    assert_allclose(asked(table_of(o), "fisher-midp").pvalue, of_test(o, "exact2x2_fisher_midp")["p"], rtol=1e-4)


def test_boschloo_as_in_r() -> None:
    o = oracle("t01_powers_a")
    ours = asked(FIRST, "boschloo").pvalue
    assert_allclose(ours, o["boschloo_exact2x2_central"]["p"], rtol=1e-4)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_classes_as_in_r(name: str) -> None:
    o = oracle(name)
    t = table_of(o)
    pairs = [("mcnemar", "bowker"), ("stuart_maxwell", "stuart-maxwell")]
    if name != "k03_3x3_empty_row":  # R has no answer with an empty margin
        pairs += [("chisq", "pearson"), ("gtest", "g"), ("gtest_williams", "g-williams")]
    compared = 0
    for key, method in pairs:
        theirs = of_test(o, key)
        if "error" in theirs or theirs["p"] == "NaN":  # R divides 0 by 0 in sparse tables
            continue
        ours = asked(t, method)
        assert_allclose(ours.statistic, theirs["statistic"], rtol=1e-9, atol=1e-9)
        assert_allclose(ours.pvalue, theirs["p"], rtol=1e-8, atol=2e-12)
        assert ours.df == theirs["df"]
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize("name", [n for n in SEVERAL if n not in ("k04_4x4_job", "k05_4x4_diagnosis")])
def test_fisher_of_several_classes_is_exact(name: str) -> None:
    o = oracle(name)
    result = asked(table_of(o), "fisher")
    assert_allclose(result.pvalue, of_test(o, "fisher_rxc")["p"], rtol=1e-9)
    assert any(str(note).startswith("exact") for note in result.notes)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("k04_4x4_job", "fisher_rxc"), ("k05_4x4_diagnosis", "fisher_rxc_montecarlo_B1e6_seed20110101")],
)
def test_fisher_of_many_tables_is_drawn_and_says_so(name: str, theirs: str) -> None:
    o = oracle(name)
    result = asked(table_of(o), "fisher")
    assert result.pvalue_low <= of_test(o, theirs)["p"] <= result.pvalue_high
    assert 0 < result.pvalue <= result.pvalue_high
    assert any(f"seed {SEED}" in str(note) for note in result.notes)
    assert asked(table_of(o), "fisher").pvalue == result.pvalue
    if name == "k05_4x4_diagnosis":
        assert any("p < 0.00018" in str(note) for note in result.notes)


# ------------------------------------------------------------------ the papers

GOLDEN = {  # statistic of the first and second table of Powers (2011), Table 2, recomputed
    "plus-p": (1.1285, 2.2857),
    "minus-p": (3.5735, 1.6552),
    "plus-r": (1.5046, 1.5764),
    "minus-r": (3.1974, 2.3645),
    "kb": (1.7153, 1.9200),
    "km": (2.0463, 1.8916),
    "kbm": (1.8735, 1.9058),
    "g-plus-p": (1.1688, 2.3859),
    "bm": (4.7020, 3.9409),
    "pearson": (4.7020, 3.9409),
    "g": (4.5000, 4.0116),
    "g-williams": (4.3823, 3.9469),
}
GOLDEN_P = {
    ("pearson", "two-sided"): (0.0301, 0.0471),
    ("g", "two-sided"): (0.0339, 0.0452),
    ("fisher", "greater"): (0.029417, 0.036937),
    ("fisher", "two-sided"): (0.043920, 0.062934),
    ("fisher", "less"): (0.991194, 0.986444),
    ("fisher-point", "two-sided"): (0.020611, 0.023381),
}


@pytest.mark.parametrize("method", GOLDEN)
def test_table_2_of_the_paper(method: str) -> None:
    found = [asked(t, method).statistic for t in (FIRST, SECOND)]
    assert_allclose(found, GOLDEN[method], atol=6e-5)


@pytest.mark.parametrize(("method", "alternative"), GOLDEN_P)
def test_p_values_of_table_2(method: str, alternative: str) -> None:
    found = [asked(t, method, alternative=alternative).pvalue for t in (FIRST, SECOND)]
    assert_allclose(found, GOLDEN_P[method, alternative], atol=6e-5)
    if method == "pearson":
        yates = [asked(t, "yates", when="all") for t in (FIRST, SECOND)]
        assert_allclose([y.statistic for y in yates], (3.6766, 3.1626), atol=6e-5)


def test_yates_only_where_it_is_wanted() -> None:
    few = Table.from_counts([[8, 2], [1, 5]])
    plain, corrected = asked(few, "pearson"), asked(few, "yates", when="all")
    assert corrected.statistic < plain.statistic
    assert asked(few, "yates").statistic == corrected.statistic
    assert asked(few, "yates", when="never").statistic == pytest.approx(plain.statistic)
    assert asked(FIRST, "yates").statistic == pytest.approx(asked(FIRST, "pearson").statistic)


def random_table(rng: np.random.Generator, k: int) -> Table:
    return Table.from_counts(rng.integers(1, 12, size=(k, k)), rows="predicted")


def test_the_family_by_its_definitions() -> None:
    rng = np.random.default_rng(5)
    for k in (2, 3, 4, 6):
        t = random_table(rng, k)
        b, m, n = informed.informedness(t), informed.markedness(t), t.n
        prev, bias = t.prevalence, t.bias
        ev_r, ev_p = np.mean(prev * (1 - prev)), np.mean(bias * (1 - bias))
        bm, ev_g = max(b * m, 0), np.sqrt(ev_r * ev_p)
        for name, square, ev in (("b", b * b, ev_r), ("m", m * m, ev_p), ("bm", bm, ev_g)):
            assert_allclose(asked(t, f"k{name}").statistic, k * n * square * ev, atol=1e-12)
            assert asked(t, f"k{name}").df == k - 1
            x = asked(t, f"x{name}")
            assert_allclose(x.statistic, k * (k - 1) * n * square * ev, atol=1e-12)
            assert x.df == (k - 1) ** 2
            plain, corrected = asked(t, name), asked(t, f"{name}-corrected")
            assert_allclose(plain.statistic, (k - 1) * n * square, atol=1e-12)
            assert plain.df == (k - 1) ** 2
            assert corrected.df == 1
            assert corrected.statistic == plain.statistic
        determinant = np.linalg.det(t.counts / n)
        harmonic = k / np.sum(1 / (prev * (1 - prev)))
        found = asked(t, "kb-det")
        assert_allclose(found.statistic, k * n * abs(determinant) ** (4 / k) / harmonic)
        assert found.df == k - 1
    for name in ("b", "m", "bm"):  # of two classes the determinant is B itself
        assert_allclose(asked(FIRST, f"k{name}-det").statistic, asked(FIRST, f"k{name}").statistic)


def test_posterior_alpha_and_beta() -> None:
    found = informed.posterior_alpha_beta([0.05, 0.01, 0.001, 0.5, 1.0])
    assert_allclose(found.alpha, [0.2893, 0.1113, 0.0184, 0.5, 0.5], atol=6e-5)
    assert_allclose(found.alpha + found.beta, 1.0)
    with pytest.raises(InformedError, match="above 0"):
        informed.posterior_alpha_beta(0.0)


# ------------------------------------------------------------------ shuffling

MEASURES_WITH_WEIGHTS = [
    "informedness",
    "informedness(weighting='bias')",
    "informedness(weighting='uniform')",
    "informedness(weighting='evenness')",
    "informedness_trace",
    "balanced_accuracy",
    "markedness",
    "markedness(weighting='prevalence')",
    "markedness_trace",
    "accuracy",
    "error_rate",
    "matthews",
    "cohen_kappa",
    "scott_pi",
    "krippendorff_alpha",
    "gwet_ac1",
    "bennett_s",
]


def shuffled(t: Table) -> tuple[Table, Any]:
    """All tables with the margins of t, with their probabilities."""
    parts = list(_lattice.tables_with_margins(t.predicted_totals, t.real_totals))
    cells = np.concatenate([c for c, _ in parts], axis=-1)
    chance = np.exp(np.concatenate([w for _, w in parts]))
    return Table.from_counts(np.moveaxis(cells, -1, 0)), chance


@pytest.mark.parametrize("name", MEASURES_WITH_WEIGHTS)
def test_permutation_moments_equal_enumeration(name: str) -> None:
    """Mean and variance over all tables with the same margins, and the order of all of them."""
    rng = np.random.default_rng(11)
    measure = find(name)
    for k in (2, 3, 4):
        t = Table.from_counts(rng.integers(0, 4, size=(k, k)) + np.eye(k, dtype=int), rows="predicted")
        every, chance = shuffled(t)
        assert_allclose(chance.sum(), 1.0, rtol=1e-12)
        weights = weights_of(measure, t)
        assert weights is not None
        sums = np.tensordot(weights, every.hits, axes=(0, 0))
        excess, variance = excess_and_variance(t, weights)
        observed = float(np.sum(weights * t.hits))
        assert_allclose(observed - chance @ sums, excess, atol=1e-12)
        assert_allclose(chance @ (sums - chance @ sums) ** 2, variance, rtol=1e-10)
        values = np.asarray(measure(every))  # rises with the sum, and by equal steps
        slope = np.polyfit(sums, values, 1)
        assert slope[0] > 0
        assert_allclose(np.polyval(slope, sums), values, atol=1e-9)


def test_all_small_tables_have_the_moments_of_their_shufflings() -> None:
    """Every 2x2 table of up to 8 cases, and every 3x3 of up to 4."""
    for k, most in ((2, 8), (3, 4)):
        for counts in product(range(most + 1), repeat=k * k):
            if not 2 <= sum(counts) <= most:
                continue
            t = Table.from_counts(np.reshape(counts, (k, k)), rows="predicted")
            if np.isnan(informed.informedness(t)):
                continue
            weights = weights_of(find("informedness"), t)
            assert weights is not None
            every, chance = shuffled(t)
            sums = np.tensordot(weights, every.hits, axes=(0, 0))
            _, variance = excess_and_variance(t, weights)
            assert_allclose(chance @ (sums - chance @ sums) ** 2, variance, atol=1e-12)


def test_two_classes_have_one_test() -> None:
    """(N−1)·B·M, whatever the measure; fewer errors is more hits."""
    z = informed.test(FIRST).statistic
    assert_allclose(z**2, 99 * informed.informedness(FIRST) * informed.markedness(FIRST))
    assert_allclose(z**2, asked(FIRST, "pearson-n1").statistic)
    for name in ("markedness", "recall", "precision", "f1", "odds_ratio", "correlation", "lr"):
        assert informed.test(FIRST, name).statistic == pytest.approx(z), name
    for name in ("error_rate", "fallout", "miss_rate", "nlr"):
        assert informed.test(FIRST, name).statistic == pytest.approx(-z), name
        assert informed.test(FIRST, name, alternative="less").pvalue < 0.05


def test_kappa_has_its_null_standard_error() -> None:
    """irr::kappa2 divides by N where shuffling divides by N − 1; otherwise the same z."""
    for name in ("k01_3x3_good", "k02_3x3_fleiss_cohen", "k05_4x4_diagnosis"):
        o = oracle(name)
        t = table_of(o)
        z = informed.test(t, "cohen_kappa").statistic
        assert_allclose(z * np.sqrt(t.n / (t.n - 1)), o["kappa"]["irr_kappa2"]["z"], rtol=1e-9)


def test_huge_and_lopsided_tables_keep_their_digits() -> None:
    """Nothing cancels: one case in a thousand million, in exact integers."""
    n, a = 10**9, 1
    t = Table.from_counts([[a, 2], [3, n - 6]])
    p, r = 3, 4
    exact = (a * (n - 6) - 6) / np.sqrt(float(p * (n - p) * r * (n - r)) / (n - 1))
    assert_allclose(informed.test(t).statistic, exact, rtol=1e-12)
    padded = Table.from_counts([[a, 2, 0], [3, n - 6, 0], [0, 0, 0]])
    assert_allclose(informed.test(padded, "matthews").statistic, exact, rtol=1e-12)


def test_permutation_by_counting_and_by_drawing_agree() -> None:
    t = Table.from_counts([[6, 2, 1], [2, 5, 2], [1, 2, 5]])
    for measure in ("informedness", "matthews", "correlation", "independence"):
        counted = informed.test(t, measure, method="permutation")
        assert any("exact" in str(note) for note in counted.notes)
        every, chance = shuffled(t)
        if measure == "independence":
            values = np.array([asked(one, "pearson").statistic for one in every])
            own = asked(t, "pearson").statistic
            expected = chance[values >= own - 1e-9].sum()
        else:
            values = np.asarray(find(measure)(every, undefined="limit"))
            own = float(find(measure)(t))
            middle = chance @ values
            expected = chance[np.abs(values - middle) >= abs(own - middle) - 1e-9].sum()
        assert_allclose(counted.pvalue, expected, rtol=1e-9)
    larger = Table.from_counts([[30, 22, 25], [24, 28, 20], [25, 21, 27]])
    drawn, z = informed.test(larger, method="permutation"), informed.test(larger)
    assert f"20000 tables with these margins were drawn (seed {SEED})" in map(str, drawn.notes)
    assert drawn.pvalue_low is not None
    assert drawn.pvalue_high is not None
    assert drawn.pvalue_low < drawn.pvalue < drawn.pvalue_high
    assert drawn.pvalue_low - 0.01 <= z.pvalue <= drawn.pvalue_high + 0.01
    assert informed.test(larger, method="permutation", rng=SEED).pvalue == drawn.pvalue
    assert informed.test(larger, method="permutation", rng=1).pvalue != drawn.pvalue


def test_a_fisher_test_is_a_permutation_test_one_way() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        t = random_table(rng, 2)
        for way in ("greater", "less"):
            exact = asked(t, "fisher", alternative=way).pvalue
            assert_allclose(informed.test(t, method="permutation", alternative=way).pvalue, exact)


def test_stacks_equal_their_tables() -> None:
    rng = np.random.default_rng(3)
    stack = Table.from_counts(rng.integers(0, 9, size=(4, 3, 2, 2)))
    for method in METHODS:
        if method in ("barnard", "boschloo"):
            continue
        whole = asked(stack, method)
        assert np.shape(whole.pvalue) == (4, 3)
        one = asked(stack[2, 1], method)
        assert_allclose(whole.pvalue[2, 1], one.pvalue, rtol=1e-12)
        assert_allclose(whole.statistic[2, 1], one.statistic, rtol=1e-12)
    k = Table.from_counts(rng.integers(0, 9, size=(5, 4, 4)))
    assert_allclose(informed.test(k).pvalue[3], informed.test(k[3]).pvalue, rtol=1e-12)


def test_strength_is_tested_upwards() -> None:
    """A measure that is least at chance has no two sides: little of it is no evidence."""
    flat = Table.from_counts([[20, 20, 21], [20, 21, 20], [20, 20, 20]])
    for measure in ("mutual_information", "cramers_v"):
        two = informed.test(flat, measure, n_draws=1000)
        assert two.pvalue > 0.9
        assert two.pvalue == informed.test(flat, measure, alternative="greater", n_draws=1000).pvalue


def test_tables_are_counted_before_they_are_made() -> None:
    """Ways to fill a class, and numbers of tables, against listing them."""
    rng = np.random.default_rng(9)
    for rows in (2, 3, 4):
        room = rng.integers(0, 5, size=(6, rows))
        radix = 10 ** np.arange(rows)
        size = int(room.sum(axis=1).min())
        parent, chosen = _lattice.filled(room, size)
        assert (chosen.sum(axis=1) == size).all()
        assert (chosen <= room[parent]).all()
        counted = _lattice._number_of_ways(room, size, radix)
        assert_allclose(counted, np.bincount(parent, minlength=6))
        assert len(np.unique(np.column_stack([parent, chosen]), axis=0)) == counted.sum()
    margins = ([3, 4, 2], [2, 2, 5])
    listed = sum(w.size for _, w in _lattice.tables_with_margins(*margins))
    assert _lattice.number_of_tables(*margins, 10**6) == listed
    log, ways = _lattice.chances(*margins, 10**6) or (np.empty(0), np.empty(0))
    assert ways.sum() == listed
    assert_allclose((ways * np.exp(log)).sum(), 1.0)


def test_averages_over_classes_are_tested() -> None:
    t = Table.from_counts([[6, 2, 1], [2, 5, 2], [1, 2, 5]])
    macro = informed.test(t, "recall(average='macro')", method="permutation")
    same = informed.test(t, "balanced_accuracy", method="permutation")
    assert_allclose(macro.pvalue, same.pvalue)


def test_fisher_of_a_short_stack() -> None:
    counts = np.random.default_rng(1).integers(0, 4, size=(3, 3, 3))
    whole = asked(Table.from_counts(counts, rows="predicted"), "fisher")
    each = [asked(Table.from_counts(c, rows="predicted"), "fisher").pvalue for c in counts]
    assert_allclose(whole.pvalue, each)
    with pytest.raises(InformedError, match="at most 100 tables"):
        asked(Table.from_counts(np.ones((101, 3, 3))), "fisher")


def test_one_class_at_a_time() -> None:
    t = Table.from_counts([[5, 1, 2], [2, 6, 1], [0, 2, 7]], labels=["a", "b", "c"])
    each = informed.test(t.one_vs_rest())
    assert_allclose(each.pvalue[1], informed.test(t.one_vs_rest("b")).pvalue)


# ------------------------------------------------------------------ what is refused, and said


OF_TWO_CLASSES = {
    *("plus-p", "minus-p", "plus-r", "minus-r", "g-plus-p"),
    *("mcnemar", "mcnemar-exact", "mcnemar-midp", "barnard", "boschloo"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "counts",
    [
        [[90, 10], [0, 0]],
        [[7, 0], [5, 0]],
        [[0, 0], [0, 0]],
        [[0, 0], [0, 9]],
        [[1, 0], [0, 0]],
        [[5, 3, 0], [0, 0, 0], [0, 0, 0]],
        [[5, 0, 0], [2, 0, 0], [3, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[4, 1, 0], [2, 5, 0], [0, 0, 0]],
    ],
)
def test_never_nan_on_an_empty_margin(method: str, counts: list[list[int]]) -> None:
    t = Table.from_counts(counts)
    if len(counts) == 3 and method in OF_TWO_CLASSES:
        with pytest.raises(InformedError, match=r"two classes"):
            asked(t, method)
        return
    result = asked(t, method)
    assert 0 < result.pvalue <= 1
    assert np.isfinite(result.statistic) or method.startswith(("fisher", "barnard", "boschloo"))
    only_one = min(np.count_nonzero(t.prevalence > 0), np.count_nonzero(t.bias > 0)) < 2
    if only_one and METHODS[method].question in ("measure", "independence"):
        assert result.pvalue == 1
        assert any("p is 1" in str(note) for note in result.notes)


def test_p_is_never_zero() -> None:
    t = Table.from_counts([[10**6, 3], [2, 10**6]])
    for method in ("auto", "pearson", "fisher"):
        result = informed.test(t, method=method)
        assert result.pvalue > 0
        assert any("smallest number" in str(note) for note in result.notes)


@pytest.mark.parametrize("method", ["fisher", "fisher-midp", "permutation", "barnard"])
def test_exact_tests_refuse_what_is_not_counted(method: str) -> None:
    with pytest.raises(InformedError, match="whole numbers"):
        asked(Table.from_counts([[2.5, 1], [1, 3]]), method)
    weighted = Table.from_labels(real=[1, 0, 1, 0], predicted=[1, 0, 0, 1], weights=[2, 1, 1, 1])
    with pytest.raises(InformedError, match="weighted"):
        asked(weighted, method)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: informed.test(FIRST.at_prevalence(0.1)), "computed"),
        (lambda: informed.test(FIRST.independent), "not observed"),
        (lambda: informed.test(FIRST, method="fischer"), "no method"),
        (lambda: asked(FIRST, "pearson", alternative="more"), "alternative"),
        (lambda: asked(FIRST, "yates", when="often"), "when"),
        (lambda: informed.test(FIRST, n_draws=0), "draw"),
        (lambda: asked(Table.from_counts(BIG, rows="predicted"), "permutation", rng="x"), "`rng`"),
        (lambda: informed.test(FIRST, "prevalence"), "function of the margins"),
        (lambda: informed.test(Table.from_counts(BIG, rows="predicted"), "entropy_real"), "function of the margins"),
        (lambda: informed.test(FIRST, "kapa"), "Did you mean"),
        (lambda: informed.test(FIRST, "bias", method="pearson"), "not what was asked"),
        (lambda: informed.test(FIRST, method="kb", alternative="less"), "direction"),
        (lambda: informed.test(of_units([[[5, 1], [1, 5]], [[3, 1], [0, 2]]]), method="fisher"), "independent"),
        (lambda: informed.test(Table.from_counts([[400, 200], [1, 2]]), method="barnard"), "500"),
        (lambda: informed.test(Table.from_counts(np.eye(3) * 9), method="plus-p"), "one_vs_rest"),
        (lambda: informed.test(Table.from_counts(np.eye(3) * 9), method="pearson", alternative="less"), "no direction"),
    ],
)
def test_refusals_are_sentences(call: Any, said: str) -> None:
    with pytest.raises(InformedError, match=said):
        call()


def test_the_null_and_the_error_rate_are_said() -> None:
    result = informed.test(FIRST, method="kb")
    assert result.hypothesis == "predictions and reality are independent"
    assert "0.2 % of the time" in result.calibration
    default = informed.test(FIRST)
    assert default.hypothesis.startswith("informedness is 0")
    assert default.method == "permutation-midp"
    assert "4.4 %" in default.calibration
    three = Table.from_counts([[5, 1, 2], [2, 6, 1], [0, 2, 7]])
    assert any("more than informedness" in str(n) for n in informed.test(three, method="pearson").notes)
    assert default.to_frame().shape[0] == 1


def test_warnings_say_what_they_mean_for_the_method() -> None:
    few = Table.from_counts([[4, 1], [1, 3]])
    assert "fewer than 12" in str(informed.test(few).notes[-1])
    assert "stands" in str(informed.test(few).notes[-1])
    assert "not be trusted" in str(informed.test(few, method="g").notes[-1])
    assert "counts tables" in str(informed.test(few, method="fisher").notes[-1])
    assert [note.code for note in informed.test(FIRST).notes] == ["exact"]
    assert "too small where" in str(informed.test(few, method="permutation-z").notes[-1])
    sixteen = Table.from_counts([[6, 2], [1, 6]])
    assert "fewer than 16" in str(informed.test(sixteen).notes[-1])
    stack = Table.from_counts([[[4, 1], [1, 3]], [[56, 20], [12, 12]]])
    assert "1 of 2 tables have fewer than 12 cases" in str(informed.test(stack).notes[-1])


def test_weights_count_as_their_effective_number() -> None:
    rng = np.random.default_rng(8)
    real, predicted = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    same = Table.from_labels(real=real, predicted=predicted, weights=np.full(200, 3.0))
    plain = Table.from_labels(real=real, predicted=predicted)
    assert_allclose(informed.test(same).pvalue, informed.test(plain).pvalue)
    weights = rng.uniform(0.1, 3, 200)
    uneven = Table.from_labels(real=real, predicted=predicted, weights=weights)
    result = informed.test(uneven)
    scaled = Table.from_counts(uneven.counts * uneven.effective_n("informedness") / uneven.n)
    assert_allclose(result.pvalue, informed.test(scaled).pvalue)
    assert "weighted cases" in str(result.notes[0])


# ------------------------------------------------------------------ units


def copied(rng: np.random.Generator, units: int, copies: int, worlds: int) -> Table:
    """Each unit is one guessed case, told `copies` times."""
    one = rng.multinomial(1, np.full(9, 1 / 9), size=(worlds, units)).reshape(worlds, units, 3, 3)
    return of_units(one * copies, name="document")


def test_copies_of_a_case_add_nothing() -> None:
    """Each case told four times: the test is that of the units, and the plain one is fooled."""
    stack = copied(np.random.default_rng(4), 60, 4, 4000)
    result = informed.test(stack)
    error = np.sqrt(0.05 * 0.95 / 4000)
    assert abs((result.pvalue <= 0.05).mean() - 0.045) < 4 * error
    assert (informed.test(stack.without_units()).pvalue <= 0.05).mean() > 0.25
    assert result.method == "permutation-units"
    assert "60 documents of 240 cases" in str(result.notes[0])


def test_copies_change_no_test() -> None:
    """Cases told once, twice and four times have the same statistic, but for what was not seen."""
    once, twice, often = (informed.test(copied(np.random.default_rng(4), 60, copies, 20)) for copies in (1, 2, 4))
    assert_allclose(twice.statistic, once.statistic, rtol=0.03)
    assert_allclose(often.statistic, once.statistic, rtol=0.04)


def test_the_units_say_what_the_cases_are_worth_under_shuffling() -> None:
    """Every step by hand but the rule of worth itself: slopes at independence, the scaled table, Student's tail."""
    held = np.random.default_rng(3).integers(0, 4, (30, 3, 3)).astype(float)
    t = of_units(held)
    weights = weights_of(find("informedness"), t)
    assert weights is not None
    smoothed = t.cells + 2 * half_right(3)
    said, real = (smoothed.sum(axis=axis) / smoothed.sum() for axis in (1, 0))
    slopes = np.diag(weights) - (weights * real)[:, None] - weights * said
    slopes = (slopes - (smoothed * slopes).sum() / smoothed.sum()).ravel()
    sides = np.tile(np.arange(3), 3), np.repeat(np.arange(3), 3)
    by_hand = worth(
        Functional(lambda p, _: p[0], lambda p, _: slopes.reshape(-1, 1)),
        t.cells.reshape(9),
        Cells(sides, sides, half_right(3).ravel()),
        units=t.units,
    )
    scaled = Table.from_counts(t.cells * float(by_hand.effective_n) / t.n)
    for side, twice in (("two-sided", 2), ("greater", 1), ("less", 1)):
        found, plain = (informed.test(x, alternative=side) for x in (t, scaled))  # type: ignore[arg-type]  # side is one
        z = norm.isf(plain.pvalue / twice)
        assert found.pvalue == pytest.approx(twice * student.sf(z, float(by_hand.df)))
        assert found.statistic == pytest.approx(plain.statistic)
    assert found.df == pytest.approx(float(by_hand.df))


def test_a_p_value_and_the_interval_beside_it_mostly_agree() -> None:
    rng = np.random.default_rng(12)
    truth = np.array([0.32, 0.22, 0.18, 0.28])
    held = np.stack([rng.multinomial(6, rng.dirichlet(8 * truth), 40).reshape(-1, 2, 2) for _ in range(300)])
    stack = of_units(held)
    small = np.asarray(informed.test(stack).pvalue) <= 0.05
    beside = informed.interval(stack, "informedness")
    without = (np.asarray(beside.low) > 0) | (np.asarray(beside.high) < 0)
    assert 0.1 < small.mean() < 0.9
    assert (small == without).mean() >= 0.95


def test_units_of_one_case_are_tested_as_cases() -> None:
    stack = copied(np.random.default_rng(6), 300, 1, 50)
    assert np.array_equal(informed.test(stack).pvalue, informed.test(stack.without_units()).pvalue)
    named = informed.test(stack.without_units(), method="permutation-units")
    assert np.array_equal(named.pvalue, informed.test(stack).pvalue)


def test_one_unit_says_nothing() -> None:
    one = informed.test(of_units([[[5, 1], [1, 5]]]))
    assert one.pvalue == 1
    assert "fewer than two units" in str(one.notes[-1])


def test_what_cannot_be_shuffled_in_units_or_weighted_says_what_can() -> None:
    rng = np.random.default_rng(3)
    real, said = rng.integers(0, 3, (2, 60))
    in_units = Table.from_labels(real=real, predicted=said, unit=np.arange(60) // 6)
    weighted = Table.from_labels(real=real, predicted=said, weights=1 + np.arange(60) % 4)
    for method in ("auto", "permutation"):
        for t, way in ((in_units, "informedness.*without_units"), (weighted, "informedness")):
            with pytest.raises(InformedError, match=f"[Tt]est {way}"):
                informed.test(t, "mutual_information", method=method)
    for t in (in_units, in_units.without_units(), weighted):  # what is said to do works
        assert 0 < informed.test(t).pvalue <= 1
    assert 0 < informed.test(in_units.without_units(), "mutual_information", n_draws=500).pvalue <= 1
    assert [x.code for x in informed.test(in_units, "bias").notes] == ["bias-of-units"]


def test_bias_over_units() -> None:
    """Hand-checked: T = d²/Σd² of units; of single cases it is McNemar's, of more classes Stuart and Maxwell's."""
    patterns = np.array([[3, 0, 1, 4], [2, 1, 0, 5], [0, 0, 3, 2], [4, 2, 0, 1], [0, 1, 0, 7], [1, 3, 2, 2]])
    units = np.repeat(patterns, [3, 2, 1, 2, 3, 1], axis=0).reshape(-1, 2, 2)
    found = informed.test(of_units(units), "bias")
    assert (found.statistic, found.df) == (pytest.approx(0.615385, abs=5e-7), 1)
    assert found.pvalue == pytest.approx(0.432768, abs=5e-7)
    singles = informed.test(Table.from_counts(units.sum(axis=0), rows="predicted"), "bias", method="mcnemar")
    assert (singles.statistic, singles.pvalue) == pytest.approx((0.8, 0.371093), abs=5e-7)

    cases = np.eye(9).reshape(9, 3, 3).repeat([9, 2, 1, 3, 8, 4, 1, 0, 7], axis=0)
    two = np.concatenate([cases, cases])
    whole = informed.test(of_units(2 * cases), "bias")  # each case twice in its unit
    assert whole.statistic == pytest.approx(
        informed.test(Table.from_counts(cases.sum(axis=0), rows="predicted"), "bias").statistic
    )
    stack = of_units(np.stack([two, two[::-1]]))
    assert_allclose(
        informed.test(stack, "bias").statistic,
        informed.test(Table.from_counts(two.sum(axis=0), rows="predicted"), "bias").statistic,
    )
    with pytest.raises(InformedError, match="independent"):
        informed.test(of_units(2 * cases), "symmetry")


# ------------------------------------------------------------------ error rates


def test_small_tables_keep_the_error_rate_that_the_warning_states() -> None:
    """8 to 32 cases at any prevalence and guess rate: at most 7 %, of the default 5 %, exactly."""
    rates = np.arange(0.05, 0.51, 0.05)
    for n in (8, 12, 16, 24, 32):
        cells = every_two_by_two(n)
        for method, most in (("permutation-midp", 0.051), ("pearson-n1", 0.07)):
            rejected = np.asarray(informed.test(tables(cells), method=method).pvalue) <= 0.05
            for prevalence, guess in product(rates, rates):
                world = mixture(0.0, np.array([prevalence, 1 - prevalence]), np.array([guess, 1 - guess]))
                assert chance_of(cells[..., rejected], world).sum() <= most


@pytest.mark.slow
@pytest.mark.parametrize("n", [32, 64])
def test_two_class_error_rates_are_those_stated(n: int) -> None:
    """Exact: every table of n cases in each world of guessing. No rate of the default above 5 %."""
    rates = error_rates.exact_sizes(error_rates.TWO, (n,))
    found = measured_at_five(f"two-{n}")
    assert rates.keys() == found.keys() == measured()["worlds"].keys()
    for name, again in rates.items():
        assert_allclose(again, found[name]["sizes"], rtol=1e-5, err_msg=name)
    assert rates["permutation-midp"].max() <= 0.05
    for name in ("permutation-z", "pearson-n1"):
        assert rates[name].max() <= 0.06


@pytest.mark.slow
def test_several_class_error_rates_are_those_stated() -> None:
    """1000 tables in each of 36 worlds, with another seed than the stated rates of 10,000 tables, world by world."""
    draws, stated_draws = 1000, 10_000
    rates = error_rates.simulated_sizes(error_rates.SEVERAL, draws, seed=2)
    parts = [measured_at_five(f"more-{k}") for k in error_rates.FIVE_CLASSES]
    assert rates.keys() == {name for name, rates in measured()["worlds"].items() if len(rates) == 2}
    for name, found in rates.items():
        stated = np.concatenate([part[name]["sizes"] for part in parts])
        error = np.sqrt(np.maximum(stated, 1e-3) * (1 - stated) * (1 / draws + 1 / stated_draws))
        assert (np.abs(found - stated) < 5 * error).all(), name
        assert abs(found.mean() - stated.mean()) < 4 * np.sqrt((error**2).mean() / stated.size), name
        if name in ("permutation-midp", "permutation-z"):
            assert 0.03 <= stated.min() <= stated.max() <= 0.06
            assert 0.044 <= found.mean() <= 0.053


def test_dependence_without_information_is_not_mistaken_for_it() -> None:
    """Informedness 0 and yet dependent: Pearson must reject, the default must not."""
    t = error_rates.uninformed_but_dependent(5, 160, 4000, seed=3)
    error = np.sqrt(0.05 * 0.95 / 4000)
    assert abs((informed.test(t).pvalue <= 0.05).mean() - 0.05) < 4 * error + 0.005
    assert (informed.test(t, "independence", method="pearson").pvalue <= 0.05).mean() > 0.9


def test_power_where_it_was_published() -> None:
    """Figures of the study that chose the defaults: N = 32 and 64, informedness .3, even."""
    methods = ["pearson", "yates", "kb", "fisher", "g"]
    few = error_rates.exact_power(32, 0.3, 0.5, 0.5, methods)
    more = error_rates.exact_power(64, 0.3, 0.5, 0.5, methods)
    assert_allclose([few[m] for m in methods], [0.400, 0.265, 0.129, 0.302, 0.408], atol=6e-4)
    assert_allclose([more[m] for m in methods], [0.685, 0.593, 0.334, 0.640, 0.691], atol=6e-4)


def test_random_tables_come_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that fit in memory, as many tables as asked, all with the margins."""
    from informed.inference import possible_tables as _lattice

    rows, columns = np.array([5.0, 7.0, 3.0]), np.array([6.0, 6.0, 3.0])
    monkeypatch.setattr(_lattice, "_DRAWN", 9 * 4)
    parts = list(_lattice.random_tables(rows, columns, 10, np.random.default_rng(1)))
    assert [part.shape for part in parts] == [(3, 3, 4), (3, 3, 4), (3, 3, 2)]
    drawn = np.concatenate(parts, axis=-1)
    assert (drawn.sum(axis=1) == rows[:, None]).all()
    assert (drawn.sum(axis=0) == columns[:, None]).all()
    assert len(np.unique(drawn.reshape(9, -1), axis=1).T) > 5


def test_only_a_simulated_p_value_has_an_interval() -> None:
    counted = informed.test(FIRST, method="permutation")
    assert "counted" in {note.code for note in counted.notes}
    assert counted.pvalue_low is None
    assert counted.pvalue_high is None
    drawn = informed.test(Table.from_counts(BIG, rows="predicted"), "independence", method="permutation", n_draws=200)
    assert drawn.pvalue_low is not None
    assert drawn.pvalue_low <= drawn.pvalue <= drawn.pvalue_high
