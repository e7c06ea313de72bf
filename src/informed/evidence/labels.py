"""What a label is, when it is missing, when two are the same, and which is positive."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from decimal import Decimal
from enum import Enum
from itertools import chain
from numbers import Number
from typing import Any, TypeAlias, cast

import numpy as np

from informed.errors import LabelError

Label: TypeAlias = Hashable
Labels: TypeAlias = tuple[Label, ...]

POSITIVE = ("1", "true", "yes", "+")  # text that names the positive class; so does "pos…"


def is_missing(x: Any) -> bool:
    """None, NaN, NaT, NA and null: never a label.

    >>> [is_missing(x) for x in (None, float("nan"), np.datetime64("NaT", "s"), 0, "", "nan")]
    [True, True, True, False, False, False]
    """
    if x is None or x is np.ma.masked:
        return True
    if isinstance(x, (str, int)):
        return False
    if isinstance(x, Decimal):
        return x.is_nan()  # a signalling one cannot be compared
    if isinstance(x, (float, complex, np.inexact, np.datetime64, np.timedelta64)):
        return bool(x != x)
    if package(x) == "pyarrow":
        return x.is_valid is False
    return type(x).__name__ in ("NAType", "NaTType")  # pandas, without importing it


def native(x: Any) -> Hashable:
    """A value as plain Python holds it; whole numbers are ints.

    >>> native(np.float32(2.0)), native(np.str_("a")), native(0.5)
    (2, 'a', 0.5)
    """
    if isinstance(x, (str, int, Enum)) and not isinstance(x, np.generic):
        return x
    if package(x) == "pyarrow":
        return native(x.as_py())
    if package(x) == "pandas":
        return _of_pandas(x)
    if isinstance(x, np.datetime64 | np.timedelta64):
        return _moment(x)
    if isinstance(x, np.longdouble):
        x = float(x)
    if isinstance(x, np.generic):
        return native(x.item())
    if isinstance(x, (float, Decimal)):
        return int(x) if _whole(x) else x
    try:
        hash(x)
    except TypeError:
        raise LabelError(
            f"{text(x)} is a {type(x).__name__}, which cannot be a label; one label per case is needed (text, number, "
            "bool, tuple). Items of several labels each are tags: informed.Tags.from_labels(real=…, predicted=…), "
            "or --average prevalence on the command line."
        ) from None
    return cast(Hashable, x)


def canonical(x: Any) -> Hashable:
    """The label that `x` stands for; a number with a fraction is refused as a score.

    >>> canonical(1.0), canonical(np.int8(-1)), canonical(np.True_), canonical("1")
    (1, -1, True, '1')
    """
    label = native(x)
    if isinstance(label, (float, Decimal)) and not isinstance(label, Enum):
        raise LabelError(
            f"{text(label)} looks like a score, not a label; compare it with a threshold "
            "first, or give scores to `informed.roc`."
        )
    return label


def check_kinds(
    real_labels: Collection[Hashable],
    predicted_labels: Collection[Hashable],
    square: bool = True,
    names: tuple[str, str] = ("real", "predicted"),
) -> None:
    """Refuse labels that look equal and are not. Between clusters and classes (`square` is
    false) each side is checked by itself."""
    sides = [real_labels, predicted_labels]
    for labels in [[*chain.from_iterable(sides)]] if square else sides:
        refuse_lookalikes(labels)
        _refuse_bools_among_numbers(labels)
    if square:
        _refuse_text_against_numbers(real_labels, predicted_labels, names)
        _refuse_text_against_numbers(predicted_labels, real_labels, names[::-1])


def refuse_lookalikes(labels: Iterable[Hashable]) -> None:
    """Refuse two unequal labels that are written alike, as 1 and "1"."""
    seen: dict[str, Hashable] = {}
    for label in labels:
        other = seen.setdefault(written(label), label)
        if other != label and (isinstance(other, bytes) or isinstance(label, bytes)):
            words = any(isinstance(x, str) for x in (other, label))
            become = "text with `labels.astype(str)`" if words else "numbers with `labels.astype(int)`"
            raise LabelError(
                f"{text(other)} ({_kind(other)}) and {text(label)} ({_kind(label)}) are both labels; they are written "
                f"alike but not equal. Bytes become {become}."
            )
        if other != label:
            raise LabelError(
                f"{text(other)} ({_kind(other)}) and {text(label)} ({_kind(label)}) are both "
                "labels; they are written alike but not equal. Convert them to one type first, or give "
                f'`normalize="{"number,bool" if isinstance(other, bool) or isinstance(label, bool) else "number"}"`.'
            )


def _refuse_bools_among_numbers(labels: Iterable[Hashable]) -> None:
    labels = list(labels)
    bools = [x for x in labels if isinstance(x, bool)]
    others = [x for x in labels if _is_number(x) and x not in (0, 1)]
    if bools and others:
        raise LabelError(
            f"True/False labels meet the number {text(others[0])}; bools can only be compared "
            "with 0 and 1. Use one set of labels on both sides."
        )


def _refuse_text_against_numbers(
    one: Collection[Hashable], other: Collection[Hashable], names: tuple[str, ...]
) -> None:
    if one and other and all(isinstance(x, (str, bytes)) for x in one) and all(map(_is_number, other)):
        raise LabelError(
            f"The {names[0]} labels are text ({some(one)}) and the {names[1]} labels are "
            f"numbers ({some(other)}), so no two can be equal. Convert one side first"
            f"{_as_numbers(one)}."
        )


def _as_numbers(labels: Collection[Hashable]) -> str:
    """How text becomes numbers, where all of it is."""
    if any(isinstance(x, bytes) for x in labels):
        return ": bytes become text with `labels.astype(str)`"
    spelled = [written(x).strip().casefold() for x in labels]
    if {*spelled} <= {"true", "false"}:
        return ', or give `normalize="bool"`'
    numerals = all(x.lstrip("+-").replace(".", "", 1).isdecimal() for x in spelled)
    return ', or give `normalize="number"`' if numerals else ""


def guess_positive(labels: Sequence[Hashable]) -> Hashable | None:
    """Of two labels, the one whose name says positive; None when neither or both do.

    >>> guess_positive(["neg", "pos"]), guess_positive([0, 1]), guess_positive(["cat", "dog"])
    ('pos', 1, None)
    """
    found = [x for x in labels if _says_positive(x)]
    return found[0] if len(labels) == 2 and len(found) == 1 else None


def _says_positive(label: Hashable) -> bool:
    if not isinstance(label, str):
        return _is_number(label) and label == 1
    name = label.strip().casefold()
    return name in POSITIVE or name.startswith("pos")


def text(label: object) -> str:
    """A label in a message: text in quotes, long ones cut.

    >>> print(text("spam"), text(3), text("x" * 100))
    'spam' 3 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    """
    shown = repr(native(label)) if isinstance(label, (str, bytes)) else str(label)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def some(labels: Collection[Hashable], most: int = 3) -> str:
    """The first few labels of many, for a message.

    >>> some(["a", "b"]), some(range(10))
    ("'a', 'b'", '0, 1, 2 and 7 more')
    """
    shown = ", ".join(text(x) for x, _ in zip(labels, range(most), strict=False))
    return shown + (f" and {len(labels) - most} more" if len(labels) > most else "")


def written(label: Hashable) -> str:
    """What a reader sees of a label, whatever its type."""
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)


def _kind(label: Hashable) -> str:
    if isinstance(label, str):
        return "text"
    return "a number" if _is_number(label) else type(label).__name__


def _is_number(label: object) -> bool:
    return isinstance(label, Number) and not isinstance(label, np.timedelta64)  # which NumPy has among integers


def _whole(x: float | Decimal) -> bool:
    return bool(np.isfinite(float(x))) and x == int(x)


def _moment(x: np.datetime64 | np.timedelta64) -> Hashable:
    """Python's date or duration, unless it would lose nanoseconds or is beyond Python's years."""
    coarse = x
    if np.datetime_data(x.dtype)[0] in ("ns", "ps", "fs", "as"):
        coarse = x.astype(f"{x.dtype.kind}8[us]")
    held = coarse.item()
    return cast(Hashable, held) if coarse == x and not isinstance(held, int) else x


def _of_pandas(x: Any) -> Hashable:
    """Times as Python and numpy hold them; other values of pandas (periods, intervals) stay what they are."""
    if hasattr(x, "to_timedelta64"):
        return native(x.to_timedelta64())
    if not hasattr(x, "to_datetime64"):
        return cast(Hashable, x)
    if x.tzinfo is None:
        return native(x.to_datetime64())
    if x.nanosecond:
        raise too_fine("a time with a zone")
    return cast(Hashable, x.to_pydatetime())


def too_fine(what: str) -> LabelError:
    """Why a time that Python would cut is no label."""
    return LabelError(
        f"A label is {what} to the nanosecond, which Python cuts to the microsecond, so that two labels would become "
        "one; round such times, or write them as text."
    )


def package(x: object) -> str:
    """The package that the class of an object comes from; nothing is imported to tell."""
    return type(x).__module__.partition(".")[0]
