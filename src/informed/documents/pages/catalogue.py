"""The catalogue of measures as a document, or one of them."""

from __future__ import annotations

from informed.documents.blocks import Section, grid_of
from informed.documents.document import Document
from informed.measures.catalogue import facts, families
from informed.measures.lookup import find, search
from informed.measures.registry import MEASURES, Measure
from informed.results import Records


def catalogue(text: str | None = None) -> Document:
    """All measures by family, or those that mention a text."""
    chosen = list(MEASURES.values()) if text is None else search(text)
    held = {title: _listed(members) for title, members in families(chosen)}
    sections = [Section(f"family-{i}", title, (grid_of(rows, title),)) for i, (title, rows) in enumerate(held.items())]
    said = "" if text is None else f" that mention {text!r}"
    every = _listed(chosen)
    return Document(
        "Measures", f"{len(every)} measures{said}.", tuple(sections), data={"measures": every.dicts()}, records=every
    )


def measure(name: str) -> Document:
    """What is known of a measure."""
    m = find(name)
    held = Records.of({"fact": "words", "is": "words"}, facts(m))
    known = Section("facts", "What is known of it", (grid_of(held, str(m)),))
    return Document(m.title, m.summary, (known,), data=dict(held.rows), records=held)


def _listed(members: list[Measure]) -> Records:
    rows = [(m.name, m.title, m.summary) for m in members]
    return Records.of({"name": "words", "title": "words", "summary": "words"}, rows)
