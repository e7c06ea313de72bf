"""Files of folders and patterns: each file once, whatever links lead to it, and nothing left out in silence."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from errno import EACCES, ELOOP, ENOENT, ENOTDIR, EPERM
from fnmatch import fnmatch
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from informed.errors import SourceError

ABSENT = (ENOENT, ENOTDIR, ELOOP)  # of a link to nothing, or to itself


class TooManyFiles(SourceError):
    """A folder holds more files and folders than are looked at."""


def files_below(
    folder: Path,
    *,
    hidden: str = ".",
    most: int | None = None,
    is_one: Callable[[Path], bool] = lambda _: False,
    lost: list[Path] | None = None,
) -> list[Path]:
    """List the files below a folder in order, each file once.

    Links are followed after everything else, so that a file keeps its own name; a folder that was seen, or that holds
    the link, is not entered again.

    Parameters
    ----------
    folder
        Where to look.
    hidden
        Names that begin with one of these letters are left out.
    most
        How many files and folders are looked at.
    is_one
        Whether a folder below counts as one file.
    lost
        Where links to nothing are noted; without it, the first is refused.
    """
    found: dict[str, Path] = {}
    entered = set(_with_parents(os.path.realpath(folder)))
    waiting, links, looked = [folder], list[Path](), 0
    while waiting or links:
        if not waiting:
            link = links.pop(0)
            if _mode(link) is None:
                _lose(link, lost)
            else:
                _keep(link, found, entered, waiting, is_one)
            continue
        for path in entries(waiting.pop()):
            looked += 1
            if most is not None and looked > most:
                raise TooManyFiles(f"The folder {folder} holds more than {most:,} files and folders; give a pattern.")
            if path.name[0] in hidden:
                continue
            if path.is_symlink():
                links.append(path)
            else:
                _keep(path, found, entered, waiting, is_one)
    return sorted(found.values())


def _keep(
    path: Path, found: dict[str, Path], entered: set[str], waiting: list[Path], is_one: Callable[[Path], bool]
) -> None:
    mode, real = _mode(path) or 0, os.path.realpath(path)
    if S_ISREG(mode) or (S_ISDIR(mode) and is_one(path)):
        found.setdefault(real, path)
    elif S_ISDIR(mode) and real not in entered:
        entered.add(real)
        waiting.append(path)


def _lose(link: Path, lost: list[Path] | None) -> None:
    if lost is None:
        raise SourceError(f"{without_target(link)} Restore the file, or remove the link.")
    lost.append(link)


def without_target(link: Path) -> str:
    """Say that a link leads to nothing."""
    return f"{link} is a link to {link.readlink()}, which does not exist."


def matching(pattern: str) -> list[Path]:
    """List the files and folders that a pattern stands for, each once; `**` stands for any folders."""
    path = Path(pattern)
    parts = path.parts[bool(path.anchor) :]
    parts = (*parts, "*") if parts[-1:] == ("**",) else parts
    places = [Path(path.anchor or ".")]
    for part in parts:
        if part == "**":
            places = [inner for place in places if _is_folder(place) for inner in _folders(place)]
        elif glob.has_magic(part):
            inside = (inner for place in places if _is_folder(place) for inner in entries(place))
            seen = (inner for inner in inside if part[0] == "." or inner.name[0] != ".")
            places = [inner for inner in seen if fnmatch(inner.name, part)]
        else:
            places = [place / part for place in places if _mode(place / part) is not None]
        places = each_once(places)
    return sorted(places)


def _folders(place: Path) -> Iterator[Path]:
    """A folder and the folders below it, each once; links are followed last."""
    entered = set(_with_parents(os.path.realpath(place)))
    waiting, links = [place], list[Path]()
    while waiting or links:
        here = waiting.pop() if waiting else links.pop(0)
        if here.is_symlink() and here != place:
            if os.path.realpath(here) in entered:
                continue
            entered.add(os.path.realpath(here))
        yield here
        for inner in entries(here):
            if inner.name[0] == "." or not _is_folder(inner):
                continue
            if inner.is_symlink():
                links.append(inner)
            elif (real := os.path.realpath(inner)) not in entered:
                entered.add(real)
                waiting.append(inner)


def each_once(paths: Iterable[Path]) -> list[Path]:
    """Of paths that lead to one file, the one with the fewest links on its way."""
    by_place: dict[str, list[Path]] = {}
    for path in paths:
        by_place.setdefault(os.path.realpath(path), []).append(path)
    return [min(alike, key=_links) if len(alike) > 1 else alike[0] for alike in by_place.values()]


def given_twice(paths: Iterable[str | os.PathLike[str]]) -> tuple[str, str] | None:
    """Two of the paths that lead to one file; None where all differ."""
    seen: dict[str, str] = {}
    for path in (os.fspath(x) for x in paths):
        real = os.path.realpath(os.path.expanduser(path))  # noqa: PTH111  # of text
        if real in seen:
            return seen[real], path
        seen[real] = path
    return None


def entries(folder: Path) -> list[Path]:
    """What a folder holds, in order; one that cannot be opened is refused, since its files would be missing."""
    try:
        with os.scandir(folder) as held:
            return sorted(folder / entry.name for entry in held)
    except OSError as error:
        raise _unreadable(folder, error) from None


def _is_folder(path: Path) -> bool:
    return S_ISDIR(_mode(path) or 0)


def _mode(path: Path) -> int | None:
    """What kind of thing a path leads to; None where it leads to nothing."""
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> SourceError:
    if error.errno in (EACCES, EPERM):
        return SourceError(f"{path} cannot be opened: permission denied. Check who may read it.")
    return SourceError(f"{path} cannot be read: {error.strerror or error}.")


def _links(path: Path) -> int:
    return sum(part.is_symlink() for part in (path, *path.parents))


def _with_parents(real: str) -> list[str]:
    return [real, *map(str, Path(real).parents)]
