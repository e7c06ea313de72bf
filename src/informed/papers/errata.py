"""The errata of the papers: as printed beside corrected, in words and in numbers.

``data/errata.toml`` has the words, `errata_numbers` the numbers; ``docs/errata.md`` is written from both by `pages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from informed.documents.blocks import Section, Words
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.errors import InferenceError
from informed.papers.errata_numbers import NUMBERS, Pairs
from informed.papers.texts import texts
from informed.results import Records, Result

ERRATA: dict[int, dict[str, str]] = {int(n): held for n, held in texts("errata").items()}
COLUMNS = (
    "erratum:count where:words printed:words corrected:words number:words as_printed:amount as_corrected:amount "
    "reason:words"
)


@dataclass(frozen=True, repr=False)
class Errata(Result):
    """Errata by number; `informed errata`."""

    numbers: tuple[int, ...]

    def records(self) -> Records:
        """A row for each number as printed and corrected; or one that says why there is nothing to compute."""
        rows: list[tuple[Any, ...]] = []
        for n in self.numbers:
            words = (n, *(ERRATA[n][field] for field in ("where", "printed", "corrected")))
            rows += [(*words, name, *pair, None) for name, pair in pairs(n).items()]
            if "reason" in ERRATA[n]:
                rows.append((*words, None, None, None, ERRATA[n]["reason"]))
        return Records.of(COLUMNS, rows)

    def sentence(self) -> str:
        """What the numbers are of."""
        return "Numbers are of the first example of Table 2, or of what they name."


def pairs(erratum: int) -> Pairs:
    """What an erratum comes to: numbers by name, as printed and as they are."""
    return NUMBERS[erratum]() if erratum in NUMBERS else {}


def said(erratum: int) -> str:
    """As printed beside corrected, with its numbers or the reason why there are none."""
    held = ERRATA[erratum]
    found = "; ".join(f"{name} {wrong:.4g}, correct {right:.4g}" for name, (wrong, right) in pairs(erratum).items())
    return f"Printed: {held['printed']}. Correct: {held['corrected']}. ({held.get('reason', found)})"


@page_of(Errata)
def errata_page(found: Errata) -> Document:
    """A line for each, so that both stand beside each other on a narrow screen, too."""
    lines = [Words(f"{n}. {ERRATA[n]['title']}. {ERRATA[n]['where']}. {said(n)}") for n in found.numbers]
    return Document.of(found, "Errata of the papers", Section("errata", "As printed, and corrected", tuple(lines)))


def errata(*numbers: int) -> Errata:
    """These errata, or all.

    >>> found = errata(2).records()
    >>> found["printed"], found["number"], [round(found[x][0], 3) for x in ("as_printed", "as_corrected")]
    (('NLR = inverse recall / miss rate',), ('NLR',), [2.125, 0.471])
    """
    for n in numbers:
        if n not in ERRATA:
            raise InferenceError(f"There is no erratum {n}; they are numbered 1 to {max(ERRATA)}.")
    return Errata(numbers or tuple(ERRATA))
