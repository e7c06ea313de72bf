"""Groups that an engine has counted, as answers of several systems to the same items."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import LabelError, SourceError
from informed.evidence.columns import column
from informed.evidence.counting import tabulate
from informed.evidence.labels import is_missing, native, text
from informed.evidence.paired import Paired
from informed.sources.engine import Engine
from informed.sources.gather import Request, _check_labels, _cleaned, _Held


def paired(engine: Engine, asked: Request) -> Paired:
    if asked.weights is not None:
        kept = paired(engine, replace(asked, weights=None, keep=(*asked.keep, asked.weights)))
        return _weighted(kept, asked, engine)
    if len(asked.predicted) > 1:
        if asked.by:
            raise SourceError(
                "Several prediction columns are the systems already, so `by` has no place."
            )
        return _side_by_side(engine, asked)
    if len(asked.by) != 1:
        raise SourceError(
            "With `item`, `by` must be the one column that names the system (or give several "
            f"prediction columns); {len(asked.by)} columns were given."
        )
    return _below_each_other(engine, asked)


def _weighted(p: Paired, asked: Request, engine: Engine) -> Paired:
    """The kept column of weights as the weights of the items."""
    given = p.kept[asked.weights]
    try:
        w = np.asarray([float(x) for x in given])
    except (TypeError, ValueError):
        wrong = next(x for x in given if not _is_number(x))
        raise SourceError(
            f"The weights {text(asked.weights)} of {engine.shown} hold "
            f"{'a missing value' if is_missing(wrong) else text(wrong)}; every item needs a number."
        ) from None
    if not np.isfinite(w).all() or (w < 0).any() or not w.sum() > 0:
        raise SourceError(
            f"The weights {text(asked.weights)} of {engine.shown} must be finite, not negative, "
            "and not all 0."
        )
    kept = {name: values for name, values in p.kept.items() if name in asked.keep}
    if not asked.frequency:
        return replace(p, weights=w, kept=kept)
    if (w != np.round(w)).any():
        raise SourceError(
            f"The counts {text(asked.weights)} of {engine.shown} are not whole; numbers of "
            "identical items must be, or they are weights."
        )
    times = np.repeat(np.arange(len(p)), w.astype(np.int64))
    return replace(replace(p, kept=kept).where(times), items=None)


def _is_number(x: Any) -> bool:
    try:
        return not is_missing(x) and isfinite(float(x))
    except (TypeError, ValueError):
        return False


def _side_by_side(engine: Engine, asked: Request) -> Paired:
    """One row an item, one column a system."""
    named = [] if asked.item is None else [asked.item]
    keys = [*named, asked.real, *asked.predicted, *asked.keep]
    rows = _cleaned(engine.grouped(keys, None, None), len(keys), asked, engine)
    if asked.keep:  # so that items without names stand in the same order in every engine
        rows = sorted(rows, key=repr)
    fields = [list(field) for field in zip(*rows, strict=True)]
    n = np.asarray(fields[-1], np.int64)
    items: list[Any] | None = None
    if asked.item is not None:
        items = fields[0]
        _refuse_twice(items, n, asked, engine)
    sides = fields[len(named) : len(keys) - len(asked.keep)]
    kept = fields[len(keys) - len(asked.keep) : -1]
    labels, codes = _coded(sides, asked, engine)
    names = tuple(asked.predicted)
    if items is None:  # rows that say the same were counted together: they are apart again
        codes = np.repeat(codes, n, axis=0)
        kept = [[x for x, times in zip(one, n, strict=True) for _ in range(times)] for one in kept]
    return _finished(codes, labels, names, items, kept, asked, engine)


def _below_each_other(engine: Engine, asked: Request) -> Paired:
    """One row for each item and system."""
    keys = [asked.item, *asked.by, asked.real, *asked.predicted, *asked.keep]
    rows = _cleaned(engine.grouped(keys, None, None), len(keys), asked, engine)
    items, systems, real, predicted, *others, n = (list(f) for f in zip(*rows, strict=True))
    item, item_names = _numbered(items, "item", engine)
    system, names = _numbered(systems, "by", engine)
    cell = item * len(names) + system
    often = np.bincount(cell, np.asarray(n, np.float64), minlength=len(item_names) * len(names))
    if (often > 1).any():
        at = int(np.argmax(often > 1))
        raise SourceError(
            f"{engine.shown} has more than one row for the item "
            f"{text(item_names[at // len(names)])} of {text(names[at % len(names)])}; "
            "each system must answer an item once."
        )
    labels, codes = _coded([real, predicted], asked, engine)
    wide = np.full((len(item_names), 1 + len(names)), -2, np.int64)  # -2: no such row
    wide[item, 0] = codes[:, 0]
    unlike = wide[item, 0] != codes[:, 0]
    if unlike.any():
        at = int(np.argmax(unlike))
        raise SourceError(
            f"The item {text(items[at])} of {engine.shown} has more than one real label "
            f"({text(real[at])} and others); systems must be judged against the same reality."
        )
    wide[item, 1 + system] = codes[:, 1]
    kept = [
        _of_items(item, item_names, column, name, engine)
        for name, column in zip(asked.keep, others, strict=True)
    ]
    return _finished(wide, labels, names, list(item_names), kept, asked, engine)


def _of_items(
    item: NDArray[np.int64],
    names: tuple[Hashable, ...],
    values: list[Any],
    column: Any,
    engine: Engine,
) -> list[Any]:
    """What every row of an item says of it in another column."""
    found: dict[int, Any] = {}
    for at, value in zip(item.tolist(), values, strict=True):
        held = found.setdefault(at, value)
        if held != value and not (is_missing(held) and is_missing(value)):
            raise SourceError(
                f"The item {text(names[at])} of {engine.shown} has more than one {text(column)} "
                f"({text(found[at])} and {text(value)}); it must be the same for every system."
            )
    return [found[at] for at in range(len(names))]


def _finished(
    codes: NDArray[np.int64],
    labels: tuple[Hashable, ...],
    names: tuple[Hashable, ...],
    items: list[Any] | None,
    kept: list[list[Any]],
    asked: Request,
    engine: Engine,
) -> Paired:
    """Codes of (real, *systems) with -1 = abstained, -2 = missing, as a Paired."""
    gone = codes == -2
    if asked.missing == "abstain":
        codes = np.where(gone & (np.arange(codes.shape[1]) > 0), -1, codes)
        gone = codes == -2
    lost = gone.any(axis=1)
    if lost.any() and asked.missing != "drop":
        at = int(np.argmax(lost))
        who = int(np.argmax(gone[at]))
        what = "real label" if who == 0 else f"prediction of {text(names[who - 1])}"
        where = f", for instance of {text(items[at])}" if items is not None else ""
        raise LabelError(
            f"{int(lost.sum()):,} of {len(lost):,} items of {engine.shown} lack a label: no "
            f'{what}{where}. Use missing="drop" to leave such items out, or missing="abstain" to '
            "count a missing prediction as no answer."
        )
    if lost.all():
        raise SourceError(f"Every item of {engine.shown} has a missing label.")
    order = np.arange(len(codes))[~lost]
    if items is not None:
        kept_items = [native(items[i]) for i in order]
        place = _sorting(kept_items)
        order = order[place]
        final: tuple[Hashable, ...] | None = tuple(kept_items[i] for i in place)
    else:
        order = order[np.lexsort(codes[order].T[::-1])]  # the same, whatever the engine's order
        final = None
    held = _Held(labels)
    return Paired(
        real_codes=codes[order, 0],
        codes=codes[order, 1:],
        labels=labels,
        names=names,
        items=final,
        positive=None if asked.positive is None else held(asked.positive),
        missing=int(lost.sum()),
        kept={
            name: tuple(column[i] for i in order)
            for name, column in zip(asked.keep, kept, strict=True)
        },
    )


def _coded(
    sides: list[list[Any]], asked: Request, engine: Engine
) -> tuple[tuple[Hashable, ...], NDArray[np.int64]]:
    """Labels of (real, *predicted), and each value's place: -1 abstained, -2 missing."""
    for i, side in enumerate(sides):
        _check_labels(set(side), "predicted" if i else "real", engine)
    held = _Held(x for side in sides for x in set(side))
    abstentions = asked.abstain
    silent = [] if abstentions is None else held.each(abstentions)
    silent = silent if isinstance(silent, list) else [silent]
    # One count of all pairs applies every policy about labels, and gives their order.
    pairs = {(r, p) for side in sides[1:] for r, p in zip(sides[0], side, strict=True)}
    usable = [(r, p, 1) for r, p in pairs if not is_missing(r)]
    labels = tabulate(
        usable,
        labels=None if asked.labels is None else [held(x) for x in asked.labels],
        abstain=silent or None,
        missing="abstain",
    ).real_labels
    place: dict[Hashable, int] = {label: i for i, label in enumerate(labels)}
    codes = []
    for i, side in enumerate(sides):
        own = {native(x) for x in silent} if i else set()
        number = {
            x: -2 if is_missing(x) else -1 if native(x) in own else place[native(x)]
            for x in set(side)
        }
        codes.append([number[x] for x in side])
    return labels, np.asarray(codes, np.int64).T


def _numbered(
    values: list[Any], what: str, engine: Engine
) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
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


def _refuse_twice(items: list[Any], n: NDArray[np.int64], asked: Request, engine: Engine) -> None:
    if any(map(is_missing, items)):
        raise SourceError(f"Some rows of {engine.shown} have no {text(asked.item)}.")
    seen: set[Any] = set()
    for item, how_often in zip(items, n, strict=True):
        if how_often > 1 or item in seen:
            raise SourceError(
                f"{engine.shown} has more than one row for the item {text(item)}; "
                "each item may appear once."
            )
        seen.add(item)
