"""What the systems of logs are called: by their models, or by the least that tells them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from informed.sources.logs.bounded_files import TIME

STAMP = re.compile(TIME)
MADE_UP = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{22}(?![A-Za-z0-9])")  # an id that a tool made up
MOMENTS = (10, 16, 19)  # letters of a time: the day, the minute, the second
LONGEST = 40  # letters of a name


@dataclass(frozen=True)
class Whose:
    """What is known of a system beside its answers."""

    path: str
    model: str | None = None
    fields: tuple[str, ...] = ()  # task, epochs and run, as words; "" where it has none


def names_of(systems: Sequence[Whose]) -> list[str]:
    """The model, where it differs; model and the shortest field that does; or what differs in the paths.

    >>> names_of([Whose("a", "org/x"), Whose("b", "org/y")])
    ['x', 'y']
    >>> names_of([Whose("run1/t", "org/x", ("t", "1 epoch")), Whose("run2/t", "org/x", ("t", "3 epochs"))])
    ['x 1 epoch', 'x 3 epochs']
    >>> names_of([Whose("run1/t", "x"), Whose("run2/t", "x")])
    ['run1', 'run2']
    """
    models = [x.model or "" for x in systems]
    often = Counter(models)
    alike = [i for i, model in enumerate(models) if often[model] > 1 or not model]
    if not alike:
        return shortened(models)
    for words, alone in _words([systems[i] for i in alike]):
        told = dict(zip(alike, words, strict=True))
        whole = alone and len(often) == 1  # where all have one model, it tells nothing
        names = [" ".join(x for x in ("" if whole else m, told.get(i, "")) if x) for i, m in enumerate(models)]
        if len(set(names)) == len(names) and all(told.values()):
            return shortened(names)
    return [f"{name or 'system'} ({i})" for i, name in enumerate(shortened(models), 1)]


def _words(systems: Sequence[Whose]) -> Iterator[tuple[list[str], bool]]:
    """Words that may tell systems apart, the best first, and whether they can stand alone."""
    by_field = [list(x) for x in zip(*(x.fields for x in systems), strict=True)]
    if all(x.model for x in systems):
        for words in sorted(by_field, key=lambda x: max(map(len, x))):
            if not any(map(MADE_UP.search, words)):
                yield words, False
    paths = list(dict.fromkeys(x.path for x in systems))  # one file may hold several systems
    parts = [_parts(path) for path in paths]
    while len(parts) > 1 and all(parts) and len({x[-1] for x in parts}) == 1:
        parts = [x[:-1] for x in parts]
    last = {path: _last(i, parts) for i, path in enumerate(paths)}
    yield [last[x.path] for x in systems], True
    times = [(STAMP.findall(x.path) or [""])[-1] for x in systems]
    yield from (([time[:n] for time in times], False) for n in MOMENTS)


def _parts(path: str) -> list[str]:
    """The parts of a path without times, ids that a tool made up, and the suffix of a file."""
    held = Path(path)
    parts = [*held.parts[:-1], held.name if held.is_dir() else held.stem]  # a folder may be called model-1.5
    plain = (MADE_UP.sub("", STAMP.sub("", x)).strip("_- ") for x in parts)
    return [x for x in plain if x]


def _last(at: int, parts: Sequence[Sequence[str]]) -> str:
    """The fewest last parts of a path that no other has; nothing where all are another's, too."""
    own = parts[at]
    for n in range(1, len(own) + 1):
        if all(x[-n:] != own[-n:] for i, x in enumerate(parts) if i != at):
            return str(Path(*own[-n:]))
    return ""


def shortened(names: Sequence[str]) -> list[str]:
    """Names without a start up to "/" that all share, and cut in the middle where they are long, if they stay apart.

    >>> shortened(["org/a/x", "org/b/x"]), shortened(["org/a", "b"])
    (['a/x', 'b/x'], ['org/a', 'b'])
    """
    parts = [name.split("/") for name in names]
    same = takewhile(lambda x: len(set(x)) == 1, zip(*(x[:-1] for x in parts), strict=False))
    cut = len(list(same))
    plain = ["/".join(x[cut:]) for x in parts]
    half = LONGEST // 2
    fit = [x if len(x) <= LONGEST else f"{x[: half - 1]}…{x[-half:]}" for x in plain]
    return next((x for x in (fit, plain) if len(set(x)) == len(set(names))), list(names))
