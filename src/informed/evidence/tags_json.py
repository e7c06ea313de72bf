"""Tags as JSON, which any machine can write and read, and as a data frame."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from informed.errors import TableError
from informed.evidence.frames import frame
from informed.evidence.table_json import check_plain
from informed.evidence.tags_matrix import Matrix, sparse

if TYPE_CHECKING:
    from informed.evidence.tags import Tags

SAID = {"informed": {"schema": 1, "kind": "tags"}}
PLAIN = ("unit_name", "dropped", "unsaid")


def to_json(t: Tags) -> str:
    """Labels once, and of each item the places of its tags among them."""
    for name, held in (("label", t.labels), ("system", t.names), ("item", t.items or ())):
        check_plain(held, name)
    said = {
        **SAID,
        "labels": t.labels,
        "names": t.names,
        "real": _places(t.real),
        "codes": [_places(z) for z in t.codes],
        "items": t.items,
        "weights": None if t.weights is None else t.weights.tolist(),
        "unit": None if t.unit is None else t.unit.tolist(),
        "kept": [[name, list(values)] for name, values in t.kept.items()],
        **{name: getattr(t, name) for name in PLAIN},
    }
    try:
        return json.dumps(said, ensure_ascii=False, allow_nan=False)
    except TypeError as error:
        raise TableError(f"A kept column holds what JSON cannot ({error}).") from None


def fields(written: str) -> dict[str, Any]:
    """What tags are made of that were written as JSON."""
    try:
        held = json.loads(written)
        if held.pop("informed")["kind"] != "tags":
            raise TableError("This JSON is of another kind; tags are needed.")
        labels, names = tuple(held["labels"]), tuple(held["names"])
        real = _matrix(held["real"], len(labels))
        codes = tuple(_matrix(x, len(labels)) for x in held["codes"])
        n = real.shape[0]
        if len(codes) != len(names) or any(z.shape[0] != n for z in codes):
            raise TableError("The systems of these tags do not have the same items.")
        weights, unit = (held[name] for name in ("weights", "unit"))
        if any(x is not None and len(x) != n for x in (weights, unit, held["items"])):
            raise TableError("What belongs to the items of these tags is not as long as they are.")
        return {
            "real": real,
            "codes": codes,
            "labels": labels,
            "names": names,
            "items": None if held["items"] is None else tuple(held["items"]),
            "weights": None if weights is None else np.asarray(weights, np.float64),
            "unit": None if unit is None else np.asarray(unit, np.int64),
            "kept": {name: tuple(values) for name, values in held["kept"]},
            **{name: held[name] for name in PLAIN},
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"This is no JSON of tags ({type(error).__name__}: {error}).") from None


def to_frame(t: Tags) -> Any:
    ids = list(range(len(t))) if t.items is None else list(t.items)
    said = {"real": t.real, **dict(zip(map(str, t.names), t.codes, strict=True))}
    return frame(
        {"item": ids, **{name: [[t.labels[i] for i in row] for row in _places(m)] for name, m in said.items()}}
    )


def _places(m: Matrix) -> list[list[int]]:
    held = sparse(m)
    at = held.indices.tolist()
    return [at[a:b] for a, b in pairwise(held.indptr.tolist())]


def _matrix(rows: list[list[int]], labels: int) -> Matrix:
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *map(len, rows)])
    at = np.asarray([i for row in rows for i in row], np.int64)
    if len(at) and not (at.min() >= 0 and at.max() < labels):
        raise TableError(f"A tag has a place outside the {labels} labels there are.")
    return csr_array((np.ones(len(at), np.int8), at, ends), shape=(len(rows), labels))
