"""Every kind of report and result compiles with pdflatex (texlive-latex-base, -recommended)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from informed.results import Result
from test_frames import RESULTS
from test_pages import FOUND
from test_report import kinds

REPORTS = kinds() | FOUND | {name: make() for name, make in RESULTS.items() if name != "table"}


@pytest.mark.parametrize("name", REPORTS)
def test_compiles(name: str, tmp_path: Path) -> None:
    found = REPORTS[name]
    assert isinstance(found, Result)
    found.save(tmp_path / "report.tex")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    assert (tmp_path / "report.pdf").stat().st_size > 10_000
