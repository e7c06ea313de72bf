"""One specification of what a source must give, over every backend with the same nasty data."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import sys
import threading
import time
from inspect import signature
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest

import informed
import nasty
from backends import EVERY, OF_SPARK, Places
from command_line import run
from informed import Paired, Scores, Table, Tags
from informed.errors import InformedError, LabelError, SourceError
from informed.evidence.forecasts import Forecasts
from informed.evidence.scores import ScoreColumns
from informed.sources.read import ReadOptions
from informed.testing import assert_informed

# Spark, Dask and Ibis warn about versions of other packages while they work.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
HERE = {name: put for name, put in EVERY.items() if name not in OF_SPARK}  # the others in test_spark.py


every = pytest.mark.parametrize("backend", HERE)


# ---------------------------------------------------------------- the specification


@every
def test_the_same_table_everywhere(backend: str, places: Places) -> None:
    columns = nasty.labels()
    source, options = EVERY[backend](columns, places)
    got = informed.read(
        source, real="real", predicted="pre dicted", by="group", weights="weight",
        missing="drop", **options,
    )  # fmt: skip
    assert got.names == ("A", "b b", "Ç")
    for name in got.names:
        here = [i for i, g in enumerate(columns["group"]) if g == name]
        part = {key: [values[i] for i in here] for key, values in columns.items()}
        expected = informed.Table.from_labels(
            real=part["real"], predicted=part["pre dicted"], weights=part["weight"],
            missing="drop", labels=got.labels,
        )  # fmt: skip
        assert got[name].rows == expected.rows
        assert got[name].missing == expected.missing
        np.testing.assert_allclose(got[name].counts, expected.counts, rtol=1e-12)
        assert expected.squares is not None
        np.testing.assert_allclose(got[name].squares, expected.squares, rtol=1e-12)


@every
def test_missing_predictions_abstain(backend: str, places: Places) -> None:
    columns = nasty.labels(seed=5, n=150)
    kept = [i for i, r in enumerate(columns["real"]) if r is not None]
    columns = {key: [values[i] for i in kept] for key, values in columns.items()}
    source, options = EVERY[backend](columns, places)
    got = informed.read(source, real="real", predicted="pre dicted", missing="abstain", abstain="NA", **options)
    assert got == informed.Table.from_labels(
        real=columns["real"], predicted=columns["pre dicted"], missing="abstain", abstain="NA"
    )
    assert got.abstained.sum() > 0
    with pytest.raises(LabelError, match="missing label"):
        informed.read(source, real="real", predicted="pre dicted", **options)


@every
def test_where_leaves_the_same_rows(backend: str, places: Places) -> None:
    columns = nasty.labels(seed=8, n=120)
    source, options = EVERY[backend](columns, places)
    for where, holds in (
        ("group != 'b b' and weight > 0.5", lambda row: row["group"] != "b b" and row["weight"] > 0.5),
        ("\"pre dicted\" in ('it''s', \"NA\", '\\N')", lambda row: row["pre dicted"] in ("it's", "NA", "\\N")),
    ):
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        kept = [row for row in rows if holds(row)]
        expected = informed.Table.from_labels(
            real=[row["real"] for row in kept], predicted=[row["pre dicted"] for row in kept], missing="drop"
        )
        got = informed.read(source, real="real", predicted="pre dicted", missing="drop", where=where, **options)
        assert got == expected, where


@every
def test_ten_thousand_labels(backend: str, places: Places) -> None:
    columns = nasty.many_labels()
    source, options = EVERY[backend](columns, places)
    got = informed.read(source, real="real", predicted="predicted", square=False, **options)
    assert got == informed.Table.from_labels(real=columns["real"], predicted=columns["predicted"], square=False)
    assert len(got.predicted_labels) == 10_000


@every
def test_the_same_items_of_several_systems(backend: str, places: Places) -> None:
    columns = nasty.systems()
    source, options = EVERY[backend](columns, places)
    got = informed.read(source, real="real", predicted="answer", by="system", item="id", **options)
    assert got.names == ("fair", "good", "guess")
    assert got.labels == ("x", "y", "z")
    assert got.items is not None
    answers = dict(zip(zip(columns["id"], columns["system"], strict=True), columns["answer"], strict=True))
    expected = [["xyz".index(answers[i, s]) for s in got.names] for i in got.items]
    np.testing.assert_array_equal(got.codes, expected)
    stack = informed.read(source, real="real", predicted="answer", by="system", **options)
    assert got.tables == stack


def test_more_scores_than_a_table_has_dense_classes_keep_their_axes() -> None:
    rng = np.random.default_rng(7)
    score = rng.integers(0, 2500, 9000) / 2500
    columns = {"real": rng.integers(0, 2, 9000), "score": score, "by": rng.choice(["a", "b"], 9000)}
    source = pytest.importorskip("pandas").DataFrame(columns)
    got = informed.read(source, real="real", score="score", by="by")
    assert got.counts.shape == (2, len(got.thresholds), 2)
    one = informed.read(source[source["by"] == "b"], real="real", score="score")
    there = np.isin(got.thresholds, one.thresholds)
    np.testing.assert_array_equal(got.counts[1][there], one.counts)
    weighted = informed.read(source, real="real", score="score", by="by", weights="score")
    assert weighted.squares is not None
    assert weighted.squares.shape == got.counts.shape


@every
def test_scores_become_a_histogram(backend: str, places: Places) -> None:
    columns = nasty.labels(seed=6)
    columns["real"] = [int(s + w / 4 > 0.4) for s, w in zip(columns["score"], columns["weight"], strict=True)]
    source, options = EVERY[backend](columns, places)
    exact = informed.read(source, real="real", score="score", **options)
    real, score = np.asarray(columns["real"]), np.asarray(columns["score"])
    assert exact.exact
    np.testing.assert_array_equal(exact.thresholds, np.unique(score))
    coarse = informed.read(source, real="real", score="score", bins=16, **options)
    assert not coarse.exact
    assert len(coarse.thresholds) <= 16
    for got in (exact, coarse):  # every threshold that is kept gives the exact table
        at = score[:, None] >= got.thresholds
        for k in (0, 1):
            np.testing.assert_array_equal(got.counts[::-1, k].cumsum()[::-1], at[real == k].sum(axis=0))
    true = _auc(real, score)
    binned = _auc(real, coarse.thresholds[np.searchsorted(coarse.thresholds, score, "right") - 1])
    assert abs(true - binned) <= coarse.auc_error


def _auc(real: Any, score: Any) -> float:
    difference = score[real == 1][:, None] - score[real == 0]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


@every
def test_bad_requests_are_one_sentence(backend: str, places: Places) -> None:
    columns: nasty.Columns = {"real": ["a", "b"], "predicted": ["a", "a"], "weight": [1.0, -2.0]}
    source, options = EVERY[backend](columns, places)
    for asked, says in (
        ({"real": "reel"}, "no column 'reel'.*Did you mean 'real'"),
        ({"weights": "weight"}, "negative"),
        ({"labels": ["a", "c"]}, "'b'.*not in `labels`"),
    ):
        with pytest.raises(InformedError, match=says):
            informed.read(source, **{"real": "real", "predicted": "predicted", **asked, **options})


@every
def test_weights_that_are_no_numbers(backend: str, places: Places) -> None:
    columns: nasty.Columns = {"real": ["a", "b"], "predicted": ["a", "a"], "weight": [1.0, float("nan")]}
    if "json" in backend:
        columns["weight"] = [1.0, "heavy"]
    source, options = EVERY[backend](columns, places)
    with pytest.raises(SourceError, match="weights"):
        informed.read(source, real="real", predicted="predicted", weights="weight", **options)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("name", nasty.BROKEN)
def test_broken_files_are_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    file, content, says = nasty.BROKEN[name]
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        informed.read(path, real="real", predicted="predicted")
    assert says in str(caught.value)
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8", newline="")
    return path


def test_files_of_windows_have_the_same_table(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.csv", 'real,predicted\na,b\n"b\nc",b\n')
    windows = tmp_path / "windows.csv"
    windows.write_bytes(b'\xef\xbb\xbfreal,predicted\r\na,b\r\n"b\nc",b\r\n')
    utf16 = tmp_path / "utf16.csv"
    utf16.write_bytes('real,predicted\na,b\n"b\nc",b\n'.encode("utf-16"))
    expected = informed.Table.from_labels(real=["a", "b\nc"], predicted=["b", "b"])
    for path in (plain, windows, utf16):
        assert informed.read(path, real="real", predicted="predicted") == expected


def test_encoding_delimiter_quote_and_types_can_be_said(tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes("real:predicted\né:'b'\n".encode("latin-1"))
    t = informed.read(latin, real="real", predicted="predicted", encoding="latin-1", delimiter=":", quote="'")
    assert t.labels == ("b", "é")
    numbers = write(tmp_path / "numbers.csv", "real,predicted\n1.0,1\n1,1\n")
    assert informed.read(numbers, real="real", predicted="predicted").labels == ("1", "1.0")
    native = informed.read(numbers, real="real", predicted="predicted", types="native")
    assert native.labels == (1,)
    spaced = write(tmp_path / "spaced.csv", "real,predicted\n a,a\nb ,  \nb,b\n")
    t = informed.read(spaced, real="real", predicted="predicted", strip=True, missing="abstain")
    assert t.labels == ("a", "b")
    assert t.abstained.tolist() == [0, 1]


def test_patterns_folders_and_several_files(tmp_path: Path) -> None:
    write(tmp_path / "one.csv", "real,predicted\na,a\n")
    write(tmp_path / "two.csv", "predicted,extra,real\nb,x,a\n")  # in another order
    (tmp_path / "odd[1]*.csv").write_text("real,predicted\nb,b\n")
    pooled = informed.Table.from_labels(real=["a", "a", "b"], predicted=["a", "b", "b"])
    columns: dict[str, Any] = {"real": "real", "predicted": "predicted"}
    assert informed.read(tmp_path, **columns) == pooled
    assert informed.read(f"{tmp_path}/*.csv", **columns) == pooled
    assert informed.read(tmp_path / "odd[1]*.csv", **columns).n == 1
    stack = informed.read([tmp_path / "one.csv", tmp_path / "two.csv"], **columns)
    assert stack.names == ("one", "two")
    assert stack.sum().counts.sum() == 2
    named = informed.read({"A": tmp_path / "one.csv", "B": tmp_path / "two.csv"}, **columns)
    assert named.names == ("A", "B")
    assert named["B"].hits.sum() == 0
    (tmp_path / "three.json").write_text("[]")
    with pytest.raises(SourceError, match="several kinds"):
        informed.read(tmp_path, **columns)
    with pytest.raises(SourceError, match=r"no file .*Did you mean one.csv"):
        informed.read(tmp_path / "onne.csv", **columns)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="holds no files"):
        informed.read(tmp_path / "empty", **columns)


def test_no_permission_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "secret.csv", "real,predicted\na,a\n")

    def refuse(*_: Any, **__: Any) -> Any:  # root may read everything, so the refusal is made up
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match=r"secret\.csv cannot be opened: permission denied"):
        informed.read(path, real="real", predicted="predicted")


def test_standard_input_and_open_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = informed.Table.from_labels(real=["a", "b"], predicted=["b", "b"])
    as_lines = b'{"real": "a", "predicted": "b"}\n{"real": "b", "predicted": "b"}\n'
    for content in (b"real\tpredicted\na\tb\nb\tb\n", as_lines):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert informed.read("-", real="real", predicted="predicted") == expected
        assert informed.read(io.BytesIO(content), real="real", predicted="predicted") == expected


def test_urls_of_fsspec() -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for i, row in enumerate(("a,b", "b,b")):
        memory.pipe(f"/runs/part-{i}.csv", f"real,predicted\n{row}\n".encode())
    expected = informed.Table.from_labels(real=["a", "b"], predicted=["b", "b"])
    for url in ("memory://runs/*.csv", "memory://runs"):
        assert informed.read(url, real="real", predicted="predicted") == expected
    with pytest.raises(SourceError, match="There is no file memory://runs/none"):
        informed.read("memory://runs/none.csv", real="real", predicted="predicted")


def test_too_many_labels_and_groups_are_refused(tmp_path: Path) -> None:
    rows = "\n".join(f"{i},a" for i in range(20_001))
    path = write(tmp_path / "ids.csv", f"id,label\n{rows}\n")
    with pytest.raises(SourceError, match=r"20,001 different labels.*an id column"):
        informed.read(path, real="label", predicted="id")


def test_rows_are_accounted_for(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "real,predicted\na,a\na,?\n,a\nb,\nb,b\n")
    t = informed.read(path, real="real", predicted="predicted", missing="drop", abstain="?")
    assert (t.rows, t.n, t.missing, t.abstained.sum()) == (5, 2, 2, 1)


# ---------------------------------------------------------------- joins


def test_a_solution_joined_with_a_submission(tmp_path: Path) -> None:
    solution = write(tmp_path / "solution.csv", "id,label,part\n1,cat,x\n2,dog,x\n3,dog,y\n01,cat,y\n")
    submission = write(tmp_path / "submission.csv", "label,id\ncat,01\ncat,1\ndog,2\n")
    how: dict[str, Any] = {"real": "label", "predicted": "label", "on": "id"}
    t = informed.read(solution, join=submission, by="part", **how)
    assert t.names == ("x", "y")
    assert t.sum().counts.tolist() == [[2, 0], [0, 1]]
    assert t.sum().abstained.tolist() == [0, 0]
    assert t.missing.tolist() == [0, 1]
    empty = write(tmp_path / "empty.csv", "id,label\n1,cat\n01,\n2,dog\n")
    assert informed.read(solution, join=empty, **how).abstained.tolist() == [1, 0]
    worse = write(tmp_path / "worse.csv", "id,label\n1,dog\n2,dog\n3,cat\n01,cat\n")
    two = informed.read(solution, join=[submission, worse], item="id", **how)
    assert two.names == ("submission", "worse")
    assert two.items == ("01", "1", "2", "3")
    assert two.codes.tolist() == [[0, 0], [0, 1], [1, 1], [-2, 0]]
    assert two.states()["submission"] == {
        "right": 3,
        "wrong": 0,
        "abstained": 0,
        "not-run": 1,
        "unscored": 0,
        "error": 0,
    }
    assert two.counted.items == ("01", "1", "2")
    unknown = write(tmp_path / "unknown.csv", "id,label\n1,cat\n77,dog\n")
    with pytest.raises(SourceError, match=r"1 ids that .* does not have, for instance '77'"):
        informed.read(solution, join=unknown, **how)
    assert informed.read(solution, join=unknown, unknown="ignore", **how).n == 1
    twice = write(tmp_path / "twice.csv", "id,label\n1,cat\n1,dog\n")
    with pytest.raises(SourceError, match=r"predictions\) has 2 rows with the 'id' '1'"):
        informed.read(solution, join=twice, **how)
    with pytest.raises(SourceError, match=r"real labels\) has 2 rows"):
        informed.read(twice, join=submission, **how)
    with pytest.raises(LabelError, match="1 missing label"):
        informed.read(solution, join=submission, missing="error", **how)


def test_what_a_join_leaves_out_counts(tmp_path: Path) -> None:
    """Predictions that nothing says the truth of are missing cases: 8,978 of 20,000 passed a gate unseen."""
    truth, answers, others = (tmp_path / x for x in ("truth.csv", "a.csv", "b.csv"))
    truth.write_text("id,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(40)))
    for path, n in ((answers, 50), (others, 42)):
        path.write_text("id,p\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(n)))
    how: Any = {"real": "y", "predicted": "p", "on": "id", "unknown": "ignore"}
    table: Any = informed.read(truth, join=answers, **how)
    assert table.unlabelled == informed.Table.from_json(table.to_json()).unlabelled == 10
    assert table.missing == 0
    assert "Predictions without a real label are left out: 10." in str(informed.report(table).warnings)
    assert dict(informed.report(table).states)["unscored"] == 10
    with pytest.raises(AssertionError, match="10 of 50 cases have no mark"):
        assert_informed(table)
    assert_informed(table, max_unscored=0.2)
    both: Any = informed.read(truth, join=[answers, others], item="id", **how)
    assert "Predictions without a real label are left out: 10 of 'a', 2 of 'b'." in both.remarks
    assert dict(both.unlabelled) == {"a": 10, "b": 2}
    assert both.states()["a"]["unscored"] == 10
    both = informed.read(truth, join=[answers, others], **how)
    assert both.unlabelled == both.sum().unlabelled == 12
    assert both["a"].unlabelled == 0, "of one table of a stack it is not known"
    assert (
        informed.read(truth, join=answers, real="y", predicted="p", on="id", unknown="ignore", by="y").unlabelled == 10
    )

    command: list[str] = ["report", str(truth), str(answers), "--real", "y", "--predicted", "p", "--on", "id"]
    command += ["--option", "unknown=ignore"]
    done = run(*command, "--fail-under", "informedness=0.5", "--full")
    assert done.returncode == 3
    assert "50 rows given: 40 answered, 0 abstained, 0 missing, 10 without a real label." in done.stdout
    assert run(*command, "--fail-under", "informedness=0.5", "--max-unscored", "0.2").returncode == 0
    compare = ("compare", str(truth), str(answers), str(others), *command[3:], "--fail-worse", "0.5")
    assert run(*compare).returncode == 3
    assert run(*compare, "--max-unscored", "0.2").returncode == 0


# ---------------------------------------------------------------- tables of counts


def test_counted_tables(tmp_path: Path) -> None:
    long = write(tmp_path / "long.csv", "actual,pred,n\ncat,cat,40\ncat,dog,10\ndog,cat,5\ndog,dog,45\n")
    wide = write(tmp_path / "wide.csv", ",cat,dog\ncat,40,10\ndog,5,45\n")
    said = write(tmp_path / "said.csv", "real\\predicted,cat,dog\ncat,40,10\ndog,5,45\n")
    expected = informed.Table.from_counts([[40, 5], [10, 45]], labels=["cat", "dog"])
    assert informed.read(long) == expected
    assert informed.read(long, real="actual", predicted="pred", counts="n") == expected
    assert informed.read(wide, rows="real") == expected
    assert informed.read(wide, rows="predicted") == expected.dual
    assert informed.read(said) == expected
    tabbed = tmp_path / "tabbed.txt"
    tabbed.write_text(",Käse,cat\nKäse,40,10\ncat,5,45\n".replace(",", "\t"), encoding="latin-1")
    found = informed.read(tabbed, rows="real", delimiter="tab", encoding="latin-1")
    assert (found.labels, found.counts.tolist()) == (("Käse", "cat"), [[40, 5], [10, 45]])
    with pytest.raises(SourceError, match="what are its rows"):
        informed.read(wide)
    with pytest.raises(SourceError, match="its rows are real"):
        informed.read(said, rows="predicted")
    negative = write(tmp_path / "negative.csv", ",a,b\na,1,-2\nb,3,4\n")
    with pytest.raises(SourceError, match=r"line 2: '-2' is no count"):
        informed.read(negative, rows="real", input_format="matrix")
    saved = write(tmp_path / "saved.json", expected.to_json())
    assert informed.read(saved) == expected
    assert informed.read([saved, long]).names == ("long", "saved")
    with pytest.raises(SourceError, match="it has 'x', 'y'"):
        informed.read(write(tmp_path / "plain.csv", "x,y\na,b\n"))


# ---------------------------------------------------------------- evaluation logs


def test_evaluation_logs_need_no_column_names() -> None:
    samples = Path(__file__).parent / "samples"
    (log,) = (samples / "lm_eval").glob("samples_local_mc*.jsonl")
    table = informed.read(log)
    assert table == informed.read(log, input_format="lm-eval")
    assert table.labels == informed.read(log, positive=None).labels
    trec = [samples / "trec" / "qrels.test", samples / "trec" / "results.test"]
    assert informed.read(trec) == informed.read(trec, input_format="trec")
    with pytest.raises(SourceError, match=r"no input format 'lm-evil'.*lm-eval"):
        informed.read(log, input_format="lm-evil")


# ---------------------------------------------------------------- databases


def test_no_name_reaches_sql_as_code(tmp_path: Path) -> None:
    name = 'pred"; DROP TABLE cases; --'
    path = tmp_path / "cases.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        quoted = name.replace('"', '""')
        connection.execute(f'CREATE TABLE cases ("real" TEXT, "{quoted}" TEXT)')
        connection.execute("INSERT INTO cases VALUES ('a', 'a')")
        connection.commit()
    assert informed.read(path, table="cases", real="real", predicted=name).n == 1
    assert informed.read(path, table="cases", real="real", predicted=name).n == 1
    for bad in ('cases"; DROP TABLE cases; --', "cases WHERE 1=1", "(SELECT 1)"):
        with pytest.raises(SourceError, match="says"):
            informed.read(path, table=bad, real="real", predicted=name)
    with pytest.raises(SourceError, match="no column 'real\\+1'"):
        informed.read(path, table="cases", real="real+1", predicted=name)
    with pytest.raises(SourceError, match="says"):  # opened to read only
        informed.read(path, query="DROP TABLE cases", real="real", predicted=name)
    with pytest.raises(SourceError, match="either `table=` or `query=`"):
        informed.read(path, real="real", predicted=name)
    assert informed.read(path, query="SELECT * FROM cases;", real="real", predicted=name).n == 1


def test_passwords_are_never_shown(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    password = postgres.partition("tester:")[2].partition("@")[0]
    wrong = "s3cret/%40pass"
    asked: dict[str, Any] = {"real": "real", "predicted": "predicted", "table": "nowhere"}
    for url in (
        postgres.replace(password, "s3cretpass"),
        postgres.replace(password, wrong.replace("/", "%2F")),
        postgres.replace("127.0.0.1", "no-such-host.invalid"),
        postgres.replace("postgresql://", "postgresql://x") + "?password=s3cretpass",
        "postgresql://tester:s3cretpass@[bad/db",
        postgres,
    ):
        with pytest.raises(InformedError) as caught:
            informed.read(url, **asked)
        for secret in ("s3cret", password):
            assert secret not in str(caught.value) + repr(caught.value)
    monkeypatch.setenv("PGPASSWORD", password)  # the environment works as well
    bare = postgres.replace(f":{password}", "")
    t = informed.read(bare, query="SELECT 'a' AS r, 'b' AS p", real="r", predicted="p")
    assert t.n == 1
    import psycopg

    with psycopg.connect(postgres) as server:
        server.execute("CREATE SEQUENCE counter")
    with pytest.raises(SourceError, match="read-only"):
        informed.read(bare, query="SELECT nextval('counter') AS r, 'b' AS p", real="r", predicted="p")


# ---------------------------------------------------------------- size


@pytest.fixture(scope="session")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("million") / "million.parquet", 1_000_000)


def made(path: Path, rows: int) -> Path:
    """Rows of ten classes in four groups, with missing predictions and weights that add exactly."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 'class ' || (hash(i) % 10) AS real, CASE WHEN hash(i + 7) % 97 = 0 THEN "
            "NULL WHEN hash(i + 1) % 3 > 0 THEN 'class ' || (hash(i) % 10) ELSE 'class ' || "
            "(hash(i + 2) % 10) END AS predicted, 'g' || (hash(i + 3) % 4) AS part, "
            "(hash(i + 4) % 1000) / 8.0 AS weight "
            f"FROM range({rows}) AS r(i)) TO '{path}' (FORMAT parquet)"
        )
    return path


