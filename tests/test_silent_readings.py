"""What was once read wrongly without a word: each is read rightly now, or refused in a sentence."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import informed
from command_line import run
from informed import InformedError, Table, Tally
from informed.errors import LabelError, SourceError, TableError
from informed.evidence.paired import paired

NAMED: dict[str, Any] = {"real": "r", "predicted": "p"}
LOG = next((Path(__file__).parent / "samples" / "lm_eval").glob("samples_local_mc*.jsonl"))


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8", newline="")
    return path


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize("native", [None, "native"])
def test_nan_in_json_is_missing_and_its_text_is_a_label(tmp_path: Path, native: Any) -> None:
    rows = '{"r": "a", "p": "a"}\n{"r": "a", "p": NaN}\n'
    path = write(tmp_path / "cases.jsonl", rows)
    if native is None:
        with pytest.raises(LabelError, match="'p' has 1 missing label"):
            informed.read(path, **NAMED)
        told = write(tmp_path / "told.jsonl", rows.replace("NaN", '"NaN"'))
        assert informed.read(told, **NAMED).labels == ("NaN", "a")
    assert informed.read(path, **NAMED, missing="drop", types=native).n == 1


@pytest.mark.parametrize("how", ["columns", "lists"])
def test_json_by_columns_is_not_one_case(tmp_path: Path, how: str) -> None:
    frame = pd.DataFrame({"r": ["a", "b", "b"], "p": ["a", "b", "a"]})
    path = tmp_path / "cases.json"
    path.write_text(frame.to_json() if how == "columns" else json.dumps(frame.to_dict(orient="list")))
    with pytest.raises(SourceError, match=r'stands where one label.*to_json\(orient="records"\)'):
        informed.read(path, **NAMED)
    with pytest.raises(InformedError, match="cannot be a label"):
        informed.read(path, **NAMED, types="native")
    path.write_text(frame.to_json(orient="records"))
    assert informed.read(path, **NAMED).n == 3


def test_json_values_are_labels_as_written(tmp_path: Path) -> None:
    held = ["a", 'say "hi"', "back\\slash", "\u00e9\n", "\x00", True, 1, 1.5, "1.50", "null"]
    rows = "".join(json.dumps({"r": x, "p": x}) + "\n" for x in held)
    found = informed.read(write(tmp_path / "cases.jsonl", rows), **NAMED)
    assert set(found.labels) == {json.dumps(x) if not isinstance(x, str) else x for x in held}
    with pytest.raises(SourceError, match=r"the keys 'r' and 'R' differ only in case"):
        informed.read(write(tmp_path / "case.jsonl", '{"r": 1, "R": 2}\n'), real="r", predicted="R")


@pytest.mark.parametrize("opening", ["[", '{"r":'])
def test_deep_json_is_one_sentence(tmp_path: Path, opening: str) -> None:
    deep = opening * 100_000 + "1" + ("]" if opening == "[" else "}") * 100_000
    for text in (deep, '{"r": %s, "p": 1}' % deep):  # noqa: UP031
        path = write(tmp_path / "deep.json", text)
        for named in (NAMED, {}):
            with pytest.raises(SourceError):
                informed.read(path, **named)
        for read in (Table.from_json, Tally.from_json):
            with pytest.raises(TableError, match="that `to_json` wrote"):
                read(text)


# ---------------------------------------------------------------- names and labels that engines take for one


@pytest.mark.parametrize("collation", ["NOCASE", "RTRIM"])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_collation_merges_no_labels(collation: str, backwards: bool) -> None:
    import duckdb

    pairs = [("A", "a"), ("a", "A"), ("a ", "a"), ("a", "a ")][:: -1 if backwards else 1]
    expected = Table.from_labels(real=[r for r, _ in pairs], predicted=[p for _, p in pairs])
    with contextlib.closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        for base in (lite, duck) if collation == "NOCASE" else (lite,):
            base.execute(f"CREATE TABLE cases (r TEXT COLLATE {collation}, p TEXT COLLATE {collation})")
            base.executemany("INSERT INTO cases VALUES (?, ?)", pairs)
            assert informed.read(base, table="cases", **NAMED) == expected
            units = informed.read(base, query="SELECT *, 'u' || p AS u FROM cases", unit="u", **NAMED)
            assert units.counts.tolist() == expected.counts.tolist()


class Wrapped:
    """A connection of a driver that nobody knows; as SQLAlchemy's, it may hold one that is known."""

    def __init__(self, connection: Any, *, tells: bool) -> None:
        self.held = connection
        if tells:
            self.dbapi_connection = connection

    def cursor(self) -> Cursor:
        return Cursor(self.held)

    def close(self) -> None:
        self.held.close()


