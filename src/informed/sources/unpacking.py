"""Files packed with zstd or bzip2, unpacked beside: their engine reads gzip only, or needs to look into them."""

from __future__ import annotations

import bz2
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from informed.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from informed.sources.paths import Files

PACKED = {b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2"}
UNREAD = {b"\xfd7zXZ": "xz", b"7z\xbc\xaf": "7-Zip", b"Rar!": "RAR", b"\x04\x22\x4d\x18": "lz4"}  # in no kind of file
MOST = 8 << 30  # bytes that are unpacked beside, here and in the lab; a larger file is for its owner to unpack
BLOCK = 1 << 20


def unpacked(files: Files, cleanup: ExitStack) -> Files:
    """The same files, of which those that are packed so are now temporary ones under their inner names."""
    names = [_unpacked(files, name, cleanup) for name in files.names]
    if names == list(files.names):
        return files
    if files.filesystem is not None and len(set(names) & set(files.names)):
        raise SourceError(f"{files.shown} holds packed files beside others; unpack them first.")
    return replace(files, names=tuple(names), filesystem=None)


def _unpacked(files: Files, name: str, cleanup: ExitStack) -> str:
    try:
        with files.open(name) as stream:
            start = stream.read(4)
    except OSError:  # said where it is read
        return name
    kind = packed_as(start)
    if kind is None:
        return name
    folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="informed-"))
    inner = Path(folder) / Path(Path(name).name).with_suffix("").name
    with files.open(name) as stream, inner.open("wb") as into:
        _copy(stream, into, kind, name)
    return str(inner)


def check_readable(start: bytes, name: str) -> None:
    """Refuse a file that is packed in a way that is not read, by its first bytes."""
    for magic, kind in UNREAD.items():
        if start.startswith(magic):
            raise SourceError(f"{name} is packed with {kind}, which is not read; unpack it, or pack it with gzip.")


def packed_as(start: bytes) -> str | None:
    """How a file is packed that begins so, where it is unpacked here."""
    return next((kind for magic, kind in PACKED.items() if start.startswith(magic)), None)


def size_unpacked(path: Path, kind: str, most: int, name: str) -> int:
    """Bytes that a packed file unpacks to, without keeping them; one more than `most` at most, or a block."""
    done = 0
    with path.open("rb") as stream:
        for block in _blocks(stream, kind, name):
            done += len(block)
            if done > most:
                break
    return done


def _copy(stream: BinaryIO, into: BinaryIO, kind: str, name: str) -> None:
    done = 0
    try:
        for block in _blocks(stream, kind, name):
            done += into.write(block)
            if done > MOST:
                raise SourceError(f"{name} unpacks to more than {MOST >> 30} GB; unpack it first, or use gzip.")
    except OSError as error:  # of the disk
        raise SourceError(f"{name} cannot be unpacked: {error.strerror or error}.") from None


def _blocks(stream: BinaryIO, kind: str, name: str) -> Iterator[bytes]:
    reader = bz2.BZ2File(stream) if kind == "bzip2" else _zstd(stream, name)
    while True:
        try:
            block: bytes = reader.read(BLOCK)
        except Exception as error:  # each library has errors of its own
            if isinstance(error, OSError) and error.errno:  # of the disk, not of what was packed
                raise SourceError(f"{name} cannot be unpacked: {error.strerror}.") from None
            raise SourceError(f"{name} is a damaged or incomplete {kind} file; copy or download it again.") from None
        if not block:
            return
        yield block


def _zstd(stream: BinaryIO, name: str) -> Any:
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(module).open(stream)
        except ImportError:
            continue
    try:
        packed: Any = import_module("zstandard").ZstdDecompressor()
        return packed.stream_reader(stream, read_across_frames=True)
    except ImportError:
        raise MissingExtra(
            f"{name} is packed with zstd, which this Python cannot read: pip install zstandard, unpack it, or use gzip."
        ) from None
