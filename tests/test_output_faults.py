"""What is written is whole or as it was before: every format, every operation, every way to fail."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

import faults
from command_line import PACKAGES, ROOT, refused, run, surroundings
from informed import Table, interval
from informed._files import PARTIAL
from informed.documents import writers

SUFFIXES = sorted(suffix for w in writers.every() for suffix in w.suffixes[:1])
OLD = b"what was here before"
DATA = "real,predicted\n" + "a,a\na,b\nb,b\nb,b\n" * 20
COLUMNS = ("--real", "real", "--predicted", "predicted")


@pytest.mark.parametrize("form", writers.names())
def test_a_command_leaves_the_old_file_or_the_new_one(tmp_path: Path, form: str) -> None:
    place = tmp_path / "out.txt"
    words = ("measures", "informedness", "--format", form, "--output", str(place))
    place.write_bytes(OLD)
    done = faults.operations(tmp_path, lambda: run(*words))
    new, moved = place.read_bytes(), done.index("replace")
    assert new != OLD

    for at, how in faults.each(done):
        place.write_bytes(OLD)
        with faults.failing(tmp_path, at, how):
            problem = faults.raised(lambda: refused(*words))
        assert isinstance(problem, faults.Killed if how == "kill" else type(None)), (done[at], how, problem)
        assert place.read_bytes() == (OLD if at <= moved else new), (done[at], how)
        _only(place, killed=how == "kill")


def test_the_command_says_what_failed(tmp_path: Path) -> None:
    place = tmp_path / "out.html"
    with faults.failing(tmp_path, 0, "ENOSPC"):
        assert refused("table", "56 20 / 12 12", "-o", str(place)) == f"error: {place}: No space left on device.\n"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_save_leaves_the_old_file_or_the_new_one(tmp_path: Path, suffix: str) -> None:
    result = interval(Table.from_counts([[56, 20], [12, 12]]), "informedness")
    place = tmp_path / f"out{suffix}"
    place.write_bytes(OLD)
    done = faults.operations(tmp_path, lambda: result.save(place))
    new, moved = place.read_bytes(), done.index("replace")

    for at, how in faults.each(done):
        place.write_bytes(OLD)
        with faults.failing(tmp_path, at, how):
            problem = faults.raised(lambda: result.save(place))
        assert isinstance(problem, faults.Killed if how == "kill" else OSError | None)
        assert how == "kill" or at > moved or problem is not None
        assert place.read_bytes() == (OLD if at <= moved else new), (done[at], how)
        _only(place, killed=how == "kill")


def _only(place: Path, *, killed: bool) -> None:
    """Nothing lies beside the file, unless the process was killed."""
    beside = [path for path in place.parent.iterdir() if path != place]
    assert not beside or (killed and beside == list(place.parent.glob(PARTIAL)))
    for path in beside:
        path.unlink()


def test_a_full_disk_keeps_the_old_page(tmp_path: Path) -> None:
    place = tmp_path / "out.html"
    place.write_bytes(OLD)
    with faults.size_limit(1000):
        said = refused("table", "56 20 / 12 12", "-o", str(place))
    assert str(place) in said
    assert place.read_bytes() == OLD


def test_a_file_that_is_protected_stays(tmp_path: Path) -> None:
    """A rename would take its place all the same; as root, who may write everything, it is told otherwise."""
    place = tmp_path / "out.json"
    place.write_bytes(OLD)
    place.chmod(0o444)
    with mock.patch.object(os, "access", lambda path, mode: mode != os.W_OK):
        assert "Permission denied" in refused("measures", "informedness", "-o", str(place))
    assert place.read_bytes() == OLD


# ------------------------------------------------------------------ its own input


@pytest.fixture
def data(tmp_path: Path) -> Path:
    place = tmp_path / "runs" / "data.csv"
    place.parent.mkdir()
    place.write_text(DATA)
    return place


@pytest.mark.parametrize("name", ["same", "relative", "symlink", "hard link", "through a linked folder", "pattern",
                                  "folder", "baseline"])  # fmt: skip
def test_a_command_never_writes_over_what_it_reads(data: Path, tmp_path: Path, name: str) -> None:
    given, output, more = str(data), str(data), []
    if name == "relative":
        output = os.path.relpath(data, ROOT)
    elif name == "symlink":
        output = str(tmp_path / "link.csv")
        Path(output).symlink_to(data)
    elif name == "hard link":
        output = str(tmp_path / "hard.csv")
        Path(output).hardlink_to(data)
    elif name == "through a linked folder":
        (tmp_path / "other").symlink_to(data.parent)
        output = str(tmp_path / "other" / "data.csv")
    elif name == "pattern":
        given = str(tmp_path / "*" / "*.csv")
    elif name == "folder":
        given = str(data.parent)
    elif name == "baseline":
        output = str(tmp_path / "before.json")
        Path(output).write_text("{}")
        more = ["--baseline", output]

    before = Path(output).read_bytes()
    said = refused("report", given, *COLUMNS, "-o", output, *more)
    assert f"--output {output} would write over " in said
    assert Path(output).read_bytes() == before
    assert data.read_text() == DATA


def test_a_database_is_never_written_over(tmp_path: Path) -> None:
    import sqlite3

    place = tmp_path / "cases.csv"
    with closing(sqlite3.connect(place)) as made:
        made.execute("CREATE TABLE cases (real TEXT, predicted TEXT)")
    said = refused("report", f"sqlite:///{place}", "--table", "cases", *COLUMNS, "-o", str(place))
    assert "would write over sqlite:///" in said


def test_a_page_beside_the_data_is_written_again(data: Path) -> None:
    page = data.parent / "report.html"
    for _ in range(2):
        done = run("report", str(data), *COLUMNS, "-o", str(page))
        assert done.returncode == 0, done.stderr
    assert page.read_text().startswith("<!doctype html>")
    assert data.read_text() == DATA


# ------------------------------------------------------------------ what is no file


def test_a_named_pipe_is_written_through(tmp_path: Path) -> None:
    pipe, held = tmp_path / "pipe.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: held.append(pipe.read_text()))
    reader.start()
    assert run("measures", "informedness", "-o", str(pipe)).returncode == 0
    reader.join(10)
    assert held[0].startswith("{")
    assert pipe.is_fifo()


def test_standard_output_is_appended_to(tmp_path: Path) -> None:
    """A shell's >> keeps what is there."""
    words = ("measures", "informedness", "--format", "json", "-o")
    place = tmp_path / "log.txt"
    place.write_text("before\n")
    with place.open("a") as out:
        subprocess.run(
            [sys.executable, "-m", "informed", *words, "/dev/stdout"],
            stdout=out, stderr=subprocess.PIPE, check=True, cwd=ROOT,
            env={**surroundings(), "PYTHONPATH": PACKAGES},
        )  # fmt: skip
    assert place.read_text() == "before\n" + run(*words, "-").stdout
    assert list(tmp_path.iterdir()) == [place]
