"""Verbs that a table offers as its methods and that rooms to the right carry out.

Evidence imports none of those rooms: the package, which knows where everything is, ties them in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

VERBS: dict[str, Callable[..., Any]] = {}  # by name: worth(table, measure), metrics(table)
