"""JSON: numbers at full precision, null where there is none; gates and notes stand in it too."""

from __future__ import annotations

import json as standard
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from informed.documents.document import Document
from informed.documents.writers import writer
from informed.results import plain

LONG = 30  # classes: a larger table stands on one line, where nobody would read it anyway


@writer("json", suffixes=(".json",), media="application/json", title="JSON")
def json(document: Document, *, indent: int | None = 2) -> str:
    """What the document is about, as data."""
    held: dict[str, Any] = {
        "informed": {"version": version("informed")},
        **({} if "title" in document.data else {"title": document.title}),
        **({} if "answer" in document.data else {"answer": document.said}),
        **document.data,
        "warnings": list(document.warnings),
        "notes": _remarks(document),
    }
    if document.gates:
        held["gates"] = [asdict(g) for g in document.gates]
        held["failed"] = [g.sentence for g in document.gates if not g and (g.guard or not g.open)]

    if len(held.get("real_labels") or ()) > LONG:
        indent = None
    return standard.dumps(plain(held), indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _remarks(document: Document) -> list[str]:
    """What the result notes and what its page does, but no warning twice."""
    said = [*map(str, document.data.get("notes", ())), *document.remarks]
    return [x for x in dict.fromkeys(said) if x not in document.warnings]
