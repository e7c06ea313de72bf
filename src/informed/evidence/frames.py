"""A data frame of whichever library the user has."""

from __future__ import annotations

import importlib
from dataclasses import fields
from typing import Any

import numpy as np

from informed.errors import MissingExtra


def frame(columns: dict[str, list[Any]]) -> Any:
    """A pandas or Polars data frame of these columns, whichever is installed."""
    for name in ("pandas", "polars"):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        return library.DataFrame(columns)
    raise MissingExtra("A data frame needs pandas or Polars: pip install pandas")


class Framed:
    """For a dataclass of numbers and columns of numbers: the same as a data frame."""

    def to_frame(self) -> Any:
        """A row for each element of its arrays, or one row; single numbers are repeated."""
        return frame(_columns(self))


def _columns(record: Any) -> dict[str, list[Any]]:
    held: dict[str, Any] = {}
    for f in fields(record):
        x = getattr(record, f.name)
        if f.name.startswith("_"):
            continue
        if hasattr(x, "estimate"):  # an interval
            held.update({f.name: x.estimate, f"{f.name}_low": x.low, f"{f.name}_high": x.high})
        else:
            held[f.name] = x
    lengths = [len(x) for x in held.values() if isinstance(x, np.ndarray) and x.ndim == 1]
    rows = max(set(lengths), key=lengths.count) if lengths else 1
    found: dict[str, list[Any]] = {}
    for name, x in held.items():
        if x is None or isinstance(x, (str, bool, int, float, np.generic)):
            found[name] = [x] * rows
        elif isinstance(x, np.ndarray) and x.shape == (rows,):
            found[name] = x.tolist()
        elif name == "labels" and len(x) == rows:
            found[name] = list(x)
    return found
