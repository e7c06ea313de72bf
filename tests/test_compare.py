"""Two systems compared: against R, against identities, and what is promised in words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from scipy.special import ndtr
from scipy.stats import binomtest

import informed
from informed import InformedError, Table, compare, find
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.inference.influence import differences
from informed.inference.sample import Sample
from informed.inference.two_proportions import score_statistic
from informed.systems import unpaired_exact
from informed.systems.comparison import Comparison
from informed.systems.paired_arc import PairedContrast, arc_distances, arc_limits
from informed.systems.paired_exact import exact_tails, tango
from informed.systems.paired_methods import METHODS, default
from informed.systems.tails import quantile, tails, two_sided

ORACLES = Path(__file__).parent / "oracles"
MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy")
GOLDEN = np.array([40, 3, 6, 5, 2, 1, 4, 9]).reshape(2, 2, 2)


def oracle(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(ORACLES.glob(f"{name}_*.json")).read_text())
    return found


P01, U01 = oracle("p01"), oracle("u01")


def paired_by_r(**options: Any) -> Comparison:
    """The second test of DTComPair's example minus the first, as R has it."""
    joint = np.zeros((2, 2, 2))
    for cell in P01["cells"]:
        joint[cell["d"], cell["y2"], cell["y1"]] = cell["n"]
    return compare.paired(joint=joint, labels=[0, 1], **options)


def unpaired_by_r(**options: Any) -> Comparison:
    first, second = (Table.from_counts([[tp, fp], [fn, tn]]) for tp, fp, fn, tn in U01["TP_FP_FN_TN"])
    return compare(second, first, **options)


# ---------------------------------------------------------------------- against R

NAMES = {
    "informedness": "informedness",
    "markedness": "markedness",
    "mcc": "matthews",
    "kappa": "cohen_kappa",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1": "f1",
    "TPR": "recall",
    "TNR": "inverse_recall",
    "PPV": "precision",
    "NPV": "inverse_precision",
}


