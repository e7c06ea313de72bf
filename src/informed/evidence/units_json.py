"""Units as JSON: ``[how many, [cell, weight], …]`` of each pattern, without a name of any unit.

Of a stack, "table" says to which table each pattern belongs, and "same" which patterns are the same
units, by numbers that mean nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from informed._arrays import Array
from informed.errors import TableError
from informed.evidence.cells import flattened
from informed.evidence.labels import text
from informed.evidence.unit_gram import GramUnits
from informed.evidence.units import Ints, Units, Weighed, first_seen

SAID = ("of", "name", "asked", "apart")


def as_data(units: Units) -> dict[str, Any]:
    if isinstance(units, GramUnits):
        told: dict[str, Any] = {name: getattr(units, name) for name in SAID}
        return {**told, "several": units.several, "gram": units.gram.tolist(), "sizes": units.sizes.tolist()}
    pairs = list(zip(units.cell.tolist(), units.weight.tolist(), strict=True))
    starts = units.starts.tolist()
    patterns = [
        [mult, *map(list, pairs[a:b])] for mult, a, b in zip(units.mult.tolist(), starts[:-1], starts[1:], strict=True)
    ]
    said: dict[str, Any] = {name: getattr(units, name) for name in SAID}
    if units.shape:
        said["table"] = units.table.tolist()
    if units.each is not None:
        said["each"] = units.each.tolist()
    if units.ids is not None:
        said["same"] = first_seen(units.ids).tolist()
    return {**said, "patterns": patterns}


def of_data(held: Mapping[str, Any], arrays: Mapping[str, Any]) -> Units:
    """The units that `as_data` wrote, of a table with these arrays; they must add up to its cells."""
    if not isinstance(held["name"], str):
        raise TableError(f"The name of the units is {text(held['name'])}; it must be text.")
    if held["of"] not in get_args(Weighed) or not all(isinstance(held[name], bool) for name in ("asked", "apart")):
        raise TableError("`units` do not say of what they are, and whether they were asked and are apart.")
    if "gram" in held:
        return _of_gram(held, arrays)
    patterns = held["patterns"]
    sizes = np.asarray([len(x) - 1 for x in patterns], np.int64)
    pairs = np.asarray([pair for x in patterns for pair in x[1:]], np.float64).reshape(-1, 2)
    shape = arrays["cells"].shape[2:]
    ids, each = held.get("same"), held.get("each")
    units = Units(
        row=np.repeat(np.arange(len(patterns)), sizes),
        cell=pairs[:, 0].astype(np.int64),
        weight=pairs[:, 1],
        table=np.asarray(held.get("table", [0] * len(patterns)), np.int64),
        mult=np.asarray([x[0] for x in patterns], np.float64),
        shape=shape,
        ids=None if ids is None else np.asarray(ids, np.int64),
        each=None if each is None else np.asarray(each, np.float64),
        **{name: held[name] for name in SAID},
    )
    _check(units, sizes, flattened(arrays["cells"], arrays["unanswered"]))
    return units


def _of_gram(held: Mapping[str, Any], arrays: Mapping[str, Any]) -> GramUnits:
    gram, sizes = (np.asarray(held[name], np.float64) for name in ("gram", "sizes"))
    cells = flattened(arrays["cells"], arrays["unanswered"])
    shape = cells.shape[1:]
    size = len(gram)
    whole_numbers = gram.shape == (size, size, *shape) and sizes.shape == (4, *shape) and size <= len(cells)
    if not whole_numbers or not np.allclose(gram.sum(axis=(0, 1)), sizes[1]):
        raise TableError("The sums of products of `units` do not fit `counts` and `abstained`.")
    return GramUnits(gram, sizes, held["several"], shape=shape, **{name: held[name] for name in SAID})


def _check(units: Units, sizes: Ints, cells: Array) -> None:
    fine = ((units.cell >= 0) & (units.cell < len(cells)) & (units.weight > 0)).all() and (units.mult > 0).all()
    if units.each is not None and not (len(units.each) == len(sizes) and (units.each > 0).all()):
        raise TableError("`each` of `units` is not one weight for each of its patterns.")
    if len(units.table) != len(sizes) or (np.diff(units.table, append=units.tables) < 0).any() or (sizes < 1).any():
        raise TableError("The patterns of `units` are empty, or not in the order of their tables.")
    if not fine or not np.allclose(units.cells(len(cells)), cells):
        raise TableError("The patterns of `units` do not add up to `counts` and `abstained`.")
