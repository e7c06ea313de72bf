"""What users have (labels of several systems on the same items) as `Paired` numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import LabelError
from informed.evidence.checks import positive_of
from informed.evidence.columns import Column, column, floats
from informed.evidence.labels import canonical, check_kinds, is_missing, ordered, some, text
from informed.evidence.paired import Paired

Codes = NDArray[np.int64]


def paired(
    real: Any,
    predictions: Any,
    *,
    names: Sequence[Hashable] | None = None,
    items: Any = None,
    abstain: Any = None,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
) -> Paired:
    """Answers of several systems to the same items, from any containers.

    `predictions` are a mapping from a system's name to its labels, a data frame with a column for
    each system, or an array of integers (items x systems) in which -1 is no answer. Where `real`
    and each system's labels are mappings from item to label, an item that a system does not have
    is an abstention, and one that `real` does not have is an error.
    """
    if isinstance(predictions, Paired):
        return predictions
    if items is not None:
        _check_ids(items)
    if isinstance(predictions, np.ndarray) and predictions.ndim == 2:
        return _from_array(real, predictions, names, items, labels, positive)
    if hasattr(predictions, "columns") and not isinstance(predictions, Mapping):
        predictions = {name: predictions[name] for name in predictions.columns}
    if not isinstance(predictions, Mapping):
        raise LabelError(
            f"`predictions` is a {type(predictions).__name__}; a mapping from each system's name "
            "to its labels is needed, or an array of integers (items x systems)."
        )
    if len(predictions) == 0:
        raise LabelError("`predictions` names no system; two at least are needed.")
    if isinstance(real, Mapping):
        real, predictions, items = _joined(real, predictions)
    return _from_columns(real, predictions, items, abstain, labels, positive)


def weighed(p: Paired, weights: Any, cluster: Any) -> Paired:
    """The same answers, with a weight and a cluster for each item."""
    if weights is not None:
        w = floats(weights, "weights", len(p))
        if not w.sum() > 0:
            raise LabelError("`weights` are all 0; some item must count.")
        p = replace(p, weights=w)
    if cluster is not None:
        given = column(cluster, "cluster").dense()
        if len(given) != len(p):
            raise LabelError(f"`cluster` has {len(given)} entries for {len(p)} items.")
        codes, names = _numbered(given)
        if (codes < 0).any():
            raise LabelError("An item belongs to no cluster; each must belong to one.")
        if len(names) < 2:
            raise LabelError("There is one cluster; how clusters differ takes two at least.")
        p = replace(p, cluster=codes)
    return p


def _check_ids(items: Any) -> None:
    seen: set[Any] = set()
    for item in items:
        if item in seen:
            raise LabelError(
                f"The item {text(item)} appears more than once; each item needs an id of its own."
            )
        seen.add(item)


def _joined(
    real: Mapping[Any, Any], predictions: Mapping[Any, Any]
) -> tuple[list[Any], dict[Any, list[Any]], list[Any]]:
    items = list(real)
    aligned: dict[Any, list[Any]] = {}
    for name, answers in predictions.items():
        if not isinstance(answers, Mapping):
            raise LabelError(
                f"`real` is a mapping from items to labels, and the predictions of "
                f"{text(name)} are not; give both in the same form."
            )
        unknown = [item for item in answers if item not in real]
        if unknown:
            raise LabelError(
                f"System {text(name)} answers {len(unknown)} item(s) that have no real label "
                f"({some(unknown)}); systems are compared on the same items."
            )
        aligned[name] = [answers.get(item) for item in items]
    return [real[item] for item in items], aligned, items


def _from_columns(
    real: Any,
    predictions: Mapping[Any, Any],
    items: Any,
    abstain: Any,
    labels: Sequence[Any] | None,
    positive: Any,
) -> Paired:
    given = column(real, "real")
    size = len(given)
    truth, truths = _numbered(given)
    lost = truth < 0
    if size == 0 or lost.any():
        raise LabelError(
            "`real` is empty."
            if size == 0
            else f"{int(lost.sum())} of {size} items have no real label; leave them out first."
        )
    if items is not None and len(items) != size:
        raise LabelError(f"`items` has {len(items)} ids for {size} real labels.")
    silent = set() if abstain is None else {canonical(x) for x in _listed(abstain)}
    columns: list[tuple[Codes, list[Hashable]]] = []
    for name, answers in predictions.items():
        one = column(answers, f"predictions[{name!r}]")
        if len(one) != size:
            raise LabelError(
                f"System {text(name)} has {len(one)} predictions for {size} items; systems are "
                "compared on the same items, in the same order."
            )
        columns.append(_numbered(one, silent))
    answered = [set(np.asarray(known, object)[np.unique(c[c >= 0])]) for c, known in columns]
    guesses = set().union(*answered)
    check_kinds(truths, guesses)
    universe = _universe(truths, guesses, labels)
    place = {label: i for i, label in enumerate(universe)}
    codes = np.empty((size, len(columns)), np.int64)
    for s, (c, known) in enumerate(columns):
        codes[:, s] = _places(c, known, place)
    return _checked(
        Paired(
            real_codes=_places(truth, truths, place),
            codes=codes,
            labels=universe,
            names=tuple(predictions),
            items=None if items is None else tuple(items),
            positive=positive_of(universe, universe, positive),
        )
    )


def _from_array(
    real: Any,
    codes: NDArray[Any],
    names: Sequence[Hashable] | None,
    items: Any,
    labels: Sequence[Any] | None,
    positive: Any,
) -> Paired:
    truth = np.asarray(real)
    if codes.dtype.kind not in "biu" or truth.dtype.kind not in "biu":
        raise LabelError(
            "An array of predictions (items x systems) and its `real` must hold integers, -1 for "
            "no answer; give labels of other kinds as a mapping from each system's name."
        )
    if truth.shape != codes.shape[:1]:
        raise LabelError(
            f"`predictions` has {codes.shape[0]} rows for {truth.size} real labels; one row for "
            "each item is needed."
        )
    if truth.size == 0 or (truth < 0).any() or (codes < -1).any():
        raise LabelError("Codes must be 0 or more, or -1 for no answer; real labels have no -1.")
    if names is not None and len(names) != codes.shape[1]:
        raise LabelError(f"{len(names)} names were given for {codes.shape[1]} systems.")
    largest = int(max(truth.max(), codes.max(initial=0)))
    if labels is not None and largest >= len(labels):
        raise LabelError(f"The code {largest} is beyond the {len(labels)} labels.")
    known = tuple(range(max(2, largest + 1))) if labels is None else tuple(map(canonical, labels))
    systems = range(codes.shape[1]) if names is None else names
    return _checked(
        Paired(
            real_codes=truth.astype(np.int64),
            codes=codes.astype(np.int64, copy=False),
            labels=known,
            names=tuple(systems),
            items=None if items is None else tuple(items),
            positive=positive_of(known, known, positive),
        )
    )


def _checked(p: Paired) -> Paired:
    if len(set(p.names)) != len(p.names):
        raise LabelError(f"Two systems have the same name among {some(p.names)}.")
    if (p.real_codes == p.real_codes[0]).all():
        raise LabelError(
            f"Every item is really {text(p.labels[p.real_codes[0]])}; with one real class nothing "
            "can be told from guessing."
        )
    return p


def _numbered(given: Column, silent: set[Hashable] | None = None) -> tuple[Codes, list[Hashable]]:
    """Numbers of the canonical labels of a column, -1 where there is none."""
    dense = given.dense()
    index: dict[Hashable, int] = {}
    numbers = []
    for raw in dense.names or []:
        missing = is_missing(raw) or (bool(silent) and canonical(raw) in (silent or ()))
        numbers.append(-1 if missing else index.setdefault(canonical(raw), len(index)))
    return np.asarray([*numbers, -1], np.int64)[dense.codes], list(index)


def _places(codes: Codes, known: list[Hashable], place: dict[Hashable, int]) -> Codes:
    return np.asarray([*(place.get(label, -1) for label in known), -1], np.int64)[codes]


def _universe(
    truths: list[Hashable], guesses: set[Hashable], labels: Sequence[Any] | None
) -> tuple[Hashable, ...]:
    together = dict.fromkeys([*truths, *guesses])
    if labels is None:
        return ordered(together)
    known = tuple(canonical(x) for x in labels)
    outside = [x for x in together if x not in known]
    if outside:
        raise LabelError(f"The labels {some(outside)} are not among `labels`.")
    return known


def _listed(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (list, tuple, set, frozenset)) else [x]
