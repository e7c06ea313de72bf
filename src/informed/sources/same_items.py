"""Groups that an engine has counted, as answers of several systems to the same items."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import SourceError
from informed.evidence.columns import column
from informed.evidence.label_policy import Held, LabelPolicy, Side, encode, respelled
from informed.evidence.labels import is_missing, native, text
from informed.evidence.paired import Paired, weighed, without
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.unit_counting import no_unit, word_of
from informed.sources.engine import ROW_THERE, Engine, Row, as_number
from informed.sources.request import Request, check_labels, cleaned

REAL = "real label"


def paired(engine: Engine, asked: Request) -> Paired:
    if asked.weights is not None:
        kept = paired(engine, replace(asked, weights=None, keep=(*asked.keep, asked.weights)))
        return _weighted(kept, asked, engine)
    if len(asked.predicted) > 1:
        if asked.by:
            raise _systems_already(asked)
        return _side_by_side(engine, asked)
    if len(asked.by) != 1:
        raise SourceError(
            "With `item`, `by` must be the one column that names the system (or give several "
            f"prediction columns); {len(asked.by)} columns were given."
        )
    return _below_each_other(engine, asked)


def _systems_already(asked: Request) -> SourceError:
    """What to call where `by` is meant to cut the items of several systems into slices."""
    names = [str(x) for x in asked.by]
    return SourceError(
        "Several prediction columns are the systems already, so `by` has no place.",
        f"for slices keep the column: `informed.slices(informed.read(…, keep={names}), by={names[0]!r})`",
    )


def _weighted(p: Paired, asked: Request, engine: Engine) -> Paired:
    """The kept column of weights as the weights of the items."""
    given, named = p.kept[asked.weights], f"{text(asked.weights)} of {engine.shown}"
    w = np.asarray([as_number(x) for x in given], np.float64)  # None is NaN
    wrong = np.flatnonzero(~(np.isfinite(w) & (w >= 0)))
    if wrong.size:
        held = given[wrong[0]]
        seen = "a missing value" if is_missing(held) else text(held)
        raise SourceError(f"The weights {named} hold {seen}; every item needs a number, finite and not negative.")
    p = replace(p, kept={name: values for name, values in p.kept.items() if name in asked.keep})
    heavy = weighed(p, w, None)
    if not asked.frequency:
        return heavy
    if (w != np.round(w)).any():
        raise SourceError(f"The counts {named} are not whole; numbers of identical items must be, or they are weights.")
    return replace(p.where(np.repeat(np.arange(len(p)), w.astype(np.int64))), items=None)


def _side_by_side(engine: Engine, asked: Request) -> Paired:
    """One row an item, one column a system."""
    named = [] if asked.item is None else [asked.item]
    keys = [*named, asked.real, *asked.predicted, *_kept(asked)]
    rows = _grouped(engine, asked, keys)
    if _kept(asked):  # so that items without names stand in the same order in every engine
        rows = sorted(rows, key=repr)
    fields = [list(field) for field in zip(*rows, strict=True)]
    n = np.asarray(fields[-1], np.int64)
    if named and any(map(is_missing, fields[0])):
        raise SourceError(f"Some rows of {engine.shown} have no {text(asked.item)}.")
    if (n > 1).any():  # rows that say the same were counted together: they are apart again
        at = np.repeat(np.arange(len(n)), n)
        fields = [[field[i] for i in at] for field in fields]
    items = fields[0] if named else None
    if items is not None:
        item, names = _numbered(items, "item", engine)
        if len(names) < len(items):
            _of_items(item, names, fields[1], REAL, engine)

    last = len(keys) - len(_kept(asked))
    answers = dict(zip(asked.predicted, fields[len(named) + 1 : last], strict=True))
    return _finished(fields[len(named)], answers, items, fields[last:-1], asked, engine)


def _below_each_other(engine: Engine, asked: Request) -> Paired:
    """One row for each item and system."""
    keys = [asked.item, *asked.by, asked.real, *asked.predicted, *_kept(asked)]
    joins = engine.joins and asked.missing != "error"
    rows = _grouped(engine, asked, [*keys, ROW_THERE] if joins else keys)
    items, systems, real, predicted, *others, n = (list(f) for f in zip(*rows, strict=True))
    there = others.pop() if joins else [True] * len(items)
    item, item_names = _numbered(items, "item", engine)
    system, names = _numbered(systems, "by", engine)
    times = np.asarray(n, np.int64)
    again = np.repeat(np.arange(len(times)), times)
    item, system, said = item[again], system[again], [predicted[i] for i in again]
    called = [REAL, *map(text, _kept(asked))]
    columns = zip(called, (real, *others), strict=True)
    truth, *kept = (_of_items(item, item_names, [x[i] for i in again], what, engine) for what, x in columns)

    # A system without a row for an item was not run on it, nor was one asked again that was asked less often
    # than others; any label keeps the place.
    row, often = _places_of_answers(item, system, said, len(names))
    of_row = np.repeat(np.arange(len(item_names)), often)
    every = [[x[i] for i in of_row] for x in (truth, *kept)]
    answers: dict[Hashable, list[Any]] = {name: list(every[0]) for name in names}
    absent = np.ones((len(of_row), len(names)), np.bool_)
    for at, s, answer, seen in zip(row.tolist(), system.tolist(), said, (there[i] for i in again), strict=True):
        if seen:
            answers[names[s]][at] = answer
            absent[at, s] = False
    return _finished(every[0], answers, [item_names[i] for i in of_row], every[1:], asked, engine, absent)


def _places_of_answers(
    item: NDArray[np.int64], system: NDArray[np.int64], said: list[Any], systems: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of each answer when those to an item stand in rows below each other, equal ones first; and
    how many rows each item has."""
    place = {text: i for i, text in enumerate(sorted(set(map(repr, said))))}
    key = item * systems + system
    order = np.lexsort((np.asarray([place[repr(x)] for x in said]), key))
    new = np.diff(key[order], prepend=-1) != 0
    starts = np.flatnonzero(new)
    slot = np.empty(len(key), np.int64)
    slot[order] = np.arange(len(key)) - np.repeat(starts, np.diff([*starts, len(key)]))
    often = np.zeros(int(item.max()) + 1, np.int64)
    np.maximum.at(often, item, slot + 1)
    return (np.cumsum(often) - often)[item] + slot, often


