"""Many systems watched on the same items: which of them pass the bar, by what their bettors have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from informed._numbers import percent, plural
from informed._wording import listed
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.evidence.shown import system_name
from informed.inference.evalues import e_bh, e_holm
from informed.inference.watch import Watch
from informed.inference.watch_words import words_of
from informed.results import Note, Records, Result

COLUMNS = (
    "system:label estimate low high wealth:amount found_bh:flag found_holm:flag best:amount pvalue:p "
    "log_wealth log_best"
)


@dataclass(frozen=True, repr=False)
class WatchedSystems(Result):
    """Systems at a common look: the limits and the wealth of each, and which are found by e-BH and by Holm."""

    page = "watched_systems"

    n: int
    against: float
    level: float
    measure: str
    rows: Records
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """One row a system."""
        return self.rows

    def sentence(self) -> str:
        """Which systems pass the bar."""
        found = [system_name(x["system"]) for x in self.rows if x["found_bh"]]
        told = f"{listed(found, 'and')} {'is' if len(found) == 1 else 'are'}" if found else "none is"
        many, bar = plural(len(self.rows), "system"), f"{words_of(self.measure)} {self.against:g}"
        share = f"on average at most {percent(1 - self.level)} of those that are named are wrong"
        return f"After {plural(self.n, 'item')}, of {many}: {told} shown to be above {bar} (e-BH: {share})."


def watched_systems(watches: Mapping[str, Watch]) -> WatchedSystems:
    """Systems by name, all watched on the same items with the same bar, looked at together."""
    held = list(watches.values())
    if not held:
        raise InferenceError("No system is watched.")
    s, n = held[0].settings, held[0].n
    for name, w in watches.items():
        if (w.n, w.against, w.level) != (n, s.against, s.level):
            raise InferenceError(f"{text(name)} was watched on other items, or against another bar.")
    bh, holm = e_bh(held, level=s.level), e_holm(held, level=s.level)
    rows = []
    for i, (name, w) in enumerate(watches.items()):
        x = w.interval
        logs = (float(w.path[side][-1]) if w.n else 0.0 for side in ("log_wealth", "log_best"))
        rows.append((name, x.estimate, x.low, x.high, w.wealth, i in bh, i in holm, w.best, w.pvalue, *logs))
    notes = dict.fromkeys(note for w in held for note in w.notes)
    return WatchedSystems(n, s.against, s.level, s.measure, Records.of(COLUMNS, rows), tuple(notes))
