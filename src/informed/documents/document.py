"""A document: what is said of a result, arranged for reading; every format is written from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from informed._numbers import plural
from informed._wording import Speak, sayable, worded
from informed.documents import terms as of_terms
from informed.documents.blocks import Block, Card, Drawing, Glance, Grid, Heading, Section, Words, rows_of
from informed.documents.references import cited_once
from informed.measures.terms import EXPLAINED, spoken_in
from informed.results import UNFINISHED, Gate, Note, Records, Result, Written

SAID_IN = "terms"  # the code of the note of a page that is in other terms already
MOST_RUNS = 3  # that are not whole, and of which the answer says how each ended
EACH = (
    "all of them have to pass, which needs no correction. Limits and p-values by which a group can only fail are "
    "corrected for the number of groups (Bonferroni)."
)
VERDICTS = {"pass": "passed", "fail": "failed", "unchecked": "failed"}  # of gates, in a grid


class Later(Mapping[str, Any]):
    """Data that are made when they are asked for: a page needs none of what JSON holds."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self.make = make

    @cached_property
    def held(self) -> Mapping[str, Any]:
        return self.make()

    def __getitem__(self, key: str) -> Any:
        return self.held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


@dataclass(frozen=True)
class Document(Written):
    """An answer, sections under it, notes; beside them the same as data and as records."""

    title: str
    answer: str
    sections: tuple[Section, ...] = ()
    notes: tuple[Note, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)  # what JSON holds
    records: Records | Callable[[], Records] | None = None  # what CSV holds
    cards: tuple[Card, ...] = ()  # the numbers that matter most, for a page's head
    gates: tuple[Gate, ...] = ()
    command: str = ""
    script: str = ""  # the name of a script of its own, beside that of every page
    further: str = ""  # what the answer goes on to say
    about: str = "What to know"  # the title over its notes
    glance: Glance = ()  # what one screen shows below the answer; (): its sections from the first on
    steps: tuple[str, ...] = ()  # what to do next
    labels: tuple[str, ...] = ()  # names that are data, beside the labels of its records

    @classmethod
    def of(cls, result: Result, title: str, *sections: Section, answer: str = "", **more: Any) -> Document:
        """What is said of a result: its sentence, its notes, its data and its records, where no other is given."""
        own = {"notes": tuple(getattr(result, "notes", ())), "data": Later(result.to_dict), "records": result.records}
        return cls(title, answer or result.sentence(), sections, **{**own, **more})

    def unfinished_first(self) -> Document:
        """The document whose answer begins with the notes on runs that are not whole; of many, with some of them."""
        held = tuple(dict.fromkeys(x.text for x in self.notes if x.code == UNFINISHED))
        if not held:
            return self
        there = tuple(self.data.get("unfinished", ()))  # what the answer begins with already
        if set(held) <= set(there):
            return replace(self, notes=tuple(x for x in self.notes if x.code != UNFINISHED))
        more = f"{plural(len(held) - MOST_RUNS, 'more run')} did not answer all that they were asked."
        said = " ".join((*held[:MOST_RUNS], *([more] if len(held) > MOST_RUNS else [])))
        data = self.data
        return replace(
            self,
            answer=said,
            further=self.said,
            notes=tuple(x for x in self.notes if x.code != UNFINISHED),
            data=Later(lambda: {**data, "unfinished": list(held)}),
        )

    @property
    def said(self) -> str:
        """The whole answer."""
        return f"{self.answer} {self.further}".strip()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What must not be overlooked, failed gates among it."""
        failed = tuple(f"{g.said[:1].upper()}{g.said[1:].rstrip('.')}." for g in self.gates if not g)
        return (*failed, *(n.text for n in self.notes if n.severity == "warning"))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The other notes."""
        return tuple(n.text for n in self.notes if n.severity != "warning")

    def body(self) -> tuple[Section, ...]:
        """All sections in their order: its own, the gates, and what to know."""
        return (*self.sections, *_gates(self.gates), *self._about())

    def flow(self, *, whole: bool = False) -> Iterator[Heading | Words | Grid]:
        """What stands below the answer where nothing is drawn or folded: warnings, then section by section.

        Of long grids some rows, or (`whole`) all.
        """
        yield from (Words(x, "warning") for x in self.warnings)
        for section in self.body():
            yield from section.flow(whole=whole)

    def _about(self) -> list[Section]:
        held: list[Block] = [Words(note, "note") for note in self.remarks]
        if self.command:
            held.append(Words(self.command, "command", "This page again"))
        return [Section("about", self.about, tuple(held))] if held else []

    def worded(self, speak: Speak) -> Document:
        """The document with arguments and calls as a surface says them."""
        return replace(
            self,
            sections=tuple(_worded(x, speak) for x in self.sections),
            notes=tuple(replace(x, text=worded(x.text, speak)) for x in self.notes),
            steps=tuple(worded(x, speak) for x in self.steps if sayable(x, speak)),
        )

    def in_terms(self, terms: str, *, title: bool = False) -> Document:
        """The document with measures by the names of others: "clinical" says sensitivity, PPV and Youden's J.

        Labels, names of systems and commands stay as they are, and so do the keys of JSON and CSV; the title, too,
        which may hold names of files, unless it is said to be the page's own.
        """
        if terms == "informed" or any(x.code == SAID_IN for x in self.notes):
            return self
        say = spoken_in(terms, self._labels())
        said = of_terms.Spoken(say)
        return replace(
            self,
            title=say(self.title) if title else self.title,
            answer=say(self.answer),
            further=say(self.further),
            sections=tuple(map(said.section, self.sections)),
            notes=(*(replace(x, text=say(x.text)) for x in self.notes), Note(EXPLAINED, code=SAID_IN)),
            cards=tuple(replace(x, name=say(x.name), words=say(x.words)) for x in self.cards),
            gates=tuple(replace(x, sentence=say(x.sentence)) for x in self.gates),
            glance=tuple(said.seen(x) for x in self.glance),
            steps=tuple(map(say, self.steps)),
        )

    def _labels(self) -> set[str]:
        """Names that are data, those that its records call labels among them."""
        held = self.records() if callable(self.records) else self.records
        columns = [c.name for c in held.columns if c.kind == "label" and c.name != "measure"] if held else []
        return {*self.labels, *(str(x) for name in columns if held for x in held[name])}

    def and_(self, other: Document, name: str) -> Document:
        """This document with the sections of another under it, and its data by that name."""
        first, *rest = other.sections
        first = replace(first, blocks=(Words(f"{other.said.rstrip('.')}."), *first.blocks))
        return replace(
            self,
            sections=cited_once((*self.sections, first, *rest)),
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
            data={**self.data, name: {"answer": other.said, **other.data}},
        )

    def pictures(self) -> dict[str, str]:
        """Its pictures as SVG files of their own, each by its section and its title."""
        from informed.documents.charts.svg import standalone

        drawn = {
            f"{s.key}/{block.title}": block.draw(f"{s.key}-{i}")
            for s in self.sections
            for i, block in enumerate(s.blocks)
            if isinstance(block, Drawing)
        }
        return {name: standalone(x) for name, x in drawn.items() if x.startswith("<svg")}

    def __repr__(self) -> str:
        return f"Document: {self.title}; {self.said}"


def _worded(section: Section, speak: Speak) -> Section:
    """A section with its sentences as a surface says them."""
    blocks = tuple(replace(x, text=worded(x.text, speak)) if isinstance(x, Words) else x for x in section.blocks)
    return replace(section, blocks=blocks, parts=tuple(_worded(x, speak) for x in section.parts))


def _gates(gates: Sequence[Gate]) -> list[Section]:
    if not gates:
        return []
    rows = ((g.sentence, VERDICTS.get(g.verdict, g.verdict)) for g in gates)
    grid = rows_of("What was asked for", ("gate", "verdict|"), rows)
    groups = {g.group for g in gates if g.group}
    said = (Words(f"{len(groups):,} groups are gated beside the total: {EACH}", "note"),) if groups else ()
    return [Section("gates", "Gates", (grid, *said))]
