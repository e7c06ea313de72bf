"""Choosing a threshold: each rule by brute force, and what the choice is really worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import informed
from informed._arrays import Array
from informed.decisions import threshold as module
from informed.decisions.chosen import chosen
from informed.decisions.costs import expected_cost
from informed.decisions.curve import Curve
from informed.decisions.rejection import chow, drop_superstitious, reject_curve
from informed.decisions.roc import roc
from informed.decisions.threshold import threshold
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures import find
from informed.systems.risk_coverage import risk_coverage


def sample(n: int = 150, seed: int = 1, shift: float = 1.0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    real = (rng.random(n) < 0.35).astype(float)
    return real, (rng.normal(size=n) + shift * real).round(1)


real_cases, scores = sample()
CURVE: Curve = roc(real=real_cases, score=scores)


def rates(t: float) -> tuple[float, float, float, float]:
    called = scores >= t
    recall, fallout = called[real_cases == 1].mean(), called[real_cases == 0].mean()
    precision = real_cases[called].mean() if called.any() else np.nan
    return float(recall), float(fallout), float(precision), float(called.mean())


def test_each_rule_chooses_as_brute_force_does() -> None:
    every = {float(t): rates(float(t)) for t in CURVE.thresholds}

    def chosen(rule: str, **options: Any) -> tuple[float, float, float, float]:
        return every[threshold(CURVE, rule, n_draws=20, **options).threshold]

    recall, fallout, _, _ = chosen("youden")
    assert recall - fallout == pytest.approx(max(r - f for r, f, _, _ in every.values()))
    recall, fallout, _, _ = chosen("closest")
    least = min(np.hypot(1 - r, f) for r, f, _, _ in every.values())
    assert np.hypot(1 - recall, fallout) == pytest.approx(least)
    share = chosen("bias=prevalence")[3]
    assert abs(share - real_cases.mean()) == pytest.approx(min(abs(b - real_cases.mean()) for *_, b in every.values()))
    recall, fallout, _, _ = chosen("recall", value=0.8)
    assert recall >= 0.8
    assert fallout == min(f for r, f, _, _ in every.values() if r >= 0.8)
    recall, _, precision, _ = chosen("precision", value=0.6)
    assert precision >= 0.6
    assert recall == max(r for r, _, p, _ in every.values() if p >= 0.6)
    share = chosen("predicted-rate", value=0.25)[3]
    assert share == max(b for *_, b in every.values() if b <= 0.25)
    recall, fallout, _, _ = chosen("cost", cost="5:1", prevalence=0.1)
    c = 1 / 5 * 9
    assert recall - c * fallout == pytest.approx(max(r - c * f for r, f, _, _ in every.values()))
    best = threshold(CURVE, "f1", n_draws=20)
    assert best["f1"].apparent == pytest.approx(np.nanmax(CURVE.measure("f1")))


def test_a_choice_says_what_it_is_worth() -> None:
    found = threshold(CURVE, n_draws=200)
    w = found["informedness"]
    assert w.optimism == w.apparent - w.corrected
    assert w.optimism > 0
    assert found.low <= found.threshold <= found.high
    assert f"informedness {w.corrected:.3f} to be expected" in found.sentence()
    assert "optimism" in found.text(full=True)
    again = threshold(CURVE, n_draws=200)
    assert again["informedness"] == w  # the same seed
    assert find("informedness")(found.table) == w.apparent


@pytest.mark.slow
def test_the_corrected_value_is_true_on_average() -> None:
    """Two normal scores 1 apart, 60 cases: the true value of a threshold is known."""
    from scipy.special import ndtr

    apparent, corrected, true, held = [], [], [], 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        real = np.arange(60) < 25
        score = rng.normal(size=60) + real
        found = threshold(roc(real=real, score=score), n_draws=100, rng=seed)
        apparent.append(found["informedness"].apparent)
        corrected.append(found["informedness"].corrected)
        true.append(float(ndtr(1 - found.threshold) - ndtr(-found.threshold)))
        held += found.low <= 0.5 <= found.high  # the best threshold of all is 1/2
    bias = np.mean(apparent) - np.mean(true)
    left = np.array(corrected) - np.array(true)
    assert bias > 0.09
    assert -0.03 < left.mean() < 3 * left.std() / np.sqrt(150)  # rather a little too low
    assert held / 150 > 0.95 - 4 * np.sqrt(0.05 * 0.95 / 150)


def test_the_cases_not_drawn_judge_the_choice() -> None:
    """Drawn with every case by itself, and with repeated cases counted at one score: the share of
    those not drawn is that of drawing among k cases."""
    rng = np.random.default_rng(4)
    held = np.array([1.0, 3.0, 40.0])
    drawn = np.array([[0.0, 2.0, 44.0], [1.0, 0.0, 30.0]])
    found = module._not_drawn(held, drawn)
    for (row, column), expected in np.ndenumerate(found):
        k, d = int(held[column]), int(drawn[row, column])
        picks = rng.integers(0, k, (4000, d))
        missed = k - np.array([len(np.unique(p)) for p in picks])
        error = missed.std() / np.sqrt(4000)
        assert abs(missed.mean() - expected) <= 4 * error + 1e-9


def test_many_scores_are_pooled_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BINS", 10)
    found = threshold(CURVE, n_draws=50)
    assert found.threshold == threshold(CURVE, n_draws=20).threshold
    assert found.notes[-1].code == "pooled"


@pytest.mark.parametrize(
    ("rule", "options", "said"),
    [
        ("recall", {}, "needs a `value`"),
        ("youden", {"value": 0.5}, "takes no `value`"),
        ("no such rule", {}, "no measure called"),
        ("youden", {"n_draws": 3}, "at least 20"),
        ("cost", {"cost": "x"}, "FN:FP"),
        ("cost", {"cost": 1, "prevalence": 1.5}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_chosen_is_refused(rule: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        threshold(CURVE, rule, **options)


def test_an_unreachable_precision_is_said() -> None:
    real, score = [0, 1, 0, 1], [4, 3, 2, 1]
    found = threshold(roc(real=real, score=score), "precision", value=0.9, n_draws=20)
    assert "not-reached" in [x.code for x in found.notes]
    with pytest.raises(InformedError, match="no case is really"):
        threshold(roc(real=[1, 1], score=[1, 2]))


# ---------------------------------------------------------------------- abstention


def test_dropping_a_label_changes_informedness_as_the_rule_says() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        t = Table.from_counts(rng.integers(0, 12, (4, 4)) + 1.0)
        each = np.asarray(find("informedness").per_class(t))
        found = drop_superstitious(t)
        assert found.labels == tuple(x for x, b in zip(t.labels, each, strict=True) if b < 0)
        wanted = found.before - (t.prevalence * each)[each < 0].sum()
        assert found.after == pytest.approx(wanted)
        assert found.after >= found.before
        assert drop_superstitious(found.table).labels == ()
        assert found.table.n + found.table.abstained.sum() == t.n


def test_coverage_curves_agree_with_counting_again() -> None:
    rng = np.random.default_rng(5)
    real = rng.integers(0, 3, 200)
    sure = rng.random(200).round(2)
    predicted = np.where(rng.random(200) < sure, real, rng.integers(0, 3, 200))
    found = risk_coverage(real=real, predicted=predicted, score=sure, steps=20)
    for i in (3, 7, len(found.coverage) - 1):
        own = sure >= found.thresholds[i]
        assert found.coverage[i] == pytest.approx(own.mean())
        t = Table.from_labels(real=real[own], predicted=predicted[own], labels=[0, 1, 2])
        assert found.informedness[i] == pytest.approx(find("informedness")(t))
    assert found.coverage[-1] == 1
    assert found.of_all[-1] == pytest.approx(found.informedness[-1])
    assert found.of_all[found.thresholds == found.best] == np.nanmax(found.of_all)


@pytest.mark.parametrize("abstain", [0.0, 0.1, 0.3, 0.6, 2.0])
@pytest.mark.parametrize("cost", ["1:1", "5:1"])
def test_chows_thresholds_have_the_least_cost_of_all_pairs(abstain: float, cost: str) -> None:
    miss = float(cost[0])
    found = chow(CURVE, cost=cost, abstain=abstain)

    def total(upper: float, lower: float) -> float:
        silent = (scores < upper) & (scores >= lower)
        wrong_high = (scores >= upper) & (real_cases == 0)
        wrong_low = (scores < lower) & (real_cases == 1)
        return float((miss * wrong_low + wrong_high + abstain * silent).mean())

    pairs = [(u, x) for u in CURVE.thresholds for x in CURVE.thresholds if u >= x]
    assert found.expected_cost == pytest.approx(min(total(u, x) for u, x in pairs))
    assert total(found.upper, found.lower) == pytest.approx(found.expected_cost)
    assert found.expected_cost <= found.without + 1e-12
    answered = float(((scores >= found.upper) | (scores < found.lower)).mean())
    assert found.coverage == pytest.approx(answered)
    assert found.table.n == pytest.approx(answered * len(scores))
    assert ("does not pay" in found.sentence()) == (found.upper == found.lower)


def test_what_is_expected_is_of_this_threshold_where_resamples_choose_others() -> None:
    """Recall − fallout is flat from .3 to .7: choices on resamples lie far apart, and their mean is nobody's."""
    rng, away = np.random.default_rng(1), []
    for seed in range(20):
        real = rng.random(300) < 0.12
        score = 0.3 * real + 0.7 * rng.random(300)
        choice = threshold(roc(real=real, score=score), n_draws=99, rng=seed)
        recall, fallout = np.clip(1 - (choice.threshold - np.array([0.3, 0.0])) / 0.7, 0, 1)
        away.append([choice["recall"].corrected - recall, choice["fallout"].corrected - fallout])
        r, f, b = (choice[x].corrected for x in ("recall", "fallout", "informedness"))
        assert b == pytest.approx(r - f)
        assert 0 <= f <= 1 >= r >= 0
        assert b <= choice["informedness"].apparent
    error = np.sqrt(np.mean(np.square(away), axis=0))
    assert (error < (0.1, 0.05)).all()  # .13 and .09 where the choices of resamples are pooled


