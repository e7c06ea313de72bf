"""Suites: many tasks of many systems, found below folders, and the mean over them."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from command_line import ROOT, ok, refused, run
from informed import InformedError, Marks
from informed.sources.logs.suites import gathered, is_suite, tasks_of
from informed.systems.suite import Task, states_of, suite

LM_EVAL = ROOT / "tests/samples/cases/lm_eval"
INSPECT = ROOT / "tests/samples/cases/inspect"
A, B = (str(LM_EVAL / f"org__model-{x}") for x in "ab")


def test_two_models_on_four_tasks() -> None:
    """The method page's own numbers: 0.528 and 0.257, centred 0.526 and 0.224."""
    held = json.loads(ok("compare", A, B, "--format", "json"))
    first, second = held["systems"]
    assert (first["system"], second["system"]) == ("model-a", "model-b")
    assert [first["mean"], second["mean"]] == pytest.approx([0.528, 0.257], abs=5e-4)
    assert [first["centred"], second["centred"]] == pytest.approx([0.526, 0.224], abs=5e-4)
    (gap,) = held["differences"]
    assert gap["estimate"] == pytest.approx(0.271, abs=5e-4)
    assert gap["low"] < gap["estimate"] < gap["high"]
    assert held["items"] == 64
    for row in held["each"]:
        assert row["score"] == pytest.approx(row["reported"], abs=5e-4)
    said = ok("compare", A, B)
    assert said.startswith(
        "model-a is better than model-b: +0.271 [0.026, 0.516] informedness (3 tasks) and score (1), mean of 4 tasks"
    )
    assert "passed over" not in said, "the results files are read beside their samples"
    own = {(x["system"], x["name"]): x["value"] for x in held["reported"]}
    assert own == {("model-a", "toy_mmlu, acc"): 0.6875, ("model-b", "toy_mmlu, acc"): 0.46875}


def test_a_mean_of_several_kinds_of_numbers_is_called_so() -> None:
    """Informedness and scores in one mean are named, and gates of informedness are of the tasks that have it."""
    found = gathered([A])
    tasks, _ = tasks_of(found)
    s = suite(tasks)
    own = [x for x, kind in zip(s.each["estimate"][0], s.values, strict=True) if kind == "informedness"]
    assert s.averaged == {"informedness": 3, "score": 1}
    value, low, high = (float(x[0]) for x in s.of_kind("informedness"))
    assert value == pytest.approx(np.mean(own))
    assert low < value < high
    alone = suite([task for task, kind in zip(tasks, s.values, strict=True) if kind == "informedness"])
    assert (alone.mean[0], alone.low[0], alone.high[0]) == pytest.approx((value, low, high))
    assert alone.called == alone.leads == "informedness"
    said = ok("report", A)
    assert f"Informedness alone, 3 tasks: {value:.3f} [{low:.3f}, {high:.3f}]. Score alone, 1 task: 0.438 [" in said

    def code(*gate: str) -> int:
        return run("report", A, *gate).returncode

    assert [code("--fail-under", f"informedness={x}") for x in (0.55, 0.57)] == [0, 1]
    assert [code("--fail-under", f"mean={x}") for x in (0.52, 0.55)] == [0, 1]
    assert [code("--decide", x) for x in ("informedness=0.2", "informedness=0.5", "mean=0.2", "mean=0.9")] == [
        0,
        3,
        0,
        1,
    ]
    assert "there are informedness=0.5" in refused("report", A, "--fail-under", "recall=0.5")


def test_a_folder_with_several_models_is_several_systems() -> None:
    assert ok("compare", str(LM_EVAL)).splitlines()[0] == ok("compare", A, B).splitlines()[0]
    one = ok("report", A)
    assert one.startswith("model-a: informedness (3 tasks) and score (1) 0.528 [")
    assert ok("compare", f"new={A}", f"old={B}").startswith("new is better than old: +0.271")
    both = ok("compare", f"x={A}/*bio*", f"x={A}/*law*", f"y={B}")
    assert "mean of 2 tasks" in both
    assert "2 tasks that not every system has are left out: 'toy_gsm' and 'toy_yn'." in both.replace(",", " and")


