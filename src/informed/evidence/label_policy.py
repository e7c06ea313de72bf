"""The label policy: what columns of labels become, the same through every door.

`encode` takes the columns of real labels and of answers, however many, and gives each label its
place. What one label is (canonical form, missing, alike, positive) stands in `labels`, their order
in `label_order`; here it is applied to columns:

- None, NaN, NaT, NA and null are missing. A missing label is an error that says how many and
  where; ``missing="drop"`` leaves the case out and counts it, ``missing="abstain"`` takes a
  missing *answer* for no answer (a case without a real label stays an error).
- `abstain` names the answers that mean "no answer".
- Labels that look equal and are not (1 and "1", True and 2) are refused.
- `normalize` takes labels as the same that differ only by case, space, … Where nothing was said of it,
  labels that differ by no more, and answers that are hardly ever a real label, are refused: see `likeness`.
- `labels` gives the classes and their order, and another label is an error. Otherwise the classes
  are those that a type declares in order, or those that occur, sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import LabelError, one_of
from informed.evidence.histogram import Codes
from informed.evidence.label_order import Stated, declared_order, order_of, ordered
from informed.evidence.labels import (
    Label,
    Labels,
    canonical,
    check_kinds,
    is_missing,
    native,
    refuse_lookalikes,
    some,
    text,
    written,
)
from informed.evidence.likeness import Cases, Normalize, alike, differ_by, doubt, kinds_of, normal, repair
from informed.evidence.tags_columns import several_in_one

Missing: TypeAlias = Literal["error", "drop", "abstain"]
Where: TypeAlias = Callable[[int], list[Any]]  # positions of the first missing labels of a side
Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

SILENT = -1  # the place of no answer
ARGUMENTS = ("real", "predicted", "a", "b")  # what sides are called in Python; other names are of columns


@dataclass(frozen=True)
class Side:
    """A column of labels: of each row or group its code, of each code the label as it came."""

    codes: Codes  # a negative one is a missing label
    raw: Sequence[Any]
    levels: Labels | None = None  # in order, where the type of the column declares one


@dataclass(frozen=True)
class LabelPolicy:
    """What a caller says of the labels."""

    labels: Iterable[Any] | None = None
    abstain: Any = None
    missing: Missing = "error"
    square: bool = True  # whether answers are real labels; clusters are not
    ratings: bool = False  # every side is an answer, and may be a number with a fraction
    typed: bool = False  # `labels` and `abstain` were typed for a source: "1" may name 1
    normalize: Normalize = None  # what makes labels the same; None: nothing does, and labels alike are refused
    part: bool = False  # of the cases, which alone say nothing of what is hardly ever real
    rows: Callable[[str], list[int]] | None = None  # of a source: the first rows that lack a label of a column

    def __post_init__(self) -> None:
        one_of("missing", self.missing, ("error", "drop", "abstain"), LabelError)
        kinds_of(self.normalize)
        if not (self.labels is None or isinstance(self.labels, Iterable)):
            raise LabelError(f"`labels` is {text(self.labels)}; a list of the classes is needed.")

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What makes labels the same."""
        return kinds_of(self.normalize) or ()

    def canonical(self, x: Any) -> Hashable:
        """The label that a value stands for; None where it is only white space that does not count."""
        label = native(x) if self.ratings else canonical(x)
        return normal(label, self.kinds, fractions=self.ratings) if self.kinds else label

    def as_held(self, sides: Sequence[Side]) -> LabelPolicy:
        """The same, with what was typed as the columns hold it."""
        if not self.typed or (self.labels is None and self.abstain is None):
            return self
        held = Held(x for side in sides for x in side.raw)
        labels = None if self.labels is None else [held(x) for x in self.labels]
        return replace(self, labels=labels, abstain=held.each(self.abstain), typed=False)


@dataclass(frozen=True)
class Encoded:
    """Labels as places: real ones in `labels`, answers in `answers`, `SILENT` for no answer."""

    labels: Labels
    answers: Labels  # the same, unless the policy is not square
    stated: Stated | None  # of their order; None: as the labels themselves say
    places: list[Places]  # of each side; of no meaning where a case is lost
    lost: Mask  # cases to leave out because a label is missing
    unsaid: int = 0  # missing answers that count as no answer
    respelled: Mask | None = None  # cases with a label that was written otherwise
    idle: Labels = ()  # what was said to mean no answer, and no answer is

    def remarks(self, answers: float) -> tuple[str, ...]:
        """What a reader should know of so many answers."""
        if not self.idle:
            return ()
        return (f"None of {answers:,g} answers is {some(self.idle)}, which `abstain` names as no answer.",)


