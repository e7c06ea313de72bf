"""`compare.judged`: two or many systems that one judge graded, and people in part."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from informed._numbers import percent, plural, signed, span
from informed.errors import InferenceError, LabelError
from informed.evidence.labels import Label, some, text
from informed.evidence.units import Ints
from informed.inference.given import checked_level
from informed.results import Note, Records, Result, plain_dict
from informed.systems.graded_columns import GradedColumns, graded_columns, positive_of, strata_of
from informed.systems.judged_difference import (
    RANDOM,
    JudgedDifference,
    JudgedPair,
    JudgedRate,
    pair_notes,
    paired_difference,
    saved_note,
    unpaired_difference,
)
from informed.systems.multiplicity import adjusted

DIFFERENT = "Different items: each rate has its own labels, and their limits are combined."


@dataclass(frozen=True, eq=False, repr=False)
class JudgedSystems(Result):
    """Many systems graded by one judge: the difference of every two, or of each against one."""

    page = "judged_systems"

    names: tuple[Hashable, ...]
    differences: tuple[JudgedDifference, ...]
    level: float  # at which the intervals hold together
    against: Hashable | None = None
    notes: tuple[Note, ...] = field(default=())

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> JudgedDifference:
        for one in self.differences:
            if one.names == tuple(pair):
                return one
        raise InferenceError(f"There is no difference of {some(pair)}; the first is {some(self.differences[0].names)}.")

    def records(self) -> Records:
        """One row a difference, with its p-value adjusted by Holm's method."""
        held = Records.together([one.records() for one in self.differences])
        rows = [(*row, one.adjusted) for row, one in zip(held.rows, self.differences, strict=True)]
        kinds = {c.name: c.kind for c in held.columns}
        return Records.of({**kinds, "adjusted": "p"}, rows)

    def rates(self) -> Records:
        """One row a system: its true rate as its differences have it, and what the judge says."""
        found: dict[Hashable, tuple[float, float]] = {}
        for one in self.differences:
            for name, true, said in zip(one.names, one.rates, one.judged_rates, strict=True):
                found.setdefault(name, (true, said))
        return Records.of("system:label rate judged", [(name, *found[name]) for name in self.names if name in found])

    def to_dict(self) -> dict[str, Any]:
        """Every difference, and each system's rate."""
        held = {"names": self.names, "against": self.against, "level": self.level, "rates": self.rates().by("system")}
        return plain_dict({**held, "differences": [one.to_dict() for one in self.differences], "notes": self.notes})

    def sentence(self) -> str:
        """Which differences are told from none, all taken together."""
        told = [one for one in self.differences if not one.low <= 0 <= one.high]
        if not told:
            return (
                f"None of {plural(len(self.differences), 'difference')} is told from 0 at {percent(self.level)} for all"
            )
        best = max(told, key=lambda one: abs(one.estimate))
        a, b = (text(x) for x in best.names)
        several = plural(len(self.differences), "difference")
        return (
            f"{len(told)} of {several} told from 0 at {percent(self.level)} for all; the largest is {a} minus {b}, "
            f"{signed(best.estimate)} {span(best.low, best.high)}"
        )


