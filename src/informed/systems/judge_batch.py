"""A batch that a judge saw whole and people saw in part: its true rate, and what the judge was worth."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, plain
from informed._numbers import count, percent, plural, rate, span
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.inference.answers import Interval
from informed.inference.given import Rng, standard_normal
from informed.inference.proportions import mid_p
from informed.results import Note, Records, picked, plain_dict, warning
from informed.systems.judge_both import Drift
from informed.systems.judge_planning import (
    GoldNeeded,
    NextLabels,
    allocated,
    checked_more,
    checked_reach,
    drawn,
    gold_needed,
)
from informed.systems.judge_result import Judged, saved_note
from informed.systems.judge_strata import carried, shares_of, worth
from informed.systems.judged_batch import Batch
from informed.systems.row_units import BY_CHANCE, row_effects, stretched

FEW = 5  # labels of a verdict below which it is said
REACH = 0.02  # how far limits are wanted to reach, unless told
MORE = 50  # labels that are asked for next, unless told
PILOT = 50  # labels below which the next are drawn in the verdicts' shares, as their rates are hardly known
RANDOM = Note(
    "The labelled cases must be a random part of the batch, or random within each verdict; hand-picked ones make the "
    "rate wrong.",
    code="random-labels",
)
OWN = ("informedness", "markedness")
OWN_TWO = ("recall", "fallout", *OWN)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgedBatch(Judged):
    """The rate of a batch that people labelled in part, beside what the judge and the labels alone would say."""

    page = "judged_batch"

    target: str  # "system", or this "batch" of its cases
    apparent_low: Any  # limits of what the judge says, as if it were right
    apparent_high: Any
    people: Any  # the rate of the labelled cases alone
    people_low: Any
    people_high: Any
    saving: Any  # share of labels that the judge saves: its informedness times its markedness
    n_eff: Any  # labels without a judge that tell as much
    labelled: int
    judge: dict[str, Interval]  # recall, fallout, informedness, markedness of the judge itself, corrected
    batch: Batch
    drift: Drift | None = None  # whether the judge was the same elsewhere, where that was asked for
    _rate: Any = None  # with half a case of each kind more, for plans
    _stretch: Any = 1.0  # how much farther limits reach because of units

    # ------------------------------------------------------------------ what it holds

    def records(self) -> Records:
        """One row a class whose rate it is: of two, the positive one."""
        beside = "apparent apparent_low apparent_high people people_low people_high saving n_eff:count"
        return Records.picked(
            self,
            f"label:label=_rated estimate low high {beside} labelled:count n:count level method:words "
            "design:words target:words",
        )

    def verdict_records(self) -> Records:
        """One row a verdict: its cases, its labelled ones, and the share of each class among them."""
        b = self.batch
        p = np.stack([shares_of(x, b.labelled) for x in b.gold.T], axis=1)
        at = range(len(b.labels)) if self.positive is None else [b.labels.index(self.positive)]
        columns = {"verdict": "label", "cases": "count", "labelled": "count"}
        columns |= {f"share really {b.labels[g]}": "number" for g in at}
        seen = b.labelled > 0
        rows = [
            (named(x), int(m), int(n), *(float(p[h, g]) if seen[h] else None for g in at))
            for h, (x, m, n) in enumerate(zip(b.verdicts, b.cases, b.labelled, strict=True))
        ]
        return Records.of(columns, rows)  # type: ignore[arg-type]

    def judge_records(self) -> Records:
        """The judge's own rates on the whole batch, corrected for which cases were labelled."""
        rows = [(name, *(float(x) for x in (i.estimate, i.low, i.high))) for name, i in self.judge.items()]
        return Records.of("measure:words estimate low high", rows)

    def panel_records(self) -> Records:
        """Of a panel, each judge: what it says, and the share of labels that it alone would save."""
        rows = []
        for name, b in (self.batch.each or {}).items():
            alone = judged_batch(b, self.level, self.target)
            own = alone.judge.get("informedness")
            limits = (np.nan,) * 3 if own is None else (own.estimate, own.low, own.high)
            rows.append((name, float(alone.apparent), *map(float, limits), float(alone.saving)))
        return Records.of("judge:label apparent informedness informedness_low informedness_high saving", rows)

    def to_dict(self) -> dict[str, Any]:
        """The rates by label, what the judge is worth, and what to label next."""
        wanted = [
            "estimate",
            "low",
            "high",
            "apparent",
            "apparent_low",
            "apparent_high",
            "people",
            "people_low",
            "people_high",
            "saving",
            "n_eff",
        ]
        held: dict[str, Any] = {"rates": self.records().select("label", *wanted).by("label")}
        held |= picked(self, "design target n labelled level method")
        held["judge"] = self.judge_records().by("measure")
        held["verdicts"] = self.verdict_records()
        if self.batch.each:
            held["panel"] = self.panel_records()
        if self.drift is not None:
            held["drift"] = self.drift
        held["labels_needed"] = self.labels_needed(REACH)
        held["next_labels"] = self.next_labels(MORE).records() if self.labelled < (self.n or 0) else []
        return plain_dict({**held, "notes": self.notes})

    def sentence(self) -> str:
        """The rate, what the judge and the labels alone say, and what the labels are worth."""
        if self.positive is None:
            each = [
                f"{text(x['label'])} {rate(x['estimate'])} {span(x['low'], x['high'])}" for x in self.records().dicts()
            ]
            return f"The true rates are {', '.join(each)}; {self.worth_sentence()}"
        limits = f"{rate(self.estimate)} {span(self.low, self.high)}"
        who = "most of the judges say" if self.batch.each else "the judge says"
        said = "" if np.isnan(self.apparent) else f"{who} {rate(self.apparent)} and "
        alone = f"people alone {'' if said else 'say '}{rate(self.people)} {span(self.people_low, self.people_high)}"
        return f"The true rate of {text(self.positive)} is {limits}, where {said}{alone}; {self.worth_sentence()}"

    def worth_sentence(self) -> str:
        """What the labels did with this judge."""
        did = [count(round(float(x))) for x in np.atleast_1d(self.n_eff)]
        work = did[0] if len(set(did)) == 1 else f"{', '.join(did[:-1])} and {did[-1]}"
        return f"{plural(self.labelled, 'label')} did the work of {work}"

    # ------------------------------------------------------------------ what to do next

    def labels_needed(self, reach: float = REACH) -> GoldNeeded:
        """Random gold labels with which the interval reaches this far each way; of several classes, the most."""
        checked_reach(reach)
        own = reach if self.design != "both" else self._reach_here(reach)
        each = zip(*(np.atleast_1d(x) for x in (self._rate, self.saving, self._stretch)), strict=True)
        how: dict[str, Any] = {"batch": float(self.n or 0), "level": self.level, "target": self.target}
        found = [gold_needed(own, rate=float(m), saving=float(c), stretch=float(k), **how) for m, c, k in each]
        held = [x for x in found if x is not None]
        if len(held) < len(found):
            return GoldNeeded(reach, self.labelled, None, None)
        needed = max(held)
        return GoldNeeded(reach, self.labelled, needed, max(needed - self.labelled, 0))

    def _reach_here(self, reach: float) -> float:
        """How far the labels of this batch must reach alone where those elsewhere tell the rest."""
        b, z = self.batch, standard_normal(self.level)
        m, _, n = (x[b.labels.index(self.positive)] for x in worth(b.gold.T, b.labelled, b.cases, self.target))
        elsewhere = self.n_eff / (self.estimate * (1 - self.estimate)) - n / (m * (1 - m))
        left = (z / reach) ** 2 - max(float(elsewhere), 0.0)
        return min(float(z / np.sqrt(left)), 1.0) if left > 0 else 1.0

    def next_labels(self, more: int = MORE, *, rng: Rng = None) -> NextLabels:
        """How many answers of each verdict to label next, and which ones where the columns are known.

        As many as make the rate known best, at random inside each verdict; `rng` draws them.
        """
        b = self.batch
        q = (b.gold + 0.5) / (b.labelled + 1)[:, None]
        at = range(len(b.labels)) if self.positive is None else [b.labels.index(self.positive)]
        spread = np.sqrt(sum(q[:, g] * (1 - q[:, g]) for g in at)) if self.labelled >= PILOT else np.ones(len(b.cases))
        wanted = allocated(b.cases, b.labelled, np.asarray(spread), checked_more(more))
        rows = None if b.rows is None else drawn(b.rows.stratum, b.rows.gold, wanted, rng)
        cases, labelled, more_ = (tuple(int(i) for i in x) for x in (b.cases, b.labelled, wanted))
        return NextLabels(tuple(map(named, b.verdicts)), cases, labelled, more_, rows)


