"""A gigabyte through the lab: a file dropped in a real browser, streamed, counted and reported.

Prints how long it takes, and the most memory that the lab, its worker and the browser held. Fails
where the lab itself grew by more than 64 MB.

    python benchmarks/lab_upload.py [MEGABYTES]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

GROWTH = 64 << 20
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]


def made(path: Path, size: int) -> None:
    """A CSV of this size with three classes."""
    lines = (f"case {i:08d} of the test set,{'abc'[i % 3]},{'abca'[i % 4]}\n" for i in range(50_000))
    block = "".join(lines).encode()
    with path.open("wb") as out:
        out.write(b"note,truth,answer\n")
        while out.tell() + len(block) <= size:
            out.write(block)


def dropped(page: Page, *paths: Path) -> None:
    """Drop files from the disk onto the page, as a file manager does."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(p) for p in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        held = {"type": kind, "x": 400, "y": 200, "data": data}
        session.send("Input.dispatchDragEvent", held)


class Watch(threading.Thread):
    """The most memory that processes held, by what they are."""

    def __init__(self, lab: int) -> None:
        super().__init__(daemon=True)
        self.lab, self.most, self.done = lab, defaultdict[str, int](int), False

    def run(self) -> None:
        while not self.done:
            for name, size in self.now().items():
                self.most[name] = max(self.most[name], size)
            time.sleep(0.1)

    def now(self) -> dict[str, int]:
        found = defaultdict[str, int](int)
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes()
                pages = int((path / "statm").read_text().split()[1])
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue  # it has just ended
            size = pages * os.sysconf("SC_PAGE_SIZE")
            if int(path.name) == self.lab:
                found["lab"] = size
            elif parent == self.lab:
                found["worker"] += size
            elif b"--type=renderer" in words:
                found["browser tab"] = max(found["browser tab"], size)
        return found


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1023
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        made(path, size << 20)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            try:
                print(*measured(address, path, process.pid), sep="\n")
            finally:
                process.terminate()


def measured(address: str, path: Path, pid: int) -> list[str]:
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page: Any = browser.new_page()
        page.goto(address)
        page.get_by_role("link", name="Data").click()
        page.wait_for_timeout(3000)  # what is loaded on first use is loaded
        watch = Watch(pid)
        before = watch.now()
        watch.start()
        began = time.perf_counter()
        dropped(page, path)
        page.get_by_label("Real classes").wait_for(timeout=600_000)
        sent = time.perf_counter() - began
        page.get_by_role("button", name="Make the report").click()
        page.locator(".found .lead").wait_for(timeout=600_000)
        total = time.perf_counter() - began
        watch.done = True
        browser.close()
    grown = watch.most["lab"] - before["lab"]
    if grown > GROWTH:
        raise SystemExit(f"the lab grew by {grown >> 20} MB")
    size = path.stat().st_size
    return [
        f"{size >> 20} MB dropped: {sent:.1f} s to send ({size / sent / 1e6:.0f} MB/s), "
        f"{total - sent:.1f} s to count and report (load {os.getloadavg()[0]:.1f})",
        *(
            f"{name}: {before.get(name, 0) >> 20} MB before, at most {most >> 20} MB"
            for name, most in watch.most.items()
        ),
    ]


if __name__ == "__main__":
    main()
