"""A data frame of whichever library the user has."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import Any

from informed.errors import MissingExtra


def frame(columns: dict[str, list[Any]], labels: Collection[str] = ()) -> Any:
    """A pandas or Polars data frame of these columns, whichever is installed; `labels` stay as they are."""
    for name in ("pandas", "polars"):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        if name == "pandas":
            columns = {key: _kept(library, values) if key in labels else values for key, values in columns.items()}
        return library.DataFrame(columns)
    raise MissingExtra("A data frame needs pandas or Polars: pip install pandas")


def _kept(pandas: Any, values: list[Any]) -> Any:
    """Labels that pandas does not turn into others: beside None, it would make 0.0 of class 0."""
    return pandas.Series(values, dtype=object) if any(x is None for x in values) else values
