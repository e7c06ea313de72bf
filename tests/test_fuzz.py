"""What fuzzing has found, and what reached the most code: a table or a sentence, in little time and memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz_targets import MEGABYTES, SECONDS, cost, kept, targets


@pytest.mark.parametrize("name", targets())
def test_files_of_earlier_runs_give_a_table_or_a_sentence(tmp_path: Path, name: str) -> None:
    target = targets()[name]
    held = [(path.name, path.read_bytes()) for path in kept(name)]
    for path, data in (*held, *(("seed", data) for data in target.seeds())):
        problem, seconds, megabytes = cost(target, data, tmp_path)
        assert problem is None, (path, problem)
        assert seconds < SECONDS
        assert megabytes < MEGABYTES


def test_findings_are_of_readers() -> None:
    """A file below another name would never be tried."""
    tried = {path for name in targets() for path in kept(name)}
    assert tried == {path for path in (Path(__file__).parent / "fuzz").rglob("*") if path.is_file()}
    assert tried
