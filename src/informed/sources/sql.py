"""The only SQL there is: SELECT, COUNT, SUM, MIN, MAX and GROUP BY, on any database.

Names arrive quoted. Sources are tables, subqueries or table functions whose values are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from informed.sources.engine import LARGEST, Bins

Number = Callable[[str], str]  # a column as a number, NULL where it is none


def quoted(name: str, mark: str = '"') -> str:
    """An identifier, whatever it holds.

    >>> quoted('a"; DROP TABLE t; --')
    '"a""; DROP TABLE t; --"'
    """
    return mark + name.replace(mark, mark * 2) + mark


def double(column: str) -> str:
    return f"CAST({column} AS DOUBLE PRECISION)"


def grouped(source: str, keys: Sequence[str], weight: str | None = None) -> str:
    """Count the groups of `keys`; `source` has them as columns."""
    listed = ", ".join(keys)
    return f"SELECT {listed}, {_sums(weight)} FROM {source} AS counted GROUP BY {listed}"


def span(source: str, score: str, distinct: str = "COUNT(DISTINCT {})") -> str:
    finite = f"CASE WHEN {_is_finite(score)} THEN {score} END"
    return f"SELECT MIN({finite}), MAX({finite}), {distinct.format(score)} FROM {source} AS scored"


def binned(
    source: str,
    keys: Sequence[str],
    weight: str | None,
    score: str,
    bins: Bins,
    floor: str = "FLOOR({})",
) -> str:
    place = floor.format(f"({score} - ({bins.low!r})) * {bins.scale!r}")
    capped = f"CASE WHEN {place} > {bins.last} THEN {bins.last} ELSE {place} END"
    listed = ", ".join(keys)
    inner = (
        f"SELECT {listed}{f', {weight}' if weight else ''}, {score}, "
        f"CASE WHEN {_is_finite(score)} THEN {capped} END AS bin, "
        f"CASE WHEN {_is_finite(score)} THEN NULL ELSE {score} END AS odd "
        f"FROM {source} AS scored"
    )
    return (
        f"SELECT {listed}, bin, odd, {_sums(weight)}, MIN({score}), MAX({score}) "
        f"FROM ({inner}) AS counted GROUP BY {listed}, bin, odd"
    )


def _sums(weight: str | None) -> str:
    if weight is None:
        return "COUNT(*)"
    return f"COUNT(*), SUM({weight}), SUM({weight} * {weight}), MIN({weight}), COUNT({weight})"


def _is_finite(score: str) -> str:
    return f"{score} BETWEEN {-LARGEST!r} AND {LARGEST!r}"
