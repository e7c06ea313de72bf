"""No answer as one more label, which is never right and wins nothing.

Informedness over all cases is the informedness of that table, and so with the score and accuracy:
whatever tests a table tests them too, and under the hypothesis silence says as little about
reality as any answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.cells import Places, added, placed
from informed.evidence.checks import frozen
from informed.evidence.table import Table

NO_ANSWER = "no answer"
SILENT_OF = {"cells": "unanswered", "squares": "unanswered_squares", "cases": "unanswered_cases"}


def silence_as_label(t: Table) -> Table:
    """The table with one label more, which is nothing real and stands for no answer.

    >>> t = silence_as_label(Table.from_counts([[6, 1], [1, 2]], abstained=[4, 6]))
    >>> t.counts.tolist()
    [[6.0, 1.0, 0.0], [1.0, 2.0, 0.0], [4.0, 6.0, 0.0]]
    """
    if t.unanswered is None:
        return t
    name = NO_ANSWER
    while name in t.labels:
        name += " "
    labels = (*t.labels, name)
    arrays = {x: (getattr(t, x), getattr(t, SILENT_OF[x])) for x in SILENT_OF}
    held: dict[str, Any] = dict.fromkeys(SILENT_OF.values())
    held |= {x: frozen(_with_row(own, silent)) for x, (own, silent) in arrays.items() if own is not None}
    return replace(
        t,
        **held,
        predicted_labels=labels,
        real_labels=labels,
        positive=None,
        stated=None,
        origin=None,
        units=None if t.units is None else t.units.mapped(_places(t.k)),
    )


def _with_row(cells: Array, silent: Array) -> Array:
    """Cells of one label more on both sides, whose row is this."""
    k = len(silent)
    own, last, classes = np.arange(k), np.full(1, k), (k + 1, k + 1)
    return added([placed(cells, own, own, classes), placed(np.asarray(silent)[None], last, own, classes)])


def _places(k: int) -> Places:
    """Where each cell of a table of k classes goes, and after them each abstention."""
    predicted, real = np.divmod(np.arange(k * k + k), k)
    return np.asarray(predicted * (k + 1) + real, np.int64)
