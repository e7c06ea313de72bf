"""What was asked of a source, and the checks of the groups that it gives back."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from informed.errors import SourceError
from informed.evidence.labels import Label, is_missing, native, text
from informed.evidence.likeness import Normalize
from informed.sources.engine import Engine, Row

MOST_LABELS = 20_000


@dataclass(frozen=True)
class Request:
    """What was asked for: which columns, and what their values mean."""

    real: Any
    predicted: tuple[Any, ...] = ()
    by: tuple[Any, ...] = ()
    item: Any = None
    unit: Any = None
    tables: bool = False  # with items and `by`: a table each, not paired answers
    weights: Any = None
    score: Any = None
    labels: Sequence[Label] | None = None
    abstain: Any = None
    missing: Any = "error"
    positive: Label = None
    frequency: bool = False
    square: bool = True
    strip: bool = False
    bins: int = 4096
    keep: tuple[Any, ...] = ()
    normalize: Normalize = None

    def __post_init__(self) -> None:
        """Refuse a column of labels, scores or weights as what cases belong to."""
        scores = self.score if isinstance(self.score, tuple) else (self.score,)
        read = {"real": (self.real,), "predicted": self.predicted, "score": scores, "weights": (self.weights,)}
        for name in ("unit", "item"):
            group = getattr(self, name)
            for what, columns in read.items():
                if group is not None and any(isinstance(x, str) and x == group for x in columns):
                    raise SourceError(f"`{name}` and `{what}` are both {text(group)}; cases belong to something else.")


def typed_option(text: str, example: str = "filter=none") -> tuple[str, Any]:
    """NAME=VALUE as it is typed: a number, several, true or false where it is one, else text; NAME= is empty text.

    >>> typed_option("rank=10"), typed_option("section='Error on test data'"), typed_option("prevalence=0.3,0.7")
    (('rank', 10), ('section', 'Error on test data'), ('prevalence', [0.3, 0.7]))
    """
    name, equals, value = map(str.strip, text.partition("="))
    if not (name.isidentifier() and equals):
        raise SourceError(f"{text!r} is no choice; write it as NAME=VALUE, such as {example}.")
    try:
        found = literal_eval(value.title() if value in ("true", "false") else value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return name, value
    if isinstance(found, tuple):
        return name, list(found)
    return name, found if isinstance(found, bool | int | float | str) else value


def cleaned(rows: list[Row], keys: int, asked: Request, engine: Engine) -> list[Row]:
    """The rows, once their weights are known to be good."""
    if not rows:
        raise SourceError(f"{engine.shown} has no rows of data; at least one case is needed.")
    if asked.weights is not None:
        _check_weights(rows, keys, asked.weights, engine)
    if not asked.strip:
        return rows
    return [(*map(_stripped, row[:keys]), *row[keys:]) for row in rows]


def _stripped(value: Any) -> Any:
    return (value.strip() or None) if isinstance(value, str) else value


def _check_weights(rows: list[Row], keys: int, name: Any, engine: Engine) -> None:
    n, total, _, least, numbers = ([row[keys + i] for row in rows] for i in range(5))
    lacking = sum(n) - sum(x or 0 for x in numbers)
    if lacking:
        raise SourceError(
            f"The weights {text(name)} of {engine.shown} are missing or no numbers in "
            f"{lacking:,} rows; every case needs a weight."
        )
    if any(not is_missing(x) and x < 0 for x in least):
        raise SourceError(
            f"The weights {text(name)} of {engine.shown} go down to {min(least):g}; a weight cannot be negative."
        )
    if any(is_missing(x) or not isfinite(x) for x in total):
        raise SourceError(f"The weights {text(name)} of {engine.shown} hold NaN or infinity; weights must be finite.")


def check_labels(given: Iterable[Any], what: str, engine: Engine) -> None:
    values = list(given)
    try:
        different = set(values)
    except TypeError:
        for value in values:
            native(value)  # says which one cannot be a label
        raise
    large = [x for x in different if isinstance(x, int | float) and abs(x) >= engine.most_exact]
    if large and engine.most_exact < inf:
        raise SourceError(
            f"The {what} column of {engine.shown} holds the number {text(large[0])}, of which not all digits are kept "
            "there; write such labels as text."
        )
    if len(different) > MOST_LABELS:
        raise SourceError(
            f"The {what} column of {engine.shown} holds {len(different):,} different labels, more "
            f"than {MOST_LABELS:,}; is it an id column? Choose a column of classes."
        )
