"""A run that was stopped goes on to the same numbers; what is damaged or of another run is refused, never mixed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import faults
from command_line import run
from informed import InformedError
from informed._files import write_whole
from informed.simulation import Experiment, checkpoint
from informed.simulation.sums import chunk_sums

HOW: dict[str, Any] = {
    "k": 2,
    "n": 20,
    "levels": (0, 0.5),
    "replicates": 40,
    "chunk": 20,
    "measures": ("informedness",),
}
E = Experiment(**HOW)
ROWS = E.run().rows


class Stopped(Exception):
    pass


def stop_after(out: Path, experiment: Experiment, chunks: int) -> Path:
    """The folder of a run that was stopped."""
    left = [chunks]
    write = checkpoint.Store.write

    def counted(store: checkpoint.Store, index: int, sums: Any) -> None:
        if not left[0]:
            raise Stopped
        left[0] -= 1
        write(store, index, sums)

    with mock.patch.object(checkpoint.Store, "write", counted), pytest.raises(Stopped):
        experiment.run(out=out)
    return Path(f"{out}.chunks")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run.parquet"


# ------------------------------------------------------------------ faults


def parquet(path: Path) -> list[Any]:
    import duckdb

    with duckdb.connect() as engine:
        return engine.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchall()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows as JSON: DuckDB takes longer than all the rest, and is tried below."""
    monkeypatch.setattr(checkpoint, "write_parquet", lambda path, rows: write_whole(path, json.dumps(rows.dicts())))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("how", faults.KINDS)
def test_whatever_fails_the_old_result_stays_and_the_run_goes_on(out: Path, how: str) -> None:
    def simulate() -> None:
        E.run(out=out)

    done = faults.operations(out.parent, simulate)
    whole = out.read_bytes()
    assert done.count("replace") == 4  # the description, two chunks, the result

    for at, _ in faults.each(done, [how]):
        out.write_bytes(b"old")
        with faults.failing(out.parent, at, how):
            problem = faults.raised(simulate)
        assert isinstance(problem, faults.Killed) == (how == "kill")
        assert problem is None or isinstance(problem, faults.Killed | InformedError | OSError)
        assert out.read_bytes() in ([whole] if problem is None else [b"old", whole]), (at, done[at])

        with faults.failing(out.parent, None):
            assert E.run(out=out, resume=True).rows == ROWS
        assert out.read_bytes() == whole
        assert list(out.parent.iterdir()) == [out] or how == "kill"
        for path in out.parent.glob(".informed-*"):
            path.unlink()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("how", faults.KINDS)
def test_what_fails_while_a_run_is_taken_up_again_loses_nothing(out: Path, how: str) -> None:
    folder = stop_after(out, E, 1)
    kept = out.parent / "kept"
    shutil.copytree(folder, kept)
    done = faults.operations(out.parent, lambda: E.run(out=out, resume=True))
    for at, _ in faults.each(done, [how]):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder)
        with faults.failing(out.parent, at, how):
            faults.raised(lambda: E.run(out=out, resume=True))
        with faults.failing(out.parent, None):
            assert E.run(out=out, resume=True).rows == ROWS


COMMAND = ("simulate", "--k", "2", "--n", "20", "--levels", "0,0.5", "--replicates", "40", "--chunk", "20",
           "--measures", "informedness", "--format", "json")  # fmt: skip


def test_the_command_says_what_failed_and_goes_on(out: Path) -> None:
    words = (*COMMAND, "--out", str(out))
    with faults.failing(out.parent, 15, "ENOSPC"):
        done = run(*words)
    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr.count("\n") == 1
    assert "chunk-0000000" in done.stderr
    assert "cannot be written: No space left on device. The chunks that were finished are kept: run it again with " in (
        done.stderr
    )
    assert "--resume" in done.stderr
    again = run(*words, "--resume")
    assert again.returncode == 0
    assert json.loads(again.stdout)["rows"] == ROWS
    assert [row[-3] for row in parquet(out)] == [row["value"] for row in ROWS]


