"""The command line in a terminal: one screen, its own words, any encoding, an exit code that can be relied on."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import command_line
import informed
from command_line import PACKAGES, ROOT, ok, refused, run, surroundings
from informed import InformedError, Table
from informed.documents.blocks import Grid, GridColumn
from informed.documents.document import Document
from informed.documents.screen import LINES
from informed.evidence.table_text import width

POWERS = Table.from_counts([[56, 20], [12, 12]])
CANCER = ["examples/breast-cancer.csv", "--real", "diagnosis"]
DIGITS = ["examples/digits.csv", "--real", "digit", "--predicted", "predicted"]
GRADED = ["examples/graded-answers.csv", "--verdict", "judge", "--gold", "human", "--positive", "good"]
LOGS = "tests/samples"
SCREENS = {
    "simulated": [
        "simulate",
        "--k",
        "2",
        "--n",
        "40",
        "--replicates",
        "40",
        "--intervals",
        "arc,wald",
        "--tests",
        "pearson",
    ],
    "tried out": ["simulate", "--try", "f1", "--replicates", "40"],
    "two classes": ["table", "56", "20", "/", "12", "12"],
    "asked for more": ["table", "56 20/12 12", "--cost", "5:1", "--prevalence", ".1", "--against", "informedness=.1"],
    "ten classes": ["report", *DIGITS],
    "groups": ["report", *CANCER, "--predicted", "tree", "--by", "fold"],
    "a score": ["report", *CANCER, "--predicted", "tree", "--score", "score", "--positive", "malignant"],
    "a price of no answer": ["roc", *CANCER, "--score", "score", "--positive", "malignant", "--reject", "0.2"],
    "marks by task": ["report", f"{LOGS}/inspect_ai/two.eval", "--marks", "--by", "task"],
    "units": ["report", *CANCER, "--predicted", "tree", "--unit", "fold"],
    "a log": ["report", f"{LOGS}/inspect_ai/epochs.eval"],
    "marks": ["report", f"{LOGS}/inspect_ai/two.eval", "--marks"],
    "a suite": ["report", f"{LOGS}/swe_bench"],
    "two systems": ["compare", *CANCER, "--predicted", "logistic", "--predicted", "tree", "--by", "fold"],
    "a board": ["compare", *CANCER, *(x for s in ("logistic", "tree", "bayes", "guess") for x in ("--predicted", s))],
    "roc": ["roc", *CANCER, "--score", "score", "--positive", "malignant"],
    "raters": ["agree", "examples/breast-cancer.csv", "--raters", "logistic,tree,bayes,neighbours"],
    "a judge": [
        *("judge", *CANCER, "--predicted", "tree", "--positive", "malignant"),
        *("--design", "elsewhere", "--apparent", "0.31", "--n", "200"),
    ],
    "a judged batch": ["judge", *GRADED],
    "odds": ["odds", *DIGITS],
    "clusters": ["assign", *DIGITS, "--draws", "9"],
    "a plan": ["sample-size", "0.3", "--prevalence", "0.2"],
    "stakes": ["odds", "10 60/20 10", "--stakes", "1,0.5"],
}
STEPS = {  # what follows from a screen
    ("table", "400 50/50 500", "--positive", "+"): "--cost 5:1",
    ("compare", *CANCER, "--predicted", "tree", "--predicted", "bayes"): "--margin 0.05 asks whether",
    tuple(SCREENS["a board"]): "leave out guess the next time: it is not told from guessing",
    tuple(SCREENS["roc"]): "--cost 5:1",
    (*SCREENS["roc"], "--cost", "5:1"): "",
    tuple(SCREENS["a judge"]): "--reach 0.05",
    ("agree", "examples/breast-cancer.csv", "--raters", "logistic,tree,bayes,guess"): "where guess differs",
    tuple(SCREENS["stakes"]): "better stay out of that market",
}
LABELS = {
    "long": "a label of the kind that people write who explain everything {}",
    "Chinese": "很长的类别标签名称用来测试终端的宽度对齐情况{}",
    "emoji": "👩‍🚀🚀 rocket {}",
    "hostile": "\x1b[31mred{}\x07\r\n\u202egnp",
}


def lines_at_80(*words: str) -> list[str]:
    """What a terminal of this width shows, without its colours."""
    with mock.patch.object(command_line, "surroundings", return_value={**os.environ, "COLUMNS": "80"}):
        return ok(*words).splitlines()


@pytest.mark.parametrize("name", SCREENS)
def test_the_default_is_one_screen(name: str) -> None:
    lines = lines_at_80(*SCREENS[name])
    assert len(lines) <= LINES < 24
    assert max(map(width, lines)) <= 80
    assert lines[0], "the answer comes first"
    assert lines[-1].startswith("More: --full")


@pytest.mark.parametrize(("words", "said"), STEPS.items(), ids=[" ".join(x) for x in STEPS])
def test_what_follows_from_a_screen_is_said_last(words: tuple[str, ...], said: str) -> None:
    lines = " ".join(lines_at_80(*words))
    assert bool(said) == ("Next: " in lines)
    assert said in " ".join(lines.partition("Next: ")[2].split())


def test_worse_than_guessing_is_told_no_command_that_is_refused() -> None:
    said = " ".join(lines_at_80("table", "5", "50", "/", "40", "5"))
    assert "cases would make the interval ±0.10." in said
    assert "sample-size -" not in said


def test_stakes_are_in_the_answer() -> None:
    assert "With stakes of 1 on +, 0.5 on −, a case wins -0.340." in " ".join(lines_at_80(*SCREENS["stakes"]))


def test_a_folder_of_logs_is_described_on_one_screen() -> None:
    lines = lines_at_80("describe", LOGS)
    assert len(lines) <= LINES
    assert max(map(width, lines)) <= 80
    assert lines[-1].startswith("More: --full")
    assert lines[0] == f"{LOGS}:"
    assert not any(line.startswith(f"{LOGS}/") for line in lines[1:] if " · " in line)
    whole = lines_at_80("describe", LOGS, "--full")
    assert any(line.endswith("--reducer mean") for line in whole)
    assert any("judgements and a run are needed; give the other file as `qrels` or `run`" in line for line in whole)
    assert "--real COLUMN --predicted COLUMN" in refused("describe", "examples/breast-cancer.csv")


def test_a_field_of_about_one_value_an_item_is_no_group() -> None:
    lines = lines_at_80("describe", f"{LOGS}/inspect_ai/mcq.eval")
    assert any(line.endswith("--by subject") for line in lines)
    assert not any(line.endswith("--by b") for line in lines)


def test_a_column_is_not_taken_for_an_option(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("level,p\na,a\n,b\nb,b\n", encoding="utf-8")
    assert "'level' has 1 missing label" in refused("report", str(path), "--real", "level", "--predicted", "p")


@pytest.mark.parametrize("name", ["two classes", "roc", "two systems"])
def test_full_shows_more_and_a_file_is_whole(name: str, tmp_path: Path) -> None:
    short, full = lines_at_80(*SCREENS[name]), lines_at_80(*SCREENS[name], "--full")
    assert len(full) > 24
    assert " ".join(full).startswith(" ".join(short[:2]))
    path = tmp_path / "report.txt"
    assert run(*SCREENS[name], "-o", str(path)).returncode == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) >= len(full)
    assert ok(*SCREENS[name]).splitlines()[-1] == short[-1], "a pipe gets the same screen"


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("classes", [2, 3, 7, 10, 30])
def test_any_label_stays_on_the_screen(label: str, classes: int) -> None:
    counts = np.random.default_rng(classes).integers(0, 9, (classes, classes)) + 30 * np.eye(classes, dtype=int)
    t = Table.from_counts(counts, labels=[label.format(i) for i in range(classes)], rows="predicted")
    made = informed.report(t)
    for said in (made.text(), made.text(full=True), repr(t), repr(made), *made.warnings):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said)
    for coloured in (False, True):
        lines = re.sub(r"\x1b\[[0-9;]*m", "", made.text(colour=coloured)).splitlines()
        assert len(lines) <= LINES
        assert max(map(width, lines)) <= 80


def test_print_is_one_screen_and_repr_is_what_it_was() -> None:
    made = informed.report(Table.from_counts([[56, 20], [12, 12]]))
    assert str(made) == made.text() == made.document().text()
    assert len(made.text().splitlines()) <= LINES < len(made.text(full=True).splitlines())
    assert "informed.sample_size(" in made.text()
    assert "text(full=True)" in made.text()
    assert made.write("text") == made.text(full=True), "formats are whole"


# ---------------------------------------------------------------------- what to do next


@pytest.mark.parametrize(
    ("counts", "labels", "said"),
    [
        ([[6, 4], [5, 6]], None, "how many show"),
        ([[56, 20], [12, 12]], None, "about 404 cases would make the interval ±0.10"),
        ([[960, 10], [10, 20]], ["ham", "spam"], "report informedness, not accuracy: “ham” is 97 %"),
        ([[500, 10], [10, 500]], ["cat", "dog"], "name the class that matters"),
        ([[50, 0, 9], [1, 50, 0], [0, 0, 50]], ["a", "b", "c"], "the 9 cases of “c” that were called “a”"),
        ([[2, 1], [1, 2]], None, "gather more"),
        ([[30, 0], [3, 0]], ["a", "b"], "add cases that are really something else than “a”"),
    ],
)
def test_the_next_step_follows_from_the_table(counts: list[list[int]], labels: list[str] | None, said: str) -> None:
    steps = informed.report(Table.from_counts(counts, labels=labels)).document().steps
    assert any(said in step for step in steps), steps


def test_a_next_step_can_be_typed() -> None:
    lines = " ".join(lines_at_80(*SCREENS["two classes"]))
    (command,) = re.findall(r"`(informed [^`]+)`", lines)
    assert "404 cases" in lines
    assert ok(*command.split()[1:]).startswith("404 cases: ")


# ---------------------------------------------------------------------- the words of the command line

BAD: list[list[str]] = [
    ["table", "1", "2", "/", "3", "4", "--level", "2"],
    ["table", "1 2/3 4", "--labels", "a,a"],
    ["table", "1 2/3 4", "--positive", "x"],
    ["table", "1 2/3 4", "--measures", "recal"],
    ["table", "1 2 3/4 5 6/7 8 9", "--measures", "recall"],
    ["table", "1 2/3 4", "--labels", "a,b", "--measures", "recall"],
    ["table", "1 2/3 4", "--method", "magic"],
    ["table", "1 2/3 4", "--cost", "x"],
    ["table", "1 2/3 4", "--prevalence", "2"],
    ["table", "1 2/3 4", "--against", "informedness=7"],
    ["table", "1 2/3 4", "--fail-under", "recal=1"],
    ["report", *CANCER],
    ["report", *CANCER, "--predicted", "nothing"],
    ["report", *CANCER, "--predicted", "tree", "--positive", "x"],
    ["report", *CANCER, "--predicted", "tree", "--labels", "benign"],
    ["report", *CANCER, "--predicted", "tree", "--weights", "tree"],
    ["report", *CANCER, "--predicted", "tree", "--unit", "tree"],
    ["report", *CANCER, "--predicted", "tree", "--option", "nothing=1"],
    ["report", *CANCER, "--predicted", "tree", "--option", "encoding=no"],
    ["report", *CANCER, "--predicted", "tree", "--delimiter", "ab"],
    ["report", *CANCER, "--predicted", "tree", "--input-format", "no"],
    ["report", f"{LOGS}/inspect_ai/two.eval", "--scorer", "nobody"],
    ["report", f"{LOGS}/inspect_ai/two.eval", "--by", "nothing"],
    ["report", f"{LOGS}/inspect_ai/two.eval", "--reducer", "no"],
    ["report", f"{LOGS}/lm_eval/samples_local_mc_2026-11-15T21-47-03.675325.jsonl", "--filter", "no"],
    ["report", "-", "--real", "a", "--predicted", "b"],
    ["compare", *CANCER, "--predicted", "tree"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "nothing"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--method", "no"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--measure", "no"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--measure", "recall"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--fold", "fold", "--repeat", "tree"],
    ["compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--baseline", "x", "--fail-worse", ".1"],
    ["roc", *CANCER, "--score", "tree"],
    ["roc", *CANCER, "--score", "score", "--positive", "x"],
    ["roc", *CANCER, "--score", "score", "--missing", "abstain"],
    ["roc", *DIGITS[:3], "--score", "predicted"],
    ["roc", *CANCER, "--score", "score", "--method", "recall"],
    ["agree", "examples/breast-cancer.csv", "--raters", "tree"],
    ["agree", "examples/digits.csv", "--raters", "digit,predicted", "--disagreement", "magic"],
    ["judge", *CANCER, "--predicted", "tree", "--positive", "malignant", "--design", "elsewhere", "--apparent", "3"],
    ["judge", *CANCER, "--predicted", "tree", "--positive", "malignant", "--apparent", "0.3"],
    ["judge", *GRADED[:3]],
    ["judge", *GRADED, "--apparent", "0.3"],
    ["judge", *GRADED, "--design", "elsewhere"],
    ["judge", *GRADED, "--weights", "grade"],
    ["assign", "nothing.csv", "--real", "a", "--predicted", "b"],
    ["odds", *DIGITS, "--stakes", "1,2"],
    ["sample-size", "3"],
    ["sample-size", "0.3", "--k", "1"],
    ["sample-size", "0.3", "--k", "1000000"],
    ["sample-size", "0.3", "--prevalence", "0.3,0.3"],
    ["sample-size", "0.3", "--n", "90000000", "--method", "exact"],
    ["sample-size", "0.3", "--paired"],
    ["recover", "-n", "0", "recall=.5"],
    ["measures", "informednes"],
    ["describe", "README.md"],
]
PYTHON = re.compile(r"""[`'"]\w+=[`'"\w]|\b\w+=["']|\w\(\)|`\w+=`|\bTrue\b""")


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_errors_speak_the_language_of_the_command_line(words: list[str]) -> None:
    said = refused(*words)
    typed = re.sub(r'\w+\(average="macro"\)', "", said)  # the name of a measure, which can be typed
    assert not PYTHON.search(typed), said
    assert "fault of informed" not in said
    assert "/tmp/informed-" not in said


def test_options_are_named_where_they_help(tmp_path: Path) -> None:
    assert "give --positive for one against the rest" in refused("roc", *DIGITS[:3], "--score", "predicted").lower()
    path = tmp_path / "f.csv"
    path.write_bytes("a,b\nä,ä\nö,ä\n".encode("latin-1"))
    assert "--option encoding=latin-1" in refused("report", str(path), "--real", "a", "--predicted", "b")
    assert "On 2 cases" in ok("report", str(path), "--real", "a", "--predicted", "b", "--option", "encoding=latin-1")
    assert "standard input has no column" in refused(
        "report", "-", "--real", "x", "--predicted", "b", stdin="a,b\n1,2\n"
    )


def test_what_was_asked_for_is_on_the_screen(tmp_path: Path) -> None:
    """The price of no answer, the scores of groups, and a baseline that is kept, beside another gate."""
    assert re.search(r"else no answer: [\d.]+ a case instead of [\d.]+, coverage", ok(*SCREENS["a price of no answer"]))
    by_task = ok(*SCREENS["marks by task"])
    assert by_task.index("Score of each group") < by_task.index("What became of the cases")
    cases, last = [*CANCER, "--predicted", "tree"], str(tmp_path / "last.json")
    ok("report", *cases, "-o", last)
    for more in ((), ("--fail-under", "informedness=0.3")):
        said = ok("report", *cases, "--baseline", last, *more)
        assert re.search(r"Gate passed: Informedness is [\d.]+, in the\s+baseline", said)


@pytest.mark.parametrize("command", ["measures", "claims"])
def test_what_is_always_whole_has_no_full(command: str) -> None:
    assert re.search("No such option:? '?--full", refused(command, "--full"))  # as click 8.1 and later say it


def test_a_condition_is_called_as_it_is_typed() -> None:
    for condition in ("real", "real =", "real == 'a"):
        assert refused("report", *DIGITS, "--where", condition).startswith("error: --where is ")


def test_notes_speak_it_too() -> None:
    said = ok("table", "50 1 0/1 3 0/0 1 2", "--full")
    assert "method=" not in said
    assert "`informed sample-size 0.2 --n 58 --method simulation`" in said
    command = re.search(r"`informed (sample-size [^`]+)`", said)
    assert command is not None
    assert ok(*command[1].split()).startswith("58 cases")


def test_a_message_is_worded_once_for_every_surface() -> None:
    error = InformedError("`level` is 2.", "give `level=0.9`", "take `t.answered`")
    assert str(error) == "`level` is 2. Give `level=0.9`, or take `t.answered`."
    assert error.args == ("`level` is 2.", "give `level=0.9`", "take `t.answered`")


# ---------------------------------------------------------------------- exit codes, streams, encodings


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line of bash, in which `informed` is this one."""
    told = {**surroundings(), "PYTHONPATH": PACKAGES, **environment}
    line = f'informed() {{ "{sys.executable}" -m informed "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(["bash", "-c", line], cwd=ROOT, env=told, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("informed table 56 20 / 12 12 --full | head -1", 0),
        ("informed table 56 20 / 12 12 --fail-under informedness=.9 | true", 1),
        ("informed measures | head -1", 0),
        ("informed --help | true", 0),
        ("informed table 56 20 / 12 12 >&-", 0),
        ("informed table 56 20 / 12 12 --fail-under informedness=.9 >&-", 1),
        ("informed report - --real a --predicted b <&-", 2),
        ("informed table nonsense 2>&-", 2),
    ],
)
def test_streams_that_are_closed(line: str, code: int) -> None:
    done = shell(line)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_what_cannot_be_encoded_is_replaced(encoding: str) -> None:
    done = shell("informed table 56 20 / 12 12 && informed table x−y", PYTHONIOENCODING=encoding)
    said = done.stdout.decode(encoding)
    assert done.returncode == 2
    assert "|---*---|" in said
    assert "+/-0.10" in said or "±0.10" in said
    assert done.stderr.decode(encoding).startswith("error: 'x-y' is not a count")


