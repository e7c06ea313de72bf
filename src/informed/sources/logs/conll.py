"""CoNLL columns: a token on each line, its real tag and its predicted tag in the last two columns.

The table is of tokens. Entities are refused: a span that nobody marked is no case that could be
counted, so entity scores have no true negatives, and without them there is no chance level.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from informed.errors import SourceError, one_of
from informed.evidence.labels import text
from informed.sources.logs.bounded_files import SHORT, Problem, lines, whole_lines
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log

TAG = re.compile(r"O|[BIESLUM]-\S+")


def recognise(head: str) -> bool:
    """Whether the first lines end in two columns of BIO tags."""
    rows = [row for line in whole_lines(head)[:200] if (row := line.split()) and not _passed(line)]
    if not rows or len({len(row) for row in rows}) != 1 or len(rows[0]) < 3:
        return False
    tags = [tag for row in rows for tag in row[-2:]]
    return all(map(TAG.fullmatch, tags)) and any("-" in tag for tag in tags)


@Format("conll", "CoNLL columns", recognise, certain=False)
def read(path: Path, *, level: Literal["token", "entity"] = "token", real: int = -2, predicted: int = -1) -> Log:
    """The tokens of a file; `real` and `predicted` are columns, counted from 0 or from the end."""
    if level == "entity":
        raise SourceError(
            "Entities have no true negatives (a span that nobody marked is no case), so there is "
            'no contingency table of them and no chance level; `level="token"` counts tokens.'
        )
    one_of("level", level, ("token",), SourceError)

    places = _column(real, "real"), _column(predicted, "predicted")

    cases: list[Case] = []
    sentence, width, between = 0, None, True
    for number, line in lines(path):
        row = line.split()
        if not row or _passed(line):
            between = True
            continue
        if width is None:
            width = len(row)
            _check_width(width, places, number)
        if len(row) != width:
            raise Problem(f"there are {len(row)} columns, and {width} above.", number)
        sentence, between = sentence + between, False
        columns = {f"column {i}": x for i, x in enumerate(row) if len(x) <= SHORT}
        cases.append(Case(row[places[0]], row[places[1]], fields={**columns, "sentence": sentence}))

    if not cases:
        raise Problem("there is no token in this file.")
    return Log(path=path, cases=cases, facts={"sentences": sentence}, foreign=True)


def _passed(line: str) -> bool:
    """Document marks and the comments of CoNLL-U are no tokens."""
    return line.startswith("-DOCSTART-") or (line.startswith("# ") and " = " in line)


def _column(value: object, name: str) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise SourceError(
            f"`{name}` is {text(value)}; CoNLL columns have no names: give a number, "
            "0 for the first or -1 for the last."
        ) from None


def _check_width(width: int, places: tuple[int, int], number: int) -> None:
    for place in places:
        if not -width <= place < width:
            raise Problem(f"there is no column {place}; there are {width}.", number)
    if places[0] % width == places[1] % width:
        raise SourceError("`real` and `predicted` are the same column.")
