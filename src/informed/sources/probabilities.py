"""Probabilities from sources: a column each, or a pattern such as "p_*" for one column a class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import SourceError
from informed.evidence.forecasts import Forecasts
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, is_missing, some, text
from informed.evidence.likeness import Normalize
from informed.evidence.tags_columns import columns_like
from informed.sources.columns import columns, names_of, stems
from informed.sources.engine import as_number

OPENED = (
    "query",
    "table",
    "where",
    "delimiter",
    "quote",
    "encoding",
    "types",
    "input_format",
    "progress",
    "join",
    "on",
)
TAKEN = ("unit", "item", "weights", "by", "positive", "missing", "normalize")
USUAL = {"tables": False, "frequency": False, "square": True, "quote": '"', "unknown": "error", "strip": False}
USUAL |= {"bins": 4096, "separator": False}


def read_probabilities(
    source: Any,
    real: str,
    probability: Sequence[str],
    *,
    unit: str | None = None,
    item: str | None = None,
    weights: str | None = None,
    by: str | None = None,
    positive: Label | None = None,
    missing: Missing | None = None,
    normalize: Normalize = None,
    **how: Any,
) -> Forecasts:
    """Probabilities of the cases of one source, and what goes with them; a missing field is NaN, or no label."""
    names = _of_classes(source, probability, how) if any("*" in x for x in probability) else {}
    if caught := [pattern for pattern, own in names.items() if real in own.values()]:
        raise SourceError(f"{text(caught[0])} is also like {text(real)}, the real classes: give a narrower pattern.")
    wanted = [column for found in names.values() for column in found.values()] or list(probability)
    others = {"unit": unit, "item": item, "weights": weights, "by": by}
    named = {what: column for what, column in others.items() if column is not None}
    if len(set(wanted)) < len(wanted):
        raise SourceError("A column of probabilities is given twice.")
    held = columns(source, list(dict.fromkeys([real, *wanted, *named.values()])), **how)

    numbers = {name: _numbers(held[name], name) for name in wanted}
    if not names:
        found: Mapping[Hashable, Array] = {name: numbers[name] for name in probability}
        labels = None
    else:
        order = ordered(next(iter(names.values())))
        labels = tuple(order)
        called = stems(probability)
        found = {called[p]: np.column_stack([numbers[names[p][str(x)]] for x in order]) for p in probability}
    further: dict[str, Any] = {what: held[column] for what, column in named.items()}
    if "weights" in further:
        further["weights"] = _numbers(further["weights"], named["weights"])
    told: dict[str, Any] = {"positive": positive, "missing": missing or "error", "normalize": normalize}
    return Forecasts(held[real], found, labels, **further, **told)


def _of_classes(source: Any, patterns: Sequence[str], how: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The columns of each pattern, by the class that stands in the place of the star."""
    if not all("*" in x for x in patterns):
        raise SourceError("Give a pattern such as 'p_*' for every system, or the name of a column for every one.")
    there = names_of(source, **{k: v for k, v in how.items() if k not in ("join", "on", "where")})
    found = {pattern: columns_like(there, pattern) for pattern in patterns}
    for pattern, own in found.items():
        if len(own) < 2:
            seen = f"1 column is like {text(pattern)}" if own else f"No column is like {text(pattern)}"
            raise SourceError(f"{seen}; one for each class is needed, and there are {some(there, 8)}.")
        if lone := {*own} ^ {*found[patterns[0]]}:
            raise SourceError(
                f"{text(patterns[0])} and {text(pattern)} are of different classes: {some(sorted(lone))}."
            )
    return found


def _numbers(values: Sequence[Any], name: str) -> Array:
    """A column of numbers; what is missing is NaN."""
    found = [np.nan if is_missing(x) else as_number(x) for x in values]
    odd = [text(x) for x, number in zip(values, found, strict=True) if number is None]
    if odd:
        percent = ": write 20% as 0.2" if "%" in min(odd) else ""
        raise SourceError(f"The column {text(name)} holds {min(odd)}, which is no number{percent}.")
    return np.array(found, dtype=np.float64)


def probabilities_of(source: Any, given: Mapping[str, Any]) -> Forecasts:
    """Probabilities by the options of `read`, refused where they have another meaning."""
    if options := {k: v for k, v in given["options"].items() if k != "probability"}:
        raise SourceError(f"`read` has no option {next(iter(options))!r}.")
    if given["real"] is None:
        raise SourceError("Which column holds the real labels? Give `real=`.")
    known = {*TAKEN, *OPENED, "source", "real", "options", "probability"}
    for name, value in given.items():
        if name not in known and value is not None and value != USUAL.get(name):
            raise SourceError(f"`{name}` is not for probabilities.")
    p, by = given["probability"], given["by"]
    if isinstance(by, (list, tuple)):
        if len(by) != 1:
            raise SourceError("Probabilities are cut by one column; `by` names several.")
        by = by[0]
    asked = {name: given[name] for name in TAKEN if name != "by"}
    how = {name: given[name] for name in OPENED if given[name] is not None}
    return read_probabilities(source, given["real"], [p] if isinstance(p, str) else list(p), by=by, **asked, **how)