@pytest.mark.parametrize("key", NAMES)
def test_paired_delta_agrees_with_r(key: str) -> None:
    r = P01["derived_paired_delta_and_bootstrap"][key]
    found = paired_by_r(method="delta")[NAMES[key]]
    assert found.estimate == pytest.approx(r["diff"], abs=1e-12)
    assert (found.a, found.b) == pytest.approx((r["sys2"], r["sys1"]), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(r["ci_delta"], abs=1e-9)
    assert found.pvalue == pytest.approx(r["p"], abs=1e-9)


@pytest.mark.parametrize("measure", ["informedness", "markedness", "accuracy"])
def test_paired_delta_is_rs_sandwich(measure: str) -> None:
    r = P01[f"sandwich_{measure}"]
    found = paired_by_r(method="delta")[measure]
    error = (found.high - found.low) / 2 / quantile(0.95)
    assert found.estimate == pytest.approx(r["diff_sys2_minus_sys1"], abs=1e-9)
    assert error == pytest.approx(r["se_clustered_by_item"], abs=1e-9)


@pytest.mark.parametrize("key", ["informedness", "markedness", "mcc", "kappa", "accuracy", "f1"])
def test_count_bootstrap_agrees_with_rs_row_bootstrap(key: str) -> None:
    r = P01["derived_paired_delta_and_bootstrap"][key]
    found = paired_by_r(method="bootstrap", n_draws=20_000)[NAMES[key]]
    # a quantile of 20 000 draws has an error of about .02 standard errors, on either side
    assert found.low == pytest.approx(r["ci_boot_percentile"][0], abs=0.1 * r["se_boot"])
    assert found.high == pytest.approx(r["ci_boot_percentile"][1], abs=0.1 * r["se_boot"])


def test_mcnemar_and_tango_agree_with_r() -> None:
    p = {way: paired_by_r(method=way)["accuracy"].pvalue for way in METHODS if "mcnemar" in way}
    assert p["mcnemar"] == pytest.approx(P01["accuracy_mcnemar"]["p"], rel=1e-9)
    assert p["mcnemar-exact"] == pytest.approx(P01["accuracy_mcnemar_exact"]["p"], rel=1e-9)
    assert p["mcnemar-midp"] == pytest.approx(P01["accuracy_mcnemar_exact_midp"]["p"], rel=1e-9)
    tango = paired_by_r(method="tango")["accuracy"]
    r = P01["accuracy_diff_ci_tango_ratesci"]  # first minus second there
    assert (tango.low, tango.high) == pytest.approx((-r["upper"], -r["lower"]), abs=1e-9)
    for measure, key in (("recall", "sensitivity"), ("inverse_recall", "specificity")):
        r = P01["DTComPair"]
        found = paired_by_r(method="tango")[measure]
        limits = r["sesp.diff.ci_tango"][key]
        assert found.low == pytest.approx(limits["diff.lcl"], abs=1e-7)
        assert found.high == pytest.approx(limits["diff.ucl"], abs=1e-7)
        assert found.pvalue == pytest.approx(r["sesp.mcnemar"][key]["p.value"], rel=1e-8)
        exact = paired_by_r(method="mcnemar-exact")[measure]
        assert exact.pvalue == pytest.approx(r["sesp.exactbinom"][key]["p.value"], rel=1e-8)


def test_the_story_of_p01() -> None:
    """Sensitivity falls, specificity rises, and nothing is gained or lost."""
    found = paired_by_r()
    assert found["recall"].high < 0 < found["inverse_recall"].low
    assert found["recall"].pvalue < 1e-6
    assert found["inverse_recall"].pvalue < 1e-3
    assert found["informedness"].estimate == pytest.approx(-0.005394568, abs=1e-9)
    assert found["informedness"].pvalue == pytest.approx(0.89, abs=0.005)
    assert 0 in found["informedness"]


@pytest.mark.parametrize("key", ["informedness", "markedness", "mcc", "kappa", "accuracy", "f1"])
def test_unpaired_delta_agrees_with_r(key: str) -> None:
    r = U01["derived_delta"][key]
    found = unpaired_by_r(method="delta")[NAMES[key]]
    assert found.estimate == pytest.approx(r["diff"], abs=1e-12)
    assert (found.high - found.low) / 2 / quantile(0.95) == pytest.approx(r["se"], abs=1e-9)
    assert found.pvalue == pytest.approx(r["p"], abs=1e-9)
    near = unpaired_by_r()[NAMES[key]]  # the default differs by what few items leave open
    assert near.pvalue == pytest.approx(r["p"], abs=0.02)


# ---------------------------------------------------------------------- the arc


@pytest.mark.parametrize(
    ("measure", "estimate", "low", "high", "pvalue"),
    [
        ("informedness", 0.13194, -0.16632, 0.41027, 0.4178),
        ("markedness", 0.03628, -0.20710, 0.28345, None),
        ("matthews", 0.08043, -0.18289, 0.33805, None),
        ("cohen_kappa", 0.06095, -0.19556, 0.32049, None),
        ("accuracy", 0.0, -0.10875, 0.10875, 1.0),
    ],
)
def test_golden(measure: str, estimate: float, low: float, high: float, pvalue: float | None) -> None:
    s = PairedContrast(find(measure), Joint.from_counts(GOLDEN))
    found = arc_limits(s, quantile(0.95), steps=64)
    assert float(s.estimate) == pytest.approx(estimate, abs=5.1e-6)
    assert found == pytest.approx((low, high), abs=5.1e-6)
    if pvalue is not None:
        p = two_sided(tails(arc_distances(s, steps=64)))
        assert p == pytest.approx(pvalue, abs=5.1e-5)
    shipped = compare.paired(joint=GOLDEN)[measure]  # in 16 steps
    assert (shipped.low, shipped.high) == pytest.approx((low, high), abs=1e-3)
    assert shipped.method == "arc"


@pytest.mark.parametrize("measure", [*MEASURES, "f1", "recall"])
@pytest.mark.parametrize("k", [2, 3])
def test_slopes_of_a_difference(measure: str, k: int) -> None:
    if k > 2 and measure in ("f1", "recall"):
        measure += "(average='macro')"
    rng = np.random.default_rng(3)
    joint = Joint.from_counts(rng.integers(1, 20, size=(k, k, k)), labels=range(k))
    s = PairedContrast(find(measure), joint)
    p = s.raw / s.n
    own = s.f.gradient(p, s.n)
    other = differences(s.f.value, p, s.n)
    centred = [g - (p * g).sum() for g in (own, other)]
    assert centred[0] == pytest.approx(centred[1], abs=1e-6)


joints = arrays(np.int64, (2, 2, 2), elements=st.integers(0, 12)).filter(lambda x: bool(x[0].sum() and x[1].sum()))


@settings(max_examples=40, deadline=None)
@given(joints, st.floats(0.02, 0.999), st.sampled_from(MEASURES))
def test_pvalue_and_interval_agree_at_every_level(counts: Array, level: float, measure: str) -> None:
    found = compare.paired(joint=counts, level=level)[measure]
    assert 0 <= found.pvalue <= 1
    if abs(found.pvalue - (1 - level)) > 1e-9:
        assert (found.pvalue < 1 - level) == (0 not in found)


@settings(max_examples=30, deadline=None)
@given(joints, st.sampled_from(MEASURES), st.sampled_from(["arc", "smoothed-delta", "mover"]))
def test_exchanging_the_systems_changes_the_sign_only(counts: Array, measure: str, method: str) -> None:
    one = compare.paired(joint=counts, method=method)[measure]
    other = compare.paired(joint=counts.swapaxes(1, 2), method=method)[measure]
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-9, nan_ok=True)
    assert other.pvalue == pytest.approx(one.pvalue, abs=1e-9, nan_ok=True)
    assert (other.a, other.b) == pytest.approx((one.b, one.a), nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("errors", [0, 4])
def test_identical_systems(measure: str, errors: int) -> None:
    real = [1] * 15 + [0] * 25
    said = [1 - x if i < errors else x for i, x in enumerate(real)]
    for method in ("arc", "smoothed-delta", "mover", "delta", "bootstrap", "swap"):
        found = compare.paired(real=real, a=said, b=said, method=method)[measure]
        assert found.estimate == 0
        assert found.pvalue == 1
    found = compare.paired(real=real, a=said, b=said)[measure]
    assert found.low == pytest.approx(-found.high, abs=1e-12)
    assert 0.05 < found.high < 0.3


def test_identical_systems_by_mcnemar_are_no_infinity() -> None:
    same = np.diag([5.0, 6.0])
    joint = np.stack([same, same])
    for method in ("tango", "mcnemar", "mcnemar-exact", "mcnemar-midp"):
        found = compare.paired(joint=joint, method=method)["accuracy"]
        assert found.pvalue == 1
        assert found.low == pytest.approx(-found.high)
    assert compare.paired(joint=20 / 11 * joint)["accuracy"].high == pytest.approx(0.067, abs=5e-4)


def test_one_sided_tails_and_other_nulls_invert_the_interval() -> None:
    found = compare.paired(joint=GOLDEN, level=0.9)
    d = found["informedness"]
    assert found.pvalue("informedness", against=d.low, alternative="greater") == pytest.approx(0.05)
    assert found.pvalue("informedness", against=d.high, alternative="less") == pytest.approx(0.05)
    assert found.pvalue("informedness", against=d.high) == pytest.approx(0.1)
    with pytest.raises(InformedError, match="alternative"):
        found.pvalue("informedness", alternative="better")


# ---------------------------------------------------------------------- the others


def test_stacks_are_many_comparisons_at_once() -> None:
    rng = np.random.default_rng(1)
    stack = rng.integers(0, 15, size=(2, 3, 2, 2, 2))
    for method in ("arc", "smoothed-delta", "mover", "delta", "tango"):
        measure = "accuracy" if method == "tango" else "informedness"
        found = compare.paired(joint=stack, method=method)[measure]
        assert found.low.shape == (2, 3)
        one = compare.paired(joint=stack[1, 2], method=method)[measure]
        for name in ("estimate", "low", "high", "pvalue"):
            assert getattr(found, name)[1, 2] == pytest.approx(getattr(one, name), abs=1e-9)
    assert len(found.to_frame()) == 6
    many = rng.integers(0, 15, size=(110_000, 2, 2, 2))
    assert compare.paired(joint=many)["informedness"].method == "smoothed-delta"


def test_swap_of_accuracy_is_mid_p_mcnemar() -> None:
    """Swapping within items leaves the discordant ones a binomial of a half."""
    swap = compare.paired(joint=GOLDEN, method="swap")
    assert swap["accuracy"].pvalue == pytest.approx(
        compare.paired(joint=GOLDEN, method="mcnemar-midp")["accuracy"].pvalue
    )
    drawn = compare.paired(joint=np.stack([GOLDEN] * 2), method="swap")["informedness"].pvalue
    exact = swap["informedness"].pvalue
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact / 10_000))
    assert "exchangeable" in swap["informedness"].hypothesis
    assert np.isnan(swap["informedness"].low)


