"""A data frame of whichever library the user has."""

from __future__ import annotations

import importlib
from typing import Any

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
