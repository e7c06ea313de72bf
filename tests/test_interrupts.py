"""Ctrl-C at any moment: one line, exit code 130, and neither a fault, a traceback nor an abort."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import PACKAGES, surroundings
from informed.sources.progress import watched

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of another kind")
ROWS = 400_000
STARTED = 0.02  # seconds; before, Python has not reached the first line of a command

# A process that has everything imported, and is interrupted in a copy of itself for each moment.
COPIES = """
import json, os, signal, sys, time
import duckdb, scipy.stats, informed.cli, informed.cli.{module}, informed.sources.files
for moment in {moments}:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writer, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = {words}
        informed.cli.main()
        sys.exit(0)
    os.close(writer)
    time.sleep(moment)
    for _ in range({times}):
        os.kill(child, {number})
        time.sleep(0.01)
    with os.fdopen(reader) as said:
        err = said.read()
    print(json.dumps([moment, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), err]), flush=True)
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("interrupts") / "cases.csv"
    rng = np.random.default_rng(1)
    lines = (f"{a},{b},{c},{s}" for a, b, c, s in zip(*rng.integers(0, 2, (3, ROWS)), rng.random(ROWS), strict=True))
    path.write_text("y,p,q,s\n" + "\n".join(lines) + "\n")
    return path


def interrupted(words: list[str], moments: list[float], times: int = 1, number: int = signal.SIGINT) -> list[Any]:
    script = COPIES.format(module=words[1], moments=moments, words=words, times=times, number=int(number))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**surroundings(), "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "tries", "longest", "times"),
    [
        ("report {file} --real y --predicted p", 20, 0.4, 1),
        ("report {file} --real y --predicted p", 8, 0.4, 2),
        ("compare {file} --real y --predicted p --predicted q", 4, 0.6, 1),
        ("roc {file} --real y --score s", 4, 0.6, 1),
        ("simulate --replicates 100000 --jobs 2", 4, 1.0, 1),
        ("watch {file} --real y --predicted p --follow", 4, 1.0, 1),
    ],
)
def test_ctrl_c_at_any_moment(rows: Path, words: str, tries: int, longest: float, times: int) -> None:
    draw = random.Random(f"{words} {times}")
    moments = sorted(draw.uniform(STARTED, longest) for _ in range(tries))
    ended = interrupted(["informed", *words.format(file=rows).split()], moments, times)
    assert len(ended) == len(moments)
    for moment, code, err in ended:
        assert code in (0, 130), (moment, code, err)
        assert "Traceback" not in err, moment
        assert "fault" not in err, (moment, err)
        assert code == 0 or "interrupted." in err or "stopped by you" in err
    assert sum(code == 130 for _, code, _ in ended) >= len(ended) // 4  # the others had ended on a fast machine


def test_sigterm_cleans_up_and_says_what_it_was(rows: Path) -> None:
    for _, code, err in interrupted(
        ["informed", "simulate", "--replicates", "100000"], [0.3, 0.5], number=signal.SIGTERM
    ):
        assert (code, err.strip()) == (143, "error: ended by SIGTERM.")


def test_an_import_is_not_cut_in_two(tmp_path: Path) -> None:
    """A module that is half imported is a fault to whatever uses it next; the interruption waits."""
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.5)\nwhole = True\n")
    script = (
        "import sys, threading, time\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import os\n"
        "from informed.cli._interrupts import heard_interrupts\n"
        "with heard_interrupts() as pressed:\n"
        "    try:\n"
        "        threading.Timer(0.1, os.kill, [os.getpid(), 2]).start()\n"
        "        import slow\n"
        "        time.sleep(20)\n"
        "    except KeyboardInterrupt:\n"
        "        print(slow.whole, pressed[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={**surroundings(), "PYTHONPATH": PACKAGES}, capture_output=True, text=True
    )
    assert done.stdout == "True 2\n", done.stderr


def test_an_interrupt_while_an_object_is_deleted_is_not_lost() -> None:
    script = (
        "import os, time\n"
        "from informed.cli._interrupts import heard_interrupts\n"
        "class Kept:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), 2)\n"
        "        time.sleep(5)\n"
        "with heard_interrupts() as pressed:\n"
        "    try:\n"
        "        Kept()\n"
        "        time.sleep(20)\n"
        "    except KeyboardInterrupt:\n"
        "        print(pressed)\n"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", script], env={**surroundings(), "PYTHONPATH": PACKAGES}, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[2, 2]\n", "")
    assert time.monotonic() - began < 5


