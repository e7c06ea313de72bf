"""Curves of scored cases that come in units: goldens, what changes nothing, and coverage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import informed
from command_line import ok
from informed import Table
from informed.decisions.auc import logit_limits
from informed.decisions.multiclass import compare_areas, compare_curves, multiclass
from informed.decisions.roc import roc
from informed.decisions.threshold import threshold
from informed.errors import LabelError

SCORE = np.arange(0.95, 0.19, -0.05)
REAL = np.array([int(x) for x in "1111001101000100"])
UNIT = [*"000111222333", "4", "4", "5", "5"]


def numbers(x: Any) -> list[float]:
    return [float(x.estimate), float(x.low), float(x.high)]


def data(units: int = 30, seed: int = 1) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    real = rng.random(units) < 0.4
    old, new = rng.normal(size=(2, units)) + real
    return real, old, new, np.arange(units)


# ---------------------------------------------------------------------- known values


def test_the_golden_area_of_six_units() -> None:
    curve = roc(real=REAL, score=SCORE, unit=UNIT)
    found = (curve.auc, *logit_limits(curve.auc, curve.spread.variance, 0.95, curve.spread.df))
    assert found == pytest.approx([0.796875, 0.2774, 0.9757], abs=5e-5)
    assert curve.spread.variance == pytest.approx(0.019063, abs=5e-7)
    assert curve.spread.df == pytest.approx(4.2005, abs=5e-5)
    assert roc(real=REAL, score=SCORE).spread.variance == pytest.approx(0.013881, abs=5e-7)


def test_the_variance_is_that_of_sums_over_units_by_brute_force() -> None:
    curve = roc(real=REAL, score=SCORE, unit=UNIT)
    positive, negative = SCORE[REAL == 1], SCORE[REAL == 0]
    above = np.where(REAL == 1, [(s > negative).mean() for s in SCORE], [(positive > s).mean() for s in SCORE])
    added = (above - curve.auc) / np.where(REAL == 1, 8, 8)
    sums = np.array([added[np.array(UNIT) == u].sum() for u in sorted(set(UNIT))])
    squares = [float((added[k == REAL] ** 2).sum()) for k in (0, 1)]
    shares = [np.array([(REAL[np.array(UNIT) == u] == k).sum() / 8 for u in sorted(set(UNIT))]) for k in (0, 1)]
    leverage = sum(s * (h**2).sum() for s, h in zip(squares, shares, strict=True)) / sum(squares)
    assert curve.spread.variance == pytest.approx((sums**2).sum() / (1 - leverage))


def test_few_errors_say_little_of_how_much_alike_a_unit_is() -> None:
    """Half a case of each class, placed by chance and correlated .5, is added to the design effect: by hand."""
    curve = roc(real=REAL, score=SCORE, unit=UNIT)
    assert curve.units is not None
    chance = (curve.auc - 0.5) ** 2 / 2 / 8**2
    sizes = [8 * sum((REAL[np.array(UNIT) == u] == k).sum() ** 2 for u in set(UNIT)) / 64 for k in (0, 1)]
    alike = [chance * (1 + (size - 1) / 2) for size in sizes]
    alone = curve.spread.alone
    variance = alone * (curve.spread.variance + sum(alike)) / (alone + 2 * chance)
    assert numbers(curve.interval())[1:] == pytest.approx(logit_limits(curve.auc, variance, 0.95, curve.spread.df))
    assert variance > curve.spread.variance


def test_separated_classes_of_items_have_an_interval() -> None:
    """Shares of items that add to 1 but for rounding: an area next to 1 is 1."""
    item = np.repeat(np.arange(20), 3)
    score = np.random.default_rng(0).random(60) + 2 * (item < 7)
    found = roc(real=item < 7, score=score, item=item)
    assert found.auc == pytest.approx(1.0, abs=1e-12)
    assert numbers(found.interval())[1:] == pytest.approx([0.75, 1.0], abs=0.1)


# ---------------------------------------------------------------------- what changes nothing


@pytest.mark.parametrize("word", ["unit", "item"])
def test_asking_each_item_twice_with_the_same_score_changes_nothing(word: str) -> None:
    real, old, new, ids = data()
    twice: dict[str, Any] = {word: np.tile(ids, 2)}
    one, two = roc(real=real, score=old), roc(real=np.tile(real, 2), score=np.tile(old, 2), **twice)
    assert numbers(two.interval()) == pytest.approx(numbers(one.interval()))
    parts = (x.partial_interval(0.3) for x in (one, two))
    assert numbers(next(parts)) == pytest.approx(numbers(next(parts)))
    parts = (x.partial_interval(1.0, 0.6, over="recall") for x in (one, two))
    assert numbers(next(parts)) == pytest.approx(numbers(next(parts)))
    assert two.band().low == pytest.approx(one.band().low)

    scores = {"old": old, "new": new}
    (a,) = compare_areas(real=real, scores=scores).values()
    doubled = {name: np.tile(x, 2) for name, x in scores.items()}
    (b,) = compare_areas(real=np.tile(real, 2), scores=doubled, **twice).values()
    assert [*numbers(b), b.pvalue] == pytest.approx([*numbers(a), a.pvalue], rel=0.01)

    other = roc(real=real, score=new)
    again = roc(real=np.tile(real, 2), score=np.tile(new, 2), **twice)
    a, b = compare_curves(one, other), compare_curves(two, again)
    assert [*numbers(b), b.pvalue] == pytest.approx([*numbers(a), a.pvalue])


def test_items_of_units_that_are_scored_again_change_nothing() -> None:
    """Answers share the weight of their item, and the spread is between the units of the items."""
    real, old, new, ids = data(60)
    patient = ids // 3
    twice: dict[str, Any] = {"real": np.tile(real, 2), "unit": np.tile(patient, 2), "item": np.tile(ids, 2)}
    one, two = roc(real=real, score=old, unit=patient), roc(score=np.tile(old, 2), **twice)
    assert two.spread.df < np.inf
    assert numbers(two.interval()) == pytest.approx(numbers(one.interval()))
    assert numbers(two.partial_interval(0.3)) == pytest.approx(numbers(one.partial_interval(0.3)))

    scores = {"old": old, "new": new, "odd": np.where(ids % 7, new, old)}
    once = compare_areas(real=real, scores=scores, unit=patient)
    varied = {name: np.tile(x, 2) for name, x in scores.items()}
    varied["odd"] = varied["odd"] + np.repeat([0.0, 1.0], 60)  # whose answers to an item differ
    again = compare_areas(scores=varied, **twice)
    found, wanted = again["old", "new"], once["old", "new"]
    assert [*numbers(found), found.pvalue] == pytest.approx([*numbers(wanted), wanted.pvalue])
    assert again["old", "odd"].estimate != pytest.approx(once["old", "odd"].estimate)


def test_choosing_a_threshold_on_items_that_were_scored_again_changes_nothing() -> None:
    real, old, _, ids = data(60)
    for word in ("unit", "item"):
        given: dict[str, Any] = {"real": np.tile(real, 2), "score": np.tile(old, 2), word: np.tile(ids, 2)}
        one, two = threshold(roc(real=real, score=old), rng=3), threshold(roc(**given), rng=3)
        assert (two.threshold, two.low, two.high) == (one.threshold, one.low, one.high)
        assert two["informedness"].optimism == pytest.approx(one["informedness"].optimism)


def test_an_item_counts_the_mean_weight_of_its_answers_as_in_a_table() -> None:
    real, score = np.array([1, 1, 1, 0, 0]), np.array([3.0, 1.0, 2.5, 2.0, 0.5])
    given: dict[str, Any] = {"real": real, "weights": [4.0, 2.0, 1.0, 1.0, 5.0], "item": [*"xxyzw"]}
    curve = roc(score=score, positive=1, **given)
    table = Table.from_labels(predicted=(score >= 2).astype(int), positive=1, **given)
    assert curve.table_at(2.0).counts.tolist() == table.counts.tolist()
    assert curve.table_at(2.0).squares.tolist() == table.squares.tolist()  # type: ignore[union-attr]
    assert curve.positives == pytest.approx(4.0)


def test_without_the_units_the_same_cases_look_twice_as_many() -> None:
    real, old, _, ids = data()
    twice: dict[str, Any] = {"real": np.tile(real, 2), "score": np.tile(old, 2)}
    naive, found = roc(**twice).interval(), roc(**twice, unit=np.tile(ids, 2)).interval()
    assert float(found.high - found.low) > 1.3 * float(naive.high - naive.low)


def test_units_of_one_case_are_todays_interval() -> None:
    real, old, _, ids = data(60)
    assert numbers(roc(real=real, score=old, unit=ids).interval()) == numbers(roc(real=real, score=old).interval())


def test_a_threshold_is_chosen_on_whole_units() -> None:
    real, old, _, ids = data(60, seed=4)
    many: dict[str, Any] = {"real": np.repeat(real, 8), "score": np.repeat(old, 8) + 0.01 * np.tile(np.arange(8), 60)}
    alone, held = threshold(roc(**many), rng=1), threshold(roc(**many, unit=np.repeat(ids, 8)), rng=1)
    assert alone.threshold == held.threshold
    assert held["informedness"].optimism > 2 * alone["informedness"].optimism > 0
    assert held.high - held.low > alone.high - alone.low


def test_areas_of_many_classes_by_units() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(3, size=40)
    score = rng.normal(size=(40, 3)) + 1.5 * np.eye(3)[codes]
    alone = multiclass(real=codes, score=score)
    twice = multiclass(real=np.tile(codes, 2), score=np.tile(score, (2, 1)), unit=np.tile(np.arange(40), 2))
    naive = multiclass(real=np.tile(codes, 2), score=np.tile(score, (2, 1)))
    for which in ("macro", "weighted", "hand_till"):
        a, b, c = (x.interval(which) for x in (alone, twice, naive))
        assert float(b.estimate) == pytest.approx(float(a.estimate))
        assert float(b.high - b.low) == pytest.approx(float(a.high - a.low), rel=0.05)
        assert float(c.high - c.low) < 0.75 * float(a.high - a.low)
    each = (x.interval("one_vs_rest") for x in (alone, twice))
    assert np.asarray(next(each).high) == pytest.approx(np.asarray(next(each).high), abs=0.01)


# ---------------------------------------------------------------------- said and refused


def test_a_curve_says_how_many_units_it_rests_on() -> None:
    codes = {note.code for note in roc(real=REAL, score=SCORE, unit=UNIT).notes}
    assert "few-units" in codes
    real, old, _, ids = data(60)
    curve = roc(real=np.repeat(real, 2), score=np.repeat(old, 2) + [0, 1] * 60, unit=np.repeat(ids, 2))
    assert "units" in {note.code for note in curve.notes}


def test_units_are_one_for_each_case() -> None:
    with pytest.raises(LabelError, match="3 entries for 4 cases"):
        roc(real=[0, 1, 0, 1], score=[1, 2, 3, 4], unit=[1, 2, 3])
    with pytest.raises(LabelError, match="`item` has 3 entries for 4 cases"):
        roc(real=[0, 1, 0, 1], score=[1, 2, 3, 4], unit=[1, 2, 3, 4], item=[1, 2, 3])


def test_missing_scores_leave_with_their_units() -> None:
    real, old, _, ids = data()
    score = np.where(ids == 3, np.nan, old)
    twice: dict[str, Any] = {"real": np.tile(real, 2), "score": np.tile(score, 2), "unit": np.tile(ids, 2)}
    kept = ids != 3
    assert numbers(roc(**twice, missing="drop").interval()) == pytest.approx(
        numbers(roc(real=real[kept], score=old[kept]).interval())
    )


# ---------------------------------------------------------------------- coverage


@pytest.mark.parametrize(
    ("units", "cases", "mixed", "rho"), [(20, 10, True, 0.5), (20, 10, False, 0.5), (40, 6, False, 0.8)]
)
def test_intervals_of_areas_hold_the_truth(units: int, cases: int, mixed: bool, rho: float) -> None:
    rng = np.random.default_rng(3)
    area, runs, unit = 0.8, 250, np.repeat(np.arange(units), cases)
    held = 0
    for _ in range(runs):
        real = rng.random(units * cases) < 0.5 if mixed else (rng.random(units) < 0.5)[unit]
        noise = np.sqrt(rho) * rng.normal(size=units)[unit] + np.sqrt(1 - rho) * rng.normal(size=len(unit))
        found = roc(real=real, score=noise + np.sqrt(2) * norm.ppf(area) * real, unit=unit).interval()
        held += bool(found.low <= area <= found.high)
    assert 0.95 - 2 * np.sqrt(0.95 * 0.05 / runs) <= held / runs <= 0.995


def test_groups_of_scores_keep_their_units(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    real = rng.integers(0, 2, 120)
    score = np.round(rng.normal(size=120) + real, 3)
    group = np.where(np.arange(120) < 60, "east", "west")
    patient = np.arange(120) // 4

    def asked(name: str, times: int, who: Any, *more: str) -> dict[str, Any]:
        rows = [f"{r},{s},{g},{p}" for r, s, g, p in zip(real, score, group, who, strict=True)] * times
        path = tmp_path / name
        path.write_text("\n".join(["real,score,group,patient", *rows]) + "\n", encoding="utf-8")
        words = ["roc", str(path), "--real", "real", "--score", "score", "--positive", "1", "--by", "group", *more]
        found: dict[str, Any] = json.loads(ok(*words, "--format", "json"))
        return found

    single = np.arange(120)
    once = asked("once.csv", 1, single)
    twice = asked("twice.csv", 2, single, "--unit", "patient")
    for a, b in zip(once["curves"], twice["curves"], strict=True):
        assert a["name"] == b["name"]
        assert (a["auc"]["low"], a["auc"]["high"]) == pytest.approx((b["auc"]["low"], b["auc"]["high"]))
    assert once["differences"][0]["pvalue"] == pytest.approx(twice["differences"][0]["pvalue"])

    nested = asked("nested.csv", 1, patient, "--unit", "patient")
    assert "shared by several" not in str(nested)
    wanted = roc(real=real[:60], score=score[:60], unit=patient[:60], positive=1).interval()
    assert nested["curves"][0]["auc"]["low"] == pytest.approx(wanted.low)
    crossed = asked("crossed.csv", 1, np.arange(120) % 60, "--unit", "patient")
    assert "60 units shared by several groups are taken as different" in str(crossed)


@pytest.mark.parametrize("word", ["unit", "item"])
@pytest.mark.parametrize("positive", [0, 1])
def test_tables_at_thresholds_carry_their_units(word: str, positive: int) -> None:
    bits, score, _, _ = data()
    real = bits.astype(int)
    if positive == 0:
        score = -score
    unit = np.arange(len(real)) // (1 if word == "item" else 3)
    again = 2 if word == "item" else 1
    given: dict[str, Any] = {"real": np.tile(real, again), word: np.tile(unit, again)}
    curve = roc(score=np.tile(score, again), positive=positive, **given)
    choice = threshold(curve, "informedness", n_draws=20)
    said = np.where(np.tile(score, again) >= choice.threshold, positive, 1 - positive)
    wanted = Table.from_labels(predicted=said, positive=positive, **given)
    assert choice.table.units is not None
    assert choice.table.units.n == wanted.units.n  # type: ignore[union-attr]
    for name in ("informedness", "recall", "precision"):
        a, b = (informed.interval(t, name) for t in (choice.table, wanted))
        assert (a.low, a.high) == pytest.approx((b.low, b.high)), name
    stack = curve.table_at([choice.threshold, np.inf])
    assert informed.interval(stack, "accuracy").low[0] == pytest.approx(informed.interval(wanted, "accuracy").low)


# ---------------------------------------------------------------------- the same as tables


@pytest.mark.parametrize("alike", [False, True], ids=["answers differ", "always the same answer"])
@pytest.mark.parametrize("heavy", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("group", ["item", "unit"])
def test_the_table_at_a_threshold_is_that_of_its_labels(group: str, heavy: bool, alike: bool) -> None:
    rng = np.random.default_rng(3)
    own = np.repeat(np.arange(40), 3)
    real = np.where(rng.random(40) < 0.4, "p", "n")[own]
    score = (rng.random(120) + 0.5 * (real == "p"))[3 * own if alike else np.arange(120)]
    told: dict[str, Any] = {group: own, "weights": rng.choice([1.0, 5.0], 40)[own] if heavy else None}
    curve = roc(real=real, score=score, positive="p", **told)
    t = Table.from_labels(real=real, predicted=np.where(score >= 0.8, "p", "n"), positive="p", **told)
    for found in (curve.table_at(0.8), curve.table_at([[0.2, 0.8]])[0, 1]):
        np.testing.assert_allclose(found.cells, t.cells)
        for measure in ("informedness", "precision"):
            one, other = (informed.interval(x, measure) for x in (found, t))
            assert numbers(one) == pytest.approx(numbers(other), rel=1e-6)


def test_an_item_that_was_asked_once_keeps_its_weight() -> None:
    real, score, _, item = data()
    w = np.random.default_rng(4).choice([1.0, 10.0], len(item))
    found = roc(real=real, score=score, weights=w, item=item)
    assert found.auc == pytest.approx(roc(real=real, score=score, weights=w).auc)
    assert found.auc != pytest.approx(roc(real=real, score=score).auc)


def test_readers_of_the_same_cases_are_not_generalised_over() -> None:
    """Standard errors between five readers take their shared cases for different ones."""
    rng = np.random.default_rng(3)
    case = np.tile(np.arange(40), 5)
    real, reader = (np.arange(40) < 15)[case], np.repeat([f"r{i}" for i in range(5)], 40)
    score = rng.normal(size=200) + real + rng.normal(size=40)[case]
    asked: dict[str, Any] = {"real": real, "score": score, "positive": True}
    notes = informed.roc(**asked, unit=pd.Series(reader, name="reader_id")).notes
    assert [note.code for note in notes if note.severity == "warning"] == ["readers"]
    assert "Obuchowski" in str(notes[-1])
    assert "readers" not in {note.code for note in informed.roc(**asked, unit=pd.Series(case, name="case")).notes}


def test_the_test_of_areas_has_the_name_of_its_variance() -> None:
    """DeLong's of independent cases, rows that are clusters of their own among them; Obuchowski's of clusters."""
    rng = np.random.default_rng(31)
    real = rng.integers(0, 2, 60)
    scores = {name: real + rng.normal(0, 1, 60) for name in "ab"}
    units = (None, np.arange(60), np.arange(60) // 3)
    methods = [compare_areas(real=real, scores=scores, unit=unit)["a", "b"].method for unit in units]
    assert methods == ["delong, paired", "delong, paired", "obuchowski, paired"]
    assert "mid-P" in str(
        informed.test(informed.Table.from_labels(real=real, predicted=(scores["a"] > 0.5).astype(int))).notes
    )
