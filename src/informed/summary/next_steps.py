"""What to do next, chosen from what the table shows. Calls stand in backticks; each surface says them its own way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from informed._numbers import count, of_many, percent, plural, rate
from informed.measures.diagnosis import no_information_rate
from informed.summary.sentences import named

if TYPE_CHECKING:
    from informed.summary.report import Report

MOST = 2
WIDE = 0.05  # half an interval that is worth narrowing
UNEVEN = 0.8  # the share of a class from which on accuracy says little
SHORT = 24  # characters of a label that is written out
MOST_SHOWN = 0.9  # an informedness that few have: who shows no less shows nothing
LEAST = 0.05  # an informedness that is worth looking for


def next_steps(report: Report) -> tuple[str, ...]:
    """The one or two things that help most."""
    return tuple(islice(_steps(report), MOST))


def _steps(report: Report) -> Iterator[str]:
    t = report.table
    if report.systems or not t.n:
        return
    if (t.real_totals > 0).sum() == 1:
        only = named(t.real_labels[int(t.real_totals.argmax())], 24)
        yield f"add cases that are really something else than {only}: with one class nothing can be told from guessing."
        return
    yield from _more_cases(report)
    if not t.is_square:
        return
    if float(no_information_rate(t)) >= UNEVEN:
        common = named(t.real_labels[int(t.real_totals.argmax())], 24)
        yield (
            f"report informedness, not accuracy: {common} is {percent(float(no_information_rate(t)))} of the cases, "
            "and always answering it is right as often."
        )
    if len(t.real_labels) == 2 and t.positive is None and len(str(t.real_labels[1])) <= SHORT:
        yield f"name the class that matters for its recall and precision: `positive={str(t.real_labels[1])!r}`."
    if len(t.real_labels) > 2 and report.confusions and not report.counted.weighted:
        worst = report.confusions[0]
        what = "item" if report.counted.unit == "items" else "case"
        yield (
            f"look first at the {plural(round(worst.cases, 1), what)} of {named(worst.real, 24)} that "
            f"{'was' if worst.cases == 1 else 'were'} called {named(worst.predicted, 24)}: nothing costs more."
        )


def _more_cases(report: Report) -> Iterator[str]:
    """How many cases would settle it, or make the interval narrower."""
    s = report.size
    b = next((e for e in report.estimates if e.measure == "informedness"), None)
    if s is None or b is None or math.isnan(b.low):
        return
    many = of_many(s.unit)
    if b.low <= 0 <= b.high:
        shows = f"{plural(round(s.n, 1), s.unit)} show an informedness of {rate(s.detectable, 2)} or more"
        if not s.detectable <= MOST_SHOWN:
            yield f"gather more: {plural(round(s.n, 1), s.unit)} show next to nothing."
        elif s.unit == "case":
            yield f"{shows}; how many show {max(b.value, LEAST):.2f}: `{_asked(report, max(b.value, LEAST))}`."
        else:
            yield f"{shows}, and it takes more to settle this."
        return
    aim = next(((half, n) for half, n in s.needed if half < s.half_width), None)
    if s.half_width > WIDE and aim is not None:
        half, n = aim
        said = f"about {count(n)} {many} would make the interval ±{rate(half, 2)}"
        yield f"{said}: `{_asked(report, b.value, half)}`." if s.unit == "case" else f"{said}."


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
