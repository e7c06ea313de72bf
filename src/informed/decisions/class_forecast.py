"""What probabilities of several classes are worth: of the whole, class by class, and of the surest label."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import count, percent, percents, plural, probability, rate
from informed.decisions.forecast import Probabilities, verdict_of
from informed.decisions.probability_cases import Cases
from informed.decisions.probability_draws import Told, number_of_draws
from informed.decisions.probability_notes import DECISIONS, FEW
from informed.decisions.probability_rules import BRIER, Parts, recalibrated_scores
from informed.decisions.probability_spread import NONE, PERFECT, skill_limits, t_interval, unseen, unvaried
from informed.decisions.roc import curve_of_cases
from informed.decisions.scored_units import UnitColumn
from informed.decisions.skill import skill
from informed.errors import InferenceError
from informed.evidence.label_order import order_needed
from informed.evidence.labels import some
from informed.evidence.table import Table
from informed.inference.answers import Interval, Test
from informed.inference.given import Rng, generator
from informed.inference.intervals import interval
from informed.results import Gate, Note, Records, Result, picked, plain_dict, warning

MEASURES = "measure:words estimate low high chance pvalue:p"
CLASSES = "class:label cases:count prevalence brier_skill low high known lost log_skill auc pvalue:p"


@dataclass(frozen=True, eq=False, repr=False)
class ClassProbabilities(Result):
    """Probabilities of several classes, judged by what bettors at fair odds gain who trust them."""

    page = "class_probabilities"

    held: Cases
    level: float = 0.95
    clip: float | None = None
    clipped: int = 0
    ordered: bool = False  # whether the order of the labels is known
    rng: Rng = None
    n_draws: int | None = None
    groups: Mapping[Hashable, ClassProbabilities] = field(default_factory=dict)
    told: Told | None = None
    title: str = "Probabilities"
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()

    # ------------------------------------------------------------------ of the whole

    @property
    def why(self) -> str:
        """Why nothing is defined, where it is not."""
        seen = int((self.held.share > 0).sum())
        return "" if seen > 1 else "all cases are of one class, so there are no odds to bet at"

    @property
    def cases(self) -> float:
        """Weight of all cases."""
        return self.held.total

    @cached_property
    def growth(self) -> Interval:
        """By what capital grows that is spread by the probabilities, in nats a case."""
        return self._growth()

    @cached_property
    def log_skill(self) -> Interval:
        """Growth as a share of what perfect knowledge brings."""
        return self._skill("log")

    @cached_property
    def brier_skill(self) -> Interval:
        """1 − Brier score / that of the prevalences; the Brier score is the sum over classes."""
        return self._skill("brier")

    @cached_property
    def ranked_skill(self) -> Interval:
        """Of classes in an order: 1 − ranked probability score / that of the prevalences; far misses cost more."""
        if not self.ordered:
            raise InferenceError(order_needed("The ranked probability score", self.held.labels))
        return self._skill("ranked")

    @cached_property
    def ranked(self) -> Parts:
        """The ranked probability score, the sum of the Brier scores of all cuts between classes, and its parts."""
        if not self.ordered:
            raise InferenceError(order_needed("The ranked probability score", self.held.labels))
        h = self.held
        cuts = [(x, h.codes > i, h.above[:, i]) for i, x in enumerate(h.labels[:-1])]
        return Parts.summed(
            "ranked", (self._two(own, p, (f"above {x}", f"up to {x}")).parts(BRIER) for x, own, p in cuts)
        )

    @cached_property
    def informedness(self) -> Interval:
        """Of betting on the class whose probability is raised most over its prevalence: p ≥ prevalence of two."""
        if self.why:
            return self._undefined("informedness")
        return interval(self.table, "informedness", level=self.level)

    @cached_property
    def table(self) -> Table:
        """The best bets at fair odds against reality."""
        real, predicted, how = best_bets(self.held)
        return Table.from_labels(real=real, predicted=predicted, **how)

    def _undefined(self, measure: str) -> Interval:
        said = warning(f"{self.why[:1].upper()}{self.why[1:]}.", "one-class")
        return Interval(np.nan, np.nan, np.nan, self.level, "none", measure, notes=(said,))

    def _skill(self, rule: str) -> Interval:
        measure, h = f"{rule}_skill", self.held
        if self.why:
            return self._undefined(measure)
        found = skill(h, measure)
        if not np.isfinite(found.value):
            return Interval(-np.inf, -np.inf, -np.inf, self.level, "ruined", measure)
        lost, spread = 1 - found.value, h.spread(found.each)
        if lost * h.uncertainty(rule)[0] <= PERFECT or spread.variance <= NONE:
            scores, uncertainties, hidden = _otherwise(h, rule, self.level)
            return unvaried(found.value, 1 - scores / uncertainties, hidden, self.level, measure)
        return skill_limits(lost, replace(spread, variance=spread.variance / lost**2), self.level, measure)

    def _growth(self) -> Interval:
        h = self.held
        if self.why:
            return self._undefined("growth")
        found = skill(h, "growth")
        if not np.isfinite(found.value):
            return Interval(-np.inf, -np.inf, -np.inf, self.level, "ruined", "growth")
        spread = h.spread(found.each)
        if spread.variance <= NONE:
            scores, uncertainties, hidden = _otherwise(h, "log", self.level)
            return unvaried(found.value, uncertainties - scores, hidden, self.level, "growth")
        return t_interval(found.value, spread, self.level, "growth")

    # ------------------------------------------------------------------ class by class

    @cached_property
    def classes(self) -> dict[Hashable, Probabilities]:
        """Each class against the rest."""
        h = self.held
        return {x: self._two(h.codes == i, h.p[:, i], (x, f"not {x}")) for i, x in enumerate(h.labels)}

    @cached_property
    def top(self) -> Probabilities:
        """The surest label of each case: its probability, against whether it is right."""
        right = self.held.p.argmax(axis=1) == self.held.codes
        return replace(self._two(right, self.held.p.max(axis=1), ("right", "wrong")), title="The surest label")

    def _two(self, own: Any, p: Array, labels: tuple[Hashable, Hashable]) -> Probabilities:
        """One question with two answers about the same cases."""
        h = self.held
        w = h.weight if h.told is None else h.told
        given: UnitColumn | None = h.units
        weights = None if (w == 1).all() else w
        curve = curve_of_cases(np.clip(p, 0, 1), own, weights, given, labels=labels, positive=labels[0])
        return Probabilities(curve, self.level, rng=self.rng, n_draws=self.n_draws)

    # ------------------------------------------------------------------ what the Brier score is made of

    @cached_property
    def brier(self) -> Parts:
        """The Brier score and its parts, which are the sums of those of the classes."""
        found = Parts.summed("brier", (x.parts(BRIER) for x in self.classes.values()))
        if not len(self.drawn):
            return found
        return found.beside(self.drawn, float(sum(x.brier.dsc_chance for x in self.classes.values())))

    @cached_property
    def drawn(self) -> Array:
        """Miscalibration of right probabilities on the same cases, summed over classes: classes are drawn from them."""
        from scipy.optimize import isotonic_regression

        h, k = self.held, len(self.held.labels)
        there = h.weight > 0
        p, w = h.p[there], h.weight[there]
        item = None if h.units is None or h.units.item is None else h.units.item[there]
        n, _ = number_of_draws(len(p) * k, 0 if self.why else self.n_draws)
        steps = [np.unique(-p[:, i], return_inverse=True)[1] for i in range(k)]
        size = [np.bincount(step, w) for step in steps]
        reach, random = np.cumsum(p, axis=1)[:, :-1], generator(self.rng)
        squares, found = (p**2).sum(axis=1), np.empty(n)
        for draw in range(n):
            luck = random.random(len(p) if item is None else int(item.max()) + 1)
            luck = luck if item is None else luck[item]  # an item has one class, however often it was asked
            codes = (luck[:, None] >= reach).sum(axis=1)
            score = np.dot(w, squares - 2 * p[np.arange(len(p)), codes] + 1)
            best = 0.0
            for i, (step, all_) in enumerate(zip(steps, size, strict=True)):
                mine = codes == i
                own = np.bincount(step[mine], w[mine], minlength=len(all_))
                fit = isotonic_regression(own / all_, weights=all_, increasing=False)
                starts = np.asarray(fit.blocks)[:-1]
                positives, whole = np.add.reduceat(own, starts), np.add.reduceat(all_, starts)
                best += recalibrated_scores(positives, whole - positives)["brier"]
            found[draw] = max(score - best, 0.0) / h.total
            if self.told is not None:
                self.told((draw + 1) / n)
        return found

    @cached_property
    def calibration(self) -> Test:
        """Whether the numbers may be right: how often right ones lose as much by the Brier score, over all classes."""
        said = "of the cases that are given a probability of a class, that share is of it"
        return self.brier.calibration(len(self.drawn), self.rng, said)

    # ------------------------------------------------------------------ showing

    @property
    def intervals(self) -> dict[str, Interval]:
        """What has an interval, by name."""
        names = ("growth", "log_skill", "brier_skill", "informedness", *(["ranked_skill"] if self.ordered else []))
        return {name: getattr(self, name) for name in names}

    def records(self) -> Records:
        """A row for each measure of the whole."""
        rows: list[tuple[Any, ...]] = [
            (name, x.estimate, x.low, x.high, 0.0, np.nan) for name, x in self.intervals.items()
        ]
        b, none = self.brier, (np.nan, np.nan)
        rows.append(
            ("log_score", self.held.mean(self.held.score("log")), *none, self.held.uncertainty("log")[0], np.nan)
        )
        rows.append(("brier_score", b.score, *none, b.unc, np.nan))
        rows.append(("brier_mcb", b.mcb, *none, b.mcb_chance, b.pvalue))
        rows.append(("brier_dsc", b.dsc, *none, b.dsc_chance, np.nan))
        return Records.of(MEASURES, rows)

    @property
    def by_class(self) -> Records:
        """A row for each class against the rest."""
        rows = []
        for label, x in self.classes.items():
            skill = x.brier_skill
            parts = x.brier
            more = (parts.known, parts.lost, x.log_skill.estimate, x.roc.auc, parts.pvalue)
            rows.append((label, x.roc.positives, x.prevalence, skill.estimate, skill.low, skill.high, *more))
        return Records.of(CLASSES, rows)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know."""
        return (*_notes(self), *(Note(x, code="source") for x in self.source))

    def with_gates(self, gates: Any) -> ClassProbabilities:
        """The same with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, those of each class, and of the surest label."""
        held = {"cases": self.held.total, "labels": self.held.labels, "level": self.level}
        each = {name: picked(x, "estimate low high method") for name, x in self.intervals.items()}
        more: dict[str, Any] = {"brier": self.brier.records().dicts()[0], "classes": self.by_class}
        more |= {"calibration": picked(self.calibration, "statistic pvalue method hypothesis")}
        more |= {"surest": self.top.records(), "gates": [vars(x) for x in self.gates]}
        if self.groups:
            more["groups"] = {str(name): x.to_dict() for name, x in self.groups.items()}
        return plain_dict({**picked(self, "title command clip clipped"), **held, **each, **more, "notes": self.notes})

    def sentence(self) -> str:
        """What a bettor gains, and what is lost because the numbers are off."""
        return " ".join(self.answer)

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The answer, sentence by sentence."""
        return tuple(_answer(self))


Judged = Probabilities | ClassProbabilities


def _otherwise(h: Cases, rule: str, level: float) -> tuple[Array, Array, float]:
    """Scores and uncertainties if a hidden share were cases of one row and class, for each of these."""
    hidden, k = unseen(h.size, level), len(h.labels)
    score = h.mean(h.score(rule))
    shares = (1 - hidden) * h.share + hidden * np.eye(k)
    costs = np.concatenate([h.score(rule, np.full(len(h.codes), i)) for i in range(k)])
    uncertainties = np.repeat([h.uncertainty(rule, own)[0] for own in shares], len(h.codes))
    return (1 - hidden) * score + hidden * costs, uncertainties, hidden


def best_bets(h: Cases) -> tuple[list[str], list[str], dict[str, Any]]:
    """Real classes, those whose probability is raised most over the prevalence, and what goes with labels."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(h.share > 0, h.p / h.share, -1.0)
    names = list(map(str, h.labels))
    groups: dict[str, Any] = {} if h.units is None else h.units.groups
    given = h.weight if h.told is None else h.told
    how = {"labels": names, "weights": None if (given == 1).all() else given, **groups}
    return [names[i] for i in h.codes], [names[i] for i in worth.argmax(axis=1)], how


