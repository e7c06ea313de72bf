"""The tools themselves, run with mock models, and their logs read back; `make test-full` installs them.

They live in an environment of their own, `.venv-tools` (or where TOOLS says): Python packages,
and promptfoo with its Node below `node`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from informed.sources import logs
from informed.sources.logs.log import Log
from informed.sources.logs.parts import parts

TOOLS = Path(os.environ.get("TOOLS", Path(__file__).parents[2] / ".venv-tools"))
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
}

NOTHING: Mapping[str, str] = {}


def run(
    folder: Path, command: Sequence[str | Path], codes: tuple[int, ...] = (0,), more: Mapping[str, str] = NOTHING
) -> None:
    """A command in a folder, which is its home, too."""
    home = {"HOME": str(folder), "HF_HOME": str(folder / "cache"), "PROMPTFOO_CONFIG_DIR": str(folder / "config")}
    env = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **OFFLINE, **home, **more}
    said = subprocess.run(list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True, timeout=600)
    assert said.returncode in codes, said.stdout[-2000:] + said.stderr[-2000:]


def python(folder: Path, code: str, **more: str) -> None:
    (folder / "script.py").write_text(code)
    run(folder, [TOOLS / "bin" / "python", "script.py"], more=more)


def states(log: Log, scoring: str) -> dict[str, float]:
    return {state: n for state, n in log.states(chosen=scoring).items() if n}


def score(log: Log, scoring: str) -> float:
    found = log.score(chosen=scoring)
    assert not found.differs
    return found.value


def own(log: Log, name: str, scoring: str) -> float:
    (value,) = [x.value for x in log.reported if x.name == name and scoring in (x.scorer, x.filter)]
    return value


# ---------------------------------------------------------------- Inspect AI

INSPECT = """
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, choice, mean, scorer, stderr
from inspect_ai.solver import multiple_choice, solver

GOLD = "ABCDABCDABCD"
SAID = "ABCAA-DDA-BD"  # "-": the model does not say a letter

def model():
    said = [f"ANSWER: {letter}" if letter != "-" else "I cannot say." for letter in SAID * 2]
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in said]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)

@solver
def broken():
    async def solve(state, generate):
        if state.sample_id == 11 and state.epoch == 2:
            raise RuntimeError("upstream closed the connection")
        return state
    return solve

@scorer(metrics=[mean(), stderr()])
def half():
    async def score(state, target):
        return Score(value=0.5 if "ANSWER" in state.output.completion else 0.0, answer="said")
    return score

samples = [Sample(id=i, input=f"Question {i}?", choices=list("wxyz"), target=x) for i, x in enumerate(GOLD)]
for kind in ("eval", "json"):
    steps = [multiple_choice(), broken()]
    task = Task(samples, solver=steps, scorer=[choice(), half()], epochs=2, name="letters", fail_on_error=False)
    eval(task, model=model(), log_dir="logs", log_format=kind, display="none", max_samples=1)
"""


@pytest.fixture(scope="module")
def inspected(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("inspect")
    python(folder, INSPECT)
    return sorted((folder / "logs").iterdir())


def test_inspect(inspected: list[Path]) -> None:
    assert [logs.recognise(path) for path in inspected] == ["inspect", "inspect"]
    for log in map(logs.load, inspected):
        assert (log.model, log.task) == ("mockllm/model", "letters")
        assert score(log, "choice") == pytest.approx(own(log, "accuracy", "choice"), abs=5e-4)
        assert score(log, "half") == pytest.approx(own(log, "mean", "half"), abs=5e-4)
        found = states(log, "choice")
        assert (found["right"], found["abstained"], found["error"]) == (13, 4, 1)


# ---------------------------------------------------------------- lm-evaluation-harness

LM_EVAL = """
import json, sys
from pathlib import Path
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

SAID = ["yes", "no", "no", "no", "well", "no", "yes", "I say no"]
GOLD = [0, 1, 0, 1, 0, 1, 2, 1]