def test_one_case_of_a_class_judges_nothing() -> None:
    """It is in every resample that has both classes, and never among the cases that were not drawn."""
    choice = threshold(roc(real=[1, 0, 0, 0, 0], score=[0.9, 0.1, 0.2, 0.8, 0.4]), n_draws=99, rng=1)
    assert all(np.isnan(worth.corrected) and np.isnan(worth.optimism) for worth in choice.measures.values())
    assert choice["informedness"].apparent == 1
    assert [note.code for note in choice.notes] == ["unjudged"]


# ---------------------------------------------------------------------- costs


def test_a_cost_without_a_method_chooses_by_cost() -> None:
    for given in ({"cost": "20:1"}, {"prevalence": 0.25}, {"cost": 0.5, "prevalence": 0.4}):
        found = threshold(CURVE, n_draws=20, **given)
        assert found.to_dict() == threshold(CURVE, "cost", n_draws=20, **given).to_dict()
        best = CURVE.best(**given)
        assert (found.method, found.threshold, found.c) == ("cost", best.threshold, best.c)
        assert found.threshold == informed.report(CURVE, **given).data["choice"]["threshold"]
    assert threshold(CURVE, cost="20:1", n_draws=20).threshold < threshold(CURVE, n_draws=20).threshold


@pytest.mark.parametrize("method", ["informedness", "youden", "closest", "recall", "f1"])
@pytest.mark.parametrize("given", [{"cost": "5:1"}, {"prevalence": 0.1}])
def test_a_cost_that_would_not_choose_is_refused(method: str, given: dict[str, Any]) -> None:
    value: dict[str, Any] = {"value": 0.5} if method == "recall" else {}
    with pytest.raises(InformedError, match=f"takes no `{next(iter(given))}`.*least cost"):
        threshold(CURVE, method, **value, **given)


