"""One look at a watched run: money, limits and the verdict, as they are shown and as rules see them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from informed.inference.watch_looks import FUTILE, Look
from informed.inference.watch_settings import Alternative, Settings

COLUMNS = "n:count estimate low high current_low current_high wealth best log_wealth log_best below"


class Limits(NamedTuple):
    """The limits of one look, without what is said of them: that asks the rules again."""

    low: float
    high: float


@dataclass(frozen=True)
class SeenLook:
    """A look, with what was declared; there is no money where nobody can bet."""

    settings: Settings
    look: Look

    @property
    def n(self) -> int:
        return self.look.n

    @property
    def interval(self) -> Limits:
        return Limits(self.look.low, self.look.high)

    @property
    def wealth(self) -> float:
        return money(self._logs[0])

    @property
    def best(self) -> float:
        return money(self._logs[1])

    @property
    def pvalue(self) -> float:
        return min(1.0, 1 / self.best) if self.settings.tested else math.nan

    @property
    def pvalue_two_sided(self) -> float:
        return min(1.0, 1 / money(self.look.best_both)) if self.settings.tested and self.n else math.nan

    @property
    def verdict(self) -> str:
        look, bar = self.look, self.settings.against
        if not self.settings.barred:
            return "undecided"
        if self.settings.bets:
            enough = math.log(1 / (1 - self.settings.level)) - 1e-12
            above, below = look.best_above >= enough, look.best_below >= enough
        else:
            above, below = look.low > bar, look.high < bar
        return "undecided" if above is below else "pass" if above else "fail"

    @property
    def alternative(self) -> Alternative:
        return self.settings.alternative

    @property
    def futile(self) -> bool:
        return self.look.best_hopeless >= math.log(1 / FUTILE)

    @property
    def row(self) -> tuple[float, ...]:
        """The columns of a path."""
        x = self.look
        limits = x.low, x.high, x.current_low, x.current_high
        now, best = self._logs
        below = money(x.below) if self.settings.barred else math.nan
        return (x.n, x.estimate, *limits, money(now), money(best), now, best, below)

    @property
    def _logs(self) -> tuple[float, float]:
        """What the bettor has and the most that he has had, who began with 1, by their logarithms."""
        if not self.settings.tested:
            return math.nan, math.nan
        x = self.look
        now, best = (x.below, x.best_below) if self.alternative == "less" else (x.above, x.best_above)
        return now, max(0.0, best)


def money(log: float) -> float:
    """From its logarithm; infinite beyond all numbers."""
    return math.inf if log >= 700 else math.exp(log)
