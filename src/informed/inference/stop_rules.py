"""When to stop watching: rules as text, such as "informedness.low > 0.2 or n >= 500"."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Protocol

from informed._wording import listed
from informed.errors import InferenceError

SIGNS: dict[str, Callable[[float, float], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}
NOT: dict[str, Callable[[float, float], bool]] = {">": le, ">=": lt, "<": ge, "<=": gt}
RISES = {"low": True, "high": False, "width": False, "within": False, "wealth": True, "p": False, "n": True}
OF_INTERVAL = ("low", "high", "width", "within")
WORDS = {
    "better": ("low", ">"),
    "worse": ("high", "<"),
    "futile": ("futile", ""),
    "pass": ("pass", ""),
    "fail": ("fail", ""),
}
HOW = "write informedness.low > 0.2, informedness.high < 0.2, informedness.width < 0.1, informedness.within < 0.05, \
better, worse, wealth >= 20, p < 0.05, pass, fail, futile or n >= 500, joined by or"

_CLAUSE = re.compile(r"(?:([A-Za-z]\w*)\.)?([A-Za-z]+)\s*(>=|<=|≥|≤|>|<)\s*([-+.\w]+)")


class Limits(Protocol):
    """Two limits, as an `Interval` has them."""

    @property
    def low(self) -> float:
        """The lower."""

    @property
    def high(self) -> float:
        """The upper."""


class Seen(Protocol):
    """What a rule looks at: as a `Watch` has it."""

    @property
    def n(self) -> int:
        """Items so far."""

    @property
    def interval(self) -> Limits:
        """Valid at every look."""

    @property
    def best(self) -> float:
        """The most that the bettor has had."""

    @property
    def pvalue(self) -> float:
        """At most one over that."""

    @property
    def verdict(self) -> str:
        """Pass, fail or undecided."""

    @property
    def alternative(self) -> str:
        """With "less" the bettor bets that it is below the bar, else that it is above."""

    @property
    def futile(self) -> bool:
        """Whether what was expected is out of reach."""


class Settings(Protocol):
    """What a rule can ever meet: as the settings of a `Watch` have it."""

    @property
    def measure(self) -> str:
        """What is watched."""

    @property
    def alternative(self) -> str:
        """Two-sided; or greater, of which the upper limit says nothing, or less, of which the lower one."""

    @property
    def paired(self) -> bool:
        """Whether it is the difference of two systems."""

    @property
    def expect(self) -> float | None:
        """What was expected."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that can be."""

    @property
    def size(self) -> int | None:
        """Items of the benchmark, where that is known."""

    @property
    def bets(self) -> bool:
        """Whether there is a wealth; an approximate sequence has none."""

    @property
    def barred(self) -> bool:
        """Whether there is a threshold that can be missed and passed."""


@dataclass(frozen=True, eq=False)
class Clause:
    """One condition: what is looked at, and the bar that it has to pass."""

    what: str
    sign: str = ""
    bar: float = math.nan
    measure: str = ""  # whose limits they are; empty for whatever is watched
    paired: bool = False  # whether it is of two systems
    said: str = ""

    def __eq__(self, other: object) -> bool:
        """Written alike: a rule without a bar has NaN there, which is not equal to itself."""
        return isinstance(other, Clause) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def met(self, w: Seen) -> bool:
        """Whether it holds now."""
        if self.what == "futile":
            return w.futile
        if self.what in ("pass", "fail"):
            return w.verdict == self.what
        return SIGNS[self.sign](self._seen(w), self.bar)

    def opposed(self, w: Seen) -> bool:
        """Whether its opposite was shown."""
        if self.what == "low":
            return NOT[self.sign](_agreed(w)[1], self.bar)
        if self.what == "high":
            return NOT[self.sign](_agreed(w)[0], self.bar)
        if self.what == "within":
            low, high = _agreed(w)
            return NOT[self.sign](low, self.bar) or NOT[self.sign](-high, self.bar)
        if self.what in ("wealth", "p"):
            return w.verdict == ("pass" if w.alternative == "less" else "fail")  # what the bettor bets against
        return (self.what, w.verdict) in (("pass", "fail"), ("fail", "pass"))

    def _seen(self, w: Seen) -> float:
        if self.what not in OF_INTERVAL:
            return float({"wealth": w.best, "p": w.pvalue, "n": w.n}[self.what])
        low, high = _agreed(w)
        return {"low": low, "high": high, "width": high - low, "within": max(-low, high)}[self.what]

    def impossible(self, s: Settings) -> str:
        """Why it can never be met; empty where it can."""
        named = {s.measure, "difference"} if s.paired else {s.measure}
        named |= {"accuracy"} if s.measure == "score" else set()  # as the score of 0 and 1 is called, too
        if self.measure and self.measure not in named:
            return f"what is watched is {s.measure if not s.paired else f'the difference in {s.measure}'}"
        if self.paired and not s.paired:
            return "there is one system only"
        if self.what == "futile" and s.expect is None:
            return "nothing is expected that could be out of reach; give `expect=`"
        if self.what in ("wealth", "p", "pass", "fail", "futile") and not s.bets:
            return "an approximate sequence has no wealth; use its limits"
        if self.what in ("wealth", "p", "pass", "fail") and not s.barred:
            return "there is no threshold to be tested; give one as `against=` (`--against 0.5`)"
        return self._out_of_reach(s)

    def _out_of_reach(self, s: Settings) -> str:
        """Why no number there can be reaches the bar."""
        least, most = s.bounds
        if self.what == "low":
            if s.alternative == "less":
                return "with the alternative 'less' nothing is said of the lower limit"
            return "" if SIGNS[self.sign](most, self.bar) else f"it is at most {most:g}"
        if self.what == "high":
            if s.alternative == "greater":
                return "with the alternative 'greater' nothing is said of the upper limit"
            return "" if SIGNS[self.sign](least, self.bar) else f"it is at least {least:g}"
        if self.what in ("width", "within"):
            return self._narrow(s)
        if self.what == "p" and self.bar <= 0:
            return "a p-value is above 0"
        if self.what == "n" and s.size is not None and not SIGNS[self.sign](s.size, self.bar):
            return f"the benchmark has {s.size:,} items"
        return ""

    def at_once(self, s: Settings) -> str:
        """Where it begins, if that is enough already; empty where something has to be seen."""
        if not self.sign:
            return ""
        least, most = s.bounds
        begins = {"low": least, "high": most, "width": most - least, "within": max(-least, most)}
        begins |= {"wealth": 1.0, "p": 1.0, "n": 0.0}
        at = begins[self.what]
        return f"{self.what} begins at {at:g}" if SIGNS[self.sign](at, self.bar) else ""

    def _narrow(self, s: Settings) -> str:
        closes = s.size is not None and s.alternative == "two-sided"  # a benchmark ends on its exact value
        if SIGNS[self.sign](0, self.bar) if closes else self.bar > 0:
            return "" if self.what == "width" or s.alternative == "two-sided" else "one limit says nothing"
        return "no interval is that narrow"


