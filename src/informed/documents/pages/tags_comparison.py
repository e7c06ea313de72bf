"""Two systems that tagged the same items, as a page: the verdict, and the difference by every measure."""

from __future__ import annotations

import math

from informed._numbers import count, percent, probability, signed, span
from informed.documents.blocks import Section, Words, grid_of, label
from informed.documents.document import Document
from informed.documents.pages.comparison import gaps, margins
from informed.documents.paging import page_of
from informed.evidence.shown import system_name
from informed.measures.titles import titled_tags, uncapitalised
from informed.systems.tags_comparison import TagsDifference


@page_of(TagsDifference)
def tags_comparison_page(d: TagsDifference, *, margin: float | None = None, key: str = "") -> Document:
    """What differs, by how much, and whether that may be luck."""
    a, b = (label(name, 40) for name in d.names)
    blocks = gaps(
        d.records(),
        f"Difference, {a} − {b}",
        f"{a} − {b}, with its {percent(d.level)} interval ({d.method})",
        *("measure", "a", "b", "estimate", "low", "high", "pvalue"),
        said=[d.measure],
        verdicts=[_good(d)],
        titles={"a": a, "b": b, "estimate": "difference", "pvalue": "p"},
        ends=(b, a),
        margin=margin,
    )
    sections = [Section(f"{key}differences", "Difference", blocks)]
    if len(d.others):
        titles = {"a": a, "b": b, "estimate": "difference", "pvalue": "p"}
        titles |= {"chance_a": f"guessing as {a}", "chance_b": f"guessing as {b}"}
        grid = grid_of(d.others, "By every average, and the usual scores, each beside its chance level", titles=titles)
        said = Words("Where guessing gets more than 0, part of a difference may be that of the chance levels.", "note")
        sections.append(Section(f"{key}measures", "Other measures", (grid, said)))
    data = d.to_dict()
    if margin is not None:
        tests = [d.within(margin), d.within(margin, both=False)]
        sections.append(margins(tests, a, b, margin, key))
        data |= {name: x.to_dict() for name, x in zip(("equivalence", "noninferiority"), tests, strict=True)}
    return Document.of(d, f"{a} and {b} on the same items", *sections, answer=_verdict(d), data=data)


def _verdict(d: TagsDifference) -> str:
    """Who knows more of the tags, in one sentence."""
    a, b = (system_name(name) for name in d.names)
    value = f"{uncapitalised(titled_tags(d.measure))} {signed(d.estimate)} {span(d.low, d.high)}"
    found = f"{value}, {probability(d.pvalue)}, on the same {count(float(d.n or 0))} items"
    if not _good(d):
        return f"{a} and {b} cannot be told apart: {found}"
    return f"{a} is {'better' if _good(d) > 0 else 'worse'} than {b}: {found}"


def _good(d: TagsDifference) -> int:
    """1 where the difference speaks for the first beyond luck, −1 for the second, else 0."""
    if not d.pvalue < 1 - d.level:
        return 0
    return int(math.copysign(1, d.estimate)) * d.sign