def judged(held: Cases, moved: int = 0, **how: Any) -> Judged:
    """What one system's probabilities are worth; of two classes the second is the positive one."""
    whole = ClassProbabilities(held, clipped=moved, **how)
    if len(held.labels) != 2:
        return whole
    two = whole.classes[held.labels[1]]
    roc = replace(two.roc, labels=held.labels[::-1], positive=held.labels[1])
    return replace(two, clip=how.get("clip"), clipped=moved, roc=roc)


def _answer(f: ClassProbabilities) -> Iterator[str]:
    g, x = f.growth, f.log_skill
    size = f"{count(f.held.total)} cases, {plural(len(f.held.labels), 'class', 'classes')}"
    if f.why:
        yield f"What these probabilities are worth is undefined: {f.why} ({size})."
        return
    if np.isneginf(g.estimate):
        yield f"A bettor who trusted these probabilities is ruined by {plural(ruined(f.held), 'case')} ({size})."
    else:
        grows, by = "grow" if g.estimate >= 0 else "shrink", abs(float(g.estimate))
        yield (
            f"A bettor who trusted these probabilities would {grows} by {rate(by)} nats ({rate(by / np.log(2))} bits) "
            f"a case, {percent(float(x.estimate))} [{percents(float(x.low), float(x.high))}] of what perfect "
            f"knowledge would bring ({size})."
        )
    b = f.brier
    said = f"By the Brier score, {percent(b.known)} is known; {percent(b.lost)} is lost because the numbers are off"
    if np.isnan(b.pvalue):
        yield f"{said}."
    else:
        low, high = b.mcb_low / b.unc, b.mcb_high / b.unc
        verdict = verdict_of(b.pvalue, ruined(f.held))
        yield f"{said} ({percents(low, high)} would be expected of right ones; {probability(b.pvalue)}). {verdict}."