def encode(
    sides: Sequence[Side],
    policy: LabelPolicy,
    *,
    n: Array | None = None,
    names: Sequence[str] = ("real", "predicted"),
    where: Where | None = None,
    items: Sequence[Any] | None = None,
) -> Encoded:
    """Places of the labels of all sides: the real one first, then any number of answers.

    Rows are cases, or groups of `n` cases. `names` is what messages call the sides. Cases with a
    missing label are told by their `items`, or by their positions, which `where` knows of groups.
    """
    policy = policy.as_held(sides)
    read = [_Numbered.of(side, policy, is_answer=i > 0 or policy.ratings) for i, side in enumerate(sides)]
    lost = np.logical_or.reduce([side.gone for side in read])
    if lost.any() and policy.missing != "drop":
        by_item = items is not None and len(items) > 0
        known, unit = where or _positions([side.gone for side in read], n, items), "item" if by_item else "position"
        if policy.rows is not None and where is None and not by_item:
            rows = policy.rows
            known, unit = lambda i: rows(names[i]), "row"
        seen = {
            name: (_how_many(side.gone, n), known(i) if side.gone.any() else [])
            for i, (name, side) in enumerate(zip(names, read, strict=True))
        }
        told = missing_labels(seen, policy, unit)
        raise LabelError(_and_several(told, dict.fromkeys(x for side in sides for x in side.raw)))
    if lost.any() and lost.all():
        raise LabelError("Every case has a missing label; nothing is left to count.")

    # Only labels that will be counted take part in what follows.
    present = [side.present(lost) for side in read]
    reals, guesses = _two_sides(present, policy)
    check_kinds(reals, guesses, policy.square)
    if policy.ratings:
        for name, other in zip(names[1:], present[1:], strict=True):
            check_kinds(present[0], other, names=(names[0], name))
    levels = [_levels(side, policy, reals) for side in sides]
    labels, answers, stated = _universe(reals, guesses, levels, policy)

    if policy.labels is not None:
        own = read if policy.square else read[:1]
        outside = ~lost & np.logical_or.reduce([~side.silent & (side.places(labels) < 0) for side in own])
        if outside.any():
            named = dict.fromkeys([*reals, *(guesses if policy.square else ())])
            strange = ordered(x for x in named if x not in labels)
            raise LabelError(_labels_outside(strange, labels, _how_many(outside, n)))
    elif policy.square and policy.normalize is None and not policy.part and (policy.ratings or {*guesses} - {*reals}):
        _refuse_unlike([side.cases(lost, n) for side in read], policy, names)

    places = [side.places(answers if i else labels) for i, side in enumerate(read)]
    unsaid = sum(_how_many((side.codes < 0) & ~lost, n) for side in read)
    respelled = ~lost & np.logical_or.reduce([side.respelled for side in read]) if policy.kinds else None
    return Encoded(labels, answers, stated, places, np.asarray(lost), unsaid, respelled, _idle(read, policy))


def respelled(held: Encoded, n: Array | None = None) -> int:
    """In how many cases that are counted a label was written otherwise."""
    return 0 if held.respelled is None else _how_many(held.respelled, n)


def abstentions(abstain: Any, form: Callable[[Any], Hashable] = canonical) -> list[Hashable]:
    """The labels that mean "no answer", given as one or as several."""
    if abstain is None:
        return []
    several = isinstance(abstain, Iterable) and not isinstance(abstain, Hashable)
    several = several or isinstance(abstain, frozenset)
    values = list(abstain) if several else [abstain]
    if any(map(is_missing, values)):
        raise LabelError("`abstain` holds a missing value; use `missing='abstain'` for that.")
    return list(dict.fromkeys(map(form, values)))


def given_labels(labels: Iterable[Any], form: Callable[[Any], Hashable] = canonical) -> Labels:
    """The classes that a caller names, in their order."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise LabelError(f"`labels` is {text(labels)}; a sequence of labels is needed.")
    raw = list(labels)
    if any(map(is_missing, raw)):
        raise LabelError("`labels` holds a missing value, which is never a label.")
    given = tuple(map(form, raw))
    if not given:
        raise LabelError("`labels` is empty; at least one label is needed.")
    twice = [x for i, x in enumerate(given) if x in given[:i]]
    if twice:
        raise LabelError(f"`labels` holds {text(twice[0])} twice; each label may appear once.")
    check_kinds(given, ())
    return given


class Held:
    """What was typed for a source, as the source holds it: there 1 and "1" name the same label."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.labels = {native(x) for x in values if not is_missing(x)}
        self.by_text: dict[str, Hashable] = {str(int(x)): x for x in self.labels if isinstance(x, bool)}
        self.by_text |= {_spelled(x): x for x in self.labels}

    def __call__(self, given: Any) -> Any:
        if isinstance(given, Hashable) and given in self.labels:
            return given
        return self.by_text.get(_spelled(given), given)

    def each(self, given: Any) -> Any:
        if isinstance(given, (list, tuple, set, frozenset)):
            return [self(x) for x in given]
        return None if given is None else self(given)