ASKED: dict[str, Any] = {
    "real": "real", "predicted": "predicted", "by": "part", "weights": "weight",
    "missing": "abstain",
}  # fmt: skip


@pytest.mark.slow
def test_a_million_rows_in_postgres(million: Path, postgres: str) -> None:
    import duckdb
    import psycopg

    with duckdb.connect() as connection, psycopg.connect(postgres) as server:
        rows = connection.execute(f"FROM '{million}'").fetchall()
        server.execute("CREATE TABLE million (real text, predicted text, part text, weight double precision)")
        with server.cursor().copy("COPY million FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    assert informed.read(postgres, table="million", **ASKED) == informed.read(million, **ASKED)


# ---------------------------------------------------------------- long reads


def endless() -> Any:
    """A connection, and a query of it that takes minutes."""
    import duckdb

    connection = duckdb.connect()
    return connection, lambda: connection.execute(
        "SELECT COUNT(*) FROM range(1000000) AS a(i), range(1000000) AS b(j) WHERE i + j < 0"
    ).fetchall()


def test_ctrl_c_stops_the_engine() -> None:
    from informed.sources.progress import watched

    connection, work = endless()
    before = threading.active_count()

    def pressed(_: float) -> None:
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        watched(work, interrupt=connection.interrupt, fraction=lambda: 0.5, title="x", progress=pressed)
    assert time.monotonic() - start < 20
    assert threading.active_count() == before
    connection.close()


def test_the_engine_itself_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    from informed.sources.duckdb_rows import connect

    connection = connect()
    connection.execute("SET progress_bar_time = 1")  # milliseconds until DuckDB shows its bar
    connection.execute("SELECT SUM(hash(i)) FROM range(100000000) AS a(i)").fetchall()
    connection.close()
    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_when_asked_and_never_in_pipes(capfd: pytest.CaptureFixture[str]) -> None:
    from informed.sources.progress import watched

    def slow() -> str:
        time.sleep(1.4)
        return "done"

    for progress in (None, True):
        answer = watched(slow, interrupt=lambda: None, fraction=lambda: 0.25, title="big.csv", progress=progress)
        assert answer == "done"
        out, err = capfd.readouterr()
        assert out == ""
        assert ("Reading big.csv" in err) is (progress is True)


def test_what_read_gives_is_typed(tmp_path: Path) -> None:
    """mypy checks the types, this test that they are true."""
    path = tmp_path / "answers.csv"
    path.write_text("id,real,a,b,score\n1,x,x,y,0.1\n2,y,y,y,0.9\n3,y,x,y,0.4\n")
    table = informed.read(path, real="real", predicted="a")
    both = informed.read(path, real="real", predicted=["a", "b"], item="id")
    other = path.with_name("other.csv")
    other.write_text(path.read_text())
    named = informed.read({"one": path, "two": other}, real="real", predicted="a", item="id")
    scores = informed.read(path, real="real", score="score")
    columns = informed.read(path, real="real", score=["score", "id"])
    tags = informed.read(path, real="real", predicted="a", separator=";")
    shares = informed.read(path, real="real", probability="score")
    path.with_name("matrix.csv").write_text("real/predicted,x,y\nx,1,0\ny,1,1\n")
    counted = informed.read(path.with_name("matrix.csv"))
    for found, kind in [
        (assert_type(table, Table), Table),
        (assert_type(counted, Table), Table),
        (assert_type(both, Paired), Paired),
        (assert_type(named, Paired), Paired),
        (assert_type(scores, Scores), Scores),
        (assert_type(columns, ScoreColumns), ScoreColumns),
        (assert_type(tags, Tags), Tags),
        (assert_type(shares, Forecasts), Forecasts),
    ]:
        assert type(found) is kind
    options = set(ReadOptions.__annotations__) | {"real", "predicted", "by", "item", "tables", "score"}
    options |= {"separator", "probability"}
    assert options == set(signature(informed.read).parameters) - {"source", "options"}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json"])
@pytest.mark.parametrize("held", ["", "\n\n"])
def test_json_without_a_row_is_empty(tmp_path: Path, name: str, held: str) -> None:
    (tmp_path / name).write_text(held)
    with pytest.raises(InformedError, match="is empty; at least one row is needed"):
        informed.read(tmp_path / name, real="y", predicted="p")


def test_a_refusal_without_words_is_a_sentence(tmp_path: Path) -> None:
    """DuckDB's message may be lost on its way; the file is named all the same."""
    duckdb = pytest.importorskip("duckdb")
    from informed.sources.duckdb_errors import explained as told
    from informed.sources.paths import Files

    path = tmp_path / "run.json"
    path.write_text("{}")
    said = told(duckdb.InvalidInputException(""), Files((str(path),), "run.json", kind="json"))
    assert str(said).startswith("run.json: cannot be read, and DuckDB does not say why")
