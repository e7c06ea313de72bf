"""Tags from sources: text with a separator, one column a label, or one row a tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import PurePath
from typing import Any

import numpy as np

from informed.errors import SourceError
from informed.evidence.label_order import ordered
from informed.evidence.labels import is_missing, some, text
from informed.evidence.tags import ALONE, Tags
from informed.evidence.tags_columns import columns_like
from informed.sources.columns import columns, names_of, stems
from informed.sources.databases import is_database_url
from informed.sources.paths import Opening
from informed.systems.judge_columns import named as column_called

WORDS = (("0", "1"), ("0.0", "1.0"), ("false", "true"), ("f", "t"), ("no", "yes"))  # of no and yes, one pair a column
NUMBERS = {word: value for pair in WORDS for value, word in enumerate(pair)}


def read_tags(
    source: Any,
    real: str,
    predicted: Sequence[str],
    *,
    separator: str | None = None,
    item: str | None = None,
    unit: str | None = None,
    weights: str | None = None,
    by: str | None = None,
    labels: Sequence[Hashable] | None = None,
    missing: Any = None,
    threshold: float | None = None,
    **how: Any,
) -> Tags:
    """Tags of the items of one source.

    Columns of text with a `separator`, or of lists; patterns such as "y_*" for one column of 0 and 1 a label, or of
    predicted scores with a `threshold`; or with `item` alone one row a tag, where an empty field is none. Beside the
    other forms `item` names the items, one a row.
    """
    predicted = tuple(predicted)
    starred = ["*" in x for x in (real, *predicted)]
    if any(starred) and not all(starred):
        raise SourceError("Give a pattern such as 'y_*' for both sides, or the names of two columns of tags.")
    others = {"unit": unit, "weights": weights, "by": by}
    named = {name: column for name, column in others.items() if column is not None}
    asked: dict[str, Any] = {"labels": labels, "missing": missing or "error"}
    if threshold is not None and not all(starred):
        raise SourceError("`threshold` is of scores, one column a label: give patterns such as 'y_*' and 'p_*'.")
    if all(starred):
        asked["threshold"] = threshold
        return _from_patterns(source, real, predicted, item, named, asked, how)
    wanted = list(dict.fromkeys([real, *predicted, *([] if item is None else [item]), *named.values()]))
    kind = _kind(source, how)
    if kind == "json" and separator is None:
        how.setdefault("types", "native")  # lists as lists
    held = columns(source, wanted, **how)
    systems = {name if len(predicted) > 1 else ALONE: held[name] for name in predicted}
    if item is not None:
        if separator is None and not any(_is_list(x) for x in (*held[real], *held[predicted[0]])):
            return _from_long(held, real, systems, item, named, asked)
        _one_a_row(held[item], item)
    if kind in ("csv", "excel"):  # whose empty field is an item without tags
        held |= {name: ["" if is_missing(x) else x for x in held[name]] for name in (real, *predicted)}
        systems = {name: held[column] for name, column in zip(systems, predicted, strict=True)}
    return Tags.from_labels(
        real=held[real], predicted=_alone(systems), separator=separator, **asked, **_further(held, named)
    )


TAKEN = ("item", "unit", "weights", "by", "labels", "missing")
OPENED = ("query", "table", "where", "delimiter", "quote", "encoding", "types", "input_format", "progress")


def tags_of(source: Any, given: Mapping[str, Any]) -> Tags:
    """Tags by the options of `read`, refused where they have another meaning."""
    options = dict(given["options"])
    threshold = options.pop("threshold", None)
    if options:
        raise SourceError(f"`read` has no option {next(iter(options))!r}.")
    if given["real"] is None or given["predicted"] is None:
        raise SourceError("Which columns hold the tags? Give `real=` and `predicted=`.")
    usual = {"tables": False, "frequency": False, "square": True, "quote": '"', "unknown": "error", "strip": False}
    usual |= {"bins": 4096}
    known = {*TAKEN, *OPENED, "source", "real", "predicted", "options", "separator"}
    for name, value in given.items():
        if name not in known and value != usual.get(name):
            raise SourceError(f"`{name}` is not for items of several labels.")
    predicted = given["predicted"]
    asked = {name: given[name] for name in TAKEN if given[name] is not None}
    if isinstance(asked.get("by"), (list, tuple)):
        if len(asked["by"]) != 1:
            raise SourceError("Tags are cut by one column; `by` names several.")
        asked["by"] = asked["by"][0]
    how = {name: given[name] for name in OPENED if given[name] is not None}
    names = [predicted] if isinstance(predicted, str) else list(predicted)
    mark = given["separator"] or None
    return read_tags(source, given["real"], names, separator=mark, threshold=threshold, **asked, **how)


def _alone(systems: Mapping[str, Any]) -> Any:
    return systems[ALONE] if list(systems) == [ALONE] else systems


def _further(held: Mapping[str, list[Any]], named: Mapping[str, str]) -> dict[str, Any]:
    """What else is known of the items: their unit, weight and group."""
    found: dict[str, Any] = {}
    if "unit" in named:
        found["unit"] = column_called(held[named["unit"]], named["unit"])
    if "weights" in named:
        found["weights"] = [_number(x, named["weights"]) for x in held[named["weights"]]]
    if "by" in named:
        found["kept"] = {named["by"]: held[named["by"]]}
    return found


def _number(x: Any, name: str) -> float:
    try:
        return float(x)
    except (TypeError, ValueError):
        raise SourceError(f"The weights {text(name)} hold {text(x)}; one number an item is needed.") from None


def _kind(source: Any, how: Mapping[str, Any]) -> str:
    """The kind of a file; empty where it is none."""
    if not isinstance(source, (str, PurePath)) or is_database_url(source):
        return ""
    with ExitStack() as cleanup:
        return str(Opening(cleanup=cleanup, **how).files(source).kind)


def _from_patterns(
    source: Any,
    real: str,
    predicted: Sequence[str],
    item: str | None,
    named: Mapping[str, str],
    asked: Mapping[str, Any],
    how: Mapping[str, Any],
) -> Tags:
    """One column of 0 and 1 for each label of each side."""
    there = names_of(source, **how)
    sides = {pattern: columns_like(there, pattern) for pattern in (real, *predicted)}
    for pattern, found in sides.items():
        if not found:
            raise SourceError(f"No column is like {text(pattern)}; there are {some(there, 8)}.")
        if lone := {*found} ^ {*sides[real]}:
            raise SourceError(
                f"The columns {text(real)} and {text(pattern)} are of different labels: {some(sorted(lone))} is in one."
            )
    labels = [str(x) for x in ordered(sides[real])]
    every = [x for found in sides.values() for x in found.values()]
    ids = [] if item is None else [item]
    held = columns(source, list(dict.fromkeys([*every, *ids, *named.values()])), **how)

    for name in ids:
        _one_a_row(held[name], name)
    for column in every:
        _one_vocabulary(held[column], column)

    def matrix(pattern: str) -> Any:
        return np.array(
            [[_zero_one(x, sides[pattern][label]) for x in held[sides[pattern][label]]] for label in labels]
        ).T

    called = stems(predicted)
    systems = {called[name] if len(predicted) > 1 else ALONE: matrix(name) for name in predicted}
    return Tags.from_labels(
        real=matrix(real), predicted=_alone(systems), **{**asked, "labels": labels}, **_further(held, named)
    )


def _one_vocabulary(values: Sequence[Any], name: str) -> None:
    """Refuse a column in which a word stands among numbers, or among words of another pair."""
    seen = {x.strip().lower(): x for x in values if isinstance(x, str)}
    used = {0 if pair[0][0] == "0" else i for i, pair in enumerate(WORDS) for word in pair if word in seen}
    if len(used) > 1:
        words = [text(seen[word]) for pair in WORDS for word in pair if word in seen]
        raise SourceError(
            f"The column {text(name)} holds {', '.join(words)}: give 0 and 1, or true and false, or yes and no, one "
            "pair a column."
        )


def _zero_one(x: Any, name: str) -> Any:
    found = NUMBERS.get(x.strip().lower(), x) if isinstance(x, str) else x
    if isinstance(found, str):
        try:
            found = float(found)
        except ValueError:
            raise SourceError(f"The column {text(name)} holds {text(x)}; columns of tags hold 0 and 1.") from None
    if is_missing(found):
        raise SourceError(f"The column {text(name)} has an empty field; columns of tags hold 0 and 1.")
    return found


def _is_list(x: Any) -> bool:
    return not isinstance(x, (str, bytes)) and isinstance(x, (Collection, np.ndarray))


def _whole(ids: list[Any], item: str) -> list[Any]:
    if any(is_missing(x) for x in ids):
        raise SourceError(f"The column {text(item)} has an empty field; each row is of an item.")
    return ids


def _one_a_row(ids: list[Any], item: str) -> None:
    """Refuse an item of several rows, where a row holds all its tags."""
    again = next((x for x, times in Counter(_whole(ids, item)).items() if times > 1), None)
    if again is not None:
        raise SourceError(
            f"The item {text(again)} has several rows ({text(item)}), and each row holds all tags of an item: leave "
            "`item` out if rows are items, or the separator if a row is one tag."
        )


def _from_long(
    held: Mapping[str, list[Any]],
    real: str,
    systems: Mapping[str, list[Any]],
    item: str,
    named: Mapping[str, str],
    asked: Mapping[str, Any],
) -> Tags:
    """One row a tag of an item, real or given or both; an item without tags has a row with empty ones."""
    ids = _whole(held[item], item)
    place = {x: i for i, x in enumerate(dict.fromkeys(ids))}

    def gathered(values: list[Any]) -> list[list[Any]]:
        found: list[list[Any]] = [[] for _ in place]
        for x, tag in zip(ids, values, strict=True):
            if not is_missing(tag):
                found[place[x]].append(tag.strip() if isinstance(tag, str) else tag)
        return found

    further = {}
    for what, column in named.items():
        own: dict[Any, Any] = {}
        for x, value in zip(ids, held[column], strict=True):
            if own.setdefault(x, value) != value:
                raise SourceError(f"The item {text(x)} has more than one {text(column)}.")
        further[what] = column
        held = {**held, column: list(own.values())}
    return Tags.from_labels(
        real=gathered(held[real]),
        predicted=_alone({name: gathered(values) for name, values in systems.items()}),
        **asked,
        **_further(held, further),
    )
