"""Damaged saved objects and columns that hold something else: one sentence, never a fault of informed."""

from __future__ import annotations

import bz2
import json
import lzma
import math
import sqlite3
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

import informed
from command_line import ok, process, refused, run
from informed import Table
from informed.sources import databases, unpacking
from informed.web import limits

T = Table.from_counts([[30, 5], [6, 29]], labels=("a", "b"))
HUGE = "1" + "0" * 400


def test_a_count_beyond_all_numbers(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(T.to_json().replace("30.0", HUGE))
    assert "numbers are needed" in refused("report", str(path))


def test_the_name_of_units_is_text() -> None:
    t = Table.from_labels(real=list("aabb") * 5, predicted=list("abbb") * 5, unit=list(range(10)) * 2)
    held = json.loads(t.to_json())
    held["units"]["name"] = 5
    with pytest.raises(ValueError, match="name of the units is 5; it must be text"):
        Table.from_json(json.dumps(held))


def test_a_state_that_was_damaged(tmp_path: Path) -> None:
    rows, state = tmp_path / "rows.csv", tmp_path / "state.json"
    rows.write_text("y,p\na,a\nb,b\na,b\n")
    words = ("watch", str(rows), "--real", "y", "--predicted", "p", "--state", str(state))
    run(*words)
    whole = state.read_text()
    assert '"offset"' in whole
    for before, after in (
        ('"offset": ', '"offset": "x", "was": '),
        ('"n": 3', f'"n": {HUGE}'),
        ('"counts": [', '"counts": [[], '),
        ('"looked": ', '"looked": 1' + "0" * 18 + ', "was": '),
    ):
        assert before in whole
        state.write_text(whole.replace(before, after, 1))
        said = refused(*words)
        assert "state.json is damaged: it is not as the watch wrote it; remove it" in said, (before, said)


def test_units_that_were_damaged() -> None:
    t = Table.from_labels(real=list("aabb") * 5, predicted=list("abbb") * 5, unit=list(range(10)) * 2)
    for name, value in (("of", []), ("of", "x"), ("asked", 1.5), ("apart", None)):
        held = json.loads(t.to_json())
        held["units"][name] = value
        with pytest.raises(ValueError, match="`units` do not say of what they are"):
            Table.from_json(json.dumps(held))


def test_squares_that_were_damaged() -> None:
    t = Table.from_labels(real=list("aabb") * 5, predicted=list("abbb") * 5, weights=[1, 2, 3, 4] * 5)
    held = json.loads(t.to_json())
    held["squares"][1][0] = 1e-320
    with pytest.raises(ValueError, match="a sum of squared weights is 0 or above 1e-100"):
        Table.from_json(json.dumps(held))


def test_columns_that_hold_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "nested.parquet"
    duckdb.sql(f"COPY (SELECT i % 2 y, {{'a': i}} s, MAP([1], [i]) m, [i] l FROM range(20) t(i)) TO '{path}'")
    for column in "sml":
        for verb in ("roc", "report"):
            said = refused(verb, str(path), "--real", "y", "--score", column)
            assert "fault" not in said
            assert "numbers are needed" in said, said
    said = refused("roc", str(path), "--real", "y", "--score", "y", "--option", "score=1")
    assert "--score COLUMN" in said


def test_no_warning_of_a_library_reaches_a_user(tmp_path: Path) -> None:
    weights, one, scores = (tmp_path / name for name in ("weights.csv", "one.csv", "scores.csv"))
    weights.write_text("y,p,w\n" + "a,a,1\nb,b,1\na,b,1\n" * 20 + "b,a,1e30\n")
    one.write_text("y,p,g\na,a,x\n")
    scores.write_text("y,s\n1,inf\n0,-inf\n1,2\n0,inf\n1,inf\n0,1\n")
    columns = ("--real", "y", "--predicted", "p")
    calls = [
        ("report", str(weights), *columns, "--weights", "w"),
        ("report", str(one), *columns, "--by", "g"),
        ("roc", str(scores), "--real", "y", "--score", "s"),
    ]
    for words in calls:
        done = process("-m", "informed", *words)
        assert done.stderr == "", words
        assert done.stdout


def test_one_heavy_case_has_a_report(tmp_path: Path) -> None:
    path = tmp_path / "weights.csv"
    path.write_text("y,p,w\n" + "a,a,1\nb,b,1\na,b,1\n" * 20 + "b,a,1e30\n")
    held = json.loads(ok("report", str(path), "--real", "y", "--predicted", "p", "--weights", "w", "--format", "json"))
    assert math.isclose(held["n"], 1e30)
    said = ok("report", str(path), "--real", "y", "--predicted", "p", "--weights", "w")
    assert "One case holds at least 100 % of the weight of the class 'b'" in said
    assert "the intervals are too short" in said


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("labels=3", "a list of the classes"),
        ("normalize=1", "it can be 'case', 'space'"),
        ("separator=2", "the text between the tags"),
        ("quote=ab", "one character is needed"),
        ("encoding=3", "a name is needed"),
        ("source=2", "give the file itself"),
    ],
)
def test_options_of_another_kind(tmp_path: Path, option: str, said: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("y,p\na,a\nb,b\na,b\n")
    assert said in refused("report", str(path), "--real", "y", "--predicted", "p", "--option", option)


def test_bins_are_a_whole_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("y,s\na,1\nb,2\na,3\n")
    words = ("roc", str(path), "--real", "y", "--score", "s", "--positive", "b", "--option")
    assert "whole number of 2 or more" in refused(*words, "bins=abc")


def test_a_file_that_is_packed_in_a_way_that_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(lzma.compress(b"y,p\n" + b"a,a\nb,b\n" * 9))
    columns = ("--real", "y", "--predicted", "p")
    assert "is packed with xz, which is not read; unpack it" in refused("report", str(path), *columns)
    for magic, kind in ((b"\xfd7zXZ\x00", "xz"), (b"\x1f\x8b\x08", "gzip")):
        path.write_bytes(magic + b"\r" * 99)  # without the end of a line
        assert f"is packed ({kind})" in refused("watch", str(path), *columns)


def test_what_is_unpacked_beside_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unpacking.MOST == limits.UNPACKED == 8 << 30
    monkeypatch.setattr(unpacking, "MOST", 1 << 20)
    for name, pack in (("rows.csv", bz2.compress), ("other.csv", zstandard.compress)):
        path = tmp_path / name
        path.write_bytes(pack(b"y,p\n" + b"a,a\n" * (1 << 19)))
        assert "unpacks to more than" in refused("report", str(path), "--real", "y", "--predicted", "p")


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_view_without_end_is_given_up(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"rows.{kind}"
    endless = "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT i % 2 AS y, i % 3 % 2 AS p FROM t"
    if kind == "duckdb":
        endless = "SELECT i % 2 AS y, i % 3 % 2 AS p FROM range(1000000000000000000) r(i)"
    opened: Any = sqlite3.connect(path) if kind == "sqlite" else duckdb.connect(str(path))
    opened.execute(f"CREATE VIEW v AS {endless}")
    opened.execute("CREATE TABLE t AS SELECT 1 AS y, 0 AS p UNION ALL SELECT 0, 1")
    opened.commit()
    opened.close()
    monkeypatch.setattr(databases, "LONGEST", 1.5)
    begun = time.monotonic()
    said = refused("report", str(path), "--table", "v", "--real", "y", "--predicted", "p")
    assert "is the limit for a file with views: a view may have no end" in said
    assert time.monotonic() - begun < 15
    assert informed.read(path, table="t", real="y", predicted="p").n == 2


@pytest.mark.parametrize("weight", [1e15, 1e18, 1e30])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_no_warning_of_a_library_reaches_python(weight: float) -> None:
    table = Table.from_labels(
        real=[*"aba"] * 20 + ["b"], predicted=[*"abb"] * 20 + ["a"], weights=[1.0] * 60 + [weight]
    )
    assert informed.report(table).text(full=True)
    assert informed.report(Table.from_labels(real=["a"], predicted=["a"], by=["x"])).text(full=True)