def test_exact_mcnemar_is_the_binomial_test() -> None:
    only_a, only_b = 6 + 2 + 1, 3 + 4 + 5  # placed so that a alone is right 9 times, b alone 12
    joint = np.array([[[40, 9], [0, 0]], [[0, 12], [0, 9]]])
    found = compare.paired(joint=joint, labels=[0, 1], method="mcnemar-exact")["accuracy"]
    assert found.pvalue == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_same_table_twice_doubles_the_variance() -> None:
    t = Table.from_counts([[56, 20], [12, 12]])
    for measure in (*MEASURES, "recall", "f1"):
        found = compare(t, t, method="delta")[measure]
        single = float(Sample(find(measure), t, 0.95).standard_error())
        assert (found.high / quantile(0.95)) ** 2 == pytest.approx(2 * single**2)
        assert compare(t, t)[measure].pvalue == 1
    assert not compare(t, t).notes


def test_unpaired_pvalue_and_interval_agree() -> None:
    rng = np.random.default_rng(5)
    a, b = (Table.from_counts(rng.integers(0, 20, size=(40, 2, 2))) for _ in range(2))
    for method in ("mover", "plus-four"):
        for level in (0.5, 0.9, 0.95):
            found = compare(a, b, level=level, method=method)["informedness"]
            known = ~np.isnan(found.estimate)
            outside = (found.low > 0) | (found.high < 0)
            assert np.array_equal(outside[known], (found.pvalue < 1 - level)[known])


def test_disagreement_because_of_prevalence_is_said() -> None:
    found = unpaired_by_r()
    assert found["f1"].pvalue < 0.05 < found["informedness"].pvalue
    assert any("f1 and informedness disagree" in str(note) for note in found.notes)
    sick = Table.from_counts([[80, 10], [20, 90]])
    rare = Table.from_counts([[8, 19], [2, 171]])  # the same rates, another prevalence
    assert "Precision" in repr(compare(sick, rare))


def test_tables_are_aligned_by_label() -> None:
    a = Table.from_counts([[5, 1], [2, 6]], labels=["cat", "dog"])
    b = Table.from_counts([[6, 2], [1, 5]], labels=["dog", "cat"])
    assert compare(a, b)["accuracy"].estimate == pytest.approx(0)
    wide = Table.from_counts(np.eye(3) * 4, labels=["cat", "dog", "owl"])
    assert compare(a, wide)["accuracy"].b == 1


def test_papers_rules() -> None:
    """Half-widths .1064 and .0963 are those of the papers' two tables."""
    found = unpaired_by_r(method="powers")["informedness"]
    assert (found.high - found.low) / 2 == pytest.approx(np.hypot(0.1064, 0.0963), abs=1e-4)
    assert found.claims["significant"] is False
    assert "up to .58" in str(found.notes[0])
    a, b = Table.from_counts([[45, 5], [5, 45]]), Table.from_counts([[38, 12], [12, 38]])
    said = compare(a, b, method="powers")["informedness"]
    assert said.claims["significant"]
    assert said.claims["mutual"]
    assert said.claims["directed"]


