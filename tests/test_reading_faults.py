"""Reading goes wrong: an operation fails, the file vanishes, shrinks or is another one halfway."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import faults
from command_line import refused
from informed import InformedError, Table, cli, read

SAMPLES = Path(__file__).parent / "samples"
COLUMNS: dict[str, Any] = {"real": "real", "predicted": "predicted"}
ONE = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")] * 10
OTHER = [("b", "a"), ("b", "a"), ("a", "a"), ("b", "b"), ("b", "b")] * 8


def _lines(rows: list[tuple[str, str]]) -> bytes:
    return "\n".join(["real,predicted", *map(",".join, rows)]).encode() + b"\n"


def _json(rows: list[tuple[str, str]]) -> bytes:
    return "".join(f'{{"real": "{r}", "predicted": "{p}"}}\n' for r, p in rows).encode()


def _written(rows: list[tuple[str, str]], write: Callable[[Any, Any], None]) -> bytes:
    import pyarrow as pa

    out = io.BytesIO()
    write(pa.table({"real": [r for r, _ in rows], "predicted": [p for _, p in rows]}), out)
    return out.getvalue()


def _parquet(rows: list[tuple[str, str]]) -> bytes:
    import pyarrow.parquet as pq

    return _written(rows, pq.write_table)


def _arrow(rows: list[tuple[str, str]]) -> bytes:
    from pyarrow import feather

    return _written(rows, feather.write_feather)


def _excel(rows: list[tuple[str, str]]) -> bytes:
    from openpyxl import Workbook

    book, out = Workbook(), io.BytesIO()
    for row in (("real", "predicted"), *rows):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def _database(rows: list[tuple[str, str]]) -> bytes:
    with closing(sqlite3.connect(":memory:")) as held:
        held.execute("CREATE TABLE cases (real TEXT, predicted TEXT)")
        held.executemany("INSERT INTO cases VALUES (?, ?)", rows)
        held.commit()
        return held.serialize()


def _log(name: str) -> Callable[[Any], bytes]:
    return lambda rows: (SAMPLES / name).read_bytes()


DOORS: dict[str, tuple[str, Callable[[Any], bytes], dict[str, Any]]] = {
    "CSV": (".csv", _lines, COLUMNS),
    "gzip": (".csv.gz", lambda rows: gzip.compress(_lines(rows)), COLUMNS),
    "bzip2": (".csv.bz2", lambda rows: bz2.compress(_lines(rows)), COLUMNS),
    "JSON lines": (".jsonl", _json, COLUMNS),
    "Parquet": (".parquet", _parquet, COLUMNS),
    "Arrow": (".arrow", _arrow, COLUMNS),
    "Excel": (".xlsx", _excel, COLUMNS),
    "SQLite": (".db", _database, {**COLUMNS, "table": "cases"}),
    "matrix": (".csv", lambda rows: f",a,b\na,{len(rows)},2\nb,3,4\n".encode(), {"rows": "real"}),
    "log of lines": (".jsonl", _log("lm_eval/samples_local_mc_2026-11-15T21-47-03.675325.jsonl"), {}),
    "zipped log": (".eval", _log("inspect_ai/two.eval"), {"scorer": "match"}),
    "log as one document": (".json", _log("mlflow/eval_results_table.json"), {}),
}


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    suffix, make, _ = DOORS[request.getfixturevalue("door")]
    path = tmp_path / "in" / f"data{suffix}"
    path.parent.mkdir()
    path.write_bytes(make(ONE))
    return path


def outcome(path: Path, how: dict[str, Any]) -> Table | BaseException:
    """The table, or what was raised in its place: one of our errors or the system's, in one line with the name."""
    held: list[Any] = []
    problem = faults.raised(lambda: held.append(read(path, **how)))
    if problem is None:
        assert isinstance(held[0], Table)
        return held[0]
    assert isinstance(problem, InformedError | OSError), repr(problem)
    said = cli._said(problem)
    assert "\n" not in said
    assert "data" in said, said
    return problem


@pytest.mark.parametrize("door", DOORS)
def test_every_operation_that_fails_is_said(place: Path, door: str) -> None:
    """Half of a read is no failure; whatever happens, the file stays, and nothing else is there."""
    how = DOORS[door][2]
    data, truth = place.read_bytes(), read(place, **how)
    done = faults.operations(place.parent, lambda: read(place, **how))
    assert done

    for at, kind in faults.each(done):
        with faults.failing(place.parent, at, kind):
            found = faults.raised(lambda: read(place, **how)) if kind == "kill" else outcome(place, how)
        if kind == "kill":
            assert isinstance(found, faults.Killed), (at, done[at], found)
        else:
            assert found == truth if kind == "short read" or isinstance(found, Table) else found, (at, done[at], kind)
        assert place.read_bytes() == data
        assert list(place.parent.iterdir()) == [place]


