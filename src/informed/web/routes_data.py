"""The Data panel: a file comes in as a stream, and is counted in a process that can be ended.

Work on a file runs in a process of its own: when the browser goes away, when it takes too long, or
when the lab ends, the process ends with it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from informed.web import limits
from informed.web.answers import Refused, answered, asked, choice_of
from informed.web.lab import Lab
from informed.web.worker import Worker

HEARTBEAT = 0.25  # seconds between looks at whether somebody is still there
COLUMNS = ("real", "predicted", "by", "weights")


async def upload(request: Request) -> Response:
    """Stream a file to the private folder; the guard has limited its size."""
    lab: Lab = request.app.state.lab
    name = request.query_params.get("name", "")[:200]
    key, path = lab.place(name)
    done = False
    try:
        with path.open("xb") as out:
            async for chunk in request.stream():
                await asyncio.to_thread(out.write, chunk)
        done = True
    finally:
        if not done:
            path.unlink(missing_ok=True)
    if path.stat().st_size == 0:
        path.unlink()
        raise Refused("The file is empty.")
    lab.keep(key, Path(name.replace("\\", "/")).name, path)
    return answered({"id": key})


async def look(request: Request) -> Response:
    """The columns of a file, or that it needs none."""
    held = await asked(request)
    file = request.app.state.lab.file(held.get("id"))
    return streamed(request, {"task": "look", "path": str(file.path), "name": file.name})


async def count(request: Request) -> Response:
    """Count a file and make its report."""
    held = await asked(request)
    lab: Lab = request.app.state.lab
    file = lab.file(held.get("id"))
    given: dict[str, Any] = {name: text_of(held, name) for name in (*COLUMNS, "positive")}
    given["missing"] = choice_of(held, "missing", ("error", "drop", "abstain"), "error")
    key, folder = lab.new_result()
    job = {"task": "count", "path": str(file.path), "name": file.name, "folder": str(folder)}
    return streamed(request, {**job, "id": key, "given": given})


async def compare(request: Request) -> Response:
    """Several prediction columns: systems on the same items."""
    held = await asked(request)
    file = request.app.state.lab.file(held.get("id"))
    systems = held.get("systems")
    fine = isinstance(systems, list) and all(isinstance(x, str) for x in systems)
    if systems is None or not fine or not 2 <= len(set(systems)) == len(systems) <= limits.SYSTEMS:
        raise Refused(f"`systems` must be 2 to {limits.SYSTEMS} different columns.")
    given = {"real": text_of(held, "real"), "predicted": systems}
    job = {"task": "compare", "path": str(file.path), "name": file.name, "given": given}
    return streamed(request, job)


async def score(request: Request) -> Response:
    """Count the scores of a file, for `/api/curve`."""
    held = await asked(request)
    lab: Lab = request.app.state.lab
    file = lab.file(held.get("id"))
    given = {name: text_of(held, name) for name in ("real", "score", "positive")}
    key, folder = lab.new_result()
    job = {"task": "score", "path": str(file.path), "name": file.name, "folder": str(folder)}
    return streamed(request, {**job, "id": key, "given": given})


def text_of(held: dict[str, Any], name: str) -> str | None:
    value = held.get(name)
    if value in (None, ""):
        return None
    if not isinstance(value, str) or len(value) > 1000:
        raise Refused(f"`{name}` must be a text of at most 1000 characters.")
    return value


def streamed(request: Request, job: dict[str, Any]) -> Response:
    return StreamingResponse(worked(request, job), media_type="application/x-ndjson")


async def worked(request: Request, job: dict[str, Any]) -> AsyncIterator[str]:
    """Lines of a job as they come; nothing of it is left when this ends, however it ends."""
    if request.app.state.jobs.locked():
        yield json.dumps({"waiting": True}) + "\n"
    async with request.app.state.jobs:
        worker = Worker(job)
        try:
            async for line in _lines(request, worker):
                yield line
        finally:
            worker.end()


async def _lines(request: Request, worker: Worker) -> AsyncIterator[str]:
    end = time.monotonic() + limits.WORK
    said = False
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
            if not said:
                yield json.dumps({"error": "The file could not be worked on."}) + "\n"
            return
        said = said or b'"result"' in line or b'"error"' in line
        yield line.decode()


routes = [
    Route("/api/upload", upload, methods=["POST"]),
    Route("/api/look", look, methods=["POST"]),
    Route("/api/count", count, methods=["POST"]),
    Route("/api/compare", compare, methods=["POST"]),
    Route("/api/score", score, methods=["POST"]),
]
