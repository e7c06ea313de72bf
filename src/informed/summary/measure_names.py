"""Records whose measures go by the names that people know."""

from __future__ import annotations

from dataclasses import replace

from informed.measures.titles import titled
from informed.results import Records


def with_titles(held: Records, silent: bool = False) -> Records:
    """Records whose measures are called as people call them."""
    at = held.names.index("measure")
    rows = tuple((*row[:at], titled(row[at], silent), *row[at + 1 :]) for row in held.rows)
    return replace(held, rows=rows)
