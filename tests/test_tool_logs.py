"""Logs of tools that score answers: the tool's own number, and the state of every case."""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import ok, refused, run
from informed.errors import SourceError
from informed.measures.chance import informedness
from informed.measures.diagnosis import accuracy_of_all, coverage, informedness_of_all
from informed.sources import logs
from informed.sources.logs import Case, Log
from informed.sources.logs.case import counts
from informed.sources.logs.parts import parts
from informed.sources.logs.reports import commands

SAMPLES = Path(__file__).parent / "samples"
MEASURES: dict[Any, str] = {
    informedness_of_all: "informedness_of_all",
    accuracy_of_all: "accuracy_all",
    coverage: "coverage",
    informedness: "informedness_answered",
}
RUNS = {"org/mock-a": "2026-11-16T06-59-32.419041", "org/mock-b": "2026-11-16T07-01-45.305196"}
LOGS = {
    "promptfoo": ["promptfoo/sentiment.json", "promptfoo/sentiment13.jsonl", "promptfoo/sentiment13.csv"],
    "deepeval": ["deepeval/test_run_20261116_064332.json"],
    "helm": ["helm/simple_classification", "helm/simple_mcqa", "helm/simple_mcqa/scenario_state.json"],
    "lighteval": [
        *(
            f"lighteval/details/{model}/{time}/details_{task}-0_{time}.parquet"
            for model, time in RUNS.items()
            for task in ("toy-bio", "toy-law", "toyqa")
        ),
        *(f"lighteval/results/{model}/results_{time}.json" for model, time in RUNS.items()),
        "lighteval/older.parquet",
    ],
    "swe-bench": [
        "swe_bench/org__agent-a.r1.json",
        "swe_bench/org__agent-b.r1.json",
        "swe_bench/logs/run_evaluation/r1/org__agent-a",
    ],
    "ragas": ["ragas/evaluation.csv", "ragas/evaluation.jsonl"],
    "mlflow-genai": ["mlflow_genai/eval_results.csv", "mlflow_genai/eval_results.json"],
    "langsmith": ["langsmith/experiment.csv"],
    "braintrust": ["braintrust/experiment.json"],
    "simple-evals": sorted(
        f"simple_evals/{what}_20260102_030405{kind}.json"
        for what in ("mmlu_gpt-mock-a", "mmlu_gpt-mock-b", "simpleqa_gpt-mock-a")
        for kind in ("", "_allresults")
    ),
    "nanochat": [
        f"nanochat/base_model_{step}{kind}" for step in ("000500", "002000") for kind in (".csv", "_examples.jsonl")
    ],
}
PAIRS = [(kind, name) for kind, names in LOGS.items() for name in names]
UNKNOWN = [
    *("helm/simple_mcqa/stats.json", "helm/simple_mcqa/per_instance_stats.json", "helm/simple_mcqa/run_spec.json"),
    *("helm", "swe_bench", "lighteval", "ragas/evaluation_summary.json", "mlflow_genai/metrics.json"),
    "swe_bench/logs/run_evaluation/r1/org__agent-a/astropy__astropy-1003/report.json",
]


def expected(tool: str) -> Any:
    return json.loads((SAMPLES / tool / "expected.json").read_text())


def of(log: Log, scorer: str | None = None) -> list[Case]:
    return [case for case in log.cases if scorer is None or case.fields["scorer"] == scorer]


def score(log: Log, scorer: str | None = None) -> float:
    """The score of a log, which must not differ from what its tool reports, where that is known."""
    found = log.score(chosen=scorer)
    assert not found.differs
    return found.value


def own(log: Log, name: str, **about: str | None) -> float:
    (value,) = [x.value for x in log.reported if x.name == name and all(getattr(x, k) == v for k, v in about.items())]
    return value


def each(log: Log) -> dict[str | None, Log]:
    return {part.model: part for part in parts(log)}


def states(log: Log, scorer: str | None = None) -> dict[str, float]:
    return {state: n for state, n in log.states(chosen=scorer).items() if n}


