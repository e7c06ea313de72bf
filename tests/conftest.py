"""What several files of tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backends import OF_SPARK, Places, postgres_server, spark_sessions


@pytest.fixture(scope="session")
def spark() -> Iterator[tuple[Any, Any]]:
    """One Spark a process: a second one would be the first, and stopping it would stop both."""
    with spark_sessions() as sessions:
        yield sessions


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture
def places(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Places]:
    """Where the backend of this test finds its server."""
    found = Places(tmp_path)
    backend = request.node.callspec.params.get("backend") if hasattr(request.node, "callspec") else ""
    if backend == "postgres":
        found.postgres = request.getfixturevalue("postgres")
    if backend in OF_SPARK:
        found.spark, found.connect = request.getfixturevalue("spark")
    yield found
    for thing in found.closing:
        thing.close()
