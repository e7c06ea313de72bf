"""What `compare.judged` is given: verdicts and gold labels of each system, beside or below each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError, LabelError
from informed.evidence.label_policy import Mask
from informed.evidence.labels import Label, some, text
from informed.evidence.shown import system_name
from informed.evidence.unit_counting import group_places
from informed.evidence.units import Ints, ranges
from informed.results import Note
from informed.systems.graded_columns import (
    GradedColumns,
    check_words,
    graded_columns,
    never_said,
    positive_of,
    strata_of,
)
from informed.systems.judged_rates import JudgedRate
from informed.systems.judged_sorts import JudgedPair
from informed.systems.row_units import grouped

MOST = 60  # systems at once; more are the values of another column


@dataclass(frozen=True, eq=False)
class Graded:
    """The rows of one system."""

    said: Array  # 1: the judge calls it good, 0: not; of a panel, the share of it that does
    real: Ints  # of no meaning where it is not known
    known: Mask
    unit: Ints | None = None
    item: Ints | None = None

    @property
    def kinds(self) -> tuple[Any, ...]:
        """What an answer is: as long as these are the same, it is the same answer again."""
        return self.said, np.where(self.known, self.real, -1)

    def taken(self, rows: Any) -> Graded:
        """Some of its rows, in this order."""
        unit, item = (None if x is None else x[rows] for x in (self.unit, self.item))
        return Graded(self.said[rows], self.real[rows], self.known[rows], unit, item)

    def rate(self) -> JudgedRate:
        """Its rows as they count."""
        kept, groups = grouped(self.unit, self.item, *self.kinds)
        return JudgedRate(self.said[kept], self.real[kept], self.known[kept], groups)


@dataclass(frozen=True, eq=False)
class GradedSystems:
    """All systems, and what counts as good."""

    each: Mapping[Hashable, Graded]
    positive: Label
    unit: str  # what a unit is called
    beside: bool  # whether a row is the same item of all systems
    notes: tuple[Note, ...] = ()


def paired_rows(a: Graded, b: Graded) -> JudgedPair:
    """Two systems whose rows are of the same items, in the same order."""
    kept, groups = grouped(a.unit, a.item, *a.kinds, *b.kinds)
    x, y = a.taken(kept), b.taken(kept)
    return JudgedPair((x.said, y.said), (x.real, y.real), x.known & y.known, groups)


def matched(a: Graded, b: Graded, names: Sequence[Hashable]) -> tuple[Graded, Graded, list[Note]]:
    """Both systems on the items that they share, row by row; how many others there are.

    Answers to an item that both were asked as often stand beside each other as they come; else each stands beside
    each.
    """
    items = [np.zeros(0, np.int64) if x.item is None else x.item for x in (a, b)]
    shared = np.intersect1d(items[0], items[1])
    at = [np.flatnonzero(np.isin(x, shared)) for x in items]
    at = [rows[np.argsort(x[rows], kind="stable")] for x, rows in zip(items, at, strict=True)]
    times = [np.unique(x[rows], return_counts=True)[1] for x, rows in zip(items, at, strict=True)]
    same = times[0] == times[1]
    pairs = np.where(same, times[0], times[0] * times[1])
    here = ranges(np.zeros(len(pairs), np.int64), pairs)
    begin = [np.repeat(np.cumsum(n) - n, pairs) for n in times]
    even, other = np.repeat(same, pairs), np.repeat(times[1], pairs)
    first = a.taken(at[0][begin[0] + np.where(even, here, here // np.fmax(other, 1))])
    second = b.taken(at[1][begin[1] + np.where(even, here, here % np.fmax(other, 1))])

    rest = [len(np.unique(x)) - len(shared) for x in items]
    if not len(shared) or not any(rest):
        return first, second, []
    each = ", ".join(f"{n:,} of {system_name(name)}" for n, name in zip(rest, names, strict=True))
    return first, second, [Note(f"Items that one system only has were left out: {each}.", code="left-out")]


# ---------------------------------------------------------------------- reading


def graded_systems(
    verdict: Any,
    gold: Any,
    *,
    positive: Label | None,
    item: Any,
    unit: Any,
    paired: bool,
    labels: Sequence[Label] | None,
    normalize: Any,
) -> GradedSystems:
    """Columns of each system, by its name, as numbers."""
    names = _named(verdict, gold)
    judges = _judges(verdict, names)
    beside = paired and not isinstance(item, Mapping)
    if not paired and item is not None and not isinstance(item, Mapping):
        raise InferenceError(
            "Systems on different items (`paired=False`) have items of their own: `item` is a mapping by their names."
        )
    read = _beside if beside else _below
    held, places = read(judges, gold, names, {"labels": labels, "normalize": normalize, "unit": unit})
    for of_judges, (key, _) in places.values():
        check_words(held, of_judges, key)
    strange = [x for of_judges, (key, _) in places.values() for x in never_said(held, of_judges, key)]
    good = positive_of(held.labels, positive)

    groups = _items(item, names, places, beside)
    each = {}
    for name in names:
        of_judges, (key, rows) = places[name]
        said = np.mean([held.is_label(k, good)[rows] for k in of_judges], axis=0)
        known = held.places[key][rows] >= 0
        own = None if held.unit is None else np.asarray(np.unique(held.unit[rows], return_inverse=True)[1], np.int64)
        each[name] = Graded(
            np.asarray(said, float), held.is_label(key, good)[rows].astype(np.int64), known, own, groups.get(name)
        )
        if not known.any():
            raise InferenceError(f"No gold label of {text(name)}; some items of each system must have one.")
    return GradedSystems(
        each, good, held.unit_name, beside, (*held.notes, *dict.fromkeys(strange if labels is None else ()))
    )


Places = dict[
    Hashable, tuple[list[str], tuple[str, slice]]
]  # of each system: keys of its judges, and key and rows of gold


def _named(verdict: Any, gold: Any) -> tuple[Hashable, ...]:
    for name, x in (("verdict", verdict), ("gold", gold)):
        if not isinstance(x, Mapping):
            raise InferenceError(
                f"`{name}` is a {type(x).__name__}; a mapping from each system's name to labels is needed."
            )
    for name, here, there, other in (("verdict", verdict, gold, "gold"), ("gold", gold, verdict, "verdict")):
        lone = [x for x in there if x not in here]
        if lone:
            raise InferenceError(f"`{name}` has nothing of {some(lone)}, which `{other}` has; both name the systems.")
    if len(verdict) < 2:
        raise InferenceError("Two systems at least are compared; of one, `judge` tells the rate.")
    if len(verdict) > MOST:
        raise InferenceError(
            f"There are {len(verdict):,} systems ({some(list(verdict))}); {MOST} can be compared at once."
        )
    return tuple(verdict)


def _judges(verdict: Mapping[Hashable, Any], names: Sequence[Hashable]) -> dict[Hashable, dict[Hashable, Any]]:
    """The judges of each system, which are the same ones."""
    found: dict[Hashable, dict[Hashable, Any]] = {}
    for name in names:
        held = verdict[name]
        found[name] = dict(held) if isinstance(held, Mapping) else {"": held}
    panels = {frozenset(x) for x in found.values()}
    if len(panels) > 1 or not min(map(len, panels)):
        raise InferenceError("A panel grades all systems: each has verdicts of the same judges, by their names.")
    return found


def _beside(judges: Any, gold: Any, names: Sequence[Hashable], options: Any) -> tuple[GradedColumns, Places]:
    """Rows of the same items side by side."""
    given: dict[str, Any] = {}
    places: Places = {}
    for name in names:
        keys = {f"verdict[{name!r}]" + (f"[{j!r}]" if j != "" else ""): x for j, x in judges[name].items()}
        given |= keys | {f"gold[{name!r}]": gold[name]}
        places[name] = list(keys), (f"gold[{name!r}]", slice(None))
    long = {len(x) for x in given.values() if hasattr(x, "__len__")}
    if len(long) > 1:
        raise LabelError(
            f"The systems have {' and '.join(f'{n:,}' for n in sorted(long))} rows; rows of the same items are paired. "
            "Tell items by `item=`, or that they are different by `paired=False`."
        )
    if isinstance(options["unit"], Mapping):
        raise InferenceError("Rows of the same items have one `unit`; a mapping is for systems with rows of their own.")
    return graded_columns(given, [g for _, (g, _) in places.values()], **options), places


def _below(judges: Any, gold: Any, names: Sequence[Hashable], options: Any) -> tuple[GradedColumns, Places]:
    """Each system with its own rows, and labels of all."""
    panel = list(judges[names[0]])
    whole = {
        f"verdict{f'[{j!r}]' if j != '' else ''}": _chained({n: judges[n][j] for n in names}, names) for j in panel
    }
    unit = options["unit"]
    unit = _chained(unit, names) if isinstance(unit, Mapping) else unit
    for name in names:
        rows = {len(gold[name]), *(len(x) for x in judges[name].values())}
        if len(rows) > 1:
            raise LabelError(f"{text(name)} has {' and '.join(map(str, sorted(rows)))} verdicts and gold labels.")
    held = graded_columns({**whole, "gold": _chained(gold, names)}, ["gold"], **(options | {"unit": unit}))
    ends = np.cumsum([0, *(len(gold[name]) for name in names)])
    return held, {name: (list(whole), ("gold", slice(ends[i], ends[i + 1]))) for i, name in enumerate(names)}


def _items(item: Any, names: Sequence[Hashable], places: Places, beside: bool) -> dict[Hashable, Ints]:
    """What each row of each system is an answer to, as numbers."""
    if item is None:
        return {}
    if beside:
        codes = group_places({"item": item}, len(item))["item"]
        return dict.fromkeys(names, codes)
    if not isinstance(item, Mapping) or set(item) != set(names):
        raise InferenceError("`item` is a mapping from each system's name to the items that its rows are of.")
    codes, known = strata_of(_chained(item, names), "item", most=None)
    if None in known:
        raise LabelError(f"`item` is missing in {int((codes == known.index(None)).sum()):,} rows; each is of one.")
    return {name: codes[places[name][1][1]] for name in names}


def _chained(columns: Mapping[Hashable, Any], names: Sequence[Hashable]) -> list[Any]:
    return [x for name in names for x in columns[name]]
