"""Many people at once: tables of the same size that wait together are answered as one stack.

A stack costs about as much as one table, so that fifty people who drag cost little more than one.
"""

from __future__ import annotations

import asyncio

import numpy as np

from informed._arrays import Array
from informed.table import Table
from informed.web.evaluate import Answer, quick

Waiting = list[tuple[Array, "asyncio.Future[Answer]"]]


class Batcher:
    """Answers tables; those that arrive while others are computed wait and go together."""

    def __init__(self) -> None:
        self.waiting: Waiting = []
        self.running: asyncio.Task[None] | None = None

    async def ask(self, counts: Array) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.waiting.append((counts, future))
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        while self.waiting:
            wanted = [(c, f) for c, f in self.waiting if not f.cancelled()]  # who left, left
            self.waiting = []
            for k in sorted({len(counts) for counts, _ in wanted}):
                await self._answer([(c, f) for c, f in wanted if len(c) == k])

    async def _answer(self, alike: Waiting) -> None:
        try:
            stack = Table.from_counts(np.stack([counts for counts, _ in alike]))
            found = await asyncio.to_thread(quick, stack)
        except Exception as error:
            for _, future in alike:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(alike, found, strict=True):
            if not future.done():
                future.set_result(answer)
