"""Chunks and results on disk: files that appear whole or not at all, and that say what they belong to.

A folder beside the result holds `experiment.json`, the description of the run, and a file for each finished chunk:
plain JSON, so that nothing in a folder that others can write to is ever run. A chunk names its number, the checksum of
its description and that of its own sums; what does not fit is refused, and never added to the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from informed._files import PARTIAL, whole_file, write_whole
from informed.errors import InferenceError
from informed.results import Records
from informed.simulation.sums import Sums

NOTE = "experiment.json"
FORMAT = 2
KEPT = "The chunks that were finished are kept: run it again with `resume`."


@dataclass(frozen=True)
class Store:
    """The folder of finished chunks beside a result."""

    out: Path
    of: str = ""  # checksum of the description

    @property
    def folder(self) -> Path:
        return self.out.with_name(self.out.name + ".chunks")

    def path(self, index: int) -> Path:
        return self.folder / f"chunk-{index:08d}.json"

    def write(self, index: int, sums: Sums) -> None:
        """A finished chunk: what it is in the first line, its sums in the second."""
        held = json.dumps({name: x.tolist() for name, x in sums.items()})
        _kept(write_whole, self.path(index), _signed(held, chunk=index, experiment=self.of))

    def read(self, chunks: int, like: Callable[[], Sums]) -> dict[int, Sums]:
        """Every finished chunk of so many, with sums of the same shapes as those of `like`; a file that was cut off
        while it was written has another name and is not seen."""
        paths = _chunks(self.folder)
        shapes = {name: x.shape for name, x in like().items()} if paths else {}
        return dict(self._chunk(path, chunks, shapes) for path in paths)

    def _chunk(self, path: Path, chunks: int, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, Sums]:
        head, held = _lines(path)
        index: int = head.get("chunk", -1)
        if head.get("experiment") != self.of:
            raise InferenceError(
                f"{path} is a chunk of another run: not of the seed and the settings that {NOTE} beside it describes. "
                "Remove it, and its part is simulated again."
            )
        if index not in range(chunks) or path != self.path(index):
            raise InferenceError(f"{path} holds chunk {index}, which is not what its name says. Remove the folder.")
        sums = {name: np.array(x, dtype=np.float64) for name, x in held.items()}
        if {name: x.shape for name, x in sums.items() if x.size} != {n: x for n, x in shapes.items() if 0 not in x}:
            raise InferenceError(f"{path} holds other sums than this experiment makes. Remove the folder.")
        return index, {name: sums[name].reshape(shape) for name, shape in shapes.items()}

    def finish(self, rows: Records) -> None:
        """The rows as a Parquet file; then the chunks have done their work, and the description goes last."""
        _kept(write_parquet, self.out, rows)
        with suppress(OSError):  # the result is there; a folder that stays is seen by the next run
            for path in [*_chunks(self.folder), *self.folder.glob(PARTIAL), self.folder / NOTE]:
                path.unlink(missing_ok=True)
            self.folder.rmdir()


def opened(out: str | Path | None, description: Mapping[str, Any], *, resume: bool) -> Store | None:
    """The store of a run, checked to be of this experiment before anything is simulated."""
    if out is None:
        if resume:
            raise InferenceError("Nothing can be resumed without `out`, the file of the result.")
        return None
    described = json.dumps({**description, "versions": _versions()}, sort_keys=True)
    if not Path(out).name:
        raise InferenceError(f"`out` is {str(out)!r}, which names no file; a path such as run.parquet is needed.")
    store = Store(Path(out), checksum(described))
    if not store.out.parent.is_dir():
        raise InferenceError(f"The folder {str(store.out.parent)!r} of `out` does not exist.")

    note = store.folder / NOTE
    if note.exists():
        if not resume:
            raise InferenceError(f"{store.folder.name} holds an unfinished run: resume it, or remove the folder.")
        _check_same(store.folder.name, _lines(note)[1], json.loads(described))
        return store
    if store.folder.exists() and _chunks(store.folder):
        raise InferenceError(
            f"{store.folder.name} holds chunks and has lost {NOTE}, which says of what run they are. Remove the folder."
        )

    store.folder.mkdir(exist_ok=True)
    write_whole(note, _signed(described))
    return store


def _check_same(folder: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for name in {**now, **before}:
        was, this = before.get(name), now.get(name)
        if was != this and isinstance(was, dict) and isinstance(this, dict):
            _check_same(folder, was, this)  # say which of them
        elif was != this:
            raise InferenceError(f"{folder} holds another experiment: its {name} was {was!r} and now is {this!r}.")


def _versions() -> dict[str, str]:
    """Of what draws and adds up: the same seed need not give the same numbers in another version."""
    from importlib.metadata import version

    return {"informed": version("informed"), "numpy": np.__version__}


def _chunks(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.startswith("chunk-"))


def _signed(held: str, **more: Any) -> str:
    """Two lines: what it is, with the checksum of the second, which is what it holds."""
    return f"{json.dumps({'format': FORMAT, **more, 'sha256': checksum(held)})}\n{held}\n"


def _lines(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file is and what it holds, if it is as it was written."""
    content = path.read_bytes()  # not as text: a byte may be anything
    found = re.fullmatch(rb"(\{.*\})\n(\{.*\})\n", content)
    try:
        if found:
            head, held = json.loads(found[1]), json.loads(found[2])
            if (head["format"], head["sha256"]) == (FORMAT, checksum(found[2].decode())):
                return head, held
    except (ValueError, KeyError, RecursionError):
        pass
    raise InferenceError(
        f"{path} is damaged, or not of this version: its checksum is not that of what it holds. "
        + ("Remove the folder." if path.name == NOTE else "Remove it, and its part is simulated again.")
    )


def checksum(text: str) -> str:
    """SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


def _kept(write: Callable[..., None], path: Path, *what: Any) -> None:
    """Write; where that cannot be done, say what is not lost."""
    try:
        write(path, *what)
    except OSError as problem:
        raise InferenceError(f"{path} cannot be written: {problem.strerror or problem}. {KEPT}") from problem


def write_parquet(path: Path, rows: Records) -> None:
    """A Parquet file that appears when it is complete."""
    import duckdb

    types = {"words": "VARCHAR", "count": "BIGINT"}
    fields = ", ".join(f'unnest($"{c.name}"::{types.get(c.kind, "DOUBLE")}[]) AS "{c.name}"' for c in rows.columns)
    with whole_file(path) as partial, duckdb.connect() as engine:
        quoted = str(partial).replace("'", "''")
        engine.execute(f"CREATE TABLE t AS SELECT {fields}", rows.lists())
        try:
            engine.execute(f"COPY t TO '{quoted}' (FORMAT parquet)")
        except duckdb.IOException as problem:
            raise OSError(str(problem).splitlines()[0].replace(str(partial), str(path))) from problem