def _spelled(label: Label) -> str:
    return str(label).casefold() if isinstance(label, bool) else written(label)


# ---------------------------------------------------------------- the steps


@dataclass(frozen=True)
class _Numbered:
    """A side whose canonical labels are numbered."""

    codes: Codes  # -1 where the label is missing
    index: dict[Hashable, int]
    silent: Mask  # who gave no answer
    gone: Mask  # whose label is missing
    respelled: Mask  # whose label was written otherwise

    @classmethod
    def of(cls, side: Side, policy: LabelPolicy, *, is_answer: bool) -> _Numbered:
        index: dict[Hashable, int] = {}
        labels = [None if is_missing(x) else policy.canonical(x) for x in side.raw]
        number = [-1 if x is None else index.setdefault(x, len(index)) for x in labels]
        codes = np.asarray([*number, -1], np.int64)[side.codes]
        other = [x is not None and x != native(raw) for x, raw in zip(labels, side.raw, strict=True)]
        respelled = np.asarray([*other, False])[side.codes] if any(other) else np.zeros(len(codes), np.bool_)

        unsaid = abstentions(policy.abstain, policy.canonical) if is_answer else []
        if unsaid:
            refuse_lookalikes([*unsaid, *index])
        silent, gone = np.isin(codes, [index[x] for x in unsaid if x in index]), codes < 0
        if is_answer and policy.missing == "abstain":
            silent, gone = silent | gone, np.zeros_like(gone)
        return cls(codes, index, silent, gone, respelled)

    def cases(self, lost: Mask, n: Array | None) -> Cases:
        """How many cases that are counted have each label."""
        kept = ~lost & ~self.silent
        found = np.bincount(self.codes[kept], None if n is None else n[kept], minlength=len(self.index))
        return {name: float(found[i]) for name, i in self.index.items() if found[i]}

    def present(self, lost: Mask) -> list[Hashable]:
        """The labels of the cases that are counted."""
        seen = np.zeros(len(self.index), np.bool_)
        seen[self.codes[~lost & ~self.silent]] = True
        return [name for name, i in self.index.items() if seen[i]]

    def places(self, labels: Labels) -> Places:
        """Places of the labels; `SILENT` for no answer, and for a label that is not among them."""
        place = {label: i for i, label in enumerate(labels)}
        found = np.asarray([*(place.get(name, SILENT) for name in self.index), SILENT], np.int64)
        return np.where(self.silent, SILENT, found[self.codes])


def _idle(read: Sequence[_Numbered], policy: LabelPolicy) -> Labels:
    """What was said to mean no answer, and is none of the answers to the cases."""
    if policy.abstain is None or policy.part:
        return ()
    answers = read if policy.ratings else read[1:]
    return tuple(x for x in abstentions(policy.abstain, policy.canonical) if not any(x in y.index for y in answers))


def _two_sides(seen: list[list[Hashable]], policy: LabelPolicy) -> tuple[list[Hashable], list[Hashable]]:
    answers = list(dict.fromkeys(x for labels in seen[1:] for x in labels))
    if policy.ratings:  # nobody is right: all sides are one
        return list(dict.fromkeys([*seen[0], *answers])), []
    return seen[0], answers


def _levels(side: Side, policy: LabelPolicy, reals: Sequence[Hashable]) -> Labels | None:
    """The labels that a column declares, in order, without those that mean no answer."""
    if side.levels is None:
        return None
    unsaid = set(abstentions(policy.abstain, policy.canonical)) - set(reals)
    named = map(policy.canonical, side.levels) if policy.kinds else map(native, side.levels)
    return tuple(x for x in dict.fromkeys(named) if x not in unsaid)


def _universe(
    reals: list[Hashable], guesses: list[Hashable], levels: list[Labels | None], policy: LabelPolicy
) -> tuple[Labels, Labels, Stated | None]:
    """Real and predicted labels in order, and who stated it."""
    if policy.square:
        if policy.labels is not None:
            given = given_labels(policy.labels, policy.canonical)
            return given, given, "given"
        # The spelling of the real side stays, where both have the same label.
        labels, stated = _in_order(list(dict.fromkeys([*reals, *guesses])), levels)
        return labels, labels, stated
    answers, how = _in_order(guesses, levels[1:])
    if policy.labels is not None:
        labels, stated = given_labels(policy.labels, policy.canonical), "given"
    else:
        labels, stated = _in_order(reals, levels[:1])
    known = order_of(labels, stated) and order_of(answers, how)
    return labels, answers, (stated or how) if known else None


