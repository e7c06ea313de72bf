"""Damaged saved objects and columns that hold something else: one sentence, never a fault of informed."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from command_line import ok, process, refused, run
from informed import Table

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
    ):
        state.write_text(whole.replace(before, after, 1))
        said = refused(*words)
        assert "fault" not in said, (before, said)


def test_columns_that_hold_no_scores(tmp_path: Path) -> None:
    import duckdb

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
