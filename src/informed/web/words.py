"""What the page calls the arguments of Python: a message of the library names the field that a visitor sees."""

from __future__ import annotations

import re
from collections.abc import Mapping

from informed.evidence.likeness import KINDS

FIELDS = {
    "real": "Real classes",
    "predicted": "Predictions",
    "systems": "Columns of predictions",
    "by": "Groups",
    "unit": "Cases belong together by",
    "item": "Items asked several times",
    "truth": "Real classes are in",
    "positive": "Positive class",
    "missing": "A missing label",
    "normalize": "Labels that differ only in spelling",
    "option": "Choice, if the log needs one",
    "score": "Score",
    "labels": "Names of the classes",
    "k": "Classes",
    "n": "Cases in a table",
    "levels": "Levels of informedness",
    "replicates": "Tables at each level",
    "seed": "Seed",
    "generator": "How tables are made",
    "prevalence": "How common the classes are",
    "guess": "How often each is guessed",
}
OF_TASK: Mapping[str, Mapping[str, str]] = {
    "score": {"positive": "Class of high scores"},
    "compare": {"by": "Name of the system", "item": "Name of the item"},
}
ANY = ",".join(KINDS)
SPELLINGS = {  # of labels: what can be chosen, and how the page says it
    "": "are refused",
    "case": "in upper and lower case are the same",
    "space": "in white space are the same",
    "case,space": "in case and white space are the same",
    "number": "as 1 and 1.0 do are the same",
    "bool": "as true and 1 do are the same",
    "date": "as a date and its midnight do are the same",
    "unicode": "in Unicode form are the same",
    ANY: "in any such way are the same",
    "none": "are different labels",
}
MISSING = {"error": "is an error", "drop": "drops the row", "abstain": "is no answer"}

_VALUED = re.compile(r"""`?\b(?P<name>\w+)=(?P<quote>["'])(?P<value>[\w,-]+)(?P=quote)`?""")
_NAMED = re.compile(r"`(?P<name>\w+)=?`")


def in_page_words(said: str, task: str = "") -> str:
    """A message with its arguments as the fields of the page are called; what is no field stays as it is.

    >>> in_page_words('`predicted` has 1 missing label; use missing="drop" to leave such cases out.')
    '“Predictions” has 1 missing label; use “A missing label: drops the row” to leave such cases out.'
    >>> in_page_words("Which of 'a', 'b' do high scores stand for? Give `positive=`.", "score")
    "Which of 'a', 'b' do high scores stand for? Give “Class of high scores”."
    """
    fields = {**FIELDS, **OF_TASK.get(task, {})}

    def field(found: re.Match[str]) -> str:
        name, value = found["name"], found.groupdict().get("value")
        if name not in fields:
            return found[0]
        return f"“{fields[name]}{'' if value is None else f': {_chosen(name, value)}'}”"

    return _NAMED.sub(field, _VALUED.sub(field, said))


def _chosen(name: str, value: str) -> str:
    """A value as the page offers it."""
    if name == "normalize":
        return SPELLINGS.get(value, SPELLINGS[ANY])
    return MISSING.get(value, value) if name == "missing" else value
