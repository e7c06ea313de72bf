"""The plug-in in the real Inspect, with a mock model whose answers are scripted; `make test-full` installs both."""

from __future__ import annotations

import json
from typing import Any

import pytest

import informed
from informed.evidence.table import Table
from tool_runs import python

GOLD = "ABBA" * 10
SAID = "ABAA-BBAABBA" + "ABBA" * 7

RUN = f"""
GOLD, SAID = {GOLD!r}, {SAID!r}
"""
RUN += """
import asyncio, json, re
import informed
from inspect_ai import Task, eval
from inspect_ai._util.registry import registry_lookup
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice, solver
from informed.inspect import Stopping, scored

class Bettor:  # the rule is a number of items
    seen = None
    def __init__(self):
        self.seen = []
    def update(self, real, predicted):
        self.seen += zip(real, predicted)
    def decided(self, stop):
        return len(self.seen) >= int(stop)

@solver
def slowly():
    async def solve(state, generate):  # every seventh comes after those scheduled later
        await asyncio.sleep(0.05 * (state.sample_id % 7 == 0))
        return state
    return solve

def output(messages, tools, tool_choice, config):
    item = int(re.findall(r"Question (\\d+)", messages[-1].text)[-1])
    text = "I cannot say." if SAID[item] == "-" else f"ANSWER: {SAID[item]}"
    found = ModelOutput.from_content("mockllm/model", text)
    found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return found

def told(log):
    stopping = log.results.early_stopping
    return {
        "status": log.status,
        "metrics": {k: v.value for s in log.results.scores for k, v in s.metrics.items()},
        "ran": len(log.samples),
        "stopping": stopping and [stopping.manager, len(stopping.early_stops), stopping.metadata],
    }

found = {"registered": [registry_lookup(kind, f"informed/{name}") is not None for kind, name in
                        [("scorer", "scored"), ("metric", "informedness"), ("metric", "markedness")]]}
samples = [Sample(id=i, input=f"Question {i}", choices=["x", "y"], target=x) for i, x in enumerate(GOLD)]
model = get_model("mockllm/model", custom_outputs=output, memoize=False)
for name, rule, epochs in (("all", "1000", 1), ("stopped", "12", 1), ("epochs", "1000", 2)):
    stopping = Stopping(Bettor, rule)
    solvers = [slowly(), multiple_choice()]
    task = Task(samples, solver=solvers, scorer=scored(choice()), early_stopping=stopping, epochs=epochs)
    (log,) = eval(task, model=model, max_samples=5, display="none", log_dir="logs")
    assert log.status == "success", log.error
    found[name] = told(log) | {"seen": stopping.watch.seen}
SAID = SAID.replace("-", "C")  # which is none of the labels
stopping = Stopping(lambda: informed.watch(labels=["A", "B"]), "informedness.low > 0.3")
task = Task(samples, solver=[slowly(), multiple_choice()], scorer=scored(choice()), early_stopping=stopping)
(log,) = eval(task, model=model, max_samples=5, display="none", log_dir="logs")
found["watched"] = told(log) | {"state": json.loads(stopping.watch.to_json())}
with open("found.json", "w") as file:
    json.dump(found, file)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("plugin")
    python(folder, RUN)  # Inspect finds the plug-in of a package that is installed
    return json.loads((folder / "found.json").read_text())


def cases(n: int) -> list[list[str | None]]:
    return [[real, None if said == "-" else said] for real, said in zip(GOLD[:n], SAID[:n], strict=True)]


def test_inspect_knows_the_scorer_and_the_metrics(found: Any) -> None:
    assert found["registered"] == [True] * 3


def test_the_log_has_the_measures_and_their_intervals(found: Any) -> None:
    real, predicted = zip(*cases(len(GOLD)), strict=True)
    t = Table.from_labels(real=real, predicted=predicted, missing="abstain")
    for name, measure in (("informedness", "informedness_of_all"), ("markedness", "markedness")):
        wanted = informed.interval(t, measure)
        for key, value in (("", wanted.estimate), ("_low", wanted.low), ("_high", wanted.high)):
            assert found["all"]["metrics"][name + key] == pytest.approx(value)
    assert found["all"]["metrics"]["accuracy"] == pytest.approx(sum(r == p for r, p in cases(40)) / 40)


def test_bets_are_in_the_order_of_the_dataset(found: Any) -> None:
    assert found["all"]["seen"] == cases(40)
    assert found["all"]["stopping"][:2] == ["informed", 0]


def test_the_task_ends_when_the_rule_is_met(found: Any) -> None:
    stopped = found["stopped"]
    assert stopped["status"] == "success"
    assert stopped["seen"] == cases(12)
    assert 12 <= stopped["ran"] < 40  # those on their way end, and some went ahead of a slow one
    manager, left_out, summary = stopped["stopping"]
    assert (manager, left_out) == ("informed", 40 - stopped["ran"])
    assert summary == {"rule": "12", "met": True, "items": 12}


def test_epochs_are_one_item(found: Any) -> None:
    assert found["epochs"]["seen"] == [[real, [said, said]] for real, said in cases(40)]
    assert found["epochs"]["metrics"]["informedness"] == pytest.approx(found["all"]["metrics"]["informedness"])


def test_a_bettor_of_this_package_ends_the_task(found: Any) -> None:
    """He bets in the order of the dataset, and stops where the same cases stop him outside of Inspect."""
    w = informed.watch(labels=["A", "B"])
    for real, said in cases(len(GOLD)):
        w.update(real=real, predicted=said)
        if w.decided("informedness.low > 0.3"):
            break
    _, left_out, summary = found["watched"]["stopping"]
    assert summary["met"]
    assert summary["items"] == w.n < 40
    assert summary["low"] == pytest.approx(w.interval.low)
    assert summary["sentence"] == w.sentence
    assert left_out == 40 - found["watched"]["ran"] > 0
    assert found["watched"]["state"]["n"] == w.n