@register_model("mock")
class Mock(LM):
    @classmethod
    def create_from_arg_string(cls, *args, **kwargs):
        return cls()
    @classmethod
    def create_from_arg_obj(cls, *args, **kwargs):
        return cls()
    def loglikelihood(self, requests, **kwargs):
        return [(-1.0 * ((7 * i) % 5) - 0.1 * len(r.args[1]), False) for i, r in enumerate(requests)]
    def generate_until(self, requests, **kwargs):
        return [SAID[i % len(SAID)] for i, _ in enumerate(requests)]
    def loglikelihood_rolling(self, requests, **kwargs):
        raise NotImplementedError

rows = [{"q": f"Is {i} even?", "choices": ["yes", "no", "maybe"], "gold": gold} for i, gold in enumerate(GOLD)]
Path("data.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
common = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": "data.jsonl"}}, "test_split": "test",
          "doc_to_text": "{{q}}"}
choice = {**common, "task": "tool_mc", "output_type": "multiple_choice", "doc_to_choice": "{{choices}}",
          "doc_to_target": "gold", "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}]}
first = {"function": "take_first"}
filters = [{"name": "strict", "filter": [{"function": "regex", "regex_pattern": "(yes|no|maybe)"}, first]},
           {"name": "loose", "filter": [first]}]
generated = {**common, "task": "tool_gen", "output_type": "generate_until", "doc_to_target": "{{choices[gold]}}",
             "generation_kwargs": {"until": ["\\n"]}, "metric_list": [{"metric": "exact_match"}],
             "filter_list": filters}
Path("tasks").mkdir()
for task in (choice, generated):
    Path("tasks", task["task"] + ".yaml").write_text(json.dumps(task))
options = ["--model", "mock", "--model_args", "pretrained=org/mock", "--tasks", "tool_mc,tool_gen"]
sys.argv = ["lm_eval", *options, "--include_path", "tasks", "--output_path", "out", "--log_samples"]
cli_evaluate()
"""


@pytest.fixture(scope="module")
def harnessed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm_eval")
    python(folder, LM_EVAL)
    return folder / "out" / "org__mock"


@pytest.mark.parametrize(
    ("task", "metric", "which"),
    [("tool_mc", "acc", "none"), ("tool_gen", "exact_match", "strict"), ("tool_gen", "exact_match", "loose")],
)
def test_lm_eval(harnessed: Path, task: str, metric: str, which: str) -> None:
    (results,) = (json.loads(path.read_text())["results"] for path in harnessed.glob("results_*.json"))
    (path,) = harnessed.glob(f"samples_{task}_*.jsonl")
    assert logs.recognise(path) == "lm-eval"
    log = logs.load(path)
    assert (log.model, log.task) == ("org/mock", task)
    assert score(log, which) == pytest.approx(results[task][f"{metric},{which}"], abs=5e-4)
    # "well" is no answer; "I say no" is one for the filter that finds it
    assert states(log, which).get("abstained", 0) == {"none": 0, "strict": 1, "loose": 2}[which]


# ---------------------------------------------------------------- lighteval

TASKS = """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

CHOICES = ["yes", "no", "maybe"]

def choice(line, task_name=None):
    return Doc(task_name=task_name, query=line["q"], choices=CHOICES, gold_index=line["gold"])

def said(line, task_name=None):
    return Doc(task_name=task_name, query=line["q"], choices=[CHOICES[line["gold"]]], gold_index=0)

common = {"hf_repo": "none", "hf_subset": "none", "hf_avail_splits": ["test"], "evaluation_splits": ["test"],
          "few_shots_split": None, "few_shots_select": None}
TASKS_TABLE = [
    LightevalTaskConfig(name="tool_mc", prompt_function=choice, metrics=[Metrics.loglikelihood_acc], **common),
    LightevalTaskConfig(name="tool_gen", prompt_function=said, metrics=[Metrics.exact_match], generation_size=8,
                        stop_sequence=["\\n"], **common),
]
"""
LIGHTEVAL = """
import sys, types
import huggingface_hub, xxhash

# What asks the net while it is imported, and what newer versions of two packages refuse.
stub = types.ModuleType("lighteval.tasks.tasks.tiny_benchmarks")
stub.TASKS_TABLE = []
sys.modules[stub.__name__] = stub
huggingface_hub.HfApi.list_models = lambda *args, **kwargs: ["found"]
hashed = xxhash.xxh64
xxhash.xxh64 = lambda text=b"": hashed(text.encode() if isinstance(text, str) else text)

from datasets import Dataset, DatasetDict
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks import lighteval_task

GOLD = [0, 1, 0, 1, 0, 1, 2, 1, 2, 0, 1, 2] * 3
SAID = ["yes", "no", "no", "", "yes", "no", "yes", "well", "maybe"]
rows = [{"q": f"Is {i} even?", "gold": gold} for i, gold in enumerate(GOLD)]
lighteval_task.load_dataset = lambda *args, **kwargs: DatasetDict(test=Dataset.from_list(rows))

class Mock(DummyModel):
    tokenizer = None
    def greedy_until(self, docs):
        return [ModelResponse(text=[SAID[i % len(SAID)]]) for i, _ in enumerate(docs)]
    def loglikelihood(self, docs):
        sure = [[-1.0 - (7 * i + 3 * j) % 5 for j, _ in enumerate(doc.choices)] for i, doc in enumerate(docs)]
        return [ModelResponse(logprobs=x, argmax_logits_eq_gold=[False] * len(x)) for x in sure]

asked = PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory="tasks.py")
tracker = EvaluationTracker(output_dir="out", save_details=True)
model = Mock(DummyModelConfig(model_name="org/mock"))
run = Pipeline(tasks="tool_mc|0,tool_gen|0", pipeline_parameters=asked, evaluation_tracker=tracker, model=model)
run.evaluate()
run.save_and_push_results()
"""


def test_lighteval(tmp_path: Path) -> None:
    (tmp_path / "tasks.py").write_text(TASKS)
    python(tmp_path, LIGHTEVAL)
    (told,) = (json.loads(path.read_text())["results"] for path in tmp_path.glob("out/results/org/mock/*.json"))
    for task, metric, silent in (("tool_mc|0", "acc", 0), ("tool_gen|0", "em", 8)):
        (path,) = tmp_path.glob(f"out/details/org/mock/*/details_{task}_*.parquet")
        assert logs.recognise(path) == "lighteval"
        log = logs.load(path)
        assert (log.model, log.task) == ("org/mock", task)
        assert score(log, metric) == pytest.approx(told[task][metric], abs=5e-4)
        assert states(log, metric).get("abstained", 0) == silent


# ---------------------------------------------------------------- DeepEval

DEEPEVAL = """
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric, ExactMatchMetric
from deepeval.test_case import LLMTestCase

