"""informed watch: a log that grows, a rule that ends it, what is kept, what is refused, and exit codes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import informed
from command_line import PACKAGES, ROOT, Done, run, surroundings

COLUMNS = ("--real", "real", "--predicted", "said")
INSPECT = sorted((ROOT / "tests/samples/cases/inspect").glob("*_mc_*"))[0]
LM_EVAL = ROOT / "tests/samples/cases/lm_eval"


def rows(n: int, right: float, seed: int = 1, other: float | None = None) -> list[dict[str, Any]]:
    """Items of two classes, answered right so often."""
    rng = random.Random(seed)
    found = []
    for i in range(n):
        real = rng.choice(("yes", "no"))
        wrong = {"yes": "no", "no": "yes"}[real]
        row = {"id": i, "real": real, "said": real if rng.random() < right else wrong}
        if other is not None:
            row["other"] = real if rng.random() < other else wrong
        found.append(row)
    return found


def lines(held: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in held)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(400, 0.8)))
    return path


def watch(*words: str | Path, stdin: str = "") -> Done:
    return run("watch", *map(str, words), stdin=stdin)


def found(*words: str | Path, stdin: str = "") -> dict[str, Any]:
    done = watch(*words, "--format", "json", stdin=stdin)
    assert done.returncode in (0, 1, 3), done.stderr
    return dict(json.loads(done.stdout))


# ---------------------------------------------------------------------- rules and exit codes


@pytest.mark.parametrize(
    ("rule", "code", "said"),
    [
        ("informedness.low > 0.2", 0, "The rule 'informedness.low > 0.2' is met after"),
        ("informedness.low > 0.9", 1, "gate failed: "),
        ("informedness.low > 0.6", 3, "gate undecided: "),
        ("informedness.high < 0.2", 1, "the opposite of the rule"),
        ("informedness.width < 0.5", 0, ""),
        ("informedness.within < 0.99", 0, ""),
        ("wealth >= 20", 0, ""),
        ("p < 0.001", 0, ""),
        ("n >= 100", 0, ""),
        ("pass or fail", 0, ""),
        ("n >= 1000", 3, "about 1,000 items in all would do"),
    ],
)
def test_the_exit_code_says_how_it_ended(log: Path, rule: str, code: int, said: str) -> None:
    done = watch(log, *COLUMNS, "--stop", rule)
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr


def test_it_stops_where_the_rule_is_met(log: Path) -> None:
    held = found(log, *COLUMNS, "--stop", "informedness.low > 0.2")
    assert held["n"] < 200
    w = informed.watch()
    for row in rows(400, 0.8):
        w.update(real=row["real"], predicted=row["said"])
        if w.interval.low > 0.2:
            break
    assert held["n"] == w.n or 50 < w.n <= held["n"] <= 1.02 * w.n + 1
    assert held["low"] > 0.2


def test_without_a_rule_all_is_read_and_the_bar_is_judged(log: Path) -> None:
    assert found(log, *COLUMNS)["n"] == 400
    assert watch(log, *COLUMNS, "--against", "0.2").returncode == 0
    assert watch(log, *COLUMNS, "--against", "0.9").returncode == 1
    assert watch(log, *COLUMNS, "--against", "0.6").returncode == 3
    done = watch(log, *COLUMNS, "--against", "0.6", "--format", "json")
    assert json.loads(done.stdout)["gates"][0]["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("bar", "more", "code", "verdict"),
    [
        ("0.2", (), 0, "pass"),
        ("0.9", (), 1, "fail"),
        ("0.6", (), 3, "undecided"),
        ("0.6", ("--undecided", "pass"), 0, "undecided"),
        ("0.6", ("--undecided", "fail"), 1, "undecided"),
        ("0.9", ("--undecided", "pass"), 1, "fail"),
    ],
)
def test_three_verdicts(log: Path, bar: str, more: tuple[str, ...], code: int, verdict: str) -> None:
    words: list[str | Path] = [log, *COLUMNS, "--decide", f"informedness={bar}", *more]
    done = watch(*words, "--format", "json")
    gate = json.loads(done.stdout)["gates"][0]
    assert (done.returncode, gate["verdict"], gate["name"]) == (code, verdict, f"decide informedness={bar}")
    if verdict == "undecided":
        assert gate["enough"] is None or gate["enough"] > 400

    tree = ElementTree.fromstring(watch(*words, "--format", "junit").stdout)
    failures = [x.get("type") for x in tree.iter("failure")]
    assert failures == ([] if code == 0 else [verdict])


def test_with_both_the_verdict_has_the_exit_code(log: Path) -> None:
    """The rule ends the run, and what it shows of the bar is told; the interval may still hold the bar."""
    decide = ("--decide", "informedness=0.5")
    assert watch(log, *COLUMNS, *decide, "--stop", "n >= 20").returncode == 3
    assert watch(log, *COLUMNS, "--decide", "informedness=0.9", "--stop", "wealth >= 20 or n >= 300").returncode == 1
    held = found(log, *COLUMNS, "--decide", "informedness=0")
    assert held["verdict"] == "pass"
    assert held["low"] < 0 < held["wealth"] - 20
    said = " ".join(watch("--help").stdout.split())
    assert "the interval, which is wider, may still hold the value" in said


def test_a_decision_stops_as_soon_as_it_is_made(log: Path) -> None:
    assert found(log, *COLUMNS, "--decide", "informedness=0.2")["n"] < 300
    expected = found(log, *COLUMNS, "--decide", "informedness=0.2", "--expect", "0.6")
    assert expected["n"] < 200


def test_two_systems(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(600, 0.9, other=0.6)))
    words = (path, *COLUMNS, "--other", "other")
    assert watch(*words, "--stop", "better").returncode == 0
    assert watch(*words, "--stop", "worse").returncode == 1
    assert watch(*words, "--stop", "difference.within < 0.05").returncode == 1
    held = found(*words, "--stop", "better or worse")
    assert held["n"] < 300
    assert held["low"] > 0


def test_the_sentence_knows_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(400, 0.55, other=0.9)))
    words: tuple[str | Path, ...] = (path, *COLUMNS, "--other", "other")
    for rule in ("better or worse", "fail"):
        said = " ".join(watch(*words, "--stop", rule).stdout.split())
        assert "no sign" not in said
        assert "left, and who bets that the first system is worse than the second has " in said
        assert "Were the first system no worse than the second, he would get that far in at most 1 of " in said
    said = " ".join(watch(path, *COLUMNS, "--against", "0.7").stdout.split())
    assert "left, and who bets that informedness is below 0.7 has " in said
    assert "Were informedness no less than 0.7, he would" in said
    said = " ".join(watch(path, "--real", "real", "--predicted", "other", "--alternative", "less").stdout.split())
    assert "left, and who bets that informedness is above 0 has " in said
    path.write_text(lines(rows(400, 0.7, other=0.7, seed=4)))
    assert "no sign of a difference so far" in watch(*words).stdout


def test_a_system_is_not_compared_with_itself(log: Path) -> None:
    done = watch(log, *COLUMNS, "--other", "said")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--other and --predicted are both 'said'" in done.stderr
    assert "itself" in watch(INSPECT, "--other", INSPECT).stderr


def test_one_item_is_one(log: Path) -> None:
    assert "The rule 'n >= 1' is met after 1 item." in watch(log, *COLUMNS, "--stop", "n >= 1").stdout


def test_cannot_matter_any_more(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    same = [row | {"other": row["said"]} for row in rows(1500, 0.8)]
    path.write_text(lines(same))
    done = watch(path, *COLUMNS, "--other", "other", "--stop", "difference.within < 0.1")
    assert done.returncode == 0
    assert "is met" in done.stdout


# ---------------------------------------------------------------------- where items come from


def test_csv_and_standard_input_are_the_same(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("id,real,said\n" + "".join(f"{x['id']},{x['real']},{x['said']}\n" for x in rows(400, 0.8)))
    words = (*COLUMNS, "--stop", "informedness.low > 0.2")
    one, two, three = found(log, *words), found(path, *words), found("-", *words, stdin=log.read_text())
    assert one["n"] == two["n"] == three["n"]
    assert one["low"] == two["low"] == three["low"]


def test_evaluation_logs() -> None:
    shares = ",".join(f"{x}=0.25" for x in "ABCD")
    assert found(INSPECT, "--prevalence", shares)["n"] == 14
    assert "item 'q3': 'D' in --real is a third label" in watch(INSPECT).stderr
    two = [next((LM_EVAL / x).glob("*toy_yn*")) for x in ("org__model-a", "org__model-b")]
    assert found(two[0], "--other", two[1])["n"] == 16
    marks = next((LM_EVAL / "org__model-a").glob("*toy_gsm*"))
    assert found(marks, "--measure", "accuracy", "--against", "0.5")["n"] > 5
    assert "--measure score --against 0.5" in watch(marks).stderr


def test_items_with_their_attempts_are_one_bet(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines([row for row in rows(60, 0.8) for _ in range(3)]))
    assert found(path, *COLUMNS, "--item", "id")["n"] == 60
    one = tmp_path / "one.jsonl"
    one.write_text(lines(rows(60, 0.8)))
    assert found(path, *COLUMNS, "--item", "id")["low"] == pytest.approx(found(one, *COLUMNS)["low"])


def test_items_wait_for_those_scheduled_before_them(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    held = rows(100, 0.8)
    path.write_text(lines(held[1:]))
    assert found(path, *COLUMNS, "--index", "id")["n"] == 0
    path.write_text(lines(random.Random(2).sample(held, 100)))
    assert found(path, *COLUMNS, "--index", "id")["low"] == found_of(held, tmp_path)["low"]


def found_of(held: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    path = folder / "ordered.jsonl"
    path.write_text(lines(held))
    return found(path, *COLUMNS)


def test_a_benchmark_closes_on_its_value(tmp_path: Path) -> None:
    path, labels = tmp_path / "run.jsonl", tmp_path / "labels.csv"
    held = rows(80, 0.8)
    path.write_text(lines(held))
    labels.write_text("real\n" + "".join(f"{x['real']}\n" for x in held))
    counts = ",".join(f"{x}={sum(r['real'] == x for r in held)}" for x in ("yes", "no"))
    for given in (labels, counts):
        seen = found(path, *COLUMNS, "--benchmark", given)
        assert seen["low"] == pytest.approx(seen["high"])
        assert seen["low"] == pytest.approx(seen["estimate"])


def test_many_classes_need_their_shares(tmp_path: Path) -> None:
    rng, path = random.Random(3), tmp_path / "run.jsonl"
    held = [{"real": (x := rng.choice("abc")), "said": x if rng.random() < 0.8 else "a"} for _ in range(300)]
    path.write_text(lines(held))
    assert "third label" in watch(path, *COLUMNS).stderr
    assert watch(path, *COLUMNS, "--prevalence", "a=0.4,b=0.3,c=0.3", "--stop", "low > 0.2").returncode == 0


# ---------------------------------------------------------------------- what is kept


def test_it_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    whole, state, path = tmp_path / "whole.jsonl", tmp_path / "run.watch.json", tmp_path / "run.jsonl"
    held = rows(400, 0.7)
    whole.write_text(lines(held))
    kept = [found(whole, *COLUMNS)]
    for n in (1, 30, 200, 400):
        path.write_text(lines(held[:n]))
        seen = found(path, *COLUMNS, "--state", state)
        assert seen["n"] == n
    kept.append(seen)
    assert kept[0]["low"] == kept[1]["low"]
    assert kept[0]["wealth"] == pytest.approx(kept[1]["wealth"], rel=1e-9)
    assert found(path, *COLUMNS, "--state", state)["n"] == 400


def test_a_rule_may_change_and_what_was_declared_may_not(log: Path, tmp_path: Path) -> None:
    state = tmp_path / "run.watch.json"
    first = found(log, *COLUMNS, "--stop", "informedness.low > 0", "--state", state)
    second = found(log, *COLUMNS, "--stop", "informedness.low > 0.3", "--state", state)
    assert first["n"] < second["n"] < 400
    done = watch(log, *COLUMNS, "--against", "0.1", "--state", state)
    assert done.returncode == 2
    assert "was begun with against=0.0, and against=0.1 is asked for now" in done.stderr


def test_another_file_is_refused(log: Path, tmp_path: Path) -> None:
    state, other = tmp_path / "run.watch.json", tmp_path / "other.jsonl"
    watch(log, *COLUMNS, "--state", state)
    before = state.read_bytes()
    other.write_text(lines(rows(500, 0.7, seed=5)))
    done = watch(other, *COLUMNS, "--state", state)
    assert (done.returncode, "does not begin as the file that was watched" in done.stderr) == (2, True)
    log.write_text(lines(rows(200, 0.8)))
    done = watch(log, *COLUMNS, "--state", state)
    assert (done.returncode, "has become shorter" in done.stderr) == (2, True)
    assert state.read_bytes() == before
    done = watch(log, *COLUMNS, "--state", log)
    assert (done.returncode, "is the file that is watched" in done.stderr) == (2, True)
    done = watch(other, *COLUMNS, "--state", log)
    assert (done.returncode, "is no state of a watch" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ((), ("--predicted", "other"), "has --predicted said, and here is --predicted other; another run needs"),
        ((), ("--real", "said", "--predicted", "real"), "has --real real, and here is --real said;"),
        (
            ("--other", "other"),
            ("--predicted", "other", "--other", "said"),
            "has --predicted said, and here is --predicted other;",
        ),
        ((), ("--item", "id"), "has no --item, and here is --item id;"),
        (("--item", "id", "--epochs", "1"), ("--item", "id"), "has --epochs 1, and here is no --epochs;"),
        (("--abstain", "maybe"), (), "has --abstain maybe, and here is no --abstain;"),
        ((), ("--abstain", "yes"), "'yes' was counted as a class already; --abstain yes begins another run."),
    ],
)
def test_a_state_is_of_its_columns(tmp_path: Path, first: tuple[str, ...], then: tuple[str, ...], said: str) -> None:
    """Going on with another system would mix two of them."""
    path, state = tmp_path / "run.jsonl", tmp_path / "run.watch.json"
    held = rows(60, 0.8, other=0.6)
    path.write_text(lines(held[:40]))
    assert found(path, *COLUMNS, *first, "--state", state)["n"] == 40
    kept = state.read_bytes()
    path.write_text(lines(held))
    columns = () if "--real" in then else COLUMNS[:2] if "--predicted" in then else COLUMNS
    done = watch(path, *columns, *then, "--state", state)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    assert state.read_bytes() == kept
    assert found(path, *COLUMNS, *first, "--state", state)["n"] == 60


def test_a_state_of_a_log_is_of_its_part(tmp_path: Path) -> None:
    one, two = (next((LM_EVAL / x).glob("*toy_yn*")) for x in ("org__model-a", "org__model-b"))
    state = tmp_path / "run.watch.json"
    assert found(one, "--other", two, "--state", state)["n"] == 16
    assert "was begun with paired" in watch(one, "--state", state).stderr
    third = tmp_path / two.name
    third.write_bytes(two.read_bytes())
    assert "and here is --other" in watch(one, "--other", third, "--state", state).stderr
    kept = json.loads(state.read_text())
    del kept["source"]["asked"], kept["digest"]
    state.write_text(json.dumps(kept))
    assert "begin again, with a new file as --state." in watch(one, "--other", two, "--state", state).stderr


# ---------------------------------------------------------------------- bad input: one sentence, nothing lost


@pytest.mark.parametrize("parts", [(60,), (25, 60)])
def test_what_is_left_out_is_said(tmp_path: Path, parts: tuple[int, ...]) -> None:
    path, state = tmp_path / "run.jsonl", tmp_path / "run.watch.json"
    held: list[dict[str, Any]] = [row | ({"real": None} if row["id"] in (7, 30, 59) else {}) for row in rows(60, 0.8)]
    for n in parts:
        path.write_text(lines(held[:n]))
        done = watch(path, *COLUMNS, "--missing", "drop", "--state", state)
    assert "3 rows without a real label are left out: what is watched is the rest." in done.stdout
    assert found(path, *COLUMNS, "--missing", "drop")["n"] == 57


@pytest.mark.parametrize("parts", [(60,), (25, 60)])
def test_items_with_another_number_of_attempts_are_said(tmp_path: Path, parts: tuple[int, ...]) -> None:
    path, state = tmp_path / "run.jsonl", tmp_path / "run.watch.json"
    held = [row | {"id": row["id"] // 3, "real": "yes" if row["id"] // 3 % 2 else "no"} for row in rows(60, 0.8)]
    for n in parts:
        path.write_text(lines(held[: n - n % 3]))
        done = watch(path, *COLUMNS, "--item", "id", "--epochs", "5", "--state", state)
    assert "20 items have fewer or more than 5 attempts (--epochs): counted as they are." in done.stdout
    assert "(--epochs)" not in watch(path, *COLUMNS, "--item", "id", "--epochs", "3").stdout
    done = watch(path, *COLUMNS, "--epochs", "3")
    assert (done.returncode, "give --item, too" in done.stderr) == (2, True)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("encoding", "said"), [("latin-1", "is not UTF-8 text"), ("utf-16", "it begins as UTF-16 does")]
)
def test_other_encodings(tmp_path: Path, form: str, encoding: str, said: str) -> None:
    path = tmp_path / f"run.{form}"
    held = [{"real": "né", "said": "né"}] * 3
    told = "real,said\n" + "né,né\n" * 3
    text = told if form == "csv" else "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in held)
    path.write_text(text, encoding=encoding)
    done = watch(path, *COLUMNS)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"error: {path}, line ")
    assert said in done.stderr
    assert f"iconv -f {'LATIN1' if encoding == 'latin-1' else 'UTF-16'} -t UTF-8" in done.stderr


def test_an_item_twice_is_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    held = rows(60, 0.8)
    path.write_text(lines([*held, held[3], held[4]]))
    done = watch(path, *COLUMNS, "--item", "id")
    assert "2 rows are of items that were counted already (the first of '3'): not counted again." in done.stdout
    assert found(path, *COLUMNS, "--item", "id")["n"] == 60


def test_a_label_never_seen_before(tmp_path: Path) -> None:
    """What stands before it is counted and kept; read as no answer, the run goes on."""
    path, state = tmp_path / "run.jsonl", tmp_path / "run.watch.json"
    held = rows(120, 0.8)
    held[100]["said"] = "maybe"
    path.write_text(lines(held))
    done = watch(path, *COLUMNS, "--state", state)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {path}, line 101: 'maybe' ")
    assert "None" not in done.stderr
    assert "or name what is no answer with --abstain (an empty field is none, too)." in done.stderr
    assert done.stderr.count("\n") == 1
    assert json.loads(state.read_text())["source"]["line"] == 100
    assert found(path, *COLUMNS, "--abstain", "maybe", "--state", state)["n"] == 120


def test_a_stream_that_ends_in_the_middle_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    text = lines(rows(60, 0.8))
    path.write_text(text[:-10])
    done = watch(path, *COLUMNS)
    assert f"The last line of {path} has no end and may be half of one: it was not counted." in done.stdout
    held = watch("-", *COLUMNS, stdin=text[:-10])
    assert "The last line of standard input has no end" in held.stdout
    assert found(path, *COLUMNS)["n"] == 59


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--stop", "informedness.low > 1"), "The rule 'informedness.low > 1' can never be met: it is at most 1."),
        (("--stop", "futile"), "nothing is expected that could be out of reach; give --expect"),
        (("--stop", "better"), "there is one system only."),
        (("--stop", "soon"), "'soon' is no rule; write informedness.low > 0.2"),
        (("--stop", "n >= 500", "--benchmark", "yes=50,no=50"), "the benchmark has 100 items."),
        (("--undecided", "pass"), "--undecided says what an undecided --decide counts as"),
        (("--decide", "informedness=0.2", "--against", "0.3"), "give one of them."),
        (("--decide", "a=1", "--decide", "b=1"), "one bar is bet against."),
        (("--prevalence", "0.5"), "write a number for each label, as in yes=0.1,no=0.9."),
        (("--scorer", "x"), "--scorer is of an evaluation log"),
        (("--expect", "-1"), "`expect`"),
    ],
)
def test_what_is_refused_before_anything_is_read(log: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    state = tmp_path / "kept.json"
    done = watch(log, *COLUMNS, *words, "--state", state)
    assert done.returncode == 2
    assert said.replace("`expect`", "--expect") in done.stderr
    assert done.stderr.count("\n") == 1
    assert not state.exists()


def test_files_that_cannot_be_watched(tmp_path: Path, log: Path) -> None:
    assert watch(tmp_path / "none.jsonl", *COLUMNS).returncode == 2
    assert "is a folder" in watch(tmp_path, *COLUMNS).stderr
    assert "Give --predicted, too" in watch(log, "--real", "real").stderr
    assert "give --real and --predicted" in watch("-").stderr
    assert "is no evaluation log that is known; if it has columns, give --real" in watch(log).stderr
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "give it as standard input" in watch(pipe, *COLUMNS).stderr


# ---------------------------------------------------------------------- while it runs


def started(*words: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "informed", "watch", *map(str, words)],
        cwd=ROOT,
        env={**surroundings(), "PYTHONPATH": PACKAGES},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_pipe_is_read_to_its_end(log: Path) -> None:
    """Evaluations pause between answers: the first pause of half a second ended the watch after 2 of 12 items."""
    command = [sys.executable, "-m", "informed", "watch", "-", *COLUMNS, "--format", "json"]
    surround = {**surroundings(), "PYTHONPATH": PACKAGES}
    held = log.read_text().splitlines(keepends=True)[:12]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, env=surround, text=True, **pipes)
    assert process.stdin is not None
    for part in (held[:2], held[2:]):
        process.stdin.write("".join(part))
        process.stdin.flush()
        time.sleep(1.5)
    out, err = process.communicate(timeout=60)
    assert json.loads(out)["n"] == 12, err

    process = subprocess.Popen([*command, "--patience", "0.2"], cwd=ROOT, env=surround, text=True, **pipes)
    assert process.stdin is not None
    process.stdin.write("".join(held))
    process.stdin.flush()
    assert process.wait(timeout=60) == 3, "with --patience a stream that says nothing more is left"
    process.communicate()


def test_a_state_belongs_to_one_watch(log: Path, tmp_path: Path) -> None:
    """Of two watches on one state each wrote what it alone had counted: 300 of 600 items."""
    state = tmp_path / "run.watch.json"
    process = started(log, *COLUMNS, "--stop", "n >= 1000", "--follow", "--state", state)
    deadline = time.monotonic() + 50
    while not state.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    done = watch(log, *COLUMNS, "--state", state)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: Another watch that is still running keeps its state in {state}; wait for its end, or give --state "
        "another name.\n"
    )
    process.kill()
    process.communicate(timeout=60)
    assert found(log, *COLUMNS, "--state", state)["n"] == 400, "a lock ends with its process"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["run.jsonl", "run.watch.json"]


def test_a_page_does_not_replace_the_state(log: Path, tmp_path: Path) -> None:
    """Neither where the state is there already, nor where the watch would make it; nor is another log."""
    state, other = tmp_path / "s.json", tmp_path / "b.json"
    for _ in range(2):
        done = watch(log, *COLUMNS, "--state", state, "-o", state)
        assert done.returncode == 2
        assert done.stderr == f"error: --output {state} and --state are the same file; give another name.\n"
        state.write_text("{}")
    other.write_text("x")
    assert "would write over the file that is read" in watch(log, "--other", other, "-o", other).stderr
    assert other.read_text() == "x"
    done = run(
        "simulate", "--replicates", "10", "--out", str(tmp_path / "r.parquet"), "-o", str(tmp_path / "r.parquet")
    )
    assert done.returncode == 2
    assert not (tmp_path / "r.parquet").exists()


def test_it_follows_a_log_and_stops(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    held = rows(200, 0.9)
    path.write_text(lines(held[:10]))
    process = started(path, *COLUMNS, "--stop", "informedness.low > 0.4", "--follow", "--format", "json")
    with path.open("a") as file:
        for i in range(10, 200, 19):
            file.write(lines(held[i : i + 19]))
            file.flush()
            time.sleep(0.02)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert 10 < json.loads(out)["n"] < 200


def test_patience_ends_it(log: Path) -> None:
    done = watch(log, *COLUMNS, "--stop", "n >= 1000", "--follow", "--patience", "0.1")
    assert done.returncode == 3


def test_an_interrupt_keeps_the_state(tmp_path: Path, log: Path) -> None:
    state = tmp_path / "run.watch.json"
    process = started(log, *COLUMNS, "--stop", "n >= 1000", "--follow", "--state", state)
    deadline = time.monotonic() + 50
    while not state.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in err
    assert "Traceback" not in err
    assert found(log, *COLUMNS, "--state", state)["n"] == 400


# ---------------------------------------------------------------------- report and compare before the end


def test_a_report_before_the_end(log: Path) -> None:
    words = ("report", str(log), "--real", "real", "--predicted", "said", "--any-time")
    done = run(*words)
    assert done.returncode == 0
    assert done.stdout.startswith("After 400 items the bettor who started with 1 has ")
    assert (
        "a sample whose size was fixed before anybody looked. Only of such a sample it could be said: " in done.stdout
    )
    held = json.loads(run(*words, "--format", "json").stdout)
    assert held["any_time"]["low"] == found(log, *COLUMNS)["low"]
    assert held["any_time"]["n"] == 400
    assert "the order of the items was fixed before the run" in " ".join(run(*words, "--full").stdout.split())


@pytest.mark.parametrize(("bar", "fixed", "any_time"), [("0.2", "pass", "pass"), ("0.45", "pass", "undecided")])
def test_the_verdict_is_that_of_any_time(log: Path, bar: str, fixed: str, any_time: str) -> None:
    words = ("report", str(log), "--real", "real", "--predicted", "said", "--decide", f"informedness={bar}")
    for more, wanted in (((), fixed), (("--any-time",), any_time)):
        done = run(*words, *more, "--format", "json")
        (gate,) = json.loads(done.stdout)["gates"]
        assert (gate["verdict"], done.returncode) == (wanted, {"pass": 0, "undecided": 3}[wanted])


def test_a_comparison_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(300, 0.9, other=0.6)))
    words = ("--real", "real", "--predicted", "said", "--predicted", "other", "--any-time", "--format", "json")
    held = json.loads(run("compare", str(path), *words).stdout)
    assert held["any_time"]["low"] == found(path, *COLUMNS, "--other", "other")["low"]
    two = [str(next((LM_EVAL / x).glob("*toy_yn*"))) for x in ("org__model-a", "org__model-b")]
    assert json.loads(run("compare", *two, "--any-time", "--format", "json").stdout)["any_time"]["n"] == 16


def test_what_holds_at_any_time_is_the_headline(tmp_path: Path) -> None:
    """Better by a test of a fixed sample, and not shown at any time."""
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(120, 0.8, other=0.62, seed=3)))
    columns = ("--real", "real", "--predicted", "said", "--predicted", "other")
    fixed = run("compare", str(path), *columns).stdout.split("\n")[0]
    assert fixed.startswith("said is better than other: ")
    done = run("compare", str(path), *columns, "--any-time").stdout
    first, warned, *_ = done.split("\n\n")
    assert first.startswith("After 120 items the bettor")
    assert "The difference in informedness -" in first
    assert warned.startswith("! All other intervals, tests and p-values of this page")
    assert fixed.split(",")[0] in warned
    assert "said − other, with 95 % intervals" in done
    page = run("compare", str(path), *columns, "--any-time", "--format", "html").stdout
    assert page.index("After 120 items the bettor") < page.index("said is better than other")


@pytest.mark.parametrize(
    ("verb", "words", "said"),
    [
        ("report", ("--fail-under", "informedness.low=0.5"), "--fail-under informedness.low=0.5 is judged"),
        ("compare", ("--fail-worse", "0"), "--fail-worse is judged"),
        ("compare", ("--fail-unless", "0.1"), "--fail-unless is judged"),
        ("compare", ("--baseline", "other"), "--baseline is judged"),
        ("compare", ("--fail-under", "informedness.low=0.5"), "--fail-under informedness.low=0.5 is judged"),
    ],
)
def test_gates_of_a_fixed_sample_are_not_for_any_time(
    tmp_path: Path, verb: str, words: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(rows(60, 0.9, other=0.6)))
    more = ("--predicted", "other") if verb == "compare" else ()
    columns = (str(path), "--real", "real", "--predicted", "said", *more, "--any-time")
    done = run(verb, *columns, *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{said} by a sample whose size was fixed; with --any-time the gate is --decide" in done.stderr
    assert run(verb, *columns, "--fail-under", "informedness=0.1").returncode == 0


def test_logs_of_many_classes_and_of_marks() -> None:
    held = json.loads(run("report", str(INSPECT), "--any-time", "--format", "json").stdout)
    assert held["any_time"]["n"] == 14
    assert any("Nothing is shown before every class" in note for note in held["any_time"]["notes"])
    marks = str(next((LM_EVAL / "org__model-a").glob("*toy_gsm*")))
    held = json.loads(run("report", marks, "--any-time", "--format", "json").stdout)
    assert held["any_time"]["measure"] == "score"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--by", "id"), "it takes no --by."),
        (("--unit", "id"), "it takes no --unit."),
        (("--score", "id"), "leave --seed and --score out."),
    ],
)
def test_what_any_time_does_not_take(log: Path, words: tuple[str, ...], said: str) -> None:
    done = run("report", str(log), "--real", "real", "--predicted", "said", "--any-time", *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    done = run("report", str(log), str(log), "--real", "real", "--predicted", "said", "--any-time")
    assert "--any-time reads one file; here are 2." in done.stderr


def test_a_log_that_is_just_being_written_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    about = {"dataset": {"sample_ids": ["0", "1"]}, "config": {"epochs": 1}, "model": "m", "task": "t"}
    sample = {"id": "0", "epoch": 1, "target": "a", "scores": {"match": {"value": "C", "answer": "a"}}}
    held = {"version": 2, "status": "started", "eval": about, "samples": [sample, sample | {"id": "1"}]}
    path.write_text(json.dumps(held | {"samples": []}))
    words = (path, "--labels", "a,b", "--stop", "n >= 2")
    assert "there is no sample in this log" in watch(*words, "--follow", "--patience", "0.1").stderr
    process = started(*words, "--follow", "--patience", "50", "--format", "json")
    time.sleep(0.3)
    path.write_text(json.dumps(held)[:-20])
    time.sleep(0.2)
    path.write_text(json.dumps(held))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out)["n"] == 2


# ---------------------------------------------------------------------- many systems


def test_many_systems_at_a_common_look(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    held = [
        row | {"c": other["said"] if other["real"] == row["real"] else row["real"]}
        for row, other in zip(rows(200, 0.8, other=0.5), rows(200, 0.5, seed=9), strict=True)
    ]
    path.write_text(lines(held))
    words = ("--real", "real", "--predicted", "said", "--predicted", "other", "--predicted", "c")
    seen = found(path, *words)
    each = {row["system"]: row for row in seen["rows"]}
    assert list(each) == ["said", "other", "c"]
    for name, row in each.items():
        alone = found(path, "--real", "real", "--predicted", name)
        assert (row["low"], row["wealth"]) == (alone["low"], alone["wealth"])
    wealth = [row["wealth"] for row in each.values()]
    best = [row["best"] for row in each.values()]
    assert [row["found_bh"] for row in each.values()] == [i in informed.e_bh(wealth) for i in range(3)]
    assert [row["found_holm"] for row in each.values()] == [i in informed.e_holm(best) for i in range(3)]
    assert each["said"]["found_bh"]
    assert not each["other"]["found_bh"]
    for more in (("--stop", "n >= 5"), ("--follow",), ("--decide", "informedness=0.1"), ("--other", "c")):
        assert "Many systems are looked at together" in watch(path, *words, *more).stderr
    assert "each once" in watch(path, *words, "--predicted", "said").stderr
