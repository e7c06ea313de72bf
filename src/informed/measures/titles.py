"""Measures by the names that people know: with their parameters, and inside a sentence."""

from __future__ import annotations

from informed.measures.headline import called
from informed.measures.lookup import MeasureLike, find
from informed.measures.registry import Measure
from informed.measures.tag_scores import TITLES

# Titles begin with a capital; these keep it in a sentence, as do letters such as F1 and whatever is somebody's.
PEOPLE = ("Matthews", "Goodman", "Fowlkes–Mallows", "Rand", "Gilbert", "Jaccard", "AUC", "Hamming")


def title_of(m: Measure) -> str:
    """The measure with its parameters, as a person writes it."""
    bound = dict(m.bound)
    average = [f"{bound.pop('average')} average"] if bound.get("average") else []
    return ", ".join([m.title, *(f"{key} {value}" for key, value in bound.items()), *average])


def uncapitalised(title: str) -> str:
    """A title inside a sentence.

    >>> uncapitalised("Balanced accuracy"), uncapitalised("Somers' D"), uncapitalised("F1")
    ('balanced accuracy', "Somers' D", 'F1')
    """
    first = title.split()[0].rstrip(",")
    name = first.endswith(("'s", "s'")) or first in PEOPLE or not first[1:2].islower()
    return title if name else title[:1].lower() + title[1:]


def in_words(measure: MeasureLike) -> str:
    """A measure inside a sentence.

    >>> in_words("inverse_recall"), in_words("cohen_kappa"), in_words("recall(average='macro')")
    ('inverse recall', "Cohen's kappa", 'recall, macro average')
    """
    return uncapitalised(title_of(find(measure)))


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
    return _with_cases(in_words(measure), measure, silent)


def titled_tags(measure: str, average: str = "") -> str:
    """A measure of tags, with its average where it is one of labels.

    >>> titled_tags("hamming_loss", "macro"), titled_tags("informedness", "macro")
    ('Hamming loss', 'Informedness (macro average)')
    """
    if measure in TITLES:
        return TITLES[measure]
    return f"{measure.capitalize()}{f' ({average} average)' if average else ''}"


def spoken_tags(measure: str) -> str:
    """The same in a sentence.

    >>> spoken_tags("hamming_loss"), spoken_tags("subset_accuracy"), spoken_tags("informedness")
    ('Hamming loss', 'subset accuracy', 'informedness')
    """
    return uncapitalised(titled_tags(measure))


def _with_cases(title: str, measure: MeasureLike, silent: bool) -> str:
    said, plain = called(measure, silent), str(find(measure))
    if not said.startswith(plain):  # it has a name of its own over all cases
        return f"{said[:1].upper()}{said[1:]}" if title[:1].isupper() else said
    return f"{title}{said.removeprefix(plain)}"
