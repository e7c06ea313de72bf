"""Folders and patterns: each file counts once, whatever links lead to it, and nothing is left out in silence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import ok, refused
from informed import Table, read
from informed.errors import SourceError
from informed.sources.folders import files_below, matching
from informed.sources.logs.suites import gathered

LOGS = Path(__file__).parent / "samples" / "inspect_ai"
COLUMNS: dict[str, Any] = {"real": "y", "predicted": "p"}
ROWS = "y,p\n" + "a,a\nb,b\na,b\nb,b\n" * 5  # 20 cases


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs of 20 cases, with a link to the first, a link to itself and a link to what is around it."""
    folder = tmp_path / "runs"
    for name in ("r1", "r2"):
        (folder / name).mkdir(parents=True)
        (folder / name / "part.csv").write_text(ROWS)
    (folder / "latest").symlink_to("r1")
    (folder / "loop").symlink_to(".")
    (folder / "r2" / "up").symlink_to("../..")
    return folder


def counted(source: Any) -> float:
    table = read(source, **COLUMNS)
    assert isinstance(table, Table)
    return float(table.n)


@pytest.mark.parametrize("pattern", ["", "*/part.csv", "**/*.csv", "**", "*/*/part.csv", "l*/part.csv", "r1/../r1/*"])
def test_a_file_counts_once_however_many_links_lead_to_it(runs: Path, pattern: str) -> None:
    assert counted(f"{runs}/{pattern}") == (20 if pattern[:1] in ("l", "r") else 40)
    names = [str(x.relative_to(runs)) for x in matching(f"{runs}/**/*.csv")]
    assert names == ["r1/part.csv", "r2/part.csv"]  # their own names, and not those of the links


def test_a_linked_folder_outside_is_read(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "r1", tmp_path / "disk" / "r3")
    (runs / "r3").symlink_to(tmp_path / "disk" / "r3")
    assert counted(runs) == counted(f"{runs}/**/*.csv") == 60


def test_links_between_two_folders_end(tmp_path: Path) -> None:
    """Of folders that link to each other, a pattern would never end."""
    for name in "abcdef":
        (tmp_path / name).mkdir()
        for other in "abcdef":
            (tmp_path / name / other).symlink_to(f"../{other}")
    (tmp_path / "a" / "part.csv").write_text(ROWS)
    assert counted(tmp_path) == counted(f"{tmp_path}/**/*.csv") == 20


def test_one_file_is_not_two_groups(runs: Path) -> None:
    first, second, link = (str(runs / name / "part.csv") for name in ("r1", "r2", "latest"))
    for twice in ([first, second, link], {"one": first, "other": link}):
        with pytest.raises(SourceError, match=r"r1/part\.csv and .*latest/part\.csv are the same file"):
            read(twice, **COLUMNS)
    with pytest.raises(SourceError, match=r"r1/part\.csv is given twice"):
        read({"one": first, "other": first}, **COLUMNS)
    assert "are the same file" in refused("report", first, link, "--real", "y", "--predicted", "p")
    assert read([second, first], tables=True, **COLUMNS).n.sum() == 40


def denied(folder: Path) -> Callable[[Any], Any]:
    """`os.scandir` of a user who may not look into this folder."""
    scandir = os.scandir

    def scan(path: Any = ".") -> Any:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    return scan


@pytest.mark.parametrize("pattern", ["", "/**/*.csv", "/*/*.csv"])
def test_a_folder_that_cannot_be_opened_is_refused(runs: Path, pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", denied(runs / "r2"))
    with pytest.raises(SourceError, match="r2 cannot be opened: permission denied"):
        read(f"{runs}{pattern}", **COLUMNS)


@pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")
def test_permissions_are_heeded_as_the_system_has_them(runs: Path) -> None:
    (runs / "r2").chmod(0)
    root = os.geteuid() == 0
    for folder in (x for x in runs.parents if "pytest" in str(x)):
        folder.chmod(0o755)
    if root:  # who may look everywhere
        os.seteuid(65534)
    try:
        with pytest.raises(SourceError, match="r2 cannot be opened: permission denied"):
            files_below(runs)
    finally:
        if root:
            os.seteuid(0)
        (runs / "r2").chmod(0o700)


def test_a_link_to_nothing_is_said(runs: Path) -> None:
    (runs / "r2" / "gone.csv").symlink_to("../moved.csv")
    with pytest.raises(SourceError, match=r"gone\.csv is a link to \.\./moved\.csv, which does not exist\. Restore"):
        read(runs, **COLUMNS)


def test_logs_beside_a_link_to_nothing_are_read(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shutil.copy(LOGS / "mcq.eval", tmp_path / name)
    (tmp_path / "a" / "gone").symlink_to("nowhere")
    (tmp_path / "a" / "latest.eval").symlink_to("mcq.eval")
    (tmp_path / "a" / "loop").symlink_to(".")

    said = ok("describe", str(tmp_path / "a"), "--full")
    assert said.count("mcq.eval\n") == 1
    assert "gone is a link to nowhere, which does not exist." in said
    found = gathered([f"a={tmp_path / 'a'}", f"b={tmp_path / 'b'}"])
    assert [str(note) for note in found.notes] == [
        f"Passed over: {tmp_path / 'a' / 'gone'} is a link to nowhere, which does not exist."
    ]
    assert ok("compare", f"a={tmp_path / 'a'}", f"b={tmp_path / 'b'}").startswith("a and b cannot be told apart")


def test_logs_in_a_folder_that_cannot_be_opened_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shutil.copy(LOGS / "mcq.eval", tmp_path / name)
    monkeypatch.setattr(os, "scandir", denied(tmp_path / "b"))
    with pytest.raises(SourceError, match="b cannot be opened: permission denied"):
        gathered([str(tmp_path)])


def test_one_log_is_not_two_systems(tmp_path: Path) -> None:
    shutil.copy(LOGS / "mcq.eval", tmp_path / "a.eval")
    (tmp_path / "b.eval").symlink_to("a.eval")
    assert "a.eval and" in (said := refused("compare", str(tmp_path / "a.eval"), str(tmp_path / "b.eval")))
    assert "b.eval are one file; each system needs a log of its own" in said
