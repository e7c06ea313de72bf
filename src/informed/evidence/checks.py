"""Checks at the border of `Table`: counts, labels, names, distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from informed._arrays import Array
from informed.errors import TableError, one_of
from informed.evidence import cells
from informed.evidence.crosstabs import Rows
from informed.evidence.label_order import Stated, ordered, stands_in
from informed.evidence.label_policy import given_labels
from informed.evidence.labels import Label, Labels, canonical, check_kinds, guess_positive, some, text

Axes: TypeAlias = tuple[Labels | None, ...]

UNLABELLED = ("+", "−")
LEAST, MOST = 1e-50, 1e50  # of a count: measures multiply up to six of them, and floats end at 1e308
TOLERANCE = 1e-5  # of probabilities that should add up to 1


def frozen(array: Any) -> Array:
    """A contiguous array of floats that nobody can write to; or what stands in for one."""
    if isinstance(array, cells.StandIn):
        return cast(Array, array)
    result: Array = np.ascontiguousarray(array, dtype=np.float64).reshape(np.shape(array))
    result.flags.writeable = False
    return result


def classes_first(values: Any, lead: int = 1) -> Array:
    """(..., classes) to (classes, ...), where the last `lead` axes are classes; of many classes what
    is occupied. Never the caller's memory, which may change under the table."""
    given = np.asarray(values, dtype=np.float64)
    first = np.moveaxis(given, range(-lead, 0), range(lead))
    if lead == 2 and cells.many(*first.shape[:2]):
        return cast(Array, cells.Occupied.gathered(*cells.occupied(first), first.shape[:2]))
    result = frozen(first)
    return frozen(result.copy()) if np.may_share_memory(result, given) else result


def numbers(given: Any, name: str, *, signed: bool = False) -> Array:
    """Finite numbers, not negative unless `signed`, or one clear sentence."""
    if np.ma.is_masked(given):
        raise TableError(
            f"`{name}` holds masked numbers; fill them, with 0 where nothing was counted, or leave them out."
        )
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"`{name}` is {text(given)}; numbers are needed, in rows that are equally long.") from None
    wrong = ~np.isfinite(array) if signed else ~((array >= 0) & (array < np.inf))
    if wrong.any():
        held, room = "holds" if array.ndim else "is", "" if signed else " and not negative"
        raise TableError(f"`{name}` {held} {array[wrong][0]:g}; it must be finite{room}.")
    return array


def in_reach(array: Array, name: str) -> Array:
    """The numbers, unless their products would overflow or vanish."""
    far = (array > MOST) | ((array < LEAST) & (array > 0))
    if far.any():
        raise TableError(
            f"`{name}` holds {array[far][0]:g}; what is counted must be 0 or lie between {LEAST:g} and {MOST:g}, so "
            "that products of counts are numbers. Give it in another unit."
        )
    return array


def checked_counts(counts: Any) -> Array:
    """Counts with at least two axes, (..., predicted, real)."""
    array = in_reach(numbers(counts, "counts"), "counts")
    if array.ndim < 2 or min(array.shape[-2:]) < 1:
        raise TableError(f"`counts` has shape {array.shape}; the last two axes must be (predicted, real).")
    if array.shape[-2:] == (1, 1):
        raise TableError(
            "`counts` is 1 x 1; one class predicted as itself says nothing. Give all classes, "
            "with zeros where nothing was counted."
        )
    return array


def checked_abstained(given: Any, shape: tuple[int, ...]) -> Array | None:
    """Abstentions by real class, with the class axis first."""
    if given is None:
        return None
    array = in_reach(numbers(given, "abstained"), "abstained")
    if array.shape != shape:
        raise TableError(f"`abstained` has shape {array.shape}; it must be {shape}, one number for each real class.")
    return classes_first(array)


def labels_of(
    n_predicted: int,
    n_real: int,
    labels: Sequence[Label] | None,
    predicted_labels: Sequence[Any] | None,
    real_labels: Sequence[Any] | None,
    rows: Rows = "predicted",
) -> tuple[Labels, Labels]:
    """Predicted and real labels of counts: as given, else "+" and "−" with predictions in rows, as the papers
    have them, else numbers from 0, as scikit-learn counts them."""
    if labels is not None and not (predicted_labels is None and real_labels is None):
        raise TableError("Give either `labels` or `predicted_labels` and `real_labels`.")
    if labels is None and predicted_labels is None and real_labels is None:
        if (n_predicted, n_real) == (2, 2) and rows == "predicted":
            return UNLABELLED, UNLABELLED
        return tuple(range(n_predicted)), tuple(range(n_real))
    on_rows = next(x for x in (labels, predicted_labels, real_labels) if x is not None)
    on_columns = next(x for x in (labels, real_labels, predicted_labels) if x is not None)
    return _checked_labels(on_rows, n_predicted, "predicted"), _checked_labels(on_columns, n_real, "real")


