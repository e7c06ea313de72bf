"""The tools themselves, run with mock models, and their logs read back; `make test-full` installs them.

What each model says, where it fails and what each grader does is scripted, so that the state of
every case is known before the log is read; the score is compared with what the tool itself wrote.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from informed.sources import logs
from informed.sources.logs.parts import parts
from tool_runs import TOOLS, python, run, score, shows, states

# ---------------------------------------------------------------- Inspect AI

# What the model says to each question, at the first attempt and at the second; "-" is no letter, "!" an error.
GOLD = "ABCDABCDABCD"
SAID = "ABCAA-D!A-B!", "ABCDB-CAA-!!"
# What the grader says of each free answer; "-" is no grade, "!" an error of the model.
GRADES = "CPIC-PCI-C!CCIPI"

INSPECT = f"""
GOLD, SAID, GRADES = {GOLD!r}, {SAID!r}, {GRADES!r}
"""
INSPECT += """
import json, re
from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, choice, mean, model_graded_qa, scorer, stderr
from inspect_ai.solver import generate, multiple_choice, solver

def mock(says):
    def output(messages, tools, tool_choice, config):
        text = says(messages[-1].text)
        if text is None:
            raise RuntimeError("upstream closed the connection")
        found = ModelOutput.from_content("mockllm/model", text)
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # or it asks the net to count
        return found
    return get_model("mockllm/model", custom_outputs=output, memoize=False)

def places(text):
    return [int(found) for found in re.findall(r"Question (\\d+), attempt (\\d+)", text)[-1]]

def letter(text):
    item, attempt = places(text)
    said = SAID[attempt - 1][item]
    return {"-": "I cannot say.", "!": None}.get(said, f"ANSWER: {said}")

def free(text):
    item, attempt = places(text)
    return None if GRADES[item] == "!" else f"Question {item}, attempt {attempt}: city {item}"

def grade(text):
    found = GRADES[places(text)[0]]
    return "I have no opinion." if found == "-" else f"GRADE: {found}"

@solver
def attempt():
    async def solve(state, generate):
        state.user_prompt.text += f", attempt {state.epoch}"
        return state
    return solve

@scorer(metrics=[mean(), stderr()])
def half():
    async def score(state, target):
        return Score(value=0.5 if "ANSWER" in state.output.completion else 0.0, answer=state.output.completion)
    return score

@scorer(metrics={"even": [mean()], "odd": [mean()]})
def both():
    async def score(state, target):
        even = state.sample_id % 2 == 0
        return Score(value={"even": float(even), "odd": float(not even)}, answer=state.output.completion)
    return score

def told(log):
    scores = log.results.scores if log.results else []
    return [[x.name, x.reducer, {name: y.value for name, y in x.metrics.items()}] for x in scores]

own = {}
letters = [Sample(id=i, input=f"Question {i}", choices=list("wxyz"), target=x) for i, x in enumerate(GOLD)]
cities = [Sample(id=i, input=f"Question {i}", target=f"city {i}") for i, _ in enumerate(GRADES)]
for kind in ("eval", "json"):
    common = {"log_dir": f"logs/{kind}", "log_format": kind, "display": "none", "retry_on_error": 0}
    several = Task(letters, solver=[attempt(), multiple_choice()], scorer=[choice(), half()],
                   epochs=Epochs(2, ["mean", "max"]), name="letters", fail_on_error=False)
    judge = model_graded_qa(partial_credit=True, model=mock(grade))
    graded = Task(cities, solver=[attempt(), generate()], scorer=[judge, both()], name="graded", fail_on_error=False)
    stopped = Task(letters, solver=[attempt(), multiple_choice()], scorer=choice(), name="stopped", fail_on_error=True)
    for task, says in ((several, letter), (graded, free), (stopped, letter)):
        (log,) = eval(task, model=mock(says), max_samples=1, **common)
        own[log.location.rpartition("/")[2]] = told(log)
with open("own.json", "w") as file:
    json.dump(own, file)
