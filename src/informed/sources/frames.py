"""Data frames and clusters through one lazy Narwhals expression: only the counts are collected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import InformedError, SourceError
from informed.evidence.columns import column
from informed.evidence.labels import Labels, is_missing, package
from informed.sources.conditions import filtered
from informed.sources.engine import LARGEST, MOST_GROUPS, PROBED, Bins, Engine, Name, Names, Row, Span, refuse_folded
from informed.sources.paths import Opening

KNOWN = "a path, a URL, a database connection, or a data frame of pandas, Polars, PyArrow, DuckDB, Dask, Spark or Ibis"
PLAIN_LABEL = (str, int, type(None))  # of labels that are the same in every engine


class FrameEngine(Engine):
    """Any frame that Narwhals knows. Values stay native: engines differ in how they write them."""

    def __init__(self, native: Any, how: Opening | None = None) -> None:
        import narwhals.stable.v2 as nw

        self.nw: Any = nw
        self.native = native
        self._cells: list[Row] = []  # the pairs of labels that units hold
        self.shown = f"the {type(native).__module__.partition('.')[0]} frame"
        with self._explained():
            try:
                self.frame: Any = nw.from_native(native).lazy()
                self.schema: Any = self.frame.collect_schema()
            except TypeError:
                raise SourceError(f"A {type(native).__name__} cannot be read; give {KNOWN}.") from None
        if how is not None and how.where is not None:
            self._only(how)

    def _only(self, how: Opening) -> None:
        """The rows that were asked for, of the frame and of what is held in memory."""
        self.check([c.column for c in how.conditions])
        self.shown += f" where {how.where}"
        with self._explained():
            self.frame = filtered(self.frame, self.nw, how.conditions)
            if self.in_memory([]) is not None:
                self.native = filtered(self.nw.from_native(self.native), self.nw, how.conditions).to_native()

    def names(self) -> Names:
        return list(self.schema.names())

    def check(self, names: Names) -> None:
        super().check(names)
        if package(self.native) == "ibis":  # a database that compares text as it was told
            nw = self.nw
            for name in (name for name in names if self.schema[name] == nw.String):
                k = nw.col("k0")
                case = (k == k.str.to_uppercase()) & (k == k.str.to_lowercase())
                blanks = k.str.ends_with(" ") & (k == k.str.strip_chars())
                refuse_folded(self.shown, name, *(self._where(name, how) for how in (case, blanks)))

    def _where(self, name: Name, how: Any) -> list[Any]:
        """Some values of a column of which a condition holds."""
        some = self._selected([name], None)[0].filter(how).unique().head(PROBED)
        return [row[0] for row in self._collected(some, None)]

    def in_memory(self, names: Names) -> list[Any] | None:
        kind = f"{type(self.native).__module__.partition('.')[0]}.{type(self.native).__name__}"
        if kind not in ("pandas.DataFrame", "polars.DataFrame", "pyarrow.Table"):
            return None
        return [self.native[name] for name in names]

    def levels(self, name: Name) -> Labels | None:
        held = self.in_memory([name])
        if held is not None:
            return column(held[0][:0], str(name)).levels
        declared = self.schema[name]
        return tuple(declared.categories) if isinstance(declared, self.nw.Enum) else None

    def grouped(self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS) -> list[Row]:
        return self._counted(*self._selected(keys, weights), self._sums(weights), most)

    def listed(self, keys: Names) -> list[Row]:
        if self.in_memory([]) is None:
            return super().listed(keys)
        rows = self._collected(self._selected(keys, None)[0], None)
        return [tuple(None if is_missing(x) else x for x in row) for row in rows]

    def unit_cells(self, pair: Names, unit: Name, weights: Name | None) -> list[Row] | None:
        frame, at = self._selected([*pair, unit], weights)
        lacking = self.nw.when(self.nw.col("k2").is_null()).then(1).otherwise(0)
        sums = {**self._sums(weights), "lacking": self.nw.col("lacking").sum()}
        rows = self._counted(frame.with_columns(lacking=lacking), at[:2], sums, MOST_GROUPS)
        self._cells = [tuple(None if is_missing(label) else label for label in row[:2]) for row in rows]
        if any(not isinstance(label, PLAIN_LABEL) for cell in self._cells for label in cell):
            return None  # a label that might not be found again by its value
        return rows

    def unit_patterns(
        self, pair: Names, unit: Name, weights: Name | None, cells: int, counted: list[int], most: int
    ) -> Any:
        """A column for each cell, added up by unit, and equal units counted: the rows stay where they are."""
        nw = self.nw
        frame, _ = self._selected([*pair, unit], weights)

        def where(i: int) -> Any:
            sides = [(nw.col(f"k{side}"), label) for side, label in enumerate(self._cells[i])]
            each = [k.is_null() if label is None else k == nw.lit(label) for k, label in sides]
            return each[0] & each[1]

        chosen = {f"x{i}": nw.when(where(i)).then(nw.lit(1) if weights is None else nw.col("w")) for i in counted}
        if weights is not None:
            chosen |= {f"q{i}": nw.when(where(i)).then(nw.col("w2")) for i in counted}
            chosen["rows_of"] = nw.when(nw.any_horizontal(*map(where, counted), ignore_nulls=True)).then(nw.lit(1))
        frame = frame.select("k2", **{name: x.otherwise(nw.lit(0)) for name, x in chosen.items()})
        units = frame.group_by("k2").agg(**{name: nw.col(name).sum() for name in chosen})
        return self._counted(units, list(chosen), {"units": nw.len()}, most)

    def cases(self, keys: Names, name: Name, most: int, rows: int) -> list[Row]:
        """By a window where the frame is, or of all different cases for a library that has none."""
        nw = self.nw
        frame, at = self._selected([*keys, name], None)
        own = nw.col(at[-1])
        frame = frame.filter(~own.is_null()).with_columns(name=own.cast(nw.String)).select(*at[:-1], "name").unique()
        frame = frame.filter(nw.col("name") != "")
        frame = frame.with_columns(size=nw.col("name").str.len_chars())
        place = nw.col("size").cum_count().over(*at[:-1], order_by=["size", "name"])
        try:
            chosen = frame.with_columns(place=place).filter(nw.col("place") <= most).select(*at[:-1], "name")
            return self._collected(chosen.head(rows), None)
        except (SourceError, NotImplementedError):
            return super().cases(keys, name, most, rows)

    def first_of(self, groups: NDArray[np.int64], ids: Any, most: int) -> tuple[NDArray[np.int64], list[str]]:
        """Where the first ids of each group are among all of them, and these ids; a negative group is none."""
        nw = self.nw
        with self._explained():
            names = nw.from_native(ids, series_only=True).alias("name")

            def numbers(name: str, held: NDArray[np.int64]) -> Any:
                return nw.new_series(name, held, backend=names.implementation)

            frame = names.to_frame().with_columns(numbers("group", groups), numbers("at", np.arange(len(groups))))
            frame = frame.filter((nw.col("group") >= 0) & ~nw.col("name").is_null())
            frame = frame.with_columns(nw.col("name").cast(nw.String)).filter(nw.col("name") != "")
            frame = frame.unique(["group", "name"])
            frame = frame.with_columns(size=nw.col("name").str.len_chars()).sort("group", "size", "name")

            group = frame["group"].to_numpy()
            starts = np.flatnonzero(np.diff(group, prepend=-1))
            place = np.arange(len(group)) - np.repeat(starts, np.diff(starts, append=len(group)))
            frame = frame.with_columns(numbers("place", place)).filter(nw.col("place") < most)
            return frame["at"].to_numpy(), frame["name"].to_list()

    def span(self, score: Name) -> Span:
        frame, _ = self._selected((), None, score)
        s = self.nw.col("s")
        finite = self.nw.when(s.is_between(-LARGEST, LARGEST)).then(s)
        ends = frame.select(s=s, f=finite).select(
            low=self.nw.col("f").min(), high=self.nw.col("f").max(), distinct=s.n_unique()
        )
        ((low, high, distinct),) = self._collected(ends, None)
        return Span(_float(low), _float(high), int(distinct))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        frame, at = self._selected(keys, weights, score)
        s, place = self.nw.col("s"), self.nw.col("place")
        finite = s.is_between(-LARGEST, LARGEST)
        capped = self.nw.when(place > bins.last).then(self.nw.lit(float(bins.last)))
        frame = frame.with_columns(  # a cast to integer rounds in some engines
            place=((s - bins.low) * bins.scale).floor()
        ).with_columns(bin=self.nw.when(finite).then(capped.otherwise(place)), odd=self.nw.when(~finite).then(s))
        sums = {**self._sums(weights), "low": s.min(), "high": s.max()}
        rows = self._counted(frame, [*at, "bin", "odd"], sums, None)
        return [(*row[: len(at)], _float(row[len(at)]), *row[len(at) + 1 :]) for row in rows]

    # ------------------------------------------------------------ the expression

    def _selected(self, keys: Names, weights: Name | None, score: Name | None = None) -> tuple[Any, list[str]]:
        """The keys as k0, k1, …, and the numbers w (with its square) and s."""
        at = [f"k{i}" for i in range(len(keys))]
        chosen = {k: self._exact(key) for key, k in zip(keys, at, strict=True)}
        for name, called in ((weights, "w"), (score, "s")):
            if name is not None:
                chosen[called] = self.nw.col(name).cast(self.nw.Float64)
        with self._explained():
            frame = self.frame.select(**chosen)
        if weights is not None:  # before the groups: PyArrow and Dask cannot square inside them
            frame = frame.with_columns(w2=self.nw.col("w") * self.nw.col("w"))
        return frame, at

    def _exact(self, key: Name) -> Any:
        """A column whose labels are the same where they are equal: a cast takes the collations of Spark away."""
        of_spark = package(self.native) == "pyspark" and self.schema[key] == self.nw.String
        return self.nw.col(key).cast(self.nw.String) if of_spark else self.nw.col(key)

    def _sums(self, weights: Name | None) -> dict[str, Any]:
        n = {"n": self.nw.len()}
        if weights is None:
            return n
        w, w2 = self.nw.col("w"), self.nw.col("w2")
        return {**n, "sw": w.sum(), "sw2": w2.sum(), "least": w.min(), "numbers": w.count()}

    def _counted(self, frame: Any, at: list[str], sums: dict[str, Any], most: int | None) -> list[Row]:
        return self._collected(frame.group_by(*at).agg(**sums).select(*at, *sums), most)

    def _collected(self, asked: Any, most: int | None) -> list[Row]:
        with self._explained():
            found = (asked if most is None else asked.head(most + 1)).collect()
            rows: list[Row] = self._exact_rows(found)
        return self.few(rows, most)

    def _exact_rows(self, found: Any) -> list[Row]:
        """Rows of Python's values; times to the nanosecond, which these cut, as numpy holds them."""
        nw = self.nw
        fine = [
            name
            for name, kind in found.schema.items()
            if kind == nw.Time or (kind in (nw.Datetime, nw.Duration) and kind.time_unit == "ns")
        ]
        if not fine:
            return list(found.rows())
        columns = {name: found[name].to_list() for name in found.columns if name not in fine}
        for name in fine:
            held = column(found[name].to_native(), name).side()
            columns[name] = [None if code < 0 else held.raw[code] for code in held.codes]
        return list(zip(*(columns[name] for name in found.columns), strict=True))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """What a library says of its frame, as one sentence."""
        try:
            yield
        except InformedError:
            raise
        except Exception as error:
            said = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise SourceError(
                f"{self.shown} cannot be counted: {said[:300]} ({type(error).__name__}). Check "
                "that names are unique and that weights and scores are numbers."
            ) from None


def is_frame(source: Any) -> bool:
    """Whether Narwhals knows it."""
    import narwhals.stable.v2 as nw

    return nw.from_native(source, pass_through=True) is not source


def _float(x: Any) -> float | None:
    """A number of any library; None and NaN are none."""
    return None if x is None or x != x else float(x)