def test_papers_rules_are_printed_for_every_measure_that_they_are_for() -> None:
    """Two populations of different prevalence, as the papers' own Table 2; accuracy has no rule there."""
    a, b = Table.from_counts([[56, 20], [12, 12]]), Table.from_counts([[30, 12], [30, 28]])
    for method in ("powers", "powers-0", "powers-1", "powers-2"):
        found = compare(a, b, method=method)
        assert found.measures == ("informedness", "markedness", "matthews")
        assert found.records()["measure"] == found.measures
        for said in (str(found), found.markdown(), found.html()):
            assert "Markedness" in said
        assert "accuracy is higher" in str(found.notes[0])
    of_three = compare(*(Table.from_counts(np.eye(3) * n + 5) for n in (20, 30)), method="powers")
    assert of_three.measures == ("informedness", "markedness", "matthews", "correlation")
    real, a_said, b_said = [1, 0] * 20, [1, 1, 0, 0] * 10, [1, 0] * 20
    assert "Markedness" in str(compare.paired(real=real, a=a_said, b=b_said, method="powers"))


def test_a_method_for_some_measures_shows_these() -> None:
    found = compare.paired(real=[1, 0] * 20, a=[1, 1, 0, 0] * 10, b=[1, 0] * 20, method="tango")
    assert "accuracy" in found.measures
    assert "informedness" not in found.measures
    assert str(found).startswith("a is worse than b: accuracy -0.500 [")


# ---------------------------------------------------------------------- margins and plans


@pytest.mark.parametrize("margin", [0.02, 0.07, 0.1])
def test_equivalence_is_an_interval_within_the_margin(margin: float) -> None:
    found = paired_by_r()
    both = found.equivalence("informedness", margin=margin)
    assert both.shown == (-margin < both.low and both.high < margin)
    worse = found.noninferiority("informedness", margin=margin)
    assert worse.shown == (-margin < worse.low)
    assert worse.pvalue <= both.pvalue
    ninety = paired_by_r(level=0.9)["informedness"]
    assert (both.low, both.high) == pytest.approx((ninety.low, ninety.high))


def right_and_wrong(n: int) -> tuple[Any, Any, Any, Any]:
    """Every number of items that only one of two systems has right, of n, as a stack of joint tables, and how often
    each is drawn where these shares are true."""
    b, c = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    b, c = b[b + c <= n], c[b + c <= n]
    both = np.round(0.9 * (n - b - c))
    joint = np.zeros((len(b), 2, 2, 2))
    joint[:, 1, 1, 0], joint[:, 1, 0, 1], joint[:, 1, 1, 1], joint[:, 1, 0, 0] = b, c, both, n - b - c - both

    def chance(one: float, other: float) -> Any:
        return stats.multinomial.pmf(np.stack([b, c, n - b - c], axis=-1), n, [one, other, 1 - one - other])

    return b, c, joint, chance


def test_noninferiority_of_accuracy_keeps_its_size() -> None:
    """By listing every outcome of 50 items, at many shares of items on which the systems differ."""
    *_, joint, chance = right_and_wrong(50)
    p, margin = {}, 0.1
    for method in ("auto", "arc"):
        found = compare.paired(joint=joint, method=method)
        p[method] = found.pvalue("accuracy", against=-margin, alternative="greater")
    shares = np.linspace(margin, (1 + margin) / 2, 40, endpoint=False)
    probability = np.stack([chance(x - margin, x) for x in shares])
    for level in (0.05, 0.01, 0.001):
        size = {name: (probability @ (held <= level)).max() for name, held in p.items()}
        assert size["auto"] <= level * (1 + 1e-9)
    assert size["arc"] > 2 * level


def test_exact_tail_by_tango_is_that_of_the_listed_outcomes() -> None:
    """The largest probability over the nuisance, from every outcome by itself."""
    b, c, _, chance = right_and_wrong(20)
    for x, y, null in ((3, 5, -0.2), (0, 2, -0.3), (7, 1, 0.0), (2, 0, 0.05), (0, 0, -0.1)):
        beyond = tango(b, c, 20, null) >= tango(x, y, 20, null) - 1e-9
        shares = np.linspace(max(0.0, -null), (1 - null) / 2, 1001)
        listed = max(chance(max(q + null, 0.0), q)[beyond].sum() for q in shares)
        found, other = exact_tails(np.array(x), np.array(y), np.array(20), null)
        assert float(found) == pytest.approx(listed, abs=2e-5)
        assert float(other) == float(exact_tails(np.array(y), np.array(x), np.array(20), -null)[0])
    grid = tango(np.arange(41)[:, None], np.arange(41), 80, -0.1)  # in which no outcome is beyond one that it is under
    assert (np.diff(grid, axis=0) >= 0).all()
    assert (np.diff(grid, axis=1) <= 0).all()


