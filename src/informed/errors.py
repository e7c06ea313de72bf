"""Every error raised on purpose: each is a ValueError; `InformedError` catches them all."""


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


class MissingExtra(InformedError, ImportError):
    """An optional package is needed; the message names the `pip install`."""
