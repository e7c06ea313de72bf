"""Readings of logs: one page is of the same cases, marks are from 0 to 1, and nothing asked for is overlooked."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import informed
from command_line import ROOT, ok, refused
from informed.errors import InformedError, SourceError
from informed.sources import logs
from informed.sources.logs import Case, Log, openings, reports
from informed.sources.logs.parts import parts
from informed.sources.logs.suites import gathered, tasks_of
from informed.systems.suite import suite

SAMPLES = Path(__file__).parent / "samples"
LM_EVAL, INSPECT = SAMPLES / "cases/lm_eval", SAMPLES / "cases/inspect"
DEEPEVAL = SAMPLES / "deepeval/test_run_20261116_064332.json"


def inspect_log(
    path: Path, values: list[Any], answers: str | None = None, targets: str | None = None, **about: Any
) -> Path:
    """A log of Inspect with a value for each sample; `about` is of its header."""
    told = {"model": "m/a", "task": "t", "eval_id": "e1", "created": "2026-01-01T00:00:00+00:00", **about}
    samples = [
        {"id": i, "epoch": 1, "target": targets[i] if targets else "x", "scores": {"s": {"value": x}}}
        for i, x in enumerate(values)
    ]
    for i, answer in enumerate(answers or ()):
        samples[i]["scores"]["s"]["answer"] = answer  # type: ignore[index]
    held = {"version": 2, "status": "success", "eval": told, "results": {"scores": []}, "samples": samples}
    path.write_text(json.dumps(held))
    return path


def choices(options: list[int], right: list[bool]) -> str:
    """Samples of lm-evaluation-harness, each of so many options."""
    rows = []
    for i, (k, good) in enumerate(zip(options, right, strict=True)):
        best = i % k
        asked = {f"gen_args_{j}": {"arg_0": "c", "arg_1": f" o{j}"} for j in range(k)}
        said = [[str(-1.0 if j == best else -5.0), "False"] for j in range(k)]
        told = {"doc_id": i, "doc": {"q": str(i)}, "target": str(best if good else (best + 1) % k)}
        rows.append({**told, "arguments": asked, "filtered_resps": said, "metrics": ["acc"], "acc": float(good)})
    return "\n".join(map(json.dumps, rows))


# ---------------------------------------------------------------- marks from 0 to 1


def test_numbers_beyond_0_and_1_are_no_marks(tmp_path: Path) -> None:
    """Values 7, 3, 0 and 5 are not three right answers and a wrong one."""
    with pytest.raises(SourceError, match="the numbers of 's' go beyond 0 and 1"):
        logs.load(inspect_log(tmp_path / "x.json", [7, 3, 0, 5] * 5, "abab" * 5, "abba" * 5))

    rows = [
        {"doc_id": i, "doc": {}, "target": "ab"[i % 2], "filtered_resps": ["ab"[i // 2 % 2]], "filter": "none"}
        for i in range(20)
    ]
    marked = [{**row, "metrics": ["chrf"], "chrf": [80.0, 12.5, 3.0, 0.0][i % 4]} for i, row in enumerate(rows)]
    path = tmp_path / "samples.jsonl"
    path.write_text("\n".join(map(json.dumps, marked)))
    log = logs.load(path)
    assert log.states() == {"right": 10, "wrong": 10}, "by the labels"
    assert log.notes == ("left out, for their numbers go beyond 0 and 1: chrf.",)
    with pytest.raises(SourceError, match="the numbers of chrf go beyond 0 and 1"):
        logs.load(path, metric="chrf")

    with pytest.raises(SourceError, match="a mark is 7; marks from 0 to 1 are needed"):
        Log(Path("x"), [Case("a", "a", item="1", mark=7.0), Case("b", "b", item="2", mark=1.0)]).marks()


# ---------------------------------------------------------------- one page, the same cases


def test_a_page_of_some_options_is_of_them_throughout(tmp_path: Path) -> None:
    path = tmp_path / "samples_x.jsonl"
    path.write_text(choices([4] * 10 + [2] * 10, [True] * 10 + [False] * 10))
    found = logs.reading(path, options=4)
    assert found.table is not None
    assert (found.table.n, found.marks.n, found.score.n, found.description["rows"]) == (10, 10, 10, 10)
    assert (found.score.value, found.marks.score, found.description["states"]) == (1.0, 1.0, {"right": 10})
    assert found.score.reported is None, "of these items the tool reports nothing"
    assert "Score 0.500" not in ok("report", str(path), "--option", "options=4")


def test_silenced_answers_are_silent_on_the_whole_page() -> None:
    """Turning right answers into abstentions lowers the score, too."""
    plain, found = (logs.reading(DEEPEVAL, scorer="Exact Match", abstain=x) for x in (None, ["neutral"]))
    assert found.description["states"] == found.marks.states == found.score.states
    silenced = found.marks.states["abstained"] - plain.marks.states.get("abstained", 0)
    lost = plain.marks.states["right"] - found.marks.states["right"]
    assert silenced > lost > 0
    assert found.score.value == pytest.approx(plain.score.value - lost / plain.marks.n)
    held = json.loads(ok("report", str(DEEPEVAL), "--abstain", "neutral", "--format", "json"))
    assert held["states"] == found.description["states"]
    assert held["score"]["value"] == pytest.approx(found.score.value)


def test_a_reducer_keeps_what_counts() -> None:
    flaky = str(next(INSPECT.glob("*flaky*")))
    found = logs.reading(flaky, count="errors")
    reduced = reports.reduced(found, "mode")
    assert reduced.score.value == found.marks.reduce("mode").score != logs.load(flaky).marks().reduce("mode").score
    held = json.loads(ok("report", flaky, "--count", "errors", "--reducer", "mode", "--format", "json"))
    assert held["score"]["value"] == pytest.approx(reduced.score.value)


def test_slices_are_of_the_chosen_scorer() -> None:
    graded = str(next(INSPECT.glob("*_graded_c*")))
    whole, cut = (
        json.loads(ok("report", graded, "--scorer", "match", "--marks", "--format", "json", *more))
        for more in ((), ("--by", "epoch"))
    )
    (group,) = cut["groups"]
    assert (cut["items"], cut["score"], group["items"]) == (whole["items"], whole["score"], whole["items"])
    assert group["score"] == pytest.approx(whole["score"]["value"])


def test_the_level_is_that_of_the_score() -> None:
    agent = str(next(INSPECT.glob("*_agent_9*")))
    wide, narrow = (json.loads(ok("report", agent, "--level", x, "--format", "json"))["score"] for x in ("0.99", "0.5"))
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


# ---------------------------------------------------------------- suites say what is wrong


def two_models(tmp_path: Path) -> tuple[Path, Path]:
    for x in "ab":
        shutil.copytree(LM_EVAL / f"org__model-{x}", tmp_path / x)
        for file in (tmp_path / x).iterdir():
            file.chmod(0o644)
    return tmp_path / "a", tmp_path / "b"


def test_other_gold_in_a_suite_is_an_error_that_names_both_files(tmp_path: Path) -> None:
    a, b = two_models(tmp_path)
    for name in ("bio", "gsm"):  # of classes, and of free answers
        (path,) = b.glob(f"samples_toy_{name}*")
        kept = path.read_text()
        rows = [json.loads(line) for line in kept.splitlines()]
        wrong = next(i for i, row in enumerate(rows) if not row.get("acc", row.get("exact_match")))
        if name == "bio":
            scores = [float(x[0]) for x in rows[wrong]["filtered_resps"]]
            best = scores.index(max(scores))
            rows[wrong]["target"] = next(str(i) for i in range(4) if i != best and str(i) != str(rows[wrong]["target"]))
        else:
            rows[wrong]["target"] = "another"
        path.write_text("\n".join(map(json.dumps, rows)))
        said = refused("compare", str(a), str(b))
        assert "is really" in said
        assert path.name in said
        assert next(a.glob(path.name[:16] + "*")).name in said
        path.write_text(kept)
    ok("compare", str(a), str(b))


def test_the_file_that_set_a_label_is_named() -> None:
    said = [("x", None), ("y", "a"), ("z", "b")]
    held = [Log(Path(name), [Case(real, "a", item="1"), Case("b", "b", item="2")]) for name, real in said]
    with pytest.raises(SourceError, match="really 'a' in y and 'b' in z"):
        logs.paired(held, "lm-eval")


def test_an_attempt_that_is_there_twice_is_refused() -> None:
    twice = [Case("a", x, item="1", epoch=1) for x in "ab"]
    held = [Log(Path(name), [*twice, Case("b", "b", item="2", epoch=1)]) for name in "xy"]
    with pytest.raises(SourceError, match="attempt 1 at the item '1' is there twice"):
        logs.paired(held, "lm-eval")


def test_a_reducer_that_is_none_is_refused_in_a_suite(tmp_path: Path) -> None:
    a, b = two_models(tmp_path)
    assert "no reducer 'nonsense'" in refused("compare", str(a), str(b), "--reducer", "nonsense")
    with pytest.raises(InformedError, match="no reducer 'nonsense'"):
        tasks_of(gathered([str(a), str(b)]), reducer="nonsense")


def test_the_latest_is_that_of_the_header(tmp_path: Path) -> None:
    inspect_log(tmp_path / "zold.json", ["I"] * 9 + ["C"], created="2025-01-01T00:00:00+00:00", eval_id="e1")
    inspect_log(tmp_path / "anew.json", ["C"] * 10, created="2026-01-01T00:00:00+00:00", eval_id="e2")
    found = gathered([str(tmp_path)])
    assert found.logs["a"]["t"].path.name == "anew.json"
    (note,) = found.notes
    assert "was run 2 times; the latest is taken (anew.json)" in str(note)
    for name in ("zold.json", "anew.json"):
        (tmp_path / name).write_text((tmp_path / name).read_text().replace('"created"', '"made"'))
    found = gathered([str(tmp_path)])
    assert "the last by name is taken (zold.json)" in str(found.notes[0])


# ---------------------------------------------------------------- formats


def test_options_that_helm_asks_one_by_one_have_marks_and_no_answers(tmp_path: Path) -> None:
    run = shutil.copytree(SAMPLES / "helm/simple_mcqa", tmp_path / "run")
    whole = logs.load(run)
    state = json.loads((run / "scenario_state.json").read_text())
    alone = [
        {**{k: v for k, v in request.items() if k != "output_mapping"}, "reference_index": i}
        for request in state["request_states"]
        for i in range(len(request["instance"]["references"]))
    ]
    (run / "scenario_state.json").write_text(json.dumps({**state, "request_states": alone}))
    log = logs.load(run)
    assert log.score().value == whole.score().value
    right = log.states()["right"]
    assert log.states() == {"right": right, "wrong": len(state["request_states"]) - right}, "nobody abstained"
    assert "no answers" in log.closed().why

    stats = json.loads((run / "per_instance_stats.json").read_text())
    stats[0]["train_trial_index"] = math.nan
    (run / "per_instance_stats.json").write_text(json.dumps(stats))
    with pytest.raises(SourceError, match=r"the trial of .* is nan; a whole number is needed"):
        logs.load(run)


def one_provider(path: Path) -> Path:
    held = json.loads((SAMPLES / "promptfoo/sentiment.json").read_text())
    told = held["results"]
    name = told["results"][0]["provider"]
    told["results"] = [x for x in told["results"] if x["provider"] == name]
    told["prompts"] = [x for x in told["prompts"] if x["provider"] in (name.get("label"), name.get("id"))]
    path.write_text(json.dumps(held))
    return path


def test_a_promptfoo_file_of_one_provider_meets_its_own_number(tmp_path: Path) -> None:
    log = logs.load(one_provider(tmp_path / "one.json"))
    own = log.own()
    assert own is not None
    assert log.model is not None
    assert log.score().value == pytest.approx(own.value, abs=5e-4)
    assert log.score().reported == own.value
    both = logs.paired([tmp_path / "one.json", SAMPLES / "promptfoo/sentiment.json"])
    assert list(both.names) == ["model-b one", "model-a", "model-b sentiment"]


def test_long_lines_and_deep_values_are_recognised_and_read(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (SAMPLES / "promptfoo/sentiment13.jsonl").read_text().splitlines()]
    deep: dict[str, Any] = {}
    for _ in range(openings.DEPTH + 1):
        deep = {"a": deep}
    states = logs.load(SAMPLES / "promptfoo/sentiment13.jsonl").states()
    for name, more in {"long": {"prompt": {"raw": "x" * 100_000}}, "deep": {"first": deep}}.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps({**more, **row, **more}) for row in rows))
        assert logs.recognise(path) == "promptfoo"
        assert logs.load(path).states() == states


def test_targets_that_python_wrote_are_a_list(tmp_path: Path) -> None:
    """lm-evaluation-harness writes str() of a list."""
    for target, real in (
        ("['Paris', \"it's\"]", "Paris | it's"),
        ("[not a list]", "[not a list]"),
        ("[" * 9999 + "]", None),
    ):
        row = {"doc_id": 0, "doc": {}, "target": target, "filtered_resps": ["paris"], "exact_match": 1.0}
        path = tmp_path / "samples.jsonl"
        path.write_text(json.dumps({**row, "metrics": ["exact_match"]}))
        (case,) = logs.load(path).cases
        assert case.real == (real or target)


# ---------------------------------------------------------------- rows and files in any order


def reversed_json(value: Any) -> Any:
    """A JSON value whose largest list is turned round, or each of its lists of ids."""
    lists: list[list[Any]] = []

    def look(x: Any) -> None:
        if isinstance(x, list):
            lists.append(x)
        for inner in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
            look(inner)

    look(value)
    for held in lists if "resolved_ids" in value else [max(lists, key=lambda x: len(json.dumps(x)))]:
        held.reverse()
    return value


def turned(path: Path, to: Path) -> None:
    """The same log with its rows in the other order."""
    text = "" if path.suffix == ".parquet" else path.read_text("utf-8")
    if path.suffix == ".parquet":
        connection = duckdb.connect()
        source = connection.read_parquet(str(path)).row_number("over () as place", "*").order("place desc")
        source.project("* exclude (place)").write_parquet(str(to))
        connection.close()
    elif path.suffix == ".json":
        to.write_text(json.dumps(reversed_json(json.loads(text))))
    elif path.suffix == ".csv":
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        with to.open("w", newline="") as file:
            csv.writer(file).writerows([header, *reversed(rows)])
    else:
        to.write_text("\n".join(reversed(text.splitlines())) + "\n")


ROWS = [
    *("inspect_ai/mcq.json", "openai_evals/gpt_mcq.jsonl", "mlflow/eval_results_table.json"),
    *(f"promptfoo/{name}" for name in ("sentiment.json", "sentiment13.jsonl", "sentiment13.csv")),
    *("deepeval/test_run_20261116_064332.json", "lighteval/older.parquet", "swe_bench/org__agent-a.r1.json"),
    *("ragas/evaluation.csv", "ragas/evaluation.jsonl", "mlflow_genai/eval_results.csv", "langsmith/experiment.csv"),
    *("mlflow_genai/eval_results.json", "braintrust/experiment.json"),
    *("simple_evals/mmlu_gpt-mock-a_20260102_030405_allresults.json", "nanochat/base_model_000500_examples.jsonl"),
    *sorted(str(x.relative_to(SAMPLES)) for x in LM_EVAL.glob("org__model-a/samples*")),
    *sorted(str(x.relative_to(SAMPLES)) for x in SAMPLES.glob("lighteval/details/org/mock-a/*/*")),
]


@pytest.mark.parametrize("name", ROWS)
def test_the_order_of_rows_changes_nothing(name: str, tmp_path: Path) -> None:
    path = SAMPLES / name
    turned(path, tmp_path / path.name)
    for beside in path.parent.glob("results_*.json"):
        shutil.copy(beside, tmp_path)
    plain, other = (logs.load(x, logs.recognise(path)) for x in (path, tmp_path / path.name))
    assert len(plain.cases) == len(other.cases) > 1
    assert path.read_bytes() != (tmp_path / path.name).read_bytes()
    assert plain.scoring(None) == other.scoring(None)
    held, turned_ = ({(x.model if log.apart else None, x.task): x for x in parts(log)} for log in (plain, other))
    assert held.keys() == turned_.keys()
    for key, log in held.items():
        again = turned_[key]
        assert log.states() == again.states()
        assert log.score().value == pytest.approx(again.score().value, abs=1e-12)
        assert (log.score().low, log.score().high) == pytest.approx((again.score().low, again.score().high))
        assert log.closed() == again.closed()
        if log.closed():
            assert log.table() == again.table()


def test_the_order_of_files_changes_nothing(tmp_path: Path) -> None:
    """Files whose names sort the other way, and systems given the other way round."""
    a, b = two_models(tmp_path)
    (tmp_path / "c").mkdir()
    for i, path in enumerate(sorted(a.glob("samples*"), reverse=True)):
        (tmp_path / "c" / str(i)).mkdir()
        for name in (path.name, next(a.glob("results*")).name):
            shutil.copy(a / name, tmp_path / "c" / str(i) / name)
    one, other, back = (
        json.loads(ok("compare", *map(str, pair), "--format", "json")) for pair in ((a, b), (tmp_path / "c", b), (b, a))
    )
    first, *others = (
        {k: v for k, v in x["differences"][0].items() if isinstance(v, float)} for x in (one, other, back)
    )
    assert {"estimate", "low", "high", "pvalue"} <= first.keys()
    for held in others:  # the better one is first
        assert held == pytest.approx(first)
    assert [x["mean"] for x in one["systems"]] == pytest.approx([x["mean"] for x in other["systems"]])


# ---------------------------------------------------------------- folders of every reader

FOLDERS = {
    **dict.fromkeys(("braintrust", "deepeval", "langsmith", "mlflow_genai", "promptfoo", "ragas", "simple_evals"), 1),
    **dict.fromkeys(("helm", "openai_evals", "lm_eval"), 2),
    **dict.fromkeys(("inspect_ai", "nanochat", "cases/lm_eval"), 4),
    "swe_bench": 1,
    "lighteval": 3,
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_beside_its_copy_differs_by_nothing(name: str, tmp_path: Path) -> None:
    for copy in ("one", "two"):
        shutil.copytree(SAMPLES / name, tmp_path / copy)
    found = gathered([str(tmp_path / "one"), str(tmp_path / "two")])
    tasks, _ = tasks_of(found)
    assert len(tasks) == FOLDERS[name]
    made = suite(tasks)
    names = [str(x) for x in made.systems]
    pairs = [(x, x.removesuffix("one") + "two") for x in names if x.endswith("one")]
    assert len(pairs) * 2 == len(names)
    for first, second in pairs:
        two = suite([replace(task, marks={x: task.marks[x] for x in (first, second)}, answers=None) for task in tasks])
        (gap,) = two.to_dict()["differences"]
        assert gap["estimate"] == 0
    assert {x.removesuffix("one") for x, _ in pairs} == {x.removesuffix("two") for _, x in pairs}


def test_logs_that_do_not_say_whose_they_are_are_passed_over(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "lighteval/older.parquet", tmp_path)
    inspect_log(tmp_path / "a.json", ["C", "I"])
    found = gathered([str(tmp_path)])
    assert set(found.logs) == {"a"}
    (note,) = [note for note in found.notes if note.code == "unreadable"]
    assert "older.parquet does not say whose answers it holds" in str(note)
    assert list(gathered([str(SAMPLES / "lighteval/older.parquet")]).logs) == ["older"]


# ---------------------------------------------------------------- names


def test_a_log_in_two_forms_counts_once(tmp_path: Path) -> None:
    for form in ("eval", "json"):
        shutil.copy(SAMPLES / f"inspect_ai/mcq.{form}", tmp_path)
    held = json.loads((tmp_path / "mcq.json").read_text())
    held["eval"]["eval_id"] = logs.load(tmp_path / "mcq.eval").facts["run"]
    (tmp_path / "mcq.json").write_text(json.dumps(held))
    found = gathered([str(tmp_path)])
    assert {system: list(tasks) for system, tasks in found.logs.items()} == {"model": ["mcq"]}
    assert not found.notes


def test_tricky_names(tmp_path: Path) -> None:
    """Spaces, letters of any script, an equals sign, dots, and names that begin as another does."""
    folders = ["gpt 4", "gpt 4 turbo", "größe-1.5", "größe-1.7", "lr=0.1", "a[1]"]
    for name in folders:
        shutil.copytree(SAMPLES / "lm_eval", tmp_path / name)
    found = gathered([str(tmp_path / name) for name in folders])
    assert list(found.logs) == folders
    assert list(gathered([f"{tmp_path}/lr=0.1/*mc*", f"{tmp_path}/a[1]/*mc*"]).logs) == ["lr=0.1", "a[1]"]
    assert list(gathered([f"x y={tmp_path}/gpt 4", f"org/m={tmp_path}/lr=0.1"]).logs) == ["x y", "org/m"]
    with pytest.raises(SourceError, match="no/lr=1: there is no such file or folder"):
        gathered(["no/lr=1"])


def named_logs(folder: Path, *given: tuple[str, str, str, int]) -> list[str]:
    """What compared logs are called, each of a path, a model, a task and as many epochs."""
    paths = []
    for path, model, task, epochs in given:
        paths.append(str(folder / path))
        Path(paths[-1]).parent.mkdir(parents=True, exist_ok=True)
        scores = {"match": {"value": "C", "answer": "x"}}
        samples = [
            {"id": i, "epoch": e + 1, "target": f"t{i}", "scores": scores} for i in range(4) for e in range(epochs)
        ]
        about = {"task": task, "model": model, "eval_id": Path(path).stem[-22:]}
        held = {"version": 2, "status": "success", "eval": about, "results": {"scores": []}}
        Path(paths[-1]).write_text(json.dumps({**held, "samples": samples}))
    names = list(logs.paired_marks(paths))
    if len({task for _, _, task, _ in given}) == 1:
        assert list(gathered(paths).logs) == names, "files and suites are called alike"
    return [str(name) for name in names]


DAY1, DAY2 = (f"2026-01-0{i}T00-00-00+00-00_t_{letter * 22}.json" for i, letter in ((1, "a"), (2, "b")))
LONG = "a-model-with-a-very-long-name-that-goes-on-and-on"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([("x.json", "mockllm/x", "t", 1), ("y.json", "mockllm/y", "t", 1)], ["x", "y"]),
        ([("x.json", "org/a/m", "t", 1), ("y.json", "org/b/m", "t", 1)], ["a/m", "b/m"]),
        ([("x.json", "org/m", "t", 1), ("y.json", "n", "t", 1)], ["org/m", "n"]),
        ([(DAY1, "org/m", "t", 1), (DAY2, "org/m", "t", 3)], ["m 1 epoch", "m 3 epochs"]),
        ([(DAY1, "m", "short", 1), (DAY2, "m", "plain", 1)], ["m short", "m plain"]),
        ([(f"run1/{DAY1}", "m", "t", 1), (f"run2/{DAY2}", "m", "t", 1)], ["run1", "run2"]),
        (
            [(f"run1/{DAY1}", "m", "t", 1), (f"run2/{DAY2}", "m", "t", 1), ("c.json", "n", "t", 1)],
            ["m run1", "m run2", "n"],
        ),
        ([(DAY1, "m", "t", 1), (DAY2, "m", "t", 1)], ["m 2026-01-01", "m 2026-01-02"]),
        (
            [("x.json", f"{LONG}-1", "t", 1), ("y.json", f"{LONG}-2", "t", 1)],
            [f"{LONG[:19]}…{LONG[-18:]}-{i}" for i in (1, 2)],
        ),
    ],
)
def test_systems_have_the_shortest_name_that_tells_them_apart(
    given: list[tuple[str, str, str, int]], names: list[str], tmp_path: Path
) -> None:
    assert named_logs(tmp_path, *given) == names
    assert all(len(name) <= 40 for name in names)


def test_a_name_is_for_one_system() -> None:
    with pytest.raises(SourceError, match=r"x= names 'org/model-a', 'org/model-b' of 'toy_bio'; a name is for one"):
        gathered([f"x={LM_EVAL}"])
    assert "a name is for one system" in refused("compare", f"x={SAMPLES / 'promptfoo'}", str(LM_EVAL))


def test_a_log_in_which_nothing_counts_says_what_became_of_it(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = [f"q{i},{'ab'[i % 2]},{'ab'[i // 10]}," for i in range(20)]
    path.write_text("\n".join(["user_input,response,reference,exact_match", *rows]))
    assert "none of its cases counts (20 unscored)" in refused("report", str(path))


def test_a_constant_target_makes_no_classes(tmp_path: Path) -> None:
    """An agent whose every task asks for "done" is right or wrong: its wrong answers were taken for no answers."""
    scores = [("C", "done")] * 12 + [("I", "it is not possible")] * 5 + [("I", None)] * 3
    found = {}
    for name, targets in (("same", ["done"] * 20), ("own", [f"done {i}" for i in range(20)])):
        samples = [
            {"id": i, "epoch": 1, "target": target, "scores": {"match": {"value": value, "answer": answer}}}
            for i, (target, (value, answer)) in enumerate(zip(targets, scores, strict=True))
        ]
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"version": 2, "status": "success", "eval": {"task": name}, "samples": samples}))
        found[name] = logs.load(path)
    assert found["same"].states() == found["own"].states() == {"right": 12, "wrong": 5, "abstained": 3}
    assert not found["same"].closed()
    assert found["same"].closed().why.startswith("Every item asks for 'done'")
    assert found["same"].states(labels=["done", "failed"]) == {"right": 12, "abstained": 8}, "classes that are declared"


@pytest.mark.parametrize("reducer", ["mean", "max", "pass_at_2", "pass_hat_2", "mode"])
def test_what_a_reducer_leaves_out_is_said(reducer: str) -> None:
    """The number with errors as failures is that of --count errors, whatever is made of the attempts at an item."""
    path = next((ROOT / "tests/samples/cases/inspect").glob("*flaky*"))
    found = reports.reduced(logs.reading(path), reducer)
    counted = reports.reduced(logs.reading(path, count="errors"), reducer)
    told = reports.score_of(found)
    assert told.left_out == 4
    assert told.with_left_out == pytest.approx(counted.marks.score)
    assert reports.score_of(counted).left_out == 0
    page = informed.report(found.marks, **reports.about(found, ["flaky"], marks=True)).sentence()
    assert "4 of 28 cases ended in an error and are left out" in page
    assert "are not right" not in page


def test_a_log_where_columns_are_needed_is_called_a_log(tmp_path: Path) -> None:
    """Not an Excel file, and not by options that nobody typed or that the command does not have."""
    samples = ROOT / "tests/samples"
    log = tmp_path / "run.eval"
    shutil.copy(next((samples / "cases/inspect").glob("*_mc_*")), log)
    said = f"{log} is an evaluation log of Inspect AI and has no columns; `informed report {log}` reads it."
    assert said in refused("judge", str(log), "--verdict", "a", "--gold", "b")
    assert said in refused("verify", str(log), "--predicted", "a", "--gold", "b")
    other = tmp_path / "x.xlsx"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("data.csv", "a,b\n1,2\n")
    assert "is a zip archive and not an Excel file" in refused("verify", str(other), "--predicted", "a", "--gold", "b")

    human = tmp_path / "human.csv"
    human.write_text("id,p\n1,a\n")
    told = refused("report", str(log), str(human), "--on", "id")
    assert "is a log, which has its real labels and cannot be joined with another file" in told
    assert "join=" not in told
    answers = ("--on", "id", "--real", "p", "--predicted", "p2")
    for one in (log, samples / "inspect_ai/mcq.json"):
        told = refused("report", str(human), str(one), *answers)
        assert f"It was recognised as “Inspect AI log”, which `informed report {one}` reads." in told
    graded = str(next((samples / "cases/inspect").glob("*graded_c*")))
    told = refused("sample-size", "0.3", "--like", graded)
    assert "marks" not in told.partition("classes:")[2]
    assert "Force a table (--option classes=True)." in told
    told = refused("sample-size", "0.3", "--like", str(log))
    assert f"{log} has neither units nor items that were asked several times" in told
    promptfoo = str(samples / "promptfoo/sentiment.json")
    for call in (("judge", promptfoo), ("roc", promptfoo, "--real", "a", "--score", "b")):
        told = refused(*call)
        assert f"It was recognised as “promptfoo output”, which `informed report {promptfoo}` reads." in told
    assert "“Inspect AI log”" in refused("judge", str(log))
    told = refused("report", promptfoo, "--option", "provider=x")
    assert "it has 'real', 'scorer', 'system', 'task'. A provider is a system here." in told


def test_a_scorer_on_a_scale(tmp_path: Path) -> None:
    """Of {"fluency": 3, "correct": 1} both are read: the first on its scale from 1 to 5, which has to be said."""
    path = tmp_path / "graded.json"
    ratings = [1, 3, 5, 4, 2, 5]
    samples = [
        {"id": i, "epoch": 1, "target": "x", "scores": {"judge": {"value": {"fluency": n, "correct": i % 2}}}}
        for i, n in enumerate(ratings)
    ]
    scores = [
        {"name": name, "scorer": "judge", "metrics": {"mean": {"value": value}, "stderr": {"value": 0.6}}}
        for name, value in (("correct", 0.5), ("fluency", 20 / 6))
    ]
    held = {"version": 2, "status": "success", "eval": {"task": "t"}, "results": {"scores": scores}, "samples": samples}
    path.write_text(json.dumps(held))
    assert logs.load(path).scorings() == ["correct"]
    told = refused("report", str(path), "--scorer", "fluency")
    assert "Its numbers go beyond 0 and 1. If they are on a scale, say from where to where, as in " in told
    assert "--option scale=fluency:1:5" in told

    for scale in ("fluency:1:5", {"fluency": (1, 5)}):
        log = logs.load(path, scale=scale)
        assert log.scorings() == ["fluency", "correct"]
        marks = log.marks(chosen="fluency")
        assert marks.score == pytest.approx((sum(ratings) / 6 - 1) / 4)
        assert sorted(marks.mark) == pytest.approx([0, 0.25, 0.5, 0.75, 1, 1])
        assert dict(marks.states) == {"right": 2, "wrong": 1, "partial": 3}  # the lowest number is an answer, too
        score = log.score(chosen="fluency")
        assert score.reported == pytest.approx(score.value)
        assert log.marks(chosen="correct").score == 0.5
    around = logs.load(path, scale="correct:-1:1").marks(chosen="correct")
    assert sorted(around.mark) == pytest.approx([0.5] * 3 + [1] * 3)
    assert dict(around.states) == {"right": 3, "partial": 3}
    said = ok("report", str(path), "--option", "scale=fluency:1:5", "--scorer", "fluency", "--full")
    assert said.startswith("Score 0.583 [")
    assert "fluency was rated from 1 to 5, and is given from 0 to 1." in said
    for wrong, why in (
        ("fluency:1:4", "'fluency' has the number 5, outside of its scale 1 to 4."),
        ("tone:1:5", "names the scorer 'tone'; there is 'correct' and 'fluency'."),
        ("fluency", "name a scorer with its lowest and its highest number, as in fluency:1:5."),
        ("fluency:5:1", "name a scorer with its lowest and its highest number"),
    ):
        with pytest.raises(SourceError) as error:
            logs.load(path, scale=wrong)
        assert why.replace("' and '", "', '") in str(error.value).replace("' and '", "', '")
