"""Intervals: against R, against their defining equations, and what they promise in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import informed
from informed._arrays import Array
from informed.errors import InformedError
from informed.evidence.cells import mixture
from informed.evidence.table import Table
from informed.inference import two_proportions as _two
from informed.inference.answers import Interval
from informed.inference.arc import hull, walk
from informed.inference.influence import Functional, cells_of, differences, functional, influence, pattern_of
from informed.inference.interval_methods import METHODS, why_none
from informed.inference.intervals import interval, posterior
from informed.inference.possible_tables import chance_of, every_two_by_two, tables
from informed.inference.proportions import clopper_pearson, mid_p, mid_p_tail, wilson
from informed.measures import MEASURES, find
from repeats import of_units

ORACLES = Path(__file__).parent / "oracles"
ROUGH = {name for name, m in MEASURES.items() if not m.smooth(2)}
TWO = Table.from_counts([[56, 20], [12, 12]])
THREE = Table.from_counts([[50, 3, 2], [4, 45, 6], [1, 7, 32]], labels=["a", "b", "c"])


def oracle(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(ORACLES.glob(f"{name}_*.json")).read_text())
    return found


def two_by_two(held: dict[str, Any]) -> Table:
    return Table.from_counts([[held["TP"], held["FP"]], [held["FN"], held["TN"]]])


def value(held: Any) -> Any:
    """What a package returned, whether or not it warned."""
    return held["value"] if isinstance(held, dict) and "warnings" in held else held


def agree(found: Interval, low: Any, high: Any, tolerance: float) -> None:
    low, high = float(low), float(high)
    bottom, top = find(found.measure).facts.bounds
    assert found.low == pytest.approx(np.clip(low, bottom, top), rel=tolerance, abs=tolerance)
    assert found.high == pytest.approx(np.clip(high, bottom, top), rel=tolerance, abs=tolerance)


# ---------------------------------------------------------------------- against R

TABLES = ("t01", "t02", "t03", "t04", "t05", "t06", "t10")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("key", ["accuracy_BinomCI", "tpr_BinomCI"])
def test_proportions_agree_with_desctools(name: str, key: str) -> None:
    held = oracle(name)
    t = two_by_two(held)
    measure = {"accuracy_BinomCI": "accuracy", "tpr_BinomCI": "recall"}[key]
    for method in ("wald", "wilson", "agresti-coull", "clopper-pearson", "jeffreys", "mid-p"):
        r = value(held[key][{"mid-p": "midp"}.get(method, method)])
        # R finds mid-P limits with uniroot at its default tolerance; ours are checked below
        tolerance = 5e-5 if method == "mid-p" else 1e-9
        agree(interval(t, measure, method=method), r["lwr.ci"], r["upr.ci"], tolerance)


@pytest.mark.parametrize("name", [x for x in TABLES if x != "t03"])
@pytest.mark.parametrize("measure", ["informedness", "markedness"])
def test_differences_agree_with_desctools_and_ratesci(name: str, measure: str) -> None:
    held = oracle(name)
    t = two_by_two(held)
    r = value(held[f"{measure}_ci_BinomDiffCI"])
    own = {"ac": "agresti-caffo", "wald": "wald", "score": "newcombe", "mn": "miettinen-nurminen"}
    for key, method in own.items():
        tolerance = 1e-6 if key == "mn" else 1e-9
        agree(interval(t, measure, method=method), r[key]["lwr.ci"], r[key]["upr.ci"], tolerance)
    mee = interval(t, measure, method="score")
    agree(mee, r["mee"]["lwr.ci"], r["mee"]["upr.ci"], 5e-5)
    exact = value(held[f"{measure}_ci_ratesci"])["mn"]
    score = interval(t, measure, method="miettinen-nurminen")
    agree(score, exact["lower"], exact["upper"], 5e-7)


@pytest.mark.parametrize("name", ["t01", "t02", "t04", "t05", "t06", "t10"])
@pytest.mark.parametrize(("measure", "key"), [("lr", "lr_pos"), ("nlr", "lr_neg")])
def test_likelihood_ratios_agree_with_desctools_and_ratesci(name: str, measure: str, key: str) -> None:
    held = oracle(name)
    t = two_by_two(held)
    r = value(held[f"{key}_BinomRatioCI"])
    if (t.cells > 0).all():  # with an empty cell DescTools adds a half
        katz = r["katz.log"]
        agree(interval(t, measure, method="log"), katz["lwr.ci"], katz["upr.ci"], 1e-9)
    koopman = value(r["koopman"])
    found = interval(t, measure, method="score")
    agree(found, koopman["lwr.ci"], koopman["upr.ci"], 1e-3)
    exact = value(held[f"{key}_ratesci_mn"])
    found = interval(t, measure, method="miettinen-nurminen")
    agree(found, exact["lower"], exact["upper"], 1e-7)


@pytest.mark.parametrize("name", ["t01", "t02", "t04", "t10"])
def test_odds_ratio_agrees_with_r_and_scipy(name: str) -> None:
    held = oracle(name)
    t = two_by_two(held)
    r = held["odds_ratio_wald"]
    agree(interval(t, "odds_ratio", method="log"), r["lwr.ci"], r["upr.ci"], 1e-9)
    r = held["odds_ratio_mle"]  # good to a thousandth: fisher.test
    found = interval(t, "odds_ratio", method="conditional-exact")
    agree(found, r["lwr.ci"], r["upr.ci"], 2e-3)
    exact = stats.contingency.odds_ratio(t.counts.astype(int)).confidence_interval(0.95)
    agree(found, exact.low, exact.high, 1e-7)
    r = held["odds_ratio_midp"]
    found = interval(t, "odds_ratio", method="mid-p")
    agree(found, r["lwr.ci"], r["upr.ci"], 2e-3)


DELTA = {
    "TPR": "recall",
    "TNR": "inverse_recall",
    "PPV": "precision",
    "NPV": "inverse_precision",
    "informedness": "informedness",
    "markedness": "markedness",
    "mcc": "matthews",
    "kappa": "cohen_kappa",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1": "f1",
}


@pytest.mark.parametrize("name", [x for x in TABLES if x != "t03"])
def test_wald_is_the_delta_method(name: str) -> None:
    held = oracle(name)
    t = two_by_two(held)
    for key, measure in DELTA.items():
        r = held["derived_multinomial_delta"][key]
        agree(interval(t, measure, method="wald"), r["lower"], r["upper"], 5e-9)


@pytest.mark.parametrize("name", ["k01", "k02", "k04", "k05", "k07"])
def test_wald_of_more_classes(name: str) -> None:
    held = oracle(name)
    t = Table.from_counts(held["table"])
    names = {
        "kappa": "cohen_kappa",
        "mcc_RK_gorodkin": "matthews",
        "balanced_accuracy": "balanced_accuracy",
        "bias_weighted_one_vs_rest_J_powers_bookmaker": "informedness(weighting='bias')",
        "prevalence_weighted_one_vs_rest_markedness": "markedness(weighting='prevalence')",
    }
    for key, measure in names.items():
        r = value(held["derived_multinomial_delta"][key])
        if not np.isfinite(float(r["se"])):
            continue
        agree(interval(t, measure, method="wald"), r["lower"], r["upper"], 1e-8)
    weighted = value(held["kappa"]["vcd_Kappa_Fleiss-Cohen"])
    found = interval(t, "weighted_kappa(disagreement='quadratic')", method="wald")
    agree(found, weighted["weighted_ci"][0], weighted["weighted_ci"][1], 1e-8)
    accuracy = held["accuracy_BinomCI"]
    for key in ("wilson", "clopper-pearson", "jeffreys"):
        r = value(accuracy[key])
        agree(interval(t, "accuracy", method=key), r["lwr.ci"], r["upr.ci"], 1e-9)


def test_standard_errors_of_two_test_sets() -> None:
    held = oracle("u01")
    tables = [Table.from_counts(np.reshape(x, (2, 2)), rows="predicted") for x in held["TP_FP_FN_TN"]]
    names = {"mcc": "matthews", "kappa": "cohen_kappa", "accuracy": "accuracy", "f1": "f1"}
    for key, r in held["derived_delta"].items():
        found = [interval(t, names.get(key, key), method="wald") for t in tables]
        errors = [(x.high - x.low) / 2 / stats.norm.ppf(0.975) for x in found]
        assert np.hypot(*errors) == pytest.approx(r["se"], rel=1e-7)
        assert found[1].estimate - found[0].estimate == pytest.approx(r["diff"], abs=1e-12)


def test_miettinen_nurminen_as_published() -> None:
    """Newcombe's example 56/70 − 48/80, on which statsmodels is wrong."""
    t = Table.from_counts([[56, 48], [14, 32]])
    agree(interval(t, "informedness", method="miettinen-nurminen"), 0.0528, 0.3382, 5e-5)


