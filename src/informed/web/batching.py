"""Many people at once: tables of the same size that wait together are answered as one stack.

A stack costs about as much as one table, so that fifty people who drag cost little more than one
(benchmarks/lab_load.py). It is computed between the requests and not in a thread, which would only
compete with them for the interpreter: that doubled the latency. While more arrive than are answered
at once, it rests between two stacks for as long as the last one took: the next is larger, so that
each table costs less, and at most half of the time goes into stacks however many ask.
"""

from __future__ import annotations

import asyncio
import time

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.web import Json
from informed.web.evaluate import quick

GATHER, LONGEST = 0.002, 0.010  # seconds

Waiting = list[tuple[Array, "asyncio.Future[Json]"]]


class Batcher:
    """Answers tables; those that arrive while others are computed wait and go together."""

    def __init__(self) -> None:
        self.waiting: Waiting = []
        self.running: asyncio.Task[None] | None = None

    async def ask(self, counts: Array) -> Json:
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self.waiting.append((counts, future))
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        rest = GATHER
        while self.waiting:
            await asyncio.sleep(rest)  # let those in who have arrived already
            began = time.perf_counter()
            wanted = [(c, f) for c, f in self.waiting if not f.cancelled()]  # who left, left
            self.waiting = []
            for k in sorted({len(counts) for counts, _ in wanted}):
                alike = [(c, f) for c, f in wanted if len(c) == k]
                most = max(4, 256 // k**2)  # a stack that is done within a few hundredths
                for i in range(0, len(alike), most):
                    self._answer(alike[i : i + most])
                    await asyncio.sleep(0)
            rest = min(max(time.perf_counter() - began, GATHER), LONGEST)

    def _answer(self, alike: Waiting) -> None:
        try:
            stack = Table.from_counts(np.stack([counts for counts, _ in alike]))
            found = quick(stack)
        except Exception as error:
            for _, future in alike:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(alike, found, strict=True):
            if not future.done():
                future.set_result(answer)
