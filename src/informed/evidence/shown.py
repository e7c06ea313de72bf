"""A label as a reader may see it: on one line, short where it is long, harmless to a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from informed.evidence.labels import Label, written
from informed.evidence.table_text import harmless, width

_WORD_ENDS = re.compile(r"[\s/\\:._|-]")
_NUMERAL = re.compile(r"[-+−]?[\d.,]*\d[\d.,]*%?")
TAILS = (0.5, 0.7, 0.85)  # shares of a cut label that are its end, tried until labels differ


class Cut(str):
    """A label that lost a part of itself; formats that can show the whole do."""

    whole: str


def shown(label: Label, widest: int = 24) -> str:
    """One line without control characters, of a long label both ends.

    >>> shown("two\\nlines"), shown("\\x1b[31mred"), shown(""), shown("a label that goes on and on", 16)
    ('two lines', '�[31mred', '(blank)', 'a label … and on')
    """
    return shown_all([label], widest)[0]


def system_name(name: Label, widest: int = 60) -> str:
    """A system in a sentence about results: its name as it is, in quotes where it would be read as a number.

    >>> system_name("new model"), system_name("3"), system_name(3), system_name("")
    ('new model', "'3'", "'3'", '(blank)')
    """
    said = shown(name, widest)
    return f"'{said}'" if _NUMERAL.fullmatch(said) else said


def shown_all(labels: Sequence[Label], widest: int = 24) -> list[str]:
    """Labels that stand beside each other: where one is long, all lose the words that all begin with.

    >>> shown_all(["urn:example:alpha-particle", "urn:example:beta"], 20)
    ['…alpha-particle', '…beta']
    """
    held = [_flat(whole(x) if isinstance(x, str) else x) for x in labels]
    if max(map(width, held), default=0) <= widest:
        return held
    start = _begin_with(held)
    rest = [f"…{x[start:]}" for x in held] if start else held
    for tail in TAILS:
        cut = [_without_middle(x, widest, tail) for x in rest]
        if len(set(cut)) == len(set(rest)):
            break
    return [x if x == y else _cut(x, y) for x, y in zip(cut, held, strict=True)]


def shown_pairs(pairs: Iterable[tuple[Label, Label]], widest: int = 26) -> list[str]:
    """Differences of two that stand beside each other; where one is long, each name loses its own middle.

    >>> shown_pairs([("old", "new")]), shown_pairs([("vendor/model-large", "vendor/model-small")])
    (['old − new'], ['…large − …small'])
    """
    held = [(_flat(a), _flat(b)) for a, b in pairs]
    full = [f"{a} − {b}" for a, b in held]
    if max(map(width, full), default=0) <= widest:
        return full
    each = iter(shown_all([x for pair in held for x in pair], (widest - 3) // 2))
    return [x if x == y else _cut(x, y) for x, y in ((f"{next(each)} − {next(each)}", y) for y in full)]


def whole(label: str) -> str:
    """The label that a cut one was."""
    return label.whole if isinstance(label, Cut) else label


def _flat(label: Label) -> str:
    return harmless(" ".join(written(label).split())) or "(blank)"


def _begin_with(held: Sequence[str]) -> int:
    """How many characters of whole words all labels begin with, where that is worth leaving out."""
    if len(set(held)) < 2:
        return 0
    first, last = min(held), max(held)  # what these two share, all share
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    ends = [found.end() for found in _WORD_ENDS.finditer(first[:same])]
    return ends[-1] if ends and ends[-1] > 3 else 0


def _without_middle(said: str, widest: int, tail: float) -> str:
    if width(said) <= widest:
        return said
    end = int((widest - 1) * tail)
    return f"{_first(said, widest - 1 - end)}…{_first(said[::-1], end)[::-1]}"


def _first(said: str, columns: int) -> str:
    """As much of it as so many columns of a terminal hold."""
    at = min(len(said), columns)
    while width(said[:at]) > columns:
        at -= 1
    return said[:at]


def _cut(said: str, of: str) -> Cut:
    made = Cut(said)
    made.whole = of
    return made
