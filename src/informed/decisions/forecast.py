"""What probabilities of two classes are worth to a bettor: growth, skill, calibration, and the worth at a cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, percent, percents, plural, probability, rate, span
from informed.decisions.costs import DecisionCurve, costs_of, decision_curve
from informed.decisions.curve import Curve
from informed.decisions.probability_draws import Bins, Drawn, Told, drawn
from informed.decisions.probability_notes import notes_of
from informed.decisions.probability_rules import BRIER, LOG, Parts, Rule, acting_from, mean_score, parts_of
from informed.decisions.probability_spread import growth_interval, mean_interval, skill_interval, undefined
from informed.decisions.reliability import Reliability, reliability
from informed.evidence.labels import text
from informed.inference.answers import Interval, Test
from informed.inference.given import Rng
from informed.inference.intervals import interval
from informed.results import Gate, Note, Records, Result, picked, plain_dict

MEASURES = "measure:words estimate low high chance pvalue:p"
COSTS = 99  # at which the worth is drawn
NOT_PROPER = (
    "Sharpening probabilities to 0 and 1 raises soft_informedness, so that it must not be what they are chosen by."
)


@dataclass(frozen=True, repr=False)
class Worth(Result):
    """What acting from a probability on is worth at a cost; value is the share of what can be saved."""

    page = "probabilities"

    cost: str  # FN:FP
    threshold: float  # act where the probability is at least this
    expected_cost: float  # per case, in the units of the cost
    value: Interval  # of what perfect knowledge saves over the better constant answer
    net_benefit: Interval
    everyone: float  # net benefit of acting always
    informedness: Interval  # of the decisions

    def sentence(self) -> str:
        """What acting at this cost is worth."""
        x, nb = self.value, self.net_benefit
        saved = f"{percent(float(x.estimate))} [{percents(float(x.low), float(x.high))}]"
        return (
            f"At {self.cost} for misses and false alarms, act from {rate(self.threshold)} on: {saved} of what can "
            f"be saved over the better of always and never; net benefit {rate(float(nb.estimate))} (always "
            f"{rate(self.everyone)}, never 0), informedness {rate(float(self.informedness.estimate))}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Probabilities(Result):
    """Probabilities of two classes, judged by what bettors at fair odds gain who trust them."""

    page = "probabilities"

    roc: Curve  # the cases by their probability
    level: float = 0.95
    clip: float | None = None  # probabilities were moved this far from 0 and 1
    clipped: int = 0  # how many were moved
    rng: Rng = None
    n_draws: int | None = None
    bins: tuple[Bins, ...] = ()  # of what else was asked for
    costs: tuple[Any, ...] = ()  # FN:FP, each
    groups: Mapping[Hashable, Probabilities] = field(default_factory=dict)  # of parts of the cases
    told: Told | None = None  # how far the draws are
    title: str = "Probabilities"
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()

    # ------------------------------------------------------------------ what bettors gain

    @cached_property
    def growth(self) -> Interval:
        """By what capital grows that is spread by the probabilities, in nats a case; guessing grows by 0."""
        return growth_interval(self.roc, LOG, self.level)

    @cached_property
    def log_skill(self) -> Interval:
        """Growth as a share of what perfect knowledge brings: 1 − log loss / entropy."""
        return skill_interval(self.roc, LOG, self.level, "log_skill")

    @cached_property
    def brier_skill(self) -> Interval:
        """What a bettor gains who pays for risk, as a share of perfect knowledge: 1 − Brier score / variance."""
        return skill_interval(self.roc, BRIER, self.level, "brier_skill")

    @cached_property
    def informedness(self) -> Interval:
        """Of acting where the probability is at least the prevalence."""
        if self.roc.why:
            return undefined(self.roc, self.level, "informedness")
        return interval(self.roc.table_at(self.prevalence), "informedness", level=self.level)

    @cached_property
    def soft_informedness(self) -> Interval:
        """Mean probability of the positives less that of the negatives: of deciding by coins of these weights."""
        if self.roc.why:
            return undefined(self.roc, self.level, "soft_informedness")
        p, share = self.roc.thresholds[1:], self.prevalence
        of_positives, of_negatives = float(np.dot(np.diff(self.roc.tp), p)), float(np.dot(np.diff(self.roc.fp), p))
        up, down = of_positives / self.roc.positives, of_negatives / self.roc.negatives
        found = mean_interval(self.roc, (p - up) / share, -(p - down) / (1 - share), self.level, "soft_informedness")
        ends = (x + up - down for x in (found.low, found.high))
        return replace(found, estimate=up - down, **dict(zip(("low", "high"), ends, strict=True)), notes=(SHARPENED,))

    @cached_property
    def auc(self) -> Interval:
        """Probability that a positive has a higher probability than a negative: whether it ranks."""
        return self.roc.interval(self.level)

    @property
    def prevalence(self) -> float:
        """Share of the positives."""
        return self.roc.prevalence

    @property
    def cases(self) -> float:
        """Weight of all cases."""
        return self.roc.positives + self.roc.negatives

    # ------------------------------------------------------------------ what the scores are made of

    @cached_property
    def drawn(self) -> Drawn:
        """What right probabilities, and shuffled ones, look like on the same cases."""
        return drawn(self.roc, 0 if self.roc.why else self.n_draws, self.rng, self.bins, self.told)

    @cached_property
    def brier(self) -> Parts:
        """The Brier score and its parts."""
        return self._parts(BRIER)

    @cached_property
    def log(self) -> Parts:
        """The log score, in nats, and its parts."""
        return self._parts(LOG)

    def parts(self, rule: Rule) -> Parts:
        """The parts of a score without their levels, which need draws."""
        return parts_of(self.roc, self.roc.hull(), rule)

    def _parts(self, rule: Rule) -> Parts:
        shuffled = self.drawn.dsc[rule.name]
        return self.parts(rule).beside(self.drawn.mcb[rule.name], float(shuffled.mean()) if len(shuffled) else np.nan)

    @cached_property
    def calibration(self) -> Test:
        """Whether the numbers may be right: how often right ones lose as much by the log score."""
        said = "of the cases that are given a probability, that share is positive"
        return self.log.calibration(self.drawn.n, self.rng, said)

    @cached_property
    def curve(self) -> Reliability:
        """The share of positives by probability (isotonic regression), and where that of right ones lies."""
        return reliability(self.roc, self.drawn)

    def recalibrated(self) -> Interval:
        """The greatest informedness on the curve: that of the recalibrated probabilities at the prevalence."""
        return interval(self.roc.best().table, "informedness", level=self.level)

    # ------------------------------------------------------------------ at a cost

    def at_cost(self, cost: Any) -> Worth:
        """Compute what acting on the probabilities brings where a miss costs so many false alarms: "5:1".

        `expected_cost` is in these units, as that of `informed.decisions.costs.expected_cost`.
        """
        self.roc.refuse_one_class("worth at a cost")
        miss, alarm = costs_of(cost)
        c = alarm / (alarm + miss)
        rule, p = acting_from(c), self.roc.thresholds[1:]
        called = (p >= c).astype(np.float64)
        return Worth(
            cost=f"{miss:g}:{alarm:g}",
            threshold=c,
            expected_cost=(miss + alarm) * mean_score(self.roc, rule),  # the rule shares 1 between the two
            value=skill_interval(self.roc, rule, self.level, "value"),
            net_benefit=mean_interval(self.roc, called, -called * c / (1 - c), self.level, "net_benefit"),
            everyone=float(self.prevalence - (1 - self.prevalence) * c / (1 - c)),
            informedness=interval(self.roc.table_at(c), "informedness", level=self.level),
        )

    @cached_property
    def worth(self) -> tuple[Worth, ...]:
        """At each cost that was asked for."""
        return () if self.roc.why else tuple(self.at_cost(cost) for cost in self.costs)

    @cached_property
    def decision_curve(self) -> DecisionCurve:
        """Net benefit at each threshold probability; at the prevalence it is prevalence times informedness."""
        return decision_curve(self.roc)

    def value_by_cost(self, c: Any = None) -> tuple[Array, Array]:
        """Thresholds c, and the share of what can be saved there by acting from c on; at the prevalence it is
        informedness."""
        c = np.linspace(0.01, 0.99, COSTS) if c is None else np.asarray(c, dtype=np.float64)
        at = np.searchsorted(-self.roc.thresholds, -c, "right") - 1
        share = self.prevalence
        cost = (1 - c) * share * (1 - self.roc.recall[at]) + c * (1 - share) * self.roc.fallout[at]
        return c, 1 - ratio(cost, np.minimum(c * (1 - share), (1 - c) * share))

    # ------------------------------------------------------------------ showing

    @property
    def also(self) -> Records:
        """What else was asked for, beside its level where the probabilities are right."""
        p, own = self.roc.thresholds[1:], np.diff(self.roc.tp)
        weight = own + np.diff(self.roc.fp)
        rows = []
        for x in self.bins:
            levels = self.drawn.ece[x.name]
            found = x.error(p, own, weight)
            mean = float(levels.mean()) if len(levels) else np.nan
            pvalue = (1 + int((levels >= found - 1e-12).sum())) / (1 + len(levels)) if len(levels) else np.nan
            rows.append((x.name, found, np.nan, np.nan, mean, pvalue))
        return Records.of(MEASURES, rows)

    @property
    def intervals(self) -> dict[str, Interval]:
        """What has an interval, by name."""
        names = ("growth", "log_skill", "brier_skill", "informedness", "soft_informedness", "auc")
        return {name: getattr(self, name) for name in names}

    def records(self) -> Records:
        """A row for each measure: its limits, or its level by chance and how often right numbers are as far off."""
        rows: list[tuple[Any, ...]] = []
        for name, x in self.intervals.items():
            guessed = {"auc": 0.5}.get(name, 0.0)
            rows.append((name, x.estimate, x.low, x.high, guessed, np.nan))
        for parts in (self.log, self.brier):
            rule, none = parts.rule, (np.nan, np.nan)
            rows.append((f"{rule}_score", parts.score, *none, parts.unc, np.nan))
            rows.append((f"{rule}_mcb", parts.mcb, *none, parts.mcb_chance, parts.pvalue))
            rows.append((f"{rule}_dsc", parts.dsc, *none, parts.dsc_chance, np.nan))
            rows.append((f"{rule}_unc", parts.unc, *none, np.nan, np.nan))
        return Records.of(MEASURES, [*rows, *self.also.rows])

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know."""
        said = notes_of(self.roc, self.clip, self.clipped, self.bins)
        return (*said, *(Note(x, code="source") for x in self.source))

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, its parts, its curve, and the same of each group."""
        held = {"cases": self.cases, "prevalence": self.prevalence, "positive": self.roc.positive, "level": self.level}
        each = {name: picked(x, "estimate low high method") for name, x in self.intervals.items()}
        parts = {x.rule: {**x.records().dicts()[0], "known": x.known, "lost": x.lost} for x in (self.log, self.brier)}
        calibration = picked(self.calibration, "statistic pvalue method hypothesis")
        more: dict[str, Any] = {"calibration": calibration, "curve": self.curve, "also": self.also}
        more |= {"worth": [x.to_dict() for x in self.worth], "gates": [vars(x) for x in self.gates]}
        if self.groups:
            more["groups"] = {str(name): x.to_dict() for name, x in self.groups.items()}
        said = picked(self, "title command clip clipped")
        return plain_dict({**said, **held, **each, "parts": parts, **more, "notes": self.notes})

    def with_gates(self, gates: Any) -> Probabilities:
        """The same with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def sentence(self) -> str:
        """What a bettor gains, what is known, and what is lost."""
        return " ".join(self.answer)

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The answer, sentence by sentence: what it is worth, whether it ranks, whether it is calibrated."""
        return tuple(answer_of(self))


SHARPENED = Note(NOT_PROPER, code="not-proper")


def answer_of(f: Probabilities) -> Iterator[str]:
    """The sentences of an answer."""
    g, x = f.growth, f.log_skill
    cases = f"{count(f.cases)} cases" if f.roc.squares is None else f"cases that weigh {count(f.cases)}"
    size = f"{cases}, {count(f.roc.positives)} of them {text(f.roc.positive)}"
    if f.roc.why and f.roc.positives == 0 < f.cases:
        other = next((x for x in f.roc.labels if x != f.roc.positive), f.roc.positive)
        size = f"{cases}, all of them {text(other)}"
    if f.roc.why:
        yield f"What these probabilities are worth is undefined: {f.roc.why} ({size})."
        return
    if np.isneginf(g.estimate):
        ruined = ruined_by(f.roc)
        called = "which was" if ruined == 1 else "which were"
        yield (
            f"A bettor who trusted these probabilities is ruined by {plural(ruined, 'case')}, {called} called "
            f"impossible ({size})."
        )
    else:
        grows = "grow" if g.estimate >= 0 else "shrink"
        by = abs(float(g.estimate))
        yield (
            f"A bettor who trusted these probabilities would {grows} by {rate(by)} nats ({rate(by / np.log(2))} bits) "
            f"a case, {percent(float(x.estimate))} [{percents(float(x.low), float(x.high))}] of what perfect "
            f"knowledge would bring ({size})."
        )
    yield from _known_and_lost(f)
    a = f.auc
    ranks = "It ranks" if a.low > 0.5 else "It ranks the wrong way round" if a.high < 0.5 else "It is not shown to rank"
    yield f"{ranks}: AUC {rate(float(a.estimate))} {span(float(a.low), float(a.high))}."


def as_probabilities(curve: Curve) -> str:
    """One line on scores between 0 and 1: what they would be worth as probabilities; empty where bins hide that."""
    if not curve.exact or curve.why:
        return ""
    f = Probabilities(curve, n_draws=0)
    if np.isneginf(f.growth.estimate):
        return f"A bettor who trusted them would be ruined by {plural(ruined_by(curve), 'case')}."
    grows, by = "grow" if f.growth.estimate >= 0 else "shrink", abs(float(f.growth.estimate))
    skill = percent(float(f.log_skill.estimate))
    return (
        f"A bettor who trusted them would {grows} by {rate(by)} nats a case, {skill} of what perfect knowledge would "
        "bring; judged as probabilities (informed report --probability), they show whether the numbers are right."
    )


def _known_and_lost(f: Probabilities) -> Iterator[str]:
    parts = f.log if np.isfinite(f.log.mcb) else f.brier
    by = "By the log score, " if parts is f.log else "By the Brier score, "
    known, lost = percent(parts.known), percent(parts.lost)
    said = f"{by}{known} is known; {lost} is lost because the numbers are off"
    if np.isnan(parts.pvalue):
        yield f"{said}."
        return
    low, high = (float(ratio(x, parts.unc)) for x in (parts.mcb_low, parts.mcb_high))
    verdict = verdict_of(parts.pvalue, ruined_by(f.roc))
    yield f"{said} ({percents(low, high)} would be expected of right ones; {probability(parts.pvalue)}). {verdict}."


def verdict_of(pvalue: float, ruined: float) -> str:
    """Whether the numbers may be right; what was called impossible and happened says no, whatever else is said."""
    if ruined and pvalue >= 0.05:
        return "They are not calibrated all the same, because what they called impossible happened"
    return "They are not calibrated" if pvalue < 0.05 else "They may be calibrated"


def ruined_by(curve: Curve) -> float:
    """How many cases were given the probability 0 for what they really are."""
    p = curve.thresholds[1:]
    return float(np.diff(curve.tp)[p <= 0].sum() + np.diff(curve.fp)[p >= 1].sum())
