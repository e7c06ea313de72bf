"""What users have (labels of several systems on the same items) as `Paired` numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import LabelError
from informed.evidence.checks import positive_of
from informed.evidence.columns import column, floats
from informed.evidence.counting import check_lengths, numbered
from informed.evidence.label_order import Labels
from informed.evidence.label_policy import LabelPolicy, Mask, Missing, encode, given_labels
from informed.evidence.labels import some, text
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
    missing: Missing | None = None,
    weights: Any = None,
    unit: Any = None,
) -> Paired:
    """Answers of several systems to the same items, from any containers.

    `predictions` are a mapping from a system's name to its labels, a data frame with a column for
    each system, or an array of integers (items x systems) in which -1 is no answer. Where `real`
    and each system's labels are mappings from item to label, they are joined: an item that `real`
    does not have is an error, and one that a system does not have is `missing`, which is then
    "abstain" unless something else is given. Otherwise a missing label is an error.
    """
    if isinstance(predictions, Paired):
        return weighed(predictions, weights, unit)
    if items is not None:
        _check_ids(items)
    if isinstance(predictions, np.ndarray) and predictions.ndim == 2:
        coded = _from_array(real, predictions, names, items, labels, positive)
        return _checked(weighed(coded, weights, unit))
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
        missing = missing or "abstain"
    policy = LabelPolicy(labels, abstain, missing or "error")
    found, lost = _from_columns(real, predictions, items, policy, positive)
    found = weighed(found, weights, unit)
    return _checked(found.where(~lost) if lost.any() else found)


def weighed(p: Paired, weights: Any, unit: Any) -> Paired:
    """The same answers, with a weight and a unit for each item."""
    if weights is not None:
        w = floats(weights, "weights", len(p))
        if not w.sum() > 0:
            raise LabelError("`weights` are all 0; some item must count.")
        p = replace(p, weights=w)
    if unit is not None:
        given = column(unit, "unit").side()
        if len(given.codes) != len(p):
            raise LabelError(f"`unit` has {len(given.codes)} entries for {len(p)} items.")
        p = replace(p, unit=numbered(given))
    return p


def _check_ids(items: Any) -> None:
    again = [item for item, times in Counter(items).items() if times > 1]
    if again:
        raise LabelError(f"The item {text(again[0])} appears more than once; each item needs an id of its own.")


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
    real: Any, predictions: Mapping[Any, Any], items: Any, policy: LabelPolicy, positive: Any
) -> tuple[Paired, Mask]:
    """The answers to all items, and which of these are to be left out."""
    named = {"real": real} | {f"predictions[{name!r}]": x for name, x in predictions.items()}
    columns = {name: column(x, name) for name, x in named.items()}
    check_lengths({name: len(x) for name, x in columns.items()})
    held = encode([x.side() for x in columns.values()], policy, names=list(columns))
    if items is not None and len(items) != len(held.lost):
        raise LabelError(f"`items` has {len(items)} ids for {len(held.lost)} real labels.")

    found = Paired(
        real_codes=held.places[0],
        codes=np.stack(held.places[1:], axis=1),
        labels=held.labels,
        names=tuple(predictions),
        items=None if items is None else tuple(items),
        positive=positive_of(held.labels, held.labels, positive),
        missing=int(held.lost.sum()),
        stated=held.stated,
        unsaid=held.unsaid,
    )
    return found, held.lost


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
            f"`predictions` has {codes.shape[0]} rows for {truth.size} real labels; one row for each item is needed."
        )
    if truth.size == 0 or (truth < 0).any() or (codes < -1).any():
        raise LabelError("Codes must be 0 or more, or -1 for no answer; real labels have no -1.")
    if names is not None and len(names) != codes.shape[1]:
        raise LabelError(f"{len(names)} names were given for {codes.shape[1]} systems.")
    largest = int(max(truth.max(), codes.max(initial=0)))
    if labels is not None and largest >= len(labels):
        raise LabelError(f"The code {largest} is beyond the {len(labels)} labels.")
    known: Labels = tuple(range(max(2, largest + 1)))
    known = known if labels is None else given_labels(labels)
    systems = range(codes.shape[1]) if names is None else names
    return Paired(
        real_codes=truth.astype(np.int64),
        codes=codes.astype(np.int64, copy=False),
        labels=known,
        names=tuple(systems),
        items=None if items is None else tuple(items),
        positive=positive_of(known, known, positive),
        stated=None if labels is None else "given",
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
