"""The difference of two systems whose answers one judge graded, and people some of them, as a result.

A judge's own difference is B·Δ and, where it errs differently for the two, whatever it favours one of them by. The
difference here is right however wrong the judge is; beside it stand the judge's, how far off that is, and its favour.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar

from informed._numbers import percent, plural, probability, signed, span
from informed.errors import InferenceError
from informed.evidence.shown import system_name
from informed.inference.answers import Ranged
from informed.results import Note, Records, Result, picked, plain_dict, warning
from informed.systems.judge_planning import GoldNeeded
from informed.systems.judge_result import saved_note
from informed.systems.judged_sorts import FEWEST, JudgedPair
from informed.systems.row_units import labelled_alike

REACH = 0.05  # how far the limits of a difference are wanted to reach, unless told
RANDOM = Note(
    "The labelled items must be a random part of all, or random among those of each judged outcome; hand-picked "
    "ones make the difference wrong.",
    code="random-labels",
)
LARGE = Note("The interval of the judge's favour is that of a large sample.", code="large-sample")


@dataclass(frozen=True, repr=False)
class JudgeError(Ranged):
    """How far a judge's difference of two systems is off: what it says minus what is true; or its favour for the
    first, the part of it that is because equally good answers of the two get different verdicts."""

    estimate: float
    low: float
    high: float
    pvalue: float  # of a judge without it
    level: float = 0.95

    @property
    def found(self) -> bool:
        """Whether its interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, eq=False, repr=False)
class JudgedDifference(Result):
    """The difference of two systems' true rates, that of a judge, and what it favours one of them by."""

    page = "judged_systems"
    kinds: ClassVar[Any] = {"estimate": "signed", "low": "signed", "high": "signed", "judged": "signed"}

    names: tuple[Hashable, Hashable]
    estimate: float
    low: float
    high: float
    pvalue: float
    judged: float  # the difference of what the judge says
    judged_low: float  # its interval, as if the judge were right
    judged_high: float
    error: JudgeError  # the judged difference minus the true one
    favour: JudgeError  # what of it is favour for the first; the rest is that differences are blurred
    rates: tuple[float, float]  # the true rates
    judged_rates: tuple[float, float]
    positive: Hashable
    n: tuple[int, int]  # items of each; the same ones where they are paired
    labelled: tuple[int, int]  # answers of each with a gold label
    labels_alone: float  # the difference on the labelled items
    labels_alone_low: float  # its interval, as if they were a random part
    labels_alone_high: float
    saving: float  # share of the labels that the judge saves
    n_eff: float  # labels without a judge that would tell as much
    paired: bool = True
    pairs: int | None = None  # items with the gold labels of both, where they are paired
    level: float = 0.95
    method: str = "stratified"
    adjusted: float | None = None  # the p-value adjusted for several systems
    notes: tuple[Note, ...] = field(default=())

    def records(self) -> Records:
        """One row: the difference, and what the judge says."""
        parts = [
            f"{name}:signed={name}.estimate {name}_low:signed={name}.low {name}_high:signed={name}.high "
            f"{name}_pvalue:p={name}.pvalue"
            for name in ("error", "favour")
        ]
        signed_ones = "estimate low high judged judged_low judged_high labels_alone labels_alone_low labels_alone_high"
        first, *others = (f"{name}:signed" for name in signed_ones.split())
        wanted = " ".join(["a:label=names.0 b:label=names.1", first, *others[:2], "pvalue:p", *others[2:], *parts])
        return Records.picked(self, f"{wanted} saving n_eff:count level method:words")

    def to_dict(self) -> dict[str, Any]:
        """The difference, the error and the favour of the judge, and what each system has."""
        held = picked(self, "names positive estimate low high pvalue adjusted judged judged_low judged_high")
        held |= {name: picked(getattr(self, name), "estimate low high pvalue") for name in ("error", "favour")}
        more = "rates judged_rates n labelled labels_alone labels_alone_low labels_alone_high"
        return plain_dict({**held, **picked(self, f"{more} saving n_eff paired pairs level method notes")})

    def labels_needed(self, reach: float = REACH) -> GoldNeeded:
        """Items labelled at random, both answers, with which the interval of the difference reaches this far each way.

        It is read off the present interval, of which the part that labels make shrinks with their number.
        """
        if not self.paired or self.pairs is None:
            raise InferenceError("Systems on different items have labels each; `judge` tells how many each rate takes.")
        if not reach > 0:
            raise InferenceError(f"`reach` is {reach}; it must be above 0, such as 0.02.")
        n, items = self.pairs, max(self.n)
        left, kept = (1 - self.saving) / n, self.saving / items
        room = (2 * reach / (self.high - self.low)) ** 2 * (left + kept) - kept
        if room <= 0 or (1 - self.saving) / room > items:
            return GoldNeeded(reach, n, None, None)
        needed = ceil((1 - self.saving) / room - 1e-9)
        return GoldNeeded(reach, n, needed, max(needed - n, 0))

    def sentence(self) -> str:
        """Who is better by how much, and what the judge would have said."""
        a, b = (system_name(x) for x in self.names)
        limits = f"{signed(self.estimate)} {span(self.low, self.high)}"
        if self.low <= 0 <= self.high:
            who = f"{a} and {b} are not told apart: their true rates differ by {limits}"
        else:
            better, worse = (a, b) if self.estimate > 0 else (b, a)
            who = f"{better} is better than {worse}: {limits} ({a} minus {b})"
        whom = a if self.favour.estimate > 0 else b
        favours = f", because it favours {whom}" if self.favour.found and self.error.found else ""
        return f"{who}, {probability(self.pvalue)}; the judge says {signed(self.judged)}{favours}"

    def favour_sentence(self) -> str:
        """How far off the judge's difference is, and whether that is because it favours one of them."""
        f, (a, b) = self.favour, (system_name(x) for x in self.names)
        off = f"{signed(self.error.estimate)} {span(self.error.low, self.error.high)}"
        limits = f"{signed(f.estimate)} {span(f.low, f.high)}, {probability(f.pvalue)}"
        if f.found:
            who = a if f.estimate > 0 else b
            return (
                f"The judge favours {who}: equally good answers of the two get different verdicts, which adds {limits} "
                f"to {a} minus {b}. Its difference is off by {off} in all."
            )
        unseen = f"that it favours {a} or {b} is not seen: {limits}"
        if self.error.found:
            return f"The judge's difference is off by {off}, because it blurs what is different; {unseen}."
        return f"That the judge's difference is off is not seen: {off}; and {unseen}."


