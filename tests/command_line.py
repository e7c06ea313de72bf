"""The command line as tests call it: in this process, or in a new one."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import informed
from informed.cli import main

ROOT = Path(__file__).parents[1]
PACKAGES = str(Path(informed.__file__).parents[1])  # where what is tested was imported from: the source, or a wheel


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def surroundings() -> dict[str, str]:
    """The environment without the width of the terminal that runs the tests: a pipe has none."""
    return {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def run(*words: str, stdin: str = "", **environment: str) -> Done:
    """What `informed words…` prints in a pipe, and its exit code, without a new process."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.dict(os.environ, surroundings() | environment, clear=True),
        mock.patch.object(sys, "argv", ["informed", *words]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()))),
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    return Done(code, out.getvalue(), err.getvalue())


def process(*words: str) -> subprocess.CompletedProcess[str]:
    """What a new interpreter prints that has nothing but this package."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**surroundings(), "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=True,
    )


def ok(*words: str, stdin: str = "") -> str:
    done = run(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: str, stdin: str = "") -> str:
    """What a bad call says: one line, no traceback, exit code 2."""
    done = run(*words, stdin=stdin)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
