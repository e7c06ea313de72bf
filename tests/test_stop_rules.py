"""Rules that end a watch: what they say, when they are met, when their opposite is shown, when they never can be."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from informed.errors import InferenceError
from informed.inference.stop_rules import Rules, parse


@dataclass
class Looked:
    """A watch as a rule sees it."""

    low: float = -1.0
    high: float = 1.0
    n: int = 100
    best: float = 1.0
    verdict: str = "undecided"
    alternative: str = "two-sided"
    futile: bool = False
    interval: Any = field(init=False)

    def __post_init__(self) -> None:
        self.interval = SimpleNamespace(low=self.low, high=self.high)

    @property
    def pvalue(self) -> float:
        return min(1.0, 1 / self.best)


@dataclass
class Set:
    """Its settings as a rule sees them."""

    measure: str = "informedness"
    alternative: str = "two-sided"
    paired: bool = False
    expect: float | None = None
    bounds: tuple[float, float] = (-1.0, 1.0)
    size: int | None = None
    bets: bool = True
    barred: bool = True


@pytest.mark.parametrize(
    ("rule", "yes", "no"),
    [
        ("informedness.low > 0.2", Looked(low=0.21), Looked(low=0.2)),
        ("informedness.low >= 0.2", Looked(low=0.2), Looked(low=0.19)),
        ("low>.2", Looked(low=0.21), Looked(low=0.2)),
        ("informedness.high<0.2", Looked(high=0.19), Looked(high=0.2)),
        ("informedness.high ≤ 0.2", Looked(high=0.2), Looked(high=0.21)),
        ("informedness.width < 0.1", Looked(low=0.3, high=0.39), Looked(low=0.3, high=0.41)),
        ("informedness.within < 0.1", Looked(low=-0.09, high=0.05), Looked(low=-0.11, high=0.05)),
        ("within < 0.1", Looked(low=0.01, high=0.05), Looked(low=-0.05, high=0.11)),
        ("better", Looked(low=0.01), Looked(low=0.0)),
        ("worse", Looked(high=-0.01), Looked(high=0.0)),
        ("difference.low > 0", Looked(low=0.01), Looked(low=0.0)),
        ("wealth >= 20", Looked(best=20), Looked(best=19.9)),
        ("wealth > 20", Looked(best=20.1), Looked(best=20)),
        ("p < 0.05", Looked(best=20.1), Looked(best=20)),
        ("p <= 0.05", Looked(best=20), Looked(best=19)),
        ("n >= 500", Looked(n=500), Looked(n=499)),
        ("pass", Looked(verdict="pass"), Looked(verdict="fail")),
        ("fail", Looked(verdict="fail"), Looked(verdict="undecided")),
        ("futile", Looked(futile=True), Looked(futile=False)),
        ("wealth >= 20 or futile", Looked(futile=True), Looked(best=19)),
        ("n >= 500 or low > 0.5", Looked(low=0.6), Looked(n=499, low=0.5)),
    ],
)
def test_met(rule: str, yes: Looked, no: Looked) -> None:
    rules = parse(rule)
    assert rules.met(yes) in rule.split(" or ")
    assert rules.met(no) is None


def test_what_was_met_is_said_as_it_was_written() -> None:
    rules = parse("  wealth>=20  or informedness.low  > 0.2 or  n>=1 ")
    assert rules.met(Looked(low=0.3)) == "informedness.low  > 0.2"
    assert rules.met(Looked()) == "n>=1"
    assert str(rules) == "wealth>=20 or informedness.low  > 0.2 or n>=1"


@pytest.mark.parametrize(
    ("rule", "shown", "open_"),
    [
        ("low > 0.2", Looked(high=0.2), Looked(high=0.21)),
        ("low >= 0.2", Looked(high=0.19), Looked(high=0.2)),
        ("high < 0.2", Looked(low=0.2), Looked(low=0.19)),
        ("high <= 0.2", Looked(low=0.21), Looked(low=0.2)),
        ("better", Looked(high=0), Looked(high=0.01)),
        ("worse", Looked(low=0), Looked(low=-0.01)),
        ("within < 0.1", Looked(low=0.1), Looked(low=0.09)),
        ("within < 0.1", Looked(high=-0.1), Looked(high=-0.09)),
        ("wealth >= 20", Looked(verdict="fail"), Looked()),
        ("p < 0.05", Looked(verdict="fail"), Looked()),
        ("wealth >= 20", Looked(verdict="pass", alternative="less"), Looked(verdict="fail", alternative="less")),
        ("p < 0.05", Looked(verdict="pass", alternative="less"), Looked(verdict="fail", alternative="less")),
        ("pass", Looked(verdict="fail"), Looked()),
        ("fail", Looked(verdict="pass"), Looked()),
        ("pass", Looked(verdict="fail", alternative="less"), Looked(verdict="pass", alternative="less")),
        ("low > 0.2 or n >= 500", Looked(high=0.1), Looked(high=0.3, n=600)),
        ("low > 0.2 or futile", Looked(high=0.1), Looked(high=0.3, futile=True)),
    ],
)
def test_opposed(rule: str, shown: Looked, open_: Looked) -> None:
    assert parse(rule).opposed(shown)
    assert not parse(rule).opposed(open_)


@pytest.mark.parametrize(
    "rule", ["width < 0.1", "n >= 500", "futile", "low > 0.2 or high < 0.2", "low > 0.2 or width < 1"]
)
def test_what_has_no_opposite(rule: str) -> None:
    for low in (-1, 0.1, 0.3):
        assert not parse(rule).opposed(Looked(low=low, high=low + 0.01, verdict="fail"))


@pytest.mark.parametrize("rule", ["low > 0.2", "high < 0.2", "width < 1", "within < 1", "better", "worse"])
def test_limits_that_contradict_each_other_show_nothing(rule: str) -> None:
    w = Looked(low=0.3, high=-0.3)
    assert parse(rule).met(w) is None
    assert not parse(rule).opposed(w)


@pytest.mark.parametrize(
    ("rule", "settings", "said"),
    [
        ("informedness.low > 1", Set(), "The rule 'informedness.low > 1' can never be met: it is at most 1."),
        ("informedness.high < -1", Set(), "it is at least -1."),
        ("informedness.high < 0.2", Set(alternative="greater"), "nothing is said of the upper limit"),
        ("informedness.low > 0.2", Set(alternative="less"), "nothing is said of the lower limit"),
        ("markedness.low > 0.2", Set(), "what is watched is informedness."),
        ("recall.low > 0.2", Set(paired=True), "what is watched is the difference in informedness."),
        ("better", Set(), "there is one system only."),
        ("difference.low > 0", Set(), "what is watched is informedness."),
        ("width < 0", Set(), "no interval is that narrow."),
        ("width <= 0", Set(), "no interval is that narrow."),
        ("width < 0", Set(size=50), "no interval is that narrow."),
        ("within < 0", Set(size=50), "no interval is that narrow."),
        ("within < 0.1", Set(alternative="greater"), "one limit says nothing."),
        ("futile", Set(), "nothing is expected"),
        ("wealth >= 20", Set(bets=False), "an approximate sequence has no wealth"),
        ("p < 0", Set(), "a p-value is above 0."),
        ("n >= 500", Set(size=499), "the benchmark has 499 items."),
        ("low > 0.2 or n >= 500", Set(size=499), "The rule 'n >= 500' can never be met"),
    ],
)
def test_what_can_never_be_met(rule: str, settings: Set, said: str) -> None:
    found = parse(rule).impossible(settings)
    assert found is not None
    assert said in found


@pytest.mark.parametrize(
    ("rule", "settings", "said"),
    [
        ("wealth >= 0.5", Set(), "'wealth >= 0.5' would stop at the start: wealth begins at 1."),
        ("wealth >= 1", Set(), "wealth begins at 1."),
        ("p <= 1", Set(), "p begins at 1."),
        ("n >= 0", Set(), "n begins at 0."),
        ("low > 0.2 or n > -1", Set(), "'n > -1' would stop at the start"),
        ("low >= -1", Set(), "low begins at -1."),
        ("high <= 1", Set(), "high begins at 1."),
        ("width <= 2", Set(), "width begins at 2."),
        ("width < 3", Set(bounds=(0, 1)), "width begins at 1."),
        ("within < 5", Set(paired=True, bounds=(-2, 2)), "within begins at 2."),
    ],
)
def test_what_is_met_before_anything_is_seen(rule: str, settings: Set, said: str) -> None:
    assert said in str(parse(rule).impossible(settings))


@pytest.mark.parametrize(
    ("rule", "settings"),
    [
        ("wealth > 1 or p < 1 or n >= 1 or n > 0", Set()),
        ("low > -1 or high < 1 or width < 2", Set()),
        ("informedness.low > 0.99", Set()),
        ("informedness.low >= 1", Set(size=10)),
        ("informedness.high < 0.2", Set(alternative="less")),
        ("difference.low > 1.5 or informedness.low > 1.5", Set(paired=True, bounds=(-2, 2))),
        ("better or worse", Set(paired=True)),
        ("width <= 0", Set(size=50)),
        ("width < 0.1", Set(alternative="greater")),
        ("futile or wealth >= 20 or p < 0.01", Set(expect=0.3)),
        ("n >= 500", Set(size=500)),
        ("n >= 500 or low > 0", Set(bets=False)),
    ],
)
def test_what_may_be_met(rule: str, settings: Set) -> None:
    assert parse(rule).impossible(settings) is None


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("", "'' is no rule; write informedness.low > 0.2"),
        ("low > 0.2 or ", "A rule beside 'or' is empty"),
        ("informedness > 0.2", "does not say which limit; write informedness.low > 0.2."),
        ("informedness < 0.2", "write informedness.high < 0.2."),
        ("informedness.lower > 0.2", "asks for 'lower', and there is low, high, width or within."),
        ("informedness.n > 5", "asks for the n of informedness; write n > 5."),
        ("informedness.low < 0.2", "would stop at the start; write low > 0.2."),
        ("high > 0.2", "would stop at the start; write high < 0.2."),
        ("wealth < 20", "would stop at the start; write wealth > 20."),
        ("low > much", "has the bar 'much'; a number is needed."),
        ("low > nan", "has the bar 'nan'; a number is needed."),
        ("low > inf", "has the bar 'inf'; a number is needed."),
        ("low = 0.2", "is no rule"),
        ("low > 0.2 and n > 5", "is no rule"),
    ],
)
def test_what_is_no_rule(rule: str, said: str) -> None:
    with pytest.raises(InferenceError) as error:
        parse(rule)
    assert said in str(error.value)


def test_rules_are_data() -> None:
    rules = parse("low > 0.2 or futile")
    assert rules == parse("low > 0.2 or futile") == pickle.loads(pickle.dumps(rules))  # whose NaN is another
    assert hash(rules) == hash(parse("low > 0.2 or futile"))
    assert rules != parse("low > 0.3 or futile")
    assert isinstance(parse("n > 5"), Rules)
