"""What the page calls the arguments of Python: a message of the library names the field that a visitor sees."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    "normalize": "Labels that differ only in",
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
CHOICES = {
    ("missing", "error"): "is an error",
    ("missing", "drop"): "drops the row",
    ("missing", "abstain"): "is no answer",
}

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
        chosen = "" if value is None else f": {CHOICES.get((name, value), value)}"
        return f"“{fields[name]}{chosen}”"

    return _NAMED.sub(field, _VALUED.sub(field, said))
