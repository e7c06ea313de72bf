"""A first look at a file: its columns, its first rows, and which columns were probably meant.

Nothing is decided by it: what is guessed fills the form, and the person who looks at the rows beside it decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import informed
from informed.errors import InformedError
from informed.evidence.labels import is_missing
from informed.evidence.likeness import KINDS, normal
from informed.evidence.table import Table
from informed.sources.columns import first_rows, names_of
from informed.sources.engine import as_number
from informed.sources.logs import recognise
from informed.web import Json
from informed.web.evaluation_logs import offered

LOOKED = 1000  # rows
SHOWN = 6  # of them
LONG = 60  # characters of a value that are shown
CLASSES = 50  # different values of a column that are offered to choose from

NAMED = {  # what columns are usually called, in small letters
    "real": "real truth true label labels gold target actual y y_true y_test ground_truth expected class outcome",
    "predicted": "predicted prediction predictions pred answer output yhat y_pred y_hat response model_output",
    "score": "score probability prob proba logit confidence sure y_score p",
    "by": "system model classifier run method algorithm",
    "item": "id item item_id case index key doc_id question_id example",
    "gold": "gold human people expert reference label",
}
JUDGES = ("verdict", "judge", "grade")  # in the name of a column of verdicts
BETWEEN = (";", "|", ",")  # tags of one text, the surest first
BLIND = (
    "guess",
    "guesses",
    "random",
    "chance",
    "majority",
    "baseline",
    "dummy",
    "prior",
    "constant",
)  # to compare with


def seen(file: dict[str, str]) -> Json:
    """What a file is, and, where it has columns, its first rows and what each column may be."""
    path = file["path"]
    found: Json = {"name": file["name"], "size": Path(path).stat().st_size, "columns": [], "rows": []}
    log = recognise(path)
    if log is not None or _is_table(path):
        return {**found, "recognised": True, "log": log, **({} if log is None else offered(path, log))}
    names, rows = _head(path)
    columns = [Column(name, values) for name, values in zip(names, _transposed(rows, len(names)), strict=True)]
    return {
        **found,
        "recognised": False,
        "log": None,
        "columns": names,
        "rows": [[_shown(x) for x in row] for row in rows[:SHOWN]],
        "whole": len(rows) < LOOKED,
        "values": {x.name: x.classes for x in columns if x.is_class},
        **guessed(columns),
        **kinds(columns),
    }


def _is_table(path: str) -> bool:
    """Whether it holds counts already; a file of columns is not read for that."""
    try:
        return isinstance(informed.read(path), Table)
    except InformedError:
        return False  # it has columns to choose from, or `names_of` says what is wrong


def _head(path: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    names = names_of(path)
    try:
        return names, first_rows(path, names, LOOKED)
    except InformedError:
        return names, []  # what is wrong with a row is said when it is counted


def _transposed(rows: Sequence[tuple[Any, ...]], width: int) -> Iterable[tuple[Any, ...]]:
    return zip(*rows, strict=True) if rows else [()] * width


def _shown(value: Any) -> str | None:
    text = None if is_missing(value) else str(value)
    return text if text is None or len(text) <= LONG else text[: LONG - 1] + "…"


# ---------------------------------------------------------------------- what a column may be


@dataclass(frozen=True)
class Column:
    """A column by what its first rows hold."""

    name: str
    values: tuple[Any, ...]

    @property
    def called(self) -> str:
        return self.name.casefold().strip().replace(" ", "_").replace("-", "_")

    @cached_property
    def there(self) -> list[str]:
        """Its values that are not missing, as text."""
        return [text for x in self.values if not is_missing(x) and (text := str(x).strip())]

    @cached_property
    def classes(self) -> list[str]:
        return sorted(set(self.there))

    @cached_property
    def likened(self) -> frozenset[Hashable]:
        """Its values where only their spelling does not part them."""
        return frozenset(normal(x, tuple(KINDS)) for x in self.classes)

    @property
    def is_class(self) -> bool:
        """A few values that come again and again; one that is in every row may be, too."""
        few = 1 <= len(self.classes) <= CLASSES
        return few and 2 * len(self.classes) <= max(len(self.there), 4) and not self.is_score

    @property
    def is_score(self) -> bool:
        """Numbers, of which some have a fraction and many differ."""
        numbers = [x for x in map(as_number, self.classes) if x is not None]
        return len(numbers) == len(self.classes) > 10 and any(x % 1 for x in numbers)

    @property
    def is_share(self) -> bool:
        """Numbers from 0 to 1."""
        numbers = [as_number(x) for x in self.classes]
        return bool(numbers) and all(x is not None and 0 <= x <= 1 for x in numbers)

    @property
    def is_probability(self) -> bool:
        return self.is_score and self.is_share

    @property
    def separator(self) -> str | None:
        """What stands between the tags of its texts, where it looks like a column of these."""
        for between in BETWEEN:
            words = [word.strip() for x in self.classes for word in x.split(between)]
            different = len(set(words))  # that come again in other texts
            if len(words) > len(self.classes) and different < len(words) and 2 * different <= len(self.there):
                return between
        return None

    @property
    def is_key(self) -> bool:
        return len(self.classes) == len(self.values) > 1 and not self.is_score


def guessed(columns: Sequence[Column]) -> Json:
    """Which columns were probably meant: by their names, else by what they hold."""
    named = {what: _named(columns, what) for what in NAMED if what != "gold"}
    real = named["real"] if named["real"] != named["predicted"] else None
    real = real or _like_others(columns, named["predicted"])
    alike = [x for x in columns if real is not None and x is not real and _alike(x, real)]
    predicted = named["predicted"] or next((x for x in alike if x.called not in BLIND), None)
    scores = [x for x in (named["score"], *columns) if x is not None and x.is_score]
    item = named["item"] or next((x for x in columns if x.is_key and x not in (real, predicted)), None)
    found = {"real": real, "predicted": predicted, "score": next(iter(scores), None), "by": named["by"], "item": item}
    return {what: x.name if x else None for what, x in found.items()} | {"systems": [x.name for x in alike]}


def kinds(columns: Sequence[Column]) -> Json:
    """What else a file may hold: texts of several tags, a column of 0 and 1 for each, verdicts and some gold, gaps."""
    texts = {x.name: between for x in columns if (between := x.separator)}
    gold = [x for x in columns if x.is_class and 0 < len(x.there) < len(x.values)]  # some are not labelled
    first = _named(gold, "gold") or next(iter(gold), None)
    verdicts = [x for x in columns if first is not None and x is not first and x.is_class and _alike(first, x)]
    verdict = next((x for x in verdicts if any(word in x.called for word in JUDGES)), None)
    return {
        "tags": texts,
        "patterns": patterns(columns),
        "verdict": verdict.name if verdict and first else None,
        "gold": first.name if verdict and first else None,
        "gaps": [x.name for x in dict.fromkeys((first, *gold)) if x is not None],
        "scores": [x.name for x in columns if x.is_probability],
    }


def patterns(columns: Sequence[Column]) -> dict[str, str]:
    """Columns that begin alike and are one for each label, as a pattern: and whether they hold 0 and 1 or shares.

    >>> patterns([Column("y_cat", ("0", "1")), Column("y_dog", ("1", "1")), Column("n_1", ("3", "4"))])
    {'y_*': 'tags'}
    """
    begin: dict[str, list[Column]] = {}
    for x in columns:
        stem, line, label = x.name.partition("_")
        if line and stem and label:
            begin.setdefault(f"{stem}_*", []).append(x)
    several = {name: held for name, held in begin.items() if len(held) > 1}
    tags = {name: "tags" for name, held in several.items() if all(set(x.classes) <= {"0", "1"} for x in held)}
    shares = {name: "probability" for name, held in several.items() if all(x.is_share for x in held)}
    return {**shares, **tags}


def _named(columns: Sequence[Column], what: str) -> Column | None:
    """The column that is called so; the first of the names is the surest."""
    by_name = {x.called: x for x in reversed(columns)}
    return next((by_name[name] for name in NAMED[what].split() if name in by_name), None)


def _like_others(columns: Sequence[Column], predicted: Column | None) -> Column | None:
    """The column whose values most others have too: what they all are about. The first of equals."""
    several = [x for x in columns if x.is_class and len(x.classes) > 1 and x is not predicted]
    if predicted is not None:
        several = [x for x in several if _alike(predicted, x)]
    others = {x.name: sum(_alike(other, x) for other in columns if other is not x) for x in several}
    best = max(several, key=lambda x: others[x.name], default=None)
    return best if best is not None and others[best.name] else None


def _alike(answers: Column, real: Column) -> bool:
    """Whether these may be answers about those: hardly a value of theirs is new."""
    new = answers.likened - real.likened
    return answers.is_class and len(new) < len(answers.likened) and 2 * len(new) <= len(real.likened)