def judged_systems(
    verdict: Any,
    gold: Any,
    *,
    positive: Label | None = None,
    against: Hashable | None = None,
    item: Any = None,
    unit: Any = None,
    paired: bool = True,
    labels: Sequence[Label] | None = None,
    normalize: Any = None,
    level: float = 0.95,
) -> JudgedDifference | JudgedSystems:
    """What `compare.judged` does."""
    checked_level(level)
    names = _named(verdict, gold)
    if against is not None and against not in names:
        raise InferenceError(f"`against` is {text(against)}; the systems are {some(names)}.")
    pairs = [p for p in combinations(names, 2) if against in (None, *p)]
    pairs = [(b, a) if a == against else (a, b) for a, b in pairs]
    options = {"labels": labels, "normalize": normalize}

    if item is not None:
        held = _by_item(verdict, gold, item, unit, names, options)
    elif paired:
        held = {name: _Graded(*x) for name, x in _side_by_side(verdict, gold, unit, names, options)}
    else:
        held = _each(verdict, gold, unit, names, options)
    good = positive_of(next(iter(held.values())).columns.labels, positive)

    together = paired or item is not None
    each = 1 - (1 - level) / len(pairs)
    found = [_pair(held, one, good, each, together) for one in pairs]
    if len(found) == 1:
        return found[0]
    p = adjusted([one.pvalue for one in found], "holm")
    found = [replace(one, adjusted=float(x)) for one, x in zip(found, p, strict=True)]
    said = (
        f"The {len(found)} intervals hold together at {percent(level)} (Bonferroni: {percent(each, 2)} each); adjusted "
        "p-values are Holm's."
    )
    shared = [n for n in dict.fromkeys(n for one in found for n in one.notes) if n.code != "saving"]
    return JudgedSystems(names, tuple(found), level, against, (Note(said, code="simultaneous"), *shared))


@dataclass(frozen=True, eq=False)
class _Graded:
    """One system's columns: `v` and `g` of `columns` are its verdicts and gold labels."""

    columns: GradedColumns
    v: str
    g: str
    ids: Ints | None = None  # of the items

    def rate(self, good: Label) -> JudgedRate:
        c = self.columns
        real, said = (np.asarray(c.is_label(x, good), np.int64) for x in (self.g, self.v))
        return JudgedRate(said, real, c.places[self.g] >= 0, c.unit)


def _pair(
    held: Mapping[Hashable, _Graded], names: tuple[Hashable, Hashable], good: Label, level: float, together: bool
) -> JudgedDifference:
    graded = [held[name] for name in names]
    rates = [x.rate(good) for x in graded]
    left: list[Note] = []
    if together and graded[0].ids is not None:
        rates, left = _matched(graded, rates, names)
        together = len(rates[0].said) > 0
        rates = rates if together else [x.rate(good) for x in graded]
    for name, x in zip(names, rates, strict=True):
        if x.known.sum() == 0:
            raise InferenceError(f"No gold label of {text(name)}; some items of each system must have one.")
    a, b = rates
    notes = [*graded[0].columns.notes, *left]
    if together:
        both = JudgedPair(a.said - b.said, a.real - b.real, a.known & b.known, a.unit)
        found = paired_difference(both, level)
        notes += pair_notes(both, found, int((a.known ^ b.known).sum()))
    else:
        found = unpaired_difference(a, b, level)
        n = int(a.known.sum() + b.known.sum())
        notes += [RANDOM, saved_note(n, found["saving"], found["n_eff"]), Note(DIFFERENT, code="different-items")]
    if a.unit is not None:
        said = f"{plural(int(a.unit.max()) + 1, graded[0].columns.unit_name)}; errors are measured between them."
        notes.append(Note(said, code="units"))
    return JudgedDifference(
        names=names,
        rates=(a.limits(level)[0], b.limits(level)[0]),
        judged_rates=(float(a.said.mean()), float(b.said.mean())),
        positive=good,
        n=(len(a.said), len(b.said)),
        labelled=(int(a.known.sum()), int(b.known.sum())),
        paired=together,
        notes=tuple(notes),
        **found,
    )


