"""Numbers that JSON can hold; apart from the rest, so that a worker starts without the server."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from informed._arrays import Array

Json = dict[str, Any]  # an object of JSON, as it came or as it goes


def number(x: Any) -> float | None:
    """A finite number, or null."""
    x = float(x)
    return x if math.isfinite(x) else None


def numbers(x: Array) -> Any:
    """An array as lists, with null for what is not finite."""
    held = x.astype(object)
    held[~np.isfinite(x)] = None
    return held.tolist()
