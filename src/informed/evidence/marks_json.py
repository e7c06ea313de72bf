"""Marks as JSON, which any machine can write and read, and as a data frame."""

from __future__ import annotations

import json
from dataclasses import fields as fields_of_class
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import TableError
from informed.evidence.frames import frame
from informed.evidence.marks_columns import verdicts
from informed.evidence.states import STATES
from informed.evidence.table_json import check_plain

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
    "real": np.int64,
    "least": np.float64,
    "most": np.float64,
}
OF_CASES = ("item", "epoch", "state", "weight")
OF_ITEMS = ("unit", "group", "options", "chance", "real", "least", "most")
NAMED = ("items", "groups", "reals")
SENTENCES = ("remarks", "unfinished")  # written where there are some
SAID = {"informed": {"schema": 1, "kind": "marks"}}


def fields_of(m: Marks) -> dict[str, Any]:
    """All that marks hold, as plain data; NaN is None."""
    held = {f.name: getattr(m, f.name) for f in fields_of_class(m)}
    plain = {name: _plain(x) if isinstance(x, np.ndarray) else x for name, x in held.items()}
    return {name: x for name, x in plain.items() if x or name not in SENTENCES}


def to_json(m: Marks) -> str:
    for name in NAMED:
        check_plain(getattr(m, name), name.removesuffix("s"))
    return json.dumps({**SAID, **fields_of(m)}, ensure_ascii=False, allow_nan=False)


def fields(written: str) -> dict[str, Any]:
    """What marks are made of that were written as JSON."""
    try:
        held = json.loads(written)
        if held.pop("informed")["kind"] != "marks":
            raise TableError("This JSON is of another kind; marks are needed.")
        strange = sorted({*held} - {*KINDS, *NAMED, *SENTENCES, "name", "system"})
        if strange:
            raise TableError(f"Marks have no field {strange[0]!r}.")
        arrays = {name: _array(held[name], kind) for name, kind in KINDS.items()}
        names = {name: tuple(held[name]) for name in NAMED}
        _check(arrays, {name.removesuffix("s"): len(x) for name, x in names.items()})
        said = {name: tuple(map(str, held[name])) for name in SENTENCES if name in held}
        return {**held, **arrays, **names, **said}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise TableError(f"This is no JSON of marks ({type(error).__name__}: {error}).") from None


def _check(arrays: dict[str, Any], several: dict[str, int]) -> None:
    """Whether the columns fit each other and every place is there."""
    if any(len(arrays[name]) != len(arrays["mark"]) for name in OF_CASES):
        raise TableError("The columns of these marks are not equally long.")
    if any(arrays[name] is not None and len(arrays[name]) != several["item"] for name in OF_ITEMS):
        raise TableError("What belongs to the items of these marks is not as long as they are.")
    for name, most in {**several, "state": len(STATES)}.items():
        held = arrays[name]
        if held is not None and not ((held >= 0) & (held < most)).all():
            raise TableError(f"A case of these marks has a place in `{name}` outside the {most} there are.")
    if not ((arrays["weight"] >= 0) & (arrays["weight"] < np.inf)).all():
        raise TableError("The weights of these marks are not all finite and not negative.")
    verdicts(arrays["mark"])


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