def same_cases(log: Log, told: list[dict[str, Any]], scorer: str | None = None) -> None:
    """The labels, marks and states of all cases, in any order."""
    cases = of(log, scorer)
    named = log.selection(cases).named.tolist()
    found = {case.item: (case, state) for case, state in zip(cases, named, strict=True)}
    assert found.keys() == {str(one["item"]) for one in told}
    for one in told:
        case, state = found[str(one["item"])]
        assert (case.real, case.predicted, case.mark, state) == (
            *(one["real"], one["answer"] or None, one["mark"]),
            one["state"],
        )


def same_measures(log: Log, told: dict[str, Any], scorer: str | None = None, how: str = "errors_as_no_answer") -> None:
    """The measures of the table over all cases that count, errors among them as no answer."""
    table = log.table(chosen=scorer, classes=True if how == "errors_left_out" else None)  # which leaves five items
    about = told["measures"][how]
    assert float(table.n + table.abstained.sum()) == about["n"]
    for measure, name in MEASURES.items():
        assert float(measure(table)) == pytest.approx(about[name], abs=1e-9)


# ---------------------------------------------------------------- recognition


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_a_log_is_recognised_as_its_own_format_and_no_other(kind: str, name: str, tmp_path: Path) -> None:
    path = SAMPLES / name
    if path.is_file():
        path = Path(shutil.copyfile(path, tmp_path / "some file"))
    assert logs.recognise(path) == kind
    head = path.read_bytes()[: 1 << 16].decode("utf-8-sig", "replace") if path.is_file() else ""
    if "\0" not in head:
        certain = [known.name for known in logs.FORMATS.values() if known.certain and known.recognise(head)]
        assert certain == ([kind] if path.is_file() else [])


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_no_log_of_its_own_is_refused(name: str) -> None:
    assert logs.recognise(SAMPLES / name) is None
    with pytest.raises(SourceError, match="the format was not recognised"):
        logs.load(SAMPLES / name)


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_a_description_says_what_the_tool_reports(kind: str, name: str) -> None:
    about = logs.load(SAMPLES / name).describe()
    assert about["format"] == kind
    assert json.dumps(about, default=str)


# ---------------------------------------------------------------- promptfoo


@pytest.mark.parametrize("name", ["sentiment.json", "sentiment13.jsonl"])
def test_promptfoo_has_the_pass_rate_of_each_system(name: str) -> None:
    told = expected("promptfoo")[name]
    found = each(logs.load(SAMPLES / "promptfoo" / name))
    assert list(found) == ["model-a", "model-b"]  # in promptfoo's order, not in that of the rows
    for system, log in found.items():
        about = told["systems"][system]
        same_cases(log, about["cases"], "passed")
        same_measures(log, about, "passed")
        asked = [case for case in log.cases if case.state != "error"]
        if "errors_left_out" in about["measures"]:
            same_measures(Log(**{**vars(log), "cases": asked}), about, "passed", how="errors_left_out")
        assert states(log, "passed") == about["states"]
        assert score(log, "passed") == pytest.approx(about["pass_rate"], abs=1e-12)
        if told["reported"] is not None:
            metrics = told["reported"]["prompts"][system]
            assert own(log, "pass rate") == metrics["testPassCount"] / about["n"]
            share = metrics["namedScores"]["exact"] / metrics["namedScoresCount"]["exact"]
            assert own(log, "exact") == share == pytest.approx(score(log, "exact"), abs=1e-12)


def test_promptfoo_csv_has_the_same_marks_and_no_real_labels() -> None:
    told = expected("promptfoo")["sentiment13.jsonl"]["systems"]
    path = SAMPLES / "promptfoo" / "sentiment13.csv"
    for system, log in each(logs.load(path)).items():
        assert score(log, "passed") == pytest.approx(told[system]["pass_rate"], abs=1e-12)
        assert {case.real for case in log.cases} == {None}
    for system, log in each(logs.load(path, real="expected")).items():
        items = [{**one, "item": json.dumps(_texts(json.loads(one["item"])))} for one in told[system]["cases"]]
        same_cases(log, items, "passed")
    with pytest.raises(SourceError, match="no variable 'label'; there is 'expected', 'n', 'text'"):
        logs.load(path, real="label")


def _texts(values: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items()}