def ruined(h: Cases) -> float:
    """How many cases had the probability 0 for what they really are."""
    own = h.p[np.arange(len(h.codes)), h.codes]
    return float(h.weight[own <= 0].sum())


def _notes(f: ClassProbabilities) -> Iterator[Note]:
    h = f.held
    if f.why:
        yield warning(f"There are no odds to bet at: {f.why}.", "one-class")
        return
    gone = [x for x, share in zip(h.labels, h.share, strict=True) if share == 0]
    if gone:
        yield Note(f"Never real, and without odds: {some(gone)}.", code="never-real")
    sizes = np.bincount(h.codes[h.weight > 0], minlength=len(h.labels))
    if few := [x for x, n in zip(h.labels, sizes, strict=True) if 0 < n < FEW]:
        yield warning(f"Fewer than {FEW} cases are of {some(few)}: the intervals may not hold.", "few-a-class")
    if ((h.p == 0) | (h.p == 1)).all():
        yield warning(DECISIONS, "decisions")
    cases, digits = h.rounded
    if cases:
        yield Note(
            f"The probabilities of {plural(cases, 'case')} add up to 1 but for rounding to {digits} digits; they are "
            "used as they stand.",
            code="rounded",
        )
    if f.clip is not None and f.clipped:
        yield warning(f"{plural(f.clipped, 'probability', 'probabilities')} below {f.clip:g} moved there.", "clipped")
    if lost := ruined(h):
        yield warning(
            f"Ruined by {plural(lost, 'case')}: what really was had been given the probability 0, so that growth and "
            "log skill are −∞. `clip=1e-6` would move such probabilities, and log skill would depend on how far.",
            "ruined",
        )
    if h.missing:
        yield warning(f"{h.missing:,} rows without a label or a probability were left out.", "left-out")
    if h.units is not None:
        n = int(h.units.unit.max()) + 1
        yield Note(f"{plural(n, h.units.name)} with {count(len(h.codes))} cases: errors are measured between them.")
        if not h.single and not h.units.asked:
            yield warning(
                f"The test of calibration draws each case by itself: where those of a {h.units.name} err together, it "
                "finds too much.",
                "calibration-in-units",
            )
