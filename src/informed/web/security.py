"""Who may ask what: every request passes here first.

A page of another site must not reach the lab: it cannot send the token of this run (a header of our
own, which a browser does not send across sites without leave, and the lab gives none), and a name
that was bent to point here (DNS rebinding) is refused by its Host.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from informed.web import limits

TOKEN = "x-informed-token"
STOPPED = {"connection": "close"}  # the rest of the body is not waited for
LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """ASGI middleware: host, origin, token, size and pace of every request."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: Iterable[str]) -> None:
        self.app = app
        self.token = token.encode()
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1008})
        headers = Headers(scope=scope)
        most = limits.UPLOAD if scope["path"] == "/api/upload" else limits.BODY
        if reason := self.refusal(scope["path"], headers, most):
            status, said = reason
            return await JSONResponse({"error": said}, status)(scope, receive, _sealed(send))
        try:
            return await self.app(scope, _measured(receive, most), _sealed(send))
        except asyncio.CancelledError:  # the server stops: the end of one request is no fault of the lab
            with suppress(RuntimeError):  # where an answer has begun
                await JSONResponse({"error": "The lab is being closed."}, 503)(scope, receive, _sealed(send))

    def refusal(self, path: str, headers: Headers, most: int) -> tuple[int, str] | None:
        """Why a request is not taken: a status and a sentence."""
        if len(headers.getlist("host")) != 1 or _host(headers["host"]) not in self.hosts:
            return 400, "This lab is not called by that name."
        if path.startswith("/api/"):
            own = f"http://{headers['host']}"
            here = headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
            if headers.get("origin", own) != own or not here:
                return 403, "Another site may not ask the lab anything."
            if not hmac.compare_digest(headers.get(TOKEN, "").encode(), self.token):
                return 403, "The token of this run is missing: open the address that was printed."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            return 413, f"More than {_size(most)} were sent."
        return None


def _host(header: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _measured(receive: Receive, most: int) -> Receive:
    """A body that is refused when it is too large, and given up when it stalls or trickles."""
    seen, done = 0, False
    left = limits.BODY_TIME  # of the time that may be spent on waiting; each byte earns some

    async def measured() -> Message:
        nonlocal seen, done, left
        if done:  # what comes now is the end of the connection, however late
            return await receive()
        began = time.monotonic()
        try:
            async with asyncio.timeout(min(limits.STALLED, left)):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "The body stalled.", STOPPED) from None
        left += len(message.get("body", b"")) / limits.SLOWEST - (time.monotonic() - began)
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            done = not message.get("more_body", False)
            if seen > most:
                raise HTTPException(413, f"More than {_size(most)} were sent.", STOPPED)
        return message

    return measured


def _sealed(send: Send) -> Send:
    """Answers with the headers that keep a page to itself."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sealed


def _size(n: int) -> str:
    return f"{n >> 30} GB" if n >= 1 << 30 else f"{n >> 10} KB"