class Cursor:
    def __init__(self, connection: Any) -> None:
        self.held = connection.cursor()
        self.fetchall, self.fetchmany, self.close = self.held.fetchall, self.held.fetchmany, self.held.close

    def execute(self, sql: str) -> None:
        self.held.execute(sql)
        self.description = [(name[0], str) for name in self.held.description]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ibis about versions of pandas
@pytest.mark.parametrize(
    ("collation", "pairs"), [("NOCASE", [("1", "a"), ("B", "a")]), ("RTRIM", [("a", "a"), ("1 ", "1")])]
)
def test_a_database_or_ibis_that_merges_labels_is_refused(tmp_path: Path, collation: str, pairs: Any) -> None:
    import ibis

    with contextlib.closing(sqlite3.connect(tmp_path / "cases.db")) as lite:
        lite.execute(f"CREATE TABLE cases (r TEXT COLLATE {collation}, p TEXT COLLATE {collation})")
        lite.execute("CREATE TABLE exact (r TEXT, p TEXT)")
        for table in ("cases", "exact"):
            lite.executemany(f"INSERT INTO {table} VALUES (?, ?)", pairs)
        lite.commit()
        asked = {**NAMED, "normalize": "none"}
        assert informed.read(Wrapped(lite, tells=True), table="cases", **asked).n == 2
        assert informed.read(Wrapped(lite, tells=False), table="exact", **asked).n == 2
        with pytest.raises(SourceError, match=r"takes '.*' and '.*' for one label in the column"):
            informed.read(Wrapped(lite, tells=False), table="cases", **NAMED)
    base = ibis.sqlite.connect(tmp_path / "cases.db")
    with contextlib.closing(base.con):
        assert informed.read(base.table("exact"), **asked).n == 2
        with pytest.raises(SourceError, match=r"the ibis frame takes '.*' and '.*' for one label"):
            informed.read(base.table("cases"), **NAMED)


def test_text_of_mysql_is_compared_by_a_collation_of_ours() -> None:
    """What a server makes of it: tests/full/test_mysql.py."""
    asked: list[str] = []

    class Server:
        description = (("r", 253), ("p", 252), ("b", 252), ("n", 3))
        close = rowcount = None

        def execute(self, sql: str) -> None:
            asked.append(sql)

        def fetchall(self) -> list[Any]:
            found = "binary" if "CHARSET(`b`)" in asked[-1] else "utf8mb4"
            return [("utf8mb4_nopad_bin",)] if "COLLATION_NAME" in asked[-1] else [(found,)]

        def fetchmany(self, most: int) -> list[Any]:
            return [("a", "A", 3)]

    Server.__module__ = "pymysql.cursors"
    for real, predicted in (("r", "p"), ("b", "n")):
        informed.read(
            Server(), real=real, predicted=predicted, table="cases", normalize="none", where="n > 1 and r = 'é'"
        )
    text = "CONVERT(`{}` USING utf8mb4) COLLATE utf8mb4_nopad_bin"
    counted = [sql for sql in asked if "GROUP BY" in sql]
    assert f"SELECT {text.format('r')} AS k0, {text.format('p')} AS k1 FROM `cases`" in counted[0]
    assert "SELECT `b` AS k0, `n` AS k1 FROM `cases`" in counted[1]
    assert f"{text.format('r')} = _utf8mb4 X'c3a9'" in counted[0]