def named(verdict: Hashable) -> Hashable:
    """A verdict as it is called where there may be none."""
    return "no verdict" if verdict is None else verdict


# ---------------------------------------------------------------------- how it is found


@dataclass(frozen=True, eq=False)
class _Rates:
    """Rates of the classes of a batch, (classes,)."""

    b: Batch
    level: float
    target: str

    @cached_property
    def found(self) -> tuple[Array, Array, Array]:
        """Estimates and limits."""
        b = self.b
        value, low, high = carried(b.gold.T, b.labelled, b.cases, self.level, self.target)
        k = self.stretch
        return value, np.clip(value - k * (value - low), 0, 1), np.clip(value + k * (high - value), 0, 1)

    @cached_property
    def stretch(self) -> Array:
        """How much farther limits reach because rows belong to units."""
        b = self.b
        if b.unit is None or b.rows is None:
            return np.ones(len(b.labels))
        p = np.stack([shares_of(x, b.labelled) for x in b.gold.T], axis=1)
        at, g = b.rows.stratum, b.rows.gold
        known = g >= 0
        each = [row_effects(g == c, p[:, c], at, known, b.cases, b.labelled) for c in range(len(b.labels))]
        return np.array([stretched(phi, b.rows.unit, known, self.level) for phi in each])

    @cached_property
    def alone(self) -> tuple[Array, Array, Array]:
        """Of the labelled cases alone, as if they were a random part."""
        b = self.b
        rows = None if b.rows is None else replace(b.rows, stratum=np.zeros_like(b.rows.stratum))
        one = replace(b, cases=b.cases.sum(keepdims=True), gold=b.gold.sum(axis=0, keepdims=True), rows=rows)
        return _Rates(one, self.level, self.target).found

    @cached_property
    def apparent(self) -> tuple[Array, Array, Array]:
        """What the judge says, as if it were right."""
        b, called = self.b, self.b.called
        if called is None or not called.sum():
            return (np.full(len(b.labels), np.nan),) * 3
        n = called.sum()
        value = called / n
        if self.target == "batch":
            return value, value, value
        low, high = mid_p(called, np.full(called.shape, n), self.level)
        if b.unit is not None and b.rows is not None and b.said is not None:
            said = b.said[b.rows.stratum]
            told = said >= 0
            unit = np.unique(b.rows.unit[told], return_inverse=True)[1]
            every = np.ones(len(unit), bool)
            k = [stretched((said[told] == c).astype(float), unit, every, self.level) for c in range(len(b.labels))]
            low, high = value - k * (value - low), value + k * (high - value)
        return value, np.clip(low, 0, 1), np.clip(high, 0, 1)