def test_exit_1_means_a_gate_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    good = SCREENS["two classes"]
    assert run(*good).returncode == 0
    assert run(*good, "--fail-under", "informedness=0.9").returncode == 1
    assert run(*good, "--fail-under", "informedness=0.1").returncode == 0
    assert run("table", "x").returncode == 2
    assert run("nonsense").returncode == 2
    assert run("table", "1 2/3 4", "--nonsense").returncode == 2
    assert run("report", "nothing.csv", "--real", "a", "--predicted", "b").returncode == 2

    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("informed.cli._reports.typed", fault)
    done = run(*good)
    assert done.returncode == 70
    assert done.stderr.startswith("error: this is a fault of informed, not of your input: ZeroDivisionError by zero")

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("informed.cli._reports.typed", interrupt)
    assert run(*good).returncode == 128 + signal.SIGINT


def test_labels_are_not_obeyed_by_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("a,b,s\n\x1b[31mred,\x1b[31mred,1\n\x1b[31mred,x,2\nx,x,3\nx,\x1b[31mred,4\n", encoding="utf-8")
    columns = [str(path), "--real", "a", "--predicted", "b"]
    for words in (["report", *columns], ["report", *columns, "--positive", "no\x1b[1m"], ["odds", *columns]):
        done = run(*words)
        assert "\x1b" not in done.stdout + done.stderr
    assert "\x1b" not in in_terminal("report", *columns, "--format", "csv", NO_COLOR="1")
    assert "\x1b" in ok("report", *columns, "--format", "csv"), "a pipe gets the data as they are"


