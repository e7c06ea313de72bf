"""From a cell to its cases: some ids of each cell of a table, wherever the rows are."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from informed.errors import CallError, LabelError, SourceError
from informed.evidence.calls import explained
from informed.evidence.columns import column
from informed.evidence.label_policy import LabelPolicy, encode
from informed.evidence.labels import text
from informed.sources.cell_cases import MOST_CELLS, MOST_IDS, gathered
from informed.sources.engine import ROW_THERE, Engine
from informed.sources.frames import FrameEngine
from informed.sources.given_columns import holds_values
from informed.sources.opening import engine, joined
from informed.sources.paths import Opening, once
from informed.sources.read import read
from informed.summary.parts import CellCases

OF_LABELS = ("labels", "abstain", "missing", "normalize", "square")


@explained
def examples(
    source: Any,
    *,
    id: str | None = None,
    real: str | None = None,
    predicted: str | None = None,
    most: int = MOST_IDS,
    **options: Any,
) -> tuple[CellCases, ...]:
    """Ids of some cases of each cell: for `informed.report(…, examples=…)`, which shows them.

    The same ids come from every kind of source: those that are first by their lengths and then by their
    letters, so that 9 is before 10. Cases without an id have none. Of more than 2,000 cells those have
    ids that are errors and hold most.

    Parameters
    ----------
    source
        As for `read`; a log is recognised, and knows its ids and its labels.
    id
        Name of the column of ids. Without one `item` is it, or the id that files are joined `on`.
    real, predicted
        Names of the columns.
    most
        How many ids of each cell.
    **options
        The options of `read`, the same as for the table: what says which labels are the same or
        missing puts ids in their cells, and what says nothing of cells is left aside.

    >>> import pandas as pd
    >>> df = pd.DataFrame({"id": [7, 8, 9], "y": ["cat", "cat", "dog"], "p": ["cat", "dog", "dog"]})
    >>> examples(df, id="id", real="y", predicted="p")[1]
    CellCases(real='cat', predicted='dog', ids=('8',))
    """
    known = signature(read).parameters
    if not 1 <= most <= 100:
        raise CallError(f"`most` is {most!r}; a number of ids from 1 to 100 is needed.")
    if real is None and predicted is None:
        return _of_log(source, id, most, options)
    for name in options:
        if name not in known:
            raise SourceError(f"`examples` has no option {name!r}; it has those of `read`.")
    given = {**{name: known[name].default for name in known}, **options, "real": real, "predicted": predicted}
    if holds_values({**given, "keep": id}) or isinstance(predicted, (list, tuple)):
        raise SourceError("`examples` takes the name of one column each; put other values into the frame.")
    named = next((x for x in (id, options.get("item"), options.get("on")) if x is not None), None)
    if real is None or predicted is None or named is None:
        raise SourceError("Ids of cells need three columns: `real`, `predicted` and `id`.")
    with ExitStack() as cleanup:
        found = _engine(once(source, cleanup), given, cleanup)
        found.check(list(dict.fromkeys([real, predicted, named])))
        missing = given["missing"] or ("abstain" if given["join"] is not None else "error")
        told = {x: given[x] for x in OF_LABELS} | {"missing": missing}
        return _of_columns(found, [real, predicted], named, LabelPolicy(**told, typed=True, part=True), most)


def _engine(source: Any, given: dict[str, Any], cleanup: ExitStack) -> Engine:
    how = Opening(cleanup=cleanup, **{x: given[x] for x in signature(Opening).parameters if x in given})
    if given["join"] is None:
        return engine(source, how)
    return joined(source, given["join"], given["on"], [given["predicted"]], how)


def _of_log(source: Any, id: str | None, most: int, options: dict[str, Any]) -> tuple[CellCases, ...]:
    from informed.sources import logs

    kind = logs.kind_of(source if isinstance(source, (list, tuple)) else [source], options.pop("input_format", None))
    if kind is None:
        raise SourceError("Which columns hold the labels and the ids? Give `real=`, `predicted=` and `id=`.")
    if id is not None:
        raise SourceError("`id` names a column; a log knows its ids.")
    return logs.read_examples(source, kind, most=most, **options)


def _of_columns(found: Engine, pair: list[str], name: str, policy: LabelPolicy, most: int) -> tuple[CellCases, ...]:
    """Of an engine: a few cases of each pair of labels come here, and get their places by the label policy."""
    held = found.in_memory([*pair, name])
    try:
        if held is not None and isinstance(found, FrameEngine):
            some = _in_memory(found, held, pair, policy, most)
            if not some:
                raise _no_ids(found, name)
            return some
        joins = found.joins and policy.missing != "error"
        rows = found.cases([*pair, *([ROW_THERE] if joins else [])], name, most, most * MOST_CELLS)
        rows = [row for row in rows if not joins or row[2]]  # what was not run is in no cell
        if not rows:
            raise _no_ids(found, name)
        sides = [column([row[i] for row in rows], x).side() for i, x in enumerate(pair)]
        sides = [replace(side, levels=found.levels(x) or side.levels) for side, x in zip(sides, pair, strict=True)]
        return gathered(encode(sides, policy, names=pair), [row[-1] for row in rows], most)
    except LabelError as error:
        raise LabelError(f"{found.shown}: {error.said}", *error.ways) from None


def _in_memory(
    found: FrameEngine, held: list[Any], pair: list[str], policy: LabelPolicy, most: int
) -> tuple[CellCases, ...]:
    """Of a frame that holds its columns: each case has its place, and the first of each cell are found by sorting."""
    encoded = encode([column(x, name).side() for x, name in zip(held, pair, strict=False)], policy, names=pair)
    real, predicted = encoded.places
    cell = np.where(encoded.lost, -1, (predicted + 1) * len(encoded.labels) + real)
    at, ids = found.first_of(cell, held[-1], most)
    some = replace(encoded, places=[real[at], predicted[at]], lost=encoded.lost[at])
    return gathered(some, ids, most)


def _no_ids(found: Engine, name: str) -> SourceError:
    return SourceError(f"{found.shown} has no ids in the column {text(name)}: every one is missing.")