def judged_batch(given: Batch, level: float, target: str) -> JudgedBatch:
    """The rates of a batch, and all that stands beside them."""
    if given.labelled.sum() < 2:
        raise InferenceError(f"{plural(int(given.labelled.sum()), 'case')} with a gold label; two at least are needed.")
    b = given.merged()
    rates = _Rates(b, level, target)
    before = _Rates(given, level, target)  # verdicts as the judge gave them
    middle, saving, n_eff = worth(b.gold.T, b.labelled, b.cases, target)

    wanted = slice(None) if b.positive is None else b.labels.index(b.positive)

    def of(several: tuple[Array, ...]) -> list[Any]:
        return [plain(np.asarray(x)[wanted]) for x in several]

    estimate, low, high = of(rates.found)
    said, said_low, said_high = of(before.apparent)
    alone, alone_low, alone_high = of(before.alone)
    held, saved, worth_, k = of((middle, saving, n_eff / rates.stretch**2, rates.stretch))
    own, own_notes = _itself(given, level)
    return JudgedBatch(
        estimate=estimate,
        low=low,
        high=high,
        level=level,
        method="mid-p, carried over",
        design="same batch",
        labels=b.labels,
        positive=b.positive,
        apparent=said,
        n=int(b.cases.sum()),
        target=target,
        apparent_low=said_low,
        apparent_high=said_high,
        people=alone,
        people_low=alone_low,
        people_high=alone_high,
        saving=saved,
        n_eff=worth_,
        labelled=int(b.labelled.sum()),
        judge=own,
        batch=b,
        notes=(*_notes(b, saved, worth_, alone), *own_notes),
        _rate=held,
        _stretch=k,
    )


def _itself(b: Batch, level: float) -> tuple[dict[str, Interval], list[Note]]:
    """The judge's own rates, from the labelled cases weighted by verdict."""
    if b.said is None:
        said = "The verdicts are no gold classes: they sort the cases, and the judge has no rate of its own."
        return {}, [Note(said, code="verdicts-sort")]
    v = b.judge_itself()
    if v is None:
        gone = [x for x, n in zip(b.labels, b.gold.sum(axis=0), strict=True) if n == 0]
        if gone:
            said = f"No labelled case is really {text(gone[0])}: how the judge does on such cases is not known."
            return {}, [Note(said, code="unseen-class")]
        return {}, [Note("The judge says the same of every case, and tells nothing.", code="one-verdict")]
    return {name: v.interval(name, level) for name in (OWN_TWO if len(b.labels) == 2 else OWN)}, []


# ---------------------------------------------------------------------- what must be known


def _notes(b: Batch, saving: Any, n_eff: Any, alone: Any) -> list[Note]:
    notes = [RANDOM, *b.notes, saved_note(int(b.labelled.sum()), saving, n_eff)]
    share = b.labelled / np.fmax(b.cases, 1)
    names = [text(named(x)) if isinstance(x, str) else str(named(x)) for x in b.verdicts]
    if b.by_chance < BY_CHANCE:
        each = ", ".join(f"{percent(x)} of those called {y}" for x, y in zip(share, names, strict=True))
        would = "" if np.ndim(alone) else f"; the labelled cases alone would say {rate(alone)}"
        notes.append(warning(f"Labelled by verdict ({each}): weighted accordingly{would}.", "by-verdict"))
    for name, n, all_ in zip(names, b.labelled, b.cases, strict=True):
        if n == 0 and all_ > 0:
            said = f"No case called {name} is labelled: its rate is left open."
            notes.append(warning(said, "unlabelled-verdict"))
        elif n < FEW and n < all_:
            notes.append(Note(f"Few labels among those called {name}: {count(n)} of {count(all_)}.", code="few"))
    if b.unit is not None and b.rows is not None:
        said = f"{plural(int(b.rows.unit.max()) + 1, b.unit)}; errors are measured between them."
        notes.append(Note(said, code="units"))
    return notes
