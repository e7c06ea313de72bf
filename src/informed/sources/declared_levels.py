"""The levels that a column of a file declares: ordered dictionaries of Arrow, and enums of Polars.

DuckDB counts the rows of Parquet and Arrow files, and does not say that a dictionary has an order. PyArrow knows it
from the schema of Arrow that stands in the file; without PyArrow nothing is declared.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from informed.evidence.columns import column
from informed.evidence.label_order import declared_order
from informed.evidence.labels import Labels
from informed.sources.paths import Files

ENUM = b"_PL_ENUM_VALUES2"  # where Polars keeps the levels: "3;low6;medium"
FAITHFUL = "parquet-cpp-arrow"  # writes a dictionary as it is; others number its values as they come


def declared_levels(files: Files, name: str) -> Labels | None:
    """The levels of a column in their order, where every file declares them and none differs."""
    read = {"parquet": _of_parquet, "arrow": _of_arrow}.get(files.kind)
    if read is None:
        return None
    found: list[Labels | None] = []
    for path in files.names:
        with files.open(path) as stream:
            try:
                found.append(read(stream, name))
            except (ImportError, OSError, ValueError, NotImplementedError):  # not there, or unable: nothing is known
                found.append(None)
    return None if None in found else declared_order((), found)


def _of_parquet(stream: Any, name: str) -> Labels | None:
    file = import_module("pyarrow.parquet").ParquetFile(stream)
    field = _ordered(file.schema_arrow, name)
    if field is None:
        return None
    if ENUM in (field.metadata or {}):
        return _of_polars(field.metadata[ENUM])

    kept = file.metadata
    if not str(kept.created_by).startswith(FAITHFUL) or not kept.num_row_groups:
        return None
    chunks = [kept.row_group(0).column(i) for i in range(kept.num_columns)]
    if not all(x.has_dictionary_page for x in chunks if x.path_in_schema == name):
        return None  # written as plain text, which is numbered again as it is read
    return _of_batch(next(file.iter_batches(batch_size=1, columns=[name]), None), name)


def _of_arrow(stream: Any, name: str) -> Labels | None:
    ipc: Any = import_module("pyarrow.ipc")
    streamed = stream.read(4) == b"\xff\xff\xff\xff"
    stream.seek(0)
    opened = ipc.open_stream(stream) if streamed else ipc.open_file(stream)
    if _ordered(opened.schema, name) is None:
        return None
    if streamed:
        return _of_batch(next(iter(opened), None), name)
    return _of_batch(opened.get_batch(0) if opened.num_record_batches else None, name)


def _ordered(schema: Any, name: str) -> Any:
    """The field of a column that is an ordered dictionary; None where it is another."""
    at = schema.get_field_index(name)
    field = None if at < 0 else schema.field(at)
    kinds: Any = import_module("pyarrow.types")
    return field if field is not None and kinds.is_dictionary(field.type) and field.type.ordered else None


def _of_batch(batch: Any, name: str) -> Labels | None:
    return None if batch is None else column(batch.column(0 if batch.num_columns == 1 else name)[:0], name).levels


def _of_polars(written: bytes) -> Labels | None:
    """The levels, each after its length in bytes.

    >>> _of_polars("3;low4;mid;5;höch".encode())
    ('low', 'mid;', 'höch')
    """
    levels = []
    while written:
        size, mark, rest = written.partition(b";")
        if not mark or not size.isdigit() or int(size) > len(rest):
            return None
        levels.append(rest[: int(size)].decode())
        written = rest[int(size) :]
    return tuple(levels) or None
