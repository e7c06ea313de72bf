"""Every door hands units on: the same table with the same units, wherever the rows are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import informed
from backends import TYPED, Places
from command_line import run
from informed import Table
from informed.errors import InformedError
from informed.sources.frames import FrameEngine

ASKED: dict[str, dict[str, Any]] = {
    "unit": {"unit": "doc_id"},
    "item": {"item": "q"},
    "both": {"unit": "doc_id", "item": "q"},
    "unit, weighted": {"unit": "doc_id", "weights": "w"},
    "item, weighted": {"item": "q", "weights": "w"},
    "item, counted": {"item": "q", "counts": "w"},
    "item by group": {"item": "q", "by": "g", "tables": True},
    "unit by group": {"unit": "doc_id", "by": "g"},
}
SOURCES = ("pandas", "polars", "lazy", "csv", "parquet", "relation", "duckdb", "sqlite", "two files")


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    u = rng.integers(0, 60, 500)
    held = pd.DataFrame(
        {
            "y": rng.integers(0, 3, 500).astype(str),
            "p": rng.integers(0, 3, 500).astype(str),
            "doc_id": [f"d{x // 4}" for x in u],
            "q": [f"q{x}" for x in u],
            "g": np.where(u % 2, "a", "b"),
            "w": rng.integers(1, 4, 500) * 1.0,
        }
    )
    held.loc[rng.random(500) < 0.05, "p"] = None
    return held


CLOSING: list[sqlite3.Connection] = []


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while CLOSING:
        CLOSING.pop().close()


def opened(name: str, held: pd.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    if name == "csv":
        held.to_csv(folder / "f.csv", index=False)
        return folder / "f.csv", {}
    if name == "parquet":
        held.to_parquet(folder / "f.parquet")
        return folder / "f.parquet", {}
    if name in ("relation", "duckdb"):
        connection = duckdb.connect()
        connection.register("f", held)
        return (connection.table("f"), {}) if name == "relation" else (connection, {"table": "f"})
    if name == "sqlite":
        lite = sqlite3.connect(":memory:")
        CLOSING.append(lite)
        held.to_sql("f", lite, index=False)
        return lite, {"table": "f"}
    if name == "two files":
        held[held.g == "a"].to_parquet(folder / "a.parquet")
        held[held.g == "b"].to_parquet(folder / "b.parquet")
        return [folder / "a.parquet", folder / "b.parquet"], {}
    return {"pandas": held, "polars": pl.from_pandas(held), "lazy": pl.from_pandas(held).lazy()}[name], {}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("missing", ["drop", "abstain"])
def test_every_door_gives_the_same_units(name: str, missing: Any, tmp_path: Path) -> None:
    held = frame()
    source, more = opened(name, held, tmp_path)
    for what, asked in ASKED.items():
        told = {k: held[v] for k, v in asked.items() if k != "tables"}
        if name == "two files":
            if "by" in asked or "item" in asked:
                continue
            told["by"] = held["g"]
        if "counts" in told:
            told |= {"weights": told.pop("counts"), "frequency": True}
        wanted = Table.from_labels(real=held.y, predicted=held.p, missing=missing, **told)
        found: Table = informed.read(source, real="y", predicted="p", missing=missing, **asked, **more)
        assert found.units is not None
        assert found.units.same(wanted.units), what
        for array in ("cells", "squares", "cases", "unanswered", "unanswered_squares", "unanswered_cases"):
            a, b = getattr(found, array), getattr(wanted, array)
            assert (a is None) == (b is None), (what, array)
            if a is not None:
                np.testing.assert_allclose(a, b, err_msg=f"{what}: {array}")


LAZY: list[dict[str, Any]] = [{"item": "q", "weights": "w"}, {"unit": "doc_id"}, {"item": "q"}]


@pytest.mark.filterwarnings("ignore")  # of Dask and Ibis about versions of other packages
@pytest.mark.parametrize("backend", ["dask", "ibis"])
def test_units_are_counted_inside_lazy_engines(backend: str, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    units_are_counted_inside(backend, places, monkeypatch, LAZY)


def units_are_counted_inside(
    backend: str, places: Places, monkeypatch: pytest.MonkeyPatch, every: list[dict[str, Any]]
) -> None:
    held = frame()[["y", "p", "doc_id", "q", "w"]]
    columns = {name: [None if pd.isna(x) else x for x in held[name].tolist()] for name in held}
    source, more = TYPED[backend](columns, places)
    monkeypatch.setattr(FrameEngine, "entries", None)  # which would bring a row for each unit and cell
    for asked in every:
        told: Any = {name: held[x] for name, x in asked.items()}
        wanted = Table.from_labels(real=held.y, predicted=held.p, missing="abstain", **told)
        found: Table = informed.read(source, real="y", predicted="p", missing="abstain", **asked, **more)
        assert found.units is not None
        assert found.units.same(wanted.units), asked
        np.testing.assert_allclose(found.cells, wanted.cells)
        assert (found.squares is None) == (wanted.squares is None)
        if found.squares is not None and wanted.squares is not None:
            np.testing.assert_allclose(found.squares, wanted.squares)


@pytest.mark.parametrize("name", ["csv", "duckdb", "sqlite", "lazy", "pandas"])
@pytest.mark.parametrize("by", [None, "g"])
def test_a_row_without_a_unit_is_one_sentence(name: str, by: str | None, tmp_path: Path) -> None:
    held = frame()
    held.loc[3, "doc_id"] = None
    source, more = opened(name, held, tmp_path)
    with pytest.raises(InformedError, match="1 case has no `doc_id`"):
        informed.read(source, real="y", predicted="p", missing="drop", unit="doc_id", by=by, **more)


def test_many_classes_come_in_the_long_form(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    held = pd.DataFrame({x: rng.integers(0, 12, 3000) for x in ("y", "p")} | {"u": rng.integers(0, 300, 3000)})
    held.to_parquet(tmp_path / "f.parquet")
    found = informed.read(tmp_path / "f.parquet", real="y", predicted="p", unit="u")
    assert found == Table.from_labels(real=held.y, predicted=held.p, unit=held.u)


def test_answers_below_each_other_and_side_by_side_know_repeats() -> None:
    held = pd.DataFrame(
        {
            "q": ["x", "x", "y", "z", "x", "y", "z"],
            "s": ["a", "a", "a", "a", "b", "b", "b"],
            "y": [0, 0, 1, 1, 0, 1, 1],
            "p": [0, 1, 1, 0, 0, 1, 1],
            "doc": [1, 1, 1, 2, 1, 1, 2],
        }
    )
    p = informed.read(held, real="y", predicted="p", item="q", by="s", unit="doc")
    assert isinstance(p, informed.Paired)
    assert p.n_items == 3
    assert p.codes.tolist() == [[0, 0], [1, -2], [1, 1], [0, 1]]
    assert p.tables["a"].counts.tolist() == [[0.5, 1], [0.5, 1]]
    assert p.unit is not None
    assert p.unit.tolist() == [0, 0, 0, 1]
    assert p.joint("a", "b").units.n == 2  # type: ignore[union-attr]  # there are some

    side = pd.DataFrame({"q": ["x", "x", "y"], "y": [0, 0, 1], "a": [0, 1, 1], "b": [0, 0, 1]})
    two = informed.read(side, real="y", predicted=["a", "b"], item="q")
    assert two.joint("a", "b").a.counts.tolist() == [[0.5, 0], [0.5, 1]]
    with pytest.raises(InformedError, match="more than one real label"):
        informed.read(side.assign(y=[0, 1, 1]), real="y", predicted=["a", "b"], item="q")


def test_scores_keep_their_units() -> None:
    held = pd.DataFrame({"y": [0, 1, 1, 0], "s": [0.1, 0.7, 0.7, 0.2], "doc": ["a", "a", "a", "b"]})
    found = informed.read(held, real="y", score=["s"], unit="doc")
    cases = found.cases()
    assert sorted(zip(cases["unit"], cases["scores"]["s"].tolist(), strict=True)) == [
        ("a", 0.1),
        ("a", 0.7),
        ("a", 0.7),
        ("b", 0.2),
    ]
    with pytest.raises(InformedError, match="1 case has no `doc`"):
        informed.read(held.assign(doc=["a", None, "b", "b"]), real="y", score="s", unit="doc")


def test_any_field_of_a_log_is_a_unit() -> None:
    log = Path(__file__).parent / "samples" / "inspect_ai" / "epochs.eval"
    t: Table = informed.read(log, unit="subject")
    assert t.units is not None
    assert (t.units.name, t.units.n, t.units.of) == ("subject", 2, "item")
    with pytest.raises(InformedError, match="'place' is no field of this log"):
        informed.read(log, unit="place")
    with pytest.raises(InformedError, match="A log knows its items"):
        informed.read(log, item="subject")
    done = run("report", str(log), "--unit", "subject")
    assert done.returncode == 0, done.stderr
    assert "2 subjects" in done.stdout
