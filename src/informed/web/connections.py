"""Connections that cannot lock others out: what uvicorn leaves to a proxy in front, because here there is none.

Uvicorn bounds the size of a head and the time that an answered connection may rest. It does not
bound how long a head may take, nor how long an answer may lie unread, and where it bounds the number of
connections (`limit_concurrency`) those that say nothing count, so that five hundred of them keep
everybody out. Here a newcomer takes the place of the connection that has been silent for longest, and
is refused only where every other one has a request under way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from informed.web import limits
from informed.web.answers import BUSY

try:
    from resource import RLIMIT_NOFILE, getrlimit
except ImportError:  # Windows has no such limit
    FILES = 1 << 16
else:
    FILES = getrlimit(RLIMIT_NOFILE)[0]

LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
FULL = (
    f"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: {limits.RETRY}\r\n"
    f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(BUSY)}\r\n\r\n{BUSY}"
).encode()


@dataclass(frozen=True)
class Bounds:
    """How many connections stand, and how long one may keep the lab waiting."""

    connections: int = min(limits.CONNECTIONS, FILES // 2)
    each: int = limits.CONNECTIONS_EACH
    head: float = limits.HEAD
    idle: int = limits.IDLE
    unread: float = limits.UNREAD


class Server(uvicorn.Server):
    """A server that the lab ends: uvicorn raises the signals that ended it once more, while the lab is closing."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the server."""
        yield


def configured(app: Any, bounds: Bounds | None = None) -> uvicorn.Config:
    """How the lab is served."""
    bounds = bounds or Bounds()
    found = uvicorn.Config(
        app,
        http=type("Bounded", (Connection,), {"bounds": bounds}),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody stands between, so that nobody is believed to
        backlog=min(limits.BACKLOG, FILES // 4),
        h11_max_incomplete_event_size=limits.HEAD_SIZE,
        timeout_keep_alive=bounds.idle,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(Seldom())
    return found


class Seldom(logging.Filter):
    """Lets a message through once in a while: whoever sends nonsense a thousand times fills no terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Warnings only, of which there are few; errors are all said."""
        before = self.said.get(str(record.msg), -limits.SAID_AGAIN)
        if record.levelno > logging.WARNING or record.created - before >= limits.SAID_AGAIN:
            self.said[str(record.msg)] = record.created
            return True
        return False


class Connection(H11Protocol):
    """One connection. It waits (`since` when) or it has a request under way."""

    bounds: Bounds
    since = 0.0
    head_timer: asyncio.TimerHandle | None = None
    unread_timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # None at first

    @property
    def address(self) -> Any:
        """Who is there; of IPv6 the network, because one machine has all the addresses of it."""
        host = self.client[0] if self.client else ""
        return ip_address(host).packed[:8] if ":" in host else host

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.since = self.loop.time()
        if self._has_room():
            self.head_timer = self.loop.call_later(self.bounds.head, self._late)
        else:
            transport.write(FULL)
            transport.close()

    def _has_room(self) -> bool:
        """Whether this one may stay, if need be instead of one that waits."""
        others = [c for c in self.connections if isinstance(c, Connection) and c is not self]
        here = [c for c in others if not c.transport.is_closing()]
        mine = [c for c in here if c.address == self.address]
        if len(mine) >= self.bounds.each:
            return _made_room(mine)
        return len(here) < self.bounds.connections or _made_room(here)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self.waits:
            self._end_timer("head_timer")
        elif self.head_timer is None and not self.transport.is_closing():
            self.head_timer = self.loop.call_later(self.bounds.head, self._late)

    def _late(self) -> None:
        """A head that does not come, or a body that goes on after its answer."""
        if not self.transport.is_closing():
            if self.cycle is None and self.conn.trailing_data[0]:  # it has said something, and nothing was answered
                self.transport.write(LATE)
            self.transport.close()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread_timer = self.loop.call_later(self.bounds.unread, self.transport.abort)

    def resume_writing(self) -> None:
        self._end_timer("unread_timer")
        super().resume_writing()

    def shutdown(self) -> None:
        if self.waits or not self.cycle.more_body:
            super().shutdown()
        else:
            self.transport.abort()  # the rest of a body is not waited for

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_timer("head_timer")
        self._end_timer("unread_timer")
        super().connection_lost(exc)

    def _end_timer(self, name: str) -> None:
        timer = getattr(self, name)
        if timer is not None:
            timer.cancel()
            setattr(self, name, None)


def _made_room(among: list[Connection]) -> bool:
    """Close the one that has waited longest, first of those that never asked anything."""
    waiting = [c for c in among if c.waits]
    if not waiting:
        return False
    min(waiting, key=lambda c: (c.cycle is not None, c.since)).transport.close()
    return True
