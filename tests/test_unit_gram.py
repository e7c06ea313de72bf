"""Units of which only sums of products are known: as by their rows, or refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import informed
from informed.errors import SourceError, TableError
from informed.evidence.table import Table
from informed.evidence.unit_gram import GramUnits
from informed.inference.influence import cells_of, functional, influence
from informed.measures import find
from informed.sources import unit_groups
from test_worth import MULT, PATTERNS, U

GOLDEN = [[68, 23, 11, 66], [23, 22, 6, 41], [11, 6, 16, 22], [66, 41, 22, 255]]
GRAM = (PATTERNS * MULT[:, None]).T @ PATTERNS
SIZES = np.array([(MULT * PATTERNS.sum(axis=1) ** power).sum() for power in (1, 2, 3, 4)])
BY_GRAM = replace(U, units=GramUnits(GRAM, SIZES, 12.0, name="document"))


def cases(classes: int = 3, silent: float = 0.05) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    unit = rng.integers(0, 60, 900)
    real = rng.integers(0, classes, 900)
    right = rng.random(900) < 0.3 + 0.5 * (unit % 2)
    predicted = np.where(right, real, rng.integers(0, classes, 900))
    frame = pd.DataFrame({"y": real, "p": predicted, "doc_id": unit, "w": 1.0 + unit % 3})
    frame["p"] = frame["p"].astype("Int64").where(rng.random(900) >= silent)
    return frame


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def read(classes: int = 3, silent: float = 0.05, **given: Any) -> tuple[Table, Table]:
        path = tmp_path / "cases.csv"
        cases(classes, silent).to_csv(path, index=False)
        asked = {"real": "y", "predicted": "p", "unit": "doc_id", "missing": "abstain", **given}
        by_rows = informed.read(path, **asked)
        monkeypatch.setattr(unit_groups, "MOST_ENTRIES", 100)
        return by_rows, informed.read(path, **asked)

    return read


def test_the_gram_matrix_gives_the_spread_of_the_golden_units() -> None:
    assert GRAM.tolist() == GOLDEN
    p = cells_of(U) / U.n
    f = functional(find("informedness"), U)
    u, _ = influence(p, f.gradient(p, np.asarray(U.n)), None)
    for t in (U, BY_GRAM):
        assert t.units is not None
        assert float(t.units.squared(u)) == pytest.approx(98.804281, abs=1e-6)


@pytest.mark.parametrize("given", [{}, {"weights": "w"}, {"classes": 8}], ids=["cases", "weights", "long"])
def test_an_engine_gives_sums_of_products_beyond_the_limit(both: Any, given: Any) -> None:
    by_rows, by_gram = both(**given)
    assert isinstance(by_gram.units, GramUnits)
    assert np.array_equal(by_gram.counts, by_rows.counts)
    assert np.array_equal(by_gram.abstained, by_rows.abstained)
    size = len(cells_of(by_rows))
    held = np.zeros((len(by_rows.units.mult), size))
    held[by_rows.units.row, by_rows.units.cell] = by_rows.units.weight
    assert by_gram.units.gram == pytest.approx((held * by_rows.units.mult[:, None]).T @ held)
    powers = [(by_rows.units.mult * held.sum(axis=1) ** power).sum() for power in (1, 2, 3, 4)]
    assert by_gram.units.sizes == pytest.approx(powers)
    assert by_gram.units.n == by_rows.units.n
    assert by_gram.units.name == "doc"


@pytest.mark.parametrize("silent", [0.05, 0.0], ids=["abstentions", "all answered"])
def test_intervals_tests_and_reports_are_nearly_those_of_the_rows(both: Any, silent: float) -> None:
    by_rows, by_gram = both(silent=silent)
    for measure in ("informedness", "accuracy", "matthews", "recall(average='macro')"):
        one, other = informed.interval(by_rows, measure), informed.interval(by_gram, measure)
        assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=0.004)
    assert informed.interval(by_gram.one_vs_rest(), "recall").low == pytest.approx(
        informed.interval(by_rows.one_vs_rest(), "recall").low, abs=0.01
    )
    together = [informed.interval(t, "recall", simultaneous=True, rng=0) for t in (by_rows, by_gram)]
    np.testing.assert_allclose(together[1].low, together[0].low, atol=0.002)
    tests = [informed.test(t, "bias") for t in (by_rows, by_gram)]
    assert tests[1].statistic == pytest.approx(tests[0].statistic)
    assert tests[1].pvalue == pytest.approx(tests[0].pvalue)
    assert informed.test(by_gram).pvalue < 0.001
    assert "60 docs" in str(informed.report(by_gram))


def test_maps_of_cells_and_json_keep_the_sums(both: Any) -> None:
    by_rows, by_gram = both()
    merged = by_gram.collapse({"a": ["0", "1"], "b": ["2"]})
    of_rows = by_rows.collapse({"a": ["0", "1"], "b": ["2"]}).units
    slopes = np.arange(6.0)
    assert float(merged.units.squared(slopes)) == pytest.approx(float(of_rows.squared(slopes)))
    assert Table.from_json(by_gram.to_json()) == by_gram
    wrong = json.loads(by_gram.to_json())
    wrong["units"]["gram"][0][0] += 1
    with pytest.raises(TableError, match="do not fit"):
        Table.from_json(json.dumps(wrong))


def test_what_needs_single_units_is_refused(both: Any) -> None:
    by_rows, by_gram = both()
    for work in (
        lambda: by_gram + by_rows,
        lambda: by_gram.units.mult,
        lambda: informed.interval(by_gram, "informedness", method="bootstrap-bca", n_draws=200),
        lambda: by_gram.one_vs_rest().sum(),
    ):
        with pytest.raises(TableError, match="only sums of products are held"):
            work()
    assert by_gram.without_units().units is None


TOO_MANY = (
    r"holds more than 100 pairs of a unit \(or item\) and a cell, too many to bring here\. Files and databases add up "
    r"`unit` where it is, for up to 400 cells; with `item` or `by`, or of a lazy frame, merge classes in a query, or "
    r"leave `unit` and `item` out\.$"
)


def test_too_many_cells_are_refused(both: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit_groups, "MOST_PRODUCTS", 11)
    with pytest.raises(SourceError, match=TOO_MANY):
        both()


@pytest.mark.parametrize("given", [{"unit": None, "item": "doc_id"}, {"by": "w"}], ids=["items", "groups"])
def test_too_many_items_or_units_of_groups_are_refused(both: Any, given: Any) -> None:
    with pytest.raises(SourceError, match=TOO_MANY):
        both(**given)


def test_too_many_units_of_a_lazy_frame_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit_groups, "MOST_ENTRIES", 100)
    lazy = pl.from_pandas(cases()).lazy()
    with pytest.raises(SourceError, match=TOO_MANY):
        informed.read(lazy, real="y", predicted="p", unit="doc_id", missing="abstain")
