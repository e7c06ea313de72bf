"""Groups that an engine has counted, as a Table, a Paired or Scores."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from informed.errors import LabelError, SourceError
from informed.evidence.checks import positive_of
from informed.evidence.counting import tabulate
from informed.evidence.labels import is_missing, native, text, written
from informed.evidence.paired import Paired
from informed.evidence.scores import ScoreColumns, Scores
from informed.evidence.table import Table
from informed.sources.engine import Bins, Engine, Row
from informed.sources.score_columns import score_columns

MOST_LABELS = 20_000


@dataclass(frozen=True)
class Request:
    """What was asked for: which columns, and what their values mean."""

    real: Any
    predicted: tuple[Any, ...] = ()
    by: tuple[Any, ...] = ()
    item: Any = None
    weights: Any = None
    score: Any = None
    labels: Sequence[Any] | None = None
    abstain: Any = None
    missing: Any = "error"
    positive: Any = None
    frequency: bool = False
    square: bool = True
    strip: bool = False
    bins: int = 4096
    keep: tuple[Any, ...] = ()


def gather(engine: Engine, asked: Request) -> Table | Paired | Scores | ScoreColumns:
    """The counts that were asked for."""
    several = asked.score if isinstance(asked.score, tuple) else (asked.score,)
    named = [asked.item, asked.weights, *several]
    engine.check(
        [*asked.by, asked.real, *asked.predicted, *(c for c in named if c is not None), *asked.keep]
    )
    if asked.keep and asked.item is None and len(asked.predicted) < 2:
        raise SourceError("`keep` is for several systems on the same items; give `item`.")
    if isinstance(asked.score, tuple):
        return score_columns(engine, asked)
    if asked.score is not None:
        return scores(engine, asked)
    if asked.item is not None or len(asked.predicted) > 1:
        from informed.sources.same_items import paired

        return paired(engine, asked)
    return table(engine, asked)


# ---------------------------------------------------------------- tables


def table(engine: Engine, asked: Request) -> Table:
    by = len(asked.by)
    keys = [*asked.by, asked.real, *asked.predicted]
    rows = _cleaned(engine.grouped(keys, asked.weights), len(keys), asked, engine)
    for side, what in ((by, "real"), (by + 1, "predicted")):
        _check_labels({row[side] for row in rows}, what, engine)
    return from_rows(rows, asked, by)


def from_rows(rows: list[Row], asked: Request, by: int) -> Table:
    """A table of groups `(*by, real, predicted, n[, w, w2, …])`."""
    weighted = asked.weights is not None
    held = _Held(row[i] for row in rows for i in (by, by + 1))
    counted = tabulate(
        [row[: by + 3 + 2 * weighted] for row in rows],
        by=by,
        weighted=weighted,
        labels=None if asked.labels is None else [held(x) for x in asked.labels],
        abstain=held.each(asked.abstain),
        missing=asked.missing,
        square=asked.square,
    )
    return Table.from_counted(
        counted,
        positive=None if asked.positive is None else held(asked.positive),
        frequency=asked.frequency,
    )


class _Held:
    """What was typed, as the source holds it: 1 and "1" name the same label."""

    def __init__(self, values: Any) -> None:
        self.labels = {native(x) for x in set(values) if not is_missing(x)}
        self.by_text: dict[str, Hashable] = {
            str(int(x)): x for x in self.labels if isinstance(x, bool)
        }
        self.by_text |= {_spelled(x): x for x in self.labels}

    def __call__(self, given: Any) -> Any:
        if isinstance(given, Hashable) and given in self.labels:
            return given
        return self.by_text.get(_spelled(given), given)

    def each(self, given: Any) -> Any:
        if isinstance(given, (list, tuple, set, frozenset)):
            return [self(x) for x in given]
        return None if given is None else self(given)


def _spelled(label: Any) -> str:
    return str(label).casefold() if isinstance(label, bool) else written(label)


def _cleaned(rows: list[Row], keys: int, asked: Request, engine: Engine) -> list[Row]:
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
            f"The weights {text(name)} of {engine.shown} go down to {min(least):g}; "
            "a weight cannot be negative."
        )
    if any(is_missing(x) or not isfinite(x) for x in total):
        raise SourceError(
            f"The weights {text(name)} of {engine.shown} hold NaN or infinity; "
            "weights must be finite."
        )


def _check_labels(values: set[Any], what: str, engine: Engine) -> None:
    if len(values) > MOST_LABELS:
        raise SourceError(
            f"The {what} column of {engine.shown} holds {len(values):,} different labels, more "
            f"than {MOST_LABELS:,}; is it an id column? Choose a column of classes."
        )


# ---------------------------------------------------------------- scores


def scores(engine: Engine, asked: Request) -> Scores:
    if asked.item is not None or asked.predicted:
        raise SourceError("With `score`, give `real` only: predictions come from thresholds.")
    if asked.missing == "abstain":
        raise SourceError('A score cannot abstain: use missing="error" or missing="drop".')
    if asked.bins < 2:
        raise SourceError(f"`bins` is {asked.bins}; at least 2 are needed.")
    keys = [*asked.by, asked.real]
    try:
        span = engine.span(asked.score)
    except SourceError as error:
        raise _no_number(engine, asked.score) or error from None
    rows: list[Row] | None = None
    if span.distinct <= 1.3 * asked.bins:  # an estimate may be that much too low or high
        rows = _distinct(engine, asked, keys)
    exact = rows is not None
    if rows is None:
        low, high = span.low, span.high
        if low is None or high is None:
            low = high = 0.0
        width = high / asked.bins - low / asked.bins  # so that a huge range does not overflow
        bins = Bins(low, 1 / width if width > 0 else 0.0, asked.bins - 1)
        raw = engine.binned(keys, asked.weights, asked.score, bins)
        k = len(keys)
        rows = [  # a bin is known by its number, and where it is not finite, by the score
            (*row[:k], row[k], row[k + 1], *row[k + 2 : -2], row[-2], row[-1]) for row in raw
        ]
        exact = False
    rows = _cleaned(rows, len(keys) + 2, asked, engine)
    return _histogram(rows, asked, engine, exact)


def _distinct(engine: Engine, asked: Request, keys: list[Any]) -> list[Row] | None:
    """Every distinct score with its counts, unless there are too many."""
    rows = engine.grouped([*keys, asked.score], asked.weights)
    k = len(keys)
    if len({row[k] for row in rows}) > asked.bins:
        return None
    out = []
    for row in rows:
        value = row[k]
        out.append((*row[:k], None, value, *row[k + 1 :], value, value))
    return out


def _no_number(engine: Engine, score: Any) -> SourceError | None:
    """What a column holds that is no score; None where that cannot be found."""
    try:
        held = [row[0] for row in engine.grouped([score])]
    except SourceError:
        return None
    for x in held:
        try:
            _number(x)
        except SourceError:
            return SourceError(
                f"The column {text(score)} of {engine.shown} holds {text(x)}, which is no number; "
                "a score must be a number for every row."
            )
    return None


def _number(x: Any) -> float | None:
    """A score as a float; None where it is missing."""
    if is_missing(x):
        return None
    try:
        value = float(x)
    except (TypeError, ValueError):
        raise SourceError(f"The score {text(x)} is no number.") from None
    return None if value != value else value


def _histogram(rows: list[Row], asked: Request, engine: Engine, exact: bool) -> Scores:
    by, weighted = len(asked.by), asked.weights is not None
    # The place of a bin is its lowest score; bins of several groups share one place.
    lowest: dict[Any, float] = {}
    highest: dict[Any, float] = {}
    keyed = []
    for row in rows:
        low, high = _number(row[-2]), _number(row[-1])
        key: Any = None
        if low is not None and high is not None:
            key = low if row[by + 1] is None else int(row[by + 1])
            key = (row[by + 1] is None, key)
            lowest[key] = min(low, lowest.get(key, low))
            highest[key] = max(high, highest.get(key, high))
        keyed.append((*row[:by], row[by], key, *row[by + 3 : -2]))
    lost = sum(row[by + 2] for row in keyed if is_missing(row[by]) or row[by + 1] is None)
    if lost and asked.missing != "drop":
        raise LabelError(
            f"{lost:,} rows of {engine.shown} have no real label or no score; use "
            'missing="drop" to leave them out.'
        )
    kept = [row for row in keyed if not is_missing(row[by]) and row[by + 1] is not None]
    if not kept:
        raise SourceError(f"Every row of {engine.shown} lacks a label or a score.")
    order = sorted(lowest, key=lowest.__getitem__)
    place = {key: i for i, key in enumerate(order)}
    held = _Held(row[by] for row in kept)
    counted = tabulate(
        [
            (*row[:by], row[by], place[row[by + 1]], *row[by + 2 : by + 3 + 2 * weighted])
            for row in kept
        ],
        by=by,
        weighted=weighted,
        labels=None if asked.labels is None else [held(x) for x in asked.labels],
        square=False,
    )
    places: list[Any] = list(counted.predicted_labels)
    return Scores(
        thresholds=np.asarray([lowest[order[i]] for i in places]),
        counts=counted.counts,
        labels=counted.real_labels,
        exact=exact or all(lowest[k] == highest[k] for k in order),
        squares=None if asked.frequency else counted.squares,
        positive=positive_of(
            counted.real_labels,
            counted.real_labels,
            None if asked.positive is None else held(asked.positive),
        ),
        missing=int(lost),
        rows=int(sum(row[by + 2] for row in keyed)),
        axes=counted.names,
    )


def summary(counts: Table) -> str:
    """How many rows were read, missing and abstained, as a sentence."""
    rows, missing = np.sum(counts.rows), np.sum(counts.missing)
    parts = [f"{rows:,.0f} rows read"]
    if missing:
        parts.append(f"{missing:,.0f} left out because a label was missing")
    if abstained := float(np.sum(counts.abstained)):
        parts.append(f"{abstained:,.0f} without an answer")
    return ", ".join(parts) + "."
