"""Evaluation logs: each tool's own number from our table, one sentence for what is wrong."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok, refused
from informed.errors import InformedError, MissingExtra, SourceError
from informed.evidence.table import Table
from informed.measures.agreement import cohen_kappa
from informed.measures.rates import accuracy
from informed.sources import logs
from informed.sources.logs import inspect_ai

SAMPLES = Path(__file__).parent / "samples"
CHOICE = SAMPLES / "lm_eval" / "samples_local_mc_2026-11-15T21-47-03.675325.jsonl"
GENERATION = SAMPLES / "lm_eval" / "samples_local_gen_2026-11-15T21-47-03.675325.jsonl"
INSPECT = SAMPLES / "inspect_ai"
OPENAI = SAMPLES / "openai_evals" / "gpt_mcq.jsonl"
MLFLOW = SAMPLES / "mlflow" / "eval_results_table.json"
PREDICTIONS = SAMPLES / "weka" / "weka_p0.txt"
SUMMARY = SAMPLES / "weka" / "weka_summary.txt"
QRELS, RUN = SAMPLES / "trec" / "qrels.test", SAMPLES / "trec" / "results.test"
CONLL = SAMPLES / "conll" / "out.conll"
PYCM = SAMPLES / "pycm"

KINDS = {
    CHOICE: "lm-eval",
    GENERATION: "lm-eval",
    INSPECT / "mcq.eval": "inspect",
    INSPECT / "epochs.eval": "inspect",
    INSPECT / "mcq.json": "inspect",
    OPENAI: "openai-evals",
    MLFLOW: "mlflow",
    PREDICTIONS: "weka",
    SUMMARY: "weka",
    QRELS: "trec",
    RUN: "trec",
    CONLL: "conll",
    PYCM / "matrix.obj": "pycm",
}


def score(table: Table) -> float:
    """Right answers of all that were asked: what the tools call accuracy."""
    pooled = table if table.shape == () else table.sum()
    return float(pooled.hits.sum() / (pooled.n + pooled.abstained.sum()))


def own(path: Path, name: str, **of: str) -> float:
    """A number that the tool itself reports."""
    told = [r for r in logs.load(path).reported if r.name == name]
    (value,) = [r.value for r in told if all(getattr(r, k).casefold() == v.casefold() for k, v in of.items())]
    return value


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# ---------------------------------------------------------------- recognition


@pytest.mark.parametrize("path", KINDS, ids=lambda p: p.name)
def test_the_format_is_recognised_by_content(path: Path, tmp_path: Path) -> None:
    plain = tmp_path / "some file"
    shutil.copyfile(path, plain)
    assert logs.recognise(plain) == KINDS[path]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"real,predicted\na,b\n",
        b'{"a": 1}\n',
        b"[1, 2",
        b"\x00" * 100,
        b"PK\x03\x04 sheet1.xml",
        b"\xff\xfe",
        b"the cat sat on\nthe mat and left\n",
        b'[{"real": "a", "predicted": "b"}]',
        b"{" * 100_000,
        b"inst#" + b" " * 60_000,
        b"confusion_matrix()" + b"\n" * 60_000,
    ],
    ids=repr,
)
def test_other_files_are_not_recognised(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert logs.recognise(path) is None


def test_recognition_never_raises(tmp_path: Path) -> None:
    assert logs.recognise(tmp_path) is None
    assert logs.recognise(tmp_path / "absent") is None
    assert logs.recognise("nul\0name") is None


def test_a_matrix_after_a_long_printed_model_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "weka.txt"
    path.write_text("J48 pruned tree\n" + "| a > 1\n" * 20_000 + SUMMARY.read_text())
    assert logs.recognise(path) == "weka"


def test_a_first_line_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    rows = rows_of(GENERATION)
    rows[0]["doc"]["question"] = "why? " * 400_000
    path = write(tmp_path / "long.jsonl", rows)
    assert logs.recognise(path) == "lm-eval"


def test_an_unknown_format_names_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match=r"x\.csv: the format was not recognised.*'lm-eval'"):
        logs.read_log(path)
    with pytest.raises(SourceError, match=r"no log format 'helix'; there is .*'lm-eval'"):
        logs.read_log(path, "helix")
    with pytest.raises(SourceError, match="no option 'fliter'; it has 'metric', 'normalized'"):
        logs.read_log(CHOICE, fliter="none")


# ---------------------------------------------------------------- lm-evaluation-harness


@pytest.mark.parametrize(("metric", "normalized"), [("acc", False), ("acc_norm", True)])
def test_multiple_choice_has_the_accuracy_of_the_harness(metric: str, normalized: bool) -> None:
    expected = np.mean([row[metric] for row in rows_of(CHOICE)])
    table = logs.read_log(CHOICE, "lm-eval", normalized=normalized)
    assert score(table) == expected > 0
    assert table.labels == ("A", "B", "C", "D")
    log = logs.load(CHOICE, normalized=normalized)
    assert log.facts["metrics"] == ["acc", "acc_norm"]
    assert (log.score().name, log.score().reported, log.reported) == (metric, None, ()), "no results file is there"


def test_options_can_be_numbered() -> None:
    letters, numbers = logs.read_log(CHOICE), logs.read_log(CHOICE, places="indices")
    assert numbers.labels == (0, 1, 2, 3)
    assert np.array_equal(letters.counts, numbers.counts)
    assert logs.read_log(GENERATION, places="indices").labels == ("A", "B", "C", "D")


def test_labels_and_abstentions_can_be_given() -> None:
    path = OPENAI.with_name("match.jsonl")
    table = logs.read_log(path, labels=["yes", "no", "maybe"], abstain="maybe")
    assert table.labels == ("yes", "no", "maybe")
    plain = logs.read_log(path)
    assert table.bias[2] == 0
    assert table.n == plain.n - plain.predicted_totals[0]
    assert table.abstained.sum() == plain.abstained.sum() + plain.predicted_totals[0]
    with pytest.raises(InformedError, match=r"match\.jsonl: .*not in `labels`"):
        logs.read_log(path, labels=["yes", "no"])


def choice(line: int, logliks: list[float], options: list[str], target: Any, **more: Any) -> dict[str, Any]:
    return {
        "doc_id": line,
        "doc": {"subject": "x"},
        "target": target,
        "arguments": {f"gen_args_{i}": {"arg_0": "Q", "arg_1": f" {option}"} for i, option in enumerate(options)},
        "filtered_resps": [[str(x), "False"] for x in logliks],
        "filter": "none",
        "metrics": ["acc"],
        **more,
    }


def test_normalized_divides_by_the_length_without_the_joining_space(tmp_path: Path) -> None:
    # -10/10 = -1 beats -1.5/1; with the space counted, -10/11 would lose against -1.5/2
    row = choice(0, [-10, -1.5], ["abcdefghij", "k"], "0")
    path = write(tmp_path / "a.jsonl", [row])
    assert logs.read_log(path, normalized=True).counts.tolist() == [[1, 0], [0, 0]]
    assert logs.read_log(path).counts.tolist() == [[0, 0], [1, 0]]
    counted = write(tmp_path / "b.jsonl", [{**row, "acc": 0.0, "acc_norm": 0.0}])
    assert logs.read_log(counted, normalized=True).counts.tolist() == [[0, 0], [1, 0]]


def test_a_target_is_an_index_or_a_text_as_the_marks_say(tmp_path: Path) -> None:
    options = ["1", "2", "0"]
    as_index = [choice(0, [-3, -1, -2], options, "1", acc=1.0)]
    as_text = [choice(0, [-1, -3, -2], options, "1", acc=1.0)]
    for rows, real in ((as_index, "B"), (as_text, "A")):
        table = logs.read_log(write(tmp_path / "t.jsonl", rows))
        assert table.prevalence[table.labels.index(real)] == 1 == score(table)
    neither = [choice(0, [-1, -3, -2], options, "two", acc=1.0)]
    with pytest.raises(SourceError, match=r"t\.jsonl, line 1: the target 'two' is none of the 3"):
        logs.read_log(write(tmp_path / "t.jsonl", neither))
    liar = [choice(0, [-1, -3, -2], ["x", "y", "z"], "1", acc=1.0)]
    with pytest.raises(SourceError, match="`acc` contradicts the targets"):
        logs.read_log(write(tmp_path / "t.jsonl", liar))


def test_two_options_and_a_mark_tell_the_target(tmp_path: Path) -> None:
    """Tasks that vary the context (Winogrande) write the shared continuation as the target."""
    rows = [choice(i, [-1, -2], ["same", "same"], "same", acc=float(i % 2)) for i in range(4)]
    table = logs.read_log(write(tmp_path / "w.jsonl", rows))
    assert score(table) == 0.5
    assert table.counts.tolist() == [[2, 2], [0, 0]]


def test_options_without_their_context_are_no_options(tmp_path: Path) -> None:
    row = choice(0, [-2, -1, -0.1, -0.2], ["x", "y", "x", "y"], "1")
    for i in (2, 3):  # acc_mutual_info scores each option again after an empty prompt
        row["arguments"][f"gen_args_{i}"]["arg_0"] = ""
    table = logs.read_log(write(tmp_path / "m.jsonl", [row]))
    assert table.labels == ("A", "B")
    assert score(table) == 1


def test_several_accepted_options_are_refused_or_matched(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [choice(0, [-2, -1, -3], ["x", "y", "z"], [0, 1], acc=1)])
    with pytest.raises(SourceError, match=r"line 1: the item accepts 2 answers.*\"matched\""):
        logs.read_log(path)
    assert score(logs.read_log(path, accepted="matched")) == 1


def test_a_single_continuation_is_no_classification(tmp_path: Path) -> None:
    path = write(tmp_path / "l.jsonl", [choice(0, [-2], ["x"], "x")])
    with pytest.raises(SourceError, match="line 1: one continuation was scored"):
        logs.read_log(path)


def test_generation_has_the_exact_match_of_the_harness(tmp_path: Path) -> None:
    table = logs.read_log(GENERATION)
    assert (table.n, table.abstained.sum()) == (0, 20)
    rows = rows_of(GENERATION)
    for i, row in enumerate(rows):
        row["filtered_resps"] = ["ABCD"[i % 4] if i % 5 else "[missing]"]
        row["exact_match"] = float(row["filtered_resps"][0] == row["target"])
    path = write(tmp_path / "samples_gen_2026-01-01T00-00-00.jsonl", rows)
    table = logs.read_log(path)
    assert score(table) == np.mean([row["exact_match"] for row in rows]) > 0
    assert (table.n, table.abstained.sum()) == (16, 4)
    about = logs.describe(path)
    assert (about["task"], about["unanswered"], about["multiple_choice"]) == ("gen", 4, True)
    with pytest.raises(InformedError, match="missing"):
        logs.read_log(path, missing="error")
    assert logs.read_log(path, missing="drop").missing == 4


def test_answers_that_the_harness_scored_right_are_right(tmp_path: Path) -> None:
    rows = rows_of(GENERATION)[:4]
    for row, answer in zip(rows, ["d", "B", "yes", "B"], strict=True):
        row["filtered_resps"] = [answer]
        row["exact_match"] = float(answer.upper() == row["target"])
    path = write(tmp_path / "g.jsonl", rows)
    assert score(logs.read_log(path)) == 0.75
    assert logs.read_log(path).labels == ("A", "B", "C", "D")
    assert logs.read_log(path).abstained.sum() == 1
    notes = logs.describe(path)["notes"]
    assert notes[0] == "1 answer is none of the 4 classes and counts as no answer: 'yes' (1)."
    assert notes[1].startswith("1 of 4 cases are scored differently")


def test_of_several_filters_the_first_is_the_tools(tmp_path: Path) -> None:
    rows = rows_of(GENERATION)
    strict = [{**row, "filter": "strict", "filtered_resps": ["A"]} for row in rows]
    for row in strict:
        row["exact_match"] = float(row["target"] == "A")
    path = write(tmp_path / "two.jsonl", [x for pair in zip(rows, strict, strict=True) for x in pair])
    assert logs.load(path).headline == "get-letter"
    assert score(logs.read_log(path)) == 0
    with pytest.raises(SourceError, match="no filter 'lenient'; there is 'get-letter', 'strict'"):
        logs.read_log(path, filter="lenient")
    assert score(logs.read_log(path, filter="strict")) == 0.1
    assert logs.describe(path, filter="strict")["rows"] == 20
    both = logs.read_log(path, by="filter")
    assert both.names == ("get-letter", "strict")
    assert [score(both[name]) for name in both.names] == [0, 0.1]
    assert logs.describe(path)["choices"] == ["get-letter", "strict"]


def test_different_numbers_of_options_are_not_pooled(tmp_path: Path) -> None:
    rows = [
        choice(0, [-1, -2], ["x", "y"], "0"),
        choice(1, [-1, -2, -3], ["x", "y", "z"], "2"),
        choice(2, [-3, -2, -1], ["x", "y", "z"], "2"),
    ]
    path = write(tmp_path / "o.jsonl", rows)
    with pytest.raises(SourceError, match=r"\(1 with 2, 2 with 3\).*options=3`, or `by='options'"):
        logs.read_log(path)
    assert logs.read_log(path, options=2).labels == ("A", "B")
    assert logs.read_log(path, options=3).n == 2
    assert logs.read_log(path, by="options").names == (2, 3)
    with pytest.raises(SourceError, match="no item has 5 options"):
        logs.read_log(path, options=5)


def test_groups_come_from_the_documents(tmp_path: Path) -> None:
    table = logs.read_log(CHOICE, by="answer")
    assert table.names == (0, 1, 2, 3)
    assert table.sum() == logs.read_log(CHOICE)
    with pytest.raises(SourceError, match="'subject' is no field of this log; group by one of"):
        logs.read_log(CHOICE, by="subject")
    assert logs.read_log(CHOICE, by=["task", "answer"]).shape == (1, 4)


# ---------------------------------------------------------------- Inspect AI


@pytest.mark.parametrize("name", ["mcq.eval", "mcq.json", "epochs.eval"])
def test_inspect_has_its_own_accuracy(name: str) -> None:
    about = logs.describe(INSPECT / name)
    table = logs.read_log(INSPECT / name)
    assert score(table) == pytest.approx(own(INSPECT / name, "accuracy", scorer="choice"), abs=1e-15)
    assert about["multiple_choice"]
    assert about["differently_scored"] == 0
    assert about["unanswered"] == table.abstained.sum() * about["repeats"] > 0
    assert about["model"] == "mockllm/model"


def test_answers_to_an_item_share_its_weight() -> None:
    log = logs.load(INSPECT / "epochs.eval")
    table = log.table()
    assert table.shape == ()
    assert table.n + table.abstained.sum() == pytest.approx(6)
    assert table.units is not None
    assert (table.units.n, table.units.name, table.units.asked) == (6, "item", True)
    # Inspect's standard error is that of the means of the items
    marks = log.marks()
    assert (marks.n, marks.epochs) == (6, 3)
    reported = own(INSPECT / "epochs.eval", "stderr")
    assert np.std(marks.values, ddof=1) / np.sqrt(6) == pytest.approx(reported, rel=1e-12)
    assert log.table(by="epoch").shape == (3,)
    assert log.table(by="epoch").rows.tolist() == [6] * 3
    assert log.table(by="subject").shape == (2,)


def test_of_several_scorers_the_headline_is_taken() -> None:
    path = INSPECT / "two.eval"
    assert logs.load(path).headline == "match"
    assert logs.read_log(path) == logs.read_log(path, scorer="match")
    for scorer in ("match", "includes"):
        table = logs.read_log(path, scorer=scorer)
        assert score(table) == own(path, "accuracy", scorer=scorer) == 0.5
        assert not logs.describe(path, scorer=scorer)["multiple_choice"]


def test_shuffled_options_are_said() -> None:
    about = logs.describe(INSPECT / "mixed.eval")
    assert about["options"] == {2: 3, 3: 3}
    assert about["shuffled"] is True
    assert "original places" in about["notes"][0]
    assert logs.describe(INSPECT / "mcq.eval")["shuffled"] is False


def packed(path: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))
    return path


def inspect_log(samples: list[Any], **header: Any) -> dict[str, Any]:
    return {
        "header.json": {"version": 2, "status": "success", "eval": {"task": "t"}, **header},
        "summaries.json": samples,
    }


def test_a_sample_that_was_cancelled_was_not_run(tmp_path: Path) -> None:
    """Where one sample stops a run, Inspect writes an error for those that were under way, too."""
    score = {"match": {"value": "C", "answer": "a"}}
    failed, stopped = "RuntimeError('upstream closed')", "CancelledError('Cancelled via cancel scope 7f2cc47d5800')"
    samples = [
        {"id": 0, "epoch": 1, "target": "a", "scores": score},
        {"id": 1, "epoch": 1, "target": "a", "scores": {}, "error": failed},
        {"id": 2, "epoch": 1, "target": "a", "scores": {}, "error": stopped},
    ]
    log = inspect_log(samples, status="error")
    zipped = packed(tmp_path / "f.eval", log)
    whole = [{**sample, "error": {"message": sample["error"]}} if "error" in sample else sample for sample in samples]
    plain = tmp_path / "f.json"
    plain.write_text(json.dumps({**log["header.json"], "samples": whole}))
    for path in (zipped, plain):
        found = logs.load(path, "inspect")
        assert found.states() == {"right": 1, "error": 1, "not-run": 1}
        assert "1 samples ended in an error; Inspect leaves those without a score out." in found.notes


def test_failed_samples_are_unanswered_for_every_scorer(tmp_path: Path) -> None:
    scores = {name: {"value": "C", "answer": "a"} for name in ("one", "two")}
    samples = [
        {"id": 1, "epoch": 1, "target": "a", "scores": scores},
        {"id": 2, "epoch": 1, "target": "b", "scores": {}, "error": "timeout"},
    ]
    path = packed(tmp_path / "f.eval", inspect_log(samples, status="error"))
    assert logs.load(path).states(chosen="two") == {"right": 1, "error": 1}
    assert logs.read_log(path, scorer="two").abstained.sum() == 0  # Inspect leaves it out
    table = logs.read_log(path, scorer="two", count="errors")
    assert (table.n, table.abstained.tolist()) == (1, [0, 1])
    assert logs.describe(path)["unfinished"].startswith("This run ended in an error: 2 samples were run.")
    assert "1 samples ended in an error" in logs.describe(path)["notes"][0]


def test_several_right_options_are_one_label(tmp_path: Path) -> None:
    sample = {"id": 1, "choices": list("abc"), "target": ["C", "A"]}
    scores = {"choice": {"value": "C", "answer": "A, C"}}
    table = logs.read_log(packed(tmp_path / "m.eval", inspect_log([{**sample, "scores": scores}])))
    assert table.labels == ("A, C",)
    assert score(table) == 1


def test_a_json_log_has_the_labels_of_a_zip(tmp_path: Path) -> None:
    """The summaries of a zip have the white space of answers collapsed; a JSON log has not."""
    sample = {"id": 1, "target": "a  b", "scores": {"m": {"answer": "a\n b", "value": "C"}}}
    thin = {**sample, "scores": {"m": {"answer": "a b", "value": "C"}}}
    path = tmp_path / "w.json"
    path.write_text(json.dumps({"eval": {}, "samples": [sample]}))
    zipped = packed(tmp_path / "w.eval", inspect_log([thin]))
    assert logs.read_log(path, "inspect") == logs.read_log(zipped)
    assert logs.read_log(zipped).labels == ("a b",)


def test_marks_without_answers_are_no_table(tmp_path: Path) -> None:
    samples = [{"id": 1, "target": "a", "scores": {"judge": {"value": 0.5}}}]
    path = packed(tmp_path / "j.eval", inspect_log(samples))
    with pytest.raises(SourceError, match=r"j\.eval: The log has marks and no answers, so chance is not known"):
        logs.read_log(path)
    assert logs.load(path).marks().score == 0.5


def test_a_run_that_was_cut_short_is_read_from_its_journal(tmp_path: Path) -> None:
    samples = [{"id": i, "target": "a", "scores": {"m": {"value": "C", "answer": "a"}}} for i in range(4)]
    members = {
        "_journal/start.json": {"eval": {"task": "t"}},
        "_journal/summaries/1.json": samples[:2],
        "_journal/summaries/2.json": samples[2:],
    }
    assert logs.read_log(packed(tmp_path / "c.eval", members)).n == 4


@pytest.mark.parametrize("only", ["backports.zstd", "zstandard"])
def test_either_zstd_package_reads_the_same(only: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = logs.read_log(INSPECT / "mcq.eval")

    def found(name: str) -> Any:
        if name != only:
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(inspect_ai, "import_module", found)
    assert logs.read_log(INSPECT / "mcq.eval") == expected


def test_a_missing_zstd_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(inspect_ai, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install informed\[zstd\]"):
        logs.read_log(INSPECT / "mcq.eval")


# ---------------------------------------------------------------- OpenAI evals, MLflow


def test_openai_evals_has_the_accuracy_of_its_report() -> None:
    path = OPENAI.with_name("match.jsonl")  # written by the tool itself
    about, table = logs.describe(path), logs.read_log(path)
    assert score(table) == own(path, "accuracy") == 0.375
    assert table.labels == ("maybe", "no", "yes")
    assert about["differently_scored"] == 0
    assert len(about["notes"]) == 1
    assert about["notes"][0].startswith("7 answers are missing")
    blank = path.read_text().count('"sampled": ""')
    assert table.abstained.sum() == about["unanswered"] == blank > 0


def test_a_report_that_contradicts_its_events_is_noted() -> None:
    about = logs.describe(OPENAI)  # constructed: its report does not follow from its events
    marks = [row["data"]["correct"] for row in rows_of(OPENAI) if row.get("type") == "match"]
    assert score(logs.read_log(OPENAI)) == np.mean(marks) == 0.4
    assert about["notes"][0] == "the final report says accuracy 0.5, and its own events 0.4."
    assert (about["model"], about["task"], about["unanswered"]) == ("dummy", "mcq.s1.v0", 1)
    assert about["multiple_choice"]


def test_a_wrong_free_answer_is_no_abstention(tmp_path: Path) -> None:
    """The basic template offers the expected answers as its only options, and picks none of them
    when the sampled text is another."""
    spec = {"spec": {"eval_name": "capital", "completion_fns": ["m"]}}
    events = [
        {
            "type": "match",
            "sample_id": str(i),
            "data": {
                "correct": sampled == expected,
                "expected": [expected],
                "options": [expected],
                "picked": expected if sampled == expected else None,
                "sampled": sampled,
            },
        }
        for i, (expected, sampled) in enumerate([("yes", "yes"), ("no", "yes"), ("no", "no"), ("yes", "")])
    ]
    path = write(tmp_path / "e.jsonl", [spec, *events, {"final_report": {"accuracy": 0.5}}])
    table = logs.read_log(path)
    assert score(table) == 0.5
    assert (table.n, table.abstained.sum()) == (3, 1)
    assert table.counts.tolist() == [[1, 0], [1, 1]]
    assert not logs.describe(path)["multiple_choice"]


def test_mlflow_has_the_mean_of_its_own_score() -> None:
    table = logs.read_log(MLFLOW)
    assert score(table) == logs.load(MLFLOW).score().value == 1 / 3
    assert logs.load(MLFLOW).score().reported is None, "its own mean is in a file that is not read"
    assert logs.read_log(MLFLOW, real="ground_truth", predicted="predictions") == table


def test_mlflow_columns_are_guessed_only_when_obvious(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"columns": ["label", "target", "output"], "data": [[1, 0, 1.0], [0, 1, 0]]}')
    assert logs.recognise(path) == "mlflow"
    with pytest.raises(SourceError, match=r"which column holds the real labels\? Give real= one"):
        logs.read_log(path)
    assert score(logs.read_log(path, real="label")) == 1  # 1 and 1.0 are one label
    with pytest.raises(SourceError, match="no column 'gold'; there is 'label', 'target'"):
        logs.read_log(path, real="gold")


# ---------------------------------------------------------------- WEKA


@pytest.mark.parametrize("section", ["Error on training data", "stratified cross-validation"])
def test_weka_has_its_own_kappa_and_accuracy(section: str) -> None:
    table = logs.read_log(SUMMARY, section=section)
    assert round(cohen_kappa(table), 4) == own(SUMMARY, "kappa", scorer=section) == 0.94
    assert accuracy(table) == own(SUMMARY, "accuracy", scorer=section) == 0.96
    assert table.n == own(SUMMARY, "instances", scorer=section)
    assert table.labels == ("setosa", "versicolor", "virginica")
    # rows of WEKA are real: 4 virginica were called versicolor
    assert table.counts[1, 2] == 4


def test_weka_sections_must_be_chosen() -> None:
    with pytest.raises(SourceError, match="'Error on training data', 'Stratified cross-valid"):
        logs.read_log(SUMMARY)
    assert logs.read_log(SUMMARY, by="section").shape == (2,)


def test_weka_predictions_give_the_matrix_of_the_summary() -> None:
    table = logs.read_log(PREDICTIONS)
    summary = logs.read_log(SUMMARY, section="Stratified cross-validation")
    assert table.labels == ("1:setosa", "2:versicol", "3:virginic")
    assert np.array_equal(table.counts, summary.counts)
    assert logs.describe(PREDICTIONS)["differently_scored"] == 0  # its "+" marks
    assert logs.read_log(PREDICTIONS, by="fold").sum() == table


def test_weka_names_that_are_cut_alike_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(
        " inst#     actual  predicted error prediction\n"
        "     1 1:category 2:category   +   0.9\n"
        "     2 2:category 2:category       0.8\n"
        "     3 2:category        1:?       0.8\n"
        "     4  3:two words  10:x  +  *1\n"
    )
    table = logs.read_log(path)
    assert table.labels == ("1:category", "2:category", "3:two words", "10:x")
    assert (score(table), table.abstained.sum()) == (0.25, 1)


def test_weka_csv_predictions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("inst#,actual,predicted,error,prediction\n1,1:a,2:b,+,0.5\n2,2:b,2:b,,0.9\n")
    assert logs.read_log(path).counts.tolist() == [[0, 0], [1, 1]]


# ---------------------------------------------------------------- TREC


def trec_eval() -> dict[str, float]:
    rows = [line.split() for line in (SAMPLES / "trec" / "out.test").read_text().splitlines()]
    return {name: float(value) for name, _, value in rows if name != "runid"}


def test_trec_has_the_counts_of_trec_eval() -> None:
    own = trec_eval()
    judged = logs.read_log(RUN, "trec", qrels=QRELS)
    assert [judged.tp, judged.rp] == [own["num_rel_ret"], own["num_rel"]]
    whole = logs.read_log(QRELS, "trec", run=RUN, universe=500_000)
    assert [whole.tp, whole.rp] == [own["num_rel_ret"], own["num_rel"]]
    assert whole.pp == own["num_ret"]
    assert whole.n == 500_000 * own["num_q"]
    assert logs.read_log([QRELS, RUN], "trec") == logs.read_log([RUN, QRELS]) == judged
    by_topic = logs.read_log(RUN, qrels=QRELS, by="topic")
    assert len(by_topic) == own["num_q"]
    assert by_topic.sum() == judged
    assert logs.describe(RUN, qrels=QRELS)["unjudged"] == 762


@pytest.mark.parametrize("k", [5, 10, 15, 20, 30, 100, 200, 500, 1000])
def test_trec_has_the_precision_of_trec_eval_at_every_cut(k: int) -> None:
    table = logs.read_log(RUN, qrels=QRELS, rank=k, universe=500_000, by="topic")
    assert round(float(np.mean(table.tp / k)), 4) == trec_eval()[f"P_{k}"]


def test_trec_cuts_and_universes(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 a 2\n1 0 b 1\n1 0 c 0\n1 0 d -1\n2 0 a 1\n3 0 a 1\n")
    run.write_text("1 Q0 c 1 0.5 x\n1 Q0 a 2 0.5 x\n1 Q0 z 3 0.1 x\n2 Q0 b 1 1 x\n9 Q0 b 1 1 x\n")
    assert logs.recognise(qrels) == logs.recognise(run) == "trec"

    def counts(**options: Any) -> list[list[float]]:
        table = logs.read_log(run, qrels=qrels, by="topic", **options)
        return list(table["1"].counts.tolist())

    assert counts() == [[1, 1], [1, 0]]
    assert counts(level=2) == [[1, 1], [0, 1]]
    assert counts(rank=1) == [[0, 1], [2, 0]]  # ties go to the document of the later name
    assert counts(score=0.3) == [[1, 1], [1, 0]]
    assert counts(universe=10) == [[1, 2], [1, 6]]
    assert logs.read_log(run, qrels=qrels, by="topic").names == ("1", "2")
    assert logs.read_log(run, qrels=qrels, by="topic", complete=True).names == ("1", "2", "3")
    with pytest.raises(SourceError, match=r"topic '1' has 4 documents.*cannot be smaller"):
        counts(universe=3)
    with pytest.raises(SourceError, match="`rank` or `score`, not both"):
        counts(rank=1, score=1.0)
    with pytest.raises(SourceError, match="give the other file as `qrels` or `run`"):
        logs.read_log(run)
    run.write_text("1 Q0 c 1 0.5 x\n1 Q0 c 2 0.4 x\n")
    with pytest.raises(SourceError, match=r"r, line 2: 'c' is retrieved twice for '1'"):
        counts()


# ---------------------------------------------------------------- CoNLL and matrices


def test_conll_counts_tokens() -> None:
    from sklearn.metrics import accuracy_score

    rows = [line.split() for line in CONLL.read_text().splitlines() if line]
    table = logs.read_log(CONLL)
    gold, tagged = [row[-2] for row in rows], [row[-1] for row in rows]
    assert accuracy(table) == accuracy_score(gold, tagged)
    assert logs.read_log(CONLL, real=-1, predicted=-2).counts.tolist() == table.dual.counts.tolist()
    assert logs.read_log(CONLL, by="sentence").shape == (3,)


def test_entities_are_refused_with_the_reason() -> None:
    with pytest.raises(SourceError, match="no true negatives"):
        logs.read_log(CONLL, level="entity")


def test_conll_marks_and_comments_are_no_tokens(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("-DOCSTART- -X- O O\n\n# id = 7\n" + CONLL.read_text().replace("\n", "\r\n"))
    assert logs.read_log(path).counts.tolist() == logs.read_log(CONLL).counts.tolist()
    path.write_text("a B-X O\nb O\n")
    with pytest.raises(SourceError, match=r"x, line 2: there are 2 columns, and 3 above"):
        logs.read_log(path, "conll")


@pytest.mark.parametrize("k", [2, 3, 12])
@pytest.mark.parametrize("show", [str, repr, lambda m: json.dumps(m.tolist())])
def test_a_printed_matrix_of_scikit_learn(k: int, show: Any, tmp_path: Path) -> None:
    from sklearn.metrics import confusion_matrix

    rng = np.random.default_rng(k)
    real, predicted = rng.integers(0, k, 500), rng.integers(0, k, 500)
    printed = show(confusion_matrix(real, predicted))
    path = tmp_path / "matrix.txt"
    path.write_text(printed)
    expected = Table.from_labels(real=real, predicted=predicted)
    assert logs.recognise(path) == "array"
    with pytest.raises(SourceError, match="rows='real'"):
        logs.read_log(path)
    assert logs.read_log(path, rows="real") == logs.read_log(path, "sklearn") == expected
    assert logs.read_log(path, rows="predicted").counts.tolist() == expected.dual.counts.tolist()
    path.write_text(f">>> confusion_matrix(y, p)\n{printed}\n")
    assert logs.recognise(path) == "sklearn"
    assert logs.read_log(path) == expected
    named = logs.read_log(path, labels=[f"class {i}" for i in range(k)])
    assert np.array_equal(np.sort(named.counts.ravel()), np.sort(expected.counts.ravel()))


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("[[1 2] [3 4 5]]", "a square matrix is needed"),
        ("[[1 2] [3 -4]]", "'-4' is no count"),
        ("[[1 ... 2] ... [3 ... 4]]", "ellipsis|no matrix"),
        ("[[1 x] [3 4]]", "'x' is no count"),
        ("[[1 2] [3 4]] [[1 2] [3 4]]", "2 matrices"),
        ("[[[1 2] [3 4]]]", "more than two dimensions"),
        ("nothing", "no matrix in brackets"),
    ],
)
def test_a_bad_matrix_is_refused(printed: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "matrix.txt"
    path.write_text(printed)
    with pytest.raises(SourceError, match=message):
        logs.read_log(path, "sklearn")


@pytest.mark.parametrize("name", ["matrix", "transposed"])
def test_pycm_objects_have_the_statistics_of_pycm(name: str) -> None:
    table = logs.read_log(PYCM / f"{name}.obj")
    statistics = (PYCM / f"{name}.pycm").read_text()

    def own(title: str) -> list[float]:
        (line,) = re.findall(rf"^{re.escape(title)} {{2,}}(.*)$", statistics, re.MULTILINE)
        return [float(x) for x in line.split()]

    assert [round(cohen_kappa(table), 5)] == own("Kappa")
    assert [round(accuracy(table), 5)] == own("Overall ACC")
    recalls = [table.hits[i] / table.real_totals[i] for i in range(table.k)]
    assert [round(float(x), 5) for x in recalls] == own("TPR(Sensitivity, recall, hit rate, or true positive rate)")


# ---------------------------------------------------------------------- several logs


def answering(path: Path, wrong: set[int], left_out: Collection[int] = ()) -> Path:
    """The multiple-choice sample, answered rightly but for some items."""
    rows = [json.loads(line) for line in CHOICE.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        said = int(row["target"])
        if row["doc_id"] in wrong:
            said = (said + 1) % len(row["filtered_resps"])
        scores = ["-0.1" if i == said else "-2" for i in range(len(row["filtered_resps"]))]
        row["filtered_resps"] = [[x, "False"] for x in scores]
        row["resps"] = [[pair] for pair in row["filtered_resps"]]
        row["acc"] = float(said == int(row["target"]))
    kept = [json.dumps(row) for row in rows if row["doc_id"] not in left_out]
    path.write_text("\n".join(kept[::-1]) + "\n", encoding="utf-8")  # their order does not matter
    return path


def test_logs_of_the_same_items_are_paired(tmp_path: Path) -> None:
    new = answering(tmp_path / "samples_new.jsonl", {0})
    old = answering(tmp_path / "samples_old.jsonl", {0, 1, 2}, left_out={5})
    found = logs.paired([new, old])
    assert found.names == ("samples_new", "samples_old")
    assert found.states()["samples_new"]["right"] == 19
    assert found.states()["samples_old"]["not-run"] == 1
    assert len(found.counted) == 19
    right = found.counted.codes == found.counted.real_codes[:, None]
    assert (right[:, 0] & ~right[:, 1]).sum() == 2


def test_repeats_are_paired_by_their_epochs_and_share_their_weight(tmp_path: Path) -> None:
    again = shutil.copy(INSPECT / "epochs.eval", tmp_path / "again.eval")
    found = logs.paired([INSPECT / "epochs.eval", again])
    assert found.item is not None
    assert found.n_items < len(found)
    assert np.array_equal(found.codes[:, 0], found.codes[:, 1])


def test_logs_that_cannot_be_paired(tmp_path: Path) -> None:
    everything = set(range(20))
    first = answering(tmp_path / "a.jsonl", set(), everything - {1})
    second = answering(tmp_path / "b.jsonl", set(), everything - {2})
    with pytest.raises(SourceError, match="no item in common"):
        logs.paired([first, second])
    with pytest.raises(SourceError, match="is given twice"):
        logs.paired([first, first])
    with pytest.raises(SourceError, match="two systems at least"):
        logs.paired([first])
    with pytest.raises(SourceError, match=r"'q0' is really 'C' in .* and 'A' in"):
        logs.paired([INSPECT / "epochs.eval", INSPECT / "mcq.eval"])
    other = shutil.copy(SUMMARY, tmp_path / "other.txt")
    with pytest.raises(SourceError, match="which item an answer belongs to"):
        logs.paired([SUMMARY, other], section="Stratified cross-validation")


# ---------------------------------------------------------------- a reader of one's own


def test_a_reader_is_one_module_and_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = (SAMPLES.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    module = re.search(r"## How to add a reader\n.*?```py\n(.*?)```", recipe, re.DOTALL)
    assert module
    (tmp_path / "arrows.py").write_text(module[1])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(logs.FORMATS, "arrows", None)
    del logs.FORMATS["arrows"]  # and again when this test ends
    import_module("arrows")  # the line in sources/logs/__init__.py

    log = tmp_path / "run.log"
    log.write_text("arrows 1.0\ncat -> cat\ndog -> cat\ndog ->\ndog -> dog\n")
    assert logs.recognise(log) == "arrows"
    table = informed.read(log)
    assert table.counts.tolist() == [[1, 1], [0, 1]]
    assert table.abstained.tolist() == [0, 1]
    assert logs.describe(log)["unanswered"] == 1
    assert informed.read(log, by="line").shape == (4,)
    assert informed.read(log, input_format="arrows", missing="drop").missing == 1
    assert "On 4 questions" in ok("report", str(log))
    log.write_text("arrows 1.0\ncat\n")
    assert "line 2: 'cat' has no arrow" in refused("report", str(log))
