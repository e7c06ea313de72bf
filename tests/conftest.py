"""What several files of tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from backends import spark_sessions


@pytest.fixture(scope="session")
def spark() -> Iterator[tuple[Any, Any]]:
    """One Spark a process: a second one would be the first, and stopping it would stop both."""
    with spark_sessions() as sessions:
        yield sessions
