"""Fifty people drag at once: 50 clients, 4 updates a second each, against a lab on this machine.

Prints the latency of the updates and what one costs the lab in processor time, which depends less
on what else the machine does. Fails where the slowest twentieth takes 100 ms or more, or where an
update is lost. The clients share the machine with the lab. Bounded: 10 seconds.

    python benchmarks/lab_load.py [SECONDS]
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

CLIENTS, RATE, LIMIT = 50, 4, 0.100
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


async def client(port: int, number: int, seconds: float) -> list[float]:
    """One person who drags: an update every quarter of a second, whether or not one is late."""
    reader, writer = await opened(port)
    rng = np.random.default_rng(number)
    await asyncio.sleep(rng.uniform(0, 1 / RATE))
    times, start = [], time.perf_counter()
    for i in range(int(seconds * RATE)):
        await asyncio.sleep(max(0.0, start + i / RATE - time.perf_counter()))
        point = {"kind": "point", "recall": rng.uniform(), "fallout": rng.uniform()}
        asked = {"counts": [[56, 20], [12, 12]], "move": point, "quick": True}
        body = json.dumps(asked).encode()
        began = time.perf_counter()
        writer.write(head(port, len(body)) + body)
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


def measured(seconds: float) -> tuple[list[float], int, float]:
    """Latencies, updates that were lost, and processor time of one, of a lab of its own."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, "--token", TOKEN], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("/#")[0].rpartition(":")[2])
        try:
            asyncio.run(warmed(port))
            before = used(process.pid)
            times = asyncio.run(load(port, seconds))
            cost = (used(process.pid) - before) / len(times)
        finally:
            process.terminate()
    return times, int(seconds * RATE) * CLIENTS - len(times), cost


def main() -> None:
    times, lost, cost = measured(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
    p50, p95, most = np.quantile(times, [0.5, 0.95, 1.0])
    print(
        f"{CLIENTS} clients x {RATE} updates/s, {len(times)} updates, {lost} lost: median "
        f"{p50 * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms, slowest {most * 1e3:.1f} ms, "
        f"processor {cost * 1e3:.2f} ms an update "
        f"(limit for p95: {LIMIT * 1e3:.0f} ms; load {os.getloadavg()[0]:.1f})"
    )
    if lost or p95 >= LIMIT:
        raise SystemExit("too slow, or not everything was answered")


if __name__ == "__main__":
    main()