def test_text_of_postgres_is_told_apart_whatever_its_collation(postgres: str) -> None:
    import psycopg

    with psycopg.connect(postgres) as server:
        server.execute("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
        server.execute("CREATE TABLE blindly (r text COLLATE blind, p text COLLATE blind)")
        server.cursor().executemany("INSERT INTO blindly VALUES (%s, %s)", [("A", "a"), ("a", "A"), ("a", "a")])
    found = informed.read(postgres, table="blindly", **NAMED)
    assert (found.labels, found.counts.tolist()) == (("A", "a"), [[0, 1], [1, 1]])


def cased(path: Path, table: Any) -> None:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".feather":
        feather.write_feather(table, str(path))
    else:
        with pa.ipc.new_stream(str(path), table.schema) as stream:
            stream.write_table(table)


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrows"])
def test_columns_that_differ_only_in_case(tmp_path: Path, suffix: str) -> None:
    table = pa.table({"R": ["x", "y"], "r": ["a", "b"], "p": ["a", "a"], "P": ["y", "y"]})
    path = tmp_path / f"cases.{suffix}"
    cased(path, table)
    for real, predicted in (("r", "p"), ("R", "P")):
        expected = Table.from_labels(real=table[real], predicted=table[predicted])
        assert informed.read(path, real=real, predicted=predicted) == expected
    with pytest.raises(SourceError, match=r"no column 'Real'; it has 'R', 'r', 'p', 'P'"):
        informed.read(path, real="Real", predicted="p")


def test_a_shard_with_another_case_is_another_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"r": ["a"], "p": ["a"], "s": [{"r": 1}]}), tmp_path / "one.parquet")
    pq.write_table(pa.table({"p": ["b"], "r": ["a"]}), tmp_path / "two.parquet")
    assert informed.read(tmp_path, **NAMED).counts.tolist() == [[1, 0], [1, 0]]
    pq.write_table(pa.table({"R": ["a"], "p": ["b"]}), tmp_path / "two.parquet")
    with pytest.raises(SourceError, match="no column 'r'; it has 'R', 'p'"):
        informed.read(tmp_path, **NAMED)


@pytest.mark.parametrize("other", ["r", "R"])
def test_a_query_with_two_columns_of_one_name(other: str) -> None:
    import duckdb

    query = f"""SELECT 'a' AS "r", 'b' AS "{other}", 'a' AS p"""
    with contextlib.closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        for base in (lite, duck):
            with pytest.raises(SourceError, match=r"2 columns called 'r'|'r' and 'R', which it does not tell apart"):
                informed.read(base, query=query, **NAMED)
            assert informed.read(base, query="SELECT 'a' AS r, 'b' AS r_1, 'a' AS p", **NAMED).n == 1
        with pytest.raises(SourceError, match=r"2 columns called 'r'|which it does not tell apart"):
            informed.read(duck.sql(query), **NAMED)


# ---------------------------------------------------------------- times, lists


def test_times_to_the_nanosecond_stay_apart(tmp_path: Path) -> None:
    fine = pa.array([1, 2, 1001, 2000], pa.timestamp("ns"))
    table = pa.table({"r": fine, "p": fine, "w": [1.0, 1.0, 1.0, 1.0]})
    expected = Table.from_labels(real=fine, predicted=fine)
    assert len(expected.labels) == 4
    assert dt.datetime(1970, 1, 1, 0, 0, 0, 2) in expected.labels
    pq.write_table(table, tmp_path / "cases.parquet")
    frame = pl.DataFrame(table)
    for source in (table, table.to_pandas(), frame, frame.lazy(), tmp_path / "cases.parquet"):
        assert informed.read(source, **NAMED) == expected
        assert informed.read(source, **NAMED, weights="w").labels == expected.labels
    assert Table.from_labels(real=frame["r"], predicted=list(table.to_pandas()["p"])) == expected


@pytest.mark.parametrize("kind", [pa.timestamp("ns", "Europe/Vienna"), pa.time64("ns"), pa.duration("ns")])
def test_times_that_would_be_cut_are_refused_or_kept(tmp_path: Path, kind: Any) -> None:
    values = pa.array([1, 2, 1000], kind)
    table = pa.table({"r": values, "p": values, "n": [1, 2, 2]})
    for suffix in ("parquet", "feather", "arrows"):
        cased(tmp_path / f"cases.{suffix}", table)
    exact = [table, pl.DataFrame(table), pl.LazyFrame(table), tmp_path / "cases.parquet"]
    for source in exact if kind == pa.duration("ns") else []:
        assert len(informed.read(source, **NAMED).labels) == 3
    through = [tmp_path / "cases.feather", tmp_path / "cases.arrows", table.to_reader()]
    for source in through if kind == pa.duration("ns") else [*exact, *through]:
        with pytest.raises(InformedError, match="to the nanosecond"):
            informed.read(source, **NAMED)
    table = table.append_column("m", table["n"])
    cased(tmp_path / "cases.feather", table)
    assert informed.read(table.to_reader(), real="n", predicted="m").n == 3
    assert informed.read(tmp_path / "cases.feather", real="n", predicted="m").n == 3


