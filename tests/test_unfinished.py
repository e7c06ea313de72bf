"""Runs that are not whole: cancelled, failed, still being written, stopped by a rule, or of a part of the data."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import informed
from command_line import ROOT, Done, run
from informed.evidence.marks import Marks
from informed.evidence.table import Table
from informed.sources import logs
from informed.testing import assert_informed

ALL = 300
RULE = "informedness.low > 0.2"
ENDED = {
    "cancelled": "This run was cancelled: 106 of 300 samples were run.",
    "started": "This log is still being written, or its run was killed: 106 of 300 samples were run.",
    "error": "This run ended in an error: 106 of 300 samples were run.",
    "stopped": f"This run was stopped by its rule ({RULE}): 106 of 300 samples were run.",
}


def log(folder: Path, how: str = "success", ran: int = ALL, *, model: str = "m", labels: str = "yes no") -> Path:
    """A log of Inspect with 300 scheduled samples, of which the first so many were run."""
    rng, samples = random.Random(1), []
    names = labels.split()
    for i in range(1, ran + 1):
        real = rng.choice(names)
        right = rng.random() < 0.8
        answer = real if right else next(x for x in names if x != real)
        score = {"value": "C" if right else "I", "answer": answer}
        samples.append({"id": i, "epoch": 1, "target": real, "choices": None, "scores": {"match": score}})
    early = [{"id": i, "epoch": 1, "reason": RULE} for i in range(ran + 1, ALL + 1)]
    stopped = {"manager": "informed", "early_stops": early, "metadata": {"rule": RULE, "met": True, "items": ran}}
    about = {
        "model": model,
        "task": "t",
        "dataset": {"samples": ALL, "sample_ids": list(range(1, ALL + 1))},
        "config": {"epochs": 1},
    }
    held = {"version": 2, "status": "success" if how == "stopped" else how, "eval": about}
    held |= {"results": {"early_stopping": stopped}} if how == "stopped" else {}
    path = folder / f"{how}-{model}.json"
    path.write_text(json.dumps({**held, "samples": samples}))
    return path


def words(*given: Any) -> Done:
    return run(*map(str, given))


@pytest.mark.parametrize("how", list(ENDED))
def test_it_is_said_first(tmp_path: Path, how: str) -> None:
    """By the command line in every format, and in Python."""
    path = log(tmp_path, how, 106)
    assert words("report", path).stdout.startswith(ENDED[how])
    assert words("report", path, "--marks").stdout.startswith(ENDED[how])
    assert ENDED[how].partition(" (")[0] in words("report", path, "--format", "markdown").stdout
    told = json.loads(words("report", path, "--format", "json").stdout)
    assert told["unfinished"][0].startswith(ENDED[how])
    table = informed.read(path)
    assert isinstance(table, Table)
    assert informed.report(table).answer[0].startswith(ENDED[how])
    assert Table.from_json(table.to_json()).unfinished == table.unfinished == (table + table).unfinished
    marks = logs.read_marks(path)
    assert informed.report(marks).answer[0].startswith(ENDED[how])
    assert Marks.from_json(marks.to_json()).unfinished == marks.unfinished


@pytest.mark.parametrize("how", list(ENDED))
@pytest.mark.parametrize("gate", ["informedness=0.2", "informedness.low=0.1"])
def test_no_gate_of_it_is_checked(tmp_path: Path, how: str, gate: str) -> None:
    """A system that clears the bar passes where its run is whole, or where that was allowed, and else exit is 3."""
    path, whole = log(tmp_path, how, 290), log(tmp_path)
    assert words("report", whole, "--fail-under", gate).returncode == 0
    done = words("report", path, "--fail-under", gate)
    assert done.returncode == 3
    assert "290 of 300 samples were run. No gate was checked; --allow-unfinished checks" in done.stderr
    assert words("report", path, "--marks", "--fail-under", "score=0.5").returncode == 3
    assert words("report", path, "--fail-under", gate, "--allow-unfinished").returncode == 0
    assert words("report", path, "--fail-under", "informedness=0.95", "--allow-unfinished").returncode == 1


def test_what_a_test_suite_asserts(tmp_path: Path) -> None:
    assert_informed(informed.read(log(tmp_path)))
    part: Any = informed.read(log(tmp_path, "cancelled", 106))
    with pytest.raises(AssertionError, match="This run was cancelled"):
        assert_informed(part)
    assert_informed(part, allow_unfinished=True)
    with pytest.raises(AssertionError, match="misses"):
        assert_informed(part, at_least=0.9, allow_unfinished=True)


def test_comparisons_boards_and_suites(tmp_path: Path) -> None:
    part, whole = log(tmp_path, "cancelled", 290), log(tmp_path, model="n")
    said = f"m: {ENDED['cancelled'].replace('106', '290')}"
    third = log(tmp_path, model="o")
    for given in ([part, whole], [part, whole, "--marks"], [part, whole, third], [part, whole, third, "--marks"]):
        assert words("compare", *given).stdout.startswith(said), given
        assert words("compare", *given).stdout.count(said) == 1
    for more in ((), ("--marks",)):
        gate = (part, whole, *more, "--fail-worse", "0.5")
        assert words("compare", *gate).returncode == 3
        assert words("compare", *gate, "--allow-unfinished").returncode == 0
    told = json.loads(words("compare", part, whole, "--format", "json").stdout)
    assert told["unfinished"] == [f"{said} Its numbers are of these samples only."]

    folder = tmp_path / "runs"
    folder.mkdir()
    shutil.copy(part, folder)
    assert words("report", folder).stdout.startswith(said)
    assert words("report", folder, "--fail-under", "score=0.5").returncode == 3
    assert words("report", folder, "--fail-under", "score=0.5", "--allow-unfinished").returncode == 0
    shutil.copy(log(tmp_path), folder)
    assert "cancelled" not in words("report", folder).stdout, "the run that ended well is taken"
    assert informed.compare(informed.read(part), informed.read(whole)).document().said.startswith("a: This run was")


class TestStopped:
    """A run that `informed.inspect.Stopping` ended is one whose size the answers chose."""

    def test_its_limits_are_those_of_any_time(self, tmp_path: Path) -> None:
        """They are the limits of `informed watch`, in the report without being asked, and in Python as a sentence."""
        path = log(tmp_path, "stopped", 106)
        watched = json.loads(words("watch", path, "--format", "json").stdout)
        low, high = f"{watched['low']:.3f}", f"{watched['high']:.3f}"
        done = words("report", path)
        assert f"Informedness {low} to {high}, valid at every look." in done.stdout
        assert "are for a sample whose size was fixed before anybody looked" in done.stdout
        answer = informed.report(informed.read(path)).answer[0]
        assert (
            f"Valid at every look (95 % confidence sequence): informedness {watched['estimate']:.3f} [{low}, {high}]"
            in answer
        )
        accuracy = logs.load(path).marks(classes=False)
        assert " 0.802 [" in informed.report(accuracy).answer[0]

    def test_what_is_decided_at_any_time_is_decided(self, tmp_path: Path) -> None:
        path = log(tmp_path, "stopped", 106)
        for bar, code in (("0.2", 0), ("0.5", 3), ("0.9", 1)):
            assert words("report", path, "--decide", f"informedness={bar}").returncode == code
        assert words("report", path, "--decide", "informedness=0.2", "--fail-under", "informedness=0.2").returncode == 3

    def test_options_that_leave_items_out_keep_the_sentence(self, tmp_path: Path) -> None:
        done = words("report", log(tmp_path, "stopped", 106), "--by", "epoch")
        assert done.stdout.startswith(ENDED["stopped"])
        assert "Valid at every look" in done.stdout
        many = words("report", log(tmp_path, "stopped", 106, labels="a b c d"))
        assert many.stdout.startswith(ENDED["stopped"])

    def test_a_rule_that_was_not_met_ends_nothing(self, tmp_path: Path) -> None:
        path = log(tmp_path, "stopped", ALL)
        assert informed.read(path).unfinished == ()


def test_a_log_that_lacks_scheduled_samples(tmp_path: Path) -> None:
    table: Any = informed.read(log(tmp_path, "success", 280))
    assert table.unfinished == ("This log is not whole: it holds 280 of 300 samples that were scheduled.",)


def test_a_part_of_the_data_is_said_and_passes(tmp_path: Path) -> None:
    """A limit was asked for: the run is whole, and its first screen says of how much it is."""
    path = log(tmp_path)
    held = json.loads(path.read_text())
    held["eval"]["dataset"]["samples"] = 5000
    path.write_text(json.dumps(held))
    said = "300 of 5,000 samples of the dataset were asked for (limit): the others are not in the score."
    for more in ((), ("--marks",)):
        assert f"! {said}" in words("report", path, *more).stdout
    assert words("report", path, "--fail-under", "informedness=0.2").returncode == 0


def test_openai_evals_without_a_final_report(tmp_path: Path) -> None:
    whole = next((ROOT / "tests/samples/openai_evals").glob("*.jsonl"))
    assert logs.load(whole).unfinished == ""
    part = tmp_path / whole.name
    part.write_text("".join(x for x in whole.read_text().splitlines(keepends=True) if '"final_report"' not in x))
    assert logs.load(part).unfinished == (
        "This log has no final report: its run was cut short, or it is still being written."
    )
    assert words("report", part).stdout.startswith("This log has no final report")
