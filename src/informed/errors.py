"""Every error raised on purpose: each is a ValueError; `InformedError` catches them all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from informed._wording import Speak, listed, sayable, worded


class InformedError(ValueError):
    """What was seen, then what is needed, in one or two plain sentences.

    Arguments and calls stand in backticks, so that each surface can say them its own way. `ways` are what to do about
    it, such as "give `positive=`"; a surface that cannot do one of them does not name it.

    >>> error = InformedError("Which class is positive?", "give `positive=`", "take `t.one_vs_rest()`")
    >>> print(error)
    Which class is positive? Give `positive=`, or take `t.one_vs_rest()`.
    >>> print(error.worded(lambda x: f"--{x.name}" if hasattr(x, "name") else None))
    Which class is positive? Give --positive.
    """

    def __init__(self, said: str = "", *ways: str) -> None:
        super().__init__(said, *ways)
        self.said, self.ways = said, ways

    def __str__(self) -> str:
        return _advised(self.said, self.ways)

    def worded(self, speak: Speak) -> str:
        """The error as a surface says it."""
        return worded(_advised(self.said, [x for x in self.ways if sayable(x, speak)]), speak)


def _advised(said: str, ways: Sequence[str]) -> str:
    """What was seen, and what to do about it."""
    if not ways:
        return said
    advice = ", or ".join(ways)
    return f"{said} {advice[0].upper()}{advice[1:]}."


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
    raise error(f"`{name}` is {value!r}; it can be {listed(map(repr, choices), 'or')}.")
