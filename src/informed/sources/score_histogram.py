"""Scores that an engine has counted, by real class: every distinct one, or bins of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed.errors import SourceError
from informed.evidence.checks import positive_of
from informed.evidence.counting import tabulate
from informed.evidence.label_policy import Held, LabelPolicy
from informed.evidence.labels import is_missing
from informed.evidence.scores import Scores
from informed.evidence.table import Table
from informed.sources.engine import Bins, Engine, Row, as_number
from informed.sources.request import Request, cleaned, levels
from informed.sources.score_columns import check_lost, not_a_score


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
        low, high = (0.0, 0.0) if span.low is None or span.high is None else (span.low, span.high)
        width = high / asked.bins - low / asked.bins  # so that a huge range does not overflow
        bins = Bins(low, 1 / width if width > 0 else 0.0, asked.bins - 1)
        rows = engine.binned(keys, asked.weights, asked.score, bins)
    return _histogram(cleaned(rows, len(keys) + 2, asked, engine), asked, engine, exact)


def _distinct(engine: Engine, asked: Request, keys: list[Any]) -> list[Row] | None:
    """Every distinct score as a bin of its own with its counts, unless there are too many."""
    rows = engine.grouped([*keys, asked.score], asked.weights)
    k = len(keys)
    if len({row[k] for row in rows}) > asked.bins:
        return None
    return [(*row[:k], None, row[k], *row[k + 1 :], row[k], row[k]) for row in rows]


def _no_number(engine: Engine, score: Any) -> SourceError | None:
    """What a column holds that is no score; None where that cannot be found."""
    try:
        held = [row[0] for row in engine.grouped([score])]
    except SourceError:
        return None
    odd = [x for x in held if not is_missing(x) and as_number(x) is None]
    return not_a_score(odd[0], score, engine) if odd else None


def _number(x: Any, asked: Request, engine: Engine) -> float | None:
    """A score as a float; None where it is missing."""
    if is_missing(x):
        return None
    value = as_number(x)
    if value is None:
        raise not_a_score(x, asked.score, engine)
    return None if value != value else value


@dataclass
class _Bins:
    """The bins that hold scores: each stands where its lowest score is.

    Bins of several groups share one place. A bin is known by its number, and a score that has
    none (it is not finite, or every score is a bin of its own) by itself.
    """

    lowest: dict[Hashable, float]
    highest: dict[Hashable, float]

    def key(self, number: Any, low: float | None, high: float | None) -> Hashable | None:
        """The bin of a group of scores; None where they are missing."""
        if low is None or high is None:
            return None
        key = (True, low) if number is None else (False, int(number))
        self.lowest[key] = min(low, self.lowest.get(key, low))
        self.highest[key] = max(high, self.highest.get(key, high))
        return key

    def ascending(self) -> list[Hashable]:
        return sorted(self.lowest, key=self.lowest.__getitem__)


def _histogram(rows: list[Row], asked: Request, engine: Engine, exact: bool) -> Scores:
    by, weighted = len(asked.by), asked.weights is not None
    bins = _Bins({}, {})
    keyed: list[Row] = []
    for row in rows:
        low, high = (_number(x, asked, engine) for x in row[-2:])
        key = bins.key(row[by + 1], low, high)
        keyed.append((*row[: by + 1], key, *row[by + 3 : -2]))
    kept = [row for row in keyed if not is_missing(row[by]) and row[by + 1] is not None]
    total = int(sum(row[by + 2] for row in keyed))
    lost = total - int(sum(row[by + 2] for row in kept))
    check_lost(lost, len(kept), asked, engine)

    order = bins.ascending()
    place = {key: i for i, key in enumerate(order)}
    groups = [(*row[: by + 1], place[row[by + 1]], *row[by + 2 : by + 3 + 2 * weighted]) for row in kept]
    counted = Table(
        **tabulate(
            groups,
            LabelPolicy(asked.labels, square=False, typed=True),
            by=by,
            weighted=weighted,
            frequency=asked.frequency,
            levels=[*levels(engine, [asked.real]), None],
        )
    )
    squares = None
    if counted.squares is not None:
        squares = replace(counted, cells=counted.squares).counts
    labels: Any = counted.real_labels
    places: list[Any] = list(counted.predicted_labels)
    positive = None if asked.positive is None else Held(labels)(asked.positive)
    return Scores(
        thresholds=np.asarray([bins.lowest[order[i]] for i in places]),
        counts=counted.counts,
        labels=labels,
        exact=exact or bins.lowest == bins.highest,
        squares=squares,
        positive=positive_of(labels, labels, positive),
        missing=lost,
        rows=total,
        axes=tuple(names or () for names in counted.axes),
    )