def test_times_of_the_day_in_utc_are_not_cut(tmp_path: Path) -> None:
    """As PyArrow 17 writes them by itself: DuckDB reads microseconds, and 1 and 2 nanoseconds became one label."""
    path = tmp_path / "cases.parquet"
    for unit, refused in (("ns", True), ("us", False)):
        values = pa.array([1, 2, 1000], pa.time64(unit))
        pq.write_table(pa.table({"r": values, "p": values, "n": [1, 2, 2]}), path, write_time_adjusted_to_utc=True)
        if refused:
            with pytest.raises(SourceError, match="in UTC to the nanosecond"):
                informed.read(path, **NAMED)
        else:
            assert len(informed.read(path, **NAMED).labels) == 3


@pytest.mark.parametrize("value", [["a"], {"x": 1}])
def test_lists_and_structs_are_no_labels(tmp_path: Path, value: Any) -> None:
    table = pa.table({"r": [value, value], "p": ["a", "b"], "i": [1, 2], "s": ["x", "y"]})
    pq.write_table(table, tmp_path / "cases.parquet")
    for source in (tmp_path / "cases.parquet", table, pl.DataFrame(table), pl.LazyFrame(table)):
        for unit in (None, "i"):
            with pytest.raises(LabelError, match="cannot be a label"):
                informed.read(source, **NAMED, unit=unit)


def test_a_signalling_nan_is_missing() -> None:
    with pytest.raises(LabelError, match="`real` has 1 missing label"):
        Table.from_labels(real=[Decimal("sNaN"), 1, 2], predicted=[1, 1, 2])
    assert Table.from_labels(real=[Decimal("sNaN"), 1, 2], predicted=[1, 1, 2], missing="drop").missing == 1


# ---------------------------------------------------------------- counts


def test_masked_counts_and_weights_are_refused() -> None:
    held = np.ma.masked_array([[5, 1], [2, 7]], mask=[[False, True], [False, False]])
    with pytest.raises(TableError, match="`counts` holds masked numbers"):
        Table.from_counts(held, rows="predicted")
    with pytest.raises(TableError, match="`abstained` holds masked numbers"):
        Table.from_counts([[5, 1], [2, 7]], abstained=held[0])
    with pytest.raises(LabelError, match="`weights` holds masked numbers"):
        Table.from_labels(real=[1, 0], predicted=[1, 0], weights=held[0])
    assert Table.from_counts(np.ma.masked_array([[5, 1], [2, 7]]), rows="predicted").n == 15


@pytest.mark.parametrize("scale", [1e308, 1e160, 1e51, 1e-51, 1e-200, 5e-324])
def test_counts_whose_products_are_no_numbers_are_refused(scale: float) -> None:
    counts = np.array([[8, 2], [1, 9]]) * scale if scale < 1e308 else np.full((2, 2), scale)
    with pytest.raises(TableError, match=r"must be 0 or lie between 1e-50 and 1e\+50"):
        Table.from_counts(counts)
    with pytest.raises(TableError, match="must be 0 or lie between"):
        Table.from_labels(real=[1, 0, 1], predicted=[1, 0, 0], weights=[scale] * 3)
    written = json.loads(Table.from_counts([[8, 2], [1, 9]]).to_json())
    with pytest.raises(TableError, match="must be 0 or lie between"):
        Table.from_json(json.dumps({**written, "counts": counts.tolist()}))


@pytest.mark.parametrize("scale", [2.0**-160, 2.0**160])  # within the border a scale changes nothing
def test_counts_within_the_border_are_computed_right(scale: float) -> None:
    plain, scaled = (Table.from_counts(np.array([[8, 2], [1, 9]]) * x, rows="predicted") for x in (1, scale))
    for measure in ("informedness", "markedness", "correlation", "kappa", "f1"):
        assert informed.find(measure)(scaled) == pytest.approx(informed.find(measure)(plain), rel=1e-12)