"""


@pytest.fixture(scope="module")
def inspected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inspect")
    python(folder, INSPECT)
    return folder


def of_inspect(folder: Path, kind: str, task: str) -> tuple[logs.Log, dict[tuple[str, Any], dict[str, float]]]:
    """A log, and what Inspect reports of it by score and reducer."""
    (path,) = (folder / "logs" / kind).glob(f"*_{task}_*.{kind}")
    assert logs.recognise(path) == "inspect"
    told = json.loads((folder / "own.json").read_text())[path.name]
    log = logs.load(path)
    assert (log.model, log.task) == ("mockllm/model", task)
    return log, {(name, reducer): metrics for name, reducer, metrics in told}


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect_epochs_reducers_and_scorers(inspected: Path, kind: str) -> None:
    log, told = of_inspect(inspected, kind, "letters")
    words = {(str(i), e): word for e in (1, 2) for i, word in enumerate(SAID[e - 1])}
    outcome = {"-": "abstained", "!": "error"}
    chosen = {key: outcome.get(x, "right" if x == GOLD[int(key[0])] else "wrong") for key, x in words.items()}
    shows(log, "choice", chosen, told["choice", "mean"]["accuracy"])
    assert log.marks(chosen="choice").reduce("max").score == pytest.approx(told["choice", "max"]["accuracy"])
    halves = {key: {"-": "abstained", "!": "error"}.get(x, "partial") for key, x in words.items()}
    shows(log, "half", halves, told["half", "mean"]["mean"])


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect_grades_and_values_of_several_keys(inspected: Path, kind: str) -> None:
    log, told = of_inspect(inspected, kind, "graded")
    outcome = {"C": "right", "P": "partial", "I": "wrong", "-": "unscored", "!": "error"}
    graded = {str(i): outcome[x] for i, x in enumerate(GRADES)}
    shows(log, "model_graded_qa", graded, told["model_graded_qa", None]["accuracy"])
    for name, right in (("even", 0), ("odd", 1)):
        keyed = {
            key: "error" if x == "error" else "right" if int(key) % 2 == right else "wrong" for key, x in graded.items()
        }
        shows(log, name, keyed, told[name, None]["mean"])


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect_that_stopped_did_not_run_the_rest(inspected: Path, kind: str) -> None:
    log, _ = of_inspect(inspected, kind, "stopped")
    found = states(log, "choice")
    ended = SAID[0].index("!")
    assert [found[str(i)] for i in range(ended, len(GOLD))] == ["error", *["not-run"] * (len(GOLD) - ended - 1)]
    assert len(found) == len(GOLD)


# ---------------------------------------------------------------- lm-evaluation-harness

OPTIONS = ["yes", "no", "certainly not"]
TRUE = [0, 1, 0, 1, 0, 1, 2, 1, 2]
# The options that the model likes best: by log-likelihood, and by log-likelihood per character.
LIKED = [(0, 0), (1, 1), (1, 2), (1, 2), (0, 2), (0, 0), (2, 2), (2, 2), (1, 2)]
WRITTEN = ["yes", "no", "no", "no", "well", "no", "yes", "I say no", "certainly not"]
# Every question asks for another city, and some answers name none.
CITIES = [0, 1, 7, None, 4, 5, None, 8, 8]
CREDIT = [1.0, 0.5, 0.0, 0.25, 1.0, 0.0, 0.5, 1.0, 0.0]

LM_EVAL = f"""
OPTIONS, TRUE, LIKED, WRITTEN = {OPTIONS!r}, {TRUE!r}, {LIKED!r}, {WRITTEN!r}
CITIES, CREDIT = {CITIES!r}, {CREDIT!r}
"""
LM_EVAL += """
import json, sys
from pathlib import Path
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

