"""Labels given by name where a table is taken: `interval(real=…, predicted=…, measure=…)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from os import PathLike
from typing import Any, TypedDict

import numpy as np

from informed.errors import InformedError, LabelError, TableError
from informed.evidence.calls import no_option
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, text
from informed.evidence.likeness import Normalize
from informed.evidence.table import Table


class LabelOptions(TypedDict, total=False):
    """How labels are counted, as `Table.from_labels` takes it."""

    weights: Any
    labels: Sequence[Label] | None
    abstain: Any
    missing: Missing
    positive: Label | None
    unit: Any
    item: Any
    by: Any
    frequency: bool
    square: bool
    normalize: Normalize


OPTIONS = tuple(LabelOptions.__annotations__)


def table_of(verb: str, t: Any, given: dict[str, Any], *, keep: Sequence[str] = ()) -> Table:
    """The table that a function works on: `t`, or that of the labels which are taken out of `given`.

    What is in `keep` are options of the function itself, too.
    """
    labels = {name: given.pop(name, None) for name in ("real", "predicted")}
    options = {name: given[name] if name in keep else given.pop(name) for name in OPTIONS if name in given}
    lacking = [f"`{name}=`" for name, x in labels.items() if x is None]
    if t is None and not lacking:
        return Table.from_labels(**labels, **options)
    if t is None and len(lacking) == 1:
        raise LabelError(f"`{verb}` was given labels without {lacking[0]}; both sides are needed.")
    if not isinstance(t, Table):
        raise no_table(verb, t)
    if len(lacking) < 2:
        raise LabelError(f"`{verb}` was given a Table and labels; give one of them.")
    extra = [f"`{name}`" for name in options if name not in keep]
    if extra:
        raise LabelError(f"{extra[0]} goes with labels; the Table that was given is counted already.")
    return t


def counted_for(function: Callable[..., Any], t: Any, real: Any, predicted: Any, counting: Mapping[str, Any]) -> Table:
    """The table that a function with such parameters works on; what is in `counting` are the options of labels."""
    for name in counting:
        if name not in OPTIONS:
            own = [p.name for p in signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
            raise no_option(function.__name__, name, [*own[1:], *OPTIONS])
    return table_of(function.__name__, t, {"real": real, "predicted": predicted, **counting})


def no_table(verb: str, t: Any) -> InformedError:
    """Why something is no table, and what to type."""
    named = f"{verb}(real=…, predicted=…)"
    if t is None:
        return TableError(f"`{verb}` needs a Table, or labels by name: {named}.")
    kind = f"A {type(t).__name__} is no Table"
    if isinstance(t, (str, PathLike)):
        return TableError(f"{kind}; read the file first: t = informed.read({text(str(t))}, real=…, predicted=…).")
    if hasattr(type(t), "columns"):
        return TableError(f"{kind}; count two of its columns first: t = informed.read(frame, real=…, predicted=…).")
    if hasattr(type(t), "table"):  # a tally, a report
        return TableError(f"{kind}; take the table that it holds (`table`).")
    if _dimensions(t) > 1:
        return TableError(f"{kind}; of counts make one: t = Table.from_counts(counts), rows predicted, columns real.")
    return LabelError(f"{kind}; labels go by name: {named}.")


def _dimensions(x: Any) -> int:
    try:
        return np.ndim(x)
    except ValueError:  # rows that are not equally long
        return 2
