"""Small files that come with the lab, to try the Data and Threshold panels by: each with what to ask of it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from informed.web import Json
from informed.web.lab import HeldFile, Lab

FOLDER = Path(str(files("informed.web").joinpath("examples")))
CANCER = "breast-cancer.csv"
REVIEWS = ("reviews.csv", "reviews-new.csv", "reviews-old.csv")


def key(name: str) -> str:
    """The id of an example: the same in every run, so that an address with it can be kept."""
    return f"example-{name.partition('.')[0]}"


def _example(title: str, said: str, *names: str, **asked: Any) -> Json:
    return {"title": title, "said": said, "asked": {"file": [key(x) for x in names], **asked, "go": "1"}}


EXAMPLES = (
    _example(
        "Is the lump malignant?",
        "569 people, and what a decision tree says of each: a report of one system.",
        CANCER,
        real="diagnosis",
        predicted="tree",
        positive="malignant",
    ),
    _example(
        "Six systems, one winner?",
        "The same people and six systems, two of which only guess: a comparison.",
        CANCER,
        **{"as": "compare", "layout": "columns", "real": "diagnosis"},
        systems=["logistic", "tree", "neighbours", "bayes", "majority", "guess"],
    ),
    _example(
        "Handwritten digits",
        "1797 digits and what was read: a report of ten classes.",
        "digits.csv",
        real="digit",
        predicted="predicted",
    ),
    _example(
        "Reviews, the old and the new system",
        "What 300 reviews are, and what each of two systems says: three files, joined by an id.",
        *REVIEWS,
        **{"as": "compare", "layout": "files", "real": "label", "predicted": "answer", "item": "id"},
        truth=key(REVIEWS[0]),
    ),
    _example(
        "How urgent is the call?",
        "240 calls in four grades, from none to acute: a report with near misses and far misses.",
        "triage.csv",
        real="urgency",
        predicted="new",
        labels="none, low, high, acute",
    ),
    _example(
        "Films of several genres",
        "240 films, each with as many genres as it has, and what a system says of them: a report of tags.",
        "films.csv",
        **{"as": "tags", "real": "tags", "systems": ["new"], "separator": ";"},
    ),
    _example(
        "Will it rain?",
        "600 days, and with which probability a system says rain: what that is worth, and whether it is calibrated.",
        "forecasts.csv",
        **{"as": "probability", "real": "rain", "systems": ["new"], "positive": "yes", "unit": "station"},
    ),
    _example(
        "Answers graded by a judge",
        "A judge's verdicts on 1200 answers, and what people said of 300: how many are really good.",
        "graded-answers.csv",
        **{"as": "judge", "verdict": "judge", "gold": "human", "positive": "good", "unit": "question"},
    ),
)


def register(lab: Lab) -> None:
    """Hold the files of the examples: they stay on the disk when the lab goes."""
    for path in sorted(FOLDER.glob("*.csv")):
        lab.files[key(path.name)] = HeldFile(path.name, path, path.stat().st_size, ours=False)
    lab.examples = frozenset(lab.files)