def _in_order(seen: list[Hashable], levels: Sequence[Labels | None]) -> tuple[Labels, Stated | None]:
    declared = declared_order(seen, levels)
    return (ordered(seen), None) if declared is None else (declared, "declared")


# ---------------------------------------------------------------- refusals


def _positions(gone: Sequence[Mask], n: Array | None, items: Sequence[Any] | None) -> Where:
    """The first cases of a side that lack a label; none where rows are groups without names."""
    if n is not None and items is None:
        return lambda side: []
    first = [np.flatnonzero(mask)[:3].tolist() for mask in gone]
    if items is None:
        return first.__getitem__
    return lambda side: [text(items[i]) for i in first[side]] if items else []


def _at(unit: str, at: Sequence[Any], more: str) -> str:
    """Where labels are missing: positions are those of Python, rows those of the data of a file."""
    said = ", ".join(str(x + 1 if unit == "row" else x) for x in at)
    several = "s" if len(at) > 1 or more else ""
    end = {"position": ", counted from 0", "row": " of the data"}.get(unit, "")
    return f"{unit}{several} {said}{more}{end}"


def missing_labels(seen: Mapping[str, tuple[int, Sequence[Any]]], policy: LabelPolicy, unit: str = "position") -> str:
    """How many labels each side lacks, where the first ones are, and what can be done."""
    said = []
    for name, (how_many, at) in seen.items():
        if how_many:
            more = ", …" if how_many > len(at) else ""
            place = f" ({_at(unit, at, more)})" if at else ""
            named = f"`{name}`" if name in ARGUMENTS or "[" in name else text(name)  # a column may be called level
            said.append(f"{named} has {how_many:,} missing label{'s' * (how_many > 1)}{place}")
    drop = "`missing='drop'`"
    hint = (
        f"a missing answer can be an abstention, a missing real label cannot; use {drop}"
        if policy.missing == "abstain"
        else f"use {drop} to leave such cases out, or `missing='abstain'` to count a missing "
        f"{'rating as none' if policy.ratings else 'prediction as no answer'}"
    )
    if not policy.ratings and next(iter(seen.values()), (0,))[0]:
        hint += ". If the real label is known of some cases only, `informed verify` corrects for how these were chosen"
    return f"{' and '.join(said)}; {hint}."


def _and_several(told: str, labels: Iterable[Any]) -> str:
    """What is missing; where labels look like several in one, that an empty field may be none of them comes first."""
    found = several_in_one(labels)
    if found is None:
        return told
    mark, one = found
    seen, _, hint = told.partition("; ")
    return (
        f"{seen}, and labels such as {text(one)} look like several in one: give `separator={mark!r}` if they are, so "
        f"that an empty one is an item without tags. If not, {hint}"
    )


def _how_many(mask: Mask, n: Array | None) -> int:
    return int(mask.sum() if n is None else n[mask].sum())


def _refuse_unlike(sides: Sequence[Cases], policy: LabelPolicy, names: Sequence[str]) -> None:
    """Refuse answers that cannot be what they are taken for; of raters, labels that only their spelling tells apart."""
    if policy.ratings:
        for i, own in enumerate(sides):
            others = {x: n for side in (*sides[:i], *sides[i + 1 :]) for x, n in side.items()}
            found = alike(others, own, names[i], whose="other")
            if found is not None and found.refused:
                raise LabelError(found.text)
        return
    for own, name in zip(sides[1:], names[1:] if len(sides) > 2 else ["predicted"], strict=True):
        found = doubt(sides[0], own, name)
        if found is not None and found.refused:
            raise LabelError(found.text)


def _labels_outside(strange: Sequence[Hashable], labels: Labels, rows: int) -> str:
    spelled = {written(x): x for x in labels}
    near = get_close_matches(written(strange[0]), spelled, n=1)
    hint = f" Did you mean {text(spelled[near[0]])}?" if near else ""
    same = next((kinds for x in labels if (kinds := differ_by(strange[0], x))), ())
    if near and near[0] == written(strange[0]):
        hint = f" {text(spelled[near[0]])} in `labels` is of another type: convert one of them."
    if same:
        hint += f" With {repair(same)} it is one of them."
    return (
        f"{some(strange)} {'is' if len(strange) == 1 else 'are'} not in `labels` "
        f"({rows:,} row{'s' if rows > 1 else ''}); add what is meant to be counted.{hint}"
    )
