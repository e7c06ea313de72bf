"""A table as JSON, which any worker of any system can write and read, and as a data frame."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from informed._arrays import Array
from informed.errors import LabelError, TableError
from informed.evidence import checks as build
from informed.evidence import units_json
from informed.evidence.cells import Occupied, is_sparse, many, occupied
from informed.evidence.frames import frame
from informed.evidence.label_policy import given_labels
from informed.evidence.labels import Labels, is_missing, native, text
from informed.evidence.margins import HELD

if TYPE_CHECKING:
    from informed.evidence.table import Table

PLAIN = (str, int, float, bool)
KEYS = {"counts": "cells", "abstained": "unanswered", "missing": "dropped"}
WEIGHING = {  # only where cases are weighted, or labels were made alike
    "squares": "squares",
    "cases": "cases",
    "abstained_squares": "unanswered_squares",
    "abstained_cases": "unanswered_cases",
    "respelled": "respelled",
}


def check_plain(labels: Iterable[Any], what: str = "label") -> None:
    for label in labels:
        if type(label) not in PLAIN:
            raise TableError(
                f"The {what} {label!r} is a {type(label).__name__}; JSON holds text, numbers and booleans."
            )


def to_json(t: Table) -> str:
    check_plain((*t.predicted_labels, *t.real_labels, *(x for axis in t.axes for x in axis or ())))
    said = {"informed": {"schema": 2, "kind": "table"}}
    labels = {name: getattr(t, name) for name in ("predicted_labels", "real_labels", "positive")}
    arrays = {key: as_data(getattr(t, name), HELD[name]) for key, name in KEYS.items()}
    rest: dict[str, Any] = {"names": t.axes, "derived": t.derived, "order": t.stated}
    rest |= {name: x for name in ("remarks", "unlabelled", "unfinished") if (x := getattr(t, name))}
    return json.dumps({**said, **labels, **arrays, **weighing(t), **rest}, ensure_ascii=False, allow_nan=False)


def weighing(t: Table) -> dict[str, Any]:
    """What cases weigh and which belong together, where there is something to say of either."""
    arrays = {key: as_data(getattr(t, name), HELD[name]) for key, name in WEIGHING.items()}
    units = {} if t.units is None else {"units": units_json.as_data(t.units)}
    return {key: held for key, held in arrays.items() if held is not None} | units


def fields(written: str | Mapping[str, Any]) -> dict[str, Any]:
    """What a table is made of that was written as JSON, or as a part of one."""
    try:
        held = json.loads(written) if isinstance(written, str) else written
        if isinstance(written, str):
            check_schema(held, "table", (1, 2))
        labels = _labels(held["predicted_labels"]), _labels(held["real_labels"])
        there = KEYS | {key: name for key, name in WEIGHING.items() if key in held}
        arrays = {name: of_data(held[key], HELD[name], labels, key) for key, name in there.items()}
        stack = arrays["cells"].shape[2:]
        for key, name in there.items():
            if arrays[name] is not None and arrays[name].shape[HELD[name] :] != stack:
                raise TableError(f"`{key}` has another stack than `counts`, which has the shape {stack}.")
        return {
            **arrays,
            "units": units_json.of_data(held["units"], arrays) if held.get("units") else None,
            "predicted_labels": labels[0],
            "real_labels": labels[1],
            "positive": build.positive_of(*labels, held["positive"]),
            "axes": _axes(held["names"], stack),
            "derived": _words(held["derived"], "derived"),
            "stated": build.checked_stated(held.get("order")),
            **{name: tuple(map(str, held.get(name, ()))) for name in ("remarks", "unfinished")},
            "unlabelled": int(held.get("unlabelled", 0)),
        }
    except TableError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise TableError(
            "This is not a table that `to_json` wrote: it needs counts, predicted_labels, "
            f"real_labels and the other fields ({type(error).__name__}: {error})."
        ) from None


def digest_of(held: Any) -> str:
    """What JSON is known by, so that a part which was changed, and fits the others no more, is refused as a whole."""
    return blake2b(json.dumps(held, sort_keys=True).encode(), digest_size=16).hexdigest()


def check_schema(held: Any, kind: str, schemas: Sequence[int]) -> None:
    """Refuse JSON that is something else, or of a version that is not known here."""
    said = held.get("informed") if isinstance(held, dict) else None
    if not isinstance(said, dict) or said.get("kind") != kind:
        raise TableError(f"This is not a {kind} that `to_json` wrote: it does not say that it is one.")
    if said.get("schema") not in schemas:
        known = " and ".join(map(str, schemas))
        raise TableError(f"This {kind} is of schema {said.get('schema')!r}; this version of informed reads {known}.")


def _labels(given: Any) -> Labels:
    """Labels as JSON has them: each once, none missing, none alike."""
    if not isinstance(given, list | tuple):
        raise TypeError("labels are a list")
    try:
        return given_labels(given, native)
    except LabelError as error:
        raise TableError(f"This is not a table that `to_json` wrote: {error}") from None


def _axes(given: Any, stack: tuple[int, ...]) -> build.Axes:
    if not isinstance(given, list | tuple) or len(given) != len(stack):
        raise TableError(f"`names` must be a list for each axis of a stack of the shape {stack}.")
    for names in given:
        if names is not None and (not isinstance(names, list | tuple) or any(map(is_missing, names))):
            raise TableError("`names` must be a list for each axis, with a name for each table, or null.")
    return build.named_axes(given[0] if len(stack) == 1 else given, stack)


def _words(given: Any, name: str) -> str | None:
    if given is not None and not isinstance(given, str):
        raise TableError(f"`{name}` is {text(given)}; text or null is needed.")
    return given


def as_data(array: Array | None, lead: int = 2) -> Any:
    """Numbers as lists with the axes of classes last, ``(..., predicted, real)``; of many classes the
    places of what is occupied among the labels, and how much it is."""
    if array is None:
        return None
    if not is_sparse(array):
        return np.moveaxis(array, range(lead), range(-lead, 0)).tolist()
    places_and_numbers = (x.tolist() for x in occupied(array))
    return dict(zip(("predicted", "real", "count"), places_and_numbers, strict=True))


def of_data(given: Any, lead: int, labels: tuple[Labels, Labels], name: str) -> Any:
    """The numbers that `as_data` wrote, for these predicted and real labels."""
    if given is None and name != "counts":
        return None
    sizes = len(labels[0]), len(labels[1])
    if not isinstance(given, dict):
        values = _numbers(given, name)
        if values.shape[values.ndim - lead :] != sizes[2 - lead :]:
            raise TableError(f"`{name}` has shape {values.shape} for {sizes[0]} predicted and {sizes[1]} real labels.")
        return build.classes_first(values, lead)
    places = [np.asarray(given[side], np.int64) for side in ("predicted", "real")]
    numbers = _numbers(given["count"], name)
    for place, size in zip(places, sizes, strict=True):
        if place.shape != numbers.shape[:1] or ((place < 0) | (place >= size)).any():
            raise TableError(f"`{name}` has a cell outside {sizes[0]} x {sizes[1]} labels.")
    found = Occupied.gathered(places[0], places[1], numbers, sizes)
    return build.frozen(found if many(*sizes) else found.dense())


def _numbers(given: Any, name: str) -> Array:
    values = build.numbers(given, name)
    if name.endswith("squares") and ((values > 0) & (np.sqrt(values) < build.LEAST)).any():
        raise TableError(f"`{name}` holds {values[values > 0].min():g}; a sum of squared weights is 0 or above 1e-100.")
    return build.in_reach(values, name) if name in ("counts", "abstained") else values


def to_frame(t: Table) -> Any:
    """One row a cell; of many classes one row for each that is occupied."""
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
