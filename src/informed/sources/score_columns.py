"""Several scores of the same cases: the rows themselves, once each with how often they occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from informed._arrays import Array
from informed.errors import LabelError, SourceError
from informed.evidence.labels import canonical, is_missing, text
from informed.evidence.scores import ScoreColumns
from informed.sources.engine import Engine, Name, Row, as_number

if TYPE_CHECKING:
    from informed.sources.request import Request


def score_columns(engine: Engine, asked: Request) -> ScoreColumns:
    """What `compare_areas` needs; at most as many different rows as a table may have groups."""
    if asked.item is not None or asked.predicted or asked.by:
        raise SourceError("Several scores are of the same cases: give `real` only, and no groups.")
    if asked.weights is not None and not asked.frequency:
        raise SourceError("Several scores are compared case by case; this takes no weights.")
    if asked.missing == "abstain":
        raise SourceError('A score cannot abstain: use missing="error" or missing="drop".')

    names = list(asked.score)
    if len(set(names)) < len(names):
        raise SourceError("A column of scores is given twice.")

    rows = engine.grouped([asked.real, *names], asked.weights)
    k = len(names) + 1
    kept = [row for row in rows if not any(is_missing(x) for x in row[:k])]
    times = _times(rows, k, asked.weights is not None)
    lost = times - _times(kept, k, asked.weights is not None)
    check_lost(lost, len(kept), asked, engine)

    return ScoreColumns(
        real=[canonical(row[0]) for row in kept],
        scores={name: _numbers([row[i + 1] for row in kept], name, engine) for i, name in enumerate(names)},
        counts=np.array([_count(row, k, asked.weights is not None) for row in kept]),
        missing=lost,
    )


def _count(row: Row, k: int, weighted: bool) -> int:
    return int(row[k + 1] if weighted else row[k])


def _times(rows: list[Row], k: int, weighted: bool) -> int:
    return sum(_count(row, k, weighted) for row in rows)


def _numbers(held: list[Any], name: Name, engine: Engine) -> Array:
    try:
        return np.array(held, dtype=np.float64)
    except (TypeError, ValueError):
        odd = next(x for x in held if as_number(x) is None)
        raise not_a_score(odd, name, engine) from None


def check_lost(lost: int, kept: int, asked: Request, engine: Engine) -> None:
    """Refuse rows without a label or a score, unless they are to be left out."""
    if lost and asked.missing != "drop":
        raise LabelError(f'{lost:,} rows have no real label or no score; use missing="drop" to leave them out.')
    if not kept:
        raise SourceError(f"Every row of {engine.shown} lacks a label or a score.")


def not_a_score(odd: Any, name: Name, engine: Engine) -> SourceError:
    return SourceError(
        f"The column {text(name)} of {engine.shown} holds {text(odd)}, which is no number; a "
        "score must be a number for every row."
    )
