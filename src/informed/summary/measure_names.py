"""Records whose measures go by the names that people know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from informed.measures.titles import titled
from informed.results import Records


def with_titles(held: Records, silent: bool = False, own: Mapping[str, str] | None = None) -> Records:
    """Records whose measures are called as people call them; `own` are titles of what no table has."""
    at = held.names.index("measure")
    titles = {m: (own or {}).get(m) or titled(m, silent) for m in held["measure"]}
    rows = tuple((*row[:at], titles[row[at]], *row[at + 1 :]) for row in held.rows)
    return replace(held, rows=rows)
