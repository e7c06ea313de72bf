"""Scores that an engine has counted: of one column a histogram by real class, of several the rows themselves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from informed.errors import LabelError, SourceError
from informed.evidence.checks import positive_of
from informed.evidence.counting import tabulate
from informed.evidence.label_policy import Held, LabelPolicy
from informed.evidence.labels import canonical, is_missing, native, text
from informed.evidence.scores import ScoreColumns, Scores
from informed.evidence.table import Table
from informed.evidence.unit_counting import no_unit
from informed.sources.engine import Bins, Engine, Name, Row, as_number
from informed.sources.request import Request, cleaned


def scores(engine: Engine, asked: Request) -> Scores | ScoreColumns:
    """What `roc` needs of one column of scores, or `compare_areas` of several."""
    several = isinstance(asked.score, tuple)
    if several and (asked.predicted or asked.by):
        raise SourceError("Several scores are of the same cases: give `real` only, and no groups.")
    if asked.predicted:
        raise SourceError("With `score`, give `real` only: predictions come from thresholds.")
    grouped = asked.unit is not None or asked.item is not None
    if grouped and len(asked.by) > 1:
        raise SourceError("Scores with units are grouped by one column.")
    if asked.missing == "abstain":
        raise SourceError("A score cannot abstain: use `missing='error'` or `missing='drop'`.")
    if grouped and not several:
        return _score_columns(engine, replace(asked, score=(asked.score,)))
    return _score_columns(engine, asked) if several else _histogram(engine, asked)


# ---------------------------------------------------------------- several columns


def _score_columns(engine: Engine, asked: Request) -> ScoreColumns:
    """Every distinct row with how often it occurs; at most as many as a table may have groups."""
    if asked.weights is not None and not asked.frequency:
        raise SourceError("Several scores, or scores with units, are taken case by case; this takes no weights.")
    names = list(asked.score)
    if len(set(names)) < len(names):
        raise SourceError("A column of scores is given twice.")

    groups = {kind: name for kind, name in (("unit", asked.unit), ("item", asked.item)) if name is not None}
    if asked.by:
        groups["by"] = asked.by[0]
    rows = engine.grouped([asked.real, *names, *groups.values()], asked.weights)
    k = len(names) + 1
    times = k + len(groups) + (asked.weights is not None)  # the place of the count, or of the sum of counts
    for at, name in enumerate(groups.values(), k):
        lacking = sum(int(row[times]) for row in rows if is_missing(row[at]))
        if lacking:
            raise SourceError(f"{engine.shown}: {no_unit(name, lacking)}")
    if asked.weights is not None and any(float(row[times]) % 1 for row in rows):
        raise SourceError(
            f"The counts {text(asked.weights)} of {engine.shown} are not whole; scores are counted by cases."
        )
    kept = [row for row in rows if not any(map(is_missing, row[:k]))]
    lost = sum(int(row[times]) for row in rows) - sum(int(row[times]) for row in kept)
    _check_lost(lost, kept, asked, engine)
    for i, name in enumerate(names, 1):
        _check_scores((row[i] for row in kept), name, engine)
    if asked.labels is not None:  # refused where a case has none of them
        tabulate([(row[0], 0, int(row[times])) for row in kept], LabelPolicy(asked.labels, square=False, typed=True))
    return ScoreColumns(
        real=[canonical(row[0]) for row in kept],
        scores={name: np.array([as_number(row[i]) for row in kept]) for i, name in enumerate(names, 1)},
        counts=np.array([int(row[times]) for row in kept]),
        missing=lost,
        **{kind: [native(row[at]) for row in kept] for at, kind in enumerate(groups, k)},
    )


# ---------------------------------------------------------------- one column


def _histogram(engine: Engine, asked: Request) -> Scores:
    """Every distinct score with its counts where there are few, else bins of them."""
    if not isinstance(asked.bins, int):
        raise SourceError(f"`bins` is {text(asked.bins)}; a whole number of 2 or more is needed.")
    if asked.bins < 2:
        raise SourceError(f"`bins` is {asked.bins}; at least 2 are needed.")
    keys = [*asked.by, asked.real]
    try:
        span = engine.span(asked.score)
    except SourceError as error:
        held: list[Row] = []
        with suppress(SourceError):
            held = engine.grouped([asked.score])
        _check_scores((row[0] for row in held), asked.score, engine)  # which says more
        raise error from None

    rows: list[Row] | None = None
    if span.distinct <= 1.3 * asked.bins:  # an estimate may be that much too low or high
        rows = _distinct(engine, asked, keys)
    exact = rows is not None
    if rows is None:
        low, high = (0.0, 0.0) if span.low is None or span.high is None else (span.low, span.high)
        width = high / asked.bins - low / asked.bins  # so that a huge range does not overflow
        bins = Bins(low, 1 / width if width > 0 else 0.0, asked.bins - 1)
        rows = engine.binned(keys, asked.weights, asked.score, bins)
    return _counted(cleaned(rows, len(keys) + 2, asked, engine), asked, engine, exact)


def _distinct(engine: Engine, asked: Request, keys: list[Any]) -> list[Row] | None:
    """Every distinct score as a bin of its own with its counts, unless there are too many."""
    rows = engine.grouped([*keys, asked.score], asked.weights)
    k = len(keys)
    nested = next((row[k] for row in rows if isinstance(row[k], dict | list | tuple)), None)
    if nested is not None:
        raise SourceError(f"{engine.shown}: the score {text(asked.score)} holds {text(nested)}; numbers are needed.")
    if len({row[k] for row in rows}) > asked.bins:
        return None
    return [(*row[:k], None, row[k], *row[k + 1 :], row[k], row[k]) for row in rows]


def _counted(rows: list[Row], asked: Request, engine: Engine, exact: bool) -> Scores:
    """A bin stands where its lowest score is, for all groups; it is known by its number, and a
    score that has none (it is not finite, or every score is a bin of its own) by itself."""
    by, weighted = len(asked.by), asked.weights is not None
    lowest: dict[Hashable, float] = {}
    highest: dict[Hashable, float] = {}
    kept: list[Row] = []
    _check_scores((row[-1] for row in rows), asked.score, engine)
    for row in rows:
        low, high = map(as_number, row[-2:])
        if low is None or high is None or low != low:  # missing
            continue
        key = (True, low) if row[by + 1] is None else (False, int(row[by + 1]))
        lowest[key] = min(low, lowest.get(key, low))
        highest[key] = max(high, highest.get(key, high))
        if not is_missing(row[by]):
            kept.append((*row[: by + 1], key, *row[by + 3 : by + 4 + 2 * weighted]))
    total = int(sum(row[by + 3] for row in rows))
    lost = total - int(sum(row[by + 2] for row in kept))
    _check_lost(lost, kept, asked, engine)

    order = sorted(lowest, key=lowest.__getitem__)
    place = {key: i for i, key in enumerate(order)}
    counted = Table(
        **tabulate(
            [(*row[: by + 1], place[row[by + 1]], *row[by + 2 :]) for row in kept],
            LabelPolicy(asked.labels, square=False, typed=True),
            by=by,
            weighted=weighted,
            frequency=asked.frequency,
            levels=[engine.levels(asked.real), None],
        )
    )
    labels: Any = counted.real_labels
    places: list[Any] = list(counted.predicted_labels)
    positive = None if asked.positive is None else Held(labels)(asked.positive)
    return Scores(
        thresholds=np.asarray([lowest[order[i]] for i in places]),
        counts=counted.counts,
        labels=labels,
        exact=exact or lowest == highest,
        squares=None if counted.squares is None else replace(counted, cells=counted.squares).counts,
        positive=positive_of(labels, labels, positive),
        missing=lost,
        rows=total,
        axes=tuple(names or () for names in counted.axes),
    )


# ---------------------------------------------------------------- what is no score


def _check_scores(values: Iterable[Any], name: Name, engine: Engine) -> None:
    """Refuse what is there and no number; the same value, in whatever order an engine gives them."""
    odd = [text(x) for x in values if not is_missing(x) and as_number(x) is None]
    if odd:
        raise SourceError(
            f"The column {text(name)} of {engine.shown} holds {min(odd)}, which is no number; a "
            "score must be a number for every row."
        )


def _check_lost(lost: int, kept: list[Row], asked: Request, engine: Engine) -> None:
    """Refuse rows without a label or a score, unless they are to be left out."""
    if lost and asked.missing != "drop":
        many = "1 row has" if lost == 1 else f"{lost:,} rows have"
        raise LabelError(f'{many} no real label or no score; use `missing="drop"` to leave out what lacks them.')
    if not kept:
        raise SourceError(f"Every row of {engine.shown} lacks a label or a score.")
