"""The Data panel: a file comes in as a stream, and is counted in a process that can be ended.

Work on a file runs in a process of its own: when the browser goes away, when it takes too long, or
when the lab ends, the process ends with it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from informed._wording import worded
from informed.web import Json, limits
from informed.web.answers import Refused, answered, choice_of, posted, real_of
from informed.web.lab import Lab
from informed.web.words import MISSING, SPELLINGS, speaker
from informed.web.worker import Worker

MODE = "xb"  # a new file, never one that is there
HEARTBEAT = 0.25  # seconds between looks at whether somebody is still there
LAST = (b'{"result"', b'{"error"')  # how the last line of a job begins
MOST_CHOICES = 12
LONGEST = 1000  # characters of a name
OF_KIND = {  # what each kind of file needs, and what else can be said of it
    "tags": (("real", "systems"), ("separator", "by", "unit")),
    "probability": (("real", "systems"), ("positive", "by", "unit")),
    "judge": (("verdict", "gold"), ("positive", "unit")),
    "verify": (("predicted", "gold"), ("judge", "positive", "unit")),
    "watch": (("real", "predicted"), ("other", "item")),
}
DESIGNS = ("", "case-control")
COLUMNS = ("real", "predicted", "by", "unit", "item", "weights")


async def upload(request: Request) -> Response:
    """Stream a file to the private folder; the guard has limited its size."""
    lab: Lab = request.app.state.lab
    name = request.query_params.get("name", "")[:200]
    key, path = lab.place(name)
    with ExitStack() as broken:  # nothing is left of an upload that breaks off
        broken.callback(lab.drop, path)
        try:
            with path.open(MODE) as out:
                async for chunk in request.stream():
                    await asyncio.to_thread(out.write, chunk)
        except OSError as error:
            raise Refused(f"The file could not be kept: {error.strerror}.", 507) from None
        if path.stat().st_size == 0:
            raise Refused("The file is empty.")
        broken.pop_all()
    lab.keep(key, Path(name.replace("\\", "/")).name, path)
    return answered({"id": key})


async def look(request: Request, held: Json) -> Response:
    """The columns of files, or that they need none."""
    return streamed(request, "look", ids_of(held))


async def count(request: Request, held: Json) -> Response:
    """Count a file and make its report."""
    given: Json = {x: text_of(held, x) for x in (*COLUMNS, "named", "positive")}
    given["choices"] = choices_of(held)
    given["labels"] = labels_of(held, "count")
    given["missing"] = choice_of(held, "missing", tuple(MISSING), "error")
    given["normalize"] = choice_of(held, "normalize", tuple(SPELLINGS), "") or None
    given["design"] = choice_of(held, "design", DESIGNS, "") or None
    apart(given["real"], [given["predicted"]])
    return streamed(request, "count", ids_of(held), given)  # several are groups of one report


async def compare(request: Request, held: Json) -> Response:
    """Systems on the same items: in columns, in rows, in files, or in evaluation logs."""
    layout = choice_of(held, "layout", ("columns", "rows", "files", "logs"), "columns")
    if layout == "logs":
        return streamed(request, "compare", ids_of(held), {"layout": layout, "choices": choices_of(held)})
    given: Json = {name: text_of(held, name) for name in ("real", "predicted")}
    if layout == "columns":
        given["predicted"] = several_of(held, "systems", "different columns")
    else:
        wanted = ("by", "item") if layout == "rows" else ("item",)
        given |= {name: text_of(held, name) for name in wanted}
    if lacking := [name for name, value in given.items() if value is None]:
        raise Refused(worded(f"`{lacking[0]}` is missing: which column is it?", speaker("compare")))
    given |= {name: text_of(held, name) for name in ("unit", "item")}
    given["normalize"] = choice_of(held, "normalize", tuple(SPELLINGS), "") or None
    given["design"] = choice_of(held, "design", DESIGNS, "") or None
    ids = several_of(held, "ids", "different files") if layout == "files" else [held.get("id")]
    truth = held.get("truth") if layout == "files" else None
    if truth is None:
        apart(given["real"], given["predicted"] if layout == "columns" else [given["predicted"]])
    elif truth in ids:
        given["truth"] = ids.index(truth)
    else:
        raise Refused("`truth` is none of the files.")
    return streamed(request, "compare", ids, given)


def apart(real: str | None, predicted: Sequence[str | None]) -> None:
    """Refuse a column that is given as the answers to itself."""
    if real is not None and real in predicted:
        raise Refused(f"{real} is given as the real classes and as predictions of them.")


async def kind(request: Request, held: Json) -> Response:
    """Several labels, probabilities, verdicts and some gold, answers of which some were verified, or a watched run."""
    task = choice_of(held, "kind", tuple(OF_KIND), "")
    needed, further = OF_KIND[task]
    given: Json = {name: text_of(held, name) for name in (*needed, *further) if name != "systems"}
    if "systems" in needed:
        given["systems"] = texts_of(held, "systems", 1, "different columns")
    if lacking := [name for name in needed if not given[name]]:
        raise Refused(worded(f"`{lacking[0]}` is missing: which column is it?", speaker(task)))
    if task == "watch":
        given |= declared(held)
    columns = [x for x in (given.get(name) for name in ("real", "predicted", "other", "gold", "judge")) if x]
    if len(set(columns)) < len(columns):
        raise Refused(f"{next(x for x in columns if columns.count(x) > 1)} is given twice; the columns are different.")
    return streamed(request, task, [held.get("id")], given)


def declared(held: Json) -> Json:
    """What is fixed before a run is watched."""
    given: Json = {"against": real_of(held, "against", -1, 1, 0.0), "labels": labels_of(held, "watch")}
    given["expect"] = None if held.get("expect") in (None, "") else real_of(held, "expect", -1, 1, 0.0)
    return given | {"missing": choice_of(held, "missing", ("abstain", "drop"), "abstain")}


async def score(request: Request, held: Json) -> Response:
    """Count the scores of a file, for `/api/curve`."""
    given = {name: text_of(held, name) for name in ("real", "score", "positive", "unit", "item")}
    return streamed(request, "score", [held.get("id")], given)


def ids_of(held: Json) -> list[Any]:
    """One file or several."""
    found = held.get("ids", [held.get("id")])
    one = isinstance(found, list) and len(found) == 1
    return found if one else several_of(held, "ids", "different files")


def several_of(held: Json, name: str, what: str) -> list[str]:
    """A list of 2 or more different texts."""
    return texts_of(held, name, 2, what)


def texts_of(held: Json, name: str, least: int, what: str) -> list[str]:
    """A list of different texts."""
    found = held.get(name)
    fine = isinstance(found, list) and all(isinstance(x, str) and x for x in found)
    if found is None or not fine or not least <= len(set(found)) == len(found) <= limits.SYSTEMS:
        raise Refused(f"`{name}` must be {least} to {limits.SYSTEMS} {what}.")
    return [str(x) for x in found]


def text_of(held: Json, name: str) -> str | None:
    value = held.get(name)
    if value in (None, ""):
        return None
    if not isinstance(value, str) or len(value) > LONGEST:
        raise Refused(f"`{name}` must be a text of at most {LONGEST} characters.")
    return value


def labels_of(held: Json, task: str) -> list[str] | None:
    """Classes in their order; None where none is given."""
    found = held.get("labels")
    if found in (None, []):
        return None
    texts = isinstance(found, list) and all(isinstance(x, str) and 0 < len(x) <= LONGEST for x in found)
    if not texts or not 2 <= len(found) <= limits.FILE_CLASSES:
        said = f"`labels` must be 2 to {limits.FILE_CLASSES} texts of at most {LONGEST} characters."
        raise Refused(worded(said, speaker(task)))
    return [str(x) for x in found]


def choices_of(held: Json) -> dict[str, str]:
    """What was chosen of evaluation logs, by name."""
    found = held.get("choices", {})
    if not isinstance(found, dict) or len(found) > MOST_CHOICES:
        raise Refused(f"`choices` must be an object of up to {MOST_CHOICES} texts.")
    if strange := [name for name in found if not (name.isidentifier() and text_of(found, name))]:
        raise Refused(f"{strange[0]!r} is no choice; write it as NAME=VALUE, such as filter=none.")
    return found


def streamed(request: Request, task: str, ids: Sequence[object], given: Json | None = None) -> Response:
    """The lines of a job on files that the lab holds, and never on a path that was sent."""
    request.app.state.jobs.check()
    lab: Lab = request.app.state.lab
    files = [lab.file(key) for key in ids]
    job: Json = {"task": task, "given": given or {}}
    job["files"] = [{"path": str(file.path), "name": file.name} for file in files]
    if given is not None:
        job["id"], folder = lab.new_result()
        job["folder"] = str(folder)
    return StreamingResponse(worked(request, job), media_type="application/x-ndjson")


async def worked(request: Request, job: Json) -> AsyncIterator[str]:
    """Lines of a job as they come; nothing of it is left when this ends, however it ends."""
    if request.app.state.jobs.free.locked():
        yield json.dumps({"waiting": True}) + "\n"
    async with request.app.state.jobs.turn():
        lab: Lab = request.app.state.lab
        worker = Worker(job, lab.scratch())
        try:
            async for line in _lines(request, worker):
                yield line
        finally:
            worker.end()


async def _lines(request: Request, worker: Worker) -> AsyncIterator[str]:
    end = time.monotonic() + limits.WORK
    while True:
        line = await worker.line(HEARTBEAT)
        if await request.is_disconnected():
            raise ClientDisconnect
        if time.monotonic() > end:
            yield json.dumps({"error": "That took too long and was given up."}) + "\n"
            return
        if line is None:
            yield json.dumps({"working": True}) + "\n"
            continue
        if not line:
            yield json.dumps({"error": "The file could not be worked on."}) + "\n"
            return
        yield line.decode()
        if line.startswith(LAST):  # how long the process takes to end is nobody's concern
            return


routes = [Route("/api/upload", upload, methods=["POST"]), *posted(look, count, compare, kind, score)]
