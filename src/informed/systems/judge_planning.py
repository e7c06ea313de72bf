"""How many gold labels a judged batch still takes, and which answers to label next."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from informed._arrays import Array
from informed._numbers import count, plural
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.evidence.units import Ints
from informed.inference.given import Rng, checked_level, generator, standard_normal
from informed.results import Note, Records, Result
from informed.systems.judge_strata import TARGETS

DRAWN_AT_RANDOM = Note(
    "Label all that were drawn: what is left out because it is hard makes the rate wrong.", code="label-all-drawn"
)


def gold_needed(
    reach: float,
    *,
    rate: float,
    saving: float,
    batch: float,
    level: float = 0.95,
    target: str = "system",
    stretch: float = 1.0,
) -> int | None:
    """Random gold labels with which the interval reaches this far each way; None where the batch is too small.

    Parameters
    ----------
    rate
        The rate that is expected.
    saving
        The share of labels that the judge saves: its informedness times its markedness.
    batch
        Judged cases in all.
    stretch
        By how much farther limits reach because cases belong to units.

    >>> [gold_needed(h, rate=0.7, saving=0.48, batch=2000) for h in (0.05, 0.04, 0.03, 0.02)]
    [182, 299, 594, None]
    """
    checked_reach(reach)
    for name, share in (("rate", rate), ("saving", saving)):
        if not 0 <= share <= 1:
            raise InferenceError(f"`{name}` is {share}; it is a share from 0 to 1, such as 0.7.")
    if not batch >= 1 or not stretch > 0:
        wrong = f"`batch` is {batch}; it is a number of cases" if not batch >= 1 else f"`stretch` is {stretch}"
        raise InferenceError(f"{wrong}, above 0.")
    z = standard_normal(checked_level(level)) * stretch
    wanted = reach**2 / (z**2 * rate * (1 - rate)) if 0 < rate < 1 else np.inf
    room = wanted + (1 - saving) / batch if target == TARGETS[1] else wanted - saving / batch
    if room <= 0 or (1 - saving) / room > batch:
        return None
    return ceil((1 - saving) / room - 1e-9)


@dataclass(frozen=True, repr=False)
class GoldNeeded(Result):
    """Random gold labels for an interval that reaches so far each way."""

    reach: float
    labelled: int  # there are already
    needed: int | None  # in all; None where no number of labels is enough
    more: int | None

    def records(self) -> Records:
        """One row; what cannot be reached is empty."""
        row = (self.reach, self.labelled, self.needed, self.more)
        return Records.of("reach labelled:count needed:count more:count", [row])

    def sentence(self) -> str:
        """How many more, or that no number is enough."""
        if self.more is None:
            return f"For ±{self.reach:g}, labels of all cases of this batch are not enough; judge more cases."
        if self.more == 0:
            return f"The {count(self.labelled)} labels are enough for ±{self.reach:g}."
        needed = f"{plural(self.more, 'more random label')} ({count(self.needed or 0)} in all)"
        return f"{needed} would make it ±{self.reach:g}."


@dataclass(frozen=True, eq=False, repr=False)
class NextLabels(Result):
    """How many answers of each verdict to label next, and which, where the answers are known."""

    verdicts: tuple[Hashable, ...]
    cases: tuple[int, ...]
    labelled: tuple[int, ...]
    more: tuple[int, ...]
    rows: tuple[int, ...] | None = None  # positions of the answers that were drawn, in the order of the columns
    notes: tuple[Note, ...] = field(default=(DRAWN_AT_RANDOM,))

    def records(self) -> Records:
        """One row a verdict."""
        each = zip(self.verdicts, self.cases, self.labelled, self.more, strict=True)
        return Records.of("verdict:label cases:count labelled:count more:count", each)

    def sentence(self) -> str:
        """How many of each verdict."""
        wanted = [(text(x), n) for x, n in zip(self.verdicts, self.more, strict=True) if n]
        if not wanted:
            return "Every answer is labelled."
        each = " and ".join(f"{count(n)} called {x}" for x, n in wanted)
        return f"Label {each}, drawn at random."


def allocated(cases: Array, labelled: Array, spread: Array, more: int) -> Ints:
    """Labels to add to each sort so that the rate is known best (Neyman 1934), never fewer than it has.

    >>> allocated(np.array([1227, 773]), np.array([184, 116]), np.array([0.27, 0.45]), 100)
    array([11, 89])
    """
    wanted = min(float(labelled.sum()) + more, float(cases.sum()))
    size = cases * np.fmax(spread, 1e-12)

    def at(times: float) -> Array:
        return np.clip(times * size, labelled, cases)

    low, high = 0.0, float((cases / size)[cases > 0].max())
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle).sum() < wanted else (low, middle)
    exact = np.clip(at(high) - labelled, 0, None)

    whole = np.floor(exact + 1e-9)
    left = round(wanted - float(labelled.sum()) - float(whole.sum()))
    room = np.where(whole + labelled < cases, exact - whole, -1.0)
    whole[np.argsort(-room, kind="stable")[:left]] += 1
    return np.asarray(whole, np.int64)


def drawn(stratum: Ints, gold: Ints, more: Ints, rng: Rng) -> tuple[int, ...]:
    """Positions of so many answers of each sort that have no label, at random inside each."""
    source = generator(rng)
    found = [source.choice(np.flatnonzero((stratum == h) & (gold < 0)), n, replace=False) for h, n in enumerate(more)]
    return tuple(sorted(int(i) for part in found for i in part))


def checked_reach(reach: float) -> float:
    """How far limits are to reach, refused where no share does."""
    if not 0 < reach <= 1:
        raise InferenceError(f"`reach` is {reach}; it must be above 0 and at most 1, such as 0.02.")
    return reach


def checked_more(more: int) -> int:
    """A whole number of labels, one at least."""
    if isinstance(more, bool) or int(more) != more or more < 1:
        raise InferenceError(f"`more` is {more}; it is how many answers to label next, such as 50.")
    return int(more)