@dataclass(frozen=True)
class Rules:
    """Conditions of which any may stop a run."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return " or ".join(clause.said for clause in self.clauses)

    def met(self, w: Seen) -> str | None:
        """The condition that is met, as it was written; None while none is."""
        return next((clause.said for clause in self.clauses if clause.met(w)), None)

    def opposed(self, w: Seen) -> bool:
        """Whether the opposite of every claim was shown; a number of items and `futile` claim nothing."""
        claims = [clause for clause in self.clauses if clause.what not in ("n", "futile")]
        return bool(claims) and all(clause.opposed(w) for clause in claims)

    def impossible(self, s: Settings) -> str | None:
        """Why a condition can never be met, or is before the first item, in one sentence; None where all are rules."""
        for clause in self.clauses:
            if why := clause.impossible(s):
                return f"The rule {clause.said!r} can never be met: {why}."
            if begins := clause.at_once(s):
                return f"The rule {clause.said!r} would stop at the start: {begins}."
        return None


def parse(text: str) -> Rules:
    """Rules from text.

    >>> rules = parse("informedness.low > 0.2 or futile")
    >>> [(clause.what, clause.bar) for clause in rules.clauses]
    [('low', 0.2), ('futile', nan)]
    >>> parse("recall > 0.2")
    Traceback (most recent call last):
    informed.errors.InferenceError: The rule 'recall > 0.2' does not say which limit; write recall.low > 0.2.
    """
    if not text.strip():
        raise InferenceError(f"{text!r} is no rule; {HOW}.")
    return Rules(tuple(_clause(part.strip()) for part in re.split(r"\bor\b", text)))


def _clause(text: str) -> Clause:
    if text.lower() in WORDS:
        what, sign = WORDS[text.lower()]
        paired = text.lower() in ("better", "worse")
        return Clause(what, sign, 0.0 if sign else math.nan, paired=paired, said=text)

    found = _CLAUSE.fullmatch(text)
    if found is None:
        raise InferenceError(f"{text!r} is no rule; {HOW}." if text else f"A rule beside 'or' is empty; {HOW}.")
    measure, what, sign, bar = found.groups()
    sign = {"≥": ">=", "≤": "<="}.get(sign, sign)
    if what not in RISES or (measure and what not in OF_INTERVAL):
        raise InferenceError(_unknown(text, measure or "", what, sign, bar))

    if (sign[0] == ">") is not RISES[what]:
        right = ">" if RISES[what] else "<"
        raise InferenceError(f"The rule {text!r} would stop at the start; write {what} {right} {bar}.")
    return Clause(what, sign, _number(bar, text), measure or "", paired=measure == "difference", said=text)


def _unknown(text: str, measure: str, what: str, sign: str, bar: str) -> str:
    """What to say of a name that is none."""
    if not measure and sign:
        limit = "low" if sign[0] == ">" else "high"
        return f"The rule {text!r} does not say which limit; write {what}.{limit} {sign} {bar}."
    if what in RISES:
        return f"The rule {text!r} asks for the {what} of {measure}; write {what} {sign} {bar}."
    return f"The rule {text!r} asks for {what!r}, and there is {listed(OF_INTERVAL, 'or')}."


def _number(bar: str, text: str) -> float:
    try:
        found = float(bar)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InferenceError(f"The rule {text!r} has the bar {bar!r}; a number is needed.")
    return found


def _agreed(w: Seen) -> tuple[float, float]:
    """The limits; none where they contradict each other, because then they show nothing."""
    low, high = float(w.interval.low), float(w.interval.high)
    return (low, high) if low <= high else (math.nan, math.nan)
