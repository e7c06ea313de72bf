"""The errata of the papers: as printed beside corrected, with both numbers of Table 2 where there are some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from informed.documents.blocks import Section, Words
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.papers.examples import TABLE_2, twelve_averages, twelve_classes
from informed.papers.texts import texts
from informed.results import Records, Result
from informed.simulation.judging import statistics, values

ERRATA: dict[int, list[str]] = {int(n): row for n, row in texts("errata")["errata"].items()}


@dataclass(frozen=True, repr=False)
class Errata(Result):
    """Errata by number; `informed errata`."""

    numbers: tuple[int, ...]

    def records(self) -> Records:
        """A row for each: where, as printed, corrected, and both as numbers of the first example of Table 2."""
        columns = "erratum:count where:words printed:words corrected:words as_printed:amount as_corrected:amount"
        return Records.of(columns, [(n, *ERRATA[n], *_numbers(n)) for n in self.numbers])

    def sentence(self) -> str:
        """What the numbers are of."""
        return "Numbers are of the first example of Table 2, or of the table that is meant."


@page_of(Errata)
def errata_page(found: Errata) -> Document:
    """A line for each, so that both stand beside each other on a narrow screen, too."""
    lines = []
    for n, where, printed, corrected, wrong, right in found.records().rows:
        numbers = "" if wrong is None else f" ({wrong:.4g}; {right:.4g})"
        lines.append(Words(f"{n}. {where}. Printed: {printed}. Correct: {corrected}{numbers}."))
    return Document.of(found, "Errata of the papers", Section("errata", "As printed, and corrected", tuple(lines)))


def errata(*numbers: int) -> Errata:
    """These errata, or all.

    >>> found = errata(1).records()
    >>> found["printed"], [round(x, 3) for x in found.rows[0][4:]]
    (('fallout fp/rp, miss rate fn/rn',), [0.294, 0.625])
    """
    for n in numbers:
        if n not in ERRATA:
            raise InferenceError(f"There is no erratum {n}; they are numbered 1 to {max(ERRATA)}.")
    return Errata(numbers or tuple(ERRATA))


def _numbers(n: int) -> tuple[float | None, float | None]:
    return CHECKS[n](TABLE_2["first"]) if n in CHECKS else (None, None)


# What is printed, typed as it stands, beside what the library computes.


def _scott(t: Table) -> tuple[float, float]:
    both = t.prevalence + t.bias
    chance = float(((both / 2) ** 2).sum())
    return float((both**2).sum()), chance


def _kappa(t: Table) -> tuple[float, float]:
    bias, prevalence = float(t.bias[0]), float(t.prevalence[0])
    above = _of(t, "informedness") * prevalence * (1 - prevalence)
    return above / (1 - bias * prevalence - (bias + prevalence) / 2), _of(t, "cohen_kappa")


def _information(t: Table) -> tuple[float, float]:
    joint, expected = t.counts / t.n, t.expected / t.n
    return -float((joint * np.log(joint / expected)).sum()), _of(t, "mutual_information")


def _plus_r(t: Table) -> tuple[float, float]:
    hybrid = t.n * _of(t, "markedness") ** 2 * t.prevalence.prod() / t.bias[0]
    return float(hybrid), float(statistics(t, "plus-r"))


def _twelve(_: Table) -> tuple[float, float]:
    held = twelve_averages(twelve_classes())
    return held["B"], held["B as defined"]


def _of(t: Table, measure: str) -> float:
    return float(values(t, measure))


CHECKS: dict[int, Callable[[Table], tuple[float, float]]] = {
    1: lambda t: (float(t.fp / t.rp), _of(t, "fallout")),
    2: lambda t: (_of(t, "inverse_recall") / _of(t, "miss_rate"), _of(t, "nlr")),
    3: _scott,
    4: _information,
    5: lambda t: (float(t.n) * _of(t, "mutual_information"), float(statistics(t, "g"))),
    6: _plus_r,
    7: lambda t: (2 * float(statistics(t, "plus-p")), float(statistics(t, "g-plus-p"))),
    9: lambda t: (_of(t, "f_measure(alpha=1)"), _of(t, "f_beta(beta=1)")),
    14: _kappa,
    20: lambda t: (_of(t, "informedness_det(exponent='1/(3K-2)')"), _of(t, "informedness_det")),
    28: lambda t: (_of(t, "wracc"), _of(t, "informedness")),
    36: lambda t: (_of(t, "accuracy"), _of(t, "rand_index")),
    41: _twelve,
}
