"""A queue with an end: so many at a time, so many waiting, and whoever comes then is sent away at once.

Whoever is sent away knows when to come again, which is better for everybody than an answer after
twenty seconds to somebody who has moved on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from starlette.requests import Request

from informed.web import limits
from informed.web.answers import Busy

T = TypeVar("T")


class Turns:
    """Places for work, and a bounded queue in front of them."""

    def __init__(self, at_once: int, waiting: int, patience: float | None = None) -> None:
        self.free = asyncio.Semaphore(at_once)
        self.most, self.patience = waiting, patience
        self.waiting = 0

    def check(self) -> None:
        """Refuse one more where too many wait."""
        if self.free.locked() and self.waiting >= self.most:
            raise Busy

    async def taken(self) -> None:
        """Wait for a place, which is to be given back."""
        self.waiting += 1
        try:
            async with asyncio.timeout(self.patience):
                await self.free.acquire()
        except TimeoutError:
            raise Busy from None
        finally:
            self.waiting -= 1

    def given_back(self, doing: asyncio.Future[Any] | None = None) -> None:
        """A place is free again; an error of work that nobody waits for any more is nobody's."""
        if doing is not None and not doing.cancelled():
            doing.exception()
        self.free.release()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        await self.taken()
        try:
            yield
        finally:
            self.given_back()


async def slowly(request: Request, work: Callable[[], T]) -> T:
    """Done in a thread, a few at a time, and given up when it takes too long.

    A thread cannot be ended: its place is free when it has ended, and not when nobody waits for it any more.
    """
    turns: Turns = request.app.state.slow
    turns.check()
    await turns.taken()
    doing = asyncio.ensure_future(asyncio.to_thread(work))
    doing.add_done_callback(turns.given_back)
    return await asyncio.wait_for(asyncio.shield(doing), limits.ANSWER)
