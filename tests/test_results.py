"""Every kind of result: its fields stated once, written everywhere, with the names kept."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import informed
from informed import Note, Records, Result, Table
from informed.documents import writers
from informed.inference.heterogeneity import heterogeneity
from informed.inference.hypothesis import AlphaBeta
from informed.results import flat_numbers
from informed.systems.board import Gap
from informed.systems.judge import Needed
from informed.systems.judge_both import Drift
from informed.systems.judge_planning import GoldNeeded, NextLabels

RNG = np.random.default_rng(5)
REAL = RNG.integers(0, 2, 120)
TRUE = np.array(["no", "yes"])[REAL]


def said(skill: float) -> Any:
    right = RNG.random(120) < skill
    return np.array(["no", "yes"])[np.where(right, REAL, 1 - REAL)]


ANSWERS = {"good": said(0.95), "fair": said(0.8), "coin": said(0.5)}
SILENT = {**ANSWERS, "shy": [x if keep else None for x, keep in zip(TRUE.tolist(), RNG.random(120) < 0.7, strict=True)]}
STACK = Table.from_counts(RNG.poisson(8, (2, 3, 2, 2)) + 6 * np.eye(2), names=[["good", "poor"], ["en", "fr", "it"]])
ONE, GROUPS = STACK[0, 0], STACK[0]
THREE = Table.from_counts(np.eye(3) * 9 + RNG.integers(1, 4, (3, 3)), labels=["a", "b", "c"])
PAIR = informed.compare.paired(real=TRUE, a=ANSWERS["good"], b=ANSWERS["fair"], names=("good", "fair"), positive="yes")
BOARD = informed.leaderboard(real=TRUE, predictions=ANSWERS, baseline="fair", n_draws=500)
RATERS = informed.agreement({name: x.tolist() for name, x in ANSWERS.items()})
JUDGED = informed.judge(
    Table.from_counts([[90, 15], [10, 85]], labels=["yes", "no"], positive="yes"), 0.4, 500, design="elsewhere"
)

PARTLY = [x if keep else None for x, keep in zip(TRUE.tolist(), RNG.random(120) < 0.6, strict=True)]
THERE = Table.from_counts([[40, 9], [8, 43]], labels=["yes", "no"], positive="yes")
BATCH = informed.judge(verdict=ANSWERS["fair"], gold=PARTLY, positive="yes")
BOTH: Any = informed.judge(verdict=ANSWERS["fair"], gold=PARTLY, positive="yes", elsewhere=THERE)

FOUND: dict[str, Result] = {
    "interval": informed.interval(ONE, "informedness"),
    "intervals of groups": informed.interval(GROUPS, "informedness"),
    "intervals of classes": informed.interval(THREE, "recall"),
    "intervals of measures": informed.interval(ONE, ["f1", "recall"]),
    "posterior": informed.posterior(GROUPS, "informedness", n_draws=200),
    "test": informed.test(ONE),
    "tests of a stack": informed.test(STACK),
    "alpha and beta": informed.posterior_alpha_beta([0.05, 0.01]),
    "heterogeneity": heterogeneity(GROUPS, "informedness"),
    "plan": informed.sample_size(0.4),
    "plans": informed.power([20, 40, 80], 0.4),
    "difference": PAIR["informedness"],
    "differences of groups": informed.compare(GROUPS, STACK[1])["informedness"],
    "equivalence": PAIR.equivalence("informedness", margin=0.3),
    "comparison": PAIR,
    "comparison of stacks": informed.compare(GROUPS, STACK[1]),
    "board": BOARD,
    "board with silence": informed.leaderboard(real=TRUE, predictions=SILENT, missing="abstain", n_draws=500),
    "gap": BOARD["good", "coin"],
    "folds": informed.folds(STACK, test_share=1 / 3),
    "slices": informed.slices(STACK),
    "agreement": RATERS,
    "coefficient": RATERS["krippendorff"],
    "intraclass": informed.intraclass_correlation(RNG.normal(size=(12, 3)) + np.arange(12)[:, None] / 4),
    "intraclass coefficient": informed.intraclass_correlation(np.eye(4) + np.arange(4)[:, None])["ICC(2,1)"],
    "judged": JUDGED,
    "judged, three classes": informed.judge(THREE, {"a": 20, "b": 30, "c": 10}, design="elsewhere"),
    "judged batch": BATCH,
    "judged batch, panel": informed.judge(verdict=ANSWERS, gold=PARTLY, positive="yes"),
    "judged batch, three classes": informed.judge(THREE, {"a": 60, "b": 70, "c": 90}, design="same batch"),
    "judge's drift": BOTH.drift,
    "gold needed": BATCH.labels_needed(0.1),
    "next labels": BATCH.next_labels(10),
    "labels needed": JUDGED.labels_needed(0.1),
    "abstention": informed.abstention(
        Table.from_counts([[30, 10], [10, 30]], labels=["yes", "no"], abstained=[10, 10])
    ),
    "risk and coverage": informed.risk_coverage(
        real=TRUE, predicted=ANSWERS["fair"], score=np.round(RNG.random(120), 2)
    ),
}
WITHOUT_A_NAME = (AlphaBeta, Gap, Needed, Drift, GoldNeeded, NextLabels)  # types that are no names of `informed`


def numbers(held: Any) -> Iterator[float]:
    """All numbers anywhere in JSON."""
    if isinstance(held, dict):
        held = list(held.values())
    if isinstance(held, list):
        for x in held:
            yield from numbers(x)
    elif isinstance(held, (int, float)):
        yield float(held)


@pytest.fixture(params=list(FOUND))
def found(request: pytest.FixtureRequest) -> Result:
    return FOUND[request.param]


def test_is_frozen_and_exported(found: Result) -> None:
    kind = type(found)
    assert is_dataclass(found)
    with pytest.raises(FrozenInstanceError):
        setattr(found, fields(found)[0].name, None)
    if kind not in WITHOUT_A_NAME:
        assert getattr(informed, kind.__name__) is kind
        assert kind.__name__ in dir(informed)


def test_frame_csv_and_json_hold_its_records(found: Result) -> None:
    held = found.records()
    frame = found.to_frame()
    assert tuple(frame.columns) == held.names
    assert len(frame) == len(held) > 0

    header, *rows = csv.reader(io.StringIO(found.csv()))
    assert tuple(header) == held.names
    written = set(numbers(json.loads(found.json())))
    for row, values in zip(rows, held.rows, strict=True):
        for column, text, x in zip(held.columns, row, values, strict=True):
            if column.kind in ("label", "words", "flag") or x is None:
                continue
            assert text == ("" if not math.isfinite(x) else text)
            assert not text or float(text) == float(x)
            if column.name in ("estimate", "pvalue", "risk") and math.isfinite(x):
                assert float(x) in written, column.name


def test_frames_keep_the_classes_as_they_are() -> None:
    """Beside rows of all classes, pandas made 0.0, 1.0 and 2.0 of the classes 0, 1 and 2."""
    numbers = informed.report(Table.from_counts([[5, 1, 0], [1, 4, 1], [0, 1, 6]])).to_frame()
    assert {x for x in numbers["class"] if x is not None} == {0, 1, 2}
    assert {type(x) for x in numbers["class"]} == {int, type(None)}


REPORTS: dict[str, Result] = {
    "report": informed.report(ONE),
    "report of groups": informed.report(GROUPS),
    "report of one class": informed.report(real=["a", "a"], predicted=["a", "a"]),
}
ALL = FOUND | REPORTS


@pytest.mark.parametrize("name", ALL)
def test_plain_data_goes_into_json_as_it_is(name: str) -> None:
    found = ALL[name]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


@pytest.mark.parametrize("name", ALL)
def test_metrics_are_flat_finite_numbers_that_trackers_take(name: str) -> None:
    found = ALL[name]
    held = found.metrics()
    assert json.loads(json.dumps(held, allow_nan=False)) == held
    for key, x in held.items():
        assert re.fullmatch(r"[\w\- /]+", key), key  # what MLflow takes; W&B takes anything
        assert type(x) is float
        assert x in {*numbers(found.records().lists()), *numbers(found.to_dict())}, key


def test_metrics_are_called_after_the_measures() -> None:
    held, report = FOUND["intervals of measures"].metrics(), informed.report(ONE)
    assert list(held)[:3] == ["f1", "f1_low", "f1_high"]
    assert report.metrics()["informedness"] == informed.informedness(ONE)
    assert not any("/" in name for name in report.metrics())  # of the whole
    assert "informedness" not in ALL["report of one class"].metrics()  # undefined
    assert BOARD.metrics()["good_rank"] == 1
    differences = PAIR.metrics()
    assert "informedness" not in differences  # which would not be one
    assert differences["informedness_difference"] == PAIR["informedness"].estimate
    assert differences["informedness_difference_low"] == PAIR["informedness"].low


def test_labels_that_a_key_cannot_hold_stay_apart() -> None:
    held = Records.of("system:label value", [("a:b", 1.0), ("a;b", 2.0), ("..", 3.0)])
    assert flat_numbers(held) == {"a_b": 1.0, "a_b_2": 2.0, "__": 3.0}


def test_every_format_is_written(found: Result) -> None:
    for form in writers.names():
        assert found.write(form).strip(), form
    assert json.loads(found.json())["answer"] == found.document().said


def test_notes_have_a_severity_and_a_code(found: Result) -> None:
    for note in (*getattr(found, "notes", ()), *found.document().notes):
        assert isinstance(note, Note)
        assert note.severity in ("note", "warning")
        assert note.code, note
        assert str(note) == note.text


def test_shows_itself_in_a_few_lines(found: Result) -> None:
    shown = repr(found)
    assert 0 < len(shown.splitlines()) <= 14
    assert max(map(len, shown.splitlines())) <= 260
    assert "array(" not in shown
    assert "object at 0x" not in shown
    assert str(found).startswith(found.document().said[:40])


@pytest.mark.parametrize(
    ("held", "column", "names"),
    [
        (FOUND["intervals of groups"].records(), "table", ("en", "fr", "it")),
        (FOUND["intervals of classes"].records(), "class", ("a", "b", "c")),
        (FOUND["posterior"].records(), "table", ("en", "fr", "it")),
        (FOUND["tests of a stack"].records(), "axis 1", ("en", "fr", "it") * 2),
        (FOUND["differences of groups"].records(), "table", ("en", "fr", "it")),
        (BOARD.records(), "system", ("good", "fair", "coin")),
        (BOARD.pairs_records(), "a", ("good", "good", "fair")),
        (BOARD.versus_records(), "a", ("good", "coin")),
        (FOUND["slices"].records(), "slice", ("en", "fr", "it") * 2),
        (RATERS.raters_records(), "rater", ("good", "fair", "coin")),
        (RATERS.pairs_records(), "other", ("good", "fair", "coin") * 3),
        (FOUND["judged, three classes"].records(), "label", ("a", "b", "c")),
    ],
)
def test_names_are_kept(held: Records, column: str, names: tuple[str, ...]) -> None:
    assert held[column] == names
    assert list(held.to_frame()[column]) == list(names)


def test_folds_keep_systems_and_folds() -> None:
    found = FOUND["folds"]
    assert isinstance(found, informed.Folds)
    rows = found.folds_records()
    assert {x["system"] for x in rows} == {"good", "poor"}
    assert rows["fold"] == ("en", "fr", "it") * 2
    en = rows.where(system="poor", fold="en").dicts()
    assert en[0]["score"] == informed.informedness(STACK["poor", "en"])


def test_rows_of_a_comparison_name_the_classes_of_measures_of_one_class() -> None:
    c = informed.compare(THREE, THREE)
    held = c.records(["informedness", "recall"])
    assert held["class"] == ("", "a", "b", "c")


def test_what_is_counted_again_is_in_the_interval_of_each_pair() -> None:
    gap = BOARD["good", "coin"]
    row = BOARD.pairs_records().where(a="good", b="coin").dicts()[0]
    assert row == {name: getattr(gap, name) for name in row}
    back = BOARD["coin", "good"]
    assert back.estimate == -gap.estimate
    assert back.low == pytest.approx(-gap.high)