# ---------------------------------------------------------------------- defining equations


@pytest.mark.parametrize(("k", "n"), [(0, 9), (1, 9), (4, 9), (9, 9), (70, 100), (2.5, 11.5)])
def test_tails_of_proportions(k: float, n: float) -> None:
    at = np.asarray(float(k)), np.asarray(float(n))
    low, high = mid_p(*at, 0.9)
    if k > 0:
        assert mid_p_tail(low, *at) == pytest.approx(0.05, rel=1e-9)
    if k < n:
        assert mid_p_tail(high, *at) == pytest.approx(0.95, rel=1e-9)
    low, high = wilson(*at, 0.9)
    z = stats.norm.ppf(0.95)
    for p in (low, high):
        if 0 < p < 1:
            assert abs(k / n - p) / np.sqrt(p * (1 - p) / n) == pytest.approx(z, rel=1e-9)
    if k == int(k):
        low, high = clopper_pearson(*at, 0.9)
        if k > 0:
            assert stats.binom.sf(k - 1, n, low) == pytest.approx(0.05, rel=1e-9)
            assert mid_p_tail(low, *at) == pytest.approx(
                stats.binom.sf(k, n, low) + stats.binom.pmf(k, n, low) / 2, rel=1e-9
            )
        if k < n:
            assert stats.binom.cdf(k, n, high) == pytest.approx(0.05, rel=1e-9)


def test_score_limits_make_the_statistic_z() -> None:
    x1, n1, x0, n0 = (np.asarray(v, float) for v in (56, 68, 20, 32))
    z = stats.norm.ppf(0.975)
    for corrected in (True, False):
        method = "miettinen-nurminen" if corrected else "score"
        found = interval(TWO, "informedness", method=method)
        for limit, sign in ((found.low, 1), (found.high, -1)):
            statistic = _two.score_statistic(x1, n1, x0, n0, limit, corrected)
            assert statistic == pytest.approx(sign * z, rel=1e-8)
        found = interval(TWO, "lr", method=method)
        for limit, sign in ((found.low, 1), (found.high, -1)):
            statistic = _two.ratio_statistic(x1, n1, x0, n0, limit, corrected)
            assert statistic == pytest.approx(sign * z, rel=1e-8)


def test_constrained_proportions_maximise_the_likelihood() -> None:
    x1, n1, x0, n0 = (np.asarray(v, float) for v in (7, 12, 2, 20))
    for delta in (-0.5, -0.05, 0.0, 0.3, 0.8):
        p0 = float(_two.constrained(x1, n1, x0, n0, delta))
        near = np.clip(p0 + np.array([-1e-4, 0, 1e-4]), max(0, -delta), min(1, 1 - delta))
        logs = stats.binom.logpmf(7, 12, near + delta) + stats.binom.logpmf(2, 20, near)
        assert np.argmax(np.asarray(logs)) == 1


def test_exact_score_limits_have_the_level() -> None:
    t = Table.from_counts([[10, 2], [3, 15]])
    found = interval(t, "informedness", method="score-exact")
    inside = np.array([found.low, found.high])
    outside = inside + np.array([-1e-4, 1e-4])
    assert (_two.exact_pvalue(10, 13, 2, 17, inside) > 0.05).all()
    assert (_two.exact_pvalue(10, 13, 2, 17, outside) <= 0.05).all()
    every = _two.exact_pvalue(10, 13, 2, 17, np.array([10 / 13 - 2 / 17]))
    assert every == pytest.approx(1)  # nothing is less extreme than the estimate itself


def test_conditional_limits_have_the_tails_of_the_noncentral_hypergeometric() -> None:
    for mid in (False, True):
        low, high = _two.odds_ratio_limits(np.array([[7.0], [3.0], [2.0], [9.0]]), 0.9, mid)
        for ratio, side in ((low[0], "sf"), (high[0], "cdf")):
            law = stats.nchypergeom_fisher(21, 9, 10, ratio)
            tail = law.sf(6) if side == "sf" else law.cdf(7)
            tail -= law.pmf(7) / 2 if mid else 0
            assert tail == pytest.approx(0.05, rel=1e-8)


def test_arc_of_one_proportion_is_the_arcsine_interval() -> None:
    """Walked far enough in small steps, the arc has the closed form of Anscombe."""
    n, k = 40, 13
    p = (k + 0.5) / (n + 1)
    f = Functional(lambda q, _: q[0], lambda q, _: np.stack([np.ones(q.shape[1:]), 0 * q[0]]))
    z = stats.norm.ppf(0.975)
    counts = np.array([k, n - k], float)
    low, high = hull(counts, f, pattern=np.array([0.5, 0.5]), z=z, masses=(1.0,), steps=512)
    expected = np.sin(np.arcsin(np.sqrt(p)) + np.array([-1, 1]) * z / 2 / np.sqrt(n)) ** 2
    assert [float(low), float(high)] == pytest.approx(expected, abs=1e-6)