def _rows(name: str = "sentiment13.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / "promptfoo" / name).read_text().splitlines()]


def _written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_several_systems_of_one_log_are_never_pooled() -> None:
    path = SAMPLES / "promptfoo" / "sentiment13.jsonl"
    told = expected("promptfoo")["sentiment13.jsonl"]["systems"]
    table = logs.read_log(path)
    assert table.names == ("model-a", "model-b")
    for at, system in enumerate(table.names):
        about = told[system]["measures"]["errors_as_no_answer"]
        assert float(informedness_of_all(table)[at]) == pytest.approx(about["informedness_of_all"], abs=1e-9)
    assert len(logs.load(path).marks().items) == 26
    said = ok("report", str(path))
    assert "model-a" in said
    assert "model-b" in said
    assert "0.769" in ok("report", str(path.with_suffix(".csv")))  # marks only


def test_the_systems_of_one_log_are_compared() -> None:
    path = SAMPLES / "promptfoo" / "sentiment13.jsonl"
    told = expected("promptfoo")["sentiment13.jsonl"]["systems"]
    found = json.loads(ok("compare", str(path), "--format", "json"))
    a, b = (told[x]["measures"]["errors_as_no_answer"]["informedness_of_all"] for x in ("model-a", "model-b"))
    assert found["measures"]["informedness_of_all"]["estimate"] == pytest.approx(a - b, abs=1e-9)
    one = str(SAMPLES / LOGS["deepeval"][0])
    assert "One log of one system was given" in refused("compare", one)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (LOGS["nanochat"][0], "totals and no answers; an interval needs the examples"),
        (LOGS["simple-evals"][0], "totals and no answers; the answers are in the file named"),
        (LOGS["lighteval"][-2], "totals and no answers; the answers are in the details files"),
    ],
)
def test_totals_alone_have_no_report(name: str, said: str) -> None:
    assert said in refused("report", str(SAMPLES / name))
    with pytest.raises(SourceError, match=said):
        logs.load(SAMPLES / name).marks()


def test_promptfoo_tests_of_equal_variables_are_epochs(tmp_path: Path) -> None:
    """`--repeat` gives every repeat a number of its own."""
    rows = [row for row in _rows() if row["provider"]["label"] == "model-a"]
    again = [{**row, "testIdx": row["testIdx"] + 100} for row in rows]
    log = logs.load(_written(tmp_path / "x.jsonl", [*rows, *again]))
    passed = of(log, "passed")
    assert Counter(case.epoch for case in passed) == {1: 13, 2: 13}
    assert len({case.item for case in passed}) == 13


def test_promptfoo_systems_are_providers_with_prompts_where_there_are_several(tmp_path: Path) -> None:
    rows = _rows()
    rows[0]["prompt"] = {"label": "another"}
    rows[1]["provider"] = "openai:plain"
    log = logs.load(_written(tmp_path / "x.jsonl", rows))
    assert {case.system for case in log.cases} == {
        "model-b, another",
        "openai:plain, Classify: {{text}}",
        "model-a, Classify: {{text}}",
        "model-b, Classify: {{text}}",
    }


def test_promptfoo_failed_assertions_are_no_errors(tmp_path: Path) -> None:
    """`error` is filled for a failed assertion, too."""
    row = next(row for row in _rows() if row["failureReason"] == 1 and row["response"]["output"])
    assert row["error"]
    log = logs.load(_written(tmp_path / "x.jsonl", [row]))
    assert log.cases[0].state is None


def test_promptfoo_real_labels_come_from_one_equals_assertion(tmp_path: Path) -> None:
    row = next(row for row in _rows() if row["failureReason"] == 2)  # never graded
    value = row["testCase"]["assert"]

    def real(asserted: list[dict[str, Any]]) -> Any:
        held = {**row, "testCase": {**row["testCase"], "assert": asserted}}
        return logs.load(_written(tmp_path / "x.jsonl", [held])).cases[0].real

    assert real(value) == row["vars"]["expected"]
    assert real([{"type": "equals", "value": "is {{ expected }}"}]) == f"is {row['vars']['expected']}"
    assert real([{"type": "equals", "value": 3}]) == "3"
    assert real([{"type": "equals", "value": "{{ expected | upper }}"}]) is None
    assert real([*value, *value]) is None
    assert real([{"type": "llm-rubric", "value": "is kind"}]) is None


# ---------------------------------------------------------------- DeepEval


