"""`where=`: the same rows at every door; and what is packed, or comes as a stream."""

from __future__ import annotations

import bz2
import gzip
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import zstandard

import informed
from command_line import run
from informed import read
from informed.sources.conditions import conditions

FRAME = pd.DataFrame(
    {
        "y": [1, 0, 1, 1, 0, 0],
        "p": [1, 0, 0, 1, 1, 0],
        "n": [5, 10, 20, 30, 40, 50],
        "lang": ["en", "fr", "en", None, "it's", "de"],
    }
)
CASES = {  # rows that each leaves
    "lang == 'en'": 2,
    "lang = en": 2,
    "lang != en": 3,  # a missing one matches nothing
    "lang != en and n > 10": 2,
    "n in (10, 20, 99)": 2,
    "lang in (en, fr) and n < 20": 2,
    "n >= 1e1 and n <= 40": 4,
    "lang == 'it''s'": 1,
    '`lang` <> "en"': 3,
    "n == '10'": 1,
}


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, dict[str, Any]]]:
    at = tmp_path_factory.mktemp("where")
    FRAME.to_csv(at / "a.csv", index=False)
    FRAME.to_parquet(at / "a.parquet")
    FRAME.to_json(at / "a.jsonl", orient="records", lines=True)
    FRAME.to_excel(at / "a.xlsx", index=False)
    database = sqlite3.connect(at / "a.db")
    FRAME.to_sql("cases", database, index=False)
    database.commit()
    database.close()
    files: dict[str, Any] = {name: (at / name, {}) for name in ("a.csv", "a.parquet", "a.jsonl", "a.xlsx")}
    frames: dict[str, Any] = {"pandas": FRAME, "polars": pl.from_pandas(FRAME), "lazy": pl.from_pandas(FRAME).lazy()}
    frames |= {"arrow": pa.Table.from_pandas(FRAME), "relation": duckdb.from_df(FRAME)}
    return {
        **files,
        **{name: (frame, {}) for name, frame in frames.items()},
        "sqlite": (f"sqlite:///{at / 'a.db'}", {"table": "cases"}),
    }


@pytest.mark.parametrize(("where", "rows"), CASES.items(), ids=list(CASES))
def test_every_door_reads_the_same_rows(doors: dict[str, Any], where: str, rows: int) -> None:
    found = {name: read(x, real="y", predicted="p", where=where, **how).n for name, (x, how) in doors.items()}
    found["stream"] = read(pa.Table.from_pandas(FRAME).to_reader(), real="y", predicted="p", where=where).n
    assert found == dict.fromkeys(found, rows)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("zz = 1", "has no column 'zz'"),
        ("lang = 'xx'", "where lang = 'xx'"),
        ("lang = 'en", "ends inside quotes"),
        ("n >", "write column, operator and value"),
        ("n in (1, 2", "write column, operator and value"),
        ("lang = en or n > 3", "'or' is not understood"),
        ("1=1; DROP TABLE cases", "is not understood"),
        (FRAME.n > 3, "`where` is a Series"),
    ],
)
def test_what_cannot_be_meant_is_said(doors: dict[str, Any], where: Any, said: str) -> None:
    for name in ("a.csv", "a.jsonl", "a.parquet", "polars", "sqlite"):
        source, how = doors[name]
        with pytest.raises(informed.InformedError) as caught:
            read(source, real="y", predicted="p", where=where, **how)
        assert said in str(caught.value)


def test_a_value_is_never_run(doors: dict[str, Any]) -> None:
    """Quotes inside a value stay inside, whatever they hold."""
    for text in ("x') OR ('1'='1", "'; ATTACH 'b.db'; --", '\\" OR ""="'):
        said = "'" + text.replace("'", "''") + "'"
        assert conditions(f"lang == {said}")[0].values == (text,)
        for name in ("a.csv", "sqlite", "relation"):
            source, how = doors[name]
            with pytest.raises(informed.InformedError, match="no rows of data"):
                read(source, real="y", predicted="p", where=f"lang == {said}", **how)


def test_scores_units_and_systems_are_of_those_rows(doors: dict[str, Any]) -> None:
    for name in ("a.csv", "pandas", "lazy", "sqlite"):
        source, how = doors[name]
        some: dict[str, Any] = {"where": "n > 10", **how}
        assert read(source, real="y", score="n", **some).rows == 4
        assert len(read(source, real="y", predicted=["p", "y"], item="n", **some)) == 4
        assert read(source, real="y", predicted="p", unit="lang", where="n > 30", **how).n == 2


def test_where_is_of_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,y,p\n1,a,a\n2,b,a\n")
    with pytest.raises(informed.InformedError, match="of one file"):
        read(tmp_path / "a.csv", join=tmp_path / "a.csv", on="id", real="y", predicted="p", where="y = a")
    with pytest.raises(informed.InformedError, match="`where` needs the names"):
        read(tmp_path / "a.csv", where="y = a")
    done = run(
        "report", str(tmp_path / "a.csv"), "--real", "y", "--predicted", "p", "--where", "id > 1", "--format", "json"
    )
    assert done.returncode == 0, done.stderr
    assert '"n": 1' in done.stdout


PACKED: dict[str, Any] = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}


@pytest.mark.parametrize("how", PACKED)
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
def test_packed_files_are_read(tmp_path: Path, how: str, name: str) -> None:
    inner = tmp_path / name
    if name.endswith("jsonl"):
        FRAME.to_json(inner, orient="records", lines=True)
    else:
        FRAME.to_csv(inner, index=False, sep="\t" if name.endswith("tsv") else ",")
    packed = tmp_path / f"{name}.{how}"
    packed.write_bytes(PACKED[how](inner.read_bytes()))
    assert read(packed, real="y", predicted="p") == read(inner, real="y", predicted="p")
    with pytest.raises(informed.InformedError, match=f"{name}.{how} has no column|has no column"):
        read(packed, real="zz", predicted="p")
    for held in (b"", b"\n", "y\tp\nä\tä\n".encode("latin-1")) if how != "gz" and "csv" in name else ():
        packed.write_bytes(PACKED[how](held))
        with pytest.raises(informed.InformedError) as caught:
            read(packed, real="y", predicted="p")
        assert str(caught.value).startswith(f"{packed} is "), "not the file that it was unpacked to"


@pytest.mark.parametrize("how", ["bz2", "zst"])
def test_a_damaged_packed_file_is_no_short_one(tmp_path: Path, how: str) -> None:
    packed = tmp_path / f"a.csv.{how}"
    whole = PACKED[how](FRAME.sample(5000, replace=True, random_state=1).to_csv(index=False).encode())
    packed.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(informed.InformedError, match="damaged or incomplete"):
        read(packed, real="y", predicted="p")


class Stream:
    """Whatever hands out Arrow batches."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pa.Table.from_pandas(FRAME).__arrow_c_stream__(requested_schema)


def test_streams_of_arrow_are_read_once() -> None:
    wanted = read(FRAME, real="y", predicted="p")
    for stream in (pa.Table.from_pandas(FRAME).to_reader(), Stream()):
        assert read(stream, real="y", predicted="p") == wanted
    again = read(pa.Table.from_pandas(FRAME).to_reader(), real="y", score="n")
    assert again.rows == 6
