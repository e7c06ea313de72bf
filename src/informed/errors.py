"""Every error raised on purpose: each is a ValueError; `InformedError` catches them all."""

from __future__ import annotations

from collections.abc import Collection


class InformedError(ValueError):
    """What was seen, then what is needed, in one or two plain sentences."""


class LabelError(InformedError):
    """Labels that cannot be counted as they stand."""


class TableError(InformedError):
    """Counts that are no contingency table, or a table that an operation cannot take."""


class MeasureError(InformedError):
    """A measure that does not exist, or that this table does not determine."""


class InferenceError(InformedError):
    """An interval, a test or a plan that cannot be had as asked."""


class SourceError(InformedError):
    """A file, frame, query or log that cannot be read as asked."""


class CallError(InformedError, TypeError):
    """A call that cannot be meant as it stands: arguments by place that go by name, or a name that there is not."""


class MissingExtra(InformedError, ImportError):
    """An optional package is needed; the message names the `pip install`."""


def one_of(name: str, value: object, choices: Collection[object], error: type[InformedError] = InformedError) -> None:
    """Refuse an option that is none of its choices.

    >>> one_of("rounding", "up", ("nearest", "down"))
    Traceback (most recent call last):
    informed.errors.InformedError: `rounding` is 'up'; it can be 'nearest' or 'down'.
    """
    if isinstance(value, str | bool | None) and value in choices:  # an array, say, is equal to nothing
        return
    *most, last = map(repr, choices)
    said = f"{', '.join(most)} or {last}" if most else last
    raise error(f"`{name}` is {value!r}; it can be {said}.")
