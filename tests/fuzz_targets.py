"""What is fuzzed: every reader, the files it begins from, and what it must do with any bytes at all."""

from __future__ import annotations

import io
import json
import resource
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import informed
import nasty
from informed.errors import InformedError
from informed.sources import logs
from test_logs_hostile import FILES

HERE = Path(__file__).parent

SMALL = 4 << 10  # bytes of a seed; of longer files of lines the first lines
SECONDS, MEGABYTES = 10, 500  # that one small file may take
COLUMNS: dict[str, Any] = {"real": "real", "predicted": "predicted"}
ROWS = {"real": ["a", "b", "b", "1", "é"], "predicted": ["a", "a", "b", "2", "é"], "w": [1, 2, 0, 1, 4]}


@dataclass(frozen=True)
class Target:
    """A reader: how its files end, what reads one, and the files to begin from."""

    suffix: str
    read: Callable[[Path], Any]
    seeds: Callable[[], Iterator[bytes]]


def tried(target: Target, data: bytes, folder: Path) -> Exception | None:
    """What a reader raised on these bytes that is none of our errors; None where all is well."""
    path = folder / f"data{target.suffix}"
    path.write_bytes(data)
    try:
        target.read(path)
    except InformedError as error:
        said = str(error)
        return None if said and len(said) < 2000 else AssertionError(f"a message of {len(said)} characters")
    except Exception as error:
        return error
    return None


def cost(target: Target, data: bytes, folder: Path) -> tuple[Exception | None, float, float]:
    """The same, with the seconds and the megabytes that it took."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    problem = tried(target, data, folder)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return problem, time.perf_counter() - began, grown / 1024


def hurry() -> None:
    """Read many files a second in this process: one DuckDB for all of them, and no thread to watch each."""
    from informed.sources import databases, duckdb_rows, files, opening

    engine = duckdb_rows.connect()
    engine.execute("SET threads = 1")
    mock.patch.object(opening, "connect", engine.cursor).start()  # which shares the database, and takes no time
    for module in (files, databases):
        mock.patch.object(module, "watched", lambda work, **how: work()).start()


# ---------------------------------------------------------------- doors of columns


def _columns(path: Path, **more: Any) -> None:
    informed.read(path, **COLUMNS, **more)


def _nameless(path: Path) -> None:
    """A matrix, counts, a saved table, or what is recognised as a log."""
    informed.read(path)


def _text(separator: str) -> Iterator[bytes]:
    lines = [ROWS, *map(list, zip(*ROWS.values(), strict=True))]
    yield "\n".join(separator.join(map(str, line)) for line in lines).encode()
    yield from (data for name, data, _ in nasty.BROKEN.values() if name.endswith(".csv") and len(data) < SMALL)


def _lines() -> Iterator[bytes]:
    records = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    yield "\n".join(map(json.dumps, records)).encode()
    yield json.dumps(records, indent=1).encode()
    yield b'{"real": null, "predicted": [1, {"a": NaN}]}\n{"real": 1e400, "predicted": ""}\n'


def _counts() -> Iterator[bytes]:
    yield b",a,b\na,56,20\nb,12,12\n"
    yield b"real,predicted,n\na,a,3\na,b,4\nb,a,0\nb,b,9\n"
    yield informed.Table.from_counts([[56, 20], [12, 12]]).to_json().encode()
    yield from (p.read_bytes() for p in sorted((HERE / "samples/reports-0.1.0").glob("*.json")))


def _parquet() -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    held = pa.table(ROWS)
    for how in ({}, {"compression": "none", "use_dictionary": False}):
        out = io.BytesIO()
        pq.write_table(held, out, **how)
        yield out.getvalue()


def _arrow() -> Iterator[bytes]:
    import pyarrow as pa

    held = pa.table(ROWS)
    for opened in (pa.ipc.new_file, pa.ipc.new_stream):
        out = io.BytesIO()
        with opened(out, held.schema) as writer:
            writer.write_table(held)
        yield out.getvalue()


def _excel() -> Iterator[bytes]:
    from openpyxl import Workbook

    book, out = Workbook(), io.BytesIO()
    for row in (list(ROWS), *map(list, zip(*ROWS.values(), strict=True))):
        book.active.append(row)
    book.save(out)
    yield out.getvalue()


def _sqlite() -> Iterator[bytes]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "seed.db"
        held = sqlite3.connect(path)
        held.execute("PRAGMA page_size = 512")
        held.execute("CREATE TABLE cases (real TEXT, predicted TEXT, w INTEGER)")
        held.executemany("INSERT INTO cases VALUES (?, ?, ?)", list(zip(*ROWS.values(), strict=True)))
        held.commit()
        held.close()
        yield path.read_bytes()


# ---------------------------------------------------------------- logs


def _log(path: Path, kind: str, options: dict[str, Any]) -> None:
    logs.recognise(path)
    for read in (logs.describe, logs.read_log):
        try:
            read(path, kind, **options)
        except InformedError:
            if read is logs.read_log:
                raise


def _sample(name: str) -> Iterator[bytes]:
    data = (HERE / "samples" / name).read_bytes()
    yield _first_lines(data) if name.endswith((".jsonl", ".csv", ".txt", ".test")) else data


def _first_lines(data: bytes) -> bytes:
    return data if len(data) <= SMALL else data[: data.rfind(b"\n", 0, SMALL) + 1]


def _cut(option: Any) -> Any:
    """An option; of a long file that is read beside a log the first lines."""
    if not isinstance(option, Path) or option.stat().st_size <= SMALL:
        return option
    cut = Path(_beside().name) / option.name
    cut.write_bytes(_first_lines(option.read_bytes()))
    return cut


@cache
def _beside() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="fuzz-")


@cache
def targets() -> dict[str, Target]:
    """All of them, by name."""
    doors = {
        "csv": Target(".csv", _columns, partial(_text, ",")),
        "csv, types guessed": Target(".csv", partial(_columns, types="native"), partial(_text, ",")),
        "tsv": Target(".tsv", _columns, partial(_text, "\t")),
        "json lines": Target(".jsonl", _columns, _lines),
        "json": Target(".json", partial(_columns, weights="w"), _lines),
        "counts": Target(".csv", _nameless, _counts),
        "saved tables": Target(".json", _nameless, _counts),
        "parquet": Target(".parquet", _columns, _parquet),
        "arrow": Target(".arrow", _columns, _arrow),
        "excel": Target(".xlsx", _columns, _excel),
        "sqlite": Target(".db", partial(_columns, table="cases"), _sqlite),
    }
    named: dict[str, Target] = {}
    for name, (kind, options) in FILES.items():
        read = partial(_log, kind=kind, options={key: _cut(value) for key, value in options.items()})
        named.setdefault(f"{kind} {Path(name).suffix}", Target(Path(name).suffix, read, partial(_sample, name)))
    return doors | named


def kept(name: str) -> list[Path]:
    """The files of the repository for a target: what earlier runs found to reach new code, or to break it."""
    return [
        p for folder in ("corpus", "findings") for p in sorted((HERE / "fuzz" / folder / folder_name(name)).glob("*"))
    ]


def folder_name(name: str) -> str:
    """A target as the name of a folder.

    >>> folder_name("csv, types guessed"), folder_name("inspect .eval")
    ('csv-types-guessed', 'inspect-eval')
    """
    return "-".join("".join(c if c.isalnum() or c == "-" else " " for c in name).split())


def zipped(data: bytes) -> list[tuple[str, bytes]]:
    """The members of a zip, or nothing where it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            return [(x.filename, held.read(x)) for x in held.infolist() if x.file_size < 1 << 20]
    except Exception:
        return []
