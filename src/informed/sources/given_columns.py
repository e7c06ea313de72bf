"""Columns given as values, `read(df, real=df.y)`: they become columns of the frame, which names then stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from informed.errors import SourceError

COLUMNS = ("real", "predicted", "by", "unit", "item", "keep", "weights", "counts", "score")  # that name columns


class Values(Protocol):
    """A Series or an array: a value for each row."""

    def __len__(self) -> int: ...

    def __array__(self, *args: Any, **options: Any) -> Any: ...


def refuse_columns(source: Any, given: Mapping[str, Any]) -> None:
    """Say what to type for a mapping of lists, and for several columns as values."""
    real = given["real"]
    if isinstance(source, Mapping) and isinstance(real, str) and isinstance(source.get(real), (list, tuple)):
        raise SourceError(
            f"The dict holds columns, where each value is to be a source; make it a frame, pd.DataFrame(…), or count "
            f"them: Table.from_labels(real=…[{real!r}], predicted=…)."
        )
    for name in COLUMNS:
        if isinstance(given[name], (list, tuple)) and any(map(_are_values, given[name])):
            raise SourceError(f"`{name}` lists columns as values; put them into the frame and list their names.")


def holds_values(given: Mapping[str, Any]) -> bool:
    """Whether a column is given as a Series or an array, and not by its name."""
    return any(_are_values(given[name]) for name in COLUMNS)


def with_columns(source: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The frame with the values among its columns, and the names that stand for them."""
    import narwhals.stable.v2 as nw

    held: Any = nw.from_native(source, eager_only=True, pass_through=True)
    if held is source:
        raise SourceError(
            f"A column was given as values beside a {type(source).__name__}; give names of columns, or count labels in "
            "memory with Table.from_labels(real=…, predicted=…)."
        )
    named: dict[str, Any] = {}
    for argument in COLUMNS:
        values = given[argument]
        if not _are_values(values):
            continue
        _check(argument, values, source, len(held))
        column: Any = nw.from_native(values, series_only=True, pass_through=True)
        if column is values:
            column = nw.new_series(argument, values.tolist(), backend=nw.get_native_namespace(held))
        named[argument], held = _placed(held, column, argument)
    return held.to_native(), named


def _placed(held: Any, column: Any, argument: str) -> tuple[Any, Any]:
    """The name of a column of the frame that has these values, and the frame that has it."""
    own = column.name
    if own in held.columns and held[own].to_list() == column.to_list():
        return own, held
    name = argument if own is None or own in held.columns else own
    while name in held.columns:
        name = f"{name}_"
    return name, held.with_columns(column.alias(name))


def _check(argument: str, values: Any, source: Any, rows: int) -> None:
    """Refuse values that are not one for each row, in the order of the rows."""
    if len(values) != rows:
        raise SourceError(f"`{argument}` has {len(values):,} values and the frame {rows:,} rows; one each is needed.")
    index, own = getattr(values, "index", None), getattr(source, "index", None)
    if index is not None and own is not None and not callable(own) and not own.equals(index):
        raise SourceError(f"`{argument}` and the frame have different indexes; give the name of a column of the frame.")


def _are_values(x: Any) -> bool:
    return hasattr(type(x), "__len__") and hasattr(x, "__array__")