def test_deepeval_has_the_means_of_its_metrics_and_its_pass_rate() -> None:
    told = expected("deepeval")
    log = logs.load(SAMPLES / LOGS["deepeval"][0])
    assert (log.model, log.task) == (told["model"], told["task"])
    for metric in told["metricsScores"]:
        name = metric["metric"]
        about = told["metrics"][name]
        same_cases(log, about["cases"], name)
        assert states(log, name) == about["states"]
        if "measures" in about:
            same_measures(log, about, name)
        assert own(log, "mean score", scorer=name) == pytest.approx(metric["mean_score"], abs=1e-12)
        assert score(log, name) == pytest.approx(metric["mean_score"], abs=1e-12)
    passed = told["testPassed"] / (told["testPassed"] + told["testFailed"])
    assert own(log, "pass rate", scorer="passed") == score(log, "passed") == passed
    assert list(dict.fromkeys(case.fields["scorer"] for case in log.cases)) == ["Exact Match", "Judge", "passed"]


def test_deepeval_conversations_have_marks_and_no_answers(tmp_path: Path) -> None:
    metrics = [{"name": "Role", "score": 0.0, "success": False}]
    test = {"name": "talk", "turns": [{"role": "user", "content": "hi"}], "success": False, "metricsData": metrics}
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"testCases": [], "conversationalTestCases": [test], "metricsScores": []}))
    log = logs.load(path)
    assert logs.recognise(path) == "deepeval"
    assert states(log, "Role") == {"wrong": 1}


# ---------------------------------------------------------------- HELM


@pytest.mark.parametrize("name", ["simple_classification", "simple_mcqa"])
def test_helm_has_its_exact_match(name: str) -> None:
    told = expected(f"helm/{name}")
    log = logs.load(SAMPLES / "helm" / name)
    assert (log.model, log.task) == (told["model"], name)
    same_cases(log, told["cases"], "exact_match")
    same_measures(log, told)  # the first of its marks is the headline
    assert states(log) == told["states"]
    assert own(log, "exact_match") == pytest.approx(score(log), abs=1e-12) == told["exact_match"]
    assert {case.options for case in log.cases} == {2}
    inside = logs.load(SAMPLES / "helm" / name / "scenario_state.json")
    assert inside.cases == log.cases


def _helm(folder: Path, change: Any) -> Path:
    """A copy of a run, whose requests and marks are changed."""
    shutil.copytree(SAMPLES / "helm" / "simple_mcqa", folder)
    for name in ("scenario_state.json", "per_instance_stats.json"):
        path = folder / name
        path.write_text(json.dumps(change(json.loads(path.read_text()))))
    return folder


def test_helm_leaves_perturbed_copies_out(tmp_path: Path) -> None:
    def change(held: Any) -> Any:
        if isinstance(held, list):
            return [*held, *({**entry, "perturbation": {"name": "typos"}, "stats": []} for entry in held)]
        again = [
            {**x, "instance": {**x["instance"], "perturbation": {"name": "typos"}}} for x in held["request_states"]
        ]
        return {**held, "request_states": [*again, *held["request_states"]]}

    log = logs.load(_helm(tmp_path / "run", change))
    assert log.cases == logs.load(SAMPLES / "helm" / "simple_mcqa").cases


def test_helm_options_that_differ_by_item_are_places(tmp_path: Path) -> None:
    """Otherwise every text would be a class."""

    def change(held: Any) -> Any:
        for place, x in enumerate(held["request_states"] if isinstance(held, dict) else []):
            for reference in x["instance"]["references"]:
                reference["output"]["text"] += f" {place}"
            x["output_mapping"] = {key: f"{value} {place}" for key, value in x["output_mapping"].items()}
        return held

    log = logs.load(_helm(tmp_path / "run", change))
    assert {case.real for case in log.cases} == {"A", "B"}
    assert {case.predicted for case in log.cases} == {"A", "B", None}
    assert log.multiple_choice


def test_helm_trials_are_epochs_and_failures_are_errors(tmp_path: Path) -> None:
    def change(held: Any) -> Any:
        if isinstance(held, list):
            return [*held, *({**entry, "train_trial_index": 1} for entry in held)]
        held["request_states"][0]["result"]["success"] = False
        again = [{**x, "train_trial_index": 1} for x in held["request_states"][1:]]
        return {**held, "request_states": [*held["request_states"], *again]}

    log = logs.load(_helm(tmp_path / "run", change))
    exact = of(log, "exact_match")
    assert Counter(case.epoch for case in exact) == {1: 20, 2: 19}
    assert states(log)["error"] == 1


