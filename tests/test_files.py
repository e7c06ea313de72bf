"""Files are there whole or not at all, whichever operation fails."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import faults
from informed._files import PARTIAL, write_whole

OLD, NEW = "old " * 5000, "new " * 9000


def test_every_fault_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    place = tmp_path / "said.txt"

    def write() -> None:
        write_whole(place, NEW)

    place.write_text(OLD)
    done = faults.operations(tmp_path, write)
    assert {"open", "write", "fsync", "replace"} <= set(done)
    assert place.read_text() == NEW

    moved = done.index("replace")
    for at, how in faults.each(done):
        place.write_text(OLD)
        with faults.failing(tmp_path, at, how) as disk:
            problem = faults.raised(write)
        assert isinstance(problem, faults.Killed) == (how == "kill")
        if at <= moved and how != "kill":
            assert isinstance(problem, OSError)
            assert problem.filename == str(place)  # what was asked for
        assert len(disk.done) > at, "no operation failed"
        assert place.read_text() == (OLD if at <= moved else NEW), (done[at], how)
        left = list(tmp_path.glob(PARTIAL))
        assert not left or how == "kill"
        for path in left:
            path.unlink()


def test_links_permissions_and_pipes_are_kept(tmp_path: Path) -> None:
    place, link = tmp_path / "real.txt", tmp_path / "link.txt"
    place.write_text("old")
    place.chmod(0o640)
    link.symlink_to(place)
    write_whole(link, "new")
    assert link.is_symlink()
    assert place.read_text() == "new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640

    reader, writer = os.pipe()
    write_whole(f"/dev/fd/{writer}", b"through")
    os.close(writer)
    assert os.read(reader, 100) == b"through"
    os.close(reader)

    fresh = tmp_path / ("long" * 62 + ".txt")  # as long as a name can be
    write_whole(fresh, "x")
    ordinary = tmp_path / "ordinary"
    ordinary.write_text("x")
    assert fresh.stat().st_mode == ordinary.stat().st_mode


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none/said\.txt"):
        write_whole(tmp_path / "none" / "said.txt", "x")
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "x")


def test_a_full_disk_is_said_of_the_file(tmp_path: Path) -> None:
    place = tmp_path / "said.txt"
    place.write_text("old")
    with faults.size_limit(1000), pytest.raises(OSError, match=r"said\.txt"):
        write_whole(place, NEW)
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]
