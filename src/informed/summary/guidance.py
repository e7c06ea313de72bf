"""Which measure to report: advice that follows from the reader's situation and from what the table shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from informed._numbers import percent, plural, rate
from informed.evidence.shown import shown

if TYPE_CHECKING:
    from informed.summary.report import Report

UNEVEN = 2 / 3  # share of the largest class from which on accuracy mostly counts it
EVEN = 0.1  # up to which shares of classes are called alike, as a part of them
PARTED = 0.1  # by which a label is said more or less often than it is true
MORE = "docs/which-measure.md has every situation, with the reasons."

CONTEXT = {  # what only the reader knows
    "unknown_negatives": (
        "The negatives were not counted (retrieval, entity matching)",
        "Report precision and recall, and that neither a chance level nor informedness can be said: both need the true "
        "negatives, or the size of the collection.",
    ),
    "raters": (
        "Two raters, neither of whom is right by definition",
        "Report correlation: it treats both alike, as the geometric mean of informedness and markedness.",
    ),
    "markers": (
        "The prediction is a marker, and the question is how far it can be trusted",
        "Report markedness: it is the probability that reality follows the marker rather than chance, at this "
        "prevalence.",
    ),
}


@dataclass(frozen=True)
class Advice:
    """What to report, when, and by which code a program knows it."""

    code: str
    when: str
    text: str


GOLD = Advice(
    "gold",
    "Reality is known (a gold standard)",
    "Report informedness with its interval: it is the probability of an informed decision, and neither the "
    "prevalence nor a habit of guessing the common class can raise it.",
)


def guidance(report: Report) -> tuple[Advice, ...]:
    """Which measure to report: the reader's own situation first, then what the table shows."""
    context = dict(report.context)
    own = [Advice(code, *said) for code, said in CONTEXT.items() if context.get(code)]
    if report.systems:
        return (*own, *(() if own else (GOLD,)))
    seen = [Advice(code, *said) for code, look in SEEN.items() if (said := look(report)) is not None]
    stops = any(a.code in ("clusters", "one-class") for a in seen)  # where informedness is not known
    leads = () if own or stops else (GOLD,)
    return (*own, *leads, *seen)


# ---------------------------------------------------------------------- what the table shows

Said = tuple[str, str] | None


def _clusters(report: Report) -> Said:
    if report.table.is_square:
        return None
    return (
        "Predictions are clusters without names",
        "Name them first (`informed assign`), and report informedness against the chance level of naming.",
    )


def _one_class(report: Report) -> Said:
    t = report.table
    if not t.is_square or not t.n or not math.isnan(report["informedness"].value):
        return None
    return (
        "Informedness is not defined here",
        "Report accuracy and say that nothing can be told from guessing: that takes cases of at least two classes.",
    )


def _perverse(report: Report) -> Said:
    if not report.table.is_square or report.headline.beyond_chance >= 0:
        return None
    return (
        "It is worse than guessing",
        "Report informedness with its sign, and look for labels that change places: what says the opposite knows "
        f"as much, {rate(-report.headline.value)}, once it is turned round.",
    )


def _silent(report: Report) -> Said:
    if not report.counted.silent:
        return None
    return (
        f"{plural(report.counted.silent, report.counted.thing)} got no answer",
        "Report informedness over all cases beside the coverage: leaving out what was not answered flatters "
        "whoever refuses the hard ones.",
    )


def _uneven(report: Report) -> Said:
    t = report.table
    if not t.is_square or not t.n or len(t.real_labels) < 2:
        return None
    share = t.real_totals / t.real_totals.sum()
    most = int(share.argmax())
    if share[most] < UNEVEN or share[most] >= 1:
        return None
    return (
        f"“{shown(t.real_labels[most], 40)}” is {percent(float(share[most]))} of the cases",
        "Do not report accuracy by itself, nor F: answering that always gets as much accuracy. Give the chance level "
        "beside them where the field asks for them.",
    )


def _even(report: Report) -> Said:
    t = report.table
    if not t.is_square or len(t.real_labels) != 2 or not t.n:
        return None
    share = float(t.real_totals.max() / t.real_totals.sum())
    if share > 0.5 * (1 + EVEN):
        return None
    return (
        "Both classes are of about one size",
        "Accuracy says much the same here, as informedness is 2 · accuracy − 1 for classes of one size; it will not "
        "where their sizes differ.",
    )


def _parted(report: Report) -> Said:
    t = report.table
    if not t.is_square or not t.n:
        return None
    away = t.predicted_totals / t.predicted_totals.sum() - t.real_totals / t.real_totals.sum()
    most = int(np.abs(away).argmax())
    if not abs(away[most]) >= PARTED:
        return None
    often = "more" if away[most] > 0 else "less"
    said, real = (float(x[most] / x.sum()) for x in (t.predicted_totals, t.real_totals))
    return (
        f"“{shown(t.real_labels[most], 40)}” is said {often} often than it is true ({percent(said)}, {percent(real)})",
        "Report markedness beside informedness: the one says how far answers can be trusted, the other how much of "
        "reality is recognised, and they part where habits of answering do.",
    )


def _many(report: Report) -> Said:
    if not report.table.is_square or len(report.table.real_labels) < 3:
        return None
    return (
        f"There are {len(report.table.real_labels)} classes",
        "Report informedness over all of them, and that of each class against the rest: it says which classes carry "
        "the result and which are guessed.",
    )


def _costs(report: Report) -> Said:
    if report.costs is None:
        return None
    return (
        f"Errors cost {shown(report.costs.text, 40)}",
        "Report the cost of a case beside informedness, which counts each class alike.",
    )


def _field(report: Report) -> Said:
    if report.elsewhere is None or not report.elsewhere.field:
        return None
    return (
        "It will be used where classes are otherwise frequent",
        "Report precision at that prevalence, and informedness, which stays.",
    )


SEEN: dict[str, Callable[[Report], Said]] = {
    "clusters": _clusters,
    "one-class": _one_class,
    "perverse": _perverse,
    "abstentions": _silent,
    "imbalance": _uneven,
    "even": _even,
    "bias": _parted,
    "many-classes": _many,
    "costs": _costs,
    "field": _field,
}
