"""A report says how many items, answers and cases there are in one way, in every format, whatever they weigh."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import informed
from informed import Report, Table
from informed.errors import InformedError
from informed.summary import gates
from informed.summary.checks import check

RNG = np.random.default_rng(20261116)
ASKED = RNG.integers(3, 6, 30)  # answers to each item
ITEM = np.repeat(np.arange(30), ASKED)
EPOCH = np.concatenate([np.arange(n) for n in ASKED])
REAL = (ITEM % 3).astype(str)
SAID = np.where(RNG.random(len(ITEM)) < 0.7, REAL, RNG.integers(0, 3, len(ITEM)).astype(str)).astype(object)
SILENT = RNG.random(len(ITEM)) < 0.1
SAID[SILENT] = None
LABELS: dict[str, Any] = {"real": REAL, "predicted": SAID, "missing": "abstain"}
WEIGHTS = RNG.choice([0.5, 1.0, 4.0], len(ITEM))
ROWS, UNSAID = len(ITEM), int(SILENT.sum())
COUNTS = re.compile(r"(\d[\d.]*)(?: answered)? (items?|answers?|cases?|rows?)\b")


def table(**more: Any) -> Table:
    return Table.from_labels(**LABELS, **more)


def texts(r: Report) -> dict[str, str]:
    """The sentences and notes of a report in three formats, as one line each."""
    html = re.sub(r"<text.*?</text>|<title>predicted.*?</title>", " ", r.html().split("<script")[0])  # ticks and cells
    words = re.sub(r"<[^>]*>", " ", html)
    held = json.loads(r.json())
    plain = " ".join([*held["answer"], *held["warnings"], *held["notes"]])
    return {
        name: " ".join(x.split())
        for name, x in {"text": r.text(full=True, width=10_000), "html": words, "json": plain}.items()
    }


def said(text: str, what: str) -> set[str]:
    """Every number of items (answers, cases) that stands in a text, but those of planning and of rules of thumb."""
    rules = r"worth \d+ items asked once|fewer than 5 real \w+ \([^)]*\)|(Fewer than|measured for|down to) \d+[^.]*"
    planned = r"[\d.]+ \w+ [\d.]+ %(;|\.)"  # points of the power curve
    text = re.sub(f"{rules}|{planned}", "", text)
    return {n for n, word in COUNTS.findall(text) if word.rstrip("s") == what}


@pytest.mark.parametrize("count", ["tool", "answered"])
def test_a_report_by_item_counts_items_as_items_and_answers_as_answers(count: Any) -> None:
    r = informed.report(table(item=ITEM), count=count)
    kept = len(np.unique(ITEM[~SILENT])) if count == "answered" else 30
    for name, text in texts(r).items():
        assert said(text, "item") <= {"30", str(kept)}, name
        assert said(text, "answer") <= {str(ROWS), str(ROWS - UNSAID), str(UNSAID), "3", "5"}, name  # 3 to 5 answers
    head = f"On {kept} items ({ROWS - UNSAID if count == 'answered' else ROWS} answers) this classifier"
    assert r.answer[0].startswith(head)
    assert f"{ROWS} rows given: {ROWS - UNSAID} answered, {UNSAID} abstained, 0 missing." in r.text(
        full=True, width=10_000
    )
    held = json.loads(r.json())
    assert held["counted"] == {"what": "item", "n": kept, "given": ROWS - UNSAID, "silent": UNSAID, "weighted": False}
    assert sum(held["states"].values()) == ROWS


@pytest.mark.parametrize("scale", [1.0, 10.0])
def test_weighted_cases_are_counted_whatever_the_scale_of_their_weights(scale: float) -> None:
    r = informed.report(table(weights=WEIGHTS * scale, unit=ITEM // 2))
    for name, text in texts(r).items():
        assert said(text, "case") - {str(round(r.size.n))} <= {str(ROWS), str(ROWS - UNSAID), str(UNSAID)}, name  # type: ignore[union-attr]
    assert r.answer[0].startswith(f"On {ROWS} cases (weighted) of 15 units this classifier")
    assert r.answer == informed.report(table(weights=WEIGHTS, unit=ITEM // 2)).answer
    assert dict(r.states)["abstained"] == UNSAID


def test_an_item_in_several_groups_is_one_item_and_the_page_says_how_it_counts() -> None:
    r = informed.report(table(item=ITEM, by=EPOCH))
    said = " ".join(r.answer)
    assert f" On 30 items ({ROWS} answers, an item counts once in each group) these 5 groups together make" in said
    for g in r.groups:
        assert g.answer[0].startswith(f"On {(g.name == EPOCH).sum()} items “{g.name}”")


def test_items_of_coarser_units_are_counted_too() -> None:
    r = informed.report(table(item=ITEM, unit=ITEM // 3))
    assert r.answer[0].startswith(f"On 30 items ({ROWS} answers) of 10 units this classifier")
    assert "10 units gave a 95 % interval" in r.text(full=True, width=10_000)


@pytest.mark.parametrize(
    "how", [{"item": ITEM}, {"unit": ITEM}, {"weights": WEIGHTS}, {"weights": WEIGHTS, "unit": ITEM}]
)
def test_one_effective_size_stands_on_a_page(how: dict[str, Any]) -> None:
    r = informed.report(table(**how))
    text = r.text(full=True, width=10_000)
    found = set(re.findall(r"worth (\d+(?:\.\d+)?) (?:independent|equally|items asked)", text))
    assert found
    assert {round(float(x) - r.table.effective_n(r.headline.measure)) for x in found} == {0}


def test_a_group_has_its_own_notes_and_not_those_of_all() -> None:
    r = informed.report(table(unit=ITEM, by=np.where(ITEM < 10, "few", "more")))
    for g in r.groups:
        notes = " ".join(map(str, (*g.headline.notes, *(n for x in g.tests for n in x.notes))))
        assert f"{int(g.table.units.n)} units with" in notes  # type: ignore[union-attr]
        assert " to " not in notes.split("worth")[1].split("independent")[0]
        assert "of 2 tables" not in notes


def test_a_perfect_group_has_no_best_class() -> None:
    r = informed.report(Table.from_counts(np.diag([8, 8, 8]), rows="predicted"))
    assert r.answer[-1] == "Every class is recognised beyond guessing."


def test_a_class_whose_cases_got_no_answer_is_real() -> None:
    t = Table.from_counts([[5, 1, 0], [1, 5, 0], [1, 0, 0]], labels=["a", "b", "c"], abstained=[0, 0, 2])
    r = informed.report(t)
    assert "never is the truth" not in " ".join(r.warnings)
    assert "Of “c” nothing can be said: no case that is really of this class got an answer." in r.answer


def test_units_of_one_case_are_said_to_be_none() -> None:
    r = informed.report(table(unit=np.arange(ROWS)))
    assert "Every unit has one case: nothing belongs together." in r.warnings


def test_a_limit_is_no_value_to_test_against() -> None:
    with pytest.raises(InformedError, match=r"informedness.low=0.3 is no test; write informedness=0.3"):
        informed.report(table(), against=["informedness.low=0.3"])


def test_answers_to_an_item_that_differ_in_truth_are_noticed() -> None:
    r = informed.report(Table.from_labels(real=list("abab"), predicted=list("abaa"), item=[1, 1, 2, 3]))
    assert any(x.startswith("1 item has more than one real label") for x in r.warnings)
    assert not any("real label" in x for x in informed.report(table(item=ITEM)).warnings)


@pytest.mark.parametrize(("unit", "what"), [("truth", "real"), ("said", "predicted"), ("w", "weights")])
def test_a_column_of_labels_is_no_unit(unit: str, what: str, tmp_path: Any) -> None:
    rows = "\n".join(f"{REAL[i]},{SAID[i] or '0'},{WEIGHTS[i]}" for i in range(ROWS))
    (tmp_path / "x.csv").write_text(f"truth,said,w\n{rows}\n")
    with pytest.raises(InformedError, match=f"`unit` and `{what}` are both '{unit}'"):
        informed.read(tmp_path / "x.csv", real="truth", predicted="said", weights="w", unit=unit)


def test_a_unit_that_is_missing_is_called_by_its_column(tmp_path: Any) -> None:
    (tmp_path / "x.csv").write_text("truth,said,patient_id\n1,1,a\n0,0,\n1,0,b\n")
    with pytest.raises(InformedError, match="1 case has no `patient_id`"):
        informed.read(tmp_path / "x.csv", real="truth", predicted="said", unit="patient_id")


def of_systems() -> Report:
    tables = [[[20, 4], [5, 21]], [[14, 10], [11, 15]]]
    t = Table.from_counts(tables, labels=["yes", "no"], positive="yes", names=["a", "b"])
    return informed.report(t, context={"systems": True})


class TestSystemsOfOneLog:
    """Systems on the same items are not pooled: each has its headline, and each must pass a gate."""

    def test_the_answer_is_of_each(self) -> None:
        made = of_systems()
        assert [x.split("”")[0] for x in made.answer] == ["On 50 cases “a", "On 50 cases “b"]
        text = made.text(full=True, width=10_000)
        assert "100 cases" not in text
        assert "pooled" not in text.lower()
        assert "together" not in text.replace("nothing is said of them together", "")
        assert Report.from_json(made.json()).text(full=True) == made.text(full=True)
        assert made.html().count("Informedness of each system") >= 1

    def test_a_gate_is_for_each(self) -> None:
        made = of_systems()
        found = check(made, ["informedness=0.3"])
        assert [(x.name, x.passed) for x in found] == [("a: informedness", True), ("b: informedness", False)]
        with pytest.raises(InformedError, match="of one system"):
            gates.regression(made, made)


def test_a_report_says_what_its_cases_were_sampled_in() -> None:
    patient = np.repeat(np.arange(20), 3)
    real = np.arange(60) % 2
    said = np.where(np.arange(60) % 7 == 0, 1 - real, real)
    held = pd.DataFrame({"real": real, "said": said, "patient_id": patient})
    r = informed.report(informed.read(held, real="real", predicted="said", unit="patient_id"))
    assert r.answer[0].startswith("On 60 cases of 20 patients this classifier")
    alone = informed.report(informed.read(held.assign(patient_id=1), real="real", predicted="said", unit="patient_id"))
    assert alone.size is None  # p is 1 whatever is true: there is no power to tell
    assert alone.warnings[0].startswith("Only 1 patient bears on informedness")
    text = " ".join(alone.text(full=True).split())
    assert text.count("Only 1 patient bears on informedness") == 1
    assert "big enough" not in text


def test_power_and_size_of_answered_cases_say_so() -> None:
    t = Table.from_labels(real=list("aabbab") * 9, predicted=["a", "b", "b", "b", None, "a"] * 9, missing="abstain")
    r = informed.report(t)
    assert r.size is not None
    assert r.size.unit == "answered case"
    assert "45 answered cases gave a 95 % interval" in " ".join(r.text(full=True).split())
