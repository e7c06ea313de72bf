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
from informed.web import Json, limits
from informed.web.answers import Busy
from informed.web.evaluate import fulls, quick

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


class FullBatcher:
    """Answers tables in full, in a thread; those that arrive meanwhile and have the same labels go together."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Table, float, asyncio.Future[Json]]] = []
        self.running: asyncio.Task[None] | None = None

    async def ask(self, t: Table) -> Json:
        if len(self.waiting) >= limits.WAITING:
            raise Busy
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Json] = loop.create_future()
        self.waiting.append((t, loop.time(), future))
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        while alike := self._next():
            found = await asyncio.to_thread(_each, [t for t, _ in alike])
            for (_, future), answer in zip(alike, found, strict=True):
                if future.done():
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    def _next(self) -> list[tuple[Table, asyncio.Future[Json]]]:
        """The longest waiting and those like it; who has waited too long is sent away, and who left, left."""
        now = asyncio.get_running_loop().time()
        for _, since, future in self.waiting:
            if now - since > limits.QUEUED and not future.done():
                future.set_exception(Busy())
        self.waiting = [x for x in self.waiting if not x[2].done()]
        if not self.waiting:
            return []

        labels = self.waiting[0][0].labels
        alike = [x for x in self.waiting if x[0].labels == labels][: limits.TOGETHER]
        self.waiting = [x for x in self.waiting if not any(x is y for y in alike)]
        return [(t, future) for t, _, future in alike]


def _each(tables: list[Table]) -> list[Json | Exception]:
    """Answers to all; where they cannot be had together, each has its own or its own error."""
    try:
        return list(fulls(tables))
    except Exception as error:
        return [error] if len(tables) == 1 else [_each([t])[0] for t in tables]