def _checked_labels(labels: Any, size: int, side: str) -> Labels:
    given = given_labels(list(labels))
    if len(given) != size:
        raise TableError(f"{len(given)} {side} labels were given for {size} classes.")
    return given


def positive_of(predicted: Labels, real: Labels, positive: Label) -> Label | None:
    """The label that is positive: as asked, else the one whose name says so, else none."""
    if positive is None:
        return guess_positive(real) if predicted == real and len(real) == 2 else None
    if predicted != real or len(real) != 2:
        raise TableError(
            f"`positive` is {positive!r}, but the classes are {some(real)}; only one of two classes can be positive."
        )
    for label in real:
        if label == canonical(positive):
            return label
    for label in real:  # on a command line everything is text
        if str(label) == str(positive):
            return label
    raise TableError(f"`positive` is {positive!r}; the classes are {some(real)}.")


def distribution(p: Any, name: str) -> Array:
    """Probabilities that add up to 1; a single one is completed to two."""
    array = numbers(p, name, signed=True)
    if array.ndim == 0:
        array = np.array([float(array), 1 - float(array)])
    if array.ndim != 1 or (array < 0).any():
        raise TableError(f"`{name}` is {p}; it must be a probability, or one for each class.")
    if not abs(float(array.sum()) - 1) <= TOLERANCE:
        raise TableError(f"`{name}` adds up to {array.sum():g}; it must add up to 1.")
    return array


def named_axes(names: Sequence[Any] | None, stack: tuple[int, ...]) -> Axes:
    """Names along each axis of a stack, checked."""
    if names is None:
        return (None,) * len(stack)
    per_axis = [names] if len(stack) == 1 else list(names)
    if len(per_axis) != len(stack):
        raise TableError(f"`names` has {len(per_axis)} axes for a stack of shape {stack}.")
    axes: list[Labels | None] = []
    for given, size in zip(per_axis, stack, strict=True):
        axis = None if given is None else tuple(canonical(x) for x in given)
        if axis is not None and (len(axis) != size or len(set(axis)) != size):
            raise TableError(f"`names` gives {len(set(axis))} different names for {size} tables.")
        axes.append(axis)
    return tuple(axes)


def joined_axes(a: Axes, b: Axes) -> Axes:
    """Names of a sum of two stacks: they must not contradict each other."""
    for one, other in zip(a, b, strict=True):
        if one is not None and other is not None and one != other:
            raise TableError(f"The stacks are named differently: {some(one)} and {some(other)}.")
    return tuple(one or other for one, other in zip(a, b, strict=True))


def union(
    a: Labels, b: Labels, stated: tuple[Stated | None, Stated | None] = (None, None)
) -> tuple[Labels, Stated | None]:
    """The labels of both, in a stated order where there is one, else sorted; and who stated it.

    Orders that contradict each other are no order: the first is kept for the eye.
    """
    check_kinds((*a, *b), ())
    whole = [(x, by) for x, other, by in ((a, b, stated[0]), (b, a, stated[1])) if set(other) <= set(x)]
    if len(whole) == 2 and stated[0] is None and stated[1] is not None:
        whole = whole[::-1]
    if whole:
        labels, by = whole[0]
        rest, other = (b, stated[1]) if labels is a else (a, stated[0])
        agree = other is None or stands_in(rest, labels)
        return labels, by if agree else None
    if UNLABELLED in (a, b):
        raise TableError(
            "One of the tables has no labels of its own, the other has "
            f"{some(b if a == UNLABELLED else a)}; give both the same labels before adding."
        )
    return ordered(dict.fromkeys((*a, *b))), None


def plus(a: Array | None, b: Array | None) -> Array | None:
    """A sum in which None is nothing."""
    there = [x for x in (a, b) if x is not None]
    return frozen(cells.added(there)) if there else None


def positions(wanted: Iterable[Label], labels: Labels) -> cells.Places:
    """Where the wanted labels stand; −1 for those that do not."""
    place = {x: i for i, x in enumerate(labels)}
    return np.asarray([place.get(x, -1) for x in wanted], np.int64)


def checked_stated(given: Any) -> Stated | None:
    """Who stated an order, as JSON has it; tables written before orders were known have none."""
    one_of("order", given, ("given", "declared", None), TableError)
    return given  # type: ignore[no-any-return]
