"""Files that come with the package: the style and the scripts of a page, the schema of JSON."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def asset(name: str) -> str:
    """A file as text."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a report."""
    held: dict[str, Any] = json.loads(asset("schema.json"))
    return held
