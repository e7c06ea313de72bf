"""One job on one file, in a process of its own: `python -m informed.web.work`.

The job is a line of JSON on standard input, the answer is lines of JSON on standard output. When
standard input ends, whoever asked is gone, and so is this process.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
import zipfile
import zlib
from pathlib import Path
from typing import Any

import informed
from informed.decisions.curve import Curve
from informed.decisions.scored_units import named_cases
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.results import picked, plain
from informed.sources.request import typed_option
from informed.summary.titles import report_title
from informed.web import Json, limits
from informed.web.comparing import compared, named
from informed.web.looking import seen
from informed.web.results import saved, stem
from informed.web.words import speaker


def main() -> None:
    job = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_with_the_lab, daemon=True).start()
    try:
        for file in job["files"]:
            check_unpacked(Path(file["path"]))
        done = TASKS[job["task"]](job)
        say({"result": done})
    except InformedError as error:
        said = error.worded(speaker(job["task"]))
        for file in job["files"]:
            said = said.replace(file["path"], file["name"])
        say({"error": said})
    except MemoryError:
        say({"error": "There is not enough memory for this file."})
    sys.stdout.flush()
    os._exit(0)  # the thread waits for standard input


def _leave_with_the_lab() -> None:
    sys.stdin.read()
    os._exit(1)


def say(held: Json) -> None:
    sys.stdout.write(json.dumps(plain(held), allow_nan=False) + "\n")
    sys.stdout.flush()


def check_unpacked(path: Path) -> None:
    """Refuse a small file that unpacks to a huge one, before anything reads it."""
    size = 0
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as held:
            size = sum(entry.file_size for entry in held.infolist())
    elif _start(path) == b"\x1f\x8b":  # gzip, whatever its name says
        try:
            with gzip.open(path) as stream:
                while size <= limits.UNPACKED and (block := stream.read(1 << 20)):
                    size += len(block)
        except (OSError, EOFError, zlib.error):
            raise InformedError("The compressed file is damaged.") from None
    if size > limits.UNPACKED:
        raise InformedError(f"The file unpacks to more than {limits.UNPACKED >> 30} GB.")


def _start(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(2)


def look(job: Json) -> Json:
    """What the files are, and which columns were probably meant."""
    return {"files": [seen(file) for file in job["files"]]}


def count(job: Json) -> Json:
    """Count, report in every format, and say the essence."""
    held = job["files"]
    source: Any = held[0]["path"]
    if len(held) > 1:
        source = {n: f["path"] for n, f in zip(named([f["name"] for f in held]), held, strict=True)}

    given = _told(job)
    option, ids = given.pop("option", ""), given.pop("named", None)
    if "real" not in given:  # recognised: a log has its own policies
        given = {name: given[name] for name in ("positive",) if name in given}
        given |= [typed_option(option)] if option.strip() else []

    shown = ", ".join(file["name"] for file in held)
    about: Json = {"title": report_title([file["name"] for file in held], str(given.get("predicted") or ""))}
    log = None if "real" in given or len(held) > 1 else _log(source, held[0]["name"], given)
    if log is None:
        try:
            groups: Json = {"tables": True} if "item" in given else {}  # not systems on the same items
            t = informed.read(source, progress=_progress, **groups, **given)
        except InformedError:
            check_classes(held)
            raise
        if not isinstance(t, Table):
            raise InformedError("This file gives no table.")
        about["source"] = shown
        if "real" in given and (ids is not None or "item" in given):
            about["examples"] = informed.examples(source, id=ids, **given)
    else:
        t, about = log[0], about | log[1]
    if t is None:
        return _marked(job, about)
    check_size(t)

    say({"progress": 1.0, "stage": "report"})
    report = informed.report(t, **about)
    saved(report.document(), Path(job["folder"]), task="count")

    whole = t.sum() if t.shape else t
    playable = whole.is_square and 2 <= whole.k <= limits.CLASSES
    return {
        "id": job["id"],
        "stem": stem(Path(job["folder"])),
        "n": whole.n,
        **picked(report, "answer warnings"),
        "groups": len(report.groups),
        "states": dict(report.states),
        "counts": whole.counts if playable else None,
        "labels": [str(x) for x in whole.labels] if playable else None,
    }


def _log(path: str, name: str, given: Json) -> tuple[Table | None, Json] | None:
    """The table of a log, if its answers are classes, and what its report should know; None for no log."""
    from informed.sources import logs
    from informed.sources.logs import reports

    kind = logs.recognise(path)
    if kind is None:
        return None
    found = logs.reading(path, kind, **given)
    about = reports.about(found, [name])
    return found.table, {**about, "marks": found.marks} if found.table is None else about


def _marked(job: Json, about: Json) -> Json:
    """The report of a log without classes."""
    report = informed.report(about.pop("marks"), **about)
    saved(report.document(), Path(job["folder"]), task="count")
    said: Json = {"counts": None, "labels": None, "groups": 0, "states": dict(report.states)}
    warned = [str(note) for note in report.notes if note.severity == "warning"]
    name = stem(Path(job["folder"]))
    return {
        "id": job["id"],
        "stem": name,
        "n": report.marks.n,
        "answer": list(report.answer),
        "warnings": warned,
        **said,
    }


def check_classes(files: list[dict[str, str]]) -> None:
    """Say what can be done with logs whose answers are no classes, of which several are no groups of a report."""
    from informed.sources import logs

    for file in files if len(files) > 1 else ():
        kind = logs.recognise(file["path"])
        if kind is not None and not (closed := logs.load(file["path"], kind).closed()):
            raise InformedError(f"{file['name']}: {closed.why} Compare the systems instead: that is by their scores.")


def check_size(t: Table) -> None:
    """Refuse a table that a report cannot show."""
    k = max(len(t.real_labels), len(t.predicted_labels))
    if k > limits.FILE_CLASSES:
        raise InformedError(
            f"There are {k:,} different labels; the lab shows up to {limits.FILE_CLASSES:,}. Is one of the columns an "
            "id or free text?"
        )
    if t.shape and t.shape[0] > limits.FILE_GROUPS:
        raise InformedError(f"There are {t.shape[0]:,} groups; the lab shows up to {limits.FILE_GROUPS:,}.")


def score(job: Json) -> Json:
    """The curve of a score, kept for the questions of the Threshold panel, and its page."""
    from informed.web.curves import keep

    (file,) = job["files"]
    curve = _curve(file["path"], _told(job))
    keep(curve, Path(job["folder"]))
    say({"progress": 1.0, "stage": "report"})
    page = curve.document(title=f"ROC of {job['given']['score']} in {file['name']}")
    return {"id": job["id"], "answer": saved(page, Path(job["folder"]), task="score")}


def _curve(path: str, told: Json) -> Curve:
    """The curve of a column of scores; where its cases belong together, case by case."""
    positive = told.get("positive")
    if "unit" not in told and "item" not in told:
        found: Any = informed.read(path, progress=_progress, **told)
        return informed.roc(found, positive=positive)
    held: Any = informed.read(path, progress=_progress, **{**told, "score": [told["score"]]})
    cases = named_cases(held, told.get("unit"))
    (score,) = cases.pop("scores").values()
    return informed.roc(score=score, positive=positive, **cases)


def _told(job: Json) -> Json:
    return {name: value for name, value in job["given"].items() if value is not None}


def _progress(share: float) -> None:
    say({"progress": share})


def compare(job: Json) -> Json:
    """Systems on the same items."""
    return compared(job, _progress)


TASKS = {"look": look, "count": count, "compare": compare, "score": score}

if __name__ == "__main__":
    main()