def test_arc_converges_and_conserves() -> None:
    f = functional(find("informedness"), THREE)
    p = (cells_of(THREE) + pattern_of(THREE)) / (THREE.n + 1)
    end = walk(p, f, np.asarray(150.0), np.asarray(0.16), steps=16)
    assert end.sum() == pytest.approx(1)
    fine = walk(p, f, np.asarray(150.0), np.asarray(0.16), steps=256)
    assert f.value(end, np.asarray(150.0)) == pytest.approx(float(f.value(fine, np.asarray(150.0))), abs=1e-4)
    groups = np.tile(np.arange(3), 3)
    end = walk(p, f, np.asarray(150.0), np.asarray(0.16), groups=groups)
    assert end.reshape(3, 3).sum(axis=0) == pytest.approx(p.reshape(3, 3).sum(axis=0))


# ---------------------------------------------------------------------- slopes


def tables_for(name: str) -> list[Table]:
    m = MEASURES[name]
    dense = [Table.from_counts([[31, 9], [6, 17]]), Table.from_counts([[11, 5], [8, 29]])]
    if m.facts.classes == "any":
        dense.append(Table.from_counts([[21, 3, 2], [4, 15, 6], [1, 7, 12]]))
    if m.facts.square is False:
        dense.append(Table.from_counts([[21, 3, 2], [4, 15, 6]]))
    return dense


@pytest.mark.parametrize("name", [x for x in MEASURES if x not in ROUGH])
def test_slopes_of_every_measure(name: str) -> None:
    """Each slope against a finite difference of the measure itself, in counts."""
    m = MEASURES[name]
    for t in tables_for(name):
        f = functional(m, t)
        n = t.total
        p = cells_of(t) / n
        u, v = influence(p, f.gradient(p, n))
        step = 1e-3
        for at in range(len(p)):  # towards one cell, at the cost of the rest in proportion
            towards = np.eye(len(p))[at] - p
            ends = [f.value(p + sign * step * towards, n) for sign in (1, -1)]
            half = [f.value(p + sign * step / 2 * towards, n) for sign in (1, -1)]
            rough, fine = (ends[0] - ends[1]) / (2 * step), (half[0] - half[1]) / step
            expected = (4 * fine - rough) / 3  # Richardson
            assert u[at] == pytest.approx(float(expected), rel=2e-6, abs=2e-6)
        assert (p * u).sum() == pytest.approx(0, abs=1e-9)
        assert v >= 0


@pytest.mark.parametrize("abstained", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        *("informedness", "markedness", "matthews", "cohen_kappa", "accuracy"),
        *("recall(average='macro')", "precision(average='macro')", "f1(average='macro')"),
        *("informedness_of_all", "informedness_discounted"),
    ],
)
def test_quick_slopes_are_the_numerical_ones(name: str, abstained: bool) -> None:
    rng = np.random.default_rng(1)
    silent = rng.integers(1, 9, size=(6, 4)) if abstained else None
    t = Table.from_counts(rng.integers(1, 30, size=(6, 4, 4)), abstained=silent)
    f = functional(find(name), t)
    cells = cells_of(t)
    n = cells.sum(axis=0)
    p = cells / n
    quick = influence(p, f.gradient(p, n))[0]
    numeric = influence(p, differences(f.value, p, n))[0]
    np.testing.assert_allclose(quick, numeric, rtol=1e-6, atol=1e-6)


# ---------------------------------------------------------------------- promises


@pytest.mark.parametrize("name", list(MEASURES))
def test_every_measure_has_a_sensible_interval(name: str) -> None:
    """Finite where it can be, within range, around the estimate; wider at a higher level."""
    t = Table.from_counts([[31, 9], [6, 17]])
    by_arc = "arc" if why_none(MEASURES[name], 2) else "auto"  # limits that must be asked for
    how: dict[str, Any] = {"method": "bootstrap-centred" if name in ROUGH else by_arc, "n_draws": 400}
    found = interval(t, name, **how)
    assert found.low <= found.estimate <= found.high
    assert found.low < found.high
    bottom, top = MEASURES[name].facts.bounds
    assert bottom <= found.low
    assert found.high <= top
    wider = interval(t, name, level=0.99, **how)
    slack = 1e-3 * (found.high - found.low)  # steps end at different sides of a summit
    assert wider.low <= found.low + slack
    assert wider.high >= found.high - slack
    assert found.measure == name


@pytest.mark.parametrize("method", list(METHODS))
def test_stacks_are_their_tables(method: str) -> None:
    """A stack gives what each of its tables gives alone, whatever the method."""
    rng = np.random.default_rng(5)
    t = Table.from_counts(rng.multinomial(30, [0.4, 0.1, 0.2, 0.3], size=(2, 2)).reshape(2, 2, 2, 2))
    measure = next(
        m
        for m in ("informedness", "recall", "odds_ratio", "lr")
        if method in applicable(Table.from_counts([[9, 5], [6, 17]]), m)
    )
    together = interval(t, measure, method=method, n_draws=200)
    assert together.low.shape == (2, 2)
    if method.startswith("bootstrap") or method == "dirichlet":
        assert ((together.low <= together.high) | np.isnan(together.low)).all()
        return
    for i in range(2):
        for j in range(2):
            alone = interval(t[i, j], measure, method=method)
            assert isinstance(alone.low, float)
            assert together.low[i, j] == pytest.approx(alone.low, nan_ok=True, abs=1e-10)
            assert together.high[i, j] == pytest.approx(alone.high, nan_ok=True, abs=1e-10)


def applicable(t: Table, measure: str) -> list[str]:
    with pytest.raises(InformedError) as refused:
        interval(t, measure, method="no such method")
    return str(refused.value).rsplit("there are ", 1)[1].rstrip(".").split(", ")


def test_impossible_combinations_are_refused_in_one_sentence() -> None:
    for measure, method in (
        ("informedness", "wilson"),
        ("recall", "newcombe"),
        ("accuracy", "powers-1"),
        ("lambda_real", "arc"),
        ("informedness", "log"),
    ):
        with pytest.raises(InformedError, match="what applies is") as refused:
            interval(TWO, measure, method=method)
        assert str(refused.value).count(".") == 1
        assert method in str(refused.value)
    with pytest.raises(InformedError, match="3 classes"):
        interval(THREE, "informedness", method="miettinen-nurminen")
    with pytest.raises(InformedError, match="fixed class sizes"):
        interval(TWO, "accuracy", method="mid-p", sampling="fixed-reals")
    with pytest.raises(InformedError, match="matter of choice"):
        interval(TWO, "prevalence", sampling="fixed-reals")
    with pytest.raises(InformedError, match="`sse` is for"):
        interval(TWO, "informedness", sse="null")
    for level in (0, 1, 95):
        with pytest.raises(InformedError, match="between 0 and 1"):
            interval(TWO, "informedness", level=level)
    with pytest.raises(TypeError, match="no option"):
        interval(TWO, "informedness", alpha=0.05)


