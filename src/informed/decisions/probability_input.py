"""What `probabilities` is given: checked, clipped where that is asked for, in groups, or of several systems."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.probability_cases import Cases, cases_of, in_percent, is_matrix, matrix_of
from informed.decisions.probability_draws import Bins
from informed.decisions.roc import numbers, two_classes
from informed.errors import InferenceError, LabelError
from informed.evidence.columns import column
from informed.evidence.forecasts import Forecasts
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import Missing
from informed.evidence.labels import canonical, guess_positive, is_missing, some, text
from informed.evidence.likeness import Normalize, kinds_of, normal, refuse_spellings
from informed.inference.given import is_number

ECE = re.compile(r"ece(?:\((?:bins=)?(\d+)\))?")
MOST_CLIP = 0.5


def refuse_scores(p: Array) -> None:
    """Refuse what lies outside of 0 and 1."""
    low, high = float(p.min()), float(p.max())
    if low < 0 or high > 1:
        raise LabelError(
            f"`probability` runs from {low:g} to {high:g}: these are scores, and no probabilities.",
            *in_percent(low, high),
            "use `informed.roc`, which takes any score",
            "recalibrate them on other cases",
        )


def checked_clip(clip: Any) -> float | None:
    """How far from 0 and 1 probabilities must be, refused where that is none."""
    if clip is not None and not (is_number(clip) and 0 < clip < MOST_CLIP):
        raise LabelError(f"`clip` is {clip!r}; it must lie between 0 and 0.5, such as 1e-6.")
    return clip  # type: ignore[no-any-return]  # a number


def clipped(p: Array, clip: float | None) -> tuple[Array, int]:
    """Probabilities at least so far from 0 and 1, and how many were moved."""
    if clip is None:
        return p, 0
    moved = np.clip(p, clip, 1 - clip)
    return moved, int((moved != p).sum())


def clipped_rows(held: Cases, clip: float | None) -> tuple[Cases, int]:
    """Rows of probabilities at least so far from 0, added up to 1 again, and how many were moved."""
    if clip is None:
        return held, 0
    low = held.p < clip
    p, moved = np.where(low, clip, held.p), np.asarray(low.any(axis=1))
    return replace(held, p=np.where(moved[:, None], p / p.sum(axis=1)[:, None], held.p)), int(low.sum())


def bins_of(also: Sequence[str] | str) -> tuple[Bins, ...]:
    """What else is asked for by name.

    >>> bins_of("ece(bins=20)")
    (Bins(name='ece(bins=20)', number=20),)
    """
    found = []
    for asked in [also] if isinstance(also, str) else also:
        known = ECE.fullmatch(str(asked).replace(" ", ""))
        number = int(known[1] or 15) if known else 0
        if not number:
            raise InferenceError(f"`also` holds {text(asked)}; it can be 'ece(bins=15)'.")
        found.append(Bins(f"ece(bins={number})", number))
    return tuple(found)


def costs_asked(cost: Any) -> tuple[Any, ...]:
    """One cost, or several; a pair of numbers is one."""
    if cost is None:
        return ()
    if isinstance(cost, str) or is_number(cost):
        return (cost,)
    held = tuple(cost)
    return (held,) if len(held) == 2 and all(map(is_number, held)) else held


def spelled(real: Any, normalize: Normalize, positive: Any = None) -> tuple[Any, Any]:
    """Real classes and the positive one as `normalize` takes them; refused where some classes differ only in how they
    are written, and nothing was said of it."""
    kinds = kinds_of(normalize)
    if kinds == ():
        return real, positive
    held = column(real, "real").dense()
    names = list(held.names or ())
    if kinds is None:
        refuse_spellings([x for x in names if not is_missing(x)], "`real` has")
        return real, positive
    taken = np.empty(len(names) + 1, dtype=object)  # the last is missing
    taken[:-1] = [x if is_missing(x) else normal(x, kinds) for x in names]
    return taken[held.codes], None if positive is None else normal(positive, kinds)


def groups_of(by: Any, n: int, known: Any = None) -> dict[Any, Any]:
    """Which cases are of each group; `known` are those of the given ones that were not dropped."""
    held = column(by, "by").dense()
    given = n if known is None else len(known)
    if len(held) != given:
        raise LabelError(f"`by` has {len(held):,} entries for {given:,} cases; each needs one.")
    names = [canonical(x) for x in held.names or ()]
    codes = held.codes if known is None else held.codes[known]
    found = {name: codes == names.index(name) for name in ordered(names)}
    found = {name: own for name, own in found.items() if own.any()}
    if len(found) < 2:
        raise InferenceError(f"All cases are of one slice ({some(list(found))}); two at least are needed.")
    return found


def together(
    systems: Mapping[Hashable, Any],
    given: Mapping[str, Any],
    positive: Any,
    labels: Any,
    missing: Missing,
    clip: float | None,
) -> dict[Hashable, tuple[Cases, int]]:
    """The same cases with the probabilities of each system; where cases are dropped, by all of them together."""
    several = {name: is_matrix(x) for name, x in systems.items()}
    if len(set(several.values())) > 1:
        raise LabelError("Some systems have one column of probabilities and some a column a class; give all alike.")
    if any(several.values()):
        each = [matrix_of(x, labels) for x in systems.values()]
        named = each[0][1]
        stacked = {n: _like(p, own, named, n) for n, (p, own) in zip(systems, each, strict=True)}
        gone = np.logical_or.reduce([np.isnan(p).any(axis=1) for p in stacked.values()])
        plain_ones = given
    else:
        _, plus, own, there = two_classes(given["real"], positive, missing)
        each_p = {n: numbers(x, len(own), "probabilities") for n, x in systems.items()}
        for p in each_p.values():
            refuse_scores(p[~np.isnan(p)] if missing == "drop" and not np.isnan(p).all() else p)
        stacked = {n: np.column_stack([1 - p, p]) for n, p in each_p.items()}
        gone = ~there | np.logical_or.reduce([np.isnan(p) for p in each_p.values()])
        named = (f"not {plus}", str(plus))
        plain_ones = {**given, "real": np.where(own, named[1], named[0])}

    found: dict[Hashable, tuple[Cases, int]] = {}
    for name, p in stacked.items():
        p = np.where(gone[:, None], np.nan, p) if missing == "drop" else p
        found[name] = clipped_rows(cases_of(probability=p, labels=named, missing=missing, **plain_ones), clip)
    return found


def of_systems(
    forecasts: Forecasts, positive: Any = None, labels: Any = None, missing: Missing | None = None
) -> dict[Hashable, Cases]:
    """The same cases with the probabilities of each system, as they were read."""
    given = {name: getattr(forecasts, name) for name in ("weights", "unit", "item")}
    positive = forecasts.positive if positive is None else positive
    given["real"], positive = spelled(forecasts.real, forecasts.normalize, positive)
    found = together(forecasts.columns(), given, positive, labels, missing or forecasts.missing, None)
    return {name: cases for name, (cases, _) in found.items()}


def _like(p: Array, own: Any, named: Any, name: Hashable) -> Array:
    """Columns in the order of the first system's."""
    if named is None or own is None or own == named:
        return p
    if set(own) != set(named):
        raise LabelError(f"The columns of {text(name)} are of other classes than those of the first system.")
    return p[:, [own.index(x) for x in named]]


def positive_column(held: Cases, positive: Any) -> int:
    """The column of the positive one of two classes."""
    names = [str(x) for x in held.labels]
    if positive is not None:
        if str(positive) not in names:
            raise LabelError(f"`positive` is {text(positive)}; the classes are {some(held.labels)}.")
        return names.index(str(positive))
    found = guess_positive(held.labels)
    return 1 if found is None else held.labels.index(found)
