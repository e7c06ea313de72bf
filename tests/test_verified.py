"""`informed.verified`: the specification's table as columns, more classes, units, strata, two systems, bad input."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import informed
from informed import Table, interval
from informed.errors import InformedError

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
