"""Files that hold more than one answer a case: several labels, probabilities, or a judge's verdicts and some gold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import informed
from informed.decisions.forecast import Probabilities
from informed.documents.document import Document
from informed.sources.columns import columns
from informed.summary.tags_report import report_tags
from informed.summary.titles import report_title
from informed.web import Json
from informed.web.results import saved, stem


def tags(job: Json, given: Json, progress: Callable[[float], None]) -> Document:
    """The report of one system that gives each item several labels, or a comparison of more."""
    (file,) = job["files"]
    groups = given.get("by")
    predicted: list[str] = given.pop("systems")
    held = informed.read(
        file["path"], predicted=predicted, separator=given.pop("separator", None), progress=progress, **given
    )
    if len(held.names) == 1:
        about = {"source": file["name"], "title": report_title([file["name"]], predicted[0])}
        return report_tags(held, by=groups, **about).document()
    if len(held.names) == 2:
        return informed.compare.paired(held).document()
    return informed.leaderboard(held).document()


def judged(job: Json, given: Json, progress: Callable[[float], None]) -> Document:
    """The rate behind a judge's verdicts on all cases, by what people found of some."""
    (file,) = job["files"]
    verdict, gold, unit = given["verdict"], given["gold"], given.get("unit")
    held = columns(file["path"], [name for name in dict.fromkeys((verdict, gold, unit)) if name])
    progress(1.0)
    given_unit = held[unit] if unit else None
    return informed.judge(
        verdict=held[verdict], gold=held[gold], positive=given.get("positive"), unit=given_unit
    ).document()


def probability(job: Json, given: Json, progress: Callable[[float], None]) -> Document:
    """What the probabilities of one system are worth, or a comparison of several."""
    (file,) = job["files"]
    names, positive = given.pop("systems"), given.pop("positive", None)
    held: Any = informed.read(file["path"], probability=names, **given)
    progress(1.0)
    if len(names) > 1:
        return informed.probabilities.compare(held, positive=positive).document()
    found: Probabilities = informed.probabilities(held, positive=positive)
    return replace(found, title=report_title([file["name"]], names[0])).document()


KINDS = {"tags": tags, "probability": probability, "judge": judged}


def of_kind(job: Json, given: Json, progress: Callable[[float], None]) -> Json:
    """The page of a file of some kind, in every format, and what it says first."""
    page, folder = KINDS[job["task"]](job, given, progress), Path(job["folder"])
    answer = saved(page, folder, files=[file["name"] for file in job["files"]], task=job["task"])
    return {"id": job["id"], "stem": stem(folder), "answer": [answer], "warnings": list(page.warnings)}
