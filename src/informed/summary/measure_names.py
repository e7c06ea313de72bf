"""Measures by the names that people know: in a column, and in a sentence."""

from __future__ import annotations

from dataclasses import replace

from informed.measures import MeasureLike, find
from informed.measures.headline import called
from informed.results import Records
from informed.summary.estimates import title_of

# Titles begin with a capital; these keep it in a sentence, as do letters such as F1 and whatever is somebody's.
PEOPLE = ("Matthews", "Goodman", "Fowlkes–Mallows", "Rand", "Gilbert", "Jaccard", "AUC")


def titled(measure: MeasureLike, silent: bool = False) -> str:
    """A measure as the head of a row; it says of which cases it is, where some got no answer.

    >>> titled("cohen_kappa"), titled("informedness", silent=True)
    ("Cohen's kappa", 'Informedness of the answered cases')
    """
    m = find(measure)
    return _with_cases(title_of(m), measure, silent)


def spoken(measure: MeasureLike, silent: bool = False) -> str:
    """The same in a sentence.

    >>> spoken("matthews"), spoken("informedness"), spoken("f1"), spoken("accuracy_of_all", silent=True)
    ('Matthews correlation, R_K', 'informedness', 'F1', 'score')
    """
    return _with_cases(uncapitalised(title_of(find(measure))), measure, silent)


def uncapitalised(title: str) -> str:
    """A title inside a sentence.

    >>> uncapitalised("Balanced accuracy"), uncapitalised("Somers' D"), uncapitalised("F1")
    ('balanced accuracy', "Somers' D", 'F1')
    """
    first = title.split()[0].rstrip(",")
    name = first.endswith(("'s", "s'")) or first in PEOPLE or not first[1:2].islower()
    return title if name else title[:1].lower() + title[1:]


def _with_cases(title: str, measure: MeasureLike, silent: bool) -> str:
    said, plain = called(measure, silent), str(find(measure))
    if not said.startswith(plain):  # it has a name of its own over all cases
        return f"{said[:1].upper()}{said[1:]}" if title[:1].isupper() else said
    return f"{title}{said.removeprefix(plain)}"


def with_titles(held: Records, silent: bool = False) -> Records:
    """Records whose measures are called as people call them."""
    at = held.names.index("measure")
    rows = tuple((*row[:at], titled(row[at], silent), *row[at + 1 :]) for row in held.rows)
    return replace(held, rows=rows)
