"""What the page calls the arguments and functions of Python: messages speak of its fields and panels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from informed._wording import Argument, Call, Mark, Speak
from informed.evidence.likeness import KINDS

FIELDS = {
    "real": "Real classes",
    "predicted": "Predictions",
    "systems": "Columns of predictions",
    "by": "Groups",
    "unit": "Cases belong together by",
    "item": "Items asked several times",
    "id": "Ids of cases",
    "truth": "Real classes are in",
    "positive": "Positive class",
    "missing": "A missing label",
    "normalize": "Labels that differ only in spelling",
    "design": "Numbers of cases of each class",
    "task": "Task",
    "system": "System",
    "scorer": "Scorer",
    "filter": "Filter",
    "metric": "Metric",
    "section": "Section of the log",
    "reducer": "Several attempts at an item",
    "options": "Items with so many options",
    "separator": "Between the tags stands",
    "verdict": "What the judge said",
    "gold": "What people found",
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
    "judge": {"positive": "Whose rate"},
    "probability": {
        "positive": "Class that they are of",
        "systems": "Columns of probabilities",
        "probability": "Columns of probabilities",
    },
    "tags": {"real": "Real tags", "systems": "Columns of predicted tags", "predicted": "Columns of predicted tags"},
    "verify": {
        "positive": "Positive class",
        "predicted": "What the system said",
        "judge": "What a judge said (if one did)",
    },
    "watch": {
        "other": "Predictions of a second system",
        "labels": "Classes, where there are more than two",
        "against": "The bar",
        "expect": "What you expect",
        "missing": "A missing label",
    },
    "count": {"score": "Score (Threshold panel)", "labels": "Order of the labels"},
    "compare": {"by": "Name of the system", "item": "Name of the item", "score": "Score (Threshold panel)"},
}
PANELS = {
    "roc": "the Threshold panel",
    "compare": "“compare the systems in it”",
}  # where the page does what a function does
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


def speaker(task: str = "") -> Speak:
    """How the page says what stands in backticks, by what it does with a file; None where it has no word for it.

    >>> from informed._wording import worded
    >>> worded("`predicted` has 1 missing label; use `missing='drop'` to leave such cases out.", speaker())
    '“Predictions” has 1 missing label; use “A missing label: drops the row” to leave such cases out.'
    >>> worded("Which of 'a', 'b' do high scores stand for? Give `positive=`.", speaker("score"))
    "Which of 'a', 'b' do high scores stand for? Give “Class of high scores”."
    """
    fields = {**FIELDS, **OF_TASK.get(task, {})}

    def speak(x: Mark) -> str | None:
        if isinstance(x, Argument) and x.name in fields:
            return f"“{fields[x.name]}{'' if x.value is None else f': {_chosen(x)}'}”"
        return PANELS.get(x.name) if isinstance(x, Call) else None

    return speak


def _chosen(x: Argument) -> Any:
    """A value as the page offers it."""
    if x.name == "normalize":
        return SPELLINGS.get(str(x.value), SPELLINGS[ANY])
    return MISSING.get(x.value, x.value) if x.name == "missing" else x.value