@pytest.mark.parametrize("counts", [(1, 4, 40), (0, 0, 25), (6, 3, 60)])
def test_margin_of_accuracy_is_shown_where_its_interval_lies_within(counts: tuple[int, int, int]) -> None:
    b, c, n = counts
    joint = np.zeros((2, 2, 2))
    joint[1, 1, 0], joint[1, 0, 1], joint[1, 1, 1] = b, c, n - b - c
    found = compare.paired(joint=joint)
    for margin in (0.03, 0.05, 0.1, 0.15, 0.2, 0.3):
        worse, both = (way("accuracy", margin=margin) for way in (found.noninferiority, found.equivalence))
        assert worse.method == "arc-tango"
        assert worse.shown == (-margin < worse.low)
        assert both.shown == (-margin < both.low and both.high < margin)
        assert worse.interval_level == pytest.approx(0.9)
        assert "90 % CI" in str(worse)
    units = np.repeat(np.arange(n // 5), 5)
    right = np.r_[np.ones(n // 5 * 5 - b), np.zeros(b)]
    clustered = compare.paired(real=np.ones(len(units)), a=right[::-1], b=right, unit=units, labels=[0, 1])
    assert clustered.noninferiority("accuracy", margin=0.5).shown


def test_difference_on_different_items_keeps_its_size() -> None:
    """By listing every outcome: the circle of both arcs where MOVER, far from no difference, rejects too often."""
    n = (8, 40)
    i, j = (x.ravel() for x in np.meshgrid(*(np.arange(m + 1) for m in n), indexing="ij"))

    def tables(k: Any, of: int) -> Table:
        return Table.from_counts(np.moveaxis(np.array([[k, of - k], [0 * k, 0 * k]], dtype=float), -1, 0))

    worst: dict[tuple[str, float], float] = {}
    for method in ("auto", "mover"):
        found = compare(tables(i, n[0]), tables(j, n[1]), method=method)
        for null in (-0.4, 0.4):
            p = found.pvalue("accuracy", against=null)
            for q in np.linspace(max(0.0, -null), min(1.0, 1 - null), 60):
                chance = stats.binom.pmf(i, n[0], q + null) * stats.binom.pmf(j, n[1], q)
                for level in (0.05, 0.01, 0.001):
                    size = chance @ (p <= level) / level
                    worst[method, level] = max(worst.get((method, level), 0.0), size)
    assert max(worst["auto", level] for level in (0.05, 0.01, 0.001)) < 1.1
    assert worst["mover", 0.001] > 1.3


def test_power_and_sample_size_are_inverse() -> None:
    found = paired_by_r()
    n = found.sample_size("informedness", difference=0.05, power=0.8)
    assert found.power("informedness", n=n, difference=0.05) == pytest.approx(0.8, abs=1e-3)
    assert found.power("informedness", difference=0.0) == pytest.approx(0.05)
    # R's standard error, to the four pseudo-cases
    error = P01["sandwich_informedness"]["se_clustered_by_item"]
    z = quantile(0.95)
    assert found.power(difference=0.1) == pytest.approx(ndtr(0.1 / error - z), abs=0.01)


def test_power_is_what_happens() -> None:
    """Planned on one joint table, met by the test on tables drawn from it."""
    joint = np.array([[[60, 4], [14, 12]], [[10, 6], [16, 78]]])
    planned = compare.paired(joint=joint).power("informedness")
    rng = np.random.default_rng(2)
    drawn = rng.multinomial(200, joint.ravel() / 200, size=1500).reshape(-1, 2, 2, 2)
    seen = np.mean(np.asarray(compare.paired(joint=drawn)["informedness"].pvalue) < 0.05)
    assert seen == pytest.approx(planned, abs=4 * np.sqrt(0.25 / 1500))


# ---------------------------------------------------------------------- weights and clusters


def labels_of(counts: Any) -> dict[str, Any]:
    real, a, b = (np.repeat(i.ravel(), counts.ravel()) for i in np.indices(counts.shape))
    return {"real": real, "a": a, "b": b}


def test_equal_weights_change_nothing() -> None:
    given_labels = labels_of(GOLDEN)
    plain = compare.paired(**given_labels)["informedness"]
    heavy = compare.paired(**given_labels, weights=np.full(70, 3.0))["informedness"]
    assert (heavy.low, heavy.high) == pytest.approx((plain.low, plain.high))
    assert heavy.effective_n == pytest.approx(70)
    uneven = np.where(np.arange(70) % 2, 3.0, 1.0)
    less = compare.paired(**given_labels, weights=uneven)["informedness"]
    assert less.effective_n == pytest.approx(140**2 / 350, rel=0.1)  # what it is to this measure; Kish's is for all
    assert less.width > plain.width


def test_clusters_of_one_and_of_copies() -> None:
    given_labels = labels_of(GOLDEN)
    plain = compare.paired(**given_labels, method="delta")["informedness"]
    error = plain.width / 2 / quantile(0.95)
    for copies in (1, 3):  # copies of an item say nothing new
        repeated: dict[str, Any] = {name: np.repeat(x, copies) for name, x in given_labels.items()}
        found = compare.paired(**repeated, unit=np.repeat(np.arange(70), copies), method="delta")["informedness"]
        assert found.estimate == pytest.approx(plain.estimate)
        assert found.width / 2 == pytest.approx(quantile(0.95) * error, rel=0.08)  # Student's, and C/(C − 1)
        assert found.effective_n == pytest.approx(70, rel=0.1)
    arc = compare.paired(**repeated, unit=np.repeat(np.arange(70), 3))["informedness"]
    assert arc.width == pytest.approx(compare.paired(**given_labels)["informedness"].width, rel=0.1)
    assert arc.notes[0].code == "units"
    if abs(arc.pvalue - 0.05) > 1e-6:
        assert (arc.pvalue < 0.05) == (0 not in arc)


def test_fixed_class_sizes_are_no_news_for_informedness_and_some_for_accuracy() -> None:
    found, fixed = (compare.paired(joint=GOLDEN, sampling=sampling) for sampling in ("multinomial", "fixed-reals"))
    assert fixed["informedness"].width == pytest.approx(found["informedness"].width, rel=0.01)
    assert fixed["accuracy"].width < found["accuracy"].width
    assert fixed["accuracy"].sampling == "fixed-reals"


# ---------------------------------------------------------------------- more classes


def test_root_of_b_times_m_goes_by_mover() -> None:
    rng = np.random.default_rng(4)
    joint = rng.integers(0, 9, size=(3, 3, 3))
    found = compare.paired(joint=joint)["correlation"]
    assert found.method == "mover"
    assert found.low < found.estimate < found.high
    assert default(PairedContrast(find("correlation"), Joint.from_counts(GOLDEN))) == "arc"


def test_measures_of_one_class_are_taken_for_each() -> None:
    rng = np.random.default_rng(4)
    joint = Joint.from_counts(rng.integers(1, 9, size=(3, 3, 3)), labels=["x", "y", "z"])
    found = compare.paired(joint=joint)["recall"]
    for i, label in enumerate("xyz"):
        a = informed.recall(joint.a.one_vs_rest(label))
        assert found.a[i] == pytest.approx(a)
        assert found.low[i] <= found.estimate[i] <= found.high[i]


# ---------------------------------------------------------------------- abstentions


def test_missing_predictions_are_abstentions() -> None:
    real = ["y", "y", "n", "n", "y", "n", "y", "n"]
    a = ["y", None, "n", "n", "y", "y", "n", "n"]
    b = ["y", "y", "n", "y", None, None, "n", "n"]
    with pytest.raises(informed.InformedError, match=r"`a` has 1 missing .* `b` has 2 missing"):
        compare.paired(real=real, a=a, b=b, positive="y")
    found = compare.paired(real=real, a=a, b=b, positive="y", missing="abstain")
    assert found.n == 8
    assert found.answered.n == 5
    assert found["coverage"].a == 7 / 8
    assert found["coverage"].b == 6 / 8
    common = [i for i in range(8) if a[i] and b[i]]
    alone = compare.paired(
        real=[real[i] for i in common], a=[a[i] for i in common], b=[b[i] for i in common], positive="y"
    )
    assert found.answered["informedness"].low == alone["informedness"].low
    assert found["informedness"] is found["informedness_of_all"]
    assert found["accuracy"].a == 5 / 8
    whole = Table.from_labels(real=real, predicted=a, missing="abstain", positive="y")
    assert found["informedness_of_all"].a == pytest.approx(informed.informedness_of_all(whole))
    assert found["informedness_of_all"].low < found["informedness_of_all"].high
    assert "it is no bet" in str(found.notes[0])
    assert "5 items that both answered" in str(found.answered.notes[0])
    assert found.measures == ("informedness_of_all", "accuracy_of_all", "coverage")
    assert found.to_dict()["answered"]["measures"]["informedness"]["low"] == alone["informedness"].low
    marked = ["?" if x is None else x for x in a]
    same = compare.paired(real=real, a=marked, b=b, abstain="?", positive="y", missing="abstain")
    assert same["coverage"].a == 7 / 8
    dropped = compare.paired(real=real, a=a, b=b, missing="drop", positive="y")
    assert dropped.n == 5
    assert "3 items were left out" in str(dropped.notes[0])


def test_reading_with_items_can_be_compared() -> None:
    answers = informed.Paired(
        real_codes=np.array([0, 0, 1, 1, 1]),
        codes=np.array([[0, 0], [1, 0], [1, 1], [1, -1], [0, 1]]),
        labels=("no", "yes"),
        names=("old", "new"),
        positive="yes",
    )
    found = compare.paired(answers)
    assert found.names == ("old", "new")
    assert found.n == 5
    assert found.answered.n == 4
    other = compare.paired(answers, a="new", b="old")
    assert other["accuracy"].estimate == -found["accuracy"].estimate
    with pytest.raises(InformedError, match="'newer'"):
        compare.paired(answers, a="old", b="newer")


# ---------------------------------------------------------------------- what is said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"real": [1, 0], "a": [1, 0, 1], "b": [1, 0]}, "`real` has 2, `a` has 3, `b` has 2 labels"),
        ({"real": [], "a": [], "b": []}, "empty"),
        ({"real": [1, 1], "a": [1, 1], "b": [1, 1]}, "1 is the only label"),
        ({"real": [1, 0], "a": [1, 2], "b": [1, 0], "labels": [0, 1]}, "2 is not in `labels`"),
        ({"real": [1, None], "a": [1, 0], "b": [1, 0]}, "`real` has 1 missing label"),
        ({"real": [1, 0], "a": [1, None], "b": [1, 0], "missing": "error"}, "`a` has 1 missing"),
        (
            {"real": [1, 0], "a": [None, None], "b": [1, 0], "missing": "abstain", "count": "answered"},
            "was answered by both",
        ),
        ({"real": ["1", "0"], "a": [1, 0], "b": [1, 0]}, "written alike"),
        ({"real": [1, 0], "a": [1, 0]}, "needs the labels"),
        ({"joint": np.ones((2, 2))}, "must be \\(real, a, b\\)"),
        ({"joint": -np.ones((2, 2, 2))}, "negative"),
        ({"joint": np.ones((2, 2, 2)), "real": [1]}, "either"),
        ({"joint": np.ones((2, 2, 2)), "level": 95}, "level"),
        ({"joint": np.ones((2, 2, 2)), "sampling": "odd"}, "sampling"),
        ({"joint": np.ones((2, 2, 2)), "n_draws": 3}, "n_draws"),
        ({"real": [1, 0], "a": [1, 0], "b": [1, 0], "weights": [1]}, "weights"),
    ],
)
def test_bad_input_is_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InformedError, match=sentence):
        compare.paired(**arguments)


def test_bad_tables_and_methods_are_one_sentence() -> None:
    t = Table.from_counts([[5, 2], [1, 6]])
    with pytest.raises(InformedError, match="takes two tables"):
        compare([1, 0], [1, 1])  # type: ignore[call-overload]  # a mistake that users make
    with pytest.raises(InformedError, match="not observed"):
        compare(t, t.at_prevalence(0.1))
    with pytest.raises(InformedError, match="no class in common"):
        compare(Table.from_counts([[5, 2], [1, 6]], labels=["x", "y"]), t)
    with pytest.raises(InformedError, match="there are arc, smoothed-delta"):
        compare.paired(joint=GOLDEN, method="tango")["informedness"]
    with pytest.raises(InformedError, match="'magic' is no method"):
        compare(t, t, method="magic")["informedness"]
    with pytest.raises(InformedError, match="positive"):
        compare(t, t.inverse)
    with pytest.raises(InformedError, match="margin"):
        compare(t, t).equivalence("informedness", margin=-1)
    with pytest.raises(InformedError, match="whole counts"):
        compare.paired(joint=GOLDEN / 3, method="mcnemar-exact")["accuracy"]


def test_a_system_with_one_label_is_told() -> None:
    found = compare.paired(real=[1, 0, 1, 0], a=[1, 1, 1, 1], b=[1, 0, 1, 1])
    assert any("a gave one label only, 1" in str(note) for note in found.notes)
    d = found["markedness"]
    assert np.isnan(d.estimate)
    assert "undefined" in str(d.notes[0])
    assert np.isnan([d.low, d.high, d.pvalue]).all()


def test_showing() -> None:
    found = paired_by_r(names=("new", "old"))
    assert "on the same 712 items" in repr(found)
    assert "informedness" in repr(found)
    assert "<svg" in found._repr_html_()
    frame = found.to_frame()
    assert list(frame["measure"]) == list(found.measures)
    assert repr(found["informedness"]).startswith("informedness: new 0.553, old 0.558")
    stack = compare.paired(joint=np.stack([GOLDEN] * 2))
    assert "stack" in repr(stack)
    assert "stack" in repr(stack["accuracy"])
    assert "stack" in stack._repr_html_()


class TestOrdinalLabels:
    """Ordinal advice where an order is stated or plausible, and never for the indices of classes."""

    def _answers(self, low: int, high: int, n: int = 150) -> dict[str, Any]:
        rng = np.random.default_rng(3)
        real = rng.integers(low, high + 1, n)
        near = np.clip(real + rng.choice([-1, 0, 1], n, p=[0.25, 0.5, 0.25]), low, high)
        far = np.where(rng.random(n) < 0.52, real, rng.integers(low, high + 1, n))
        return {"real": real, "a": near, "b": far}

    def test_a_scale_of_numbers_gets_a_hint_with_the_ordinal_difference(self) -> None:
        found = compare.paired(**self._answers(1, 5))
        (note,) = (x for x in found.notes if x.code == "ordinal")
        assert (found["informedness"].pvalue < 0.05, found["informedness_ordinal"].pvalue < 0.05) == (False, True)
        assert note.severity == "warning"
        assert f"{found['informedness_ordinal'].estimate:+.3f}" in note.text
        assert "If the labels" in note.text
        assert "ordinal" in " ".join(found.text().split())

    def test_a_stated_order_is_no_question(self) -> None:
        found = compare.paired(**self._answers(1, 5), labels=[1, 2, 3, 4, 5])
        assert [x.text.startswith("The labels are ordinal") for x in found.notes if x.code == "ordinal"] == [True]

    def test_a_difference_in_the_other_direction_is_a_warning(self) -> None:
        """Near misses are better by their order although exact matches are fewer, and both are significant."""
        rng = np.random.default_rng(5)
        real = rng.integers(1, 6, 400)
        near = np.clip(real + rng.choice([-1, 0, 1], 400, p=[0.35, 0.3, 0.35]), 1, 5)
        far = np.where(rng.random(400) < 0.5, real, rng.integers(1, 6, 400))
        found = compare.paired(real=real, a=near, b=far)
        main, ordinal = found["informedness"], found["informedness_ordinal"]
        assert main.estimate < 0 < ordinal.estimate
        assert max(main.pvalue, ordinal.pvalue) < 0.05
        assert [x.severity for x in found.notes if x.code == "ordinal"] == ["warning"]

    def test_a_leaderboard_says_who_is_first_by_the_order(self) -> None:
        rng = np.random.default_rng(15)
        real = rng.integers(1, 6, 400)
        near = np.where(rng.random(400) < 0.5, real, np.where(real < 5, real + 1, 4))
        far = np.where(rng.random(400) < 0.65, real, np.where(real > 3, 1, 5))
        board = informed.leaderboard(real=real, predictions={"near": near, "far": far})
        assert board.names[int(np.argmax(board.estimate))] == "far"
        (note,) = (x for x in board.notes if x.code == "ordinal")
        assert note.severity == "warning"
        assert note.text.startswith("If the labels (1, 2, 3 and 2 more) are ordinal")
        assert "near is first by it" in note.text
        digits = self._answers(0, 9, 500)
        board = informed.leaderboard(real=digits["real"], predictions={"a": digits["a"], "b": digits["b"]})
        assert "ordinal" not in [x.code for x in board.notes]

    def test_ten_digits_of_a_classifier_are_no_scale(self) -> None:
        answers = self._answers(0, 9, 500)
        assert "ordinal" not in [x.code for x in compare.paired(**answers).notes]
        made = informed.report(real=answers["real"], predicted=answers["a"])
        assert made.grades is None
        assert not [name for name in made.metrics() if "ordinal" in name or "somers" in name]
        stated = informed.report(real=answers["real"], predicted=answers["a"], labels=list(range(10)))
        assert stated.grades is not None


# ---------------------------------------------------------------------- case-control studies


def test_where_class_sizes_were_chosen_nothing_that_needs_the_prevalence_is_compared() -> None:
    """Precision, NPV and accuracy would describe the choice; recalls and likelihood ratios do not."""
    joint = Joint.from_counts(GOLDEN, labels=[0, 1], positive=1)
    found, chosen = (compare.paired(joint=joint, sampling=x) for x in ("fixed-reals", "case-control"))
    assert {"precision", "accuracy", "markedness"} < {*found.measures}
    assert chosen.measures == ("informedness", "recall", "inverse_recall")
    assert chosen.relative.measures == ("recall", "inverse_recall", "lr", "nlr")
    for name in ("low", "high", "pvalue"):
        assert getattr(chosen["informedness"], name) == getattr(found["informedness"], name)
    for refused in (lambda: chosen["precision"], lambda: chosen.noninferiority("accuracy", margin=0.1)):
        with pytest.raises(InformedError, match="is not compared: it depends on the prevalence"):
            refused()
    said = chosen.text()
    assert "The class sizes were chosen (case-control design)" in said
    assert "Accuracy" not in said
    tables = Table.from_counts([[40, 8], [10, 42]]), Table.from_counts([[30, 8], [20, 42]])
    assert compare(*tables, sampling="case-control").measures == ("informedness", "recall", "inverse_recall")


# ---------------------------------------------------------------- one-sided tests of different items


def right_of(n: int) -> Table:
    """Tables of every number of right answers of n."""
    k = np.arange(n + 1)
    cells = [[(k + 1) // 2, (n - k + 1) // 2], [(n - k) // 2, k // 2]]
    return Table.from_counts(np.moveaxis(np.array(cells, float), -1, 0))


@pytest.mark.parametrize(("n", "m", "margin"), [(20, 20, 0.1), (10, 30, 0.05), (15, 15, 0.0)])
def test_non_inferiority_on_different_items_keeps_its_size(n: int, m: int, margin: float) -> None:
    """Every outcome is listed; the circle alone reached 1.4 times the level at 0.05 and 1.9 times at 0.001."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
    found = compare(right_of(n)[i], right_of(m)[j])
    p = np.asarray(found.pvalue("accuracy", against=-margin, alternative="greater")).reshape(n + 1, m + 1)
    q = np.linspace(margin, 1, 201)
    one, other = (stats.binom.pmf(np.arange(k + 1)[:, None], k, x) for k, x in ((n, q - margin), (m, q)))
    for level in (0.05, 0.025, 0.01, 0.001):
        assert np.einsum("iq,ij,jq->q", one, (p <= level).astype(float), other).max() <= level * (1 + 1e-6)


def test_exact_tail_by_score_is_that_of_the_listed_outcomes() -> None:
    i, j = np.arange(13)[:, None], np.arange(19)
    for x, y, null in ((9, 12, -0.2), (12, 18, -0.1), (0, 3, -0.5), (5, 2, 0.0), (12, 0, 0.3)):
        z, seen = (score_statistic(a, 12, b, 18, null, corrected=False) for a, b in ((i, j), (x, y)))
        beyond = (z >= seen - 1e-9).astype(float)
        q = np.linspace(max(0.0, -null), min(1.0, 1 - null), 2001)
        one, other = stats.binom.pmf(i, 12, q + null), stats.binom.pmf(j[:, None], 18, q)
        listed = np.einsum("iq,ij,jq->q", one, beyond, other).max()
        a, n, b, m = map(np.array, (x, 12, y, 18))
        more, less = unpaired_exact.exact_tails(a, n, b, m, null)
        assert float(more) == pytest.approx(listed, abs=1e-4)
        assert float(less) == float(unpaired_exact.exact_tails(b, m, a, n, -null)[0])


def test_a_margin_on_different_items_is_shown_where_its_interval_lies_within() -> None:
    found = compare(Table.from_counts([[40, 8], [10, 42]]), Table.from_counts([[42, 9], [8, 41]]))
    for margin in (0.03, 0.05, 0.08, 0.12, 0.2):
        worse = found.noninferiority("accuracy", margin=margin)
        assert worse.method == "circle-score"
        assert worse.shown == (-margin < worse.low)
        assert worse.interval_level == pytest.approx(0.9)
    assert found.noninferiority("informedness", margin=0.1).method == "circle"
    one, other = (replace(t, squares=t.cells * 1.5) for t in found.tables)
    weighted = replace(found, tables=(one, other), _kept={})
    assert weighted.noninferiority("accuracy", margin=0.1).method == "circle"
    assert compare(right_of(4)[0], right_of(3)[3]).noninferiority("recall", margin=0.1).pvalue == pytest.approx(1)
