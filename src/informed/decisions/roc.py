"""From scores to a curve: cases in memory, or the histogram that a source has counted."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, ratio
from informed.decisions.curve import Curve
from informed.decisions.scored_units import UnitColumn, scored_units, unit_column
from informed.errors import LabelError
from informed.evidence import checks as build
from informed.evidence.calls import explained
from informed.evidence.columns import column, floats
from informed.evidence.label_policy import LabelPolicy, Mask, Missing, encode
from informed.evidence.labels import Label, canonical, guess_positive, is_missing, some, text
from informed.evidence.scores import Scores

__all__ = ["curves", "numbers", "roc", "two_classes"]

Steps: TypeAlias = tuple[Array, Array, Array]  # thresholds, true and false positives


@explained
def roc(
    histogram: Scores | None = None,
    *,
    real: Any = None,
    score: Any = None,
    positive: Label | None = None,
    weights: ArrayLike | None = None,
    unit: Any = None,
    item: Any = None,
    missing: Missing = "error",
) -> Curve:
    """The ROC curve of a score: one table for each distinct score.

    Parameters
    ----------
    histogram
        What `informed.read(..., score=)` gives, instead of `real` and `score`.
    real, score
        Labels of two classes and one number a case; positive where score ≥ threshold.
    positive
        The class that high scores stand for. Of more than two classes, this one against the rest.
    weights
        One non-negative weight a case.
    unit, item
        What each case belongs to (a document, a patient), or the item that was scored several
        times and whose scores share its weight: errors are measured between these.
    missing
        What a missing label or score (NaN) does: raise, or "drop" the case. Scores do not abstain.

    >>> roc(real=["n", "y", "n", "y"], score=[0.1, 0.4, 0.35, 0.8], positive="y").auc
    1.0
    """
    if histogram is not None:
        if any(x is not None for x in (real, score, weights, unit, item)):
            raise LabelError("Give either a histogram of scores or `real` and `score`.")
        return _of_histogram(histogram, positive)
    if real is None or score is None:
        raise LabelError("`real` and `score` are both needed, one of each for every case.")
    held, _ = scored_cases(real, score, positive, weights, unit, item, missing)
    return curve_of_cases(**held)


def scored_cases(
    real: Any,
    score: Any,
    positive: Label | None,
    weights: ArrayLike | None,
    unit: Any,
    item: Any,
    missing: Missing,
    name: str = "score",
) -> tuple[dict[str, Any], Mask | None]:
    """The cases that a curve is made of, as `curve_of_cases` takes them, and which of those given they are where some
    were dropped; `name` is what scores are called."""
    labels, plus, is_positive, there = two_classes(real, positive, missing)
    values = numbers(score, len(is_positive), name)
    w = None if weights is None else floats(weights, "weights", len(values))
    units = unit_column(unit, item, len(values))
    lost, known = 0, None
    if missing == "drop":
        known = there & ~np.isnan(values)
        lost = int(len(known) - known.sum())
        values, is_positive = values[known], is_positive[known]
        w = None if w is None else w[known]
        units = None if units is None else units.where(known)
        if not len(values):
            raise LabelError(f"Every case lacks a label or a {name}; nothing is left.")

    if len(gone := np.flatnonzero(np.isnan(values))):
        cases = "1 case," if len(gone) == 1 else f"{len(gone):,} cases, the first"
        seen = f"`{name}` is NaN for {cases} at position {gone[0]} (counted from 0); every case needs a {name}"
        raise LabelError(f"{seen}. Drop those cases, or give them the {name} that they deserve.")
    held = {"values": values, "own": is_positive, "w": w, "given": units}
    return {**held, "labels": labels, "positive": plus, "missing": lost}, known


def curve_of_cases(values: Array, own: Mask, w: Array | None, given: UnitColumn | None, **said: Any) -> Curve:
    """The curve of scored cases, with their units where they have them."""

    def curve(steps: Steps, **more: Any) -> Curve:
        thresholds, tp, fp = map(build.frozen, steps)
        return Curve(thresholds, tp, fp, **said, **more)

    if w is None and given is None:
        return curve(_counted(values, own))
    if given is None:
        assert w is not None
        steps, squares = _weighted(values, own, w, w**2)
        return curve(steps, squares=squares)

    _, step = np.unique(-values, return_inverse=True)
    units = scored_units(step, own, w, given)
    w, each = units.weight, units.size[units.unit] if units.single else units.weight
    steps, squares = _weighted(values, own, w, w * each)
    plain_cases = not units.single and (w == 1).all()
    return curve(steps, squares=None if plain_cases else squares, units=units)


def curves(histogram: Scores, positive: Label | None = None) -> dict[Any, Curve]:
    """A curve for each group of a histogram that was read `by` something."""
    if len(histogram.axes) != 1:
        raise LabelError(f"The scores have {len(histogram.axes)} axes of groups; 1 is needed.")
    return {name: _of_counts(histogram, histogram.counts[i], i, positive) for i, name in enumerate(histogram.axes[0])}


# ---------------------------------------------------------------------- from cases


def two_classes(
    real: Any, positive: Label, missing: Missing = "error"
) -> tuple[tuple[Hashable, Hashable], Hashable, Mask, Mask]:
    """The two labels, the positive one, who has it, and who has a label at all."""
    held = column(real, "real")
    if not len(held):
        raise LabelError("`real` is empty; at least one case is needed.")
    if missing == "abstain":
        raise LabelError("A score cannot abstain: use `missing='error'` or `missing='drop'`.")
    low, high = int(held.codes.min()), int(held.codes.max())
    if high - low > 1:
        held = held.dense()
        low, high = 0, len(held.names or ()) - 1
    keys = np.arange(low, high + 1)  # few: labels far apart were numbered

    # The label policy sees every label once, with the number of its cases.
    side = held.side(keys)
    n = np.ones(len(keys))
    if any(map(is_missing, side.raw)):
        n = np.bincount(held.codes - low, minlength=len(keys)).astype(np.float64)
    policy = LabelPolicy(missing=missing)
    found = encode([side], policy, n=n, names=["real"], where=lambda _: held.missing())

    labels = found.labels
    plus = _positive(labels, positive)
    mine = keys[[not lost and labels[at] == plus for at, lost in zip(found.places[0], found.lost, strict=True)]]
    is_positive = held.codes == mine[0] if len(mine) == 1 else np.isin(held.codes, mine)
    there = ~np.isin(held.codes, keys[found.lost])
    if len(labels) != 2:
        labels = (plus, f"not {plus}" if len(labels) > 2 or plus in labels else labels[0])
    return (labels[0], labels[1]), plus, is_positive, there


def _positive(labels: tuple[Hashable, ...], positive: Label) -> Hashable:
    if positive is not None:
        named = [label for label in labels if label == canonical(positive) or str(label) == str(positive)]
        if not named and len(labels) > 1:
            raise LabelError(f"`positive` is {text(positive)}; the classes are {some(labels)}.")
        return named[0] if named else canonical(positive)
    if len(labels) > 2:
        raise LabelError(
            f"There are the classes {some(labels)}, and a curve is of two.",
            "give `positive=` for one against the rest",
            "use `informed.decisions.multiclass.multiclass` for all",
        )
    found = guess_positive(labels if len(labels) == 2 else (labels[0], ""))
    if found is None and len(labels) == 2:
        raise LabelError(f"Which of {some(labels)} do high scores stand for? Give `positive=`.")
    return "+" if found is None else found


def numbers(score: Any, length: int, name: str = "score") -> Array:
    if isinstance(score, (str, bytes, Mapping)):
        raise LabelError(f"`{name}` is {text(score)}; one number a case is needed.")
    if not any(hasattr(score, x) for x in ("__array__", "__len__", "__iter__")):
        raise LabelError(f"`{name}` is {text(score)}; one number a case is needed.")
    held = score if hasattr(score, "__array__") or hasattr(score, "__len__") else list(score)
    array = np.asarray(held)
    if array.ndim == 2 and array.shape[1] == 2:
        raise LabelError(f"`{name}` has two columns; give the one of the positive class, as in {name}[:, 1].")
    if array.shape != (length,):
        single = " A single column becomes scores with `ravel()`." if array.shape == (length, 1) else ""
        raise LabelError(f"`{name}` has shape {array.shape} for {length} cases; one each is needed.{single}")
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise LabelError(f"`{name}` holds {text(array[0])}; numbers are needed.") from None
    if array.dtype.kind in "iu" and max(-int(array.min()), int(array.max())) > 2**53:
        raise LabelError(f"`{name}` holds whole numbers beyond 2^53, which floats cannot tell apart.")
    return np.asarray(array, dtype=np.float64)


def _counted(values: Array, is_positive: Mask) -> Steps:
    """Two sorts of numbers, both in vector instructions, are several times faster than one sort
    that carries the labels along."""
    ranked = np.sort(values)
    above = np.sort(values[is_positive])
    n, p = len(ranked), len(above)
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    if len(starts) < n:
        ranked = ranked[starts]
    thresholds, tp, fp = np.zeros((3, len(starts) + 1))
    thresholds[0], thresholds[1:] = np.inf, ranked[::-1]
    np.subtract(p, np.searchsorted(above, ranked)[::-1], out=tp[1:])
    np.subtract(n, starts[::-1], out=fp[1:])
    fp -= tp
    return thresholds, tp, fp


def _weighted(values: Array, is_positive: Mask, weights: Array, squares: Array) -> tuple[Steps, tuple[Array, Array]]:
    """The same of weighted cases, and their squared weights, cumulated in the same way."""
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    ends = np.flatnonzero(np.concatenate([ranked[1:] != ranked[:-1], [True]]))

    def cumulated(w: Array, own: Mask) -> Array:
        return np.concatenate([[0.0], np.cumsum(np.where(own, w, 0.0)[order])[ends]])

    (tp, fp), (p2, n2) = ((cumulated(w, is_positive), cumulated(w, ~is_positive)) for w in (weights, squares))
    return (np.concatenate([[np.inf], ranked[ends]]), tp, fp), (build.frozen(p2), build.frozen(n2))


# ---------------------------------------------------------------------- from histograms


def _of_histogram(histogram: Scores, positive: Label) -> Curve:
    if not isinstance(histogram, Scores):
        raise LabelError(
            f"A {type(histogram).__name__} was given; give `real=` and `score=` by name, or the "
            "histogram that `informed.read(..., score=)` makes."
        )
    if histogram.counts.ndim != 2:
        raise LabelError("These scores are in groups: use `informed.decisions.roc.curves`.")
    return _of_counts(histogram, histogram.counts, ..., positive)


def _of_counts(histogram: Scores, counts: Array, where: Any, positive: Label) -> Curve:
    labels = tuple(histogram.labels)
    plus = _positive(labels, histogram.positive if positive is None else positive)
    own = np.array([label == plus for label in labels])

    def cumulated(held: Array) -> tuple[Array, Array]:
        sides = (np.cumsum(held[::-1, these].sum(axis=1)) for these in (own, ~own))
        tp, fp = (build.frozen(np.concatenate([[0.0], x])) for x in sides)
        return tp, fp

    tp, fp = cumulated(counts)
    tied = float(np.dot(np.diff(tp), np.diff(fp)))
    two = labels if len(labels) == 2 else (plus, f"not {plus}")
    return Curve(
        thresholds=build.frozen(np.concatenate([[np.inf], histogram.thresholds[::-1]])),
        tp=tp,
        fp=fp,
        labels=(two[0], two[1]),
        positive=plus,
        exact=histogram.exact,
        auc_error=0.0 if histogram.exact else float(ratio(tied, 2 * tp[-1] * fp[-1])),
        squares=None if histogram.squares is None else cumulated(histogram.squares[where]),
        missing=histogram.missing,
    )
