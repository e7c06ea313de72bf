"""Tags: items that have several labels each, or none, and what systems said of them.

Each label is a two-class bet, and `table` is the stack of their tables. The items are kept, too: which tags
come together is forgotten by tables, and every interval and comparison of tags needs it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array
from informed._numbers import plural, position
from informed.errors import LabelError, TableError, one_of
from informed.evidence import tags_json
from informed.evidence.calls import explained, made_by
from informed.evidence.cells import same
from informed.evidence.checks import frozen
from informed.evidence.columns import floats
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Labels, native, some, text
from informed.evidence.table import Table
from informed.evidence.tags_columns import Ones, TagForm, check_separator, ones_of, together
from informed.evidence.tags_matrix import Ints, Matrix, counts_of, is_sparse, of_units, same_ones, sparse
from informed.evidence.unit_counting import group_places, word_of
from informed.evidence.units import Units

ALONE = "predicted"  # what the only system is called that has no name
ROUNDING = 1e-12  # of the weight of a unit, that a difference of sums may be off
MOST_ENTRIES = 50_000_000  # units × labels that a table of units is made of


@made_by("Tags.from_labels(real=…, predicted=…)", "informed.read(source, real=…, predicted=…, separator=…)")
@dataclass(frozen=True, eq=False, repr=False)
class Tags:
    """What tags items really have, and which ones each system gave them.

    >>> tags = Tags.from_labels(real=[{"cat"}, {"cat", "dog"}, set()], predicted=[{"cat"}, {"dog"}, {"dog"}])
    >>> tags
    Tags: 3 items, 2 labels, 3 real tags and 3 predicted
    >>> tags.table["dog"].counts.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """

    real: Matrix  # (items, labels): a boolean array, or a sparse one of scipy
    codes: tuple[Matrix, ...]  # the same of each system
    labels: Labels
    names: tuple[Hashable, ...] = (ALONE,)  # of the systems
    items: tuple[Hashable, ...] | None = None  # None where the items have no names
    weights: Array | None = None  # of the items
    unit: Ints | None = None  # of each item: what it was sampled in (a document, a patient), numbered from 0
    unit_name: str = "unit"
    kept: Mapping[Hashable, tuple[Any, ...]] = field(default_factory=dict)  # other columns, one value an item
    dropped: int = 0  # items left out because their tags are missing
    unsaid: int = 0  # items whose missing answer counts as no tags

    @classmethod
    @explained
    def from_labels(
        cls,
        *,
        real: Any,
        predicted: Any,
        labels: Sequence[Hashable] | None = None,
        separator: str | None = None,
        missing: Missing = "error",
        unit: Any = None,
        weights: ArrayLike | None = None,
        item: Any = None,
        tag: Any = None,
        items: Any = None,
        threshold: float | None = None,
        kept: Mapping[Hashable, Any] | None = None,
    ) -> Tags:
        """Tags in any form, which is told by its shape.

        Parameters
        ----------
        real, predicted
            Arrays of 0 and 1 (items × labels), sparse ones of scipy, data frames with one such column a label
            (matched by name), lists of sets, lists or tuples, text with `separator`, list columns of Arrow and
            Polars, or long frames with `item`, `tag` and `items`. `predicted` may be a mapping from the names
            of systems to any of these.
        labels
            All labels and their order, also of those that never occur; a tag outside them is an error.
        separator
            What stands between the tags of a text, such as ";"; empty text is an item without tags.
        missing
            None is no list of tags: an error, or "drop" leaves the item out, or "abstain" takes a missing
            *answer* as no tags. An empty list is not missing.
        unit
            Items that belong together (one document, one patient); errors are then measured between units.
        weights
            One weight an item, not negative.
        item, tag, items
            Of long frames: the columns of the items and of their tags, and all items, also those without tags.
        threshold
            Of predicted scores: a label is given where its score is at least this.
        kept
            Other columns, one value an item, which groups can be made by.
        """
        one_of("missing", missing, ("error", "drop", "abstain"), LabelError)
        form = TagForm(separator, item, tag, items, threshold)
        systems = dict(predicted) if isinstance(predicted, Mapping) else {ALONE: predicted}
        if not systems:
            raise LabelError("`predicted` names no system; one at least is needed.")
        named = {name: ALONE if len(systems) == 1 and name == ALONE else str(name) for name in systems}
        check_separator([real, *systems.values()], separator)
        sides = {"real": ones_of(real, "real", form)}
        sides |= {f"{i}": ones_of(x, named[name], form) for i, (name, x) in enumerate(systems.items())}
        shown = {"real": "real", **{f"{i}": named[name] for i, name in enumerate(systems)}}
        sides = {shown[key] if list(shown.values()).count(shown[key]) == 1 else key: x for key, x in sides.items()}
        found, whole = together(sides, labels)
        own, *others = found.values()
        n = own.held.shape[0]
        if not n or not whole:
            raise LabelError("There are no items to tag." if not n else "No item has a tag on either side.")

        drop, unsaid = _missing([own, *others], missing)
        made = cls(
            real=_read_only(own.held),
            codes=tuple(_read_only(x.held) for x in others),
            labels=whole,
            names=tuple(map(native, systems)),
            items=None if items is None else tuple(map(native, items)),
            weights=None if weights is None else _heavy(weights, n),
            unit=group_places({"unit": unit}, n).get("unit"),
            unit_name=word_of(unit, "unit"),
            kept={name: _as_long(values, name, n) for name, values in (kept or {}).items()},
            unsaid=unsaid,
        )
        return replace(made.where(~drop), dropped=int(drop.sum())) if drop.any() else made

    def __len__(self) -> int:
        return int(self.real.shape[0])

    def __repr__(self) -> str:
        told = f"Tags: {plural(len(self), 'item')}, {plural(len(self.labels), 'label')}, "
        told += plural(self._ones(self.real), "real tag")
        if len(self.names) > 1:
            return f"{told}, {len(self.names)} systems ({some(self.names)})"
        return f"{told} and {self._ones(self.codes[0]):,} predicted"

    def _ones(self, m: Matrix) -> int:
        return int(m.nnz if is_sparse(m) else np.count_nonzero(m))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tags):
            return NotImplemented
        plain = ("labels", "names", "items", "unit_name", "kept", "dropped", "unsaid")
        if not all(getattr(self, name) == getattr(other, name) for name in plain):
            return False
        pairs = [(self.weights, other.weights), (self.unit, other.unit)]
        alike = all(same(a, b) for a, b in pairs)
        matrices = zip((self.real, *self.codes), (other.real, *other.codes), strict=True)
        return alike and all(same_ones(a, b) for a, b in matrices)

    __hash__ = None  # type: ignore[assignment]  # equal by value, holds arrays

    # ------------------------------------------------------------------ what is there

    @property
    def total(self) -> float:
        """The weight of all items; how many there are where they have none."""
        return float(len(self) if self.weights is None else self.weights.sum())

    def counts(self, system: Hashable = None) -> Array:
        """How often a label is real and given, real, and given: ``(3, labels)``, of weights where items have them."""
        return self._counts[self._place(system)]

    @cached_property
    def _counts(self) -> tuple[Array, ...]:
        """Sums of weights; those of the same items are the same number, in whatever order they were added up."""
        found = [counts_of(self.real, z, self.weights) for z in self.codes]
        if self.weights is None:
            return tuple(map(frozen, found))
        items = int(np.count_nonzero(self.weights))
        whole = [np.where(n == items, self.total, x) for n, x in zip(self._times, found, strict=True)]
        for (both, real, given), x in zip(self._times, whole, strict=True):
            x[0] = np.where(both == real, x[1], np.where(both == given, x[2], x[0]))
        return tuple(map(frozen, whole))

    @cached_property
    def _times(self) -> tuple[Array, ...]:
        """The same of items that weigh something, each as one."""
        counted = None if self.weights is None else (self.weights > 0).astype(np.float64)
        return tuple(counts_of(self.real, z, counted) for z in self.codes)

    @cached_property
    def table(self) -> Table:
        """The stack of two-class tables named by the labels; of several systems ``(systems, labels)``."""
        cells = self._cells(np.stack(self._counts, axis=1), self.total)
        held: dict[str, Any] = {}
        if self.weights is not None:
            of = {"squares": self.weights**2, "cases": None}
            each = {k: np.stack([counts_of(self.real, z, w) for z in self.codes], axis=1) for k, w in of.items()}
            held = {k: self._cells(each[k], float(len(self) if w is None else w.sum())) for k, w in of.items()}
        alone = len(self.names) == 1
        axes = (self.labels,) if alone else (self.names, self.labels)
        held = {name: frozen(x[..., 0, :] if alone else x) for name, x in {"cells": cells, **held}.items()}
        units = None if self.unit is None else self._units()
        return Table(
            **held, predicted_labels=(True, False), real_labels=(True, False), positive=True, axes=axes, units=units
        )

    def _cells(self, counts: Array, n: float) -> Array:
        """The four cells of each system and label, ``(predicted, real, systems, labels)``."""
        cells = _four(counts, n)
        if self.weights is None:
            return cells
        times = _four(np.stack(self._times, axis=1), float(np.count_nonzero(self.weights)))
        return np.where(times > 0, np.maximum(cells, 0.0), 0.0)  # what rounding leaves where nothing is

    def _units(self) -> Units:
        """What each unit adds to each cell of each label."""
        assert self.unit is not None
        units, labels = int(self.unit.max()) + 1, len(self.labels)
        if units * labels * len(self.names) > MOST_ENTRIES:
            raise TableError(
                f"{units:,} units of {labels:,} labels are too many for tables of units; ask `informed.interval` of "
                "the tags themselves."
            )
        size = np.bincount(self.unit, self.weights, minlength=units)[:, None]
        real = _full(of_units(self.real, self.unit, self.weights))
        parts: list[tuple[Any, ...]] = []
        for s, z in enumerate(self.codes):
            y = sparse(self.real).multiply(sparse(z)).tocsr() if is_sparse(z) or is_sparse(self.real) else self.real & z
            both, given = (_full(of_units(m, self.unit, self.weights)) for m in (y, z))
            cells = (both, given - both, real - both, size - real - given + both)
            for i, held in enumerate(cells):
                own, label = np.nonzero(held > ROUNDING * size)
                parts.append((own, np.full(len(own), i), held[own, label], s * labels + label))
        unit, cell, weight, table = (np.concatenate(x) for x in zip(*parts, strict=True))
        shape = (labels,) if len(self.names) == 1 else (len(self.names), labels)
        return Units.gathered(unit, cell, weight, table=table, shape=shape, linked=True, name=self.unit_name)

    # ------------------------------------------------------------------ parts

    def where(self, chosen: NDArray[Any]) -> Tags:
        """Some of the items, by a mask or by their places."""
        at = np.arange(len(self))[chosen]
        return replace(
            self,
            real=self.real[at],
            codes=tuple(z[at] for z in self.codes),
            items=None if self.items is None else tuple(self.items[i] for i in at),
            weights=None if self.weights is None else self.weights[at],
            unit=None if self.unit is None else np.unique(self.unit[at], return_inverse=True)[1],
            kept={name: tuple(values[i] for i in at) for name, values in self.kept.items()},
        )

    def among(self, names: Sequence[Hashable]) -> Tags:
        """These systems only, in this order."""
        return replace(self, codes=tuple(self.codes[self._place(name)] for name in names), names=tuple(names))

    def of_labels(self, labels: Sequence[Hashable]) -> Tags:
        """These labels only, in this order."""
        place = {label: i for i, label in enumerate(self.labels)}
        lost = [x for x in labels if x not in place]
        if lost:
            raise TableError(f"There is no label {text(lost[0])}; there are {some(self.labels)}.")
        at = [place[x] for x in labels]
        return replace(self, real=self.real[:, at], codes=tuple(z[:, at] for z in self.codes), labels=tuple(labels))

    def by_groups(self, by: Any) -> dict[Any, Tags]:
        """The tags of each group of items; `by` has a value for each, or names what was kept."""
        values = self.kept[by] if isinstance(by, Hashable) and by in self.kept else by
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise TableError(f"There is no column {text(values)}; `by` has one value for each item, or was kept.")
        held = _as_long(values, "by", len(self))
        place = {value: i for i, value in enumerate(dict.fromkeys(held))}
        at = np.fromiter(map(place.__getitem__, held), np.int64, len(held))
        return {value: self.where(at == i) for value, i in place.items()}

    def _place(self, name: Hashable) -> int:
        if name is None and len(self.names) == 1:
            return 0
        if name not in self.names:
            raise TableError(
                f"Of which system? There are {some(self.names, 8)}."
                if name is None
                else f"There is no system {text(name)}; there are {some(self.names, 8)}."
            )
        return self.names.index(name)

    # ------------------------------------------------------------------ in and out

    def to_json(self) -> str:
        """The tags as JSON; `Tags.from_json` reads them back."""
        return tags_json.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Tags:
        """The tags that `to_json` wrote."""
        return cls(**tags_json.fields(text))

    def to_frame(self) -> Any:
        """One row an item: its real tags and those of each system, as lists."""
        return tags_json.to_frame(self)


def _read_only(m: Matrix) -> Matrix:
    """The same matrix; an array that nobody can write to through it."""
    if is_sparse(m):
        return m
    m = m.view()
    m.flags.writeable = False
    return m


def _missing(sides: Sequence[Ones], missing: Missing) -> tuple[NDArray[np.bool_], int]:
    """Which items are left out, and how many answers are taken as no tags."""
    real, *others = (side.missing for side in sides)
    said = np.any(others, axis=0)
    lost = int((real | said).sum())
    if lost and (missing == "error" or (missing == "abstain" and real.any())):
        at = int(np.flatnonzero(real if missing == "abstain" else real | said)[0])
        raise LabelError(
            f"The tags of {lost:,} {'item are' if lost == 1 else 'items are'} missing (the first at {position(at)}); "
            "an item without tags is an empty list: fill it in, or give `missing='drop'`."
        )
    if missing == "abstain":
        return np.zeros(len(real), np.bool_), int(said.sum())
    return np.asarray(real | said), 0


def _heavy(weights: Any, n: int) -> Array:
    w = floats(weights, "weights", n)
    if not w.sum() > 0:
        raise LabelError("`weights` are all 0; some item must count.")
    return w


def _as_long(values: Any, name: Any, n: int) -> tuple[Any, ...]:
    held = tuple(map(native, values))
    if len(held) != n:
        raise LabelError(f"{text(name)} has {len(held):,} values for {n:,} items; each needs one.")
    return held


def _four(counts: Array, n: float) -> Array:
    both, real, given = counts
    return np.array([[both, given - both], [real - both, n - real - given + both]])


def _full(m: Matrix) -> Array:
    return np.asarray(m.todense() if is_sparse(m) else m, np.float64)
