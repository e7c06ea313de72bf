"""Two or more systems that gave probabilities to the same cases: whose are worth more, or is it luck?"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from informed._numbers import count, percent, probability, rate, signed, span
from informed.decisions.class_forecast import Judged, judged
from informed.decisions.forecast_board import ForecastBoard, board_of_forecasts
from informed.decisions.forecast_slices import forecasts_by_slices
from informed.decisions.probability_cases import Cases
from informed.decisions.probability_input import groups_of
from informed.decisions.skill import MEASURES, WORDS, skill
from informed.errors import InferenceError
from informed.evidence.labels import some, text
from informed.evidence.shown import system_name
from informed.inference.marks_score import as_signs, student
from informed.measures import find
from informed.results import Gate, Note, Records, Result, finite, flat_numbers, metric_name, plain_dict
from informed.systems.multiplicity import adjusted
from informed.systems.ranking import Asked
from informed.systems.sliced import Slices, compared_in_slices

SYSTEMS = (
    "system:label log_skill log_low log_high brier_skill brier_low brier_high informedness known lost calibration:p"
)
PLACES = ("system", "rank", "rank_low", "rank_high", "estimate", "low", "high")  # on a board
PAIRS = "measure:words a:label b:label value_a value_b estimate:signed low:signed high:signed pvalue:p adjusted:p"


@dataclass(frozen=True, repr=False)
class SkillDifference(Result):
    """How much more one system's probabilities are worth than another's, on the same cases."""

    page = "probability_comparison"

    measure: str
    names: tuple[Hashable, Hashable]
    a: float
    b: float
    estimate: float
    low: float
    high: float
    pvalue: float
    standard_error: float
    df: float
    level: float
    n: float  # cases, or units, that it is measured between

    def at(self, level: float) -> SkillDifference:
        """The same at another level."""
        if not np.isfinite(self.standard_error):
            return replace(self, level=level)
        low, high, pvalue = student(self.estimate, self.standard_error, self.df, level)
        return replace(self, low=low, high=high, pvalue=pvalue, level=level)

    def sentence(self) -> str:
        """Which of the two is better, or that they cannot be told apart."""
        a, b = map(system_name, self.names)
        named = WORDS[self.measure]
        found = f"{named} {signed(self.estimate)} {span(self.low, self.high)}, {probability(self.pvalue)}"
        if np.isnan(self.estimate):
            return f"{a} and {b} cannot be compared by {named}: both are ruined."
        if np.isinf(self.estimate):
            better, ruined = (a, b) if self.estimate > 0 else (b, a)
            return f"{better} is better than {ruined}, which is ruined: its {named} is −∞."
        if not self.pvalue < 1 - self.level:
            return f"{a} and {b} cannot be told apart: {found}."
        return f"{a} is {'better' if self.estimate > 0 else 'worse'} than {b}: {found}."


@dataclass(frozen=True, eq=False, repr=False)
class ProbabilityComparison(Result):
    """Systems by what their probabilities are worth on the same cases, and how they differ."""

    page = "probability_comparison"

    systems: Mapping[Hashable, Judged]
    held: Mapping[Hashable, Cases]
    level: float = 0.95
    measure: str = "log_skill"  # that the systems are ranked by
    adjust: str = "auto"
    baseline: Hashable = None
    by: Any = None  # the slice of each case
    title: str = "Probabilities on the same cases"
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()

    @property
    def why(self) -> str:
        """Why there is nothing to compare, where there is not."""
        one_class = not (next(iter(self.held.values())).share < 1).all()
        return "all cases are of one class, so there are no odds to bet at" if one_class else ""

    @cached_property
    def ranked(self) -> tuple[Hashable, ...]:
        """Names of the systems, the best first."""

        def key(name: Hashable) -> tuple[float, float]:
            x, y = (float(getattr(self.systems[name], m).estimate) for m in (self.measure, "brier_skill"))
            return -x, -y

        return tuple(sorted(self.systems, key=key))

    @cached_property
    def board(self) -> ForecastBoard:
        """The places that the systems may have, with intervals that hold together."""
        ones = np.ones(len(self.systems))
        asked = Asked(find("informedness"), self.level, self.adjust, self.baseline, "t", None, None, ones)
        return board_of_forecasts(self.held, self.systems, asked, self.measure)

    def slices(self, by: Any = None) -> Slices:
        """The systems in each part of the cases; by default in those that were read."""
        by = self.by if by is None else by
        if by is None:
            raise InferenceError("`by` is missing; it says which slice each case belongs to.")
        found = forecasts_by_slices(self.held, by, self.measure, self.level)
        if len(self.held) != 2:
            return found
        a, b = (x for x in self.held if x != self.baseline) if self.baseline is None else (_other(self), self.baseline)
        return found.with_differences(
            compared_in_slices(self.parts(by), lambda part: part.difference(a, b, self.measure))
        )

    def parts(self, by: Any = None) -> dict[Hashable, ProbabilityComparison]:
        """The same systems in each part of the cases."""
        lead = next(iter(self.held.values()))
        slices = groups_of(self.by if by is None else by, len(lead.codes), lead.known)
        held = {name: {who: x.where(own) for who, x in self.held.items()} for name, own in slices.items()}
        return {
            name: replace(self, systems={who: judged(x, level=self.level) for who, x in own.items()}, held=own, by=None)
            for name, own in held.items()
        }

    @cached_property
    def pairs(self) -> dict[tuple[str, Hashable, Hashable], SkillDifference]:
        """The difference of every two systems by every measure; with a baseline, of each and it."""
        names = tuple(self.systems)
        every = list(combinations(names, 2))
        if self.baseline is not None:
            every = [(name, self.baseline) for name in names if name != self.baseline]
        return {(m, a, b): self.difference(a, b, m) for m in self.measures for a, b in every}

    @property
    def measures(self) -> tuple[str, ...]:
        """What is compared, first what the systems are ranked by."""
        return tuple(dict.fromkeys((self.measure, *MEASURES)))

    def difference(self, a: Hashable, b: Hashable, measure: str = "log_skill") -> SkillDifference:
        """How much more the probabilities of `a` are worth than those of `b`."""
        one, other = (_of(self.held, name) for name in (a, b))
        first, second = (skill(x, measure) for x in (one, other))
        named: dict[str, Any] = {"measure": measure, "names": (a, b), "a": first.value, "b": second.value}
        named |= {"level": self.level, "n": one.size if one.units is not None else float(len(one.codes))}
        with np.errstate(invalid="ignore"):
            gap = float(np.subtract(first.value, second.value))
        if not np.isfinite(gap):
            none: dict[str, Any] = dict.fromkeys(("pvalue", "standard_error", "df"), np.nan)
            return SkillDifference(**named, estimate=gap, low=gap, high=gap, **none)  # ruin is beyond doubt
        added = one.added(first.each) - other.added(second.each)
        found = one.spread_of(added, one.single and other.single)
        error = float(as_signs(np.asarray(gap), np.sqrt(found.variance), found.df))
        low, high, pvalue = student(gap, error, found.df, self.level)
        limits: dict[str, Any] = {"low": low, "high": high, "pvalue": pvalue, "standard_error": error, "df": found.df}
        return SkillDifference(**named, estimate=gap, **limits)

    @cached_property
    def differences(self) -> Records:
        """A row for each measure and pair, with p-values as they are and adjusted over the pairs."""
        rows: list[tuple[Any, ...]] = []
        for m in self.measures:
            held = [d for (measure, _, _), d in self.pairs.items() if measure == m]
            p = adjusted([d.pvalue for d in held], self.adjust).tolist()
            rows += [
                (m, *d.names, d.a, d.b, d.estimate, d.low, d.high, d.pvalue, x) for d, x in zip(held, p, strict=True)
            ]
        return Records.of(PAIRS, rows)

    def records(self) -> Records:
        """A row for each system, the best first."""
        rows = []
        for name in self.ranked:
            x = self.systems[name]
            skill = (i for s in (x.log_skill, x.brier_skill) for i in (s.estimate, s.low, s.high))
            rows.append((name, *skill, x.informedness.estimate, x.brier.known, x.brier.lost, x.calibration.pvalue))
        return Records.of(SYSTEMS, rows)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What is said of any of the systems, and of the pairs."""
        every = [(name, note) for name, x in self.systems.items() for note in x.notes]
        shared = [note for _, note in every if all(note in x.notes for x in self.systems.values())]
        own = [
            replace(note, text=f"{system_name(name)}: {note.text[:1].lower()}{note.text[1:]}")
            for name, note in every
            if note not in shared
        ]
        pairs = len(self.pairs) // len(self.measures)
        many = (
            [
                Note(
                    f"p-values are adjusted for {pairs} pairs ({'holm' if self.adjust == 'auto' else self.adjust}).",
                    code="adjusted",
                )
            ]
            if pairs > 1
            else []
        )
        return tuple(dict.fromkeys((*shared, *own, *many, *(Note(x, code="source") for x in self.source))))

    def with_gates(self, gates: Any) -> ProbabilityComparison:
        """The same with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def metrics(self) -> dict[str, float]:
        """The numbers of each system, and each difference with its limits and p-values."""
        found = flat_numbers(self.records())
        for measure, a, b, _, _, *numbers in self.differences.rows:
            name = f"{measure}_difference" if len(self.systems) == 2 else f"{a}/{b}/{measure}_difference"
            named = zip(("", "_low", "_high", "_pvalue", "_adjusted"), numbers, strict=True)
            found |= finite({f"{metric_name(name)}{key}": x for key, x in named})
        return found

    def to_dict(self) -> dict[str, Any]:
        """Each system, and each difference."""
        held = {"systems": self.records(), "differences": self.differences, "level": self.level}
        if not self.why:
            held |= {"leaders": self.board.leaders, "places": self.board.records().select(*PLACES)}
        gates = [vars(x) for x in self.gates]
        return plain_dict({"title": self.title, "measure": self.measure, **held, "gates": gates, "notes": self.notes})

    def sentence(self) -> str:
        """Who is best, and how many of the differences are beyond luck."""
        return " ".join(_answer(self))


def _of(held: Mapping[Hashable, Cases], name: Hashable) -> Cases:
    if name not in held:
        raise InferenceError(f"There is no system {text(name)}; there are {some(list(held))}.")
    return held[name]


def _answer(c: ProbabilityComparison) -> Iterator[str]:
    cases = next(iter(c.held.values())).total
    names = tuple(c.systems)
    if c.why:
        yield f"What these probabilities are worth is undefined: {c.why} ({count(cases)} cases)."
        return
    if len(names) == 2:
        a, b = (x for x in names if x != c.baseline) if c.baseline is None else (_other(c), c.baseline)
        d = c.pairs[c.measure, a, b]
        yield f"{d.sentence()[:-1]}, on the same {count(cases)} cases."
        return
    board, p = c.board, np.array(c.differences.where(measure=c.measure)["adjusted"])
    best = board.order[0]
    limits = span(board.low[best], board.high[best])
    value = f"{WORDS[c.measure]} {rate(board.estimate[best])} {limits}, all systems together"
    lead = [system_name(name) for name in board.leaders]
    who = f"{lead[0]} is the best: {value}"
    if len(lead) > 1:
        shown = ", ".join(lead[:6]) + (", …" if len(lead) > 6 else "")
        who = f"{len(lead)} may be the best ({shown}): {value} for the first"
    p = p[~np.isnan(p)]  # what is ruined takes no part
    sure = int((p < 1 - c.level).sum())
    yield (
        f"Of {len(names)} systems on the same {count(cases)} cases, {who}; {sure} of {len(p)} differences "
        f"{'is' if sure == 1 else 'are'} beyond luck at {percent(c.level)}, all tests together."
    )


def _other(c: ProbabilityComparison) -> Hashable:
    return next(name for name in c.held if name != c.baseline)
