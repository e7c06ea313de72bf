"""What a judge is asked with: a calibration that knows every class, and what it said of the new cases."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.labels import canonical, some, text
from informed.evidence.table import Table
from informed.inference.given import checked_level


def check_calibration(t: Table, level: float) -> None:
    """Refuse what is no table of verdicts on every class."""
    checked_level(level)
    if not isinstance(t, Table):  # users may pass anything
        raise InferenceError(
            f"`calibration` is a {type(t).__name__}; a Table of the judge's verdicts against the truth is needed."
        )
    if t.shape:
        raise InferenceError(f"`calibration` is a stack of shape {t.shape}; one table is needed.")
    if not t.is_square:
        raise InferenceError("The judge's labels and the real ones must be the same.")
    empty = [label for label, x in zip(t.labels, t.real_totals, strict=True) if x == 0]
    if empty:
        raise InferenceError(
            f"No calibration case is really {some(empty)}, so what the judge makes of such cases is unknown."
        )


def apparent_shares(t: Table, apparent: Any, n: float | None) -> tuple[Array, float]:
    """Shares of the judge's labels in the new cases, in the table's order, and their number."""
    if np.ndim(apparent) == 0 and not isinstance(apparent, Mapping):
        if len(t.labels) != 2:
            raise InferenceError(
                f"`apparent` is {text(apparent)}, but there are {len(t.labels)} labels; give the count of each."
            )
        rate = float(apparent)
        if not 0 <= rate <= 1:
            raise InferenceError(
                f"`apparent` is {rate:g}; the share called positive lies between 0 and 1. Counts "
                "are given for each label."
            )
        shares = np.where(np.arange(2) == t.plus, rate, 1 - rate)
    else:
        shares = counts_of(t.labels, apparent)
        total = float(shares.sum())
        if not np.isclose(total, 1) or (shares == 1).any():  # counts; shares add up to 1
            if n is not None and not np.isclose(n, total):
                raise InferenceError(f"`n` is {n:g}, but the counts add up to {total:g}; shares add up to 1.")
            n = total
        shares = shares / shares.sum()

    if n is not None and not n >= 1:
        raise InferenceError(f"`n` is {n}; one new case at least is needed.")
    return shares, np.inf if n is None else float(n)


def counts_of(labels: Sequence[Hashable], apparent: Any) -> Array:
    """Counts by label, or in the order of the labels."""
    if isinstance(apparent, Mapping):
        given = {canonical(label): float(x) for label, x in apparent.items()}
        unknown = [label for label in given if label not in labels]
        if unknown:
            raise InferenceError(f"`apparent` has {some(unknown)}; the calibration knows {some(labels)}.")
        found = np.array([given.get(label, 0.0) for label in labels])
    else:
        found = np.asarray(apparent, dtype=np.float64)
    if found.shape != (len(labels),) or not np.isfinite(found).all() or (found < 0).any():
        raise InferenceError(f"`apparent` must be one count, not negative, for each of {some(labels)}.")
    if found.sum() == 0:
        raise InferenceError("`apparent` has no cases.")
    return found
