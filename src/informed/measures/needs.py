"""What a measure can need of a table, and how to say that it is not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.table import Table


@dataclass(frozen=True)
class Need:
    """A condition on each table of a stack, and the sentence for one table where it fails."""

    met: Callable[[Table], Any]
    reason: Callable[[Table], str]


def _real(label: object) -> str:
    return f"is really {label!r}"


def _predicted(label: object) -> str:
    return f"was predicted {label!r}"


def _only_real(t: Table) -> str:
    return _real(t.real_labels[int(np.argmax(t.real_totals))])


def _only_predicted(t: Table) -> str:
    return _predicted(t.predicted_labels[int(np.argmax(t.predicted_totals))])


def _negative(t: Table) -> object:
    return next(x for x in t.labels if x != t.positive)


def _unpredicted(t: Table) -> object:
    """A real class that is never predicted."""
    return t.real_labels[int(np.argmin(np.where(t.real_totals > 0, t.predicted_totals, np.inf)))]


def _varied(totals: Array) -> NDArray[np.bool_]:
    return np.asarray((totals > 0).sum(axis=0) >= 2)


def _other_label(t: Table) -> NDArray[np.bool_]:
    return _varied(t.real_totals + t.predicted_totals) if t.is_square else _either_varies(t)


def _either_varies(t: Table) -> NDArray[np.bool_]:
    return _varied(t.real_totals) | _varied(t.predicted_totals)


def _a_full_diagonal(t: Table) -> NDArray[np.bool_]:
    """Of two classes, whichever is positive."""
    (a, b), (c, d) = t.cells
    return np.asarray((a * d > 0) | (b * c > 0))


def _pairs(t: Table) -> NDArray[np.bool_]:
    """Whether some cases are together and some apart, on one side at least."""
    sides = (t.real_totals, t.predicted_totals)
    all_together = ~_either_varies(t)
    all_apart = np.all([(totals <= 1).all(axis=0) for totals in sides], axis=0)
    return np.asarray(~(all_together | all_apart))


NEEDS: dict[str, Need] = {
    "cases": Need(lambda t: t.total > 0, lambda t: "the table is empty"),
    "real positives": Need(lambda t: t.rp > 0, lambda t: f"no case {_real(t.positive)}"),
    "real negatives": Need(lambda t: t.rn > 0, lambda t: f"no case {_real(_negative(t))}"),
    "predicted positives": Need(lambda t: t.pp > 0, lambda t: f"no case {_predicted(t.positive)}"),
    "predicted negatives": Need(lambda t: t.pn > 0, lambda t: f"no case {_predicted(_negative(t))}"),
    "positives": Need(lambda t: t.rp + t.pp > 0, lambda t: f"no case is really or {_predicted(t.positive)}"),
    "negatives": Need(lambda t: t.rn + t.pn > 0, lambda t: f"no case is really or {_predicted(_negative(t))}"),
    "two real classes": Need(lambda t: _varied(t.real_totals), lambda t: f"every case {_only_real(t)}"),
    "two predicted labels": Need(lambda t: _varied(t.predicted_totals), lambda t: f"every case {_only_predicted(t)}"),
    "every real class": Need(
        lambda t: (t.real_totals > 0).all(axis=0),
        lambda t: f"no case {_real(t.real_labels[int(np.argmin(t.real_totals))])}",
    ),
    "every predicted label": Need(
        lambda t: (t.predicted_totals > 0).all(axis=0),
        lambda t: f"no case {_predicted(t.predicted_labels[int(np.argmin(t.predicted_totals))])}",
    ),
    "a prediction of every real class": Need(
        lambda t: ((t.real_totals == 0) | (t.predicted_totals > 0)).all(axis=0),
        lambda t: f"no case {_predicted(_unpredicted(t))}",
    ),
    "a second label": Need(
        _other_label, lambda t: f"every case is really, and was predicted, {_only_real(t).removeprefix('is really ')}"
    ),
    "a second class": Need(
        lambda t: np.full(t.shape, len(t.real_labels) > 1), lambda t: f"there is only one class, {t.real_labels[0]!r}"
    ),
    "both diagonals not empty": Need(_a_full_diagonal, lambda t: "both products of opposite cells are 0"),
    "either side varies": Need(_either_varies, lambda t: f"every case {_only_real(t)} and {_only_predicted(t)}"),
    "more cases than freedoms": Need(
        lambda t: t.total > max(len(t.predicted_labels), len(t.real_labels)),
        lambda t: "there are too few cases to correct for bias",
    ),
    "pairs on both sides": Need(
        lambda t: (t.real_totals > 1).any(axis=0) & (t.predicted_totals > 1).any(axis=0),
        lambda t: "one of the groupings puts every case on its own",
    ),
    "one case": Need(
        lambda t: t.total >= 1,
        lambda t: "the cases weigh less than one, so there are no pairs of ratings to correct for",
    ),
    "two cases": Need(lambda t: t.total > 1, lambda t: "there are fewer than two cases"),
    "whole counts": Need(
        lambda t: (t.cells == np.round(t.cells)).all(axis=(0, 1)), lambda t: "counts must be whole numbers"
    ),
    "fewer than 1e12 cases": Need(lambda t: t.total < 1e12, lambda t: "there are too many cases to deal out exactly"),
    "pairs to tell apart": Need(_pairs, lambda t: "both groupings put all cases together, or every case on its own"),
    "cases in all": Need(lambda t: t.total + t.abstained.sum(axis=-1) > 0, lambda t: "the table is empty"),
    "two real classes in all": Need(
        lambda t: _varied(t.real_totals + (0 if t.unanswered is None else t.unanswered)),
        lambda t: f"every case {_only_real(t)}",
    ),
}
_GENERAL = ("cases", "every real class", "every predicted label")


def where_met(t: Table, needs: Sequence[str], value: Array) -> Array:
    """Keep the value of each table that has what is needed, and give NaN for the others.

    What is needed is decided from margins, which are sums of positive counts and 0 only if all of them are; so a
    formula whose terms cancel but for rounding is undefined all the same.
    """
    return np.where(np.all([NEEDS[name].met(t) for name in needs], axis=0), value, np.nan)


def unmet(t: Table, needs: tuple[str, ...]) -> str | None:
    """The first reason why one table does not have what is needed, or None."""
    broken = (NEEDS[name] for name in dict.fromkeys((*needs, *_GENERAL)) if not NEEDS[name].met(t))
    return next((need.reason(t) for need in broken), None)
