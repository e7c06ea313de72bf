"""A table as JSON, which any worker of any system can write and read, and as a data frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from informed._arrays import Array
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.cells import Occupied, is_sparse, many, occupied

if TYPE_CHECKING:
    from informed.evidence.table import Table

PLAIN = (str, int, float, bool)


def to_json(t: Table) -> str:
    for label in (*t.predicted_labels, *t.real_labels, *(x for axis in t.axes for x in axis or ())):
        if type(label) not in PLAIN:
            raise TableError(f"The label {label!r} is a {type(label).__name__}; JSON holds text, numbers and booleans.")

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
            "counts": cells_as_data(t.cells),
            "squares": cells_as_data(t.squares),
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


def fields(written: str | Mapping[str, Any]) -> dict[str, Any]:
    """What a table is made of that was written as JSON, or as a part of one."""
    try:
        held = json.loads(written) if isinstance(written, str) else written
        labels = tuple(held["predicted_labels"]), tuple(held["real_labels"])
        sizes = len(labels[0]), len(labels[1])
        cells = cells_of_data(held["counts"], sizes, "counts")
        stack = cells.shape[2:]

        def array(name: str, shape: tuple[int, ...]) -> Array | None:
            if held[name] is None:
                return None
            values = build.numbers(held[name], name)
            if values.shape != shape:
                raise TableError(f"`{name}` has shape {values.shape}, unlike `counts`.")
            return build.classes_first(values) if shape != stack else build.frozen(values)

        squares = None
        if held["squares"] is not None:
            squares = cells_of_data(held["squares"], sizes, "squares")
            if squares.shape != cells.shape:
                raise TableError(f"`squares` has shape {squares.shape}, unlike `counts`.")
        return {
            "cells": cells,
            "predicted_labels": labels[0],
            "real_labels": labels[1],
            "positive": build.positive_of(*labels, held["positive"]),
            "squares": squares,
            "unanswered": array("abstained", (*stack, sizes[1])),
            "dropped": array("missing", stack),
            "given": array("rows", stack),
            "axes": tuple(None if a is None else tuple(a) for a in held["names"]),
            "derived": held["derived"],
            "stated": build.checked_stated(held.get("order")),
        }
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(
            "This is not a table that `to_json` wrote: it needs counts, predicted_labels, "
            f"real_labels and the other fields ({type(error).__name__}: {error})."
        ) from None


def cells_as_data(cells: Array | None) -> Any:
    """Cells as lists ``(..., predicted, real)``; of many classes the places of what is occupied
    among the labels, and how much it is."""
    if cells is None:
        return None
    if not is_sparse(cells):
        return np.moveaxis(cells, (0, 1), (-2, -1)).tolist()
    places_and_numbers = (x.tolist() for x in occupied(cells))
    return dict(zip(("predicted", "real", "count"), places_and_numbers, strict=True))


def cells_of_data(given: Any, classes: tuple[int, int], name: str) -> Array:
    """The cells that `cells_as_data` wrote."""
    if not isinstance(given, dict):
        counts = build.numbers(given, name)
        if counts.shape[-2:] != classes:
            raise TableError(
                f"`{name}` has shape {counts.shape} for {classes[0]} predicted and {classes[1]} real labels."
            )
        return build.cells_first(counts)
    places = [np.asarray(given[side], np.int64) for side in ("predicted", "real")]
    numbers = build.numbers(given["count"], name)
    for place, size in zip(places, classes, strict=True):
        if place.shape != numbers.shape[:1] or ((place < 0) | (place >= size)).any():
            raise TableError(f"`{name}` has a cell outside {classes[0]} x {classes[1]} labels.")
    found = Occupied.gathered(places[0], places[1], numbers, classes)
    return build.frozen(found if many(*classes) else found.dense())


def to_frame(t: Table) -> Any:
    """One row a cell; of many classes one row for each that is occupied."""
    from informed.evidence.frames import frame

    predicted, real, numbers = (
        occupied(t.cells)
        if is_sparse(t.cells)
        else (*(x.ravel() for x in np.indices(t.cells.shape[:2])), t.cells.reshape(-1, *t.shape))
    )
    stack = np.indices((*t.shape, len(predicted)))
    cell = stack[-1].ravel()
    columns: dict[str, list[Any]] = {}
    for axis, names in enumerate(t.axes):
        at = stack[axis].ravel().tolist()
        columns["table" if len(t.axes) == 1 else f"axis {axis}"] = at if names is None else [names[i] for i in at]
    columns["predicted"] = [t.predicted_labels[i] for i in predicted[cell]]
    columns["real"] = [t.real_labels[i] for i in real[cell]]
    columns["count"] = np.moveaxis(numbers, 0, -1).ravel().tolist()
    return frame(columns)
