"""Data frames and clusters through one lazy Narwhals expression: only the counts are collected."""

from __future__ import annotations

from typing import Any

from informed.errors import InformedError, SourceError
from informed.evidence.columns import column
from informed.evidence.label_order import Labels
from informed.sources.engine import (
    LARGEST,
    MOST_GROUPS,
    Bins,
    Name,
    Names,
    Row,
    Span,
    check_columns,
    refuse_too_many,
)

KNOWN = (
    "a path, a URL, a database connection, or a data frame of pandas, Polars, PyArrow, DuckDB, "
    "Dask, Spark or Ibis"
)


class FrameEngine:
    """Any frame that Narwhals knows. Values stay native: engines differ in how they write them."""

    def __init__(self, native: Any) -> None:
        import narwhals.stable.v2 as nw

        self.nw: Any = nw
        self.native = native
        self.shown = f"the {type(native).__module__.partition('.')[0]} frame"
        try:
            self.frame: Any = nw.from_native(native).lazy()
            self.columns = list(self.frame.collect_schema().names())
        except TypeError:
            raise SourceError(f"A {type(native).__name__} cannot be read; give {KNOWN}.") from None
        except Exception as error:
            raise self._explained(error) from None

    def check(self, names: Names) -> None:
        check_columns(names, self.columns, self.shown)

    def in_memory(self, names: Names) -> list[Any] | None:
        """These columns, of a frame that holds them; None where they are yet to be computed."""
        kind = f"{type(self.native).__module__.partition('.')[0]}.{type(self.native).__name__}"
        if kind not in ("pandas.DataFrame", "polars.DataFrame", "pyarrow.Table"):
            return None
        return [self.native[name] for name in names]

    def levels(self, name: Any) -> Labels | None:
        """The labels that the type of a column declares, in order."""
        held = self.in_memory([name])
        if held is not None:
            return column(held[0][:0], str(name)).levels
        declared = self.frame.collect_schema()[name]
        return tuple(declared.categories) if isinstance(declared, self.nw.Enum) else None

    def grouped(
        self, keys: Names, weights: Name | None = None, most: int | None = MOST_GROUPS
    ) -> list[Row]:
        frame, at = self._selected(keys, weights)
        counts = frame.group_by(*at).agg(*self._sums(weights))
        return self._collected(counts.select(*at, *self._named(weights)), most)

    def span(self, score: Name) -> Span:
        column = self.nw.col(score).cast(self.nw.Float64)
        finite = self.nw.when(column.is_between(-LARGEST, LARGEST)).then(column)
        try:
            frame = self.frame.select(s=column, f=finite)
        except Exception as error:
            raise self._explained(error) from None
        asked = frame.select(
            self.nw.col("f").min().alias("low"),
            self.nw.col("f").max().alias("high"),
            self.nw.col("s").n_unique().alias("distinct"),
        )
        ((low, high, distinct),) = self._collected(asked, None)
        return Span(_float(low), _float(high), int(distinct))

    def binned(self, keys: Names, weights: Name | None, score: Name, bins: Bins) -> list[Row]:
        frame, at = self._selected(keys, weights, score)
        s = self.nw.col("s")
        finite = s.is_between(-LARGEST, LARGEST)
        place = ((s - bins.low) * bins.scale).floor()  # a cast to integer rounds in some engines
        frame = frame.with_columns(place=place).with_columns(
            bin=self.nw.when(finite).then(
                self.nw.when(self.nw.col("place") > bins.last)
                .then(self.nw.lit(float(bins.last)))
                .otherwise(self.nw.col("place"))
            ),
            odd=self.nw.when(~finite).then(s),
        )
        sums = [*self._sums(weights), s.min().alias("low"), s.max().alias("high")]
        at = [*at, "bin", "odd"]
        counts = frame.group_by(*at).agg(*sums).select(*at, *self._named(weights), "low", "high")
        return [
            (*row[: len(keys)], _float(row[len(keys)]), *row[len(keys) + 1 :])
            for row in self._collected(counts, None)
        ]

    # ------------------------------------------------------------ the expression

    def _selected(
        self, keys: Names, weights: Name | None, score: Name | None = None
    ) -> tuple[Any, list[str]]:
        at = [f"k{i}" for i in range(len(keys))]
        chosen = [self.nw.col(key).alias(k) for key, k in zip(keys, at, strict=True)]
        if weights is not None:
            chosen.append(self.nw.col(weights).cast(self.nw.Float64).alias("w"))
        if score is not None:
            chosen.append(self.nw.col(score).cast(self.nw.Float64).alias("s"))
        try:
            frame = self.frame.select(*chosen)
        except Exception as error:
            raise self._explained(error) from None
        if weights is not None:  # before the groups: PyArrow and Dask cannot square inside them
            frame = frame.with_columns(w2=self.nw.col("w") * self.nw.col("w"))
        return frame, at

    def _sums(self, weights: Name | None) -> list[Any]:
        n = self.nw.len().alias("n")
        if weights is None:
            return [n]
        w = self.nw.col("w")
        return [
            n,
            w.sum().alias("sw"),
            self.nw.col("w2").sum().alias("sw2"),
            w.min().alias("least"),
            w.count().alias("numbers"),
        ]

    def _named(self, weights: Name | None) -> list[str]:
        return ["n"] if weights is None else ["n", "sw", "sw2", "least", "numbers"]

    def _collected(self, asked: Any, most: int | None) -> list[Row]:
        try:
            rows: list[Row] = (asked if most is None else asked.head(most + 1)).collect().rows()
        except Exception as error:
            raise self._explained(error) from None
        if most is not None and len(rows) > most:
            raise refuse_too_many(self.shown, most)
        return rows

    def _explained(self, error: Exception) -> Exception:
        if isinstance(error, InformedError):
            return error
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        return SourceError(
            f"{self.shown} cannot be counted: {said[:300]} ({type(error).__name__}). Check that "
            "names are unique and that weights and scores are numbers."
        )


def _float(x: Any) -> float | None:
    """A number of any library; None and NaN are none."""
    return None if x is None or x != x else float(x)
