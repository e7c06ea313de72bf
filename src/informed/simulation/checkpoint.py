"""Chunks and results on disk: files that appear whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from informed.errors import InferenceError
from informed.results import Records
from informed.simulation.sums import Sums


@dataclass(frozen=True)
class Store:
    """The folder of finished chunks beside a result."""

    out: Path

    @property
    def folder(self) -> Path:
        return self.out.with_name(self.out.name + ".chunks")

    def path(self, index: int) -> Path:
        return self.folder / f"chunk-{index:08d}.npz"

    def write(self, index: int, sums: Sums) -> None:
        """A finished chunk."""
        with whole_file(self.path(index)) as partial, partial.open("wb") as file:
            np.savez(file, allow_pickle=False, **sums)

    def read(self) -> dict[int, Sums]:
        """Every finished chunk; a file that was cut off has another name and is not seen."""
        found: dict[int, Sums] = {}
        for path in sorted(self.folder.glob("chunk-*.npz")):
            with np.load(path, allow_pickle=False) as held:
                found[int(path.stem.removeprefix("chunk-"))] = dict(held)
        return found

    def finish(self, rows: Records) -> None:
        """The rows as a Parquet file; then the chunks have done their work."""
        write_parquet(self.out, rows)
        shutil.rmtree(self.folder)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file that appears under its name when it is complete."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    yield partial
    partial.replace(path)


def opened(out: str | Path | None, description: Mapping[str, Any], *, resume: bool) -> Store | None:
    """The store of a run, checked to be of this experiment before anything is simulated."""
    if out is None:
        if resume:
            raise InferenceError("Nothing can be resumed without `out`, the file of the result.")
        return None
    store = Store(Path(out))
    if not store.out.parent.is_dir():
        raise InferenceError(f"The folder {str(store.out.parent)!r} of `out` does not exist.")

    note = store.folder / "experiment.json"
    if note.exists():
        if not resume:
            raise InferenceError(f"{store.folder.name} holds an unfinished run: resume it, or remove the folder.")
        before = json.loads(note.read_text(encoding="utf-8"))
        for name, value in description.items():
            if before.get(name) != value:
                raise InferenceError(
                    f"{store.folder.name} holds another experiment: its {name} was "
                    f"{before.get(name)!r} and now is {value!r}."
                )

    store.folder.mkdir(exist_ok=True)
    note.write_text(json.dumps(description), encoding="utf-8")
    return store


def write_parquet(path: Path, rows: Records) -> None:
    """A Parquet file that appears when it is complete."""
    import duckdb

    types = {"words": "VARCHAR", "count": "BIGINT"}
    fields = ", ".join(f'unnest($"{c.name}"::{types.get(c.kind, "DOUBLE")}[]) AS "{c.name}"' for c in rows.columns)
    with whole_file(path) as partial, duckdb.connect() as engine:
        quoted = str(partial).replace("'", "''")
        engine.execute(f"CREATE TABLE t AS SELECT {fields}", rows.lists())
        engine.execute(f"COPY t TO '{quoted}' (FORMAT parquet)")
