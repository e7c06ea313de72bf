"""Files that stay as they are while they are read: their header, their rows and a second look belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from informed.errors import SourceError

Stamp = tuple[int, int, int, int]


@contextmanager
def unchanged(paths: Iterable[str | Path]) -> Iterator[None]:
    """Refuse what was read inside if one of the files has been replaced, cut, extended or removed meanwhile."""
    before = {path: _stamp(path) for path in paths}
    yield
    for path, stamp in before.items():
        if _stamp(path) != stamp:
            raise SourceError(f"{path} was changed while it was read; read it again when it is complete.")


def _stamp(path: str | Path) -> Stamp | None:
    """What tells a file from another one, or from itself at another time; nothing where it is none."""
    try:
        if not Path(path).is_file():
            return None
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
