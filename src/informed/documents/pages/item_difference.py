"""What is said of one difference between two systems that was measured item by item: of marks, of tags."""

from __future__ import annotations

import math
from typing import Any

from informed._numbers import count, percent, probability, signed, span
from informed.documents.blocks import Section
from informed.documents.pages.comparison import gaps, margins
from informed.evidence.shown import system_name
from informed.results import Records
from informed.systems.student_difference import StudentDifference


def verdict(d: StudentDifference, measure: str) -> str:
    """Who is better, in one sentence; `measure` is what it is called there."""
    a, b = (system_name(name) for name in d.names)
    found = f"{measure} {signed(float(d.estimate))} {span(float(d.low), float(d.high))}, {probability(float(d.pvalue))}"
    found += f", on the same {count(float(d.n or 0))} items"
    if not good(d):
        return f"{a} and {b} cannot be told apart: {found}"
    return f"{a} is {'better' if good(d) > 0 else 'worse'} than {b}: {found}"


def good(d: StudentDifference) -> int:
    """1 where the difference speaks for the first beyond luck, −1 for the second, else 0."""
    if not d.pvalue < 1 - d.level:
        return 0
    return int(math.copysign(1, float(d.estimate))) * d.sign


def difference(d: StudentDifference, held: Records, a: str, b: str, margin: float | None, key: str) -> Section:
    """The difference as a picture and as a grid of these records."""
    blocks = gaps(
        held,
        f"Difference, {a} − {b}",
        f"{a} − {b}, with its {percent(d.level)} interval ({d.method})",
        *("measure", "a", "b", "estimate", "low", "high", "pvalue"),
        said=held["measure"],
        verdicts=[good(d)],
        titles={"a": a, "b": b, "estimate": "difference", "pvalue": "p"},
        ends=(b, a),
        margin=margin,
    )
    return Section(f"{key}differences", "Difference", blocks)


def within(
    d: StudentDifference, measure: str, a: str, b: str, margin: float, key: str
) -> tuple[Section, dict[str, Any]]:
    """Whether the two differ by less than a margin, as a section and as data."""
    tests = [d.within(margin), d.within(margin, both=False)]
    named = zip(("equivalence", "noninferiority"), tests, strict=True)
    return margins(tests, a, b, margin, key, measure), {name: x.to_dict() for name, x in named}