def test_error_free_and_hopeless_tables() -> None:
    perfect = Table.from_counts([[10, 0], [0, 12]])
    for name in ("informedness", "markedness", "matthews", "cohen_kappa", "correlation"):
        found = interval(perfect, name)
        assert found.high == 1
        assert 0 < found.low < 1
    assert interval(perfect, "roc_distance").low == 0
    wrong = interval(Table.from_counts([[0, 12], [10, 0]]), "informedness")
    assert wrong.low == wrong.estimate == -1
    assert wrong.high > -1


@pytest.mark.parametrize("name", [x for x in MEASURES if x not in ROUGH and x != "tetrachoric"])
def test_small_and_empty_tables_give_no_surprise(name: str) -> None:
    """Every table of six cases: limits in order and around the estimate, and no warning."""
    from test_coverage import every_table

    t = every_table(6)
    for method in ("auto", "plus-four", "wald"):
        found = interval(t, name, method=method)
        known = ~np.isnan(found.low) & ~np.isnan(found.estimate)
        assert (found.low[known] <= found.high[known]).all()
        assert (found.low <= found.estimate + 1e-9)[known].all()
        assert (found.estimate - 1e-9 <= found.high)[known].all()
        if method == "auto" and MEASURES[name].facts.factors is None and not why_none(MEASURES[name], 2):
            assert np.array_equal(np.isnan(found.low), np.isnan(found.estimate))


def test_a_kind_of_error_never_seen_does_not_hold_the_end_back() -> None:
    """No case missed: the upper end is that of the fallout alone, an arcsine interval."""
    positives, alarms, negatives = 30, 4, 40
    found = interval(Table.from_counts([[positives, alarms], [0, negatives - alarms]]), "informedness")
    fallouts = []
    for mass in (1.0, 1.5):
        each = mass / 4
        size = negatives + 2 * each
        share = size / (positives + negatives + 3 * each)
        angle = np.arcsin(np.sqrt((alarms + each) / size))
        reach = 1.959964 / 2 / np.sqrt((positives + negatives) * share)
        fallouts.append(np.sin(angle - reach) ** 2)
    assert found.high == pytest.approx(1 - min(fallouts), abs=2e-4)
    other = interval(Table.from_counts([[0, negatives - alarms], [positives, alarms]]), "informedness")
    assert (other.low, other.high) == pytest.approx((-found.high, -found.low))  # as far below 0


def test_the_arc_stops_at_a_summit() -> None:
    """Always wrong, nearly as often either way: kappa may be −1, which no step goes past."""
    found = interval(Table.from_counts([[0, 21], [19, 0]]), "cohen_kappa")
    assert found.low == pytest.approx(-1, abs=1e-6)


def test_undefined_estimates_have_no_interval() -> None:
    t = Table.from_counts([[0, 5], [0, 20]])
    for name in ("informedness", "recall", "matthews"):
        found = interval(t, name)
        assert np.isnan([found.estimate, found.low, found.high]).all()
        assert "is undefined" in str(found.notes[0])
        assert "and so is the interval" in str(found.notes[0])
    assert "every case is really" in str(interval(t, "informedness").notes[0])
    found = interval(Table.from_counts(np.zeros((2, 2))), "informedness")
    assert np.isnan([found.estimate, found.low, found.high]).all()


def test_correlation_of_more_classes_is_from_its_factors() -> None:
    c, b, m = (interval(THREE, x) for x in ("correlation", "informedness", "markedness"))
    assert c.low == pytest.approx(np.sqrt(b.low * m.low))
    assert c.high == pytest.approx(np.sqrt(b.high * m.high))
    two = interval(TWO, "correlation"), interval(TWO, "matthews")
    assert two[0].low == pytest.approx(two[1].low)


def test_classes_one_by_one() -> None:
    found = interval(THREE, "recall")
    assert found.low.shape == (3,)
    alone = interval(THREE.one_vs_rest("b"), "recall")
    assert found.low[1] == pytest.approx(alone.low)
    assert "each class" in str(found.notes[0])
    assert interval(THREE, "recall(average='macro')").method == "arc"
    assert interval(THREE, "f1(average='macro')").method == "plus-four"
    micro, accuracy = interval(THREE, "recall(average='micro')"), interval(THREE, "accuracy")
    assert (micro.low, micro.high) == (accuracy.low, accuracy.high)


def test_f1_is_mapped_from_jaccard() -> None:
    f, j = interval(TWO, "f1"), interval(TWO, "jaccard")
    assert f.low == pytest.approx(2 * j.low / (1 + j.low))
    against, share = interval(TWO, "skew"), interval(TWO, "prevalence")
    assert against.low == pytest.approx((1 - share.high) / share.high)
    assert against.low < against.high


def test_simultaneous_intervals() -> None:
    one = interval(THREE, "recall")
    together = interval(THREE, "recall", simultaneous="bonferroni")
    strict = interval(THREE, "recall", level=1 - 0.05 / 3)
    np.testing.assert_allclose(together.low, strict.low)
    assert together.level == 0.95
    assert together.simultaneous == "bonferroni over 3"
    joint = interval(THREE, "recall", simultaneous=True)
    assert joint.simultaneous.startswith("max-t")
    assert (joint.low < one.low).all()
    assert (together.low < joint.low + 1e-3).all()
    stack = interval(THREE.one_vs_rest(), "informedness", simultaneous="max-t")
    sidak = interval(THREE.one_vs_rest(), "informedness", level=0.95 ** (1 / 3))
    np.testing.assert_allclose(stack.low, sidak.low)
    with pytest.raises(InformedError, match="one interval"):
        interval(TWO, "informedness", simultaneous=True)
    with pytest.raises(InformedError, match="`simultaneous`"):
        interval(THREE, "recall", simultaneous="holm")  # type: ignore[call-overload]


