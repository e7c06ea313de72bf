"""From a cell to its cases: ids of each cell against brute force, through every door, and on the page."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from jsonschema import validate
from playwright.sync_api import Browser, Page

import informed
from informed import Report
from informed.documents.assets import schema
from informed.errors import SourceError, TableError
from informed.evidence.label_policy import LabelPolicy
from informed.sources.frames import FrameEngine
from informed.summary.parts import CellCases

SAMPLES = Path(__file__).parent / "samples"
LABELS = ["cat", "Cat ", "<b>x</b>", "CAT", "dog", "wolf\nhound", "1+1=", "?"]
HOW: dict[str, Any] = {"missing": "drop", "normalize": "case,space", "abstain": "?", "where": "split == 'test'"}
COLUMNS: dict[str, Any] = {"real": "y", "predicted": "p"}


@pytest.fixture(scope="module")
def cases() -> pd.DataFrame:
    """Labels that are spelled in several ways, missing ones, repeated and missing ids."""
    rng = np.random.default_rng(4)
    n = 900
    real, predicted = (rng.choice(np.array([*LABELS[:-1], None], dtype=object), n) for _ in range(2))
    predicted = np.where(rng.random(n) < 0.1, "?", predicted)
    ids = [None if x % 17 == 0 else f"{'x' if x % 5 else 'é'}{x}" for x in rng.integers(0, 400, n).tolist()]
    split = rng.choice(["test", "train"], n, p=[0.8, 0.2])
    return pd.DataFrame({"id": ids, "y": real, "p": predicted, "split": split}, index=rng.permutation(n))


def by_hand(df: pd.DataFrame, most: int = 5) -> dict[tuple[Any, Any], tuple[str, ...]]:
    """One case after the other."""
    policy, found = LabelPolicy(normalize="case,space"), defaultdict(set)
    for name, real, predicted, split in df.itertuples(index=False):
        if split == "test" and isinstance(name, str) and isinstance(real, str) and isinstance(predicted, str):
            answer = None if predicted == "?" else policy.canonical(predicted)
            found[policy.canonical(real), answer].add(name)
    return {cell: tuple(sorted(names, key=lambda x: (len(x), x))[:most]) for cell, names in found.items()}


def by_cell(found: tuple[CellCases, ...]) -> dict[tuple[Any, Any], tuple[str, ...]]:
    return {(x.real, x.predicted): x.ids for x in found}


def doors(df: pd.DataFrame, folder: Path) -> Iterator[tuple[Any, dict[str, Any]]]:
    frame = pl.DataFrame({name: [None if x != x else x for x in df[name]] for name in df}, strict=False)
    frame.write_csv(folder / "a.csv")
    frame.write_parquet(folder / "a.parquet")
    frame.write_ndjson(folder / "a.jsonl")
    frame.to_pandas().to_excel(folder / "a.xlsx", index=False)
    yield from ((folder / f"a.{kind}", {}) for kind in ("csv", "parquet", "jsonl", "xlsx"))
    yield from ((x, {}) for x in (df, frame, frame.to_arrow(), frame.lazy()))
    with closing(sqlite3.connect(":memory:")) as lite:
        frame.to_pandas().to_sql("t", lite)
        yield lite, {"table": "t"}
    yield duckdb.from_arrow(frame.to_arrow()), {}


def test_ids_stand_in_their_cells_through_every_door(cases: pd.DataFrame, tmp_path: Path) -> None:
    wanted = by_hand(cases)
    table = informed.read(cases, **COLUMNS, **HOW)
    assert {cell[0] for cell in wanted} == set(table.labels)
    for source, more in doors(cases, tmp_path):
        found = informed.examples(source, id="id", **COLUMNS, **HOW, **more)
        assert by_cell(found) == wanted, source
    assert by_cell(informed.examples(cases, id="id", most=2, **COLUMNS, **HOW)) == by_hand(cases, 2)


def test_a_library_without_windows_gives_the_same(cases: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = pl.from_pandas(cases).lazy()
    wanted = informed.examples(lazy, id="id", **COLUMNS, **HOW)

    def refuse(*_: Any) -> Any:
        raise NotImplementedError

    collected = FrameEngine._collected
    monkeypatch.setattr(
        FrameEngine, "_collected", lambda *x: collected(*x) if x[2] is None and not refused(x) else refuse()
    )

    def refused(x: tuple[Any, ...]) -> bool:
        return bool(x[1].collect_schema().names()[-1] == "name")

    assert informed.examples(lazy, id="id", **COLUMNS, **HOW) == wanted


def test_numbers_come_in_their_order_and_long_ids_are_cut(tmp_path: Path) -> None:
    df = pd.DataFrame({"id": [100, 10, 9, 11, 2, 1], "y": ["a"] * 5 + ["b"], "p": ["b"] * 5 + ["a"]})
    df.to_csv(tmp_path / "n.csv", index=False)
    for source in (df, tmp_path / "n.csv"):
        assert by_cell(informed.examples(source, id="id", **COLUMNS))["a", "b"] == ("2", "9", "10", "11", "100")
    df["id"] = [str(i) * 500 for i in range(6)]
    df.to_csv(tmp_path / "n.csv", index=False)
    for source in (df, tmp_path / "n.csv"):
        assert by_cell(informed.examples(source, id="id", **COLUMNS))["b", "a"] == ("5" * 199 + "…",)


def test_of_a_join_the_id_is_known_and_what_was_not_run_is_in_no_cell(tmp_path: Path) -> None:
    (tmp_path / "solution.csv").write_text("id,y\n1,a\n2,b\n3,a\n4,b\n")
    (tmp_path / "answers.csv").write_text("id,p\n1,a\n2,a\n3,\n")
    asked: dict[str, Any] = {"join": tmp_path / "answers.csv", "on": "id", **COLUMNS}
    found = informed.examples(tmp_path / "solution.csv", **asked)
    assert by_cell(found) == {("a", "a"): ("1",), ("b", "a"): ("2",), ("a", None): ("3",)}
    made = informed.report(informed.read(tmp_path / "solution.csv", **asked), examples=found)
    assert [(x.real, x.predicted) for x in made.examples] == [("b", "a"), ("a", None), ("a", "a")]  # errors first


def test_a_log_knows_its_ids() -> None:
    (log,) = (SAMPLES / "lm_eval").glob("samples_local_mc*.jsonl")
    found, table = informed.examples(log), informed.read(log)
    cases = [json.loads(line) for line in log.read_text().splitlines()]
    assert {x.split()[0] for cell in found for x in cell.ids} <= {str(case["doc_id"]) for case in cases}
    assert all(table.cells[table.labels.index(x.predicted), table.labels.index(x.real)] >= len(x.ids) for x in found)
    with pytest.raises(SourceError, match="a log knows its ids"):
        informed.examples(log, id="id")


def test_what_cannot_be_meant_is_refused_in_a_sentence(cases: pd.DataFrame) -> None:
    with pytest.raises(SourceError, match="has no column 'nr'"):
        informed.examples(cases, id="nr", **COLUMNS, **HOW)
    with pytest.raises(SourceError, match="three columns"):
        informed.examples(cases, **COLUMNS)
    with pytest.raises(SourceError, match="no ids in the column 'id'"):
        informed.examples(cases.assign(id=None), id="id", **COLUMNS, **HOW)
    with pytest.raises(TableError, match="of another table: 'elk'"):
        informed.report(informed.Table.from_counts([[5, 2], [1, 4]]), examples=[CellCases("+", "elk", ("1",))])


def test_every_format_says_them(cases: pd.DataFrame) -> None:
    names = cases.assign(id=[f"<i>{x}\x1b[31m" for x in range(len(cases))])
    found = informed.examples(names, id="id", **COLUMNS, **HOW)
    made = informed.report(informed.read(names, **COLUMNS, **HOW), examples=found)
    held = json.loads(made.json())
    validate(held, schema())
    assert {(x["real"], x["predicted"]): tuple(x["ids"]) for x in held["examples"]} == by_cell(found)
    assert Report.from_json(made.json()).examples == made.examples
    first = made.examples[0]
    assert first.real != first.predicted
    text, page = made.text(full=True), made.html()
    assert "Cases to look at, errors first" in text
    assert "\x1b" not in text + page
    assert "<i>" not in page
    assert "&lt;i&gt;" in page
    assert "examples" not in json.loads(informed.report(made.table).json())


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


def test_a_cell_leads_to_its_cases_by_mouse_and_keys(page: Page) -> None:
    df = pd.DataFrame({"id": [f"n{i}" for i in range(8)], "y": list("aabbabab"), "p": list("abbbaaab")})
    found = informed.examples(df, id="id", **COLUMNS)
    page.set_content(informed.report(informed.read(df, **COLUMNS), examples=found).html())
    cell = page.locator("svg.heat a[href='#table-cell-0-1']")  # called a, really b
    row = page.locator("#table-cell-0-1")
    assert "n5" in (cell.get_attribute("aria-label") or "")
    assert not row.is_visible()
    cell.focus()
    assert page.locator("#tip").is_visible()
    page.keyboard.press("Enter")
    assert row.is_visible()
    assert "n5" in row.inner_text()
    assert page.evaluate("document.activeElement.id") == "table-cell-0-1"
    page.locator("svg.heat a[href='#table-cell-1-1']").click()
    assert page.evaluate("document.activeElement.id") == "table-cell-1-1"