@pytest.mark.parametrize("batches", [([True, False], [0, 1, 2]), ([0, 1, 2], [True, False]), ([True], [1, 2])])
def test_a_tally_refuses_bools_among_numbers(batches: tuple[list[Any], list[Any]]) -> None:
    tally = Tally()
    tally.update(real=batches[0], predicted=batches[0])
    with pytest.raises(LabelError, match="True/False labels meet the number 2"):
        tally.update(real=batches[1], predicted=batches[1])


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "a label twice": ({"predicted_labels": ["a", "a"], "real_labels": ["a", "a"]}, "'a' twice"),
    "a missing label": ({"predicted_labels": ["a", None], "real_labels": ["a", None]}, "missing value"),
    "a list as label": ({"predicted_labels": ["a", [1]], "real_labels": ["a", [1]]}, "cannot be a label"),
    "labels alike": ({"predicted_labels": [1, "1"], "real_labels": [1, "1"]}, "written alike"),
    "text as labels": ({"predicted_labels": "ab", "real_labels": "ab"}, "labels are a list"),
    "a schema to come": ({"informed": {"schema": 99, "kind": "table"}}, "of schema 99"),
    "something else": ({"informed": {"schema": 2, "kind": "marks"}}, "does not say that it is one"),
    "names of no stack": ({"names": [["x"]]}, "`names`"),
    "a name twice": ({"counts": [[[1, 2], [3, 4]]] * 2, "names": [["x", "x"]]}, "1 different names for 2"),
    "a missing name": ({"counts": [[[1, 2], [3, 4]]] * 2, "names": [[None, "x"]]}, "`names`"),
    "an object as name": ({"counts": [[[1, 2], [3, 4]]] * 2, "names": [["x", {}]]}, "cannot be a label|not a table"),
    "no words": ({"derived": 3}, "`derived`"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_json_of_a_table_is_checked(change: str) -> None:
    changed, says = CHANGES[change]
    written = json.loads(Table.from_counts([[1, 2], [3, 4]], labels=["a", "b"]).to_json())
    with pytest.raises(InformedError, match=says):
        Table.from_json(json.dumps({**written, **changed}))
    assert Table.from_json(json.dumps(written)).n == 10


# ---------------------------------------------------------------- options that would be ignored


IDLE: dict[str, Any] = {
    "weights": "w", "counts": "n", "keep": ["x"], "query": "SELECT 1", "table": "t", "join": "x.csv", "types": "native",
    "tables": True, "frequency": True, "strip": True, "square": False, "unknown": "ignore", "quote": "'", "bins": 9,
}  # fmt: skip


@pytest.mark.parametrize("option", IDLE)
def test_options_of_columns_are_refused_without_columns(tmp_path: Path, option: str) -> None:
    matrix = write(tmp_path / "matrix.csv", "real/predicted,x,y\nx,1,0\ny,1,1\n")
    saved = write(tmp_path / "saved.json", Table.from_counts([[1, 2], [3, 4]]).to_json())
    for source in (matrix, saved, LOG):
        said = "cannot be joined with another file" if option == "join" else f"`{option}` is an option of columns"
        with pytest.raises(SourceError, match=said):
            informed.read(source, **{option: IDLE[option]})


def test_what_a_log_or_counts_cannot_be_told_is_refused(tmp_path: Path) -> None:
    matrix = write(tmp_path / "matrix.csv", "real/predicted,x,y\nx,1,0\ny,1,1\n")
    saved = write(tmp_path / "saved.json", Table.from_counts([[1, 2], [3, 4]], labels=["x", "y"]).to_json())
    long = write(tmp_path / "long.csv", "real,predicted,n\nx,y,3\ny,y,2\n")
    refused: list[tuple[Path, dict[str, Any]]] = [
        (matrix, {"by": "x"}), (matrix, {"abstain": "x"}), (matrix, {"missing": "drop"}), (matrix, {"unit": "x"}),
        (saved, {"labels": ["y", "x"]}), (saved, {"rows": "real"}), (long, {"rows": "real"}), (LOG, {"delimiter": ";"}),
    ]  # fmt: skip
    for source, told in refused:
        with pytest.raises(SourceError, match=f"`{next(iter(told))}`"):
            informed.read(source, **told)
    with pytest.raises(SourceError, match="no option 'shape'"):
        informed.read(matrix, shape=3)
    assert informed.read(saved, positive="y").positive == "y"


def test_logs_with_names_and_a_format(tmp_path: Path) -> None:
    stack = informed.read({"one": LOG, "two": LOG}, input_format="lm-eval")
    assert stack.names == ("one", "two")
    assert stack["two"].counts.tolist() == informed.read(LOG).counts.tolist()


def test_counts_of_several_scores_are_whole() -> None:
    frame = pd.DataFrame({"r": list("abba"), "s": [0.1, 0.2, 0.3, 0.4], "t": [0.1, 0.4, 0.3, 0.2], "n": [1.7, 1, 1, 1]})
    with pytest.raises(SourceError, match="The counts 'n' of the pandas frame are not whole"):
        informed.read(frame, real="r", score=["s", "t"], counts="n")
    frame["n"] = [2.0, 1, 1, 1]
    assert informed.read(frame, real="r", score=["s", "t"], counts="n").counts.tolist() == [2, 1, 1, 1]


@pytest.mark.parametrize("told", [{"labels": ["a", "b"]}, {"abstain": "?"}, {"missing": "drop"}])
def test_answers_that_were_read_are_told_no_more(told: dict[str, Any]) -> None:
    answers = paired(list("abba"), {"x": list("abab"), "y": list("abbb")})
    for verb in (
        lambda: informed.compare.paired(answers, **told),
        lambda: informed.leaderboard(predictions=answers, **told),
    ):
        with pytest.raises(LabelError, match=f"`{next(iter(told))}` is about labels, and these answers were read"):
            verb()


def test_names_and_numbers_that_are_none() -> None:
    stack = Table.from_labels(real=list("abba"), predicted=list("abab"), by=[1, 1, 2, 2])
    keys: list[Any] = [None, 1.5, {}, [None], "zz", [7]]
    for key in keys:
        with pytest.raises(TableError):
            stack[key]
    assert stack[2].n == 2
    for name in (None, 3):
        with pytest.raises(InformedError, match="is no measure"):
            informed.find(name)  # type: ignore[arg-type]
    said = {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0]}
    for verb in (
        lambda: informed.leaderboard(real=[1, 0, 1, 0], predictions=said, n_draws=-5),
        lambda: informed.agreement(said, method="bootstrap", n_draws=-5),
        lambda: informed.power(50, informedness=0.3, n_draws=-5),
    ):
        with pytest.raises(InformedError, match="`n_draws` is -5"):
            verb()