def test_classes_hold_together_over_units() -> None:
    """Copies of cases change no correlation; whole documents of one kind of error make one; few units widen all."""
    from informed.inference.sample import Sample
    from informed.inference.simultaneous import joint_correlation

    cases = np.eye(9).reshape(9, 3, 3).repeat([20, 3, 2, 4, 18, 6, 1, 7, 12], axis=0)
    recall = find("recall")
    pooled = Table.from_counts(cases.sum(axis=0))
    plain = joint_correlation(Sample(recall, pooled.one_vs_rest(), 0.95), pooled)
    often = of_units(4 * cases)
    assert joint_correlation(Sample(recall, often.one_vs_rest(), 0.95), often) == pytest.approx(plain, abs=0.05)

    good, bad = np.diag([5.0, 5, 5]), np.array([[1.0, 2, 2], [2, 1, 2], [2, 2, 1]])
    tied = of_units(np.concatenate([[good] * 15, [bad] * 10]))
    found = joint_correlation(Sample(recall, tied.one_vs_rest(), 0.95), tied)
    assert (found > 0.9).all()
    together = interval(tied, "recall", simultaneous="max-t")
    single = interval(tied, "recall", simultaneous="bonferroni")
    alone = interval(tied, "recall")
    assert (np.asarray(together.low) <= np.asarray(alone.low)).all()
    assert (together.width < single.width).all()
    stack = of_units(np.stack([np.concatenate([[good] * 15, [bad] * 10])] * 2))
    assert joint_correlation(Sample(recall, stack.one_vs_rest(), 0.95), stack)[1] == pytest.approx(found)


def test_joint_correlation_of_classes_is_that_of_their_draws() -> None:
    from informed.inference.sample import Sample
    from informed.inference.simultaneous import joint_correlation

    rng = np.random.default_rng(8)
    big = Table.from_counts(THREE.counts * 40)
    found = joint_correlation(Sample(find("precision"), big.one_vs_rest(), 0.95), big)
    p = (cells_of(big) / big.n).ravel()
    drawn = Table.from_counts(rng.multinomial(int(big.n), p, size=20_000).reshape(-1, 3, 3))
    seen = np.corrcoef(np.asarray(find("precision")(drawn.one_vs_rest())).T)
    np.testing.assert_allclose(found, seen, atol=4 / np.sqrt(20_000))


def test_units() -> None:
    """Every case twice is worth little more than once; units of one case are the cases."""
    cases = np.repeat(np.eye(4), [30, 10, 12, 28], axis=0).reshape(-1, 2, 2)
    plain = interval(Table.from_counts(cases.sum(axis=0)), "informedness")
    single = interval(of_units(cases), "informedness")
    assert (single.low, single.high, single.effective_n) == (plain.low, plain.high, 80)
    doubled = interval(of_units(2 * cases, name="document"), "informedness")
    assert doubled.estimate == pytest.approx(plain.estimate)
    assert doubled.effective_n == pytest.approx(80, rel=0.02)
    assert doubled.low == pytest.approx(plain.low, abs=0.01)
    assert str(doubled.notes[0]).startswith("80 documents with 160 cases; for informedness they are worth 79 ind")
    for measure, method in (("recall", "auto"), ("informedness", "plus-four"), ("lr", "auto")):
        found = interval(of_units(2 * cases), measure, method=method)
        naive = interval(Table.from_counts(2 * cases.sum(axis=0)), measure, method=method)
        assert found.low < naive.low
    drawn = interval(of_units(2 * cases), "informedness", method="bootstrap-percentile")
    naive = interval(Table.from_counts(cases.sum(axis=0)), "informedness", method="wald")
    assert drawn.width == pytest.approx(naive.width, rel=0.1)
    believed = informed.posterior(of_units(2 * cases), "informedness")
    assert believed.width == pytest.approx(plain.width, rel=0.05)


@pytest.mark.slow
def test_units_cover() -> None:
    """Forty documents of ten questions that share their difficulty: the truth is held."""
    rng = np.random.default_rng(17)
    replicates, documents, questions = 400, 40, 10
    hard = rng.beta(4, 2, size=(replicates, documents))
    real = rng.binomial(questions, 0.5, size=(replicates, documents))
    hit, miss = rng.binomial(real, hard), rng.binomial(questions - real, 1 - hard)
    cells = np.stack([hit, miss, real - hit, questions - real - miss], axis=-1)
    t = of_units(cells.reshape(replicates, documents, 2, 2))
    truth = 2 * (4 / 6) - 1
    found = interval(t, "informedness")
    naive = interval(t.without_units(), "informedness")
    held = ((found.low <= truth) & (truth <= found.high)).mean()
    blind = ((naive.low <= truth) & (truth <= naive.high)).mean()
    error = np.sqrt(0.95 * 0.05 / replicates)
    assert held == pytest.approx(0.95, abs=3 * error)
    assert blind < held - 3 * error


def test_weighted_tables_use_the_effective_size() -> None:
    real, predicted = list("aabbaabbab"), list("aabbabbaab")
    once = Table.from_labels(real=real, predicted=predicted)
    even = Table.from_labels(real=real, predicted=predicted, weights=[3.0] * 10)
    found, plain = interval(even, "informedness"), interval(once, "informedness")
    assert found.effective_n == pytest.approx(10)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    assert "equally weighted" in str(found.notes[0])
    uneven = Table.from_labels(real=real, predicted=predicted, weights=[5, 1, 1, 1, 5, 1, 1, 1, 1, 1], positive="a")
    worth = [uneven.effective_n(measure) for measure in ("recall", "inverse_recall")]
    assert worth[0] < worth[1] < 18  # the heavy cases are real positives
    with pytest.raises(InformedError, match="whole numbers"):
        interval(uneven, "informedness", method="score-exact")


def test_another_prevalence_propagates() -> None:
    rare = TWO.at_prevalence(0.01)
    found = interval(rare, "precision")
    assert found.estimate == pytest.approx(find("precision")(rare))
    assert found.low < found.estimate < found.high
    b, own = interval(rare, "informedness"), interval(TWO, "informedness")
    assert (b.low, b.high) == (own.low, own.high)
    assert "Propagated" in str(b.notes[0])
    # precision at 1 % is a function of the likelihood ratio alone
    lr = interval(TWO, "lr", method="wald")
    odds = 0.01 / 0.99
    slope = odds / (1 + odds * lr.estimate) ** 2
    wald = interval(rare, "precision", method="wald")
    assert wald.width == pytest.approx(slope * lr.width, rel=1e-6)
    classes = interval(THREE.at_prevalence([0.1, 0.1, 0.8]), "precision")
    assert classes.low.shape == (3,)
    with pytest.raises(InformedError, match="not observed"):
        interval(Table.mixture(0.5, prevalence=0.4, n=100), "informedness")
    with pytest.raises(InformedError, match="not observed"):
        interval(TWO.independent, "informedness")


def test_fixed_class_sizes_narrow_what_they_fix() -> None:
    for name in ("informedness", "markedness", "accuracy"):
        free = interval(TWO, name, method="wald")
        fixed = interval(TWO, name, method="wald", sampling="fixed-reals")
        assert fixed.width <= free.width + 1e-12
    # given its class sizes, informedness at two classes has the same variance either way
    free = interval(TWO, "informedness", method="wald")
    fixed = interval(TWO, "informedness", method="wald", sampling="fixed-reals")
    assert fixed.width == pytest.approx(free.width)
    accuracy = interval(TWO, "accuracy", method="wald", sampling="fixed-reals")
    variance = 68 / 100**2 * (56 / 68) * (12 / 68) + 32 / 100**2 * (12 / 32) * (20 / 32)
    assert accuracy.width == pytest.approx(2 * stats.norm.ppf(0.975) * np.sqrt(variance))
    assert interval(TWO, "recall", sampling="fixed-reals").method == "mid-p"


