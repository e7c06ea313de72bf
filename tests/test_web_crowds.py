"""The lab when too much comes at once: silent connections, bodies that trickle, more questions than answers."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPResponse
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import uvicorn
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from informed import Table
from informed.web import limits
from informed.web.answers import Busy
from informed.web.app import STATIC, create_app
from informed.web.batching import FullBatcher
from informed.web.connections import Bounds, Connection, configured
from informed.web.evaluate import full, fulls
from informed.web.security import TOKEN, _measured
from informed.web.turns import Turns, slowly

SECRET = "a token of this run"
A = {"counts": [[56, 20], [12, 12]], "quick": True}
HALF = b"POST /api/table HTTP/1.1\r\nHost: 127.0"


class Heard(logging.Handler):
    """What a server complains of."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def served(**bounds: Any) -> Iterator[int]:
    """A lab with these bounds in a thread, and its port; nothing of it stays, and it has nothing to complain of."""
    heard = Heard(logging.ERROR)
    server = uvicorn.Server(configured(create_app(token=SECRET), Bounds(**bounds)))
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(heard)
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(20)
        for logger in loggers:
            logger.removeHandler(heard)
    assert not thread.is_alive()
    assert heard.said == []


def opened(port: int, *sent: bytes) -> socket.socket:
    stream = socket.create_connection(("127.0.0.1", port), timeout=20)
    for block in sent:
        stream.sendall(block)
    return stream


