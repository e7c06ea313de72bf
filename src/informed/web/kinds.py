"""Files that are more than a table: several labels, probabilities, verdicts and some gold, or a run in its order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import informed
from informed.documents.document import Document
from informed.results import Note
from informed.sources.columns import columns
from informed.sources.following import Columns, Growing
from informed.sources.watched import WatchedColumns
from informed.sources.watching import Run
from informed.summary.tags_report import report_tags
from informed.summary.titles import report_title
from informed.web import Json
from informed.web.results import saved, stem

IN_ORDER = (
    "The rows were taken in the order of the file. The limits hold at every look only if that is the order in which "
    "the items were scheduled, fixed before the run: not sorted by class, score or time of the answer."
)


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
        compared = informed.probabilities.compare(held, positive=positive)
        page: Document = compared.document()
        by = given.get("by")
        return page if by is None else page.and_(compared.slices().document(name=by, key="by-0-"), f"by {by}")
    found = informed.probabilities(held, positive=positive)
    return replace(found, title=report_title([file["name"]], names[0])).document()


def watched(job: Json, given: Json, progress: Callable[[float], None]) -> Document:
    """A run in the order of its file, as somebody sees it who looks after every case."""
    (file,) = job["files"]
    roles = tuple(name for name in ("real", "predicted", "other", "item") if name in given)
    columns_of = Columns(Growing(file["path"]), tuple(given[name] for name in roles))
    bettor = informed.watch(
        against=given["against"], expect=given.get("expect"), labels=given.get("labels"), paired="other" in given
    )
    run = Run(WatchedColumns(columns_of, roles, missing=given["missing"]), bettor)
    run.follow(lambda: progress(columns_of.source.offset / max(1, Path(file["path"]).stat().st_size)))

    page: Document = run.watch.document()
    said = (replace(note, text=note.text.replace(file["path"], file["name"])) for note in run.notes())
    return replace(page, notes=(*page.notes, *said, Note(IN_ORDER, code="order")))


def verified(job: Json, given: Json, progress: Callable[[float], None]) -> Document:
    """A system's table of all cases, when people saw only some of them."""
    (file,) = job["files"]
    names = {name: given[name] for name in ("predicted", "gold", "judge", "unit") if name in given}
    held = columns(file["path"], list(dict.fromkeys(names.values())))
    progress(1.0)
    cases: dict[str, Any] = {name: held[column] for name, column in names.items()}
    return informed.verified(**cases, positive=given.get("positive")).document()


KINDS = {"tags": tags, "probability": probability, "judge": judged, "verify": verified, "watch": watched}


def of_kind(job: Json, given: Json, progress: Callable[[float], None]) -> Json:
    """The page of a file of some kind, in every format, and what it says first."""
    page, folder = KINDS[job["task"]](job, given, progress), Path(job["folder"])
    answer = saved(page, folder, files=[file["name"] for file in job["files"]], task=job["task"])
    return {"id": job["id"], "stem": stem(folder), "answer": [answer], "warnings": list(page.warnings)}
