"""Tally: counting a stream, a loop of batches, or the share of one worker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed.errors import LabelError, TableError
from informed.evidence import table_json
from informed.evidence.calls import explained
from informed.evidence.checks import frozen
from informed.evidence.columns import column
from informed.evidence.counting import counted
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.labels import Label, native
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table
from informed.evidence.unit_counting import counted_units, numbers_of, word_of
from informed.evidence.units import Ints, sums


class Tally:
    """A table in the making. Feed it batches; merge the tallies of several workers.

    It holds counts only, can be pickled, and gives the same table whatever the batches were. Of units
    and items it keeps a hash of 8 bytes, so that those of several batches and workers are known again.

    >>> tally = Tally()
    >>> for real, predicted in [(["a", "b"], ["a", "a"]), (["b"], ["b"])]:
    ...     tally.update(real=real, predicted=predicted)
    >>> tally.table().counts.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """

    @explained
    def __init__(
        self,
        *,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        missing: Missing = "error",
        positive: Label | None = None,
        frequency: bool = False,
        square: bool = True,
        normalize: Normalize = None,
    ) -> None:
        self._how: dict[str, Any] = {
            "labels": None if labels is None else tuple(labels),
            "abstain": abstain,
            "missing": missing,
            "frequency": frequency,
            "square": square,
            "normalize": normalize if normalize is None or isinstance(normalize, str) else ",".join(normalize),
        }
        self._positive = positive
        self._parts: list[Table] = []  # each at least twice as large as the next
        self._kind: str | None = None  # "unit", "item", or neither
        self._name = "unit"
        if labels is not None and square:  # clusters have names of their own
            k = len(self._how["labels"])
            plain = [self._policy.canonical(x) for x in self._how["labels"]]
            self._parts.append(Table.from_counts(np.zeros((k, k)), labels=plain))

    @explained
    def update(
        self, *, real: Any, predicted: Any, weights: ArrayLike | None = None, unit: Any = None, item: Any = None
    ) -> None:
        """Count one batch; an empty batch is fine. Each batch has `unit`, or each `item`, or neither has."""
        if unit is not None and item is not None:
            raise LabelError("A tally keeps `unit` or `item`, not both; count both together with `Table.from_labels`.")
        if _is_empty(real) and _is_empty(predicted):
            return
        kind = "unit" if unit is not None else "item" if item is not None else None
        if kind == "item" and weights is not None and not self._how["frequency"]:
            raise LabelError("Items share their weight when all are counted; a tally of items takes no `weights`.")
        self._agree(kind, word_of(unit, "unit"))
        given = unit if item is None else item
        if given is None:
            frequency = bool(self._how["frequency"])
            made = counted([real, predicted], ["real", "predicted"], self._policy, weights, frequency=frequency)
            self._add(Table(**made))
        else:
            self._add(self._with_ids(real, predicted, weights, given))

    def merge(self, other: Tally) -> None:
        """Add what another tally has counted; the same unit is one."""
        if other._kind is not None or other._counted:
            self._agree(other._kind, other._name)
        for part in other._parts:
            self._add(part)

    def __add__(self, other: Tally) -> Tally:
        """What both have counted, as a third; ``sum(tallies)`` works, too."""
        if not isinstance(other, Tally):
            return NotImplemented
        for name, how in self._how.items():
            if other._how[name] != how:
                raise LabelError(f"One tally has {name}={how!r} and the other {name}={other._how[name]!r}.")
        both = copy(self)
        both._parts = list(self._parts)
        both.merge(other)
        return both

    def __radd__(self, other: Any) -> Tally:
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def table(self) -> Table:
        """The table so far."""
        found = self._whole()
        unlike = found.doubt if self._how["labels"] is None and self._how["normalize"] is None else None
        if unlike is not None and unlike.refused:
            raise LabelError(unlike.text)
        return found

    def _whole(self) -> Table:
        """The table so far, whatever its labels are."""
        found = self._joined()
        if found.units is not None and self._kind == "item":
            found = by_item(found)
        elif found.units is not None:
            found = replace(found, units=found.units.merged())
        return found if self._positive is None else found.with_positive(self._policy.canonical(self._positive))

    def _joined(self) -> Table:
        """What was counted, as one."""
        if not self._parts:
            raise TableError("Nothing was counted yet, and no `labels` were given.")
        while len(self._parts) > 1:
            self._join_last()
        return self._parts[0]

    def to_json(self) -> str:
        """The tally as JSON, with its hashed units: `Tally.from_json` reads it back, on any machine."""
        held = None
        if self._parts:
            whole = self._joined()
            held = json.loads(whole.to_json())
            if whole.units is not None:
                assert whole.units.ids is not None
                held["units"]["same"] = whole.units.ids.tolist()
        said = {"how": self._how, "positive": self._positive, "kind": self._kind, "name": self._name}
        return json.dumps({"informed": {"schema": 1, "kind": "tally"}, **said, "table": held}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Tally:
        """The tally that `to_json` wrote."""
        try:
            held = json.loads(text)
            table_json.check_schema(held, "tally", (1,))
            found = cls(positive=held["positive"], **held["how"])
            found._kind, found._name = held["kind"], held["name"]
            found._parts = [] if held["table"] is None else [Table(**table_json.fields(held["table"]))]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError) as error:
            raise TableError(f"This is not a tally that `to_json` wrote ({type(error).__name__}: {error}).") from None
        return found

    @property
    def _policy(self) -> LabelPolicy:
        """Of one batch, which alone says nothing of what is hardly ever real."""
        return LabelPolicy(**{name: x for name, x in self._how.items() if name != "frequency"}, part=True)

    @property
    def _counted(self) -> bool:
        return any(part.n or part.rows for part in self._parts)

    def _agree(self, kind: str | None, name: str) -> None:
        if self._counted and kind != self._kind:
            raise LabelError(
                f"Some batches have {_told(self._kind)} and this one has {_told(kind)}; all must have the same."
            )
        self._kind, self._name = kind, name if self._name == "unit" else self._name

    def _with_ids(self, real: Any, predicted: Any, weights: Any, given: Any) -> Table:
        """The batch with its units, known by hashes."""
        codes, hashes = hashed_column(given, self._kind or "unit")
        labels, frequency = {"real": real, "predicted": predicted}, bool(self._how["frequency"])
        fields = counted_units(labels, self._policy, weights, unit=codes, frequency=frequency, linked=True)
        units = fields["units"]
        kept = hashes[np.unique(codes)[units.ids]]
        return Table(**{**fields, "units": replace(units, ids=kept, name=self._name)})

    def _add(self, batch: Table) -> None:
        self._parts.append(batch)
        while len(self._parts) > 1 and _size(self._parts[-2]) <= 2 * _size(self._parts[-1]):
            self._join_last()

    def _join_last(self) -> None:
        """The last two as one; units of both are the same where their hashes are."""
        b, a = self._parts.pop(), self._parts.pop()
        added = a.without_units() + b.without_units()
        one, other = (x.units for x in a.aligned(b))
        both = one if other is None else other if one is None else one.together(other)
        self._parts.append(replace(added, units=both))

    def __repr__(self) -> str:
        return f"Tally: {self._whole()!r}" if self._parts else "Tally of nothing"


def hashed_column(given: Any, kind: str) -> tuple[Ints, Ints]:
    """Which name each case has of its unit or item, and the hash of each name; a missing one is an error."""
    held = column(given, kind)
    names = held if held.names is not None else held.dense()
    numbers_of(held, kind)
    return np.asarray(names.codes, np.int64), np.asarray([hashed(x) for x in names.names or ()], np.int64)


def hashed(name: Any) -> int:
    """A number of 8 bytes for the name of a unit, the same on every machine."""
    return int.from_bytes(blake2b(repr(native(name)).encode(), digest_size=8).digest(), "big", signed=True)


def by_item(t: Table) -> Table:
    """The table in which the answers to an item share its weight, of one whose units are items of whole answers."""
    units = t.units
    assert units is not None
    times = sums(units.row, units.weight, len(units.mult))
    shared = units.weight / times[units.row]
    several = bool((times > 1).any())
    differ = several and len(units.row) > len(units.mult)
    held = replace(units, weight=shared)
    size = len(t.predicted_labels) * len(t.real_labels)
    whole = size + len(t.real_labels)
    of_cells = held.cells(whole)
    if several:
        shape = (len(t.predicted_labels), len(t.real_labels))
        changes: dict[str, Any] = {"cells": of_cells[:size].reshape(shape), "cases": t.cells}
        if t.unanswered is not None:
            changes |= {"unanswered": of_cells[size:], "unanswered_cases": t.unanswered}
        if differ:
            squares = replace(units, weight=shared / times[units.row]).cells(whole)
            changes["squares"] = squares[:size].reshape(shape)
            if t.unanswered is not None:
                changes["unanswered_squares"] = squares[size:]
        frozen_ones: dict[str, Any] = {name: frozen(x) for name, x in changes.items()}
        t = replace(t, **frozen_ones)
    held = replace(held, of="item", name="item", asked=differ, each=1 / times if several else None)
    return replace(t, units=held.merged())


def _size(t: Table) -> int:
    return 1 if t.units is None else len(t.units.row)


def _told(kind: str | None) -> str:
    return "no units" if kind is None else f"`{kind}`"


def _is_empty(values: Any) -> bool:
    try:
        return len(values) == 0
    except TypeError:
        raise LabelError(f"`real` and `predicted` must be sequences; a {type(values).__name__} was given.") from None