def test_helm_without_marks_is_refused(tmp_path: Path) -> None:
    folder = _helm(tmp_path / "run", lambda held: held if isinstance(held, dict) else [])
    with pytest.raises(SourceError, match=r"per_instance_stats\.json holds no mark"):
        logs.load(folder)
    (folder / "per_instance_stats.json").unlink()
    with pytest.raises(SourceError, match=r"per_instance_stats\.json: it cannot be read"):
        logs.load(folder)


# ---------------------------------------------------------------- lighteval


@pytest.mark.parametrize("model", RUNS)
def test_lighteval_has_its_own_numbers(model: str) -> None:
    told = expected("lighteval")[model]
    for path in sorted((SAMPLES / "lighteval" / "details" / model).rglob("*.parquet")):
        log = logs.load(path)
        assert log.model == model
        assert log.task is not None
        about = told["tasks"][log.task]
        same_cases(log, about["cases"])
        if "measures" in about:
            same_measures(log, about)
        (metric,) = (name for name in told["results"][log.task] if not name.endswith("_stderr"))
        assert own(log, metric) == told["results"][log.task][metric] == pytest.approx(score(log), abs=1e-12)
        assert states(log) == about["states"]
        assert log.multiple_choice == (metric == "acc")


def test_lighteval_results_are_totals() -> None:
    log = logs.load(SAMPLES / "lighteval" / "results" / "org/mock-a" / f"results_{RUNS['org/mock-a']}.json")
    results = expected("lighteval")["org/mock-a"]["results"]
    assert log.cases == ()
    for task, metrics in results.items():
        for name in ("acc", "em"):
            if name in metrics:
                assert own(log, name, task=None if task == "all" else task) == metrics[name]
    assert "totals and no answers" in log.notes[0]


def test_older_details_of_lighteval(tmp_path: Path) -> None:
    path = tmp_path / "details_leaderboard|toy|0_2025-03-01T10-00-00.000000.parquet"
    shutil.copyfile(SAMPLES / "lighteval" / "older.parquet", path)
    told = json.loads((SAMPLES / "lighteval" / "older.expected.json").read_text())
    log = logs.load(path)
    same_cases(log, told["cases"])
    same_measures(log, told)
    assert score(log) == pytest.approx(told["acc"], abs=1e-12)
    assert log.task == "leaderboard|toy|0"


# ---------------------------------------------------------------- SWE-bench


@pytest.mark.parametrize("name", ["org__agent-a.r1.json", "org__agent-b.r1.json"])
def test_swe_bench_counts_every_instance(name: str) -> None:
    told = expected("swe_bench")[name]
    log = logs.load(SAMPLES / "swe_bench" / name)
    assert (log.model, log.facts["run"], len(log.cases)) == (told["model"], told["run"], told["n"])
    assert states(log) == {state.replace(" ", "-"): n for state, n in told["states"].items()}
    assert own(log, "resolved") == pytest.approx(score(log), abs=1e-12) == told["score"]
    assert log.score(count="answered").value == pytest.approx(told["of_answered"], abs=1e-12)
    assert {case.fields["repository"] for case in log.cases} == {"astropy", "django", "sympy"}


def test_swe_bench_agents_agree_as_expected() -> None:
    a, b = (
        {case.item: case.mark for case in logs.load(SAMPLES / "swe_bench" / f"org__agent-{name}.r1.json").cases}
        for name in "ab"
    )
    told = expected("swe_bench")["comparison"]
    pairs = Counter((a[item], b[item]) for item in a)
    assert [pairs[key] for key in ((1, 1), (1, 0), (0, 1), (0, 0))] == [
        told[key] for key in ("both", "only_a", "only_b", "neither")
    ]


def test_swe_bench_version_1_is_read(tmp_path: Path) -> None:
    report = json.loads((SAMPLES / "swe_bench" / "org__agent-a.r1.json").read_text())
    old = {key: value for key, value in report.items() if "failure" not in key} | {"schema_version": 1}
    path = tmp_path / "org__agent-a.r1.json"
    path.write_text(json.dumps(old))
    assert logs.load(path).cases == logs.load(SAMPLES / "swe_bench" / "org__agent-a.r1.json").cases