def test_options_of_a_choice_that_was_made_are_refused() -> None:
    made = threshold(CURVE, cost="5:1", n_draws=20)
    with pytest.raises(InformedError, match="was chosen already: `value`"):
        chosen(CURVE, made, value=0.3)
    with pytest.raises(InformedError, match="`positive` is for labels"):
        threshold(CURVE, positive=1.0)
    named = threshold(real=["b", "a", "b", "a"], score=[1, 2, 3, 4], positive="b", n_draws=20)
    assert named.table.positive == "b"


def test_a_prevalence_alone_means_equal_costs_at_every_door() -> None:
    """As `Curve.best` and `chow` have it; with neither, classes count the same."""
    at = reject_curve(CURVE, prevalence=0.1)
    same = reject_curve(CURVE, cost="1:1", prevalence=0.1)
    assert at.expected_cost.tolist() == same.expected_cost.tolist()
    assert reject_curve(CURVE).upper[-1] == CURVE.best().threshold
    assert at.upper[-1] == CURVE.best(prevalence=0.1).threshold


def test_an_expected_cost_is_on_one_scale_at_every_door() -> None:
    """Per case, in the units of the cost: a miss costs 20 and a false alarm 1."""
    probability = 1 / (1 + np.exp(-scores))
    curve = roc(real=real_cases, score=probability)
    found: Any = informed.probabilities(real=real_cases, probability=probability, n_draws=20)
    acted = found.at_cost("20:1")
    t = curve.table_at(1 / 21)
    by_hand = float((20 * t.fn + t.fp) / t.total)
    assert acted.expected_cost == pytest.approx(by_hand)
    assert expected_cost(t, "20:1").expected_cost == pytest.approx(by_hand)
    costs = informed.report(t, cost="20:1").costs
    assert costs is not None
    assert costs.expected_cost == pytest.approx(by_hand)
    least = chosen(curve, cost="20:1")
    assert least.costs is not None
    silent = chow(curve, cost="20:1", abstain=100.0)
    assert silent.expected_cost == pytest.approx(least.costs.apparent)
    assert reject_curve(curve, cost="20:1").expected_cost[-1] == pytest.approx(least.costs.apparent)
    assert least.stops.records["expected_cost"][least.stops.start] == pytest.approx(least.costs.apparent)
    assert expected_cost(t, "40:2").expected_cost == pytest.approx(2 * by_hand)


