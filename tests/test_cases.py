"""States of the cases of real logs, and each tool's own score from them, against what was written down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import informed
from informed.sources import logs
from informed.sources.logs import Log

SAMPLES = Path(__file__).parent / "samples" / "cases"
INSPECT = {entry["file"]: entry for entry in json.loads((SAMPLES / "inspect" / "expected.json").read_text())}
LM_EVAL = json.loads((SAMPLES / "lm_eval" / "expected.json").read_text())
TASKS = [(model, task) for model, held in LM_EVAL.items() for task in held["n-samples"]]


def lm_eval(model: str, task: str) -> Log:
    (path,) = (SAMPLES / "lm_eval" / model).glob(f"samples_{task}_*.jsonl")
    return logs.load(path)


@pytest.mark.parametrize("file", INSPECT, ids=lambda name: name.split("_")[1])
def test_inspect_states_are_those_written_down(file: str) -> None:
    log, expected = logs.load(SAMPLES / "inspect" / file), INSPECT[file]
    assert (log.model, log.task) == (expected["model"], expected["task"])
    for scorer, held in expected["scorers"].items():
        assert log.states(chosen=scorer) == held["states"]
        found = log.selection(log.selected(None, None, scorer))
        seen = {
            (case.item, case.epoch): (state, case.mark) for case, state in zip(found.cases, found.named, strict=True)
        }
        for case in held.get("cases", ()):
            assert seen[str(case["item"]), case["epoch"]] == (case["state"], case["mark"])


@pytest.mark.parametrize("file", INSPECT, ids=lambda name: name.split("_")[1])
def test_inspect_scores_are_its_own(file: str) -> None:
    log, expected = logs.load(SAMPLES / "inspect" / file), INSPECT[file]
    headline = expected["headline"]
    assert (log.headline, log.metric, log.reducer) == (headline["score"], headline["metric"], headline["reducer"])
    for told in expected["reported"]:
        metric = "mean" if "mean" in told else "accuracy"
        marks = log.marks(chosen=told["score"]).reduce(told["reducer"] or "mean")
        assert marks.score == pytest.approx(told[metric], abs=1e-12)
        assert marks.n == told["scored_samples"]
        assert any(r.value == told[metric] and r.reducer == told["reducer"] for r in log.reported)
    for scorer in expected["scorers"]:
        found = log.score(chosen=scorer)
        assert found.value == pytest.approx(found.reported, abs=1e-12)
        assert not found.differs
        assert found.low < found.value < found.high


def test_the_table_of_inspect_counts_refusals_as_no_bet() -> None:
    (file,) = [name for name in INSPECT if "_mc_" in name]
    expected = INSPECT[file]["scorers"]["choice"]["measures"]["errors_as_no_answer"]
    t = logs.read_log(SAMPLES / "inspect" / file)
    assert informed.informedness_of_all(t) == pytest.approx(expected["informedness_of_all"], abs=1e-9)
    assert informed.informedness(t) == pytest.approx(expected["informedness_answered"], abs=1e-9)
    assert informed.coverage(t) == expected["coverage"]


def test_unscored_cases_bound_the_score() -> None:
    (file,) = [name for name in INSPECT if "graded_cGL" in name]
    found = logs.load(SAMPLES / "inspect" / file).score()
    assert found.bounds == pytest.approx((6 / 14, 9 / 14))
    assert found.n == 11


def test_errors_count_when_they_are_asked_to() -> None:
    (file,) = [name for name in INSPECT if "_flaky_" in name]
    log = logs.load(SAMPLES / "inspect" / file)
    assert log.score().value == pytest.approx(6.5 / 14)
    assert log.score(count="errors").value == pytest.approx(11 / 28)


def test_several_attempts_have_the_pass_rates_written_down() -> None:
    (first,) = [entry for entry in INSPECT.values() if "comparison_of_agents" in entry]
    expected = first["comparison_of_agents"]
    for file, entry in INSPECT.items():
        if entry["task"] == "agent":
            marks = logs.load(SAMPLES / "inspect" / file).marks()
            own = expected[entry["model"]]
            assert marks.score == pytest.approx(own["accuracy"], abs=1e-12)
            for k in (1, 2, 3):
                assert marks.pass_at(k) == pytest.approx(own[f"pass@{k}"], abs=1e-12)


@pytest.mark.parametrize(("model", "task"), TASKS)
def test_lm_eval_scores_are_its_own(model: str, task: str) -> None:
    log, expected = lm_eval(model, task), LM_EVAL[model]
    assert (log.model, log.task) == (expected["model"], task)
    reported = {f"{r.name},{r.filter}": r.value for r in log.reported if r.task is None}
    assert reported == {k: v for k, v in expected["results"][task].items() if "," in k}
    held: dict[str, Any] = expected["recomputed"][task]
    unparsed = held.pop("unparsed", {})
    for which, means in held.items():
        assert log.marks(chosen=which).n == means["n"]
        for metric, value in means["mean"].items():
            found = logs.load(log.path, metric=metric).score(chosen=which)
            assert found.value == pytest.approx(value, abs=1e-12)
            assert found.reported == pytest.approx(value, abs=1e-12)
    for which, times in unparsed.items():
        assert log.states(chosen=which)["abstained"] == times
    held["unparsed"] = unparsed


@pytest.mark.parametrize(("model", "task"), TASKS)
def test_lm_eval_tasks_are_tables_or_free_form(model: str, task: str) -> None:
    log, expected = lm_eval(model, task), LM_EVAL[model]["suite"]["tasks"][task]
    assert bool(log.closed()) == (expected["kind"] == "table")
    marks = log.marks()
    assert marks.score == expected["accuracy"]
    if expected["kind"] == "free-form":
        assert log.headline == expected["filter"]
        with pytest.raises(informed.InformedError, match="16 different answers are asked for"):
            log.table()
        return
    assert informed.informedness_of_all(log.table()) == pytest.approx(expected["informedness"], abs=1e-12)
    assert marks.centred() == pytest.approx(expected["centred_accuracy"], abs=1e-12)
    assert marks.centred(expected["options"], abstained="no bet") == pytest.approx(expected["centred_accuracy"])
