"""`informed judge` of a partly labelled file: the library's numbers, the answers to label next, clear refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import informed
from command_line import ROOT, ok, refused

GRADED = "examples/graded-answers.csv"
HOW = ["--verdict", "judge", "--gold", "human", "--positive", "good"]


@pytest.fixture(scope="module")
def column() -> dict[str, list[str]]:
    with (ROOT / GRADED).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def held(*words: str) -> dict[str, Any]:
    return dict(json.loads(ok("judge", *words, "--format", "json")))


def test_the_file_is_judged_as_its_columns_are(column: dict[str, list[str]]) -> None:
    found = informed.judge(verdict=column["judge"], gold=column["human"], positive="good", unit=column["question"])
    said = held(GRADED, *HOW, "--unit", "question")
    rate = said["rates"]["good"]
    assert (rate["estimate"], rate["low"], rate["high"]) == pytest.approx((found.estimate, found.low, found.high))
    assert (rate["people_low"], rate["apparent_high"]) == pytest.approx((found.people_low, found.apparent_high))
    assert said["judge"]["recall"]["estimate"] == pytest.approx(found.judge["recall"].estimate)
    assert "600 questions; errors are measured between them." in said["notes"]
    batch = held(GRADED, *HOW, "--target", "batch", "--level", "0.9")
    assert batch["rates"]["good"]["high"] < rate["high"]
    assert "300 labels did the work of 453" in ok("judge", GRADED, *HOW)


def test_answers_to_label_next_are_named(column: dict[str, list[str]]) -> None:
    words = [GRADED, *HOW, "--id", "id", "--more", "20"]
    first = held(*words, "--seed", "3")
    drawn = first["label_next"]
    gold = dict(zip(column["id"], column["human"], strict=True))
    assert len(set(drawn)) == 20 == sum(x["more"] for x in first["next_labels"])
    assert not any(gold[x] for x in drawn)
    assert held(*words, "--seed", "3")["label_next"] == drawn != held(*words, "--seed", "4")["label_next"]
    assert f"Drawn: {drawn[0]}, {drawn[1]}" in ok("judge", *words, "--seed", "3")
    assert held(*words, "--reach", "0.03")["labels_needed"]["more"] == 432


def test_answers_without_names_are_rows(column: dict[str, list[str]], tmp_path: Path) -> None:
    by_id = held(GRADED, *HOW, "--id", "id", "--more", "20", "--seed", "3")["label_next"]
    by_row = held(GRADED, *HOW, "--more", "20", "--seed", "3")["label_next"]
    assert [column["id"][i - 1] for i in by_row] == by_id
    assert f"Drawn: rows {by_row[0]}, {by_row[1]}" in ok("judge", GRADED, *HOW, "--more", "20", "--seed", "3")

    whole = (ROOT / GRADED).read_text(encoding="utf-8")
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(whole, encoding="utf-8")
    for words in ([GRADED, "--where", "grade=3"], [str(tmp_path / "*.csv")]):
        told = refused("judge", *words, *HOW, "--more", "20")
        assert "Only the rows of one whole file have numbers" in told
        assert told.endswith("say which column names its rows: --id.\n")
    assert "--more how many" in refused("judge", GRADED, *HOW, "--seed", "3")


def test_panels_and_grades(column: dict[str, list[str]]) -> None:
    judges = [x for name in ("judge", "judge_2", "judge_3") for x in ("--verdict", name)]
    panel = held(GRADED, *judges, "--gold", "human", "--positive", "good")
    assert [x["judge"] for x in panel["panel"]] == ["judge", "judge_2", "judge_3"]
    assert [x["cases"] for x in panel["verdicts"]] == [148, 176, 286, 590]
    grades = held(GRADED, "--verdict", "grade", "--gold", "human", "--positive", "good")
    assert [x["verdict"] for x in grades["verdicts"]] == ["1", "2", "3", "4", "5"]
    assert grades["rates"]["good"]["apparent"] is None


def test_labels_elsewhere_are_another_file(tmp_path: Path) -> None:
    rows = [("good", "good")] * 270 + [("good", "bad")] * 40 + [("bad", "good")] * 30 + [("bad", "bad")] * 160
    other = tmp_path / "other.csv"
    other.write_text("judge,human\n" + "".join(f"{v},{g}\n" for v, g in rows))
    found = held(GRADED, *HOW, "--elsewhere", str(other))
    assert found["design"] == "both"
    assert found["drift"]["pvalue"] > 0.05
    table = ["--real", "human", "--predicted", "judge", "--positive", "good", "--design"]
    counted = ["--apparent", "good=3100,bad=1900"]
    same = held(str(other), *table, "same-batch", *counted)
    assert (same["design"], same["n"], same["labelled"]) == ("same batch", 5000, 500)
    assert held(str(other), *table, "elsewhere", *counted)["design"] == "elsewhere"
    assert held(str(other), *table, "both", *counted, "--elsewhere", str(other))["drift"]["pvalue"] > 0.9


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    none, one = tmp_path / "none.csv", tmp_path / "one.csv"
    none.write_text("v,w,people\n" + "a,a,\na,b,\nb,b,\nb,b,\n")
    one.write_text("v,people\n" + "a,a\na,\nb,\n")
    both = ["--gold", "people"]
    assert "`people` has no label" in refused("judge", str(none), "--verdict", "v", *both)
    told = refused("judge", str(none), "--verdict", "v", "--verdict", "w", *both)
    assert "'v' and 'w', who disagree on 25 % of the cases, are not both more than 0.875 accurate" in told
    assert "`people` has one label" in refused("judge", str(one), "--verdict", "v", *both)
    assert "--verdict is missing" in refused("judge", str(one), *both)
    assert "another column" in refused("judge", str(one), "--verdict", "v", "--gold", "v")
    for more, said in (
        (["--apparent", "0.3"], "--apparent: --verdict and --gold are of the whole batch"),
        (["--design", "elsewhere"], "of the same batch"),
        (["--item", "question"], "--unit"),
        (["--by", "grade"], "--by does not go with"),
        (["--elsewhere", GRADED], "missing"),
    ):
        assert said in refused("judge", GRADED, *HOW, *more)
    table = [GRADED, "--real", "judge_2", "--predicted", "judge", "--positive", "good"]
    assert "--design 'same batch'" in refused("judge", *table, "--apparent", "good=700,bad=500")
    assert "Give --verdict and --gold" in refused("judge", *table)
    assert "--id: which answers" in refused("judge", *table, "--apparent", "0.3", "--id", "id")
