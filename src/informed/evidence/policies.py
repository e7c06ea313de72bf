"""Every policy about labels, in one place: counted groups in, tables out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import prod
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.errors import LabelError
from informed.evidence.histogram import Codes, Sums
from informed.evidence.labels import (
    canonical,
    check_kinds,
    is_missing,
    native,
    ordered,
    refuse_lookalikes,
    some,
    text,
    written,
)

Missing: TypeAlias = Literal["error", "drop", "abstain"]
Side: TypeAlias = tuple[Codes, list[Any]]  # numbers, and the raw label of each number
Where: TypeAlias = Callable[[int], list[int]]  # positions of the first missing labels of a side

MOST = 1 << 28  # cells of a stack: 2 GB


@dataclass(frozen=True)
class Counted:
    """Counts of pairs, with what was left out of them."""

    real_labels: tuple[Hashable, ...]
    predicted_labels: tuple[Hashable, ...]  # the real labels, where the table is square
    counts: Array  # (..., predicted, real)
    squares: Array | None  # sums of squared weights, None without weights
    abstained: Array  # (..., real)
    missing: int  # pairs dropped
    rows: int  # answered + abstained + missing
    names: tuple[tuple[Hashable, ...], ...] = ()  # of each leading axis
    missing_each: NDArray[np.int64] | None = None  # (...): of each table of a stack
    rows_each: NDArray[np.int64] | None = None

    @property
    def cluster_labels(self) -> tuple[Hashable, ...] | None:
        """Names along the last leading axis."""
        return self.names[-1] if self.names else None


@dataclass(frozen=True)
class Policies:
    labels: Iterable[Any] | None
    abstain: Any
    missing: Missing
    square: bool
    weighted: bool

    def __post_init__(self) -> None:
        if self.missing not in ("error", "drop", "abstain"):
            raise LabelError(
                f"`missing` is {text(self.missing)}; it can be 'error', 'drop' or 'abstain'."
            )


def assemble(
    sides: list[Side], sums: Sums, policies: Policies, where: Where | None = None
) -> Counted:
    """Groups of (real, predicted, *keys) with their sums, as a table or a stack of tables."""
    n, w, w2 = sums
    axes = [_axis(side) for side in sides[2:]]
    (real, real_names), (predicted, predicted_names) = map(_named, sides[:2])
    abstentions = _abstentions(policies.abstain, predicted_names)
    silent = np.isin(predicted, [predicted_names[x] for x in abstentions if x in predicted_names])
    if policies.missing == "abstain":
        silent |= predicted < 0
    lost = (real < 0) | ((predicted < 0) & ~silent)
    if lost.any():
        if policies.missing != "drop":
            _refuse_missing((real < 0, (predicted < 0) & ~silent), n, policies.missing, where)
        if lost.all():
            raise LabelError("Every pair has a missing label; nothing is left to count.")
    answered = ~lost & ~silent

    reals = _present(real_names, real[~lost])
    guesses = _present(predicted_names, predicted[answered])
    check_kinds(reals, guesses, policies.square)
    real_labels, predicted_labels = _universe(reals, guesses, policies)
    if policies.labels is not None:
        outside = _outside(real, real_names, real_labels, ~lost)
        if policies.square:
            outside |= _outside(predicted, predicted_names, predicted_labels, answered)
        if outside.any():
            _refuse_outside((reals, guesses), policies, real_labels, int(n[outside].sum()))

    stack = tuple(len(names) for _, names in axes)
    shape = (*stack, len(predicted_labels), len(real_labels))
    check_cells(shape)
    key = np.zeros(len(n), np.int64)
    for codes, names in axes:
        key = key * len(names) + codes
    row = _renumbered(predicted, predicted_names, predicted_labels)
    col = _renumbered(real, real_names, real_labels)
    cell = (key * len(predicted_labels) + row) * len(real_labels) + col

    def total(index: Codes, values: Array, mask: NDArray[np.bool_], to: tuple[int, ...]) -> Array:
        flat = np.bincount(index[mask], values[mask], minlength=prod(to))
        return np.asarray(flat, dtype=np.float64).reshape(to)

    everything = np.ones(len(n), np.bool_)
    return Counted(
        real_labels=real_labels,
        predicted_labels=predicted_labels,
        counts=total(cell, w, answered, shape),
        squares=total(cell, w2, answered, shape) if policies.weighted else None,
        abstained=total(
            key * len(real_labels) + col, w, silent & ~lost, (*stack, len(real_labels))
        ),
        missing=int(n[lost].sum()),
        rows=int(n.sum()),
        names=tuple(names for _, names in axes),
        missing_each=total(key, n, lost, stack).astype(np.int64) if stack else None,
        rows_each=total(key, n, everything, stack).astype(np.int64) if stack else None,
    )


def _named(side: Side) -> tuple[Codes, dict[Hashable, int]]:
    """Numbers of the canonical labels, -1 where the label is missing."""
    codes, raw = side
    index: dict[Hashable, int] = {}
    number = [-1 if is_missing(x) else index.setdefault(canonical(x), len(index)) for x in raw]
    return np.asarray([*number, -1])[codes], index


def _axis(side: Side) -> tuple[Codes, tuple[Hashable, ...]]:
    """Numbers along a leading axis, and its names in order."""
    codes, raw = side
    if any(map(is_missing, raw)):
        raise LabelError("A cluster or group has no name; each case must belong to one.")
    plain = [native(x) for x in raw]
    names = ordered(dict.fromkeys(plain))
    place = {name: i for i, name in enumerate(names)}
    return np.asarray([place[x] for x in plain])[codes], names


def _abstentions(abstain: Any, predicted: Iterable[Hashable]) -> set[Hashable]:
    if abstain is None:
        return set()
    several = isinstance(abstain, Iterable) and not isinstance(abstain, Hashable)
    several = several or isinstance(abstain, frozenset)
    values = list(abstain) if several else [abstain]
    if any(map(is_missing, values)):
        raise LabelError('`abstain` holds a missing value; use missing="abstain" for that.')
    given = dict.fromkeys(map(canonical, values))
    refuse_lookalikes([*given, *predicted])
    return set(given)


def _present(names: dict[Hashable, int], codes: Codes) -> list[Hashable]:
    seen = np.zeros(len(names), np.bool_)
    seen[codes] = True
    return [name for name, i in names.items() if seen[i]]


def _universe(
    reals: list[Hashable], guesses: list[Hashable], policies: Policies
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    """Real and predicted labels in order."""
    if policies.labels is not None:
        given = _given(policies.labels)
        return given, given if policies.square else ordered(guesses)
    if policies.square:
        union = ordered(dict.fromkeys([*reals, *guesses]))  # the spelling of the real side stays
        return union, union
    return ordered(reals), ordered(guesses)


def _given(labels: Iterable[Any]) -> tuple[Hashable, ...]:
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise LabelError(f"`labels` is {text(labels)}; a sequence of labels is needed.")
    raw = list(labels)
    if any(map(is_missing, raw)):
        raise LabelError("`labels` holds a missing value, which is never a label.")
    given = tuple(map(canonical, raw))
    if not given:
        raise LabelError("`labels` is empty; at least one label is needed.")
    twice = [x for i, x in enumerate(given) if x in given[:i]]
    if twice:
        raise LabelError(f"`labels` holds {text(twice[0])} twice; each label may appear once.")
    check_kinds(given, ())
    return given


def _renumbered(
    codes: Codes, names: dict[Hashable, int], labels: tuple[Hashable, ...]
) -> NDArray[np.int64]:
    """Places of the labels in the table, -1 where there is none."""
    place = {label: i for i, label in enumerate(labels)}
    return np.asarray([*(place.get(name, -1) for name in names), -1], np.int64)[codes]


def _outside(
    codes: Codes,
    names: dict[Hashable, int],
    labels: tuple[Hashable, ...],
    mask: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    return mask & (_renumbered(codes, names, labels) < 0)


# ---------------------------------------------------------------- refusals


def check_cells(sides: Sequence[int]) -> None:
    if prod(sides) > MOST:
        raise LabelError(
            f"There are {' × '.join(f'{s:,}' for s in sides)} different labels, too many for a "
            "table; is one of the columns an identifier or a score?"
        )


def _refuse_missing(
    gone: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    n: Array,
    policy: Missing,
    where: Where | None,
) -> None:
    seen = []
    for side, (name, mask) in enumerate(zip(("real", "predicted"), gone, strict=True)):
        if how_many := int(n[mask].sum()):
            at = where(side) if where else []
            more = ", …" if how_many > len(at) else ""
            place = f" (position {', '.join(map(str, at))}{more})" if at else ""
            plural = "s" if how_many > 1 else ""
            seen.append(f"`{name}` has {how_many:,} missing label{plural}{place}")
    hint = (
        'a missing prediction can be an abstention, a missing real label cannot; use missing="drop"'
        if policy == "abstain"
        else 'use missing="drop" to leave such pairs out, or missing="abstain" to count a '
        "missing prediction as no answer"
    )
    raise LabelError(f"{' and '.join(seen)}; {hint}.")


def _refuse_outside(
    seen: tuple[list[Hashable], list[Hashable]],
    policies: Policies,
    labels: tuple[Hashable, ...],
    rows: int,
) -> None:
    names = seen[0] + (seen[1] if policies.square else [])
    strange = [x for x in dict.fromkeys(names) if x not in labels]
    alike = {written(x): x for x in labels}
    near = get_close_matches(written(strange[0]), alike, n=1)
    hint = f" Did you mean {text(alike[near[0]])}?" if near else ""
    if near and near[0] == written(strange[0]):
        hint = f" {text(alike[near[0]])} in `labels` is of another type: convert one of them."
    raise LabelError(
        f"{some(strange)} {'is' if len(strange) == 1 else 'are'} not in `labels` "
        f"({rows:,} row{'s' if rows > 1 else ''}); add what is meant to be counted.{hint}"
    )
