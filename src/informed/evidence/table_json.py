"""A table as JSON, which any worker of any system can write and read, and as a data frame."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.table import Table

PLAIN = (str, int, float, bool)


def to_json(t: Table) -> str:
    for label in (*t.predicted_labels, *t.real_labels, *(x for axis in t.axes for x in axis or ())):
        if type(label) not in PLAIN:
            raise TableError(
                f"The label {label!r} is a {type(label).__name__}; JSON holds text, numbers and "
                "booleans."
            )

    def held(array: Array | None, lead: int) -> Any:
        if array is None:
            return None
        return np.moveaxis(array, range(lead), range(-lead, 0)).tolist()

    return json.dumps(
        {
            "informed": {"schema": 1, "kind": "table"},
            "predicted_labels": t.predicted_labels,
            "real_labels": t.real_labels,
            "positive": t.positive,
            "counts": held(t.cells, 2),
            "squares": held(t.squares, 2),
            "abstained": held(t.unanswered, 1),
            "missing": held(t.dropped, 0),
            "rows": held(t.given, 0),
            "names": t.axes,
            "derived": t.derived,
            "order": t.stated,
        },
        ensure_ascii=False,
        allow_nan=False,
    )


def from_json(text: str) -> Table:
    try:
        held = json.loads(text)
        counts = np.asarray(held["counts"], dtype=np.float64)
        labels = tuple(held["predicted_labels"]), tuple(held["real_labels"])
        build.numbers(counts, "counts")
        if counts.shape[-2:] != tuple(map(len, labels)):
            raise TableError(
                f"`counts` has shape {counts.shape} for {len(labels[0])} predicted and "
                f"{len(labels[1])} real labels."
            )

        def array(name: str, lead: int) -> Array | None:
            if held[name] is None:
                return None
            values = build.numbers(held[name], name)
            whole = {2: counts.shape, 1: (*counts.shape[:-2], counts.shape[-1])}
            if values.shape != whole.get(lead, counts.shape[:-2]):
                raise TableError(f"`{name}` has shape {values.shape}, unlike `counts`.")
            return build.frozen(np.moveaxis(values, range(-lead, 0), range(lead)))

        return Table(
            cells=build.cells_first(counts),
            predicted_labels=labels[0],
            real_labels=labels[1],
            positive=build.positive_of(*labels, held["positive"]),
            squares=array("squares", 2),
            unanswered=array("abstained", 1),
            dropped=array("missing", 0),
            given=array("rows", 0),
            axes=tuple(None if a is None else tuple(a) for a in held["names"]),
            derived=held["derived"],
            stated=build.checked_stated(held.get("order")),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(
            "This is not a table that `to_json` wrote: it needs counts, predicted_labels, "
            f"real_labels and the other fields ({type(error).__name__}: {error})."
        ) from None


def to_frame(t: Table) -> Any:
    from informed.evidence.frames import frame

    grid = np.indices((*t.shape, len(t.predicted_labels), len(t.real_labels)))
    columns: dict[str, list[Any]] = {}
    for axis, names in enumerate(t.axes):
        at = grid[axis].ravel().tolist()
        columns["table" if len(t.axes) == 1 else f"axis {axis}"] = (
            at if names is None else [names[i] for i in at]
        )
    columns["predicted"] = [t.predicted_labels[i] for i in grid[-2].ravel()]
    columns["real"] = [t.real_labels[i] for i in grid[-1].ravel()]
    columns["count"] = t.counts.ravel().tolist()
    return frame(columns)
