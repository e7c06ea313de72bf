"""`read`: counts from whatever holds the labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Any, Literal

from informed.decisions.scores import Scores
from informed.errors import SourceError
from informed.sources._engine import THE_FILE, Engine, Many
from informed.sources._gather import Request, gather
from informed.sources._watch import Progress
from informed.systems.paired import Paired
from informed.table import Table

FILE_FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "feather", "excel")


def read(
    source: Any,
    *,
    real: Any = None,
    predicted: Any = None,
    by: Any = None,
    item: Any = None,
    weights: Any = None,
    counts: Any = None,
    score: Any = None,
    labels: Sequence[Any] | None = None,
    abstain: Any = None,
    missing: Literal["error", "drop", "abstain"] | None = None,
    positive: Any = None,
    frequency: bool = False,
    square: bool = True,
    query: str | None = None,
    table: str | tuple[str, ...] | None = None,
    join: Any = None,
    on: Any = None,
    delimiter: str | None = None,
    quote: str = '"',
    encoding: str | None = None,
    types: Literal["text", "native"] | None = None,
    strip: bool = False,
    input_format: str | None = None,
    rows: Literal["predicted", "real"] | None = None,
    bins: int = 4096,
    progress: Progress = None,
    **options: Any,
) -> Any:
    """Count labels where they are: a file, a frame, a cluster, a database or a log.

    Only counts come back, so the size of the source does not matter.

    Parameters
    ----------
    source
        A path, a pattern (`runs/*.csv`), a folder of shards, "-" for standard input, a URL of
        fsspec (`s3://…`), an open file; a data frame of pandas, Polars, PyArrow, DuckDB, Dask,
        Spark or Ibis; a database connection or its URL (`postgresql://…`, `sqlite:///…`); an
        evaluation log. A list of sources, or a dict with names, gives a stack of tables.
    real, predicted
        Names of the columns. Several prediction columns are several systems on the same items.
    by
        Column or columns whose values name the tables of a stack: system, fold, subject.
    item
        Column that names the item, to compare the systems in `by` on the same items.
    weights, counts
        A column of weights; or of counts, for a table that was counted already.
    score
        Column of scores, instead of `predicted`: gives what `informed.roc` needs.
    missing
        What a missing label does: "error", "drop", or "abstain" (a missing prediction is no
        answer, the default of joins and logs).
    query, table
        Of a database: your own SELECT, or the name of a table.
    join, on
        A second file with the predictions, and the id column that both files have.
    types
        Labels of text files are text as written ("01", "1" and "NA" are three labels, the empty
        field is missing), unless this is "native".
    input_format
        "csv", "json", "parquet", "arrow", "excel", "matrix", or the name of an evaluation log,
        where it cannot be seen from the content.
    rows
        What the rows of a matrix of counts are: "predicted" or "real".

    Returns
    -------
    Table
        Or a named stack with `by`; a `Paired` with `item`; `Scores` with `score`.
    """
    if counts is not None:
        if weights is not None:
            raise SourceError("Give `weights` or `counts`, not both.")
        weights, frequency = counts, True
    with ExitStack() as cleanup:
        how = _How(delimiter, quote, encoding, types, input_format, query, table, progress, cleanup)
        if real is None and predicted is None and score is None:
            return _recognised(source, how, rows, {"by": by, "labels": labels, **options})
        if options:
            raise SourceError(f"`read` has no option {next(iter(options))!r}.")
        if real is None or (predicted is None and score is None):
            lacking = "real" if real is None else "predicted"
            raise SourceError(
                f"Which column holds the {lacking} labels? Give `{lacking}=`"
                + (" (or `score=`)." if lacking == "predicted" else ".")
            )
        asked = Request(
            real=real,
            predicted=_several(predicted),
            by=_several(by),
            item=item,
            weights=weights,
            score=score,
            labels=labels,
            abstain=abstain,
            missing=missing or ("abstain" if join is not None else "error"),
            positive=positive,
            frequency=frequency,
            square=square,
            strip=strip,
            bins=bins,
        )
        engine = _engine(source, how)
        if join is not None:
            raise SourceError("Joins are not there yet.")
        if isinstance(engine, Many):
            from dataclasses import replace

            asked = replace(asked, by=(THE_FILE, *asked.by))
        return gather(engine, asked)


def _several(names: Any) -> tuple[Any, ...]:
    if names is None:
        return ()
    return tuple(names) if isinstance(names, (list, tuple)) else (names,)


class _How:
    """How sources are opened: the options that are not about labels."""

    def __init__(
        self,
        delimiter: str | None,
        quote: str,
        encoding: str | None,
        types: str | None,
        input_format: str | None,
        query: str | None,
        table: str | tuple[str, ...] | None,
        progress: Progress,
        cleanup: ExitStack,
    ) -> None:
        if types not in (None, "text", "native"):
            raise SourceError(f'`types` is {types!r}; it can be "text" or "native".')
        self.delimiter, self.quote, self.encoding = delimiter, quote, encoding
        self.native = types == "native"
        self.input_format, self.query, self.table = input_format, query, table
        self.progress, self.cleanup = progress, cleanup


def _engine(source: Any, how: _How) -> Engine:
    if isinstance(source, Mapping):
        return Many({name: _engine(one, how) for name, one in source.items()})
    if isinstance(source, (list, tuple)):
        return Many({n: _engine(s, how) for n, s in zip(_names(source), source, strict=True)})
    if isinstance(source, (str, PurePath)) or hasattr(source, "read"):
        return _file(source, how)
    raise SourceError(f"A {type(source).__name__} cannot be read.")


def _file(source: Any, how: _How) -> Engine:
    from informed.sources.files import FileEngine, TextOptions
    from informed.sources.paths import resolve

    files = resolve(source, _file_kind(how.input_format), how.cleanup)
    options = TextOptions(how.delimiter, how.quote, how.encoding, how.native)
    engine = FileEngine(files, options, how.progress)
    how.cleanup.callback(engine.close)
    return engine


def _file_kind(input_format: str | None) -> str | None:
    if input_format is None:
        return None
    from informed.sources.paths import KINDS

    return KINDS.get(input_format, input_format)


def _names(sources: Sequence[Any]) -> list[Hashable]:
    """What a list of files is called: their names without what they share."""
    if not all(isinstance(s, (str, Path)) for s in sources):
        return list(range(len(sources)))
    paths = [Path(s) for s in sources]
    for name in (lambda p: p.name.partition(".")[0], lambda p: p.name, str):
        names: list[Hashable] = [name(p) for p in paths]
        if len(set(names)) == len(names):
            return names
    raise SourceError("The same file was given twice; each file is a group of its own.")


def _recognised(source: Any, how: _How, rows: Any, options: dict[str, Any]) -> Any:
    raise SourceError("Which columns? Give `real=` and `predicted=`.")


__all__ = ["Paired", "Scores", "Table", "read"]