def pair_notes(p: JudgedPair, found: dict[str, Any], one_only: int) -> list[Note]:
    """What must be known of a difference on the same items."""
    notes = [RANDOM, saved_note(int(p.known.sum()), found["saving"], found["n_eff"])]
    if one_only:
        said = f"{plural(one_only, 'item')} with a gold label of one system only count as not labelled."
        notes.append(Note(said, code="one-labelled"))
    if not labelled_alike(p.sort, p.known, p.weight):
        alone = f"{signed(found['labels_alone'])}"
        said = f"Labelled by verdict ({_shares(p)}): weighted accordingly; the labelled items alone would say {alone}."
        notes.append(warning(said, "by-verdict"))
    if p.joined:
        calls = " and ".join({-1: "a loss", 1: "a win"}[x] for x in p.joined)
        said = (
            f"Fewer than {FEWEST} items that the judge calls {calls} are labelled: they count with those it calls more "
            "even."
        )
        notes.append(warning(said, "joined"))
    if not (p.known & (p.judged == 0)).any() and (p.judged == 0).any():
        notes.append(
            warning("No item that the judge calls even is labelled: what is true of them is left open.", "few")
        )
    return notes


def _shares(p: JudgedPair) -> str:
    """How many of each judged outcome are labelled."""
    kinds = (("wins", p.judged > 0), ("losses", p.judged < 0), ("evens", p.judged == 0))
    return ", ".join(f"{percent(float(p.known[on].mean()))} of judged {name}" for name, on in kinds if on.any())
