"""How many more items a rule will take, if all goes on as it did: a guess for planning, and no claim."""

from __future__ import annotations

import math
from typing import Protocol

from informed.inference.stop_rules import Clause, Rules


class Limits(Protocol):
    """An estimate and its limits, as an `Interval` has them."""

    @property
    def estimate(self) -> float:
        """What was found."""

    @property
    def low(self) -> float:
        """The lower limit."""

    @property
    def high(self) -> float:
        """The upper one."""


class Going(Protocol):
    """What a guess looks at: as a `Watch` has it."""

    @property
    def n(self) -> int:
        """Items so far."""

    @property
    def current(self) -> Limits:
        """The interval of the last look."""

    @property
    def wealth(self) -> float:
        """What the bettor has."""

    @property
    def level(self) -> float:
        """Of the interval."""

    @property
    def against(self) -> float:
        """The bar."""

    @property
    def alternative(self) -> str:
        """Which limits there are, and on which side of the bar the wealth is."""


def to_go(rules: Rules, w: Going, *, most: int | None = None) -> float:
    """Items from now on until the first of the rules is met; infinite where none will be, NaN where nobody knows.

    Limits narrow with the root of the number of items, and money grows at a steady rate. Of a benchmark of `most`
    items no more than are left.
    """
    found = [x for x in (_in_all(clause, w) for clause in rules.clauses) if not math.isnan(x)]
    if not found or not w.n:
        return math.nan
    least = max(0.0, math.ceil(min(found) - w.n)) if math.isfinite(min(found)) else math.inf
    return least if most is None else min(least, float(most - w.n))


def _in_all(clause: Clause, w: Going) -> float:
    """How many items one rule takes in all."""
    estimate, (below, above) = float(w.current.estimate), _reach(w)
    if clause.what == "n":
        return clause.bar
    if clause.what == "low":
        return _narrowed(w.n, below, estimate - clause.bar)
    if clause.what == "high":
        return _narrowed(w.n, above, clause.bar - estimate)
    if clause.what == "width":
        return _narrowed(w.n, float(w.current.high) - float(w.current.low), clause.bar)
    if clause.what == "within":
        return _narrowed(w.n, max(above, below), clause.bar - abs(estimate))
    if clause.what in ("wealth", "p"):
        return _rich(w, clause.bar if clause.what == "wealth" else 1 / clause.bar if clause.bar else math.inf)
    if clause.what in ("pass", "fail"):
        mine = (clause.what == "fail") is (w.alternative == "less")
        return _rich(w, 1 / (1 - w.level)) if mine else _beyond(w, above=clause.what == "pass")
    return math.nan


def _reach(w: Going) -> tuple[float, float]:
    """How far the limits are below and above the estimate; of one limit both ways as far as that."""
    below, above = float(w.current.estimate - w.current.low), float(w.current.high - w.current.estimate)
    return {"greater": (below, below), "less": (above, above)}.get(w.alternative, (below, above))


def _rich(w: Going, wanted: float) -> float:
    """Items until the bettor has so much; where he has gained nothing yet, until his limit has passed the bar."""
    found = _grown(w.n, w.wealth, wanted)
    return found if math.isfinite(found) else _beyond(w, above=w.alternative != "less")


def _beyond(w: Going, *, above: bool) -> float:
    """Items until a limit has passed the bar."""
    apart, (below, over) = float(w.current.estimate) - w.against, _reach(w)
    return _narrowed(w.n, below, apart) if above else _narrowed(w.n, over, -apart)


def _narrowed(n: int, wide: float, wanted: float) -> float:
    """Items until a distance is as wanted.

    >>> _narrowed(100, 0.4, 0.2), _narrowed(100, 0.4, -0.1)
    (400.0, inf)
    """
    if math.isnan(wide) or math.isnan(wanted):
        return math.nan
    return n * (wide / wanted) ** 2 if wanted > 0 else math.inf


def _grown(n: int, wealth: float, wanted: float) -> float:
    """Items until there is so much money.

    >>> round(_grown(100, 10, 100), 6), _grown(100, 0.5, 20)
    (200.0, inf)
    """
    if math.isnan(wealth):
        return math.nan
    if wealth >= wanted:
        return float(n)
    return n * math.log(wanted) / math.log(wealth) if wealth > 1 else math.inf
