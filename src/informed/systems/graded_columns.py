"""Columns of answers, verdicts and gold labels of which some are blank, as places of one set of labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._numbers import plural, position
from informed._wording import listed
from informed.errors import LabelError
from informed.evidence.columns import column
from informed.evidence.counting import check_lengths
from informed.evidence.label_policy import LabelPolicy, Side, encode, respelled
from informed.evidence.labels import Label, Labels, canonical, guess_positive, some, text
from informed.evidence.likeness import kinds_of, normal, refuse_spellings, said_respelled
from informed.evidence.unit_counting import group_places, word_of
from informed.evidence.units import Ints
from informed.results import Note, warning
from informed.systems.rated import unmeasured

MOST_STRATA = 200  # values of a column that decides what is labelled; more are no labels
MINUS = ("-", "--")  # which is also a result: of a test that says + otherwise
NOBODY_LOOKED = {"nan", "n/a", "na", "#n/a", "<na>", "null", "none", *MINUS}  # as text


@dataclass(frozen=True, eq=False)
class GradedColumns:
    """Labels of each row as places; −1 where a gold label is blank."""

    labels: Labels
    places: dict[str, Ints]
    unit: Ints | None = None
    unit_name: str = "unit"
    notes: tuple[Note, ...] = ()

    def is_label(self, name: str, label: Label) -> Any:
        """Of each row, whether a column has this label."""
        return self.places[name] == self.labels.index(label)


def graded_columns(
    given: Mapping[str, Any], gold: Collection[str], *, labels: Any = None, normalize: Any = None, unit: Any = None
) -> GradedColumns:
    """Columns with one set of labels; those called gold may have blanks (None, NaN, empty text), others not."""
    columns = {name: column(unmeasured(x), name) for name, x in given.items()}
    check_lengths({name: len(x) for name, x in columns.items()})
    sides = [unblanked(x.side()) for x in columns.values()]
    if labels is None:
        signs = any(str(x).strip().startswith("+") for side in sides for x in side.raw if isinstance(x, str))
        for (name, x), side in zip(given.items(), sides, strict=True):
            if name in gold:
                refuse_unlooked(side, called(x, name), signs=signs)
    policy = LabelPolicy(labels, missing="abstain", ratings=True, normalize=normalize)
    held = encode(sides, policy, names=list(columns))
    if labels is None and normalize is None:
        for (name, x), place in zip(given.items(), held.places, strict=True):
            refuse_spellings([held.labels[i] for i in np.unique(place[place >= 0])], f"`{called(x, name)}` has")
        refuse_spellings(held.labels, "The columns have")

    places = dict(zip(columns, held.places, strict=True))
    for name, x in places.items():
        blank = np.flatnonzero(x < 0)
        if name not in gold and len(blank):
            many = f"{len(blank):,} missing label{'s' * (len(blank) > 1)}"
            raise LabelError(f"`{name}` has {many} (the first at {position(blank[0])}); only gold labels may be blank.")
        if name in gold and len(blank) == len(x):
            raise LabelError(f"`{name}` is blank throughout; some cases must have a gold label.")
    spelled = respelled(held)
    notes = (Note(said_respelled(spelled), code="respelled"),) if spelled else ()
    groups = group_places({"unit": unit}, len(held.lost))
    return GradedColumns(held.labels, places, groups.get("unit"), word_of(unit, "unit"), notes)


def called(values: Any, name: str) -> str:
    """What messages call a column: by its own name, if it has one."""
    return str(getattr(values, "name", None) or name)


def refuse_unlooked(side: Side, name: str, *, signs: bool = False) -> None:
    """Refuse gold text that says that nobody looked: as a label it would be a class of its own. Where there are
    `signs`, as laboratories write + and -, the second is a result."""
    times = np.bincount(side.codes[side.codes >= 0], minlength=len(side.raw))
    found = {
        x: int(n)
        for x, n in zip(side.raw, times, strict=True)
        if n and _unlooked(x) and not (signs and x.strip() in MINUS)
    }
    if found:
        each = listed([f"{text(x)} in {plural(n, 'row')}" for x, n in found.items()])
        raise LabelError(
            f"`{name}` has {each}, which looks as if nobody labelled them: leave such fields blank, or name all "
            "classes with `labels=` if it is one."
        )


def _unlooked(x: Any) -> bool:
    return isinstance(x, str) and x.strip().casefold() in NOBODY_LOOKED


def never_said(held: GradedColumns, said: Collection[str], gold: str) -> tuple[Note, ...]:
    """Gold labels that no verdict ever is, beside two or more that are: perhaps a slip of the pen."""
    g = held.places[gold]
    answers = np.unique(np.concatenate([held.places[name] for name in said]))
    strange = [int(i) for i in np.unique(g[g >= 0]) if i not in answers]
    if not strange or (answers >= 0).sum() < 2:
        return ()
    each = [f"{text(held.labels[i])} in {plural(int((g == i).sum()), 'row')}" for i in strange[:3]]
    more = [plural(len(strange) - 3, "other label")] if len(strange) > 3 else []
    said_of = f"Gold has {listed([*each, *more])}, which is never said of a case: it counts as a class of its own."
    return (warning(f"{said_of} Is it one, or written wrongly?", "never-said"),)


def check_words(held: GradedColumns, said: Collection[str], gold: str) -> None:
    """Refuse gold labels of which none is ever said: they are of something else."""
    there = set(np.unique(held.places[gold][held.places[gold] >= 0]).tolist())
    others = {int(x) for name in said for x in np.unique(held.places[name])}
    if len(held.labels) > 2 and not there & others:
        real, answers = ([held.labels[i] for i in sorted(x)] for x in (there, others))
        raise LabelError(
            f"`{gold}` has {some(real)}, and `{next(iter(said))}` {some(answers)}; people and machine must use "
            "the same labels."
        )


def unblanked(side: Side) -> Side:
    """The same with empty text as a missing label."""
    raw = [None if isinstance(x, str) and not x.strip() else x for x in side.raw]
    return replace(side, raw=raw)


def strata_of(
    values: Any, name: str, most: int | None = MOST_STRATA, *, normalize: Any = None
) -> tuple[Ints, list[Any]]:
    """Any values as numbers from 0, and what each stands for; a missing one is a value of its own."""
    side = unblanked(column(unmeasured(values), name).side())
    if most is not None and len(side.raw) > most:
        raise LabelError(
            f"`{name}` has {len(side.raw):,} different values; those that decide what is labelled are a few, such as "
            "verdicts or grades."
        )
    index: dict[Any, int] = {}
    kinds = kinds_of(normalize) or ()
    raw = [normal(x, kinds, fractions=True) if kinds and isinstance(x, str) else x for x in side.raw]
    number = [-1 if x is None or x != x else index.setdefault(x, len(index)) for x in raw]
    codes = np.asarray([*number, -1], np.int64)[side.codes]
    known = list(index)
    if (codes < 0).any():
        codes, known = np.where(codes < 0, len(known), codes), [*known, None]
    return codes, known


def positive_of(labels: Labels, positive: Label | None) -> Label:
    """The label that is counted as good, by name or as it can be guessed."""
    if positive is not None:
        wanted = canonical(positive)
        if wanted not in labels:
            raise LabelError(f"`positive` is {text(positive)}; the labels are {some(labels)}.")
        return wanted
    found = guess_positive(labels) if len(labels) == 2 else None
    if found is None:
        raise LabelError(f"Which of {some(labels)} is good? Say `positive=`.")
    return found
