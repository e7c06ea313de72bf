"""What folds are: parts of one data set, repeats of that, seeds, or data sets of their own.

Which number answers the question of a comparison follows from it, and nothing else is shown first.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed.errors import InferenceError
from informed.evidence.columns import column
from informed.evidence.counting import axis_of
from informed.evidence.paired import Paired
from informed.results import Note, warning

Design = Literal["partition", "repeated", "decoding-seeds", "training-seeds", "data-sets"]
DESIGNS: tuple[Design, ...] = ("partition", "repeated", "decoding-seeds", "training-seeds", "data-sets")
METHODS = ("auto", "items", "corrected-t", "crossed", "friedman")

OVERLAP = "Folds of repeated cross-validation overlap; p-values over them would be wrong half of the time."
RETRAINING = (
    "Items are compared as these models answered them; how much another training would change is left out, and for "
    "unstable learners up to 10 % of such tests at 5 % find a difference where there is none."
)
CAUTIOUS = "Over the folds of one partition the corrected t is cautious: 1 to 2 % false alarms at 5 %."
FEW_SEEDS = 5


@dataclass(frozen=True, eq=False)
class Parts:
    """The folds of answers, and how items lie in them."""

    at: NDArray[np.int64]  # the fold of each answer
    names: tuple[Hashable, ...]
    repeats: int  # how often each item was predicted
    crossed: bool  # whether every item is in every fold


def parts_of(p: Paired, fold: Any, repeat: Any, item: NDArray[np.int64]) -> Parts:
    """Folds of paired answers, from columns that were kept or values for each answer."""
    keys = [values_of(p, x, name) for x, name in ((repeat, "repeat"), (fold, "fold")) if x is not None]
    each = list(zip(*keys, strict=True)) if len(keys) > 1 else list(keys[0])
    at, names = axis_of(column([str(x) for x in each] if len(keys) > 1 else each, "fold").side())
    held = np.unique(np.stack([item, at]), axis=1)
    times = np.bincount(held[0])
    return Parts(at, names, int(times.max()), len(names) > 1 and bool((times == len(names)).all()))


def values_of(p: Paired, given: Any, name: str) -> Sequence[Any]:
    """A value for each answer, from the name of a column that was kept or as they were given."""
    if isinstance(given, str):
        if given not in p.kept:
            raise InferenceError(
                f"`{name}` is {given!r}; kept with the items are {', '.join(map(repr, p.kept)) or '–'}."
            )
        return p.kept[given]
    if len(given) != len(p):
        raise InferenceError(f"`{name}` has {len(given)} values for {len(p)} answers.")
    return list(given)


def repeats_of(repeat: Any, n: int) -> int:
    """How often cross-validation was repeated, from a number or the repeat of each fold."""
    if repeat is None:
        return 1
    if isinstance(repeat, (int, np.integer)):
        sizes = [n // int(repeat)] * int(repeat) if repeat > 0 and n % int(repeat) == 0 else []
    else:
        _, counts = np.unique(np.asarray([str(x) for x in repeat]), return_counts=True)
        sizes = counts.tolist() if counts.sum() == n else []
    if not sizes or len(set(sizes)) > 1:
        raise InferenceError(f"`repeat` does not part {n} folds into repeats of as many folds each.")
    return len(sizes)


def design_of(design: Design | None, repeats: int, crossed: bool) -> Design:
    """The design that was stated, or the one that items and repeats show."""
    if design is None:
        return "training-seeds" if crossed else "partition" if repeats == 1 else "repeated"
    if design not in DESIGNS:
        raise InferenceError(f"`design` is {design!r}; it can be {', '.join(DESIGNS)}.")
    if design == "partition" and repeats > 1:
        raise InferenceError(f"Each item is in {repeats} folds, so that they are no partition; design='repeated'.")
    return design


def leading(design: Design, method: str, has_items: bool) -> str:
    """The method that leads: the one asked for, or the right one for the question."""
    if method not in METHODS:
        raise InferenceError(f"`method` is {method!r}; it can be {', '.join(METHODS)}.")
    if method == "friedman" and design != "data-sets":
        why = OVERLAP if design == "repeated" else "Folds and seeds of one data set are not independent of each other."
        raise InferenceError(f"{why} Friedman's test is for several data sets (design='data-sets').")
    if method in ("items", "crossed") and not has_items:
        raise InferenceError(f"{method!r} needs the answers themselves (what `read(item=)` gives) with `fold=`.")
    if method != "auto":
        return method
    return {
        "data-sets": "friedman",
        "repeated": "corrected-t",
        "partition": "items" if has_items else "corrected-t",
        "decoding-seeds": "items" if has_items else "seeds-t",
        "training-seeds": "crossed" if has_items else "seeds-t",
    }[design]


def notes_of(design: Design, method: str, n: int, has_items: bool) -> tuple[Note, ...]:
    """What the design leaves out, or makes of the folds."""
    notes = []
    if design == "repeated":
        notes.append(Note(OVERLAP, code="overlapping-folds"))
    if design == "partition" and method == "items":
        notes += [Note(RETRAINING, code="no-retraining"), Note(CAUTIOUS, code="cautious-t")]
    elif design == "partition":
        notes.append(Note(CAUTIOUS, code="cautious-t"))
    if method == "seeds-t":
        said = "Without the answers only seeds are seen as a sample: it speaks of these items, not of others like them."
        notes.append(warning(said, "these-items"))
    if design == "training-seeds" and n < FEW_SEEDS:
        said = f"{n} seeds say little of how much training varies; five at least are better."
        notes.append(Note(said, code="few-seeds"))
    if design == "data-sets" and n < 10:
        notes.append(Note(f"Friedman's χ² is rough with {n} data sets; the F form is better.", code="few-folds"))
    if design in ("partition", "repeated") and not has_items:
        said = "Give the answers themselves with `fold=` for the comparison on items."
        notes.append(Note(said, code="no-items"))
    return tuple(notes)