def test_a_thread_of_somebody_else_does_not_end_the_process_at_once() -> None:
    """Such as one of a program that calls a command; what it does when it ends is still done."""
    script = (
        "import atexit, threading, time\n"
        "from informed.cli._interrupts import end_interrupted, heard_interrupts\n"
        "atexit.register(print, 'done')\n"
        "threading.Thread(target=time.sleep, args=[20], daemon=True).start()\n"
        "with heard_interrupts() as pressed:\n"
        "    end_interrupted(pressed)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={**surroundings(), "PYTHONPATH": PACKAGES}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (130, "done\n")


def test_two_ctrl_c_close_the_lab_and_leave_nothing(tmp_path: Path) -> None:
    for pause in (0.0, 0.01, 0.05, 0.1, 0.3):
        lab = subprocess.Popen(
            [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0"],
            env={**surroundings(), "PYTHONPATH": PACKAGES, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert lab.stdout is not None
        assert lab.stdout.readline().startswith("The lab is at")
        time.sleep(4 * pause)
        for _ in range(2):
            lab.send_signal(signal.SIGINT)
            time.sleep(pause)
        err = lab.communicate(timeout=60)[1]
        assert "Traceback" not in err
        assert lab.returncode in (0, 130), err
        assert not list(tmp_path.glob("informed-*"))


def test_a_lab_whose_server_is_cancelled_closes_as_any_other() -> None:
    """A second Ctrl-C cancels what the server waits for; that is no failure to print a traceback of."""
    from informed.web.app import create_app

    app = create_app(token="a token of a test")
    said: list[str] = []

    async def served() -> None:
        started = asyncio.Event()
        received = [{"type": "lifespan.startup"}]

        async def receive() -> Any:
            if not received:
                await asyncio.Event().wait()
            return received.pop()

        async def send(message: Any) -> None:
            said.append(message["type"])
            started.set()

        task = asyncio.create_task(app({"type": "lifespan"}, receive, send))
        await started.wait()
        task.cancel()
        await task

    asyncio.run(served())
    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert not app.state.lab.folder.exists()


def test_a_lab_that_is_ended_before_it_serves_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "import informed.web.app as made\n"
        "whole = made.create_app\n"
        "def create_app(**given):\n"
        "    os.kill(os.getpid(), signal.{name})\n"
        "    return whole(**given)\n"
        "made.create_app = create_app\n"
        "sys.argv = ['informed', 'lab', '--no-browser', '--port', '0']\n"
        "import informed.cli\n"
        "informed.cli.main()\n"
    )
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        done = subprocess.run(
            [sys.executable, "-c", script.format(name=name)],
            env={**surroundings(), "PYTHONPATH": PACKAGES, "TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, ""), name
        assert not list(tmp_path.iterdir())


def test_work_between_two_queries_is_stopped() -> None:
    """What interrupts a query does nothing between two of them, so that it is called until the work ends."""
    stop, calls, ended = threading.Event(), [], threading.Event()

    def interrupt() -> None:
        calls.append(1)
        if len(calls) > 3:
            stop.set()

    def work() -> None:
        stop.wait(20)
        ended.set()

    def pressed(_: float) -> None:
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        watched(work, interrupt=interrupt, fraction=lambda: 0.5, title="x", progress=pressed)
    assert ended.is_set()
    assert time.monotonic() - start < 10


def test_a_signal_that_another_thread_got_ends_the_reading_of_a_pipe() -> None:
    """As one does that comes just before a pipe is read, which then waits for data that may never come."""
    script = (
        "import os, signal, threading, time\n"
        "from contextlib import ExitStack\n"
        "from informed.sources.paths import once\n"
        "def press():\n"
        "    time.sleep(0.3)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(60)\n"
        "threading.Thread(target=press, daemon=True).start()\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "try:\n"
        "    with ExitStack() as kept:\n"
        "        once('-', kept)\n"
        "except KeyboardInterrupt:\n"
        "    print('ended', flush=True)\n"
        "    os._exit(0)\n"
    )
    reader, writer = os.pipe()
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdin=reader,
        env={**surroundings(), "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        timeout=20,
    )
    os.close(reader)
    os.close(writer)
    assert done.stdout == "ended\n", done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_a_stream_was_kept_in_is_removed(tmp_path: Path, number: signal.Signals) -> None:
    report = subprocess.Popen(
        [sys.executable, "-m", "informed", "report", "-", "--real", "y", "--predicted", "p"],
        env={**surroundings(), "PYTHONPATH": PACKAGES, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert report.stdin is not None
    report.stdin.write(b"y,p\n" + b"a,a\n" * (1 << 19))
    report.stdin.flush()
    deadline = time.monotonic() + 60
    while not [x for x in tmp_path.rglob("*") if x.is_file() and x.stat().st_size] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert list(tmp_path.iterdir())
    report.send_signal(number)
    assert report.wait(60) == 128 + number
    assert not list(tmp_path.iterdir())
    report.communicate()
