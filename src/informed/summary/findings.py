"""What a table shows and what follows from it, found once: told at length on a page (which measure to report), and in a
line on a screen (what to do next). Calls stand in backticks; each surface says them its own way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from informed._arrays import Array
from informed._numbers import count, of_many, percent, plural, rate
from informed.evidence.shown import shown
from informed.evidence.tags_columns import several_in_one
from informed.summary.design import CASE_CONTROL
from informed.summary.sentences import named

if TYPE_CHECKING:
    from informed.summary.report import Report

UNEVEN = 2 / 3  # share of the largest class from which on accuracy mostly counts it
EVEN = 0.1  # up to which shares of classes are called alike, as a part of them
PARTED = 0.1  # by which a label is said more or less often than it is true
MOST = 2  # steps
WIDE = 0.05  # half an interval that is worth narrowing
SHORT = 24  # characters of a label that is written out
MOST_SHOWN = 0.9  # an informedness that few have: who shows no less shows nothing
LEAST = 0.05  # an informedness that is worth looking for
OF_SIZES = frozenset({"imbalance", "even", "bias"})  # what depends on how many cases there are of each class
MORE = "`informed measures` lists every measure; `informed measures NAME` prints its formula and its range."

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
class Finding:
    """What is the case, what to report then, and what to do; a program knows it by its code."""

    code: str
    when: str = ""
    text: str = ""  # which measure to report; empty where that does not follow
    step: str = ""  # what to do next; empty where nothing follows


GOLD = Finding(
    "gold",
    "Reality is known (a gold standard)",
    "Report informedness with its interval: it is the probability of an informed decision, and neither the "
    "prevalence nor a habit of guessing the common class can raise it.",
)


def guidance(report: Report) -> tuple[Finding, ...]:
    """Which measure to report: the reader's own situation first, then what the table shows."""
    context = dict(report.context)
    own = [Finding(code, *said) for code, said in CONTEXT.items() if context.get(code)]
    seen = [f for f in findings(report) if f.text]
    stops = any(f.code in ("clusters", "one-class") for f in seen)  # where informedness is not known
    leads = () if own or stops else (GOLD,)
    return (*own, *leads, *seen)


def next_steps(report: Report) -> tuple[str, ...]:
    """The one or two things that help most."""
    return tuple(islice((f.step for f in findings(report) if f.step), MOST))


def findings(report: Report) -> tuple[Finding, ...]:
    """What the table shows; nothing of systems together, or of no case."""
    if report.systems:
        return ()
    chosen = dict(report.context).get(CASE_CONTROL)
    seen = ((code, look(report)) for code, look in LOOKS.items() if not (chosen and code in OF_SIZES))
    return tuple(Finding(code, *said) for code, said in seen if said is not None)


# ---------------------------------------------------------------------- what the table shows

Said = tuple[str, str] | tuple[str, str, str] | None


def _shares(report: Report) -> Array | None:
    """Of the real classes, where each can be predicted and two of them occur."""
    t = report.table
    if not t.is_square or (t.real_totals > 0).sum() < 2:
        return None
    return np.asarray(t.real_totals / t.real_totals.sum())


def _clusters(report: Report) -> Said:
    if report.table.is_square:
        return None
    return (
        "Predictions are clusters without names",
        "Name them first (`informed assign`), and report informedness against the chance level of naming.",
    )


def _several(report: Report) -> Said:
    """Labels that are lists of labels: their parts come again in other combinations."""
    found = several_in_one(map(str, report.table.real_labels))
    if found is None:
        return None
    mark, one = found
    return (
        f"Labels such as “{shown(one, 40)}” look like several in one",
        "Report the informedness of each label, averaged by prevalence: as one class, a label that is partly right is "
        "wrong.",
        f"say that {mark!r} stands between several labels of a case: `separator={mark!r}`.",
    )


def _one_class(report: Report) -> Said:
    t = report.table
    if not t.n or (t.real_totals > 0).sum() > 1:
        return None
    only = named(t.real_labels[int(t.real_totals.argmax())], SHORT)
    told = "Report accuracy and say that nothing can be told from guessing: that takes cases of at least two classes."
    return (
        "Informedness is not defined here",
        told if t.is_square else "",
        f"add cases that are really something else than {only}: with one class nothing can be told from guessing.",
    )


def _perverse(report: Report) -> Said:
    if not report.table.is_square or report.headline.beyond_chance >= 0:
        return None
    told = "Report informedness with its sign, and look for labels that change places"
    if len(report.table.real_labels) == 2:  # of more there are many ways to be wrong
        told += f": what says the opposite knows as much, {rate(-report.headline.value)}, once it is turned round"
    return "It is worse than guessing", f"{told}."


def _silent(report: Report) -> Said:
    if not report.counted.silent:
        return None
    return (
        f"{plural(report.counted.silent, report.counted.thing)} got no answer",
        "Report informedness over all cases beside the coverage: leaving out what was not answered flatters "
        "whoever refuses the hard ones.",
    )


def _size(report: Report) -> Said:
    """How many cases would settle it, or make the interval narrower."""
    s = report.size
    b = next((e for e in report.estimates if e.measure == "informedness"), None)
    if s is None or b is None or math.isnan(b.low):
        return None
    said = _undecided(report, b.value) if b.low <= 0 <= b.high else _wide(report, b.value)
    return ("", "", said) if said else None


