"""RAGAS, MLflow GenAI and LangSmith, run with mock models: the frames that their users save are read back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

import pytest

from informed.sources import logs
from tool_runs import python, shows

GOLD = ["yes", "no"] * 8
# "!" is an error of the system, "" no answer, "perhaps" none of the classes.
SAID = ["yes", "no", "no", "no", "!", "", "yes", "yes", "perhaps", "no", "yes", "no", "!", "no", "", "yes"]
# What the grader gives each answer; None: it fails.
GRADES = [1.0, 0.5, 0.0, None, 0.0, 0.0, 0.25, 1.0, 0.75, None, 0.0, 1.0, None, 1.0, 0.0, 0.5]
SCRIPT = f"""
import json
GOLD, SAID, GRADES = {GOLD!r}, {SAID!r}, {GRADES!r}

def grade(i):
    if GRADES[i] is None:
        raise ValueError("the grader fell over")
    return GRADES[i]

def say(i):
    if SAID[i] == "!":
        raise RuntimeError("upstream closed the connection")
    return SAID[i]

def save(frame, **own):
    frame.to_csv("saved.csv", index=False)
    frame.to_json("saved.json", orient="records")
    frame.to_json("saved.jsonl", orient="records", lines=True)
    with open("own.json", "w") as file:
        json.dump(own, file)
"""


def exact(*, errors: bool) -> list[str]:
    """The states where an answer is compared with the real label; without `errors` there are none, only no answers."""
    failed = "error" if errors else "abstained"
    named = {"!": failed, "": "abstained", "perhaps": "abstained"}
    return [named.get(said, "right" if said == gold else "wrong") for said, gold in zip(SAID, GOLD, strict=True)]


def graded(*, errors: bool) -> list[str]:
    """The states by what the grader gave; a row whose run failed stays an error, whatever the grader did."""
    found = []
    for said, grade in zip(SAID, GRADES, strict=True):
        state = "unscored" if grade is None else "right" if grade == 1 else "partial" if grade > 0 else "wrong"
        silent = state == "wrong" and said in ("", "!", "perhaps")
        found.append("error" if said == "!" and errors else "abstained" if silent else state)
    return found


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for name, code in {"ragas": RAGAS, "mlflow-genai": MLFLOW, "langsmith": LANGSMITH}.items():
        made[name] = tmp_path_factory.mktemp(name)
        python(made[name], SCRIPT + code, MLFLOW_TRACKING_URI=f"sqlite:///{made[name]}/runs.db")
    return made


RAGAS = """
import sys, types
from dataclasses import dataclass, field

# A module that newer versions of a package do not have any more.
stub = types.ModuleType("langchain_community.chat_models.vertexai")
stub.ChatVertexAI = type("ChatVertexAI", (), {})
sys.modules[stub.__name__] = stub

from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics import ExactMatch
from ragas.metrics.base import MetricType, SingleTurnMetric

@dataclass
class Graded(SingleTurnMetric):
    name: str = "graded"
    _required_columns: dict = field(default_factory=lambda: {MetricType.SINGLE_TURN: {"user_input", "response"}})
    def init(self, run_config):
        pass
    async def _single_turn_ascore(self, sample, callbacks):
        return grade(int(sample.user_input.split()[1]))

rows = [
    SingleTurnSample(user_input=f"Question {i}", response="" if SAID[i] == "!" else SAID[i], reference=gold)
    for i, gold in enumerate(GOLD)
]
found = evaluate(EvaluationDataset(rows), metrics=[ExactMatch(), Graded()], show_progress=False)
save(found.to_pandas(), **found._repr_dict)
"""
MLFLOW = """
import mlflow
from mlflow.genai import scorer

@scorer
def exact(outputs, expectations):
    return outputs == expectations["expected_response"]

@scorer
def graded(inputs):
    return grade(inputs["i"])

rows = [{"inputs": {"i": i}, "expectations": {"expected_response": gold}} for i, gold in enumerate(GOLD)]
found = mlflow.genai.evaluate(data=rows, predict_fn=say, scorers=[exact, graded])
frame = found.result_df
save(frame.drop(columns=["trace", "spans", "tags", "trace_metadata"], errors="ignore"),
     **{name.removesuffix("/mean"): value for name, value in found.metrics.items()})
"""
LANGSMITH = """
import uuid
from datetime import datetime, timezone
from langsmith import Client, evaluate
from langsmith.schemas import Example
from openevals.exact import exact_match

examples = [
    Example(id=uuid.UUID(int=1000 + i), dataset_id=uuid.UUID(int=1), inputs={"i": i}, outputs={"answer": gold},
            created_at=datetime.now(timezone.utc), modified_at=datetime.now(timezone.utc))
    for i, gold in enumerate(GOLD)
]

def system(inputs):
    return {"answer": say(inputs["i"])}

def exact(outputs, reference_outputs):
    return {"key": "exact", "score": exact_match(outputs=outputs, reference_outputs=reference_outputs)["score"]}

def graded(inputs):
    return {"key": "graded", "score": grade(inputs["i"])}

client = Client(api_key="none", api_url="http://127.0.0.1:9", auto_batch_tracing=False)
found = evaluate(system, data=examples, evaluators=[exact, graded], client=client, upload_results=False,
                 num_repetitions=2, max_concurrency=0)
frame = found.to_pandas()
frame["example_id"], frame["id"] = frame["example_id"].astype(str), frame["id"].astype(str)
own = {name: frame[f"feedback.{name}"].dropna().astype(float).mean() for name in ("exact", "graded")}
save(frame, **own)
"""


def place(item: str) -> int:
    """Which question an item is: it is the last number of its text, or the place of its id after a thousand."""
    return UUID(item).int - 1000 if item.count("-") == 4 else int(re.findall(r"\d+", item)[-1])


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
@pytest.mark.parametrize("tool", ["ragas", "mlflow-genai", "langsmith"])
def test_a_saved_frame(folders: dict[str, Path], tool: str, kind: str) -> None:
    path = folders[tool] / f"saved.{kind}"
    told = json.loads((folders[tool] / "own.json").read_text())
    assert logs.recognise(path) == tool
    log = logs.load(path)
    errors, repeats = tool != "ragas", 2 if tool == "langsmith" else 1
    items = sorted({str(case.item) for case in log.cases}, key=place)
    assert list(map(place, items)) == list(range(len(GOLD)))
    compared = "exact_match" if tool == "ragas" else "exact"
    for scorer, outcome in ((compared, exact(errors=errors)), ("graded", graded(errors=errors))):
        each = dict(zip(items, outcome, strict=True))
        epochs = {(item, epoch): state for item, state in each.items() for epoch in (1, 2)}
        shows(log, scorer, epochs if repeats > 1 else each, told[scorer])