@register_model("mock")
class Mock(LM):
    @classmethod
    def create_from_arg_string(cls, *args, **kwargs):
        return cls()
    @classmethod
    def create_from_arg_obj(cls, *args, **kwargs):
        return cls()
    def loglikelihood(self, requests, **kwargs):
        return [(self.sure(r.doc["i"], r.args[1].strip()), False) for r in requests]
    def sure(self, i, option):
        plain, each = (OPTIONS[place] for place in LIKED[i])
        if plain == each:
            return -1.0 if option == plain else -1000.0
        return {plain: -4.0, each: -5.0}.get(option, -1000.0)  # the longer one is the likelier by character
    def generate_until(self, requests, **kwargs):
        return [self.written(r.doc["i"], r.task_name) for r in requests]
    def written(self, i, task):
        city = "I do not know." if CITIES[i] is None else f"It is city {CITIES[i]}."
        return city if task == "tool_free" else WRITTEN[i]
    def loglikelihood_rolling(self, requests, **kwargs):
        raise NotImplementedError

rows = [{"i": i, "q": f"Is {i} even?", "choices": OPTIONS, "gold": gold} for i, gold in enumerate(TRUE)]
Path("data.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
Path("tasks").mkdir()
Path("tasks", "credit.py").write_text(f"def process(doc, results):\\n    return {{'credit': {CREDIT!r}[doc['i']]}}\\n")
common = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": "data.jsonl"}}, "test_split": "test",
          "doc_to_text": "{{q}}"}
