"""Marks as JSON, which any machine can write and read, and as a data frame."""

from __future__ import annotations

import json
from dataclasses import fields as fields_of_class
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import TableError
from informed.evidence.frames import frame
from informed.evidence.states import STATES

if TYPE_CHECKING:
    from informed.evidence.marks import Marks

KINDS = {
    "mark": np.float64,
    "item": np.int64,
    "epoch": np.int64,
    "state": np.int8,
    "weight": np.float64,
    "unit": np.int64,
    "group": np.int64,
    "options": np.float64,
    "chance": np.float64,
}
SAID = {"informed": {"schema": 1, "kind": "marks"}}


def fields_of(m: Marks) -> dict[str, Any]:
    """All that marks hold, as plain data; NaN is None."""
    held = {f.name: getattr(m, f.name) for f in fields_of_class(m)}
    return {name: _plain(x) if isinstance(x, np.ndarray) else x for name, x in held.items()}


def to_json(m: Marks) -> str:
    return json.dumps({**SAID, **fields_of(m)}, ensure_ascii=False, allow_nan=False)


def fields(written: str) -> dict[str, Any]:
    """What marks are made of that were written as JSON."""
    try:
        held = json.loads(written)
        if held.pop("informed")["kind"] != "marks":
            raise TableError("This JSON is of another kind; marks are needed.")
        arrays = {name: _array(held[name], kind) for name, kind in KINDS.items()}
        n, items = len(arrays["mark"]), len(held["items"])
        if any(len(arrays[name]) != n for name in ("item", "epoch", "state", "weight")):
            raise TableError("The columns of these marks are not equally long.")
        if any(x is not None and len(x) != items for x in map(arrays.get, ("unit", "group", "options", "chance"))):
            raise TableError("What belongs to the items of these marks is not as long as they are.")
        return {**held, **arrays, **{name: tuple(held[name]) for name in ("items", "groups")}}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TableError(f"This is no JSON of marks ({type(error).__name__}: {error}).") from None


def to_frame(m: Marks) -> Any:
    columns = {
        "item": [m.items[i] for i in m.item.tolist()],
        "epoch": m.epoch.tolist(),
        "state": [STATES[i] for i in m.state.tolist()],
        "mark": m.mark.tolist(),
        "weight": m.weight.tolist(),
    }
    if m.group is not None:
        columns["group"] = [m.groups[i] for i in m.group[m.item].tolist()]
    return frame(columns)


def _plain(x: Any) -> list[Any]:
    if x.dtype.kind != "f":
        return list(x.tolist())
    return [None if y != y else y for y in x.tolist()]


def _array(x: Any, kind: Any) -> Any:
    return None if x is None else np.asarray([np.nan if y is None else y for y in x], kind)