def _matched(
    graded: Sequence[_Graded], rates: Sequence[JudgedRate], names: Sequence[Hashable]
) -> tuple[list[JudgedRate], list[Note]]:
    """Both systems on the items that they share, in the same order; how many others there are."""
    ids = [np.zeros(0, np.int64) if x.ids is None else x.ids for x in graded]
    for name, x in zip(names, ids, strict=True):
        if len(np.unique(x)) < len(x):
            raise InferenceError(f"An item of {text(name)} comes twice; give `unit=` for repeats, and different items.")
    shared, *at = np.intersect1d(ids[0], ids[1], return_indices=True)
    unit = None if rates[0].unit is None else np.unique(rates[0].unit[at[0]], return_inverse=True)[1]
    kept = [JudgedRate(x.said[i], x.real[i], x.known[i], unit) for x, i in zip(rates, at, strict=True)]
    rest = [len(x.said) - len(shared) for x in rates]
    if not len(shared) or not any(rest):
        return kept, []
    each = ", ".join(f"{n:,} of {text(name)}" for n, name in zip(rest, names, strict=True))
    said = f"Items that one system only has were left out: {each}."
    return kept, [Note(said, code="left-out")]


# ---------------------------------------------------------------------- what is given


def _named(verdict: Any, gold: Any) -> tuple[Hashable, ...]:
    for name, x in (("verdict", verdict), ("gold", gold)):
        if not isinstance(x, Mapping):
            raise InferenceError(
                f"`{name}` is a {type(x).__name__}; a mapping from each system's name to labels is needed."
            )
    if list(verdict) != list(gold) and set(verdict) != set(gold):
        raise InferenceError(
            f"`verdict` has {some(list(verdict))}, and `gold` {some(list(gold))}; both name the systems."
        )
    if len(verdict) < 2:
        raise InferenceError("Two systems at least are compared; of one, `judge` tells the rate.")
    return tuple(verdict)


def _side_by_side(verdict: Any, gold: Any, unit: Any, names: Sequence[Hashable], options: Any) -> list[Any]:
    keys = {name: (f"verdict[{name!r}]", f"gold[{name!r}]") for name in names}
    given = {keys[name][0]: verdict[name] for name in names} | {keys[name][1]: gold[name] for name in names}
    long = {len(x) for x in given.values() if hasattr(x, "__len__")}
    if len(long) > 1:
        raise LabelError(
            f"The systems have {' and '.join(f'{n:,}' for n in sorted(long))} rows; rows of the same items are paired. "
            "Tell items by `item=`, or that they are different by `paired=False`."
        )
    held = graded_columns(given, [g for _, g in keys.values()], unit=unit, **options)
    return [(name, (held, *keys[name])) for name in names]


def _each(verdict: Any, gold: Any, unit: Any, names: Sequence[Hashable], options: Any) -> dict[Hashable, _Graded]:
    """Each system with its own rows, and labels of all."""
    rows = {name: len(verdict[name]) for name in names}
    whole = {"verdict": _chained(verdict, names), "gold": _chained(gold, names)}
    units = None if unit is None else _chained(unit, names) if isinstance(unit, Mapping) else unit
    held = graded_columns(whole, ["gold"], unit=units, **options)
    ends = np.cumsum([0, *rows.values()])
    found = {}
    for i, name in enumerate(names):
        cut = slice(ends[i], ends[i + 1])
        own = None if held.unit is None else np.unique(held.unit[cut], return_inverse=True)[1]
        places = {key: x[cut] for key, x in held.places.items()}
        found[name] = _Graded(replace(held, places=places, unit=own), "verdict", "gold")
    return found


def _by_item(
    verdict: Any, gold: Any, item: Any, unit: Any, names: Sequence[Hashable], options: Any
) -> dict[Hashable, _Graded]:
    if not isinstance(item, Mapping) or set(item) != set(names):
        raise InferenceError("`item` is a mapping from each system's name to the items that its rows are of.")
    held = _each(verdict, gold, unit, names, options)
    ids, _ = strata_of(_chained(item, names), "item", most=None)
    ends = np.cumsum([0, *(len(verdict[name]) for name in names)])
    return {name: replace(held[name], ids=ids[ends[i] : ends[i + 1]]) for i, name in enumerate(names)}


def _chained(columns: Mapping[Hashable, Any], names: Sequence[Hashable]) -> list[Any]:
    return [x for name in names for x in columns[name]]