def test_swe_bench_reports_of_instances_are_a_folder() -> None:
    log = logs.load(SAMPLES / "swe_bench/logs/run_evaluation/r1/org__agent-a")
    whole = {case.item: case for case in logs.load(SAMPLES / "swe_bench" / "org__agent-a.r1.json").cases}
    assert len(log.cases) == 3
    assert all(whole[case.item] == case for case in log.cases)
    assert log.model == "org/agent-a"


def test_swe_bench_lists_must_agree(tmp_path: Path) -> None:
    report = json.loads((SAMPLES / "swe_bench" / "org__agent-a.r1.json").read_text())
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**report, "unresolved_ids": [*report["unresolved_ids"], report["resolved_ids"][0]]}))
    with pytest.raises(SourceError, match="is in `unresolved_ids` and in another list"):
        logs.load(path)
    path.write_text(json.dumps({**report, "total_instances": 31}))
    log = logs.load(path)
    assert "says 31 instances, and its lists hold 30" in log.unfinished
    assert own(log, "resolved") == 9 / 31


# ---------------------------------------------------------------- columns of scores


@pytest.mark.parametrize("name", LOGS["ragas"])
def test_ragas_has_the_means_of_its_summary(name: str) -> None:
    told = expected("ragas")
    log = logs.load(SAMPLES / name)
    for metric, about in told["metrics"].items():
        found = states(log, metric)
        assert score(log, metric) == pytest.approx(told["summary"][metric], abs=1e-12)
        assert len(of(log, metric)) == about["n"]
        assert found.get("unscored", 0) == about["unscored"]
        assert found.get("partial", 0) == about["partial"]
        assert sum(case.predicted is None for case in of(log, metric)) == about["empty_response"]
    assert len({case.real for case in log.cases}) == told["distinct_references"]


@pytest.mark.parametrize("name", LOGS["mlflow-genai"])
def test_mlflow_genai_has_its_metrics(name: str) -> None:
    told = expected("mlflow_genai")
    log = logs.load(SAMPLES / name)
    assert {case.fields["scorer"] for case in log.cases} == told["scorers"].keys()
    for scorer, about in told["scorers"].items():
        cases = of(log, scorer)
        assert score(log, scorer) == pytest.approx(told["metrics"][f"{scorer}/mean"], abs=1e-12)
        assert (len(cases), sum(case.mark is None for case in cases)) == (about["n"], about["unscored"])
        assert states(log, scorer)["error"] == told["errors"]
        unanswered = sum(case.predicted is None and case.state != "error" for case in cases)
        assert unanswered == told["empty"]


def test_langsmith_has_the_means_of_its_feedback() -> None:
    told = expected("langsmith")
    log = logs.load(SAMPLES / "langsmith" / "experiment.csv")
    for key, about in told["feedback"].items():
        scorer = key.removeprefix("feedback.")
        cases = of(log, scorer)
        assert score(log, scorer) == pytest.approx(about["mean"], abs=1e-12)
        assert (len(cases), sum(case.mark is None for case in cases)) == (about["n"], about["unscored"])
        assert states(log, scorer)["error"] == told["errors"]
        assert sum(case.predicted is None and case.state != "error" for case in cases) == told["empty_answers"]
    assert {case.real for case in log.cases} == {"pos", "neg", "neu"}


def test_langsmith_repetitions_are_epochs(tmp_path: Path) -> None:
    header, *rows = (SAMPLES / "langsmith" / "experiment.csv").read_text().splitlines()
    path = tmp_path / "x.csv"
    path.write_text("\n".join([header, *rows, *rows]))
    cases = of(logs.load(path), "exact_match")
    assert Counter(case.epoch for case in cases) == {1: 20, 2: 20}


def test_braintrust_has_the_means_of_its_scores() -> None:
    told = expected("braintrust")
    log = logs.load(SAMPLES / "braintrust" / "experiment.json")
    assert log.model == "mock-a"
    for scorer, about in told["scores"].items():
        cases = of(log, scorer)
        assert len(cases) == told["rows"]
        assert states(log, scorer)["error"] == told["errors"]
        assert score(log, scorer) == pytest.approx(about["mean"], abs=1e-12)
        assert sum(map(counts, cases)) == about["n"]


