"""The same items answered by several systems, as numbers: what comparisons need.

`paired` makes them of what users have: labels in any containers, or joined by their items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed.errors import LabelError, TableError
from informed.evidence.cells import Places, same
from informed.evidence.checks import positive_of
from informed.evidence.columns import column, floats
from informed.evidence.counting import axis_of, check_lengths
from informed.evidence.joint import Joint
from informed.evidence.label_order import Stated
from informed.evidence.label_policy import Encoded, LabelPolicy, Mask, Missing, encode, given_labels, respelled
from informed.evidence.labels import Label, Labels, some, text
from informed.evidence.likeness import Normalize
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.table import Table
from informed.evidence.unit_counting import check_items, group_places, in_units, shares, word_of

LEFT_OUT = ("not-run", "unscored", "error", "abstained")  # why a case does not count; the last if it is not asked for


@dataclass(frozen=True, eq=False)
class Paired:
    """Answers of several systems to the same items.

    `codes[i, s]` is the place in `labels` of what system s answered in row i, -1 where it gave no
    answer, -2 where it was not asked or does not count, and `left_out` then says why; `real_codes[i]` is
    the place of the real label. A row is an item, or where items were asked several times, one of the
    times: `item` then says which rows are the same.
    """

    real_codes: Places  # (items,)
    codes: Places  # (items, systems)
    labels: tuple[Hashable, ...]
    names: tuple[Hashable, ...]  # of the systems
    items: tuple[Hashable, ...] | None = None  # None where the items have no names
    positive: Hashable | None = None
    missing: int = 0  # items left out because a label was missing
    weights: NDArray[np.float64] | None = None  # of the items
    unit: Places | None = None  # the unit (document, patient) of each row, numbered from 0
    item: Places | None = None  # the item of each row, numbered from 0, where some were asked several times
    unit_name: str = "unit"  # what a unit is called
    kept: Mapping[Hashable, tuple[Any, ...]] = field(default_factory=dict)  # other columns, by item
    stated: Stated | None = None  # who stated the order of the labels
    unsaid: int = 0  # missing answers that count as no answer
    respelled: int = 0  # items with a label that `normalize` took for another
    remarks: tuple[str, ...] = ()  # what was done to read it, that a reader should know
    unlabelled: Mapping[Hashable, int] = field(default_factory=dict)  # answers of a system that a join left out
    unfinished: Mapping[Hashable, str] = field(default_factory=dict)  # how the run of a system ended that is not whole
    left_out: NDArray[np.int8] | None = None  # as codes: where a case does not count, 1 + its place in LEFT_OUT

    def __len__(self) -> int:
        return len(self.real_codes)

    def __repr__(self) -> str:
        return f"Paired: {self.n_items:,} items, {len(self.names)} systems, {len(self.labels)} labels"

    @property
    def n_items(self) -> int:
        """How many items there are, however often each was asked."""
        return len(self) if self.item is None else len(np.unique(self.item))

    @property
    def thing(self) -> str:
        """What a row is: an "item" where something names them, else only a "row"."""
        return "row" if self.items is None and self.item is None else "item"

    @property
    def groups(self) -> dict[str, Places]:
        """The "unit" and the "item" of each row, those that are known."""
        return {name: x for name, x in (("unit", self.unit), ("item", self.item)) if x is not None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Paired):
            return NotImplemented
        plain = ("labels", "names", "items", "positive", "missing", "kept")
        arrays = ("real_codes", "codes", "weights", "unit", "item", "left_out")
        return all(getattr(self, name) == getattr(other, name) for name in plain) and all(
            same(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, holds arrays

    def where(self, chosen: NDArray[Any]) -> Paired:
        """Some of the items, by a mask or by their places."""
        at = np.arange(len(self))[chosen]
        return replace(
            self,
            real_codes=self.real_codes[at],
            codes=self.codes[at],
            items=None if self.items is None else tuple(self.items[i] for i in at),
            weights=None if self.weights is None else self.weights[at],
            **{name: held[at] for name, held in self.groups.items()},
            left_out=None if self.left_out is None else self.left_out[at],
            kept={name: tuple(values[i] for i in at) for name, values in self.kept.items()},
        )

    def among(self, names: Sequence[Hashable]) -> Paired:
        """These systems only, in this order."""
        at = [self._place(name) for name in names]
        left_out = None if self.left_out is None else self.left_out[:, at]
        return replace(self, codes=self.codes[:, at], names=tuple(names), left_out=left_out)

    @property
    def counted(self) -> Paired:
        """The items that count in every system, at one of the times at least that each was asked."""
        there = self.codes != ABSENT
        if there.all():
            return self
        if self.item is not None:
            ever = np.zeros((int(self.item.max()) + 1, len(self.names)), np.bool_)
            np.logical_or.at(ever, self.item, there)
            there = ever[self.item]
        return replace(self.where(np.asarray(there.all(axis=1))), left_out=None)

    def lost(self) -> dict[Hashable, dict[str, int]]:
        """How many cases of each system do not count, and why."""
        absent = (self.codes == ABSENT) * (self.item is None)
        why = absent if self.left_out is None else self.left_out
        return self._each({name: why == i for i, name in enumerate(LEFT_OUT, 1)})

    def states(self) -> dict[Hashable, dict[str, int]]:
        """How many cases of each system are right, wrong, without an answer, or left out and why."""
        right, silent = self.codes == self.real_codes[:, None], self.codes == -1
        held = self._each({"right": right, "wrong": ~right & (self.codes >= 0), "abstained": silent})
        for name, more in self.lost().items():
            held[name] |= {state: n + held[name].get(state, 0) for state, n in more.items()}
        for name, n in self.unlabelled.items():
            if name in held:
                held[name]["unscored"] = held[name].get("unscored", 0) + n
        return held

    def _each(self, masks: Mapping[str, Mask]) -> dict[Hashable, dict[str, int]]:
        """How often each is true of each system."""
        sums = {state: np.count_nonzero(mask, axis=0).tolist() for state, mask in masks.items()}
        return {name: {state: n[s] for state, n in sums.items()} for s, name in enumerate(self.names)}

    @property
    def tables(self) -> Table:
        """One table for each system, as a stack named after the systems, which know their units."""
        return self._counted()

    def tables_by(self, groups: Sequence[Any] | NDArray[Any]) -> Table:
        """One table for each system and group of items, as a stack ``(systems, groups)``.

        `groups` has a value for each item, such as ``kept["language"]``.
        """
        if len(groups) != len(self):
            raise TableError(f"{len(groups)} groups were given for {len(self)} items.")
        return self._counted(axis_of(column(groups, "groups").side()))

    def _counted(self, *groups: tuple[Places, Labels]) -> Table:
        rows, systems = self.codes.shape

        def each(values: NDArray[Any]) -> NDArray[Any]:
            return np.repeat(values, systems)

        codes = self.codes.ravel()
        asked = codes != ABSENT
        places = [each(self.real_codes)[asked], codes[asked]]
        held = Encoded(self.labels, self.labels, self.stated, places, np.zeros(len(places[0]), np.bool_))
        one = np.ones(len(places[0]))
        w = one if self.weights is None else each(self.weights)[asked]
        own = (np.tile(np.arange(systems), rows), self.names)
        axes = [(each_codes[asked], names) for each_codes, names in (own, *((each(x), n) for x, n in groups))]
        units = {name: each(x)[asked] for name, x in self.groups.items()}
        named, weighted = {"unit": self.unit_name, "item": "item"}, self.weights is not None
        fields = in_units(held, (one, w, w * w), axes, units, named, weighted=weighted)
        return Table(**fields).with_positive(self.positive)

    @property
    def right_or_wrong(self) -> Paired:
        """The same answers as right or wrong, of items that are all really right; no answer is wrong."""
        wrong = (self.codes != self.real_codes[:, None]).astype(np.int64)
        codes = np.where(self.codes == ABSENT, ABSENT, wrong)
        none = np.zeros(len(self), np.int64)
        return replace(self, real_codes=none, codes=codes, labels=(True, False), positive=True, stated=None)

    def joint(self, a: Hashable, b: Hashable) -> Joint:
        """How often a and b gave each pair of answers, with the units of the items.

        The answers to an item that was asked several times share its weight, each of a's with each of
        b's: so the margins are the tables of the two systems on the items that both were asked.
        """
        one, other = (self.codes[:, self._place(name)] for name in (a, b))
        said: dict[str, Any] = {"labels": self.labels, "positive": self.positive, "stated": self.stated}
        said |= {"weights": self.weights, "unit_name": self.unit_name}
        both = (one != ABSENT) & (other != ABSENT)
        if self.item is None and not both.all():
            return self.where(both).joint(a, b)
        return Joint.from_codes(self.real_codes, one, other, groups=self.groups, **said)

    def _place(self, name: Hashable) -> int:
        if name not in self.names:
            raise TableError(f"There is no system {name!r}; there are {', '.join(map(repr, self.names))}.")
        return self.names.index(name)


# ---------------------------------------------------------------------- from what users have


def paired(
    real: Any,
    predictions: Any,
    *,
    names: Sequence[Hashable] | None = None,
    items: Any = None,
    abstain: Any = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    missing: Missing | None = None,
    weights: ArrayLike | None = None,
    unit: Any = None,
    item: Any = None,
    normalize: Normalize = None,
) -> Paired:
    """Answers of several systems to the same items, from any containers.

    `predictions` are a mapping from a system's name to its labels, a data frame with a column for
    each system, or an array of integers (items x systems) in which -1 is no answer. Where `real`
    and each system's labels are mappings from item to label, they are joined: an item that `real`
    does not have is an error, one that a system does not have was not run and is left out of its
    comparisons, and an empty answer is `missing`, which is then "abstain" unless something else is
    given. Otherwise a missing label is an error.

    `unit` are rows that belong together; `item` are rows that ask the same, and share its weight.
    `normalize` is as for `Table.from_labels`.
    """
    if isinstance(predictions, Paired):
        counted = {"real": real, "names": names, "items": items, "abstain": abstain, "labels": labels}
        refuse_again({**counted, "positive": positive, "missing": missing})
        return weighed(predictions, weights, unit, item)
    if items is not None:
        _check_ids(items)
    if isinstance(predictions, np.ndarray) and predictions.ndim == 2:
        least = -1 if item is None else ABSENT  # only of several times can some be missing
        coded = _from_array(real, predictions, names, items, labels, positive, least)
        return _checked(weighed(coded, weights, unit, item))
    if hasattr(predictions, "columns") and not isinstance(predictions, Mapping):
        predictions = {name: predictions[name] for name in predictions.columns}
    if not isinstance(predictions, Mapping):
        raise LabelError(
            f"`predictions` is a {type(predictions).__name__}; a mapping from each system's name "
            "to its labels is needed, or an array of integers (items x systems)."
        )
    if len(predictions) == 0:
        raise LabelError("`predictions` names no system; two at least are needed.")
    left_out = None
    if isinstance(real, Mapping):
        filled = real if missing != "error" else {}
        real, predictions, items, left_out = _joined(real, predictions, filled)
        missing = missing or "abstain"
    policy = LabelPolicy(labels, abstain, missing or "error", normalize=normalize)
    found, lost = _from_columns(real, predictions, items, policy, positive)
    found = without(found, left_out)
    found = weighed(found, weights, unit, item)
    return _checked(found.where(~lost) if lost.any() else found)


def refuse_again(given: Mapping[str, Any]) -> None:
    """Refuse what is said of labels when they have been read already."""
    for name, value in given.items():
        if value is not None:
            raise LabelError(
                f"`{name}` is about labels, and these answers were read already; give it where they are read."
            )


def weighed(p: Paired, weights: Any, unit: Any, item: Any = None) -> Paired:
    """The same answers, with a weight, a unit and an item for each row."""
    if weights is not None:
        w = floats(weights, "weights", len(p))
        if not w.sum() > 0:
            raise LabelError("`weights` are all 0; some item must count.")
        p = replace(p, weights=w)
    groups: dict[str, Any] = {**group_places({"unit": unit, "item": item}, len(p))}
    if "item" in groups and len(np.unique(groups["item"])) == len(p):
        del groups["item"]  # each was asked once
    if unit is not None:
        p = replace(p, unit_name=word_of(unit, "unit"))
    p = replace(p, **groups)
    check_items(p.groups, p.real_codes, p.weights)
    return p


def answer_weights(p: Paired) -> NDArray[np.float64]:
    """What each answer weighs: its share of its item."""
    share = np.ones(len(p)) if p.item is None else shares(np.ones(len(p)), p.item)[0]
    return share if p.weights is None else p.weights * share


def without(p: Paired, left_out: Any) -> Paired:
    """The same answers, where some cases do not count: see `Paired.left_out`."""
    if left_out is None or not np.any(left_out):
        return p
    out = np.asarray(left_out, np.int8)
    return replace(p, codes=np.where(out > 0, ABSENT, p.codes), left_out=out)


def _check_ids(items: Any) -> None:
    again = [item for item, times in Counter(items).items() if times > 1]
    if again:
        raise LabelError(f"The item {text(again[0])} appears more than once; each item needs an id of its own.")


def _joined(
    real: Mapping[Any, Any], predictions: Mapping[Any, Any], filled: Mapping[Any, Any]
) -> tuple[list[Any], dict[Any, list[Any]], list[Any], NDArray[np.bool_]]:
    """Real labels and answers in the order of the items, and who was not asked which of them.

    What was not asked holds the place of a label, or is missing where `filled` has none.
    """
    items = list(real)
    aligned: dict[Any, list[Any]] = {}
    for name, answers in predictions.items():
        if not isinstance(answers, Mapping):
            raise LabelError(
                f"`real` is a mapping from items to labels, and the predictions of "
                f"{text(name)} are not; give both in the same form."
            )
        unknown = [item for item in answers if item not in real]
        if unknown:
            raise LabelError(
                f"System {text(name)} answers {len(unknown)} item(s) that have no real label "
                f"({some(unknown)}); systems are compared on the same items."
            )
        aligned[name] = [answers.get(item, filled.get(item)) for item in items]
    not_run = np.asarray([[item not in answers for answers in predictions.values()] for item in items])
    return [real[item] for item in items], aligned, items, not_run


def _from_columns(
    real: Any, predictions: Mapping[Any, Any], items: Any, policy: LabelPolicy, positive: Label
) -> tuple[Paired, Mask]:
    """The answers to all items, and which of these are to be left out."""
    named = {"real": real} | {f"predictions[{name!r}]": x for name, x in predictions.items()}
    columns = {name: column(x, name) for name, x in named.items()}
    check_lengths({name: len(x) for name, x in columns.items()})
    held = encode([x.side() for x in columns.values()], policy, names=list(columns))
    if items is not None and len(items) != len(held.lost):
        raise LabelError(f"`items` has {len(items)} ids for {len(held.lost)} real labels.")

    found = Paired(
        real_codes=held.places[0],
        codes=np.stack(held.places[1:], axis=1),
        labels=held.labels,
        names=tuple(predictions),
        items=None if items is None else tuple(items),
        positive=positive_of(held.labels, held.labels, None if positive is None else policy.canonical(positive)),
        missing=int(held.lost.sum()),
        stated=held.stated,
        unsaid=held.unsaid,
        respelled=respelled(held),
        remarks=held.remarks(held.places[0].size * len(predictions)),
    )
    return found, held.lost


def _from_array(
    real: Any,
    codes: NDArray[Any],
    names: Sequence[Hashable] | None,
    items: Any,
    labels: Sequence[Label] | None,
    positive: Label,
    least: int,
) -> Paired:
    """Integers that are places in `labels`, -1 for no answer."""
    truth = np.asarray(real)
    if codes.dtype.kind not in "biu" or truth.dtype.kind not in "biu":
        raise LabelError(
            "An array of predictions (items x systems) and its `real` must hold integers, -1 for "
            "no answer; give labels of other kinds as a mapping from each system's name."
        )
    if truth.shape != codes.shape[:1]:
        raise LabelError(
            f"`predictions` has {codes.shape[0]} rows for {truth.size} real labels; one row for each item is needed."
        )
    if truth.size == 0 or (truth < 0).any() or (codes < least).any():
        raise LabelError("Places must be 0 or more, or -1 for no answer; real labels have no -1.")
    if names is not None and len(names) != codes.shape[1]:
        raise LabelError(f"{len(names)} names were given for {codes.shape[1]} systems.")

    largest = int(max(truth.max(), codes.max(initial=0)))
    if labels is not None and largest >= len(labels):
        raise LabelError(f"The code {largest} is beyond the {len(labels)} labels.")
    known: Labels = tuple(range(max(2, largest + 1))) if labels is None else given_labels(labels)
    return Paired(
        real_codes=truth.astype(np.int64),
        codes=codes.astype(np.int64, copy=False),
        labels=known,
        names=tuple(range(codes.shape[1]) if names is None else names),
        items=None if items is None else tuple(items),
        positive=positive_of(known, known, positive),
        stated=None if labels is None else "given",
    )


def _checked(p: Paired) -> Paired:
    if len(set(p.names)) != len(p.names):
        raise LabelError(f"Two systems have the same name among {some(p.names)}.")
    if (p.real_codes == p.real_codes[0]).all():
        raise LabelError(
            f"Every item is really {text(p.labels[p.real_codes[0]])}; with one real class nothing "
            "can be told from guessing."
        )
    return p