def test_abstentions_count_where_they_are_read() -> None:
    t = Table.from_counts([[40, 8], [9, 43]], abstained=[10, 20])
    found = interval(t, "coverage")
    low, high = mid_p(np.asarray(100.0), np.asarray(130.0), 0.95)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)))
    answered, plain = interval(t, "informedness"), interval(t.answered, "informedness")
    assert (answered.low, answered.high) == (plain.low, plain.high)
    of_all = interval(t, "informedness_of_all")
    assert of_all.low < of_all.estimate < of_all.high
    assert of_all.effective_n == 130


def test_powers_reproduces_the_papers() -> None:
    """(63)–(68): half-widths, with E of both margins."""
    e = 4 * np.sqrt(0.68 * 0.32) * np.sqrt(0.76 * 0.24)
    b = find("informedness")(TWO)
    for method, root in (("powers-0", 1), ("powers-1", 1 - 2 * b + 2 * b**2), ("powers-2", 1 - b)):
        found = interval(TWO, "informedness", method=method, x=2)
        assert found.high - b == pytest.approx(2 * root / np.sqrt(2 * e * 99))
        assert "coverage" in str(found.notes[0])
    chosen = {
        "null": 1,
        "full": 0,
        "arithmetic": 0.5,
        "weighted": b**2 + (1 - b) ** 2,
        "complement": 1 - b,
        "value": b,
        "geometric": np.sqrt(b * (1 - b)),
        "harmonic": 2 * b * (1 - b),
        "max": 1 - b,
        "min": b,
        "rates": np.hypot(20 / 32, 12 / 68),
        0.25: 0.25,
    }
    for sse, root in chosen.items():
        found = interval(TWO, "informedness", method="powers-0", x=1, sse=sse, evenness="even", factor=1)
        assert found.high - b == pytest.approx(root / np.sqrt(99))
    pair = interval(TWO, "informedness", method="powers-0", sse=("complement", "null"))
    assert b - pair.low < pair.high - b
    empty = interval(Table.from_counts([[90, 10], [0, 0]]), "informedness", method="powers-0")
    assert (empty.low, empty.high) == (-1, 1)
    with pytest.raises(InformedError, match="`sse`"):
        interval(TWO, "informedness", method="powers-0", sse="median")


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("level", [0.0, 0.2, 0.7, 0.95])
def test_fitted_bars_are_the_error_of_a_system_that_knows_or_guesses(k: int, level: float) -> None:
    """In so many cases that the constant is of no account, the delta method's, which knows nothing of V₀."""
    prevalence = np.arange(1.0, k + 1) / np.arange(1, k + 1).sum()
    t = Table.from_counts(Table.mixture(level, prevalence=prevalence, guess=prevalence).counts * 1e9)
    fitted, delta = (interval(t, "informedness", method=method) for method in ("powers-fitted", "wald"))
    assert fitted.high - fitted.low == pytest.approx(delta.high - delta.low, rel=1e-6)


def test_fitted_bars_by_hand() -> None:
    """At B = 0 of two classes V₀ is Bias·IBias/(Prev·IPrev); on even margins √sse is √((1 − u)(1 + (K − 1)u))."""
    chance = interval(Table.from_counts([[28, 12], [42, 18]]), "informedness", method="powers-fitted", x=2)
    assert chance.high == pytest.approx(2 * np.sqrt(0.4 * 0.6 / (0.7 * 0.3) / 99)) == -chance.low

    u = 0.4 / (1 + 0.7 * 4 / 90)
    even = interval(Table.from_counts(np.full((3, 3), 6) + 12 * np.eye(3)), "informedness", method="powers-fitted", x=2)
    assert even.estimate == pytest.approx(0.4)
    assert even.high - 0.4 == pytest.approx(2 * np.sqrt((1 - u) * (1 + 2 * u) / (2 * 89)))

    said, opposite = (
        interval(Table.from_counts(c), "informedness", method="powers-fitted")
        for c in ([[9, 3], [1, 20]], [[1, 20], [9, 3]])
    )
    assert (opposite.low, opposite.high) == pytest.approx((-said.high, -said.low))
    dual = interval(Table.from_counts([[9, 1], [3, 20]]), "markedness", method="powers-fitted")
    assert (dual.low, dual.high) == pytest.approx((said.low, said.high))


def test_fitted_bars_hold_in_a_world_that_was_not_fitted() -> None:
    """4,000 tables of four long-tailed classes, 400 cases: within three standard errors of 95 %."""
    truth = Table.mixture(0.45, prevalence=np.array([12, 6, 4, 3]) / 25).counts
    counts = np.random.default_rng(11).multinomial(400, np.ravel(truth / truth.sum()), 4000).reshape(-1, 4, 4)
    for method, least, most in (("powers-fitted", 0.94, 0.96), ("powers-1", 0.0, 0.93)):
        found = interval(Table.from_counts(counts), "informedness", method=method)
        assert least < np.mean((found.low < 0.45) & (found.high > 0.45)) < most


def test_fitted_bars_say_what_they_cannot() -> None:
    silent = interval(Table.from_counts([[90, 10], [0, 0]]), "informedness", method="powers-fitted")
    assert (silent.low, silent.high) == (-1, 1)
    alone = interval(Table.from_counts([[90, 0], [10, 0]]), "informedness", method="powers-fitted")
    assert np.isnan([alone.low, alone.high]).all()
    with pytest.raises(InformedError, match="`sse` is for the methods powers-0, powers-1, powers-2, and"):
        interval(TWO, "informedness", method="powers-fitted", sse=1)
    with pytest.raises(InformedError, match="powers-fitted is no interval for matthews"):
        interval(TWO, "matthews", method="powers-fitted")


def test_cautions_speak_of_the_method() -> None:
    small = Table.from_counts([[4, 1], [1, 3]])
    sturdy = " ".join(map(str, interval(small, "informedness").notes))
    assert "16 cases and more" in sturdy
    assert "keeps its coverage" in sturdy
    frail = " ".join(map(str, interval(small, "informedness", method="wald").notes))
    assert "not to be trusted" in frail
    papers = interval(Table.from_counts([[5, 2], [2, 5]]), "informedness", method="powers-1")
    assert any("bars" in str(note) for note in papers.notes)
    many = " ".join(map(str, interval(Table.from_counts(np.eye(5) * 4 + 0.5), "informedness").notes))
    assert "each of 5 classes" in many
    assert interval(Table.from_counts([[50, 20], [20, 50]]), "informedness").notes == ()