def test_a_task_that_was_run_twice_counts_once(tmp_path: Path) -> None:
    shutil.copytree(A, tmp_path / "a")
    (old,) = (tmp_path / "a").glob("*bio*")
    (results,) = (tmp_path / "a").glob("results*")
    for path in (old, results):
        shutil.copy(path, tmp_path / "a" / path.name.replace("2026-11-16", "2026-11-15"))
    found = gathered([str(tmp_path / "a")])
    assert list(found.logs["model-a"]) == ["toy_bio", "toy_gsm", "toy_law", "toy_yn"]
    assert found.logs["model-a"]["toy_bio"].path.name == old.name
    assert any(note.code == "run-again" for note in found.notes)


def test_gates_of_a_suite() -> None:
    assert run("compare", B, A, "--fail-worse", "0").returncode == 1
    assert run("compare", A, B, "--fail-worse", "0").returncode == 0
    assert (
        "it is not shown that model-b is worse than model-a by less than 0.02"
        in run("compare", B, A, "--fail-unless", "0.02").stderr
    )


def test_a_task_left_out_by_the_better_half_stops_the_gate(tmp_path: Path) -> None:
    """Deleting the rows of hard items: they were not run, and no gate is checked."""
    shutil.copytree(B, tmp_path / "b")
    for path in (tmp_path / "b").glob("samples_*"):
        lines = path.read_text().splitlines()
        path.write_text("\n".join(lines[: len(lines) * 3 // 4]) + "\n")
    done = run("compare", str(tmp_path / "b"), A, "--fail-worse", "0.5")
    assert done.returncode == 3
    assert "12 of 64 cases of model-b were not run (19 %), more than 5 %: no gate was checked." in done.stderr


def test_logs_of_marks_are_compared() -> None:
    two = sorted(map(str, INSPECT.glob("*_agent_*")))
    said = ok("compare", *two)
    assert said.startswith("agent-a is better than agent-b: accuracy, solved +0.310 [")
    assert is_suite([str(INSPECT)])
    assert not is_suite(two)


def test_what_a_log_holds_is_listed() -> None:
    path = str(next(INSPECT.glob("*graded_c*")))
    said = ok("describe", path)
    assert f"informed report {path} --scorer match" in said
    assert "states    6 right, 3 wrong, 2 abstained, 3 unscored" in said
    held = json.loads(ok("describe", path, "--format", "json"))
    assert held[0]["commands"]["scorer judge"].endswith("--scorer judge")
    assert "is no evaluation log" in refused("describe", "examples/digits.csv")


def made(seed: int, skill: float, n: int = 40) -> Marks:
    rng = np.random.default_rng(seed)
    return Marks.from_columns(mark=(rng.random(n) < skill).astype(float), item=[f"q{i}" for i in range(n)], options=4)


def test_the_interval_of_a_mean_holds_it() -> None:
    """Four tasks of 40 questions with known skills, 120 times."""
    skills = [0.4, 0.55, 0.7, 0.9]
    truth = float(np.mean([(x - 0.25) / 0.75 for x in skills]))
    inside = 0
    for run_ in range(120):
        tasks = [Task(str(i), {"a": made(10 * run_ + i, x)}) for i, x in enumerate(skills)]
        found = suite(tasks)
        inside += bool(found.low[0] <= truth <= found.high[0])
    assert 0.91 < inside / 120 < 0.99


def test_weights_and_random_tasks() -> None:
    tasks = [
        Task(str(i), {"a": made(i, 0.5 + 0.1 * i, 20 * (i + 1)), "b": made(50 + i, 0.5, 20 * (i + 1))})
        for i in range(4)
    ]
    plain, heavy, drawn = suite(tasks), suite(tasks, weight="items"), suite(tasks, sampling="random")
    sizes = np.array([20, 40, 60, 80])
    assert heavy.mean[0] == pytest.approx(float(plain.each["estimate"][0] @ sizes / sizes.sum()))
    assert drawn.mean.tolist() == plain.mean.tolist()
    spread = float(plain.each["estimate"][0].std(ddof=1)) / 2
    assert float(drawn.high[0] - drawn.mean[0]) == pytest.approx(3.182446 * spread)  # t of 3
    assert all(x >= y for x, y in zip(plain.by_task["adjusted"], plain.by_task["pvalue"], strict=True))
    with pytest.raises(InformedError, match="One task says nothing of others"):
        suite(tasks[:1], sampling="random")
    with pytest.raises(InformedError, match="no task"):
        suite([])


def test_few_items_or_tasks_that_agree_are_no_proof() -> None:
    """Three items all for one system: the exact p-value is 1/4; of two tasks with the same gap, nothing is known."""

    def marked(a: list[float], b: list[float]) -> Task:
        items = [f"q{i}" for i in range(len(a))]
        return Task("t", {x: Marks.from_columns(mark=y, item=items) for x, y in (("a", a), ("b", b))})

    three = suite([marked([1, 1, 1], [0, 0, 0])]).gaps.dicts()[0]
    assert 0.2 < three["pvalue"] < 0.35
    assert three["low"] < 0 < three["high"] == 1
    partial = suite([marked([0.9, 0.8, 0.7], [0.8, 0.7, 0.6])]).gaps.dicts()[0]
    assert partial["pvalue"] == pytest.approx((10 / 11) ** 3, rel=0.01)  # as one item in eleven worse by 1 would do
    twice = suite([marked([1, 1, 1, 0, 1], [0, 1, 1, 0, 1])] * 2, sampling="random").gaps.dicts()[0]
    assert twice["low"] < 0 < twice["pvalue"]
    assert suite([marked([0, 0, 0, 0.1], [0.2, 0, 0, 0])] * 2, sampling="random").low.min() == 0


def test_few_tasks_find_no_difference_where_there_is_none() -> None:
    """Three tasks of ten items that stand for others, and two equal systems, 40 times."""
    rng = np.random.default_rng(4)
    items, found = [f"q{i}" for i in range(10)], 0
    for _ in range(40):
        right = (rng.normal(size=(3, 10, 1)) + rng.normal(0.3, 1, (3, 10, 2)) > 0).astype(float)
        tasks = [
            Task(str(i), {x: Marks.from_columns(mark=right[i, :, s], item=items) for s, x in enumerate("ab")})
            for i in range(3)
        ]
        found += suite(tasks, sampling="random").gaps.dicts()[0]["pvalue"] < 0.05
    assert found <= 4  # 2 are expected, and of the normal quantile 7


def test_items_that_were_not_run_are_counted_as_their_cases() -> None:
    """Twenty items asked five times each, four of them deleted: a fifth was not run."""
    item, mark = np.repeat(np.arange(20), 5), np.ones(100)
    whole, part = (Marks.from_columns(mark=mark[:n], item=item[:n]) for n in (100, 80))
    held = states_of([Task("t", {"a": part, "b": whole})])["a"]
    assert held == {"right": 80, "not-run": 20}


def test_more_tasks_take_time_in_proportion(tmp_path: Path) -> None:
    """Four times as many tasks take four times as long, not sixteen; processor time, which other work moves little."""
    taken = {}
    for size in (4, 4, 16):  # the first is a warm-up
        for model in (A, B):
            (source,) = Path(model).glob("*bio*")
            folder = tmp_path / str(size) / Path(model).name
            folder.mkdir(parents=True, exist_ok=True)
            for task in range(size):
                shutil.copy(source, folder / f"samples_task{task}_2026-11-16T07-01-04.476462.jsonl")
        start = time.process_time()
        tasks, _ = tasks_of(gathered([str(tmp_path / str(size) / Path(x).name) for x in (A, B)]))
        assert len(suite(tasks).tasks) == size
        taken[size] = time.process_time() - start
    assert taken[16] < 9 * taken[4]


def examples(folder: Path, model: str, marks: dict[str, list[int]], baseline: dict[str, float]) -> None:
    """Examples and totals as nanochat's users and nanochat itself write them."""
    rows = [
        {"task": task, "idx": i, "num_choices": 2, "random_baseline": baseline[task], "is_correct": bool(x)}
        for task, own in marks.items()
        for i, x in enumerate(own)
    ]
    (folder / f"{model}_examples.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    (folder / f"{model}.csv").write_text("Task, Accuracy, Centered\nCORE, , 0.123456\n")


def test_what_guessing_gets_is_what_the_log_says(tmp_path: Path) -> None:
    """CORE: a task of two options whose baseline is 62 %, and one in which guessing gets nothing."""
    marks = {"boolq": [1] * 12 + [0] * 8, "lambada": [1] * 6 + [0] * 14}
    for model in ("m1", "m2"):
        examples(tmp_path, model, marks, {"boolq": 62.0, "lambada": 0.0})
    held = json.loads(ok("compare", str(tmp_path), "--format", "json"))
    core = ((0.6 - 0.62) / 0.38 + 0.3) / 2
    assert [x["mean"] for x in held["systems"]] == pytest.approx([core, core])
    assert [x["centred"] for x in held["systems"]] == pytest.approx([core, core])
    assert {x["name"]: x["value"] for x in held["reported"]} == {"CORE": pytest.approx(0.123456)}
    assert "centred accuracy" in ok("compare", str(tmp_path)).splitlines()[0]
    m = Marks.from_columns(mark=[1, 0, 1, 1], options=4, chance=[0.5, np.nan, np.nan, 0.0])
    assert m.guessing.tolist() == [0.5, 0.25, 0.25, 0.0]
    assert m.centred_values().tolist() == pytest.approx([1, -1 / 3, 1, 1])
    assert Marks.from_json(m.to_json()) == m
    with pytest.raises(InformedError, match="from 0 to below 1"):
        Marks.from_columns(mark=[1, 0], chance=1.0).centred()


def test_bars_of_a_suite_are_checked() -> None:
    assert run("report", A, "--fail-under", "informedness=0.5", "--fail-under", "score=0.6").returncode == 0
    done = run("report", A, "--fail-under", "informedness.low=0.4")
    assert done.returncode == 1
    assert (
        "model-a: the lower limit of mean informedness of 3 of 4 tasks is 0.363 and misses 0.4 by 0.037." in done.stderr
    )
    assert run("report", A, "--fail-under", "centred=0.6").returncode == 1
    assert run("report", A, "--fail-under", "coverage=0.95").returncode == 1
    assert "is no gate of a suite; there are informedness=0.5" in refused("report", A, "--fail-under", "recall=0.5")


@pytest.mark.parametrize(
    "given",
    [
        ("report", A, "--against", "informedness=0.5"),
        ("report", A, "--by", "x"),
        ("report", A, "--baseline", "README.md"),
        ("report", A, "--cost", "5:1"),
        ("compare", A, B, "--measure", "accuracy"),
        ("compare", A, B, "--margin", "0.1"),
        ("compare", A, B, "--item", "x"),
        ("compare", A, B, "--classes"),
    ],
)
def test_what_is_not_for_a_suite_is_refused(given: tuple[str, ...]) -> None:
    said = refused(*given)
    option = next(x for x in given if x.startswith("--"))
    assert option in said


def test_a_baseline_is_last_and_the_gate_of_many(tmp_path: Path) -> None:
    done = run("compare", A, B, "--baseline", "model-a", "--fail-worse", "0", "--format", "json")
    assert done.returncode == 1
    (gap,) = json.loads(done.stdout)["differences"]
    assert (gap["a"], gap["b"]) == ("model-b", "model-a")
    assert gap["estimate"] == pytest.approx(-0.271, abs=5e-4)
    assert ok("compare", A, B, "--baseline", "model-a").startswith("model-b is worse than model-a: -0.271")
    three = (A, B, f"again={A}")
    assert "3 systems; a gate takes two, or needs --baseline" in refused("compare", *three, "--fail-worse", "0")
    assert run("compare", *three, "--baseline", "model-b", "--fail-worse", "0").returncode == 0
    assert "it can be 'model-a' or 'model-b'" in refused("compare", A, B, "--baseline", "x")


def test_the_choices_of_a_suite_are_said() -> None:
    assert "mean of 4 tasks weighed by their items" in ok("compare", A, B, "--weight", "items")
    assert "Means over tasks that stand for others" in ok("compare", A, B, "--tasks", "random").replace("\n", " ")
    assert "54 shared items answered by all" in ok("compare", A, B, "--count", "answered").replace("\n", " ")
    assert ok("compare", A, B, "--marks").startswith("model-a is better than model-b: +0.302")
    assert "x has 'toy_bio'; y has 'toy_law'" in refused("compare", f"x={A}/*bio*", f"y={B}/*law*")


def test_leaving_out_a_task_stops_the_gate(tmp_path: Path) -> None:
    """A task that is deleted, or cannot be read, may be the hard one."""
    shutil.copytree(B, tmp_path / "b")
    (hard,) = (tmp_path / "b").glob("*samples_toy_yn*")
    gate = ("compare", str(tmp_path / "b"), A, "--fail-worse", "0.9")
    assert run(*gate).returncode == 0
    hard.write_text('{"doc_id": 1, "doc": {\n')
    done = run(*gate)
    assert done.returncode == 3
    assert "16 of 64 cases of model-b were not run (25 %), more than 5 %: no gate was checked." in done.stderr
    alone = run("report", str(tmp_path / "b"), "--fail-under", "score=0.1")
    assert alone.returncode == 3
    hard.unlink()
    assert run(*gate).returncode == 3
    assert run(*gate, "--max-not-run", "0.3").returncode == 0


def test_the_same_model_twice_is_told_apart(tmp_path: Path) -> None:
    for name in ("first", "second"):
        shutil.copytree(A, tmp_path / name)
    said = ok("compare", str(tmp_path / "first"), str(tmp_path / "second"))
    assert said.startswith("first and second cannot be told apart")
    assert "There is one system, 'model-a'; informed report is for it." in refused("compare", A)


def test_nothing_that_was_asked_is_overlooked() -> None:
    """Where marks are compared, too, and whatever is chosen with --option."""
    two = sorted(map(str, INSPECT.glob("*_agent_*")))
    for given in (
        ("--fold", "x"),
        ("--method", "t"),
        ("--sampling", "fixed-reals"),
        ("--score", "q"),
        ("--tasks", "random"),
        ("--weight", "items"),
        ("--design", "repeated"),
        ("--labels", "a,b"),
    ):
        assert given[0] in refused("compare", *two, *given)
    assert "None of these logs has 'scorer'; there is" in refused("compare", A, B, "--scorer", "x")
    yes = [str(next(Path(x).glob("*toy_yn*"))) for x in (A, B)]
    assert ok("compare", *yes, "--option", "filter=none") == ok("compare", *yes).replace(
        yes[1], f"{yes[1]} --option filter=none"
    )
    assert ok("compare", *yes, "--reducer", "majority").startswith(
        "model-a and model-b cannot be told apart: acc, majority"
    )
    assert "--scorer is of evaluation logs" in refused(
        "compare", "examples/digits.csv", "--real", "digit", "--predicted", "x", "--scorer", "x"
    )


def test_any_field_of_a_log_can_be_the_unit(tmp_path: Path) -> None:
    """Of marks, of answers that are classes, and of the tasks of a suite; a field that is not there is said."""
    for model in (A, B):
        for path in Path(model).glob("samples_toy_[by]*"):
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            for row in rows:
                row["doc"]["page"] = f"p{row['doc_id'] // 4}"
            held = tmp_path / Path(model).name / path.name
            held.parent.mkdir(exist_ok=True)
            held.write_text("\n".join(map(json.dumps, rows)) + "\n")
    folders = [str(tmp_path / Path(x).name) for x in (A, B)]
    yes = [str(next(Path(x).glob("*toy_yn*"))) for x in folders]

    for given in (folders, yes, [*yes, "--marks"]):
        plain, paged = (ok("compare", "--full", *given, *more).splitlines()[0] for more in ((), ("--unit", "page")))
        (one, limits), (same, others) = (x.split("[", 1) for x in (plain, paged))
        assert one.split()[-1] == same.split()[-1], "the estimate"
        assert limits != others
        assert "'passage' is no field of this log; group by one of" in refused("compare", *given, "--unit", "passage")
    assert "by page" in ok("compare", "--full", *yes, "--by", "page").lower()


def test_bars_of_a_comparison_are_of_its_first_system() -> None:
    agents = sorted(map(str, INSPECT.glob("*_agent_*")))
    done = run("compare", *agents, "--fail-under", "score=0.6", "--fail-under", "coverage=1")
    assert (done.returncode, done.stderr) == (1, "gate failed: agent-a: score is 0.524 and misses 0.6 by 0.076.\n")
    assert run("compare", *agents[::-1], "--fail-under", "score=0.3").returncode == 1
    assert run("compare", *agents, "--fail-under", "score=0.5", "--baseline", "agent-b").returncode == 0
    assert "Gate the score" in refused("compare", *agents, "--fail-under", "informedness=0.1")
    assert run("compare", A, B, "--fail-under", "informedness=0.5").returncode == 0
    assert run("compare", B, A, "--fail-under", "informedness=0.5").returncode == 1
    yes = [str(next(Path(x).glob("*toy_yn*"))) for x in (A, B)]
    done = run("compare", *yes, "--fail-under", "informedness.low=0.4", "--fail-under", "score=0.7")
    assert done.returncode == 1
    assert done.stderr.startswith("gate failed: model-a: the lower limit of informedness is ")


def test_a_task_without_a_shared_item_is_named(tmp_path: Path) -> None:
    for model, start in ((A, 0), (B, 1)):
        for path in Path(model).glob("samples_toy_[by]*"):
            rows = path.read_text().splitlines()
            held = tmp_path / Path(model).name / path.name
            held.parent.mkdir(exist_ok=True)
            held.write_text("\n".join(rows[start::2] if "yn" in path.name else rows) + "\n")
    said = refused("compare", *(str(tmp_path / Path(x).name) for x in (A, B)), "--marks")
    assert "No item of toy_yn counts in both; systems are compared on the same items." in said
    alone = [f"{x}={next((tmp_path / Path(y).name).glob('*yn*'))}" for x, y in (("a", A), ("b", B))]
    assert "No item of toy_yn counts in both" in refused("compare", *alone, "--marks")


def test_the_picture_of_the_tasks_says_that_its_p_values_are_adjusted() -> None:
    drawn = ok("compare", A, B, "--format", "html")
    assert "Differences, model-a − model-b, with p-values adjusted for all tasks (Holm)" in drawn


def test_logs_of_different_tools_are_not_asked_for_columns() -> None:
    one = next(Path(A).glob("samples_toy_bio*"))
    promptfoo = str(ROOT / "tests/samples/promptfoo/sentiment.json")
    for other, kind in ((promptfoo, "promptfoo output"), (str(ROOT / "examples" / "digits.csv"), "no log")):
        said = refused("compare", str(one), other)
        assert f"different kinds (lm-evaluation-harness samples, {kind}); logs of one tool are compared" in said


def test_what_is_no_log_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "samples.jsonl"
    empty.touch()
    assert "is empty" in refused("describe", str(empty))
    assert "There is no evaluation log in" in refused("describe", str(tmp_path))
    assert "there is no such file" in refused("describe", str(tmp_path / "none.eval"))
    data = str(ROOT / "examples" / "digits.csv")
    assert "is no evaluation log that is known" in refused("describe", data)
    assert "--marks is of an evaluation log" in refused("report", data, "--marks")
    assert "--classes is of an evaluation log" in refused("report", data, "--classes")


def test_marks_that_were_asked_for_say_so() -> None:
    one = next(Path(A).glob("samples_toy_bio*"))
    for asked in (["--marks"], ["--reducer", "max"]):
        said = " ".join(ok("report", str(one), *asked).split())
        assert "The answers are classes, and would have informedness; marks were asked for." in said
        assert "The labels are known" not in said


SAMPLES = ROOT / "tests/samples"


def test_a_task_of_a_suite_is_compared_as_by_itself() -> None:
    """Each row of the tasks, classes and marks, has the limits and the p-value of its two files alone."""
    held = json.loads(ok("compare", A, B, "--format", "json"))["by_task"]
    assert [x["kind"] for x in held] == ["informedness", "score", "informedness", "informedness"]
    for row in held:
        files = [str(path) for path in sorted(LM_EVAL.glob(f"*/samples_{row['task']}_*"))]
        alone = json.loads(ok("compare", *files, "--format", "json"))
        alone = alone["measures"]["informedness"] if "measures" in alone else alone
        for name in ("estimate", "low", "high", "pvalue"):
            assert row[name] == pytest.approx(alone[name], abs=1e-12)


def test_the_mean_of_one_task_is_that_task() -> None:
    held = json.loads(ok("report", f"{A}/*bio*", "--format", "json"))
    (mean,), (task,) = held["systems"], held["each"]
    assert [mean[x] for x in ("mean", "low", "high")] == [task[x] for x in ("estimate", "low", "high")]


def test_totals_belong_to_their_tasks() -> None:
    """CORE's file holds the accuracy of each task; a total of simple-evals is of one task, and no mean over several."""
    held = json.loads(ok("compare", str(SAMPLES / "nanochat"), "--format", "json"))
    assert all(x["score"] == pytest.approx(x["reported"], abs=1e-6) for x in held["each"])
    assert {x["name"] for x in held["reported"]} == {"CORE"}
    assert held["states"]["base_model_000500"] == {"right": 37, "wrong": 43}
    held = json.loads(ok("report", str(SAMPLES / "simple_evals"), "--format", "json"))
    assert held["reported"] == []
    assert [x["centred"] for x in held["each"]] == [None, None], "nothing says that there were four options"
    assert "no task says what guessing gets" in refused(
        "report", str(SAMPLES / "simple_evals"), "--fail-under", "centred=0.1", "--max-not-run", "1"
    )
    held = json.loads(ok("compare", str(SAMPLES / "lighteval"), "--format", "json"))
    own = {(x["system"], x["name"]): x["value"] for x in held["reported"]}
    assert own["mock-a", "toy:_average|0, acc"] == pytest.approx(0.55)
    assert {name for _, name in own} == {"acc", "em", "toy:_average|0, acc"}


def test_a_number_of_the_tool_that_differs_is_a_warning(tmp_path: Path) -> None:
    shutil.copytree(A, tmp_path / "a")
    (path,) = (tmp_path / "a").glob("results*")
    path.write_text(path.read_text().replace('"acc,none": 0.875', '"acc,none": 0.75'))
    said = ok("report", str(tmp_path / "a"))
    assert "! The mean of the marks of model-a on toy_bio is 0.8750, and its tool reports 0.7500." in said
    assert "its tool reports" not in ok("report", A)


@pytest.mark.parametrize("given", [(A, B), (str(LM_EVAL),), (f"x={A}", f"y={B}")])
def test_one_task_is_compared_alike_whether_folders_or_files_are_given(given: tuple[str, ...], tmp_path: Path) -> None:
    files = [str(path) for path in sorted(LM_EVAL.glob("*/samples_toy_yn_*"))]
    plain = json.loads(ok("compare", *files, "--format", "json"))
    shutil.copytree(LM_EVAL, tmp_path / "all")
    for path in (tmp_path / "all").rglob("samples_*"):
        if "toy_yn" not in path.name:
            path.unlink()
    folder = json.loads(
        ok("compare", *(x.replace(str(LM_EVAL), str(tmp_path / "all")) for x in given), "--format", "json")
    )
    assert folder["measures"] == plain["measures"]
    gate = run("compare", *(x.replace(str(LM_EVAL), str(tmp_path / "all")) for x in given), "--fail-under", "score=0.8")
    assert "score is 0.750 and misses 0.8" in gate.stderr.lower()


def test_one_log_of_several_tasks_or_systems_has_no_number_of_all() -> None:
    """CORE is a mean over tasks, whose chances differ; and a weak system does not pass by a strong one beside it."""
    core = ok("report", str(SAMPLES / "nanochat/base_model_000500_examples.jsonl"))
    assert core.startswith("base_model_000500: centred accuracy 0.137 [")
    path = str(SAMPLES / "promptfoo/sentiment13.csv")
    assert "0.462" not in ok("report", path), "the mean of two systems"
    gate = run("report", path, "--fail-under", "score=0.4", "--max-errors", "1")
    assert gate.returncode == 1
    assert "model-b: mean score is 0.154 and misses 0.4" in gate.stderr


def test_tasks_can_stand_for_others_in_a_report_too() -> None:
    fixed, drawn = (json.loads(ok("report", A, "--tasks", x, "--format", "json")) for x in ("fixed", "random"))
    assert drawn["systems"][0]["mean"] == fixed["systems"][0]["mean"]
    assert drawn["systems"][0]["low"] < fixed["systems"][0]["low"]
    assert "mean of 4 tasks weighed by their items" in ok("report", A, "--weight", "items")
    (log,) = INSPECT.glob("*_mc_*")
    assert "--weight is of a suite of logs" in refused("report", str(log), "--weight", "items")


def test_what_a_folder_holds_is_listed() -> None:
    found = json.loads(ok("describe", A, "--format", "json"))
    assert [x["task"] for x in found] == ["toy_bio", "toy_gsm", "toy_law", "toy_yn"]
    (log,) = json.loads(ok("describe", str(SAMPLES / "promptfoo/sentiment13.csv"), "--format", "json"))
    assert log["systems"] == ["model-a", "model-b"]
    assert log["commands"]["systems"].startswith("informed compare ")
    assert "There is no evaluation log in" in refused("describe", str(ROOT / "tests/oracles"))


def test_a_report_says_of_which_scorer_and_reducer_its_score_is() -> None:
    assert "Score 0.524 [0.314, 0.727] (graded)." in ok("report", str(SAMPLES / "mlflow_genai/eval_results.csv"))
    (agent,) = INSPECT.glob("*_agent_9*")
    said = ok("report", str(agent), "--reducer", "pass_at_2")
    assert said.startswith("Score 0.786 [0.593, 0.914] on 14 items (accuracy, solved, pass_at_2, as Inspect reports).")
    agent = SAMPLES / "swe_bench/org__agent-a.r1.json"
    assert "2 cases that had not been run are not right." in ok("report", str(agent))
