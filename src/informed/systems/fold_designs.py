"""What folds are: parts of one data set, repeats of that, seeds, or data sets of their own.

Which number answers the question of a comparison follows from it, and nothing else is shown first.
"""

from __future__ import annotations

import re
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
MOST_FOLDS = 10  # of one partition, where nothing but their number is known
READERS = re.compile(
    r"(?:^|_)(?:reader|rater|radiologist|pathologist|physician|doctor|observer|annotator|examiner|expert)s?(?:_|$)"
)
SEED_COLUMNS = re.compile(r"(?:^|_)(?:seed|random_state|training|retraining)s?(?:_|$)")
OVER_READERS = (
    "{} names readers of the same cases. Readers are no seeds of training: conclusions about other readers need an "
    "analysis of multiple readers and cases (MRMC, such as Obuchowski and Rockette's, in the R package MRMCaov), which "
    "this library does not have. For conclusions about these readers alone give `item` and `design='decoding-seeds'`."
)
TAKEN = (
    "{} scores for each system are taken for the folds of one cross-validation. If the cross-validation was repeated, "
    "give the number of repeats as `repeat`: without it, equal systems differ significantly far too often."
)
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
    tested: float | None = None  # share of the cases that a fold tests on, where the times do not show it
    untold: bool = False  # nothing shows which folds hold the same cases
    column: str = ""  # what the column of the folds is called

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
        return self.tested if self.tested is not None else float(self.times.mean()) / len(self.names)


def parts_of(p: Paired, fold: Any, repeat: Any, item: NDArray[np.int64]) -> Parts:
    """Folds of paired answers, from columns that were kept or values for each answer."""
    keys = [values_of(p, x, name) for x, name in ((repeat, "repeat"), (fold, "fold")) if x is not None]
    each = list(zip(*keys, strict=True)) if len(keys) > 1 else list(keys[0])
    at, names = axis_of(column([str(x) for x in each] if len(keys) > 1 else each, "fold").side())
    (of, _), again = np.unique(np.stack([item, at]), axis=1, return_counts=True)
    times, twice = np.bincount(of), len(np.unique(of[again > 1]))
    if p.items is not None or p.item is not None:
        return Parts(names, times, at, twice=twice)
    if p.unit is None:
        return Parts(names, times, at, twice=twice, untold=repeat is None)
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
    if is_splitter(given) or not hasattr(given, "__len__"):
        raise InferenceError(
            f"`{name}` is {given!r}; beside answers it is a value for each answer, or the name of a column that was "
            "kept."
        )
    if len(given) != len(p):
        raise InferenceError(f"`{name}` has {len(given)} values for {len(p)} answers.")
    return list(given)


def is_splitter(x: Any) -> bool:
    """Whether this is a splitter of scikit-learn, such as RepeatedStratifiedKFold."""
    return callable(getattr(x, "get_n_splits", None))


def parts_of_scores(names: Sequence[Hashable], repeat: Any) -> Parts:
    """Folds of which only their number is known, and how often cross-validation was repeated.

    `repeat` is a number, the repeat of each fold, or the splitter that made the folds.
    """
    n = len(names)
    if repeat is None:
        return Parts(tuple(names), np.array([1]), untold=True)
    if is_splitter(repeat):
        return _parts_of_splitter(tuple(names), repeat)
    if isinstance(repeat, (int, np.integer)):
        sizes = [n // int(repeat)] * int(repeat) if repeat > 0 and n % int(repeat) == 0 else []
    else:
        _, counts = np.unique(np.ravel(np.asarray(repeat, dtype=str)), return_counts=True)
        sizes = counts.tolist() if counts.sum() == n else []
    if not sizes or len(set(sizes)) > 1:
        raise InferenceError(
            f"`repeat` does not part {n} folds into repeats of as many folds each. It is the number of repeats, such "
            "as 10 for 50 scores of 5 folds, or the repeat of each fold."
        )
    return Parts(tuple(names), np.array([len(sizes)]))


def _parts_of_splitter(names: tuple[Hashable, ...], splitter: Any) -> Parts:
    """What a splitter of scikit-learn says of its folds."""
    kind, n = type(splitter).__name__, len(names)
    try:
        made = int(splitter.get_n_splits())
    except (TypeError, ValueError):  # it needs the data, such as LeaveOneOut
        made = n
    if made != n:
        raise InferenceError(f"{kind} makes {made} folds, and each system has {n} scores.")
    if hasattr(splitter, "n_repeats"):
        return parts_of_scores(names, int(splitter.n_repeats))
    if "Shuffle" in kind:
        share = splitter.test_size if splitter.test_size is not None else getattr(splitter, "_default_test_size", None)
        if not isinstance(share, float):
            raise InferenceError(
                f"{kind} tests on {share} cases in each split. Give their share of all cases instead of the splitter: "
                "`folds(scores, design='repeated', test_share=0.1)`."
            )
        return Parts(names, np.array([2]), tested=share)  # twice or more: test sets that overlap
    if "KFold" in kind or kind.startswith(("LeaveOne", "Predefined")):
        return Parts(names, np.array([1]))
    raise InferenceError(f"What the folds of {kind} share is not known: give the number of repeats as `repeat`.")


def design_of(design: Design | None, parts: Parts, test_share: float | None = None) -> Design:
    """The design that was stated, or the one that items and repeats show."""
    if READERS.search(parts.column) and design in (None, "training-seeds"):
        raise InferenceError(OVER_READERS.format(parts.column))
    if design is None:
        return _shown(parts)
    one_of("design", design, DESIGNS, InferenceError)
    if design == "partition" and parts.repeats > 1:
        raise InferenceError(
            f"Each item is in {parts.repeats} folds, so that they are no partition; `design='repeated'` is for them."
        )
    if design == "repeated" and parts.at is None and parts.untold and test_share is None:
        raise InferenceError(
            f"How often was the cross-validation repeated that gave {len(parts.names)} scores? Give the number of "
            "repeats as `repeat`, or the share of the cases that each fold tests on as `test_share`."
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
        if SEED_COLUMNS.search(parts.column):
            return "training-seeds"
        raise InferenceError(
            f"Every item is in each of the {len(parts.names)} folds; say what the folds are: `design='training-seeds'` "
            "if the system was trained again for each; `design='decoding-seeds'` if one model answered again. Readers "
            "of the same cases are neither: conclusions about other readers need Obuchowski and Rockette's analysis "
            "(MRMC), and decoding-seeds compares for these readers alone."
        )
    if parts.untold and len(parts.names) > MOST_FOLDS:
        raise InferenceError(_asked_of_many(parts))
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


def _asked_of_many(parts: Parts) -> str:
    """What many folds may be, with a line to copy for each."""
    n = len(parts.names)
    if parts.at is not None:
        return (
            f"{n} folds are more than one cross-validation has as a rule. If it was repeated, name the item of each "
            "answer (`item`) or its repeat (`repeat`); if each answer is of another item, give `design='partition'`."
        )
    likely = [k for k in (5, 10) if n % k == 0 and n > k]
    again = "".join(f"`folds(scores, repeat={n // k})` for {n // k} repeats of {k} folds; " for k in likely)
    return (
        f"{n} scores for each system are more than one cross-validation has as a rule, and repeated ones overlap. Say "
        f"what they are: {again}`folds(scores, repeat=cv)` with the splitter that made them; `folds(scores, repeat=1)` "
        f"for one partition into {n} folds; or `design='training-seeds'` or `design='data-sets'`."
    )


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
        if parts.untold and not stated and not has_items:
            notes.append(warning(TAKEN.format(n), "taken-for-partition"))
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