# ---------------------------------------------------------------------- resampling


def test_bootstrap_and_posterior_agree_with_large_samples() -> None:
    t = Table.from_counts(TWO.counts * 100)
    wald = interval(t, "informedness", method="wald")
    for method in ("bootstrap-centred", "bootstrap-percentile", "bootstrap-bca", "bootstrap-t", "dirichlet"):
        found = interval(t, "informedness", method=method)
        assert found.low == pytest.approx(wald.low, abs=0.1 * wald.width)
        assert found.high == pytest.approx(wald.high, abs=0.1 * wald.width)
        assert "seed" in str(found.notes[0])
        again = interval(t, "informedness", method=method)
        assert found.low == again.low
        other = interval(t, "informedness", method=method, rng=5)
        assert found.low != other.low


def test_bca_agrees_with_scipy() -> None:
    real = np.repeat([1, 0, 1, 0], [56, 20, 12, 12])
    said = np.repeat([1, 1, 0, 0], [56, 20, 12, 12])

    def b(real: Array, said: Array, axis: int = -1) -> Array:
        positive = (real == 1).sum(axis=axis), (real == 0).sum(axis=axis)
        hits = ((real == 1) & (said == 1)).sum(axis=axis)
        alarms = ((real == 0) & (said == 1)).sum(axis=axis)
        return np.asarray(hits / positive[0] - alarms / positive[1])

    theirs = stats.bootstrap(
        (real, said), b, paired=True, vectorized=True, n_resamples=20_000,
        method="BCa", rng=np.random.default_rng(3),
    ).confidence_interval  # fmt: skip
    ours = interval(TWO, "informedness", method="bootstrap-bca", n_draws=20_000)
    assert ours.low == pytest.approx(theirs.low, abs=0.008)
    assert ours.high == pytest.approx(theirs.high, abs=0.008)


def test_posterior_of_one_proportion_is_beta() -> None:
    """Prevalence under a Dirichlet of mass 1 has a Beta posterior."""
    found = posterior(TWO, "prevalence", n_draws=40_000)
    law = stats.beta(68.5, 32.5)
    assert found.low == pytest.approx(law.ppf(0.025), abs=0.003)
    assert found.probability(above=0.7) == pytest.approx(law.sf(0.7), abs=0.01)
    assert found.draws.shape == (40_000,)
    fixed = posterior(TWO, "informedness", sampling="fixed-reals", n_draws=2000)
    assert fixed.low < fixed.estimate < fixed.high
    assert posterior(THREE, "recall", n_draws=500).draws.shape == (500, 3)
    with pytest.raises(InformedError, match="`mass`"):
        posterior(TWO, "recall", mass=0)
    with pytest.raises(InformedError, match="`n_draws`"):
        posterior(TWO, "recall", n_draws=5)


def test_rough_measures_say_so() -> None:
    for name in ROUGH:
        found = interval(TWO, name, n_draws=300, method="bootstrap-centred")
        assert np.isfinite(found.low)
        assert [note.severity for note in found.notes if note.code == "no-slopes"] == ["warning"]


def test_a_micro_average_has_the_interval_of_the_accuracy_that_it_is_a_function_of() -> None:
    right = interval(THREE, "accuracy")
    for name in ("recall", "precision", "f1"):
        found = interval(THREE, f"{name}(average='micro')")
        assert (found.low, found.high) == pytest.approx((right.low, right.high), rel=1e-12)
    jaccard = interval(THREE, "jaccard(average='micro')")  # a/(2 − a)
    ends = [a / (2 - a) for a in (right.low, right.high)]
    assert (jaccard.method, jaccard.low, jaccard.high) == ("mid-p", *map(pytest.approx, ends))
    fallout = interval(THREE, "fallout(average='micro')")  # (1 − a)/(K − 1)
    ends = [(1 - a) / 2 for a in (right.high, right.low)]
    assert (fallout.low, fallout.high) == pytest.approx(ends, rel=1e-12)


def test_limits_stay_within_what_so_many_classes_can_reach() -> None:
    even = Table.from_counts(np.full((3, 3), 2), rows="predicted")
    found = interval(even, "joint_entropy", method="wald")
    assert found.high <= np.log(9)
    assert interval(even, "contingency_coefficient", method="wald").low == 0
    assert interval(even, "entropy_real(base=2)", method="plus-four").high <= np.log2(3) + 1e-12


@pytest.mark.parametrize("name", ["prevalence", "skew", "entropy_real", "evenness_plus"])
def test_what_was_chosen_has_no_interval(name: str) -> None:
    with pytest.raises(InformedError, match="matter of choice"):
        interval(TWO, name, sampling="fixed-reals")
    assert interval(TWO, "evenness_plus(of='predicted')", method="arc", sampling="fixed-reals").low > 0


def test_a_label_that_is_never_said_leaves_the_correlation_without_an_interval() -> None:
    """Unlike kappa, which is 0 there."""
    never = Table.from_counts([[9, 5], [0, 0]])
    of_three = Table.from_counts([[9, 5, 3], [0, 0, 0], [0, 0, 0]])
    for t in (never, of_three):
        assert all(np.isnan(interval(t, name).low) for name in ("correlation", "matthews", "correlation_det"))
        assert interval(t, "cohen_kappa").low < 0 < interval(t, "cohen_kappa").high


@pytest.mark.parametrize("sizes", [(1, 20), (2, 20), (4, 40), (4, 200), (20, 2), (40, 4), (200, 4), (4, 4), (5, 50)])
@pytest.mark.parametrize("measure", ["lr", "nlr"])
def test_likelihood_ratios_cover_with_a_handful_in_a_class(sizes: tuple[int, int], measure: str) -> None:
    """Every outcome of both classes weighed, an interval that there is misses no more often; the arc covers as
    little as .875 there, `log` .51."""
    x1, x0 = (x.ravel() for x in np.meshgrid(*(np.arange(n + 1.0) for n in sizes), indexing="ij"))
    t = Table.from_counts(np.stack([x1, x0, sizes[0] - x1, sizes[1] - x0], -1).reshape(-1, 2, 2), positive="+")
    found = interval(t, measure)
    assert found.method == "mover-ratio"
    low, high = np.asarray(found.low), np.asarray(found.high)
    for recall in (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97):
        for fallout in (0.02, 0.1, 0.3, 0.5, 0.8):
            chance = stats.binom.pmf(x1, sizes[0], recall) * stats.binom.pmf(x0, sizes[1], fallout)
            truth = recall / fallout if measure == "lr" else (1 - recall) / (1 - fallout)
            assert chance[(truth < low) | (high < truth)].sum() <= 0.071