def _undecided(report: Report, b: float) -> str:
    s = report.size
    assert s is not None
    held = plural(round(s.n, 1), s.unit)
    if not s.detectable <= MOST_SHOWN:
        return f"gather more: {held} show next to nothing."
    shows = f"{held} show an informedness of {rate(s.detectable, 2)} or more"
    if s.unit != "case":
        return f"{shows}, and it takes more to settle this."
    return f"{shows}; how many show {max(b, LEAST):.2f}: `{_asked(report, max(b, LEAST))}`."


def _wide(report: Report, b: float) -> str | None:
    s = report.size
    assert s is not None
    aim = next(((half, n) for half, n in s.needed if half < s.half_width), None)
    if s.half_width <= WIDE or aim is None:
        return None
    half, n = aim
    said = f"about {count(n)} {of_many(s.unit)} would make the interval {extent(half, b, 2)}"
    return f"{said}: `{_asked(report, b, half)}`." if s.unit == "case" and b > 0 else f"{said}."


def extent(half: float, informedness: float, digits: int = 3) -> str:
    """How far an interval reaches: to both sides, or where it ends at −1 or 1, how wide it is.

    >>> extent(0.1, 0.5, 2), extent(0.1, 1.0, 2)
    ('±0.10', '0.20 wide')
    """
    if abs(informedness) + half > 1:
        return f"{rate(2 * half, digits)} wide"
    return f"±{rate(half, digits)}"


def _asked(report: Report, informedness: float, half: float | None = None) -> str:
    """The call that finds the number of cases."""
    t = report.table
    said = [f"{informedness:.2f}".rstrip("0")]
    if half is not None:
        said.append(f"width={2 * half:g}")
    shares = (t.real_totals[t.real_totals > 0] / t.n).tolist()
    if t.positive is not None:
        said.append(f"prevalence={float(t.rp / t.n):.2g}")
    elif max(shares) - min(shares) < 0.05:
        said.append(f"k={len(shares)}")
    elif len(shares) <= 4:
        said.append(f"prevalence=[{', '.join(f'{x:.2g}' for x in shares)}]")
    return f"informed.sample_size({', '.join(said)})"


def _uneven(report: Report) -> Said:
    share = _shares(report)
    if share is None or share.max() < UNEVEN:
        return None
    most, said = int(share.argmax()), percent(float(share.max()))
    labels = report.table.real_labels
    return (
        f"“{shown(labels[most], 40)}” is {said} of the cases",
        "Do not report accuracy by itself, nor F: answering that always gets as much accuracy. Give the chance level "
        "beside them where the field asks for them.",
        f"report informedness, not accuracy: {named(labels[most], SHORT)} is {said} of the cases, and always answering "
        "it is right as often.",
    )


def _even(report: Report) -> Said:
    share = _shares(report)
    if share is None or len(share) != 2 or share.max() > 0.5 * (1 + EVEN):
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


def _grades(report: Report) -> Said:
    """Whether the labels are grades, or could be."""
    t = report.table
    if not t.is_square or len(t.real_labels) < 3 or dict(report.context).get("multiple_choice"):
        return None
    if t.order is None:
        return (
            "If the labels are ordinal",
            "Give their order, lowest first (`labels=`): the report then counts by cuts between grades, and tells near "
            "misses from far ones. What needs the order is left out until it is known.",
        )
    if report.grades is None:
        return None
    held = report.grades
    scale = f"a scale from {named(t.real_labels[0])} to {named(t.real_labels[-1])}"
    return (
        "The labels are ordinal" if t.stated is not None else "If the labels are ordinal",
        f"Report the informedness of grades beside, {rate(held.leading.value)} on {scale}: an error counts there by "
        "how far off it is, and informedness counts every error alike.",
    )


def _positive(report: Report) -> Said:
    """Of two classes, which of them matters, and how much more."""
    t = report.table
    if _shares(report) is None or len(t.real_labels) != 2:
        return None
    if t.positive is None:
        other = str(t.real_labels[1])
        step = f"name the class that matters for its recall and precision: `positive={other!r}`."
        return ("", "", step) if len(other) <= SHORT else None
    if report.costs is not None or not t.fn + t.fp or report.counted.weighted:
        return None
    both = f"{plural(round(float(t.fn), 1), 'miss', 'misses')} and {plural(round(float(t.fp), 1), 'false alarm')}"
    return "", "", f"{both}: if a miss costs more, say by how much: `cost='5:1'`."


def _confused(report: Report) -> Said:
    """Of more classes, what is confused most."""
    if len(report.table.real_labels) < 3 or not report.confusions or report.counted.weighted:
        return None
    worst = report.confusions[0]
    held = plural(round(worst.cases, 1), "item" if report.counted.unit == "items" else "case")
    were = "was" if worst.cases == 1 else "were"
    said = f"{held} of {named(worst.real, SHORT)} that {were} called {named(worst.predicted, SHORT)}"
    return "", "", f"look first at the {said}: nothing costs more."


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


LOOKS: dict[str, Callable[[Report], Said]] = {
    "clusters": _clusters,
    "several-labels": _several,
    "one-class": _one_class,
    "perverse": _perverse,
    "abstentions": _silent,
    "size": _size,
    "imbalance": _uneven,
    "even": _even,
    "bias": _parted,
    "many-classes": _many,
    "grades": _grades,
    "positive": _positive,
    "confusion": _confused,
    "costs": _costs,
    "field": _field,
}
