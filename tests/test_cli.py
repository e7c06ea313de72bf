"""The command line as a person or a pipe uses it: what is printed, exit codes, one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import PACKAGES, ROOT, ok, process, refused, run
from informed.cli import COMMANDS

DATA = "examples/breast-cancer.csv"
ASKED = ["report", DATA, "--real", "diagnosis", "--predicted", "tree", "--positive", "malignant"]


def test_help_lists_every_command_and_imports_neither_numpy_nor_duckdb() -> None:
    code = (
        "import sys; sys.argv = ['informed', '--help']\n"
        "from informed.cli import cli\n"
        "try: cli.main(standalone_mode=False)\n"
        "finally: print([m for m in ('numpy', 'scipy', 'duckdb', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(f"\n  {name}" in done.stdout for name in COMMANDS)
    assert done.stdout.rstrip().endswith("[]")


def test_every_command_has_help_with_an_example() -> None:
    for name in COMMANDS:
        said = ok(name, "--help")
        assert f"  informed {name}" in said, f"{name} shows no example"


def test_a_column_that_is_named_twice_is_refused() -> None:
    said = refused(*ASKED, "--predicted", "logistic")
    assert "--predicted is given 2 times; here it takes one column." in said


def test_a_report_begins_with_the_answer() -> None:
    done = process("-m", "informed", *ASKED)
    said = done.stdout
    assert said == ok(*ASKED)
    assert "makes an informed decision 84 % of the time" in said
    assert "\x1b" not in said, "a pipe gets no colour"


def test_json_follows_the_schema_of_the_design() -> None:
    held = json.loads(ok(*ASKED, "--format", "json"))
    assert held["informed"]["schema"] == 4
    assert held["n"] == 569
    assert held["labels"] == ["benign", "malignant"]
    assert held["counts"] == [[343, 25], [14, 187]]
    b = held["measures"]["informedness"]
    assert b["low"] < b["value"] < b["high"]
    assert b["value"] == pytest.approx(187 / 212 - 14 / 357)
    assert set(held["classes"]) == {"benign", "malignant"}


def test_level_and_interval_are_taken() -> None:
    wide = json.loads(ok(*ASKED, "--format", "json"))["measures"]["informedness"]
    powers = json.loads(ok(*ASKED, "--format", "json", "--level", ".9", "--method", "powers-1"))["measures"][
        "informedness"
    ]
    assert powers["method"] == "powers-1"
    assert powers["level"] == 0.9
    assert powers["low"] != wide["low"]


def test_an_impossible_interval_is_refused_in_one_sentence() -> None:
    assert "nonsense" in refused(*ASKED, "--method", "nonsense")


def test_counts_typed_in_are_a_table() -> None:
    held = json.loads(ok("table", "56", "20", "/", "12", "12", "--format", "json"))
    assert held["measures"]["informedness"]["value"] == pytest.approx(27 / 136)
    turned = json.loads(ok("table", "56 12 / 20 12", "--rows", "real", "--format", "json"))
    assert turned["counts"] == held["counts"]


@pytest.mark.parametrize("form", ["html", "markdown", "latex", "csv", "github"])
def test_every_format_is_written(form: str) -> None:
    assert ok("table", "56", "20", "/", "12", "12", "--format", form)


def test_the_suffix_of_the_output_chooses_the_format(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ok("table", "56", "20", "/", "12", "12", "--output", str(page))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_standard_input_is_read() -> None:
    said = ok(
        "report", "-", "--real", "y", "--predicted", "p", "--positive", "a",
        stdin="y,p\n" + "a,a\nb,b\nb,a\n" * 10,
    )  # fmt: skip
    assert "On 30 cases" in said


def test_groups_come_with_an_overview() -> None:
    said = json.loads(
        ok("report", DATA, "--real", "diagnosis", "--predicted", "tree", "--by", "fold",
           "--format", "json")
    )  # fmt: skip
    assert len(said["groups"]) == 10


def test_an_evaluation_log_needs_no_columns() -> None:
    assert "On 20 questions" in ok("report", sample("samples_local_mc*.jsonl"))


def sample(name: str) -> str:
    return str(next((ROOT / "tests/samples").rglob(name)))


def test_a_log_with_several_scorings_takes_a_choice() -> None:
    assert "On 6 questions" in ok("report", sample("two.eval"))
    assert ok("report", sample("two.eval"), "--option", "scorer=match")
    assert "NAME=VALUE" in refused("report", sample("two.eval"), "--option", "scorer")


def test_judgements_and_a_run_are_one_log() -> None:
    said = ok("report", sample("qrels.test"), sample("results.test"), "--format", "json")
    assert json.loads(said)["n"] > 0


def test_answers_to_an_item_count_once_in_the_report() -> None:
    said = ok("report", sample("epochs.eval"))  # 18 answers to 6 items, three of them not given
    assert "On 6 items (18 answers)" in said
    assert "Of the 15 answers that were given" in said


def test_position_bias_of_a_multiple_choice_is_said_and_tested() -> None:
    said = ok("report", "--full", sample("samples_local_mc*.jsonl"))
    assert "position bias" in said
    assert "stuart-maxwell" in said


def test_gates_exit_1_and_say_by_how_much() -> None:
    done = run(*ASKED, "--fail-under", "informedness=0.9")
    assert done.returncode == 1
    assert "gate failed: Informedness is 0.843 and misses 0.9 by 0.057" in done.stderr
    assert run(*ASKED, "--fail-under", "informedness.low=0.5").returncode == 0


def test_a_gate_can_ask_for_a_test() -> None:
    done = run(*ASKED, "--fail-under", "informedness.greater=0.8")
    assert done.returncode == 1
    assert "It is not shown that informedness is greater than 0.8: 0.843, one-sided p = 0.0" in done.stderr
    assert run(*ASKED, "--fail-under", "informedness.greater=0.7").returncode == 0
    assert run(*ASKED, "--fail-over", "fallout.less=0.2").returncode == 0


def test_a_measure_is_tested_against_a_value() -> None:
    said = ok(*ASKED, "--full", "--against", "informedness=0.5", "--against", "recall.greater=0.8")
    assert "informedness ≠ 0.5 (arc)" in said
    assert "recall is at most 0.8" in said


def test_a_baseline_is_compared_with(tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    ok(*ASKED, "--output", str(before))
    assert run(*ASKED, "--baseline", str(before)).returncode == 0
    worse = [word.replace("tree", "guess") for word in ASKED]
    done = run(*worse, "--baseline", str(before))
    assert done.returncode == 1
    assert "gate failed" in done.stderr


def test_a_baseline_of_something_else_is_refused(tmp_path: Path) -> None:
    """Other classes, another positive class or other groups are no earlier state of the same."""
    rows, digits, before = (tmp_path / name for name in ("rows.csv", "digits.csv", "before.json"))
    rows.write_text("y,p,g\n" + "yes,yes,1\nno,no,2\nyes,no,1\nno,no,1\n" * 20)
    digits.write_text("y,p\n" + "".join(f"{i % 10},{i % 10 if i % 7 else 0}\n" for i in range(300)))
    columns = ("--real", "y", "--predicted", "p")
    ok("report", str(digits), *columns, "-o", str(before))
    said = refused("report", str(rows), *columns, "--baseline", str(before))
    assert "The baseline has the classes '0', '1', '2' and 7 more, and this report 'no', 'yes'." in said

    ok("report", str(rows), *columns, "-o", str(before))
    said = refused("report", str(rows), *columns, "--positive", "no", "--baseline", str(before))
    assert "In the baseline the positive class is 'yes', and in this report 'no'." in said
    said = refused("report", str(rows), *columns, "--by", "g", "--baseline", str(before))
    assert "The baseline has no groups" in said
    assert run("report", str(rows), *columns, "--baseline", str(before)).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "nowhere.csv", "--real", "a", "--predicted", "b"), "nowhere.csv"),
        (("report", DATA, "--real", "diagnosis", "--predicted", "treee"), "tree"),
        (("report", DATA), "--real"),
        (("report", DATA, "--real", "diagnosis", "--predicted", "tree", "--positive", "x"), "'x'"),
        (("table", "1", "2", "/", "3"), "2, 1"),
        (("table", "a", "b"), "'a'"),
        (("table", "1", "2", "/", "3", "-4"), "-4"),
        (("measures", "informednes"), "informedness"),
        (("reprot",), "report"),
        ((*ASKED, "--level", "2"), "level"),
        ((*ASKED, "--measures", "nothing"), "nothing"),
        ((*ASKED, "--fail-under", "informedness"), "informedness"),
        ((*ASKED, "--against", "informedness=2"), "lies between -1 and 1"),
        ((*ASKED, "--against", "informedness"), "informedness.greater=0.1"),
        ((*ASKED, "--cost", "cheap"), "cheap"),
    ],
)
def test_bad_input_is_one_clear_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words)


def test_measures_are_listed_and_shown() -> None:
    assert "informedness" in ok("measures")
    assert "youden_j" in ok("measures", "mcc") + ok("measures", "youden")
    assert json.loads(ok("measures", "recall", "--format", "json"))["name"] == "recall"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m informed measures | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


def test_an_experiment_is_simulated_and_bad_parameters_are_refused_before_any_work() -> None:
    said = json.loads(
        ok("simulate", "--k", "3", "--n", "60", "--levels", "0,0.5", "--replicates", "100",
           "--format", "json")
    )  # fmt: skip
    assert said["run"]["seed"] == 7
    assert {row["level"] for row in said["rows"]} == {0, 0.5}
    assert "30 classes" in refused("simulate", "--k", "30", "--n", "6")
    assert "nothing" in refused("simulate", "--generator", "nothing")


def test_figures_and_claims_are_run_again(tmp_path: Path) -> None:
    assert "fig-3" in ok("reproduce")
    drawn = tmp_path / "fig-4.svg"
    ok("reproduce", "fig-4", "--output", str(drawn))
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
    assert "no figure or table 'fig-99'" in refused("reproduce", "fig-99")
    assert ok("claims", "tracking", "--size", "100").startswith("tracking: ")
    two = ok("claims", "families-alike", "--seed", "1", "--seed", "2", "--size", "100")
    assert two.split()[:6] == ["claim", "1", "2", "families-alike", "fails", "fails"]
    assert "With seeds 1, 2 and 100 tables an entry the verdicts are the same for every claim." in two
    assert "several different ones" in refused("claims", "--seed", "1", "--seed", "1")
    assert "several different ones" in refused("claims", "--questions", "--seed", "1", "--seed", "2")


def test_the_shell_completes_commands_options_and_columns() -> None:
    def completed(*words: str) -> str:
        line = {"COMP_WORDS": " ".join(["informed", *words]), "COMP_CWORD": str(len(words))}
        done = subprocess.run(
            [sys.executable, "-c", "from informed.cli import cli; cli(prog_name='informed')"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": PACKAGES, "_INFORMED_COMPLETE": "bash_complete", **line},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    assert "plain,report" in completed("rep")
    assert "plain,--predicted" in completed("report", "--pred")
    assert "plain,diagnosis" in completed("report", DATA, "--real", "dia")


def test_a_command_leaves_it_to_the_terminal_whether_progress_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from informed.sources import progress as _watch

    asked = []
    wait = _watch._wait

    def spied(worker: Any, fraction: Any, title: str, progress: Any, longest: Any) -> None:
        asked.append(progress)
        wait(worker, fraction, title, progress, longest)

    monkeypatch.setattr(_watch, "_wait", spied)
    ok(*ASKED)
    assert asked
    assert set(asked) == {None}


def test_a_report_imports_nothing_that_takes_longer_than_itself() -> None:
    """scipy.optimize and scipy.stats take a second; pandas and matplotlib are not ours to load."""
    code = (
        "import sys; from informed.cli import main\n"
        "import duckdb; duckdb.connect().execute('SELECT ?', ['x']); of_duckdb = set(sys.modules)\n"  # 1.5 loads pandas
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'scipy.optimize', 'scipy.stats', 'pandas', 'matplotlib', 'pyarrow', 'rich'}\n"
        "print(sorted(heavy & (sys.modules.keys() - of_duckdb)), file=sys.stderr)"
    )
    done = process("-c", code, *ASKED)
    assert "informed decision" in done.stdout
    assert done.stderr.strip() == "[]"


SCORED = ["report", DATA, "--real", "diagnosis", "--positive", "malignant", "--score", "score"]


def test_a_score_makes_predictions_at_a_threshold_and_a_section_of_its_own() -> None:
    said = ok(*SCORED, "--full", "--threshold", "0.4")
    assert "'malignant' where score ≥ 0.4" in said
    beside = ok(*SCORED, "--full", "--predicted", "logistic")
    assert "The threshold" in beside
    held = json.loads(ok(*SCORED, "--predicted", "logistic", "--format", "json"))
    assert held["curve"]["positive"] == "malignant"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (SCORED, "What does a score predict? Give --threshold"),
        ([*SCORED, "--predicted", "tree", "--threshold", "1"], "Give --predicted or --threshold"),
        ([*SCORED, "--threshold", "1", "--by", "fold"], "With --by, give --predicted"),
        ([*ASKED, "--threshold", "1"], "Give --score with --threshold"),
        (["report", DATA, "--score", "score"], "Which column holds the real classes?"),
    ],
)
def test_a_score_without_what_it_needs(words: list[str], said: str) -> None:
    assert said in refused(*words)


def test_a_note_on_a_test_names_the_option_for_tests() -> None:
    said = ok("table", "5 1 / 2 4", "--test", "pearson", "--full")
    assert "use the default, or --test permutation." in said
    assert "--method" not in said


def test_what_a_log_is_told_is_said_as_an_option() -> None:
    said = refused("report", "tests/samples/inspect_ai/mixed.eval")
    assert "give --option options=3, or --by options." in said
    assert ok("report", "tests/samples/inspect_ai/mixed.eval", "--option", "options=3").startswith("On 3 questions")