def test_the_ratio_of_recovered_limits_is_donner_and_zous() -> None:
    """Their formula as printed (2012), from the mid-P limits of both proportions."""
    (l1, u1), (l0, u0) = (mid_p(np.asarray(x), np.asarray(n), 0.95) for x, n in ((12.0, 15.0), (6.0, 30.0)))
    p1, p0 = 12 / 15, 6 / 30
    low = (p1 * p0 - np.sqrt((p1 * p0) ** 2 - l1 * u0 * (2 * p1 - l1) * (2 * p0 - u0))) / (u0 * (2 * p0 - u0))
    high = (p1 * p0 + np.sqrt((p1 * p0) ** 2 - u1 * l0 * (2 * p1 - u1) * (2 * p0 - l0))) / (l0 * (2 * p0 - l0))
    found = interval(Table.from_counts([[12, 6], [3, 24]], positive="+"), "lr")
    assert_allclose([found.low, found.high], [low, high], rtol=1e-9)
    never = interval(Table.from_counts([[0, 0], [5, 9]], positive="+"), "lr")
    assert np.isnan([never.estimate, never.low, never.high]).all()


@pytest.mark.parametrize("n", [16, 32])
def test_the_correlation_covers_where_a_label_is_often_not_said(n: int) -> None:
    """Every table weighed: where there is an estimate, of a third of them or more, its interval misses no oftener."""
    cells = every_two_by_two(n)
    found = interval(tables(cells), "matthews")
    low, high = np.asarray(found.low), np.asarray(found.high)
    for prevalence, guess in ((0.5, 0.05), (0.2, 0.05), (0.1, 0.1), (0.05, 0.05)):
        for informedness in (0.0, 0.3, 0.9):
            truth = mixture(informedness, np.array([prevalence, 1 - prevalence]), np.array([guess, 1 - guess]))
            value = float(informed.matthews(Table.from_counts(truth)))
            assert chance_of(cells, truth)[(value < low) | (high < value)].sum() < 0.05


def test_association_reaches_zero_where_nothing_is_shown() -> None:
    weak = Table.from_counts([[12, 10], [9, 11]])
    found = interval(weak, "cramers_v")
    assert found.low == 0
    assert any("cannot be negative" in str(note) for note in found.notes)
    assert interval(Table.from_counts([[40, 5], [6, 44]]), "cramers_v").low > 0.5


@pytest.mark.parametrize("measure", ["cramers_v", "mutual_information", "uncertainty"])
def test_even_classes_that_say_nothing_have_an_upper_limit(measure: str) -> None:
    """All slopes vanish there; it is that of tables near by."""
    even, near = (informed.interval(Table.from_counts([[10 + x, 10], [10, 10]]), measure) for x in (0, 1e-3))
    assert even.low == 0
    assert even.high == pytest.approx(near.high, rel=1e-3)


def test_many_classes_fall_back_to_what_can_be_paid() -> None:
    rng = np.random.default_rng(2)
    t = Table.from_counts(rng.integers(0, 5, size=(25, 25)) + 20 * np.eye(25))
    assert interval(t, "informedness").method == "arc"
    found = interval(t, "cramers_v_corrected")
    assert found.method == "plus-four"
    assert found.low < found.estimate < found.high


def test_results_are_frames() -> None:
    frame = interval(THREE, "recall").to_frame()
    assert len(frame) == 3
    assert 0.8 in interval(TWO, "accuracy", level=0.999)
    assert posterior(TWO, "accuracy", n_draws=200).to_frame() is not None


@pytest.mark.parametrize("method", ["bootstrap-centred", "bootstrap-percentile", "bootstrap-bca", "bootstrap-t"])
def test_resampling_a_table_of_one_class_gives_no_interval(method: str) -> None:
    stack = Table.from_counts([[[4, 0], [0, 0]], [[3, 1], [1, 3]]])
    found = interval(stack, "informedness", method=method, n_draws=200)
    assert np.isnan(found.low).tolist() == np.isnan(found.high).tolist() == [True, False]
    assert np.isnan(interval(stack[0], "informedness", method=method, n_draws=200).low)


def test_bootstrap_limits_of_what_is_infinite_are_infinite() -> None:
    """No false alarm was seen, so that resamples of the ratio are infinite, and so is its limit."""
    found = interval(Table.from_counts([[6, 0], [1, 4]]), "odds_ratio", method="bootstrap-percentile")
    assert found.high == np.inf
    assert found.low > 0


def test_limits_of_a_posterior_are_quantiles_of_its_draws() -> None:
    t = Table.from_counts([[56, 20], [12, 12]])
    found = posterior(t, "kappa", rng=np.random.default_rng(3), n_draws=500)
    assert (found.low, found.high) == pytest.approx(np.quantile(found.draws, [0.025, 0.975]))


# ---------------------------------------------------------------------- many classes, few cases


def sparse(classes: int, cases: int, seed: int) -> Table:
    """Half of the cases known and half guessed, so few that most cells are empty."""
    p = np.full((classes, classes), 0.5 / classes**2) + np.eye(classes) * 0.5 / classes
    return Table.from_counts(
        np.random.default_rng(seed).multinomial(cases, p.ravel()).reshape(classes, classes).tolist()
    )


@pytest.mark.parametrize("name", sorted(ROUGH))
def test_a_default_interval_holds_its_estimate_where_cells_are_empty(name: str) -> None:
    t = sparse(12, 30, 1)
    found = interval(t, name, n_draws=300, method="bootstrap-centred")
    assert found.low <= found.estimate <= found.high
    assert "estimate-outside" not in [note.code for note in found.notes]


def test_percentiles_that_miss_their_estimate_say_so() -> None:
    found = interval(sparse(40, 100, 2), "adjusted_rand_index", method="bootstrap-percentile", n_draws=300)
    assert found.low > found.estimate
    assert [note.severity for note in found.notes if note.code == "estimate-outside"] == ["warning"]
    stack = Table.from_counts(np.stack([sparse(12, 30, i).counts for i in range(6)]))
    many = interval(stack, "adjusted_rand_index", method="bootstrap-percentile", n_draws=300)
    missed = int((many.low > many.estimate).sum())
    assert missed > 0
    assert any(str(note).startswith(f"{missed} of 6 pairs of limits") for note in many.notes)


def test_centred_percentiles_hold_the_truth_where_plain_ones_do_not() -> None:
    """The adjusted Rand index of 12 classes and 30 cases, whose limit for many cases is 1/4."""
    stack = Table.from_counts(np.stack([sparse(12, 30, 100 + i).counts for i in range(80)]))
    held = {
        method: float(np.mean((x.low <= 0.25) & (x.high >= 0.25)))
        for method in ("bootstrap-centred", "bootstrap-percentile")
        for x in [interval(stack, "adjusted_rand_index", method=method, n_draws=300)]
    }
    error = (0.95 * 0.05 / 80) ** 0.5
    assert held["bootstrap-centred"] > 0.95 - 3 * error
    assert held["bootstrap-percentile"] < 0.7
