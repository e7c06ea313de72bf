"""How many items a rule takes, if all goes on as it did."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from informed.inference.items_to_go import to_go
from informed.inference.stop_rules import parse


@dataclass
class Looked:
    """A watch as the guess sees it: an estimate of 0.3 ± 0.2 after 100 items."""

    n: int = 100
    wealth: float = 10.0
    level: float = 0.95
    against: float = 0.0
    alternative: str = "two-sided"
    current: Any = field(default_factory=lambda: SimpleNamespace(estimate=0.3, low=0.1, high=0.5))


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("low > 0.2", 300),  # half the distance takes four times the items
        ("low > 0.3", math.inf),
        ("low > 0.05", 0),
        ("high < 0.4", 300),
        ("high < 0.2", math.inf),
        ("width < 0.1", 1500),
        ("within < 0.4", 300),
        ("within < 0.2", math.inf),
        ("wealth >= 100", 100),  # ten times the money took 100 items
        ("p <= 0.01", 100),
        ("pass", math.ceil(100 * math.log(20) / math.log(10)) - 100),
        ("fail", math.inf),
        ("n >= 130", 30),
        ("low > 0.2 or n >= 130", 30),
        ("low > 0.3 or wealth >= 100", 100),
    ],
)
def test_to_go(rule: str, wanted: float) -> None:
    assert to_go(parse(rule), Looked()) == pytest.approx(wanted, abs=1)


def test_a_benchmark_ends() -> None:
    assert to_go(parse("width < 0.1"), Looked(), most=250) == 150
    assert to_go(parse("low > 0.3"), Looked(), most=250) == 150


def test_what_nobody_knows() -> None:
    unknown = SimpleNamespace(estimate=math.nan, low=math.nan, high=math.nan)
    assert math.isnan(to_go(parse("low > 0.2 or wealth > 20"), Looked(current=unknown, wealth=math.nan)))
    assert math.isnan(to_go(parse("futile"), Looked()))
    assert math.isnan(to_go(parse("n >= 5"), Looked(n=0)))
    assert to_go(parse("wealth >= 20"), Looked(wealth=0.9, against=0.4)) == math.inf


def test_where_there_is_no_gain_yet_the_limits_tell() -> None:
    assert to_go(parse("wealth >= 20"), Looked(wealth=0.9, against=0.2)) == pytest.approx(300, abs=1)


def test_who_bets_below_the_bar_gains_by_failing() -> None:
    held = SimpleNamespace(estimate=0.3, low=-1.0, high=0.5)
    less = Looked(against=0.6, alternative="less", current=held)
    grown = math.ceil(100 * math.log(20) / math.log(10)) - 100
    assert to_go(parse("fail"), less) == pytest.approx(grown, abs=1)
    assert to_go(parse("pass"), less) == math.inf
    poor = Looked(wealth=0.9, against=0.4, alternative="less", current=held)
    assert to_go(parse("wealth >= 20"), poor) == pytest.approx(300, abs=1)
    above = Looked(against=0.2, alternative="less", current=held)
    assert to_go(parse("pass"), above) == pytest.approx(300, abs=1)


def test_one_limit_reaches_as_far_on_the_other_side() -> None:
    held = SimpleNamespace(estimate=0.3, low=0.1, high=1.0)
    found = to_go(parse("fail"), Looked(against=0.4, alternative="greater", current=held))
    assert found == pytest.approx(300, abs=1)
