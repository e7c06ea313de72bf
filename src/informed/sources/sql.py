"""The only SQL there is: SELECT, COUNT, SUM, MIN, MAX and GROUP BY, on any database.

Names arrive quoted. Sources are tables, subqueries or table functions whose values are bound.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from informed.sources.conditions import Condition
from informed.sources.engine import LARGEST, LONGEST_ID, MOST_GROUPS, Bins, Engine, Name, Names, Row, Span

IS_FINITE = f"s BETWEEN {-LARGEST!r} AND {LARGEST!r}"


class SqlEngine(Engine):
    """Whatever speaks SQL: it says where its columns are, and runs what it is asked."""

    distinct = "COUNT(DISTINCT s)"
    floor = "FLOOR({})"
    same = "IS NOT DISTINCT FROM"  # equal, or both missing

    @abstractmethod
    def selected(self, keys: Names, weights: Name | None = None, score: Name | None = None) -> tuple[str, list[Any]]:
        """A subquery with the columns that `chosen` lists, and its bound values."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = (), most: int | None = None) -> list[Row]:
        """The answer; what goes wrong is told as something about this source."""

    @abstractmethod
    def number(self, column: str) -> str:
        """A column as a number."""

    def chosen(self, keys: Sequence[str], weight: str | None, score: str | None) -> str:
        """Columns as k0, k1, …, and as the numbers w and s."""
        given = [f"{column} AS k{i}" for i, column in enumerate(keys)]
        numbers = [(x, name) for x, name in ((weight, "w"), (score, "s")) if x is not None]
        return ", ".join([*given, *(f"{self.number(x)} AS {name}" for x, name in numbers)])

    def where(self, asked: Sequence[Condition], at: Mapping[Any, str]) -> str:
        """The conditions as they follow FROM, of columns that are quoted; empty without any."""
        each = [c.sql(self.text(at[c.column]), self.number(at[c.column]), self.literal) for c in asked]
        return f" WHERE {' AND '.join(each)}" if each else ""

    def text(self, column: str) -> str:
        """A column as text."""
        return f"CAST({column} AS VARCHAR)"

    def literal(self, value: str) -> str:
        """A value of the user's own, as SQL writes text."""
        return quoted(value, "'")

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        source, values = self.selected(keys, weights)
        at = _places(keys)
        sql = f"SELECT {at}, {sums(weights)} FROM {source} AS counted GROUP BY {at}"
        return self.run(sql, values, most)

    def unit_cells(self, pair: Names, unit: Name, weights: Name | None) -> list[Row] | None:
        cells, values = self.numbered_cells(pair, unit, weights)
        numbers = [f"n{i}" for i in range(len(_each_sum(weights)))]
        sql = f"SELECT k0, k1, {', '.join(numbers)}, lacking FROM {cells} AS cells ORDER BY c"
        return self.run(sql, values, MOST_GROUPS)

    def unit_patterns(
        self, pair: Names, unit: Name, weights: Name | None, cells: int, counted: list[int], most: int
    ) -> Any:
        """Cells are numbered by their order, in the engine; so no label is ever written into SQL."""
        source, values = self.selected([*pair, unit], weights)
        numbered, also = self.numbered_cells(pair, unit, weights)

        def each(how: str, name: str) -> list[str]:
            return [f"{how.format(f'CASE WHEN c = {i}')} AS {name}{i}" for i in counted]

        columns = each("COUNT({} THEN 1 END)" if weights is None else "SUM({} THEN w ELSE 0 END)", "x")
        named = [f"x{i}" for i in counted]
        if weights is not None:
            rows = f"COUNT(CASE WHEN c IN ({_listed(counted)}) THEN 1 END) AS rows_of"
            columns += [*each("SUM({} THEN w * w ELSE 0 END)", "q"), rows]
            named += [*(f"q{i}" for i in counted), "rows_of"]
        same = " AND ".join(f"cases.k{i} {self.same} cells.k{i}" for i in range(2))
        units = f"SELECT k2, {', '.join(columns)} FROM {source} AS cases JOIN {numbered} AS cells ON {same} GROUP BY k2"
        at = ", ".join(named)
        sql = f"SELECT {at}, COUNT(*) FROM ({units}) AS units GROUP BY {at}"
        return self.run(sql, [*values, *also], most)

    def unit_gram(
        self, pair: Names, unit: Name, weights: Name | None, counted: list[int]
    ) -> tuple[list[Row], Row] | None:
        source, values = self.selected([*pair, unit], weights)
        numbered, also = self.numbered_cells(pair, unit, weights)
        same = " AND ".join(f"cases.k{i} {self.same} cells.k{i}" for i in range(2))
        held = "COUNT(*) * 1e0" if weights is None else "SUM(w)"
        each = (
            f"WITH each_cell AS (SELECT k2, c, {held} AS x FROM {source} AS cases JOIN {numbered} AS cells ON {same} "
            f"WHERE c IN ({_listed(counted)}) GROUP BY k2, c) "
        )
        both = "each_cell AS a JOIN each_cell AS b ON a.k2 = b.k2 AND a.c <= b.c"
        products = f"{each}SELECT a.c, b.c, SUM(a.x * b.x) FROM {both} GROUP BY a.c, b.c"
        whole = "(SELECT k2, SUM(x) AS n FROM each_cell GROUP BY k2) AS units WHERE n > 0"
        sizes = f"{each}SELECT COUNT(*), SUM(n), SUM(n * n), SUM(n * n * n), SUM(n * n * n * n) FROM {whole}"
        given = [*values, *also]
        return self.run(products, given), self.run(sizes, given)[0]

    def numbered_cells(self, pair: Names, unit: Name, weights: Name | None) -> tuple[str, list[Any]]:
        """A subquery of the pairs of labels, numbered by their order (c), with their sums and how many rows
        lack a unit, and its bound values."""
        source, values = self.selected([*pair, unit], weights)
        numbers = [f"{x} AS n{i}" for i, x in enumerate(_each_sum(weights))]
        chosen = ", ".join([*numbers, "COUNT(*) - COUNT(k2) AS lacking"])
        order = "ROW_NUMBER() OVER (ORDER BY k0, k1) - 1 AS c"
        return f"(SELECT k0, k1, {order}, {chosen} FROM {source} AS pairs GROUP BY k0, k1)", values

    def cases(self, keys: Names, name: Name, most: int, rows: int) -> list[Row]:
        source, values = self.selected([*keys, name])
        at, own = _places(keys), f"k{len(keys)}"
        named = f"SELECT {at}, {self.text(own)} AS name FROM {source} AS cases WHERE {self.text(own)} <> ''"
        ranked = (
            f"SELECT {at}, name, COUNT(*) OVER (PARTITION BY {at}) AS held, "
            f"DENSE_RANK() OVER (PARTITION BY {at} ORDER BY LENGTH(name), name) AS place FROM ({named}) AS named"
        )
        first = (
            f"SELECT DISTINCT {at}, SUBSTR(name, 1, {LONGEST_ID + 1}) AS name, held, place FROM ({ranked}) AS ranked "
        )
        wrong_first = f"CASE WHEN {self.text('k0')} = {self.text('k1')} THEN 1 ELSE 0 END, held DESC"
        sql = (
            f"SELECT {at}, name FROM ({first}WHERE place <= {most}) AS chosen "
            f"ORDER BY {wrong_first}, {at}, place LIMIT {rows}"
        )
        return self.run(sql, values)

    def span(self, score: Name) -> Span:
        source, values = self.selected((), None, score)
        finite = f"CASE WHEN {IS_FINITE} THEN s END"
        sql = f"SELECT MIN({finite}), MAX({finite}), {self.distinct} FROM {source} AS scored"
        return Span(*self.run(sql, values)[0])

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        source, values = self.selected(keys, weights, score)
        at = _places(keys)
        place = self.floor.format(f"(s - ({bins.low!r})) * {bins.scale!r}")
        capped = f"CASE WHEN {place} > {bins.last} THEN {bins.last} ELSE {place} END"
        inner = (
            f"SELECT {at}{'' if weights is None else ', w'}, s, CASE WHEN {IS_FINITE} THEN {capped} END AS bin, CASE "
            f"WHEN {IS_FINITE} THEN NULL ELSE s END AS odd FROM {source} AS scored"
        )
        sql = (
            f"SELECT {at}, bin, odd, {sums(weights)}, MIN(s), MAX(s) FROM ({inner}) AS counted GROUP BY {at}, bin, odd"
        )
        return self.run(sql, values)


def quoted(name: Name, mark: str = '"') -> str:
    """An identifier, whatever it holds.

    >>> quoted('a"; DROP TABLE t; --')
    '"a""; DROP TABLE t; --"'
    """
    return mark + str(name).replace(mark, mark * 2) + mark


def _places(keys: Names) -> str:
    return ", ".join(f"k{i}" for i in range(len(keys)))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def sums(weights: Name | None) -> str:
    return ", ".join(_each_sum(weights))


def _each_sum(weights: Name | None) -> list[str]:
    return ["COUNT(*)"] if weights is None else ["COUNT(*)", "SUM(w)", "SUM(w * w)", "MIN(w)", "COUNT(w)"]
