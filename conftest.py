"""Examples in Markdown run as tests: ```python sessions, and ```console commands with output."""

from __future__ import annotations

import doctest
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The same examples every time, and no deadline: a busy machine is no defect.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")

ROOT = Path(__file__).parent
collect_ignore_glob = ["docs/*.py"]  # scripts that write pages; their tests import them
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, for pages that are to be seen and used."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        launched = p.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield launched
        launched.close()


def console(example: Example) -> str | None:
    """Run each `$ command` of a block in the project's root; `...` in its output is anything."""
    blocks: list[tuple[str, list[str]]] = []
    for line in example.parsed.splitlines():
        if line.startswith("$ "):
            blocks.append((line[2:], []))
        elif blocks:
            blocks[-1][1].append(line)
    for command, wanted in blocks:
        got = _output(command)
        expected = "\n".join(wanted).strip()
        if expected and not doctest.OutputChecker().check_output(expected + "\n", got.strip() + "\n", FLAGS):
            return f"$ {command}\nexpected:\n{expected}\ngot:\n{got}"
    return None


def _output(command: str) -> str:
    words = shlex.split(command)
    screen = {"COLUMNS": "80", "NO_COLOR": "1"}
    if words[0] == "informed":  # a new process each would take most of the time
        from command_line import run

        said = run(*words[1:], **screen)
        return said.stdout + said.stderr
    environment = {**os.environ, **screen, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=120, check=False)
    return done.stdout + done.stderr


pytest_collect_file = Sybil(
    parsers=[SkipParser(), PythonCodeBlockParser(doctest_optionflags=FLAGS), CodeBlockParser("console", console)],
    patterns=["README.md", "docs/*.md", "docs/**/*.md", "examples/*.md"],
    excludes=["docs/catalogue/**", "docs/reference/**"],
).pytest()
