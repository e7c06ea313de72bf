"""The application: pages, questions and results behind one guard."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import informed
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures.shown import IN_LAB
from informed.web import examples, limits, routes_data, routes_simulation, routes_table, routes_threshold, routes_watch
from informed.web.answers import Busy, answered
from informed.web.batching import Batcher, FullBatcher
from informed.web.evaluate import full
from informed.web.lab import Lab
from informed.web.results import POLICY, download_name, media, offered
from informed.web.security import LOOPBACK, Guard
from informed.web.turns import Turns
from informed.web.words import SPELLINGS, speaker

STATIC = Path(str(files("informed.web").joinpath("static")))


def create_app(*, token: str, hosts: Iterable[str] = LOOPBACK, file: Path | None = None) -> Starlette:
    """The lab as an ASGI application.

    Parameters
    ----------
    token
        What a browser must send with everything that computes or uploads.
    hosts
        The names that the lab may be called by.
    file
        A file of the command line, offered in the Data panel.
    """
    lab = Lab(token)
    examples.register(lab)
    if file is not None:
        lab.register(file)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.batcher, app.state.full_batcher = Batcher(), FullBatcher()
        app.state.slow = Turns(limits.AT_ONCE, limits.WAITING, limits.QUEUED)
        app.state.runs = Turns(limits.SIMULATIONS, limits.JOBS_WAITING)
        app.state.jobs = Turns(limits.JOBS, limits.JOBS_WAITING)
        warming = asyncio.create_task(asyncio.to_thread(warm))
        try:
            with suppress(asyncio.CancelledError):  # Ctrl-C was pressed again while the lab closed
                yield
        finally:
            with suppress(asyncio.CancelledError):
                await warming
            gc.unfreeze()
            lab.close()

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/results/{key}/{name}", result),
            Route("/api/start", start, methods=["POST"]),
            *routes_table.routes,
            *routes_data.routes,
            *routes_threshold.routes,
            *routes_watch.routes,
            *routes_simulation.routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, token=token, hosts=hosts)],
        exception_handlers={InformedError: said, HTTPException: said, TimeoutError: too_long, ClientDisconnect: gone},
        lifespan=lifespan,
    )
    app.state.lab = lab
    return app


def warm() -> None:
    """Import what is imported on first use, before somebody waits for it.

    All that stays from here on, so that the collector need not look through it while people drag:
    that was a pause of a tenth of a second now and then.
    """
    full(Table.from_counts([[2, 1], [1, 2]]))
    gc.collect()
    gc.freeze()


async def page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def start(request: Request) -> Response:
    """What the page needs to know first."""
    lab: Lab = request.app.state.lab
    return answered(
        {
            "version": informed.__version__,
            "files": [
                {"id": key, "name": held.name, "size": held.size}
                for key, held in lab.files.items()
                if not (held.ours or key in lab.examples)
            ],
            "examples": examples.EXAMPLES,
            "spellings": list(SPELLINGS.items()),
            "generators": routes_simulation.described(),
            "figures": routes_simulation.figures(),
            "formats": [{"ending": x, "title": title} for x, title in offered().items()],
            "ratios": [{"name": name, "title": informed.find(name).title} for name in IN_LAB],
        }
    )


async def result(request: Request) -> Response:
    """A report, by an id that cannot be guessed, in a sandbox of its own."""
    name = request.path_params["name"]
    folder = request.app.state.lab.results.get(request.path_params["key"])
    if folder is None or name not in media() or not (folder / name).is_file():
        raise HTTPException(404, "That report is not here any more.")
    inline = name == "report.html" and "download" not in request.query_params
    return FileResponse(
        folder / name,
        media_type=media()[name],
        headers={"content-security-policy": POLICY},
        filename=download_name(folder, name),
        content_disposition_type="inline" if inline else "attachment",
    )


def said(request: Request, error: Exception) -> Response:
    """An error raised on purpose: its sentence."""
    if isinstance(error, HTTPException):
        return answered({"error": error.detail}, error.status_code, error.headers)
    again = {"retry-after": str(limits.RETRY)} if isinstance(error, Busy) else None
    sentence = error.worded(speaker()) if isinstance(error, InformedError) else str(error)
    return answered({"error": sentence}, getattr(error, "status", 400), again)


def too_long(request: Request, error: Exception) -> Response:
    return answered({"error": "That took too long and was given up."}, 503)


def gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)
