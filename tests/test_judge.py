"""A judge as a measuring instrument; abstention: R, defining equations, simulation, promises."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

import informed
from informed import InformedError, Table
from informed.systems.risk_coverage import abstention, risk_coverage

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "oracles" / "g01_rogan_gladen.json").read_text())[
    "cases"
]
judge: Any = partial(informed.judge, design="elsewhere")
GOOD = Table.from_counts([[90, 15], [10, 85]])


def value(held: Any) -> Any:
    return held["value"] if "warnings" in held else held


# ---------------------------------------------------------------------- against R


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['pos']}-{c['se']}-{c['sp']}")
def test_a_judge_with_known_rates_is_epi_prev(case: dict[str, Any]) -> None:
    rates = np.array([[case["se"], 1 - case["sp"]], [1 - case["se"], case["sp"]]])
    t = Table.from_counts(rates * 1000)
    ways: tuple[tuple[Literal["wilson", "clopper-pearson"], str], ...] = (
        ("wilson", "wilson"),
        ("clopper-pearson", "c-p"),
    )
    for ours, theirs in ways:
        held = value(case[theirs])["tp"]
        found = judge(t, case["pos"] / case["tested"], case["tested"], known=True, method=ours)
        assert found.raw == pytest.approx(case["rogan_gladen"], rel=1e-12)
        assert found.estimate == pytest.approx(np.clip(held["est"], 0, 1), abs=1e-12)
        # R's lower limits are those of the rate as it is; ours hold the estimate and are clipped.
        assert found.low == pytest.approx(np.clip(held["lower"], 0, 1), abs=1e-9)
        assert found.high == pytest.approx(np.clip(held["upper"], 0, 1), abs=1e-9)
    score = judge(t, case["pos"] / case["tested"], case["tested"], known=True)
    held = value(case["wilson"])["tp"]
    assert score.low == pytest.approx(np.clip(held["lower"], 0, 1), abs=1e-9)
    assert score.high == pytest.approx(np.clip(held["upper"], 0, 1), abs=1e-9)
    assert any("clipped" in str(note) for note in score.notes) == (
        score.raw < 0 or held["lower"] < 0 or held["upper"] > 1
    )


# ---------------------------------------------------------------------- equations and simulation


def test_score_limits_solve_their_equation() -> None:
    found = judge(GOOD, 0.4, 300)
    r, f = 91 / 102, 16 / 102
    z = stats.norm.ppf(0.975)
    for theta in (found.low, found.high):
        a = f + theta * (r - f)
        variance = a * (1 - a) / 300 + theta**2 * r * (1 - r) / 102 + (1 - theta) ** 2 * f * (1 - f) / 102
        assert (0.4 - a) ** 2 == pytest.approx(z * z * variance, rel=1e-9)


@pytest.mark.slow
def test_interval_carries_both_uncertainties_and_covers() -> None:
    """200 repetitions of calibration and batch, three truths; 95 % of intervals hold the rate."""
    rng = np.random.default_rng(21)
    runs = 200
    for theta, recall, fallout in ((0.1, 0.9, 0.15), (0.5, 0.8, 0.3), (0.3, 0.97, 0.05)):
        held = narrow = 0
        for _ in range(runs):
            tp, fp = rng.binomial(60, recall), rng.binomial(90, fallout)
            t = Table.from_counts([[tp, fp], [60 - tp, 90 - fp]])
            rate = rng.binomial(5000, fallout + theta * (recall - fallout)) / 5000
            found = judge(t, rate, 5000)
            held += found.low <= theta <= found.high
            plain = judge(t, rate, 5000, known=True)
            narrow += plain.low <= theta <= plain.high
        assert held >= stats.binom.ppf(0.001, runs, 0.95)
        assert narrow < 0.9 * runs  # what comes of taking the calibration for the truth


def test_three_outcomes_are_recovered_and_cover() -> None:
    rng = np.random.default_rng(5)
    verdicts = np.array([[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.1, 0.2, 0.7]])
    truth = np.array([0.5, 0.3, 0.2])
    exact = judge(Table.from_counts(verdicts * 1e6, labels=["a", "b", "c"]), verdicts @ truth, n=10**9)
    np.testing.assert_allclose(exact.estimate, truth, atol=1e-9)
    assert exact.condition == pytest.approx(np.linalg.cond(verdicts))
    runs, held = 300, np.zeros(3)
    for _ in range(runs):
        counts = np.column_stack([rng.multinomial(80, verdicts[:, c]) for c in range(3)])
        new = rng.multinomial(600, verdicts @ truth)
        found = judge(Table.from_counts(counts, rows="predicted"), new)
        held += (found.low <= truth) & (truth <= found.high)
    assert (held >= stats.binom.ppf(0.001, runs, 0.95)).all()
    assert any("condition number" in str(note) for note in found.notes)


def test_two_classes_by_inversion_are_rogan_and_gladen() -> None:
    verdicts = GOOD.counts / GOOD.counts.sum(axis=0)
    assert judge(GOOD, 0.6).raw == pytest.approx(np.linalg.solve(verdicts, [0.6, 0.4])[0])
    mapped = judge(Table.from_counts([[90, 15], [10, 85]], labels=["yes", "no"]), {"yes": 60, "no": 40})
    assert mapped.raw == pytest.approx(judge(GOOD, 0.6, 100).raw)
    assert mapped.n == 100


def test_labels_needed_bring_the_interval_to_its_reach() -> None:
    small = judge(GOOD, 0.5, 20_000)
    needed = small.labels_needed(0.04)
    assert needed.best_mix <= needed.same_mix
    share = needed.same_mix / GOOD.n
    larger = judge(Table.from_counts(GOOD.counts * share), 0.5, 20_000)
    assert (larger.high - larger.low) / 2 == pytest.approx(0.04, rel=0.03)
    positives, negatives = needed.best_positive_share, 1 - needed.best_positive_share
    columns = GOOD.counts / GOOD.counts.sum(axis=0) * [positives, negatives] * needed.best_mix
    best = judge(Table.from_counts(columns), 0.5, 20_000)
    assert (best.high - best.low) / 2 == pytest.approx(0.04, rel=0.03)
    with pytest.raises(InformedError, match="judge more cases"):
        judge(GOOD, 0.5, 100).labels_needed(0.04)


# ---------------------------------------------------------------------- promises and bad input


def test_what_may_shift_is_said() -> None:
    notes = " ".join(map(str, judge(GOOD, 0.6, 100).notes))
    assert "Another prevalence in the new cases is allowed" in notes
    assert "another recall or fallout of the judge there is not" in notes
    assert "passes for exact" in " ".join(map(str, judge(GOOD, 0.6).notes))


def test_a_weighted_calibration_counts_less() -> None:
    rng = np.random.default_rng(0)
    real = rng.integers(0, 2, 300)
    said = np.where(rng.random(300) < 0.2, 1 - real, real)
    weights = rng.choice([0.2, 3.0], 300)
    t = Table.from_labels(real=real, predicted=said, weights=weights)
    found = judge(t, 0.5, 1000)
    bare = judge(Table.from_counts(t.counts, labels=t.labels), 0.5, 1000)
    assert found.raw == pytest.approx(bare.raw)
    assert found.high - found.low > bare.high - bare.low


def _calibration(rng: np.random.Generator, units: int, size: int, k: int = 2, alike: float = 0.8) -> Any:
    """Verdicts of a judge that errs on whole units at once."""
    unit = np.repeat(np.arange(units), size)
    real = rng.integers(0, k, len(unit))
    luck = np.where(rng.random(len(unit)) < alike, rng.random(units)[unit], rng.random(len(unit)))
    said = np.where(luck < 0.85, real, (real + 1) % k)
    return real, said, unit


@pytest.mark.parametrize("word", ["unit", "item"])
@pytest.mark.parametrize("k", [2, 3])
def test_a_calibration_that_was_asked_twice_says_no_more(word: str, k: int) -> None:
    real, said, _ = _calibration(np.random.default_rng(3), 240, 1, k)
    apparent = [120, 80, 40][:k]
    once = judge(Table.from_labels(real=real, predicted=said), apparent)
    twice: dict[str, Any] = {"real": np.tile(real, 2), "predicted": np.tile(said, 2)}
    naive = judge(Table.from_labels(**twice), apparent)
    told = judge(Table.from_labels(**{**twice, word: np.tile(np.arange(240), 2)}), apparent)
    assert told.raw == pytest.approx(once.raw)
    widths = [np.asarray(x.high) - np.asarray(x.low) for x in (once, told, naive)]
    assert widths[1] == pytest.approx(widths[0], rel=0.03 if word == "unit" else 1e-9)
    assert (widths[2] < 0.95 * widths[0]).all()
    assert any(note.code == f"{word}s" for note in told.notes)


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3])
def test_a_judge_calibrated_on_units_holds_the_rate(k: int) -> None:
    """150 calibrations of 40 units of 6: without the units, the rate is held too seldom."""
    rng = np.random.default_rng(8)
    runs, shares = 150, np.array([0.5, 0.3, 0.2]) if k == 3 else np.array([0.9, 0.1])
    verdicts = 0.85 * np.eye(k) + 0.15 * np.roll(np.eye(k), 1, axis=0)
    held = np.zeros(2)
    for _ in range(runs):
        real, said, unit = _calibration(rng, 40, 6, k)
        t = Table.from_labels(real=real, predicted=said, unit=unit)
        apparent = rng.multinomial(3000, verdicts @ shares)
        for i, calibration in enumerate((t, t.without_units())):
            found = judge(calibration, apparent)
            low, high, truth = (np.ravel(x)[0] for x in (found.low, found.high, shares[1] if k == 2 else shares[0]))
            held[i] += low <= truth <= high
    assert held[0] / runs > 0.94 - 2 * np.sqrt(0.94 * 0.06 / runs)
    assert held[1] / runs < 0.92


def test_labels_needed_are_more_where_units_repeat() -> None:
    real, said, unit = _calibration(np.random.default_rng(3), 60, 5)
    t = Table.from_labels(real=real, predicted=said, unit=unit)
    told, bare = (judge(x, 0.5, 5000).labels_needed(0.04) for x in (t, t.without_units()))
    assert told.same_mix > 1.2 * bare.same_mix


@pytest.mark.parametrize("word", ["unit", "item"])
def test_labels_needed_do_not_depend_on_the_scale_of_weights(word: str) -> None:
    rng = np.random.default_rng(3)
    real, said, unit = _calibration(rng, 60, 5)
    real, w = real[5 * unit], rng.choice([1.0, 3.0], 60)[unit]  # an item has one truth and one weight
    for told in ({}, {word: unit}):
        tables = [
            Table.from_labels(real=real, predicted=said, weights=x, **told)
            for x in (w, w / 100, np.full(300, 7.0), None)
        ]
        needed = [judge(t, 0.5, 5000).labels_needed(0.1) for t in tables]
        one, other, even, plain = ((x.same_mix, x.best_mix, x.units) for x in needed)
        assert one == other
        assert even == plain


@pytest.mark.parametrize(
    ("counts", "apparent", "options", "said"),
    [
        ([[52, 48], [48, 52]], 0.5, {"n": 100}, "The judge may be guessing"),
        ([[50, 50], [50, 50]], 0.5, {"n": 100, "known": True}, "informedness 0"),
        ([[9, 0], [1, 0]], 0.5, {"n": 100}, "No calibration case is really '−'"),
        ([[90, 15], [10, 85]], 60, {"n": 100}, "between 0 and 1"),
        ([[90, 15], [10, 85]], 0.6, {"n": 0}, "one new case at least"),
        ([[90, 15], [10, 85]], [60, 40], {"n": 99}, "the counts add up to 100"),
        ([[90, 15], [10, 85]], [60, 40, 1], {}, "one count, not negative"),
        ([[90, 15], [10, 85]], [0, 0], {}, "has no cases"),
        ([[90, 15], [10, 85]], {"maybe": 3}, {}, "the calibration knows"),
        ([[90, 15], [10, 85]], 0.6, {"method": "wilson", "n": 50}, "known exactly"),
        ([[90, 15], [10, 85]], 0.6, {"level": 95}, "between 0 and 1"),
        ([[[9, 1], [1, 9]]], 0.6, {}, "is a stack of shape (1,)"),
        (np.eye(3) * 9 + 1, 0.6, {"n": 50}, "there are 3 labels"),
        (np.ones((3, 3)) * 20, [3, 3, 4], {}, "may not tell the classes apart"),
    ],
)
def test_bad_input_is_one_clear_sentence(counts: Any, apparent: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError) as caught:
        judge(Table.from_counts(counts), apparent, **options)
    assert said in str(caught.value)


# ---------------------------------------------------------------------- abstention


def test_abstention_has_both_discounts_and_says_when_they_differ() -> None:
    even = Table.from_counts([[30, 10], [10, 30]], abstained=[10, 10])
    found = abstention(even)
    assert found.coverage.estimate == pytest.approx(0.8)
    assert found.discounted.estimate == pytest.approx(0.8 * 0.5)
    assert found.of_all.estimate == pytest.approx(found.discounted.estimate)
    assert not found.differ
    odd = abstention(Table.from_counts([[30, 10], [10, 30]], abstained=[20, 0]))
    assert odd.differ
    assert any("depends on the class" in str(note) for note in odd.notes)


def test_labels_to_stop_using_are_those_that_lose() -> None:
    t = Table.from_counts([[60, 5, 20], [5, 60, 20], [40, 10, 4]], labels=["good", "fair", "harmful"])
    found = abstention(t)
    per_class = np.asarray(informed.informedness(t.one_vs_rest()))
    assert found.stop == ("harmful",)
    assert found.harmful == ("harmful",)
    b = informed.informedness(t)
    gain = -t.prevalence[2] * per_class[2]
    assert found.without["harmful"] == pytest.approx(b + gain)
    # The same, counted: the label's predictions become abstentions.
    counts = t.counts.copy()
    silent = counts[2].copy()
    counts[2] = 0
    silenced = Table.from_counts(counts, labels=t.labels, abstained=silent)
    assert informed.informedness_of_all(silenced) == pytest.approx(b + gain)


def test_risk_coverage_curve_by_its_definition() -> None:
    rng = np.random.default_rng(3)
    real = rng.integers(0, 3, 60)
    score = rng.integers(0, 20, 60) / 20  # with ties
    said = np.where(rng.random(60) < 0.3 + 0.6 * score, real, (real + 1) % 3)
    curve = risk_coverage(real=real, predicted=said, score=score)
    assert curve.coverage[-1] == 1
    assert (np.diff(curve.coverage) > 0).all()
    for at, threshold in enumerate(curve.thresholds):
        kept = score >= threshold
        assert curve.coverage[at] == pytest.approx(kept.mean())
        assert curve.risk[at] == pytest.approx((said != real)[kept].mean())
        predicted = [int(x) if k else None for x, k in zip(said, kept, strict=True)]
        t = Table.from_labels(real=real, predicted=predicted, missing="abstain", labels=[0, 1, 2])
        assert curve.of_all[at] == pytest.approx(informed.informedness_of_all(t))
    assert curve.best == pytest.approx(curve.thresholds[np.argmax(curve.of_all)])
    assert risk_coverage(real=real, predicted=said, score=-score).area.estimate > curve.area.estimate
    with pytest.raises(InformedError, match="59"):
        risk_coverage(real=real, predicted=said, score=score[:-1])
    with pytest.raises(InformedError, match="finite"):
        risk_coverage(real=real, predicted=said, score=np.full(60, np.nan))


def test_a_case_without_a_prediction_is_never_answered() -> None:
    real = [1, 0, 1, 0, 1, 0]
    said = [1, 0, 0, None, 1, None]
    sure = [0.9, 0.8, 0.1, np.nan, 0.7, 0.2]
    with pytest.raises(InformedError, match="has 2 missing labels"):
        risk_coverage(real=real, predicted=said, score=sure)
    left = risk_coverage(real=real, predicted=said, score=sure, missing="drop")
    assert left.coverage.tolist() == pytest.approx([0.25, 0.5, 0.75, 1])
    curve = risk_coverage(real=real, predicted=said, score=sure, missing="abstain")
    assert curve.coverage.tolist() == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])
    assert curve.risk.tolist() == [0, 0, 0, 0.25]
    assert curve.tables[-1].abstained.tolist() == [2, 0]
    assert curve.area.estimate == pytest.approx(0.25 / 4)
    with pytest.raises(InformedError, match="No case has a prediction"):
        risk_coverage(real=real, predicted=[None] * 6, score=[1] * 6, missing="abstain")
