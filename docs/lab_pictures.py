"""Photograph the lab for its page: docs/img/lab-*.png, by `python docs/make_pictures.py --lab`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
CHROMIUM = "/usr/bin/chromium"
WIDE, TALL = 1100, 860


def _file(page: Page) -> None:
    page.get_by_label("Choose files").set_input_files(ROOT / "examples" / "breast-cancer.csv")
    page.wait_for_selector(".preview")


def _answered(page: Page) -> None:
    page.locator(".meter").nth(3).wait_for()
    page.wait_for_selector(".says")


def _drawn(page: Page) -> None:
    page.get_by_text("11 000 of 11 000 tables").wait_for(timeout=30_000)


def _watched(page: Page) -> None:
    page.wait_for_selector(".watched")
    page.get_by_role("button", name="20 runs at once").click()
    page.get_by_text("Of 20 runs the bettor was").wait_for(timeout=30_000)
    page.get_by_role("button", name="To the end").click()


VIEWS: dict[str, tuple[str, Callable[[Page], object]]] = {  # the place, and what to do or wait for there
    "lab-start": ("#start?said=a&says=0.2", _answered),
    "lab-data": ("#data", _file),
    "lab-watch": ("#watch?knows=0&seed=5", _watched),
    "lab-monte-carlo": ("#monte", _drawn),
    "lab-learn": ("#learn?step=2&said=0", lambda page: page.wait_for_selector(".measures")),
}


@contextmanager
def running() -> Iterator[str]:
    """The address of a lab."""
    command = [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGINT)


def photograph(folder: Path) -> None:
    """A picture of each view, as a visitor with a light screen sees its top."""
    with running() as lab, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDE, "height": TALL}, color_scheme="light")
        page.goto(lab)
        page.wait_for_selector("h1")
        for name, (place, until) in VIEWS.items():
            page.goto(lab.partition("#")[0] + place)
            until(page)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()
