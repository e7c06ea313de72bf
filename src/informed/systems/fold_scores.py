"""Scores of systems over folds as people have them: arrays, mappings, frames, and what `cross_validate` returns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.systems.fold_designs import Parts, parts_of_scores

TIMES = ("fit_time", "score_time")
WANTED = (
    "one number for each fold and system is needed, such as "
    '{"new": [0.71, 0.64], "old": [0.55, 0.6]}; or answers of several systems, as `informed.read` reads '
    "them, with `fold`."
)


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores ``(folds, systems)`` with the names of the systems, and what is known of the folds."""

    values: Array
    names: tuple[Hashable, ...]
    parts: Parts


def fold_scores(given: Any, repeat: Any, names: Sequence[Hashable] | None) -> FoldScores:
    """Read scores of systems over folds, and what they show of the folds.

    >>> fold_scores({"a": [0.7, 0.6], "b": [0.5, 0.5]}, None, None).values.tolist()
    [[0.7, 0.5], [0.6, 0.5]]
    """
    held, own, called, parts = _columns(given, repeat)
    x = checked_scores(held)
    if names is None and not own and x.shape[1] > x.shape[0]:
        raise InferenceError(
            f"`scores` has {x.shape[0]} rows (folds) and {x.shape[1]} columns (systems). If the rows are systems, "
            "give `folds(scores.T)`; if there are more systems than folds, name them: `folds(scores, names=[…])`."
        )
    systems = named_systems(own if names is None else names, x)
    return FoldScores(x, systems, parts or parts_of_scores(called or range(len(x)), repeat))


def named_systems(names: Sequence[Hashable] | None, x: Array) -> tuple[Hashable, ...]:
    """The names of the systems, or their numbers."""
    known = tuple(range(x.shape[1])) if names is None else tuple(names)
    if len(known) != x.shape[1]:
        raise InferenceError(f"{len(known)} names were given for {x.shape[1]} systems.")
    return known


def checked_scores(scores: Any) -> Array:
    """Scores as numbers ``(folds, systems)``, all of them defined."""
    try:
        x = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError(f"`scores` must be numbers: {WANTED}") from None
    if x.ndim == 3:
        raise InferenceError(
            f"`scores` has shape {x.shape}; (folds, systems) is needed. Scores of (repeats, folds, systems) are given "
            "as `folds(scores.reshape(-1, scores.shape[2]), repeat=scores.shape[0])`."
        )
    if x.ndim != 2 or x.shape[0] < 2 or x.shape[1] < 2:
        raise InferenceError(
            f"`scores` has shape {x.shape}; two folds and two systems at least are needed, as (folds, systems)."
        )
    lost = ~np.isfinite(x).all(axis=1)
    if lost.any():
        raise InferenceError(
            f"{int(lost.sum())} of {len(x)} folds have an undefined or infinite score; "
            "every system needs one on every fold."
        )
    return x


def _columns(scores: Any, repeat: Any) -> tuple[Any, Sequence[Hashable] | None, Sequence[Hashable], Parts | None]:
    """Scores as an array, with the names of systems and folds that a mapping or a frame has."""
    names = tuple(scores) if isinstance(scores, Mapping) else getattr(scores, "columns", None)
    if names is None or callable(names):
        return scores, None, (), None
    _refuse_one_result(names)
    if isinstance(scores, Mapping):
        parts = _shared_folds(scores) if repeat is None else None
        each = {name: _one_row(name, _of_result(name, x), repeat) for name, x in scores.items()}
        lengths = {name: x.size for name, x in each.items()}
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"{name} {n}" for name, n in lengths.items())
            raise InferenceError(f"The systems have scores of different numbers of folds: {said}.")
        return np.array(list(each.values())).T, names, (), parts
    index = getattr(scores, "index", None)  # of pandas, where it is more than row numbers
    folds_ = () if index is None or type(index).__name__ == "RangeIndex" else tuple(index)
    return scores.to_numpy(), tuple(names), folds_, None


def _refuse_one_result(names: Sequence[Hashable]) -> None:
    """Refuse what `cross_validate` (or a search) returned for one system, whose columns are no systems."""
    columns = [str(name) for name in names]
    timed = [name for name in columns if name in TIMES]
    if timed or any(name.startswith("split0_test_") for name in columns):
        source = "`cross_validate` returned for one system" if timed else "a search kept in `cv_results_`"
        raise InferenceError(
            f"`scores` has the columns {', '.join(columns[:4])}: this is what {source}. Give the test scores of each "
            'system: `folds({"a": result_a["test_score"], "b": result_b["test_score"]})`, or the results by name.'
        )


def _of_result(name: Hashable, x: Any) -> Any:
    """The test scores of one system, from its scores or from what `cross_validate` returned for it."""
    keys = _keys_of(x)
    if keys is None:
        return x
    tests = [key for key in keys if str(key).startswith("test_")]
    if len(tests) == 1:
        return x[tests[0]]
    said = ", ".join(map(str, keys)) or "nothing"
    raise InferenceError(
        f"The result of {name} holds {said}: one test score is needed. Choose it for every system, as in "
        f'`folds({{name: result["{tests[0] if tests else "test_score"}"] for name, result in results.items()}})`.'
    )


def _keys_of(x: Any) -> tuple[Any, ...] | None:
    """The keys of a mapping or the columns of a frame."""
    if isinstance(x, Mapping):
        return tuple(x)
    names = getattr(x, "columns", None)
    return None if names is None or callable(names) else tuple(names)


def _one_row(name: Hashable, x: Any, repeat: Any) -> Array:
    """The scores of one system in a row; of a table of repeats × folds only where `repeat` says which is which."""
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError(f"The scores of {name} must be numbers: {WANTED}") from None
    if values.ndim > 2:
        raise InferenceError(f"The scores of {name} have shape {values.shape}; one number for each fold is needed.")
    if values.ndim == 2 and min(values.shape) > 1:
        several = getattr(repeat, "n_repeats", repeat)
        asked = isinstance(several, (int, np.integer)) and int(several) in values.shape
        if not asked and np.shape(repeat) != values.shape:
            rows, columns = values.shape
            raise InferenceError(
                f"The scores of {name} have shape {values.shape}. If each row is one repeat of cross-validation with "
                f"{columns} folds, give `folds(scores, repeat={rows})`; if each column is one repeat with {rows} "
                f"folds, give `folds(scores, repeat={columns})`."
            )
    return values.ravel()


def _shared_folds(scores: Mapping[Hashable, Any]) -> Parts | None:
    """The folds that results with `return_indices=True` hold; all systems must have been run over the same."""
    held = [x["indices"]["test"] for x in scores.values() if isinstance(x, Mapping) and "indices" in x]
    if not held or len(held) < len(scores):
        return None
    first = held[0]
    for name, other in zip(scores, held, strict=True):
        if len(other) != len(first) or not all(map(np.array_equal, first, other)):
            raise InferenceError(
                f"{next(iter(scores))} and {name} were run over different folds, so that their scores are not pairs. "
                "Give both the same splitter with a fixed seed: `cross_validate(model, X, y, cv=KFold(10, "
                "shuffle=True, random_state=0))`."
            )
    trained = next(iter(scores.values()))["indices"]["train"]
    sizes = np.array([(len(test), len(train)) for test, train in zip(first, trained, strict=True)], dtype=np.float64)
    times = np.bincount(np.concatenate(first))
    return Parts(tuple(range(len(first))), times[times > 0], tested=float((sizes[:, 0] / sizes.sum(axis=1)).mean()))
