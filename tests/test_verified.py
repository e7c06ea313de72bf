"""`informed.verified`: the specification's table as columns, more classes, units, strata, two systems, bad input."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest

import informed
from informed import Table, interval
from informed.errors import InformedError
from informed.systems.verified import verified_two

verified: Any = informed.verified
STRATA = (((0, 0), (60, 3), 700), ((0, 1), (6, 11), 180), ((1, 0), (14, 4), 200), ((1, 1), (5, 97), 720))


def case_10() -> dict[str, Any]:
    """Case 10 of the specification as columns."""
    rows = [
        (s, j, g)
        for (s, j), gold, rest in STRATA
        for g, n in zip((0, 1, None), (*gold, rest), strict=True)
        for _ in range(n)
    ]
    s, j, g = zip(*rows, strict=True)
    return {"predicted": list(s), "judge": list(j), "gold": list(g)}


def drawn(seed: int, n: int = 4000, classes: int = 3) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[Any]]:
    """Answers, the truth, and gold labels of which those of the first answer were asked for more often."""
    rng = np.random.default_rng(seed)
    real = rng.integers(classes, size=n)
    said = np.where(rng.random(n) < 0.7, real, rng.integers(classes, size=n))
    asked = rng.random(n) < np.where(said == 0, 0.5, 0.1)
    return said, real, [int(x) if a else None for x, a in zip(real, asked, strict=True)]


def test_columns_give_the_table_of_the_specification() -> None:
    v = verified(**case_10())
    i = v.interval("informedness")
    assert (i.estimate, i.low, i.high) == pytest.approx((0.626611, 0.532946, 0.707440), abs=6e-7)
    assert v.n_eff("informedness") == pytest.approx(309.245, abs=6e-4)
    assert v.interval("recall").estimate == pytest.approx(0.8352, abs=5e-5)
    assert v.interval("fallout").estimate == pytest.approx(0.20859, abs=5e-6)


def test_the_own_rates_of_a_judge_that_was_verified_by_verdict() -> None:
    counts = ((1, (12, 138), 1350), (0, (129, 21), 350))
    rows = [
        (s, g) for s, gold, rest in counts for g, n in zip((0, 1, None), (*gold, rest), strict=True) for _ in range(n)
    ]
    v = verified(predicted=[s for s, _ in rows], gold=[g for _, g in rows])
    i = v.interval("informedness")
    assert (i.estimate, i.low, i.high) == pytest.approx((0.733542, 0.622617, 0.822530), abs=6e-7)
    assert "by-answer" in [note.code for note in v.notes]


def test_more_classes_are_right_where_the_verified_alone_are_wrong() -> None:
    said, real, gold = drawn(3)
    v = verified(predicted=said, gold=gold)
    whole = Table.from_labels(real=real, predicted=said)
    recall = v.interval("recall")
    assert np.shape(recall.estimate) == (3,)
    true = np.diag(whole.counts) / whole.counts.sum(axis=0)
    assert np.all((recall.low < true) & (true < recall.high))
    assert abs(v.labelled_table.counts[0, 0] / v.labelled_table.counts[:, 0].sum() - true[0]) > 0.08
    assert v.interval("informedness").low < interval(whole, "informedness").estimate < v.interval("informedness").high


def test_more_classes_have_a_row_each_beside_the_verified_alone() -> None:
    said, _, gold = drawn(3)
    v = verified(predicted=said, gold=gold)
    held = [x for x in v.records().dicts() if x["measure"] == "recall"]
    alone = v.labelled_table.counts
    assert [x["class"] for x in held] == [0, 1, 2]
    assert [x["verified_alone"] for x in held] == pytest.approx(list(np.diag(alone) / alone.sum(axis=0)))
    assert [x["estimate"] for x in held] == pytest.approx(list(np.diag(v.table.counts) / v.table.counts.sum(axis=0)))
    assert "recall" in informed.report(v).text(full=True)


def test_a_gold_label_that_no_system_says_is_told_of_one_and_of_two() -> None:
    said, real, _ = drawn(2, n=900, classes=2)
    other = np.where(np.arange(900) % 4 == 0, 1 - said, said)
    gold: list[Any] = [int(x) if i % 3 == 0 else None for i, x in enumerate(real)]
    gold[3], gold[6] = 7, 7

    one = verified(predicted=said, gold=gold)
    rows = {(x["class"], x["measure"]): x for x in one.records().dicts()}
    assert (rows[7, "recall"]["estimate"], rows[7, "recall"]["low"]) == (0, 0)
    assert 0 < rows[7, "recall"]["high"] < 1
    assert np.isnan(rows[7, "precision"]["estimate"])

    for two in (
        one.minus(verified(predicted=other, gold=gold), names=("a", "b")),
        verified_two({"a": said, "b": other}, gold=gold),
    ):
        assert [n.text for n in two.notes if n.code == "never-said"] == [
            n.text for n in one.notes if n.code == "never-said"
        ]
    assert not any(
        n.code == "never-said" for n in verified_two({"a": said, "b": other}, gold=gold, labels=[0, 1, 7]).notes
    )
    other[1] = 7  # now it is a label
    assert not any(n.code == "never-said" for n in verified_two({"a": said, "b": other}, gold=gold).notes)


def test_units_are_told_of_two_systems_as_well() -> None:
    said, _, gold = drawn(3)
    unit = np.arange(len(said)) // 4
    a, b = (verified(predicted=x, gold=gold, unit=unit) for x in (said, said[::-1]))
    assert [n for n in a.minus(b).notes if n.code == "units"] == [n for n in a.notes if n.code == "units"] != []


def test_strata_by_a_column_undo_how_cases_were_drawn() -> None:
    rng = np.random.default_rng(5)
    hard = rng.random(6000) < 0.5
    real = rng.random(6000) < 0.5
    said = np.where(rng.random(6000) < np.where(hard, 0.6, 0.95), real, ~real)
    asked = rng.random(6000) < np.where(hard, 0.3, 0.05)
    gold = [bool(x) if a else None for x, a in zip(real, asked, strict=True)]
    held, flat = verified(predicted=said, gold=gold, strata=hard), verified(predicted=said, gold=gold)
    truth = float((said == real).mean())
    assert held.interval("accuracy").low < truth < held.interval("accuracy").high < truth + 0.06
    assert flat.interval("accuracy").high < truth


def test_units_widen_intervals() -> None:
    given = {key: np.repeat(np.array(x, dtype=object), 3) for key, x in case_10().items()}
    unit = np.repeat(np.arange(2000), 3)
    rows, units = verified(**given), verified(**given, unit=unit)
    assert units.n_eff("informedness") == pytest.approx(rows.n_eff("informedness") / 3, rel=0.05)


def test_two_systems_on_the_same_cases() -> None:
    said, real, gold = drawn(7, classes=2)
    other = np.where(np.random.default_rng(1).random(4000) < 0.4, 1 - said, said)
    a, b = verified(predicted=said, gold=gold), verified(predicted=other, gold=gold)
    d = a.minus(b)
    whole = [float(interval(Table.from_labels(real=real, predicted=x), "informedness").estimate) for x in (said, other)]
    assert d.low < whole[0] - whole[1] < d.high
    assert d.pvalue < 0.01
    assert "large-sample" in [note.code for note in d.notes]


def test_pages_and_json_have_every_number() -> None:
    v = verified(**case_10())
    held = json.loads(v.json())
    assert held["measures"][0]["estimate"] == pytest.approx(0.626611, abs=6e-7)
    assert "<svg" in v.html()
    assert "judge taken for gold" in v.text(full=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"gold": [None] * 4}, "blank"),
        ({"gold": [1, None, None, None]}, "two verified"),
        ({"predicted": [1, None, 0, 1]}, "missing"),
        ({"positive": "x"}, "positive"),
        ({"judge": [1, 0]}, "judge"),
        ({"level": 2}, "level"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(change: dict[str, Any], said: str) -> None:
    given = {"predicted": [1, 0, 1, 0], "gold": [1, 0, None, None]}
    with pytest.raises(InformedError, match=said):
        verified(**(given | change))


# ---------------------------------------------------------------------- probabilities, panels, items


def chosen(n: int = 3000, seed: int = 9) -> tuple[dict[str, Any], Any, Any]:
    """Cases of which a score decides how likely they are verified."""
    rng = np.random.default_rng(seed)
    real = rng.random(n) < 0.4
    score = np.clip(0.5 + 0.3 * (real - 0.4) + rng.normal(0, 0.2, n), 0.05, 1)
    said = (score > 0.5).astype(int)
    seen = rng.random(n) < score / 2
    gold = [int(x) if s else None for x, s in zip(real, seen, strict=True)]
    return {"predicted": said, "gold": gold}, score / 2, real


def test_known_probabilities_weigh_each_case_by_its_own() -> None:
    """Shares of each answer by inverse probability (Hájek), put together by hand."""
    given, chance, real = chosen()
    v = verified(**given, probability=chance)
    said, on = given["predicted"], np.array([x is not None for x in given["gold"]])
    shares = [float((real * on / chance)[said == s].sum() / (on / chance)[said == s].sum()) for s in (0, 1)]
    hits = (said == 1).mean() * shares[1]
    by_hand = hits / (hits + (said == 0).mean() * shares[0])
    recall = v.interval("recall")
    assert recall.estimate == pytest.approx(by_hand)
    assert recall.low < float((said * real).sum() / real.sum()) < recall.high
    worth = float(np.asarray(v.n_eff("accuracy")))
    assert 0 < worth < on.sum() * 1.2
    unit = verified(**given, probability=chance, unit=np.arange(3000) // 2)
    assert unit.interval("recall").estimate == pytest.approx(by_hand)


def test_a_few_probabilities_are_strata() -> None:
    given, chance, _ = chosen()
    coarse = np.where(chance > 0.25, 0.4, 0.1)
    by_chance, by_stratum = verified(**given, probability=coarse), verified(**given, strata=coarse > 0.2)
    assert tuple(by_chance.interval("recall")) == pytest.approx(tuple(by_stratum.interval("recall")))


def test_a_panel_sorts_cases_by_how_many_said_what() -> None:
    given = case_10()
    j = np.array(given["judge"])
    one = verified(**given)
    three = verified(**(given | {"judge": {"x": j, "y": j, "z": j}}))
    assert tuple(three.interval()) == pytest.approx(tuple(one.interval()))
    turned = np.where(np.arange(len(j)) % 3 == 0, 1 - j, j)
    assert len(verified(**(given | {"judge": {"x": j, "y": turned}})).found.cases) == 6


def test_what_is_true_of_an_item_is_true_of_all_its_answers() -> None:
    said, real, _ = drawn(2, n=900, classes=2)
    item = np.arange(900) // 3
    truth = np.repeat(real[::3], 3)
    first = [int(x) if i % 3 == 0 and i < 300 else None for i, x in enumerate(truth)]
    whole = [int(x) if i < 300 else None for i, x in enumerate(truth)]
    one, two = verified(predicted=said, gold=first, item=item), verified(predicted=said, gold=whole, item=item)
    assert tuple(one.interval()) == pytest.approx(tuple(two.interval()))
    assert one.verified == 300
    assert "of-item" in [note.code for note in one.notes]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"probability": [0.5, 0.0, 1, 1]}, "position 1"),
        ({"probability": [0.5, None, 1, 1]}, "position 1"),
        ({"probability": [0.5, "much", 1, 1]}, "no numbers"),
        ({"probability": [0.5, 0.5]}, "has 2 values"),
        ({"judge": {"x": [1, 0, 1, 0], "y": [1]}}, "`y` has 1 values"),
        ({"item": [1, 1, 2, 2]}, "more than one real label"),
        ({"gold": [7, 8, None, None]}, "same labels"),
        ({"predicted": [1, 1, 1, 1], "gold": [1, 1, None, None]}, "two classes"),
    ],
)
def test_what_else_is_refused(change: dict[str, Any], said: str) -> None:
    given = {"predicted": [1, 0, 1, 0], "gold": [1, 0, None, None]}
    with pytest.raises(InformedError, match=said):
        verified(**(given | change))


def test_a_measure_is_decided() -> None:
    v = verified(**case_10())
    assert [informed.decide(v, x).verdict for x in (0.5, 0.6, 0.8)] == ["pass", "undecided", "fail"]
    assert informed.decide(v, at_most=0.3, measure="fallout").verdict == "pass"


@pytest.mark.parametrize("name", ["strata", "judge"])
def test_a_column_of_another_length_is_named(name: str) -> None:
    given: dict[str, Any] = {"predicted": [1, 0, 1, 0], "gold": [1, 0, None, None], name: ["x", "y", "x"]}
    with pytest.raises(InformedError, match=f"`{name}` has 3 values, and `predicted` 4"):
        verified(**given)


# ---------------------------------------------------------------------- many classes


def test_many_classes_take_little_memory() -> None:
    classes = 300
    said, real, _ = drawn(3, n=2 * classes, classes=classes)
    said[:classes] = real[:classes] = np.arange(classes)
    gold = [int(x) if i < classes else None for i, x in enumerate(real)]
    found = verified(predicted=said.tolist(), gold=gold)
    tracemalloc.start()
    each = found.interval("recall")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert each.estimate.shape == each.effective_n.shape == (classes,)
    assert most < 60e6  # the slopes of all classes together, classes³ numbers, are 216 MB


def test_more_classes_than_a_whole_table_has_are_refused() -> None:
    labels = list(range(2001))
    with pytest.raises(InformedError, match=r"2,001 different labels, .* up to 2,000 classes"):
        verified(predicted=labels, gold=labels)