def _grouped(engine: Engine, asked: Request, keys: list[Any]) -> list[Row]:
    rows = cleaned(engine.grouped(keys, None, None), len(keys), asked, engine)
    for name in (asked.real, *asked.predicted):
        what = "real" if name == asked.real else "predicted"
        check_labels((row[keys.index(name)] for row in rows), what, engine)
    return rows


def _of_items(
    item: NDArray[np.int64], names: tuple[Hashable, ...], values: list[Any], what: str, engine: Engine
) -> list[Any]:
    """What every row of an item says of it in another column."""
    found: dict[int, Any] = {}
    for at, value in zip(item.tolist(), values, strict=True):
        value = None if is_missing(value) else value
        held = found.setdefault(at, value)
        if held != value:
            first, second = sorted(map(text, (held, value)))  # engines give rows in any order
            needed = "an item has one for all systems."
            if what == REAL:
                needed = "answers to an item share its truth, and cases that only belong together have a `unit`."
            raise SourceError(
                f"The item {text(names[at])} of {engine.shown} has more than one {what} ({first} and {second}); "
                f"{needed}"
            )
    return [found[at] for at in range(len(names))]


def _finished(
    real: list[Any],
    answers: dict[Hashable, list[Any]],
    items: list[Any] | None,
    kept: list[list[Any]],
    asked: Request,
    engine: Engine,
    absent: NDArray[np.bool_] | None = None,
) -> Paired:
    """The real label of each row, and what each system said of it, as a Paired; `absent` are questions
    that were not asked."""
    own, *others = (engine.levels(name) for name in (asked.real, *asked.predicted))
    declared = [own, *(others if len(others) == len(answers) else others * len(answers))]
    columns = [column(x, "labels") for x in (real, *answers.values())]
    rows = None if engine.joins or asked.item is not None else engine.lacking
    policy = LabelPolicy(asked.labels, asked.abstain, asked.missing, typed=True, normalize=asked.normalize, rows=rows)
    found = encode(
        [Side(c.codes, c.names or [], x) for c, x in zip(columns, declared, strict=True)],
        policy,
        names=[str(asked.real), *map(str, answers)],
        items=items or [],
    )

    codes = np.stack(found.places, axis=1)
    if absent is not None:
        codes[:, 1:][absent] = ABSENT
    every = Paired(
        real_codes=codes[:, 0],
        codes=codes[:, 1:],
        labels=found.labels,
        names=tuple(answers),
        items=None if items is None else tuple(map(native, items)),
        positive=None if asked.positive is None else Held(found.labels)(policy.canonical(asked.positive)),
        missing=int(found.lost.sum()),
        kept=dict(zip(_kept(asked), map(tuple, kept), strict=True)),
        stated=found.stated,
        unsaid=found.unsaid,
        respelled=respelled(found),
        remarks=found.remarks(codes[:, 1:].size),
    )
    # The same order, whatever that of the engine.
    every = without(every, _not_run(absent, every.items))
    order = np.lexsort(codes.T[::-1]) if every.items is None else np.asarray(_sorting(every.items))
    held = every.where(order[~found.lost[order]])
    unit = None if asked.unit is None else held.kept[asked.unit]
    if lacking := sum(map(is_missing, unit or ())):
        raise SourceError(f"{engine.shown}: {no_unit(asked.unit, lacking)}")
    again = held.items is not None and len(set(held.items)) < len(held)
    return replace(
        weighed(held, None, unit, held.items if again else None),
        kept={name: values for name, values in held.kept.items() if name in asked.keep},
        unit_name=word_of(asked.unit, "unit"),
    )


def _numbered(values: list[Any], what: str, engine: Engine) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    found = column(values, what)
    dense = found if found.names is not None else found.dense()
    names = [native(x) if not is_missing(x) else None for x in dense.names or ()]
    if any(x is None for x in names) or (dense.codes < 0).any():
        raise SourceError(f"Some rows of {engine.shown} have no `{what}`; each needs one.")
    order = _sorting(names)
    rank = np.empty(len(names), np.int64)
    rank[order] = np.arange(len(names))
    return rank[dense.codes], tuple(names[i] for i in order)


def _sorting(values: Sequence[Any]) -> list[int]:
    """Places of the values in their order; what cannot be compared stands by its text."""
    try:
        return sorted(range(len(values)), key=values.__getitem__)
    except TypeError:
        return sorted(range(len(values)), key=lambda i: str(values[i]))


def _not_run(absent: NDArray[np.bool_] | None, items: tuple[Hashable, ...] | None) -> NDArray[np.bool_] | None:
    """Of the questions that were not asked, those to items that the system was not asked at all."""
    if absent is None or items is None or not absent.any():
        return absent
    place = {name: i for i, name in enumerate(items)}
    own = np.asarray([place[name] for name in items])
    asked = np.zeros((len(items), absent.shape[1]), np.bool_)
    np.logical_or.at(asked, own, ~absent)
    return np.asarray(absent & ~asked[own])


def _kept(asked: Request) -> tuple[Any, ...]:
    """Columns that are read of each item besides its labels."""
    return asked.keep if asked.unit is None or asked.unit in asked.keep else (*asked.keep, asked.unit)
