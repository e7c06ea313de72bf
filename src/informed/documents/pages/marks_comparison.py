"""Two systems whose answers are only marked, as a page: the verdict, who was right where, the states."""

from __future__ import annotations

from dataclasses import replace

from informed._numbers import count, probability, rate
from informed.documents.blocks import Section, Words, label, rows_of
from informed.documents.document import Document
from informed.documents.pages.item_difference import difference, verdict, within
from informed.documents.paging import page_of
from informed.evidence.states import STATES
from informed.inference.bounded_mean import TITLE
from informed.systems.marks_comparison import MarksDifference

MISSING = (
    "The logs say which answers are right and not what was confused with what, so that nothing is known of guessing: "
    "there is a score and no informedness."
)


@page_of(MarksDifference)
def marks_comparison_page(d: MarksDifference, *, margin: float | None = None, key: str = "") -> Document:
    """What differs, by how much, and whether that may be luck."""
    a, b = (label(name, 40) for name in d.names)
    sections = [_difference(d, a, b, margin, key)]
    data = d.to_dict()
    if d.both is not None:
        sections.append(_right_where(d, a, b, key))
    if margin is not None:
        section, tests = within(d, d.measure, a, b, margin, key)
        sections.append(section)
        data |= tests
    sections += [_states(d, a, b, key), Section(f"{key}why", "Why no informedness", (Words(MISSING),))]
    return Document.of(d, f"{a} and {b} on the same items", *sections, answer=verdict(d, d.measure), data=data)


def _difference(d: MarksDifference, a: str, b: str, margin: float | None, key: str) -> Section:
    """The difference, and by which method it has its limits where scores are graded."""
    found = difference(d, d.records(), a, b, margin, key)
    if d.accuracies is not None:
        return found
    said = f"Confidence limits and p-value of graded scores: {TITLE}; differences lie between −1 and 1."
    return replace(found, blocks=(*found.blocks, Words(said, "note")))


def _right_where(d: MarksDifference, a: str, b: str, key: str) -> Section:
    assert d.both is not None
    (both, only_a), (only_b, none) = d.both.counts.tolist()
    rows = ((f"{a} right", count(both), count(only_a)), (f"{a} wrong", count(only_b), count(none)))
    grid = rows_of("Items by who was right", ("", f"{b} right", f"{b} wrong"), rows)
    alike = rate((both + none) / (both + only_a + only_b + none))
    said = f"The same verdict on {alike} of the items; McNemar's exact test: {probability(d.mcnemar or 0.0)}."
    return Section(f"{key}right", "Who was right where", (grid, Words(said, "note")))


def _states(d: MarksDifference, a: str, b: str, key: str) -> Section:
    """Cases of each system by their state, and the items of each that are left out."""
    first, second = (d.states[name] for name in d.names)
    seen = [state for state in STATES if state in first or state in second]
    rows = [(state, *(count(held.get(state, 0)) for held in (first, second))) for state in seen]
    grids = [rows_of("What became of the cases", ("state", a, b), rows)]
    lost = [(name, state, n) for name, held in d.left_out.items() for state, n in held.items()]
    if lost:
        told = [(label(name, 40), state, count(n)) for name, state, n in lost]
        grids.append(rows_of("Items that do not count in a system, and why", ("system", "state|", "items"), told))
    return Section(f"{key}states", "States", tuple(grids))