GOLD = ["yes", "no"] * 6
SAID = ["yes", "no", "no", "no", "yes", "maybe", "yes", "yes", "yes", "no", "yes", "no"]

class Length(BaseMetric):
    def __init__(self):
        self.threshold, self.async_mode = 0.4, False
    def measure(self, test_case, *args, **kwargs):
        if test_case.actual_output == "maybe":
            raise ValueError("no opinion")
        self.score = 0.5 if len(test_case.actual_output) < 3 else 1.0
        self.success = True
        return self.score
    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)
    def is_successful(self):
        return bool(self.success)
    @property
    def __name__(self):
        return "Length"

cases = [
    LLMTestCase(name=f"case {i}", input=f"Question {i}?", actual_output=said, expected_output=gold)
    for i, (gold, said) in enumerate(zip(GOLD, SAID))
]
evaluate(
    test_cases=cases,
    metrics=[ExactMatchMetric(), Length()],
    hyperparameters={"model": "mock"},
    identifier="parity",
    async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
    cache_config=CacheConfig(write_cache=False),
    error_config=ErrorConfig(ignore_errors=True),
)
"""


def test_deepeval(tmp_path: Path) -> None:
    python(tmp_path, DEEPEVAL, DEEPEVAL_RESULTS_FOLDER=str(tmp_path / "runs"))
    (path,) = (tmp_path / "runs").glob("test_run_*.json")
    assert logs.recognise(path) == "deepeval"
    log = logs.load(path)
    assert (log.model, log.task) == ("mock", "parity")
    for metric in ("Exact Match", "Length"):
        assert score(log, metric) == pytest.approx(own(log, "mean score", metric), abs=5e-4)
    assert score(log, "passed") == own(log, "pass rate", "passed") == 9 / 12
    assert states(log, "Exact Match") == {"right": 9, "wrong": 2, "abstained": 1}  # "maybe" is no class
    assert states(log, "Length") == {"right": 6, "partial": 5, "unscored": 1}


# ---------------------------------------------------------------- promptfoo

PROVIDER = """
class Mock {
  constructor(options) { this.config = options.config || {}; }
  id() { return 'mock:' + this.config.name; }
  async callApi(prompt, context) {
    const n = Number(context.vars.n);
    if (n === this.config.fails) return { error: 'upstream closed the connection' };
    if (n === this.config.silent) return { output: '' };
    const right = context.vars.expected;
    return { output: (n + this.config.shift) % 3 === 0 ? (right === 'yes' ? 'no' : 'yes') : right };
  }
}
module.exports = Mock;
"""
ASSERTED = [
    {"type": "equals", "value": "{{expected}}", "metric": "exact"},
    {"type": "javascript", "value": "output.length > 0 ? 0.5 : 0", "threshold": 0.1, "metric": "said"},
]
MOCKS = {"mock-a": {"name": "a", "fails": 4, "silent": 5, "shift": 0}, "mock-b": {"name": "b", "fails": 1, "shift": 1}}
CONFIG = {
    "prompts": ["Is {{n}} even?", "Even or odd: {{n}}"],
    "providers": [{"id": "file://provider.js", "label": label, "config": held} for label, held in MOCKS.items()],
    "defaultTest": {"assert": ASSERTED},
    "tests": [{"vars": {"n": str(n), "expected": "no" if n % 2 else "yes"}} for n in range(6)],
}


@pytest.fixture(scope="module")
def prompted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("promptfoo")
    (folder / "provider.js").write_text(PROVIDER)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    out = {kind: folder / f"out.{kind}" for kind in ("json", "jsonl", "csv")}
    modules = TOOLS / "node" / "node_modules"
    program = [modules / ".bin" / "node", modules / "promptfoo" / "dist" / "src" / "entrypoint.js"]
    written = [part for path in out.values() for part in ("-o", path)]
    options = ["eval", "-c", "config.json", "--no-cache", "--repeat", "2", *written]
    run(folder, [*program, *options], codes=(0, 100))
    return out


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
def test_promptfoo(prompted: dict[str, Path], kind: str) -> None:
    reported = json.loads(prompted["json"].read_text())["results"]["prompts"]
    told = {f"{x['provider']}, {x['label']}": x["metrics"] for x in reported}
    path = prompted[kind]
    assert logs.recognise(path) == "promptfoo"
    found = {part.model: part for part in parts(logs.load(path))}
    assert list(found) == list(told)
    for system, log in found.items():
        metrics = told[str(system)]
        assert score(log, "passed") == pytest.approx(metrics["testPassCount"] / 12, abs=5e-4)
        for name in ("exact", "said"):
            share = metrics["namedScores"][name] / metrics["namedScoresCount"][name]
            assert score(log, name) == pytest.approx(share, abs=5e-4)
        assert states(log, "passed")["error"] == metrics["testErrorCount"] == 2
        assert {case.epoch for case in log.cases} == {1, 2}
        if kind == "json":
            assert own(log, "pass rate", "passed") == metrics["testPassCount"] / 12
