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
from informed.sources.logs import kind_of
from informed.sources.unpacking import packed_as, size_unpacked
from informed.summary.report import Report
from informed.summary.titles import report_title
from informed.web import Json, limits
from informed.web.comparing import compared, named
from informed.web.evaluation_logs import reading, several, typed
from informed.web.evaluation_logs import report as log_report
from informed.web.kinds import KINDS, of_kind
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
    elif packed := packed_as(_start(path)):
        size = size_unpacked(path, packed, limits.UNPACKED, path.name)
    elif _start(path)[:2] == b"\x1f\x8b":  # gzip, whatever its name says
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
        return stream.read(4)


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
    chosen, ids = given.pop("choices", {}), given.pop("named", None)
    design: Any = given.pop("design", "cross-sectional")
    kind = None if "real" in given else kind_of([file["path"] for file in held])
    if "real" not in given:  # recognised: a log has its own policies
        given = {name: given[name] for name in ("positive", "by") if name in given}
        given |= typed(kind, chosen) if kind else {}
    if kind is not None and len(held) == 1:
        return _of_log(job, kind, given)

    shown = ", ".join(file["name"] for file in held)
    about: Json = {"title": report_title([file["name"] for file in held], str(given.get("predicted") or ""))}
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
    check_size(t)

    say({"progress": 1.0, "stage": "report"})
    return _reported(job, informed.report(t, design=design, **about), t)


def _reported(job: Json, report: Report, t: Table) -> Json:
    """Write the report of a table, and say the essence of it."""
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


def _of_log(job: Json, kind: str, given: Json) -> Json:
    """The report of an evaluation log: of its table, of its marks, or of its tasks and systems."""
    (file,) = job["files"]
    found = reading(file["path"], kind, given)
    if found.table is not None:
        check_size(found.table)
    say({"progress": 1.0, "stage": "report"})
    report, folder = log_report(found, file["name"], given), Path(job["folder"])
    if isinstance(report, Report):
        assert found.table is not None
        return _reported(job, report, found.table)

    held: Json = {"id": job["id"], "counts": None, "labels": None, "groups": 0}
    if report is None:
        made, states = several(found, file["path"], given)
        held |= {"answer": [saved(made.document(), folder, files=[file["name"]], task="count")], "states": states}
        notes, held["n"] = made.notes, found.marks.n
    else:
        saved(report.document(), folder, task="count")
        held |= {"answer": list(report.answer), "states": dict(report.states), "n": report.marks.n}
        notes = report.notes
    return {**held, "stem": stem(folder), "warnings": [str(note) for note in notes if note.severity == "warning"]}


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


def kind(job: Json) -> Json:
    """Several labels, probabilities, or a judge and some gold."""
    return of_kind(job, _told(job), _progress)


TASKS = {"look": look, "count": count, "compare": compare, "score": score, **dict.fromkeys(KINDS, kind)}

if __name__ == "__main__":
    main()