def _frames(name: str, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The same rows as a list, as lines, and as columns, as pandas writes an object by default."""
    source = SAMPLES / name
    text = source.read_text()
    rows = json.loads(text) if name.endswith("json") else [json.loads(line) for line in text.splitlines()]
    columns = {key: {str(i): row.get(key) for i, row in enumerate(rows)} for row in rows for key in row}
    for way, held in (
        ("list", json.dumps(rows)),
        ("lines", "\n".join(map(json.dumps, rows))),
        ("columns", json.dumps(columns)),
    ):
        path = tmp_path / way
        path.write_text(held)
        yield way, path


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("ragas", "ragas/evaluation.jsonl"),
        ("mlflow-genai", "mlflow_genai/eval_results.json"),
        ("braintrust", "braintrust/experiment.json"),
    ],
)
def test_a_frame_is_the_same_as_a_list_lines_or_columns(kind: str, name: str, tmp_path: Path) -> None:
    whole = logs.load(SAMPLES / name)
    for way, path in _frames(name, tmp_path):
        if kind == "braintrust" and way == "columns":  # events are no frame
            continue
        assert logs.recognise(path) == kind, way
        assert logs.load(path).cases == whole.cases, way


def test_numbers_beyond_0_and_1_are_no_marks(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("user_input,response,reference,likert,exact_match\na,b,b,5,1\nc,d,e,2,0\n")
    log = logs.load(path)
    assert log.notes == ("left out, for their numbers go beyond 0 and 1: likert.",)
    assert score(log) == 0.5
    path.write_text("user_input,response,reference,likert\na,b,b,5\n")
    with pytest.raises(SourceError, match="'likert' go beyond 0 and 1; marks from 0 to 1 are needed"):
        logs.load(path)


def test_other_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("user_input,response,label,answer,topic,ok\nq,It is yes.,yes,yes,law,1\n")
    (case,) = logs.load(path, real="label", predicted="answer").cases
    assert (case.real, case.predicted, case.fields["topic"]) == ("yes", "yes", "law")
    with pytest.raises(SourceError, match="no column 'lable'; there is 'user_input'"):
        logs.load(path, real="lable")


# ---------------------------------------------------------------- simple-evals, nanochat


@pytest.mark.parametrize("name", expected("simple_evals"))
def test_simple_evals_has_its_score(name: str) -> None:
    told = expected("simple_evals")[name]
    log = logs.load(SAMPLES / "simple_evals" / name)
    same_cases(log, told["cases"])
    assert states(log) == told["states"]
    assert own(log, "score") == told["score"] == pytest.approx(score(log), abs=1e-12)
    if "measures" in told:
        same_measures(log, told)
    assert [log.task, log.model] == name.split("_")[:2]
    totals = logs.load(SAMPLES / "simple_evals" / name.replace("_allresults", ""))
    assert {(x.name, x.value) for x in totals.reported} == {(x.name, x.value) for x in log.reported}
    assert totals.cases == ()
    if "is_not_attempted" in told["metrics"]:
        assert log.notes == ("6 of the 9 without credit did not try; the file does not say which.",)


@pytest.mark.parametrize("step", ["000500", "002000"])
def test_nanochat_has_its_core(step: str) -> None:
    told = expected("nanochat")[f"base_model_{step}_examples.jsonl"]
    totals = logs.load(SAMPLES / "nanochat" / f"base_model_{step}.csv")
    assert totals.reported[0].name == "CORE"
    assert own(totals, "CORE") == pytest.approx(told["CORE"], abs=1e-6)
    found = {part.task: part for part in parts(logs.load(SAMPLES / "nanochat" / f"base_model_{step}_examples.jsonl"))}
    centred = []
    for task, about in told["tasks"].items():
        log = found[task]
        (baseline,) = {case.fields["random_baseline"] / 100 for case in log.cases}
        assert len(log.cases) == about["n"]
        assert score(log) == pytest.approx(own(totals, "accuracy", task=task), abs=1e-6)
        assert baseline == about["baseline"]
        centred.append((score(log) - baseline) / (1 - baseline))
        assert centred[-1] == pytest.approx(own(totals, "centered", task=task), abs=1e-6)
    assert sum(centred) / len(centred) == pytest.approx(told["CORE"], abs=1e-12)
    assert {case.options for case in found["hellaswag_zeroshot"].cases} == {4}
    assert {case.options for case in found["lambada_openai"].cases} == {None}


# ---------------------------------------------------------------- what must never change a number

WITH_CASES = [(kind, name) for kind, name in PAIRS if logs.load(SAMPLES / name).cases]
LINES = [
    *(name for _, name in WITH_CASES if name.endswith((".jsonl", ".csv"))),
    *sorted(str(path.relative_to(SAMPLES)) for path in (SAMPLES / "cases/lm_eval").glob("*/samples_*.jsonl")),
]


def numbers(log: Log, chosen: Any) -> list[float]:
    """What is said of a log whatever the order of its cases: the score, its limits, and of its table."""
    found = log.score(chosen=chosen)
    held = [found.value, found.low, found.high]
    if log.closed(chosen=chosen) and len({case.options for case in log.cases}) == 1:
        t = log.table(chosen=chosen)
        held += [float(x) for x in informedness_of_all(t).ravel()] if t.shape else [float(informedness_of_all(t))]
    return held


@pytest.mark.parametrize(("kind", "name"), WITH_CASES)
def test_the_order_of_the_cases_changes_nothing(kind: str, name: str) -> None:
    log = logs.load(SAMPLES / name)
    for one in parts(log):
        turned, which = Log(**{**vars(one), "cases": list(one.cases)[::-1]}), one.scoring(None)
        assert turned.states(chosen=which) == one.states(chosen=which)
        assert numbers(turned, which) == pytest.approx(numbers(one, which), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", LINES)
def test_the_order_of_the_rows_of_a_file_changes_nothing(name: str, tmp_path: Path) -> None:
    path = SAMPLES / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = 1 if name.endswith(".csv") else 0
    turned = tmp_path / path.name
    turned.write_text("".join([*lines[:first], *lines[first:][::-1]]), encoding="utf-8")
    one, other = (parts(logs.load(x)) for x in (path, turned))
    by = {(log.model, log.task): log for log in other}
    for log in one:
        own = by.get((log.model, log.task)) or other[0]
        which = log.scoring(None)  # where nothing else says it, the first of the file is the tool's
        assert own.states(chosen=which) == log.states(chosen=which)
        assert own.score(chosen=which).value == pytest.approx(log.score(chosen=which).value, abs=1e-12)


def test_scorers_that_share_a_key_are_told_apart(tmp_path: Path) -> None:
    """Two judges that each give an object with the key "style" are two scorings, and not the last one twice."""
    values = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)]
    samples = [
        {
            "id": i,
            "epoch": 1,
            "target": "x",
            "scores": {
                "strict": {"value": {"style": a, "tone": a}, "answer": "x"},
                "kind": {"value": {"style": b}, "answer": "x"},
            },
        }
        for i, (a, b) in enumerate(values)
    ]
    told = [
        {"name": "style", "scorer": scorer, "metrics": {"mean": {"name": "mean", "value": value}}}
        for scorer, value in (("strict", 0.75), ("kind", 0.5))
    ]
    path = tmp_path / "two.json"
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "eval_id": "e"}}
    path.write_text(json.dumps({**header, "results": {"scores": told}, "samples": samples}))
    log = logs.load(path)
    assert log.describe()["choices"] == ["strict/style", "tone", "kind/style"]
    for scorer, value in (("strict/style", 0.75), ("kind/style", 0.5)):
        found = log.score(chosen=scorer)
        assert (found.value, found.reported) == pytest.approx((value, value))
    assert log.headline == "strict/style"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "deepeval/test_run_20261116_064332.json",
            "inspect_ai/mixed.eval",
            "conll/out.conll",
            "cases/inspect/*flaky*",
        ),
        *(
            "promptfoo/sentiment13.csv",
            "promptfoo/sentiment.json",
            "nanochat/*500_examples.jsonl",
            "swe_bench/*-a.r1.json",
        ),
    ],
)
def test_every_command_that_describe_prints_runs(name: str) -> None:
    (path,) = SAMPLES.glob(name)
    found = commands(logs.load(path), str(path))
    assert found
    for _, line in found:
        done = run(*shlex.split(line)[1:], "--format", "csv")
        assert done.returncode == 0, (line, done.stderr)