def head(path: str, length: int, *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"{TOKEN}: {SECRET}", f"Content-Length: {length}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def question(path: str = "/api/table", asked: Any = A) -> bytes:
    body = json.dumps(asked).encode()
    return head(path, len(body)) + body


def status(stream: socket.socket) -> int:
    """Of the next answer; 0 where the connection was closed without one."""
    answer = HTTPResponse(stream)
    try:
        answer.begin()
    except ConnectionError:
        return 0
    answer.read()
    return answer.status


def asked(port: int) -> int:
    with opened(port, question()) as stream:
        return status(stream)


# ---------------------------------------------------------------------- connections that say nothing


def test_whoever_says_nothing_or_half_a_head_is_left_after_a_while() -> None:
    with served(head=0.3) as port, opened(port) as silent, opened(port, HALF) as half, opened(port, question()) as fine:
        began = time.monotonic()
        assert status(fine) == 200
        assert status(half) == 408
        assert status(silent) == 0
        assert time.monotonic() - began > 0.25
        fine.sendall(HALF)  # the second request of a connection has its time as well
        assert status(fine) == 0


def test_a_body_that_goes_on_after_its_answer_is_left() -> None:
    with served(head=0.3) as port, opened(port, head("/no-such-page", 50_000)) as stream:
        assert status(stream) == 404
        with pytest.raises(OSError, match=r"."):  # noqa: PT012  # whichever byte is refused first
            for _ in range(200):
                stream.sendall(b"x")
                time.sleep(0.05)


def test_an_answer_that_nobody_takes_is_given_up() -> None:
    page = b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served(unread=0.3) as port, socket.socket() as stream:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.connect(("127.0.0.1", port))
        stream.settimeout(60)
        stream.sendall(page * 2000)  # more than the buffers of the machine hold
        time.sleep(6)
        taken = 0
        with suppress(ConnectionError):
            while block := stream.recv(1 << 16):
                taken += len(block)
        assert taken < 2000 * (STATIC / "style.css").stat().st_size
        assert asked(port) == 200


def test_hundreds_of_half_open_connections_lock_nobody_out() -> None:
    with ExitStack() as held, served() as port:
        for i in range(510):
            held.enter_context(opened(port, HALF if i % 2 else b""))
        began = time.monotonic()
        assert [asked(port) for _ in range(3)] == [200] * 3
        assert time.monotonic() - began < limits.HEAD / 2  # and not because the others had to leave


@pytest.mark.parametrize("bound", ["each", "connections"])
def test_a_newcomer_takes_the_place_of_the_one_who_is_silent_for_longest(bound: str) -> None:
    with ExitStack() as held, served(**{bound: 3}) as port:
        used = held.enter_context(opened(port, question()))
        assert status(used) == 200
        first, second = (held.enter_context(opened(port, HALF)) for _ in range(2))
        assert asked(port) == 200
        assert status(first) == 0  # not the one that was used, though it is older
        used.sendall(question())
        assert status(used) == 200
        second.settimeout(0.1)
        with pytest.raises(TimeoutError):
            second.recv(1)


@pytest.mark.parametrize("bound", ["each", "connections"])
def test_where_all_have_work_one_more_is_sent_away_and_told_when_to_come(bound: str) -> None:
    with ExitStack() as held, served(**{bound: 3}) as port:
        for _ in range(3):
            held.enter_context(opened(port, head("/api/upload?name=x.csv", 1000), b"a,b\n"))
        time.sleep(1.0)  # all heads are read by then, on a busy machine as well
        with opened(port) as refused:
            said = refused.recv(1 << 16)
        assert said.startswith(b"HTTP/1.1 503 ")
        assert f"\r\nretry-after: {limits.RETRY}\r\n".encode() in said
        assert b"Too many ask the lab" in said


def test_addresses_of_one_network_are_one_client() -> None:
    def address(host: str) -> Any:
        made = Connection.__new__(Connection)
        made.client = (host, 1)
        return made.address

    assert address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::2")
    assert address("2001:db8:1:2::1") != address("2001:db8:1:3::1")
    assert address("127.0.0.1") != address("127.0.0.2")


def test_the_lab_closes_tidily_whatever_is_open() -> None:
    with ExitStack() as held:
        with served() as port:
            for sent in (b"", HALF, question(), head("/api/table", 50), head("/api/upload?name=x.csv", 50) + b"a"):
                held.enter_context(opened(port, sent))
            assert asked(port) == 200
            began = time.monotonic()
        assert time.monotonic() - began < 10


def test_who_may_ask_is_checked_under_attack_as_well() -> None:
    with ExitStack() as held, served(each=5) as port:
        for _ in range(20):
            held.enter_context(opened(port, HALF))
        for wrong in ((b"Host: 127.0.0.1", b"Host: evil.example"), (SECRET.encode(), b"another token of a run")):
            with opened(port, question().replace(*wrong)) as stream:
                assert status(stream) in (400, 403)
        with opened(port, question().replace(b"Host:", b"Origin: http://evil.example\r\nHost:")) as stream:
            assert status(stream) == 403


# ---------------------------------------------------------------------- bodies that trickle


def test_a_body_that_trickles_is_given_up_and_a_fast_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_TIME", 0.1)

    async def body(block: bytes) -> int:
        async def receive() -> Any:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": block, "more_body": True}

        read = _measured(receive, limits.UPLOAD)
        seen = 0
        with suppress(HTTPException):
            while seen < 40:
                await read()
                seen += 1
        return seen

    assert 1 <= asyncio.run(body(b"x")) < 15
    assert asyncio.run(body(b"x" * 65536)) == 40


# ---------------------------------------------------------------------- more questions than answers


def test_a_queue_has_an_end_and_nobody_waits_in_it_for_long() -> None:
    async def crowd() -> list[str]:
        turns = Turns(1, 2, 0.1)
        done: list[str] = []

        async def one(seconds: float) -> None:
            try:
                turns.check()
                async with turns.turn():
                    await asyncio.sleep(seconds)
                    done.append("answered")
            except Busy:
                done.append("sent away")

        await asyncio.gather(*(one(0.02) for _ in range(5)))
        assert done == ["sent away"] * 2 + ["answered"] * 3
        await asyncio.gather(*(one(0.5) for _ in range(2)))
        assert done[5:] == ["sent away", "answered"]  # it waited a tenth of a second
        await one(0.0)
        return done

    assert asyncio.run(crowd())[-1] == "answered"


@pytest.mark.parametrize(
    ("queue", "path", "sent"),
    [
        ("slow", "/api/curve", {}),
        ("runs", "/api/simulate", {}),
        ("runs", "/api/figure", {"name": "iccs-1"}),
        ("jobs", "/api/look", {"id": "any"}),
    ],
)
def test_a_full_queue_sends_away_and_says_when_to_come(queue: str, path: str, sent: Any) -> None:
    app = create_app(token=SECRET)
    with TestClient(app, base_url="http://127.0.0.1", headers={TOKEN: SECRET}) as client:
        setattr(app.state, queue, Turns(0, 0))
        response = client.post(path, json=sent)
        assert response.status_code == 503
        assert response.headers["retry-after"] == str(limits.RETRY)
        assert "Too many ask the lab" in response.json()["error"]
        assert client.post("/api/table", json=A).status_code == 200  # what does not wait there is answered


def test_a_thread_that_nobody_waits_for_keeps_its_place_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ANSWER", 0.05)
    end = threading.Event()
    app = create_app(token=SECRET)

    def work() -> None:
        end.wait(20)
        raise ValueError("nobody hears this")

    async def ask() -> list[type[Exception]]:
        app.state.slow = Turns(1, 5, 0.05)
        request: Any = SimpleNamespace(app=app)
        found = []
        for _ in range(2):
            with pytest.raises((TimeoutError, Busy)) as error:
                await slowly(request, work)
            found.append(error.type)
        end.set()
        app.state.slow.patience = 20
        assert await slowly(request, lambda: 7) == 7
        return found

    assert asyncio.run(ask()) == [TimeoutError, Busy]


@pytest.mark.parametrize("k", [2, 3])
def test_tables_that_are_answered_together_have_the_answers_of_each(k: int) -> None:
    rng = np.random.default_rng(k)
    counts = rng.poisson(rng.choice([1, 5, 40], (14, 1, 1)), (14, k, k)).astype(float)
    counts[0], counts[1, 0], counts[2, :, 0] = 0, 0, 0  # nothing, never said, never real
    labels = ["cat", "dog", "fox"][:k]
    tables = [Table.from_counts(x, labels=labels, positive="cat" if k == 2 else None) for x in counts]
    for together, t in zip(fulls(tables), tables, strict=True):
        alone = full(t)
        assert words(together) == words(alone)
        assert figures(together) == pytest.approx(figures(alone), abs=1e-9, nan_ok=True)


def leaves(x: Any) -> list[Any]:
    if isinstance(x, dict):
        x = list(x.values())
    return [leaf for part in x for leaf in leaves(part)] if isinstance(x, list) else [x]


def words(found: Any) -> list[Any]:
    return [float if isinstance(x, float | int) else x for x in leaves(found)]


def figures(found: Any) -> list[float]:
    return [float(x) for x in leaves(found) if isinstance(x, float | int)]


def test_tables_wait_for_each_other_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def answers(tables: list[Table]) -> list[Any]:
        seen.append(len(tables))
        time.sleep(0.05)
        if any(t.n == 0 for t in tables):
            raise ValueError("a table of nothing")
        return [t.n for t in tables]

    async def crowd(*ns: float) -> list[Any]:
        batcher = FullBatcher()
        tables = [Table.from_counts([[n, 0], [0, 0]]) for n in ns]
        return await asyncio.gather(*map(batcher.ask, tables), return_exceptions=True)

    monkeypatch.setattr("informed.web.batching.fulls", answers)
    monkeypatch.setattr(limits, "WAITING", 5)
    monkeypatch.setattr(limits, "TOGETHER", 3)
    found = asyncio.run(crowd(1, 2, 3, 4, 5, 6, 7))
    assert found[:5] == [1, 2, 3, 4, 5]
    assert [type(x) for x in found[5:]] == [Busy, Busy]
    assert seen == [3, 2]

    found = asyncio.run(crowd(1, 0, 3))
    assert [type(x) for x in found] == [float, ValueError, float]  # one that fails takes nobody along

    monkeypatch.setattr(limits, "QUEUED", 0.01)
    assert [type(x) for x in asyncio.run(crowd(1, 2, 3, 4))] == [float, float, float, Busy]


def test_nonsense_a_thousand_times_is_said_once_in_a_while() -> None:
    import logging

    from informed.web.connections import Seldom

    seldom = Seldom()

    def said(at: float, level: int = logging.WARNING, text: str = "Invalid HTTP request received.") -> bool:
        record = logging.LogRecord("uvicorn.error", level, "", 0, text, None, None)
        record.created = at
        return seldom.filter(record)

    assert [said(i / 100) for i in range(1000)].count(True) == 1
    assert said(limits.SAID_AGAIN + 1)
    assert said(11, text="Something else.")
    assert all(said(12, logging.ERROR) for _ in range(3))
