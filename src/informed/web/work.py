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
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import informed
from informed.errors import InformedError
from informed.table import Table
from informed.web import limits
from informed.web.answers import number
from informed.web.results import checked, saved

REAL = ("real", "truth", "true", "label", "labels", "gold", "target", "actual", "y", "y_true")
PREDICTED = ("predicted", "prediction", "pred", "answer", "output", "guess", "yhat", "y_pred")


def main() -> None:
    job = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_with_the_lab, daemon=True).start()
    try:
        check_unpacked(Path(job["path"]))
        done = TASKS[job["task"]](job)
        say({"result": done})
    except InformedError as error:
        say({"error": str(error).replace(job["path"], job["name"])})
    except MemoryError:
        say({"error": "There is not enough memory for this file."})
    sys.stdout.flush()
    os._exit(0)  # the thread waits for standard input


def _leave_with_the_lab() -> None:
    sys.stdin.read()
    os._exit(1)


def say(held: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(held, allow_nan=False) + "\n")
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


def look(job: dict[str, Any]) -> dict[str, Any]:
    """What the file is, and which columns were probably meant."""
    try:
        found = informed.read(job["path"])
        if isinstance(found, Table):
            return {"recognised": True, "columns": []}
    except InformedError:
        pass  # it has columns to choose from, or `columns` says what is wrong
    names = columns(job["path"])
    return {
        "recognised": False,
        "columns": names,
        "real": _guess(names, REAL),
        "predicted": _guess(names, PREDICTED),
    }


def columns(path: str) -> list[str]:
    """The names of a file's columns."""
    from informed.sources.files import connect
    from informed.sources.paths import header, resolve

    with ExitStack() as cleanup:
        files = resolve(path, None, cleanup)
        if files.kind == "csv":
            head = header(files, path, [], delimiter=None, quote='"', encoding=None)
            return [str(c) for c in head.columns]
        if files.kind not in ("parquet", "json"):
            raise InformedError("This is no file of columns that the lab can read.")
        connection = connect()
        cleanup.callback(connection.close)
        try:
            rows = connection.execute(
                f"DESCRIBE SELECT * FROM read_{files.kind}(?)", [[path]]
            ).fetchall()
        except Exception as error:
            raise InformedError(f"The file cannot be read: {str(error).splitlines()[0]}") from None
        return [str(row[0]) for row in rows]


def _guess(names: list[str], usual: tuple[str, ...]) -> str | None:
    folded = {name.casefold().strip(): name for name in names}
    return next((folded[name] for name in usual if name in folded), None)


def count(job: dict[str, Any]) -> dict[str, Any]:
    """Count, report in every format, and say the essence."""
    given = _told(job)
    if "real" not in given:  # recognised: a log has its own policies
        given = {name: given[name] for name in ("positive",) if name in given}
    t = informed.read(job["path"], progress=_progress, **given)
    if not isinstance(t, Table):
        raise InformedError("This file gives no table.")
    checked(t, limits.FILE_CLASSES, limits.FILE_GROUPS)
    say({"progress": 1.0, "stage": "report"})
    report = saved(t, Path(job["folder"]), source=job["name"], title=f"Report of {job['name']}")
    whole = t.sum() if t.shape else t
    playable = whole.is_square and 2 <= whole.k <= limits.CLASSES
    return {
        "id": job["id"],
        "n": number(whole.n),
        "answer": list(report.answer),
        "warnings": list(report.warnings),
        "groups": len(report.groups),
        "counts": whole.counts.tolist() if playable else None,
        "labels": [str(x) for x in whole.labels] if playable else None,
    }


def compare(job: dict[str, Any]) -> dict[str, Any]:
    """Systems on the same items: values, ranks that the data support, and who is tied."""
    read = informed.read(job["path"], progress=_progress, missing="abstain", **_told(job))
    board = informed.leaderboard(predictions=read)
    return {
        "measure": board.measure,
        "basis": board.basis,
        "items": int(board.items),
        "systems": [
            {
                "name": str(board.names[s]),
                "value": number(board.values[s]),
                "low": number(board.low[s]),
                "high": number(board.high[s]),
                "chance": 0.0,
                "rank_low": int(board.rank_low[s]),
                "rank_high": int(board.rank_high[s]),
                "groups": [i for i, g in enumerate(board.groups) if board.names[s] in g],
                "coverage": number(board.coverage[s]),
            }
            for s in board.order
        ],
        "notes": list(board.notes),
    }


def score(job: dict[str, Any]) -> dict[str, Any]:
    """The curve of a score, kept for the questions of the Threshold panel."""
    from informed.web.curves import keep

    told = _told(job)
    positive = told.get("positive")
    curve = informed.roc(informed.read(job["path"], progress=_progress, **told), positive=positive)
    keep(curve, Path(job["folder"]))
    return {"id": job["id"]}


def _told(job: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in job["given"].items() if value is not None}


def _progress(share: float) -> None:
    say({"progress": share})


TASKS = {"look": look, "count": count, "compare": compare, "score": score}

if __name__ == "__main__":
    main()
