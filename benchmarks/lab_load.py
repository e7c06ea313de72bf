"""Many at once, and some who mean no good, against a lab on this machine; the clients share the machine with it.

- fifty people drag: 4 updates a second each; fails where the slowest twentieth takes 100 ms or more, or one is lost;
- fifty people ask for everything about a table once a second: the slowest twentieth within 250 ms;
- a burst of fifty such questions: the last answer within 1 s;
- two hundred who ask as fast as they are answered: what is not answered soon is sent away (503);
- 510 connections that say nothing, heads and bodies that trickle, connections that rest: others are answered as before.

The peer is the same server giving out a small file, in the same run. Bounded: about 40 seconds, loopback only.

    python benchmarks/lab_load.py [SECONDS]
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

CLIENTS, RATE, LIMIT = 50, 4, 0.100
FULL_LIMIT, BURST_LIMIT, CROWD = 0.250, 1.0, 200
SILENT = 510
TOKEN = "a token for the load test"


async def answered(reader: asyncio.StreamReader) -> int:
    """The status of one response, read to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.split("content-length:")[1].split("\r\n")[0])
    await reader.readexactly(length)
    return int(head.split()[1])


async def opened(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, as soon as the lab takes one."""
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)


def head(port: int, length: int) -> bytes:
    return (
        f"POST /api/table HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Informed-Token: {TOKEN}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def question(port: int, rng: np.random.Generator, quick: bool) -> bytes:
    """Somebody has dragged the point of a table somewhere."""
    point = {"kind": "point", "recall": rng.uniform(), "fallout": rng.uniform()}
    body = json.dumps({"counts": [[56, 20], [12, 12]], "move": point, "quick": quick}).encode()
    return head(port, len(body)) + body


async def client(port: int, number: int, seconds: float) -> list[float]:
    """One person who drags: an update every quarter of a second, whether or not one is late."""
    reader, writer = await opened(port)
    rng = np.random.default_rng(number)
    await asyncio.sleep(rng.uniform(0, 1 / RATE))
    times, start = [], time.perf_counter()
    for i in range(int(seconds * RATE)):
        await asyncio.sleep(max(0.0, start + i / RATE - time.perf_counter()))
        asked = question(port, rng, quick=True)
        began = time.perf_counter()
        writer.write(asked)
        if await answered(reader) != 200:
            raise SystemExit("an update was refused")
        times.append(time.perf_counter() - began)
    writer.close()
    return times


def used(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    held = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(held[11]) + int(held[12])) / os.sysconf("SC_CLK_TCK")


async def load(port: int, seconds: float) -> list[float]:
    each = await asyncio.gather(*(client(port, i, seconds) for i in range(CLIENTS)))
    return [t for times in each for t in times]


async def warmed(port: int) -> None:
    """Ask what takes long once, so that everything is imported before the clock runs."""
    reader, writer = await opened(port)
    body = b'{"counts": [[56, 20], [12, 12]]}'
    writer.write(head(port, len(body)) + body)
    await answered(reader)
    writer.close()
    await client(port, 0, 1)


@contextmanager
def lab() -> Iterator[tuple[int, int]]:
    """Port and process of a lab of its own, warmed up."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, "--token", TOKEN], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("/#")[0].rpartition(":")[2])
        try:
            asyncio.run(warmed(port))
            yield port, process.pid
        finally:
            process.terminate()


def measured(seconds: float) -> tuple[list[float], int, float]:
    """Latencies, updates that were lost, and processor time of one, of a lab of its own."""
    with lab() as (port, pid):
        before = used(pid)
        times = asyncio.run(load(port, seconds))
        cost = (used(pid) - before) / len(times)
    return times, int(seconds * RATE) * CLIENTS - len(times), cost


# ---------------------------------------------------------------------- everything about a table

Answers = list[tuple[float, int]]  # seconds and status; 0 where the connection was closed


async def asked(port: int, what: bytes) -> tuple[float, int]:
    began = time.perf_counter()
    try:
        reader, writer = await opened(port)
        writer.write(what)
        status = await answered(reader)
        writer.close()
    except (OSError, asyncio.IncompleteReadError):
        status = 0
    return time.perf_counter() - began, status


async def steady(port: int, what: list[bytes], seconds: int) -> Answers:
    """Each client asks once a second, at a moment of its own, whether or not the last one is answered."""

    async def at(when: float, one: bytes) -> tuple[float, int]:
        await asyncio.sleep(when)
        return await asked(port, one)

    n = len(what)
    return await asyncio.gather(*(at(second + i / n, what[i]) for second in range(seconds) for i in range(n)))


async def burst(port: int, what: list[bytes]) -> Answers:
    return await asyncio.gather(*(asked(port, one) for one in what))


async def crowd(port: int, what: list[bytes], seconds: float) -> Answers:
    """Everybody asks again as soon as there is an answer, or a second after being sent away."""
    end, found = time.perf_counter() + seconds, []

    async def one(mine: bytes) -> None:
        while time.perf_counter() < end:
            found.append(await asked(port, mine))
            if found[-1][1] != 200:
                await asyncio.sleep(1)

    await asyncio.gather(*map(one, what))
    return found


async def attacked(port: int, what: list[bytes]) -> Answers:
    """Questions, one after the other, while connections stand that say nothing, trickle or rest."""
    table = what[0].partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    kinds = [b"", table[:30], table, table + b"{", b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]
    held = []
    for i in range(SILENT):
        _, writer = await opened(port)
        writer.write(kinds[i % len(kinds)] if i % 10 > 5 else kinds[i % 2])  # three fifths are half open
        held.append(writer)
    found = []
    for one in what[:20]:
        for writer in held[::50]:
            if not writer.is_closing():
                writer.write(b"x")  # trickles
        found.append(await asked(port, one))
    for writer in held:
        writer.close()
    return found


class Bars:
    """Prints a line for each load of a lab, and keeps whether all bars held."""

    def __init__(self, pid: int) -> None:
        self.pid, self.held = pid, True

    def told(self, name: str, load: Coroutine[Any, Any, Answers], bar: float | None = None, at: float = 0.95) -> None:
        before = used(self.pid)
        found = asyncio.run(load)
        cost = used(self.pid) - before
        times = [t for t, status in found if status == 200] or [np.nan]
        shed, broken = (sum(status == wanted for _, status in found) for wanted in (503, 0))
        p50, p95, p99, most = np.quantile(times, [0.5, 0.95, 0.99, 1]) * 1e3
        said = ""
        if bar is not None:
            holds = np.quantile(times, at) < bar and len(times) == len(found)
            said = f"; {'p95' if at < 1 else 'last'} < {bar * 1e3:.0f} ms: {'holds' if holds else 'FAILS'}"
            self.held = self.held and bool(holds)
        print(
            f"{name}: {sum(np.isfinite(times))} answered, {shed} sent away, {broken} broken; "
            f"p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f}, last {most:.0f} ms; processor {cost:.2f} s{said} "
            f"(load {os.getloadavg()[0]:.1f})",
            flush=True,
        )


def everything(seconds: int) -> bool:
    """All but the dragging, on one lab."""
    rng = np.random.default_rng(0)
    with lab() as (port, pid):
        bars = Bars(pid)
        file = f"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        full = [question(port, rng, quick=False) for _ in range(CROWD)]
        few = full[:CLIENTS]

        bars.told("peer, 50 x 1/s a small file", steady(port, [file] * CLIENTS, seconds))
        bars.told("50 x 1/s everything about a table", steady(port, few, seconds), FULL_LIMIT)
        bars.told("peer, a burst of 50 for a small file", burst(port, [file] * CLIENTS))
        bars.told("a burst of 50", burst(port, few), BURST_LIMIT, 1)
        bars.told("200 who never rest", crowd(port, full, seconds))
        bars.told("20 one by one", in_turn(port, few[:20]))
        bars.told(f"20 among {SILENT} silent connections", attacked(port, few), BURST_LIMIT, 1)
    return bars.held


async def in_turn(port: int, what: list[bytes]) -> Answers:
    return [await asked(port, one) for one in what]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    times, lost, cost = measured(seconds)
    p50, p95, most = np.quantile(times, [0.5, 0.95, 1.0])
    print(
        f"{CLIENTS} clients x {RATE} updates/s, {len(times)} updates, {lost} lost: median "
        f"{p50 * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms, slowest {most * 1e3:.1f} ms, "
        f"processor {cost * 1e3:.2f} ms an update "
        f"(limit for p95: {LIMIT * 1e3:.0f} ms; load {os.getloadavg()[0]:.1f})"
    )
    held = everything(max(1, round(seconds / 2)))
    if lost or p95 >= LIMIT or not held:
        raise SystemExit("too slow, or not everything was answered")


if __name__ == "__main__":
    main()
