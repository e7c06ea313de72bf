"""Chunks on disk: Parquet files that appear whole or not at all."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from informed._arrays import Array
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
        return self.folder / f"chunk-{index:08d}.parquet"

    def write(self, index: int, sums: Sums) -> None:
        """A finished chunk, a row a number."""
        held: dict[str, list[Any]] = {"part": [], "shape": [], "position": [], "value": []}
        for name, array in sums.items():
            held["part"] += [name] * max(array.size, 1)
            held["shape"] += [json.dumps(array.shape)] * max(array.size, 1)
            held["position"] += range(max(array.size, 1))
            held["value"] += array.ravel().tolist() or [0.0]
        write_parquet(self.path(index), held)

    def read(self) -> dict[int, Sums]:
        """Every finished chunk; a file that was cut off has another name and is not seen."""
        import duckdb

        asked = """SELECT part, any_value(shape), list(value ORDER BY position)
                   FROM read_parquet(?) GROUP BY part"""
        found: dict[int, Sums] = {}
        with duckdb.connect() as engine:
            for path in sorted(self.folder.glob("chunk-*.parquet")):
                index = int(path.stem.removeprefix("chunk-"))
                found[index] = {
                    part: _array(json.loads(shape), values)
                    for part, shape, values in engine.execute(asked, [str(path)]).fetchall()
                }
        return found

    def finish(self, rows: Records) -> None:
        """The rows as a Parquet file; then the chunks have done their work."""
        write_parquet(self.out, {name: list(rows[name]) for name in rows.names})
        shutil.rmtree(self.folder)


def _array(shape: list[int], values: list[float]) -> Array:
    return np.array(values)[: math.prod(shape)].reshape(shape)  # an empty one holds a zero


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
            raise InferenceError(
                f"{store.folder.name} holds an unfinished run: resume it, or remove the folder."
            )
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


def write_parquet(path: Path, columns: Mapping[str, list[Any]]) -> None:
    """A Parquet file that appears when it is complete."""
    import duckdb

    kinds = {name: _kind(values) for name, values in columns.items()}
    fields = ", ".join(f'unnest($"{n}"::{kinds[n]}[]) AS "{n}"' for n in columns)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    quoted = str(partial).replace("'", "''")
    with duckdb.connect() as engine:
        engine.execute(f"CREATE TABLE t AS SELECT {fields}", dict(columns))
        engine.execute(f"COPY t TO '{quoted}' (FORMAT parquet)")
    partial.replace(path)


def _kind(values: Sequence[Any]) -> str:
    some = next((v for v in values if v is not None), 0.0)
    return "VARCHAR" if isinstance(some, str) else "BIGINT" if isinstance(some, int) else "DOUBLE"