# ---------------------------------------------------------------- streams and encodings


CSV = "r,p,s\n1,1,.9\n0,0,.1\n1,0,.4\n0,1,.6\n1,1,.8\n0,0,.3\n"


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A named pipe that is written once."""
    threads: list[threading.Thread] = []

    def filled(text: str) -> Path:
        path = tmp_path / f"pipe-{len(threads)}"
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_text, args=(text,), daemon=True))
        threads[-1].start()
        return path

    yield filled
    for thread in threads:
        thread.join(10)


def test_a_pipe_is_read_once_and_used_often(pipe: Callable[[str], Path], tmp_path: Path) -> None:
    assert informed.read(pipe(CSV), **NAMED).n == 6
    assert informed.read(pipe("real/predicted,x,y\nx,1,0\ny,1,1\n")).n == 3
    assert informed.read(pipe(LOG.read_text("utf-8"))) == informed.read(LOG)
    joined = informed.read({"a": pipe(CSV), "b": pipe(CSV)}, **NAMED)
    assert joined.names == ("a", "b")
    with pytest.raises(SourceError, match=r"^(?!.*informed-).*has no column 'x'"):  # its own name, not that of a copy
        informed.read(pipe(CSV), real="x", predicted="p")
    with pytest.raises(SourceError, match="is a device or a socket"):
        informed.read("/dev/null", **NAMED)


def test_the_command_line_reads_a_stream_once(pipe: Callable[[str], Path]) -> None:
    asked = ["--real", "r", "--predicted", "p", "--score", "s"]
    for source, stdin in (("-", CSV), (str(pipe(CSV)), "")):
        done = run("report", source, *asked, "--full", stdin=stdin)
        assert done.returncode == 0, done.stderr
        assert "On 6 cases" in done.stdout
        assert "Read from standard input" in done.stdout or source in done.stdout


def test_systems_from_pipes_are_called_as_they_are_named(pipe: Callable[[str], Path]) -> None:
    log = LOG.read_text("utf-8")
    done = run("compare", f"new={pipe(log)}", f"old={pipe(log)}")
    assert done.returncode == 0, done.stderr
    assert "new" in done.stdout.splitlines()[0]
    asked = ["--real", "r", "--predicted", "p"]
    done = run("compare", str(pipe(CSV)), str(pipe(CSV.replace("1,0", "1,1"))), *asked)
    assert done.returncode == 0, done.stderr
    assert "pipe-2" in done.stdout
    refused = run("compare", f"a={pipe(CSV)}", f"b={pipe(CSV)}", *asked)
    assert (refused.returncode, "NAME=path is for evaluation logs" in refused.stderr) == (2, True), refused.stderr
    assert run("odds", str(pipe(CSV)), *asked).returncode == 0


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "mac-roman", "utf-8-sig"])
def test_any_encoding_of_python(tmp_path: Path, encoding: str) -> None:
    expected = Table.from_labels(real=["café", "b"], predicted=["“x”", "“x”"])
    rows = [{"r": "café", "p": "“x”"}, {"r": "b", "p": "“x”"}]
    texts = {"cases.csv": "r,p\ncafé,“x”\nb,“x”\n", "cases.json": json.dumps(rows, ensure_ascii=False)}
    for name, text in texts.items():
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        assert informed.read(path, **NAMED, encoding=encoding) == expected
        if encoding in ("utf-16", "utf-32", "utf-8-sig"):  # which say what they are
            assert informed.read(path, **NAMED) == expected
            continue
        says = (
            f'give `encoding="{encoding}"`' if "utf" in encoding else r'is not in utf-8 \(line \d\).*encoding="cp1252"'
        )
        with pytest.raises(SourceError, match=says):
            informed.read(path, **NAMED)
    with pytest.raises(SourceError, match="no encoding 'klingon'"):
        informed.read(tmp_path / "cases.csv", **NAMED, encoding="klingon")


def test_bytes_that_are_not_in_the_encoding_that_was_said(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_bytes(b"r,p\n" + b"a,b\n" * 300_000 + b"\x81,b\n")
    with pytest.raises(SourceError, match=r"is not in cp1252 \(line 300,\d{3}|is not in cp1252 \(line 2\d\d,\d{3}"):
        informed.read(path, **NAMED, encoding="cp1252")


# ---------------------------------------------------------------- files of strangers


def test_a_database_file_reads_nothing_but_itself(tmp_path: Path) -> None:
    import duckdb

    secret = write(tmp_path / "secret.csv", "r,p\ntop,secret\n")
    path, out = tmp_path / "strange.duckdb", tmp_path / "out.csv"
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE plain AS SELECT 'a' AS r, 'b' AS p")
        base.execute(f"CREATE VIEW spying AS SELECT * FROM read_csv('{secret}')")
        base.execute(f"CREATE VIEW quoting AS SELECT content AS r, content AS p FROM read_text('{secret}')")
        base.execute("CREATE VIEW listing AS SELECT file AS r, file AS p FROM glob('/*')")
    for source in (path, f"duckdb:///{path}"):
        assert informed.read(source, table="plain", **NAMED).n == 1
        for view in ("spying", "quoting", "listing"):
            with pytest.raises(SourceError, match=r"disabled|[Pp]ermission"):
                informed.read(source, table=view, **NAMED)
        for query in (
            f"SELECT * FROM read_csv('{secret}')",
            f"COPY plain TO '{out}'",
            "INSTALL httpfs",
            "SET enable_external_access = true",
        ):
            with pytest.raises(SourceError, match="says"):
                informed.read(source, query=query, **NAMED)
    assert not out.exists()


def test_the_baseline_of_a_column_of_integers(tmp_path: Path) -> None:
    rows = [(i, s, i % 2, (i + (i % 5 == s)) % 2) for i in range(40) for s in (1, 2, 3)]
    path = tmp_path / "runs.parquet"
    pq.write_table(pa.table(dict(zip("isrp", zip(*rows, strict=True), strict=True))), path)
    asked = ["--real", "r", "--predicted", "p", "--by", "s", "--item", "i", "--baseline", "1"]
    done = run("compare", str(path), *asked)
    assert done.returncode == 0, done.stderr
    refused = run("compare", str(path), *asked[:-1], "9")
    assert (refused.returncode, "There is no system '9'" in refused.stderr) == (2, True)
