"""A process that works on one file, as the lab sees it: lines come out, and it can be ended.

Not asyncio's own: there a watcher waits for the process in a thread of its own, and `kill` waits
for it once more, so that whoever comes second finds no child ("Unknown child process"). Here one
thread reads the lines and reaps the process, whatever happened to whoever had asked.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import informed
from informed.web import Json


class Worker:
    """One job in `python -P -m informed.web.work`, whose temporary files go to `scratch` and with the process."""

    def __init__(self, job: Json, scratch: Path | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        self.lines: asyncio.Queue[bytes] = asyncio.Queue()
        self.scratch = scratch
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "informed.web.work"],  # -P: nothing is imported from where the lab was started
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": _search_path(), **_temporary(scratch)},
        )
        threading.Thread(target=self._read, args=(json.dumps(job).encode(),), daemon=True).start()

    def _read(self, job: bytes) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError), self.process:  # it may end unread; closes its pipes and reaps it
            self.process.stdin.write(job + b"\n")
            self.process.stdin.flush()  # and left open: its end is the lab's
            for line in self.process.stdout:
                self._put(line)
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)
        self._put(b"")

    def _put(self, line: bytes) -> None:
        try:
            self.loop.call_soon_threadsafe(self.lines.put_nowait, line)
        except RuntimeError:
            self.end()  # the lab has closed

    async def line(self, seconds: float) -> bytes | None:
        """The next line; b"" when the process is gone, None when nothing came in time."""
        try:
            return await asyncio.wait_for(self.lines.get(), seconds)
        except TimeoutError:
            return None

    def end(self) -> None:
        """Leave nothing running; a process that is gone already is fine."""
        self.process.kill()


def _temporary(scratch: Path | None) -> dict[str, str]:
    """Where the process and the libraries in it put temporary files."""
    return {} if scratch is None else dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))


def _search_path() -> str:
    """The worker imports the same library, wherever it was started from."""
    here = str(Path(informed.__file__).parents[1])
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