CHANGES: dict[str, Callable[[Path, bytes], object]] = {
    "vanishes": lambda path, other: path.unlink(),
    "shrinks": lambda path, other: os.truncate(path, path.stat().st_size // 2),
    "is replaced": lambda path, other: _put(path, other),
    "becomes a folder": lambda path, other: _made_folder(path),
}


def _made_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _put(path: Path, data: bytes) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(data)
    new.replace(path)


@pytest.mark.parametrize("door", DOORS)
def test_a_file_that_changes_halfway_gives_one_truth_or_none(place: Path, door: str) -> None:
    """Before the first, a middle and the last operation: no table of half a file, or of two."""
    _, make, how = DOORS[door]
    data, other = place.read_bytes(), make(OTHER)
    done = faults.operations(place.parent, lambda: read(place, **how))
    truths = [read(place, **how)]
    place.write_bytes(other)
    truths.append(read(place, **how))

    for name, change in CHANGES.items():
        for at in sorted({0, len(done) // 2, len(done) - 1}):
            place.write_bytes(data)
            with faults.failing(place.parent, at, partial(change, place, other)):
                found = outcome(place, how)
            assert not isinstance(found, Table) or found in truths, (name, at, done[at])
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)


@pytest.mark.parametrize("door", DOORS)
def test_the_command_says_it_in_one_line(place: Path, door: str) -> None:
    words = [f"--{name}={value}" for name, value in DOORS[door][2].items() if name in ("real", "predicted", "table")]
    denied = PermissionError(13, os.strerror(13), str(place))
    with faults.failing(place.parent, None), mock.patch.object(faults.Disk, "step", side_effect=denied):
        assert "data" in refused("report", str(place), *words)
    place.unlink()
    place.mkdir()
    refused("report", str(place), *words)


def _of_stream(place: Path) -> Table:
    with place.open("rb") as stream:
        found = read(stream, **COLUMNS)
    assert isinstance(found, Table)
    return found


SPOOLED: dict[str, tuple[str, Callable[[bytes], bytes], Callable[[Path], Any]]] = {
    "bzip2": (".csv.bz2", bz2.compress, lambda place: read(place, **COLUMNS)),
    "UTF-16": (".csv", lambda data: data.decode().encode("utf-16"), lambda place: read(place, **COLUMNS)),
    "a stream": (".csv", bytes, _of_stream),
}


@pytest.mark.parametrize("source", SPOOLED)
def test_a_temporary_folder_that_fails_is_not_called_a_damaged_file(tmp_path: Path, source: str) -> None:
    suffix, packed, reading = SPOOLED[source]
    place, spool = tmp_path / f"data{suffix}", tmp_path / "spool"
    place.write_bytes(packed(_lines(ONE)))
    spool.mkdir()
    held: list[Any] = []
    truth = reading(place)
    with mock.patch.object(tempfile, "tempdir", str(spool)):
        done = faults.operations(spool, lambda: reading(place))
        assert "write" in done
        used = max(at for at, name in enumerate(done) if name in ("read", "write"))  # what follows cleans up
        for at, kind in faults.each(done):
            with faults.failing(spool, at, kind):
                held.clear()
                problem = faults.raised(lambda: held.append(reading(place)))
            if kind == "kill":
                assert isinstance(problem, faults.Killed)
            elif problem is not None:
                assert isinstance(problem, InformedError | OSError), repr(problem)
                code = getattr(errno, kind, errno.ENOSPC)
                assert os.strerror(code).lower() in cli._said(problem).lower(), (done[at], kind, cli._said(problem))
            assert problem is not None or held == [truth], (done[at], kind)
            assert not list(spool.iterdir()) or kind == "kill" or at > used, (done[at], kind)
            shutil.rmtree(spool)
            spool.mkdir()


def test_standard_input_that_fails(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, os.strerror(5))

    with mock.patch.object(sys, "stdin", io.TextIOWrapper(Broken())):
        problem = faults.raised(lambda: read("-", **COLUMNS))
    assert isinstance(problem, InformedError | OSError)
    assert "standard input" in cli._said(problem)
