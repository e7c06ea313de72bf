"""`informed verify`: what is printed, JSON, long and wide files, one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import ok, run
from test_judged_systems import case_9
from test_verified import case_10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify")
    c = case_9()
    v, g = c["verdict"], c["gold"]
    lines = [",".join(x) for x in zip(v["a"], g["a"], v["b"], g["b"], strict=True)]
    (folder / "graded.csv").write_text("va,ga,vb,gb\n" + "\n".join(lines))
    long = [f"{s},{i},{v[s][i]},{g[s][i]}" for s in "ab" for i in range(len(v["a"]))]
    (folder / "long.csv").write_text("system,id,verdict,gold\n" + "\n".join(long))
    t = case_10()
    cases = [f"{s},{j},{'' if x is None else x}" for s, j, x in zip(t["predicted"], t["judge"], t["gold"], strict=True)]
    (folder / "cases.csv").write_text("answer,judge,human\n" + "\n".join(cases))
    return folder


def test_a_gold_label_that_is_never_said_is_told_of_two_systems_too(place: Path) -> None:
    rows = [f"{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},{'no' if i % 5 else 'yse'}" for i in range(60)]
    (place / "slip.csv").write_text("a,b,human\n" + "\n".join(rows))
    one = ["verify", str(place / "slip.csv"), "--gold", "human", "--predicted", "a"]
    for words in (one, [*one, "--predicted", "b"]):
        assert "Gold has 'yse' in 12 rows, which is never said of a case" in ok(*words)


def test_systems_beside_and_below_each_other_are_the_same(place: Path) -> None:
    wide = ["--verdict", "va", "--gold", "ga", "--verdict", "vb", "--gold", "gb"]
    asked = [str(place / "graded.csv"), *wide], [str(place / "long.csv"), "--by", "system", "--item", "id"]
    asked[1].extend(["--verdict", "verdict", "--gold", "gold"])
    for words in asked:
        held = json.loads(ok("verify", *words, "--positive", "good", "--format", "json"))
        assert (held["estimate"], held["low"], held["high"]) == pytest.approx((0.056247, 0.007284, 0.104814), abs=6e-7)
    assert "the judge says +0.046" in ok("verify", *asked[0], "--positive", "good")


def test_a_table_of_partly_verified_cases(place: Path) -> None:
    words = [str(place / "cases.csv"), "--predicted", "answer", "--judge", "judge", "--gold", "human"]
    held = json.loads(ok("verify", *words, "--format", "json"))
    assert held["measures"][0]["low"] == pytest.approx(0.532946, abs=6e-7)
    assert "Informedness is 0.627" in ok("verify", *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cases.csv", "--gold", "human"], "--predicted"),
        (["cases.csv", "--predicted", "answer", "--gold", "answer"], "different columns"),
        (["cases.csv", "--predicted", "answer", "--gold", "nowhere"], "nowhere"),
        (["graded.csv", "--verdict", "va", "--gold", "ga"], "--gold of its own"),
        (["graded.csv", "--verdict", "va", "--gold", "ga", "--judge", "vb"], "--judge"),
        (["long.csv", "--by", "system", "--verdict", "verdict", "--gold", "gold"], "positive"),
    ],
)
def test_what_cannot_be_meant_is_one_line(place: Path, words: list[str], said: str) -> None:
    done = run("verify", str(place / words[0]), *words[1:])
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_two_predicted_columns_are_compared(place: Path) -> None:
    typed = ("verify", str(place / "cases.csv"), "--predicted", "answer", "--predicted", "judge", "--gold", "human")
    held = json.loads(ok(*typed, "--positive", "1", "--measure", "recall", "--format", "json"))
    assert held["measure"] == "recall"
    assert held["names"] == ["answer", "judge"]
    assert held["low"] < held["estimate"] < held["high"]


def test_gates_end_with_their_codes(place: Path) -> None:
    table = ("verify", str(place / "cases.csv"), "--predicted", "answer", "--gold", "human", "--positive", "1")
    assert run(*table, "--fail-under", "informedness.low=0.3").returncode == 0
    assert run(*table, "--fail-under", "informedness.low=0.9").returncode == 1
    assert run(*table, "--decide", "informedness=0.62").returncode == 3
    pair = ("--verdict", "va", "--gold", "ga", "--verdict", "vb", "--gold", "gb", "--positive", "good")
    assert run("verify", str(place / "graded.csv"), *pair, "--decide", "rate=-0.01").returncode == 0
    assert run("verify", str(place / "graded.csv"), *pair, "--decide", "rate=0.2").returncode == 1


def test_systems_are_called_by_what_their_columns_do_not_share() -> None:
    from informed.cli._judged_systems import called

    assert called(["a_judge", "b_judge"]) == ["a", "b"]
    assert called(["judge.new", "judge.old"]) == ["new", "old"]
    assert called(["x_judge", "y_grade"]) == ["x_judge", "y_grade"]


def test_other_commands_say_where_verdicts_are_read(place: Path) -> None:
    two = ("--verdict", "va", "--gold", "ga", "--verdict", "vb", "--gold", "gb")
    assert "informed verify" in run("judge", str(place / "graded.csv"), *two).stderr
    for command in ("compare", "report"):
        done = run(command, str(place / "graded.csv"), "--verdict", "va", "--gold", "ga")
        assert done.returncode == 2
        assert "informed verify" in done.stderr
