"""What folds are: parts of one data set, repeats of that, seeds, or data sets of their own.

Which number answers the question of a comparison follows from it, and nothing else is shown first.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed.errors import InferenceError, one_of
from informed.evidence.columns import column
from informed.evidence.counting import axis_of
from informed.evidence.paired import Paired
from informed.results import Note, warning

Design = Literal["partition", "repeated", "decoding-seeds", "training-seeds", "data-sets"]
DESIGN_WORDS: dict[str, str] = {  # what is averaged over
    "partition": "folds",
    "repeated": "folds of repeated cross-validation",
    "decoding-seeds": "seeds of decoding",
    "training-seeds": "seeds of training",
    "data-sets": "data sets",
}
DESIGNS: tuple[Design, ...] = ("partition", "repeated", "decoding-seeds", "training-seeds", "data-sets")
METHODS = ("auto", "items", "corrected-t", "crossed", "friedman")

OVERLAP = (
    "Folds of repeated cross-validation overlap: tests that take them for independent find a difference half of the "
    "time where there is none."
)
UNTOLD = (
    "{} items are more than once in the same fold: folds of one name are taken for one fold. Where they are of several "
    "repeats, name these (`repeat`)."
)
SEEDS = (
    "Every item is in every fold, so that the folds are taken for seeds of training; where one model answered again, "
    "the design is decoding-seeds."
)
RETRAINING = (
    "Items are compared as these models answered them; how much another training would change is left out, and for "
    "unstable learners up to 11 % of such tests at 5 % find a difference where there is none."
)
CAUTIOUS = "Over the folds of one partition the corrected t is cautious: 1 to 3 % false alarms at 5 %."
FEW_SEEDS = 5
HALF = 0.5  # more than half of the items are in no test set of cross-validation


@dataclass(frozen=True, eq=False)
class Parts:
    """The folds of answers, and how items lie in them."""

    names: tuple[Hashable, ...]
    times: NDArray[np.int64]  # in how many folds each item is
    at: NDArray[np.int64] | None = None  # the fold of each answer
    recurring: str = ""  # units whose rows are the same in every fold, though nobody said that they are one item
    scattered: int = 0  # units that are in several folds
    twice: int = 0  # items that are in a fold more than once

    @property
    def repeats(self) -> int:
        """How often an item was predicted."""
        return int(self.times.max())

    @property
    def crossed(self) -> bool:
        """Whether every item is in every fold."""
        return self.at is not None and len(self.names) > 1 and bool((self.times == len(self.names)).all())

    @property
    def share(self) -> float:
        """Of the items that a fold tests on."""
        return float(self.times.mean()) / len(self.names)


def parts_of(p: Paired, fold: Any, repeat: Any, item: NDArray[np.int64]) -> Parts:
    """Folds of paired answers, from columns that were kept or values for each answer."""
    keys = [values_of(p, x, name) for x, name in ((repeat, "repeat"), (fold, "fold")) if x is not None]
    each = list(zip(*keys, strict=True)) if len(keys) > 1 else list(keys[0])
    at, names = axis_of(column([str(x) for x in each] if len(keys) > 1 else each, "fold").side())
    (of, _), again = np.unique(np.stack([item, at]), axis=1, return_counts=True)
    times, twice = np.bincount(of), len(np.unique(of[again > 1]))
    if p.unit is None or p.items is not None or p.item is not None:
        return Parts(names, times, at, twice=twice)
    rows = np.ravel(np.unique(np.stack([p.unit, p.real_codes]), axis=1, return_inverse=True)[1])  # 2.0 has two axes
    often = np.bincount(rows * len(names) + at, minlength=(int(rows.max()) + 1) * len(names)).reshape(-1, len(names))
    same = len(names) > 1 and bool((often == often[:, :1]).all())
    lie = np.bincount(np.unique(np.stack([p.unit, at]), axis=1)[0])
    return Parts(names, times, at, p.unit_name if same else "", int((lie > 1).sum()), twice)


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


def design_of(design: Design | None, parts: Parts) -> Design:
    """The design that was stated, or the one that items and repeats show."""
    if design is None:
        return _shown(parts)
    one_of("design", design, DESIGNS, InferenceError)
    if design == "partition" and parts.repeats > 1:
        raise InferenceError(
            f"Each item is in {parts.repeats} folds, so that they are no partition; `design='repeated'` is for them."
        )
    if design == "repeated" and parts.crossed:
        raise InferenceError("Every item is in every fold: these are seeds, and no repeats of cross-validation.")
    return design


def _shown(parts: Parts) -> Design:
    """The design that the items show; where they may show two, which of them is for the user to say."""
    if parts.recurring:
        raise InferenceError(
            f"Every {parts.recurring} has the same rows in each of the {len(parts.names)} folds: name the `item` if "
            "these are its answers, or say by `design` what the folds are: training-seeds, decoding-seeds or partition."
        )
    if parts.crossed:
        return "training-seeds"
    if parts.repeats == 1:
        return "partition"
    if parts.at is not None and parts.share > HALF:
        often, items = np.unique(parts.times, return_counts=True)
        seen = [f"{n:,} items are in {k} folds" for k, n in zip(often[::-1], items[::-1], strict=True)]
        repeats = f" {UNTOLD.format(f'{parts.twice:,}')}" if parts.twice else ""
        raise InferenceError(
            f"{', '.join(seen[:4])}{', …' if len(seen) > 4 else ''}; say by `design` what the folds are: "
            f"decoding-seeds or training-seeds.{repeats}"
        )
    return "repeated"


def leading(design: Design, method: str, has_items: bool) -> str:
    """The method that leads: the one asked for, or the right one for the question."""
    one_of("method", method, METHODS, InferenceError)
    if method == "friedman" and design != "data-sets":
        why = OVERLAP if design == "repeated" else "Folds and seeds of one data set are not independent of each other."
        raise InferenceError(f"{why} Friedman's test is for several data sets (`design='data-sets'`).")
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


def notes_of(design: Design, method: str, parts: Parts, stated: bool = True) -> tuple[Note, ...]:
    """What the design, which was stated or not, leaves out, or makes of the folds."""
    notes, n, has_items = [], len(parts.names), parts.at is not None
    if parts.scattered and design in ("partition", "repeated"):
        said = (
            f"{parts.scattered:,} units are in several folds, so that training has seen the units that it is tested on."
        )
        notes.append(warning(said, "shared-units"))
    if design == "repeated" and parts.twice:
        notes.append(warning(UNTOLD.format(f"{parts.twice:,}"), "same-fold"))
    if design == "repeated":
        notes.append(Note(OVERLAP, code="overlapping-folds"))
    if design == "training-seeds" and not stated:
        notes.append(Note(SEEDS, code="taken-for-seeds"))
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
