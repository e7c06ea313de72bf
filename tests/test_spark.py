"""Everything that Spark takes part in, in one file, so that one process starts one Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
import nasty
import test_every_door as doors
import test_sources as sources
from backends import OF_SPARK, Places
from informed.simulation import Experiment
from test_units_doors import LAZY, units_are_counted_inside

pytestmark = pytest.mark.filterwarnings("ignore")  # of Spark about versions of other packages
both = pytest.mark.parametrize("backend", OF_SPARK)


def those(mark: pytest.MarkDecorator) -> list[Any]:
    """What the specification of sources asks of backends of a kind."""
    return [test for test in vars(sources).values() if mark.mark in getattr(test, "pytestmark", ())]


@both
@pytest.mark.parametrize("test", those(sources.every))
def test_every_source(test: Any, backend: str, places: Places) -> None:
    test(backend, places)


@pytest.mark.parametrize("backend", OF_SPARK[:1])
def test_every_kind_of_label(backend: str, places: Places) -> None:
    for kind, columns in nasty.every_kind(1).items():
        if kind not in doors.CANNOT[backend]:
            doors.check(backend, kind, columns, places)


def test_a_collation_merges_no_labels(spark: tuple[Any, Any]) -> None:
    pairs = "VALUES ('A', 'a'), ('a', 'A'), ('a', 'a ') AS cases(r, p)"
    for session in spark:
        trimmed = "" if session.version.startswith("4.0.") else "_RTRIM"  # which Spark 4.0 does not know
        frame = session.sql(f"SELECT r COLLATE UTF8_LCASE AS r, p COLLATE UTF8_LCASE{trimmed} AS p FROM {pairs}")
        found = informed.read(frame, real="r", predicted="p", normalize="none")
        assert (found.labels, found.counts.tolist()) == (("A", "a", "a "), [[0, 1, 0], [1, 0, 0], [0, 1, 0]])


@pytest.mark.slow
def test_many_rows(tmp_path: Path, spark: tuple[Any, Any]) -> None:
    path = sources.made(tmp_path / "rows.parquet", 200_000)
    expected = informed.read(path, **sources.ASKED)
    assert np.sum(expected.rows) == 200_000
    for session in spark:
        session.conf.set("spark.sql.codegen.wholeStage", "true")  # as outside of tests
        assert informed.read(session.read.parquet(str(path)), **sources.ASKED) == expected


@pytest.mark.parametrize("backend", OF_SPARK[:1])
def test_units_are_counted_inside(backend: str, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    units_are_counted_inside(backend, places, monkeypatch, LAZY[:1])


@pytest.mark.slow
def test_simulations_have_the_same_numbers(spark: tuple[Any, Any]) -> None:
    e = Experiment(k=3, n=40, levels=(0, 0.5), replicates=100, chunk=50)
    assert e.run(jobs=2, backend="spark").rows == e.run().rows


def cubed(t: informed.Table) -> Any:
    return (t.tp / t.total) ** 3


def drawn_singly(level: float, k: int, n: int, rng: np.random.Generator) -> Any:
    return rng.multinomial(n, (level * np.eye(k) / k + (1 - level) / k**2).ravel()).reshape(k, k)


@pytest.mark.slow
def test_simulations_with_functions_have_the_same_numbers(spark: tuple[Any, Any]) -> None:
    """Of a module that the workers do not have, and of none."""
    e = Experiment(k=2, n=40, levels=(0, 0.5), replicates=40, chunk=20, generator=drawn_singly,
                   measures=(cubed, lambda t: t.tn / t.total))  # fmt: skip
    assert e.run(jobs=2, backend="spark").rows == e.run().rows


@pytest.mark.slow
def test_what_a_function_says_in_a_worker_is_said_here(spark: tuple[Any, Any]) -> None:
    def rarely(t: informed.Table) -> Any:
        if (t.tp == 22).any():
            raise OverflowError("too many")
        return t.tp

    e = Experiment(k=2, n=40, levels=(0, 0.5), replicates=400, chunk=200, measures=(rarely,))
    with pytest.raises(informed.InformedError, match=r"rarely fails on a stack of .*: OverflowError: too many"):
        e.run(jobs=2, backend="spark")
