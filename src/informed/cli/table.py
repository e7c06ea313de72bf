"""informed table"""

from __future__ import annotations

import math
from typing import Any

import click

from informed.cli._options import choice, listed
from informed.cli._reports import report_options, show


@click.command("table", context_settings={"ignore_unknown_options": True})
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS")
@listed("--labels", help="The classes, in order.")
@click.option("--positive", metavar="LABEL", help="Of two classes, the positive one.")
@choice("--rows", "predicted", "real", help="What the rows are.")
@report_options
def command(counts: tuple[str, ...], labels: list[str] | None, positive: str | None, rows: Any, **options: Any) -> None:
    """The report of counts typed in: rows are predictions, a slash ends a row.

    \b
    informed table 56 20 / 12 12
    informed table "50 3 2 / 4 45 6 / 1 7 32" --labels a,b,c
    """
    from informed import Table

    show(Table.from_counts(parsed(" ".join(counts)), labels=labels, positive=positive, rows=rows), options)


def parsed(text: str) -> list[list[float]]:
    """'56 20 / 12 12' as rows of numbers; commas and semicolons will do too."""
    from informed.errors import TableError

    rows = []
    for line in text.replace(";", "/").replace(",", " ").split("/"):
        try:
            rows.append([float(word) for word in line.split()])
        except ValueError:
            word = next(w for w in line.split() if not is_number(w))
            raise TableError(
                f"{word!r} is not a count; type numbers, with / between the rows: 56 20 / 12 12."
            ) from None
    if len(rows) == 1 and len(rows[0]) > 1:
        side = math.isqrt(len(rows[0]))
        square = side > 1 and side * side == len(rows[0])
        shown = [" ".join(f"{x:g}" for x in rows[0][i : i + side]) for i in range(0, side * side, side)]
        meant = f" Did you mean {' / '.join(shown)}?" if square else ""
        raise TableError(f"There is one row of {len(rows[0])} numbers: put / between the rows.{meant}")
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise TableError(f"The rows have {', '.join(str(len(row)) for row in rows)} numbers; every row needs as many.")
    return rows


def is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