choice = {**common, "task": "tool_mc", "output_type": "multiple_choice", "doc_to_choice": "{{choices}}",
          "doc_to_target": "gold", "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}]}
written = {**common, "output_type": "generate_until", "doc_to_target": "{{choices[gold]}}",
           "generation_kwargs": {"until": ["\\n"]}}
first = {"function": "take_first"}
found = {"function": "regex", "regex_pattern": "(yes|no|certainly not)"}
filters = [{"name": "strict", "filter": [found, first]}, {"name": "loose", "filter": [first]}]
generated = {**written, "task": "tool_gen", "metric_list": [{"metric": "exact_match"}], "filter_list": filters,
             "repeats": 2}
free = {**written, "task": "tool_free", "doc_to_target": "city {{i}}", "metric_list": [{"metric": "exact_match"}],
        "filter_list": [{"name": "city", "filter": [{**found, "regex_pattern": "(city \\\\d+)"}, first]}]}
graded = {**written, "task": "tool_part",
          "metric_list": [{"metric": "credit", "aggregation": "mean", "higher_is_better": True}]}
for task in (choice, generated, free, graded):
    more = "\\nprocess_results: !function credit.process\\n" if task is graded else "\\n"
    lines = [f"{name}: {json.dumps(held)}" for name, held in task.items()]
    Path("tasks", task["task"] + ".yaml").write_text("\\n".join(lines) + more)
options = ["--model", "mock", "--model_args", "pretrained=org/mock", "--tasks", "tool_mc,tool_gen,tool_free,tool_part"]
sys.argv = ["lm_eval", *options, "--include_path", "tasks", "--output_path", "out", "--log_samples"]
cli_evaluate()
"""
FOUND = ["yes", "no", "no", "no", None, "no", "yes", "no", "certainly not"]  # by the pattern
ALONE = [said if said in OPTIONS else None for said in WRITTEN]


@pytest.fixture(scope="module")
def harnessed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm_eval")
    python(folder, LM_EVAL)
    return folder / "out" / "org__mock"


@pytest.mark.parametrize(
    ("task", "metric", "which", "answers"),
    [
        ("tool_mc", "acc", "none", [OPTIONS[plain] for plain, _ in LIKED]),
        ("tool_mc", "acc_norm", "none", [OPTIONS[each] for _, each in LIKED]),
        ("tool_gen", "exact_match", "strict", FOUND),
        ("tool_gen", "exact_match", "loose", ALONE),
        ("tool_free", "exact_match", "city", CITIES),
        ("tool_part", "credit", "none", CREDIT),
    ],
)
def test_lm_eval(harnessed: Path, task: str, metric: str, which: str, answers: list[Any]) -> None:
    (results,) = (json.loads(path.read_text())["results"] for path in harnessed.glob("results_*.json"))
    (path,) = harnessed.glob(f"samples_{task}_*.jsonl")
    assert logs.recognise(path) == "lm-eval"
    log = logs.load(path, metric=metric)
    assert (log.model, log.task) == ("org/mock", task)
    if metric == "credit":
        outcome = ["right" if x == 1 else "partial" if x > 0 else "wrong" for x in answers]
    else:
        golds = range(len(TRUE)) if task == "tool_free" else [OPTIONS[place] for place in TRUE]
        pairs = zip(answers, golds, strict=True)
        outcome = ["abstained" if said is None else "right" if said == gold else "wrong" for said, gold in pairs]
    scripted = {case.item: outcome[int(str(case.item).split()[0])] for case in log.cases}
    assert len(scripted) == len(TRUE)
    shows(log, which, scripted, results[task][f"{metric},{which}"])


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
THREE = ["yes", "no", "maybe"]
REAL = [0, 1, 0, 1, 0, 1, 2, 1, 2, 0, 1, 2] * 3
SPOKEN = ["yes", "no", "no", "", "yes", "no", "yes", "well", "maybe"] * 4
LIGHTEVAL = f"""
REAL, SPOKEN = {REAL!r}, {SPOKEN!r}
"""
LIGHTEVAL += """
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

rows = [{"q": f"Is {i} even?", "gold": gold} for i, gold in enumerate(REAL)]
lighteval_task.load_dataset = lambda *args, **kwargs: DatasetDict(test=Dataset.from_list(rows))

class Mock(DummyModel):
    tokenizer = None
    def greedy_until(self, docs):
        return [ModelResponse(text=[SPOKEN[int(doc.id)]]) for doc in docs]
    def loglikelihood(self, docs):
        sure = [[-1.0 - (int(doc.id) + j) % 3 for j, _ in enumerate(doc.choices)] for doc in docs]
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
    liked = [THREE[-i % 3] for i, _ in enumerate(REAL)]
    for task, metric, answers in (("tool_mc|0", "acc", liked), ("tool_gen|0", "em", SPOKEN)):
        (path,) = tmp_path.glob(f"out/details/org/mock/*/details_{task}_*.parquet")
        assert logs.recognise(path) == "lighteval"
        log = logs.load(path)
        assert (log.model, log.task) == ("org/mock", task)
        outcome = [
            "abstained" if said not in THREE else "right" if said == THREE[gold] else "wrong"
            for said, gold in zip(answers, REAL, strict=True)
        ]
        shows(log, metric, {str(i): state for i, state in enumerate(outcome)}, told[task][metric])


# ---------------------------------------------------------------- DeepEval

EXPECTED = ["yes", "no"] * 6
ACTUAL = ["yes", "no", "no", "no", "yes", "maybe", "", "yes", "yes", "no", "yes", "no"]
JUDGED = [10, 7, 0, 5, None, 10, 0, 3, 10, 10, 9, 2]  # None: the judge writes nonsense
DEEPEVAL = f"""
EXPECTED, ACTUAL, JUDGED = {EXPECTED!r}, {ACTUAL!r}, {JUDGED!r}
"""
DEEPEVAL += """
import json, re
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric, ExactMatchMetric, GEval
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, SingleTurnParams

class Length(BaseMetric):
    def __init__(self):
        self.threshold, self.async_mode = 0.4, False
    def measure(self, test_case, *args, **kwargs):
        if test_case.actual_output == "maybe":
            raise ValueError("no opinion")
        self.score = {0: 0.0, 2: 0.5}.get(len(test_case.actual_output), 1.0)
        self.success = self.score >= self.threshold
        return self.score
    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)
    def is_successful(self):
        return bool(self.success)
    @property
    def __name__(self):
        return "Length"

class Judge(DeepEvalBaseLLM):
    def load_model(self):
        return self
    def get_model_name(self):
        return "mock judge"
    def generate(self, prompt, *args, **kwargs):
        found = JUDGED[int(re.findall(r"Question (\\d+)", prompt)[-1])]
        return "I have no opinion." if found is None else json.dumps({"score": found, "reason": "so it is"})
    async def a_generate(self, prompt, *args, **kwargs):
        return self.generate(prompt)

shown = [SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT]
judged = GEval(name="Truth", evaluation_params=shown, evaluation_steps=["Is it true?"], model=Judge(), async_mode=False)
cases = [
    LLMTestCase(name=f"case {i}", input=f"Question {i}?", actual_output=said, expected_output=gold)
    for i, (gold, said) in enumerate(zip(EXPECTED, ACTUAL))
]
evaluate(
    test_cases=cases,
    metrics=[ExactMatchMetric(), Length(), judged],
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
    run = json.loads(path.read_text())
    told = {x["metric"]: sum(x["scores"]) / len(x["scores"]) for x in run["metricsScores"]}

    # Its own metrics refuse an answer that is empty, which is an error of the metric.
    exact = dict.fromkeys(("yes", "no"), "wrong") | {"maybe": "abstained", "": "unscored"}
    exacts = ["right" if x == gold else exact[x] for x, gold in zip(ACTUAL, EXPECTED, strict=True)]
    lengths = {"yes": "right", "no": "partial", "maybe": "unscored", "": "abstained"}
    graded = ["right" if x == 10 else "partial" if x else "wrong" for x in JUDGED]
    truth = [
        "unscored" if x is None or not said else state for x, said, state in zip(JUDGED, ACTUAL, graded, strict=True)
    ]
    (named,) = (name for name in told if name.startswith("Truth"))
    for metric, outcome in (("Exact Match", exacts), ("Length", [lengths[x] for x in ACTUAL]), (named, truth)):
        shows(log, metric, {f"case {i}": state for i, state in enumerate(outcome)}, told[metric])
    assert score(log, "passed") == run["testPassed"] / len(EXPECTED)


# ---------------------------------------------------------------- promptfoo

PROVIDER = """
class Mock {
  constructor(options) { this.config = options.config || {}; }
  id() { return 'mock:' + this.config.name; }
  async callApi(prompt, context) {
    const said = this.config.says[Number(context.vars.n)];
    return said === '!' ? { error: 'upstream closed the connection' } : { output: said };
  }
}
module.exports = Mock;
"""
ASSERTED = [
    {"type": "equals", "value": "{{expected}}", "metric": "exact"},
    {"type": "javascript", "value": "output.length > 0 ? 0.5 : 0", "threshold": 0.1, "metric": "said"},
]
EVEN = ["yes", "no"] * 3
SAYS = {"mock-a": ["no", "no", "yes", "yes", "!", ""], "mock-b": ["yes", "!", "no", "no", "perhaps", "no"]}
CONFIG: dict[str, Any] = {
    "prompts": ["Is {{n}} even?", "Even or odd: {{n}}"],
    "providers": [
        {"id": "file://provider.js", "label": label, "config": {"name": label, "says": says}}
        for label, says in SAYS.items()
    ],
    "defaultTest": {"assert": ASSERTED},
    "tests": [{"vars": {"n": str(n), "expected": right}} for n, right in enumerate(EVEN)],
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


def outcome(said: str, right: str, scorer: str, classes: bool) -> str:
    """The state of an answer; "perhaps" is no class where the classes are known."""
    if said in ("!", ""):
        return "error" if said == "!" else "abstained"
    if scorer == "said":
        return "partial"
    return "right" if said == right else "abstained" if classes and said == "perhaps" else "wrong"


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
def test_promptfoo(prompted: dict[str, Path], kind: str) -> None:
    reported = json.loads(prompted["json"].read_text())["results"]["prompts"]
    told = {f"{x['provider']}, {x['label']}": x["metrics"] for x in reported}
    path = prompted[kind]
    assert logs.recognise(path) == "promptfoo"
    found = {str(part.model): part for part in parts(logs.load(path))}
    assert list(found) == list(told)
    assert len(found) == len(SAYS) * len(CONFIG["prompts"])
    for system, log in found.items():
        metrics, says = told[system], SAYS[system.partition(",")[0]]
        shares = {name: metrics["namedScores"][name] / metrics["namedScoresCount"][name] for name in ("exact", "said")}
        for name, share in {"passed": metrics["testPassCount"] / 12, **shares}.items():
            scripted = {
                (json.dumps({"expected": right, "n": str(n)}), epoch): outcome(says[n], right, name, kind != "csv")
                for n, right in enumerate(EVEN)
                for epoch in (1, 2)
            }
            shows(log, name, scripted, share)
