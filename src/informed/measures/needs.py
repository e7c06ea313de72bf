"""What a measure can need of a table, and how to say that it is not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from informed.evidence.table import Table

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Need:
    """A condition on each table of a stack, and the sentence for one table where it fails."""

    met: Callable[[Table], Bools]
    reason: Callable[[Table], str]


def _whole(t: Table) -> Bools:
    return np.asarray((t.cells == np.round(t.cells)).all(axis=(0, 1)))


def _only(labels: tuple[object, ...], totals: NDArray[np.float64]) -> str:
    return repr(labels[int(np.argmax(totals))])


def _empty(labels: tuple[object, ...], totals: NDArray[np.float64]) -> str:
    return repr(labels[int(np.argmin(totals))])


def _negative(t: Table) -> object:
    return next(x for x in t.labels if x != t.positive)


def _varied(totals: NDArray[np.float64]) -> Bools:
    return np.asarray((totals > 0).sum(axis=0) >= 2)


NEEDS: dict[str, Need] = {
    "cases": Need(lambda t: t.total > 0, lambda t: "the table is empty"),
    "real positives": Need(lambda t: t.rp > 0, lambda t: f"no case is really {t.positive!r}"),
    "real negatives": Need(lambda t: t.rn > 0, lambda t: f"no case is really {_negative(t)!r}"),
    "predicted positives": Need(lambda t: t.pp > 0, lambda t: f"no case was predicted {t.positive!r}"),
    "predicted negatives": Need(lambda t: t.pn > 0, lambda t: f"no case was predicted {_negative(t)!r}"),
    "positives": Need(lambda t: t.rp + t.pp > 0, lambda t: f"no case is really or was predicted {t.positive!r}"),
    "negatives": Need(lambda t: t.rn + t.pn > 0, lambda t: f"no case is really or was predicted {_negative(t)!r}"),
    "two real classes": Need(
        lambda t: _varied(t.real_totals), lambda t: f"every case is really {_only(t.real_labels, t.real_totals)}"
    ),
    "two predicted labels": Need(
        lambda t: _varied(t.predicted_totals),
        lambda t: f"every case was predicted {_only(t.predicted_labels, t.predicted_totals)}",
    ),
    "every real class": Need(
        lambda t: np.asarray((t.real_totals > 0).all(axis=0)),
        lambda t: f"no case is really {_empty(t.real_labels, t.real_totals)}",
    ),
    "every predicted label": Need(
        lambda t: np.asarray((t.predicted_totals > 0).all(axis=0)),
        lambda t: f"no case was predicted {_empty(t.predicted_labels, t.predicted_totals)}",
    ),
    "a prediction of every real class": Need(
        lambda t: np.asarray(((t.real_totals == 0) | (t.predicted_totals > 0)).all(axis=0)),
        lambda t: (
            f"no case was predicted {_empty(t.real_labels, np.where(t.real_totals > 0, t.predicted_totals, np.inf))}"
        ),
    ),
    "a second label": Need(
        lambda t: (
            _varied(t.real_totals + t.predicted_totals)
            if t.is_square
            else _varied(t.real_totals) | _varied(t.predicted_totals)
        ),
        lambda t: f"every case is really, and was predicted, {_only(t.real_labels, t.real_totals)}",
    ),
    "a second class": Need(
        lambda t: np.full(t.shape, len(t.real_labels) > 1), lambda t: f"there is only one class, {t.real_labels[0]!r}"
    ),
    "both diagonals not empty": Need(
        lambda t: (t.tp * t.tn > 0) | (t.fp * t.fn > 0), lambda t: "both products of opposite cells are 0"
    ),
    "either side varies": Need(
        lambda t: _varied(t.real_totals) | _varied(t.predicted_totals),
        lambda t: (
            f"every case is really {_only(t.real_labels, t.real_totals)} and was predicted "
            f"{_only(t.predicted_labels, t.predicted_totals)}"
        ),
    ),
    "more cases than freedoms": Need(
        lambda t: np.asarray(t.total - 1 > max(len(t.predicted_labels), len(t.real_labels)) - 1),
        lambda t: "there are too few cases to correct for bias",
    ),
    "pairs on both sides": Need(
        lambda t: np.asarray((t.real_totals > 1).any(axis=0) & (t.predicted_totals > 1).any(axis=0)),
        lambda t: "one of the groupings puts every case on its own",
    ),
    "one case": Need(
        lambda t: t.total >= 1,
        lambda t: "the cases weigh less than one, so there are no pairs of ratings to correct for",
    ),
    "two cases": Need(lambda t: t.total > 1, lambda t: "there are fewer than two cases"),
    "whole counts": Need(_whole, lambda t: "counts must be whole numbers"),
    "fewer than 1e12 cases": Need(lambda t: t.total < 1e12, lambda t: "there are too many cases to deal out exactly"),
    "pairs to tell apart": Need(
        lambda t: _pairs(t), lambda t: "both groupings put all cases together, or every case on its own"
    ),
    "cases in all": Need(lambda t: np.asarray(t.total + t.abstained.sum(axis=-1) > 0), lambda t: "the table is empty"),
    "two real classes in all": Need(
        lambda t: _varied(t.real_totals + (0 if t.unanswered is None else t.unanswered)),
        lambda t: f"every case is really {_only(t.real_labels, t.real_totals)}",
    ),
}


def _pairs(t: Table) -> Bools:
    def trivial(totals: NDArray[np.float64]) -> tuple[Bools, Bools]:
        return np.asarray((totals > 0).sum(axis=0) <= 1), np.asarray((totals <= 1).all(axis=0))

    real_one, real_all = trivial(t.real_totals)
    predicted_one, predicted_all = trivial(t.predicted_totals)
    return ~((real_one & predicted_one) | (real_all & predicted_all))


def unmet(t: Table, needs: tuple[str, ...]) -> str | None:
    """The first reason why one table does not have what is needed, or None."""
    for name in dict.fromkeys((*needs, *_GENERAL)):
        need = NEEDS[name]
        if not bool(need.met(t)):
            return need.reason(t)
    return None


_GENERAL = ("cases", "every real class", "every predicted label")