def test_a_disk_that_is_full_for_the_result_itself(out: Path) -> None:
    """DuckDB writes it, in C."""
    with faults.size_limit(700), pytest.raises(InformedError, match=r"cannot be written: .*are kept"):
        E.run(out=out)
    assert not out.exists()
    assert E.run(out=out, resume=True).rows == ROWS
    assert len(parquet(out)) == len(ROWS)


# ------------------------------------------------------------------ what is not of this run


def refused(out: Path, said: str, experiment: Experiment = E) -> None:
    """Nothing is simulated, nothing is changed, and the command fails as well."""
    folder = Path(f"{out}.chunks")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InformedError, match=said) as caught:
        experiment.run(out=out, resume=True)
    assert "\n" not in str(caught.value)
    assert not out.exists()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    if experiment is E:
        done = run(*COMMAND, "--out", str(out), "--resume")
        assert (done.returncode, done.stdout) == (2, "")


def test_a_lost_description(out: Path) -> None:
    folder = stop_after(out, E, 1)
    (folder / "experiment.json").unlink()
    refused(out, "has lost experiment.json")
    with pytest.raises(InformedError, match="has lost experiment"):
        E.run(out=out)


def test_chunks_of_another_seed(out: Path) -> None:
    other = stop_after(out.with_name("other.parquet"), Experiment(**HOW, seed=8), 1)
    folder = stop_after(out, E, 1)
    shutil.copy(other / "chunk-00000000.json", folder)
    refused(out, "chunk-00000000.json is a chunk of another run")
    shutil.copytree(other, folder, dirs_exist_ok=True)
    refused(out, "its seed was 8 and now is 7")


def test_a_chunk_under_another_number(out: Path) -> None:
    folder = stop_after(out, E, 1)
    shutil.copy(folder / "chunk-00000000.json", folder / "chunk-00000001.json")
    refused(out, "holds chunk 0, which is not what its name says")


def as_if(path: Path, content: bytes) -> Any:
    """Reading, with this content in one of the files."""
    read = Path.read_bytes
    return lambda asked: content if asked == path else read(asked)


def test_every_flipped_bit_and_every_cut_is_seen(out: Path) -> None:
    """A bit of each byte of a chunk and of the description, and each shorter file."""
    folder = stop_after(out, E, 1)
    like = chunk_sums(E, np.random.default_rng(0), 2)

    def read() -> None:
        store = checkpoint.opened(out, E.description(), resume=True)
        assert store is not None
        store.read(E.chunks, lambda: like)

    for name in (checkpoint.NOTE, "chunk-00000000.json"):
        path = folder / name
        good = path.read_bytes()
        for at in range(len(good)):
            flipped = good[:at] + bytes([good[at] ^ (1 << at % 8)]) + good[at + 1 :]
            for bad in (flipped, good[:at]):
                with mock.patch.object(Path, "read_bytes", as_if(path, bad)), pytest.raises(InformedError):
                    read()
        path.write_bytes(good[: len(good) // 2])
        refused(out, f"{name} is damaged")
        path.write_bytes(good)
    assert E.run(out=out, resume=True).rows == ROWS


def test_chunks_of_0_1_0_are_refused(out: Path) -> None:
    folder = stop_after(out, E, 0)
    (folder / "chunk-00000000.npz").write_bytes(b"PK...")
    refused(out, "chunk-00000000.npz is damaged, or not of this version")


def test_forged_sums_of_another_shape_are_not_added(out: Path) -> None:
    folder = stop_after(out, E, 1)
    path = folder / "chunk-00000000.json"
    head, held = map(json.loads, path.read_text().splitlines())
    held["moments"] = [1.0]
    text = json.dumps(held)
    path.write_text(f"{json.dumps(head | {'sha256': checkpoint.checksum(text)})}\n{text}\n")
    refused(out, "other sums than this experiment makes")