def in_terminal(*words: str, **environment: str) -> str:
    """What a terminal of 80 columns and 24 lines is sent."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    told = {**surroundings(), "PYTHONPATH": PACKAGES, "TERM": "xterm-256color"}
    told.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "informed", *words]
    with subprocess.Popen(
        command, cwd=ROOT, env={**told, **environment}, stdin=follower, stdout=follower, stderr=follower
    ) as process:
        os.close(follower)
        sent = b""
        try:
            while block := os.read(leader, 1 << 16):
                sent += block
        except OSError:  # the terminal was left
            pass
        process.wait()
    os.close(leader)
    return sent.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("name", ["ten classes", "roc"])
def test_a_real_terminal_has_colour_and_24_lines(name: str) -> None:
    seen = in_terminal(*SCREENS[name])
    assert seen.startswith("\x1b[1m"), "the answer is bold"
    lines = re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()
    assert len(lines) < 24, "and the next prompt"
    assert max(map(width, lines)) <= 80


def test_the_catalogue_wraps_and_has_colour() -> None:
    seen = in_terminal("measures", "--search", "kappa")
    assert "\x1b[1m" in seen
    assert max(width(x) for x in re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()) <= 80
    assert "\x1b" not in in_terminal("measures", "informedness", NO_COLOR="1")


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_completion(kind: str) -> None:
    said = shell("informed", _INFORMED_COMPLETE=f"{kind}_source").stdout.decode()
    assert f"_INFORMED_COMPLETE={kind}_complete" in said
    if kind == "bash":
        found = shell("informed", _INFORMED_COMPLETE="bash_complete", COMP_WORDS="informed rep", COMP_CWORD="1")
        assert "plain,report" in found.stdout.decode().split()


# ---------------------------------------------------------------------- what was a traceback


NO_NUMBERS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (informed.interval, (POWERS, "informedness"), {"level": "95%"}),
    (informed.report, (POWERS,), {"level": "95%"}),
    (informed.compare, (POWERS, POWERS), {"level": "95%"}),
    (informed.sample_size, (0.3,), {"level": "95%"}),
    (informed.power, (100, 0.3), {"k": 10**6}),
    (informed.power, (100, 0.3), {"k": 2.5}),
    (informed.power, (100, 0.3), {"k": "x"}),
    (informed.power, ("x", 0.3), {}),
    (informed.power, (100, "x"), {}),
]


@pytest.mark.parametrize(("function", "values", "named"), NO_NUMBERS)
def test_no_number_gets_a_sentence(function: Any, values: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(InformedError, match=r"`|up to 1,000 classes"):
        function(*values, **named)


@pytest.mark.parametrize("sums", [0, 2])
def test_a_long_grid_leaves_room_for_the_next(sums: int) -> None:
    """With the line that says how many rows are left out, and the sums."""
    titles = (GridColumn("name", numeric=False), GridColumn("n"))
    rows = tuple((f"row {i}", str(i)) for i in range(60))
    first, second = (Grid(name, titles, rows, sums=sums) for name in ("First", "Second"))

    seen = Document("Two", "An answer.", glance=(first, second)).write("text", full=False)

    assert "First:" in seen
    assert "Second:" in seen
    assert seen.count("more") >= 2
    assert len(seen.splitlines()) <= LINES


LONG = (
    "meta-llama-3.1-405b-instruct-turbo-temperature-0.0-seed-1",
    "meta-llama-3.1-405b-instruct-turbo-temperature-0.0-seed-2",
)


@pytest.mark.parametrize("full", [False, True])
def test_long_names_leave_room_for_the_difference(full: bool) -> None:
    """The difference, its limits and its p-value stand in one table, under two names that differ."""
    joint = np.array([[[40, 12], [3, 5]], [[4, 9], [2, 45]]])
    said = informed.compare.paired(joint=joint, names=LONG).text(width=80, full=full)

    (head,) = (line for line in said.splitlines() if line.startswith("measure"))
    (row,) = (line for line in said.splitlines() if line.startswith("Informedness"))
    first, second, *rest = head.split()[1:]
    assert rest == ["difference", "low", "high", "p"]
    assert (first[-1], second[-1]) == ("1", "2")
    assert len(row.split()) == 7


def test_names_that_are_shortened_still_differ() -> None:
    """Two rows of one name would not say which is which."""
    names = [f"the same beginning of a name that goes on and on {i} and the same end of it in all" for i in range(2)]
    titles = (GridColumn("name", numeric=False), *(GridColumn(f"column {i}") for i in range(7)))
    grid = Grid("", titles, tuple((name, *"1234567") for name in names))

    said = Document("Two", "An answer.", glance=(grid,)).write("text", full=False)

    assert len({line[:20] for line in said.splitlines() if "in all" in line}) == 2


def test_sentences_in_a_table_are_not_shortened() -> None:
    """The last column is left out of one screen, and stands whole on the full page."""
    a, b = (informed.Table.from_counts(x, rows="predicted") for x in ([[56, 20], [12, 12]], [[30, 12], [30, 28]]))
    made = informed.compare(a, b, method="powers")
    assert "…" not in made.text(width=80)
    assert "b's value lies outside a's interval at X = 1.65 (a directed claim)" in " ".join(
        made.text(width=80, full=True).split()
    )


def test_a_measure_of_clusters_that_was_asked_for_is_shown() -> None:
    said = ok("table", "5 4 3 6 / 4 6 5 3 / 6 5 4 4 / 3 5 6 6", "--measures", "purity")
    assert re.search(rf"^Purity +{24 / 75:.3f} ", said, re.MULTILINE)