# ---------------------------------------------------------------------- what a chosen threshold costs


def test_a_cost_on_the_cases_that_chose_the_threshold_is_corrected_at_every_door() -> None:
    """The cheapest threshold of some cases is not as cheap on others."""
    choice = threshold(CURVE, cost="5:1", rng=1)
    found = choice.cost
    assert found is not None
    assert found.apparent == pytest.approx(expected_cost(choice.table, "5:1").expected_cost)
    assert found.low < found.apparent < found.expected_cost < found.high
    assert choice.expected is not None
    assert found.expected_cost == pytest.approx(expected_cost(choice.expected, "5:1").expected_cost)
    recall, fallout = (choice[name].corrected for name in ("recall", "fallout"))
    share = CURVE.prevalence
    assert found.expected_cost == pytest.approx(5 * share * (1 - recall) + (1 - share) * fallout)

    made = chosen(CURVE, choice)
    for said in (repr(choice), made.sentence(), informed.report(CURVE, cost="5:1").answer):
        assert "At costs of 5:1 the expected cost" in said or "at costs of 5:1 the expected cost" in said
        assert "per case on new cases (95 % CI" in said
        assert f"{found.apparent:.3g} on these cases, which chose the threshold" in said
    assert informed.report(CURVE, cost="5:1").answer.startswith("At costs of 5:1")
    held = made.to_dict()["costs"]
    assert [held[name] for name in ("apparent", "expected_cost", "low", "high")] == pytest.approx(
        [found.apparent, found.expected_cost, found.low, found.high]
    )
    metrics = choice.metrics()
    assert metrics["expected_cost"] == found.expected_cost
    assert (metrics["expected_cost_low"], metrics["expected_cost_high"]) == (found.low, found.high)
    assert threshold(CURVE).cost is None
    beside = chosen(CURVE, "informedness", cost="5:1").costs  # what another method's threshold costs
    assert beside is not None
    assert beside.expected_cost > beside.apparent


def test_costs_scale_with_their_units_and_follow_the_prevalence() -> None:
    one, ten = (threshold(CURVE, cost=(5 * k, k), rng=1).cost for k in (1, 10))
    assert one is not None
    assert ten is not None
    for name in ("apparent", "expected_cost", "low", "high", "constant"):
        assert getattr(ten, name) == pytest.approx(10 * getattr(one, name))
    known = threshold(CURVE, cost="5:1", prevalence=CURVE.prevalence, rng=1).cost
    assert known is not None
    assert known.expected_cost == pytest.approx(one.expected_cost)
    assert known.high - known.low < one.high - one.low  # the prevalence is not estimated


def test_expected_costs_are_unbiased_and_their_intervals_cover() -> None:
    """Two normal scores 1.2 apart: what the threshold that was chosen really costs is known."""
    from scipy.special import ndtr

    rng, found = np.random.default_rng(3), []
    for seed in range(150):
        real = rng.random(150) < 0.3
        curve = roc(real=real, score=rng.normal(size=150) + 1.2 * real, positive=True)
        choice = threshold(curve, cost="10:1", n_draws=60, rng=seed)
        assert choice.cost is not None
        true = 10 * 0.3 * ndtr(choice.threshold - 1.2) + 0.7 * ndtr(-choice.threshold)
        held = choice.cost
        found.append((held.apparent - true, held.expected_cost - true, held.low <= true <= held.high))
    apparent, corrected, covers = np.array(found, float).T
    error = corrected.std() / np.sqrt(len(corrected))
    assert abs(corrected.mean()) < 3 * error
    assert apparent.mean() < -6 * error
    assert covers.mean() > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 150)


def test_costs_of_clustered_cases_have_wider_limits() -> None:
    rng = np.random.default_rng(8)
    unit = np.arange(300) // 10
    real = rng.random(30)[unit] < 0.4
    score = 2 * rng.normal(size=30)[unit] + rng.normal(size=300) + 2.0 * real
    alone = threshold(roc(real=real, score=score, positive=True), cost="5:1", rng=1).cost
    together = threshold(roc(real=real, score=score, positive=True, unit=unit), cost="5:1", rng=1).cost
    assert alone is not None
    assert together is not None
    assert together.high - together.low > 1.3 * (alone.high - alone.low)


def test_a_cost_that_nothing_can_correct_says_so() -> None:
    curve = roc(real=[0, 1], score=[0.2, 0.8])
    found = chosen(curve, cost="5:1").costs
    assert found is not None
    assert np.isnan([found.expected_cost, found.low, found.high]).all()
    assert "is not known" in found.sentence()
